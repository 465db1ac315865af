"""Interface of the compiled module of percussion, for editors and type checkers."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np
from numpy.typing import NDArray

__version__: str
OPEN: int
STICK: int
SLIP: int

_Number = Union[float, int, bool, str, np.generic]
_Value = Union[_Number, Sequence[_Number], NDArray[np.generic]]
_Path = Union[str, os.PathLike[str]]
_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]

class InputError(ValueError): ...
class RunError(RuntimeError): ...

# Frozen, because the properties of these classes are read-only.
@dataclass(frozen=True, init=False, eq=False)
class Mesh:
    nodes: _Floats
    cells: _Integers
    vtu_point: _Integers
    regions: dict[str, _Integers]
    def triangles(self) -> _Integers: ...

@dataclass(frozen=True, init=False, eq=False)
class InitialState:
    displacement: _Floats
    velocity: _Floats
    rigid_displacement: _Floats
    rigid_velocity: _Floats

@dataclass(frozen=True, init=False, eq=False)
class State:
    step: int
    time: float
    kinetic: float
    strain: float
    energy: float
    displacement: _Floats
    velocity: _Floats

@dataclass(frozen=True, init=False, eq=False)
class RigidBodies:
    names: list[str]
    displacement: _Floats
    velocity: _Floats
    def pose(self) -> _Floats: ...
    def outline(self, body: int) -> _Floats: ...
    def __len__(self) -> int: ...

@dataclass(frozen=True, init=False, eq=False)
class Contacts:
    names: list[str]
    pair: NDArray[np.int32]
    node: _Integers
    body: NDArray[np.int32]
    obstacle: NDArray[np.int32]
    initial_position: _Floats
    position: _Floats
    area: _Floats
    friction: _Floats
    gap: _Floats
    normal: _Floats
    percussion: _Floats
    velocity: _Floats
    status: NDArray[np.int8]
    took_part: NDArray[np.bool_]
    key: NDArray[np.uint32]
    normal_work: _Floats
    tangential_work: _Floats
    slip: _Floats
    missed_depth: _Floats
    drift: _Floats
    def frame(self) -> _Floats: ...
    def __len__(self) -> int: ...

@dataclass(frozen=True, init=False, eq=False)
class _Works:
    work_external: float
    work_viscous: float
    work_numerical: float
    work_contact_normal: float
    work_contact_tangential: float
    work_prescribed: float
    work_position_correction: float

@dataclass(frozen=True, init=False, eq=False)
class _Defects:
    missed_depth: float
    relapse_depth: float
    drift: float
    pressing_gap: float
    cone_violation: float
    slip_direction_error: float
    resting_work: float

@dataclass(frozen=True, init=False, eq=False)
class StepRecord(_Works, _Defects):
    step: int
    time: float
    kinetic: float
    strain: float
    contact_potential: float
    energy: float
    balance_residual: float
    normal_work_max: float
    tangential_work_max: float
    tangential_work_min: float
    contacts_active: int
    contacts_sliding: int
    penetration_max: float
    solver_iterations: int
    solver_residual: float
    momentum_residual: float
    cuts: int
    changes: list[str]

@dataclass(frozen=True, init=False, eq=False)
class Summary(_Works, _Defects):
    status: str
    message: str
    steps: int
    end: float
    instants: int
    kinetic: float
    strain: float
    contact_potential: float
    energy: float
    initial_energy: float
    balance_drift: float
    energy_max: float
    balance_residual_max: float
    normal_work_max: float
    tangential_work_max: float
    penetration_max: float
    contacts_max: int
    cuts: int
    wall_time: float

@dataclass(frozen=True, init=False, eq=False)
class Run:
    case: Case
    n_steps: int
    finished: bool
    state: State
    contacts: Contacts
    rigid_bodies: RigidBodies
    ledger: NDArray[np.void]
    summary: Summary
    probes: dict[str, float]
    def step(self, n: int = 1) -> StepRecord: ...
    def finish(self) -> Summary: ...
    def stop(self, reason: str = "the caller") -> Summary: ...
    def cell_stress(self) -> _Floats: ...
    def __iter__(self) -> Iterator[StepRecord]: ...
    def __next__(self) -> StepRecord: ...
    def __enter__(self) -> Run: ...
    def __exit__(self, *exception: object) -> None: ...

@dataclass(frozen=True, init=False, eq=False)
class Case:
    def __init__(
        self, file: _Path, parameters: Mapping[str, _Value] = {}, output: _Path | None = None
    ) -> None: ...
    @staticmethod
    def from_text(
        text: str,
        parameters: Mapping[str, _Value] = {},
        output: _Path | None = None,
        name: str = "case.prm",
    ) -> Case: ...
    name: str
    scheme: str
    output: str
    units: str
    parameters: dict[str, str]
    warnings: list[str]
    notes: list[str]
    n_steps: int
    step_length: float
    theta: float
    mesh: Mesh | None
    initial: InitialState
    def describe(self) -> str: ...
    def estimate(self) -> dict[str, float | int | str]: ...
    def effective_parameters(self, documented: bool = False) -> str: ...
    def run(self, *, write: bool = True, resume: bool = False, verbose: bool = False) -> Run: ...
    def solve(
        self, *, write: bool = True, resume: bool = False, verbose: bool = False
    ) -> Summary: ...
