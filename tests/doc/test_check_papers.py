#!/usr/bin/env python3
"""Tests check_papers.py: each kind of mistake in doc/papers.md is found, with its line."""
import unittest
from pathlib import Path

import check_papers

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "doc/papers.md").read_text(encoding="utf-8")
FIGURE_1 = next(line for line in PAGE.splitlines() if line.startswith("| Figure 1 | geometry of the stick"))
FIGURE_2 = next(line for line in PAGE.splitlines() if line.startswith("| Figure 2(a, b, c, d, e, f) |"))
COMMAND = '`percussion params/impacting_stick_classical.prm --set "Output/Number of instants=2000"`'


def problems(page):
    """Returns the problems of a page, without the program."""
    return list(check_papers.Checker(ROOT, None).problems(page))


class CheckPapers(unittest.TestCase):
    """Replaces words of rows of the page."""

    def expect(self, row, old, new, *expected):
        """Expects these problems if `old` is replaced in a row."""
        self.assertIn(old, row)
        found = problems(PAGE.replace(row, row.replace(old, new)))
        self.assertEqual(len(found), len(expected), found)
        for problem, words in zip(found, expected):
            self.assertIn(words, problem)

    def test_the_page_is_right(self):
        self.assertEqual(problems(PAGE), [])

    def test_cases_schemes_and_parameters_must_exist(self):
        self.expect(FIGURE_2, "impacting_stick_classical.prm", "stick.prm", "there is no case")
        self.expect(FIGURE_2, '=2000"`', '=2000" --set Time/Stop=1`',
                    "there is no parameter Time/Stop")
        self.expect(FIGURE_2, '=2000"`', '=2000" --set Time/Scheme=euler`',
                    "Time/Scheme does not allow 'euler'")
        self.expect(FIGURE_2, "`percussion params", "`percussion-run params",
                    "'percussion-run' is no command")
        self.expect(FIGURE_2, '=2000"`', '=2000" --steps h`', "'--steps' is no option")
        self.expect(FIGURE_2, COMMAND,
                    "`percussion-compare params/impacting_stick.prm --schemes penalty,euler`",
                    "there is no scheme euler")
        self.expect(FIGURE_2, COMMAND,
                    "`Contact/NAME/Impact law = newton`", "Contact/NAME/Impact law does not allow 'newton'")

    def test_files_pictures_and_columns_must_exist(self):
        self.expect(FIGURE_2, "cases/rigid.cc", "cases/stick.cc", "there is no file tests/cases/stick.cc")
        self.expect(FIGURE_2, "`works.png`", "`work.png`", "no program writes work.png")
        self.expect(FIGURE_2, "`works.png`", "`probe-end.png`", "no program writes probe-end.png")
        self.expect(FIGURE_2, "`works.png`", "column `work_normal_total` of energy.csv",
                    "has no column work_normal_total")

    def test_data_must_be_named(self):
        self.expect(FIGURE_2, "| the paper's |", "| exact |", "its data are none of")
        self.expect(FIGURE_2, "| the paper's |", "| differ: step; mass as in the paper |", "may be mistaken")
        self.expect(FIGURE_2, "| the paper's |", "| the paper's, with another step |", "with exceptions")
        self.expect(FIGURE_2, "| the paper's |", "| differ: |", "does not say which data")
        self.expect(FIGURE_1, "| – |", "| the paper's |", "claims the paper's data, which")
        self.expect(FIGURE_2, COMMAND, "–", "a row without a case")

    def test_data_that_a_row_does_not_name_are_the_papers(self):
        row = next(row for row in check_papers.rows(PAGE)
                   if (row.document, row.number) == ("BBDM24", "Figure 3"))
        checker = check_papers.Checker(ROOT, "percussion")
        for end, expected in (("2.0", []), ("3", ["has other data than the paper: Time/End is 3, not 2"])):
            checker.effective = lambda command, end=end: {**check_papers.BALL, "Time/End": end}
            self.assertEqual(list(checker.problems_of_claim(row)), expected)

    def test_a_further_option_replaces_a_value(self):
        row = next(row for row in check_papers.rows(PAGE)
                   if (row.document, row.number) == ("BBDM24", "Figure 10"))
        case = "percussion params/ring_self_contact.prm --set "
        self.assertEqual(check_papers.Checker(ROOT, None).commands(row),
                         [f'{case}"Constants/friction=0.{i}"' for i in (1, 2, 3)])

    def test_every_number_has_a_row(self):
        self.expect(FIGURE_2, "2(a, b, c, d, e, f)", "2(a, b, c, d, e)", "AC24: Figure 2(f) is missing")
        self.expect(FIGURE_1, "Figure 1 ", "Figure 15 ", "AC24: Figure 1 is missing",
                    "AC24: there is no Figure 15")
        found = problems(PAGE.replace("| (2.2)–(2.8) |", "| (2.2)–(2.7) |"))
        self.assertEqual(found, ["doc/papers.md: BBDM24: (2.8) is missing"])

    def test_equal_values(self):
        self.assertTrue(check_papers.is_equal("1e-4", "0.0001"))
        self.assertTrue(check_papers.is_equal("0, -10", "0,-10.0"))
        self.assertFalse(check_papers.is_equal("0, -9.81", "0, -10"))
        self.assertFalse(check_papers.is_equal("0, -10, 0", "0, -10"))
        self.assertFalse(check_papers.is_equal("", "0.5"))
        self.assertFalse(check_papers.is_equal("moreau-jean", "moreau-jean-fremond"))


if __name__ == "__main__":
    unittest.main()
