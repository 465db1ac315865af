"""Integrals over the undeformed cells of bodies."""

import numpy as np

from percussion import second_order

CORNERS = {"quad": np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)}
CORNERS["hexahedron"] = np.concatenate(
    [np.insert(CORNERS["quad"], 2, z, axis=1) for z in (-1.0, 1.0)])


def _rule(kind, n):
    """Yields weight, shape values, and reference gradients (dim, corners) of Gauss' rule with n points
    in each direction."""
    corners = CORNERS[kind]
    for point, weight in second_order.product_rule(n, corners.shape[1]):
        factors = (1 + corners * point) / 2
        yield weight, factors.prod(axis=1), second_order.gradients_of_products(factors, corners / 2)


def _inverse(matrices):
    """Returns inverses and determinants of matrices (n, dim, dim); faster than LAPACK for many small
    ones."""
    if matrices.shape[1] == 2:
        (a, b), (c, d) = matrices[:, 0].T, matrices[:, 1].T
        adjugate = np.array([[d, -b], [-c, a]]).transpose(2, 0, 1)
    else:
        r0, r1, r2 = matrices.transpose(1, 0, 2)
        adjugate = np.stack([np.cross(r1, r2), np.cross(r2, r0), np.cross(r0, r1)], axis=2)
    determinant = (matrices[:, 0] * adjugate[:, :, 0]).sum(axis=1)
    return adjugate / determinant[:, None, None], determinant


def kinetic_of_cells(kind, x, v):
    """Returns ½ ∫ v² over undeformed cells, with the consistent mass; x, v (cells, corners, dim)."""
    if kind in ("triangle", "tetra"):
        n = x.shape[1]
        volume = _inverse(x[:, 1:] - x[:, :1])[1] / (2 if n == 3 else 6)
        squares = (v ** 2).sum(axis=(1, 2)) + (v.sum(axis=1) ** 2).sum(axis=1)
        return 0.5 * (volume * squares).sum() / (n * (n + 1))
    if kind in second_order.KINDS:
        return sum(0.5 * (volume * ((shape @ v) ** 2).sum(axis=1)).sum()
                   for volume, shape in second_order.rule(kind, x))
    total = 0.0
    for weight, shape, gradient in _rule(kind, 3):
        _, determinant = _inverse(gradient @ x)
        total += 0.5 * weight * (determinant * ((shape @ v) ** 2).sum(axis=1)).sum()
    return total


def strain_points(kind, x):
    """Yields the volumes of the points of the program's energies in all cells (cells,), and the
    gradients of the shape functions (cells, dim, points of the cell)."""
    if kind in second_order.KINDS:
        yield from second_order.strain_rule(kind, x)
    elif kind in ("triangle", "tetra"):
        inverse, determinant = _inverse(x[:, 1:] - x[:, :1])
        yield determinant / (2 if x.shape[1] == 3 else 6), \
            np.concatenate([-inverse.sum(axis=2, keepdims=True), inverse], axis=2)
    else:
        for weight, _, reference in _rule(kind, 2):
            inverse, determinant = _inverse(reference @ x)
            yield weight * determinant, inverse @ reference
