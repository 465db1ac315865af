"""Two equal elastic spheres (discs in the plane) that collide, or one that hits a plane.

A quarter of a ball, or half of a disc, of radius 1 and Poisson's ratio 0.3 hits with v = c/100. The
impact takes 13/c, six transit times of a wave through the ball: nearly all energy is given back. By
symmetry two spheres that approach with 2 v do the same. The peak of the force, as a mean over an
eighth of the impact, is compared with the reference: the ball on the plane with the same mesh, the
scheme moreau-jean-fremond, the mass of the finite elements and a short step. The upper of two balls
has the mesh of the reference, the lower one another.
"""
import math

from .cells import Cell
from .meshes import growing, into_ball, write_lattice
from .problems import Table, contact, entry, material, output, probe, section, speed, time, transmitted, vertical

APPROACH, GAP, DURATION, END, POISSON = 0.01, 1e-3, 13.0, 18.0, 0.3
STEP = {"short": 0.125, "long": 0.2, "reference": 0.02}


def is_pair(cell):
    return cell.discretisation != "surface"


def references_of(cell):
    """The cell whose peak of the force is taken for right."""
    return [Cell("spheres", "moreau-jean-fremond", "surface", "consistent", cell.law, cell.dim, 0.5,
                 cell.weight, "reference")]


def write_meshes(cell, folder):
    radii, ratios = (5, 7), (1.5, 1.5)
    upper = [growing(radii[0], ratios[0])] * (cell.dim - 1) + [[v - 1 for v in growing(radii[1], ratios[1], 2)]]
    write_lattice(folder / "upper.msh", upper, shape=into_ball(1.0, centre(cell, 1 + GAP / 2)), rim=1)
    if is_pair(cell):
        across, height = growing(6, 1.35), growing(8, 1.4, 2)
        lower = [across] * (cell.dim - 1) + [[1 - v for v in reversed(height)]]
        write_lattice(folder / "lower.msh", lower, shape=into_ball(1.0, centre(cell, -1 - GAP / 2)), rim=1)


def centre(cell, height):
    return (0.0, height, 0.0) if cell.dim == 2 else (0.0, 0.0, height)


def case(cell):
    c, up = speed(cell), vertical(cell)
    names = ["upper"] + (["lower"] if is_pair(cell) else [])
    prefix = (lambda body: body + ":") if is_pair(cell) else (lambda body: "")
    planes = [section(f"{prefix(b)}left", entry("Displacement x", 0)) for b in names]
    if cell.dim == 3:
        planes += [section(f"{prefix(b)}front", entry("Displacement y", 0)) for b in names]
    v = APPROACH * c
    # The nodes of the finer ball are kept out of the other one.
    sides = ("lower:top", "upper:bottom") if is_pair(cell) else ("bottom",)
    parts = [section("Mesh", entry("File", ", ".join(f"{b}.msh" for b in names))), material(cell, POISSON),
             section("Boundary conditions", *planes),
             section("Initial state", entry(f"Velocity {up}", f"if({up} > 0, {-v!r}, {v!r})")),
             contact(cell, *sides),
             section("Probes", probe("joint", "percussion", contact="joint")),
             time(cell, END / c, STEP[cell.step] / c), output()]
    return "\n\n".join(parts)


def peak(cell, probes):
    """Largest mean of the force over an eighth of the impact."""
    window = DURATION / 8 / speed(cell)
    times = [t for t in probes["time"] if t + window <= probes["time"][-1]]
    return max(probes.at("impulse", t + window) - probes.at("impulse", t) for t in times) / window


def answers(cell, folder):
    """Peak of the force, impulse, energy at the start, energy that the contact and θ have taken."""
    energy, probes = Table(folder / "energy.csv"), Table(folder / "probes.csv")
    probes.columns["impulse"] = transmitted(probes, vertical(cell))
    return {"peak": peak(cell, probes), "impulse": probes["impulse"][-1], "start": energy["total"][0],
            "contact": energy["work_contact_normal"][-1] + energy["contact_potential"][-1],
            "numerical": energy["work_numerical"][-1]}


def errors(cell, folder, references):
    """Peak, approach that is given back, energy that the contact takes or gives. What a θ above 1/2
    takes is in the ledger: it lowers the velocity that is right, and the peak by half of it."""
    c, found = speed(cell), answers(cell, folder)
    mass = 2 * found["start"] / (APPROACH * c) ** 2 / (2 if is_pair(cell) else 1)
    left = math.sqrt(max(1 + found["numerical"] / found["start"], 0.0))
    right = answers(*references_of(cell), *references)
    given_back = right["impulse"] / (mass * APPROACH * c) - 1  # the rest is vibration
    return {"force": abs(found["peak"] / right["peak"] / (1 + left) * 2 - 1),
            "departure": abs(found["impulse"] / (mass * APPROACH * c) - 1 - given_back * left),
            "energy": abs(found["contact"]) / found["start"]}
