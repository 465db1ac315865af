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

from percussion._percussion import *  # noqa: F403
from percussion._percussion import __version__ as __version__

__all__ = [
    "OPEN", "SLIP", "STICK", "Case", "Contacts", "InitialState", "InputError", "Mesh",
    "RigidBodies", "Run", "RunError", "State", "StepRecord", "Summary",
]

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
