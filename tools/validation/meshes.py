"""Meshes of the problems with known answers, written as Gmsh files of version 2.2.

A mesh is a lattice of cells: quadrilaterals or hexahedra, or each of these split into two triangles
or six tetrahedra. `SIDES` names the physical groups of its faces.
"""
import itertools
import math

SIDES = ("left", "right", "front", "back", "bottom", "top")  # along x, y, z
TETRAHEDRA = [(0, 1, 3, 7), (0, 1, 7, 5), (0, 5, 7, 4), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7)]


def evenly(begin, end, n):
    """Coordinates of n equal intervals."""
    return [begin + (end - begin) * i / n for i in range(n + 1)]


def growing(n, ratio, length=1.0):
    """Coordinates from 0 to length of n intervals, each `ratio` times as long as the one before."""
    sums = [0.0]
    for i in range(n):
        sums.append(sums[-1] + ratio ** i)
    return [length * s / sums[-1] for s in sums]


def as_it_is(point):
    return point


def into_ball(radius, centre):
    """The map from the cube [-1, 1]^3, or the square, to a ball about `centre` (x, y, z)."""
    def mapped(point):
        x, y, z = point
        squares = x * x, y * y, z * z
        ball = [c * math.sqrt(1 - (a + b) / 2 + a * b / 3) for c, a, b in
                ((x, squares[1], squares[2]), (y, squares[2], squares[0]), (z, squares[0], squares[1]))]
        return [m + radius * b for m, b in zip(centre, ball)]
    return mapped


def cells_of(corners, dim, simplices):
    """Gmsh's type and nodes of the cells in one box of the lattice, corners in binary order x, y, z."""
    if dim == 2:
        a, b, d, c = corners
        return [(2, (a, b, c)), (2, (a, c, d))] if simplices else [(3, (a, b, c, d))]
    if simplices:
        return [(4, tuple(corners[i] for i in tetrahedron)) for tetrahedron in TETRAHEDRA]
    a, b, d, c, e, f, h, g = corners
    return [(5, (a, b, c, d, e, f, g, h))]


def face_cells(corners, dim, simplices):
    """Gmsh's type and nodes of the faces on one side of a box, corners in binary order."""
    if dim == 2:
        return [(1, tuple(corners))]
    a, b, d, c = corners
    return [(2, (a, b, c)), (2, (a, c, d))] if simplices else [(3, (a, b, c, d))]


class Lattice:
    """Nodes numbered from 1 on a grid of coordinates along each axis; the vertical one comes last."""

    def __init__(self, axes, shape=as_it_is):
        self.axes, self.shape, self.dim = axes, shape, len(axes)
        self.sizes = [len(axis) for axis in axes]

    def number(self, index):
        k = 0
        for i, size in zip(reversed(index), reversed(self.sizes)):
            k = k * size + i
        return k + 1

    def nodes(self):
        for index in itertools.product(*(range(n) for n in reversed(self.sizes))):
            place = [axis[i] for axis, i in zip(self.axes, reversed(index))]
            yield self.shape((place + [0.0])[:3] if self.dim == 2 else place)

    def box(self, first, axes):
        """Node numbers of the corners of a box at `first` that extends along these axes."""
        corners = []
        for steps in itertools.product((0, 1), repeat=len(axes)):
            index = list(first)
            for axis, step in zip(reversed(axes), steps):
                index[axis] += step
            corners.append(self.number(index))
        return corners


def write_lattice(path, axes, simplices=False, shape=as_it_is, rim=0):
    """Writes a mesh with the groups of SIDES on its faces and the group `body` of all its cells. The
    last `rim` boxes along the horizontal axes have no part in `bottom` and `top`."""
    lattice = Lattice(axes, shape)
    dim = lattice.dim
    names = [name for name in SIDES if dim == 3 or name not in ("front", "back")]
    elements = []
    for axis, (low, high) in enumerate(zip(names[::2], names[1::2])):
        others = [a for a in range(dim) if a != axis]
        for group, place in ((low, 0), (high, lattice.sizes[axis] - 1)):
            left_out = rim if axis == dim - 1 else 0
            for first in itertools.product(*(range(lattice.sizes[a] - 1 - left_out) for a in others)):
                index = [0] * dim
                index[axis] = place
                for a, i in zip(others, first):
                    index[a] = i
                elements += [(kind, names.index(group) + 1, nodes) for kind, nodes in
                             face_cells(lattice.box(index, others), dim, simplices)]
    for first in itertools.product(*(range(n - 1) for n in lattice.sizes)):
        elements += [(kind, len(names) + 1, nodes) for kind, nodes in
                     cells_of(lattice.box(first, list(range(dim))), dim, simplices)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(names) + 1)]
    lines += [f'{dim - 1} {i + 1} "{name}"' for i, name in enumerate(names)]
    lines += [f'{dim} {len(names) + 1} "body"', "$EndPhysicalNames", "$Nodes"]
    nodes = list(lattice.nodes())
    lines += [str(len(nodes))] + [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i} {kind} 2 {group} {group} " + " ".join(map(str, corners))
              for i, (kind, group, corners) in enumerate(elements, 1)]
    path.write_text("\n".join(lines) + "\n$EndElements\n", encoding="utf-8")
