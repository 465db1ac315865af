"""percussion-converge as used by users: known orders and limits, and wrong input."""

import html.parser
import json
import math
import shlex
import sys
import unittest
from unittest import mock

import numpy as np

from studies import BALL, BUILD, SOURCE, StudyTest, table_of

sys.path.insert(0, str(BUILD / "python"))

import percussion  # noqa: E402
from percussion_study import convergence_page, promised_order  # noqa: E402
from percussion_study.estimates import Estimate  # noqa: E402

# One step of size h moves a falling ball by h times the velocity at the end of the step if theta = 1:
# y(T) = 1 - g T (T + h)/2.
FALL = (BALL, "--set", "Time/End=0.4", "--set", "Time/Theta=1", "--set",
        "Contact/ground/Restitution=0", "--set", "Output/Number of instants=1", "--of", "ball.y")
LIMIT = 1 - 9.81 * 0.4 ** 2 / 2


class ConvergeTest(StudyTest):
    program = "percussion-converge"


class Page(html.parser.HTMLParser):
    """Page of a convergence study: the class and the text of the verdict, rows of cells of each table,
    titles of folded blocks, and the sources of images."""

    def __init__(self, file):
        super().__init__()
        self.frame, self.verdict, self.tables, self.titles, self.images = "", "", [], [], []
        self.tags = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "img":
            self.images.append(attributes["src"])
        if tag in ("meta", "link", "img"):
            return
        self.tags.append(tag)
        if tag == "p" and "verdict" in attributes.get("class", ""):
            self.frame = attributes["class"]
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self.tags.pop() == tag, tag

    def handle_data(self, data):
        if "p" in self.tags:
            self.verdict += data
        elif self.tags and self.tags[-1] in ("th", "td"):
            self.tables[-1][-1][-1] += data
        elif self.tags and self.tags[-1] == "summary":
            self.titles.append(data)

    def records(self, k):
        """Returns the rows of a table below its head as dictionaries."""
        head, *rows = self.tables[k]
        return [dict(zip(head, row)) for row in rows]


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


class PageOfLevels(ConvergeTest):
    """The page shows the verdict and the numbers of the tables, and what reproduces them."""

    def test_verdict_and_numbers_of_a_fall(self):
        words = self.complete(*FALL, "--over", "Time/Step=0.02", "--of", "rise = max(ball.y)", "--output", "out")
        self.assertEqual(words[-2:], ["out/converge.png", "out/index.html"])
        page = Page(self.folder / "out/index.html")
        (BUILD / "page-of-a-convergence").mkdir(exist_ok=True)  # for a browser
        (BUILD / "page-of-a-convergence/index.html").write_bytes((self.folder / "out/index.html").read_bytes())
        self.assertEqual(page.frame, "verdict")
        bar = 1.25 * 9.81 * 0.4 * 0.005 / 2
        self.assertEqual(page.verdict, f"ball.y converges with order 1.00 (1 is promised) to {LIMIT:.6g}, error bar "
                                       f"of the finest level ± {bar:.2g}; rise: equal on all levels.")
        levels = page.records(0)
        self.assertEqual([row["time_step"] for row in levels], ["0.02", "0.01", "0.005"])
        for row, stored in zip(levels, table_of(self.folder / "out/converge.csv"), strict=True):
            exact = LIMIT - 9.81 * 0.4 * float(row["time_step"]) / 2
            self.assertAlmostEqual(float(row["ball.y"]), exact, places=9)
            self.assertAlmostEqual(float(row["ball.y"]), float(stored["ball.y"]), places=9)
        self.assertEqual([row["order of ball.y"] for row in levels], ["–", "–", "1.00"])
        estimates = page.records(1)
        for row, stored in zip(estimates, table_of(self.folder / "out/estimates.csv"), strict=True):
            self.assertEqual((row["quantity"], row["verdict"]), (stored["quantity"], stored["verdict"]))
            self.assertAlmostEqual(float(row["extrapolated"]), float(stored["extrapolated"]), places=9)
            self.assertEqual(float(row["error bar"]), float(f"{float(stored['error bar']):.2g}"))
        self.assertEqual([row["promised order"].partition(" (")[0] for row in estimates], ["1", "–"])
        self.assertTrue(page.images[0].startswith("data:image/webp;base64,"))

    def test_inputs_and_commands_are_folded_and_repeat_the_levels(self):
        self.complete(*FALL, "--over", "Time/Step=0.02", "--ratio", "1.5", "--output", "out")
        page = Page(self.folder / "out/index.html")
        self.assertEqual(page.titles, ["Error bar", "Inputs", "Commands"])
        self.assertIn(["changed", "Time/Theta=1"], page.tables[3])
        commands = dict(page.tables[4])
        self.complete(*shlex.split(commands["all levels"])[1:-1], "again")
        self.assertEqual((self.folder / "again/converge.csv").read_bytes(),
                         (self.folder / "out/converge.csv").read_bytes())
        program, *words = shlex.split(commands["level 2"])
        self.assertEqual((program, words[-1]), ("percussion", "out/002"))
        runs = json.loads((self.folder / "out/converge.json").read_text(encoding="utf-8"))["runs"]
        self.assertEqual([word for word in words if word.startswith("Time/Step")],
                         [f"Time/Step={runs[1]['set']['Time/Step']}"])

    def test_a_quantity_without_an_order_is_marked(self):
        """Steps of 0.02 to 0.005 reach the ground at 0.4515 s at times that alternate."""
        self.complete(BALL, "--set", "Time/End=0.6", "--set", "Output/Number of instants=1", "--over",
                      "Time/Step=0.02", "--of", "ball.y", "--output", "out")
        page = Page(self.folder / "out/index.html")
        (stored,) = table_of(self.folder / "out/estimates.csv")
        self.assertNotEqual(stored["verdict"], "converges")
        self.assertEqual(page.frame, "verdict look")
        self.assertTrue(page.verdict.startswith(f"ball.y: {stored['verdict']}"), page.verdict)
        self.assertEqual(page.records(1)[0]["promised order"], "– (no order is promised, as contacts were active)")


class PromisedOrder(unittest.TestCase):
    """Promises for runs without contacts, and verdicts on observed orders."""

    ENTRIES = {"Time/Scheme": "moreau-jean", "Time/Theta": "0.5", "Material/Law": "neo-hooke"}

    def promise(self, text="ball.y", paths=("Time/Step",), n_active=0, **entries):
        columns = mock.Mock()
        columns.table.return_value = {name: np.array([0.0, n_active]) for name in (
            "kinetic", "contacts_active", "solver_iterations")}
        named = {path.replace("__", "/").replace("_", " "): value for path, value in entries.items()}
        return promised_order.promised_order(list(paths), {**self.ENTRIES, **named}, text, columns)[0]

    def test_promises(self):
        self.assertEqual(self.promise(), 2)
        self.assertEqual(self.promise("energy = kinetic[-1]"), 2)
        self.assertEqual(self.promise(Time__Theta="0.7"), 1)
        self.assertEqual(self.promise(Time__Scheme="newmark-signorini", Time__Theta="1"), 2)
        self.assertEqual(self.promise(Material__Law="elastoplastic"), 1)

    def test_no_promise(self):
        self.assertIsNone(self.promise(n_active=1))
        self.assertIsNone(self.promise(paths=("Mesh/Parameters", "Time/Step")))
        self.assertIsNone(self.promise("ball.y:max"))
        self.assertIsNone(self.promise("solver_iterations"))
        for entries in ({"Time__Adaptive": "true"}, {"Time__Stop_when": "at rest"}, {"Time__Energy_error": "1e-3"},
                        {"Time__Inertia": "none"}, {"Joints__pin__Kind": "ball"}):
            self.assertIsNone(self.promise(**entries), entries)

    def test_an_order_that_is_not_promised_is_marked(self):
        for order, promise, looks in ((1.9, 2, False), (1.0, 2, True), (1.0, None, False), (0.9, 1, False)):
            found = [Estimate(order, 1.0, 0.1, "converges")]
            sentence, is_marked = convergence_page.verdict(["q"], found, [(promise, "")])
            self.assertEqual(is_marked, looks, sentence)
        missing = Estimate(math.nan, math.nan, math.nan, "a value is missing")
        self.assertEqual(convergence_page.verdict(["q"], [missing], [(2, "")]), ("q: a value is missing.", True))


class FromPython(ConvergeTest):
    def test_the_tables_are_returned(self):
        with mock.patch("builtins.print"):
            levels, estimates = percussion.converge(
                BALL, "Time/Step=0.02", ["ball.y"], {"Time/End": 0.4, "Time/Theta": 1},
                output=self.folder / "out")
        self.assertEqual(levels["time_step"].tolist(), [0.02, 0.01, 0.005])
        self.assertAlmostEqual(estimates["extrapolated"][0], LIMIT, places=11)
        self.assertEqual(estimates["verdict"].tolist(), ["converges"])
        page = Page(self.folder / "out/index.html")
        self.assertTrue(page.verdict.startswith("ball.y converges with order 1.00 (1 is promised) to 0.2152, "))
        self.assertEqual(page.records(0)[2]["ball.y"], f"{levels['ball.y'][2]:.10g}")

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
