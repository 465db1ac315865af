"""A check and its verdict."""

import dataclasses
import math

import numpy as np

PASSES, FAILS, SKIPPED = "passes", "FAILS", "not checked"
EPSILON = float(np.finfo(float).eps)


@dataclasses.dataclass
class Check:
    """Result of a check: the worst value of all locations, its bound, and its location; without a value the
    remark says why it was not checked or why it fails."""

    name: str
    value: float = None
    bound: float = None
    location: str = ""
    remark: str = ""
    failed: bool = False

    @property
    def verdict(self):
        if self.failed:
            return FAILS
        if self.value is None:
            return SKIPPED
        return PASSES if self.value <= self.bound else FAILS  # NaN fails

    @property
    def excess(self):
        """Value over bound: 1 at the limit."""
        if self.failed or self.value is None or math.isnan(self.value):
            return math.inf if self.verdict == FAILS else -math.inf
        if self.bound > 0:
            return self.value / self.bound
        return 0.0 if self.value <= self.bound else math.inf


def worst(name, values, bounds, location):
    """Returns the check of the entry with the largest ratio of value and bound; `location` converts its
    index to a text."""
    values = np.atleast_1d(np.asarray(values, float))
    bounds = np.broadcast_to(np.asarray(bounds, float), values.shape)
    if not values.size:
        return Check(name, 0.0, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(bounds > 0, values / bounds, np.where(values > bounds, np.inf, 0))
    ratios[np.isnan(values)] = np.inf
    index = int(np.argmax(ratios))
    return Check(name, float(values[index]), float(bounds[index]), location(index))


def worse(first, second):
    """Returns the worse of two checks of the same name."""
    return second if second.excess > first.excess else first
