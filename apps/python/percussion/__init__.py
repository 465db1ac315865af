"""Elastodynamics with contact, impact and friction whose energy balance closes.

    import percussion

    case = percussion.Case("params/hello_drop.prm", {"Time/Step": 1e-3}, output="out")
    with case.run() as run:
        for record in run:
            print(record.time, record.energy, record.balance_residual)

or all at once: ``case.solve()``. Run.state, Run.rigid_bodies and Run.ledger are views of the
library's memory; Run.contacts makes new arrays.

Calls release the interpreter's lock; the library does one of them at a time.
"""

import abc as _abc
import csv as _csv
import os as _os

import numpy as _np

from percussion import _percussion
from percussion._percussion import (
    OPEN as OPEN, SLIP as SLIP, STICK as STICK, InputError as InputError, RunError as RunError,
    Summary as Summary, __version__ as __version__)

__all__ = [
    "OPEN", "SLIP", "STICK", "Case", "Contacts", "InitialState", "InputError", "Mesh",
    "RigidBodies", "Run", "RunError", "State", "StepRecord", "Summary", "read_table",
]


def _of_both_dimensions(name, **members):
    """Returns the abstract class of this name, a base of the 2D and 3D classes."""
    kinds = [getattr(module, name) for module in (_percussion.plane, _percussion.space)]
    public = {key: member for key, member in vars(kinds[0]).items() if not key.startswith("__")}
    base = _abc.ABCMeta(name, (), {**public, **members, "__doc__": kinds[0].__doc__})
    for kind in kinds:
        kind.__module__ = __name__
        base.register(kind)
    return base


def _new_case(_, file, parameters={}, output=None):
    return _percussion._case(file, parameters, output)


Case = _of_both_dimensions(
    "Case", __new__=_new_case, from_text=staticmethod(_percussion._case_from_text))
Contacts = _of_both_dimensions("Contacts")
InitialState = _of_both_dimensions("InitialState")
Mesh = _of_both_dimensions("Mesh")
RigidBodies = _of_both_dimensions("RigidBodies")
Run = _of_both_dimensions("Run")
State = _of_both_dimensions("State")
StepRecord = _of_both_dimensions("StepRecord")


def read_table(file):
    """Returns the columns of a table written by a run (energy.csv, rigid_bodies.csv, probes.csv): a
    dict of arrays by name. The last row of an unfinished run may be incomplete: it is omitted.
    Raises InputError for a device, a pipe or a file that is no such table."""
    if _os.path.exists(file) and not _os.path.isfile(file):  # a device may never end
        raise InputError(f"{file}: is not a regular file")
    with open(file, encoding="utf-8") as stream:
        lines = [line for line in stream if not line.startswith("#") and line.endswith("\n")]
    try:
        names, *rows = _csv.reader(lines)
        values = _np.array(rows, dtype=float)
    except ValueError as error:
        raise InputError(f"{file}: is no table of numbers ({error})") from error
    return dict(zip(names, values.reshape(-1, len(names)).T))


for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
