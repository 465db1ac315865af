"""Picture of 3D meshes from two opposite sides, with a colour and a name for each region of faces."""

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from . import labels
from .bodies import PALE, WIDTH, add_scale, axes_at
from .region_colours import cell_tints, colour_of, named_volumes, nearest
from .scene import camera, length
from .solids import Layer, front, picture

RESOLUTION = 190  # per inch
HEAD, FOOT = 0.12, 0.36  # bands above and below the panels, inches
FEWEST_PIXELS = 12  # of a region that has a name in a view


def keys(faces, width):
    """Returns rows of this width that are equal for the same face, whichever corner is the first; the last
    corner may be repeated."""
    faces = np.pad(faces, ((0, 0), (0, width - faces.shape[1])), "edge")
    return np.sort(np.where(faces == np.roll(faces, 1, axis=1), -1, faces), axis=1)


def region_of_faces(mesh, faces):
    """Returns for each face the index of its region of faces, the smallest one, or -1."""
    regions = [(i, region.faces) for i, region in enumerate(mesh.of_dimension(2)) if len(region.faces)]
    if not regions:
        return np.full(len(faces), -1)
    rows = np.concatenate([keys(group, faces.shape[1]) for group in (faces, *(group for _, group in regions))])
    owners = np.repeat([i for i, _ in regions], [len(group) for _, group in regions])
    _, inverse = np.unique(rows, axis=0, return_inverse=True)
    inverse = inverse.ravel()
    owner = np.full(inverse.max() + 1, -1)
    owner[inverse[len(faces):]] = owners  # of equal indices the last one stays
    return owner[inverse[:len(faces)]]


class View:
    """Direction from which a solid is seen, and the panel that shows it.

    axes: directions to the right, upwards and to the viewer, rows of a (3, 3) array; low: position of the
    lower left corner; scale: pixels of a length; size: pixels."""

    def __init__(self, mesh, axes, low, scale, size):
        self.mesh, self.axes, self.low, self.scale, self.size = mesh, axes, low, scale, size

    def in_pixels(self, points):
        return (points @ self.axes.T - [*self.low, 0]) * self.scale

    def layers(self, solids, region, order):
        """Yields the triangles in this order, each region with its colour."""
        corners, tints = self.mesh.points[solids.triangles], cell_tints(self.mesh)
        side = length(corners - np.roll(corners, -1, axis=1))[solids.meshed]
        edges = solids.meshed if side.mean() * self.scale > 0.025 * RESOLUTION else solids.outlines
        normals = solids.normals(self.mesh.points)
        for index in np.unique(region):
            piece = order[region[order] == index]
            layer = Layer(corners[piece], PALE, edges=edges[piece], normals=normals[piece])
            layer.colour = tints[solids.cell[piece]] if index < 0 else \
                np.tile(matplotlib.colors.to_rgb(colour_of(index)), (len(piece), 1))
            yield layer

    def draw(self, panel, solids, region):
        """Draws the surface into a panel; returns the names of the regions in sight. region: index of
        the region of each triangle."""
        order = np.argsort(region, kind="stable")
        image, _ = picture(self.layers(solids, region, order), self.in_pixels, self.axes, *self.size,
                           matplotlib.colormaps["viridis"])
        panel.imshow(image, extent=(0, self.size[0], 0, self.size[1]), origin="lower", aspect="auto",
                     interpolation="antialiased")
        corners = self.mesh.points[solids.triangles[order]]
        number, _, depth = front(self.in_pixels(corners), *self.size)
        triangle = np.where(number >= 0, order[number], -1)
        draw_triad(panel, self.axes, triangle.reshape(self.size[::-1]), 72 / RESOLUTION * self.size)
        return [*self.face_labels(triangle, solids, region), *self.point_labels(depth)]

    def face_labels(self, triangle, solids, region):
        """Yields the labels of the regions of faces and cells in sight. triangle: of each pixel, or -1."""
        index = np.where(triangle >= 0, region[triangle], -1)
        cell = np.where(triangle >= 0, solids.cell[triangle], -1)
        entries = [(r, colour_of(i), index == i) for i, r in enumerate(self.mesh.of_dimension(2))]
        entries += [(r, "0.5", np.isin(cell, r.cells) & (index < 0)) for r in named_volumes(self.mesh)]
        for entry, colour, is_seen in entries:
            pixels = np.flatnonzero(is_seen)
            if len(pixels) > FEWEST_PIXELS:
                spots = np.stack([pixels % self.size[0], pixels // self.size[0]], axis=1) + 0.5
                yield labels.Label(entry.name, 72 / RESOLUTION * innermost(spots), colour, np.zeros(2))

    def point_labels(self, depth):
        """Yields the labels of the regions of points in sight. depth: of each pixel."""
        n = len(self.mesh.of_dimension(2))
        for i, entry in enumerate(region for region in self.mesh.regions if len(region.points)):
            spots = self.in_pixels(self.mesh.points[entry.points])
            x, y = (np.clip(spots[:, d], 0, self.size[d] - 1).astype(int) for d in (0, 1))
            spots = spots[spots[:, 2] > depth[y * self.size[0] + x] - 0.02 * self.size[0], :2]
            if len(spots):
                yield labels.Label(entry.name, 72 / RESOLUTION * nearest(spots, spots.mean(axis=0)),
                                   colour_of(n + i), np.array([0.0, 1.0]))


def run_at(values, value):
    """Returns the consecutive numbers among these values that include this one."""
    values = np.sort(values)
    return next(run for run in np.split(values, np.flatnonzero(np.diff(values) > 1) + 1) if value in run)


def innermost(spots):
    """Returns the pixel (2) of a region (n, 2) where a name covers little else: in the middle of a long
    row, and far from the ends of its column."""
    best, found = -1.0, spots[0]
    heights = np.unique(spots[:, 1])
    for height in heights[::max(len(heights) // 40, 1)]:
        row = np.sort(spots[spots[:, 1] == height, 0])
        for run in np.split(row, np.flatnonzero(np.diff(row) > 1) + 1):
            middle = run[len(run) // 2]
            column = run_at(spots[spots[:, 0] == middle, 1], height)
            clearance = min(height - column[0], column[-1] - height) * 2 + 1
            quality = min(len(run), 3 * clearance) + 0.2 * clearance
            if quality > best:
                best, found = quality, np.array([middle, height])
    return found


def draw_triad(panel, axes, triangle, size):
    """Draws the directions of x, y and z into the emptiest corner of a panel of this size [points].
    triangle: index at each pixel (rows, columns), or -1."""
    reach, square = 18.0, int(58 * RESOLUTION / 72)
    corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    filled = [(triangle[::-1 if is_top else 1, ::-1 if is_right else 1][:square, :square] >= 0).sum()
              for is_right, is_top in corners]
    origin = np.where(corners[int(np.argmin(filled))], size - 28.0, 28.0)
    for d in np.argsort(axes[2]):  # the axis nearest to the viewer last
        tip = origin + reach * axes[:2, d]
        panel.annotate("", tip / size, origin / size, xycoords="axes fraction", zorder=7,
                       arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 0.9, "shrinkA": 0,
                                   "shrinkB": 0, "mutation_scale": 6})
        panel.text(*((origin + (reach + 6) * axes[:2, d]) / size), "xyz"[d], transform=panel.transAxes,
                   ha="center", va="center", fontsize=labels.FONT, zorder=7)


def solid_picture(mesh, angles=None):
    """Returns a figure of the surface, seen from a viewer and from the opposite side, and the names of
    the regions that neither of them sees. angles: of the viewer, degrees."""
    solids = mesh.surface()
    region = region_of_faces(mesh, solids.faces)[solids.face]
    first = camera({}, [mesh.points], None, angles)
    views = [first, first * np.array([[-1], [1], [-1]])]
    flat = [mesh.points @ axes[:2].T for axes in views]
    extent = max(np.ptp(flat[0], axis=0).max(), 1e-300)
    margins = extent * np.array([0.2, 0.28])
    wide, tall = np.max([np.ptp(positions, axis=0) for positions in flat], axis=0) + margins
    columns = 2 if wide < 1.1 * tall else 1
    rows = 2 // columns
    panel = np.array([(WIDTH - 0.2) / columns, 0])
    panel[1] = min(panel[0] * tall / wide, 4.2 * columns)
    scale = max(wide / panel[0], tall / panel[1])  # length of an inch
    figure = Figure(figsize=(WIDTH, rows * panel[1] + HEAD + FOOT))
    names_in_sight = set()
    for n, (axes, positions) in enumerate(zip(views, flat)):
        drawn = axes_at(figure, 0.1 + n % columns * panel[0], FOOT + (rows - 1 - n // columns) * panel[1],
                        *panel)
        drawn.axis("off")
        middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
        view = View(mesh, axes, middle - scale * panel / 2, RESOLUTION / scale,
                    (RESOLUTION * panel).astype(int))
        names = view.draw(drawn, solids, region)
        labels.draw(drawn, names, *(72 * panel))
        names_in_sight |= {label.name for label in names}
    add_scale(figure, scale, mesh.units["length"])
    drawable = [*mesh.of_dimension(2), *named_volumes(mesh), *(r for r in mesh.regions if len(r.points))]
    return figure, list(dict.fromkeys(r.name for r in drawable if r.name not in names_in_sight))
