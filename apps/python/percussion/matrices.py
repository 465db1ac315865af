"""Matrices of a run as sparse matrices of SciPy."""

import functools

import numpy as np

from percussion import html_views
from percussion.conversions import imported

_COLUMNS = 64  # of W that are computed at once


class Matrices:
    """Matrices of the bodies and of the contacts of the last step; Run.matrices() makes them.

    Rows and columns of M, K, C and A, and columns of H and G, are degrees of freedom: dim
    components of each node of ``case.mesh.nodes``, node after node, then the degrees of freedom of
    each rigid body, in the order of ``run.rigid_bodies``: components of the velocity of the centre,
    then of the angular velocity (one in 2D, three in the body's frame in 3D). Prescribed degrees of
    freedom are among them; `prescribed` marks them.

    Rows of H, G, W and p belong to contacts: dim rows for each row of `keys`, the normal first, then
    the tangents. They are the contacts that took part in the last substep of the last step. After
    them, rolling and spinning friction have dim rows for each moment. There are no rows before the
    first step, and after a resume or restore() before the next step.

    The matrices are copies: later steps do not change them. Units follow from the case.

    Attributes:
        M: mass, consistent [mass; mass length, mass length^2 for rotations].
        K: stiffness of linear materials [force/length]. The run evaluates K q and the strain energy
            for q less the rigid motion of each body, which K maps to zero up to round-off.
        C: viscosity [force time/length], zero without viscosity.
        A: iteration matrix of the balance in the mean velocity of the step, M + h w C + h^2 k K
            with the factors of the scheme (with the theta rule M + h theta C + h^2 theta^2 K), and
            in 3D the tangent of the gyroscopic torque of rigid bodies [mass].
        H: rows of the contacts: H.T @ p is the impulse of the contacts on the bodies [1; length for
            rotations].
        G: rows of the velocities u = G v of the contacts; H itself unless backward friction or a
            weak formulation makes them different.
        W: Delassus operator, percussion_factor G A^-1 H^T over the free degrees of freedom
            [1/mass], without the compliance of springs and bonds; computed at its first use.
        p: percussions of contacts and bonds, row by row of H [impulse].
        q, v: displacements [length] and velocities [length/time] at the end of the step.
        F: force of the loads at the end of the step [force].
        keys: keys of the contacts, (n, 4), as in ``run.contacts.key``.
        prescribed: True for each prescribed degree of freedom.
        step_length: length of the last substep [time].
        percussion_factor: theta, or the factor of another rule.
    """

    def __init__(self, *, M, K, C, H, G, gyroscopic, p, q, v, F, keys, prescribed, reason,
                 step_length, percussion_factor, viscous_factor, stiffness_factor):
        self._sparse = imported("scipy.sparse")
        self._reason = reason
        self.M, self.H = self._matrix(M), self._matrix(H)
        self.G = self.H if G is None else self._matrix(G)
        self.p, self.q, self.v, self.F, self.keys = p, q, v, F, keys
        self.prescribed = np.zeros(len(v), bool)
        self.prescribed[prescribed] = True
        self.step_length, self.percussion_factor = step_length, percussion_factor
        if not reason:
            self._K = self._matrix(K)
            self._C = self._sparse.csr_matrix(self.M.shape) if C is None else self._matrix(C)
            self._A = (self.M + viscous_factor * self._C + stiffness_factor * self._K
                       + self._matrix(gyroscopic)).tocsr()

    def _matrix(self, rows):
        """Returns a csr_matrix from values, columns, row starts and shape."""
        *arrays, shape = rows
        matrix = self._sparse.csr_matrix(tuple(arrays), shape=shape)
        matrix.sum_duplicates()
        return matrix

    def _linear(self, matrix):
        """Returns one of the matrices of a linear balance."""
        if self._reason:
            from percussion import RunError
            raise RunError(f"there are no constant K, C, A and W: {self._reason}. M, H, G and p are "
                           "available")
        return getattr(self, matrix)

    @property
    def K(self):
        return self._linear("_K")

    @property
    def C(self):
        return self._linear("_C")

    @property
    def A(self):
        return self._linear("_A")

    @functools.cached_property
    def W(self):
        free = np.flatnonzero(~self.prescribed)
        A, G, H = self.A[free][:, free].tocsc(), self.G[:, free], self.H[:, free]
        if H.shape[0] == 0:
            return self._sparse.csr_matrix((0, 0))
        solve = self._solver(A)
        columns = [self._sparse.csc_matrix(G @ solve(H[begin:begin + _COLUMNS].toarray().T))
                   for begin in range(0, H.shape[0], _COLUMNS)]
        return (self.percussion_factor * self._sparse.hstack(columns)).tocsr()

    @staticmethod
    def _solver(A):
        """Returns a function that returns the velocities under forces. It raises RunError if
        round-off is more than a fraction of 1e-8."""
        try:
            factor = imported("scipy.sparse.linalg").splu(A)
        except RuntimeError:  # exactly singular
            factor = None

        def solve(forces):
            velocities = factor.solve(forces) if factor else np.full_like(forces, np.inf)
            round_off = np.finfo(float).eps * (abs(A) @ abs(velocities)).max()
            if not round_off < 1e-8 * np.abs(forces).max():
                from percussion import RunError
                raise RunError("there is no W: A is singular, because only contacts hold a body that "
                               "has no inertia, or hardly any compared with its stiffness")
            return velocities
        return solve

    def __repr__(self):
        return (f"<percussion.Matrices: {self.M.shape[0]} degrees of freedom, "
                f"{len(self.keys)} contacts>")

    def _repr_html_(self):
        return html_views.matrices(self, self._reason)
