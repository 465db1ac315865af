"""Runs for the tests of certificates, and changes of single numbers in their files."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

SOURCE = pathlib.Path(os.environ["PERCUSSION_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["PERCUSSION_BINARY_DIR"])
sys.path.insert(0, str(BUILD / "python"))

from percussion_certify.program import main  # noqa: E402  pylint: disable=wrong-import-position
from percussion_report.scene import read_parameters  # noqa: E402  pylint: disable=wrong-import-position
from percussion_report.vtu import Vtu  # noqa: E402  pylint: disable=wrong-import-position

PROGRAM = "percussion-certify"


def compute(case, folder, settings):
    """Runs a case with other entries."""
    command = [str(BUILD / "percussion"), str(case), "--output", str(folder)]
    for path, value in settings.items():
        command += ["--set", f"{path}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)


def effective_entries(case):
    """Returns {path: value} of all entries in effect for a case."""
    command = [str(BUILD / "percussion"), str(case), "--print-parameters"]
    with tempfile.NamedTemporaryFile("w+") as stream:
        subprocess.run(command, stdout=stream, check=True)
        return read_parameters(stream.name)


def started(*arguments):
    """Runs the program as a process; returns its outcome."""
    return subprocess.run([str(BUILD / PROGRAM), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def certify(*arguments):
    """Calls the program, which takes less time than a process; returns its outcome."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = main([*map(str, arguments)], "0.1.0")
        except SystemExit as end:
            status = end.code
    return types.SimpleNamespace(returncode=status, stdout=output.getvalue(), stderr=errors.getvalue())


def change_cell(file, row, column, change):
    """Changes a number of a table, in a row of values and a named column."""
    lines = file.read_text(encoding="utf-8").splitlines()
    header = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    position = lines[header].split(",").index(column)
    index = header + 1 + row if row >= 0 else len(lines) + row
    cells = lines[index].split(",")
    cells[position] = repr(float(change(float(cells[position]))))
    lines[index] = ",".join(cells)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def change_array(file, name, choose, change):
    """Changes a number of an array of points or cells of a VTU file; `choose` returns its row and
    component from all arrays by name."""
    vtu = Vtu(str(file))
    section = next(s for s, n in vtu.arrays if n == name and s.endswith("Data"))
    values = vtu.array(section, name).copy()
    row, component = choose(lambda other: vtu.array("PointData", other))
    index = (row, component) if values.ndim > 1 else row
    values[index] = change(values[index])
    text = " ".join(map(repr, values.ravel().tolist()))
    content = file.read_text(encoding="utf-8")
    pattern = re.compile(rf'(<DataArray[^>]*Name="{name}"[^>]*format=)"binary"([^>]*>)[^<]*')
    content, n = pattern.subn(lambda match: f'{match[1]}"ascii"{match[2]}{text}', content, count=1)
    assert n == 1, name
    file.write_text(content, encoding="utf-8")


class CertifiedRun(unittest.TestCase):
    """Test case with a folder of its own, and a complete run to copy."""

    case, settings = "", {}

    @classmethod
    def setUpClass(cls):
        cls.store = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(cls.store.cleanup)
        if cls.case:
            compute(SOURCE / "params" / cls.case, f"{cls.store.name}/run", cls.settings)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def copy(self):
        """Returns a fresh copy of the run."""
        target = self.folder / "run"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(f"{self.store.name}/run", target)
        return target

    def assert_passes(self, *arguments):
        outcome = certify(*arguments)
        self.assertEqual((outcome.returncode, outcome.stderr), (0, ""), outcome.stdout)
        return outcome.stdout

    def assert_fails(self, words, *arguments):
        """Expects status 1, and the words in the explanation of a failed check; returns the output."""
        outcome = certify(*arguments)
        self.assertEqual((outcome.returncode, outcome.stderr), (1, ""), outcome.stdout)
        lines = outcome.stdout.splitlines()
        found = "\n".join(f"{line} {lines[k + 1]}" for k, line in enumerate(lines[:-1])
                          if line.endswith("FAILS"))
        self.assertIn(words, found, outcome.stdout)
        return outcome.stdout

    def assert_refused(self, words, *arguments):
        """Expects status 2 and a message without a traceback."""
        outcome = certify(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome.stdout + outcome.stderr)
        self.assertTrue(outcome.stderr.startswith(f"{PROGRAM}: "), outcome.stderr)
        self.assertIn(words, outcome.stderr)
