"""Entries of the shipped cases, and files with a single entry, right or wrong."""

import os
import pathlib
import re
from typing import List, NamedTuple

SOURCE = pathlib.Path(os.environ["PERCUSSION_SOURCE_DIR"])
CASES = sorted((SOURCE / "params").glob("*.prm"))


class Assignment(NamedTuple):
    """Path of an entry, as names, and its value."""

    path: tuple
    value: str


def assignments(case: pathlib.Path) -> List[Assignment]:
    """Returns the entries that the lines of a file set, without included files."""
    text = re.sub(r"\\\s*\n\s*", "", case.read_text(encoding="utf-8"))
    path, found = [], []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("subsection"):
            path.append(" ".join(line.split()[1:]))
        elif line == "end":
            path.pop()
        elif line.startswith("set"):
            name, value = line[3:].split("=", 1)
            found.append(Assignment((*path, " ".join(name.split())), value.strip()))
    return found


def lines(assignment: Assignment) -> List[str]:
    """Returns the lines of a file that sets this entry."""
    sections = assignment.path[:-1]
    return [*(f"subsection {name}" for name in sections),
            f"set {assignment.path[-1]} = {assignment.value}", *("end" for _ in sections)]


def shipped() -> List[Assignment]:
    """Returns the entries that shipped cases set, each of them once."""
    return sorted({assignment for case in CASES for assignment in assignments(case)})


class Mistakes(NamedTuple):
    """Shipped entries with another name, another section, and another value of selections."""

    names: List[Assignment]
    sections: List[Assignment]
    values: List[Assignment]


def mistakes(selections: set) -> Mistakes:
    """Returns mistakes in shipped entries. `selections` has the last two names of the paths of
    the entries with listed values."""
    entries = [entry for entry in shipped() if entry.path[0] != "Constants"]
    return Mistakes(
        [Assignment((*entry.path[:-1], entry.path[-1] + "s"), entry.value) for entry in entries],
        [Assignment(("Probes" if entry.path[0] == "Time" else "Time", entry.path[-1]), entry.value)
         for entry in entries],
        [Assignment(entry.path, entry.value + change) for entry in entries
         if (entry.path[0], entry.path[-1]) in selections for change in ("x", " x", "\\\n x")])
