#!/usr/bin/env python3
"""Checks the macro for ParaView that every run writes.

    check_macro.py PERCUSSION SOURCE files        what can be checked without ParaView
    check_macro.py PERCUSSION SOURCE pictures     pictures by pvbatch; exit status 77 without it

PERCUSSION is the program, SOURCE the folder of the sources.
"""

import os
import re
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

PERCUSSION, SOURCE, MODE = sys.argv[1:4]
MACRO = os.path.join(SOURCE, "src/output/paraview_macro.py")

# Each kind of run, shortened: name -> parameter file, assignments, what the macro is to see.
CASES = {
    "elastic": ("params/hello_drop.prm", ["Contact/ground/Point=0, -0.01", "Time/End=0.1",
                                          "Output/Number of instants=10"],
                {"is_elastic": True, "is_rigid": False, "is_large_strain": False,
                 "surfaces": [("half-plane", 1.0)]}),
    "large": ("params/ring_impact.prm", ["Time/End=0.1", "Output/Number of instants=10"],
              {"is_elastic": True, "is_rigid": False, "is_large_strain": True,
               "surfaces": [("half-plane", 1.0)]}),
    "rigid": ("params/pillar.prm", ["Time/End=0.02", "Output/Number of instants=4"],
              {"is_elastic": False, "is_rigid": True, "is_large_strain": False,
               "surfaces": [("half-plane", 1.0), ("rigid bodies", 1.0)]}),
    "mixed": ("tests/paraview/mixed.prm", [],
              {"is_elastic": True, "is_rigid": True, "is_large_strain": False,
               "surfaces": [("half-plane", 1.0), ("rigid bodies", 1.0), ("half-plane", 1.0)]}),
    "circle": ("tests/paraview/in_a_circle.prm", [],
               {"is_elastic": False, "is_rigid": True, "is_large_strain": False,
                "surfaces": [("inside of circle", 0.5)]}),
}


def run_case(name, results):
    file, assignments, _ = CASES[name]
    command = [PERCUSSION, os.path.join(SOURCE, file), "--output", results]
    for assignment in assignments:
        command += ["--set", assignment]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class WithRuns(unittest.TestCase):
    """All cases, run once."""

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
    macro = runpy.run_path(MACRO, run_name="test")

    def read(self, name):
        return self.macro["RunFiles"](self.results[name])

    def copy(self, name):
        """A copy of the results that may be changed."""
        folder = os.path.join(self.scratch.name, self.id())
        shutil.copytree(self.results[name], folder)
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def trouble_with(self, folder):
        with self.assertRaises(self.macro["Trouble"]) as caught:
            self.macro["RunFiles"](folder)
        return str(caught.exception)

    def test_every_run_writes_it(self):
        with open(MACRO, "rb") as stream:
            source = stream.read()
        for name, folder in self.results.items():
            with open(os.path.join(folder, "paraview_macro.py"), "rb") as stream:
                self.assertEqual(stream.read(), source, name)

    def test_every_array_that_it_names_is_in_the_files(self):
        with open(MACRO, encoding="utf-8") as stream:
            text = stream.read()
        made = set(re.findall(r'(?:ArrayName|SetName)\(?=?"([^"]+)"', text))
        made.update(re.findall(r'vector = "(displacement .*)"', text))
        named = set(re.findall(r'[\[(]"(POINTS|CELLS)", "([^"]+)"', text))
        named.update(("POINTS", array) for array in re.findall(r'fields\["([^"]+)"\]', text))
        named.update(("POINTS", array) for array in
                     re.findall(r'PointData(?:\[|\(\)\.GetArray\()[\'"]([^\'"]+)', text))
        named.update(("CELLS", array) for array in
                     re.findall(r'GetCellData\(\)\.GetArray\("([^"]+)"', text))
        named.update(("CELLS" if association == "CellData" else "POINTS", array) for
                     association, array in re.findall(r'"(PointData|CellData)", "([^"]+)"', text))
        named = {(association, array) for association, array in named if array not in made}
        self.assertGreater(len(named), 7, named)
        for name in CASES:
            run = self.read(name)
            contacts = self.macro["read_series"](run.contacts)
            self.assertEqual([time for time, _ in contacts], run.times)
            for (_, solution), (_, contact) in zip(run.series, contacts):
                held = {(key[0].replace("Data", "").upper() + "S", key[1])
                        for file in (solution, contact) for key in self.macro["read_ranges"](file)}
                self.assertLessEqual(named, held, solution)

    def test_it_sees_what_the_run_is(self):
        for name, (_, _, expected) in CASES.items():
            run = self.read(name)
            for key, value in expected.items():
                self.assertEqual(getattr(run, key), value, f"{name}: {key}")
            self.assertGreater(run.percussions[-1], 0, name)
            self.assertEqual(run.largest_stress > 0, run.is_elastic, name)
            self.assertEqual(run.units, {"time": "s", "stress": "Pa", "percussion": "N s"}, name)

    def test_it_sees_no_contact_where_there_is_none(self):
        folder = self.copy("elastic")
        shutil.rmtree(folder)
        subprocess.run([PERCUSSION, os.path.join(SOURCE, "params/hello_drop.prm"), "--output",
                        folder, "--set", "Time/End=0.01"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.macro["RunFiles"](folder).percussions, [])

    def test_it_shows_what_there_is_of_a_run_that_goes_on(self):
        folder = self.copy("elastic")
        os.remove(os.path.join(folder, "summary.json"))
        for series in ("solution", "contacts"):
            with open(os.path.join(folder, series + ".pvd"), encoding="utf-8") as stream:
                lines = stream.readlines()
            with open(os.path.join(folder, series + ".pvd"), "w", encoding="utf-8") as stream:
                stream.writelines(lines[:6] + lines[-2:])
            os.remove(os.path.join(folder, series + "-000010.vtu"))
        self.assertEqual(len(self.macro["RunFiles"](folder).times), 3)

    def test_it_says_what_is_missing(self):
        folder = self.copy("elastic")
        os.remove(os.path.join(folder, "solution-000004.vtu"))
        self.assertIn("solution-000004.vtu: no such file, though solution.pvd lists it",
                      self.trouble_with(folder))
        os.remove(os.path.join(folder, "solution.pvd"))
        self.assertIn("solution.pvd: cannot be read (No such file", self.trouble_with(folder))
        os.remove(os.path.join(folder, "parameters.prm"))
        self.assertIn("parameters.prm: cannot be read (No such file", self.trouble_with(folder))

    def test_plain_python_is_told_what_to_run(self):
        for folder in self.results.values():
            macro = os.path.join(folder, "paraview_macro.py")
            outcome = subprocess.run([sys.executable, "-c", (
                "import runpy, sys; sys.modules['paraview'] = None; "
                f"runpy.run_path({macro!r}, run_name='__main__')")],
                capture_output=True, text=True, check=False)
            self.assertEqual(outcome.returncode, 1, outcome.stderr)
            self.assertIn(f"paraview --script={macro}\n", outcome.stderr)
            self.assertNotIn("Traceback", outcome.stderr)
            self.assertEqual([name for name in os.listdir(folder) if "pyc" in name], [])

    def test_units(self):
        units_of = self.macro["units_of"]
        self.assertEqual(units_of("N, mm, ms, g"),
                         {"time": "ms", "stress": "MPa", "percussion": "N ms"})
        self.assertEqual(units_of("kg, mm, ms"),
                         {"time": "ms", "stress": "kN/mm²", "percussion": "kN ms"})
        self.assertEqual(units_of("dimensionless"), {"time": "", "stress": "", "percussion": ""})

    def test_numbers(self):
        self.assertEqual([self.macro["round_1_2_5"](x) for x in (1.3, 1.5, 3.3, 60, 0.008)],
                         [1, 2, 5, 50, 0.01])
        self.assertEqual([self.macro["short"](x) for x in (1186.2, 0.0235, 1.2345e7, 3)],
                         ["1190", "0.0235", "1.23e+07", "3"])
        self.assertEqual(self.macro["nearest_time"]([0, 0.1, 0.2], 0.14), 0.1)
        some = self.macro["some_of"](list(range(1000)))
        self.assertEqual((some[0], some[-1], len(some)), (0, 999, 60))


def read_png(file):
    """Width, height and the set of colours, each three or four bytes."""
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
        for name, (_, _, expected) in CASES.items():
            with self.subTest(name):
                width, height, colours = self.draw(name, "--size", "800,600")
                self.assertEqual((width, height), (800, 600))
                self.assertIn(bytes([255] * 3), colours)  # the page
                self.assertIn(bytes([224] * 3), colours)  # the ground
                pale = bytes([round(255 * c) for c in (0.77, 0.86, 0.93)])
                self.assertEqual(pale in colours, expected["is_rigid"])
                viridis = bytes([68, 1, 84])  # its darkest
                self.assertEqual(any(all(abs(a - b) < 4 for a, b in zip(colour, viridis))
                                     for colour in colours), expected["is_elastic"])


if __name__ == "__main__":
    if MODE == "pictures" and shutil.which("pvbatch") is None:
        print("skipped: there is no pvbatch here")
        sys.exit(77)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(
        {"files": Files, "pictures": Pictures}[MODE])
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
