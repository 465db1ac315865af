"""Observed order, extrapolated value and error bar of a quantity on successively finer levels.

P. J. Roache, Verification and Validation in Computational Science and Engineering (1998), chapter 5.
"""

import dataclasses
import math

SAFETY = 1.25  # Roache's factor for an observed order
SAFETY_WITHOUT_ORDER = 3.0
ROUND_OFF = 1e-13


@dataclasses.dataclass
class Estimate:
    """Estimate from the three finest levels. `order` and `limit` (the extrapolated value) are nan, and
    `verdict` says why, unless the differences decrease with one sign; `bar` is the error bar of the
    finest value."""

    order: float
    limit: float
    bar: float
    verdict: str


def estimate(values, ratio):
    """Returns the estimate for values from the coarsest level to the finest, of sizes with this
    ratio > 1."""
    coarse, middle, fine = values[-3:]
    first, second = middle - coarse, fine - middle
    scale = max(map(abs, values)) or 1.0
    if not all(map(math.isfinite, values)):
        return Estimate(math.nan, math.nan, math.nan, "a value is missing")
    if max(abs(first), abs(second)) <= ROUND_OFF * scale:
        return Estimate(math.nan, fine, max(abs(first), abs(second)), "equal on all levels")
    bar = SAFETY_WITHOUT_ORDER * max(abs(first), abs(second))
    if first * second <= 0:
        verdict = "no order: the value oscillates" if first * second else "no order: a value repeats"
        return Estimate(math.nan, math.nan, bar, verdict)
    order = math.log(first / second) / math.log(ratio)
    if order <= 0:
        return Estimate(order, math.nan, bar, "does not converge: the differences grow")
    change = second / (ratio ** order - 1)
    return Estimate(order, fine + change, SAFETY * abs(change), "converges")


def orders(values, ratio):
    """Returns the observed order at each level, nan for the first two."""
    return [math.nan] * 2 + [estimate(values[k - 2:k + 1], ratio).order
                             for k in range(2, len(values))]
