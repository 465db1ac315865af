#!/usr/bin/env python3
"""Draw the tractions of hertz.prm and cattaneo.prm over their closed forms.

    plot_closed_forms.py HERTZ CATTANEO PICTURES

The first two are folders of results. Needs Matplotlib and VTK (Debian: python3-matplotlib,
python3-vtk9).
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import matplotlib
import numpy as np
from vtk import vtkXMLUnstructuredGridReader
from vtk.util.numpy_support import vtk_to_numpy

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def last_contacts(folder):
    """The contacts at the end of a run, by their undeformed place: arrays by name."""
    files = ElementTree.parse(folder / "contacts.pvd").iter("DataSet")
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(folder / list(files)[-1].get("file")))
    reader.Update()
    grid, fields = reader.GetOutput(), reader.GetOutput().GetPointData()
    order = np.argsort(vtk_to_numpy(grid.GetPoints().GetData())[:, 0])
    arrays = {fields.GetArrayName(i): vtk_to_numpy(fields.GetArray(i))[order]
              for i in range(fields.GetNumberOfArrays())}
    return vtk_to_numpy(grid.GetPoints().GetData())[order, 0], arrays


def ellipse(x, half_width):
    """Height of a semi-ellipse of height one."""
    return np.sqrt(np.maximum(0, 1 - (x / half_width) ** 2))


def save(figure, name):
    """Into the folder of pictures."""
    figure.tight_layout()
    figure.savefig(Path(sys.argv[3]) / f"{name}.png", dpi=110)


def hertz(folder):
    """Pressure under a cylinder."""
    place, contacts = last_contacts(folder)
    figure, axes = plt.subplots(figsize=(6.4, 3.6))
    x = np.linspace(0, 6.2146, 400)
    axes.plot(x, 3585.4 * ellipse(x, 6.2146), "k-", lw=1, label="Hertz")
    axes.plot(place, contacts["pressure"], "o", ms=4, label="nodes")
    axes.set(xlim=(0, 8), ylim=(0, None), xlabel="distance from the axis [mm]",
             ylabel="pressure [MPa]")
    axes.legend(frameon=False)
    save(figure, "hertz")


def cattaneo(folder):
    """Shear between two cylinders of which half of the contact slips."""
    place, contacts = last_contacts(folder)
    a, c, peak, friction, step = 0.6808, 0.7293 * 0.6808, 9.351, 0.2, 1e-3
    area = np.where(contacts["area"] > 0, contacts["area"], 1)
    shear = -contacts["percussion"][:, 0] / step / area
    figure, axes = plt.subplots(figsize=(6.4, 4))
    x = np.linspace(-a, a, 801)
    axes.plot(x, friction * peak * ellipse(x, a), "-", color="0.6", lw=1,
              label="friction × pressure (Hertz)")
    axes.plot(place, friction * contacts["pressure"], "o", ms=3, color="0.6")
    axes.plot(x, friction * peak * (ellipse(x, a) - c / a * ellipse(x, c)), "k-", lw=1,
              label="shear (Cattaneo)")
    for status, marker, label in ((1, "o", "nodes that stick"), (2, "s", "nodes that slip")):
        chosen = contacts["status"] == status
        axes.plot(place[chosen], shear[chosen], marker, ms=4, label=label)
    axes.set(xlim=(-0.85, 0.85), ylim=(0, None), xlabel="x [mm]", ylabel="traction [MPa]")
    figure.legend(frameon=False, ncol=2, loc="upper center", fontsize=9)
    figure.subplots_adjust(top=0.85)
    figure.savefig(Path(sys.argv[3]) / "cattaneo_shear.png", dpi=110)


for spine in ("top", "right"):
    plt.rcParams[f"axes.spines.{spine}"] = False
hertz(Path(sys.argv[1]))
cattaneo(Path(sys.argv[2]))
