"""Frictional contact problems: matrices of NumPy or SciPy in, arrays of NumPy out."""

from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Floats = NDArray[np.float64]
_Matrix = Any  # ArrayLike, or a matrix of scipy.sparse

@dataclass(frozen=True, init=False, eq=False)
class Solution:
    p: _Floats
    u: _Floats
    v: _Floats
    status: NDArray[np.int32]
    converged: bool
    residual: float
    iterations: int
    method: str
    outcome: str

def solve(
    W: _Matrix,
    q: ArrayLike,
    mu: ArrayLike,
    start: Union[Solution, ArrayLike, None] = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int = 100000,
    time_limit: float = ...,
) -> Solution: ...
def solve_global(
    M: _Matrix,
    H: _Matrix,
    q: ArrayLike,
    b: ArrayLike,
    mu: ArrayLike,
    start: Union[Solution, ArrayLike, None] = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int = 100000,
    time_limit: float = ...,
) -> Solution: ...
def read(file: str) -> dict[str, Any]: ...
