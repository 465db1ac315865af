"""Results of runs read from their files, compared with VTK's reader and with mechanics."""

import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

import percussion
from percussion_report.vtu import Vtu
from runs import SCRATCH, grid_of, polyhedra, run_of, short_drop
from support import APPLICATION, SOURCE, FolderTest, shipped

def arrays_of(attributes):
    return {attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i))
            for i in range(attributes.GetNumberOfArrays())}


class AsVtk(unittest.TestCase):
    """Arrays of all kinds of bodies equal those of VTK's reader, bit by bit."""

    def compare_fields(self, found, data, dim):
        for name, expected in data.items():
            with self.subTest(name):
                values = found[name]
                if expected.ndim == 2 and expected.shape[1] == 3:
                    expected = expected[:, :dim]
                np.testing.assert_array_equal(values, expected)

    def compare(self, folder):
        run = percussion.read(folder)
        self.assertGreater(len(run), 1)
        for instant in run:
            grid = grid_of(instant.file)
            points, cells = arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())
            self.assertEqual(sorted([*points, *cells]), instant.fields)
            self.compare_fields(instant, points | cells, run.dim)
            np.testing.assert_array_equal(
                instant.points, vtk_to_numpy(grid.GetPoints().GetData())[:, :run.dim])
            self.assertEqual(len(instant.cells), grid.GetNumberOfCells())
            for i in range(0, len(instant.cells), 7):
                ids = grid.GetCell(i).GetPointIds()
                self.assertEqual(instant.cells[i].tolist(),
                                 [ids.GetId(k) for k in range(ids.GetNumberOfIds())])
            contacts = grid_of(instant.contacts.file)
            self.assertEqual(len(instant.contacts), contacts.GetNumberOfPoints())
            self.compare_fields(instant.contacts, arrays_of(contacts.GetPointData()), run.dim)

    def test_elastic_2d(self):
        self.compare(short_drop())

    def test_elastic_3d(self):
        self.compare(run_of(shipped("box_slide.prm"), Time__End=0.002,
                            Output__Number_of_instants=2))

    def test_rigid_2d(self):
        self.compare(run_of(shipped("pillar.prm"), Time__End=0.02, Output__Number_of_instants=2))

    def test_polyhedra(self):
        self.compare(polyhedra())

    def test_every_encoding_of_its_writer(self):
        source = percussion.read(short_drop())[0.3].file
        grid, file = grid_of(source), SCRATCH / "encoded.vtu"
        expected = arrays_of(grid.GetPointData()) | arrays_of(grid.GetCellData())
        writer = vtkXMLUnstructuredGridWriter()
        writer.SetInputData(grid)
        writer.SetFileName(str(file))
        modes, compressors = (0, 1, 2), ("None", "ZLib", "LZMA")  # ascii, binary, appended
        for mode, compressor, is_long, is_big, is_base64 in itertools.product(
                modes, compressors, (0, 1), (0, 1), (0, 1)):
            with self.subTest(mode=mode, compressor=compressor, is_long=is_long, is_big=is_big):
                writer.SetDataMode(mode)
                getattr(writer, f"SetCompressorTypeTo{compressor}")()
                writer.SetHeaderType(64 if is_long else 32)
                writer.SetByteOrder(0 if is_big else 1)
                writer.SetEncodeAppendedData(is_base64)
                writer.Write()
                vtu = Vtu(str(file))
                for (section, name) in vtu.arrays:
                    if section in ("PointData", "CellData"):
                        np.testing.assert_allclose(vtu.array(section, name), expected[name],
                                                   rtol=0 if mode else 1e-9, atol=0)
                np.testing.assert_array_equal(vtu.array("Cells", "connectivity")[:4],
                                              [grid.GetCell(0).GetPointId(k) for k in range(4)])
        writer.SetCompressorTypeToLZ4()
        writer.Write()
        with self.assertRaisesRegex(Exception, "encoded.vtu: .*'vtkLZ4DataCompressor'"):
            Vtu(str(file))


class Tables(unittest.TestCase):
    def test_columns_have_the_digits_of_the_file(self):
        folder = short_drop()
        run, expected = percussion.read(folder), percussion.read_table(folder / "energy.csv")
        self.assertEqual(list(run.table), list(expected))
        for name, values in expected.items():
            np.testing.assert_array_equal(run.table[name], values)
        self.assertEqual(run.table.n_rows, 601)
        self.assertEqual(run.remarks["scheme"], "moreau-jean-fremond")
        self.assertEqual(run.units["stress"], "Pa")
        self.assertEqual(run.parameters["Time/End"], "0.3")
        self.assertEqual(run.summary["status"], "completed")

    def test_probes(self):
        case = SCRATCH / "probe.prm"
        case.write_text(f"include {SOURCE}/params/bouncing_ball.prm\nsubsection Probes\n"
                        "  subsection ball\n    set Kind = velocity\n    set Body = ball\n  end\nend\n")
        run = percussion.read(run_of(case, Time__End=0.6))
        np.testing.assert_array_equal(run.probes["ball.velocity_y"], run.rigid_bodies["ball.vy"])
        # Free fall from 1 m reaches the ground after sqrt(2 H/g) and keeps half of its speed.
        speed = np.sqrt(2 * 9.81)
        self.assertAlmostEqual(-run.probes["ball.velocity_y"].min() / speed, 1, delta=3e-3)
        self.assertAlmostEqual(run.probes["ball.velocity_y"].max() / speed, 0.5, delta=3e-3)

    def test_unknown_columns_are_named(self):
        run = percussion.read(short_drop())
        with self.assertRaisesRegex(KeyError, "energy.csv: .*'kinetik'; did you mean 'kinetic'"):
            run.table["kinetik"]
        with self.assertRaisesRegex(KeyError, "probes.csv: there is no column 'a'"):
            run.probes["a"]

    def test_a_growing_table_loses_its_last_incomplete_row(self):
        folder = SCRATCH / "growing"
        shutil.copytree(short_drop(), folder)
        (folder / "summary.json").unlink()
        text = (folder / "energy.csv").read_text().rstrip("\n")
        (folder / "energy.csv").write_text(text[:-300])
        run = percussion.read(folder)
        self.assertLess(run.table.n_rows, 601)
        self.assertIn("not ended", run._repr_html_())


class Instants(unittest.TestCase):
    def test_the_nearest_is_taken(self):
        run = percussion.read(short_drop())
        np.testing.assert_allclose(run.times, np.arange(7) * 0.05, atol=1e-12)
        for time, number in ((0, 0), (0.024, 0), (0.026, 1), (0.3, 6), (9, 6), (-1, 0)):
            self.assertEqual(run[time].number, number)
        self.assertEqual([instant.number for instant in run], list(range(7)))
        self.assertEqual(run.instant(-1).time, run.times[-1])
        with self.assertRaises(IndexError):
            run.instant(7)
        with self.assertRaisesRegex(ValueError, "a finite number, not nan"):
            run[float("nan")]

    def test_positions_and_fields(self):
        instant = percussion.read(short_drop())[0.15]
        # Free fall: all points have moved by -g t²/2, plus the error of the first step.
        fall = instant.positions - instant.points
        np.testing.assert_allclose(fall[:, 1], -9.81 / 2 * 0.15 ** 2, rtol=1e-9)
        self.assertIs(instant.displacement, instant["displacement"])
        self.assertEqual(instant.stress.shape, (len(instant.cells), 6))
        with self.assertRaisesRegex(AttributeError, "'stres'; did you mean 'stress'"):
            instant.stres
        with self.assertRaises(ValueError):
            instant.displacement[0] = 1

    def test_cells(self):
        instant = percussion.read(short_drop())[0]
        cells = np.asarray(instant.cells)
        self.assertEqual(cells.shape, (len(instant.cells), 4))
        triangles, parents = instant.cells.triangles()
        self.assertEqual(len(triangles), 2 * len(cells))
        a, b, c = (instant.points[triangles[:, k]] for k in range(3))
        areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
        self.assertTrue((areas > 0).all())
        width, height = np.ptp(instant.points, axis=0)
        self.assertAlmostEqual(areas.sum(), width * height, places=12)
        self.assertTrue(all(set(t) <= set(cells[p]) for t, p in zip(triangles, parents)))
        pillar = percussion.read(run_of(shipped("pillar.prm"), Time__End=0.02,
                                        Output__Number_of_instants=2))[0].cells
        self.assertEqual(repr(pillar), "<18 cells: 18 polygon>")
        solid = percussion.read(polyhedra())[0].cells
        with self.assertRaisesRegex(ValueError, "cells of .* points are no array"):
            np.asarray(solid)
        with self.assertRaisesRegex(ValueError, "only plane cells"):
            solid.triangles()

    def test_contacts(self):
        contacts = percussion.read(short_drop())[0.25].contacts
        carried = contacts.pressure > 0
        self.assertTrue(carried.any() and (contacts.status[carried] > 0).all())
        # The pressure is the normal percussion over step and area.
        np.testing.assert_allclose(
            contacts.pressure, (contacts.percussion * contacts.normal).sum(axis=1)
            / (5e-4 * contacts.area), rtol=1e-12)
        self.assertEqual(len(contacts), len(contacts.points))

    def test_notebooks_show_tables(self):
        run = percussion.read(short_drop())
        for thing, words in ((run, "moreau-jean-fremond"), (run.table, "balance_residual"),
                             (run[0], "von_mises"), (run[0].cells, "<td>quad</td><td>"),
                             (run[0.3].contacts, "<td>percussion</td><td>")):
            page = thing._repr_html_()
            self.assertIn(words, page)
            self.assertEqual(page.count("<tr>"), page.count("</tr>"))
        self.assertIn("601 rows to t = 0.3, 7 instants", repr(run))
        contacts = run[0.3].contacts
        self.assertIn(f"{len(contacts)} contacts", contacts._repr_html_())
        self.assertIn(f"{contacts.gap.min():.4g}", contacts._repr_html_())
        self.assertIn(f"<td>quad</td><td>{len(run[0].cells)}</td><td>4</td>",
                      run[0].cells._repr_html_())

    def test_wrong_indices_are_explained(self):
        run = percussion.read(short_drop())
        with self.assertRaisesRegex(TypeError, r"takes the time of a written instant, not 'total'; "
                                    r"run.instant\(k\) takes its number; columns are in run.table, "
                                    r".*: run.table\['total'\]$"):
            run["total"]
        with self.assertRaisesRegex(TypeError, "columns are in run.table, .*run.probes$"):
            run["x"]
        with self.assertRaisesRegex(TypeError, "not slice"):
            run[0:3]
        for number in (7, 999, -8):
            with self.assertRaisesRegex(IndexError, f"no instant {number}: the run has written 7, "
                                        "numbered from 0 to 6"):
                run.instant(number)
        self.assertEqual(run.instant(-7).time, 0)


class Momentum(unittest.TestCase):
    def test_free_fall_of_an_elastic_body(self):
        run = percussion.read(short_drop())
        (mass,) = run.masses.values()
        self.assertEqual(run.mass, mass)
        for k in (1, 2, 3, 4):
            momentum, row = run.momentum[k], np.flatnonzero(run.table["time"] == run.times[k])[0]
            np.testing.assert_allclose(momentum, [0, -mass * 9.81 * run.times[k]], rtol=1e-10,
                                       atol=1e-9 * mass)
            self.assertAlmostEqual(momentum[1] ** 2 / (2 * mass) / run.table["kinetic"][row], 1)

    def test_the_table_has_the_momentum_of_the_fields(self):
        run = percussion.read(short_drop())
        table = run.elastic_bodies
        rows = np.searchsorted(table["time"], run.times)
        np.testing.assert_allclose(run.momentum[:, 1], table["block_q4.py"][rows], rtol=1e-10, atol=1e-9 * run.mass)
        self.assertAlmostEqual(float(table.remarks["mass of block_q4"]) / run.mass, 1, places=10)

    def test_the_ground_changes_it_by_its_percussions(self):
        run = percussion.read(run_of(shipped("bar_impact.prm"), Time__End=1.5e-3,
                                     Output__Number_of_instants=3))
        momentum = run.momentum
        np.testing.assert_allclose(abs(momentum[-1] - momentum[0]).max(),
                                   run.table["percussion_normal"][-1], rtol=1e-9)

    def test_a_box_in_3d(self):
        run = percussion.read(run_of(shipped("box_slide.prm"), Time__End=0.002,
                                     Output__Number_of_instants=2))
        instant = run[0]
        volume = np.ptp(instant.points, axis=0).prod()
        self.assertAlmostEqual(run.masses["elastic bodies"] / (1.17e-3 * volume), 1, places=9)

    def test_rigid_bodies(self):
        run = percussion.read(run_of(shipped("bouncing_ball.prm")))
        rows = np.searchsorted(run.rigid_bodies["time"], run.times)
        np.testing.assert_array_equal(run.momentum[:, 1], run.rigid_bodies["ball.vy"][rows])
        pillar = percussion.read(run_of(shipped("pillar.prm"), Time__End=0.02,
                                        Output__Number_of_instants=2))
        self.assertAlmostEqual(sum(pillar.masses.values()), 2000 * 0.3 * 0.9 * 12)
        self.assertEqual(percussion.read(polyhedra()).masses, {"box": 3.0, "tetrahedron": 2.0})
        self.assertEqual(percussion.read(polyhedra()).mass, 5.0)
        self.assertIsInstance(pillar.mass, float)
        self.assertAlmostEqual(pillar.mass, 2000 * 0.3 * 0.9 * 12)

    def test_refusals_name_the_reason(self):
        run = percussion.read(run_of(shipped("sphere_impact.prm"), Time__End=1e-3,
                                     Output__Number_of_instants=1))
        with self.assertRaisesRegex(percussion.ReadError,
                                    "parameters.prm: contact nodes have no mass"):
            run.momentum
        run = percussion.read(run_of(shipped("taylor_bar.prm"), Time__End=1e-3,
                                     Output__Number_of_instants=1))
        with self.assertRaisesRegex(percussion.ReadError, "axisymmetric bodies are not computed"):
            run.momentum
        folder = SCRATCH / "two-densities"
        shutil.copytree(short_drop(), folder)
        file = folder / "parameters.prm"
        file.write_text(file.read_text().replace(
            "subsection Material", "subsection Material\n  subsection a\n    set Density = 2\n  end", 1))
        with self.assertRaisesRegex(percussion.ReadError, "needs one density, .*Material/a/Density"):
            percussion.read(folder).momentum
        file.unlink()
        with self.assertRaisesRegex(percussion.ReadError, "parameters.prm: is missing"):
            percussion.read(folder).momentum


class Damage(unittest.TestCase):
    def setUp(self):
        self.folder = SCRATCH / self.id().rsplit(".", 1)[1]
        shutil.copytree(short_drop(), self.folder)

    def expect(self, words, use=lambda run: run[0.1].displacement):
        with self.assertRaisesRegex(percussion.ReadError, words):
            use(percussion.read(self.folder))

    def test_folders(self):
        with self.assertRaisesRegex(percussion.ReadError, "absent: no such folder"):
            percussion.read("absent")
        with self.assertRaisesRegex(percussion.ReadError, "is a file; give the output folder"):
            percussion.read(self.folder / "energy.csv")
        (self.folder / "energy.csv").unlink()
        self.expect("energy.csv: cannot be read; is .* the output folder of a run")

    def test_tables(self):
        file = self.folder / "energy.csv"
        text = file.read_text()
        lines = text.splitlines(keepends=True)
        lines[20] = lines[20].replace(",", ",x", 1)
        file.write_text("".join(lines))
        self.expect("energy.csv:21: column time: 'x.*' is not a number")

    def test_a_truncated_mesh(self):
        file = self.folder / "solution-000002.vtu"
        file.write_bytes(file.read_bytes()[:-500])
        self.expect("solution-000002.vtu: is not a VTK mesh")

    def test_a_damaged_array(self):
        file = self.folder / "solution-000002.vtu"
        text = file.read_text()
        begin = text.index('Name="displacement"')
        begin = text.index("\n", begin) + 40
        file.write_text(text[:begin] + "####" + text[begin + 4:])
        self.expect("solution-000002.vtu: array 'displacement' is damaged")
        percussion.read(self.folder)[0.2].displacement

    def test_missing_files(self):
        (self.folder / "contacts-000001.vtu").unlink()
        self.expect("contacts-000001.vtu: no such file")
        for file in self.folder.glob("*.pvd"):
            file.unlink()
        run = percussion.read(self.folder)
        self.assertEqual(len(run), 0)
        self.expect("solution.pvd: the run has written no instants")
        self.assertEqual(run.table.n_rows, 601)


class Pieces(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_two_processes_have_the_arrays_of_one(self):
        here = pathlib.Path(__file__).parents[1] / "processes"
        for name in ("mixed.prm", "clamp.prm", "clamp.geo"):
            shutil.copy(here / name, SCRATCH)
        shutil.copy(SOURCE / "meshes/block_q4.msh", SCRATCH)
        for name in ("mixed", "clamp"):
            case = SCRATCH / f"{name}.prm"
            options = {"Time__End": 0.01, "Output__Number_of_instants": 2}
            single = percussion.read(run_of(case, **options))
            divided_folder = SCRATCH / f"{name}-divided"
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                       "-n", "2", APPLICATION, str(case), "--output", str(divided_folder),
                       "--set", "Time/End=0.01", "--set", "Output/Number of instants=2"]
            subprocess.run(command, check=True, capture_output=True)
            divided = percussion.read(divided_folder)
            self.assertTrue(divided[0].file.endswith(".pvtu"))
            self.assertEqual(divided.times.tolist(), single.times.tolist())
            for one, other in zip(single, divided):
                for field in one.fields:
                    np.testing.assert_array_equal(one[field], other[field], err_msg=field)
                np.testing.assert_array_equal(one.points, other.points)
                for i in range(len(one.cells)):
                    self.assertEqual(one.cells[i].tolist(), other.cells[i].tolist())


class WithoutTheCompiledModule(FolderTest):
    def python(self, code):
        """Runs code with the files that read results only; returns what it printed."""
        package = pathlib.Path(percussion.__file__).parent
        for folder in (package, package.parent / "percussion_report"):
            shutil.copytree(folder, self.folder / folder.name,
                            ignore=shutil.ignore_patterns("_percussion*", "__pycache__"))
        done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(self.folder)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_results_are_read_and_cases_refused_with_the_reason(self):
        words = self.python(f"""
import sys
import percussion
print(percussion.read({str(short_drop())!r})[0.1].displacement.shape, percussion.__version__)
print([name for name in ("jinja2", "matplotlib", "PIL", "scipy", "mpi4py") if name in sys.modules])
try:
    percussion.Case
except ImportError as error:
    print(error)
""")
        self.assertIn("[]\npercussion.Case needs the compiled module, which is not installed", words)
        self.assertIn("percussion.read() works without it", words)


if __name__ == "__main__":
    unittest.main()
