#!/usr/bin/env python3
"""Compares the contact solver `auto` with solvers of Siconos numerics, an independent program.

    check_siconos.py SICONOS_BENCHMARK COLLECTION

COLLECTION is a folder with the unpacked problems of tests/collection. In all problems of elastic and
of single rigid bodies W has full rank, and the velocities are unique:

* Siconos' Gauss-Seidel solver in 2D solves all of them to 1e-10;
* each solution of Gauss-Seidel and of Lemke's method has the velocities of `auto`.

Prints the largest differences; fails if a statement does not hold.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

SOLVERS = ["siconos-2d-nsgs", "siconos-2d-lemke"]
TOLERANCE = 1e-10  # of the residual
DIFFERENCE = 1e-8  # of velocities, relative: the tolerance times the condition of W, below 100


def measure(program: str, files: List[Path]) -> List[Dict[str, str]]:
    """Returns the rows of the benchmark, with at most 10 s for a problem."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "siconos.csv"
        subprocess.run([program, str(TOLERANCE), "10", str(table), "--solvers", ",".join(SOLVERS),
                        *map(str, files)], check=True)
        with table.open(newline="", encoding="ascii") as stream:
            return list(csv.DictReader(stream))


def main() -> int:
    """Checks the collection; returns 1 if Siconos and percussion disagree."""
    files = sorted(path for path in Path(sys.argv[2]).glob("*.hdf5") if not path.name.startswith("pillar"))
    rows = measure(sys.argv[1], files)
    wrong = [] if len(files) >= 100 else [f"there are {len(files)} problems"]
    for solver in SOLVERS:
        found = {row["problem"]: row for row in rows if row["solver"] == solver}
        solved = [row for row in found.values() if row["solved"] == "1"]
        largest = max((float(row["difference"]) for row in solved), default=float("inf"))
        print(f"{solver}: {len(solved)} of {len(files)} solved, velocities differ by {largest:.2g} at most")
        wrong += [f"{solver}, {row['problem']}: velocities differ by {row['difference']}"
                  for row in solved if not float(row["difference"]) <= DIFFERENCE]
        if solver == "siconos-2d-nsgs" and len(solved) < len(files):
            missing = sorted({path.stem for path in files} - {row["problem"] for row in solved})
            wrong.append(f"{solver} does not solve {', '.join(missing)}")
        if len(solved) < 0.9 * len(files):
            wrong.append(f"{solver} solves {len(solved)} problems only")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
