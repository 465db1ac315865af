"""Transformations of a case, and verdicts on their runs."""

from typing import NamedTuple

import numpy as np

from . import comparison, rearranged, runs
from .entries import transform
from .frames import axes, axes_exchanged, converted, mirrored, mirrored_on_axis, shifted, shifted_on_axis, turned
from .parameters import NotTransformed

# A smooth answer is known to the tolerances of the solvers, 1e-10 of the terms of a step.
BOUND = 1e-10
# Contacts between elastic bodies are solved again until they reach their gaps to this fraction of an
# edge (iterate_rows() in src/dynamics/solve_substep.cc); over a step, the rest is an error of velocity.
REACHED_GAP = 1e-11
# Round-off of another transformation may be larger than a nudge, and lie in another direction.
MARGIN = 100
# From here on round-off has grown by nine digits or decided a status; runs are no longer compared.
GROWN = 1e-6
# Round-off decides a status somewhat earlier or later in another frame: fraction of all steps.
LEAD = 0.05
N_NUDGES = 2
RIGHT_ANGLES = "turned so that axes become axes, as a motion is prescribed along one axis"

FRAMES = {"turn": turned, "mirror": mirrored, "shift": shifted, "units": converted}
REARRANGED = {"order": rearranged.reversed_order, "sides": rearranged.exchanged_sides}
REPEATED = ("-n 2", "resume")
NAMES = (*FRAMES, *REARRANGED, *REPEATED)


class Verdict(NamedTuple):
    """Result of a transformation: the largest difference while round-off is small, or the reason why
    there is none; the quantity; and true if it is within its bound. `step` is the first step beyond
    the bound, `remark` describes a special transformation."""

    difference: float
    quantity: str
    passes: bool
    reason: str = ""
    step: int = 0
    remark: str = ""


class Nudges(NamedTuple):
    """Growth of round-off: the largest difference of nudged runs up to somewhat later than each row,
    (rows,), the number of rows in which it is small, and the bound of a smooth answer."""

    growth: np.ndarray
    n_rows: int
    bound: float = BOUND


def frame_of(case, name):
    """Returns another frame of a case. Bodies of revolution keep their axis."""
    if not any(path[-1] == "Plane" and value == "axisymmetric" for path, value in case.entries.items()):
        return FRAMES[name](case.dim)
    if name == "turn":
        raise NotTransformed("bodies of revolution about the axis x = 0")
    return {"mirror": mirrored_on_axis, "shift": shifted_on_axis, "units": lambda: converted(2)}[name]()


def framed(case, name, units):
    """Returns entries, nodes by mesh and frame of a case in another frame. Cases that prescribe a
    motion along one axis are turned so that axes become axes."""
    frame = frame_of(case, name)
    try:
        entries = transform(case.entries, frame, units)
    except NotTransformed:
        if name != "turn":
            raise
        frame = axes_exchanged(case.dim)
        entries = transform(case.entries, frame, units)
    if frame.sign < 0 and case.dim == 2:
        entries = rearranged.sides_of_splits_exchanged(entries)
    nodes = {}
    for key, mesh in case.meshes.items():
        nodes[key] = frame.length * mesh.nodes
        nodes[key][:, :case.dim] = frame.points(mesh.nodes[:, :case.dim])
    return entries, nodes, frame


def nodes_of(case):
    """Returns the nodes of all meshes by name."""
    return {name: mesh.nodes for name, mesh in case.meshes.items()}


def measure_nudges(program, case, expected, folder):
    """Runs a case with changes of a few units in the last place."""
    rows = []
    for seed in range(1, N_NUDGES + 1):
        random = np.random.default_rng(seed)
        entries = rearranged.nudged(case.entries, random)
        nodes = {name: rearranged.nudged_nodes(x, random) for name, x in nodes_of(case).items()}
        here = folder / f"nudge {seed}"
        runs.write_case(here, entries, case.meshes, nodes)
        rows.append(comparison.difference(expected, runs.run(program, here), axes(case.dim))[0])
    n = min(map(len, rows))
    growth = np.max([row[:n] for row in rows], axis=0)
    lead = np.minimum(np.arange(1, n) + int(LEAD * n), n - 1)
    growth[1:] = growth[lead]
    return Nudges(growth, int(np.searchsorted(growth, GROWN, side="right")), smooth_bound(case, expected))


def smooth_bound(case, expected):
    """Returns the largest difference of a smooth answer, whose velocity is known to REACHED_GAP between
    elastic bodies."""
    if "region" not in (value for path, value in case.entries.items() if path[-1] == "Surface"):
        return BOUND
    edge = max(mesh.spacing() for mesh in case.meshes.values())
    speed = REACHED_GAP * edge / float(case.entries[("Time", "Step")])
    return max(BOUND, MARGIN * speed / expected.scales["velocity"])


def judged(rows, quantity, nudges):
    """Returns the verdict on the largest differences up to each row."""
    n = min(nudges.n_rows, len(rows))
    bound = np.maximum(nudges.bound, MARGIN * nudges.growth[:n])
    beyond = np.flatnonzero(~(rows[:n] <= bound))
    return Verdict(float(rows[n - 1]), quantity, not len(beyond), step=int(beyond[0]) if len(beyond) else 0)


def transformed(program, case, name, expected, nudges, units, folder):
    """Runs a case under a transformation of its description; returns the verdict. A case does not pass
    if round-off changes its start."""
    if nudges.n_rows == 0:
        return Verdict(np.inf, "start, which round-off decides", False)
    frame, nodes = axes(case.dim), nodes_of(case)
    try:
        if name in FRAMES:
            entries, nodes, frame = framed(case, name, units)
        else:
            entries = REARRANGED[name](case.entries)
    except NotTransformed as reason:
        return Verdict(0, "", True, str(reason))
    runs.write_case(folder, entries, case.meshes, nodes)
    rows, quantity = comparison.difference(expected, runs.run(program, folder), frame)
    is_right = name == "turn" and frame.permutes
    return judged(rows, quantity, nudges)._replace(remark=RIGHT_ANGLES if is_right else "")


def repeated(program, case, name, expected, folder):
    """Runs a case on two processes or in two parts, which must write the same bytes."""
    runs.write_case(folder, case.entries, case.meshes, nodes_of(case))
    if name == "resume":
        out = runs.run_and_resume(program, folder, case)
    else:
        out = runs.run(program, folder, launcher=runs.PROCESSES)
    files = runs.different_files(expected.folder, out)
    return Verdict(np.inf if files else 0.0, ", ".join(files), not files)


def verdict(program, case, name, expected, nudges, units, folder):
    """Returns the verdict on one transformation; a run that fails does not pass."""
    try:
        if name in REPEATED:
            return repeated(program, case, name, expected, folder)
        return transformed(program, case, name, expected, nudges, units, folder)
    except runs.RunFailed as failure:
        return Verdict(np.inf, f"run failed: {failure}", False)
