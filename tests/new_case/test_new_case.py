"""Cases that percussion --new writes: they run without warnings, and overwrite no file."""

import csv
import itertools
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ["PERCUSSION_BINARY_DIR"]) / "percussion"
SHORT_RUNS = {("bouncing", 3): ("Time/End=0.13", "Mesh/Parameters=size=0.05"),
              ("bouncing", 2): ("Time/End=0.13",), ("sliding", 3): ("Time/End=0.02",)}


class NewCaseTest(unittest.TestCase):
    """Test case that runs the program in a folder of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def start(self, *arguments):
        """Runs the program; returns its outcome."""
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def complete(self, *arguments):
        """Runs the program, which must end without warnings; returns its output."""
        outcome = self.start(*arguments)
        self.assertEqual((outcome.returncode, outcome.stderr), (0, ""), outcome.stdout)
        self.assertNotIn("arning", outcome.stdout)
        return outcome.stdout

    def files(self):
        """Returns the names of all files in the folder."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                      if path.is_file())

    def probe(self, case, name):
        """Returns the times and the values of a column of probes.csv."""
        lines = (self.folder / f"output/{case}/probes.csv").read_text(encoding="utf-8").splitlines()
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        rows = rows[1:]  # before the first step there is no force
        return [float(row["time"]) for row in rows], [float(row[name]) for row in rows]


class Runs(NewCaseTest):
    def run_new(self, kind, dim):
        """Writes, validates and runs a case."""
        printed = self.complete("--new", "first case", "--kind", kind, "--dim", str(dim))
        self.assertIn("percussion 'first case.prm'", printed)
        short = [word for entry in SHORT_RUNS.get((kind, dim), ()) for word in ("--set", entry)]
        if (kind, dim) == ("sliding", 2):
            self.assertIn("The case is valid", self.complete("first case.prm", "--validate"))
        self.complete("first case.prm", *short)

    def check_impact(self):
        times, forces = self.probe("first case", "impact.force_normal")
        fall = math.sqrt(2 * 0.05 / 9.81)
        begin = next(time for time, force in zip(times, forces) if force > 0)
        self.assertLess(abs(begin - fall), 1e-3)
        return times, forces

    def test_ball_bounces(self):
        self.run_new("bouncing", 2)
        times, forces = self.check_impact()
        end = max(time for time, force in zip(times, forces) if force > 0)
        self.assertLess(end, 0.125)
        # The impulse reverses the momentum m v; waves in the ball keep some of its energy.
        momentum = 1000 * math.pi * 0.1**2 * math.sqrt(2 * 9.81 * 0.05)
        impulse = sum(force * 2e-4 for force in forces)
        self.assertGreater(impulse, 1.7 * momentum)
        self.assertLess(impulse, 2.3 * momentum)

    def test_ball_bounces_in_3d(self):
        self.run_new("bouncing", 3)
        self.check_impact()

    def test_block_slides_and_stops(self):
        self.run_new("sliding", 2)
        _, forces = self.probe("first case", "friction.force_x")
        weight, momentum = 20 * 9.81, 20 * 1
        mean = abs(sum(forces[100:300])) / 200
        self.assertLess(abs(mean / (0.3 * weight) - 1), 0.03)
        self.assertLess(abs(abs(sum(forces)) * 1e-3 / momentum - 1), 0.01)

    def test_block_slides_in_3d(self):
        self.run_new("sliding", 3)
        times, forces = self.probe("first case", "friction.force_normal")
        landing = next(time for time, force in zip(times, forces) if force > 0)
        self.assertLess(abs(landing - math.sqrt(2 * 1e-4 / 9.81)), 1e-3)


class Names(NewCaseTest):
    def refused(self, words, *arguments):
        """Expects exit status 2, a message with these words, and no other files."""
        before = self.files()
        outcome = self.start(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome.stdout + outcome.stderr)
        self.assertTrue(outcome.stderr.startswith("percussion: "), outcome.stderr)
        self.assertIn(words, outcome.stderr)
        self.assertEqual(self.files(), before)

    def test_of_files(self):
        (self.folder / "cases").mkdir()
        self.complete("--new", "cases/drop.prm")
        self.assertEqual(self.files(), ["cases/drop.geo", "cases/drop.prm"])
        self.assertIn("set File = drop.geo ", (self.folder / "cases/drop.prm").read_text("utf-8"))

    def test_that_exist_are_not_overwritten(self):
        for name in ("drop.prm", "slide_table.geo"):
            (self.folder / name).write_text("mine", encoding="utf-8")
        self.refused("'drop.prm' exists, and is not overwritten", "--new", "drop")
        self.refused("'slide_table.geo' exists", "--new", "slide", "--kind", "sliding")
        self.assertEqual((self.folder / "drop.prm").read_text("utf-8"), "mine")

    def test_that_a_case_cannot_have(self):
        self.refused("cannot contain # ,", "--new", "a#b")
        self.refused("there is no folder 'none'", "--new", "none/drop")
        self.refused("cannot begin with '-'", "--new", "--help")
        for name in ("drop.geo", "drop.msh", "drop.PRM"):
            ending = name[name.index("."):]
            self.refused(f"a case ends in .prm, not in '{ending}'; give a name with this ending or "
                         "without one, for example --new drop", "--new", name)
        self.complete("--new", "drop.2")
        self.assertEqual(self.files(), ["drop.2.geo", "drop.2.prm"])

    def test_of_kinds_and_dimensions(self):
        self.refused("allowed is one of bouncing | sliding; did you mean 'sliding'?", "--new",
                     "drop", "--kind", "slidin")
        self.refused("--dim 4: allowed is 2 or 3", "--new", "drop", "--dim", "4")
        for word in ("three", "2.5", "2D"):
            self.refused(f"--dim {word}: allowed is 2 or 3", "--new", "drop", "--dim", word)
        self.refused("--dim and --kind go with --new", "--dim", "2")

    def test_without_options_of_runs(self):
        for option in (["--output", "out"], ["--set", "Time/Step=1"], ["--resume"], ["--validate"],
                       ["--explain", "Time"], ["--print-parameters"], ["--print-mesh"], ["--quiet"]):
            self.refused(f"--new goes with --dim and --kind only, not with {option[0]}",
                         "--new", "drop", *option)
        self.refused("--new goes without a case to run", "--new", "drop", "other.prm")

    def test_comments_are_aligned(self):
        """In each paragraph, whatever the lengths of the name and of vectors are."""
        for name, kind, dim in itertools.product(("a", "a-long-name"), ("bouncing", "sliding"), "23"):
            case = f"{name}-{kind}-{dim}"
            self.complete("--new", case, "--kind", kind, "--dim", dim)
            for file in self.folder.glob(f"{case}*"):
                mark = " # " if file.suffix == ".prm" else " // "
                for paragraph in file.read_text("utf-8").split("\n\n"):
                    columns = {line.index(mark) for line in paragraph.splitlines()
                               if mark in line and line[:line.index(mark)].strip()}
                    self.assertLessEqual(len(columns), 1, f"{file.name}: {paragraph}")
        self.assertEqual(len(self.files()), 2 * (2 * 2 + 2 * 3))


if __name__ == "__main__":
    unittest.main()
