#!/usr/bin/env python3
"""Tests that check_messages.py finds messages that no program prints."""
import unittest

import check_messages as check


class Messages(unittest.TestCase):
    """Tests on small sources and pages."""

    def test_adjacent_literals_are_one(self):
        self.assertEqual(check.literals('f("a "\n  "b") + "c" + x + "d";'), ["a b", "c", "d"])

    def test_comments_and_characters_are_no_literals(self):
        source = "// \"no\"\n/* \"no\" */ c = '\"'; s = \"a // b \\\"c\\\"\";"
        self.assertEqual(check.literals(source), ['a // b "c"'])

    def test_messages_stand_in_headings_of_the_third_level(self):
        page = "## `a`\n### `b … c` `d`\ntext `e`\n"
        self.assertEqual(list(check.messages(page)), [(2, "b … c"), (2, "d")])

    def test_fixed_pieces_are_of_one_file(self):
        texts = [["region '", "' has no elements"], ["no such region in '"]]
        self.assertTrue(check.is_printed("region '…' has no elements", texts))
        self.assertFalse(check.is_printed("region '…' has no element of", texts))
        self.assertFalse(check.is_printed("no such region in '…' has no elements", texts))

    def test_the_sources_are_found(self):
        names = {path.name for path, _ in check.sources()}
        self.assertTrue({"step.cc", "error.h", "percussion.cc", "quickstart.sh"} <= names)


if __name__ == "__main__":
    unittest.main()
