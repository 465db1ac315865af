"""Errors and orders of all schemes on bars with exact solutions (doc/examples/bars).

GetFEM's part runs its interface/tests/python/demo_dynamic_contact_1D.py by the system's Python with GetFEM's
interface (python3-getfem of Debian).
"""
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from .markdown import table_in_markdown

EXAMPLES = Path(__file__).resolve().parents[2] / "doc/examples/bars"
LEVELS = [20, 40, 80]  # elements
COURANT = 0.8          # way of a wave in a step / element: no multiple of what the impacts are at
SMALLEST = 1e-9        # errors below are round-off

# c, L, gap, density, velocity and strain at the start, gravity, whether the top is held, width, end
BARS = {
    "bouncing": dict(c=30.0, length=10.0, gap=5.0, rho=1.0, velocity=0.0, strain=0.0, g=-10.0,
                     held=False, width=1.0, end=16 / 3, energy=500.0),
    "held": dict(c=1.0, length=1.0, gap=0.5, rho=1.0, velocity=0.0, strain=-0.5, g=0.0, held=True,
                 width=0.1, end=6.0, energy=0.0125),
    "wall": dict(c=5000.0, length=0.2, gap=0.002, rho=8000.0, velocity=-100.0, strain=0.0, g=0.0,
                 held=False, width=0.02, end=140e-6, energy=160e3)}


class Exact:
    """The bar by its Riemann invariants v + σ/(ρ c), which go down, and v − σ/(ρ c), which go up: on
    a grid whose waves go one interval a step they are exact."""

    def __init__(self, bar, n=600):
        self.bar = bar
        c, length, z = bar["c"], bar["length"], bar["rho"] * bar["c"]
        self.dt = length / c / n
        steps = int(np.ceil(bar["end"] / self.dt)) + 1
        stress = bar["rho"] * c * c * bar["strain"]
        down = np.full(n + 1, bar["velocity"] + stress / z)
        up = np.full(n + 1, bar["velocity"] - stress / z)
        self.x = np.linspace(0, length, n + 1)
        u = bar["strain"] * (self.x - length) if bar["held"] else np.zeros(n + 1)
        lift = 0.0 if bar["held"] else bar["gap"]
        self.u, self.v, self.pressure = [u], [0.5 * (down + up)], [0.0]
        closed = False
        for _ in range(steps):
            kick = bar["g"] * self.dt
            down[:-1], up[1:] = down[1:] + kick, up[:-1] + kick
            down[-1] = -up[-1] if bar["held"] else up[-1]
            bottom = lift + u[0] + 0.5 * self.dt * (self.v[-1][0] + down[0])
            closed = down[0] < 0 and (closed or bottom <= 1e-9 * length)
            up[0] = -down[0] if closed else down[0]
            v = 0.5 * (down + up)
            u = u + 0.5 * self.dt * (v + self.v[-1])
            self.u.append(u)
            self.v.append(v)
            self.pressure.append(-z * down[0] if closed else 0.0)
        self.u, self.v = np.array(self.u), np.array(self.v)
        self.time = self.dt * np.arange(len(self.u))
        self.impulse = np.concatenate([[0], np.cumsum(
            0.5 * self.dt * (np.array(self.pressure)[1:] + np.array(self.pressure)[:-1]))])

    def at(self, field, time, x):
        k = min(int(time / self.dt), len(field) - 2)
        share = time / self.dt - k
        return np.interp(x, self.x, (1 - share) * field[k] + share * field[k + 1])


def l2(values):
    return float(np.sqrt(np.mean(np.square(values))))


def errors(folder, bar, exact):
    """Returns relative errors: in the L2 norm over time, of the velocity over the bar, too, except impulse and energy."""
    from percussion_report.files import Run
    run = Run(folder)
    time, table = run.table["time"], run.table
    base = run.instant(0)
    points = base.vtu.array("Points", "Points")
    bottom = points[:, 1].min()
    column = np.isclose(points[:, 0], points[:, 0].min())
    x = points[column, 1] - bottom
    size, wrong = [], {"v": [], "end": []}
    end = np.argmin(x)
    for k in range(len(run.series)):
        t, vtu = run.series[k][0], run.instant(k).vtu
        true = exact.at(exact.v, t, x)
        wrong["v"].append(l2(vtu.array("PointData", "velocity")[column, 1] - true))
        size.append(l2(true))
        wrong["end"].append(vtu.array("PointData", "displacement")[column, 1][end] - exact.at(exact.u, t, x)[end])
    ends = np.interp(time, exact.time, exact.impulse)
    force = np.diff(table["percussion_normal"]) / np.diff(time) / bar["width"]
    true_force = np.diff(ends) / np.diff(time)
    energy = table["total"] - table["work_external"]
    return {"end": l2(wrong["end"]) / l2(exact.u[:, 0]),
            "velocity": l2(wrong["v"]) / l2(size),
            "pressure": l2(force - true_force) / l2(true_force),
            "impulse": abs(table["percussion_normal"][-1] / bar["width"] / ends[-1] - 1),
            "energy": abs(energy[-1] - energy[0]) / bar["energy"]}


def run(program, name, scheme, n, folder, courant=COURANT, instants=60):
    bar = BARS[name]
    h = courant * bar["length"] / n / bar["c"]
    steps = round(bar["end"] / h)
    out = folder / f"{name}-{scheme}-{n}-{courant}"
    if (out / "summary.json").exists() and '"completed"' in (out / "summary.json").read_text():
        return out
    mesh = {"bouncing": "gap=5", "held": "length=1, width=0.1, gap=0",
            "wall": "length=0.2, width=0.02, gap=0.002"}[name]
    command = [program, EXAMPLES / f"{name}.prm", "--output", out, "--set",
               f"Mesh/Parameters={mesh}, elements={n}", "--set", f"Time/Scheme={scheme}", "--set",
               f"Time/Step={bar['end'] / steps!r}", "--set",
               f"Output/Number of instants={instants or steps}", "--set",
               f"Time/End={bar['end']!r}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{scheme}, {name}, {n}: {done.stderr}")
    return out


def order(values):
    """Slope of the line through the errors of all levels, in logarithms."""
    if min(values) < SMALLEST:
        return None
    return -float(np.polyfit(np.log(LEVELS[-len(values):]), np.log(values), 1)[0])


def number(value):
    return "0" if value < SMALLEST else f"{value:.2g}"


def table_of_errors(rows):
    """Returns the errors on the finest mesh, in brackets their orders. Schemes with the same rows share one."""
    columns = list(next(iter(rows.values()))[-1])
    names = {}
    for scheme, of_levels in rows.items():
        cells = []
        for column in columns:
            values = [row[column] for row in of_levels]
            slope = order(values)
            cells.append(number(values[-1]) + (f" ({slope:.1f})" if slope is not None else ""))
        names.setdefault(tuple(cells), []).append(f"`{scheme}`")
    return table_in_markdown(["scheme", *columns], [[", ".join(schemes), *cells] for cells, schemes in names.items()])


# Beside GetFEM: its bar of 20 elements over two periods, its norms.
ELEMENTS, SHORT = 20, 0.4
NORMS = ["u, L2", "u, H1", "v, L2", "pressure, L2"]  # in space, and over the time
MASSES = ["consistent mass", "redistributed mass", "singular mass"]
VARIANTS = {
    **{f"Signorini, Newmark β = ¼, {mass}": f"version=0;beta=0.25;mass_matrix_type={i}"
       for i, mass in enumerate(MASSES)},
    **{f"Signorini, explicit, {mass}": f"version=0;beta=0.;mass_matrix_type={i}"
       for i, mass in enumerate(MASSES) if i > 0},
    "Paoli and Schatzman, β = ¼": "version=1;beta=0.25", "Paoli and Schatzman, explicit": "version=1;beta=0.",
    "penalty, β = ¼": "version=2;beta=0.25",
    **{f"Nitsche, θ = {theta}, β = ¼": f"version=3;beta=0.25;theta_N={theta}." for theta in (1, 0, -1)},
    "Taylor and Flanagan, explicit": "version=4;beta=0."}
# Debian's GetFEM 5.4.2 crashes in its interface to SuperLU.
START = """
import sys, runpy
import numpy as np, getfem as gf
gf.linsolve_superlu = lambda M, B: (np.linalg.solve(M.full(), B).reshape(-1, 1),)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def norms_by_getfem(demo, variant):
    bar = BARS["held"]
    step = SHORT * bar["length"] / ELEMENTS / bar["c"]
    command = ["/usr/bin/python3", "-W", "ignore", "-c", START, str(demo), f"NX={ELEMENTS}", f"dt={step!r}",
               f"T={bar['end']!r}", "do_final_plot=False", variant]
    out = subprocess.run(command, capture_output=True, text=True, check=True,
                         env={**os.environ, "MPLBACKEND": "Agg"}).stdout
    return [float(value) for value in re.findall(r"norm of the error on .*: +(\S+)", out)][3:]  # without the maxima


def held_bar(time, x):
    """Displacement and velocity of GetFEM's bar, by d'Alembert."""
    phase, t = int(time % 3), time % 1
    behind = x > 1 - t if phase != 1 else None
    if phase == 0:
        return np.where(x >= t, 0.5 - 0.5 * x, 0.5 - 0.5 * t), np.where(x >= t, 0., -0.5)
    if phase == 1:
        return (np.where(x <= np.minimum(t, 1 - t), -0.5 * x,
                         np.where((x > t) & (x <= 1 - t), -0.5 * t,
                                  np.where((x > 1 - t) & (x > t), 0.5 * x - 0.5, 0.5 * t - 0.5))),
                np.where((x > t) & (x <= 1 - t), -0.5, np.where((x <= t) & (x > 1 - t), 0.5, 0.)))
    return np.where(behind, 0.5 - 0.5 * x, 0.5 * t), np.where(behind, 0., 0.5)


def norms_of(folder, bar):
    """GetFEM's norms: of functions on the mesh that have the errors in the nodes."""
    from percussion_report.files import Run
    run = Run(folder)
    points = run.instant(0).vtu.array("Points", "Points")
    column = np.flatnonzero(np.isclose(points[:, 0], points[:, 0].min()))
    column = column[np.argsort(points[column, 1])]
    x = points[column, 1] - points[column[0], 1]
    dx = np.diff(x)

    def l2_of(f):
        return np.sqrt(np.sum(dx / 3 * (f[1:] ** 2 + f[1:] * f[:-1] + f[:-1] ** 2)))

    def h1_of(f):
        return np.hypot(l2_of(f), np.sqrt(np.sum(np.diff(f) ** 2 / dx)))

    rows = []
    for k, (time, *_) in enumerate(run.series):
        vtu = run.instant(k).vtu
        true = held_bar(time, x)
        found = [vtu.array("PointData", name)[column, 1] for name in ("displacement", "velocity")]
        wrong = [f - e for f, e in zip(found, true)]
        rows.append([measure(f) for fields in (wrong, true)
                     for measure, f in ((l2_of, fields[0]), (h1_of, fields[0]), (l2_of, fields[1]))])
    rows = np.array(rows)
    mean = np.sqrt((rows ** 2).sum(axis=0))
    time = run.table["time"]
    pressure = np.diff(run.table["percussion_normal"]) / np.diff(time) / bar["width"]
    middle = 0.5 * (time[1:] + time[:-1])
    exact = np.where((middle % 3 > 1) & (middle % 3 < 2), 0.5, 0.)
    return [*mean[:3] / mean[3:], l2(pressure - exact) / l2(exact)]


def known_schemes(program):
    """Returns the names of the schemes of the program, from the Python package of its report."""
    sys.path.insert(0, str(program.parent / "python"))
    from percussion_report.compare import known_schemes as names
    return names(str(program))


def table_of_getfem(program, folder, arguments):
    """Returns the norms of the errors of this program and of GetFEM. The smallest of each column is bold."""
    demo = arguments.getfem.resolve()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        ours = {scheme: pool.submit(run, program, "held", scheme, ELEMENTS, folder, SHORT, 0)
                for scheme in known_schemes(program)}
        theirs = {name: pool.submit(norms_by_getfem, demo, variant) for name, variant in VARIANTS.items()}
        table = {f"`{name}`": norms_of(job.result(), BARS["held"]) for name, job in ours.items()}
        table.update({f"GetFEM: {name}": job.result() for name, job in theirs.items()})
    best = np.min(list(table.values()), axis=0)
    names = {}
    for name, norms in table.items():
        cells = tuple(f"**{value:.3f}**" if value <= least * (1 + 1e-9) else f"{value:.3f}"
                      for value, least in zip(norms, best))
        names.setdefault(cells, []).append(name)
    return table_in_markdown(["scheme", *NORMS], [[", ".join(schemes), *cells] for cells, schemes in names.items()])


def worst_bars(bars):
    """Returns for each scheme the errors of all levels, of each column on the bar with the largest error on the finest
    mesh."""
    worst = {}
    for scheme in next(iter(bars.values())):
        of_bars = [rows[scheme] for rows in bars.values()]
        columns = {column: max(of_bars, key=lambda rows, name=column: rows[-1][name]) for column in of_bars[0][-1]}
        worst[scheme] = [{column: rows[level][column] for column, rows in columns.items()}
                         for level in range(len(LEVELS))]
    return worst


def measure(program, folder, arguments):
    """Returns the table of the bars."""
    schemes, bars = known_schemes(program), {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, bar in BARS.items():
            exact = Exact(bar)
            jobs = {(scheme, n): pool.submit(run, program, name, scheme, n, folder)
                    for scheme in schemes for n in LEVELS}
            bars[name] = {scheme: [errors(jobs[scheme, n].result(), bar, exact) for n in LEVELS]
                          for scheme in schemes}
    return {"schemes-bars": table_of_errors(worst_bars(bars))}
