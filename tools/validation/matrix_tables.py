"""The tables of the page about the matrix of trust."""
import collections

from .cells import DISCRETISATIONS, INERTIAS, SCHEMES
from .markdown import table_in_markdown
from .verdict import BOUNDS, is_silently_wrong, mark

MARKS = ("1 %", "5 %", "20 %", "more", "failed", "refused")
TITLES = {"block": "pressed block", "bars": "bars", "spheres": "spheres", "sled": "sled", "slide": "dragged block"}


def counts(verdicts):
    """Numbers of verdicts by mark, those with a warning in brackets, and the silently wrong ones."""
    marked_verdicts = collections.defaultdict(list)
    for verdict in verdicts:
        marked_verdicts[mark(verdict)].append(verdict)
    texts = []
    for name in MARKS:
        n_warned = sum(1 for v in marked_verdicts[name] if v.status == 0 and v.warnings)
        texts.append(f"{len(marked_verdicts[name]) or '–'}" + (f" ({n_warned})" if n_warned else ""))
    return texts + [sum(map(is_silently_wrong, verdicts))]


def table_of_problems(found):
    rows = []
    for problem, title in TITLES.items():
        verdicts = [v for cell, v in found.items() if cell.problem == problem]
        rows.append([title, len(verdicts), *counts(verdicts)])
    rows.append(["all", len(found), *counts(list(found.values()))])
    return table_in_markdown(["problem", "cells", *MARKS, "silently wrong"], rows)


def bound_of(verdicts):
    """Returns the bound [%] that all verdicts hold; with a star if some hold it by a warning only, bold if silent."""
    if not verdicts:
        return "–"
    run = [v for v in verdicts if v.status == 0]
    silent = [v for v in run if is_silently_wrong(v)]
    if silent:
        return f"**wrong: {len(silent)}**"
    good = [v.error for v in run if not v.warnings]
    if not good:
        return "w"
    text = next(f"{100 * bound:.0f}" for bound in BOUNDS if max(good) <= bound)
    return text + ("*" if len(verdicts) > len(good) else "")


def table_of_combinations(found):
    """For each scheme, discretisation and node inertia the bounds of the problems, whatever the rest is."""
    columns = [(d, i) for d in DISCRETISATIONS for i in INERTIAS]
    rows = []
    for scheme in SCHEMES:
        rows.append([f"`{scheme}`"] + ["/".join(bound_of(
            [v for cell, v in found.items() if (cell.problem, cell.scheme, cell.discretisation,
                                                cell.inertia) == (problem, scheme, d, i)]) for problem in TITLES)
            for d, i in columns])
    rows = [[*row[:1], *("–" if set(cell) <= set("–/") else cell for cell in row[1:])] for row in rows]
    return table_in_markdown(["scheme"] + [f"{d}, {i}" for d, i in columns], rows)


def table_of_silent(found):
    """The silently wrong cells by scheme, discretisation, node inertia and problem."""
    groups = collections.defaultdict(list)
    for cell, verdict in found.items():
        if is_silently_wrong(verdict):
            groups[cell[:4]].append((verdict.error, verdict.worst, cell))
    if not groups:
        return "There is none."
    rows = []
    for key in sorted(groups, key=lambda k: -len(groups[k])):
        error, worst, cell = max(groups[key], key=lambda row: row[0])
        rows.append([TITLES[key[0]], f"`{key[1]}`", key[2], key[3], len(groups[key]),
                     f"{100 * error:.3g} % ({worst})",
                     f"{cell.law}, {cell.dim}D, θ = {cell.theta:g}, {cell.weight}, {cell.step}"])
    return table_in_markdown(["problem", "scheme", "discretisation", "node inertia", "cells", "largest error", "at"],
                             rows)


def tables(found):
    """Returns the tables by the names of their blocks."""
    return {"matrix-problems": table_of_problems(found), "matrix-combinations": table_of_combinations(found),
            "matrix-silent": table_of_silent(found)}
