"""VTKHDF files and selections of fields, compared with the VTU files of the same runs."""

import os
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader

import percussion
from percussion_report import files as report_files
from runs import polyhedra, run_of, short_drop
from support import APPLICATION, FolderTest, application, shipped

READS_ALL_INSTANTS = (vtkVersion().GetVTKMajorVersion(), vtkVersion().GetVTKMinorVersion()) >= (9, 3)
CELLS = ("types", "connectivity", "offsets", "faces", "faceoffsets")


def box_slide(**entries):
    return run_of(shipped("box_slide.prm"), Time__End=0.002, Output__Number_of_instants=2, **entries)


def pillar(**entries):
    return run_of(shipped("pillar.prm"), Time__End=0.02, Output__Number_of_instants=2, **entries)


RUNS = {"elastic 2D": short_drop, "elastic 3D": box_slide, "rigid 2D": pillar, "polyhedra": polyhedra}


def content(folder, name="solution.vtkhdf"):
    """Returns all datasets of a VTKHDF file."""
    found = {}
    with h5py.File(os.path.join(folder, name), "r") as file:
        file.visititems(lambda path, item: found.update({path: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
        found["NSteps"] = file["VTKHDF/Steps"].attrs["NSteps"]
    return found


class AsVtu(unittest.TestCase):
    """A VTKHDF file has the bits of the VTU files of the same run."""

    def compare(self, found, expected, cells=()):
        self.assertEqual(found.fields, expected.fields)
        for section, name in [*expected._sections.items(), ("Points", "Points"), *cells]:
            section, name = (name, section) if section in expected._sections else (section, name)
            with self.subTest(name):
                np.testing.assert_array_equal(found._array(section, name), expected._array(section, name))

    def test_arrays_of_all_instants(self):
        for kind, run in RUNS.items():
            with self.subTest(kind):
                hdf, vtu = (percussion.read(run(Output__Format=form)) for form in ("VTKHDF", "VTU"))
                self.assertEqual(hdf.times.tolist(), vtu.times.tolist())
                self.assertGreater(len(hdf), 2)
                for found, expected in zip(hdf, vtu):
                    names = CELLS if kind == "polyhedra" else CELLS[:3]
                    self.compare(found, expected, [("Cells", name) for name in names])
                    self.compare(found.contacts, expected.contacts)

    def test_mesh_is_stored_once_and_fields_follow_each_other(self):
        for kind, run in RUNS.items():
            with self.subTest(kind):
                folder = run(Output__Format="VTKHDF")
                self.assertFalse([name for name in os.listdir(folder) if name.startswith("solution-")])
                found, instant = content(folder), percussion.read(folder).instant(0)
                n, steps, points = int(found["NSteps"]), "VTKHDF/Steps/", len(instant.points)
                self.assertEqual(len(found["VTKHDF/Points"]), points)
                self.assertEqual(found["VTKHDF/NumberOfPoints"].tolist(), [points])
                cells = int(found["VTKHDF/NumberOfCells"][0])
                self.assertEqual(len(found["VTKHDF/Types"]), cells)
                for group, rows in (("PointData", points), ("CellData", cells)):
                    for path in [path for path in found if path.startswith(f"VTKHDF/{group}/")]:
                        name = os.path.basename(path)
                        is_of_mesh = name == "body"
                        self.assertEqual(found[f"{steps}{group}Offsets/{name}"].tolist(),
                                         [0 if is_of_mesh else k * rows for k in range(n)])
                        self.assertEqual(len(found[path]), rows if is_of_mesh else n * rows)
                for name in ("PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"):
                    self.assertFalse(found[steps + name].any())

    @staticmethod
    def read_by_vtk(file):
        """Yields the grids of the instants that VTK reads, and the times that it knows."""
        reader = vtkHDFReader()
        reader.SetFileName(str(file))
        reader.UpdateInformation()
        times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
        for instant in times or [0]:
            reader.UpdateTimeStep(instant)
            yield instant, reader.GetOutput()

    def compare_grid(self, grid, instant):
        self.assertEqual(grid.GetNumberOfPoints(), len(instant.points))
        if not len(instant.points):
            return
        dim = instant.points.shape[1]
        points = vtk_to_numpy(grid.GetPoints().GetData())
        np.testing.assert_array_equal(points[:, :dim], instant.points)
        data = {"PointData": grid.GetPointData(), "CellData": grid.GetCellData()}
        for name, section in instant._sections.items():
            values = vtk_to_numpy(data[section].GetArray(name))
            is_vector = values.ndim == 2 and values.shape[1] == 3
            np.testing.assert_array_equal(values[:, :dim] if is_vector else values, instant[name], name)

    def test_vtk_reads_the_instants(self):
        """VTK before 9.3 reads the first instant of the bodies."""
        for run in (short_drop, box_slide, pillar):
            folder = run(Output__Format="VTKHDF")
            results = percussion.read(folder)
            n_found = 0
            for (instant, grid), expected in zip(self.read_by_vtk(folder / "solution.vtkhdf"), results):
                self.assertEqual(instant, expected.time)
                self.compare_grid(grid, expected)
                n_found += 1
            self.assertEqual(n_found, len(results) if READS_ALL_INSTANTS else 1)
            if READS_ALL_INSTANTS:
                for (instant, grid), expected in zip(self.read_by_vtk(folder / "contacts.vtkhdf"), results):
                    self.assertEqual(instant, expected.time)
                    self.compare_grid(grid, expected.contacts)

    def test_faces_of_polyhedra_are_polygons(self):
        found = content(polyhedra(Output__Format="VTKHDF"))
        self.assertEqual(found["Percussion/Faces"].tolist(), [6, 4])
        self.assertEqual(set(found["VTKHDF/Types"].tolist()), {7})
        self.assertEqual(np.diff(found["VTKHDF/Offsets"]).tolist(), [4] * 6 + [3] * 4)
        self.assertEqual(found["VTKHDF/CellData/body"].tolist(), [1] * 6 + [2] * 4)


class Readers(FolderTest):
    """The report and certificates read VTKHDF."""

    def run_program(self, name, *arguments):
        program = os.path.join(os.path.dirname(APPLICATION), name)
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_certificate_is_the_one_of_vtu_files(self):
        checks = []
        for form in ("VTU", "VTKHDF"):
            folder = self.folder / form
            shutil.copytree(short_drop(Output__Format=form), folder)
            done = self.run_program("percussion-certify", folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            checks.append([line.split()[0:2] for line in done.stdout.splitlines() if "passes" in line])
        self.assertGreater(len(checks[0]), 30)
        self.assertEqual(*checks)

    def test_certificate_checks_no_rounded_fields(self):
        for entries, reason in (({"Output__Precision": "single"}, "single precision"),
                                ({"Output__Fields": "displacement"}, "has not written")):
            with self.subTest(reason):
                folder = self.folder / reason
                shutil.copytree(short_drop(Output__Format="VTKHDF", **entries), folder)
                done = self.run_program("percussion-certify", folder)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(reason, done.stdout)

    def test_report_draws_the_bodies(self):
        for name, run in RUNS.items():
            with self.subTest(name):
                report = self.folder / name
                done = self.run_program("percussion-report", run(Output__Format="VTKHDF"), "--pictures", report, "--no-animation")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue(list(report.glob("snapshot-*.png")), os.listdir(report))

    def test_report_names_the_missing_field(self):
        done = self.run_program("percussion-report", short_drop(Output__Fields="velocity"),
                                "--pictures", self.folder / "report")
        self.assertEqual(done.returncode, 2)
        self.assertIn("displacement", done.stderr)
        self.assertIn("Output/Fields", done.stderr)

    def test_missing_h5py_is_named(self):
        folder = short_drop(Output__Format="VTKHDF")
        script = ("import sys; sys.modules['h5py'] = None\nimport percussion\n"
                  f"percussion.read({str(folder)!r})")
        done = subprocess.run([shutil.which("python3", path="/usr/bin") or "python3", "-c", script],
                              capture_output=True, text=True, check=False)
        self.assertIn("python3-h5py", done.stderr)


class Selection(unittest.TestCase):
    """Output/Fields and Output/Precision."""

    def test_selected_fields_only(self):
        for form in ("VTU", "VTKHDF"):
            with self.subTest(form):
                run = percussion.read(short_drop(Output__Format=form, Output__Fields="von_mises, displacement"))
                complete = percussion.read(short_drop())
                self.assertEqual(run[0.3].fields, ["body", "displacement", "von_mises"])
                for name in run[0.3].fields:
                    np.testing.assert_array_equal(run[0.3][name], complete[0.3][name])
                self.assertEqual(run[0.3].contacts.fields, complete[0.3].contacts.fields)

    def test_single_precision_rounds_fields_only(self):
        complete = percussion.read(short_drop())
        for form in ("VTU", "VTKHDF"):
            with self.subTest(form):
                run = percussion.read(short_drop(Output__Format=form, Output__Precision="single"))
                self.assertEqual(run[0.3].points.dtype, np.float64)
                for name in complete[0.3].fields:
                    expected, found = complete[0.3][name], run[0.3][name]
                    kind = np.float32 if expected.dtype == np.float64 else expected.dtype
                    self.assertEqual(found.dtype, kind)
                    np.testing.assert_array_equal(found, expected.astype(kind))
                for name in complete[0.3].contacts.fields:
                    np.testing.assert_array_equal(run[0.3].contacts[name], complete[0.3].contacts[name])

    def test_unknown_field_is_refused(self):
        status, words = application(shipped("hello_drop.prm"), {"Output/Fields": "displacement, stres"}, "unused")
        self.assertEqual(status, 2)
        self.assertIn("'stres' is not a field of the bodies of this case; did you mean 'stress'?", words)
        self.assertIn("percussion_sum", words)


class Kills(FolderTest):
    """A run that is killed leaves a readable file, which the resumed run continues."""

    ENTRIES = {"Output/Format": "VTKHDF", "Output/Number of instants": 600, "Output/Steps between checkpoints": 20,
               "Time/End": 0.3, "Output/Seconds between checkpoints": 0}

    def command(self, *options):
        words = [APPLICATION, str(shipped("hello_drop.prm")), "--output", str(self.folder / "run"), *options]
        for path, value in self.ENTRIES.items():
            words += ["--set", f"{path}={value}"]
        return words

    def n_instants(self):
        try:
            return len(report_files.Run.read_series(str(self.folder / "run/solution.vtkhdf")))
        except (report_files.Trouble, OSError):
            return 0

    def test_resumed_file_is_the_one_of_an_uninterrupted_run(self):
        n_before = 0
        for kill in range(6):
            with subprocess.Popen(self.command("--resume"), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as run:
                while run.poll() is None and self.n_instants() < n_before + 40 + kill:
                    time.sleep(0.003)
                run.send_signal(signal.SIGKILL)
            if (self.folder / "run/checkpoint-1.bin").exists():
                n_before = self.n_instants()
                self.assertGreater(n_before, 0)
        self.assertGreater(n_before, 100)
        self.assertFalse((self.folder / "run/summary.json").exists())
        subprocess.run(self.command("--resume"), check=True, stdout=subprocess.DEVNULL)
        status, words = application(shipped("hello_drop.prm"), self.ENTRIES, self.folder / "whole")
        self.assertEqual(status, 0, words)
        for name in ("solution.vtkhdf", "contacts.vtkhdf"):
            found, expected = (content(self.folder / run, name) for run in ("run", "whole"))
            self.assertEqual(sorted(found), sorted(expected))
            for path, values in expected.items():
                np.testing.assert_array_equal(found[path], values, path)

    def test_changed_file_is_not_continued(self):
        entries = {**self.ENTRIES, "Time/End": 0.05}
        application(shipped("hello_drop.prm"), entries, self.folder / "run")
        with h5py.File(self.folder / "run/solution.vtkhdf", "r+") as file:
            file["VTKHDF/PointData/velocity"][10, 1] += 1e-9
        status, words = application(shipped("hello_drop.prm"), {**entries, "Time/End": 0.1}, self.folder / "run",
                                    "--resume")
        self.assertEqual(status, 1, words)
        self.assertIn("solution.vtkhdf: its content differs", words)


if __name__ == "__main__":
    unittest.main()
