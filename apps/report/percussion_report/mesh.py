"""The undeformed mesh of elastic bodies."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from .charts import WIDTH, subject, unit_label
from .style import COLOURS, Picture, Titles

MOST_CELLS = 20000  # cells whose edges can be told apart


def mesh(run):
    """Returns a picture of the cells and of the nodes that may touch something; None in 3D and for
    meshes whose cells would be too small."""
    if not run.has_elastic or run.dim == 3:
        return None
    bodies, contacts = run.bodies, run.contacts(0)
    cells = np.split(bodies.corners, bodies.ends[:-1])
    elastic = [bodies.points[c] for c, is_rigid in zip(cells, bodies.is_rigid) if not is_rigid]
    if len(elastic) > MOST_CELLS:
        return None
    corners = np.concatenate(elastic)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.03 * max(high - low)
    (left, bottom), (right, top) = low - margin, high + margin
    wide = WIDTH - 0.8
    tall = min(max(wide * (top - bottom) / (right - left), 0.6), 7.0)
    figure = Figure(figsize=(WIDTH, tall + 0.9), layout="constrained")
    axes = figure.subplots()
    size = wide * 72 / (right - left) * np.sqrt(np.prod(high - low) / len(elastic))  # points
    axes.add_collection(PolyCollection(
        elastic, facecolors="white", edgecolors="black", linewidths=np.clip(size / 30, 0.1, 0.6)))
    touching = contacts.points[contacts.body == 0]
    if len(touching):
        axes.plot(*touching.T, linestyle="none", marker="o", color=COLOURS[1],
                  markersize=np.clip(size / 4, 0.8, 3.5))
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal",
             xlabel=unit_label("x", run.units["length"]),
             ylabel=unit_label("y", run.units["length"]))
    axes.grid(False)
    if Titles.are_drawn:
        axes.set_title("Mesh" + subject([run]))
    nodes = len(np.unique(np.concatenate(
        [c for c, is_rigid in zip(cells, bodies.is_rigid) if not is_rigid])))
    return Picture("mesh", figure, f"The undeformed mesh: {len(elastic):,} cells, {nodes:,} nodes."
                   + (" Dots: contact points close to the opposite side at the start."
                      if len(touching) else ""), "bodies")
