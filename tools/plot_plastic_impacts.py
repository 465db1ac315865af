#!/usr/bin/env python3
"""Draw the results of steel_ball.prm and hopkinson_bar.prm.

    plot_plastic_impacts.py BALL SWEEP BAR PICTURES

BALL and BAR are folders of results, SWEEP the folder of the sweep of steel_ball.md. Needs Matplotlib,
and the folder python of a build on PYTHONPATH.
"""
import csv
import sys
from pathlib import Path

import matplotlib
import numpy as np
import percussion

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

YIELD_STRESS, RADIUS, DENSITY = 100.0, 10.0, 7.85e-3  # N, mm, ms, g
CONTACT_MODULUS = 210000 / (2 * (1 - 0.3**2))


def save(figure, name):
    """Into the folder of pictures."""
    figure.tight_layout()
    figure.savefig(Path(sys.argv[4]) / f"{name}.png", dpi=110)


def johnson(speed):
    """Returns the restitution of the fully plastic impact."""
    energy = 2 / 3 * np.pi * RADIUS**3 * DENSITY * speed**2
    return 3.8 * np.sqrt(YIELD_STRESS / CONTACT_MODULUS) * (energy / (YIELD_STRESS * RADIUS**3)) ** (-1 / 8)


def indentation(folder):
    """Plastic strain under the ball, when it is deepest and at the end."""
    run = percussion.read(folder)
    dent = run.probes["dent.displacement_y"]
    times = (run.probes["time"][np.argmin(dent)], run.times[-1])
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    for axes, time in zip(panels, times):
        instant = run[time]
        triangles, cells = instant.cells.triangles()
        strain = np.nan_to_num(instant.equivalent_plastic_strain)[cells]
        shades = axes.tripcolor(*instant.positions.T, triangles, facecolors=strain, cmap="viridis",
                                vmin=0, vmax=0.12, edgecolors="w", lw=0.1)
        axes.set(xlim=(0, 2.4), ylim=(-1.6, 0.8), aspect="equal", xlabel="radius [mm]",
                 title=f"{1000 * instant.time:.0f} µs")
    panels[0].set_ylabel("y [mm]")
    figure.tight_layout()
    figure.colorbar(shades, ax=panels, label="equivalent plastic strain")
    figure.savefig(Path(sys.argv[4]) / "steel_ball.png", dpi=110)


def restitution(folder):
    """Restitution over speed, and Johnson's law."""
    with open(folder / "sweep.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    speed, e = (np.array([float(row[name]) for row in rows]) for name in ("v", "e"))
    figure, axes = plt.subplots(figsize=(6.4, 3.6))
    plastic = np.geomspace(0.05, 3, 50)
    axes.loglog(plastic, johnson(plastic), "k-", lw=1, label="Johnson, fully plastic")
    axes.loglog(speed, e, "o", ms=5, label="computed")
    axes.axvline(0.00042, color="0.7", lw=1)
    axes.text(0.00045, 0.3, "yield", color="0.5")
    axes.set(xlabel="speed [m/s]", ylabel="restitution e", ylim=(0.22, 1.1), xlim=(3e-4, 4))
    axes.set_yticks([0.3, 0.4, 0.6, 0.8, 1], ["0.3", "0.4", "0.6", "0.8", "1"])
    axes.minorticks_off()
    axes.legend(frameon=False)
    save(figure, "steel_ball_restitution")


def three_waves(run):
    """Returns times after the arrival at the specimen, stress and strain of it (as of
    hopkinson_bar.md)."""
    c = np.sqrt(210000 / DENSITY)
    time = 805.25 / c + np.arange(0, 0.1, 1e-4)

    def gauge(name, delay):
        return np.interp(time + delay / c, run.probes["time"], -run.probes[f"{name}.stress_yy"])

    incident, reflected, transmitted = gauge("incident", -400), gauge("incident", 400), gauge("transmitted", 200)
    strain = np.cumsum(incident - reflected - transmitted) * c / 210000 / 5 * 1e-4
    return time - time[0], 4 * transmitted, strain


def hopkinson(folder):
    """Signals of the gauges, and the law of the specimen."""
    run = percussion.read(folder)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6))
    for name in ("incident", "transmitted"):
        left.plot(1000 * run.probes["time"], run.probes[f"{name}.stress_yy"], lw=1, label=f"{name} bar")
    left.set(xlabel="time [µs]", ylabel="axial stress [MPa]", xlim=(0, 1000 * run.times[-1]))
    left.legend(frameon=False)
    _, stress, strain = three_waves(run)
    true_stress, log_strain = stress * (1 - strain), -np.log(1 - strain)
    law = np.linspace(0, 0.16, 50)
    right.plot(law + (200 + 500 * law) / 70000, 200 + 500 * law, "k-", lw=1, label="law of the specimen")
    right.plot(log_strain, true_stress, lw=1.2, label="from the waves")
    right.set(xlabel="logarithmic strain", ylabel="true stress [MPa]", xlim=(0, 0.165), ylim=(0, 320))
    right.legend(frameon=False)
    save(figure, "hopkinson_bar")


for spine in ("top", "right"):
    plt.rcParams[f"axes.spines.{spine}"] = False
indentation(sys.argv[1])
restitution(Path(sys.argv[2]))
hopkinson(sys.argv[3])
