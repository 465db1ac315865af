"""Results of a run as objects: tables, written instants, contacts.

    run = percussion.read("output/hertz")
    run.table["total"], run.probes["tip.displacement_x"]   # columns as arrays
    run[0.5].displacement, run[0.5].contacts.pressure      # the written instant nearest to t = 0.5

Needs NumPy only, and h5py for runs with Output/Format = VTKHDF. Arrays are read from their files when
they are first used.
"""

import contextlib
import difflib
import functools
import math
import os

import numpy as np

from percussion_report.files import Run
from percussion_report.scene import Trouble

from percussion import conversions, html_views, momenta, second_order

_INSTANTS_IN_MEMORY = 8
_PLANE_KINDS = {"line", "triangle", "quad", "polygon", *second_order.OUTLINES}


class ReadError(ValueError):
    """Results that cannot be read: the message names the file and its problem."""


@contextlib.contextmanager
def _reported():
    """Reports a problem of files as a ReadError."""
    try:
        yield
    except Trouble as trouble:
        raise ReadError(str(trouble)) from None


def _hint(name, names):
    """Returns the end of a message on an unknown name."""
    close = difflib.get_close_matches(str(name), names, n=1)
    guess = f"did you mean '{close[0]}'? There" if close else "there"
    return f"{guess} are: {', '.join(names) or 'none'}"


class Table(dict):
    """Columns of a table by name, as arrays with an entry for each row; `file` is the path,
    `remarks` has the lines '# key: value' above the header."""

    def __init__(self, columns, remarks, file):
        super().__init__(columns)
        self.file, self.remarks = file, remarks

    def __missing__(self, name):
        raise KeyError(f"{self.file}: there is no column '{name}'; {_hint(name, list(self))}")

    @property
    def n_rows(self):
        """Number of rows."""
        return len(next(iter(self.values()), ()))

    def __repr__(self):
        return f"<table {self.file}: {self.n_rows} rows of {', '.join(self)}>"

    def _repr_html_(self):
        n = self.n_rows
        chosen = range(n) if n <= 10 else [*range(5), *range(n - 5, n)]
        rows = [[f"{self[name][i]:.6g}" for name in self] for i in chosen]
        if n > 10:
            rows.insert(5, ["…"] * len(self))
        return html_views.table([list(self), *rows]) + html_views.paragraph(f"{n} rows of {self.file}")


class Cells:
    """Cells of an instant. `cells[i]` has the points of a cell in VTK's order, `kinds[i]` is
    triangle, quad, tetra, hexahedron, of second order triangle6, quad9, tetra10, hexahedron27, or
    for rigid bodies line, polygon or polyhedron. If all cells have the same number of points,
    `numpy.asarray(cells)` is an array (cells, points)."""

    def __init__(self, types, corners, ends, faces=None):
        self.types, self.corners, self.ends, self.faces = types, corners, ends, faces
        self.kinds = np.array([conversions.KINDS.get(int(kind), "other") for kind in types], str)

    def __len__(self):
        return len(self.ends)

    def __getitem__(self, i):
        i = range(len(self))[i]
        return self.corners[self.ends[i - 1] if i else 0:self.ends[i]]

    def __array__(self, dtype=None, copy=None):
        widths = set(np.diff(self.ends, prepend=0).tolist())
        if len(widths) != 1:
            raise ValueError(f"cells of {sorted(widths)} points are no array; use cells[i], or "
                             "blocks(), which has an array for each kind")
        return np.array(self.corners.reshape(len(self), -1), dtype)

    def blocks(self):
        """Returns [(kind, numbers of cells, points (cells, n))] for all kinds of cells with n
        points."""
        widths, begins = np.diff(self.ends, prepend=0), np.concatenate([[0], self.ends[:-1]])
        found = []
        for kind, width in dict.fromkeys(zip(self.kinds.tolist(), widths.tolist())):
            numbers = np.flatnonzero((self.kinds == kind) & (widths == width))
            rows = self.corners[begins[numbers].astype(int)[:, None] + np.arange(width)]
            found.append((kind, numbers, rows))
        return found

    def triangles(self):
        """Returns the plane cells divided into triangles, points (triangles, 3), and the cell of
        each triangle, for tripcolor and tricontourf of Matplotlib."""
        if not set(self.kinds) <= _PLANE_KINDS:
            raise ValueError("only plane cells have triangles; use to_pyvista() in 3D")
        points, cells = [np.zeros((0, 3), int)], [np.zeros(0, int)]
        for kind, numbers, rows in self.blocks():
            rows = rows[:, second_order.OUTLINES.get(kind, slice(None))]
            for k in range(1, rows.shape[1] - 1):
                points.append(rows[:, [0, k, k + 1]])
                cells.append(numbers)
        return np.concatenate(points), np.concatenate(cells)

    def __repr__(self):
        counts = [f"{(self.kinds == kind).sum()} {kind}" for kind in dict.fromkeys(self.kinds)]
        return f"<{len(self)} cells: {', '.join(counts)}>"

    def _repr_html_(self):
        rows = [[kind, len(numbers), points.shape[1]] for kind, numbers, points in self.blocks()]
        return html_views.table([["kind", "cells", "points of each"], *rows])


class _Fields:
    """Arrays of an instant as attributes, read at their first use."""

    def __init__(self, vtu):
        self._vtu, self._read = vtu, {}
        self._sections = {name: section for section, name in vtu.arrays
                          if section in ("CellData", "PointData")}

    @property
    def fields(self):
        """Names of the arrays of points and cells."""
        return sorted(self._sections)

    @property
    def file(self):
        """Path of the file."""
        return self._vtu.file

    def _array(self, section, name):
        if (section, name) not in self._read:
            with _reported():
                values = self._vtu.array(section, name)
            values.flags.writeable = False  # the same array is returned again
            self._read[section, name] = values
        return self._read[section, name]

    @property
    def points(self):
        """Undeformed positions, (points, dim)."""
        return self._array("Points", "Points")

    @property
    def positions(self):
        """Positions at this instant, (points, dim)."""
        return self.points + self["displacement"]

    def __getitem__(self, name):
        if name not in self._sections:
            raise KeyError(f"{self.file}: there is no array '{name}'; {_hint(name, self.fields)}")
        return self._array(self._sections[name], name)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._sections:
            names = [] if name.startswith("_") else self.fields
            raise AttributeError(f"there is no array '{name}'; {_hint(name, names)}")
        return self[name]

    def __dir__(self):
        return [*super().__dir__(), *self.fields]

    def _data(self, section):
        """Returns the arrays of points or of cells by name."""
        return {name: self[name] for name in self.fields if self._sections[name] == section}


class Contacts(_Fields):
    """Contacts of the step that ends at an instant: `points` (contacts, dim), `pressure`, `gap`,
    `status` (0 open, 1 stick, 2 slip), `percussion`, `normal` and all other arrays of
    contacts.pvd or contacts.vtkhdf."""

    def __len__(self):
        return len(self.points)

    def to_pyvista(self):
        """Returns the contacts as a PolyData of PyVista."""
        return conversions.points_of_pyvista(self.points, self._data("PointData"))

    def __repr__(self):
        return f"<{len(self)} contacts of {self.file}: {', '.join(self.fields)}>"

    def _repr_html_(self):
        counts = {name: (self["status"] == k).sum() for k, name in enumerate(html_views.STATUSES)} \
            if "status" in self.fields else {}
        return html_views.paragraph(f"{len(self)} contacts of {self.file}: {html_views.counted(counts)}") \
            + html_views.arrays({name: self[name] for name in self.fields})


class Instant(_Fields):
    """Bodies at a written instant: `points` and `displacement` (points, dim), `cells`, `stress`
    (cells, 6: XX, YY, ZZ, XY, YZ, XZ), `contacts`, and all other arrays of
    solution.pvd or solution.vtkhdf."""

    def __init__(self, run, number):
        self._run, self.number = run, number
        self.time = run.series[number][0]
        with _reported():
            super().__init__(run.instant(number).vtu)

    @property
    def dim(self):
        """Dimension, 2 or 3."""
        return self._run.dim

    @functools.cached_property
    def cells(self):
        """Cells of elastic bodies, then of rigid ones."""
        types, corners, ends = (self._array("Cells", name)
                                for name in ("types", "connectivity", "offsets"))
        if len(ends) and (corners.size != ends[-1] or (np.diff(ends, prepend=0) < 1).any()
                          or corners.min() < 0 or corners.max() >= len(self.points)):
            raise ReadError(f"{self.file}: array 'connectivity' is damaged (it does not fit the "
                            "points and cells)")
        faces = None
        if (types == conversions.POLYHEDRON).any():
            faces = self._array("Cells", "faces"), self._array("Cells", "faceoffsets")
        return Cells(types, corners, ends, faces)

    @functools.cached_property
    def contacts(self):
        """Contacts of the step that ends at this instant."""
        with _reported():
            return Contacts(self._run.contact_file(self.number))

    @property
    def momentum(self):
        """Momentum of all bodies (dim,), in the units of the case; see Results.momentum."""
        with _reported():
            return momenta.momentum(self._run, self)

    def to_pyvista(self):
        """Returns points, cells and arrays as an UnstructuredGrid of PyVista."""
        return conversions.grid_of_pyvista(self.points, self.cells, self._data("PointData"),
                                           self._data("CellData"))

    def to_meshio(self):
        """Returns points, cells and arrays as a Mesh of meshio."""
        return conversions.mesh_of_meshio(self.points, self.cells, self._data("PointData"),
                                          self._data("CellData"))

    def __repr__(self):
        return f"<instant {self.number} at t = {self.time:g}: {', '.join(self.fields)}>"

    def _repr_html_(self):
        sections = {name: "cells" if section == "CellData" else "points"
                    for name, section in self._sections.items()}
        return html_views.paragraph(f"Instant {self.number}, t = {self.time:g}") \
            + html_views.arrays({name: self[name] for name in self.fields}, sections)


class Results:
    """Results in the folder of a run. `run[t]` is the written instant nearest to the time t,
    `run.instant(k)` has a number, and a loop over the run takes all of them.

    table, rigid_bodies, elastic_bodies, probes: energy.csv, rigid_bodies.csv, elastic_bodies.csv and
    probes.csv (empty if missing);
    times: the written instants; parameters, summary: parameters.prm by path and summary.json, empty
    if missing; remarks: version, case, scheme and units of the run.
    """

    def __init__(self, folder):
        with _reported():
            self._run = run = Run(folder)
        self.folder, self.remarks = run.folder, run.remarks
        self.parameters, self.summary = run.parameters, run.summary
        self.table = Table(run.table, run.remarks, run.path("energy.csv"))
        self.rigid_bodies = Table(run.motions, {}, run.path("rigid_bodies.csv"))
        self.elastic_bodies = Table(run.elastic, run.elastic_remarks, run.path("elastic_bodies.csv"))
        self.probes = Table(run.probes, run.probe_remarks, run.path("probes.csv"))
        self.times = np.array([time for time, _ in run.series])
        self.instant = functools.lru_cache(_INSTANTS_IN_MEMORY)(self._new_instant)

    @property
    def units(self):
        """Units by quantity, such as units["stress"]; empty texts for unknown ones."""
        return self._run.units

    @property
    def dim(self):
        """Dimension, 2 or 3."""
        self._require_instants()
        with _reported():
            return self._run.dim

    def _require_instants(self):
        if not len(self.times):
            raise ReadError(f"{self._run.path(self._run.series_file('solution'))}: the run has written no instants")

    def _new_instant(self, number):
        """Returns the written instant of this number; negative numbers count from the end."""
        self._require_instants()
        n = len(self.times)
        try:
            chosen = range(n)[number]
        except IndexError:
            raise IndexError(f"there is no instant {number}: the run has written {n}, numbered from 0 "
                             f"to {n - 1}, or from the end -1 to -{n}; run[t] is the one nearest to a "
                             "time") from None
        return Instant(self._run, chosen)

    def __len__(self):
        return len(self.times)

    def __iter__(self):
        return map(self.instant, range(len(self)))

    def __getitem__(self, time):
        if isinstance(time, (str, slice)):
            raise TypeError(f"run[t] takes the time of a written instant, not {time!r}; run.instant(k) "
                            "takes its number; columns are in run.table, run.rigid_bodies and "
                            f"run.probes{self._table_of(time)}")
        self._require_instants()
        if not math.isfinite(time):
            raise ValueError(f"the time of an instant is a finite number, not {time}")
        return self.instant(self._run.nearest(time))

    def _table_of(self, name):
        """Returns the end of a message on a name that is a column, e.g. ': run.table["total"]'."""
        tables = {"table": self.table, "rigid_bodies": self.rigid_bodies, "probes": self.probes}
        found = [f"run.{key}[{name!r}]" for key, table in tables.items()
                 if isinstance(name, str) and name in table]
        return f": {' or '.join(found)}" if found else ""

    def to_pyvista(self, time):
        """Returns the written instant nearest to a time as an UnstructuredGrid of PyVista."""
        return self[time].to_pyvista()

    def to_meshio(self, time):
        """Returns the written instant nearest to a time as a Mesh of meshio."""
        return self[time].to_meshio()

    @property
    def masses(self):
        """Masses by rigid body, and of 'elastic bodies' together, from the parameters."""
        with _reported():
            return momenta.masses(self._run, self.instant(0) if len(self) else None)

    @property
    def mass(self):
        """Mass of all bodies together [mass], from the parameters; the sum of `masses`."""
        return float(sum(self.masses.values()))

    @property
    def momentum(self):
        """Momentum of all bodies at the written instants, (instants, dim). Raises ReadError if
        files do not determine it: several densities of elastic bodies, contact nodes without
        mass, rigid bodies whose mass no file has, or no row of rigid_bodies.csv at an instant."""
        self._require_instants()
        return np.array([instant.momentum for instant in self])

    def __repr__(self):
        return (f"<run {self.folder}: {self.table.n_rows} rows to t = {self.table['time'][-1]:g}, "
                f"{len(self)} instants>")

    def _repr_html_(self):
        end = {name: values[-1] for name, values in self.table.items()}
        rows = [[os.path.basename(os.path.abspath(self.folder)), ""], *self.remarks.items(),
                ["status", self.summary.get("status", "not ended")],
                ["end", f"step {end['step']:g}, t = {end['time']:g} {self.units['time']}"],
                ["energy at the end", f"{end['total']:.6g} {self.units['energy']}"],
                ["largest balance residual", f"{abs(self.table['balance_residual']).max():.2g} "
                                             f"{self.units['energy']}"],
                ["rows and columns", f"{self.table.n_rows} × {len(self.table)}"],
                ["probes", ", ".join(name for name in self.probes
                                     if name not in ("step", "time")) or "none"],
                ["instants", f"{len(self)}"]]
        return html_views.table(rows)


def read(folder):
    """Returns the results in the output folder of a run, complete or not. Raises ReadError, which
    names the file and its problem."""
    return Results(folder)
