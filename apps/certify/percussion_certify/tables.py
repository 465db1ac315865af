"""Checks of the tables: order of steps, balance of energy, signs of works, agreement of the files."""

import numpy as np

from .checks import EPSILON, Check, worst
from .evidence import SPRING_SCHEMES, THETA_SCHEMES, NotApplicable, number_or_nan

BALANCE = 1e-11  # of the largest energy so far, in a step
DRIFT = 1e-9  # of the largest energy so far, since the start
FLOOR = 1e-14  # of the largest energy of the run, in a row: round-off of internal forces
WORK = 1e-10  # of the largest energy so far: created by a contact in a row
COUNTED = ("contacts_active", "contacts_sliding", "solver_iterations")
NOT_NEGATIVE = ("penetration_max", "solver_iterations", "solver_residual", "tangential_work_max",
                "contacts_sliding", "missed_depth", "relapse_depth", "drift", "cone_violation",
                "slip_direction_error", "resting_work", "kinetic", "percussion_normal",
                "work_position_correction")


def _of_rows(evidence, values, bounds, first=0, file="energy.csv"):
    return worst("", values, bounds, lambda index: evidence.row_location(index + first, file))


def _increments(evidence, name):
    return np.diff(evidence.table[name])


def _tables(evidence):
    return [(file, table) for file, table in (("energy.csv", evidence.table), ("probes.csv", evidence.probes),
                                              ("rigid_bodies.csv", evidence.motions),
                                              ("elastic_bodies.csv", evidence.elastic)) if table]


def readable(evidence):
    """All files can be read."""
    for file, message in evidence.damages:
        yield Check("", location=file, remark=message, failed=True)
    yield Check("", 0, 0)


def order(evidence):
    """Steps are whole numbers that increase, and so do times."""
    for file, table in _tables(evidence):
        step, time = table["step"], table["time"]
        fraction = abs(step - np.round(step))
        backward = np.concatenate([[0], (np.diff(step) <= 0) | (np.diff(time) <= 0)])
        yield _of_rows(evidence, fraction + backward, 0, file=file)


def times(evidence):
    """Without cuts no step is longer than Time/Step, and a complete run ends at Time/End or less than one
    step later. The last step before an earlier end, after which a run was continued, may be shorter."""
    if not evidence.is_uncut:
        raise NotApplicable("steps were cut, are adaptive, or have a formula as length")
    time, h = evidence.table["time"], number_or_nan(evidence.entry("Time/Step"))
    bound = 1e-9 * h + 4 * EPSILON * abs(time[1:])
    yield _of_rows(evidence, np.diff(time) - h * np.diff(evidence.table["step"]), bound, 1)
    end, start = (number_or_nan(evidence.entry(f"Time/{name}")) for name in ("End", "Start"))
    if not np.isnan(start):
        yield _of_rows(evidence, abs(time[:1] - start), 0)
    if evidence.is_complete and not evidence.entry("Time/Stop when") and not np.isnan(end):
        late = time[-1:] - end
        yield _of_rows(evidence, np.maximum(-late, late - h), 1e-9 * h, len(time) - 1)


def no_gaps(evidence):
    """Steps follow each other by Output/Energy interval, except at the end of a run or of one that
    was resumed."""
    interval = number_or_nan(evidence.entry("Output/Energy interval"))
    gaps = np.diff(evidence.table["step"])
    return _of_rows(evidence, np.maximum(0, gaps - interval), 0, 1)


def same_times(evidence):
    """Tables and lists of instants have the same time for the same step."""
    time_of_step = dict(zip(evidence.table["step"].tolist(), evidence.table["time"].tolist()))
    for file, table in _tables(evidence)[1:]:
        pairs = zip(table["step"].tolist(), table["time"].tolist())
        defects = [abs(time_of_step.get(step, time) - time) for step, time in pairs]
        yield _of_rows(evidence, defects, 0, file=file)
        last, end = table["step"][-1], evidence.table["step"][-1]
        yield worst("", end - last if evidence.summary else 0, 0,
                    lambda _, file=file, table=table: f"{file}, its last row, step {table['step'][-1]:.0f}")
    for file, table in _tables(evidence):
        if file.endswith("_bodies.csv") and evidence.has_every_step and evidence.summary:
            yield worst("", abs(len(table["step"]) - len(evidence.table["step"])), 0,
                        lambda _, file=file: f"{file}, number of rows")
    yield from _instants(evidence)


def _instants(evidence):
    """Compares the two lists of instants, and their times with the rows of energy.csv."""
    bodies, contacts = ([time for time, _ in series] for series in (evidence.series,
                                                                    evidence.contact_series))
    missing = len(bodies) - len(contacts)  # an unfinished run writes bodies before contacts
    n = min(len(bodies), len(contacts))
    allowed = 0 if evidence.summary else 1
    yield worst("", max(missing - allowed, -missing), 0, lambda _: f"{evidence.series_file('contacts')}, number of instants")
    yield worst("", abs(np.subtract(bodies[:n], contacts[:n])), 0, lambda k: f"{evidence.series_file('solution')} and {evidence.series_file('contacts')}, instant {k}")
    if evidence.has_every_step:
        end = np.inf if evidence.summary else evidence.table["time"][-1]  # a run writes tables last
        unknown = [float(time not in evidence.row_of_time and time <= end) for time in bodies[:n]]
        yield worst("", unknown, 0, lambda k: f"{evidence.series_file('solution')}, instant {k}: energy.csv has no such time")


def sums(evidence):
    """The total is the sum of the energies."""
    table = evidence.table
    terms = [table[name] for name in ("kinetic", "strain", "contact_potential") if name in table]
    bound = 4 * EPSILON * (sum(abs(term) for term in terms) + abs(table["total"]))
    return _of_rows(evidence, abs(sum(terms) - table["total"]), bound)


def _residuals(evidence):
    """Returns the change of the energy minus the works in each row but the first."""
    works = sum(evidence.table[name] for name in evidence.works)
    return _increments(evidence, "total") - np.diff(works)


def balance(evidence):
    """The energy changes by the works, row by row."""
    bound = BALANCE * evidence.energy_scales[1:] * np.diff(evidence.table["step"]).clip(1)
    floor = FLOOR * evidence.energy_scales[-1] + evidence.energy_floor
    return _of_rows(evidence, abs(_residuals(evidence)), bound + floor, 1)


def drift(evidence):
    """The energy has changed by all works since the start."""
    table = evidence.table
    residual = table["total"] - table["total"][0] - sum(table[name] - table[name][0] for name in evidence.works)
    floor = FLOOR * evidence.energy_scales[-1] + evidence.energy_floor
    return _of_rows(evidence, abs(residual), DRIFT * evidence.energy_scales
                    + floor * np.arange(1, len(residual) + 1))


def residual_column(evidence):
    """The program's own balance_residual is the one of its columns."""
    if not evidence.has_every_step:
        raise NotApplicable("rows of several steps have the largest residual of a step")
    column = evidence.table["balance_residual"][1:]
    return _of_rows(evidence, abs(_residuals(evidence) - column), 1e-14 * evidence.energy_scales[1:], 1)


def dissipation(evidence):
    """Viscosity, plastic flow, fracture and rolling friction do not create energy, nor does the θ-method for θ ≥ ½
    without bonds, which soften."""
    scale = evidence.energy_scales[1:]
    for name in ("work_viscous", "work_plastic", "work_fracture", "work_contact_rolling"):
        if name in evidence.table:  # older runs have fewer
            yield _of_rows(evidence, _increments(evidence, name), WORK * scale, 1)
    softens = any(evidence.table.get("work_fracture", ()))
    if evidence.scheme in THETA_SCHEMES and evidence.theta >= 0.5 and not softens:
        work = _increments(evidence, "work_numerical")
        if evidence.is_quasi_static:  # the curvature of the paths of contacts has a numerical work of any sign
            is_free = evidence.table["contacts_active"][1:] == 0
            if not is_free.any():
                return
            work = np.where(is_free, work, 0)
        yield _of_rows(evidence, work, WORK * scale, 1)


def contact_works(evidence):
    """Contacts together do not create energy."""
    if evidence.scheme in SPRING_SCHEMES:
        raise NotApplicable("springs store energy, which they give back")
    work = _increments(evidence, "work_contact_normal") + _increments(evidence, "work_contact_tangential")
    bound = WORK * evidence.energy_scales[1:] + evidence.work_floor
    if evidence.is_quasi_static:  # contacts push out overlaps
        if not evidence.has_every_step:
            raise NotApplicable("rows of several steps do not have the depths between them")
        evidence.require_uncut()
        force = _increments(evidence, "percussion_normal") / _increments(evidence, "time")
        bound = bound + force * evidence.table["penetration_max"][:-1]
    return _of_rows(evidence, work, bound, 1)


def friction_of_one(evidence):
    """Friction of no contact creates energy in a step (column tangential_work_max)."""
    if evidence.scheme in SPRING_SCHEMES:
        raise NotApplicable("tangential springs store energy, which they give back")
    return _of_rows(evidence, evidence.table["tangential_work_max"],
                    WORK * evidence.energy_scales + evidence.work_floor)


def friction_range(evidence):
    """The work of friction lies between the smallest and the largest of its contacts times their
    number."""
    if not evidence.has_every_step:
        raise NotApplicable("rows of several steps have the extremes of all of them")
    evidence.require_uncut()
    evidence.require_free_joints()
    table = {name: column[1:] for name, column in evidence.table.items()}
    work, n = _increments(evidence, "work_contact_tangential"), table["contacts_active"]
    low, high = table["tangential_work_min"], table["tangential_work_max"]
    n_others = np.maximum(n - 1, 0)
    smallest = np.where(high > 0, high + n_others * low, n * low)  # an extreme of 0 may belong to none
    largest = np.where(low < 0, low + n_others * high, n * high)
    excess = np.maximum(np.maximum(work - largest, smallest - work), low)
    return _of_rows(evidence, excess, 1e-12 * evidence.energy_scales[1:], 1)


def idle(evidence):
    """Without active contacts there are neither works nor percussions of contacts."""
    if not evidence.has_every_step:
        raise NotApplicable("rows of several steps count the most contacts of a step")
    evidence.require_free_joints()
    is_idle = evidence.table["contacts_active"][1:] == 0
    changes = np.max([abs(_increments(evidence, name)) for name in (
        "work_contact_normal", "work_contact_tangential", "percussion_normal")], axis=0)
    return _of_rows(evidence, np.where(is_idle, changes, 0), 0, 1)


def counts(evidence):
    """Counts are whole numbers, at most of the candidates, and slipping contacts are active."""
    table = evidence.table
    fractions = np.max([abs(table[name] - np.round(table[name])) for name in COUNTED], axis=0)
    yield _of_rows(evidence, fractions, 0)
    if evidence.has_every_step:
        yield _of_rows(evidence, np.maximum(0, table["contacts_sliding"] - table["contacts_active"]), 0)


def signs(evidence):
    """Depths, residuals and kinetic energies are not negative, and percussions add up."""
    table = evidence.table
    for name in NOT_NEGATIVE:
        if name in table and (name != "work_position_correction"):
            yield _of_rows(evidence, -table[name], 0)
    yield _of_rows(evidence, -_increments(evidence, "percussion_normal"),
                   4 * EPSILON * abs(table["percussion_normal"][1:]), 1)


def _summary(evidence, *path):
    """Returns a number of summary.json, or None."""
    found = evidence.summary
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


EXTREMES = {("extremes", "tangential_work_max"): "tangential_work_max",
            ("extremes", "penetration_max"): "penetration_max",
            ("extremes", "contacts_active_max"): "contacts_active",
            ("extremes", "solver_residual_max"): "solver_residual",
            ("extremes", "balance_residual_max"): "balance_residual",
            ("extremes", "total_energy_max"): "total",
            **{("contact_law", name, "value"): name for name in (
                "missed_depth", "relapse_depth", "drift", "pressing_gap", "cone_violation",
                "slip_direction_error", "resting_work")}}


def summary(evidence):
    """summary.json has the last row and the extremes of energy.csv."""
    if not evidence.summary:
        raise NotApplicable("the run has written no summary.json")
    table, end = evidence.table, len(evidence.table["step"]) - 1
    compared = [(("end_state", name), column[-1], end) for name, column in table.items()]
    compared += [(("time", "steps"), table["step"][-1], end)]
    if evidence.has_every_step and not _summary(evidence, "counts", "cuts"):
        compared += [(("counts", "solver_iterations"), table["solver_iterations"].sum(), None)]
    for path, name in EXTREMES.items():
        if name in table and (name != "total" or evidence.has_every_step):
            column = abs(table[name]) if name == "balance_residual" else table[name]
            row = int(np.argmax(column))
            compared += [(path, max(column[row], 0.0), row)]
    for path, value, row in compared:
        number = _summary(evidence, *path)
        if number is not None:
            location = "energy.csv, sum of the column" if row is None else evidence.row_location(row)
            yield worst("", abs(number - value), 4 * EPSILON * max(abs(number), abs(value)),
                        lambda _, path=path, location=location: f"{location}, against summary.json, {'/'.join(path)}")


def sizes(evidence):
    """Numbers of instants, nodes and cells equal the numbers of summary.json."""
    if not evidence.summary or not evidence.series:
        raise NotApplicable("the run has written no summary.json or no instants")
    n, instants = len(evidence.series), _summary(evidence, "time", "instants")
    if instants is not None:
        yield worst("", abs(n - instants), 0, lambda _: f"{evidence.series_file('solution')}, number of instants")
    body = evidence.first.fields.body
    counted = {"cells": (body == 0).sum(), "rigid_bodies": len(set(body[body > 0].tolist()))}
    for name, value in counted.items():
        number = _summary(evidence, "size", name)
        if number is not None:
            yield worst("", abs(number - value), 0, lambda _, name=name: f"{evidence.first.location(kind='bodies')},"
                        f" against summary.json, size/{name}")


def version(evidence):
    """All files are of the same version, case and scheme."""
    pairs = [("summary.json", evidence.summary, evidence.remarks)]
    for file, found, remarks in pairs:
        for key in ("percussion", "case", "scheme"):
            if key in found and found[key] != remarks.get(key):
                yield Check("", location=file, failed=True,
                            remark=f"{key} is {found[key]!r}, in energy.csv {remarks.get(key)!r}")
    yield Check("", 0, 0)


def rigid_motion(evidence):
    """Rigid bodies move by the mean velocity of the step: x1 − x0 = h (θ v1 + (1 − θ) v0)."""
    motions = evidence.motions
    if not motions:
        raise NotApplicable("there are no rigid bodies")
    if evidence.scheme not in THETA_SCHEMES or not evidence.is_uncut or not evidence.has_every_step or \
            evidence.entry("Contact/Position correction", "none") != "none":
        raise NotApplicable("steps were cut or are not all written, or another rule moves the bodies")
    evidence.require_free_joints()
    theta, h = evidence.theta, np.diff(motions["time"])
    for name in motions:
        body, dot, axis = name.rpartition(".")
        rate = {"x": "vx", "y": "vy", "z": "vz", "angle": "omega"}.get(axis)
        if not dot or rate is None:
            continue
        x, v = motions[name], motions[f"{body}.{rate}"]
        prescribed = any(evidence.parameters.get(f"Rigid bodies/{body}/{kind} {axis}", "")
                         for kind in ("Displacement", "Velocity"))
        if prescribed:
            continue
        residual = abs(np.diff(x) - h * (theta * v[1:] + (1 - theta) * v[:-1]))
        bound = 1e-12 * max(abs(x).max(), abs(v).max() * h.max()) + 1e-300
        yield worst("", residual, bound, lambda k, name=name:
                    f"{evidence.row_location(k + 1, 'rigid_bodies.csv')}, {name}")
    names = [name[:-3] for name in motions if name.endswith(".qw")]
    for name in names:
        length = sum(motions[f"{name}.q{axis}"] ** 2 for axis in "wxyz")
        yield worst("", abs(length - 1), 1e-11, lambda k, name=name:
                    f"{evidence.row_location(k, 'rigid_bodies.csv')}, {name}.q")


def elastic_motion(evidence):
    """The momenta of elastic_bodies.csv are its masses times its mean velocities."""
    file = "elastic_bodies.csv"
    if not evidence.elastic:
        raise NotApplicable(f"there is no {file}")
    for name in (name[:-3] for name in evidence.elastic if name.endswith(".px")):
        mass = number_or_nan(evidence.elastic_remarks.get(f"mass of {name}", ""))
        if not mass > 0:
            yield Check("", location=file, remark=f"there is no line '# mass of {name}'", failed=True)
            continue
        for axis in "xyz"[:evidence.dim]:
            momentum, velocity = (evidence.elastic[f"{name}.{kind}{axis}"] for kind in "pv")
            yield worst("", abs(momentum - mass * velocity), 1e-14 * abs(momentum).max(),
                        lambda k, name=name, axis=axis: f"{evidence.row_location(k, file)}, {name}.p{axis}")
