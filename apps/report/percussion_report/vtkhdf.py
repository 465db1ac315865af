"""Instants of a VTKHDF file, with the arrays that a VTU file of the same instant has."""

import os
import time

import numpy as np

from .scene import Trouble
from .vtu import MAY_BE_NAN

POLYGON, POLYHEDRON = 7, 42
MARK = "#"
WRITING_TIME = 0.2  # time in which a run changes the index of its file [s]


def opened(file):
    """Returns an open file of h5py."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Trouble(f"{file}: files of this format are read by h5py, which is missing in this Python: "
                      "'apt install python3-h5py' or 'pip install h5py'") from None
    if not os.path.isfile(file):  # a device may never end
        raise Trouble(f"{file}: is not a regular file")
    end = time.monotonic() + WRITING_TIME
    while True:
        try:
            return h5py.File(file, "r")
        except OSError as error:
            if time.monotonic() > end:
                hint = f". {file}.journal completes it when the run is resumed" \
                    if os.path.exists(f"{file}.journal") else ""
                raise Trouble(f"{file}: cannot be read as HDF5 ({error}){hint}") from error
        time.sleep(0.05)


def read_series(file):
    """Returns [(time, name of the instant)], as `scene.read_series` of a .pvd. The name is FILE#NUMBER."""
    with opened(file) as stream:
        try:
            steps = stream["VTKHDF/Steps"]
            times = steps["Values"][:int(steps.attrs["NSteps"])]
        except (KeyError, ValueError, OSError) as error:
            raise Trouble(f"{file}: is not a VTKHDF file with instants ({error})") from error
    if not len(times):
        raise Trouble(f"{file}: has no instants yet; try again when the run has written some")
    if (np.diff(times) <= 0).any():
        raise Trouble(f"{file}: times must increase")
    return [(float(t), f"{file}{MARK}{number}") for number, t in enumerate(times)]


class Hdf:
    """Arrays of an instant, read at their first use; vectors have `dim` components. `instant` is
    FILE#NUMBER."""

    def __init__(self, instant, dim=3):
        path, _, number = instant.rpartition(MARK)
        self.path, self.number, self.dim = path, int(number), dim
        self.file = f"{path}, instant {number}"
        with opened(path) as stream:
            root = stream["VTKHDF"]
            self.arrays = {(section, name): None for section in ("PointData", "CellData", "FieldData")
                           for name in root[section]}
            self.faces = stream["Percussion/Faces"][:]
            steps = root["Steps"]
            part = int(steps["PartOffsets"][self.number])
            first = {name: int(np.ravel(steps[f"{name}Offsets"][self.number])[0])
                     for name in ("Point", "Cell", "ConnectivityId")}
            points, cells, corners = (int(root[f"NumberOf{name}"][part])
                                      for name in ("Points", "Cells", "ConnectivityIds"))
        self.slices = {"Points": (first["Point"], points), "Types": (first["Cell"], cells),
                       "Connectivity": (first["ConnectivityId"], corners),
                       "Offsets": (first["Cell"] + part, cells + 1)}
        self.rows = {"PointData": points, "CellData": cells, "FieldData": 1}
        for name in ("types", "connectivity", "offsets"):
            self.arrays["Cells", name] = None
        self.arrays["Points", "Points"] = None

    def has_array(self, section, name):
        """True if the instant has an array of this name."""
        return (section, name) in self.arrays

    def array(self, section, name):
        """Returns an array (rows,) or (rows, components), as `Vtu.array` does."""
        if section == "Cells":
            return self.cells[name]
        if (section, name) not in self.arrays:
            raise Trouble(f"{self.file}: has no array '{name}' of {section} (see Output/Fields)")
        values = self.stored("Points") if section == "Points" else self.field(section, name)
        if name not in MAY_BE_NAN and not np.isfinite(values).all():
            raise Trouble(f"{self.file}: array '{name}' holds a value that is not finite")
        if section == "CellData" and len(self.faces):
            values = values[self.first_faces]
        return values[:, :self.dim] if values.ndim > 1 and values.shape[1] == 3 else values

    def stored(self, name):
        """Returns the rows of points or cells."""
        first, n = self.slices[name]
        return self.read(f"VTKHDF/{name}", first, n)

    def field(self, section, name):
        """Returns the rows of an array."""
        with opened(self.path) as stream:
            first = int(stream[f"VTKHDF/Steps/{section}Offsets/{name}"][self.number])
        return self.read(f"VTKHDF/{section}/{name}", first, self.rows[section])

    def read(self, name, first, n):
        """Returns n rows of a dataset."""
        try:
            with opened(self.path) as stream:
                values = stream[name][first:first + n]
        except (OSError, ValueError) as error:
            raise Trouble(f"{self.file}: '{name}' is damaged ({error})") from error
        if len(values) != n:
            raise Trouble(f"{self.file}: '{name}' is damaged ({len(values)} rows where there should be {n})")
        return values

    @property
    def first_faces(self):
        """Returns the polygon of the file with the values of each cell."""
        return np.cumsum(self.faces) - self.faces

    @property
    def cells(self):
        """Returns the arrays of the cells as in VTU files: polyhedra of the polygons that are their
        faces."""
        types, corners, ends = (self.stored(name) for name in ("Types", "Connectivity", "Offsets"))
        if not len(self.faces):
            return {"types": types, "connectivity": corners, "offsets": ends[1:]}
        cells = {name: [] for name in ("types", "connectivity", "faces")}
        lengths, face_ends = [], []
        for first, n in zip(self.first_faces, self.faces):
            faces = [corners[ends[k]:ends[k + 1]] for k in range(first, first + n)]
            is_polyhedron = types[first] == POLYGON and n > 1
            points = np.concatenate(faces)
            if is_polyhedron:
                points = np.unique(points)
                cells["faces"] += [[n], *(part for face in faces for part in ([len(face)], face))]
            face_ends.append(sum(map(len, cells["faces"])) if is_polyhedron else -1)
            cells["types"].append([POLYHEDRON if is_polyhedron else types[first]])
            cells["connectivity"].append(points)
            lengths.append(len(points))
        found = {name: np.concatenate([np.zeros(0, int), *values]).astype(int) for name, values in cells.items()}
        return {**found, "offsets": np.cumsum(lengths), "faceoffsets": np.array(face_ends)}
