"""Results of runs: tables, VTU files, summaries."""

import base64
import binascii
import csv
import functools
import json
import math
import os
import struct
import xml.etree.ElementTree
import zlib

import numpy as np

from .scene import (Bodies, Trouble, length, read_parameters, read_series, short, units_of,
                    with_unit)
from .solids import FACES, Solids, faces_of

WORKS = ["work_external", "work_contact_tangential", "work_contact_normal", "work_viscous",
         "work_numerical", "work_prescribed"]
NEEDED = ["step", "time", "kinetic", "strain", "total", *WORKS, "balance_residual",
          "tangential_work_max", "tangential_work_min", "contacts_active", "contacts_sliding",
          "penetration_max", "percussion_normal"]
TYPES = {"Float32": "<f4", "Float64": "<f8", "Int8": "i1", "Int32": "<i4", "Int64": "<i8",
         "UInt8": "u1"}


def read_table(file, needed=("step", "time"), ordered=("step", "time"), finite=True):
    """Columns (dict of arrays) and '# key: value' remarks of a table. A last row that is being
    written is left out; what is ordered must increase; all values are finite unless they need
    not be."""
    try:
        with open(file, encoding="utf-8", newline="") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{file}: cannot be read ({error})") from error
    remarks, names, numbers, rows = {}, None, [], []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        where = f"{file}:{number}"
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            remarks.update({key.strip(): value.strip()} if colon else {})
        elif names is None and line.strip():
            names = [name.strip() for name in next(csv.reader([line]))]
            missing = [name for name in needed if name not in names]
            if missing:
                raise Trouble(f"{where}: the header has no column {', '.join(missing)}; found: "
                                 f"{line.strip()[:300]}")
            if len(set(names)) < len(names):
                raise Trouble(f"{where}: the header names a column twice: {line.strip()[:300]}")
        elif line.strip():
            fields = line.split(",")
            if len(fields) == len(names):
                numbers.append(number)
                rows.append(fields)
            elif number < len(lines):
                raise Trouble(f"{where}: expected {len(names)} values, found {len(fields)}")
    if names is None:
        raise Trouble(f"{file}: the file ends before the header")
    if not rows:
        raise Trouble(f"{file}: the file ends before the first row of values")
    values = values_of(rows, names, ordered, numbers, file, finite)
    return dict(zip(names, values.T)), remarks


def values_of(rows, names, ordered, numbers, file, finite):
    """The numbers of a table, whose rows stand in these lines of the file."""
    try:
        values = np.array(rows, dtype=float)
    except ValueError:
        values = np.array([[is_number(text) for text in row] for row in rows])
        row, column = np.argwhere(~values)[0]
        raise Trouble(f"{file}:{numbers[row]}: column {names[column]}: "
                         f"'{rows[row][column].strip()}' is not a number") from None
    for row, column in np.argwhere(~np.isfinite(values))[:1 if finite else 0]:
        raise Trouble(f"{file}:{numbers[row]}: column {names[column]}: "
                         f"'{rows[row][column].strip()}' is not a finite number")
    for name in ordered:
        column = names.index(name)
        for row in np.flatnonzero(np.diff(values[:, column]) <= 0)[:1]:
            raise Trouble(f"{file}:{numbers[row + 1]}: {name} {rows[row + 1][column]} follows "
                             f"{name} {rows[row][column]}; rows must be in order")
    return values


def is_number(text):
    try:
        return bool(float(text)) or True
    except ValueError:
        return False


def decode(text):
    """The bytes of an array: how many blocks there are, the size of a whole and of the last, their
    compressed sizes, and the blocks, all by base64."""
    text = "".join(text.split())
    (n,) = struct.unpack_from("<I", base64.b64decode(text[:8]))
    end = 4 * math.ceil((12 + 4 * n) / 3)
    _, _, _, *sizes = struct.unpack(f"<{3 + n}I", base64.b64decode(text[:end])[:12 + 4 * n])
    data = base64.b64decode(text[end:], validate=True)
    if sum(sizes) != len(data):
        raise ValueError(f"{len(data)} bytes where there should be {sum(sizes)}")
    ends = np.cumsum(sizes, dtype=int)
    return b"".join(zlib.decompress(data[b - size:b]) for b, size in zip(ends, sizes))


class Vtu:
    """The arrays of a VTU file, read as they are asked for; of vectors `dim` components."""

    def __init__(self, file, dim=3):
        self.file, self.dim = file, dim
        try:
            tree = xml.etree.ElementTree.parse(file)
            piece = tree.find(".//Piece")
            self.rows = {"CellData": int(piece.attrib["NumberOfCells"])}
            compressor = tree.getroot().get("compressor")
        except (OSError, xml.etree.ElementTree.ParseError, AttributeError, KeyError,
                ValueError) as error:
            raise Trouble(f"{file}: is not a VTK mesh ({error})") from error
        if compressor != "vtkZLibDataCompressor":
            raise Trouble(f"{file}: its arrays are not compressed by vtkZLibDataCompressor "
                             f"but by {compressor}; run the case again")
        self.rows.update(dict.fromkeys(("PointData", "Points"), int(piece.get("NumberOfPoints"))))
        self.arrays = {(section.tag, array.get("Name")): array
                       for section in piece for array in section}

    def array(self, section, name):
        """(rows,) or (rows, dim)."""
        found = self.arrays.get((section, name))
        if found is None:
            raise Trouble(f"{self.file}: has no array '{name}' of {section}")
        width = int(found.get("NumberOfComponents", 1))
        try:
            values = np.frombuffer(decode(found.text or ""), TYPES[found.get("type")])
            if section == "Cells" and name in ("connectivity", "faces"):
                rows = len(values)
            else:
                rows = self.rows.get(section, self.rows["CellData"])
            if values.size != rows * width:
                raise ValueError(f"{values.size} values where there should be {rows * width}")
        except (ValueError, KeyError, struct.error, zlib.error, binascii.Error) as error:
            raise Trouble(f"{self.file}: array '{name}' is damaged ({error})") from error
        if name != "gap" and not np.isfinite(values).all():
            raise Trouble(f"{self.file}: array '{name}' holds a value that is not finite")
        return values.reshape(-1, width)[:, :self.dim] if width > 1 else values


class Contacts:
    """The contacts at an instant; arrays of a file without points are empty."""

    def __init__(self, file, dim):
        vtu = Vtu(file, dim)
        self.points = vtu.array("Points", "Points")
        n = len(self.points)
        for name in ("displacement", "percussion", "normal", "gap", "pressure", "status", "pair",
                     "body", "obstacle"):
            empty = np.zeros((0, dim) if name in ("displacement", "percussion", "normal") else 0)
            setattr(self, name, vtu.array("PointData", name) if n else empty)


class Instant:
    """The bodies at an instant, and the contacts of the step that ends there."""

    def __init__(self, time, solution, dim):
        self.time, self.vtu = time, Vtu(solution, dim)
        self.displacement = self.vtu.array("PointData", "displacement")

    def field(self, name):
        """von_mises of the cells, or of the points pressure or the magnitude of displacement or
        velocity."""
        values = self.vtu.array("CellData" if name == "von_mises" else "PointData", name)
        return length(values) if values.ndim > 1 else values


class Run:
    """What the folder of a run holds.

    table, remarks: energy.csv; motions: rigid_bodies.csv; probes: probes.csv; parameters, summary: parameters.prm and
    summary.json, {} where there are none; series: times and files of the written instants.
    """

    def __init__(self, folder, label=None):
        self.folder = os.fspath(folder)
        name = os.path.basename(os.path.abspath(folder))
        self.label = label or name
        if not os.path.exists(folder):
            raise Trouble(f"{folder}: no such folder")
        if not os.path.isdir(folder):
            raise Trouble(f"{folder}: is a file; give the output folder of a run")
        if not os.path.isfile(self.path("energy.csv")):
            raise Trouble(f"{self.path('energy.csv')}: cannot be read; is {folder} the output "
                             "folder of a run?")
        self.table, self.remarks = read_table(self.path("energy.csv"), NEEDED)
        self.units = units_of(self.remarks.get("units", ""))
        self.summary = self.read_summary()
        self.parameters = read_parameters(self.path("parameters.prm")) \
            if self.has("parameters.prm") else {}
        self.motions = read_table(self.path("rigid_bodies.csv"))[0] \
            if self.has("rigid_bodies.csv") else {}
        self.probes, self.probe_remarks = read_table(self.path("probes.csv"), finite=False) \
            if self.has("probes.csv") else ({}, {})
        self.series, self.contact_series = [], []
        if self.has("solution.pvd"):
            self.series = read_series(self.path("solution.pvd"))
            self.contact_series = read_series(self.path("contacts.pvd"))
        self.check()

    def path(self, name):
        return os.path.join(self.folder, name)

    def has(self, name):
        return os.path.exists(self.path(name))

    def read_summary(self):
        if not self.has("summary.json"):
            return {}
        try:
            with open(self.path("summary.json"), encoding="utf-8") as stream:
                return dict(json.load(stream))
        except (OSError, ValueError, TypeError) as error:
            raise Trouble(f"{self.path('summary.json')}: this file is damaged ({error})") \
                from error

    def check(self):
        """That the files are of one run, and all of it where it has ended."""
        last = self.table["step"][-1]
        steps = self.summary.get("time", {}).get("steps")
        # A run that was stopped between two rows lacks no row.
        every = 1 if self.summary.get("status") == "completed" else max(
            np.diff(self.table["step"]), default=1)
        if steps is not None and last <= steps - every:
            raise Trouble(f"{self.path('energy.csv')}: ends with step {last:g}, but the run took"
                             f" {steps}; the table is cut short")
        if self.motions and steps is not None and self.motions["step"][-1] < last:
            raise Trouble(f"{self.path('rigid_bodies.csv')}: ends with step "
                             f"{self.motions['step'][-1]:g}, energy.csv with {last:g}; "
                             "the table is cut short")
        if steps is not None and len(self.series) != len(self.contact_series):
            raise Trouble(f"{self.path('contacts.pvd')}: lists {len(self.contact_series)} instants, "
                             f"solution.pvd {len(self.series)}")
        for (time, file), (other, _) in zip(self.series, self.contact_series):
            if time != other:
                raise Trouble(f"{self.path('contacts.pvd')}: has time {other:g} where "
                                 f"solution.pvd has {time:g} ({os.path.basename(file)})")
        self.series = self.series[:len(self.contact_series)]

    def nearest(self, time):
        """Number of the written instant that is nearest to a time."""
        return min(range(len(self.series)), key=lambda k: abs(self.series[k][0] - time))

    @functools.lru_cache(maxsize=80)
    def instant(self, k):
        return Instant(*self.series[k], self.dim)

    @functools.lru_cache(maxsize=None)
    def contacts(self, k):
        return Contacts(self.contact_series[k][1], self.dim)

    @functools.cached_property
    def dim(self):
        """Two or three."""
        return 3 if Vtu(self.series[0][1]).array("Points", "Points")[:, 2].any() else 2

    @functools.cached_property
    def solids(self):
        vtu = self.instant(0).vtu
        types, corners, ends = (vtu.array("Cells", name)
                                for name in ("types", "connectivity", "offsets"))
        polyhedra = [vtu.array("Cells", name) for name in ("faces", "faceoffsets")] \
            if (types == 42).any() else [[], []]
        if not np.isin(types, [*FACES, 42]).all():
            raise Trouble(f"{vtu.file}: has cells that are neither tetrahedra, hexahedra nor polyhedra")
        return Solids(self.bodies, *faces_of(types, corners, ends, *polyhedra))

    @functools.cached_property
    def bodies(self):
        vtu = self.instant(0).vtu
        points = vtu.array("Points", "Points")
        corners, ends = (vtu.array("Cells", name) for name in ("connectivity", "offsets"))
        if len(ends) == 0 or corners.size != ends[-1] or (np.diff(ends, prepend=0) < 2).any() or \
                corners.min() < 0 or corners.max() >= len(points):
            raise Trouble(f"{vtu.file}: array 'connectivity' is damaged (it does not fit the "
                             "points and cells)")
        return Bodies(points, corners, ends, vtu.array("CellData", "body") > 0)

    @property
    def has_elastic(self):
        return bool(self.series) and not self.bodies.is_rigid.all()

    @property
    def has_contacts(self):
        return self.table["contacts_active"].any()

    @property
    def energy_scale(self):
        """The largest energy or work of the run; what is 1e-13 of it in a step is round-off."""
        return max(abs(self.table[name]).max() for name in ["kinetic", "strain", "total", *WORKS])


def read_runs(folders, labels=None):
    """Runs that can be drawn in the same figures, labelled by what distinguishes them."""
    if labels and len(labels) != len(folders):
        raise Trouble(f"--label: {len(labels)} labels for {len(folders)} outputs; give one for "
                         "each, or none")
    runs = [Run(folder) for folder in folders]
    for run in runs[1:]:
        if run.units != runs[0].units:
            units = [f"{r.folder} has '{r.remarks.get('units', '')}'" for r in (runs[0], run)]
            raise Trouble("runs with different units cannot be drawn on one axis: "
                             + ", ".join(units))

    def step(run):
        """All steps are equally long, except those that end a run."""
        time, n = run.table["time"], run.table["step"]
        h = (time[-1] - time[0]) / max(n[-1] - n[0], 1)
        return f"h = {with_unit(short(h), run.units['time'])}"

    case = {run.remarks.get("case") for run in runs}
    kinds = [lambda run: run.label, lambda run: run.folder]
    if len(runs) > 1 and len(case) == 1:
        kinds[:0] = [lambda run: run.remarks.get("scheme", ""), step,
                     lambda run: f"{run.remarks.get('scheme', '')}, {step(run)}"]
    for kind in kinds:
        found = labels or [kind(run) for run in runs]
        if labels or (len(set(found)) == len(runs) and all(found)):
            for run, run.label in zip(runs, found):
                pass
            break
    return runs
