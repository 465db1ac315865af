"""Entries of a case in another frame and other units: numbers, lists and formulas."""

from . import bodies
from .formulas import AXES, combination, listed, old_variables, scaled, substituted, vector
from .parameters import NotTransformed, sections

POINTS = {"Point", "First point", "Second point"}
VECTORS = {"Gravity", "Normal", "Axis", "Second axis"}
# Joints that turn about their axes: the mirror image of a turn is the turn about the opposite of the
# mirrored axis.
TURNING_JOINTS = {"hinge", "universal"}
COMPONENTS = ("Displacement", "Velocity", "Traction", "Force", "Motion", "Belt velocity")
FREE_IF_EMPTY = ("Displacement", "Velocity")
FIELDS = {"Signed distance", "Friction coefficient", "Pressure"}
# Entries with a default that means something only together with another entry.
USED_WITH = {
    "Width": ("Shape", {"rectangle"}), "Height": ("Shape", {"rectangle"}), "Length": ("Shape", {"stick"}),
    "Size": ("Shape", {"box"}), "Vertices": ("Shape", {"polygon", "polyhedron"}),
    "C1": ("Law", {"ogden"}), "Normal": ("Surface", {"half-plane", "half-space"}),
    "Axis": ("Surface", {"outside of cylinder", "inside of cylinder"})}
ROUND = {"disc", "sphere", *(f"{side} of {shape}" for side in ("outside", "inside")
                             for shape in ("circle", "sphere", "cylinder"))}
WITHOUT_POINT = {"region", "rigid bodies", "signed distance", "facets"}
REFUSED = {"Backward friction ratio": ("1", "a ratio of friction forward and backward"),
           "Friction ratio": ("1", "elliptic friction"), "Fibre 1": ("", "fibres"),
           "File": ("", "bodies from a table"), "Surface mesh": ("", "a surface from a file"),
           "Initial overlap": ("", "an overlap resolved over a time"),
           "Motion angle": ("", "a surface that turns")}


def is_used(entries, path):
    """True unless the entry is a default that another entry makes meaningless."""
    section, name = path[:-1], path[-1]
    if path[0] == "Material" and entries[("Mesh", "File")] == "":
        return False
    if path[0] == "Material" and name in USED_WITH and "Law" in USED_WITH[name]:
        law = entries.get((*section, "Law")) or entries[("Material", "Law")]
        return law in USED_WITH[name][1] and entries[path] != ""
    if path[0] == "Material" and name == "Thickness":
        return (entries.get((*section, "Plane")) or entries[("Material", "Plane")]) != "axisymmetric"
    if name == "Reference rate":
        return entries.get((*section, "Rate factor"), "") not in ("", "0")
    if path[0] == "Joints":
        return True
    if name == "Radius":
        return bool({entries.get((*section, "Shape")), entries.get((*section, "Surface"))} & ROUND)
    if name.startswith("Turning "):
        return entries[(*section, "Motion angle")] != ""
    if name == "Point" and path[0] == "Contact":
        return entries[(*section, "Surface")] not in WITHOUT_POINT
    if name == "Thickness" and path[0] == "Rigid bodies":
        return entries[(*section, "Density")] != ""
    if name in USED_WITH:
        other, values = USED_WITH[name]
        return entries.get((*section, other)) in values
    return True


def refuse(entries, frame):
    """Raises NotTransformed for entries that another frame would have to express by other means."""
    for path, value in entries.items():
        default, reason = REFUSED.get(path[-1], (value, ""))
        if path[0] != "Mesh" and value not in (default, "kept", "refused"):
            raise NotTransformed(reason)
    if frame.sign < 0 and any(path[0] == "Joints" and path[-1] == "Kind" and kind == "cylindrical"
                              for path, kind in entries.items()):
        raise NotTransformed("a cylindrical joint, which moves and turns with one axis")


def transform_components(entries, section, stem, frame, factor, variables):
    """Transforms entries such as 'Velocity x' and 'Velocity y' of a section."""
    names = [(*section, f"{stem} {AXES[i]}") for i in range(frame.dim)]
    old = [substituted(entries.get(name, ""), variables) for name in names]
    if not any(old):
        return
    is_free = stem in FREE_IF_EMPTY and section != ("Initial state",)
    if is_free and not all(old) and not frame.permutes:
        raise NotTransformed(f"{stem.lower()} prescribed along one axis only")
    for name, row in zip(names, frame.Q):
        acting = [(w, text) for w, text in zip(row * factor, old) if w and text]
        entries[name] = combination(*zip(*acting)) if acting else ""


def transform_entry(entries, path, frame, factor, variables):
    """Transforms one entry that is no component and belongs to no rigid body."""
    name, value = path[-1], entries[path]
    if name in POINTS:
        entries[path] = vector(value, frame, factor, shift=True)
    elif path[0] == "Joints" and "axis" in name.lower():
        turns = entries[(*path[:-1], "Kind")] in TURNING_JOINTS
        entries[path] = vector(value, frame, frame.sign if turns else 1)
    elif name in VECTORS:
        entries[path] = vector(substituted(value, variables), frame, factor)
    elif name in FIELDS or name.startswith("Motor "):
        entries[path] = scaled(substituted(value, variables), factor)
    elif factor != 1:
        entries[path] = ", ".join(scaled(item, factor) for item in listed(value))


def transform(entries, frame, units):
    """Returns the entries of a case in a frame. units: see read_units(). Raises NotTransformed."""
    refuse(entries, frame)
    entries, variables = dict(entries), old_variables(frame)
    def factor(path):
        return frame.factor(units.get((path[0], len(path) == 3, path[-1]), (0, 0, 0)))
    original = dict(entries)
    for name in sections(original, "Rigid bodies"):
        bodies.transform_body(entries, ("Rigid bodies", name), frame)
    for section in dict.fromkeys(path[:-1] for path in original):
        for stem in COMPONENTS:
            path = (*section, f"{stem} x")
            if path in original:
                transform_components(entries, section, stem, frame, factor(path), variables)
    for path, value in original.items():
        is_component = any(path[-1].startswith(f"{stem} ") for stem in COMPONENTS)
        if path[0] in ("Mesh", "Output", "Constants") or is_component or path[-1] in bodies.GEOMETRY:
            continue
        if value and is_used(original, path):
            transform_entry(entries, path, frame, factor(path), variables)
    return entries
