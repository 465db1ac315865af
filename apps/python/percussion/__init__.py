"""Elastodynamics with contact, impact and friction whose energy balance closes.

    import percussion

    case = percussion.Case("params/hello_drop.prm", {"Time/Step": 1e-3}, output="out")
    with case.run() as run:
        for record in run:
            print(record.time, record.energy, record.balance_residual)

or all at once: ``case.solve()``. Run.state, Run.rigid_bodies and Run.ledger are views of the
library's memory; Run.contacts makes new arrays.

    run = percussion.read("out")
    print(run.table["total"], run[0.5].displacement, run[0.5].contacts.pressure)

reads results from files, without the compiled module, which is loaded when Case or another of its
names is first used.

Calls release the interpreter's lock; the library does one of them at a time.
"""

import csv as _csv
import importlib as _importlib
import importlib.util as _importlib_util
import os as _os
import typing as _typing

import numpy as _np

from percussion._version import __version__ as __version__
from percussion.matrices import Matrices as Matrices
from percussion.results import ReadError as ReadError, read as read

if _typing.TYPE_CHECKING:
    from percussion._live import (
        OPEN as OPEN, SLIP as SLIP, STICK as STICK, Case as Case, Contacts as Contacts,
        InitialState as InitialState, InputError as InputError, Mesh as Mesh,
        RigidBodies as RigidBodies, Run as Run, RunError as RunError, SavedStep as SavedStep,
        State as State, StepRecord as StepRecord, Summary as Summary)
    from percussion_study.functions import converge as converge, sweep as sweep

_LIVE = (
    "OPEN", "SLIP", "STICK", "Case", "Contacts", "InitialState", "InputError", "Mesh",
    "RigidBodies", "Run", "RunError", "SavedStep", "State", "StepRecord", "Summary")
_STUDIES = ("converge", "sweep")
__all__ = [*_LIVE, *_STUDIES, "Matrices", "ReadError", "read", "read_table"]


def __getattr__(name):
    """Loads the compiled module, or the sweeps, when one of their names is first used."""
    if name in _STUDIES:
        globals()[name] = getattr(_importlib.import_module("percussion_study.functions"), name)
        return globals()[name]
    if name not in _LIVE:
        raise AttributeError(f"module 'percussion' has no attribute '{name}'")
    if _importlib_util.find_spec("percussion._percussion") is None:
        raise ImportError(
            f"percussion.{name} needs the compiled module, which is not installed for this Python; "
            "percussion.read() works without it", name="percussion._percussion")
    live = _importlib.import_module("percussion._live")
    globals().update({key: getattr(live, key) for key in _LIVE})
    return globals()[name]


def __dir__():
    return sorted({*globals(), *_LIVE, *_STUDIES})


def read_table(file):
    """Returns the columns of a table written by a run (energy.csv, rigid_bodies.csv,
    elastic_bodies.csv, probes.csv): a dict of arrays by name. The last row of an unfinished run may
    be incomplete: it is omitted. Raises ReadError for a device, a pipe or a file that is no such
    table or cannot be read, and FileNotFoundError if there is none."""
    if _os.path.exists(file) and not _os.path.isfile(file):  # a device may never end
        raise ReadError(f"{file}: is not a regular file")
    try:
        with open(file, encoding="utf-8") as stream:
            lines = [line for line in stream if not line.startswith("#") and line.endswith("\n")]
        names, *rows = _csv.reader(lines)
        values = _np.array(rows, dtype=float)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ReadError(f"{file}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ReadError(f"{file}: is no table of numbers ({error})") from error
    return dict(zip(names, values.reshape(-1, len(names)).T))


Matrices.__module__ = ReadError.__module__ = __name__
