#!/usr/bin/env python3
"""Tests of check_language.py on a small repository."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("check_language.py")
WORDS = r"""
[DEFAULT]
folders = src
[openings]
kind = opening
bound = 0
goal = 0
advice = begin with a verb or noun
words = what of
[identifiers]
kind = identifier
bound = 0
goal = 0
advice = name the quantity
words = of other
[where]
kind = phrase
bound = 0
goal = 0
advice = if for a condition
words = \bwhere\b
unless_after = point
"""


class Language(unittest.TestCase):
    """Tests of findings in sources of a few lines."""

    def check(self, **files: str) -> str:
        """Returns the output of the check, whose status must be 1 exactly if there are findings."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src").mkdir()
            (root / "words.txt").write_text(WORDS, encoding="utf-8")
            for name, text in files.items():
                (root / "src" / name.replace("_", ".")).write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, str(CHECK), folder, "--words", f"{folder}/words.txt"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, int("[" in run.stdout), run.stdout + run.stderr)
        return run.stdout

    def test_openings_of_docstrings(self):
        self.assertIn("src/a.h:1: What is", self.check(a_h="/// What is\n/// left.\nint n;\n"))
        self.assertIn("src/a.h:1: of a", self.check(a_h="int n; ///< of a body\n"))
        self.assertIn("src/a.py:1: What a", self.check(a_py='"""What a file is."""\n'))
        for text in ("// What is left.\n", "/// Whatever.\n", "/// Mass of what moves.\n", "/// Of: `of`.\n",
                     'auto s = "/// What";\n'):
            self.assertNotIn("[openings", self.check(a_h=text), text)

    def test_identifiers(self):
        declarations = ("double other = 0;", "const Vector &other;", "std::vector<T> of(n);", "for (auto of : x)",
                        "auto [a, of] = f();", "enum class E { a, of };", "void of(int n);", "T *other;",
                        "void f(const std::string &of)", "int n = 1, other = 2;", "int n, *other;",
                        "[&, other = n] {}")
        for text in declarations:
            self.assertIn("[identifiers", self.check(a_cc=text + "\n"), text)
        for text in ("return other;", "a = b * other;", "a = b & other;", "if (a > other)", "// double other;",
                     'f("double other;");', "f(a, other);", "another other_row;", "return *other;", "f(n, other) = 2;"):
            self.assertNotIn("[identifiers", self.check(a_cc=text + "\n"), text)
        for text in ("def of(): pass", "def f(of): pass", "of = 1", "for of in x: pass", "class Of: pass"):
            self.assertIn("[identifiers", self.check(a_py=text + "\n"), text)
        self.assertNotIn("[identifiers", self.check(a_py="x = other.of\n"))

    def test_phrases(self):
        self.assertIn("src/a.cc:2: … false where", self.check(a_cc="int a;\nint b; // false where it fails\n"))
        self.assertIn("[where", self.check(a_cc="// zero,\n// where none is\n"))
        self.assertNotIn("[where", self.check(a_cc="// the point where it acts\nint where;\n"))


if __name__ == "__main__":
    unittest.main()
