"""Files of a run as evidence: tables, parameters, written instants. A damaged file is a finding, not
the end of the examination."""

import functools
import math
import os

import numpy as np

from percussion import momenta
from percussion.results import Instant
from percussion_report.files import NEEDED, Run, read_summary, read_table
from percussion_report.scene import Trouble, read_parameters

SPRING_SCHEMES = ("penalty", "hauret", "nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew")
RATE_SCHEMES = ("moreau-jean", "moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez",
                "adapted-continuity")
THETA_SCHEMES = (*RATE_SCHEMES, "signorini-midpoint", "equivalent-mass")
MODULI = ("Young modulus", "C1", "C2", "D", "C10", "C01", "C20", "C30", "Bulk modulus", "Shear modulus")
ACCOUNTS = ("tangential_work", "slip", "missed_depth", "drift")
READ_ERRORS = (Trouble, OSError, ValueError, KeyError, IndexError, MemoryError, OverflowError)


class NotApplicable(Exception):
    """Reason why files do not permit a check, or why it does not concern a run."""


def text_of(error):
    """Returns the message of an error of reading."""
    return str(error) if isinstance(error, Trouble) else f"{type(error).__name__}: {error}"


def number_or_nan(text):
    """Returns the number of an entry; NaN for formulas and empty entries."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def determined(evidence, function, *arguments):
    """Returns the result of a function of `momenta`, whose errors say that files do not determine
    it."""
    evidence.entry("Time/Scheme")
    try:
        return function(evidence, *arguments)
    except Trouble as trouble:
        raise NotApplicable(str(trouble).partition(": ")[2] or str(trouble)) from None


class Evidence(Run):
    """Content of the folder of a run, complete or not. `damages` has the file and the message of each
    file that cannot be read; only energy.csv must be readable."""

    def __init__(self, folder):  # pylint: disable=super-init-not-called
        self.folder = os.fspath(folder)
        if os.path.isfile(folder):
            raise Trouble(f"{folder}: is a file; give the output folder of a run, or the energy history "
                          "of another program by --energy FILE")
        if not os.path.isdir(folder):
            raise Trouble(f"{folder}: no such folder; give the output folder of a run")
        if not self.has_file("energy.csv"):
            raise Trouble(f"{self.path('energy.csv')}: no such file; is {folder} the output folder "
                          "of a run?")
        self.damages = []
        self.table, self.remarks = read_table(self.path("energy.csv"), NEEDED, ordered=())
        self.summary = self.read("summary.json", read_summary, {})
        self.parameters = self.read("parameters.prm", read_parameters, {})
        (self.motions, _), (self.elastic, self.elastic_remarks), (self.probes, self.probe_remarks) = (
            self.read(name, functools.partial(read_table, ordered=(), finite=name[0] != "p"),
                      ({}, {})) for name in ("rigid_bodies.csv", "elastic_bodies.csv", "probes.csv"))
        self.series, self.contact_series = (
            self.read(self.series_file(name), self.read_series, []) for name in ("solution", "contacts"))
        self.row_of_time = {time: row for row, time in enumerate(self.table["time"])}

    def read(self, name, reader, absent):
        """Returns the content of a file, or `absent` if it is missing or damaged."""
        if not self.has_file(name):
            return absent
        try:
            return reader(self.path(name))
        except READ_ERRORS as error:
            self.damages.append((name, text_of(error)))
            return absent

    def entry(self, path, preset=""):
        """Returns the text of an entry of parameters.prm."""
        if not self.parameters:
            raise NotApplicable("parameters.prm is missing")
        return self.parameters.get(path, preset)

    def require_free_joints(self):
        """Raises NotApplicable if joints have limits or friction: their works are no contact's, and
        after impacts and stops they correct velocities."""
        bounds = ("Lower ", "Upper ", "Friction ")
        for path, value in self.parameters.items():
            section, _, name = path.rpartition("/")
            if section.startswith(("Joints/", "Links/")) and name.startswith(bounds) and value not in ("", "0"):
                raise NotApplicable("limits and friction of joints do works and correct velocities, too")

    def table_of(self, file):
        """Returns the columns of a table."""
        return {"energy.csv": self.table, "rigid_bodies.csv": self.motions,
                "elastic_bodies.csv": self.elastic, "probes.csv": self.probes}[file]

    def row_location(self, row, file="energy.csv"):
        """Returns the location of a row of a table: file, row, step."""
        return f"{file}, row {row + 1}, step {self.table_of(file)['step'][row]:.0f}"

    @property
    def scheme(self):
        return self.entry("Time/Scheme")

    @property
    def is_complete(self):
        """True if the run has ended by itself."""
        return self.summary.get("status") == "completed"

    @functools.cached_property
    def has_every_step(self):
        """True if energy.csv has a row for each step."""
        return bool((np.diff(self.table["step"]) == 1).all())

    @functools.cached_property
    def is_uncut(self):
        """True if all steps are whole ones of the same length."""
        cuts = self.summary.get("counts", {}).get("cuts", 0) if self.summary else self.logged_cuts
        return self.entry("Time/Adaptive") == "false" and not cuts and \
            not math.isnan(number_or_nan(self.entry("Time/Step")))

    @property
    def logged_cuts(self):
        """Returns the number of cut steps in log.txt, for runs without summary."""
        try:
            with open(self.path("log.txt"), encoding="utf-8", errors="replace") as stream:
                return sum("cut to 1/" in line for line in stream)
        except OSError:
            return 0

    def require_uncut(self):
        """Raises an error if a row or an instant may have sums and extremes of several substeps."""
        if not self.is_uncut:
            raise NotApplicable("steps are adaptive, were cut, or have a formula as length: the values "
                                "of a step may be sums and extremes of substeps")

    @functools.cached_property
    def theta(self):
        theta = number_or_nan(self.entry("Time/Theta", "0.5"))
        if math.isnan(theta):
            raise NotApplicable("Time/Theta is a formula")
        return theta

    @functools.cached_property
    def pairs(self):
        """Returns the entries of the contacts of the case, in their order."""
        return list(self.pair_names.values())

    @functools.cached_property
    def pair_names(self):
        """Returns the entries of the contacts of the case by their names."""
        found = {}
        for path, value in self.parameters.items():
            section, _, entry = path.partition("/")
            name, slash, entry = entry.rpartition("/")
            if section == "Contact" and slash:
                found.setdefault(name, {})[entry] = value
        return found

    def pair_numbers(self, entry):
        """Returns a number of each contact of the case; NaN for a formula."""
        return np.array([number_or_nan(pair.get(entry, "")) for pair in self.pairs])

    @functools.cached_property
    def energy_scales(self):
        """Returns for each row the largest energy or work so far."""
        names = ["kinetic", "strain", "total", *self.works]
        largest = np.max([abs(self.table[name]) for name in names], axis=0)
        return np.maximum.accumulate(largest)

    @property
    def is_quasi_static(self):
        """True if the steps have no inertia."""
        return self.entry("Time/Inertia") == "none"

    @functools.cached_property
    def closing_tolerance(self):
        """Returns the gap up to which contacts count as closed."""
        return number_or_nan(self.entry("Contact/Gap tolerance"))

    def require_rate_law(self):
        """Raises an error unless the law of contacts is for velocities at the ends of a step."""
        law = {pair.get("Impact law", "of the scheme") for pair in self.pairs}
        if self.scheme not in ("moreau-jean", "moreau-jean-fremond") or \
                not law <= {"of the scheme", "as in the paper", "newton-coulomb", "fremond",
                            "dissipative"}:
            raise NotApplicable("the law of contacts is not for velocities at the end of the step")
        if self.is_quasi_static:
            raise NotApplicable("without inertia the law is for gaps")
        self.require_uncut()

    @functools.cached_property
    def first(self):
        """Returns the first instant."""
        if not self.series:
            raise NotApplicable("the run has written no instants")
        return Moment(self, 0)

    @functools.cached_property
    def body_sizes(self):
        """Returns the shortest edge of elastic cells, then the extent of each rigid body."""
        fields = self.first.fields
        points, cells, body = fields.points, fields.cells, fields.body.astype(int)
        sizes = np.full(body.max(initial=0) + 1, np.inf)
        for kind, numbers, rows in cells.blocks():
            x = points[rows]
            if kind in ("triangle", "quad", "tetra", "hexahedron") and (body[numbers] == 0).any():
                x = x[body[numbers] == 0]
                edges = np.sqrt(((x - np.roll(x, 1, axis=1)) ** 2).sum(axis=2))
                sizes[0] = min(sizes[0], edges.min())
            if (body[numbers] > 0).any():
                extents = np.sqrt((np.ptp(x, axis=1) ** 2).sum(axis=1))
                np.minimum.at(sizes, body[numbers], np.where(body[numbers] > 0, extents, np.inf))
        return sizes

    def local_sizes(self, moment):
        """Returns the local size of each contact: the shortest edge of the elastic cells, or the
        extent of the rigid body."""
        body = moment.array("body").astype(int)
        sizes = self.body_sizes
        if len(body) and not 0 <= body.min() <= body.max() < len(sizes):
            raise Trouble(f"{moment.contacts.file}: array 'body' has a number that no body has")
        return sizes[body]

    def _moduli_of_compression(self):
        """Returns Lamé's constants λ of all materials that have Young's modulus and Poisson's ratio.
        They exceed all other moduli near incompressibility."""
        constants = []
        for path, value in self.parameters.items():
            if path.startswith("Material/") and path.endswith("/Young modulus"):
                section = path.rpartition("/")[0]
                ratio = number_or_nan(self.parameters.get(
                    f"{section}/Poisson ratio", self.parameters.get("Material/Poisson ratio", "0")))
                if -1 < ratio < 0.5:
                    constants.append(number_or_nan(value) * ratio / ((1 + ratio) * (1 - 2 * ratio)))
        return constants

    @functools.cached_property
    def energy_floor(self):
        """Returns the round-off of the stored energy of hyperelastic bodies: their densities, such as
        C1 (I1 - 3), are differences of numbers of the size of the moduli."""
        moduli = [number_or_nan(value) for path, value in self.parameters.items()
                  if path.startswith("Material/") and path.rpartition("/")[2] in MODULI]
        moduli += self._moduli_of_compression()
        is_linear = all(value == "linear elastic" for path, value in self.parameters.items()
                        if path.startswith("Material/") and path.endswith("/Law"))
        if is_linear or not self.series:
            return 0.0
        fields, thickness = self.first.fields, self.thickness()
        volumes = momenta.nodal_volumes(fields.points, fields.cells, fields.body == 0)
        if momenta.is_axisymmetric(self.parameters):
            volumes = volumes * 2 * np.pi * fields.points[:, 0]
        volume = volumes.sum()
        largest = np.nanmax([0.0, *moduli])
        return float(np.finfo(float).eps * largest * volume * np.nan_to_num(thickness, nan=1.0))

    @functools.cached_property
    def work_floor(self):
        """Returns the work of the largest percussion of a step over the round-off of positions, below
        which signs of works are unknown. Bodies at residual have hardly any energy."""
        if not self.series:
            return 0.0
        fields = self.first.fields
        size = float(abs(fields.points).max(initial=0) + abs(fields.displacement).max(initial=0))
        percussions = np.diff(self.table["percussion_normal"], prepend=0)
        rates = percussions[1:] / np.maximum(np.diff(self.table["time"]), 1e-300)
        return 1e-13 * size * float(np.median(rates[rates > 0])) if (rates > 0).any() else 0.0

    def thickness(self):
        """Returns the size out of the plane; of axisymmetric bodies the largest circumference."""
        if momenta.is_axisymmetric(self.parameters) and self.series:
            return 2 * np.pi * float(self.first.fields.points[:, 0].max(initial=0))
        return number_or_nan(self.entry("Material/Thickness", "1")) if self.dim == 2 else 1.0

    def thicknesses(self):
        """Returns the texts of the thicknesses of all materials in 2D."""
        if self.dim == 3:
            return set()
        return {self.entry("Material/Thickness", "1")} | {
            value for path, value in self.parameters.items()
            if path.startswith("Material/") and path.endswith("/Thickness") and value}


class Moment:
    """Written instant and the contacts of the step that ends there. `previous` is the instant before,
    without its own one; `row` is the row of energy.csv."""

    def __init__(self, evidence, number, previous=None):
        self.evidence, self.number, self.previous = evidence, number, previous
        self.time = evidence.series[number][0]
        if previous is not None and previous.previous is not None:
            previous.keep_history()

    def keep_history(self):
        """Reads the values that the next instant needs, and forgets the instant before."""
        for name in ("fastest", "accounts"):
            try:
                getattr(self, name)
            except (NotApplicable, *READ_ERRORS):
                pass
        self.previous = None

    @functools.cached_property
    def fields(self):
        """Returns the bodies."""
        return _ExactFields(_Reader(self.evidence), self.number)

    @property
    def body_time(self):
        """Returns the time in the file of the bodies."""
        with_times = self.fields._vtu  # pylint: disable=protected-access
        return float(with_times.array("FieldData", "TimeValue")[0])

    @functools.cached_property
    def contacts(self):
        """Returns the arrays of the contacts."""
        if self.number >= len(self.evidence.contact_series):
            raise NotApplicable(f"{self.evidence.series_file('contacts')} does not have the instant")
        return self.evidence.contact_file(self.number)

    def array(self, name):
        """Returns an array of the contacts."""
        if name == "Points":
            return self.contacts.array("Points", "Points")
        return self.contacts.array("PointData", name)

    @functools.cached_property
    def row(self):
        """Returns the row of energy.csv at this time."""
        row = self.evidence.row_of_time.get(self.time)
        if row is None:
            raise NotApplicable("energy.csv has no row at the instant (Output/Energy interval)")
        return row

    @functools.cached_property
    def step_row(self):
        """Returns the row, if the row before it is the row of the previous step."""
        if self.row == 0:
            raise NotApplicable("the run begins at the only instant")
        steps = self.evidence.table["step"]
        if steps[self.row] - steps[self.row - 1] != 1:
            raise NotApplicable("energy.csv has no row for the step before the instant "
                                "(Output/Energy interval)")
        return self.row

    @functools.cached_property
    def step_length(self):
        """Returns the length of the step that ends here."""
        return float(np.diff(self.evidence.table["time"])[self.step_row - 1])

    def increment(self, name):
        """Returns the change of a column of energy.csv in the step."""
        column = self.evidence.table[name]
        return column[self.step_row] - column[self.step_row - 1]

    @functools.cached_property
    def normal_percussion(self):
        return (self.array("percussion") * self.array("normal")).sum(axis=1)

    @functools.cached_property
    def tangential_percussion(self):
        """Returns the vectors of friction."""
        normal = self.array("normal")
        return self.array("percussion") - self.normal_percussion[:, None] * normal

    @functools.cached_property
    def largest_percussion(self):
        return float(np.sqrt((self.array("percussion") ** 2).sum(axis=1)).max(initial=0))

    @functools.cached_property
    def speed(self):
        """Returns the largest velocity of a point."""
        return float(abs(self.fields.velocity).max(initial=0))

    @functools.cached_property
    def fastest(self):
        """Returns the largest relative velocity at the instants so far."""
        relative = np.nan_to_num(self.array("relative_velocity"))
        fastest_before = 0.0 if self.previous is None else self.previous.fastest
        return max(fastest_before, float(np.sqrt((relative ** 2).sum(axis=1)).max(initial=0)))

    @functools.cached_property
    def accounts(self):
        """Returns row numbers by key of the contact, and rows of accounts: work of friction, slip,
        missed depth, drift; contacts with the same key count as one."""
        numbers = {}
        contact_numbers = [numbers.setdefault(key, len(numbers)) for key in self.keys]
        rows = np.zeros((len(numbers), len(ACCOUNTS)))
        np.add.at(rows, contact_numbers, np.column_stack([self.array(name) for name in ACCOUNTS]))
        return numbers, rows

    @functools.cached_property
    def account_changes(self):
        """Returns the changes of the accounts since the previous instant, in the order of the
        accounts."""
        numbers, rows = self.accounts
        if self.previous is None or not len(self.previous.accounts[1]):
            return rows
        old_numbers, old_rows = self.previous.accounts
        old = np.array([old_numbers.get(key, -1) for key in numbers])
        return rows - np.where(old[:, None] >= 0, old_rows[old], 0.0)

    @functools.cached_property
    def keys(self):
        """Returns a key of each contact: pair, body, obstacle, feature, undeformed point. Contacts of
        two rigid bodies in 3D, which have features, move on the bodies: their key has no point."""
        arrays = [self.array(name).astype(float) for name in ("pair", "body", "obstacle")]
        points, features = self.array("Points"), np.zeros(len(arrays[0]))
        if ("PointData", "feature") in self.contacts.arrays:
            features = self.array("feature")
            points = np.where(((arrays[1] > 0) & (arrays[2] > 0))[:, None], 0, points)
        return list(map(tuple, np.column_stack([*arrays, features, points]).tolist()))

    def location(self, index=None, kind="contacts"):
        """Returns the location of a contact: file, point, time."""
        series = self.evidence.contact_series if kind == "contacts" else self.evidence.series
        name = os.path.basename(series[self.number][1])
        point = "" if index is None else f", point {index}"
        return f"{name}{point}, t = {self.time:.6g}"


class _ExactFields(Instant):
    """Fields of an instant as evidence: fields that the run did not write, or rounded to single
    precision, do not permit a check."""

    def _array(self, section, name):
        values = super()._array(section, name)
        if values.dtype == np.float32:
            raise NotApplicable("the fields of the bodies have single precision (Output/Precision)")
        return values

    def __getitem__(self, name):
        if name not in self.fields and self._run.selection != "all":
            raise NotApplicable(f"the run has not written the field {name} (Output/Fields)")
        return super().__getitem__(name)

    def __getattr__(self, name):
        if not name.startswith("_") and name not in self.fields:
            return self[name]
        return super().__getattr__(name)


class _Reader:
    """Reads an instant anew, so that runs of any length fit in memory."""

    def __init__(self, evidence):
        self.series, self.dim = evidence.series, evidence.dim
        self.selection = evidence.parameters.get("Output/Fields", "all")
        self.instant = lambda number: evidence.__class__.instant.__wrapped__(evidence, number)
