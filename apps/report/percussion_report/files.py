"""Results of runs: tables, fields, summaries."""

import csv
import functools
import json
import math
import os

import numpy as np

from .scene import (Bodies, Contacts, Trouble, length, read_parameters, read_series, short,
                    surfaces_of, units_of, with_unit)
from .solids import FACES, Solids, faces_of, outlines
from .vtkhdf import MARK, Hdf
from .vtkhdf import read_series as read_hdf_series
from .vtu import Vtu, read_vtu

NEEDED = ["step", "time", "kinetic", "strain", "total", "work_external", "work_contact_tangential",
          "work_contact_normal", "work_viscous", "work_numerical", "work_prescribed",
          "balance_residual", "tangential_work_max", "tangential_work_min", "contacts_active",
          "contacts_sliding", "penetration_max", "percussion_normal"]


def read_table(file, needed=("step", "time"), ordered=("step", "time"), finite=True):
    """Returns columns (dict of arrays) and '# key: value' remarks of a table. An incomplete
    last row is omitted. Columns in `ordered` must increase; all values must be finite, except
    in optional columns."""
    try:
        with open(file, encoding="utf-8", newline="") as stream:
            lines = list(enumerate(stream.read().split("\n"), 1))
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{file}: cannot be read ({error})") from error
    comments = [line[1:].partition(":") for _, line in lines if line.startswith("#")]
    table = [(n, line.strip()) for n, line in lines if line.strip() and line[0] != "#"]
    if not table:
        raise Trouble(f"{file}: the file ends before the header")
    (number, header), *rows = table
    names = [name.strip() for name in next(csv.reader([header]))]
    missing = [name for name in needed if name not in names]
    if missing:
        raise Trouble(f"{file}:{number}: the header has no column {', '.join(missing)}; found: "
                      f"{header[:300]}")
    if rows and rows[-1][0] == len(lines) and rows[-1][1].count(",") != len(names) - 1:
        rows.pop()
    if not rows:
        raise Trouble(f"{file}: the file ends before the first row of values")
    values = numbers_of(rows, names, file, finite)
    for column in (names.index(name) for name in ordered):
        for row in np.flatnonzero(np.diff(values[:, column]) <= 0)[:1]:
            previous, following = (rows[r][1].split(",")[column] for r in (row, row + 1))
            raise Trouble(f"{file}:{rows[row + 1][0]}: {names[column]} {following} follows "
                          f"{names[column]} {previous}; rows must be in order")
    return dict(zip(names, values.T)), {
        key.strip(): value.strip() for key, colon, value in comments if colon}


def numbers_of(rows, names, file, finite):
    """Converts rows, (line of the file, text), to numbers."""
    try:
        values = np.loadtxt([text for _, text in rows], delimiter=",", comments=None, ndmin=2)
        if values.shape[1] == len(names) and (not finite or np.isfinite(values).all()):
            return values
    except ValueError:
        pass
    for number, text in rows:
        fields = text.split(",")
        if len(fields) != len(names):
            raise Trouble(f"{file}:{number}: expected {len(names)} values, found {len(fields)}")
        for name, field in zip(names, fields):
            try:
                needed = "a finite number" if finite and not math.isfinite(float(field)) else ""
            except ValueError:
                needed = "a number"
            if needed:
                raise Trouble(f"{file}:{number}: column {name}: '{field.strip()}' is not {needed}")
    raise Trouble(f"{file}: is not a table of numbers")


def read_instant(name, dim=3):
    """Returns the arrays of an instant: a .vtu, a .pvtu, or an instant of a .vtkhdf."""
    return (Hdf if MARK in os.path.basename(name) else read_vtu)(name, dim)


class Instant:
    """Bodies at an instant, and contacts of the step that ends there."""

    def __init__(self, time, solution, dim):
        self.time, self.vtu = time, read_instant(solution, dim)
        self.displacement = self.vtu.array("PointData", "displacement")

    def field(self, name):
        """Returns a field: von_mises of the cells, or at the points the pressure or the
        magnitude of displacement or velocity."""
        values = self.vtu.array("CellData" if name == "von_mises" else "PointData", name)
        return length(values) if values.ndim > 1 else values

    def nodal_von_mises(self):
        """Returns the von Mises stress at the points; None if the file has none."""
        try:
            return self.vtu.array("PointData", "nodal_von_mises")
        except Trouble:
            return None


class Run:
    """Content of the folder of a run.

    table, remarks: energy.csv; motions: rigid_bodies.csv; elastic, elastic_remarks:
    elastic_bodies.csv; probes: probes.csv; parameters, summary:
    parameters.prm and summary.json, {} if missing; series: times and files of the written instants.
    """

    def __init__(self, folder, label=None):
        self.folder = os.fspath(folder)
        self.label = label or os.path.basename(os.path.abspath(folder))
        if not os.path.exists(folder):
            raise Trouble(f"{folder}: no such folder")
        if not os.path.isdir(folder):
            raise Trouble(f"{folder}: is a file; give the output folder of a run")
        if not self.has_file("energy.csv"):
            raise Trouble(f"{self.path('energy.csv')}: cannot be read; is {folder} the output "
                          "folder of a run?")

        def read(name, reader, absent, **options):
            return reader(self.path(name), **options) if self.has_file(name) else absent

        self.table, self.remarks = read_table(self.path("energy.csv"), NEEDED)
        self.units = units_of(self.remarks.get("units", ""))
        self.summary = read("summary.json", read_summary, {})
        self.parameters = read("parameters.prm", read_parameters, {})
        self.motions, _ = read("rigid_bodies.csv", read_table, ({}, {}))
        self.elastic, self.elastic_remarks = read("elastic_bodies.csv", read_table, ({}, {}))
        self.probes, self.probe_remarks = read("probes.csv", read_table, ({}, {}), finite=False)
        self.series = read(self.series_file("solution"), self.read_series, [])
        self.contact_series = \
            self.read_series(self.path(self.series_file("contacts"))) if self.series else []
        self.check()

    def path(self, name):
        return os.path.join(self.folder, name)

    def has_file(self, name):
        path = self.path(name)
        if os.path.exists(path) and not os.path.isfile(path):  # a device may never end
            raise Trouble(f"{path}: is not a regular file")
        return os.path.exists(path)

    def series_file(self, name):
        """Returns the file that lists the instants of `solution` or `contacts`."""
        return f"{name}.vtkhdf" if self.has_file("solution.vtkhdf") else f"{name}.pvd"

    @staticmethod
    def read_series(file):
        """Returns [(time, name of the instant)] of a .pvd or .vtkhdf."""
        return (read_hdf_series if file.endswith(".vtkhdf") else read_series)(file)

    def check(self):
        """Raises an error unless the files belong to one run and are complete if it has ended."""
        step, steps = self.table["step"], self.summary.get("time", {}).get("steps", 0)
        # A run stopped between two rows lacks no row.
        interval = 1 if self.summary.get("status") == "completed" else max(np.diff(step), default=1)
        if step[-1] <= steps - interval:
            raise Trouble(f"{self.path('energy.csv')}: ends with step {step[-1]:g}, but the run "
                          f"took {steps}; the table is cut short")
        for file, table in (("rigid_bodies.csv", self.motions), ("elastic_bodies.csv", self.elastic)):
            if table and steps and table["step"][-1] < step[-1]:
                raise Trouble(f"{self.path(file)}: ends with step {table['step'][-1]:g}, energy.csv with "
                              f"{step[-1]:g}; the table is cut short")
        bodies, contacts = ([time for time, _ in series] for series in (self.series,
                                                                        self.contact_series))
        n = min(len(bodies), len(contacts))  # an unfinished run writes bodies before contacts
        if bodies[:n] != contacts[:n] or (steps and len(bodies) != len(contacts)):
            raise Trouble(f"{self.path(self.series_file('contacts'))}: its {len(contacts)} instants are not "
                          f"the {len(bodies)} of {self.series_file('solution')}")
        self.series = self.series[:n]

    def nearest(self, time):
        """Returns the index of the written instant nearest to a time."""
        return min(range(len(self.series)), key=lambda k: abs(self.series[k][0] - time))

    @functools.lru_cache(maxsize=80)
    def instant(self, k):
        return Instant(*self.series[k], self.dim)

    def contact_file(self, k):
        """Returns the arrays of the contacts of an instant."""
        return read_instant(self.contact_series[k][1], self.dim)

    @functools.lru_cache(maxsize=None)
    def contacts(self, k):
        vtu = self.contact_file(k)
        array = functools.partial(vtu.array, "PointData")
        contacts = Contacts(vtu.array("Points", "Points"), array)
        contacts.feature = array("feature") if ("PointData", "feature") in vtu.arrays else None
        return contacts

    @functools.cached_property
    def presses(self):
        """Returns the sum of the normal percussions of all contacts in the step before each instant."""
        return np.array([(c.percussion * c.normal).sum() for c in map(
            self.contacts, range(len(self.series)))])

    def eventful(self, count):
        """Returns at most this many instants: the first, the last and, of equal intervals of time
        between them, the one at which the contacts press most, else one in the middle."""
        n = len(self.series)
        if n <= max(count, 2):
            return list(range(n))
        times = np.array([time for time, _ in self.series])
        edges = np.linspace(times[0], times[-1], max(count - 2, 1) + 1)
        interval = np.clip(np.searchsorted(edges, times, "right") - 1, 0, len(edges) - 2)
        interval[[0, -1]] = -1
        chosen = [0, n - 1]
        for members in (np.flatnonzero(interval == i) for i in range(len(edges) - 1)):
            if len(members):
                press = self.presses[members]
                chosen.append(int(members[np.argmax(press) if press.any() else len(members) // 2]))
        return sorted(set(chosen))

    @property
    def hardest(self):
        """Returns the instant at which the contacts press most; if they press at none, the one nearest
        to the largest force in the table; the last one without contact."""
        if self.presses.any():
            return int(np.argmax(self.presses))
        forces = np.diff(self.table["percussion_normal"]) / np.diff(self.table["time"])
        return self.nearest(self.table["time"][np.argmax(forces) + 1 if forces.any() else -1])

    @functools.cached_property
    def contact_keys(self):
        """Returns the keys (pair, body, obstacle, undeformed point) of the contacts of each instant.
        Contacts of two rigid bodies in 3D, which have features, move on the bodies: their key has
        the point where they are listed first."""
        first, keys = {}, []
        for k in range(len(self.contact_series)):
            c = self.contacts(k)
            keys.append([])
            bodies = np.stack([c.pair, c.body, c.obstacle], axis=1).astype(int).tolist()
            points = map(tuple, c.points.tolist())
            for i, (key, point) in enumerate(zip(map(tuple, bodies), points)):
                if c.feature is not None and min(key[1:]) > 0:
                    point = first.setdefault((*key, int(c.feature[i])), point)
                keys[-1].append((*key, point))
        return keys

    @functools.cached_property
    def surfaces(self):
        """Returns the surfaces of the contacts by the indices of the contacts."""
        if not self.has_file("ground.vtu"):
            return {}
        vtu = Vtu(self.path("ground.vtu"), self.dim)
        return surfaces_of(
            vtu.array("Points", "Points"), vtu.array("CellData", "pair"),
            vtu.array("FieldData", "instants"),
            lambda name: vtu.array("FieldData", name) if vtu.has_array("FieldData", name) else None)

    @functools.cached_property
    def dim(self):
        """Returns the dimension, 2 or 3."""
        return 3 if read_instant(self.series[0][1]).array("Points", "Points")[:, 2].any() else 2

    @functools.cached_property
    def solids(self):
        vtu, bodies = self.instant(0).vtu, self.bodies
        types = vtu.array("Cells", "types")
        polyhedra = [vtu.array("Cells", name) for name in ("faces", "faceoffsets")] \
            if (types == 42).any() else [[], []]
        if not np.isin(types, [*FACES, 7, 42]).all():
            raise Trouble(f"{vtu.file}: has cells that are neither tetrahedra, hexahedra, polyhedra "
                          "nor polygons")
        return Solids(bodies, *faces_of(types, bodies.corners, bodies.ends, *polyhedra))

    @functools.cached_property
    def bodies(self):
        vtu = self.instant(0).vtu
        points = vtu.array("Points", "Points")
        corners, ends = (vtu.array("Cells", name) for name in ("connectivity", "offsets"))
        if len(ends) == 0 or corners.size != ends[-1] or (np.diff(ends, prepend=0) < 2).any() or \
                corners.min() < 0 or corners.max() >= len(points):
            raise Trouble(f"{vtu.file}: array 'connectivity' is damaged (it does not fit the "
                             "points and cells)")
        corners, ends = outlines(vtu.array("Cells", "types"), corners, ends)
        return Bodies(points, corners, ends, vtu.array("CellData", "body") > 0)

    @property
    def has_elastic(self):
        return bool(self.series) and not self.bodies.is_rigid.all()

    @property
    def has_contacts(self):
        return self.table["contacts_active"].any()

    @property
    def works(self):
        """Returns the names of all columns with cumulative works."""
        return [name for name in self.table if name.startswith("work_")]

    @property
    def energy_scale(self):
        """Returns the largest energy or work of the run; 1e-13 of it in a step is round-off."""
        names = ["kinetic", "strain", "total", *self.works]
        return max(abs(self.table[name]).max() for name in names)


def read_summary(file):
    try:
        with open(file, encoding="utf-8") as stream:
            return dict(json.load(stream))
    except (OSError, ValueError, TypeError) as error:
        raise Trouble(f"{file}: this file is damaged ({error})") from error


def read_runs(folders, labels=None):
    """Reads runs that can be drawn in the same figures, labelled by their differences."""
    if labels and len(labels) != len(folders):
        raise Trouble(f"--label: {len(labels)} labels for {len(folders)} outputs; give one for "
                      "each, or none")
    runs = [Run(folder) for folder in folders]
    for run in runs[1:]:
        if run.units != runs[0].units:
            units = [f"{r.folder} has '{r.remarks.get('units', '')}'" for r in (runs[0], run)]
            raise Trouble("runs with different units cannot be drawn on one axis: "
                          + ", ".join(units))
    names = [run.label for run in runs]
    kinds = [names, [run.folder for run in runs]]
    if len(runs) > 1 and len({run.remarks.get("case") for run in runs}) == 1:
        schemes, steps = [run.remarks.get("scheme", "") for run in runs], [*map(step_of, runs)]
        kinds[:0] = [schemes, steps, [", ".join(pair) for pair in zip(schemes, steps)]]
    telling = (kind for kind in kinds if len(set(kind)) == len(runs) and all(kind))
    for run, label in zip(runs, labels or next(telling, names)):
        run.label = label
    return runs


def step_of(run):
    """Returns the length of the steps, which are equal except at the end of a run."""
    time, n = run.table["time"], run.table["step"]
    h = (time[-1] - time[0]) / max(n[-1] - n[0], 1)
    return f"h = {with_unit(short(h), run.units['time'])}"
