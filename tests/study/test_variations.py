"""Values of varied entries, quantities of runs, and estimates of convergence."""

import math
import os
import statistics
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["PERCUSSION_BINARY_DIR"], "python"))

from percussion_report.scene import Trouble  # noqa: E402
from percussion_study import estimates, inputs, quantities, variations  # noqa: E402


def values(text):
    return variations.read_variation(text).values


def points(*texts, samples=None, seed=0, sampling="latin-hypercube"):
    varied = [variations.read_variation(text) for text in texts]
    variations.name_variations(varied, {"step", "max"})
    return varied, variations.points(varied, samples, seed, sampling)


class Lists(unittest.TestCase):
    def test_forms(self):
        self.assertEqual(values("Time/Step=1e-3,1e-4"), ["1e-3", "1e-4"])
        self.assertEqual(values("A/Gravity=0, -9.81; 0, -1.62"), ["0, -9.81", "0, -1.62"])
        self.assertEqual(values("A/B=range(0, 1, 6)"), ["0", "0.2", "0.4", "0.6", "0.8", "1"])
        self.assertEqual([float(x) for x in values("A/B=geometric(1, 1000, 4)")][::3], [1, 1000])
        ratios = [float(x) for x in values("A/B=geometric(1e-3, 5, 9)")]
        np.testing.assert_allclose(np.diff(np.log(ratios)), math.log(5e3) / 8, rtol=1e-12)
        constant = variations.read_variation("Mesh/Parameters=size=0.1,0.2")
        self.assertEqual((constant.path, constant.constant, constant.values),
                         ("Mesh/Parameters", "size", ["0.1", "0.2"]))
        formula = variations.read_variation("A/Traction x=t == 0 ? 1 : 0; sin(t)")
        self.assertEqual((formula.constant, formula.values), ("", ["t == 0 ? 1 : 0", "sin(t)"]))

    def test_all_combinations_in_order(self):
        _, found = points("A/B=1,2", "v: A/C=x,y")
        self.assertEqual(found, [{"b": "1", "v": "x"}, {"b": "1", "v": "y"},
                                 {"b": "2", "v": "x"}, {"b": "2", "v": "y"}])

    def test_names_are_unique_and_no_columns(self):
        varied, _ = points("Time/Step=1,2", "Contact/a/Friction coefficient=0.1,0.2",
                           "Contact/b/Friction coefficient=0.3,0.4", "Mesh/Parameters=size=1,2")
        self.assertEqual([v.name for v in varied],
                         ["time_step", "friction_coefficient", "b_friction_coefficient", "size"])

    def test_entries_of_a_run(self):
        varied, found = points("Mesh/Parameters=size=0.1,0.2", "Mesh/Parameters=n=4,8", "v=1,2")
        entries = variations.settings(varied, found[-1], ["Time/End=1", "A/Velocity=0, -{v}"],
                                      {"Mesh/Parameters": "R = 3, size = 7"})
        self.assertEqual(entries, {"Time/End": "1", "A/Velocity": "0, -2",
                                   "Mesh/Parameters": "R = 3, size = 0.2, n = 8"})

    def test_bad_lists(self):
        for text, words in (("Step", "'Step' is not of the form PATH=VALUES"),
                            ("A/B=1,,2", "a value is empty"), ("A/B=1,1", "the value 1 appears twice"),
                            ("A/B=range(0, 1)", r"'range\(0, 1\)' is not range\(FROM, TO, NUMBER\)"),
                            ("A/B=range(0, 1, 1.5)", "is 1.5; allowed is a whole number from 2"),
                            ("A/B=geometric(0, 1, 3)", "allowed are positive numbers"),
                            ("A/B=normal(0, -1)", "DEVIATION of normal.. is -1; allowed"),
                            ("A/B=uniform(1, 1)", "TO must be larger"),
                            ("A/B=loguniform(-1, 1)", "FROM of loguniform.. is -1"),
                            ("A/B=lognormal(0, 1)", "--vary: there is no distribution 'lognormal'; "
                             r"there are range\(FROM, TO, NUMBER\), "
                             r".*, normal\(MEAN, DEVIATION\)$"),
                            ("A/B=weibull(1)", "no distribution 'weibull'; there are range"),
                            ("a b=1,2", "'a b' is neither the path of an entry"),
                            ("a-b: A/B=1,2", "'a-b' is no name")):
            with self.subTest(text), self.assertRaisesRegex(Trouble, words):
                points(text)
        self.assertEqual([p["b"] for p in points("A/B=sqrt(2)")[1]], ["sqrt(2)"])
        with self.assertRaisesRegex(Trouble, "the name 'step' is a column or a function"):
            points("step: Time/Step=1,2")
        with self.assertRaisesRegex(Trouble, "this makes 40000 runs; allowed are 10000"):
            points("A/B=range(0, 1, 200)", "A/C=range(0, 1, 200)")
        varied, found = points("v=1,2")
        with self.assertRaisesRegex(Trouble, "variable v has no effect: no --set has {v}"):
            variations.settings(varied, found[0], ["A/B=1"], {})


class Samples(unittest.TestCase):
    def column(self, text, n, **options):
        _, found = points(text, samples=n, **options)
        return np.array([float(next(iter(point.values()))) for point in found])

    def test_a_latin_hypercube_has_one_sample_in_each_interval(self):
        _, found = points("A/B=uniform(2, 4)", "A/C=uniform(0, 1)", samples=50, seed=7)
        for name, low, width in (("b", 2, 2), ("c", 0, 1)):
            numbers = np.array([(float(point[name]) - low) / width for point in found])
            self.assertEqual(sorted((numbers * 50).astype(int)), list(range(50)))

    def test_entries_are_not_correlated(self):
        n, n_seeds = 50, 100
        found = [np.corrcoef(np.array(variations.latin_hypercube(2, n, seed)).T)[0, 1]
                 for seed in range(n_seeds)]
        self.assertLess(abs(np.mean(found)), 4 / math.sqrt(n * n_seeds))

    def test_distributions(self):
        n = 2000
        normal = self.column("A/B=normal(3, 0.5)", n)
        self.assertAlmostEqual(normal.mean(), 3, delta=2e-3)
        self.assertAlmostEqual(normal.std(), 0.5, delta=5e-3)
        expected = statistics.NormalDist(3, 0.5).inv_cdf(0.9)
        self.assertAlmostEqual(np.quantile(normal, 0.9), expected, delta=3e-3)
        logarithms = np.log10(self.column("A/B=loguniform(1e-4, 1)", n))
        self.assertAlmostEqual(logarithms.mean(), -2, delta=2e-3)
        self.assertAlmostEqual(np.quantile(logarithms, 0.25), -3, delta=4e-3)
        independent = self.column("A/B=uniform(0, 1)", n, sampling="independent")
        self.assertAlmostEqual(independent.mean(), 0.5, delta=4 * math.sqrt(1 / 12 / n))

    def test_equal_seeds_give_equal_samples(self):
        one, same, other = (self.column("A/B=normal(0, 1)", 20, seed=seed) for seed in (1, 1, 2))
        self.assertEqual(one.tolist(), same.tolist())
        self.assertNotEqual(one.tolist(), other.tolist())

    def test_lists_take_all_samples(self):
        _, found = points("A/B=1,2", "A/C=uniform(0, 1)", samples=3)
        self.assertEqual([point["b"] for point in found], ["1"] * 3 + ["2"] * 3)
        self.assertEqual([p["c"] for p in found[:3]], [p["c"] for p in found[3:]])
        with self.assertRaisesRegex(Trouble, "--samples is missing: c is a distribution"):
            points("A/C=uniform(0, 1)")
        with self.assertRaisesRegex(Trouble, "--samples: no entry is varied by a distribution"):
            points("A/C=1,2", samples=3)


class Quantities(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Writes tables of a run."""
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(folder.cleanup)
        for name, column, numbers in (("energy", "total", (4, 6, 2)),
                                      ("probes", "hit.force_normal", ("nan", 5, 1)),
                                      ("rigid_bodies", "ball 2.vx", (1, -8, 2))):
            with open(f"{folder.name}/{name}.csv", "w", encoding="utf-8") as stream:
                stream.write(f"# case: x\nstep,time,{column}\n" + "".join(
                    f"{k},{t},{x}\n" for k, (t, x) in enumerate(zip((0, 1, 3), numbers))))
        cls.columns = quantities.Columns(folder.name)

    def value(self, text, **given):
        return quantities.Quantity(text, "--column").evaluate(self.columns, given)

    def test_reductions(self):
        for text, expected in (("total", 2), ("total:end", 2), ("total:start", 4), ("total:max", 6),
                               ("total:min", 2), ("ball 2.vx:maxabs", 8), ("total:mean", 13 / 3),
                               ("hit.force_normal:max", 5), ("hit.force_normal:mean", 3)):
            self.assertAlmostEqual(self.value(text), expected, places=12, msg=text)

    def test_formulas(self):
        for text, expected in (
                ("y = -total[-1]/v", -1), ("y = max(hit.force_normal) + 2**3", 13),
                ("y = max(1, total[0], 3)", 4), ("y = column('ball 2.vx')[1] % 3", 1),
                ("y = sum(abs(diff(total)))", 6), ("y = sqrt(total[0])*sin(pi/6)", 1),
                ("y = mean(total) - min(total)", 2), ("y = time[2]", 3)):
            self.assertAlmostEqual(self.value(text, v="2"), expected, places=12, msg=text)

    def test_bad_ones(self):
        for text, words in (
                ("total:last", "is not COLUMN:REDUCTION with one of the reductions end, start"),
                ("totl", "there is no column or input 'totl'; did you mean 'total'"),
                ("y = totl[0]", "there is no column or input 'totl'; did you mean 'total'"),
                ("y = total", "this is a column of 3 values"), ("y = total[3]", "there is no row 3"),
                ("y = 1 +", "'1 \\+' is no formula"), ("y = (1", "'\\(1' is no formula \\('\\(' was never closed\\)$"),
                ("xyzzy", "there is no column or input 'xyzzy'; there are: "), ("y = eval('1')", "there is no function 'eval'"),
                ("y = total.__class__", "no column or input 'total.__class__'"),
                ("y = total[0].real", "'total\\[0\\].real' is not allowed"),
                ("y = (lambda: 1)()", "there is no function"), ("y = [1][0]", "is not allowed"),
                ("y = total[v]", "is not allowed"), ("a b = 1", "'a b' is no name"),
                ("y = total - diff(total)", "could not be broadcast")):
            with self.subTest(text), self.assertRaisesRegex(Trouble, words):
                self.value(text, v="2")

    def test_words_are_no_numbers(self):
        with self.assertRaisesRegex(Trouble, "no column or input 'scheme'"):
            self.value("y = scheme", scheme="penalty")


class Estimates(unittest.TestCase):
    def test_a_power_of_the_size(self):
        for order, ratio, sign in ((1, 2, 1), (2, 2, -1), (1.5, 1.3, 1), (4, 3, 1)):
            values_of_levels = [5 + sign * 0.3 * ratio ** (-order * k) for k in range(4)]
            found = estimates.estimate(values_of_levels, ratio)
            self.assertAlmostEqual(found.order, order, places=6)
            self.assertAlmostEqual(found.limit, 5, places=9)
            self.assertAlmostEqual(found.bar, 1.25 * abs(values_of_levels[-1] - 5), places=9)
            self.assertEqual(found.verdict, "converges")
            np.testing.assert_allclose(estimates.orders(values_of_levels, ratio)[2:], order,
                                       rtol=1e-6)

    def test_no_order_without_decreasing_differences(self):
        oscillating = estimates.estimate([1, 3, 2], 2)
        self.assertTrue(math.isnan(oscillating.order) and math.isnan(oscillating.limit))
        self.assertEqual(oscillating.bar, 6)
        self.assertIn("oscillates", oscillating.verdict)
        growing = estimates.estimate([1, 2, 4], 2)
        self.assertAlmostEqual(growing.order, -1)
        self.assertTrue(math.isnan(growing.limit))
        self.assertIn("does not converge", growing.verdict)
        self.assertIn("equal on all levels", estimates.estimate([2, 2, 2 + 1e-15], 2).verdict)
        self.assertIn("repeats", estimates.estimate([1, 2, 2], 2).verdict)
        self.assertIn("missing", estimates.estimate([1, math.nan, 2], 2).verdict)


class Inputs(unittest.TestCase):
    def test_candidates(self):
        found = list(inputs.candidates('-table("pull.csv:force", t), a b.msh'))
        for name in ("pull.csv", "a b.msh"):
            self.assertIn(name, found)

    def test_changes(self):
        self.assertEqual(inputs.changes({"a": 1, "b": 2}, {"a": 3, "c": 4}),
                         ["a has changed", "b is missing", "c is new"])
        self.assertEqual(inputs.changes({"a": 1}, {"a": 1}), [])


if __name__ == "__main__":
    unittest.main()
