#!/usr/bin/env python3
"""Tests of check_quotes.py on small repositories with and without problems."""

import tempfile
import unittest
from pathlib import Path

import check_quotes

SOURCE = "int one() {\n  return 1;\n}\n\nint two() {\n  return 2;\n}\n"


class Repository(unittest.TestCase):
    """Repository in a separate folder: README.md, code.cc, and doc/ with pages that a test
    adds."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "doc").mkdir()
        (self.root / "tests").mkdir()
        (self.root / "code.cc").write_text(SOURCE, "utf-8")
        self.page("README.md", "# Title\n")

    def page(self, name, text):
        """Writes a page."""
        (self.root / name).write_text(text, "utf-8")

    def expect(self, *parts):
        """Expects one problem for each of these texts, which it contains."""
        found = check_quotes.problems(self.root)
        self.assertEqual(len(found), len(parts), found)
        for problem, part in zip(found, parts):
            self.assertIn(part, problem)

    def quote(self, *lines):
        """Writes a page that quotes these lines of the code."""
        block = "\n".join(("```cpp from=code.cc",) + lines + ("```", ""))
        self.page("doc/a.md", block)

    def test_takes_what_the_file_says(self):
        self.quote("  return 1;", "}", "// ...", "int two() {")
        self.expect()

    def test_finds_changed_lines(self):
        self.quote("  return 3;")
        self.expect("code.cc")

    def test_finds_lost_lines(self):
        self.quote("int one() {", "}")
        self.expect("code.cc")

    def test_finds_another_order(self):
        self.quote("int two() {", "// ...", "int one() {")
        self.expect("after what precedes")

    def test_finds_lines_joined_over_a_gap(self):
        self.quote("}", "int two() {")
        self.expect("code.cc")

    def test_finds_missing_files_and_empty_quotes(self):
        self.page("doc/a.md", "```cpp from=gone.cc\nint x;\n```\n\n```cpp from=code.cc\n```\n")
        self.expect("gone.cc", "nothing")

    def test_follows_links(self):
        self.page("doc/a.md", "# A & B: \"c\"\n\n## Twice\n\n## Twice\n")
        self.page(
            "README.md",
            "[a](doc/a.md) [b](doc/a.md#a--b-c) [c](doc/a.md#twice-1) [d](https://a.b/c)\n"
            "`[e](gone.md)`\n\n    # no heading\n",
        )
        self.expect()

    def test_finds_broken_links(self):
        self.page("doc/a.md", "# A\n\n[b](b.md) [c](#c) [a line\nbreak](../README.md#gone)\n")
        self.expect("a.md:3: no file b.md", "no heading #c", "no heading #gone in README.md")

    def test_finds_links_to_headings_in_blocks(self):
        self.page("doc/a.md", "[c](#c)\n\n```\n# C\n```\n")
        self.expect("no heading #c")

    def test_finds_formulas_that_markdown_would_change(self):
        self.page("doc/a.md", "Good: $a_b$ and 3 $ or 4 $. Bad: $a\\,b$, $x^*$, $a < b$.\n")
        self.expect("\\,", "*", "<")

    def test_leaves_indented_blocks_alone(self):
        self.page("doc/a.md", "Run:\n\n    x=$a*b; y=$c\n    [no](link.md)\n\n* item\n  [a](no.md)\n")
        self.expect("no file no.md")

    def test_measures_sections_of_the_guide(self):
        long = "line\n" * 49
        self.page("doc/extending.md", "# How\n\n## Short\n" + "line\n" * 48 + "## Long\n" + long)
        self.expect("a section of 50 lines")
        self.page("doc/other.md", "## Long\n" + long)
        self.expect("extending.md")


if __name__ == "__main__":
    unittest.main()
