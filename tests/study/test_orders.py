"""tools/measure_orders.py: observed orders, their verdicts and tables, and a few series."""

import sys
import unittest

import numpy as np

from studies import BUILD, SOURCE, StudyTest

sys.path.insert(0, str(SOURCE / "tools"))

from orders import mesh_series, time_series, tables, verdict  # noqa: E402


def values_of(order, noise=0.0):
    """Returns values of a quantity at four levels whose errors have an order."""
    return [np.array([1.0 + 0.1 * 2.0 ** (-order * level) + noise * (-1) ** level]) for level in range(4)]


class Verdicts(unittest.TestCase):
    def test_order_of_a_series(self):
        found = verdict.verdict(verdict.differences(values_of(2)), 2)
        self.assertTrue(found.passes)
        np.testing.assert_allclose(found.orders, [2, 2], atol=1e-9)

    def test_other_orders_and_noise_do_not_pass(self):
        for values, promised in ((values_of(1.8), 2), (values_of(2.2), 2), (values_of(2, 1e-3), 2)):
            self.assertFalse(verdict.verdict(verdict.differences(values), promised).passes)

    def test_equal_values_are_exact_and_round_off_is_no_order(self):
        self.assertEqual(verdict.verdict([0.0, 0.0, 0.0], 2).text(), "exact")
        self.assertFalse(verdict.verdict([1e-3, 1e-8, 1e-13], 2).passes)


class Tables(unittest.TestCase):
    def test_row_has_the_range_of_its_series(self):
        found = {time_series.Series(scheme): [verdict.Verdict([2.0, order], True)] * 2
                 for scheme, order in (("moreau-jean", 1.98), ("penalty", 2.01))}
        self.assertEqual(tables.time_table(found).splitlines()[-1],
                         "| linear | held | rest | 2 | 2 | 1.98 … 2.01 | 1.98 … 2.01 |")


class SeriesOfRuns(unittest.TestCase):
    def test_names_differ(self):
        for module in (time_series, mesh_series):
            names = [series.name() for series in module.all_series()]
            self.assertEqual(len(set(names)), len(names))

    def test_every_scheme_and_element_has_series(self):
        schemes = {series.scheme for series in time_series.all_series()}
        self.assertEqual(schemes, set(time_series.SCHEMES))
        self.assertGreaterEqual(len(time_series.all_series()), 62)
        self.assertEqual({series.element for series in mesh_series.all_series()}, set(mesh_series.ELEMENTS))


class Program(StudyTest):
    def command(self, *arguments):
        return [sys.executable, str(SOURCE / "tools/measure_orders.py"), str(BUILD), "runs", *map(str, arguments)]

    def test_quick_series_have_the_promised_orders(self):
        lines = self.complete("--quick")
        n_series = len(time_series.QUICK) + len(mesh_series.QUICK)
        self.assertEqual(lines[-1], f"{n_series} series, 0 of which do not have the promised orders", lines)

    def test_tables_of_a_page_are_replaced(self):
        (self.folder / "page.md").write_text("<!-- measured: orders-time -->\n<!-- end of measured -->\n",
                                             encoding="utf-8")
        self.complete("page.md", "--quick", "--only", "time", "--match", "moreau-jean-linear")
        self.assertIn("| linear | held | rest | 1 | 1 | 1.00 | ",
                      (self.folder / "page.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
