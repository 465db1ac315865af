"""Utilities of the tests: cases, folders, and the application for comparison."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from percussion_report.scene import read_parameters

SOURCE = pathlib.Path(os.environ.get("PERCUSSION_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
APPLICATION = os.environ.get("PERCUSSION_APPLICATION", str(SOURCE / "build/release/percussion"))

# Files that may contain times in addition to computed results.
WITH_TIMES = {"log.txt", "summary.json", "checkpoint-1.bin", "checkpoint-2.bin"}


def shipped(name):
    """Returns the path of a shipped case."""
    return SOURCE / "params" / name


def application(file, parameters, output, *options):
    """Runs the application; returns its exit status and its output."""
    command = [APPLICATION, str(file), "--output", str(output), *options]
    for path, value in parameters.items():
        command += ["--set", f"{path}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def entries_of(case):
    """Returns {path: value} of all entries in effect for a case."""
    with tempfile.NamedTemporaryFile("w+") as stream:
        subprocess.run([APPLICATION, str(case), "--print-parameters"], stdout=stream, check=True)
        return read_parameters(stream.name)


def contents(folder):
    """Returns the contents of the files of a folder by name, except for files with times."""
    return {
        file.name: file.read_bytes()
        for file in pathlib.Path(folder).iterdir()
        if file.name not in WITH_TIMES
    }


class FolderTest(unittest.TestCase):
    """Test case with a folder of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def assert_same_results(self, folder, reference, besides=()):
        found, expected = contents(folder), contents(reference)
        self.assertEqual(sorted(found), sorted(expected))
        for name, content in expected.items():
            if name not in besides:
                self.assertTrue(found[name] == content, f"{name} differs")
