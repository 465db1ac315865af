"""Cases and programs for the tests of sweeps and of convergence."""

import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PERCUSSION_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["PERCUSSION_BINARY_DIR"])
BALL = SOURCE / "params/bouncing_ball.prm"


def table_of(file):
    """Returns the rows of a table as dictionaries of texts."""
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class StudyTest(unittest.TestCase):
    """Test case that runs a program in a folder of its own."""

    program = ""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def command(self, *arguments):
        return [str(BUILD / self.program), *map(str, arguments)]

    def start(self, *arguments):
        """Runs the program; returns its outcome."""
        return subprocess.run(self.command(*arguments), cwd=self.folder, text=True,
                              capture_output=True, check=False)

    def complete(self, *arguments):
        """Runs the program, which must end with status 0; returns the lines that it printed."""
        outcome = self.start(*arguments)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome.stdout.splitlines()

    def refused(self, words, *arguments):
        """Expects exit status 2 and a message with these words."""
        outcome = self.start(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome.stdout + outcome.stderr)
        self.assertTrue(outcome.stderr.startswith(f"{self.program}: "), outcome.stderr)
        self.assertIn(words, outcome.stderr)
