#!/usr/bin/env python3
"""Measure runs on several processes, and write the tables of doc/scaling.md.

    measure_processes.py PROGRAMS RESULTS [PAGE] [--sizes MM ...] [--processes N ...]

PROGRAMS is the folder with percussion (a build folder), RESULTS one for the runs. In PAGE
(doc/scaling.md) the text between

    <!-- processes: NAME -->  and  <!-- end of processes -->

becomes the table NAME: efficiency or memory. Times are wall times without set-up: differences of runs of
different lengths, on a machine without other work.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
CASE = HERE.parent / "params" / "box_slide.prm"
STEP = 5e-4  # of box_slide.prm [ms]
N_STEPS = (4, 14)


class Run(NamedTuple):
    """Cost of a run."""
    seconds: float  # of the steps
    kilobytes: int  # memory of the largest process
    out: Path       # folder of the results

    def unknowns(self):
        """Number of degrees of freedom, from the log."""
        return int(re.search(r"Bodies +(\d+) deg", (self.out / "log.txt").read_text(encoding="utf-8")).group(1))


def run(program, out, size, n_processes, n_steps):
    """Runs the block with elements of this size on the ground; returns its cost."""
    entries = [f"Mesh/Parameters=size = {size}", f"Time/End={n_steps * STEP}", "Output/Number of instants=1",
               "Initial state/Static preload=false", "Solver/Linear systems=conjugate gradients",
               "Solver/Contact elimination=projected"]
    # /usr/bin/time is not everywhere: each process reports its own largest memory at its end.
    child = [sys.executable, str(Path(__file__).resolve()), "--child", str(program), str(CASE), "--quiet",
             "--output", str(out)]
    for entry in entries:
        child += ["--set", entry]
    launcher = [] if n_processes == 1 else ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n",
                                            str(n_processes)]
    shutil.rmtree(out, ignore_errors=True)
    text = subprocess.run(launcher + child, check=True, stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1")).stdout
    wall = json.loads((out / "summary.json").read_text(encoding="utf-8"))["wall_seconds"]
    seconds = sum(wall[phase] for phase in wall if phase not in ("total", "output"))
    return Run(seconds, max(int(line.split()[1]) for line in text.splitlines() if line.startswith("kilobytes ")), out)


def child(command):
    """Runs a command and prints the largest memory of its process."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    print(f"kilobytes {usage.ru_maxrss}", flush=True)
    sys.exit(os.waitstatus_to_exitcode(status))


def measure(programs, results, size, n_processes):
    """Returns the time of a step in contact, the memory of the largest process, and the unknowns."""
    short, long = (run(programs / "percussion", results / f"{size}-{n_processes}-{n}", size, n_processes, n)
                   for n in N_STEPS)
    seconds = (long.seconds - short.seconds) / (N_STEPS[1] - N_STEPS[0])
    return seconds, long


def same_bytes(one, other):
    """True if two runs have the same energies, byte for byte, without the lines of comments."""
    def rows(run_of):
        text = (run_of.out / "energy.csv").read_text(encoding="utf-8")
        return [line for line in text.splitlines() if not line.startswith("#")]
    return rows(one) == rows(other)


def tables(programs, results, sizes, numbers):
    """Returns the tables by name."""
    efficiency = ["| unknowns | processes | time of a step, relative to one process | efficiency | same bytes |",
                  "|---|---|---|---|---|"]
    memory = ["| unknowns | processes | memory of the largest process for each unknown | relative to one process |",
              "|---|---|---|---|"]
    for size in sizes:
        reference, first = measure(programs, results, size, 1)
        n = first.unknowns()
        memory.append(f"| {n:,} | 1 | {1.024 * first.kilobytes / n:.2f} kB | 1 |")
        for n_processes in numbers:
            seconds, found = measure(programs, results, size, n_processes)
            ratio = seconds / reference
            efficiency.append(f"| {n:,} | {n_processes} | {ratio:.2f} | {1 / (n_processes * ratio):.2f} | "
                              f"{'yes' if same_bytes(first, found) else 'no'} |")
            memory.append(f"| {n:,} | {n_processes} | {1.024 * found.kilobytes / n:.2f} kB | "
                          f"{found.kilobytes / first.kilobytes:.2f} |")
            print(efficiency[-1], memory[-1], f"{reference:.3g} s", sep="\n", flush=True)
    return {"efficiency": efficiency, "memory": memory}


def write(page, made):
    """Replaces the tables of a page."""
    text = page.read_text(encoding="utf-8")
    for name, lines in made.items():
        text = re.sub(rf"(<!-- processes: {name} -->\n).*?(<!-- end of processes -->)",
                      lambda match, lines=lines: match.group(1) + "\n".join(lines) + "\n" + match.group(2), text,
                      flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")


def main():
    """Measures, and writes the page."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("page", type=Path, nargs="?")
    parser.add_argument("--sizes", nargs="+", default=["1.25", "0.625", "0.42"])
    parser.add_argument("--processes", nargs="+", type=int, default=[2])
    arguments = parser.parse_args()
    arguments.results.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    made = tables(arguments.programs, arguments.results, arguments.sizes, arguments.processes)
    if arguments.page:
        write(arguments.page, made)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
