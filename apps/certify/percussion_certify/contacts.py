"""Checks of the contacts at a written instant: signs, cone, complementarity, sums of their works."""

import numpy as np

from percussion_report.scene import Trouble

from .checks import EPSILON, worst
from .evidence import SPRING_SCHEMES, NotApplicable, number_or_nan

LAW = 1e-6  # of the largest percussion or velocity of the instant
AGREEMENT = 1e-12  # of two ways to write the same number, of their size
STATUS = 1e-4  # of the largest percussion; a status is a label, not a law
WORK = 1e-10  # of the largest energy so far: created by a contact
BONDS = ("Bond strength", "Adhesion energy", "Tied until")  # entries of pairs with bonds
PRESSES = 1e-6  # of the largest percussion: contacts with less may be round-off


def _norms(vectors):
    return np.sqrt((vectors ** 2).sum(axis=1))


def _require_contacts(moment):
    if not len(moment.array("pair")):
        raise NotApplicable("no contacts are listed")


def _require_load(moment):
    _require_contacts(moment)
    if not moment.largest_percussion:
        raise NotApplicable("no contact presses at a written instant")


def _of_pairs(moment, entry):
    """Returns a number of the pair of each contact; NaN for a formula."""
    numbers, pair = moment.evidence.pair_numbers(entry), moment.array("pair").astype(int)
    if not len(numbers):
        raise NotApplicable("parameters.prm is missing or has no contacts")
    if not 0 <= pair.min() <= pair.max() < len(numbers):
        raise Trouble(f"{moment.contacts.file}: array 'pair' has a number that no contact has")
    return numbers[pair]


def percussion_sign(moment):
    """Contacts push and do not pull: p_N ≥ 0."""
    _require_load(moment)
    return worst("", -moment.normal_percussion / moment.largest_percussion, LAW, moment.location)


def _friction_excess(moment):
    """Returns the percussion outside of the cone of each contact: ‖p_T‖ − μ p_N; NaN where μ is a
    formula."""
    friction = _of_pairs(moment, "Friction coefficient")
    p_n, p_t = moment.normal_percussion, moment.tangential_percussion
    excess = _norms(p_t) - friction * p_n
    if moment.evidence.dim == 2:
        forward = (p_t * moment.array("tangent")).sum(axis=1)
        backward = friction * _of_pairs(moment, "Backward friction ratio")
        return np.maximum(forward - backward * p_n, -forward - friction * p_n)
    pairs, normal, pair = moment.evidence.pairs, moment.array("normal"), moment.array("pair")
    for number, entries in enumerate(pairs):
        ratio = number_or_nan(entries.get("Friction ratio") or "1")
        if ratio != 1:
            rows = pair == number
            d = np.array([number_or_nan(x) for x in entries.get("Friction direction", "").split(",")])
            excess[rows] = np.nan if np.isnan([ratio, *d]).any() else \
                _elliptic_excess(p_n[rows] * friction[rows], p_t[rows], normal[rows], d, ratio)
    return excess


def _elliptic_excess(friction, p_t, normal, direction, ratio):
    """Returns the percussion outside of a cone with another coefficient across a direction."""
    d = direction - (normal @ direction)[:, None] * normal
    d /= _norms(d)[:, None]
    p1, p2 = ((p_t * axis).sum(axis=1) for axis in (d, np.cross(normal, d)))
    return np.hypot(p1, p2 / ratio) - friction


def cone(moment):
    """Friction is within Coulomb's cone: ‖p_T‖ ≤ μ p_N."""
    _require_load(moment)
    excess = _friction_excess(moment)
    indices = np.flatnonzero(~np.isnan(excess))
    if not len(indices):
        raise NotApplicable("the coefficients of friction are formulas")
    return worst("", excess[indices] / moment.largest_percussion, LAW,
                 lambda index: moment.location(indices[index]))


def _may_have_bond(moment):
    """True for contacts of pairs with bonds, which multiply the friction by their damage at the start of the
    step: it is not in the files."""
    return sum(np.nan_to_num(_of_pairs(moment, entry)) for entry in BONDS) > 0


def statuses(moment):
    """The status fits the percussion: open contacts have none, slipping ones are on the cone. Nodes
    whose motion is prescribed in part have no friction, and slip with a tangential percussion of zero."""
    moment.evidence.require_uncut()
    _require_load(moment)
    status = moment.array("status")
    is_status = np.isin(status, (0, 1, 2)) & (moment.array("status_max") >= status)
    size = _norms(moment.array("percussion"))
    defect = np.where(status == 0, size, 0)
    if moment.evidence.scheme not in SPRING_SCHEMES:
        excess, has_friction = _friction_excess(moment), _norms(moment.tangential_percussion) > 0
        is_on_cone = (status == 2) & has_friction & ~np.isnan(excess) & ~_may_have_bond(moment)
        defect = np.where(is_on_cone, abs(excess), defect)
    defect = np.where(is_status, defect / moment.largest_percussion, np.inf)
    return worst("", defect, STATUS, moment.location)


def pressing_gap(moment):
    """Contacts press only where they are closed: p_N g = 0. The gap at the end less the opening in
    the step is the gap from which the contact rebounds."""
    _require_load(moment)
    evidence = moment.evidence
    if evidence.scheme in SPRING_SCHEMES:
        raise NotApplicable(f"springs of {evidence.scheme} press by their depth")
    h, gap, normal = moment.step_length, moment.array("gap"), moment.array("normal")
    velocity = (np.nan_to_num(moment.array("relative_velocity")) * normal).sum(axis=1)
    presses = moment.normal_percussion > PRESSES * moment.largest_percussion
    travel = h * moment.fastest
    size = evidence.local_sizes(moment)
    opening = np.where(presses, np.nan_to_num(gap) - h * np.maximum(velocity, 0), 0)
    tolerance = np.nan_to_num(evidence.closing_tolerance)
    return worst("", opening, 0.01 * size + tolerance + travel, moment.location)


def pressing_velocity(moment):
    """A contact that presses without restitution does not separate at the end of the step, and does
    not approach, p_N u_N = 0, unless it is one that separated before and is stopped (Separating
    contacts = dissipative)."""
    _require_load(moment)
    evidence = moment.evidence
    evidence.require_rate_law()
    fixed = np.array([pair.get("Surface", "") in ("half-plane", "half-space", "plane") and not any(
        pair.get(f"Motion {axis}") for axis in "xyz") for pair in evidence.pairs])
    normal, relative = moment.array("normal"), np.nan_to_num(moment.array("relative_velocity"))
    velocity = (relative * normal).sum(axis=1)
    if evidence.entry("Contact/Separating contacts") != "dissipative":
        velocity = abs(velocity)
    presses = moment.normal_percussion > PRESSES * moment.largest_percussion
    constant = (moment.array("body") == 0) & (moment.array("obstacle") == 0) & \
        fixed[moment.array("pair").astype(int) % len(fixed)]  # normals of others turn in the step
    velocity[~(presses & constant & (_of_pairs(moment, "Restitution") == 0))] = 0
    at_rest = 1e-9 * evidence.local_sizes(moment) / moment.step_length
    return worst("", velocity, LAW * moment.fastest + at_rest, moment.location)


def penetration(moment):
    """No contact is deeper than its local size, beyond which neighbours touch instead."""
    _require_contacts(moment)
    depth = np.maximum(0, -np.nan_to_num(moment.array("gap")))
    return worst("", depth, moment.evidence.local_sizes(moment), moment.location)


def listed_penetration(moment):
    """The deepest listed contact is the penetration of energy.csv."""
    moment.evidence.require_uncut()
    _require_contacts(moment)
    depth = max(0.0, -np.nanmin(np.nan_to_num(moment.array("gap"))))
    column = moment.evidence.table["penetration_max"][moment.step_row]
    size = abs(moment.array("Points")).max() + abs(moment.array("displacement")).max()
    return worst("", abs(depth - column), AGREEMENT * size, lambda _: moment.evidence.row_location(moment.row))


def frames(moment):
    """Normals and tangents are unit vectors with a right angle, and normals lead from
    the touched location to the displaced point over the gap."""
    _require_contacts(moment)
    gap, normal = moment.array("gap"), moment.array("normal")
    position = moment.array("Points") + moment.array("displacement")
    residual = position - np.nan_to_num(gap)[:, None] * normal - moment.array("touched_place")
    length = np.where(np.isnan(gap), 0, abs(_norms(normal) - 1))
    size = abs(position).max() + np.nan_to_num(abs(gap)).max()
    defect = np.maximum(length, np.where(np.isnan(gap), 0, _norms(residual)) / size)
    tangent = moment.array("tangent")
    turned = np.stack([normal[:, 1], -normal[:, 0]], axis=1) if moment.evidence.dim == 2 else \
        tangent / _norms(tangent)[:, None].clip(1e-300) - (tangent * normal).sum(axis=1)[:, None]
    defect = np.maximum(defect, np.where(np.isnan(gap), 0, _norms(tangent - turned)))
    return worst("", defect, 1e-11, moment.location)


def pressures(moment):
    """The pressure is the normal percussion over the step and the area."""
    _require_load(moment)
    area, pressure = moment.array("area"), moment.array("pressure")
    expected = np.where(area > 0, moment.normal_percussion / moment.step_length
                        / np.where(area > 0, area, 1), 0)
    scale = max(abs(pressure).max(), abs(expected).max())
    return worst("", abs(pressure - expected) / (scale or 1), 1e-9, moment.location)


def work_sums(moment):
    """The works of the contacts add up to the columns of energy.csv."""
    evidence, row = moment.evidence, moment.row
    evidence.require_free_joints()
    scale = evidence.energy_scales[row]
    found = []
    for array, column in (("normal_work", "work_contact_normal"),
                          ("tangential_work", "work_contact_tangential")):
        works = moment.array(array)
        bound = 1e-11 * max(scale, abs(works).sum())
        found.append(worst("", abs(works.sum() - evidence.table[column][row]), bound,
                           lambda _: f"{moment.location()} against {evidence.row_location(row)}"))
    return max(found, key=lambda check: check.excess)


def percussion_sums(moment):
    """The normal percussions of the step add up to the increment of percussion_normal."""
    change = moment.increment("percussion_normal")
    total = moment.normal_percussion.sum()
    total_column = moment.evidence.table["percussion_normal"][moment.row]
    bound = 1e-9 * max(abs(moment.normal_percussion).sum(), abs(change)) + 8 * EPSILON * total_column
    return worst("", abs(total - change), bound,
                 lambda _: f"{moment.location()} against {moment.evidence.row_location(moment.row)}")


def counts(moment):
    """energy.csv counts the contacts that participated, and the slipping ones among them."""
    moment.evidence.require_uncut()
    status, row = moment.array("status"), moment.step_row
    table = moment.evidence.table
    percussions = (moment.normal_percussion != 0).sum()
    excess = max(percussions - table["contacts_active"][row],
                 abs((status == 2).sum() - table["contacts_sliding"][row]))
    return worst("", excess, 0, lambda _: moment.evidence.row_location(row))


def _of_account(moment, values, bound):
    """Returns the check of values of the accounts, with the location of the first contact of each."""
    return worst("", values, bound, lambda k: moment.location(moment.keys.index(list(moment.accounts[0])[k])))


def friction_works(moment):
    """Friction of no contact has created energy since the previous instant, within the bound of a step
    times the number of steps."""
    evidence = moment.evidence
    if evidence.scheme in SPRING_SCHEMES:
        raise NotApplicable("tangential springs store energy, which they give back")
    _require_contacts(moment)
    step = evidence.table["step"]
    n_steps = step[moment.row] - (step[0] if moment.previous is None else step[moment.previous.row])
    return _of_account(moment, moment.account_changes[:, 0],
                       n_steps * (WORK * evidence.energy_scales[moment.row] + evidence.work_floor))


def growing_accounts(moment):
    """Slip, missed depth and drift of a contact do not decrease."""
    _require_contacts(moment)
    size = abs(moment.accounts[1][:, 1:]).max()
    return _of_account(moment, -moment.account_changes[:, 1:].min(axis=1), AGREEMENT * size)


def times(moment):
    """The files of an instant have its time."""
    files = [moment.body_time, float(moment.contacts.array("FieldData", "TimeValue")[0])]
    return [worst("", abs(time - moment.time), 0, lambda _, kind=kind: moment.location(kind=kind))
            for time, kind in zip(files, ("bodies", "contacts"))]
