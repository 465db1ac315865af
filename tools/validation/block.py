"""A block pressed slowly on a plane, on another block, or by a rigid punch: uniform stress -p.

The pressure grows as (1 - cos(pi t))/2 up to t = 1, twenty periods of a heavy block's first
vibration, and stays. Blocks of 1 x 1 (x 1), Poisson's ratio 0.3; two of them are of one material, so
that nothing but the normal stress passes the joint. The lower one is of triangles or tetrahedra whose
nodes are elsewhere. Answers are means over the last fifth of the time.
"""
from .meshes import evenly, write_lattice
from .problems import (E, contact, entry, has_mesh, material, mean, output, point, probe, section, time,
                       vertical, Table, DENSITY)

P = 2e-3 * E
END, RAMP = 1.5, "if(t < 1, 0.5*(1 - cos(pi*t)), 1)"
PLACES = (0.0, 0.3, 0.5, 0.8, 1.0)  # of probes on the ends of a block
STEP = {"short": 0.02, "long": 0.1}


def bodies(cell):
    """Names of the elastic bodies, the pressed one first."""
    if cell.law == "rigid":
        return ["lower"] if has_mesh(cell) else []
    return ["upper"] + (["lower"] if cell.discretisation != "surface" else [])


def write_meshes(cell, folder):
    n = {"upper": 5 if cell.dim == 2 else 4, "lower": 4 if cell.dim == 2 else 3}
    for body in bodies(cell):
        along = evenly(0.0, 1.0, n[body])
        height = along if body == "upper" else [v - 1.0 for v in along]
        write_lattice(folder / f"{body}.msh", [along] * (cell.dim - 1) + [height],
                      simplices=body == "lower")


def guides(cell):
    """Entries that keep the punch above the block: nothing else would, for it has no friction."""
    if cell.dim == 2:
        return [entry("Displacement x", 0)]
    return [entry("Displacement x", 0), entry("Displacement y", 0), entry("Angular velocity z", 0)]


def case(cell):
    up, names = vertical(cell), bodies(cell)
    prefix = (lambda body: body + ":") if len(names) > 1 else (lambda body: "")
    rollers = [section(f"{prefix(b)}left", entry("Displacement x", 0)) for b in names]
    if cell.dim == 3:
        rollers += [section(f"{prefix(b)}front", entry("Displacement y", 0)) for b in names]
    if "lower" in names:
        rollers.append(section(f"{prefix('lower')}bottom", entry(f"Displacement {up}", 0)))
    probes = [probe("joint", "force", contact="joint")]
    for body in names:
        middle = 0.5 if body == "upper" else -0.5
        probes += [probe(f"{body}_stress_{i}", "stress", point=point(cell, x, middle - 0.06, 0.28),
                         body=body) for i, x in enumerate((0.12, 0.55, 0.91))]
        probes += [probe(f"{body}_{end}_{i}", "displacement", body=body,
                         point=point(cell, x, middle + to_end, 1.0 - x))
                   for end, to_end in (("top", 0.5), ("bottom", -0.5)) for i, x in enumerate(PLACES)]
    parts = []
    if names:
        parts = [section("Mesh", entry("File", ", ".join(f"{b}.msh" for b in names))), material(cell, 0.3)]
    if cell.law == "rigid":
        shape = [entry("Width", 1.4), entry("Height", 0.2)] if cell.dim == 2 else \
            [entry("Shape", "box"), entry("Size", "1.4, 1.4, 0.2")]
        middle = 0.5 if names else 0.0
        parts.append(section("Rigid bodies", section(
            "punch", *shape, entry("Mass", repr(DENSITY[cell.weight])),
            entry("Position", point(cell, middle, 0.1, middle)), *guides(cell),
            entry(f"Force {up}", f"{-P!r}*{RAMP}"))))
        probes.append(probe("punch", "displacement", body="punch"))
    else:
        rollers.append(section(f"{prefix('upper')}top", entry(f"Traction {up}", f"{-P!r}*{RAMP}")))
    parts.append(section("Boundary conditions", *rollers))
    parts.append(contact(cell, f"{prefix('upper')}bottom", f"{prefix('lower')}top", "punch"))
    return "\n\n".join(parts + [section("Probes", *probes), time(cell, END, STEP[cell.step]), output()])


def errors(cell, folder, _):
    """Errors relative to the pressure, and to the displacement of a block's pressed side."""
    probes, up = Table(folder / "probes.csv"), vertical(cell)
    value = lambda name: mean(probes.since(name, 0.8 * END))
    shortening = P / E * (1 - 0.3 ** 2 if cell.dim == 2 else 1.0)
    right = {"force": abs(abs(value(f"joint.force_{up}")) / P - 1)}
    names = bodies(cell)
    for body in names:
        right[f"stress of {body}"] = max(abs(value(f"{body}_stress_{i}.stress_{up}{up}") / P + 1)
                                         for i in range(3))
        level = {"top": 1.0 if body == "upper" else 0.0, "bottom": 0.0 if body == "upper" else -1.0}
        base = -1.0 if "lower" in names else 0.0
        for end, height in level.items():
            exact = -shortening * (height - base)
            found = mean([value(f"{body}_{end}_{i}.displacement_{up}") for i in range(len(PLACES))])
            right[f"{end} of {body}"] = abs(found - exact) / shortening
    if cell.law == "rigid":
        exact = -shortening if names else 0.0
        right["punch"] = abs(value(f"punch.displacement_{up}") - exact) / shortening
    return right
