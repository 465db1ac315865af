#!/usr/bin/env python3
"""Checks that degrees of freedom are known to bodies, their balance and algebra only.

    check_trace.py REPOSITORY

Contacts refer to entries of the trace. Outside `body/`, `balance/` and `algebra/`, no line of code
may read a vector over all degrees of freedom, or name a degree of freedom, except in the files of
EXCEPTIONS. Comments do not count. Prints each such line and exits with 1 if there are any, or if a file of
EXCEPTIONS needs no exception any more.
"""

import re
import sys
from pathlib import Path

EXCEPTIONS = {
    "cone": "global",  # unknowns of a problem from a file
    # The number of degrees of freedom of the run, in summary.json.
    "output": "summary",
    # From regions and names of the input to the degrees of freedom that they prescribe or move.
    "case": "describe initial_state material_section start_from_run",
    "run": "memory results",  # sizes of bodies, and fields in memory
    "python": "case_data contacts joined_mesh run_data",  # arrays over all nodes
}
MODULES = ("base", "case", "cone", "contact", "dynamics", "fc", "fclib", "input", "material", "output", "run")
NAMES_DOFS = re.compile(r"\bentries\([\w.>*-]+\)|\bnode_dofs\b|\brigid_dof\b|\bdofs?\b|\w_dofs\b")
# The number of unknowns of a rigid body, and deal.II's handler, from which cells are taken.
HARMLESS = re.compile(r"RigidBody<dim>::n_dofs|\bspace\.dofs\.active_cell_iterators\(\)")


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
    folders = [(module, root / place / module)
               for module in MODULES for place in ("src", "include/percussion")]
    folders.append(("python", root / "apps/python"))
    problems, needed = [], set()
    for module, folder in folders:
        for file in sorted(folder.glob("*.h")) + sorted(folder.glob("*.cc")):
            lines = lines_with_dofs(file)
            if file.stem in EXCEPTIONS.get(module, "").split():
                needed.update([(module, file.stem)] if lines else [])
                continue
            problems += [f"{file.relative_to(root)}:{number}: {text}" for number, text in lines]
    problems += [f"{module}/{name} names no degree of freedom: remove it from EXCEPTIONS"
                 for module, names in EXCEPTIONS.items() for name in sorted(names.split())
                 if (module, name) not in needed]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
