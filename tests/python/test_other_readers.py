"""Files of all shipped cases as read by meshio and, where it is installed, by PyVista; meshes that
meshio writes."""

import unittest

import meshio
import numpy as np

import percussion
from runs import run_of
from support import FolderTest, application, entries_of, shipped

CASES = sorted(shipped(".").glob("*.prm"))
N_STEPS = 3


def short_run(case):
    """Returns a run of the first steps of a case."""
    return run_of(case, Time__End=N_STEPS * float(entries_of(case)["Time/Step"]),
                  Output__Number_of_instants=1)


class OtherReaders(unittest.TestCase):
    def test_pyvista(self):
        try:
            import pyvista
        except ImportError:
            self.skipTest("PyVista is not installed")
        for case in CASES:
            with self.subTest(case=case.name):
                folder = short_run(case)
                for file in sorted(folder.glob("*.vtu")):
                    self.assertGreater(pyvista.read(file).n_cells, 0, file.name)
                run = percussion.read(folder)
                for time, instant in zip(run.times, run):
                    grid, expected = run.to_pyvista(time), pyvista.read(instant.file)
                    np.testing.assert_array_equal(grid.points, expected.points)
                    np.testing.assert_array_equal(grid.celltypes, expected.celltypes)
                    np.testing.assert_allclose(grid.compute_cell_sizes()["Volume"],
                                               expected.compute_cell_sizes()["Volume"])
                    for found, arrays in ((grid.point_data, expected.point_data),
                                          (grid.cell_data, expected.cell_data)):
                        for name in arrays:
                            np.testing.assert_array_equal(found[name], arrays[name], name)
                    self.assertEqual(instant.contacts.to_pyvista().n_points, len(instant.contacts))

    def test_meshio(self):
        for case in CASES:
            with self.subTest(case=case.name):
                folder = short_run(case)
                for file in sorted(folder.glob("*.vtu")):
                    mesh = meshio.read(file)
                    self.assertGreater(sum(len(block.data) for block in mesh.cells), 0, file.name)
                run = percussion.read(folder)
                for time, instant in zip(run.times, run):
                    mesh, expected = run.to_meshio(time), meshio.read(instant.file)
                    np.testing.assert_array_equal(mesh.points, expected.points)
                    self.assertEqual(sorted(block.type for block in mesh.cells),
                                     sorted({block.type for block in expected.cells}))
                    for name, values in expected.point_data.items():
                        np.testing.assert_array_equal(mesh.point_data[name], values, name)


class MeshesOfMeshio(FolderTest):
    """Two unit squares side by side, as quadrilaterals and as triangles, in the formats of meshio."""

    POINTS = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]], float)
    CELLS = {"quad": np.array([[0, 1, 4, 3], [1, 2, 5, 4]]),
             "triangle": np.array([[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]])}

    def validated(self, kind, name, file_format):
        """Writes a mesh, and returns the outcome of a case with it."""
        meshio.write(self.folder / name, meshio.Mesh(self.POINTS, [(kind, self.CELLS[kind])]),
                     file_format=file_format)
        case = self.folder / "case.prm"
        case.write_text(f"subsection Mesh\n set File = {name}\nend\nsubsection Material\n"
                        " set Young modulus = 1\n set Density = 1\nend\n"
                        "subsection Time\n set Step = 0.1\n set End = 1\nend\n", encoding="utf-8")
        return application(case, {}, self.folder / "out", "--validate")

    def test_are_read(self):
        for kind in self.CELLS:
            for name, file_format in (("a.inp", "abaqus"), ("a.vtk", "vtk"), ("a.vtu", "vtu"),
                                      ("a.msh", "gmsh"), ("b.msh", "gmsh22")):
                with self.subTest(kind=kind, name=name):
                    status, words = self.validated(kind, name, file_format)
                    self.assertEqual(status, 0, words)
                    self.assertIn("area 2;", words)

    def test_without_properties_are_refused_with_a_line(self):
        status, words = self.validated("quad", "a.bdf", "nastran")
        self.assertEqual(status, 2)
        self.assertRegex(words, r"'a\.bdf': line \d+: the element has no number of a property")


if __name__ == "__main__":
    unittest.main()
