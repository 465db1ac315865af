"""Colours of the regions of meshes, and the points at which their names stand."""

import matplotlib
import numpy as np

from .bodies import PALE
from .scene import length
from .style import COLOURS

TINTS = [PALE, (0.97, 0.87, 0.72), (0.80, 0.91, 0.78), (0.91, 0.82, 0.92), (0.95, 0.94, 0.72), (0.86,) * 3]


def colour_of(index):
    """Returns the colour of a region of faces or points; after the first six, hues far from the previous
    ones."""
    bright = [colour for colour in COLOURS if colour != "black"]
    if index < len(bright):
        return bright[index]
    hue, rank = (0.15 + 0.618034 * index) % 1, index % 3
    return matplotlib.colors.to_hex(matplotlib.colors.hsv_to_rgb((hue, 0.55 + 0.2 * rank, 0.95 - 0.2 * rank)))


def named_volumes(mesh):
    """Returns the regions of cells if there are several: a single one needs no name in the picture."""
    volumes = mesh.of_dimension(mesh.dim)
    return volumes if len(volumes) > 1 else []


def cell_tints(mesh):
    """Returns the colour of each cell (n, 3): of several regions of cells each has one."""
    tints = np.tile(PALE, (len(mesh.types), 1))
    for i, region in enumerate(named_volumes(mesh)):
        tints[region.cells] = TINTS[i % len(TINTS)]
    return tints


def nearest(points, middle):
    return points[np.argmin(length(points - np.asarray(middle)))]
