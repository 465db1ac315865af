"""percussion-compare as used by users: its table and page, and its messages for wrong input."""

import csv
import html
import os
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["PERCUSSION_BINARY_DIR"], "python"))

from percussion_report import charts, compare as compare_, files, verdict  # noqa: E402

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
FOLDER = os.path.join(BUILD, "compared-schemes")
CASE = os.path.join(SOURCE, "params", "bar_impact.prm")


def compare(*arguments):
    os.makedirs(FOLDER, exist_ok=True)
    return subprocess.run([os.path.join(BUILD, "percussion-compare"), *arguments], cwd=FOLDER,
                          text=True, capture_output=True, check=False)


class Comparison(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.outcome = compare(CASE, "--schemes", "pdas-leapfrog,hauret,signorini-midpoint",
                              "--steps", "h,h/2", "--output", "all", "--set",
                              "Output/Number of instants=1", "--format", "pdf,svg")
        assert cls.outcome.returncode == 0, cls.outcome.stderr
        with open(f"{FOLDER}/all/compare.csv", encoding="utf-8", newline="") as stream:
            cls.rows = list(csv.DictReader(stream))

    def row(self, scheme, step):
        return next(row for row in self.rows if (row["scheme"], row["step"]) == (scheme, step))

    def test_a_row_for_each_scheme_and_step(self):
        self.assertEqual([(row["scheme"], row["step"]) for row in self.rows],
                         [(scheme, step) for step in ("h", "h/2")
                          for scheme in ("pdas-leapfrog", "hauret", "signorini-midpoint")])
        for row in self.rows:
            self.assertEqual(row["status"], "completed")
            self.assertLess(float(row["balance residual"]), 1e-12)
            # The exact bar is reflected: its impulse is twice its momentum, 1e4 x 10.
            self.assertAlmostEqual(float(row["impulse"]) / 2e5, 1, delta=0.1)
            self.assertGreater(float(row["seconds"]), 0)

    def test_it_tells_schemes_apart(self):
        for step in ("h", "h/2"):
            for scheme in ("pdas-leapfrog", "hauret"):
                self.assertLess(abs(float(self.row(scheme, step)["energy change"])), 1e-9)
            self.assertGreater(abs(float(self.row("signorini-midpoint", step)["energy change"])),
                               1e-6)
        self.assertGreater(float(self.row("hauret", "h")["penetration"]), 0)

    def test_a_panel_has_six_coloured_curves_at_most(self):
        outcomes = []
        for name in "abcdefgh":
            outcomes.append(compare_.Outcome(name, "h", name, f"{FOLDER}/all/hauret-h"))
            outcomes[-1].run = files.Run(outcomes[-1].folder)
        picture = next(iter(compare_.pictures(outcomes)))
        legends = [[text.get_text() for text in axes.get_legend().get_texts()]
                   for axes in picture.figure.axes]
        self.assertEqual(legends, [list("abcd"), list("efgh")])
        for axes in picture.figure.axes:
            self.assertEqual(len(axes.lines), len(outcomes))
            self.assertEqual(len({(line.get_color(), line.get_linestyle()) for line in axes.lines
                                  if line.get_color() != "0.85"}), 4)

    def test_the_table_in_markdown_and_the_page(self):
        with open(f"{FOLDER}/all/compare.md", encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        self.assertEqual(len(lines), 2 + len(self.rows))
        self.assertEqual({line.count("|") for line in lines}, {lines[0].count("|")})
        with open(f"{FOLDER}/all/index.html", encoding="utf-8") as stream:
            page = stream.read()
        for name in ("energy", "energy_step", "force", "penetration", "iterations", "cost"):
            self.assertIn(f'<figure id="picture-{name}"', page)
        self.assertNotRegex(page, r'(src|href)="(?!data:|#)')
        self.assertEqual(page.count("<script"), 1)
        for row in self.rows:
            self.assertIn(f'<td data-name="scheme">{row["scheme"]}</td>', page)
        ends = [choice(self.rows, key=lambda row: abs(float(row["energy change"])))["scheme"]
                for choice in (min, max)]
        self.assertRegex(page, r"6 of 6 runs completed; the energy changes from <span>.*</span> "
                         rf"\({ends[0]}\) to <span>.*</span> \({ends[1]}\)")
        self.assertTrue(re.search(r"all/index\.html$", self.outcome.stdout.strip()))

    def test_figures_for_papers(self):
        for name in ("energy", "energy_step", "force", "penetration", "iterations", "cost"):
            with open(f"{FOLDER}/all/{name}.pdf", "rb") as stream:
                self.assertEqual(stream.read(5), b"%PDF-", name)
            with open(f"{FOLDER}/all/{name}.svg", encoding="utf-8") as stream:
                self.assertIn("<svg", stream.read(2000), name)
            self.assertIn(f"all/{name}.pdf", self.outcome.stdout.split())
        outcomes = [compare_.Outcome("hauret", "h", "hauret", f"{FOLDER}/all/hauret-h")]
        outcomes[0].run = files.Run(outcomes[0].folder)
        axes = {picture.name: picture.figure.axes[0] for picture in compare_.pictures(outcomes)}
        for name, label in (("energy", "energy / initial energy − 1"), ("energy_step", "ΔE (J)"),
                            ("force", "contact force (N)"), ("penetration", "penetration (m)")):
            self.assertEqual((axes[name].get_xlabel(), axes[name].get_ylabel()),
                             ("time (s)", label))
        energy = axes["energy"].lines[0].get_ydata()
        changes = axes["energy_step"].lines[0].get_ydata()
        start = outcomes[0].run.table["total"][0]
        np.testing.assert_allclose(np.cumsum(changes[1:]), start * energy[1:], atol=1e-9 * start)

    def test_the_largest_pressure_at_the_written_instants(self):
        self.assertFalse(os.path.exists(f"{FOLDER}/all/pressure.png"))  # the bar has left
        outcome = compare(CASE, "--schemes", "pdas-leapfrog", "--output", "pressed", "--set",
                          "Time/End=1e-3", "--set", "Output/Number of instants=10")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        run = files.Run(f"{FOLDER}/pressed/pdas-leapfrog")
        pressures = charts.largest_pressures(run)
        self.assertEqual(len(pressures), 11)
        self.assertGreater(pressures[-1], 1e7)
        # The area is 1 m², and the pressure of a bar uniform.
        self.assertAlmostEqual(pressures[-1] / compare_.force(run)[1][-1], 1, places=9)
        self.assertTrue(os.path.exists(f"{FOLDER}/pressed/pressure.png"))

    def test_a_scheme_that_does_not_take_the_case_is_listed(self):
        outcome = compare(CASE, "--schemes", "moreau-jean,hauret", "--output", "refused", "--set",
                          "Contact/ground/Restitution=0.5", "--set", "Time/End=1e-4")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertRegex(outcome.stdout, r"hauret       refused: .*\n             ")
        self.assertIn("this has no effect", " ".join(outcome.stdout.split()))
        self.assertLessEqual(max(map(len, outcome.stdout.split("\n"))), 100)
        with open(f"{FOLDER}/refused/index.html", encoding="utf-8") as stream:
            self.assertRegex(stream.read(), ">refused: .*this has no effect")
        with open(f"{FOLDER}/refused/compare.csv", encoding="utf-8", newline="") as stream:
            status = {row["scheme"]: row["status"] for row in csv.DictReader(stream)}
        self.assertEqual(status, {"moreau-jean": "completed", "hauret": "refused"})

    def test_the_name_of_the_case_is_escaped(self):
        case = f"{FOLDER}/<script>alert(1)<&script>\"'.prm"
        with open(case, "w", encoding="utf-8") as stream:
            stream.write(f"include {CASE}\nsubsection Mesh\n  set File = {SOURCE}/meshes/bar.msh\nend\n")
        outcome = compare(case, "--schemes", "hauret", "--output", "escaped", "--set", "Time/End=1e-4")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/escaped/index.html", encoding="utf-8") as stream:
            page = stream.read()
        self.assertEqual(page.count("<script"), 1)
        self.assertIn("<h1>Schemes on <script>alert(1)<&script>\"'</h1>", html.unescape(page))


class Verdict(unittest.TestCase):
    def test_numbers_near_one_have_no_power(self):
        for value, text in ((0.998, "1"), (2.1, "2"), (0.3, "3e-1"), (2e-4, "2e-4"), (3e10, "3e10"), (0, "0")):
            self.assertEqual(verdict.magnitude(value), text)


class BadInput(unittest.TestCase):
    def refused(self, words, *arguments):
        outcome = compare(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome.stderr)
        self.assertIn(words, outcome.stderr)
        self.assertTrue(outcome.stderr.startswith("percussion-compare: "), outcome.stderr)

    def test_options(self):
        self.refused("there is no scheme 'haurett'; known are moreau-jean,", CASE, "--schemes",
                     "haurett")
        self.refused("'k' is not a fraction of the case's step", CASE, "--steps", "h,k")
        self.refused("'0' is not a whole number from 1 to 1000", CASE, "--jobs", "0")
        self.refused("'gif' is not one of png, pdf, svg", CASE, "--format", "gif")
        self.refused("unrecognized arguments: --fast", CASE, "--fast")

    def test_cases(self):
        self.refused("absent.prm", "absent.prm")
        self.refused("no scheme accepts this case", CASE, "--schemes", "hauret,penalty", "--set",
                     "Contact/ground/Restitution=0.5", "--output", "none")


if __name__ == "__main__":
    unittest.main()
