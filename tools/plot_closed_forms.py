#!/usr/bin/env python3
"""Draw the tractions of hertz.prm and cattaneo.prm over their closed forms.

    plot_closed_forms.py HERTZ CATTANEO PICTURES

The first two are folders of results. Needs Matplotlib, and percussion_report (of the folder python of
a build) on PYTHONPATH.
"""
import sys
from pathlib import Path

import matplotlib
import numpy as np
from percussion_report.files import Vtu
from percussion_report.scene import read_parameters, read_series

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def last_contacts(folder, *names):
    """The contacts at the end of a run, by their undeformed place x: x, and the arrays of these
    names."""
    _, file = read_series(folder / "contacts.pvd")[-1]
    contacts = Vtu(file)
    x = contacts.array("Points", "Points")[:, 0]
    order = np.argsort(x)
    return [x[order]] + [contacts.array("PointData", name)[order] for name in names]


def ellipse(x, half_width):
    """Height of a semi-ellipse of height one."""
    return np.sqrt(np.maximum(0, 1 - (x / half_width) ** 2))


def save(figure, name):
    """Into the folder of pictures."""
    figure.tight_layout()
    figure.savefig(Path(sys.argv[3]) / f"{name}.png", dpi=110)


def hertz(folder):
    """Pressure under a cylinder."""
    place, pressure = last_contacts(folder, "pressure")
    figure, axes = plt.subplots(figsize=(6.4, 3.6))
    x = np.linspace(0, 6.2146, 400)
    axes.plot(x, 3585.4 * ellipse(x, 6.2146), "k-", lw=1, label="Hertz")
    axes.plot(place, pressure, "o", ms=4, label="nodes")
    axes.set(xlim=(0, 8), ylim=(0, None), xlabel="distance from the axis [mm]",
             ylabel="pressure [MPa]")
    axes.legend(frameon=False)
    save(figure, "hertz")


def cattaneo(folder):
    """Shear between two cylinders of which half of the contact slips."""
    place, pressure, area, percussion, statuses = last_contacts(
        folder, "pressure", "area", "percussion", "status")
    a, c, peak, friction = 0.6808, 0.7293 * 0.6808, 9.351, 0.2
    step = float(read_parameters(folder / "parameters.prm")["Time/Step"])
    shear = np.abs(percussion[:, 0]) / step / np.where(area > 0, area, 1)
    figure, axes = plt.subplots(figsize=(6.4, 4))
    x = np.linspace(-a, a, 801)
    axes.plot(x, friction * peak * ellipse(x, a), "-", color="0.6", lw=1,
              label="friction × pressure (Hertz)")
    axes.plot(place, friction * pressure, "o", ms=3, color="0.6")
    axes.plot(x, friction * peak * (ellipse(x, a) - c / a * ellipse(x, c)), "k-", lw=1,
              label="shear (Cattaneo)")
    for status, marker, label in ((1, "o", "nodes that stick"), (2, "s", "nodes that slip")):
        chosen = statuses == status
        axes.plot(place[chosen], shear[chosen], marker, ms=4, label=label)
    axes.set(xlim=(-0.85, 0.85), ylim=(0, None), xlabel="x [mm]", ylabel="traction [MPa]")
    figure.legend(frameon=False, ncol=2, loc="upper center", fontsize=9)
    figure.subplots_adjust(top=0.85)
    figure.savefig(Path(sys.argv[3]) / "cattaneo_shear.png", dpi=110)


for spine in ("top", "right"):
    plt.rcParams[f"axes.spines.{spine}"] = False
hertz(Path(sys.argv[1]))
cattaneo(Path(sys.argv[2]))
