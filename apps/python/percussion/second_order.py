"""Shape functions of VTK's cells of second order, which are straight."""

import itertools

import numpy as np

_SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
_CORNERS = {  # in the reference cell
    "triangle6": np.array([[0, 0], [1, 0], [0, 1]], float),
    "tetra10": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float),
    "quad9": np.array(_SQUARE, float),
    "hexahedron27": np.array([[*x, z] for z in (-1, 1) for x in _SQUARE], float)}
_EDGES = {
    "triangle6": [(0, 1), (1, 2), (2, 0)],
    "tetra10": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    "quad9": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "hexahedron27": [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4),
                     (0, 4), (1, 5), (2, 6), (3, 7)]}
_FACES = {"hexahedron27": [(0, 3, 4, 7), (1, 2, 5, 6), (0, 1, 4, 5), (2, 3, 6, 7),
                           (0, 1, 2, 3), (4, 5, 6, 7)]}
OUTLINES = {"triangle6": [0, 3, 1, 4, 2, 5], "quad9": [0, 4, 1, 5, 2, 6, 3, 7]}
KINDS = tuple(_CORNERS)


def n_corners(kind):
    """Returns the number of corners of a cell, which are the first of its points."""
    return len(_CORNERS[kind])


def _gauss(n, dim):
    """Yields points in the unit cube and weights of Gauss' rule."""
    points, weights = np.polynomial.legendre.leggauss(n)
    for chosen in itertools.product(range(n), repeat=dim):
        yield (1 + points[list(chosen)]) / 2, np.prod(weights[list(chosen)] / 2)


def _simplex_rule(kind):
    """Yields weight, shape values and the gradients of the corners' linear functions (dim, corners),
    by Gauss' rule in collapsed coordinates, exact for polynomials of order 5."""
    dim = _CORNERS[kind].shape[1]
    gradient = np.concatenate([-np.ones((dim, 1)), np.eye(dim)], axis=1)
    for unit, weight in _gauss(4, dim):
        point, scale = np.zeros(dim), 1.0
        for d, x in enumerate(unit):
            point[d] = scale * x
            weight *= scale
            scale *= 1 - x
        linear = np.concatenate([[1 - point.sum()], point])
        shape = np.concatenate([linear * (2 * linear - 1),
                                [4 * linear[i] * linear[j] for i, j in _EDGES[kind]]])
        yield weight, shape, gradient


def _product_rule(kind):
    """Yields the same for products of polynomials of one coordinate."""
    corners = _CORNERS[kind]
    groups = _EDGES[kind] + _FACES.get(kind, []) + [tuple(range(len(corners)))]
    nodes = np.concatenate([corners, [corners[list(group)].mean(axis=0) for group in groups]])
    for unit, weight in _gauss(4, corners.shape[1]):
        s = 2 * unit - 1
        shape = np.where(nodes == 0, 1 - s ** 2, s * (s + nodes) / 2).prod(axis=1)
        factors = (1 + corners * s) / 2
        gradient = np.stack([corners[:, d] / 2 * np.delete(factors, d, axis=1).prod(axis=1)
                             for d in range(len(s))])
        yield weight * 2 ** len(s), shape, gradient


def rule(kind, x):
    """Yields the volumes of a quadrature point in all cells (cells,), and the shape values (points,);
    x: undeformed points (cells, points, dim)."""
    corners = x[:, :n_corners(kind)]
    reference_rule = _simplex_rule if kind in ("triangle6", "tetra10") else _product_rule
    for weight, shape, gradient in reference_rule(kind):
        yield weight * np.linalg.det(gradient @ corners), shape
