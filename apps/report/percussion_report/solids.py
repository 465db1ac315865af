"""Bodies in 3D: their surface, a cut through them, and a picture without hidden parts."""

import functools

import numpy as np

from .scene import cut, directions, length, normals_of, sums

FACES = {10: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],  # VTK's tetrahedron and hexahedron
         12: [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]],
         24: [[0, 6, 2, 5, 1, 4], [0, 4, 1, 8, 3, 7], [1, 5, 2, 9, 3, 8],  # of second order, with
              [0, 7, 3, 9, 2, 6]],  # the middles of edges
         29: [[0, 11, 3, 10, 2, 9, 1, 8], [4, 12, 5, 13, 6, 14, 7, 15],
              [0, 8, 1, 17, 5, 12, 4, 16], [1, 9, 2, 18, 6, 13, 5, 17],
              [2, 10, 3, 19, 7, 14, 6, 18], [3, 11, 0, 16, 4, 15, 7, 19]]}
OUTLINES = {22: [0, 3, 1, 4, 2, 5], 28: [0, 4, 1, 5, 2, 6, 3, 7]}  # of plane cells of second order
LIGHT = np.array([-0.35, 0.5, 0.79])  # directions to the right, upwards, to the viewer
DARK = (0.2,) * 3


def outlines(types, corners, ends):
    """Returns corners and ends of cells, of plane cells of second order those around them in
    order."""
    if not np.isin(types, list(OUTLINES)).any():
        return corners, ends
    cells = np.split(corners, ends[:-1])
    around = [cell[OUTLINES[kind]] if kind in OUTLINES else cell for kind, cell in zip(types, cells)]
    return np.concatenate(around), np.cumsum([len(cell) for cell in around])


def first_neighbours(polygons):
    """Returns the index of the first polygon that shares corners with each polygon, directly or
    through others: of the same piece of a rigid body."""
    first = {}  # of each corner
    groups = list(range(len(polygons)))

    def root(index):
        while groups[index] != index:
            index = groups[index]
        return index

    for index, polygon in enumerate(polygons):
        for corner in polygon.tolist():
            one, other = root(first.setdefault(corner, index)), root(index)
            groups[max(one, other)] = min(one, other)
    return [root(index) for index in range(len(polygons))]


def faces_of(types, corners, ends, polyhedra, offsets):
    """Returns the corners of all faces as rows of equal length, with the last corner repeated
    in short rows, and the cells of the faces. Faces of polyhedra come from VTK's lists, with
    the index of the end of each list. Polygons are faces of pieces of rigid bodies, whose cell is
    their first polygon."""
    begins, rows, cells = np.concatenate([[0], ends[:-1]]).astype(int), [], []
    for kind, faces in FACES.items():
        selected = np.flatnonzero(types == kind)
        for face in faces:
            rows.append(corners[begins[selected][:, None] + face])
            cells.append(selected)
    polygons = np.flatnonzero(types == 7)
    outlines_of_polygons = [corners[begins[number]:int(ends[number])] for number in polygons]
    rows.extend(outline[None] for outline in outlines_of_polygons)
    cells.extend([polygons[first]] for first in first_neighbours(outlines_of_polygons))
    for number in np.flatnonzero(types == 42):
        position = max(offsets[number - 1], 0) if number else 0
        n, position = polyhedra[position], position + 1
        for _ in range(n):
            rows.append(polyhedra[None, position + 1:position + 1 + polyhedra[position]])
            cells.append([number])
            position += polyhedra[position] + 1
    widest = max(row.shape[1] for row in rows)
    rows = [np.pad(row, ((0, 0), (0, widest - row.shape[1])), "edge") for row in rows]
    return np.concatenate(rows), np.concatenate(cells).astype(int)


def fans(faces):
    """Returns the triangles of these faces, the faces' indices, and the flags of triangle edges,
    from each corner to the next, that are edges of a face."""
    triangles, numbers, meshed = [], [], []
    for i in range(1, faces.shape[1] - 1):
        (selected,) = np.nonzero(faces[:, i + 1] != faces[:, i])
        last = (faces[selected, i + 1:] == faces[selected, -1:]).all(axis=1)
        triangles.append(faces[selected][:, [0, i, i + 1]])
        numbers.append(selected)
        meshed.append(np.stack([np.full(len(last), i == 1), last | True, last], axis=1))
    return [np.concatenate(lists) for lists in (triangles, numbers, meshed)]


class Solids:
    """Surface of 3D bodies as triangles. face, cell: of each triangle; outlines, meshed: flags of their
    edges, from each corner to the next, that are edges of the body or of a cell's face."""

    def __init__(self, bodies, faces, cell_of_face):
        """Creates the surface from the faces of all cells, as returned by `faces_of`."""
        self.bodies, self.faces, self.cell_of_face = bodies, faces, cell_of_face
        key = np.sort(np.where(faces == np.roll(faces, 1, axis=1), -1, faces), axis=1)
        _, inverse, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
        outer = (count[inverse] == 1) | bodies.is_rigid[cell_of_face]
        self.triangles, face, self.meshed = fans(faces[outer])
        self.face = np.flatnonzero(outer)[face]
        self.cell = cell_of_face[self.face]
        middle = sums(np.repeat(cell_of_face, faces.shape[1]), bodies.points[faces.ravel()],
                      len(bodies.ends))
        middle /= np.bincount(cell_of_face, minlength=len(middle)).clip(1)[:, None] * faces.shape[1]
        x = bodies.points[self.triangles]
        inwards = (normals_of(x) * (x.mean(axis=1) - middle[self.cell])).sum(axis=1) < 0
        self.triangles[inwards] = self.triangles[inwards][:, [0, 2, 1]]
        self.meshed[inwards] = self.meshed[inwards][:, ::-1]
        self.find_outlines()

    def find_outlines(self):
        normal = directions(normals_of(self.bodies.points[self.triangles]))
        edges = np.sort(np.stack([self.triangles, np.roll(self.triangles, -1, axis=1)], axis=2),
                        axis=2).reshape(-1, 2)
        _, inverse, count = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
        # Normals meet at more than 25 degrees.
        sharp = (count != 2) | (length(sums(inverse, np.repeat(normal, 3, axis=0))) < 1.95)
        self.outlines = sharp[inverse].reshape(-1, 3)
        self.is_smooth = ~np.isin(self.triangles, edges[sharp[inverse]])

    def normals(self, points):
        """Returns normals at the corners of the triangles, discontinuous at edges of the body."""
        normal = normals_of(points[self.triangles])
        smooth = directions(sums(self.triangles.ravel(), np.repeat(normal, 3, axis=0), len(points)))
        return np.where(self.is_smooth[..., None], smooth[self.triangles],
                        directions(normal)[:, None])

    @functools.cached_property
    def tetrahedra(self):
        """Returns tetrahedra that fill the cells, as corners, and their cells."""
        triangles, face, _ = fans(self.faces)
        cell = self.cell_of_face[face]
        first = self.bodies.corners[self.bodies.begins[cell], None]
        apart = (triangles != first).all(axis=1)
        return np.concatenate([first, triangles], axis=1)[apart], cell[apart]

    @property
    def volumes(self):
        """Returns the volumes of the undeformed cells."""
        corners, cell = self.tetrahedra
        sides = self.bodies.points[corners[:, 1:]] - self.bodies.points[corners[:, :1]]
        return np.bincount(cell, abs(np.linalg.det(sides)) / 6, len(self.bodies.ends))

    def section(self, points, plane):
        """Returns the triangles of a cut through the volume in which the plane (x, y, z of the
        undeformed bodies and a number) is positive, their cells, the corners of the tetrahedra that
        they cut, and the weights of these corners (triangles, 3, 4) at the triangles' corners."""
        corners, cell = self.tetrahedra
        values = self.bodies.points @ plane[:3] - plane[3]
        piece, source = cut(points[corners], values[corners])
        corners = corners[source]
        systems = np.insert(points[corners], 3, 1.0, axis=2)  # coordinates of the corners, and 1
        return piece, cell[source], corners, np.insert(piece, 3, 1.0, axis=2) @ np.linalg.pinv(systems)


class Layer:
    """Triangles (n, 3, 3) of a picture: their colour, or values at their corners; flags of
    drawn edges, normals at the corners, and distances of the corners beyond a cut."""

    def __init__(self, corners, colour, values=np.nan, edges=False, normals=None, excess=-1.0):
        shape = corners.shape[:2]
        self.corners, self.colour = corners, np.tile(colour, (shape[0], 1))
        self.values, self.edges, self.excess = (
            np.broadcast_to(array, shape) for array in (values, edges, excess))
        self.normals = np.broadcast_to(normals_of(corners)[:, None] if normals is None else normals,
                                       corners.shape)


def joined(layers):
    """Returns the arrays of the triangles of all layers by their names."""
    layers = list(layers)
    return {name: np.concatenate([getattr(layer, name) for layer in layers])
            for name in ("corners", "values", "colour", "edges", "normals", "excess")}


def picture(layers, in_pixels, axes, width, height, colours):
    """Returns red, green, blue and opacity of the pixels, (height, width, 4), and their depth.
    `in_pixels`: maps positions in 3D to the picture; `colours`: maps values from 0 to 1 to colours."""
    corners, values, colour, edges, normals, excess = joined(layers).values()
    corners = in_pixels(corners)
    number, inside, depth = front(corners, width, height, excess)
    visible = np.flatnonzero(number >= 0)
    t, inside = number[visible], inside[visible]
    value, colour = (inside * values[t]).sum(axis=1), colour[t]
    has_value = np.isfinite(value)
    colour[has_value] = colours(value[has_value])[:, :3]
    normal = (inside[..., None] * normals[t]).sum(axis=1) @ axes.T
    light = 0.7 + 0.34 * np.maximum(directions(normal) @ LIGHT, 0)
    colour = np.minimum(colour * light[:, None], 1)
    edge_pixels = np.where(edges[t], edge_distance(corners, t, inside), np.inf).min(axis=1)
    line = np.clip(0.8 + 0.5 - edge_pixels, 0, 1)[:, None] * 0.8
    image = np.ones((height * width, 4)) * [1, 1, 1, 0]
    image[visible, :3], image[visible, 3] = colour + line * (np.array(DARK) - colour), 1
    return image.reshape(height, width, 4), depth.reshape(height, width)


def front(corners, width, height, excess=None):
    """Returns the visible points of triangles (n, 3, 3), with x and y in pixels and z to the
    viewer: for each pixel the index of its triangle, -1 for none, the barycentric coordinates
    and z. Points with positive `excess`, linear in the triangles (n, 3), are cut off."""
    number = np.full(width * height, -1)
    depth, inside = np.full(width * height, -np.inf), np.zeros((width * height, 3))
    ends = [end(corners[:, :, :2], axis=1) for end in (np.min, np.max)]
    low, high = (np.clip(np.ceil(end - 0.5), 0, [width, height]).astype(int) for end in ends)
    (x, y, z), size = np.moveaxis(corners, 2, 0), high - low
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    rows = np.flatnonzero((size.min(axis=1) > 0) & (area > 0))
    # Barycentric coordinates are slopes * (1, x, y).
    x1, x2, y1, y2 = (np.roll(v, -i, axis=1) for v in (x, y) for i in (1, 2))
    slopes = np.stack([x1 * y2 - x2 * y1, y1 - y2, x2 - x1], axis=1) / \
        np.where(area == 0, 1, area)[:, None, None]
    counts = size[rows].prod(axis=1)
    for chunk in np.split(rows, np.flatnonzero(np.diff(np.cumsum(counts) // 1_000_000)) + 1):
        n = size[chunk].prod(axis=1)
        t = np.repeat(chunk, n)
        i = np.arange(len(t)) - np.repeat(np.cumsum(n) - n, n)
        px, py = low[t, 0] + i % size[t, 0], low[t, 1] + i // size[t, 0]
        a, b, c = np.moveaxis(slopes[t], 1, 0)
        barycentric = a + b * (px + 0.5)[:, None] + c * (py + 0.5)[:, None]
        hit = (barycentric >= 0).all(axis=1)
        if excess is not None:
            hit &= (barycentric * excess[t]).sum(axis=1) <= 0
        t, barycentric, pixel = t[hit], barycentric[hit], py[hit] * width + px[hit]
        z_values = (barycentric * z[t]).sum(axis=1)
        order = np.argsort(z_values, kind="stable")
        order = order[z_values[order] > depth[pixel[order]]]  # the last triangle at a pixel is kept
        number[pixel[order]], depth[pixel[order]] = t[order], z_values[order]
        inside[pixel[order]] = barycentric[order]
    return number, inside, depth


def edge_distance(corners, number, inside):
    """Returns the distance in pixels of these positions from the edges, from each corner to the
    next."""
    side = (np.roll(corners, -1, axis=1) - corners)[number, :, :2]
    area = abs(side[:, 0, 0] * side[:, 1, 1] - side[:, 1, 0] * side[:, 0, 1])
    return np.roll(inside, 1, axis=1) * area[:, None] / (length(side) + 1e-300)
