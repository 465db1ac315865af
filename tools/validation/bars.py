"""Bars that collide end on: a known plateau of the force, and known velocities after it.

Bars of 10 x 1 (x 1), Poisson's ratio zero, E and rho of the right one four times those of the left:
the waves are equally fast, the impedances Z 1 and 4. They approach with V = c/10, or
c/500 if the law is not linear. For 2 L/c = 20 the
force is V Z1 Z2/(Z1 + Z2), then both depart without a strain, as an elastic impact of two points of
their masses has it. On a plane or a heavy rigid body the force is v Z1 with v = V/2, and the bar
departs with v. The right bar is of triangles or tetrahedra whose nodes are elsewhere.
"""
from .meshes import evenly, write_lattice
from .problems import DENSITY, Table, contact, entry, material, output, probe, section, speed, time, transmitted

LENGTH, GAP = 10.0, 2e-4
END = 28.0
STEP = {"short": 0.2, "long": 0.35}
RATIO = 4.0


def approach(cell):
    """V over c."""
    return 0.1 if cell.law == "linear elastic" else 2e-3


def has_two(cell):
    return cell.law != "rigid" and cell.discretisation != "surface"


def write_meshes(cell, folder):
    across, other = evenly(0.0, 1.0, 2), evenly(0.0, 1.0, 3)
    write_lattice(folder / "left.msh",
                  [evenly(-LENGTH - GAP / 2, -GAP / 2, 40)] + [across] * (cell.dim - 1))
    if has_two(cell):
        write_lattice(folder / "right.msh",
                      [evenly(GAP / 2, LENGTH + GAP / 2, 48)] + [other] * (cell.dim - 1), simplices=True)


def case(cell):
    c = speed(cell)
    names = ["left"] + (["right"] if has_two(cell) else [])
    prefix = "left:" if has_two(cell) else ""
    parts = [section("Mesh", entry("File", ", ".join(f"{name}.msh" for name in names))),
             material(cell, 0.0, {"right:body": RATIO} if has_two(cell) else None)]
    if cell.law == "rigid":
        shape = [entry("Width", 0.2), entry("Height", 1.4)] if cell.dim == 2 else \
            [entry("Shape", "box"), entry("Size", "0.2, 1.4, 1.4")]
        place = "0.1, 0.5" if cell.dim == 2 else "0.1, 0.5, 0.5"
        parts.append(section("Rigid bodies", section(
            "anvil", *shape, entry("Mass", repr(1e6 * LENGTH * DENSITY[cell.weight])), entry("Position", place))))
    v = approach(cell) / 2 * c
    parts.append(section("Initial state", entry("Velocity x", f"if(x < 0, {v!r}, {-v!r})")))
    # the right bar is the finer one: its nodes are kept out of the left
    finer, other = ("right:left", "left:right") if has_two(cell) else (f"{prefix}right", f"{prefix}right")
    parts.append(contact(cell, finer, other, "anvil", normal=("x", -1.0)))
    parts.append(section("Probes", probe("joint", "percussion", contact="joint")))
    return "\n\n".join(parts + [time(cell, END / c, STEP[cell.step] / c), output()])


def errors(cell, folder, _):
    """Force from 6 to 14 L/(10 c), approach that is given back, energy that the contact takes or gives."""
    c, energy, probes = speed(cell), Table(folder / "energy.csv"), Table(folder / "probes.csv")
    probes.columns["impulse"] = transmitted(probes, "x")
    z = DENSITY[cell.weight] * c
    closing, mass = approach(cell) / 2 * c, LENGTH * DENSITY[cell.weight]
    if has_two(cell):
        closing, mass, z = approach(cell) * c, mass * RATIO / (1 + RATIO), z * RATIO / (1 + RATIO)
    plateau = (probes.at("impulse", 14 / c) - probes.at("impulse", 6 / c)) / (8 / c)
    right = {"force": abs(plateau / (z * closing) - 1),
             "energy": abs(energy["work_contact_normal"][-1] + energy["contact_potential"][-1]) / (mass * closing ** 2 / 2)}
    if cell.theta == 0.5:
        right["departure"] = abs(probes["impulse"][-1] / (mass * closing) - 2)
    return right
