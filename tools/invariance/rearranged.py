"""Cases that describe the same bodies in another way: other order, other sides; and cases that differ
by round-off."""

import numpy as np

from .formulas import listed, scaled
from .parameters import NotTransformed, sections

NAMED_SECTIONS = ("Material", "Rigid bodies", "Boundary conditions", "Initial state", "Contact", "Links",
                  "Joints")
LISTS = ("Bodies", "Against")
UNIT = 2.0**-52
NUDGED = ("Position", "Initial velocity", "Initial angular velocity", "Gravity")
NUDGED_STEMS = ("Displacement", "Velocity", "Traction", "Force", "Pressure")


def reversed_order(entries):
    """Returns the entries with meshes, bodies, regions, contacts and names in lists in reversed order.
    Raises NotTransformed if there is one of each."""
    meshes = listed(entries[("Mesh", "File")])
    named = {parent: sections(entries, parent) for parent in NAMED_SECTIONS}
    if len(meshes) < 2 and all(len(names) < 2 for names in named.values()):
        raise NotTransformed("one of each")
    found = {path: value for path, value in entries.items() if not (path[0] in named and len(path) == 3)}
    for parent, names in named.items():
        for name in reversed(names):
            found.update({path: value for path, value in entries.items() if path[:2] == (parent, name)})
    for path in found:
        if path[-1] in LISTS and path[0] != "Joints":  # motors act on the second body
            found[path] = ", ".join(reversed(listed(found[path])))
    found[("Mesh", "File")] = ", ".join(reversed(meshes))
    return found


def swap(entries, contact):
    """Exchanges the sides of a contact; returns false if it has a rigid surface, or one side is not
    named. Raises NotTransformed if its law distinguishes the sides."""
    path = {name: ("Contact", contact, name) for name in ("Region", "Bodies", "Against")}
    kind = entries[("Contact", contact, "Surface")]
    own = path["Region"] if entries[path["Region"]] else path["Bodies"]
    if kind not in ("region", "rigid bodies") or entries[own] == entries[path["Against"]]:
        return False
    if (kind == "region") != (own[-1] == "Region"):
        return False
    if entries[("Contact", contact, "Discretisation")] in ("mortar of region", "nodes"):
        raise NotTransformed("the case chooses a side")
    entries[own], entries[path["Against"]] = entries[path["Against"]], entries[own]
    return True


def exchanged_sides(entries):
    """Returns the entries with Region or Bodies exchanged for Against, in contacts that name both."""
    entries = dict(entries)
    if not any([swap(entries, contact) for contact in sections(entries, "Contact")]):
        raise NotTransformed("no two sides")
    return entries


def sides_of_splits_exchanged(entries):
    """Returns the entries with 'NAME 1' and 'NAME 2' exchanged for the lines along which a mesh is
    split: in a mirror image the side on the left of a line is on the right."""
    splits = [name for name in listed(entries.get(("Mesh", "Split"), "")) if name]
    sides = {f"{name} {k}": f"{name} {3 - k}" for name in splits for k in (1, 2)}
    return {path: sides.get(text, text) for path, text in entries.items()}


def nudged(entries, random):
    """Returns the entries with positions, velocities and loads changed by a few units in the last
    place."""
    entries = dict(entries)
    for path, value in entries.items():
        is_formula = path[0] in ("Boundary conditions", "Initial state") and path[-1].startswith(NUDGED_STEMS)
        if not value or not (path[-1] in NUDGED or is_formula):
            continue
        items = [value] if is_formula else listed(value)
        entries[path] = ", ".join(nudge(item, random) for item in items)
    return entries


def nudge(text, random):
    """Returns a number or formula times 1 + a few units in the last place."""
    factor = 1 + int(random.integers(-4, 5)) * UNIT
    return scaled(text, factor)


def nudged_nodes(nodes, random):
    """Returns nodes (n, 3) moved by a few units in the last place of the largest coordinate."""
    moved = nodes + random.integers(-2, 3, nodes.shape) * UNIT * np.abs(nodes).max()
    moved[:, np.ptp(nodes, axis=0) == 0] = nodes[:, np.ptp(nodes, axis=0) == 0]
    return moved
