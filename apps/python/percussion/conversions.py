"""Meshes of PyVista and meshio from points, cells and arrays."""

import importlib

import numpy as np

POLYHEDRON = 42
KINDS = {3: "line", 5: "triangle", 7: "polygon", 9: "quad", 10: "tetra", 12: "hexahedron",
         22: "triangle6", 24: "tetra10", 28: "quad9", 29: "hexahedron27", POLYHEDRON: "polyhedron"}  # by VTK's numbers


def imported(name):
    """Returns a module, or raises an error that says how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"Python's module '{name}' is missing; install it by 'pip install {name}', or from a "
            "package of the distribution", name=name) from None


def _in_space(points):
    """Returns points (n, 3), with z = 0 in 2D."""
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1])))


def _copies(data):
    """Returns arrays that may be written; vectors have three components."""
    return {name: _in_space(values) if values.ndim == 2 and values.shape[1] == 2 else values.copy()
            for name, values in data.items()}


def _face_streams(cells):
    """Returns VTK's list of faces (number of faces; for each its number of points and the points)
    by the number of the polyhedron."""
    faces, ends = cells.faces
    numbers = np.flatnonzero(cells.types == POLYHEDRON)
    begins = np.concatenate([[0], ends[numbers][:-1]]).astype(int)
    return {int(cell): faces[begin:ends[cell]] for cell, begin in zip(numbers, begins)}


def _split_faces(stream):
    """Returns the faces of VTK's list as arrays of points."""
    found, position = [], 1
    for _ in range(stream[0]):
        found.append(np.array(stream[position + 1:position + 1 + stream[position]], int))
        position += 1 + stream[position]
    return found


def grid_of_pyvista(points, cells, point_data, cell_data):
    """Returns an UnstructuredGrid of PyVista."""
    pyvista = imported("pyvista")
    if cells.faces is None:
        widths = np.diff(cells.ends, prepend=0)
        begins = cells.ends - widths
        padded = np.insert(cells.corners, begins, widths)
        grid = pyvista.UnstructuredGrid(padded, cells.types, _in_space(points))
    else:
        grid = pyvista.UnstructuredGrid()
        grid.points = _in_space(points)
        fill_cells(grid, cells)
    for target, data in ((grid.point_data, point_data), (grid.cell_data, cell_data)):
        for name, values in _copies(data).items():
            target[name] = values
    return grid


def fill_cells(grid, cells):
    """Inserts cells, some of them polyhedra, into a vtkUnstructuredGrid without cells."""
    ids = imported("vtkmodules.vtkCommonCore").vtkIdList()
    grid.Allocate(len(cells))
    streams = _face_streams(cells)
    for i, kind in enumerate(cells.types.tolist()):
        numbers = streams.get(i, cells[i]).tolist()
        ids.SetNumberOfIds(len(numbers))
        for k, number in enumerate(numbers):
            ids.SetId(k, number)
        grid.InsertNextCell(kind, ids)


def points_of_pyvista(points, point_data):
    """Returns a PolyData of PyVista with a vertex for each point."""
    pyvista = imported("pyvista")
    mesh = pyvista.PolyData(_in_space(points))
    for name, values in _copies(point_data).items():
        mesh.point_data[name] = values
    return mesh


def mesh_of_meshio(points, cells, point_data, cell_data):
    """Returns a Mesh of meshio. Its blocks have cells of one kind, and polyhedra of as many points;
    arrays of cells are in the order of the blocks."""
    meshio = imported("meshio")
    blocks = []
    for kind, numbers, rows in cells.blocks():
        if kind == "polyhedron":
            streams = _face_streams(cells)
            rows = [_split_faces(streams[int(number)]) for number in numbers]
            kind = f"polyhedron{len(cells[int(numbers[0])])}"
        blocks.append((kind, numbers, rows))
    return meshio.Mesh(
        _in_space(points), [(kind, rows) for kind, _, rows in blocks],
        point_data=_copies(point_data),
        cell_data={name: [values[numbers] for _, numbers, _ in blocks]
                   for name, values in _copies(cell_data).items()})
