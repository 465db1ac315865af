"""Verdict on a run in one sentence, recomputed from the tables of its folder."""

import re

import numpy as np

from .charts import DEFECTS, energy_from_work
from .scene import short, with_unit

CLOSES = 1e-9  # fraction of the largest energy: a larger imbalance is no round-off, whatever the solver


def imbalance(run):
    """Returns the largest difference of the total energy from the sum of its kinds and from the initial
    energy plus all work, as a fraction of the largest energy."""
    table = run.table
    kinds = table["kinetic"] + table["strain"] + table.get("contact_potential", 0.0)
    return max(abs(table["total"] - expected).max() for expected in (
        kinds, energy_from_work(run))) / (run.energy_scale or 1.0)


def largest_defect(run):
    """Returns the largest defect of the contact law, lengths as fractions of the bodies' size, and its
    name; None for runs of earlier versions."""
    if not run.series or any(name not in run.table for name in DEFECTS):
        return None
    return max((run.table[name].max() / (run.bodies.size if quantity == "length" else 1.0),
                words.lower() + " / size" * (quantity == "length"))
               for name, (words, quantity) in DEFECTS.items())


def episodes(run):
    """Returns the rows of the table in which each episode of contact begins, and those behind its end."""
    is_active = np.concatenate([[False], run.table["contacts_active"] > 0, [False]])
    changes = np.flatnonzero(is_active[1:] != is_active[:-1])
    return changes[::2], changes[1::2]


def missed_episodes(run):
    """Returns the number of episodes of contact during which no instant was written."""
    begins, ends = episodes(run)
    time, written = run.table["time"], np.array([t for t, _ in run.series])
    first = time[np.maximum(begins - 1, 0)]  # a row is the step that ends there
    return int((np.searchsorted(written, first, "right")
                == np.searchsorted(written, time[ends - 1], "right")).sum())


def warnings_of(run):
    """Returns the warnings of the summary or, of an unfinished run, of the log."""
    if not run.has_file("log.txt") or run.summary:
        return run.summary.get("warnings", [])
    with open(run.path("log.txt"), encoding="utf-8", errors="replace") as stream:
        return list(dict.fromkeys(line.partition(" ")[2].strip() for line in stream
                                  if line.startswith(("Warning:", "Warning "))))


def magnitude(value):
    """Returns one digit of a number with its power of ten: 2e-4, or 2."""
    return re.sub(r"e([-+])0*", lambda sign: "e" + sign[1].strip("+"), f"{value:.0e}").removesuffix("e") \
        if value else "0"


def contact_words(run):
    active = int((run.table["contacts_active"] > 0).sum())
    has_all_rows = np.diff(run.table["step"]).max(initial=1) <= 1
    n = len(run.table["step"]) - (run.table["step"][0] == 0)  # the start is no step
    return f"{active} of {n} {'steps' if has_all_rows else 'rows'} in contact" if active else "no contact"


def verdict(run):
    """Returns the verdict in one sentence, and whether a reader should look closer: the run has not come
    to its end, its energy does not close, or it has warned."""
    status, error, warnings = run.summary.get("status", ""), imbalance(run), warnings_of(run)
    defect = largest_defect(run) if run.has_contacts else None
    end = with_unit(short(run.table["time"][-1]), run.units["time"])
    clauses = [
        status or f"unfinished, at t = {end}",
        f"energy closes to {magnitude(error)}" if error <= CLOSES else
        f"energy does not close: {magnitude(error)} of the largest energy is missing or too much",
        *([f"contact law within {magnitude(defect[0])}" + (f" ({defect[1]})" if defect[0] > CLOSES
                                                           else "")] if defect else []),
        contact_words(run),
        f"{len(warnings) or 'no'} warning{'' if len(warnings) == 1 else 's'}"]
    if status not in ("", "completed"):
        clauses[0] += f" at t = {end}"
    sentence = "; ".join(clauses)
    return (sentence[0].upper() + sentence[1:] + ".",
            status != "completed" or error > CLOSES or bool(warnings))
