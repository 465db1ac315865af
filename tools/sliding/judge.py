"""Runs of cells and their references by the program's Python module, and the verdicts on them."""
import csv
import json
import math
import shutil
from typing import Dict, List, NamedTuple

from .case import DISTANCES, DENSITY, EDGE, GRAVITY, INSTANTS, PAUSES, write_case
from .cells import INTEGRATED, WITH_SPRINGS, WITHOUT_INERTIA
from .shapes import HEIGHT, THICKNESS, frame_of

WRONG = 0.05        # errors beyond it are silent, or come with a warning
LEDGER = 1e-10        # largest residual of the balance of a step: round-off of a stiff slider far from its place
FREE_DISTANCES = (7, 15)  # at which the mean over two edges counts, in edges
# Beginnings of warnings that name depths, lost forces or energy that contacts give, and words of the warning of
# nodes that sink between finer ones: other warnings do not excuse a wrong cell.
LOSSES = ("indentation", "missed depth", "relapse depth", "drift", "pressing gap", "penetration", "passing",
          "contact energy")
SINKING = "can sink in"
ONE_POINT = "one point"  # whose force follows from the mesh if a depth presses it


class Verdict(NamedTuple):
    """Outcome of a cell."""

    kind: str                # right, warned, silent, refused or failed
    errors: Dict[str, float]  # relative
    ledger: float            # largest residual of the balance of a step, over the largest energy
    warnings: List[str]      # of the program, or its message if the cell is refused or fails

    def worst(self):
        """Returns the largest error and its name."""
        return max(((error, name) for name, error in self.errors.items()), default=(0.0, ""))


def columns_of(path):
    """Returns the columns of a table of a run by name."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def take_run(percussion, cell, folder, distance=None):
    """Runs a cell, or its reference; returns the folder of the results."""
    shutil.rmtree(folder, ignore_errors=True)
    write_case(cell, folder, distance)
    percussion.Case(str(folder / "case.prm"), output=str(folder / "out")).solve()
    return folder / "out"


def along(cell, probes, axis):
    """Returns the slider's displacement along an axis of the frame in which it was drawn [its length]."""
    frame = frame_of(cell)
    rows = zip(*(probes[f"slider.displacement_{x}"] for x in "xyz"[:cell.dim]))
    return [sum(q * u for q, u in zip(frame.Q[:, axis], row)) / frame.length for row in rows]


def force_factor(cell):
    """Returns the factor of forces, which in 2D belong to a thickness of one, in the frame of a cell."""
    return frame_of(cell).factor((1, 1 if cell.dim == 3 else 0, -2))


def mean(values):
    return sum(values) / len(values)


def answers(cell, probes):
    """Returns forces and heights at the distances."""
    time, columns = probes["time"], (probes["joint.force_normal"], along(cell, probes, -1))
    if cell.inertia == "none":
        return [[column[min(range(len(time)), key=lambda i: abs(time[i] - instant))] for instant in INSTANTS]
                for column in columns]
    return [[mean([x for t, x in zip(time, column) if begin + 0.4 * (end - begin) < t <= end + 1e-9])
             for begin, end in PAUSES] for column in columns]


class References:
    """Forces and heights of sliders that are pressed where a way leads to."""

    def __init__(self, percussion, folder):
        self.percussion, self.folder, self.known = percussion, folder, {}

    def find(self, cell, distance):
        """Returns force and height. Schemes with the same contacts have the same equilibria, in every frame."""
        scheme = next((group[0] for group in (WITH_SPRINGS, INTEGRATED) if cell.scheme in group), WITHOUT_INERTIA[0])
        drawn = cell._replace(inertia="none", scheme=scheme, step="short", frame="axes")
        if (drawn, distance) not in self.known:
            out = take_run(self.percussion, drawn, self.folder / f"{drawn.name()}-{distance}", distance)
            probes = columns_of(out / "probes.csv")
            self.known[drawn, distance] = (probes["joint.force_normal"][-1], along(drawn, probes, -1)[-1])
        force, height = self.known[drawn, distance]
        return force * force_factor(cell), height


def errors_of_driven(cell, probes, references):
    """Returns the errors of the force, and of the height under a load, at the distances. With friction a slider that is
    pressed without a way has another equilibrium."""
    found, (forces, heights) = {}, answers(cell, probes)
    for k, distance in enumerate(DISTANCES):
        if cell.friction != "0" and distance == 0:
            continue
        force, height = references.find(cell, distance)
        found[f"force after {distance} edges"] = abs(forces[k] / force - 1)
        if cell.drive == "load":
            found[f"height after {distance} edges"] = abs(heights[k] / height - 1)
    return found


def errors_of_free(cell, probes, references):
    """Returns the errors of the force, which is the slider's weight, and of the change of its height, which depends on
    its landing, over eight edges."""
    weight = DENSITY * GRAVITY[cell.friction] * HEIGHT * (THICKNESS if cell.dim == 3 else 1.0) * force_factor(cell)
    rows = list(zip(along(cell, probes, 0), probes["joint.force_normal"], along(cell, probes, -1)))
    found, heights = {}, []
    for distance in FREE_DISTANCES:
        window = [row for row in rows if abs(row[0] / EDGE - distance) <= 1.0]
        found[f"force after {distance} edges"] = abs(mean([row[1] for row in window]) / weight - 1)
        heights.append(mean([row[2] for row in window]))
    right = [references.find(cell, distance)[1] for distance in FREE_DISTANCES]
    found["change of height"] = abs(heights[1] / heights[0] - right[1] / right[0])
    return found


def verdict_of(percussion, cell, folder, references):
    """Runs a cell and returns its verdict."""
    try:
        out = take_run(percussion, cell, folder)
    except percussion.InputError as error:
        return Verdict("refused", {}, 0.0, [str(error)])
    except percussion.RunError as error:
        return Verdict("failed", {}, 0.0, [str(error)])
    probes, energies = columns_of(out / "probes.csv"), columns_of(out / "energy.csv")
    warnings = json.loads((out / "summary.json").read_text(encoding="utf-8"))["warnings"]
    find_errors = errors_of_free if cell.drive == "free" else errors_of_driven
    errors = find_errors(cell, probes, references)
    errors = {name: error if math.isfinite(error) else math.inf for name, error in errors.items()}
    ledger = max(map(abs, energies["balance_residual"])) / max(map(abs, energies["total"]))
    is_right = max(errors.values()) <= WRONG and ledger <= LEDGER
    losses = (*LOSSES, ONE_POINT) if cell.drive == "depth" else LOSSES
    is_warned = any(warning.startswith(losses) or SINKING in warning for warning in warnings)
    return Verdict("right" if is_right else "warned" if is_warned else "silent", errors, ledger, warnings)
