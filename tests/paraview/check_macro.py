#!/usr/bin/env python3
"""Checks the macro for ParaView that every run writes.

    check_macro.py PERCUSSION SOURCE files        checks that do not need ParaView
    check_macro.py PERCUSSION SOURCE pictures     pictures by pvbatch; exit status 77 without it

PERCUSSION is the program, SOURCE the folder of the sources.
"""

import functools
import os
import re
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree as ET
import zlib

import numpy as np

PERCUSSION, SOURCE, MODE = sys.argv[1:4]

# Kinds of runs, shortened: name -> parameter file, assignments, presence of rigid bodies, of
# elastic bodies and of surfaces.
CASES = {
    "elastic": ("params/hello_drop.prm", ["Contact/ground/Point=0, -0.01", "Time/End=0.1",
                                          "Output/Number of instants=10"],
                (True, False, {0})),
    "large": ("params/ring_impact.prm", ["Time/End=0.1", "Output/Number of instants=10"],
              (True, False, {0})),
    "rigid": ("params/pillar.prm", ["Time/End=0.02", "Output/Number of instants=4"],
              (False, True, {0})),
    "mixed": ("tests/paraview/mixed.prm", [],
              (True, True, {0, 2})),
    "circle": ("tests/paraview/in_a_circle.prm", [],
               (False, True, {0})),
    "space": ("params/box_slide.prm", ["Time/End=0.005", "Output/Number of instants=2"],
              (True, False, {0})),
}


def run_case(name, results):
    file, assignments, _ = CASES[name]
    command = [PERCUSSION, os.path.join(SOURCE, file), "--output", results]
    for assignment in assignments:
        command += ["--set", assignment]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class WithRuns(unittest.TestCase):
    """Runs of all cases, computed once."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.results = {name: os.path.join(cls.scratch.name, "a folder", name) for name in CASES}
        for name, folder in cls.results.items():
            run_case(name, folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()


class Files(WithRuns):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.macro = runpy.run_path(os.path.join(cls.results["rigid"], "paraview_macro.py"),
                                   run_name="test")

    def test_every_run_writes_both_parts_of_it(self):
        parts = []
        for name in ("paraview_macro", "scene"):
            with open(os.path.join(SOURCE, f"src/output/{name}.py"), encoding="utf-8") as stream:
                parts.append(stream.read())
        for name, folder in self.results.items():
            with open(os.path.join(folder, "paraview_macro.py"), encoding="utf-8") as stream:
                self.assertEqual(stream.read(), parts[0].replace("@PERCUSSION_SCENE@", parts[1]),
                                 name)

    def test_every_array_that_it_names_is_in_the_files(self):
        with open(os.path.join(SOURCE, "src/output/paraview_macro.py"), encoding="utf-8") as stream:
            text = stream.read()
        named = {name for names in re.findall(r'array_of\(\w+, ("\w+")', text)
                 for name in re.findall(r'"(\w+)"', names)}
        self.assertGreaterEqual(named, {"displacement", "von_mises", "nodal_von_mises", "body"})
        none = self.macro["Contacts"](np.zeros((0, 2)), None)
        named |= {*vars(none), "TimeValue"} - {"points"}
        for name, folder in self.results.items():
            for _, solution in self.macro["read_series"](os.path.join(folder, "solution.pvd")):
                held = ""
                for file in (solution, solution.replace("solution-", "contacts-")):
                    with open(file, encoding="utf-8") as stream:
                        held += stream.read()
                for array in named:
                    self.assertIn(f'Name="{array}"', held, f"{name}: {solution}")

    def test_it_sees_what_the_run_is(self):
        for name, (_, _, (_, _, grounds)) in CASES.items():
            parameters = self.macro["read_parameters"](
                os.path.join(self.results[name], "parameters.prm"))
            ground = ET.parse(os.path.join(self.results[name], "ground.vtu"))
            pairs = {array.get("Name") for array in ground.iter("DataArray")}
            self.assertEqual(
                {int(array[13:]) for array in pairs if array.startswith("displacement-")},
                grounds, name)
            units = self.macro["units_of"](parameters["Output/Units"])
            self.assertIn(units["percussion"], ("N s", "N ms"))

    def test_vtkhdf_is_shown_if_paraview_reads_its_times(self):
        """ParaView 5.11 has a reader of VTKHDF that knows no times."""
        class Reader:
            def __init__(self, times, FileName):
                self.file, self.TimestepValues = FileName, times

        def shown(times):
            scene = types.SimpleNamespace(
                pv=types.SimpleNamespace(VTKHDFReader=functools.partial(Reader, times)),
                named=lambda reader, name: (reader.file, name))
            return self.macro["Scene"].series_in(scene, folder, "solution"), scene.times

        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "solution.vtkhdf")
            with open(file, "wb"):
                pass
            self.assertTrue(self.macro["has_solution"](folder))
            self.assertEqual(shown([0, 0.5]), ((file, "solution.vtkhdf"), [0.0, 0.5]))
            for times in None, []:
                with self.assertRaisesRegex(self.macro["Trouble"], "5.12 and later"):
                    shown(times)

    def test_plain_python_is_told_what_to_run(self):
        for missing in ("paraview", "numpy"):
            for folder in self.results.values():
                macro = os.path.join(folder, "paraview_macro.py")
                outcome = subprocess.run([sys.executable, "-c", (
                    f"import runpy, sys; sys.modules['paraview'] = sys.modules['{missing}'] = None;"
                    f"runpy.run_path({macro!r}, run_name='__main__')")],
                    capture_output=True, text=True, check=False)
                self.assertEqual(outcome.returncode, 1, outcome.stderr)
                self.assertIn(f"paraview --script={macro}\n", outcome.stderr)
                self.assertNotIn("Traceback", outcome.stderr)
                self.assertEqual([name for name in os.listdir(folder) if "pyc" in name], [])


def read_png(file):
    """Returns width, height and the set of colours, each three or four bytes."""
    with open(file, "rb") as stream:
        data = stream.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", file
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8 and kind in (2, 6), (depth, kind)
    size, place, packed = {2: 3, 6: 4}[kind], 8, b""
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        packed += data[place + 8:place + 8 + length] if name == b"IDAT" else b""
        place += length + 12
    raw, stride = zlib.decompress(packed), width * size + 1
    before, colours = bytearray(width * size), set()
    for row in range(height):
        filtered, line = raw[row * stride], bytearray(raw[row * stride + 1:(row + 1) * stride])
        for i, byte in enumerate(line):
            a, b, c = (line[i - size] if i >= size else 0, before[i],
                       before[i - size] if i >= size else 0)
            p = a + b - c
            paeth = min((a, b, c), key=lambda value, p=p: abs(p - value))
            line[i] = (byte + (0, a, b, (a + b) // 2, paeth)[filtered]) & 255
        colours.update(bytes(line[i:i + 3]) for i in range(0, len(line), size))
        before = line
    return width, height, colours


class Pictures(WithRuns):

    def draw(self, name, *options):
        picture = os.path.join(self.results[name], "picture.png")
        command = ["pvbatch", os.path.join(self.results[name], "paraview_macro.py"), "--picture",
                   picture, *options]
        if not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
            command = ["xvfb-run", "--auto-servernum", *command]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        said = outcome.stdout + outcome.stderr
        self.assertEqual(outcome.returncode, 0, said)
        for word in ("Traceback", "ERR|", "WARN|", "rror:"):
            self.assertNotIn(word, said)
        return read_png(picture)

    def test_every_kind_of_run_gives_a_picture(self):
        for name, (_, _, (is_elastic, is_rigid, _)) in CASES.items():
            with self.subTest(name):
                width, height, colours = self.draw(name, "--size", "800,600")
                self.assertEqual((width, height), (800, 600))
                self.assertIn(bytes([255] * 3), colours)  # the background
                if name != "space":  # no lighting in 2D
                    self.assertIn(bytes([224] * 3), colours)  # the ground
                pale = bytes([round(255 * c) for c in (0.77, 0.86, 0.93)])
                self.assertEqual(pale in colours, is_rigid)
                viridis = bytes([68, 1, 84])  # its darkest colour
                self.assertEqual(any(all(abs(a - b) < 4 for a, b in zip(colour, viridis))
                                     for colour in colours), is_elastic)


if __name__ == "__main__":
    if MODE == "pictures" and shutil.which("pvbatch") is None:
        print("skipped: there is no pvbatch here")
        sys.exit(77)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(
        {"files": Files, "pictures": Pictures}[MODE])
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
