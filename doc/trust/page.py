"""The tables of the page about the matrix of trust."""
import collections
import re

from .cells import DIMENSIONS, DISCRETISATIONS, INERTIAS, LAWS, SCHEMES
from .verdict import BOUNDS, is_silently_wrong, mark

MARKS = ("1 %", "5 %", "20 %", "more", "failed", "refused")
TITLES = {"block": "pressed block", "bars": "bars", "spheres": "spheres", "sled": "sled"}


def rows_of(heads, rows):
    """A table in Markdown."""
    return "\n".join(["| " + " | ".join(heads) + " |", "|---|" + "---|" * (len(heads) - 1)]
                     + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def counts(verdicts):
    """Numbers of verdicts by mark, those with a warning in brackets, and the silently wrong ones."""
    by_mark = collections.defaultdict(list)
    for verdict in verdicts:
        by_mark[mark(verdict)].append(verdict)
    texts = []
    for name in MARKS:
        with_warning = sum(1 for v in by_mark[name] if v.status == 0 and v.warnings)
        texts.append(f"{len(by_mark[name]) or '–'}" + (f" ({with_warning})" if with_warning else ""))
    return texts + [sum(map(is_silently_wrong, verdicts))]


def table_of_problems(found):
    rows = []
    for problem, title in TITLES.items():
        verdicts = [v for cell, v in found.items() if cell.problem == problem]
        rows.append([title, len(verdicts), *counts(verdicts)])
    rows.append(["all", len(found), *counts(list(found.values()))])
    return rows_of(["problem", "cells", *MARKS, "silently wrong"], rows)


def table_of_schemes(found):
    rows = []
    for scheme in SCHEMES:
        verdicts = [v for cell, v in found.items() if cell.scheme == scheme]
        rows.append([f"`{scheme}`", len(verdicts), *counts(verdicts)])
    return rows_of(["scheme", "cells", *MARKS, "silently wrong"], rows)


def bound_of(verdicts):
    """The bound that all verdicts hold; a star where some do so by a warning only, bold if silent."""
    if not verdicts:
        return "–"
    run = [v for v in verdicts if v.status == 0]
    silent = [v for v in run if is_silently_wrong(v)]
    if silent:
        return f"**wrong, {len(silent)} of {len(verdicts)}**"
    good = [v.error for v in run if not v.warnings]
    warned = len(verdicts) - len(good)
    if not good:
        return "warned of"
    text = next(f"{100 * bound:.0f} %" for bound in BOUNDS if max(good) <= bound)
    return text + ("*" if warned else "")


def table_of_combinations(found, problem):
    """For each scheme, discretisation and node inertia the bound that holds whatever the rest is."""
    columns = [(d, i) for d in DISCRETISATIONS for i in INERTIAS]
    rows = []
    for scheme in SCHEMES:
        rows.append([f"`{scheme}`"] + [bound_of(
            [v for cell, v in found.items() if (cell.problem, cell.scheme, cell.discretisation,
                                                cell.inertia) == (problem, scheme, d, i)])
            for d, i in columns])
    return rows_of(["scheme"] + [f"{d}, {i}" for d, i in columns], rows)


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
    return rows_of(["problem", "scheme", "discretisation", "node inertia", "cells", "largest error", "at"],
                   rows)


def reason(message):
    """What a refusal says, without the place in the file."""
    lines = message.splitlines()
    text = re.sub(r"^percussion: ", "", lines[1] if lines[0].endswith("problems in the input:") else lines[0])
    text = re.sub(r"case\.prm:(\d+:)? (subsection '[^']*': )?", "", text)
    text = re.sub(r"Time/Scheme' is '[\w-]+'", "Time/Scheme'", text)
    return re.sub(r"Scheme = [\w-]+|with [\w-]+-[\w-]+", "this scheme", text)


def levels(kinds, place, all_levels):
    """Levels of a factor that occur; `all` if none is missing."""
    present = [level for level in all_levels if any(kind[place] == level for kind in kinds)]
    return "all" if len(present) == len(all_levels) else ", ".join(map(str, present))


def table_of_refusals(refused):
    groups = collections.defaultdict(list)
    for kind, why in refused.items():
        if why:
            groups[reason(why)].append(kind)
    rows = []
    for why, kinds in groups.items():
        schemes = levels(kinds, 0, SCHEMES)
        rows.append([schemes if schemes == "all" else ", ".join(f"`{s}`" for s in schemes.split(", ")),
                     levels(kinds, 1, DISCRETISATIONS), levels(kinds, 2, INERTIAS),
                     levels(kinds, 3, LAWS), levels(kinds, 4, DIMENSIONS), why])
    return rows_of(["scheme", "discretisation", "node inertia", "law", "dimension", "reason"], rows)


def write_page(path, found, refused):
    """Replaces the tables of the page between their marks."""
    tables = {"problems": table_of_problems(found), "schemes": table_of_schemes(found),
              "silent": table_of_silent(found), "refused": table_of_refusals(refused)}
    tables.update({problem: table_of_combinations(found, problem) for problem in TITLES})
    text = path.read_text(encoding="utf-8")
    for name, table in tables.items():
        text = re.sub(rf"(<!-- matrix: {name} -->\n).*?(<!-- end of matrix -->)",
                      lambda marks, table=table: f"{marks[1]}\n{table}\n\n{marks[2]}", text, flags=re.DOTALL)
    path.write_text(text, encoding="utf-8")
