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

import csv as _csv

import numpy as _np

from percussion._percussion import *  # noqa: F403
from percussion._percussion import __version__ as __version__

__all__ = [
    "OPEN", "SLIP", "STICK", "Case", "Contacts", "InitialState", "InputError", "Mesh",
    "RigidBodies", "Run", "RunError", "State", "StepRecord", "Summary", "read_table",
]


def read_table(file):
    """The columns of a table that a run has written (energy.csv, rigid_bodies.csv, probes.csv): a
    dict of arrays by name. The last row of a run that goes on may be incomplete: it is left out."""
    with open(file, encoding="utf-8") as stream:
        lines = [line for line in stream if not line.startswith("#") and line.endswith("\n")]
    names, *rows = _csv.reader(lines)
    values = _np.array(rows, dtype=float)
    return dict(zip(names, values.reshape(-1, len(names)).T))


for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
