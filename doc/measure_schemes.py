#!/usr/bin/env python3
"""Measure all schemes by bars with exact solutions, and write the page about it.

    measure_schemes.py PROGRAMS RESULTS PAGE

PROGRAMS is the folder with percussion and the Python package of its report (a build folder), RESULTS
one for the runs, PAGE the file to write (doc/schemes_measured.md). The bars are in examples/bars.
"""
import concurrent.futures
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
LEVELS = [20, 40, 80]  # elements
COURANT = 0.8          # way of a wave in a step / element: no multiple of what the impacts are at

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
    """Relative errors in the L2 norm over time (and the bar), but for impulse and energy."""
    from percussion_report.files import Run
    run = Run(folder)
    time, table = run.table["time"], run.table
    base = run.instant(0)
    points = base.vtu.array("Points", "Points")
    bottom = points[:, 1].min()
    column = np.isclose(points[:, 0], points[:, 0].min())
    x = points[column, 1] - bottom
    size = {"u": [], "v": []}
    wrong = {"u": [], "v": [], "end": []}
    for k in range(len(run.series)):
        t, vtu = run.series[k][0], run.instant(k).vtu
        for name, field, array in (("u", exact.u, "displacement"), ("v", exact.v, "velocity")):
            true = exact.at(field, t, x)
            found = vtu.array("PointData", array)[column, 1]
            wrong[name].append(l2(found - true))
            size[name].append(l2(true))
            if name == "u":
                wrong["end"].append(found[np.argmin(x)] - true[np.argmin(x)])
    ends = np.interp(time, exact.time, exact.impulse)
    force = np.diff(table["percussion_normal"]) / np.diff(time) / bar["width"]
    true_force = np.diff(ends) / np.diff(time)
    energy = table["total"] - table["work_external"]
    return {"end": l2(wrong["end"]) / l2(exact.u[:, 0]),
            "position": l2(wrong["u"]) / l2(size["u"]),
            "velocity": l2(wrong["v"]) / l2(size["v"]),
            "pressure": l2(force - true_force) / l2(true_force),
            "impulse": abs(table["percussion_normal"][-1] / bar["width"] / ends[-1] - 1),
            "energy at the end": abs(energy[-1] - energy[0]) / bar["energy"],
            "energy, largest": abs(energy - energy[0]).max() / bar["energy"]}


def run(program, name, scheme, n, folder):
    bar = BARS[name]
    h = COURANT * bar["length"] / n / bar["c"]
    steps = round(bar["end"] / h)
    out = folder / f"{name}-{scheme}-{n}"
    mesh = {"bouncing": "gap=5", "held": "length=1, width=0.1, gap=0",
            "wall": "length=0.2, width=0.02, gap=0.002"}[name]
    command = [program, HERE / "examples/bars" / f"{name}.prm", "--output", out, "--set",
               f"Mesh/Parameters={mesh}, elements={n}", "--set", f"Time/Scheme={scheme}", "--set",
               f"Time/Step={bar['end'] / steps!r}", "--set", "Output/Number of instants=60", "--set",
               f"Time/End={bar['end']!r}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{scheme}, {name}, {n}: {done.stderr}")
    return out


TITLES = {
    "bouncing": "A bar that bounces under its weight",
    "held": "A bar held at its top",
    "wall": "A bar on a wall"}


def page(table, schemes):
    lines = [
        "# Schemes, measured", "",
        "Written by `doc/measure_schemes.py`: all schemes on three bars with exact solutions "
        "([examples/bars](examples/bars)), with "
        + ", ".join(map(str, LEVELS)) + f" elements and steps in which a wave goes {COURANT} of one. "
        "Parameters have their defaults; restitution is 0 where a scheme has one. What to make of it: "
        "[choosing.md](choosing.md).", "",
        "Errors are relative, in the L2 norm over the time and, for position and velocity, the bar; "
        "`end` is the position of the end that touches, `impulse` that of the whole run, energies "
        "are without the work of gravity. The order is that of the last refinement of mesh and step "
        "together. All solutions have kinks and jumps, so that no scheme can be of second order, and "
        "velocities of discontinuous waves converge slowly in this norm.", ""]
    for name, title in TITLES.items():
        columns = list(next(iter(table[name].values()))[-1])
        lines += [f"## {title}", "", f"With {LEVELS[-1]} elements, in brackets the order.", "",
                  "| scheme | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
        for scheme in schemes:
            cells = []
            for column in columns:
                coarse, fine = (row[column] for row in table[name][scheme][-2:])
                order = f" ({np.log2(coarse / fine):.1f})" if fine > 1e-9 and coarse > 0 else ""
                cells.append(("0" if fine < 1e-9 else f"{fine:.2g}") + order)
            lines.append(f"| `{scheme}` | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def main(programs, results, file):
    sys.path.insert(0, str(Path(programs).resolve() / "python"))
    from percussion_report.compare import known_schemes
    program = Path(programs).resolve() / "percussion"
    schemes = known_schemes(str(program))
    folder = Path(results).resolve()
    table = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, bar in BARS.items():
            exact = Exact(bar)
            jobs = {(scheme, n): pool.submit(run, program, name, scheme, n, folder)
                    for scheme in schemes for n in LEVELS}
            table[name] = {scheme: [errors(jobs[scheme, n].result(), bar, exact) for n in LEVELS]
                           for scheme in schemes}
    Path(file).write_text(page(table, schemes), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
