#!/usr/bin/env python3
"""Checks that degrees of freedom are known to bodies, their balance and algebra only.

    check_trace.py REPOSITORY

Contacts refer to entries of the trace. Outside `body/`, `balance/` and `algebra/`, no line of code
may read a vector over all degrees of freedom, or name a degree of freedom. Comments and texts do not count, and
neither do sizes: their number is reported, and memory estimated from it. Prints each such line and exits with 1
if there are any.
"""

import re
import sys
from pathlib import Path

MODULES = ("base", "case", "cone", "contact", "dynamics", "fc", "fclib", "input", "material", "output", "run")
NAMES_DOFS = re.compile(r"\bentries\([\w.>*-]+\)|\bnode_dofs\b|\brigid_dof\b|\bdofs?\b|\w_dofs\b")
# Texts, numbers of degrees of freedom, and deal.II's handler, from which cells are taken.
HARMLESS = re.compile(r'"[^"]*"|\bn_(elastic_)?dofs\b|\bspace\.dofs\.active_cell_iterators\(\)')


def lines_with_dofs(file):
    """Returns the numbers and texts of the lines of code that name degrees of freedom."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        code = HARMLESS.sub("", line.split("//")[0])
        if NAMES_DOFS.search(code):
            found.append((number, line.strip()))
    return found


def main():
    root = Path(sys.argv[1])
    folders = [root / place / module for module in MODULES for place in ("src", "include/percussion")]
    folders.append(root / "apps/python")
    problems = []
    for folder in folders:
        for file in sorted(folder.glob("*.h")) + sorted(folder.glob("*.cc")):
            problems += [f"{file.relative_to(root)}:{number}: {text}"
                         for number, text in lines_with_dofs(file)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
