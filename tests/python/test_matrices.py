"""Matrices of a live run obey the identities of the step: energies, momentum, the Delassus operator,
and the step itself taken again by SciPy."""

import subprocess
import sys
import unittest

import numpy as np

import percussion
import percussion_cone
from support import FolderTest, shipped

try:
    from scipy.sparse import linalg
except ImportError:
    linalg = None

needs_scipy = unittest.skipIf(linalg is None, "SciPy is not installed")

THROWN = {"Initial state/Velocity x": 0.7, "Initial state/Velocity y": -3,
          "Contact/ground/Point": (0, -0.003), "Time/Step": 1e-3, "Time/End": 0.03}


def factorised(matrix, free):
    """Returns the factor of the free rows and columns of a matrix."""
    return linalg.splu(matrix[free][:, free].tocsc())


def largest(*vectors):
    return max(np.abs(vector).max() for vector in vectors if vector.size)


def until_contact(case, n=10):
    """Returns a run with contacts in its last step, after at most n further steps."""
    run = case.run(write=False)
    for _ in run:
        if run.state.step > n and (run.contacts.took_part & (run.contacts.status > 0)).any():
            return run
    raise AssertionError("no contact")


def balance(start, end, theta=0.5):
    """Returns the residual of the balance of linear bodies by the theta rule without rigid bodies
    that spin, on the free degrees of freedom, relative to its largest term; the terms are sums of
    products, whose magnitudes round-off is relative to."""
    h = end.step_length
    q, v, F = ((1 - theta) * a + theta * b for a, b in (
        (start.q, end.q), (start.v, end.v), (start.F, end.F)))
    products = ((end.M, end.v - start.v), (h * end.K, q), (h * end.C, v), (-end.H.T, end.p))
    residual = sum(matrix @ vector for matrix, vector in products) - h * F
    scale = largest(h * F, *(abs(matrix) @ abs(vector) for matrix, vector in products))
    return np.abs(residual[~end.prescribed]).max() / scale


@needs_scipy
class Identities(FolderTest):
    def expect_energies(self, run):
        """Checks the energies of the state up to round-off of all products in them."""
        m, state = run.matrices(), run.state
        for matrix, vector, energy in ((m.M, m.v, state.kinetic), (m.K, m.q, state.strain)):
            round_off = 8 * np.finfo(float).eps * (abs(vector) @ (abs(matrix) @ abs(vector))) / 2
            self.assertAlmostEqual(vector @ (matrix @ vector) / 2, energy, delta=round_off)
            self.assertLess(round_off, 1e-9 * max(state.kinetic, state.strain))

    def expect_balance(self, run, n, theta=0.5, tolerance=1e-13):
        """Takes n steps and checks the balance of each."""
        start = run.matrices()
        carried = 0
        for _ in range(n):
            run.step()
            end = run.matrices()
            self.assertLess(balance(start, end, theta), tolerance, run)
            carried += np.count_nonzero(end.p)
            start = end
        self.assertGreater(carried, 0)

    def expect_contacts(self, run):
        """Checks rows, percussions and velocities of the last step against run.contacts."""
        m, contacts = run.matrices(), run.contacts
        took_part = contacts.took_part
        np.testing.assert_array_equal(m.keys, contacts.key[took_part])
        np.testing.assert_allclose(m.p, contacts.percussion[took_part].ravel(),
                                   rtol=0, atol=1e-14 * largest(m.p))
        return m

    def expect_delassus(self, case):
        """Checks W against the contact problem that the run has solved, which has a mean diagonal of
        one, and against the other matrices."""
        with case.run() as run:
            for _ in run:
                files = sorted((self.folder / "problems").glob("*.hdf5"))
                if files and run.state.step > 12:
                    break
            m = run.matrices()
        self.assertEqual(files[-1].name, f"step-{run.state.step:06}.hdf5")
        solved = percussion_cone.read(str(files[-1]))["W"]
        solved = solved if isinstance(solved, np.ndarray) else solved.toarray()
        W = m.W.toarray()
        self.assertGreater(len(W), 0)
        np.testing.assert_allclose(W / np.trace(W), solved / np.trace(solved),
                                   rtol=0, atol=1e-10 * np.abs(solved).max() / np.trace(solved))
        free = ~m.prescribed
        response = factorised(m.A, free).solve(m.H[:, free].toarray().T)
        np.testing.assert_allclose(W, m.percussion_factor * (m.G[:, free] @ response), rtol=0,
                                   atol=1e-10 * np.abs(W).max())

    def case(self, name, parameters):
        return percussion.Case(shipped(name), {**parameters, "Output/Contact problems": "every 1"},
                               output=self.folder)

    def test_matrices_by_nodes(self):
        """Without a factor the matrices of a body in 3D are symmetric halves."""
        run = until_contact(percussion.Case(shipped("box_slide.prm"), {
            "Initial state/Static preload": "false", "Initial state/Preload contact nodes": "contact",
            "Solver/Linear systems": "conjugate gradients",
            "Solver/Contact elimination": "projected"}))
        self.expect_energies(run)
        self.expect_contacts(run)
        self.expect_balance(run, 3)

    def test_elastic_body_with_viscosity(self):
        run = until_contact(percussion.Case(shipped("hello_drop.prm"), THROWN))
        self.expect_energies(run)
        self.expect_contacts(run)
        self.expect_balance(run, 5)
        self.assertGreater(run.matrices().C.nnz, 0)

    def test_theta_rule(self):
        run = until_contact(percussion.Case(shipped("hello_drop.prm"), {**THROWN, "Time/Theta": 0.8}))
        self.expect_balance(run, 5, theta=0.8)

    def test_mortar_between_bodies_one_of_which_is_held(self):
        run = until_contact(percussion.Case(shipped("colliding_blocks.prm")))
        self.expect_energies(run)
        self.expect_contacts(run)
        self.expect_balance(run, 3)
        m = run.matrices()
        self.assertTrue(m.prescribed.any())
        # No contact changes the momentum of both bodies together.
        force = (m.H.T @ m.p).reshape(-1, 2)
        self.assertLess(np.abs(force.sum(axis=0)).max(), 1e-12 * np.abs(force).sum())

    def test_moving_prescribed_nodes(self):
        run = until_contact(percussion.Case(shipped("sliding_block.prm"), {"Time/End": 0.01}))
        self.expect_balance(run, 3)

    def test_body_in_space(self):
        run = until_contact(percussion.Case(shipped("box_slide.prm")))
        self.expect_energies(run)
        self.expect_contacts(run)
        self.expect_balance(run, 3)

    def test_delassus_operator(self):
        self.expect_delassus(self.case("hello_drop.prm", THROWN))

    def test_delassus_operator_of_another_rule(self):
        self.expect_delassus(self.case("hello_drop.prm", {
            **THROWN, "Time/Scheme": "generalized-alpha", "Time/Spectral radius": 0.6}))

    def test_delassus_operator_of_held_nodes(self):
        self.expect_delassus(self.case("sliding_block.prm", {"Time/End": 0.01}))

    def test_delassus_operator_in_space(self):
        self.expect_delassus(self.case("box_slide.prm", {"Time/End": 0.01}))

    def test_delassus_operator_with_rows_of_velocities(self):
        case = self.case("hello_drop.prm", {**THROWN, "Contact/ground/Backward friction ratio": 0.5})
        self.expect_delassus(case)
        m = until_contact(case).matrices()
        self.assertGreater(abs(m.G - m.H).max(), 0.01)

    def test_delassus_operator_of_rigid_bodies(self):
        self.expect_delassus(self.case("pillar.prm", {"Time/End": 0.1}))

    def test_delassus_operator_of_a_spinning_body(self):
        self.expect_delassus(self.case("spinning_top.prm", {"Time/End": 0.05}))


@needs_scipy
class RepeatedStep(unittest.TestCase):
    def test_repeats_the_next_step(self):
        e, theta, mu = 0.5, 0.5, 0.3
        # In the first steps, before the block turns: the run evaluates K q without the rigid motion.
        run = until_contact(percussion.Case(shipped("hello_drop.prm"), {
            **THROWN, "Time/Scheme": "moreau-jean", "Contact/ground/Restitution": e}), n=1)
        slipped = stuck = 0
        for _ in range(5):
            m = run.matrices()
            h = m.step_length
            run.step()
            end = run.matrices()
            A = m.M + h * theta * m.C + (h * theta) ** 2 * m.K
            factor = factorised(A, ~m.prescribed)
            free = factor.solve(m.M @ m.v + h * theta * (m.F - m.K @ m.q))
            W = theta * (end.H @ factor.solve(end.H.toarray().T))
            u0 = (end.H @ m.v).reshape(-1, 2)
            offset = np.column_stack([(theta * (1 + e) - 1) * np.minimum(u0[:, 0], 0),
                                      (theta - 1) * u0[:, 1]]).ravel()
            law = percussion_cone.solve(W, end.H @ free + offset, np.full(len(u0), mu), tolerance=1e-14)
            mean = free + theta * factor.solve(end.H.T @ law.p)
            np.testing.assert_allclose(law.p, end.p, rtol=0, atol=1e-12 * largest(end.p))
            np.testing.assert_allclose(m.v + (mean - m.v) / theta, end.v, rtol=0,
                                       atol=1e-12 * largest(end.v))
            np.testing.assert_allclose(m.q + h * mean, end.q, rtol=0, atol=1e-12 * largest(end.q))
            slipped += (law.status == percussion.SLIP).sum()
            stuck += (law.status == percussion.STICK).sum()
        self.assertGreater(min(slipped, stuck), 5)


@needs_scipy
class OtherBodies(unittest.TestCase):
    def test_hyperelastic_body(self):
        run = until_contact(percussion.Case(shipped("ring_impact.prm"), {
            "Mesh/File": "../meshes/ring_coarse.msh", "Time/End": 1, "Time/Step": 0.01}))
        start = run.matrices()
        for name in "KCAW":
            with self.assertRaisesRegex(percussion.RunError, "finite strains.*no product K q"):
                getattr(start, name)
        page = start._repr_html_()
        self.assertIn("There are no constant K, C, A and W: ", page)
        self.assertIn(f"<td>M</td><td>{start.M.shape[0]} × {start.M.shape[0]}</td>"
                      f"<td>{start.M.nnz}</td>", page)
        self.assertNotIn("<td>K</td>", page)
        run.step()
        end = run.matrices()
        self.assertAlmostEqual(end.v @ (end.M @ end.v) / 2 / run.state.kinetic, 1, delta=1e-13)
        h, change = end.step_length, end.M @ (end.v - start.v)
        terms = [vector.reshape(-1, 2).sum(axis=0)
                 for vector in (change, h * (start.F + end.F) / 2, end.H.T @ end.p)]
        self.assertLess(np.abs(terms[0] - terms[1] - terms[2]).max(), 1e-9 * largest(*terms))

    def test_rigid_bodies(self):
        run = until_contact(percussion.Case(shipped("pillar.prm"), {"Time/End": 0.1}))
        start = run.matrices()
        run.step()
        end = run.matrices()
        self.assertEqual(abs(end.K).max(), 0)
        self.assertLess(balance(start, end), 1e-12)
        page = end._repr_html_()
        self.assertIn(f"<td>K</td><td>{len(end.v)} × {len(end.v)}</td><td>{end.K.nnz}</td>", page)
        self.assertIn(f"{len(end.keys)} contacts", page)
        bodies = run.rigid_bodies
        np.testing.assert_array_equal(end.v.reshape(-1, 3), bodies.velocity)
        self.assertGreater(len(set(map(int, end.keys[:, 0]))), 1) # several pairs

    def test_body_without_inertia_that_contacts_hold(self):
        text = shipped("hello_drop.prm").read_text().replace("../meshes", str(shipped("../meshes")))
        case = percussion.Case.from_text(text, {
            "Time/Inertia": "none", "Time/Theta": 1, "Time/Step": 0.1, "Time/End": 0.5,
            "Material/Viscosity": 0, "Contact/ground/Point": (0, 0)})
        m = until_contact(case, n=1).matrices()
        self.assertEqual(abs(m.M).max(), 0)
        weight = 1000 * 9.81 * np.ptp(case.mesh.nodes[:, 0]) * np.ptp(case.mesh.nodes[:, 1])
        self.assertAlmostEqual((m.H.T @ m.p)[1::2].sum() / (0.1 * weight), 1, delta=1e-9)
        with self.assertRaisesRegex(percussion.RunError, "A is singular"):
            m.W

    def test_links(self):
        run = percussion.Case(shipped("cart.prm"), {"Time/End": 0.01}).run(write=False)
        run.step()
        with self.assertRaisesRegex(percussion.RunError, "turns with its bodies"):
            run.matrices().K


@needs_scipy
class Interface(unittest.TestCase):
    def test_no_rows_before_a_step(self):
        run = percussion.Case(shipped("hello_drop.prm"), THROWN).run(write=False)
        m = run.matrices()
        self.assertEqual((m.H.shape, m.W.shape, m.p.shape, m.keys.shape),
                         ((0, len(m.v)), (0, 0), (0,), (0, 4)))
        saved = run.save()
        run.step(12)
        kept = run.matrices()
        self.assertGreater(kept.H.shape[0], 0)
        velocities = kept.v.copy()
        run.restore(saved)
        self.assertEqual(run.matrices().H.shape[0], 0)
        run.step(2)
        np.testing.assert_array_equal(kept.v, velocities)

    def test_matrices_do_not_change_a_run(self):
        case = percussion.Case(shipped("hello_drop.prm"), THROWN)
        plain, asked = case.run(write=False), case.run(write=False)
        for _ in range(20):
            plain.step()
            asked.step()
            self.assertEqual(asked.matrices().W.shape[0], asked.matrices().H.shape[0])
        np.testing.assert_array_equal(plain.state.velocity, asked.state.velocity)

    def test_scipy_is_imported_by_the_call_only(self):
        code = ("import sys, percussion\n"
                "sys.modules['scipy'] = None\n"
                f"run = percussion.Case({str(shipped('bouncing_ball.prm'))!r}).run(write=False)\n"
                "run.step()\n"
                "run.matrices()\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("scipy", done.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
