"""percussion-certify as used by users: runs that create energy, other programs."""

import html
import json
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from runs import BUILD, PROGRAM, SOURCE, CertifiedRun, certify, change_cell, compute, started

HISTORY = "time,kinetic,potential,work_load,work_friction\n"


class Runs(CertifiedRun):
    case = "bouncing_ball.prm"
    settings = {"Time/End": "0.6", "Time/Step": "2e-3", "Output/Number of instants": "10"}

    def test_the_certificate_has_checks_and_hashes(self):
        folder = self.copy()
        self.assert_passes(folder)
        with open(folder / "certificate.json", encoding="utf-8") as stream:
            found = json.load(stream)
        self.assertEqual((found["verdict"], found["status"], found["last_step"]),
                         ("passes", "completed", 300))
        self.assertEqual(len(found["inputs"]["parameters.prm"]), 64)
        self.assertEqual(len(found["outputs"]["energy.csv"]), 64)
        balance = next(c for c in found["checks"] if c["check"] == "balance of each row")
        self.assertLess(balance["value"], balance["bound"])
        self.assertIn("energy.csv, row", balance["location"])

    def test_the_page_has_verdict_checks_and_hashes(self):
        folder, page = self.copy(), self.folder / "certificate.html"
        self.assert_passes(folder, "--page", str(page))
        text = page.read_text(encoding="utf-8")
        left = BUILD / "page-of-a-certificate"  # for a browser
        left.mkdir(exist_ok=True)
        shutil.copy(page, left / "index.html")
        self.assertIn('<p class="verdict">passes: ', text)
        self.assertIn("balance of each row", text)
        self.assertIn("energy.csv, row", text)
        with open(folder / "certificate.json", encoding="utf-8") as stream:
            self.assertIn(json.load(stream)["outputs"]["energy.csv"], text)
        change_cell(folder / "energy.csv", 50, "kinetic", lambda x: x * 1.01)
        self.assert_fails("sum of the energies", folder, "--page", str(page))
        text = page.read_text(encoding="utf-8")
        self.assertIn('<p class="verdict look">FAILS: ', text)
        self.assertLess(text.index("<h2>Failed</h2>"), text.index("<h2>Passed</h2>"))
        shutil.copy(page, left / "failed.html")
        outcome = certify(folder, "--page", str(self.folder / "none" / "c.html"))
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("c.html: cannot be written", outcome.stderr)

    def test_the_name_of_the_folder_is_escaped(self):
        folder, page = self.copy().rename(self.folder / "<script>alert(1)<&script>\"'"), self.folder / "c.html"
        self.assert_passes(folder, "--page", str(page))
        text = page.read_text(encoding="utf-8")
        self.assertEqual(text.count("<script"), 0)
        self.assertIn(f"<td>{folder}</td>", html.unescape(text))

    def test_hashes_reveal_the_smallest_change(self):
        folder = self.copy()
        self.assert_passes(folder)
        change_cell(folder / "energy.csv", 50, "kinetic", lambda x: x * (1 + 1e-15))
        self.assert_fails("energy.csv; has changed since the earlier certificate", folder)
        self.assert_passes(folder, "--renew")
        self.assert_passes(folder)

    def test_hashes_of_inputs(self):
        shutil.copytree(SOURCE / "meshes", self.folder / "meshes")
        case = shutil.copytree(SOURCE / "params", self.folder / "params") / "hello_drop.prm"
        folder, mesh = self.folder / "out", self.folder / "meshes/block_q4.msh"
        compute(case, folder, {"Time/End": "0.01"})
        self.assert_passes(folder)
        mesh.write_text(mesh.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        self.assert_fails("block_q4.msh; has changed", folder)
        mesh.unlink()
        self.assert_fails("block_q4.msh; is missing", folder)

    def test_unfinished_runs(self):
        folder = self.copy()
        for file in ("summary.json", "log.txt"):
            (folder / file).unlink()
        with open(folder / "energy.csv", "r+", encoding="utf-8") as stream:
            stream.truncate(os.path.getsize(folder / "energy.csv") - 40)
        self.assertIn("not ended", self.assert_passes(folder))

    def test_rows_of_several_steps(self):
        folder = self.folder / "rows"
        compute(SOURCE / "params" / self.case, folder, {**self.settings, "Output/Energy interval": "7"})
        self.assert_passes(folder)

    def test_an_end_within_a_step(self):
        """The last step ends up to one step after Time/End, not earlier or later."""
        folder = self.folder / "late"
        compute(SOURCE / "params" / self.case, folder, {**self.settings, "Time/End": "0.599"})
        self.assert_passes(folder)
        entries = folder / "parameters.prm"
        text = entries.read_text(encoding="utf-8")
        for end in ("0.597", "0.601"):
            entries.write_text(text.replace("= 0.599 ", f"= {end} "), encoding="utf-8")
            self.assert_fails("times of the steps", folder, "--renew")

    def test_friction_that_creates_energy(self):
        folder = self.folder / "classical"
        compute(SOURCE / "params/impacting_stick_classical.prm", folder, {})
        self.assert_fails("energy.csv, row 605, step 604", folder)

    def test_a_loose_solver(self):
        for method, words in (("nsgs", "pressing contacts stay closed"),
                              ("natural-map", "friction of one contact creates none")):
            with self.subTest(method=method):
                folder = self.folder / method
                compute(SOURCE / "params/sliding_block.prm", folder,
                        {"Time/End": "0.1", "Solver/Tolerance": "1e-3", "Solver/Method": method})
                self.assert_fails(words, folder)

    def test_bad_input(self):
        folder = self.copy()
        (self.folder / "empty").mkdir()
        for words, *arguments in (
                ("no such folder", self.folder / "nowhere"), ("energy.csv: no such file", self.folder / "empty"),
                ("energy.csv: is a file; give the output folder of a run, or the energy history of another "
                 "program by --energy FILE", folder / "energy.csv"), ("either a FOLDER or --energy",),
                ("not a number from 0 to 1", "--energy", "x", "--tolerance", "2"),
                ("is not a certificate", folder, "--against", folder / "energy.csv")):
            self.assert_refused(words, *arguments)
        for option in (["--time", "t"], ["--energies", "E"], ["--works", "W"], ["--losses", "W"],
                       ["--one-sided"], ["--gravity", "0,0,1"], ["--tolerance", "1e-3"]):
            self.assert_refused(f"{option[0]} goes with --energy FILE", self.folder / "nowhere", *option)
        for option in (["--against", "c.json"], ["--renew"]):
            self.assert_refused(f"{option[0]} goes with a FOLDER", "--energy", "x.csv", *option)
        change_cell(folder / "energy.csv", 3, "kinetic", lambda x: float("nan"))
        self.assert_refused("energy.csv:9: column kinetic: 'nan' is not a finite number", folder)
        outcome = certify(self.copy(), "--output", self.folder / "nowhere/c.json")
        self.assertEqual((outcome.returncode, "Traceback" in outcome.stderr), (1, False))


class Histories(CertifiedRun):
    def history(self, text):
        file = self.folder / "history.csv"
        file.write_text(text, encoding="utf-8")
        return file

    def test_a_closed_balance_passes(self):
        rows = "".join(f"{t},{t * t},{-t},{t * t + 0.5 * t},{-1.5 * t}\n" for t in (0.0, 0.5, 1.0, 2.0))
        self.assert_passes("--energy", self.history(HISTORY + rows))

    def test_created_energy_has_a_place(self):
        file = self.history(HISTORY + "0,1,0,0,0\n1,1,0.5,0.5,0\n2,1,0.75,0.5,0.25\n3,2,0.75,0.5,0.25\n")
        outcome = certify("--energy", file)
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertIn("+1.000000e+00 at time = 3 (history.csv, line 5): kinetic+potential", outcome.stdout)
        self.assertIn("+2.500000e-01 at time = 2 (history.csv, line 4): work_friction", outcome.stdout)

    def test_rounded_numbers(self):
        """Differences of the last written digit are no created energy, four times as much is."""
        file = self.history("t,Ekin,Wext\n0.0,1.0000,0.0000\n1.0,1.3333,0.3334\n2.0,1.6667,0.6666\n")
        self.assert_passes("--energy", file)
        file = self.history("t,Ekin,Wext\n0.0,1.0000,0.0000\n1.0,1.3333,0.3336\n2.0,1.6667,0.6666\n")
        self.assert_fails("history.csv, line 4", "--energy", file)

    def test_one_sided(self):
        file = self.history("t,E,W\n0,2,0\n1,1.5,0\n2,1.75,0.25\n")
        words = ("--energy", file, "--energies", "E", "--works", "W", "--losses", "W")
        self.assertEqual(certify(*words).returncode, 1)
        file = self.history("t,E,W\n0,2.0,0.0\n1,1.5,0.0\n2,1.75,0.25\n")
        self.assertEqual(certify("--energy", file, "--energies", "E", "--works", "W").returncode, 1)
        self.assert_passes("--energy", file, "--energies", "E", "--works", "W", "--one-sided")

    def test_the_block_of_siconos_creates_energy(self):
        """The program of AC24 with Moreau-Jean's classical law: its balance closes, but contacts do
        positive work."""
        file = BUILD / "reference/sliding_block/sliding_MJ_gtol.csv"
        outcome = certify("--energy", file, "--all")
        self.assertEqual(outcome.returncode, 1)
        self.assertRegex(outcome.stdout, "energy changes by the works .* passes")
        self.assertRegex(outcome.stdout, "wN_cum creates no energy .* FAILS")

    def test_bad_tables(self):
        for words, text in (("has no column 'x' (--time)", HISTORY + "0,1,1,1,1\n1,1,1,1,1\n"),
                            ("at least two rows", HISTORY), ("expected 5 values, found 4", HISTORY
                             + "0,1,1,1,1\n1,1,1,1\n")):
            self.assert_refused(words, "--energy", self.history(text), "--time",
                                "x" if "(--time)" in words else "time")
        for number in ("nan", "1_0", "", "0x1", "1e999", "one"):
            file = self.history(HISTORY + f"0,1,1,1,1\n1,{number},1,1,1\n")
            self.assert_refused("history.csv:3: column kinetic", "--energy", file)
        self.assert_refused("no column is known as energies", "--energy", self.history("t,a\n0,1\n1,1\n"))
        self.assert_refused("no such file", "--energy", self.folder / "none.csv")
        self.assert_refused("is a folder; give a table with a header, or the output folder of a run of "
                            "Percussion without --energy", "--energy", self.folder)
        for text in ("t,energy,energy\n0,1,1\n1,1,1\n", "t,t,energy\n0,0,1\n1,1,1\n"):
            name = text.split(",")[1]
            self.assert_refused(f"2 columns have the name '{name}'; give each a name of its own",
                                "--energy", self.history(text))
        self.assert_refused("--energies: 'energy' is given twice", "--energy",
                            self.history("t,energy\n0,1\n1,1\n"), "--energies", "energy,energy")
        self.assert_refused("its columns are separated by blanks; separate them by commas", "--energy",
                            self.history("t  energy\n0  1\n1  1\n"))

    def test_the_verdict_counts(self):
        file = self.history("t,E,W\n0,2,0\n1,1,0\n")
        outcome = certify("--energy", file, "--energies", "E", "--works", "W")
        self.assertIn("FAILS: 1 check passes, 1 fails, 0 not checked", outcome.stdout)


class Program(CertifiedRun):
    case = "bouncing_ball.prm"
    settings = {"Time/End": "0.1", "Time/Step": "2e-3"}

    def test_version_and_status(self):
        outcome = started("--version")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertTrue(outcome.stdout.startswith(f"{PROGRAM} "))
        version, folder = outcome.stdout.split()[1], self.copy()
        self.assertEqual(started(folder).returncode, 0)
        with open(folder / "certificate.json", encoding="utf-8") as stream:
            found = json.load(stream)
        self.assertEqual([found["percussion-certify"], found["run"]["percussion"]], [version, version])
        change_cell(folder / "energy.csv", 20, "total", lambda x: x + 1)
        self.assertEqual(started(folder).returncode, 1)
        self.assertEqual(started(folder / "nowhere").returncode, 2)

    def test_numpy_is_the_only_package(self):
        code = "import sys, percussion_certify.program; " \
               "sys.exit(any(name in sys.modules for name in ('PIL', 'jinja2', 'matplotlib', 'scipy')))"
        done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH":
                              str(BUILD / "python")}, check=False)
        self.assertEqual(done.returncode, 0)

    def test_a_page_needs_jinja2_and_no_more(self):
        folder, page = self.copy(), self.folder / "c.html"
        self.assertEqual(self.started_without("matplotlib", folder, "--page", page).returncode, 0)
        os.remove(page)
        outcome = self.started_without("jinja2", folder, "--page", page)
        self.assertEqual((outcome.returncode, outcome.stdout, outcome.stderr), (
            2, "", f"{PROGRAM}: Python's module 'jinja2' is missing; Debian has it in python3-jinja2\n"))
        self.assertFalse(page.exists())
        self.assertEqual(self.started_without("jinja2", folder).returncode, 0)

    def started_without(self, module, *arguments):
        """Runs the program without one of Python's modules; returns its outcome."""
        text = f'raise ModuleNotFoundError("No module named {module}", name="{module}")\n'
        (self.folder / f"{module}.py").write_text(text, encoding="utf-8")
        with mock.patch.dict(os.environ, PYTHONPATH=str(self.folder)):
            outcome = started(*arguments)
        os.remove(self.folder / f"{module}.py")
        return outcome


if __name__ == "__main__":
    unittest.main()
