"""Arrays are views of the library's memory: there are no copies, and their memory lives as long
as they do."""

import gc
import unittest

import numpy as np

import percussion
from support import FolderTest, shipped


def address(array):
    return array.__array_interface__["data"][0]


class Views(unittest.TestCase):
    def views(self, run):
        return {
            "displacement": run.state.displacement,
            "velocity": run.state.velocity,
            "rigid displacement": run.rigid_bodies.displacement,
            "rigid velocity": run.rigid_bodies.velocity,
        }

    def expect_views(self, file, parameters):
        run = percussion.Case(shipped(file), parameters).run(write=False)
        first = self.views(run)
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
        for _ in run:
            for name, array in self.views(run).items():
                self.assertEqual(address(array), address(first[name]), name)
        for name, array in first.items():
            self.assertTrue(array.size == 0 or (array != before[name]).any(), name)
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
        self.expect_views("pillar.prm", {"Time/End": 0.05})


class Contacts(unittest.TestCase):
    SHAPES = {
        "pair": (), "node": (), "body": (), "obstacle": (), "initial_position": (2,),
        "position": (2,), "area": (), "friction": (), "gap": (), "normal": (2,), "percussion": (2,),
        "velocity": (2,), "status": (), "took_part": (), "key": (4,),
    }

    def columns(self, run):
        columns = {name: getattr(run.contacts, name) for name in self.SHAPES}
        columns["frame"] = run.contacts.frame()
        for name, array in columns.items():
            shape = self.SHAPES.get(name, (2, 2))
            self.assertEqual(array.shape, (len(run.contacts), *shape), name)
            self.assertTrue(array.flags.owndata and array.flags.c_contiguous, name)
        return columns

    def test_what_a_step_did(self):
        run = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.3}).run(write=False)
        numbers = set()
        for record in run:
            c = self.columns(run)
            self.assertEqual(c["took_part"].sum(), record.contacts_active)
            self.assertEqual((c["status"] == percussion.SLIP).sum(), record.contacts_sliding)
            works = (c["velocity"] * c["percussion"]).sum(axis=0)
            np.testing.assert_allclose(
                works, (record.work_contact_normal, record.work_contact_tangential), rtol=1e-12,
                atol=1e-15,
            )
            numbers.add(record.contacts_active)
        self.assertEqual(len(c["gap"]), 21)
        self.assertGreater(len(numbers), 1)
        self.assertEqual(set(c["body"]), {-1})
        np.testing.assert_allclose(c["position"][:, 1] + 0.3, c["gap"], atol=1e-15)

    def test_they_come_and_go_between_rigid_bodies(self):
        run = percussion.Case(shipped("pillar.prm"), {"Time/End": 0.2}).run(write=False)
        n, names = len(run.rigid_bodies), run.contacts.names
        first = self.columns(run)
        copies = {name: array.copy() for name, array in first.items()}
        seen = set()
        for _ in run:
            c = self.columns(run)
            keys = [tuple(key) for key in c["key"].tolist()]
            self.assertEqual(keys, sorted(set(keys)))
            seen.add(tuple(keys))
            self.assertEqual(set(c["node"]), {-1})
            self.assertTrue(((0 <= c["body"]) & (c["body"] < n)).all())
            self.assertTrue(((-1 <= c["obstacle"]) & (c["obstacle"] < n)).all())
            self.assertTrue((c["pair"] < len(names)).all())
            self.assertTrue(c["took_part"][np.isnan(c["gap"])].all())
            self.assertFalse(c["percussion"][~c["took_part"]].any())
        self.assertGreater(len(seen), 1)
        for name, array in first.items():
            np.testing.assert_array_equal(array, copies[name])


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
