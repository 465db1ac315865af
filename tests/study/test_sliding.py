"""tools/measure_sliding.py: bodies that slide keep their contact, or the program warns. sliding_cells.csv has the
cells, and if a cell is right or warned of; there is no cell that is silently wrong."""

import collections
import csv
import pathlib
import sys
import tempfile
import unittest

from studies import BUILD, SOURCE

sys.path[:0] = [str(SOURCE / "tools"), str(BUILD / "python")]

import percussion  # noqa: E402
from sliding import cells, judge  # noqa: E402

TABLE = pathlib.Path(__file__).with_name("sliding_cells.csv")


class Cells(unittest.TestCase):
    def test_each_level_occurs_twice(self):
        found = cells.read_cells(TABLE)
        for k, (factor, levels) in enumerate(cells.LEVELS.items()):
            numbers = collections.Counter(cell[k] for cell in found)
            self.assertEqual(set(numbers), set(levels), factor)
            self.assertGreaterEqual(min(numbers.values()), 2, (factor, numbers))

    def test_cells_are_sensible_and_differ(self):
        found = cells.read_cells(TABLE)
        self.assertEqual(len(set(found)), len(found))
        self.assertEqual([cell for cell in found if not cells.is_sensible(cell)], [])


class Sliding(unittest.TestCase):
    def test_contact_is_kept_or_its_loss_is_warned_of(self):
        with open(TABLE, encoding="utf-8", newline="") as stream:
            expected = [row["verdict"] for row in csv.DictReader(stream)]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            references = judge.References(percussion, folder / "references")
            for cell, kind in zip(cells.read_cells(TABLE), expected):
                with self.subTest(cell.name()):
                    found = judge.verdict_of(percussion, cell, folder / "run", references)
                    self.assertIn(found.kind, {"right": ("right",), "warned": ("right", "warned")}[kind],
                                  (found.worst(), found.ledger, found.warnings))


if __name__ == "__main__":
    unittest.main()
