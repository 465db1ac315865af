"""Meshes in Gmsh's format 4.1 as text, and Gmsh itself for geometries, by its library in C."""

import ctypes
import ctypes.util
import glob
from pathlib import Path

import numpy as np

OPTIONS = {"General.Terminal": 0, "Mesh.RandomSeed": 1, "Mesh.ElementOrder": 1, "General.NumThreads": 1,
           "Mesh.MshFileVersion": 4.1, "Mesh.Binary": 0}


def gmsh_library():
    """Returns Gmsh's library. Raises RuntimeError if there is none."""
    found = glob.glob("/usr/lib/*/libgmsh.so*")
    name = ctypes.util.find_library("gmsh") or (found[0] if found else "")
    if not name:
        raise RuntimeError("the library libgmsh is not installed; geometries (.geo) need it")
    return ctypes.CDLL(name)


class Gmsh:
    """Session of Gmsh; a call that fails raises RuntimeError."""

    def __init__(self):
        self.library = gmsh_library()

    def __enter__(self):
        self.call("Initialize", 0, None, 0)
        for name, value in OPTIONS.items():
            self.call("OptionSetNumber", name.encode(), ctypes.c_double(value))
        return self

    def __exit__(self, *_):
        self.call("Finalize")

    def call(self, function, *arguments):
        """Calls gmsh<function> with the arguments and the status that all functions return."""
        status = ctypes.c_int(0)
        getattr(self.library, f"gmsh{function}")(*arguments, ctypes.byref(status))
        if status.value:
            raise RuntimeError(f"Gmsh's {function} fails with status {status.value}")


def mesh_geometry(geometry, parameters, dim, mesh):
    """Meshes a geometry as percussion does; writes the mesh. parameters: text 'name = value, ...'."""
    script = Path(mesh).with_suffix(".script.geo")
    assignments = "".join(f"{text.strip()};\n" for text in parameters.split(",") if text.strip())
    script.write_text(f'{assignments}Include "{geometry}";\n', encoding="utf-8")
    with Gmsh() as gmsh:
        gmsh.call("Open", str(script).encode())
        gmsh.call("ModelMeshGenerate", ctypes.c_int(dim))
        gmsh.call("Write", str(mesh).encode())
    script.unlink()


class Mesh:
    """Text of a mesh, and the coordinates (nodes, 3) of its nodes, which lie in the lines `rows`."""

    def __init__(self, text):
        self.lines = text.splitlines()
        if self.lines[1].split()[:2] != ["4.1", "0"]:
            raise ValueError("a mesh is not in Gmsh's format 4.1 as text")
        self.rows = self._rows_of_nodes()
        self.nodes = np.array([[float(word) for word in self.lines[row].split()[:3]] for row in self.rows])

    def _rows_of_nodes(self):
        row = self.lines.index("$Nodes") + 1
        rows, n_blocks = [], int(self.lines[row].split()[0])
        row += 1
        for _ in range(n_blocks):
            n = int(self.lines[row].split()[3])
            rows += range(row + 1 + n, row + 1 + 2 * n)
            row += 1 + 2 * n
        return rows

    def text(self, nodes):
        """Returns the text of the mesh with other coordinates (nodes, 3) of its nodes, to 17 digits."""
        lines = list(self.lines)
        for row, x in zip(self.rows, nodes):
            lines[row] = " ".join(f"{value:.17g}" for value in x)
        return "\n".join(lines) + "\n"

    def spacing(self):
        """Returns the largest distance of some nodes from their nearest neighbours."""
        some = self.nodes[np.linspace(0, len(self.nodes) - 1, 50).astype(int)]
        distances = np.linalg.norm(some[:, None] - self.nodes, axis=-1)
        return float(np.where(distances > 0, distances, np.inf).min(axis=1).max())
