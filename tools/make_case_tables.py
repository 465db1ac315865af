#!/usr/bin/env python3
"""Write the numbers of runs into the page on all cases.

    make_case_tables.py RESULTS PAGES

RESULTS is a folder with the results of shipped cases, somewhere in it; beside a folder NAME of
results NAME.seconds holds the processor time of its run, and NAME.shipped marks a run without
changes of parameters. In PAGES/README.md the text between `<!-- numbers -->` and `<!-- end of numbers -->`
becomes a table of all runs, in the order of the page. A case without a run keeps its row.
"""
import json
import math
import re
import sys
from pathlib import Path

# Unit of energy of each system of units that shipped cases have.
UNITS = {"kg, m, s": "J", "N, mm, ms, g": "mJ", "N, mm, s, t": "mJ", "dimensionless": ""}


def runs_in(folder):
    """summary.json of each case, with `seconds` of processor time."""
    runs = {}
    for file in sorted(folder.rglob("summary.json")):
        run = json.loads(file.read_text(encoding="utf-8"))
        seconds = file.parent.with_name(file.parent.name + ".seconds")
        if seconds.exists() and seconds.with_suffix(".shipped").exists():
            run["seconds"] = float(seconds.read_text(encoding="utf-8").split()[-1])
            runs[run["case"]] = run
    return runs


def duration(seconds):
    """Returns a time in the digits that another computer would also have."""
    for limit, text in ((1, "< 1 s"), (2, "1–2 s"), (10, "2–10 s")):
        if seconds < limit:
            return text
    return f"{round(seconds, -1):.0f} s"


def quantity(number, unit):
    """A number with five digits and its unit."""
    if number == 0 or not 1e-3 <= abs(number) < 1e8:
        return f"{number:.5g} {unit}".strip()
    decimals = 4 - math.floor(math.log10(abs(number)))
    text = f"{round(number, decimals):,.{max(decimals, 0)}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}".strip()


HEADS = ["case", "steps", "nodes, bodies", "energy", "time"]


def row(run):
    """Returns the row of a run."""
    energy, size, end = UNITS[run["units"]], run["size"], run["end_state"]
    first, last = (quantity(end[name], "") for name in ("initial_total", "total"))
    return "| " + " | ".join([
        f"`{run['case']}`", f"{run['time']['steps']:,}", f"{size['nodes'] or size['rigid_bodies']:,}",
        (f"{first} → " if first != last else "") + f"{last} {energy}".strip(), duration(run["seconds"])]) + " |"


def with_numbers(text, runs):
    """Returns the page with the table of the runs."""
    cases = re.findall(r"^\* \[\w+\]\((\w+)\.md\):", text, re.M)
    old = {name: line for line, name in re.findall(r"^(\| `(\w+)` \| [\d,]+ \|.*)$", text, re.M)}
    rows = [row(runs[case]) if case in runs else old[case] for case in cases if case in runs or case in old]
    lines = ["| " + " | ".join(HEADS) + " |", "|---|" + "---|" * (len(HEADS) - 1), *rows]
    return re.sub(r"(<!-- numbers -->\n).*?(<!-- end of numbers -->)",
                  lambda mark: mark[1] + "\n" + "\n".join(lines) + "\n\n" + mark[2], text, flags=re.DOTALL)


def main():
    """See the top of this file."""
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    runs = runs_in(Path(sys.argv[1]))
    page = Path(sys.argv[2]) / "README.md"
    page.write_text(with_numbers(page.read_text(encoding="utf-8"), runs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
