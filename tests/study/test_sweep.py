"""percussion-sweep as used by users: tables, samples, resumed and killed sweeps, wrong input."""

import contextlib
import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np

from studies import BALL, BUILD, SOURCE, StudyTest, table_of

sys.path.insert(0, str(BUILD / "python"))

import percussion  # noqa: E402
from percussion_report.command_line import reason_of  # noqa: E402
from percussion_study import study  # noqa: E402

SHORT = ("--set", "Time/End=0.6", "--set", "Output/Number of instants=1")
RESTITUTION = "Contact/ground/Restitution"


class SweepTest(StudyTest):
    program = "percussion-sweep"


class Table(SweepTest):
    def test_rebound_over_restitution(self):
        words = self.complete(BALL, *SHORT, "--vary", f"{RESTITUTION}=range(0, 1, 3)", "--output",
                              "out", "--plot", "rebound = max(ball.vy)/max(-ball.vy)",
                              "--column", "ball.y:min", "--format", "pdf")
        self.assertEqual(words[-4:], ["out/sweep.csv", "out/rebound.png", "out/rebound.pdf", "out/index.html"])
        rows = table_of(self.folder / "out/sweep.csv")
        self.assertEqual([row["run"] for row in rows], ["001", "002", "003"])
        for row in rows:
            self.assertEqual(row["status"], "completed")
            # The ball leaves with e times its speed: the law itself.
            self.assertAlmostEqual(float(row["rebound"]), float(row["restitution"]), places=9)
            run = percussion.read(self.folder / "out" / row["run"])
            self.assertEqual(float(row["ball.y:min"]), run.rigid_bodies["ball.y"].min())
            for name, values in run.table.items():
                self.assertEqual(float(row[name]), values[-1], name)
        self.assertTrue((self.folder / "out/rebound.png").read_bytes().startswith(b"\x89PNG"))
        page = (self.folder / "out/index.html").read_text(encoding="utf-8")
        (BUILD / "page-of-a-sweep").mkdir(exist_ok=True)  # for a browser
        (BUILD / "page-of-a-sweep/index.html").write_text(page, encoding="utf-8")
        self.assertIn("3 of 3 runs completed; rebound from 0 to 1.", page)
        (values,) = json.loads(re.search("data-v='(.*?)'", page)[1])
        self.assertEqual(values[0], [0, 0.5, 1])
        np.testing.assert_allclose(values[1], [float(row["rebound"]) for row in rows], rtol=1e-5)

    def test_variables_and_combinations(self):
        self.complete(BALL, "--set", "Time/End=0.1", "--set", "Output/Number of instants=1", "--set",
                      "Rigid bodies/ball/Initial velocity=0, -{v}", "--vary", "v=1,2.5", "--vary",
                      "g: Boundary conditions/Gravity=0, -9.81; 0, 0", "--output", "out",
                      "--column", "speed = ball.vy[0]/v")
        rows = table_of(self.folder / "out/sweep.csv")
        self.assertEqual([(row["v"], row["g"]) for row in rows],
                         [("1", "0, -9.81"), ("1", "0, 0"), ("2.5", "0, -9.81"), ("2.5", "0, 0")])
        self.assertEqual([float(row["speed"]) for row in rows], [-1] * 4)
        for row in rows:
            fall = 0.981 if "9.81" in row["g"] else 0
            energy = (float(row["v"]) + fall) ** 2 / 2
            self.assertAlmostEqual(float(row["kinetic"]), energy, places=9)

    def test_constants_of_geometries(self):
        case = SOURCE / "params/hertz.prm"
        self.complete(case, "--set", "Time/Step=0.5", "--vary", "Mesh/Parameters=s=0.5,1",
                      "--output", "out")
        sizes = [json.loads((self.folder / f"out/{run}/summary.json").read_text())["size"]["nodes"]
                 for run in ("001", "002")]
        self.assertEqual(sizes[0], 2532)
        self.assertLess(sizes[1], 1500)

    def test_samples_have_statistics(self):
        self.complete(BALL, *SHORT, "--vary", f"{RESTITUTION}=uniform(0.2, 0.6)", "--samples", "5",
                      "--seed", "4", "--plot", "rebound = max(ball.vy)/max(-ball.vy)", "--output",
                      "out")
        rows = table_of(self.folder / "out/sweep.csv")
        (found,) = table_of(self.folder / "out/statistics.csv")
        numbers = np.array([float(row["restitution"]) for row in rows])
        self.assertEqual(sorted(((numbers - 0.2) / 0.4 * 5).astype(int)), [0, 1, 2, 3, 4])
        for name, expected in (("mean", numbers.mean()), ("deviation", numbers.std(ddof=1)),
                               ("median", np.median(numbers)), ("largest", numbers.max())):
            self.assertAlmostEqual(float(found[name]), expected, places=9)
        self.assertEqual((found["quantity"], float(found["samples"])), ("rebound", 5))

    def test_runs_that_are_refused_are_listed(self):
        outcome = self.start(BALL, *SHORT, "--vary", f"{RESTITUTION}=0.5,3", "--output", "out")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertRegex(outcome.stdout, r"002: refused \(restitution = 3\): --vary: .*Restitution' is '3'")
        rows = table_of(self.folder / "out/sweep.csv")
        self.assertEqual([row["status"] for row in rows], ["completed", "refused"])
        self.assertEqual(rows[1]["total"], "")

    def test_all_problems_of_a_refused_run_are_on_the_page(self):
        outcome = self.start(BALL, *SHORT, "--vary", f"e: {RESTITUTION}=0.5,3", "--set",
                             "Contact/ground/Friction coefficient={mu}", "--vary", "mu=0.3,-1", "--plot",
                             "y = ball.y[-1]", "--output", "out")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        page = html.unescape((self.folder / "out/index.html").read_text(encoding="utf-8"))
        for text in (outcome.stdout, page):
            self.assertRegex(text, r"2 problems in the input: --set: [^;]*Friction coefficient' is '-1'.*; "
                             r"--vary: 'Contact/ground/Restitution' is '3'")

    def test_the_name_of_the_case_is_escaped(self):
        case = self.folder / "<script>alert(1)<&script>\"'.prm"
        case.write_text(f"include {BALL}\n", encoding="utf-8")
        self.complete(case, *SHORT, "--vary", f"{RESTITUTION}=0.5", "--plot", "y = ball.y[-1]", "--output", "out")
        page = (self.folder / "out/index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<script"), 1)
        self.assertIn("<h1>Sweep of <script>alert(1)<&script>\"'</h1>", html.unescape(page))

    def test_warnings_are_no_reason_for_a_failure(self):
        errors = "percussion: warning: alternating stick\npercussion: step 3 has failed\nTry it again\n"
        self.assertEqual(reason_of(errors, 1), "step 3 has failed Try it again")
        self.assertEqual(reason_of("", 139), "exit status 139")
        warning = "percussion: warning: the step is long\n"
        self.assertEqual(reason_of(warning, 137), "exit status 137")
        self.assertEqual(reason_of(warning + "Stopped after step 3.\n", 3), "Stopped after step 3.")
        self.assertEqual(reason_of("Killed\n", 137), "Killed")

    def test_runs_that_fail_are_listed(self):
        case = self.folder / "case.prm"
        case.write_text(BALL.read_text().replace(
            "set Surface = half-plane", "set Surface = half-plane\n    set Motion y = 1/(t-0.01)"))
        outcome = self.start(case, "--vary", "Time/End=0.005,0.02", "--output", "out")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertIn("not a finite number at t = 0.01", outcome.stdout)
        rows = table_of(self.folder / "out/sweep.csv")
        self.assertEqual([row["status"] for row in rows], ["completed", "failed"])
        again = self.start(case, "--vary", "Time/End=0.005,0.02", "--output", "out", "--resume")
        self.assertEqual(again.returncode, 1)
        self.assertIn("resumed: 1 of 2 runs are complete", again.stdout)


class FromPython(SweepTest):
    def test_the_table_is_returned(self):
        with mock.patch("builtins.print"):
            table = percussion.sweep(
                BALL, {"Boundary conditions/Gravity": [(0, -9.81), (0, 0.0)]}, {"Time/End": 0.1},
                columns=["ball.vy"], plots=["height = ball.y[-1]"], output=self.folder / "out")
        self.assertEqual(table["gravity"].tolist(), ["0, -9.81", "0, 0.0"])
        self.assertEqual(table["run"].tolist(), ["001", "002"])
        self.assertAlmostEqual(table["ball.vy"][0], -0.981, places=12)
        self.assertEqual(table["ball.vy"][1], 0)
        self.assertEqual(table["height"][1], 1)
        self.assertTrue((self.folder / "out/index.html").exists())


class Resuming(SweepTest):
    """A complete sweep of a case with a mesh, a table and a file that it includes."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.case = cls.folder / "case.prm"
        shutil.copy(SOURCE / "meshes/block_q4.msh", cls.folder)
        (cls.folder / "base.prm").write_text(
            (SOURCE / "params/hello_drop.prm").read_text().replace("../meshes/", ""))
        (cls.folder / "pull.csv").write_text("0, 0\n2, 1\n")
        cls.case.write_text("include base.prm\nsubsection Boundary conditions\n  subsection bottom\n"
                            '    set Traction y = table("pull.csv", t)\n  end\nend\n')
        cls.options = (cls.case, "--set", "Time/End=0.02", "--vary", f"{RESTITUTION}=0,0.5",
                       "--output", "out")
        cls().complete(*cls.options)

    def setUp(self):
        """Keeps the folder of the sweep."""

    def test_complete_runs_stay(self):
        before = (self.folder / "out/001/energy.csv").stat().st_mtime_ns
        words = self.complete(*self.options, "--resume", "--column", "kinetic:max", "--jobs", "1")
        self.assertEqual(words[0], "resumed: 2 of 2 runs are complete")
        self.assertEqual((self.folder / "out/001/energy.csv").stat().st_mtime_ns, before)
        self.assertIn("kinetic:max", table_of(self.folder / "out/sweep.csv")[0])

    def test_results_are_never_overwritten(self):
        self.refused("out: this folder holds files already; go on by --resume", *self.options)
        (self.folder / "full").mkdir()
        (self.folder / "full/notes").write_text("mine")
        self.refused("full: this folder holds files already; choose an empty folder",
                     *self.options[:-1], "full")
        self.refused("none/sweep.json: cannot be read", *self.options[:-1], "none", "--resume")

    def test_changed_files_are_refused(self):
        for name in ("case.prm", "base.prm", "block_q4.msh", "pull.csv"):
            file = self.folder / name
            content = file.read_text()
            with self.subTest(name):
                file.write_text(content + "\n")
                self.refused(f"cannot be resumed:\n  {name} has changed", *self.options, "--resume")
                file.write_text(content)
        self.complete(*self.options, "--resume")

    def test_changed_options_are_refused(self):
        changed = [word.replace("0,0.5", "0,0.4") for word in map(str, self.options)]
        self.refused('its run 002 has {"Time/End": "0.02", "Contact/ground/Restitution": "0.5"}',
                     *changed, "--resume")
        self.refused("it has 2 runs, these options make 3",
                     *(w.replace("0,0.5", "0,0.4,1") for w in map(str, self.options)), "--resume")
        self.refused("its run 001", *self.options, "--set", "Time/Step=1e-3", "--resume")
        file = self.folder / "out/sweep.json"
        text = file.read_text()
        file.write_text(text.replace('"percussion": "', '"percussion": "9.'))
        self.refused("it was begun by percussion 9.", *self.options, "--resume")
        file.write_text("{}")
        self.refused("sweep.json: this file is damaged", *self.options, "--resume")
        file.write_text(text)


class Kills(SweepTest):
    """Sweeps that are killed or stopped, with a checkpoint after each 1000 steps of a run."""

    OPTIONS = (BALL, "--set", "Time/Step=5e-5", "--set", "Output/Steps between checkpoints=1000",
               "--set", "Output/Energy interval=100", "--set", "Output/Number of instants=3",
               "--vary", f"{RESTITUTION}=0.2,0.6", "--jobs", "1")
    TABLES = ("sweep.csv", *(f"{run}/{file}.csv" for run in ("001", "002")
                             for file in ("energy", "rigid_bodies")))
    tables_of_one_go = None

    def interrupted(self, number, *more, kills_runs=False):
        """Starts a sweep and sends a signal as soon as a run has a checkpoint, also to its runs if these
        are to end with it, as in a power cut."""
        earlier = self.checkpoints()
        with subprocess.Popen(self.command(*self.OPTIONS, "--output", "out", *more),
                              cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            end = time.monotonic() + 120
            while not self.checkpoints() - earlier:
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(process.poll())
                time.sleep(0.005)
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            process.send_signal(number)
            for child in children if kills_runs else ():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), number)
            _, errors = process.communicate()
        return process.returncode, errors

    def checkpoints(self):
        """Returns the second checkpoints of all runs, with their times."""
        return {(file, file.stat().st_mtime_ns) for file in self.folder.glob("out/00*/checkpoint-2.bin")}

    def tables(self, folder):
        return {name: (self.folder / folder / name).read_bytes() for name in self.TABLES}

    def expect_the_sweep_of_one_go(self):
        """Resumes the sweep, and compares its tables with those of a sweep without interruption."""
        self.complete(*self.OPTIONS, "--output", "out", "--resume")
        if Kills.tables_of_one_go is None:
            self.complete(*self.OPTIONS, "--output", "whole")
            Kills.tables_of_one_go = self.tables("whole")
        self.assertEqual(self.tables("out"), Kills.tables_of_one_go)

    def test_a_killed_sweep_goes_on(self):
        status, _ = self.interrupted(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.expect_the_sweep_of_one_go()

    def test_a_sweep_killed_twice_with_its_runs_goes_on(self):
        self.interrupted(signal.SIGKILL, kills_runs=True)
        self.assertFalse((self.folder / "out/002/summary.json").exists())
        status, _ = self.interrupted(signal.SIGKILL, "--resume", kills_runs=True)
        self.assertEqual(status, -signal.SIGKILL)
        self.expect_the_sweep_of_one_go()

    def test_a_stopped_sweep_says_how_to_go_on(self):
        status, errors = self.interrupted(signal.SIGTERM)
        self.assertEqual(status, 1)
        self.assertIn("percussion-sweep: stopped. Go on with: percussion-sweep ", errors)
        self.assertIn("--resume", errors)
        statuses = [json.loads(file.read_text())["status"]
                    for file in self.folder.glob("out/00*/summary.json")]
        self.assertIn("stopped", statuses)
        self.expect_the_sweep_of_one_go()

    def test_a_run_without_a_checkpoint_begins_again(self):
        self.complete(*self.OPTIONS, "--output", "out", "--set", "Time/End=0.1")
        folder = self.folder / "out/002"
        for name in ("summary.json", "checkpoint-1.bin", "checkpoint-2.bin"):
            (folder / name).unlink(missing_ok=True)
        words = self.complete(*self.OPTIONS, "--output", "out", "--set", "Time/End=0.1", "--resume")
        self.assertEqual(words[0], "resumed: 1 of 2 runs are complete")
        self.assertTrue((folder / "summary.json").exists())


class Reading(unittest.TestCase):
    """Order in which a resumed sweep starts runs and reads the tables of complete ones."""

    def test_runs_begin_before_tables_of_earlier_runs_are_read(self):
        events = []

        class Run:
            """Run that ends at the third look."""

            def __init__(self, _program, _case, job):
                events.append(f"start {job.name}")
                self.job, self.looks = job, 0

            def has_ended(self):
                self.looks += 1
                return self.looks > 2

            def finish(self):
                self.job.status = "completed"

        def collect(job, _quantities):
            events.append(f"read {job.name}")
            job.end = {"time": 1}

        jobs = [study.Job(f"out/{i}", {}, {}) for i in range(6)]
        for job in jobs[:4]:
            job.status = "completed"
        with mock.patch.object(study, "Process", Run), mock.patch("builtins.print"), \
                mock.patch.object(study.Job, "collect", collect):
            study.run_all("", "", jobs, 2, [])
        self.assertEqual(events[:3], ["start 4", "start 5", "read 0"])
        self.assertEqual(sorted(events[2:]), [f"read {i}" for i in range(6)])


class BadInput(SweepTest):
    def test_options(self):
        for words, *options in (
                ("--vary is missing",), ("unrecognized arguments: --fast", "--fast"),
                ("'0' is not a whole number from 1 to 1000", "--jobs", "0"),
                ("'1' is not a whole number from 2 to 10000", "--samples", "1"),
                ("'sobol' is not one of latin-hypercube, independent", "--sampling", "sobol")):
            self.refused(words, BALL, *options)
        vary = ("--vary", f"{RESTITUTION}=0,1")
        self.refused("--over: 'x' is not varied; varied are restitution", BALL, *vary, "--over", "x")
        self.refused("two columns have this name", BALL, *vary, "--plot", "a = 1", "--column", "a = 2")
        self.refused("--plot: 'energy:largest' is not COLUMN:REDUCTION", BALL, *vary, "--plot",
                     "energy:largest")

    def test_cases(self):
        self.refused("absent.prm", "absent.prm", "--vary", "Time/Step=1,2")
        self.refused("--vary: unknown entry 'Time/Stepp'; did you mean 'Step'?", BALL, "--vary",
                     "Time/Stepp=1,2")
        self.refused(f"--vary: '{RESTITUTION}' is '2'", BALL, "--vary", f"{RESTITUTION}=2,1")
        self.refused("--set: 'Time/End' is 'never'", BALL, "--vary", f"{RESTITUTION}=0,1", "--set",
                     "Time/End=never")
        self.refused("--set: {w} in 'Time/End={w}' has no value; there are {restitution}; or add "
                     '--vary "w=VALUES"', BALL, "--vary", f"{RESTITUTION}=0,1", "--set", "Time/End={w}")
        self.assertEqual(os.listdir(self.folder), [])

    def test_unknown_columns_end_the_sweep_at_the_first_run(self):
        self.refused("--plot: 'max(ball.vz)': there is no column or input 'ball.vz'; did you mean "
                     "'ball.v", BALL, *SHORT, "--vary", f"{RESTITUTION}=0,0.5,1", "--jobs",
                     "1", "--plot", "y = max(ball.vz)", "--output", "out")
        self.assertFalse((self.folder / "out/003").exists())
        self.complete(BALL, *SHORT, "--vary", f"{RESTITUTION}=0,0.5,1", "--plot",
                      "y = max(ball.vy)", "--output", "out", "--resume")


if __name__ == "__main__":
    unittest.main()
