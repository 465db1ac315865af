"""percussion-converge as used by users: known orders and limits, and wrong input."""

import sys
import unittest
from unittest import mock

from studies import BALL, BUILD, SOURCE, StudyTest, table_of

sys.path.insert(0, str(BUILD / "python"))

import percussion  # noqa: E402

# One step of size h moves a falling ball by h times the velocity at the end of the step if theta = 1:
# y(T) = 1 - g T (T + h)/2.
FALL = (BALL, "--set", "Time/End=0.4", "--set", "Time/Theta=1", "--set",
        "Contact/ground/Restitution=0", "--set", "Output/Number of instants=1", "--of", "ball.y")
LIMIT = 1 - 9.81 * 0.4 ** 2 / 2


class ConvergeTest(StudyTest):
    program = "percussion-converge"


class Levels(ConvergeTest):
    def test_the_order_and_the_limit_of_a_fall(self):
        words = self.complete(*FALL, "--over", "Time/Step=0.02", "--levels", "4", "--output", "out",
                              "--of", "constant = 2")
        rows = table_of(self.folder / "out/converge.csv")
        self.assertEqual([row["time_step"] for row in rows], ["0.02", "0.01", "0.005", "0.0025"])
        for row in rows:
            exact = LIMIT - 9.81 * 0.4 * float(row["time_step"]) / 2
            self.assertAlmostEqual(float(row["ball.y"]), exact, places=12)
        for row in rows[2:]:
            self.assertAlmostEqual(float(row["order of ball.y"]), 1, places=9)
        found, constant = table_of(self.folder / "out/estimates.csv")
        self.assertAlmostEqual(float(found["order"]), 1, places=9)
        self.assertAlmostEqual(float(found["extrapolated"]), LIMIT, places=11)
        self.assertAlmostEqual(float(found["error bar"]), 1.25 * 9.81 * 0.4 * 0.0025 / 2, places=9)
        self.assertEqual(constant["verdict"], "equal on all levels")
        self.assertIn("  converges; order 1, extrapolated 0.2152, error bar of the finest level "
                      "± 0.0061", words)
        self.assertTrue((self.folder / "out/converge.png").read_bytes().startswith(b"\x89PNG"))

    def test_entries_that_grow(self):
        """Numbers of instants do not change the ball, but are divided by 1/2 to whole numbers."""
        self.complete(BALL, "--set", "Time/End=0.1", "--over", "Output/Number of instants=5",
                      "--ratio", "0.5", "--of", "ball.y", "--output", "out")
        rows = table_of(self.folder / "out/converge.csv")
        self.assertEqual([row["number_of_instants"] for row in rows], ["5", "10", "20"])
        self.assertEqual(table_of(self.folder / "out/estimates.csv")[0]["verdict"],
                         "equal on all levels")

    def test_the_first_value_is_that_of_the_geometry(self):
        self.complete(SOURCE / "params/hertz.prm", "--set", "Time/Step=0.5", "--over",
                      "Mesh/Parameters=s", "--ratio", "1.2", "--of", "strain", "--output", "out")
        rows = table_of(self.folder / "out/converge.csv")
        self.assertEqual(float(rows[0]["s"]), 0.5)
        self.assertAlmostEqual(float(rows[2]["s"]), 0.5 / 1.44, places=12)
        values = [float(row["strain"]) for row in rows]
        self.assertLess(max(values) / min(values) - 1, 0.01)
        self.assertGreater(max(values), min(values))

    def test_resuming(self):
        options = (*FALL, "--over", "Time/Step=0.02", "--output", "out")
        self.complete(*options)
        words = self.complete(*options, "--resume", "--of", "kinetic:max")
        self.assertEqual(words[0], "resumed: 3 of 3 runs are complete")
        self.assertIn("kinetic:max", table_of(self.folder / "out/converge.csv")[0])
        self.refused("go on by --resume", *options)
        self.refused("its run 001", *options, "--resume", "--set", "Output/Energy interval=2")

    def test_a_level_that_is_refused(self):
        outcome = self.start(BALL, "--set", "Time/End=0.1", "--over",
                             "Contact/ground/Restitution=0.4", "--ratio", "0.5", "--of", "total",
                             "--output", "out")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertIn("a level is missing:\n  003: refused (restitution = 1.6)", outcome.stderr)


class FromPython(ConvergeTest):
    def test_the_tables_are_returned(self):
        with mock.patch("builtins.print"):
            levels, estimates = percussion.converge(
                BALL, "Time/Step=0.02", ["ball.y"], {"Time/End": 0.4, "Time/Theta": 1},
                output=self.folder / "out")
        self.assertEqual(levels["time_step"].tolist(), [0.02, 0.01, 0.005])
        self.assertAlmostEqual(estimates["extrapolated"][0], LIMIT, places=11)
        self.assertEqual(estimates["verdict"].tolist(), ["converges"])

    def test_bad_input_is_a_value_error(self):
        for words, over, parameters in (
                ("holds files already; choose an empty folder", "Time/Step", {}),
                ("'Time/Stepp'", "Time/Step", {"Time/Stepp": 1})):
            (self.folder / "out").mkdir(exist_ok=True)
            (self.folder / "out/notes").write_text("mine")
            with self.assertRaisesRegex(ValueError, words):
                percussion.converge(BALL, over, "ball.y", parameters, output=self.folder / "out")
        with self.assertRaisesRegex(ValueError, "levels is 2; at least 3"):
            percussion.converge(BALL, "Time/Step", "ball.y", levels=2)


class BadInput(ConvergeTest):
    def test_options(self):
        self.refused("--over is missing", BALL, "--of", "total")
        self.refused("--of is missing", BALL, "--over", "Time/Step")
        step = (BALL, "--over", "Time/Step", "--of", "total")
        self.refused("'2' is not a whole number from 3 to 12", *step, "--levels", "2")
        self.refused("'1' is not a positive number other than 1", *step, "--ratio", "1")
        self.refused("--of: a quantity is given twice", *step, "--of", "total")

    def test_entries(self):
        def refuse(entry, words):
            self.refused(words, BALL, "--of", "total", "--over", entry)
        refuse("Step", "'Step' is not the path of an entry")
        refuse("Time/Step=0", "the first value of Time/Step is '0'; allowed is a number other than 0")
        refuse("Time/Stepp", "the case has no entry 'Time/Stepp'; did you mean 'Time/Step'?")
        refuse("Time/Step=abc", "the first value of Time/Step is 'abc'; allowed is a number other than 0")
        refuse("Xyzzy/Q", "the case has no entry 'Xyzzy/Q'; percussion --print-parameters")
        refuse("Time/Scheme", "Time/Scheme is 'moreau-jean-fremond', which cannot be divided")
        refuse("Mesh/Parameters=size", "'size' is no constant of a geometry (.geo): the case has no mesh")
        self.refused("'size' is no constant of a geometry (.geo): Mesh/File is '", SOURCE /
                     "params/hello_drop.prm", "--of", "total", "--over", "Mesh/Parameters=size")
        self.refused("nor DefineConstant of its geometry has 'size'", SOURCE / "params/hertz.prm",
                     "--of", "total", "--over", "Mesh/Parameters=size")
        self.refused("absent.prm", "absent.prm", "--of", "total", "--over", "Time/Step")


if __name__ == "__main__":
    unittest.main()
