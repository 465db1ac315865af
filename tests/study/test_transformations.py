"""tools/transformations.py: entries, meshes and bodies in other frames, and verdicts on runs."""

import json
import sys
import unittest

import numpy as np

from studies import BUILD, SOURCE, StudyTest

sys.path.insert(0, str(SOURCE / "tools"))

from invariance import bodies, comparison, entries, formulas, frames, meshes, parameters, rearranged  # noqa: E402
from invariance import runs, verdicts  # noqa: E402

BOX = {("Rigid bodies", "box", "Shape"): "box", ("Rigid bodies", "box", "Position"): "1, 2, 3",
       ("Rigid bodies", "box", "Axis"): "1, 0, 1", ("Rigid bodies", "box", "Angle"): "0.4",
       ("Rigid bodies", "box", "Initial velocity"): "1, 0, 0",
       ("Rigid bodies", "box", "Initial angular velocity"): "1, 2, 3"}


def floats(text):
    """Returns the numbers of a list."""
    return np.array([float(x) for x in text.split(",")])


class Formulas(unittest.TestCase):
    def test_variables_are_replaced_and_names_and_files_stay(self):
        text = formulas.substituted('table("x.csv", t) + max(x, 1) + exp(t)*x1', {"x": "(y)", "t": "(t/2.0)"})
        self.assertEqual(text, 'table("x.csv", (t/2.0)) + max((y), 1) + exp((t/2.0))*x1')

    def test_old_position_at_new_one(self):
        frame = frames.turned(2)
        frame.shift, frame.length = np.array([0.3, -2.0]), 10.0
        old = np.array([0.7, 0.2])
        x, y = frame.points(old)
        for value, axis in zip(old, "xy"):
            expression = formulas.old_variables(frame)[axis]
            self.assertAlmostEqual(eval(expression, {"x": x, "y": y}), value, places=12)  # pylint: disable=eval-used

    def test_zero_keeps_its_text(self):
        self.assertEqual(formulas.vector("0, 0", frames.turned(2), 1e3), "0, 0")


class Reference(unittest.TestCase):
    def test_units_of_the_reference(self):
        self.assertEqual(parameters.exponents("M/(L T^2)"), (1, -1, -2))
        moment = {"path": "Rigid bodies/<body>/Moment", "documentation": "Moment, at t [M L^2/T^2]. Or [L]."}
        shape = {"path": "Rigid bodies/<body>/Shape", "documentation": "Shape."}
        units = parameters.read_units(json.dumps({"parameters": [moment, shape]}))
        self.assertEqual(units, {("Rigid bodies", True, "Moment"): (1, 2, -2)})

    def test_written_entries_are_read_again(self):
        found = {("Contact", "Gap tolerance"): "0", ("Contact", "a", "Region"): "b", ("Time", "End"): "1"}
        self.assertEqual(parameters.read_entries(parameters.written(found)), found)


    def test_constants_are_replaced_by_their_values(self):
        entries_of_case = {("Constants", "T"): "max(R^2, a)", ("Constants", "R"): "2", ("Constants", "a"): "pi*R",
                           ("Mesh", "Parameters"): "R = 2*R, n = 8", ("Contact", "c", "Region"): "a",
                           ("Time", "End"): "T", ("Material", "Density"): "3*R + exp(t)"}
        found = parameters.without_constants(entries_of_case)
        self.assertEqual(found, {("Mesh", "Parameters"): "R = 2*(2.0), n = 8", ("Contact", "c", "Region"): "a",
                                 ("Time", "End"): repr(2 * np.pi), ("Material", "Density"): "3*(2.0) + exp(t)"})


class Transformed(unittest.TestCase):
    def test_bodies_of_revolution_keep_their_axis(self):
        revolved = {("Material", "Plane"): "axisymmetric", ("Material", "Thickness"): "1"}
        case = runs.Case("bar", revolved, {}, 2)
        with self.assertRaises(parameters.NotTransformed):
            verdicts.frame_of(case, "turn")
        for name in ("mirror", "shift"):
            x, y = verdicts.frame_of(case, name).points(np.array([0.0, 0.2]))
            self.assertEqual(x, 0)
            self.assertNotEqual(y, 0.2)
        self.assertFalse(entries.is_used({**revolved, ("Mesh", "File"): "a.msh"}, ("Material", "Thickness")))

    def test_motion_along_one_axis_is_turned_by_right_angles_only(self):
        held = {("Boundary conditions", "a", "Displacement x"): "t", ("Boundary conditions", "a", "Displacement y"): ""}
        with self.assertRaises(parameters.NotTransformed):
            entries.transform(held, frames.turned(2), {})
        turned = entries.transform(held, frames.axes_exchanged(2), {})
        self.assertEqual(turned[("Boundary conditions", "a", "Displacement x")], "")
        self.assertEqual(turned[("Boundary conditions", "a", "Displacement y")], "(t)")

    def test_box_in_a_mirror_moves_as_the_mirror_image(self):
        for frame in (frames.turned(3), frames.mirrored(3)):
            moved = dict(BOX)
            bodies.transform_body(moved, ("Rigid bodies", "box"), frame)
            value = {path[-1]: text for path, text in moved.items()}
            def pose(value):
                return frames.rotation(floats(value["Axis"]), float(value["Angle"]))
            old = {path[-1]: text for path, text in BOX.items()}
            corner = np.array([0.5, -1.0, 1.5])  # of the box, and its velocity about the centre
            def velocity(value, corner):
                return pose(value) @ np.cross(floats(value["Initial angular velocity"]), corner)
            image = frame.mirror @ corner
            np.testing.assert_allclose(pose(value) @ image, frame.Q @ pose(old) @ corner, atol=1e-14)
            np.testing.assert_allclose(velocity(value, image), frame.Q @ velocity(old, corner), atol=1e-14)

    def test_axis_of_a_half_turn(self):
        for angle in (0.0, 1.0, 3.1, np.pi):
            R = frames.rotation(np.array([1.0, -2.0, 0.5]), angle)
            np.testing.assert_allclose(frames.rotation(*frames.axis_and_angle(R)), R, atol=1e-14)

    def test_nodes_of_a_mesh(self):
        mesh = meshes.Mesh((SOURCE / "meshes/block_q4.msh").read_text(encoding="utf-8"))
        self.assertEqual(mesh.nodes.max(axis=0).tolist(), [2, 1, 0])
        np.testing.assert_array_equal(meshes.Mesh(mesh.text(mesh.nodes / 3)).nodes, mesh.nodes / 3)

    def test_sides_of_a_surface_are_not_exchanged(self):
        contact = {("Contact", "a", name): text for name, text in (
            ("Surface", "half-plane"), ("Region", "r"), ("Bodies", ""), ("Against", "all"))}
        with self.assertRaises(parameters.NotTransformed):
            rearranged.exchanged_sides(contact)


class Verdicts(unittest.TestCase):
    def test_difference_beyond_nudges_does_not_pass(self):
        nudges = verdicts.Nudges(np.array([0, 1e-15, 1e-11, 1e-7]), 3)
        self.assertTrue(verdicts.judged(np.array([0, 9e-11, 9e-10, 1]), "", nudges).passes)
        late = verdicts.judged(np.array([0, 0, 1.1e-9, 1]), "", nudges)
        self.assertEqual((late.passes, late.step, late.difference), (False, 2, 1.1e-9))
        self.assertFalse(verdicts.judged(np.array([0, np.nan, 0, 0]), "", nudges).passes)

    def test_bodies_at_rest_have_a_scale(self):
        at_rest = {("velocity", "a"): np.full((2, 2), 1e-17), ("displacement", "a"): np.zeros((2, 2))}
        scale = comparison.scales(at_rest, 10.0, 0.5)
        self.assertEqual((scale["velocity"], scale["displacement"]), (0.5, 1e-6 * 10.0))


class Program(StudyTest):
    def command(self, *arguments):
        return [sys.executable, str(SOURCE / "tools/transformations.py"), str(BUILD), "runs", *map(str, arguments)]

    def test_bars_are_the_same_turned_and_exchanged(self):
        chosen = ("turn", "sides")
        lines = self.complete("--quick", "--case", "two_bars", *(
            word for name in chosen for word in ("--transformation", name)))
        self.assertEqual(lines[0].split()[3:5], list(chosen))
        self.assertEqual(lines[-1],
                         "2 transformations, 0 of which change an answer, and 0 are known to do so")

    def test_start_that_round_off_decides(self):
        outcome = self.start("--case", "two_bars", "--steps", 2, "--transformation", "shift", "--set",
                             "Initial state/Velocity x=0.1*(1 - 2*(x > -5))")
        self.assertEqual(outcome.returncode, 1, outcome.stdout + outcome.stderr)
        self.assertIn("changed: two_bars, shift: start, which round-off decides", outcome.stdout)


if __name__ == "__main__":
    unittest.main()
