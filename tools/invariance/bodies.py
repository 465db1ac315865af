"""Shapes, positions and motions of rigid bodies in another frame."""

import numpy as np

from . import formulas
from .frames import axis_and_angle, rotation
from .parameters import NotTransformed

OFFSETS = ("Offset", "Course offset", "Alternate shift", "Repetition offset")
TURNS = ("Rotation", "Angular velocity", "Moment")  # counter-clockwise in 2D, formulas of t
BODY_AXES = ("Angular velocity x", "Angular velocity y", "Angular velocity z", "Moment x", "Moment y",
             "Moment z")
GEOMETRY = {"Contact points", "Vertices", "Position", "Angle", "Initial velocity",
            "Initial angular velocity", "Turn", "Turn centre", "Turn axis", *OFFSETS, *TURNS}


def moved_points(text, matrix, shift):
    """Returns points x, y; x, y; ... as matrix · x + shift."""
    points = [[float(value) for value in formulas.listed(point)] for point in text.split(";")]
    moved = np.array(points) @ matrix.T + shift
    return "; ".join(", ".join(repr(float(value)) for value in point) for point in moved)


def transform_body(entries, section, frame):
    """Transforms the entries GEOMETRY of a body."""
    def value(name):
        return entries.get((*section, name), "")
    if any(value(name) for name in BODY_AXES):
        raise NotTransformed("motion or moment about an axis of a body")
    transform_shape(entries, section, frame)
    if value("Turn centre"):
        transform_copies(entries, section, frame)
    speed = frame.length / frame.time
    entries[(*section, "Initial velocity")] = formulas.vector(value("Initial velocity"), frame, speed)
    if frame.dim == 2:
        factors = {"Rotation": 1, "Angular velocity": 1 / frame.time, "Initial angular velocity": 1 / frame.time,
                   "Moment": frame.factor((1, 2, -2))}
        variables = formulas.old_variables(frame)
        for name, factor in factors.items():
            formula = formulas.substituted(value(name), variables)
            entries[(*section, name)] = formulas.scaled(formula, frame.sign * factor)
    else:
        turn = [float(x) for x in formulas.listed(value("Initial angular velocity"))]
        turn = frame.sign * frame.mirror @ (turn if len(turn) == 3 else np.zeros(3)) / frame.time
        entries[(*section, "Initial angular velocity")] = ", ".join(repr(float(x)) for x in turn)


def transform_shape(entries, section, frame):
    """Transforms points, position and angle. The vertices of a polygon, which may determine its
    position, are transformed themselves; other bodies keep their points, or mirror images, and turn."""
    def value(name):
        return entries.get((*section, name), "")
    shape = value("Shape")
    if value("Position"):
        entries[(*section, "Position")] = formulas.vector(value("Position"), frame, frame.length, shift=True)
    elif shape == "polyhedron":
        raise NotTransformed("the position of a polyhedron follows from its vertices")
    elif shape != "polygon":
        entries[(*section, "Position")] = ", ".join(repr(float(frame.length * b)) for b in frame.shift)
    matrix = frame.length * (frame.Q if shape == "polygon" else frame.mirror)
    if value("Vertices"):
        shift = frame.length * frame.shift if shape == "polygon" else 0
        entries[(*section, "Vertices")] = moved_points(value("Vertices"), matrix, shift)
    if value("Contact points"):
        entries[(*section, "Contact points")] = moved_points(value("Contact points"), matrix, 0)
    if frame.dim == 2:
        turn = 0.0 if shape == "polygon" else frame.angle
        entries[(*section, "Angle")] = repr(turn + frame.sign * float(value("Angle")))
    elif shape != "sphere":
        axis = np.array([float(x) for x in formulas.listed(value("Axis"))])
        axis, angle = axis_and_angle(frame.Q @ rotation(axis, float(value("Angle"))) @ frame.mirror)
        entries[(*section, "Axis")] = ", ".join(repr(float(x)) for x in axis)
        entries[(*section, "Angle")] = repr(angle)


def transform_copies(entries, section, frame):
    """Transforms the positions of copies."""
    for name in OFFSETS:
        entries[(*section, name)] = formulas.vector(entries[(*section, name)], frame, frame.length)
    turn = float(entries[(*section, "Turn")])
    if not turn:
        return
    centre, axis = (*section, "Turn centre"), (*section, "Turn axis")
    entries[centre] = formulas.vector(entries[centre], frame, frame.length, shift=True)
    entries[(*section, "Turn")] = repr(frame.sign * turn)
    if axis in entries:
        entries[axis] = formulas.vector(entries[axis], frame)
