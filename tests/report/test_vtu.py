"""Pieces of the solution that several processes write, put together, and damaged ones."""

import base64
import os
import struct
import sys
import tempfile
import unittest
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.environ["PERCUSSION_BINARY_DIR"], "python"))

from percussion_report import scene, vtu  # noqa: E402

TYPES = {"f": "Float64", "i": "Int64", "u": "UInt8"}


def encoded(values):
    data = values.tobytes()
    block = zlib.compress(data)
    head = struct.pack("<4I", 1, len(data), len(data), len(block))
    return (base64.b64encode(head) + base64.b64encode(block)).decode()


def write_vtu(file, arrays):
    """Writes arrays by section and name."""
    n_points, n_cells = (len(arrays[key]) for key in (("Points", "Points"), ("Cells", "types")))
    sections = ""
    for section in sorted({section for section, _ in arrays}):
        sections += f"<{section}>"
        for name, values in ((name, values) for (of, name), values in arrays.items()
                             if of == section):
            width = 1 if values.ndim == 1 else values.shape[1]
            sections += (f'<DataArray type="{TYPES[values.dtype.kind]}" Name="{name}" '
                         f'NumberOfComponents="{width}">{encoded(values)}</DataArray>')
        sections += f"</{section}>"
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(f'<VTKFile compressor="vtkZLibDataCompressor"><UnstructuredGrid><Piece '
                     f'NumberOfPoints="{n_points}" NumberOfCells="{n_cells}">{sections}'
                     "</Piece></UnstructuredGrid></VTKFile>")


class Pieces(unittest.TestCase):
    """Two tetrahedra with a common face, on two processes, and a polyhedron on the first one."""

    X = np.arange(27.).reshape(9, 3) ** 2

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        faces = [4, 3, 4, 5, 6, 3, 4, 5, 7, 3, 5, 6, 7, 3, 4, 6, 7]
        self.first = self.piece([1, 2, 3, 4, 5, 6, 7, 8], [1, 2], [10, 42],
                                [0, 1, 2, 3, 4, 5, 6, 7], [4, 8])
        self.first |= {("Cells", "faces"): np.array(faces),
                       ("Cells", "faceoffsets"): np.array([-1, len(faces)])}
        self.second = self.piece([3, 2, 1, 0], [0], [10], [3, 2, 1, 0], [4])

    def piece(self, points, cells, types, corners, ends):
        return {("Points", "Points"): self.X[points], ("PointData", "GlobalPointIds"):
                np.array(points), ("CellData", "GlobalCellIds"): np.array(cells),
                ("Cells", "types"): np.array(types, "u1"),
                ("Cells", "connectivity"): np.array(corners), ("Cells", "offsets"): np.array(ends)}

    def index(self, content=None):
        """Writes the files, and returns the index of this content."""
        for name, piece in ("a.vtu", self.first), ("b.vtu", self.second):
            write_vtu(os.path.join(self.folder, name), piece)
        file = os.path.join(self.folder, "index.pvtu")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(content or '<A><Piece Source="a.vtu"/><Piece Source="b.vtu"/></A>')
        return file

    def read(self, content=None):
        """Returns all arrays."""
        pieces = vtu.read_vtu(self.index(content))
        return {key: pieces.array(*key).tolist() for key in pieces.arrays}

    def test_are_put_together(self):
        arrays = self.read()
        self.assertEqual(arrays["Points", "Points"], self.X.tolist())
        self.assertEqual(arrays["CellData", "GlobalCellIds"], [0, 1, 2])
        self.assertEqual(arrays["Cells", "types"], [10, 10, 42])
        self.assertEqual(arrays["Cells", "connectivity"], [0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(arrays["Cells", "offsets"], [4, 8, 12])
        self.assertEqual(arrays["Cells", "faces"],
                         [4, 3, 5, 6, 7, 3, 5, 6, 8, 3, 6, 7, 8, 3, 5, 7, 8])
        self.assertEqual(arrays["Cells", "faceoffsets"], [-1, -1, 17])

    def expect_trouble(self, text, content=None):
        with self.assertRaisesRegex(scene.Trouble, text):
            self.read(content)

    def test_damaged_index(self):
        self.expect_trouble("index.pvtu: names no pieces", "<A/>")
        for content in ("<A>", "<A><Piece/></A>"):
            self.expect_trouble("index.pvtu: is not an index of VTK meshes", content)
        self.expect_trouble("c.vtu: is not a VTK mesh", '<A><Piece Source="c.vtu"/></A>')

    def expect_damage(self, name, damages, text):
        """Expects this trouble of each damaged array of the first piece."""
        whole = self.first["Cells", name]
        for damaged in damages:
            with self.subTest(name, values=damaged):
                self.first["Cells", name] = np.array(damaged, int)
                self.expect_trouble("a.vtu: " + text)
        self.first["Cells", name] = whole

    def test_damaged_cells(self):
        self.expect_damage("offsets", ([8, 4], [4, 9], [4, 7], [0, 8], [-1, 8]),
                           "array 'offsets' is damaged")
        self.expect_damage("offsets", ([4], [4, 8, 8]), "array 'offsets' is damaged .* values")
        self.expect_damage("connectivity", ([0, 1, 2, 3], []), "array 'offsets' is damaged")
        for wrong in (8, -1):
            self.expect_damage("connectivity", ([wrong, 1, 2, 3, 4, 5, 6, 7],),
                               "a cell has a point that is not in the file")

    def test_damaged_polyhedra(self):
        whole = self.first["Cells", "faces"].tolist()
        self.expect_damage("faces", (whole[:-1], whole[:5], [4], [5] + whole[1:],
                                     [4, 99] + whole[2:], [4, -2] + whole[2:]),
                           "array 'faces' is damaged")
        self.expect_damage("faces", ([], [3] + whole[1:-4], [-1] + whole[1:]), "array 'face")
        self.expect_damage("faces", ([4, 3, 8] + whole[3:], [4, 3, -1] + whole[3:]),
                           "a cell has a point that is not in the file")
        self.expect_damage("faceoffsets", ([-1, 16], [-1, -1], [17, 17]),
                           "array 'faceoffsets' is damaged")


if __name__ == "__main__":
    unittest.main()
