"""Signals of formulas that Python changes between steps, and steps to which a run returns."""

import unittest

import numpy as np

import percussion
from support import FolderTest

WHEEL = """
subsection Signals
  set torque = 0.5
end
subsection Rigid bodies
  subsection wheel
    set Shape = disc
    set Radius = 0.1
    set Mass = 2
    set Moment = torque
  end
end
subsection Contact
  subsection far
    set Bodies = wheel
    set Surface = half-plane
    set Point = 0, -9
  end
end
subsection Time
  set Step = 1e-3
  set End = 1
end
"""
INERTIA = 0.5 * 2 * 0.1 ** 2

BELT = """
subsection Signals
  set speed = 0
end
subsection Rigid bodies
  subsection box
    set Width = 0.2
    set Height = 0.1
    set Mass = 1
    set Position = 0, 0.05
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection belt
    set Bodies = box
    set Surface = half-plane
    set Belt velocity x = speed
    set Friction coefficient = 0.8
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-3
  set End = 2
end
"""


class Signals(FolderTest):

    def case(self, text, **entries):
        (self.folder / "case.prm").write_text(text)
        return percussion.Case(self.folder / "case.prm", entries, self.folder / "out")

    def test_loads_have_the_value_from_the_beginning_of_a_step(self):
        run = self.case(WHEEL).run(write=False)
        self.assertEqual(run.signals, {"torque": 0.5})
        run.step(10)
        omega = 10 * 1e-3 * 0.5 / INERTIA
        np.testing.assert_allclose(run.rigid_bodies.velocity[0, 2], omega, rtol=1e-13)
        run.set("torque", -2)
        run.step()
        omega -= 1e-3 * 2 / INERTIA
        np.testing.assert_allclose(run.rigid_bodies.velocity[0, 2], omega, rtol=1e-13)

    def test_a_controller_of_the_speed(self):
        """The recurrence of a proportional controller, and the work of its torque."""
        run = self.case(WHEEL).run(write=False)
        target, gain, work, omega = 30.0, 0.8, 0.0, 0.0
        run.connect("torque", lambda r: gain * (target - r.rigid_bodies.velocity[0, 2]))
        for _ in range(1000):
            torque, angle = gain * (target - omega), run.rigid_bodies.displacement[0, 2]
            run.step()
            omega += 1e-3 * torque / INERTIA
            work += torque * (run.rigid_bodies.displacement[0, 2] - angle)
            self.assertLess(abs(run.rigid_bodies.velocity[0, 2] - omega), 1e-12 * target)
        ledger = run.ledger
        self.assertLess(abs(ledger["work_external"][-1] - work), 1e-12 * ledger["total"].max())
        self.assertLess(abs(ledger["balance_residual"]).max(), 1e-13 * ledger["total"].max())
        self.assertLess(abs(omega - target), 1e-9)

    def test_a_servo_moves_a_box_on_its_belt(self):
        """The belt has the speed 4 (x1 - x) of a position servo; the box sticks to it, and has its
        velocity at the end of each step."""
        run = self.case(BELT).run(write=False)
        run.connect("speed", lambda r: 4 * (0.3 - r.rigid_bodies.displacement[0, 0]) *
                    min(1.0, r.state.time / 0.5))
        x = last = 0.0
        for k in range(2000):
            speed = 4 * (0.3 - x) * min(1.0, run.state.time / 0.5)
            self.assertEqual(run.state.step, k)
            run.step()
            self.assertLess(abs(run.rigid_bodies.velocity[0, 0] - speed), 1e-12 * 1.2)  # of the largest
            x += 1e-3 * (last + speed) / 2
            self.assertLess(abs(run.rigid_bodies.displacement[0, 0] - x), 1e-12)
            last = speed
        self.assertLess(abs(x - 0.3), 1e-3)
        self.assertLess(abs(run.ledger["balance_residual"]).max(), 1e-13 * run.ledger["total"].max())

    def test_a_run_returns_to_a_saved_step(self):
        run = self.case(BELT).run(write=False)
        run.set("speed", 0.7)
        run.step(30)
        saved, energies = run.save(), []
        for speed in (0.2, 0.9, 0.2):
            run.restore(saved)
            self.assertEqual((run.state.step, run.signals["speed"]), (30, 0.7))
            self.assertEqual(len(run.ledger), 31)
            run.set("speed", speed)
            run.step(60)
            energies.append(run.ledger["total"].copy())
        self.assertEqual(energies[0].tolist(), energies[2].tolist())
        self.assertNotEqual(energies[0][-1], energies[1][-1])

    def test_runs_of_one_case_have_their_own_signals(self):
        case = self.case(WHEEL)
        first, second = case.run(write=False), case.run(write=False)
        first.set("torque", 1)
        for _ in range(5):
            first.step()
            second.step()
        ratio = first.rigid_bodies.velocity[0, 2] / second.rigid_bodies.velocity[0, 2]
        self.assertAlmostEqual(ratio, 2, places=12)

    def test_a_resumed_run_keeps_its_signals(self):
        case = self.case(WHEEL)
        with case.run() as run:
            run.set("torque", 3)
            run.step(20)
        with case.run(resume=True) as run:
            self.assertEqual(run.signals, {"torque": 3.0})
            run.step()
            np.testing.assert_allclose(run.rigid_bodies.velocity[0, 2], 21e-3 * 3 / INERTIA, rtol=1e-12)

    def test_mistakes(self):
        run = self.case(WHEEL).run(write=False)
        with self.assertRaisesRegex(percussion.InputError, "no signal 'torqe'.*did you mean 'torque'"):
            run.set("torqe", 1)
        with self.assertRaisesRegex(percussion.InputError, "finite"):
            run.set("torque", float("nan"))
        with self.assertRaisesRegex(percussion.InputError, "no signal"):
            run.connect("nothing", lambda r: 0)
        with self.assertRaisesRegex(percussion.InputError, "another run"):
            run.restore(self.case(WHEEL).run(write=False).save())
        with self.assertRaisesRegex(percussion.RunError, "writes results"):
            self.case(WHEEL).run().save()
        for text, words in (("set t = 1", "formulas have a t already"), ("set torque = x", "a number")):
            with self.assertRaisesRegex(percussion.InputError, words):
                self.case(WHEEL.replace("set torque = 0.5", text).replace("= torque", "= 1"))


if __name__ == "__main__":
    unittest.main()
