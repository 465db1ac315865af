"""Series in space: static problems with smooth solutions on meshes of half the size.

A block of side 1 stands on a smooth floor between smooth walls, and a traction or a displacement acts
on its top, as a cosine that continues evenly beyond the walls. So the solution, reflected in the walls,
is smooth up to the edges and corners with every isotropic law. Nodes are shifted by a smooth map, so
that cells have various shapes. In 3D the block is a slice, two cells deep, between two more walls: the
solution is the one in 2D, and cells are as long as deep on all meshes.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from invariance.parameters import written
from orders.verdict import Verdict, differences, verdict
from validation.meshes import evenly, write_lattice

BC = "Boundary conditions"
DISTORTION = 0.05
TOLERANCE = 0.25  # of an order in space: meshes are not fine enough for less


class Element(NamedTuple):
    """An element and the orders that it promises."""

    name: str
    dim: int
    simplices: bool
    entry: str         # value of Material/Element
    order: int         # of displacements; energies have the order 2 (order - 1)
    laws: tuple = ()   # all if empty


ELEMENTS = (
    Element("T3", 2, True, "standard", 2),
    Element("Q4", 2, False, "standard", 2),
    Element("T4", 3, True, "standard", 2),
    Element("H8", 3, False, "standard", 2),
    Element("Q4 incompatible modes", 2, False, "incompatible modes", 2, ("linear",)),
    Element("H8 incompatible modes", 3, False, "incompatible modes", 2, ("linear",)),
    Element("Q4 mean dilatation", 2, False, "mean dilatation", 2),
    Element("H8 mean dilatation", 3, False, "mean dilatation", 2),
    Element("T3 macro-cells", 2, True, "macro-cells", 2),
    Element("T4 macro-cells", 3, True, "macro-cells", 2),
    Element("T6", 2, True, "quadratic", 3),
    Element("Q9", 2, False, "quadratic", 3),
    Element("T10", 3, True, "quadratic", 3),
    Element("H27", 3, False, "quadratic", 3),
    Element("T6 mean dilatation", 2, True, "quadratic mean dilatation", 2),
    Element("Q9 mean dilatation", 2, False, "quadratic mean dilatation", 2),
    Element("T10 mean dilatation", 3, True, "quadratic mean dilatation", 2),
    Element("H27 mean dilatation", 3, False, "quadratic mean dilatation", 2),
)
LAWS = {
    "linear": {},
    "neo-hooke": {"Law": "neo-hooke"},
    "elastoplastic": {"Law": "elastoplastic", "Yield stress": 1e-3, "Hardening modulus": 1},
    "viscoelastic": {"Law": "viscoelastic", "Prony moduli": 0.3, "Prony times": 0.5},
}
LOADS = ("traction", "displacement")


class Series(NamedTuple):
    """Runs on meshes of half the size."""

    element: Element
    law: str
    load: str

    def name(self):
        """Returns the name of the folder of the series."""
        return f"{self.element.name}-{self.law}-{self.load}".replace(" ", "_")

    def promises(self):
        """Returns the promised orders of displacements and of energies."""
        return (self.element.order, 2 * (self.element.order - 1))

    def sizes(self):
        """Returns the numbers of cells along an edge."""
        if self.element.dim == 3 and self.element.entry in (
                "quadratic", "quadratic mean dilatation", "macro-cells"):
            return (8, 16, 32)
        return (8, 16, 32, 64)


def shifted(point, up):
    """Returns the position of a node of a regular lattice whose last axis is `up`; faces stay in
    place."""
    wave = DISTORTION * math.sin(math.pi * point[0]) * math.sin(math.pi * point[up])
    return [x + (wave if d == 0 else -wave if d == up else 0.0) for d, x in enumerate(point)]


def probe_points(dim, depth):
    """Returns points at thirds of the cells of a lattice of four cells along an edge: they have the
    same position, or its mirror image, in the cells of all finer lattices."""
    thirds = [(i + (1 if i % 2 else 2) / 3) / 4 for i in range(4)]
    return [shifted([x, z] if dim == 2 else [x, depth / 3, z], dim - 1)
            for x, z in itertools.product(thirds, repeat=2)]


def entries_of(series, depth):
    """Returns the entries of the case."""
    dim, up = series.element.dim, "xyz"[series.element.dim - 1]
    found = {("Mesh", "File"): "block.msh", ("Material", "Young modulus"): 1, ("Material", "Poisson ratio"): 0.3,
             ("Material", "Element"): series.element.entry, ("Time", "Inertia"): "none", ("Time", "Theta"): 1,
             ("Time", "Step"): 1, ("Time", "End"): 1, ("Output", "Number of instants"): 0,
             ("Solver", "Linear systems"): "direct"}
    found.update({("Material", name): value for name, value in LAWS[series.law].items()})
    if series.law != "linear":
        found.update({("Solver", "Newton tolerance"): 1e-11, ("Time", "Max cuts"): 0})
    for side, axis in (("left", "x"), ("right", "x"), ("front", "y"), ("back", "y"), ("bottom", up)):
        if dim == 3 or axis == "x" or side == "bottom":
            found[(BC, side, f"Displacement {axis}")] = 0
    if series.load == "traction":
        found[(BC, "top", f"Traction {up}")] = "t*(-0.03 + 0.01*cos(pi*x))"
    else:
        found[(BC, "top", f"Displacement {up}")] = "t*(-0.03 + 0.01*cos(pi*x))"
    for i, point in enumerate(probe_points(dim, depth)):
        found[("Probes", f"p{i}", "Kind")] = "displacement"
        found[("Probes", f"p{i}", "Point")] = ", ".join(repr(x) for x in point)
    return found


def solution(percussion, series, folder, n):
    """Returns the displacements of the probes and the strain energy per depth on a mesh of n cells by
    edge."""
    dim, depth = series.element.dim, 2 / n
    axes = [evenly(0.0, 1.0, n), evenly(0.0, depth, 2), evenly(0.0, 1.0, n)]
    write_lattice(folder / "block.msh", axes if dim == 3 else axes[::2], series.element.simplices,
                  lambda point: shifted(point, dim - 1))
    (folder / "case.prm").write_text(written(entries_of(series, depth)), encoding="utf-8")
    run = percussion.Case(str(folder / "case.prm")).run(write=False)
    strain = run.step().strain
    names = [f"p{i}.displacement_{x}" for i in range(len(probe_points(dim, depth))) for x in "xyz"[:dim:dim - 1]]
    return np.array([run.probes[name] for name in names]), np.array([strain / depth if dim == 3 else strain])


def measure(percussion, series, folder):
    """Returns the verdicts on displacements and energies of a series."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        found = [solution(percussion, series, folder, n) for n in series.sizes()]
    except (percussion.InputError, percussion.RunError) as error:
        return [Verdict([], False, str(error))] * 2
    return [verdict(differences([values[i] for values in found]), promised, TOLERANCE)
            for i, promised in enumerate(series.promises())]


def all_series():
    """Returns all series. Displacements of a side would turn cells of large deformation inside out in
    one step."""
    return [Series(element, law, load) for element in ELEMENTS for law in element.laws or LAWS
            for load in (LOADS if law == "linear" else LOADS[:1])]


QUICK = tuple(series for series in all_series()
              if (series.element.name, series.law, series.load) in {
                  ("Q4", "neo-hooke", "traction"), ("Q9", "linear", "displacement"),
                  ("T6 mean dilatation", "linear", "traction"), ("H8", "linear", "traction")})
