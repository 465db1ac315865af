"""Meshes of sliders and of the bodies below them, in the frame of a cell."""
import numpy as np

from invariance import frames
from validation.meshes import evenly, write_lattice

EDGE = 0.2       # of the table, where it is not finer
HEIGHT = 0.5     # of the slider, whose length is 1
THICKNESS = 0.4  # of the table, and in 3D of the slider across its way
GAP = 1e-6       # between slider and table at the start
SLOPE = 0.2      # of the way in 3D across x
TOP_OF_HILL = 1.5
CURVATURE = {"slider": 0.5, "hill": 1 / 6}
CELLS = {"equal": (5, 2, 3), "shorter": (8, 3, 4), "longer": (3, 1, 2)}  # along, across and up the slider
LEFT_END = -0.6
FACTORS = {"soft": 0.1, "hard": 10.0, "equal": 1.0}  # of the slider's Young modulus


def frame_of(cell):
    """Returns the frame of a cell; lengths and forces of `mm` are in mm and N."""
    if cell.frame == "turned":
        return frames.turned(cell.dim, 30.0)
    if cell.frame == "mirrored":
        return frames.mirrored(cell.dim)
    frame = frames.axes(cell.dim)
    if cell.frame == "mm":
        frame.mass, frame.length = 1e-3, 1e3
    return frame


def bodies_of(cell):
    """Returns the names of the meshes of slider and table; the regions' names begin with them."""
    return ("a", "b") if cell.first_name == "slider" else ("b", "a")


def drop(distance):
    """Returns the formula by which a round slider is lower than on top of a hill, at a distance of its way."""
    own, other = CURVATURE["slider"] / 2, CURVATURE["hill"] / 2
    return f"{own * other / (own + other)!r}*(({distance}) - {TOP_OF_HILL - 0.5})^2"


def axes_of_table(cell):
    """Returns the coordinates of the table's nodes along each axis."""
    seam, end = (2.8, 5.6) if cell.drive == "free" else (1.6, 3.6)
    sizes = {"coarse_fine": (EDGE, EDGE / 2), "fine_coarse": (EDGE / 2, EDGE)}.get(cell.pair[5:], (EDGE, EDGE))
    along = [evenly(begin, last, round((last - begin) / size))
             for begin, last, size in ((LEFT_END, seam, sizes[0]), (seam, end, sizes[1]))]
    across = [evenly(-0.2, 1.0, 4)] if cell.dim == 3 else []
    return [along[0] + along[1][1:], *across, evenly(-THICKNESS, 0.0, 2)]


def write_meshes(cell, folder, shift):
    """Writes the mesh of the slider, shifted along its way, and of the table."""
    frame, (slider, table) = frame_of(cell), bodies_of(cell)
    simplices = cell.element == "simplices"

    def placed(shape):
        def place(point):
            own = np.array(point[:cell.dim])
            return [*map(float, frame.points(own + shape(own[0], own[-1]))), 0.0][:3]
        return place

    def shift_slider(x, up):
        rise = CURVATURE["slider"] / 2 * (x - 0.5) ** 2 * (1 - up / HEIGHT) if cell.is_round else 0.0
        return [shift, *[SLOPE * shift] * (cell.dim - 2), GAP + rise]

    def bend_table(x, up):
        sinks = CURVATURE["hill"] / 2 * (x - TOP_OF_HILL) ** 2 * (1 + up / THICKNESS) if "hill" in cell.pair else 0.0
        return [0.0] * (cell.dim - 1) + [-sinks]

    along, across, up = CELLS[cell.edges]
    up = up if cell.dim == 2 else min(up, 2)
    axes = [evenly(0.0, 1.0, along), evenly(0.0, THICKNESS, across), evenly(0.0, HEIGHT, up)]
    write_lattice(folder / f"{slider}.msh", axes if cell.dim == 3 else axes[::2], simplices, placed(shift_slider))
    if not cell.is_on_surface:
        write_lattice(folder / f"{table}.msh", axes_of_table(cell), simplices, placed(bend_table))
