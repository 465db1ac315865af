"""The case of a cell: a slider pressed into a table, and then moved over it by one and by ten edges of the table.

A reference presses the slider where the way of a cell has led to, with friction after the last edge of the way. The
equilibrium without friction is unique, so that the cell must find the same force and height.
"""
import numpy as np

from invariance.formulas import combination
from invariance.parameters import written

from .cells import INTEGRATED, WITH_SPRINGS
from .shapes import EDGE, FACTORS, GAP, HEIGHT, SLOPE, TOP_OF_HILL, CURVATURE, bodies_of, drop, frame_of, write_meshes

E, POISSON, DENSITY = 1e6, 0.3, 300.0
SPEED = (E / DENSITY) ** 0.5
DEPTHS = {True: 0.02, False: 0.01}          # of round and of flat sliders
PRESSURE = 0.01 * E
DISTANCES = (0, 1, 10)                      # in edges of the table
PAUSES = ((0.5, 0.75), (1.25, 1.5), (6.0, 6.25))  # at these distances, with inertia
INSTANTS = (1.0, 2.0, 11.0)                 # at these distances, without
LANDING = 0.3                               # time in which the weight of a free slider grows
GRAVITY = {"0": 30.0, "0.3": 4.0}           # of free sliders, which friction does not stop early
FREE_SPEED = {"0": 1.0, "0.3": 3.4}
FREE_END = {"0": 3.3, "0.3": 1.26}
STEPS = {"none": {"short": 0.1, "long": 0.5}, "free": {"short": 2e-3, "long": 5e-3},
         "full": {"short": 0.0125, "long": 0.05}}
BC = "Boundary conditions"
# The statics of schemes that integrate contact over faces: stiff springs at the same points.
WITHOUT_MULTIPLIERS = {("Time", "Scheme"): "penalty", ("Contact", "joint", "Points"): "quadrature points",
                       ("Contact", "joint", "Penalty stiffness"): 1000 * E}


def smooth(begin, end, size):
    """Returns a formula that grows from 0 to `size` between two times."""
    return f"{size!r}*if(t < {begin}, 0, if(t > {end}, 1, 0.5*(1 - cos(pi*(t - {begin})/{end - begin}))))"


def way_of(cell, distance=None):
    """Returns formulas of the pressing, from 0 to 1, and of the distance, and the end of the time; of a reference at a
    distance in edges."""
    if distance is not None:
        dragged = f"{EDGE * (distance - 1)!r} + {EDGE!r}*max(t - 1, 0)"
        return "min(t, 1)", *((repr(EDGE * distance), 1.0) if cell.friction == "0" else (dragged, 2.0))
    if cell.inertia == "none":
        return "min(t, 1)", f"{EDGE!r}*max(t - 1, 0)", INSTANTS[-1]
    along = [smooth(before[1], after[0], EDGE * (end - begin))
             for before, after, begin, end in zip(PAUSES, PAUSES[1:], DISTANCES, DISTANCES[1:])]
    return smooth(0.0, PAUSES[0][0], 1.0), " + ".join(along), PAUSES[-1][1]


def start_of(cell, distance):
    """Returns the distance at which a reference presses its slider down."""
    return 0.0 if distance is None else EDGE * (distance - (cell.friction != "0"))


def turned(frame, formulas, factor=1.0):
    """Returns the components of a vector of formulas in a frame."""
    return [combination(factor * row, formulas) for row in frame.Q]


def listed(vector):
    return ", ".join(repr(float(x)) for x in vector)


def material(cell, is_static):
    """Returns the entries of Material. A little viscosity damps the bodies in motion, in 0.05 of the time in which a
    wave passes the slider twice."""
    frame = frame_of(cell)
    young, density = E * frame.factor((1, -1, -2)), DENSITY * frame.factor((1, -3, 0))
    found = {("Law",): cell.law, ("Density",): density, ("Young modulus",): young, ("Poisson ratio",): POISSON}
    if cell.element == "quadratic":
        found[("Element",)] = "quadratic"
    if not is_static:
        is_linear = cell.law == "linear elastic"
        found[("Viscosity law",)] = "linear" if is_linear else "curnier"
        found[("Viscosity",)] = young * 0.05 / SPEED * (1 if is_linear else 0.25)
    if cell.stiffness != "equal":
        found[(f"{bodies_of(cell)[0]}:body", "Young modulus")] = young * FACTORS[cell.stiffness]
    return {("Material", *path): value for path, value in found.items()}


def weight_of(cell, growing):
    """Returns the entry Gravity, in the ratio of a formula of the time."""
    frame = frame_of(cell)
    gravity = f"-{GRAVITY[cell.friction]}*({growing})"
    return {(BC, "Gravity"): ", ".join(turned(frame, ["0"] * (cell.dim - 1) + [gravity], frame.length))}


def motion_of_free(cell):
    """Returns the entries of a slider with a velocity, whose weight grows, and the end of the time."""
    frame, axes = frame_of(cell), "xyz"[:cell.dim]
    above = " + ".join(f"{component!r}*{axis}" for axis, component in zip(axes, frame.Q[:, -1].tolist()))
    direction = frame.Q @ np.array([1.0, *[SLOPE] * (cell.dim - 2), 0.0])
    velocity = (frame.length * FREE_SPEED[cell.friction] * direction).tolist()
    found = weight_of(cell, f"if(t < {LANDING}, 0.5*(1 - cos(pi*t/{LANDING})), 1)")
    for axis, component in zip(axes, velocity):
        found[("Initial state", f"Velocity {axis}")] = f"if({above} > {frame.length * GAP / 2!r}, {component!r}, 0)"
    return found, FREE_END[cell.friction]


def motion_of_driven(cell, distance):
    """Returns the entries that press and move the slider's upper side, and the end of the time. A slider that falls
    under a load lands deeper than its equilibrium: with inertia it begins there."""
    frame, axes = frame_of(cell), "xyz"[:cell.dim]
    top = "top" if cell.is_on_surface else f"{bodies_of(cell)[0]}:top"
    pressing, along, end = way_of(cell, distance)
    way = f"({along}) - {start_of(cell, distance)!r}"
    lower = f"-({DEPTHS[cell.is_round] + GAP!r} + {drop(along) if is_on_hill(cell) else 0})*({pressing})"
    moved = turned(frame, [way, *[f"{SLOPE}*({way})"] * (cell.dim - 2), lower], frame.length)
    found = {(BC, top, f"Displacement {axis}"): text for axis, text in zip(axes, moved)}
    if cell.drive != "depth":
        del found[(BC, top, f"Displacement {axes[-1]}")]
    if cell.drive == "free":
        found.update(weight_of(cell, pressing))
    elif cell.drive == "load":
        is_preloaded = cell.inertia == "full" and distance is None
        pressure = PRESSURE * frame.factor((1, -1, -2))
        found[(BC, top, f"Traction {axes[-1]}")] = f"-{pressure!r}*({1 if is_preloaded else pressing})"
        if is_preloaded:
            found.update({("Initial state", "Static preload"): "true", ("Initial state", "Preload tractions"): "true"})
    return found, end


def is_on_hill(cell):
    return cell.pair in ("round-hill", "round-cylinder")


def contact(cell):
    """Returns the entries of the contact `joint`."""
    frame, (slider, table) = frame_of(cell), bodies_of(cell)
    found = {"Friction coefficient": cell.friction, "Region": "bottom"}
    if cell.pair == "flat-plane":
        found.update({"Surface": "plane", "Normal": listed(frame.Q[:, -1])})
    elif cell.pair == "round-cylinder":
        radius = 1 / CURVATURE["hill"]
        found.update({"Surface": "outside of circle" if cell.dim == 2 else "outside of cylinder",
                      "Point": listed(frame.points(np.array([TOP_OF_HILL, *[0.0] * (cell.dim - 2), -radius]))),
                      "Radius": radius * frame.length})
        if cell.dim == 3:
            found["Axis"] = listed(frame.Q[:, 1])
    else:
        sides = [f"{slider}:bottom", f"{table}:top"]
        found["Region"], found["Against"] = sides if cell.region == "slider" else sides[::-1]
        found["Surface"] = "region"
        if cell.discretisation != "quadrature points":
            found["Discretisation"] = cell.discretisation
    if cell.discretisation == "quadrature points" and cell.scheme in WITH_SPRINGS:
        found["Points"] = "quadrature points"
    return {("Contact", "joint", name): value for name, value in found.items()}


def entries_of(cell, distance=None):
    """Returns the entries of the case of a cell, or of its reference at a distance in edges."""
    frame, (slider, table) = frame_of(cell), bodies_of(cell)
    is_static = cell.inertia == "none" or distance is not None
    is_free = cell.drive == "free" and distance is None
    moved, end = motion_of_free(cell) if is_free else motion_of_driven(cell, distance)
    kind = "none" if is_static else "free" if cell.drive == "free" else "full"
    step = STEPS[kind]["short" if distance is not None else cell.step]
    if kind != "none" and (cell.dim, cell.step) == (3, "short"):
        step *= 2  # steps in 3D take ten times as long
    start = start_of(cell, distance)
    height = 0.5 * HEIGHT if cell.drive == "free" else HEIGHT
    point = frame.points(np.array([0.5 + start, *[0.2 + SLOPE * start] * (cell.dim - 2), height]))
    found = {("Mesh", "File"): f"{slider}.msh" if cell.is_on_surface else f"{slider}.msh, {table}.msh",
             **material(cell, is_static), **moved, **contact(cell),
             ("Probes", "joint", "Kind"): "force", ("Probes", "joint", "Contact"): "joint",
             ("Probes", "slider", "Kind"): "displacement", ("Probes", "slider", "Point"): listed(point),
             ("Time", "Scheme"): cell.scheme, ("Time", "End"): end, ("Time", "Step"): step,
             ("Output", "Number of instants"): 0, ("Output", "Seconds between checkpoints"): 0}
    if not cell.is_on_surface:
        found[("Probes", "slider", "Body")] = slider
        found[(BC, f"{table}:bottom", "Fixed")] = "true"
    if is_static:
        found.update({("Time", "Inertia"): "none", ("Time", "Theta"): 1})
    if distance is not None and cell.scheme in INTEGRATED:
        found.update(WITHOUT_MULTIPLIERS)
    return found


def write_case(cell, folder, distance=None):
    """Writes the meshes and the case of a cell into a new folder, or of its reference at a distance in edges."""
    folder.mkdir(parents=True, exist_ok=True)
    write_meshes(cell, folder, start_of(cell, distance))
    (folder / "case.prm").write_text(written(entries_of(cell, distance)), encoding="utf-8")
