"""Series in time: bodies, supports, loads and starts, and the runs of a series.

Everything is dimensionless: a block of 1 × 0.5 with the modulus 1 and the density 1 in 4 × 2
quadrilaterals, which a wave crosses in about 1. Its highest angular frequency is about 23, with springs
in its contacts about 35: with 64 steps the shortest period has about twelve. In 3D a block of 1 × 0.5 × 0.5
lies within a table whose facets are smaller: they cover those of the block, which carry the multipliers,
completely.
"""

import itertools
from typing import NamedTuple

from validation.cells import SCHEMES, WITHOUT_THETA
from validation.meshes import evenly, write_lattice

END = 1.0
N_STEPS = {2: (64, 128, 256, 512), 1: (256, 512, 1024, 2048)}  # by the promised order
N_STEPS_ON_SPRINGS = (128, 256, 512, 1024)

BC, LINKS, CONTACT, INITIAL = "Boundary conditions", "Links", "Contact", "Initial state"


NITSCHE = [scheme for scheme in SCHEMES if scheme.startswith("nitsche")]
WITH_TANGENTIAL_SPRINGS = ["penalty", *NITSCHE]
WITH_MASSLESS_NODES = "equivalent-mass"      # refused without contacts
WITH_MULTIPLIERS = "augmented-lagrangian"    # finds no preload in which contacts slip


class Series(NamedTuple):
    """Runs with N_STEPS steps until END."""

    scheme: str
    law: str = "linear"
    support: str = "held"
    load: str = "gravity"
    start: str = "rest"  # "rest", "preload", or the scheme of the run that the second half continues
    theta: float = 0.5

    def name(self):
        """Returns the name of the folder of the series."""
        return "-".join(str(word).replace(" ", "_") for word in self)

    def n_steps(self):
        """Returns the numbers of steps of the runs."""
        on_springs = touches(self) and self.scheme in ("hauret", *WITH_TANGENTIAL_SPRINGS)
        return N_STEPS_ON_SPRINGS if on_springs and self.promised() == 2 else N_STEPS[self.promised()]

    def promised(self):
        """Returns the order that the scheme promises: 2 at θ = 1/2, else 1; 1 for plastic flow and for
        springs of friction that stick, both of which have their force at the end of the step."""
        sticks_on_springs = self.support == "rough ground" and self.scheme in WITH_TANGENTIAL_SPRINGS
        return 1 if self.theta != 0.5 or self.law == "elastoplastic" or sticks_on_springs else 2


    def promises(self):
        """Returns the promised orders of positions and of velocities."""
        return (self.promised(), self.promised())


LAWS = {
    "linear": {},
    "damped": {"Rayleigh alpha": 0.2, "Rayleigh beta": 0.02},
    "viscous": {"Viscosity": 0.02},
    "neo-hooke": {"Law": "neo-hooke"},
    "viscous rubber": {"Law": "neo-hooke", "Viscosity law": "curnier", "Viscosity": 0.005},
    "viscoelastic": {"Law": "viscoelastic", "Prony moduli": 0.3, "Prony times": 0.2},
    "elastoplastic": {"Law": "elastoplastic", "Yield stress": 1e-4, "Hardening modulus": 0.3},
}
NONLINEAR = ("neo-hooke", "viscous rubber", "viscoelastic", "elastoplastic")


def spring(end, x, y, damping=0.0):
    """Returns the entries of a spring from a region to a fixed point."""
    name = f"{end} {x}"
    return {(LINKS, name, "Type"): "spring", (LINKS, name, "Second"): end,
            (LINKS, name, "First point"): f"{x}, {y}", (LINKS, name, "Stiffness"): 2,
            (LINKS, name, "Damping"): damping}


def touches(series):
    """True if the body has a contact, which must stay closed."""
    return "ground" in series.support or series.support.startswith("table")


def ground(region="bottom", **entries):
    """Returns the entries of a contact with the ground."""
    return {(CONTACT, "ground", "Region"): region, (CONTACT, "ground", "Surface"): "half-plane",
            **{(CONTACT, "ground", name): value for name, value in entries.items()}}


TABLE = {("Mesh", "File"): "block.msh, table.msh", (BC, "block:left", "Displacement x"): 0,
         (BC, "table:bottom", "Fixed"): "true", (CONTACT, "table", "Region"): "block:bottom",
         (CONTACT, "table", "Surface"): "region", (CONTACT, "table", "Against"): "table:top"}
TABLE_IN_3D = {**TABLE, ("Mesh", "File"): "3D/block.msh, 3D/table.msh", (BC, "block:front", "Displacement y"): 0}
SLIDING = {(BC, "block:left", "Displacement x"): "-0.02*(1 - cos(3*t))"}
ROLLER = {(BC, "left", "Displacement x"): 0}
SUPPORTS = {
    "free": {},
    "held": {(BC, "left", "Fixed"): "true"},
    "driven": {},  # by the load
    "springs": {**spring("left", -1, 0.25, 0.1), **spring("left", 0, -1), **spring("right", 1, 2)},
    "ground": {**ROLLER, **ground()},
    "rough ground": ground(**{"Friction coefficient": 2}),
    "sliding ground": {**ground(**{"Friction coefficient": 0.3}), (INITIAL, "Velocity x"): 1},
    "table": TABLE,
    "table, sliding": {**TABLE, **SLIDING},
    "table in 3D, sliding": {**TABLE_IN_3D, **SLIDING},
    "table, nodes": {**TABLE, (CONTACT, "table", "Discretisation"): "nodes"},
}
RIGID_SUPPORTS = {
    "free": {},
    "rigid springs": {**spring("box", -2, 0.5, 0.1), (LINKS, "box -2", "Second point"): "-0.5, 0.25",
                      **spring("box", 1, 2), (LINKS, "box 1", "Second point"): "0.5, 0.25"},
    "pin": {(LINKS, "pin", "Type"): "pin", (LINKS, "pin", "First"): "box", (LINKS, "pin", "First point"): "0.5, 0.5"},
    "rigid ground": {(CONTACT, "ground", "Bodies"): "box", (CONTACT, "ground", "Point"): "0, -0.25",
                     (CONTACT, "ground", "Friction coefficient"): 0.3,
                     ("Rigid bodies", "box", "Initial velocity"): "1, 0"},
    "ball joint": {("Joints", "ball", "Kind"): "ball", ("Joints", "ball", "Bodies"): "box",
                   ("Joints", "ball", "Point"): "0.5, 0.3, 0.2"},
}
RIGID = {
    "rigid": {"Width": 1, "Height": 0.5, "Mass": 1},
    "rigid in 3D": {"Shape": "box", "Size": "1, 0.6, 0.3", "Mass": 1, "Initial angular velocity": "1, 2, 3"},
}
WEIGHT = "0, -0.1"
# A load "preload" is that of the static preload, which changes from then on.
LOADS = {
    "gravity": {(BC, "Gravity"): WEIGHT},
    "gravity in t": {(BC, "Gravity"): "0, -0.1 - 0.06*sin(3*t)"},
    "large gravity in t": {(BC, "Gravity"): "0, -0.3 - 0.1*sin(3*t)"},
    "large gravity in t, 3D": {(BC, "Gravity"): "0, 0, -0.3 - 0.1*sin(3*t)"},
    "velocity": {(INITIAL, "Velocity y"): "0.1*sin(pi*x/2)"},
    "traction": {(BC, "right", "Traction y"): "0.01*sin(3*t)",
                 (BC, "right", "Traction x"): "0.02*sin(2*t)^2"},
    "traction at the start": {(BC, "right", "Traction y"): "0.01*cos(3*t)"},
    "motion": {(BC, "left", "Displacement y"): "0.05*(1 - cos(4*t))",
               (BC, "left", "Displacement x"): "0.02*sin(3*t)^2"},
    "velocity of a side": {(BC, "left", "Velocity y"): "0.2*sin(4*t)", (BC, "left", "Displacement x"): 0},
    "pressure": {(BC, "top", "Pressure"): "0.05*sin(3*t)"},
    "shear": {(BC, "Gravity"): WEIGHT, (BC, "top", "Traction x"): "0.005*sin(3*t)",
              (BC, "top", "Traction y"): "-0.02*sin(2*t)^2"},
    "weight": {(BC, "Gravity"): "0, -3"},
    "weight and push": {(BC, "Gravity"): "0, -3", ("Rigid bodies", "box", "Force x"): "0.3*sin(3*t)"},
    "weight in 3D": {(BC, "Gravity"): "0, 0, -3"},
}


def rigid_entries_of(series):
    """Returns the entries of a case of a rigid body."""
    return {**{("Rigid bodies", "box", name): value for name, value in RIGID[series.law].items()},
            ("Time", "Scheme"): series.scheme, ("Time", "End"): END, ("Solver", "Tolerance"): 1e-12,
            ("Output", "Number of instants"): 0, **RIGID_SUPPORTS[series.support], **LOADS[series.load]}


def entries_of(series):
    """Returns the entries of the case."""
    if series.law in RIGID:
        return rigid_entries_of(series)
    found = {("Mesh", "File"): "block.msh", ("Material", "Density"): 1, ("Material", "Young modulus"): 1,
             ("Material", "Poisson ratio"): 0.3, ("Time", "Scheme"): series.scheme, ("Time", "End"): END,
             ("Solver", "Tolerance"): 1e-12, ("Output", "Number of instants"): 0}
    found.update({("Material", name): value for name, value in LAWS[series.law].items()})
    if series.law in NONLINEAR:
        found[("Solver", "Newton tolerance")] = 1e-11
    if series.theta != 0.5:
        found[("Time", "Theta")] = series.theta
    found.update(SUPPORTS[series.support])
    if series.support == "rough ground" and series.scheme in WITH_TANGENTIAL_SPRINGS:
        found[(CONTACT, "ground", "Penalty stiffness")] = 10  # the default hides the error in the others
    prefix = "block:" if series.support.startswith("table") else ""
    for path, value in LOADS[series.load].items():
        found[path if len(path) == 2 else (path[0], prefix + path[1], path[2])] = value
    if series.start == "preload":
        found[(INITIAL, "Static preload")] = "true"
        if (BC, "Gravity") in found:
            found[(INITIAL, "Preload gravity")] = "true"
        if series.load == "traction at the start":
            found[(INITIAL, "Preload tractions")] = "true"
    return found


def write_meshes(folder):
    """Writes the meshes of all series."""
    write_lattice(folder / "block.msh", [evenly(0.0, 1.0, 4), evenly(0.0, 0.5, 2)])
    write_lattice(folder / "table.msh", [evenly(-0.25, 1.25, 5), evenly(-0.5, 0.0, 2)])
    (folder / "3D").mkdir(exist_ok=True)
    write_lattice(folder / "3D" / "block.msh", [evenly(0.0, 1.0, 3), evenly(0.0, 0.5, 2), evenly(0.0, 0.5, 1)])
    write_lattice(folder / "3D" / "table.msh", [evenly(-0.25, 1.25, 7), evenly(-0.1, 0.6, 3), evenly(-0.5, 0.0, 1)])


def product(schemes, **choices):
    """Returns the series of all combinations of choices."""
    return [Series(scheme, **dict(zip(choices, values)))
            for scheme in schemes for values in itertools.product(*choices.values())]


HALF_STEPS = "paoli-schatzman"
RULE = [scheme for scheme in SCHEMES if scheme not in WITHOUT_THETA]
FEW = ["moreau-jean-fremond", "pdas-leapfrog"]


def free(schemes):
    """Returns the schemes that run without contacts."""
    return [scheme for scheme in schemes if scheme != WITH_MASSLESS_NODES]


def linear_series():
    """Returns the series of the block with the linear law. Friction that begins at the start moves
    nodes without inertia at once: equivalent-mass has no order on the sliding ground. On a table normals
    turn: schemes with forces at another time than the middle of the step, where normals are, are of
    order one there."""
    return [
        *product(free(SCHEMES), load=("gravity", "velocity", "traction")),
        *product(free(SCHEMES), support=("driven",), load=("motion", "velocity of a side")),
        *product(free(SCHEMES), support=("free",), load=("velocity", "traction")),
        *product(free(RULE), support=("springs",), load=("velocity", "traction")),
        *product(free(SCHEMES), load=("gravity in t", "traction at the start"), start=("preload",)),
        *product(SCHEMES, support=("ground", "rough ground"), load=("shear",), start=("preload",)),
        *product([s for s in free(SCHEMES) if s != WITH_MULTIPLIERS], support=("sliding ground",), load=("shear",),
                 start=("preload",)),
        *product(SCHEMES, support=("ground",), load=("gravity in t",), start=("preload",)),
        *product([s for s in RULE if s not in (WITH_MASSLESS_NODES, WITH_MULTIPLIERS)], support=("table",),
                 load=("gravity in t",), start=("preload",)),
        *product([s for s in RULE if s not in (WITH_MASSLESS_NODES, WITH_MULTIPLIERS)], support=("table, sliding",),
                 load=("large gravity in t",), start=("preload",)),
        *product([s for s in RULE if s not in (WITH_MASSLESS_NODES, WITH_MULTIPLIERS)],
                 support=("table in 3D, sliding",), load=("large gravity in t, 3D",), start=("preload",)),
        *product([s for s in RULE if s not in NITSCHE], support=("table, nodes",), load=("gravity in t",),
                 start=("preload",)),
        *product(free(SCHEMES), law=("damped", "viscous"), load=("traction",)),
        *product(free(RULE), load=("gravity", "traction"), theta=(1.0,)),
        *product(free(RULE), support=("driven",), load=("motion",), theta=(1.0,)),
        *product(RULE, support=("ground",), load=("shear",), start=("preload",), theta=(1.0,)),
    ]


def nonlinear_series():
    """Returns the series of the block with the other laws."""
    rule = [scheme for scheme in RULE if scheme not in NITSCHE]
    return [
        *product(free(rule), law=("neo-hooke",), load=("gravity", "pressure")),
        *product(free(rule), law=("neo-hooke",), support=("driven",), load=("motion",)),
        *product(rule, law=("neo-hooke",), support=("ground",), load=("shear",), start=("preload",)),
        *product(FEW, law=("neo-hooke",), support=("rough ground", "table, nodes"), load=("shear",),
                 start=("preload",)),
        *product(FEW, law=NONLINEAR, load=("velocity", "traction")),
        *product(FEW, law=("neo-hooke", "viscous rubber"), load=("traction", "pressure"), theta=(1.0,)),
        *product(FEW, law=("neo-hooke",), support=("springs",), load=("traction",)),
    ]


def continued_series():
    """Returns the series whose second half continues another run: of the same scheme, of
    paoli-schatzman, whose velocities are half a step old, and of schemes with an acceleration. The
    depths of springs are no contact of another scheme."""
    pairs = [(scheme, scheme) for scheme in SCHEMES]
    pairs += [(scheme, other) for scheme in SCHEMES for other in WITHOUT_THETA if scheme != other]
    pairs += [(HALF_STEPS, other) for other in RULE]
    held = [Series(scheme, load="traction", start=start) for scheme, start in pairs
            if WITH_MASSLESS_NODES not in (scheme, start)]
    other_contacts = {"hauret", *WITH_TANGENTIAL_SPRINGS, WITH_MASSLESS_NODES}
    return held + [Series(scheme, support="ground", load="shear", start=start) for scheme, start in pairs
                   if scheme == start or not {scheme, start} & other_contacts]


def rigid_series():
    """Returns the series of rigid bodies."""
    schemes = [scheme for scheme in free(SCHEMES) if scheme not in NITSCHE]
    with_links = [scheme for scheme in schemes if scheme in RULE]
    return [
        *product(with_links, law=("rigid",), support=("rigid springs", "pin"), load=("weight",)),
        *product([s for s in schemes if s not in ("penalty", "hauret")], law=("rigid",),
                 support=("rigid ground",), load=("weight and push",)),  # it falls on springs
        *product(schemes, law=("rigid in 3D",), support=("free",), load=("weight in 3D",)),
        *product(with_links, law=("rigid in 3D",), support=("ball joint",), load=("weight in 3D",)),
        *product(with_links, law=("rigid",), support=("pin",), load=("weight",), start=("moreau-jean",)),
    ]


QUICK = (
    Series("moreau-jean-fremond", load="gravity"), Series("pdas-leapfrog", law="neo-hooke", load="pressure"),
    Series("moreau-jean", theta=1.0), Series(HALF_STEPS, law="viscous", load="traction"),
    Series("newmark-signorini", support="ground", load="shear", start=HALF_STEPS),
    Series("fremond-gonzalez", support="sliding ground", load="shear", start="preload"),
    Series("generalized-alpha", support="driven", load="motion"),
    Series("moreau-jean-fremond", law="neo-hooke", support="driven", load="motion"),
    Series("moreau-jean-fremond", support="table", load="gravity in t", start="preload"),
    Series("pdas-leapfrog", support="table, sliding", load="large gravity in t", start="preload"),
    Series("pdas-leapfrog", support="table in 3D, sliding", load="large gravity in t, 3D", start="preload"),
)


def all_series():
    """Returns all series."""
    return [*linear_series(), *nonlinear_series(), *continued_series(), *rigid_series()]
