"""The module percussion_cone: the contact solvers without finite elements."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import percussion_cone

try:
    from scipy import sparse
except ImportError:
    sparse = None


def natural_map(W, q, mu, p):
    """Returns p - P_K(p - (u + mu |u_T| n)), implemented for this test."""
    u = (W @ p + q).reshape(len(mu), -1)
    p = p.reshape(u.shape)
    x = p - u
    x[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    tangential = np.linalg.norm(x[:, 1:], axis=1)
    normal = np.where(
        tangential <= mu * x[:, 0],
        x[:, 0],
        np.maximum(0, x[:, 0] + mu * tangential) / (1 + mu**2),
    )
    shrink = np.minimum(1, mu * normal / np.maximum(tangential, 1e-300))
    return p - np.column_stack([normal, shrink[:, None] * x[:, 1:]])


def random_problem(d, n_contacts, seed=1):
    random = np.random.default_rng(seed)
    A = random.normal(size=(d * n_contacts, 2 * d * n_contacts)) / np.sqrt(d * n_contacts)
    q = random.normal(size=d * n_contacts)
    return A @ A.T, q, random.uniform(0.1, 0.6, n_contacts)


def chain(n_contacts):
    """Returns a chain of contacts, each coupled with its neighbours."""
    n = 2 * n_contacts
    W = sparse.diags([-1.0, 4.0, -1.0], [-2, 0, 2], shape=(n, n))
    q = np.sin(np.arange(n))
    return W, q, np.full(n_contacts, 0.3)


class ConeTest(unittest.TestCase):
    def test_matrices_that_are_not_positive(self):
        W, q, mu = random_problem(2, 3)
        lowest = np.linalg.eigvalsh(W)[0]
        with self.assertRaisesRegex(ValueError, "not positive semidefinite"):
            percussion_cone.solve(W - (lowest + 0.01) * np.eye(6), q, mu)
        with self.assertRaisesRegex(ValueError, "its diagonal has -1"):
            percussion_cone.solve(-np.eye(6), q, mu)
        singular = percussion_cone.solve(W - lowest * np.eye(6), q, mu)
        self.assertLess(singular.residual, 1)

    def test_solutions(self):
        for d in (2, 3):
            for scale in (1.0, 1e-6, 1e9):  # results do not depend on the units
                W, q, mu = random_problem(d, 12)
                solution = percussion_cone.solve(scale * W, q, mu, tolerance=1e-12)
                self.assertTrue(solution.converged, solution)
                error = natural_map(W, q, mu, scale * solution.p)
                self.assertLess(abs(error).max(), 1e-10)
                np.testing.assert_allclose(solution.u, scale * W @ solution.p + q, atol=1e-10)
                self.assertGreater(len(set(solution.status)), 1)

    def test_shape_of_q(self):
        W, q, mu = random_problem(3, 5)
        flat = percussion_cone.solve(W, q, mu)
        shaped = percussion_cone.solve(W, q.reshape(5, 3), mu)
        self.assertEqual(shaped.p.shape, (5, 3))
        np.testing.assert_array_equal(shaped.p.ravel(), flat.p)

    @unittest.skipIf(sparse is None, "SciPy is not installed")
    def test_sparse_matrices(self):
        W, q, mu = chain(80)
        dense = percussion_cone.solve(W.toarray(), q, mu, tolerance=1e-12)
        halves = sparse.coo_matrix(W)  # each entry as a sum of two
        rows, columns = np.tile(halves.row, 2), np.tile(halves.col, 2)
        parts = sparse.coo_matrix((np.tile(halves.data / 2, 2), (rows, columns)), shape=W.shape)
        for matrix in (W, W.tocsc(), W.tobsr(), parts):
            solution = percussion_cone.solve(matrix, q, mu, tolerance=1e-12)
            self.assertTrue(solution.converged)
            np.testing.assert_allclose(solution.p, dense.p, atol=1e-10)
        self.assertEqual(parts.nnz, 2 * halves.nnz)  # the argument is unchanged

    @unittest.skipIf(sparse is None, "SciPy is not installed")
    def test_global_problems(self):
        random = np.random.default_rng(3)
        M = sparse.diags(random.uniform(1, 2, 20))
        H = sparse.random(20, 12, 0.3, random_state=4, format="csc")
        q, b, mu = random.normal(size=20), random.normal(size=12), np.full(6, 0.4)
        reduced = percussion_cone.solve(
            H.T @ sparse.diags(1 / M.diagonal()) @ H, H.T @ (q / M.diagonal()) + b, mu, tolerance=1e-12
        )
        for dense in (False, True):
            matrices = (M.toarray(), H.toarray()) if dense else (M, H)
            solution = percussion_cone.solve_global(*matrices, q, b, mu, tolerance=1e-12)
            self.assertTrue(solution.converged)
            np.testing.assert_allclose(M @ solution.v, H @ solution.p + q, atol=1e-10)
            np.testing.assert_allclose(solution.u, H.T @ solution.v + b, atol=1e-10)
            np.testing.assert_allclose(solution.u, reduced.u, atol=1e-8)

    def test_warm_start(self):
        W, q, mu = random_problem(2, 30)
        cold = percussion_cone.solve(W, q, mu, method="nsgs")
        for start in (cold, cold.p):
            warm = percussion_cone.solve(W, q, mu, start, method="nsgs")
            self.assertLess(warm.iterations, cold.iterations)

    def test_limits(self):
        W, q, mu = random_problem(3, 30)
        cut = percussion_cone.solve(W, q, mu, method="nsgs", tolerance=1e-13, max_iterations=2)
        self.assertFalse(cut.converged)
        self.assertEqual(cut.outcome, "out of sweeps")
        self.assertGreater(cut.residual, 1e-13)

    def test_wrong_data(self):
        W, q, mu = random_problem(2, 3)
        for arguments, words in (
            ((W[:5], q, mu), "W has 5 rows; needed are 6"),
            ((W[0], q, mu), "W has 1 dimensions"),
            ((W, q[:5], mu), "there are 5 velocities of 3 contacts"),
            ((W, q, -mu), "the friction coefficient of contact 0 is negative"),
            ((W * np.nan, q, mu), "entry 0 of W is nan"),
            ((W, q, mu, q[1:]), "start has 5 percussions; needed are 6"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                percussion_cone.solve(*arguments)
        with self.assertRaisesRegex(ValueError, "there is no method 'newtn'; allowed are auto, nsgs.*did you mean 'newton'"):
            percussion_cone.solve(W, q, mu, method="newtn")
        with self.assertRaisesRegex(ValueError, "the tolerance is 0.0*; allowed are numbers > 0"):
            percussion_cone.solve(W, q, mu, tolerance=0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "problem.dat")
            file.write_text("2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 0.5\n0.3\n")
            solution = percussion_cone.solve(**percussion_cone.read(str(file)))
            np.testing.assert_allclose(solution.p, [1, -0.3], atol=1e-12)
            file.write_text("2\n1\n0\n2\n2\n2 2\n1 0\n0 x\n")
            with self.assertRaisesRegex(ValueError, "problem.dat:8: found 'x'"):
                percussion_cone.read(str(file))

    @unittest.skipUnless(sys.platform == "linux", "reads /proc")
    def test_loads_neither_mpi_nor_finite_elements(self):
        code = "import percussion_cone; print(open('/proc/self/maps').read())"
        maps = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertIn("percussion_cone", maps.stdout)
        for library in ("libmpi", "deal", "trilinos", "vtk", "gmsh"):
            self.assertNotIn(library, maps.stdout)


if __name__ == "__main__":
    unittest.main()
