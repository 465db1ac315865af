"""Observed orders of convergence, and their verdicts."""

import math
from typing import List, NamedTuple

import numpy as np

TOLERANCE = 0.1    # of an order in time
ROUND_OFF = 1e-10  # relative difference of two runs that are the same; Newton's iterations end at 1e-12


class Verdict(NamedTuple):
    """Observed orders of one quantity."""

    orders: List[float]  # from coarse to fine; empty if two runs are the same
    passes: bool
    reason: str = ""     # of a series that was not measured

    def text(self):
        """Returns the last order, in brackets the order before it."""
        if self.reason:
            return "-"
        if not self.orders:
            return "exact"
        before = f" ({self.orders[-2]:.2f})" if len(self.orders) > 1 else ""
        return f"{self.orders[-1]:.2f}{before}{'' if self.passes else ' !'}"


def differences(values):
    """Returns the norms of the differences between successive values, relative to the last value."""
    scale = np.linalg.norm(values[-1])
    return [float(np.linalg.norm(fine - coarse)) / scale if scale else 0.0
            for coarse, fine in zip(values, values[1:])]


def orders_of(errors):
    """Returns the observed orders of errors of which each belongs to half the step of the one before."""
    return [math.log2(coarse / fine) for coarse, fine in zip(errors, errors[1:])]


def verdict(errors, promised, tolerance=TOLERANCE):
    """Returns the verdict on errors, or on differences between successive runs, which have the same
    order."""
    if max(errors) < ROUND_OFF:
        return Verdict([], True)
    if min(errors) < ROUND_OFF / 100:
        return Verdict([], False, "a difference is lost in round-off")
    found = orders_of(errors)
    return Verdict(found, abs(found[-1] - promised) <= tolerance)
