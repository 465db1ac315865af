"""The cells of the matrix of trust: factors, their levels, and the choice of a part of their product."""
import itertools
from typing import NamedTuple

SCHEMES = ("moreau-jean", "moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez",
           "signorini-midpoint", "equivalent-mass", "adapted-continuity", "penalty", "hauret",
           "newmark-signorini", "generalized-alpha", "paoli-schatzman", "augmented-lagrangian",
           "nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew")
MOST_USED = ("moreau-jean-fremond", "pdas-leapfrog")  # covered more densely
RECOMMENDED = SCHEMES[:4] + ("equivalent-mass",)
WITHOUT_THETA = ("newmark-signorini", "generalized-alpha", "paoli-schatzman")
DISCRETISATIONS = ("surface", "nodes", "nodes of both sides", "mortar")
INERTIAS = ("consistent", "redistributed")
LAWS = ("linear elastic", "neo-hooke", "rigid")
DIMENSIONS = (2, 3)
THETAS = (0.5, 1.0)
WEIGHTS = ("heavy", "light")
STEPS = ("short", "long")


class Cell(NamedTuple):
    """One cell: a problem and what it is computed with."""

    problem: str
    scheme: str
    discretisation: str
    inertia: str
    law: str
    dim: int
    theta: float
    weight: str
    step: str

    def name(self):
        return "-".join(str(value).replace(" ", "_") for value in self)

    def kind(self):
        """The factors that decide if the program accepts the cell."""
        return self[1:6]


def thetas(scheme):
    """Values of θ that a scheme takes."""
    return (0.5,) if scheme in WITHOUT_THETA else THETAS


def is_sensible(problem, discretisation, inertia, law):
    """False for cells without a known answer, and for entries without a meaning."""
    if law != "rigid":
        return True
    if problem == "spheres" or (problem in ("bars", "slide") and discretisation == "surface"):
        return False  # the impact of rigid bodies has no answer besides the law's
    return discretisation != "mortar" and not (discretisation == "surface" and
                                               inertia == "redistributed")


def product(problem, scheme):
    """All cells of a problem and scheme."""
    return [Cell(problem, scheme, discretisation, inertia, law, dim, theta, weight, step)
            for discretisation, inertia, law, dim, theta, weight, step in itertools.product(
                DISCRETISATIONS, INERTIAS, LAWS, DIMENSIONS, thetas(scheme), WEIGHTS, STEPS)
            if is_sensible(problem, discretisation, inertia, law)]


def covering(cells, strength, first=2):
    """Cells that hold each combination of `strength` levels, of the factors from `first` on, that any of the given
    cells holds.

    Greedy: the first of the cells with most combinations that are not held yet. The choice depends
    on nothing but the list."""
    def combinations(cell):
        return {(places, tuple(cell[p] for p in places))
                for places in itertools.combinations(range(first, len(cell)), strength)}

    held_by = [(cell, combinations(cell)) for cell in cells]
    missing = set().union(*(held for _, held in held_by)) if held_by else set()
    chosen = []
    while missing:
        cell, held = max(held_by, key=lambda row: len(row[1] & missing))
        chosen.append(cell)
        missing -= held
    return chosen
