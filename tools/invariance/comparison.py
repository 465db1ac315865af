"""Differences between two runs of one case, relative to the scale of each quantity."""

import dataclasses

import numpy as np

from .frames import axes
from .histories import end_state, extent, histories, matched

QUANTITIES = ("energy", "percussion", "displacement", "velocity", "rotation", "angular velocity",
              "acceleration", "force")
SMALLEST_MOTION = 1e-6  # of the extent: smaller motions are compared with the extent itself


@dataclasses.dataclass
class Reference:
    """Run of the untransformed case: its folder, its histories, its largest distance between points,
    and the scale of each quantity."""

    folder: str
    histories: dict
    extent: float
    scales: dict


def largest(found, quantity):
    """Returns the largest absolute value of a quantity; 0 if there is none."""
    return max((float(np.nan_to_num(np.abs(values)).max()) for (kind, _), values in found.items() if kind == quantity),
               default=0.0)


def scales(found, size, speed):
    """Returns the largest value of each quantity. Bodies at rest have values of round-off only; then
    the displacement is SMALLEST_MOTION, the velocity is `speed`, which gravity gives in a step and
    which the tolerance of the solver refers to, and the energy is percussion times velocity."""
    scale = {quantity: largest(found, quantity) for quantity in QUANTITIES}
    scale["displacement"] = max(scale["displacement"], SMALLEST_MOTION * size)
    scale["velocity"] = max(scale["velocity"], speed)
    scale["energy"] = max(scale["energy"], scale["percussion"] * scale["velocity"])
    scale["rotation"] = max(scale["rotation"], scale["displacement"] / size)
    scale["angular velocity"] = max(scale["angular velocity"], scale["velocity"] / size)
    return {quantity: value or 1.0 for quantity, value in scale.items()}


def reference(folder, dim, speed):
    """Reads the run of the untransformed case."""
    found, size = histories(folder, axes(dim)), extent(folder)
    return Reference(folder, found, size, scales(found, size, speed))


def difference(expected, folder, frame):
    """Returns the largest difference of any quantity up to each row of a run, (rows,), and the
    quantity that has the largest one. The last row includes the displacements of all nodes."""
    found = histories(folder, frame)
    if set(found) != set(expected.histories):
        raise RuntimeError(f"{folder}: other columns than {expected.folder}")
    n_rows = min(len(next(iter(x.values()))) for x in (found, expected.histories))
    rows, name, worst = np.zeros(n_rows), "", -1.0
    for key, values in expected.histories.items():
        here, there = found[key][:n_rows], values[:n_rows]
        both_unknown = np.isnan(here) & np.isnan(there)  # forces at the start
        change = np.where(both_unknown, 0.0, np.abs(here - there)).reshape(n_rows, -1).max(axis=1)
        change = np.nan_to_num(change / expected.scales[key[0]], nan=np.inf)
        rows = np.maximum(rows, change)
        if change.max() > worst:
            worst, name = change.max(), f"{key[0]} {key[1]}"
    end_error = end_difference(expected, folder, frame)
    if end_error > worst:
        name = "displacement at the end"
    rows[-1] = max(rows[-1], end_error)
    if len(next(iter(expected.histories.values()))) != len(next(iter(found.values()))):
        rows[-1] = np.inf  # one run is longer
    return np.maximum.accumulate(rows), name


def end_difference(expected, folder, frame):
    """Returns the largest difference of the displacements of all points at the end, relative to the
    largest one."""
    points, displacements = end_state(expected.folder, axes(frame.dim))
    others, moved = end_state(folder, frame)
    found = 0.0
    for row, candidates in enumerate(matched(points, others, expected.extent)):
        if not candidates:
            return np.inf
        change = np.abs(moved[candidates] - displacements[row]).max(axis=1)
        found = max(found, float(change.min()))
    return found / expected.scales["displacement"]
