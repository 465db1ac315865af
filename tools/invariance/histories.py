"""Histories and end states of runs, in the frame and the units of the case."""

import functools
import importlib

import numpy as np

from .formulas import AXES
from .frames import matrices

ENERGIES = ("kinetic", "strain", "total", "work_external", "work_viscous", "work_plastic",
            "work_fracture", "work_numerical", "work_contact_normal", "work_contact_tangential",
            "work_contact_rolling", "work_prescribed", "contact_potential")
# Exponents of mass, length and time of the vectors at probes.
VECTORS = {"displacement": (0, 1, 0), "velocity": (0, 1, -1), "acceleration": (0, 1, -2), "force": (1, 1, -2),
           "momentum": (1, 1, -1)}
CELL = 1e-7  # of the extent: points of two runs in one cell of this size are the same


@functools.lru_cache(maxsize=4)
def results(folder):
    """Returns the results of a run. The module that reads them is in the build folder, which the
    program appends to the path."""
    return importlib.import_module("percussion").read(folder)


def columns(table, name, suffixes, dim):
    """Returns the columns name + suffix as an array (rows, dim)."""
    return np.stack([table[name + suffix] for suffix in suffixes[:dim]], axis=-1)


def body_histories(table, frame):
    """Returns displacements, rotations, velocities and angular velocities of the rigid bodies, arrays
    (rows, ...), by (quantity, body)."""
    found = {}
    back = frame.Q.T
    for name in [key[:-2] for key in table if key.endswith(".x")]:
        x = columns(table, f"{name}.", AXES, frame.dim) @ back.T / frame.length
        v = columns(table, f"{name}.v", AXES, frame.dim) @ back.T * (frame.time / frame.length)
        found["displacement", name], found["velocity", name] = x - x[0], v
        if frame.dim == 2:
            angle = frame.sign * table[f"{name}.angle"]
            found["rotation", name] = angle - angle[0]
            found["angular velocity", name] = frame.sign * table[f"{name}.omega"] * frame.time
        else:
            q = columns(table, f"{name}.q", "wxyz", 4)
            w = columns(table, f"{name}.w", AXES, 3)
            R = matrices(q)
            turn = back @ R @ R[0].T @ frame.Q  # about fixed axes; those of the body are fixed ones at the start
            found["rotation", name] = (turn - np.eye(3)).reshape(len(q), 9)
            found["angular velocity", name] = frame.sign * (R @ w[:, :, None])[:, :, 0] @ frame.Q * frame.time
    return found


def probe_histories(table, frame):
    """Returns the vectors at probes, likewise; not percussions, which act on a side of a contact."""
    found = {}
    for name in [key[:-2] for key in table if key.endswith("_x")]:
        quantity = name.rpartition(".")[2]
        if quantity in VECTORS:
            vectors = columns(table, f"{name}_", AXES, frame.dim)
            found[quantity, name] = vectors @ frame.Q / frame.factor(VECTORS[quantity])
    return found


def histories(folder, frame):
    """Returns the quantities of a run over its rows, arrays (rows, ...), by (quantity, name)."""
    run = results(folder)
    found = {("energy", name): run.table[name] / frame.factor((1, 2, -2)) for name in ENERGIES}
    found["percussion", "normal"] = run.table["percussion_normal"] / frame.factor((1, 1, -1))
    found.update(body_histories(run.rigid_bodies, frame))
    found.update(probe_histories(run.probes, frame))
    return found


def counts(folder):
    """Returns the numbers of active and of sliding contacts over the rows, (rows, 2)."""
    table = results(folder).table
    return np.stack([table["contacts_active"], table["contacts_sliding"]], axis=-1)


def end_state(folder, frame):
    """Returns the undeformed nodes (n, dim) of elastic bodies and their displacements (n, dim) in the
    last written instant of a run."""
    run = results(folder)
    n, instant = run.summary["size"]["nodes"], run.instant(-1)
    points = instant.points[:n, :frame.dim] / frame.length - frame.shift
    return points @ frame.Q, instant.displacement[:n, :frame.dim] @ frame.Q / frame.length


def extent(folder):
    """Returns the largest distance of points of the undeformed bodies along an axis."""
    return float(np.ptp(results(folder).instant(0).points, axis=0).max())


def matched(points, others, extent):
    """Returns for each point the rows of the points in `others` at the same place."""
    def cells(x):
        return map(tuple, np.floor(x / (CELL * extent) + 0.377).astype(np.int64))
    rows = {}
    for row, cell in enumerate(cells(others)):
        rows.setdefault(cell, []).append(row)
    return [rows.get(cell, []) for cell in cells(points)]
