"""Meshes of a case and their regions, as `percussion --print-mesh` writes them."""

import dataclasses
import json
import subprocess

import numpy as np

from .command_line import OutputError
from .scene import Bodies, Trouble, length, units_of
from .solids import Solids, faces_of

VTK_TYPES = {(2, 3): 5, (2, 4): 9, (3, 4): 10, (3, 8): 12}  # by dimension and number of corners


@dataclasses.dataclass
class Region:
    """Region of the meshes: its name in a case, its dimension, the length, area or volume, the number
    of elements, and one of the faces (n, corners), the cells (n) and the points (n); of faces the
    centre and the mean outward normal (dim)."""

    name: str
    dimension: int
    measure: float
    elements: int
    faces: np.ndarray
    cells: np.ndarray
    points: np.ndarray
    centre: list
    normal: list


class CaseMesh:
    """All meshes of a case with a common numbering of their points and cells.

    text: JSON of `percussion --print-mesh`. bodies: points and cells; regions: the faces first, the
    smaller ones last; shapes: of each mesh its name, its number of cells, their shape, and the number of
    points."""

    def __init__(self, text):
        data = json.loads(text)
        self.dim, self.units = data["dimension"], units_of(data["units"])
        self.warnings, self.shapes, self.regions, counts = data["warnings"], [], [], {}
        points, corners, sizes, types = [], [], [], []
        for mesh in data["meshes"]:
            for name in mesh["regions"]:
                counts[name] = counts.get(name, 0) + 1
        n_points = n_cells = 0
        for mesh in data["meshes"]:
            cells = np.array(mesh["cells"])
            self.shapes.append((mesh["name"], len(cells), mesh["shape"], len(mesh["points"])))
            for name, region in mesh["regions"].items():
                label = name if counts[name] == 1 else f"{mesh['name']}:{name}"
                self.regions.append(Region(
                    label, region["dimension"], region["measure"], region["elements"],
                    np.array(region.get("faces", []), int) + n_points,
                    np.array(region.get("cells", []), int) + n_cells,
                    np.array(region.get("points", []), int) + n_points,
                    region.get("centre", []), region.get("normal", [])))
            points.append(np.array(mesh["points"]))
            corners.append((cells + n_points).ravel())
            sizes += len(cells) * [cells.shape[1]]
            types += len(cells) * [VTK_TYPES[self.dim, cells.shape[1]]]
            n_points, n_cells = n_points + len(points[-1]), n_cells + len(cells)
        self.types, ends = np.array(types), np.cumsum(sizes)
        self.bodies = Bodies(np.concatenate(points), np.concatenate(corners), ends,
                             np.zeros(len(ends), bool))
        self.regions.sort(key=lambda region: (-region.dimension, -region.measure))

    @property
    def points(self):
        return self.bodies.points

    def surface(self):
        """Returns the surface of the bodies in 3D."""
        faces, cells = faces_of(self.types, self.bodies.corners, self.bodies.ends, [], [])
        return Solids(self.bodies, faces, cells)

    def of_dimension(self, dimension):
        """Returns the regions of this dimension."""
        return [region for region in self.regions if region.dimension == dimension]

    def edges(self):
        """Returns the shortest and the longest edge of the cells."""
        if self.dim == 2:
            following = np.arange(1, len(self.bodies.corners) + 1)
            following[self.bodies.ends - 1] = self.bodies.begins
            pairs = np.stack([self.bodies.corners, self.bodies.corners[following]], axis=1)
        else:
            faces, _ = faces_of(self.types, self.bodies.corners, self.bodies.ends, [], [])
            pairs = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
        sides = length(self.points[pairs[:, 0]] - self.points[pairs[:, 1]])
        return sides[sides > 0].min(), sides.max()


def read_case_mesh(case, sets, program):
    """Returns the meshes of a case; raises Trouble with the messages of `percussion`."""
    command = [program, case, "--print-mesh", *(word for value in sets for word in ("--set", value))]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise OutputError(f"{program}: cannot be started ({error.strerror})") from error
    if result.returncode:
        raise Trouble(result.stderr.strip().removeprefix("percussion: ") or f"{program} has failed")
    return CaseMesh(result.stdout)
