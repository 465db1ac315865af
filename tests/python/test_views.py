"""Arrays show the library's memory: no copies, and they live as long as somebody looks."""

import gc
import unittest

import numpy as np

import percussion
from support import FolderTest, shipped


def address(array):
    return array.__array_interface__["data"][0]


class Views(unittest.TestCase):
    def views(self, run):
        contacts = run.contacts
        arrays = {
            "displacement": run.state.displacement,
            "velocity": run.state.velocity,
            "rigid displacement": run.rigid_bodies.displacement,
            "rigid velocity": run.rigid_bodies.velocity,
        }
        for name in ("gap", "normal", "percussion", "status", "pair", "node", "body", "obstacle",
                     "initial_position", "area", "friction"):
            arrays[name] = getattr(contacts, name)
        return arrays

    def expect_views(self, file, parameters):
        run = percussion.Case(shipped(file), parameters).run(write=False)
        first = self.views(run)
        n = len(run.contacts)
        self.assertGreater(n, 0)
        for name, array in first.items():
            with self.subTest(name):
                self.assertIsNotNone(array.base)
                self.assertFalse(array.flags.owndata)
                self.assertFalse(array.flags.writeable)
                if array.size > 0:
                    with self.assertRaises(ValueError):
                        array[0] = 0
                    with self.assertRaises(ValueError):
                        array.flags.writeable = True
        before = {name: array.copy() for name, array in first.items()}
        changed = set()
        for _ in run:
            for name in ("gap", "percussion"):
                if (first[name] != before[name]).any():
                    changed.add(name)
        self.assertEqual(changed, {"gap", "percussion"})
        for name, array in self.views(run).items():
            with self.subTest(name):
                self.assertEqual(address(array), address(first[name]))
                self.assertTrue(array.size == 0 or np.shares_memory(array, first[name]))
                np.testing.assert_array_equal(array, first[name])
        return run

    def test_linear_body(self):
        self.expect_views("hello_drop.prm", {"Time/End": 0.3})

    def test_hyperelastic_body_whose_steps_are_cut(self):
        run = self.expect_views(
            "ring_impact.prm",
            {"Mesh/File": "../meshes/ring_coarse.msh", "Time/End": 0.3, "Time/Step": 0.01,
             "Solver/Max Newton iterations": 8},
        )
        self.assertGreater(run.summary.cuts, 0)

    def test_steps_taken_back_for_their_energy_error(self):
        run = self.expect_views(
            "impacting_stick_classical.prm",
            {"Time/Adaptive": True, "Time/Energy error": 1e-9, "Time/End": 0.1},
        )
        self.assertGreater(run.summary.cuts, 0)

    def test_rigid_bodies_against_each_other(self):
        run = self.expect_views("pillar.prm", {"Time/End": 0.05})
        contacts = run.contacts
        self.assertEqual(set(contacts.node), {-1})
        self.assertEqual(contacts.body.min(), 0)
        self.assertEqual(contacts.obstacle.min(), -1)

    def test_columns_of_changing_length(self):
        run = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.3}).run(write=False)
        contacts = run.contacts
        places = set()
        lengths = set()
        for record in run:
            active, velocity = contacts.active, contacts.velocity
            self.assertEqual(active.shape, (record.contacts_active,))
            self.assertEqual(velocity.shape, (record.contacts_active, 2))
            works = (velocity * contacts.percussion[active]).sum(axis=0)
            np.testing.assert_allclose(
                works, (record.work_contact_normal, record.work_contact_tangential), rtol=1e-12,
                atol=1e-15,
            )
            places.add((address(active), address(velocity)))
            lengths.add(len(active))
        self.assertEqual(len(places), 1)
        self.assertGreater(len(lengths), 1)


class Lifetimes(FolderTest):
    def test_views_outlive_everything(self):
        case = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.05})
        run = case.run(write=False)
        run.step(10)
        kept = [run.state.displacement, run.contacts.gap, run.contacts.area, run.ledger,
                run.ledger["total"], case.mesh.nodes, case.mesh.regions["bottom"],
                case.initial.velocity]
        expected = [array.copy() for array in kept]
        del case, run
        gc.collect()
        others = [percussion.Case(shipped("hello_drop.prm")) for _ in range(3)]
        for array, copy in zip(kept, expected):
            np.testing.assert_array_equal(array, copy)
        del kept, others
        gc.collect()

    def test_a_view_outlives_the_end_of_its_run(self):
        case = percussion.Case(
            shipped("bouncing_ball.prm"), {"Time/End": 0.1}, output=self.folder / "out"
        )
        run = case.run()
        velocity = run.rigid_bodies.velocity
        run.step(case.n_steps)
        run.finish()
        del run
        gc.collect()
        self.assertAlmostEqual(velocity[0, 1], -0.981, places=12)

    def test_two_cases_and_two_runs_of_one(self):
        ball = percussion.Case(shipped("bouncing_ball.prm"), {"Time/End": 0.02})
        drop = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.01})
        runs = [ball.run(write=False), drop.run(write=False), ball.run(write=False)]
        while not all(run.finished for run in runs):
            for run in runs:
                if not run.finished:
                    run.step()
        self.assertFalse(
            np.shares_memory(runs[0].rigid_bodies.velocity, runs[2].rigid_bodies.velocity)
        )
        np.testing.assert_array_equal(
            runs[0].rigid_bodies.displacement, runs[2].rigid_bodies.displacement
        )
        np.testing.assert_array_equal(runs[0].ledger, runs[2].ledger)

    def test_the_ledger_grows_behind_a_view(self):
        run = percussion.Case(shipped("bouncing_ball.prm")).run(write=False)
        run.step(1000)
        early = run.ledger
        copy = early.copy()
        run.step(1000)
        late = run.ledger
        self.assertEqual((len(early), len(late)), (1001, 2001))
        np.testing.assert_array_equal(early, copy)
        np.testing.assert_array_equal(late[:1001], copy)


if __name__ == "__main__":
    unittest.main()
