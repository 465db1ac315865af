"""Instants as meshes of PyVista and meshio."""

import sys
import unittest
from unittest import mock

import meshio
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkUnstructuredGrid

import percussion
from percussion import conversions
from runs import SCRATCH, grid_of, polyhedra, short_drop


class Conversions(unittest.TestCase):
    def test_missing_modules_are_named(self):
        run = percussion.read(short_drop())
        for name, convert in (("pyvista", run.to_pyvista), ("meshio", run.to_meshio)):
            with mock.patch.dict(sys.modules, {name: None}):
                with self.assertRaisesRegex(ImportError, f"'{name}' is missing; install it by "
                                                         f"'pip install {name}'"):
                    convert(0)

    def test_cells_of_vtk(self):
        for folder in (short_drop(), polyhedra()):
            instant = percussion.read(folder)[0]
            grid, expected = vtkUnstructuredGrid(), grid_of(instant.file)
            grid.SetPoints(expected.GetPoints())
            cells = instant.cells
            if cells.faces is None:
                cells.faces = np.zeros(0, int), np.full(len(cells), -1)
            conversions.fill_cells(grid, cells)
            self.assertEqual(grid.GetNumberOfCells(), expected.GetNumberOfCells())
            for i in range(grid.GetNumberOfCells()):
                one, other = grid.GetCell(i), expected.GetCell(i)
                self.assertEqual(one.GetCellType(), other.GetCellType())
                self.assertEqual(one.GetNumberOfFaces(), other.GetNumberOfFaces())
                self.assertEqual([one.GetPointId(k) for k in range(one.GetNumberOfPoints())],
                                 [other.GetPointId(k) for k in range(other.GetNumberOfPoints())])

    def test_arguments_of_pyvista(self):
        """A stand-in for PyVista notes the arguments; VTK builds the same grid from them."""
        pyvista = mock.MagicMock()
        with mock.patch.dict(sys.modules, {"pyvista": pyvista}):
            instant = percussion.read(short_drop())[0.25]
            grid = instant.to_pyvista()
            contacts = instant.contacts.to_pyvista()
        (padded, types, points), _ = pyvista.UnstructuredGrid.call_args
        cells = vtkCellArray()
        cells.ImportLegacyFormat(numpy_to_vtkIdTypeArray(padded.astype(np.int64), deep=True))
        built, expected = vtkUnstructuredGrid(), grid_of(instant.file)
        built.SetPoints(expected.GetPoints())
        built.SetCells(types.tolist(), cells)
        self.assertEqual(built.GetNumberOfCells(), expected.GetNumberOfCells())
        for i in range(built.GetNumberOfCells()):
            one, other = (grid.GetCell(i).GetPointIds() for grid in (built, expected))
            self.assertEqual([one.GetId(k) for k in range(4)], [other.GetId(k) for k in range(4)])
        np.testing.assert_array_equal(points, vtk_to_numpy(expected.GetPoints().GetData()))
        arrays = dict(call.args for call in grid.point_data.__setitem__.call_args_list)
        np.testing.assert_array_equal(
            arrays["displacement"],
            vtk_to_numpy(expected.GetPointData().GetArray("displacement")))
        arrays = dict(call.args for call in contacts.point_data.__setitem__.call_args_list)
        np.testing.assert_array_equal(arrays["pressure"], instant.contacts.pressure)

    def test_grids_of_pyvista(self):
        try:
            import pyvista
        except ImportError:
            self.skipTest("PyVista is not installed")
        for folder in (short_drop(), polyhedra()):
            run = percussion.read(folder)
            grid = run.to_pyvista(run.times[-1])
            expected = pyvista.read(run.instant(-1).file)
            self.assertEqual(grid.n_cells, expected.n_cells)
            self.assertAlmostEqual(grid.volume, expected.volume)
            np.testing.assert_array_equal(grid["displacement"], expected["displacement"])
            self.assertEqual(run[0].contacts.to_pyvista().n_points, len(run[0].contacts))

    def test_meshio(self):
        run = percussion.read(short_drop())
        file = SCRATCH / "converted.vtu"
        run.to_meshio(0.3).write(file)
        mesh, instant = meshio.read(file), run[0.3]
        np.testing.assert_array_equal(mesh.points[:, :2], instant.points)
        np.testing.assert_array_equal(mesh.cells_dict["quad"], np.asarray(instant.cells))
        np.testing.assert_array_equal(mesh.cell_data["stress"][0], instant.stress)
        np.testing.assert_array_equal(mesh.point_data["displacement"][:, :2], instant.displacement)
        solids = percussion.read(polyhedra()).to_meshio(0)
        self.assertEqual([(block.type, len(block.data)) for block in solids.cells],
                         [("polyhedron8", 1), ("polyhedron4", 1)])
        self.assertEqual(sorted(len(face) for face in solids.cells[1].data[0]), [3] * 4)


if __name__ == "__main__":
    unittest.main()
