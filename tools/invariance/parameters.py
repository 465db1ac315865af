"""Parameter files as entries by path, and the units and defaults of the reference."""

import json
import re
import subprocess

from .formulas import number, substituted, values_of

# Entries that hold names of regions, bodies and contacts, which may be those of constants.
NAMES = {"Region", "Against", "Bodies", "Body", "First", "Second", "Contact", "Name"}
SUBSECTION = re.compile(r"\s*subsection (.*\S)")
ENTRY = re.compile(r"\s*set (.*?)\s*=\s*(.*?)\s*$")
UNIT = re.compile(r"\[((?:[MLT1 ()/^0-9-]|rad)+)(?::[^\]]*)?\]")
FACTOR = re.compile(r"([MLT])(?:\^(-?\d+))?|\d+|rad")


class NotTransformed(Exception):
    """A case or entry that a transformation cannot express; the text is the reason."""


def printed(program, *arguments):
    """Returns the text that percussion prints. Raises RuntimeError with its message if it fails."""
    done = subprocess.run([program, *arguments, "--print-parameters"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def read_entries(text):
    """Returns {(section, ..., entry): value} of a printed parameter file, in its order. Empty
    subsections are left out."""
    path, entries = [], {}
    for line in text.splitlines():
        if match := SUBSECTION.match(line):
            path.append(match[1])
        elif line.strip() == "end":
            path.pop()
        elif match := ENTRY.match(line):
            entries[(*path, match[1])] = match[2]
    return entries


def without_constants(entries):
    """Returns the entries with numbers in place of the constants of a case. Parameters of geometries
    keep their names, on the left of '='."""
    values = values_of({path[1]: text for path, text in entries.items() if path[0] == "Constants"})
    numbers = {name: f"({value!r})" for name, value in values.items()}
    found = {}
    for path, text in entries.items():
        if path == ("Mesh", "Parameters"):
            sides = [item.split("=") for item in text.split(",") if item.strip()]
            found[path] = ", ".join(f"{name.strip()} = {substituted(value, numbers).strip()}" for name, value in sides)
        elif path[0] not in ("Constants", "Mesh", "Output"):
            found[path] = plain(substituted(text, numbers)) if path[-1] not in NAMES else text
        elif path[0] != "Constants":
            found[path] = text
    return found


def plain(text):
    """Returns a number in parentheses without them, and any other text as it is."""
    inner = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    return inner if number(inner) is not None else text


def written(entries):
    """Returns the text of a parameter file with these entries."""
    lines, path = [], ()
    for (*sections, name), value in grouped(entries).items():
        common = 0
        while common < min(len(path), len(sections)) and path[common] == sections[common]:
            common += 1
        lines += ["  " * depth + "end" for depth in range(len(path) - 1, common - 1, -1)]
        lines += ["  " * depth + f"subsection {sections[depth]}" for depth in range(common, len(sections))]
        path = tuple(sections)
        lines.append("  " * len(path) + f"set {name} = {value}")
    lines += ["  " * depth + "end" for depth in range(len(path) - 1, -1, -1)]
    return "\n".join(lines) + "\n"


def grouped(entries):
    """Returns the entries with the entries of each section side by side, before its subsections."""
    order = {}
    for path in entries:
        for depth in range(1, len(path)):
            order.setdefault(path[:depth], len(order))
    def rank(path):
        return [order[path[:depth]] for depth in range(1, len(path))]
    return {path: entries[path] for path in sorted(entries, key=rank)}


def sections(entries, parent):
    """Returns the names of the subsections of a section, in their order."""
    return list(dict.fromkeys(path[1] for path in entries if path[0] == parent and len(path) == 3))


def exponents(unit):
    """Returns the exponents (M, L, T) of a unit such as M/(L T^2)."""
    found = {"M": 0, "L": 0, "T": 0}
    numerator, _, denominator = unit.partition("/")
    for sign, factors in ((1, numerator), (-1, denominator)):
        for factor in factors.strip(" ()").split():
            match = FACTOR.fullmatch(factor)
            if not match:
                raise ValueError(f"the unit [{unit}] has the unknown factor '{factor}'")
            if match[1]:
                found[match[1]] += sign * int(match[2] or 1)
    return found["M"], found["L"], found["T"]


def read_units(reference):
    """Returns {(section, is nested, entry): exponents (M, L, T)} of the entries with a unit in the
    reference, which is JSON; the unit of an entry is the first one that its description names."""
    units = {}
    for entry in json.loads(reference)["parameters"]:
        *sections, name = entry["path"].split("/")
        if sections and (unit := UNIT.search(entry["documentation"])):
            units[sections[0], len(sections) > 1, name] = exponents(unit[1])
    return units
