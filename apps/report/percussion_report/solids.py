"""Bodies in space: their surface, a cut through them, and a picture with hidden parts hidden."""

import numpy as np

from .scene import cut, length, normals_of

FACES = {10: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],  # of VTK's tetrahedron and hexahedron
         12: [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]}
LIGHT = np.array([-0.35, 0.5, 0.79])  # to the right, upwards, to the viewer


class Solids:
    """The surface of bodies in space as triangles. cell: of each triangle; outlines, meshed: which
    of its edges, from each corner to the next, are edges of the body or of a cell's face."""

    def __init__(self, bodies, faces, cell):
        """faces: of all cells, rows of numbers of points, the last of which is repeated in short
        rows; cell: of which."""
        self.bodies, points = bodies, bodies.points
        self.faces, self.cell_of_face = faces, cell
        key = np.sort(np.where(faces == np.roll(faces, 1, axis=1), -1, faces), axis=1)
        _, inverse, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
        outer = (count[inverse] == 1) | bodies.is_rigid[cell]
        faces, cell = faces[outer], cell[outer]
        middle = np.stack([np.add.reduceat(x[bodies.corners], bodies.begins) for x in points.T],
                          axis=1) / np.diff(bodies.ends, prepend=0)[:, None]
        self.triangles, self.cell, meshed = [], [], []
        for i in range(1, faces.shape[1] - 1):  # a fan
            rows = faces[:, i + 1] != faces[:, i]
            last = (faces[rows, i + 1:] == faces[rows, -1:]).all(axis=1)
            self.triangles.append(faces[rows][:, [0, i, i + 1]])
            self.cell.append(cell[rows])
            meshed.append(np.stack([np.full(len(last), i == 1), np.full(len(last), True), last],
                                   axis=1))
        self.triangles, self.cell, self.meshed = map(np.concatenate,
                                                     (self.triangles, self.cell, meshed))
        at = points[self.triangles]
        inwards = (normals_of(at) * (at.mean(axis=1) - middle[self.cell])).sum(axis=1) < 0
        self.triangles[inwards] = self.triangles[inwards][:, [0, 2, 1]]
        self.meshed[inwards] = self.meshed[inwards][:, ::-1]
        normal = normals_of(points[self.triangles])
        normal /= length(normal)[:, None] + 1e-300
        edges = np.sort(np.stack([self.triangles, np.roll(self.triangles, -1, axis=1)], axis=2),
                        axis=2).reshape(-1, 2)
        _, inverse, count = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
        sums = np.stack([np.bincount(inverse, np.repeat(n, 3)) for n in normal.T], axis=1)
        sharp = (count != 2) | (length(sums) < 1.95)  # by more than 25 degrees
        self.outlines = sharp[inverse].reshape(-1, 3)
        self.is_smooth = ~np.isin(self.triangles, edges[sharp[inverse]])

    def normals(self, points):
        """At the corners of the triangles: those of the triangles at edges of the body."""
        normal = normals_of(points[self.triangles])
        sums = np.stack([np.bincount(self.triangles.ravel(), np.repeat(n, 3), len(points))
                         for n in normal.T], axis=1)
        smooth = sums[self.triangles] / (length(sums[self.triangles])[..., None] + 1e-300)
        normal = (normal / (length(normal)[:, None] + 1e-300))[:, None]
        return np.where(self.is_smooth[..., None], smooth, normal)

    def section(self, points, plane):
        """Triangles of a cut, which see where the plane (x, y, z of the undeformed bodies and a
        number) is positive, and their cells."""
        corners, first = self.faces, self.bodies.corners[self.bodies.begins[self.cell_of_face]]
        values = self.bodies.points @ plane[:3] - plane[3]
        pieces, cells = [], []
        for i in range(1, corners.shape[1] - 1):
            tetrahedra = np.stack([first, *corners[:, [0, i, i + 1]].T], axis=1)
            rows = (tetrahedra[:, 1:] != first[:, None]).all(axis=1) & \
                (corners[:, i] != corners[:, i + 1])
            piece, source = cut(points[tetrahedra[rows]], values[tetrahedra[rows]])
            pieces.append(piece)
            cells.append(self.cell_of_face[rows][source])
        return np.concatenate(pieces), np.concatenate(cells)


def faces_of(types, corners, ends, polyhedra, places):
    """Rows of all faces' corners, and their cells; of polyhedra from VTK's lists, in which places
    say where each has ended."""
    begins, rows, cells = np.concatenate([[0], ends[:-1]]).astype(int), [], []
    for kind, faces in FACES.items():
        of_kind = np.flatnonzero(types == kind)
        for face in faces:
            rows.append(corners[begins[of_kind][:, None] + face])
            cells.append(of_kind)
    for number in np.flatnonzero(types == 42):
        at = places[number - 1] if number and places[number - 1] >= 0 else 0
        n, at = polyhedra[at], at + 1
        for _ in range(n):
            rows.append(polyhedra[None, at + 1:at + 1 + polyhedra[at]])
            cells.append([number])
            at += polyhedra[at] + 1
    widest = max(row.shape[1] for row in rows)
    rows = [np.pad(row, ((0, 0), (0, widest - row.shape[1])), "edge") for row in rows]
    return np.concatenate(rows), np.concatenate(cells).astype(int)


def front(corners, width, height, beyond=None):
    """What is seen of triangles (n, 3, 3): x and y in pixels, z to the viewer. Numbers of the
    triangles at the pixels, -1 for none, their barycentric coordinates and z there. Where `beyond`,
    linear in the triangles (n, 3), is positive there is nothing."""
    number = np.full(width * height, -1)
    depth, inside = np.full(width * height, -np.inf), np.zeros((width * height, 3))
    low = np.clip(np.ceil(corners[:, :, :2].min(axis=1) - 0.5), 0, [width, height]).astype(int)
    high = np.clip(np.ceil(corners[:, :, :2].max(axis=1) - 0.5), 0, [width, height]).astype(int)
    (x, y, z), size = np.moveaxis(corners, 2, 0), high - low
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    rows = np.flatnonzero((size.min(axis=1) > 0) & (area > 0))
    # Barycentric coordinates are slopes * (1, x, y).
    x1, x2, y1, y2 = (np.roll(v, -i, axis=1) for v in (x, y) for i in (1, 2))
    slopes = np.stack([x1 * y2 - x2 * y1, y1 - y2, x2 - x1], axis=1) / \
        np.where(area == 0, 1, area)[:, None, None]
    counts = size[rows].prod(axis=1)
    for part in np.split(rows, np.flatnonzero(np.diff(np.cumsum(counts) // 1_000_000)) + 1):
        n = size[part].prod(axis=1)
        t = np.repeat(part, n)
        i = np.arange(len(t)) - np.repeat(np.cumsum(n) - n, n)
        across = size[t, 0]
        px, py = low[t, 0] + i % across, low[t, 1] + i // across
        a, b, c = np.moveaxis(slopes[t], 1, 0)
        share = a + b * (px + 0.5)[:, None] + c * (py + 0.5)[:, None]
        hit = (share >= 0).all(axis=1)
        if beyond is not None:
            hit &= (share * beyond[t]).sum(axis=1) <= 0
        t, share, pixel = t[hit], share[hit], py[hit] * width + px[hit]
        at = (share * z[t]).sum(axis=1)
        order = np.argsort(at, kind="stable")
        order = order[at[order] > depth[pixel[order]]]  # of a pixel's, the last is kept
        number[pixel[order]], depth[pixel[order]] = t[order], at[order]
        inside[pixel[order]] = share[order]
    return number, inside, depth


def edge_distance(corners, number, inside):
    """How many pixels from the edges, from each corner to the next, these places are."""
    x, y = corners[number, :, 0], corners[number, :, 1]
    dx, dy = np.roll(x, -1, axis=1) - x, np.roll(y, -1, axis=1) - y
    area = abs(dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0])
    return np.roll(inside, 1, axis=1) * area[:, None] / (np.hypot(dx, dy) + 1e-300)


def shaded(colours, normals):
    """Colours in a soft light; normals as the viewer sees them."""
    light = 0.7 + 0.34 * np.maximum(normals @ LIGHT, 0) / (length(normals) + 1e-300)
    return np.minimum(colours * light[:, None], 1)
