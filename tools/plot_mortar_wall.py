#!/usr/bin/env python3
"""Draw the energy by mechanism and the broken joints of mortar_wall.prm.

    plot_mortar_wall.py RESULTS PICTURES

RESULTS is the folder of a run. Needs Matplotlib, and percussion_report (of the folder python of a
build) on PYTHONPATH.
"""
import csv
import sys
from pathlib import Path

import matplotlib
import numpy as np
from percussion_report.files import Vtu
from percussion_report.scene import read_series

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def energies(folder):
    """The columns of energy.csv by their names."""
    with open(folder / "energy.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def draw_energy(axes, table):
    """Stack what the energy of the rock has become over time."""
    mechanisms = {"kinetic energy": table["kinetic"], "strain energy": table["strain"],
                  "stored in bonds": table["contact_potential"],
                  "fracture": -table["work_fracture"],
                  "friction": -table["work_contact_tangential"],
                  "impacts": -table["work_contact_normal"]}
    axes.stackplot(1e3 * table["time"], *mechanisms.values(), labels=mechanisms.keys())
    axes.set(xlabel="time [ms]", ylabel="energy [J]", xlim=(0, 1e3 * table["time"][-1]))
    axes.legend(loc="lower left", fontsize=8)


def draw_damage(axes, folder):
    """Mark the points of joints by their damage at the end, on the undeformed wall."""
    _, file = read_series(folder / "contacts.pvd")[-1]
    contacts = Vtu(file)
    place = contacts.array("Points", "Points")
    damage = contacts.array("PointData", "damage")
    points = axes.scatter(place[:, 0], place[:, 1], c=damage, cmap="inferno_r", vmin=0, vmax=1,
                          edgecolors="k")
    axes.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="damage")
    axes.figure.colorbar(points, ax=axes, shrink=0.6)


def main():
    results, pictures = Path(sys.argv[1]), Path(sys.argv[2])
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    draw_energy(left, energies(results))
    draw_damage(right, results)
    figure.tight_layout()
    figure.savefig(pictures / "mortar_wall.png", dpi=110)


if __name__ == "__main__":
    main()
