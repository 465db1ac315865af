"""The verdict on a run: its error, and if the program has warned of it."""
import json
import math
from typing import Dict, List, NamedTuple

BOUNDS = (0.01, 0.05, 0.2)  # of relative errors
WRONG = BOUNDS[1]           # beyond it a run without a warning is silently wrong


class Verdict(NamedTuple):
    """What became of a cell."""

    status: int                # of the program's exit; 0 if it ended well
    error: float               # the largest of `errors`; infinite without results
    worst: str                 # its name
    errors: Dict[str, float]
    warnings: List[str]        # of the program, or its message if the status is not 0
    seconds: float


def verdict_of(cell, status, message, folder, errors, references):
    """Reads the results of a cell."""
    if status != 0:
        return Verdict(status, math.inf, "", {}, [message[-600:]], 0.0)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    warnings = summary["warnings"]
    found = errors(cell, folder, references)
    found = {name: value if math.isfinite(value) else math.inf for name, value in found.items()}
    worst = max(found, key=found.get)
    return Verdict(0, found[worst], worst, found, warnings, summary["wall_seconds"]["total"])


def is_silently_wrong(verdict):
    """True for a run that ended well, with errors above 5 % and no warning."""
    return verdict.status == 0 and verdict.error > WRONG and not verdict.warnings


def is_refused(verdict):
    return verdict.status == 2


def mark(verdict):
    """The class of a verdict in a word."""
    if verdict.status == 2:
        return "refused"
    if verdict.status != 0:
        return "failed"
    for bound in BOUNDS:
        if verdict.error <= bound:
            return f"{100 * bound:.0f} %"
    return "more"
