"""The cells of the matrix of sliding: factors, their levels, and the combinations that have an answer."""
import csv
import random
from typing import NamedTuple

LEVELS = {
    # A slider with a flat or a round lower side, and the side below it: elastic, or the rigid `plane` and `cylinder`.
    "pair": ("flat-table", "flat-coarse_fine", "flat-fine_coarse", "round-table", "round-hill", "flat-plane",
             "round-cylinder"),
    # `depth` and `load` prescribe the way of the slider's upper side, and its depth or its pressure; a `free` slider
    # has a weight and an initial velocity.
    "drive": ("depth", "load", "free"),
    "inertia": ("full", "none"),
    "dim": (2, 3),
    "discretisation": ("mortar", "mortar of region", "nodes", "nodes of both sides", "quadrature points"),
    "region": ("slider", "table"),
    "first_name": ("slider", "table"),  # in the alphabetical order of the regions
    "frame": ("axes", "turned", "mirrored", "mm"),
    "law": ("linear elastic", "neo-hooke"),
    "scheme": ("moreau-jean-fremond", "moreau-jean", "pdas-leapfrog", "fremond-gonzalez", "signorini-midpoint",
               "equivalent-mass", "adapted-continuity", "penalty", "hauret", "newmark-signorini", "generalized-alpha",
               "paoli-schatzman", "augmented-lagrangian", "nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew"),
    "friction": ("0", "0.3"),
    "edges": ("equal", "shorter", "longer"),  # of the slider's lower side
    "stiffness": ("equal", "soft", "hard"),   # of the slider
    "element": ("quadrilaterals", "simplices", "quadratic"),
    "step": ("short", "long"),
}
SCHEMES = LEVELS["scheme"]
WITHOUT_INERTIA = ("moreau-jean-fremond", "moreau-jean", "pdas-leapfrog", "fremond-gonzalez", "signorini-midpoint",
                   "penalty")
WITH_SPRINGS = ("penalty", "hauret")
INTEGRATED = ("augmented-lagrangian", "nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew")
LINEAR = ("newmark-signorini", "generalized-alpha", "paoli-schatzman", *INTEGRATED[1:])
POINTS = LEVELS["discretisation"]


class Cell(NamedTuple):
    """One cell: two bodies, their motion, and the entries of their case."""

    pair: str
    drive: str
    inertia: str
    dim: int
    discretisation: str
    region: str
    first_name: str
    frame: str
    law: str
    scheme: str
    friction: str
    edges: str
    stiffness: str
    element: str
    step: str

    def name(self):
        """Returns the name of the cell's folder."""
        return "-".join(str(value).replace(" ", "_") for value in self)

    @property
    def is_on_surface(self):
        """True if the lower side is a rigid surface."""
        return self.pair in ("flat-plane", "round-cylinder")

    @property
    def is_round(self):
        """True if the slider's lower side is round."""
        return self.pair.startswith("round")


def discretisations(cell):
    """Returns the discretisations that the scheme of a cell accepts."""
    if cell.scheme in INTEGRATED:
        return POINTS[4:] if cell.is_on_surface else POINTS[:2]
    first = POINTS[2:3] if cell.is_on_surface else POINTS[:3] if cell.scheme == "equivalent-mass" else POINTS[:4]
    return (*first, *(POINTS[4:] if cell.scheme in WITH_SPRINGS else ()))


def is_sensible(cell):
    """True for cells that the program accepts, and whose entries mean something."""
    if cell.is_on_surface and (cell.region, cell.first_name, cell.stiffness) != ("slider", "slider", "equal"):
        return False
    if cell.drive != "depth" and cell.is_round:
        return False  # a round slider that is not guided rolls
    if cell.drive == "load" and cell.frame == "turned":
        return False  # the way is along an axis
    if cell.inertia == "none" and (cell.drive == "free" or cell.scheme not in WITHOUT_INERTIA):
        return False
    if cell.law != "linear elastic" and cell.scheme in LINEAR:
        return False
    if cell.element == "quadratic" and cell.scheme in INTEGRATED[1:]:
        return False
    return cell.discretisation in discretisations(cell)


def drawn_cells(n, seed=1):
    """Returns n different sensible cells, drawn with a fixed seed, few of them in 3D, which take ten times as long."""
    generator, cells = random.Random(seed), {}
    while len(cells) < n:
        cell = Cell(*(generator.choice(levels) for levels in LEVELS.values()))
        if cell.dim == 3 and generator.random() < 0.9:
            continue
        if is_sensible(cell):
            cells[cell] = None
    return list(cells)


def read_cells(file):
    """Returns the cells of a table with a column for each factor, and others."""
    with open(file, encoding="utf-8", newline="") as stream:
        return [Cell(**{**{factor: row[factor] for factor in LEVELS}, "dim": int(row["dim"])})
                for row in csv.DictReader(stream)]
