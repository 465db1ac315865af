"""The reference of all parameters, as a tree of sections with entries."""

import json
import re
import subprocess
from typing import Dict, NamedTuple, Tuple


class Entry(NamedTuple):
    """Entry of a section: its path, the values of a selection, empty for other entries, and the
    texts of the reference."""

    path: str
    name: str
    choices: Tuple[str, ...]
    may_be_empty: bool
    allowed: str
    documentation: str


class Section:
    """Section with its entries and subsections by name. A name in angle brackets stands for all
    names."""

    def __init__(self, path: str):
        self.path = path
        self.entries: Dict[str, Entry] = {}
        self.subsections: Dict[str, "Section"] = {}

    def subsection(self, name: str) -> "Section":
        """Returns the subsection of this name, which is made if it does not exist."""
        path = f"{self.path}/{name}" if self.path else name
        return self.subsections.setdefault(name, Section(path))


class Reference(NamedTuple):
    """Version of the program, and its parameters."""

    version: str
    top: Section


def is_placeholder(name: str) -> bool:
    """True if this name stands for names that a case chooses."""
    return name.startswith("<")


def choices(allowed: str) -> Tuple[str, ...]:
    """Returns the values of a selection from the description of an entry."""
    if allowed == "true or false":
        return "true", "false"
    selection = re.fullmatch(r"one of (.*?)(?:, or nothing)?", allowed)
    return tuple(value.strip("' ") for value in selection[1].split(" | ")) if selection else ()


def tree(document: dict) -> Reference:
    """Returns the tree of a reference that percussion has printed in JSON."""
    top = Section("")
    for parameter in document["parameters"]:
        section = top
        for name in parameter["path"].split("/")[:-1]:
            section = section.subsection(name)
        allowed = parameter["allowed"]
        section.entries[parameter["name"]] = Entry(
            parameter["path"], parameter["name"], choices(allowed),
            allowed.endswith("or nothing"), allowed, parameter["documentation"])
    return Reference(document["version"], top)


def read(program: str) -> Reference:
    """Returns the reference of a program. Throws CalledProcessError if it prints none."""
    printed = subprocess.run([program, "--print-parameters", "--json"], check=True,
                             capture_output=True, encoding="utf-8").stdout
    return tree(json.loads(printed))


def sections(section: Section):
    """Yields a section and all sections below it."""
    yield section
    for subsection in section.subsections.values():
        yield from sections(subsection)


def identifier(path: str) -> str:
    """Returns a word that names a path."""
    return re.sub(r"\W+", "_", path).strip("_") or "top"
