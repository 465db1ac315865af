#!/usr/bin/env python3
"""Checks that contacts refer to degrees of freedom by entries of the trace only.

    check_trace.py REPOSITORY

In `contact/`, and in `dynamics/` outside the files of BALANCE, no line may read a vector over all
degrees of freedom, or name a degree of freedom. Comments do not count. Prints each such line and
exits with 1 if there are any, or if a file of BALANCE needs no exception any more.
"""

import re
import sys
from pathlib import Path

# The balance of momentum and the solvers of its matrix, which work on all degrees of freedom.
BALANCE = {
    "angular_momentum", "balance_with_additions", "contact_route", "contact_variables",
    "follower_pressures", "global_problem", "gyration", "indefinite_matrix", "internal_force",
    "iterate", "linear_balance", "linear_energy", "loose_bodies", "mixing", "momentum",
    "nonlinear_balance", "nonlinear_tangent", "position_projection", "prescribed_reactions",
    "projected_contacts", "projected_contacts_law", "residual_measure", "rigid_rows", "rule_terms",
    "advance_substep",  # loads, and bodies that appear
    "step",             # makes the components of a substep
}
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
    problems, with_dofs = [], set()
    for module in ("contact", "dynamics"):
        for folder in (root / "src" / module, root / "include" / "percussion" / module):
            for file in sorted(folder.glob("*.*")):
                lines = lines_with_dofs(file)
                if module == "dynamics" and file.stem in BALANCE:
                    with_dofs.update([file.stem] if lines else [])
                    continue
                problems += [f"{file.relative_to(root)}:{number}: {text}" for number, text in lines]
    problems += [f"dynamics/{name} names no degree of freedom: remove it from BALANCE"
                 for name in sorted(BALANCE - with_dofs)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
