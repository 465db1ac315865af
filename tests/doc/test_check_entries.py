#!/usr/bin/env python3
"""Tests check_entries.py: each kind of mistake in a page is found, with its line."""

import tempfile
import unittest
from pathlib import Path

import check_entries

REFERENCE = r"""# Parameters

## Time

### Step

* Default: `1e-3`
* Allowed: a number > 0

### Inertia

* Default: `full`
* Allowed: one of full, none

## Contact

### Forecast

* Default: `position`
* Allowed: one of position, 'of the scheme'

## Contact/\<name>

### Restitution, Wear

* Default: `0`
* Allowed: a number >= 0

### Motion x, y, z

* Allowed: a formula of t, or nothing

## Contact/\<name>/\<side>

The entries of [Contact](#contact), whose values are the defaults.
"""


class CheckEntries(unittest.TestCase):
    def problems(self, text):
        """Returns the problems of a page with this text."""
        with tempfile.TemporaryDirectory() as folder:
            repository = Path(folder)
            (repository / "doc").mkdir()
            (repository / "README.md").write_text("# Read me\n")
            (repository / "doc/parameters.md").write_text(REFERENCE)
            (repository / "doc/page.md").write_text(text)
            return list(check_entries.problems(repository))

    def test_entries_and_values_that_exist(self):
        self.assertEqual(self.problems(
            "`Time/Step=1e-5`, `Time/Inertia = none`, `Time/Inertia = VALUE`, `Contact/Forecast`, "
            "`Contact/ground`, `Contact/ground/Restitution`, `Contact/ground/Wear`, "
            "`Contact/ground/Motion y`, `Contact/Forecast = of\nthe scheme`, "
            "`output/ball`, `Time`\n"), [])
        self.assertEqual(check_entries.sections(REFERENCE)["Contact/<name>/<side>"],
                         {"Forecast": {"position", "of the scheme"}})

    def test_entries_that_do_not_exist(self):
        self.assertEqual(
            self.problems("`Time/Stepp`\n\n`Contact/Restitution`, `Contact/ground/Elasticity = 1`\n"),
            ["doc/page.md:1: there is no Time/Stepp",
             "doc/page.md:3: there is no Contact/Restitution",
             "doc/page.md:3: there is no Contact/ground/Elasticity"])

    def test_words_that_an_entry_does_not_allow(self):
        self.assertEqual(self.problems("\n`Time/Inertia = half`\n"),
                         ["doc/page.md:2: Time/Inertia cannot be half"])

    def test_blocks_may_show_mistakes(self):
        self.assertEqual(self.problems("```text\n`Time/Stepp`\n```\n"), [])

    def test_options_that_a_program_does_not_have(self):
        with tempfile.TemporaryDirectory() as folder:
            repository = Path(folder)
            (repository / "doc").mkdir()
            program = repository / "percussion-report"
            program.write_text("#!/bin/sh\necho '--frames N, --plain'\n")
            program.chmod(0o755)
            (repository / "README.md").write_text(
                "`percussion-report --mesh`, `percussion-report`, `mpirun --mca`\n\n"
                "```sh\npercussion-report a \\\n  --plane --frames 3   # --comment\n```\n")
            self.assertEqual(list(check_entries.option_problems(repository, repository)),
                             ["README.md: percussion-report has no --mesh",
                              "README.md: percussion-report has no --plane"])


if __name__ == "__main__":
    unittest.main()
