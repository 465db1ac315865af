"""A block pressed into a table by 1 % and dragged over it, without friction, as slowly as 40 H/c an element.

Equilibrium does not depend on the way to it: before the block is dragged, and after one and ten
elements of the table, the force is that of a block pressed at this place from above, computed without
inertia and with the same discretisation of contact on the same meshes. A rigid block has rounded
ends, for its edges would cut into the elements. Poisson's ratio 0.3, a little viscosity for heavy
bodies. Answers are means over pauses.
"""
from .cells import Cell
from .meshes import evenly, write_lattice
from .problems import Table, contact, entry, material, mean, output, point, probe, section, time, vertical

ELEMENT, DEPTH, GAP = 0.2, 0.01, 1e-4
WAYS = (0, 1, 10)                                  # in elements of the table
PAUSES = ((0.5, 0.75), (1.25, 1.5), (6.0, 6.25))   # at these ways
STEP = {"short": 0.0125, "long": 0.05}
VISCOSITY = {"heavy": 0.05, "light": 0.0}
RUNNER = ((0.1, 0.0), (0.9, 0.0), (1.0, 0.03), (1.0, 0.5), (0.0, 0.5), (0.0, 0.03))


def references_of(cell):
    """The cells whose forces are taken for right: `step` holds the number of the way."""
    if cell.discretisation == "surface":
        return []
    return [Cell("slide", "moreau-jean-fremond", cell.discretisation, "consistent", cell.law, cell.dim, 1.0,
                 "light", f"reference {number}") for number in range(len(WAYS))]


def is_reference(cell):
    return cell.step.startswith("reference")


def place(cell):
    """Where the left end of the block is at the start."""
    return ELEMENT * WAYS[int(cell.step[-1])] if is_reference(cell) else 0.0


def names_of(cell):
    lower = ["lower"] if cell.discretisation != "surface" else []
    return (["upper"] if cell.law != "rigid" else []) + lower


def write_meshes(cell, folder):
    depths = evenly(0.0, 0.4, 2)
    for body in names_of(cell):
        if body == "upper":
            axes = [[x + place(cell) for x in evenly(0.0, 1.0, 6)], depths, evenly(0.0, 0.5, 3)]
        else:
            axes = [evenly(-0.6, 3.6, 21), depths, [z - GAP for z in evenly(-0.4, 0.0, 2)]]
        write_lattice(folder / f"{body}.msh", axes if cell.dim == 3 else axes[::2], simplices=body == "lower")


def smooth(begin, end, size):
    """A formula that grows from 0 to `size` between two times."""
    return f"{size!r}*if(t < {begin}, 0, if(t > {end}, 1, 0.5*(1 - cos(pi*(t - {begin})/{end - begin}))))"


def motions(cell):
    """Formulas of the displacement of the block's top along x and upwards."""
    down = smooth(0.0, PAUSES[0][0], -DEPTH - GAP)
    if is_reference(cell):
        return "0", f"{-DEPTH - GAP!r}*min(t, 1)"
    ways = [ELEMENT * (after - before) for before, after in zip(WAYS, WAYS[1:])]
    along = " + ".join(smooth(before[1], after[0], way)
                       for way, before, after in zip(ways, PAUSES, PAUSES[1:]))
    return along, down


def case(cell):
    up, names = vertical(cell), names_of(cell)
    prefix = (lambda body: body + ":") if len(names) > 1 else (lambda body: "")
    along, down = motions(cell)
    moved = [entry("Displacement x", along), entry(f"Displacement {up}", down)]
    parts = []
    if names:
        parts = [section("Mesh", entry("File", ", ".join(f"{b}.msh" for b in names))),
                 material(cell, 0.3, viscosity=0.0 if is_reference(cell) else VISCOSITY[cell.weight])]
    conditions = []
    if cell.dim == 3:
        conditions = [section(f"{prefix(b)}{side}", entry("Displacement y", 0))
                      for b in names for side in ("front", "back")]
        moved.append(entry("Displacement y", 0))
    if "lower" in names:
        conditions.append(section(f"{prefix('lower')}bottom", *(entry(f"Displacement {a}", 0)
                                                                for a in "xyz"[:cell.dim])))
    if cell.law == "rigid":
        shape = "polygon" if cell.dim == 2 else "polyhedron"
        vertices = [point(cell, x + place(cell), height, y) for y in ((0.0,) if cell.dim == 2 else (0.0, 0.4))
                    for x, height in RUNNER]
        turns = ["z"] if cell.dim == 2 else ["x", "y", "z"]
        held = [entry(f"Angular velocity {a}" if cell.dim == 3 else "Angular velocity", 0) for a in turns]
        parts.append(section("Rigid bodies", section(
            "punch", entry("Shape", shape), entry("Vertices", "; ".join(vertices)), entry("Mass", 1.0),
            *moved, *held)))
    else:
        conditions.append(section(f"{prefix('upper')}top", *moved))
    if conditions:
        parts.append(section("Boundary conditions", *conditions))
    parts += [contact(cell, f"{prefix('upper')}bottom", f"{prefix('lower')}top", "punch"),
              section("Probes", probe("joint", "force", contact="joint"))]
    if is_reference(cell):
        parts.append(section("Time", entry("Inertia", "none"), entry("Theta", 1), entry("End", 1), entry("Step", 0.1)))
    else:
        parts.append(time(cell, PAUSES[-1][1], STEP[cell.step]))
    return "\n\n".join(parts + [output()])


def errors(cell, folder, references):
    """Errors of the forces in the pauses, relative to those of a block that is pressed there."""
    if is_reference(cell):
        return {"force": 0.0}
    column = f"joint.force_{vertical(cell)}"
    probes = Table(folder / "probes.csv")
    found = []
    for begin, end in PAUSES:
        found.append(mean([f for t, f in zip(probes["time"], probes[column]) if begin + 0.4 * (end - begin) < t <= end]))
    right = [Table(reference / "probes.csv")[column][-1] for reference in references] or [found[0]] * len(WAYS)
    return {f"force after {way} elements": abs(f / r - 1) for way, f, r in zip(WAYS, found, right)}
