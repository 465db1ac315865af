"""A sled that friction stops, and that stays: mu = 0.5, pressed by a traction on its top.

A block of 3 x 1 (x 1), Poisson's ratio 0.3, begins with the velocity v0 on a plane, or on a block
with a held base; so does a rigid one, whose ends do not dig in. The pressure grows as
p (1 - cos(pi t/T))/2 up to T = 40 H/c and stays. Heavy: p = E/10^4, v0 = c/100, so that the sled
stops after 5 T and its own length over three. Light: p = E/1000 and v0 = 4e-6 c: it stops within
T/14, while the load has a thousandth of its final size, and is held by a load that could stop it 10^4 times within T. Right are the way, and that the
sled rests in the last fifth of the time, at nodes of the joint, relative to what is below them.
"""
import math

from .meshes import evenly, write_lattice
from .problems import (DENSITY, E, Table, contact, entry, has_mesh, material, mean, output, point, probe,
                       rms, section, speed, time, vector, vertical)

MU, RAMP, GAP = 0.5, 40.0, 1e-9
PRESSURE = {"heavy": 1e-4, "light": 1e-3}  # over E
START = {"heavy": 0.01, "light": 4e-6}     # over c
END = {"heavy": 304.0, "light": 80.0}
STEP = {("heavy", "short"): 1.0, ("heavy", "long"): 4.0, ("light", "short"): 0.5, ("light", "long"): 2.0}
VISCOSITY = {"heavy": 0.05, "light": 0.0}  # over E H/c: without it friction excites vibrations
RUNNER = ((-1.5, 0.0), (1.5, 0.0), (1.7, 0.02), (1.7, 1.0), (-1.7, 1.0), (-1.7, 0.02))  # of a rigid sled
PLACES = (-0.5, 0.5)  # of probes: nodes of both meshes at the start


def names_of(cell):
    lower = ["lower"] if cell.discretisation != "surface" else []
    return (["upper"] if cell.law != "rigid" else []) + lower


def write_meshes(cell, folder):
    n = 9 if cell.dim == 2 else 6
    for body in names_of(cell):
        if body == "upper":
            axes = [evenly(-1.5, 1.5, n), evenly(0.0, 1.0, 2), evenly(0.0, 1.0, n // 3)]
        else:
            # Nodes under an edge of a rigid sled would be pushed aside as well as down.
            across = evenly(-0.3, 1.3, 4) if cell.law == "rigid" else evenly(-0.5, 1.5, 4)
            axes = [evenly(-2.5, 3.5, 2 * n), across, [v - GAP for v in evenly(-0.5, 0.0, 2)]]
        write_lattice(folder / f"{body}.msh", axes if cell.dim == 3 else axes[::2])


def case(cell):
    c, up, names = speed(cell), vertical(cell), names_of(cell)
    prefix = (lambda body: body + ":") if len(names) > 1 else (lambda body: "")
    load = f"{-PRESSURE[cell.weight] * E!r}*if(t < {RAMP / c!r}, 0.5*(1 - cos(pi*t/{RAMP / c!r})), 1)"
    v = START[cell.weight] * c
    parts, conditions = [], []
    if names:
        parts = [section("Mesh", entry("File", ", ".join(f"{b}.msh" for b in names))), material(cell, 0.3, viscosity=VISCOSITY[cell.weight])]
    if "lower" in names:
        conditions.append(section(f"{prefix('lower')}bottom", *(entry(f"Displacement {a}", 0)
                                                                for a in "xyz"[:cell.dim])))
    if cell.law == "rigid":
        shape = "polygon" if cell.dim == 2 else "polyhedron"
        vertices = [point(cell, x, height, y) for y in ((0.5,) if cell.dim == 2 else (0.0, 1.0))
                    for x, height in RUNNER]
        parts.append(section("Rigid bodies", section(
            "sled", entry("Shape", shape), entry("Vertices", "; ".join(vertices)),
            entry("Mass", repr(3 * DENSITY[cell.weight])), entry(f"Force {up}", "3*" + load),
            entry("Initial velocity", vector(cell, "x", v)))))
    else:
        conditions.append(section(f"{prefix('upper')}top", entry(f"Traction {up}", load)))
        parts.append(section("Initial state", entry("Velocity x", f"if({up} > {-GAP / 2!r}, {v!r}, 0)")))
    upper = "sled" if cell.law == "rigid" else "upper"
    probes = []
    for i, x in enumerate(PLACES):
        for body in [upper] + (["lower"] if "lower" in names else []):
            for kind in ("displacement", "velocity"):
                height = -GAP if body == "lower" else 0.0
                probes.append(probe(f"{kind}_{body}_{i}", kind, body=body,
                                    point=point(cell, x, height, 0.5)))
    if conditions:
        parts.append(section("Boundary conditions", *conditions))
    parts += [contact(cell, f"{prefix('upper')}bottom", f"{prefix('lower')}top", "sled", friction=MU),
              section("Probes", *probes),
              time(cell, END[cell.weight] / c, STEP[cell.weight, cell.step] / c), output()]
    return "\n\n".join(parts)


def stop(v, deceleration):
    """Time and way until v0 = ∫ a, with a = deceleration × the load's shape, in multiples of H/c."""
    t, way, n = 0.0, 0.0, 20000
    dt = END["heavy"] / n
    while v > 0:
        slower = deceleration * (0.5 * (1 - math.cos(math.pi * (t + dt / 2) / RAMP)) if t < RAMP else 1.0) * dt
        if slower > v:
            return t + dt * v / slower, way + v * dt * v / slower / 2
        way += (v - slower / 2) * dt
        v -= slower
        t += dt
    return t, way


def errors(cell, folder, _):
    """Way relative to that of a sled with the mean of the velocity up to the stop, or, where it is
    shorter, to that within T; velocity in the last fifth relative to the first. A node without inertia
    has the mean velocity of the step, with which only differences of displacements compare."""
    probes, c = Table(folder / "probes.csv"), speed(cell)
    upper = "sled" if cell.law == "rigid" else "upper"
    below = cell.discretisation != "surface"
    v0 = START[cell.weight]
    _, way = stop(v0, MU * PRESSURE[cell.weight])
    slid, drift, velocity = [], [], []
    begin = 0.8 * END[cell.weight] / c
    for i in range(len(PLACES)):
        def relative(kind, i=i):
            column = probes[f"{kind}_{upper}_{i}.{kind}_x"]
            return [a - b for a, b in zip(column, probes[f"{kind}_lower_{i}.{kind}_x"])] if below else column
        x = relative("displacement")
        times = probes["time"]
        if has_mesh(cell) and cell.inertia == "redistributed":  # velocities of its nodes are means
            speeds = [0.0] + [(x[k] - x[k - 1]) / (times[k] - times[k - 1]) for k in range(1, len(x))]
        else:
            speeds = relative("velocity")
        last = [k for k, t in enumerate(probes["time"]) if t >= begin]
        slid.append(mean([x[k] for k in last]))
        drift.append(abs(x[last[-1]] - x[last[0]]) / (0.2 * END[cell.weight] * v0))
        velocity.append(rms([speeds[k] for k in last]) / (v0 * c))
    return {"way": abs(mean(slid) - way) / max(way, v0 * RAMP), "creep": max(drift),
            "velocity": max(velocity)}
