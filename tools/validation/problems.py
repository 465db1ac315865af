"""Problems with known answers: the case of each cell, and the errors of its run.

Units are mm, N, s and t, if any. A weight changes the density, and with it the speed c of a bar's
waves: lengths are kept, times are multiples of a length over c, velocities multiples of c, and forces
of E times an area. (The pressed block keeps its times; the sled has another load.)
"""
import csv
import math

E = 2000.0
DENSITY = {"heavy": 0.3, "light": 1e-9}


def speed(cell):
    return math.sqrt(E / DENSITY[cell.weight])


def vertical(cell):
    return "xyz"[cell.dim - 1]


def vector(cell, along, size):
    """Components of a vector of this size along an axis."""
    return ", ".join(repr(size if axis == along else 0.0) for axis in "xyz"[:cell.dim])


def point(cell, *xyz):
    """A point (x, height) in the plane, (x, y, height) in space with y = `depth`, the middle."""
    x, height, depth = xyz
    return f"{x!r}, {height!r}" if cell.dim == 2 else f"{x!r}, {depth!r}, {height!r}"


def section(name, *lines):
    return "\n".join([f"subsection {name}", *("  " + line for text in lines
                                              for line in text.split("\n") if line), "end"])


def entry(name, value):
    return f"set {name} = {value}"


def probe(name, kind, **entries):
    return section(name, entry("Kind", kind), *(entry(key.capitalize(), value)
                                                for key, value in entries.items()))


def material(cell, poisson, stiffness=None, viscosity=0.0):
    """Section Material; `stiffness` gives some bodies other factors of E and of the density, and
    `viscosity` is the time in which it relaxes, over 1/c."""
    density = DENSITY[cell.weight]
    law = "linear elastic" if cell.law == "rigid" else cell.law
    damping = []
    if viscosity:
        eta = viscosity * E / speed(cell)
        damping = [entry("Viscosity", repr(eta))] if law == "linear elastic" else \
            [entry("Viscosity law", "curnier"), entry("Viscosity", repr(eta / 4))]
    parts = [section(body, entry("Density", repr(density * factor)),
                     entry("Young modulus", repr(E * factor)))
             for body, factor in (stiffness or {}).items()]
    return section("Material", entry("Law", law), entry("Density", repr(density)),
                   entry("Young modulus", repr(E)), entry("Poisson ratio", repr(poisson)), *damping,
                   *parts)


def contact(cell, elastic, against=None, rigid=None, normal=None, friction=0.0):
    """Section Contact: a contact `joint` of the region `elastic` with the surface at the origin, with
    the region `against` or with the body `rigid`; of the rigid body with one of the two."""
    lines = [entry("Friction coefficient", repr(friction))] if friction else []
    along, sign = normal or (vertical(cell), 1.0)
    if cell.discretisation == "surface":
        lines += [entry("Region", elastic) if cell.law != "rigid" else entry("Bodies", rigid),
                  entry("Surface", "half-plane" if cell.dim == 2 else "half-space"),
                  entry("Point", vector(cell, along, 0.0)), entry("Normal", vector(cell, along, sign))]
    elif cell.law == "rigid" and cell.discretisation == "nodes":
        lines += [entry("Region", against), entry("Surface", "rigid bodies"), entry("Against", rigid)]
    else:
        lines += [entry("Region", elastic) if cell.law != "rigid" else entry("Bodies", rigid),
                  entry("Surface", "region"), entry("Against", against),
                  entry("Discretisation", cell.discretisation)]
    inertia = [entry("Node inertia", cell.inertia)] if has_mesh(cell) else []
    return section("Contact", *inertia, section("joint", *lines))


def has_mesh(cell):
    return not (cell.law == "rigid" and cell.discretisation == "surface")


def time(cell, end, step):
    theta = [] if cell.theta == 0.5 else [entry("Theta", cell.theta)]
    return section("Time", entry("Scheme", cell.scheme), entry("End", repr(end)),
                   entry("Step", repr(step)), *theta)


def output():
    return section("Output", entry("Number of instants", 0), entry("Seconds between checkpoints", 0))


class Table:
    """Columns of a table of a run, by name."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        self.names = rows[0]
        self.columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def __getitem__(self, name):
        return self.columns[name]

    def since(self, name, begin):
        """Values of a column at the times from `begin` on."""
        return [v for t, v in zip(self["time"], self[name]) if t >= begin * (1 - 1e-9)]

    def at(self, name, t):
        """The value at a time, linear between rows."""
        times, values = self["time"], self[name]
        for i in range(1, len(times)):
            if times[i] >= t or i == len(times) - 1:
                share = (t - times[i - 1]) / (times[i] - times[i - 1])
                return values[i - 1] + share * (values[i] - values[i - 1])
        raise ValueError(f"no time {t}")


def mean(values):
    return sum(values) / len(values)


def rms(values):
    return math.sqrt(mean([v * v for v in values]))


def transmitted(probes, axis):
    """Size of the impulse of the contact along an axis up to each row."""
    sums = [0.0]
    for value in probes[f"joint.percussion_{axis}"][1:]:
        sums.append(sums[-1] + value)
    return [abs(v) for v in sums]
