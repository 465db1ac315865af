"""Cases and runs: the half of the package that needs the compiled module."""

import abc as _abc

from percussion import _percussion, html_views
from percussion._percussion import (
    OPEN as OPEN, SLIP as SLIP, STICK as STICK, InputError as InputError, RunError as RunError,
    Summary as Summary)

PACKAGE = "percussion"  # of the names for users


def _of_both_dimensions(name, **members):
    """Returns the abstract class of this name, a base of the 2D and 3D classes."""
    kinds = [getattr(module, name) for module in (_percussion.plane, _percussion.space)]
    public = {key: member for key, member in vars(kinds[0]).items() if not key.startswith("__")}
    base = _abc.ABCMeta(name, (), {**public, **members, "__doc__": kinds[0].__doc__})
    for kind in kinds:
        kind.__module__ = PACKAGE
        base.register(kind)
    return base


def _show_as(view, name):
    """Lets notebooks show the objects of a class as the HTML that a function returns."""
    for module in (_percussion, _percussion.plane, _percussion.space):
        if hasattr(module, name):
            getattr(module, name)._repr_html_ = view


_show_as(html_views.case, "Case")
_show_as(html_views.run, "Run")
_show_as(html_views.contacts, "Contacts")
_show_as(html_views.summary, "Summary")


def _new_case(_, file, parameters={}, output=None):
    return _percussion._case(file, parameters, output)


Case = _of_both_dimensions(
    "Case", __new__=_new_case, from_text=staticmethod(_percussion._case_from_text))
Contacts = _of_both_dimensions("Contacts")
InitialState = _of_both_dimensions("InitialState")
Mesh = _of_both_dimensions("Mesh")
RigidBodies = _of_both_dimensions("RigidBodies")
SavedStep = _of_both_dimensions("SavedStep")
Run = _of_both_dimensions("Run")
State = _of_both_dimensions("State")
StepRecord = _of_both_dimensions("StepRecord")


for _name in ("InputError", "RunError", "Summary", *(
        name for name, value in list(globals().items()) if isinstance(value, _abc.ABCMeta))):
    globals()[_name].__module__ = PACKAGE
del _name
