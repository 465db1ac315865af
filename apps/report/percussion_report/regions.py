"""Pictures of the meshes of a case: each region of faces in a colour of its own, with its name."""

import os

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from . import labels, page
from .bodies import WIDTH, axes_at
from .case_mesh import read_case_mesh
from .charts import unit_label
from .command_line import make_folder
from .images import write
from .region_colours import cell_tints, colour_of, named_volumes, nearest
from .rendering import render
from .scene import short, with_unit
from .solid_regions import solid_picture
from .style import Picture


def plane_picture(mesh):
    """Returns a figure of the cells, of the regions of edges and of the regions of points."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    margin = 0.14 * max(high - low)
    low, high = low - margin, high + margin
    wide = WIDTH - 0.75
    tall = min(wide * (high[1] - low[1]) / (high[0] - low[0]), 7.0)
    scale = min(wide / (high[0] - low[0]), tall / (high[1] - low[1]))
    wide = scale * (high[0] - low[0])
    figure = Figure(figsize=(WIDTH, tall + 0.7))
    axes = axes_at(figure, 0.65, 0.5, wide, tall)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal",
             xlabel=unit_label("x", mesh.units["length"]), ylabel=unit_label("y", mesh.units["length"]))
    axes.grid(False)
    bodies = mesh.bodies
    cells = [mesh.points[c] for c in np.split(bodies.corners, bodies.ends[:-1])]
    side = 72 * scale * np.sqrt(np.prod(high - low) / len(cells))  # points
    axes.add_collection(PolyCollection(cells, facecolors=cell_tints(mesh), edgecolors="0.35",
                                       linewidths=np.clip(side / 40, 0.05, 0.5)))
    names = []

    def name(region, colour, point, direction):
        names.append(labels.Label(region.name, 72 * scale * (point - low), colour, np.asarray(direction)))

    for region in named_volumes(mesh):
        inside = np.array([cells[k].mean(axis=0) for k in region.cells])
        name(region, "0.5", nearest(inside, inside.mean(axis=0)), (0.0, 0.0))
    for i, region in enumerate(mesh.of_dimension(1)):
        colour = colour_of(i)
        if len(region.faces):
            lines = mesh.points[region.faces]
            axes.add_collection(LineCollection(lines, colors=[colour], linewidths=2.6, zorder=4,
                                               capstyle="round"))
            name(region, colour, nearest(lines.mean(axis=1), region.centre), region.normal)
    for i, region in enumerate(r for r in mesh.regions if len(r.points)):
        points, colour = mesh.points[region.points], colour_of(i + len(mesh.of_dimension(1)))
        axes.plot(*points.T, linestyle="none", marker="o", markersize=4, color=colour, zorder=5)
        name(region, colour, nearest(points, points.mean(axis=0)), (0.0, 1.0))
    labels.draw(axes, names, 72 * wide, 72 * tall)
    return figure, []


# ---- Page ----------------------------------------------------------------------------------------


def size_words(mesh):
    """Returns the sizes of the box around the meshes and the range of the edges' lengths."""
    unit = mesh.units["length"]
    sizes = " × ".join(short(size, 4) for size in np.ptp(mesh.points, axis=0))
    return (f"{with_unit(sizes, unit)}; edges from "
            + " to ".join(with_unit(short(edge, 3), unit) for edge in mesh.edges()))


def count_words(mesh):
    """Returns the numbers of cells and points of each mesh."""
    return "; ".join(f"{name}: {cells:,} {shape}, {points:,} points"
                     for name, cells, shape, points in mesh.shapes)


def region_rows(mesh):
    """Returns the rows of the table of regions."""
    kinds = {0: "points", 1: "lines" if mesh.dim == 3 else "edges", 2: "faces" if mesh.dim == 3 else "cells",
             3: "cells"}

    def vector(values, digits, scale):
        """Returns components; those that are round-off of the scale are zero."""
        return ", ".join(short(0.0 if abs(v) < 1e-9 * scale else v, digits) for v in values)

    measures, extent = ("", "length", "area", "volume"), abs(mesh.points).max()
    return [{"region": region.name, "kind": f"{region.elements:,} {kinds[region.dimension]}",
             "size": f"{measures[region.dimension]} {short(region.measure, 5)}" if region.dimension else "",
             "centre": vector(region.centre, 4, extent), "mean normal": vector(region.normal, 3, 1)}
            for region in sorted(mesh.regions, key=lambda r: (-r.dimension, r.name))]


def mesh_picture(mesh, name, angles=None):
    """Returns the picture of the meshes of a case."""
    figure, unseen = plane_picture(mesh) if mesh.dim == 2 else solid_picture(mesh, angles)
    caption = f"Meshes and regions of {name}. {count_words(mesh)}. Size {size_words(mesh)}."
    if mesh.dim == 3:
        caption += " Seen from one side, and from the opposite side."
    if unseen:
        caption += " Not visible: " + ", ".join(f"'{region}'" for region in unseen) + "."
    return Picture("mesh", figure, caption, "bodies")


def report_mesh(options, program):
    """Draws the meshes of a case, and writes a page with the picture and the table of regions."""
    mesh = read_case_mesh(options.mesh, options.set, program)
    name = os.path.splitext(os.path.basename(options.mesh))[0]
    folder = make_folder(options.pictures or os.path.join("output", f"{name}-mesh"))
    drawn = mesh_picture(mesh, name, options.view)
    file = write(drawn, folder, options.format)
    facts = [("meshes", count_words(mesh)), ("size", size_words(mesh)),
             *(("warning", text) for text in mesh.warnings)]
    columns = ("region", "kind", "size", "centre", "mean normal")
    text = render("mesh.html", title=f"Mesh of {name}", drawn=page.figure(drawn, file), facts=facts,
                  columns=columns, regions=region_rows(mesh))
    html = os.path.join(folder, "index.html")
    with open(html, "w", encoding="utf-8") as stream:
        stream.write(text)
    for kind in (kind for kind in options.format if kind != "png"):
        print(os.path.join(folder, f"mesh.{kind}"))
    print(file)
    for name_, words in facts:
        print(f"{name_:8}{words}")
    print(html)
