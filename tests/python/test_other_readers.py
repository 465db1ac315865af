"""Files of all shipped cases as read by PyVista and by meshio, where these are installed."""

import unittest

import numpy as np

import percussion
from runs import run_of
from support import entries_of, shipped

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
        try:
            import meshio
        except ImportError:
            self.skipTest("meshio is not installed")
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


if __name__ == "__main__":
    unittest.main()
