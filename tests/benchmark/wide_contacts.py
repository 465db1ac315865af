#!/usr/bin/env python3
"""Measures steps of params/box_slide.prm with finer meshes: on the ground and in free flight.

    wide_contacts.py PROGRAM REPOSITORY OUT [SIZE ...] [SECTION/ENTRY=VALUE ...]

Runs PROGRAM (percussion) with elements of each size [mm] and these entries, and prints a table: unknowns, contacts,
time of a step in contact and in free flight, their ratio, and memory for each unknown.
"""

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

SIZES = ["2.5", "1.25", "0.84", "0.625", "0.42"]
N_STEPS = 24
STEP = 5e-4  # ms
PHASES = ["search", "pose", "solve", "advance", "account"]


def run(program: Path, case: Path, size: str, out: Path, ground: str, others: list) -> float:
    """Runs the case with the ground at a height and returns the wall time of a step [s]."""
    entries = [f"Mesh/Parameters=size = {size}", f"Time/End={N_STEPS * STEP}", "Output/Number of instants=1",
               "Initial state/Static preload=false", f"Contact/ground/Point=0, 0, {ground}", *others]
    command = [str(program), str(case), "--output", str(out)]
    for entry in entries:
        command += ["--set", entry]
    with open(f"{out}.txt", "w", encoding="utf-8") as text:
        subprocess.run(command, check=True, stdout=text, stderr=subprocess.STDOUT)
    wall = json.loads((out / "summary.json").read_text())["wall_seconds"]
    return sum(wall[phase] for phase in PHASES) / N_STEPS


def main() -> None:
    """Measures all sizes."""
    program, repository, out = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    case = repository / "params/box_slide.prm"
    print("| size | unknowns | contacts | in contact | free flight | ratio | memory / unknown |")
    print("|---|---|---|---|---|---|---|")
    others = [entry for entry in sys.argv[4:] if "=" in entry]
    for size in [size for size in sys.argv[4:] if "=" not in size] or SIZES:
        contact = run(program, case, size, out / f"contact_{size}", "0", others)
        free = run(program, case, size, out / f"free_{size}", "-1", others)
        log = (out / f"contact_{size}.txt").read_text()
        unknowns = int(re.search(r"Bodies +(\d+) degrees", log).group(1))
        contacts = int(re.search(r"Contact +(\d+) candidate", log).group(1))
        # Elements become smaller from size to size, so that the largest run so far is this one.
        memory = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unknowns
        print(f"| {size} | {unknowns:,} | {contacts:,} | {contact:.3g} s | {free:.3g} s | "
              f"{contact / free:.1f} | {memory / 1e3:.1f} kB |", flush=True)


if __name__ == "__main__":
    main()
