"""Shape functions of VTK's cells of second order, which are straight."""

import itertools
import math

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


def _collapsed_rule(dim):
    """Yields points in the unit simplex and weights of Gauss' rule in collapsed coordinates, exact for
    polynomials of order 5."""
    for unit, weight in _gauss(4, dim):
        point, scale = np.zeros(dim), 1.0
        for d, x in enumerate(unit):
            point[d] = scale * x
            weight *= scale
            scale *= 1 - x
        yield point, weight


def _symmetric_rule(dim):
    """Yields points in the unit simplex and weights of the symmetric rule for polynomials of order 2,
    by which the program integrates energies."""
    near = (dim + 2 - np.sqrt(dim + 2)) / ((dim + 1) * (dim + 2))  # 1/6 in 2D
    for vertex in range(dim + 1):
        point = np.full(dim, near)
        if vertex > 0:
            point[vertex - 1] = 1 - dim * near
        yield point, 1 / (math.factorial(dim) * (dim + 1))


def _simplex_shapes(kind, point):
    """Returns shape values, their gradients (dim, points), and the gradients of the corners' linear
    functions (dim, corners)."""
    slope = np.concatenate([-np.ones((len(point), 1)), np.eye(len(point))], axis=1)
    linear = np.concatenate([[1 - point.sum()], point])
    i, j = np.array(_EDGES[kind]).T
    shape = np.concatenate([linear * (2 * linear - 1), 4 * linear[i] * linear[j]])
    gradient = np.concatenate([slope * (4 * linear - 1),
                               4 * (slope[:, i] * linear[j] + slope[:, j] * linear[i])], axis=1)
    return shape, gradient, slope


def gradients_of_products(factors, slopes):
    """Returns the gradients (dim, points) of the products of factors (points, dim) of one coordinate
    each."""
    return np.stack([slopes[:, d] * np.delete(factors, d, axis=1).prod(axis=1)
                     for d in range(factors.shape[1])])


def _product_shapes(kind, point):
    """Returns the same for products of polynomials of one coordinate."""
    corners = _CORNERS[kind]
    groups = _EDGES[kind] + _FACES.get(kind, []) + [tuple(range(len(corners)))]
    nodes = np.concatenate([corners, [corners[list(group)].mean(axis=0) for group in groups]])
    factors = np.where(nodes == 0, 1 - point ** 2, point * (point + nodes) / 2)
    slopes = np.where(nodes == 0, -2 * point, point + nodes / 2)
    return factors.prod(axis=1), gradients_of_products(factors, slopes), \
        gradients_of_products((1 + corners * point) / 2, corners / 2)


def product_rule(n, dim):
    """Yields points in the cube from -1 to 1 and weights of Gauss' rule."""
    for unit, weight in _gauss(n, dim):
        yield 2 * unit - 1, weight * 2 ** dim


def _is_simplex(kind):
    return kind in ("triangle6", "tetra10")


def rule(kind, x):
    """Yields the volumes of a quadrature point in all cells (cells,), and the shape values (points,);
    x: undeformed points (cells, points, dim)."""
    corners, dim = x[:, :n_corners(kind)], x.shape[2]
    is_simplex = _is_simplex(kind)
    shapes = _simplex_shapes if is_simplex else _product_shapes
    for point, weight in _collapsed_rule(dim) if is_simplex else product_rule(4, dim):
        shape, _, slope = shapes(kind, point)
        yield weight * np.linalg.det(slope @ corners), shape


def strain_rule(kind, x):
    """Yields the volumes of a quadrature point of the program's energies in all cells (cells,), and
    the gradients of the shape functions (cells, dim, points); x: undeformed points (cells, points,
    dim)."""
    corners, dim = x[:, :n_corners(kind)], x.shape[2]
    is_simplex = _is_simplex(kind)
    shapes = _simplex_shapes if is_simplex else _product_shapes
    for point, weight in _symmetric_rule(dim) if is_simplex else product_rule(3, dim):
        _, gradient, slope = shapes(kind, point)
        jacobian = slope @ corners
        yield weight * np.linalg.det(jacobian), np.linalg.solve(jacobian, gradient[None])
