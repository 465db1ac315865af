#!/usr/bin/env python3
"""Write the numbers of runs into the pages on cases.

    make_case_tables.py RESULTS PAGES

RESULTS is a folder with the results of shipped cases, somewhere in it; beside a folder NAME of
results NAME.seconds holds the processor time of its run, and NAME.shipped marks a run without
changes of parameters. In the pages (PAGES/*.md) the text between

    <!-- numbers of CASE, CASE... -->      and  <!-- end of numbers -->   becomes a table,
    <!-- time of CASE -->                  and  <!-- end of time -->      becomes "some 20 s".
"""
import json
import math
import re
import sys
from pathlib import Path

# Of the systems of units that shipped cases have: units of energy and of length.
UNITS = {"kg, m, s": ("J", "m"), "N, mm, ms, g": ("mJ", "mm"),
         "N, mm, s, t": ("mJ", "mm"), "dimensionless": ("", "")}


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
    """A time as one says it of another's computer."""
    if seconds < 1:
        return "less than a second"
    if seconds < 2:
        return "a second or two"
    if seconds < 10:
        return "some seconds"
    if seconds < 50:
        return f"some {round(seconds, -1):.0f} s"
    if seconds < 90:
        return "a minute"
    return f"some {seconds / 60:.0f} minutes"


def small(number):
    """A number of which only the magnitude matters."""
    return "0" if number == 0 else f"{number:.0e}".replace("e-0", "e-").replace("e+0", "e")


def quantity(number, unit):
    """A number with five digits and its unit."""
    if number == 0 or not 1e-3 <= abs(number) < 1e8:
        return f"{number:.5g} {unit}".strip()
    decimals = 4 - math.floor(math.log10(abs(number)))
    text = f"{round(number, decimals):,.{max(decimals, 0)}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}".strip()


def rows_of(run):
    """Name and value of each row."""
    energy, length = UNITS[run["units"]]
    size, end, extremes = run["size"], run["end_state"], run["extremes"]
    scale = extremes["total_energy_max"] or 1
    steps = run["time"]["steps"]
    rows = {"scheme": f"`{run['scheme']}`", "steps": f"{steps:,}", "nodes": f"{size['nodes']:,}",
            "rigid bodies": f"{size['rigid_bodies']}",
            "candidate contacts": f"{size['candidates']}",
            "energy at the start": quantity(end["initial_total"], energy),
            "energy at the end": quantity(end["total"], energy)}
    for work, name in (("external", "loads"), ("viscous", "viscosity"),
                       ("contact_normal", "contacts, normal"),
                       ("contact_tangential", "friction"),
                       ("prescribed", "prescribed motions"), ("numerical", "the scheme")):
        number = end["work_" + work]
        rows[f"work of {name}"] = quantity(number, energy) if abs(number) > 1e-9 * scale else "0"
    rows["largest balance residual of a step / largest energy"] = \
        small(extremes["balance_residual_max"] / scale)
    rows["largest work of one contact in a step / largest energy: normal"] = \
        small(max(extremes["normal_work_max"], 0) / scale)
    rows["… tangential"] = small(max(extremes["tangential_work_max"], 0) / scale)
    if extremes["penetration_max"] > 0:
        rows["deepest penetration"] = f"{extremes['penetration_max']:.2g} {length}".strip()
    rows["iterations per step"] = f"{run['counts']['solver_iterations'] / steps:.1f}"
    rows["steps cut"] = f"{run['counts']['cuts']}"
    rows["takes, on one core"] = duration(run["seconds"])
    return rows


def table(runs):
    """A table in Markdown with a column for each run; rows of nothing but zeros are left out."""
    columns = [rows_of(run) for run in runs]
    names = list(dict.fromkeys(name for rows in columns for name in rows))
    kept = [name for name in names
            if not name.startswith(("work", "nodes", "rigid", "steps cut"))
            or any(rows.get(name, "0") != "0" for rows in columns)]
    lines = ["| | " + " | ".join(f"`{run['case']}`" for run in runs) + " |",
             "|---|" + "---|" * len(runs)]
    lines += [f"| {name} | " + " | ".join(rows.get(name, "–") for rows in columns) + " |"
              for name in kept]
    return "\n".join(lines)


def with_numbers(text, runs):
    """The page with what is between its marks made anew."""
    text = re.sub(r"(<!-- numbers of ([\w, ]+) -->\n).*?(<!-- end of numbers -->)",
                  lambda mark: mark[1] + "\n"
                  + table([runs[case.strip()] for case in mark[2].split(",")]) + "\n\n" + mark[3],
                  text, flags=re.DOTALL)
    return re.sub(r"(<!-- time of (\w+) -->).*?(<!-- end of time -->)",
                  lambda mark: mark[1] + duration(runs[mark[2]]["seconds"]) + mark[3], text)


def main():
    """See the top of this file."""
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    runs = runs_in(Path(sys.argv[1]))
    for page in sorted(Path(sys.argv[2]).glob("*.md")):
        old = page.read_text(encoding="utf-8")
        try:
            new = with_numbers(old, runs)
        except KeyError as missing:
            print(f"{page}: there is no result of {missing} in {sys.argv[1]}", file=sys.stderr)
            return 1
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
