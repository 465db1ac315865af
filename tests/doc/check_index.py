#!/usr/bin/env python3
"""Checks that README.md and doc/README.md agree with the repository.

    check_index.py REPOSITORY

* doc/README.md has a link to each page of doc/, and counts the cases of params/;
* doc/cases/README.md has a link to the page of each case, and no others;
* README.md lists the schemes, impact laws and contact solvers that doc/parameters.md
  allows;
* doc/developing.md lists the modules of include/percussion/, and for each the modules whose headers
  it includes, in parentheses the headers if these are all.

Prints the differences, one line each, and exits with 1 if there are any.
"""

import re
import sys
from pathlib import Path
from typing import Iterator, List, Set

LISTS = {  # row of the table "What works" in README.md: (section and parameter, values not listed)
    "Schemes": ("Time", "Scheme", set()),
    "Impact laws": ("Contact/<name>", "Impact law", {"of the scheme", "as in the paper"}),
    "Contact solvers": ("Solver", "Method", {"of the scheme"}),
}


def allowed(parameters: str, section: str, name: str) -> Set[str]:
    """Returns the values that doc/parameters.md allows for a parameter."""
    pages = [page for page in re.split(r"^## ", parameters, flags=re.M)
             if page.split("\n")[0].replace("\\", "") == section]
    if not pages:
        raise SystemExit(f"doc/parameters.md: there is no section {section}")
    match = re.search(rf"^### {name}\n.*?^\* Allowed: one of (.*?)$", pages[0], re.M | re.S)
    if not match:
        raise SystemExit(f"doc/parameters.md: {section}/{name} allows no list of values")
    return {value.strip("' ") for value in match[1].split(", ")}


def differences(where: str, found: Set[str], expected: Set[str]) -> Iterator[str]:
    """Yields a line for each entry that is missing or has no counterpart."""
    yield from (f"{where}: {entry} is missing" for entry in sorted(expected - found))
    yield from (f"{where}: there is no {entry}" for entry in sorted(found - expected))


def included(root: Path, module: str) -> Set[str]:
    """Returns the headers of other modules that a module includes, as "body/mesh.h"."""
    sources = [path for folder in ("include/percussion", "src") for path in (root / folder / module).glob("*")
               if path.suffix in (".h", ".cc")]
    names = re.findall(r"^#include <percussion/(\w+/\w+\.h)>", "\n".join(map(Path.read_text, sources)), re.M)
    return {name for name in names if not name.startswith(module + "/")}


def check_modules(root: Path, page: str) -> Iterator[str]:
    """Yields the differences between the table of modules and the includes of the modules."""
    rows = dict(re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*) \|$", page, re.M))
    folders = {path.name for path in (root / "include/percussion").iterdir() if path.is_dir()}
    yield from differences("doc/developing.md", set(rows), folders)
    for module in sorted(set(rows) & folders):
        names = included(root, module)
        listed = dict(re.findall(r"`(\w+)`(?: \(([^)]*)\))?", rows[module]))
        yield from differences(f"doc/developing.md, {module}/", set(listed),
                               {name.split("/")[0] for name in names})
        for other, headers in listed.items():
            if headers:
                yield from differences(f"doc/developing.md, {module}/, {other}",
                                       set(re.findall(r"`(\w+\.h)`", headers)),
                                       {name.split("/")[1] for name in names if name.startswith(other + "/")})


def check(root: Path) -> Iterator[str]:
    """Yields the differences between the pages and the repository."""
    def read(path: str) -> str:
        return (root / path).read_text(encoding="utf-8")

    index, cases = read("doc/README.md"), {path.stem for path in (root / "params").glob("*.prm")}
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    pages = {path.name for path in (root / "doc").glob("*.md")} - {"README.md"}
    yield from differences("doc/README.md", linked, pages)
    number = re.search(r"the (\d+) shipped cases", index)
    if not number or int(number[1]) != len(cases):
        yield f"doc/README.md: params/ has {len(cases)} cases, not {number and number[1]}"
    case_pages = {path.stem for path in (root / "doc/cases").glob("*.md")} - {"README"}
    yield from differences("doc/cases/", case_pages, cases)
    yield from differences("doc/cases/README.md",
                           set(re.findall(r"\]\(([\w-]+)\.md\)", read("doc/cases/README.md"))), cases)
    readme, parameters = read("README.md"), read("doc/parameters.md")
    for row, (section, name, unlisted) in LISTS.items():
        cell = re.search(rf"^\| {row} \|(.*)\|$", readme, re.M)
        listed = set(re.findall(r"`([\w-]+)`", cell[1])) if cell else set()
        yield from differences(f"README.md, {row}", listed, allowed(parameters, section, name) - unlisted)
    yield from check_modules(root, read("doc/developing.md"))


def main() -> int:
    """Prints the differences; returns 1 if there are any."""
    found: List[str] = list(check(Path(sys.argv[1])))
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
