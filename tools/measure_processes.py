#!/usr/bin/env python3
"""Measure runs on several processes, and write the tables of doc/scaling.md.

    measure_processes.py PROGRAMS RESULTS [PAGE] [--sizes MM ...] [--hyperelastic MM ...] [--processes N ...]

PROGRAMS is the folder with percussion (a build folder), RESULTS one for the runs. In PAGE
(doc/scaling.md) the text between

    <!-- processes: NAME -->  and  <!-- end of processes -->

becomes the table NAME: efficiency or memory of a linear block, and hyperelastic, the efficiency of a hyperelastic
one. Tables without sizes stay. Times are wall times without set-up: differences of runs of different lengths, on a
machine without other work. Iterations are the phase `solve` of a step, whose number of iterations does not depend on
the number of processes.
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
    iterations: float  # seconds of the iterations for many contacts
    kilobytes: int  # memory of the largest process
    out: Path       # folder of the results

    def unknowns(self):
        """Number of degrees of freedom, from the log."""
        return int(re.search(r"Bodies +(\d+) deg", (self.out / "log.txt").read_text(encoding="utf-8")).group(1))


def run(program, out, law, size, n_processes, n_steps, more=()):
    """Runs the block with elements of this size on the ground, with more entries; returns its cost."""
    entries = [f"Material/Law={law}", f"Mesh/Parameters=size = {size}", f"Time/End={n_steps * STEP}", "Output/Number of instants=1",
               "Initial state/Static preload=false", "Initial state/Preload contact nodes=contact", "Solver/Linear systems=conjugate gradients",
               "Solver/Contact elimination=projected", *more]
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
    return Run(seconds, wall["solve"], max(map(int, re.findall(r"kilobytes (\d+)", text))), out)


def child(command):
    """Runs a command and prints the largest memory of its process."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    print(f"kilobytes {usage.ru_maxrss}", flush=True)
    sys.exit(os.waitstatus_to_exitcode(status))


class Cost(NamedTuple):
    """Cost of a step in contact."""
    seconds: float
    iterations: float  # seconds of them
    run: Run           # the longer one

    def efficiencies(self, one, n_processes):
        """Efficiencies of a step and of its iterations, relative to one process."""
        return (one.seconds / (n_processes * self.seconds), one.iterations / (n_processes * self.iterations))


def measure(programs, results, law, size, n_processes, more=()):
    """Returns the cost of a step in contact."""
    short, long = (run(programs / "percussion", results / f"{law[:5]}-{size}-{n_processes}-{n}", law, size,
                       n_processes, n, more) for n in N_STEPS)
    n_steps = N_STEPS[1] - N_STEPS[0]
    return Cost((long.seconds - short.seconds) / n_steps, (long.iterations - short.iterations) / n_steps, long)


def same_bytes(one, other):
    """True if two runs have the same energies, byte for byte, without the lines of comments."""
    def rows(run_of):
        text = (run_of.out / "energy.csv").read_text(encoding="utf-8")
        return [line for line in text.splitlines() if not line.startswith("#")]
    return rows(one) == rows(other)


EFFICIENCY = ["| unknowns | processes | time of a step, relative to one process | efficiency | of its iterations | "
              "same bytes |", "|---|---|---|---|---|---|"]
MEMORY = ["| unknowns | processes | memory of the largest process for each unknown | relative to one process |",
          "|---|---|---|---|"]


def tables(programs, results, law, sizes, numbers):
    """Returns the rows of the tables of efficiency and memory."""
    efficiency, memory = [], []
    for size in sizes:
        one = measure(programs, results, law, size, 1)
        n, kilobytes = one.run.unknowns(), one.run.kilobytes
        memory.append(f"| {n:,} | 1 | {1.024 * kilobytes / n:.2f} kB | 1 |")
        for n_processes in numbers:
            found = measure(programs, results, law, size, n_processes)
            of_step, of_iterations = found.efficiencies(one, n_processes)
            efficiency.append(f"| {n:,} | {n_processes} | {found.seconds / one.seconds:.2f} | {of_step:.2f} | "
                              f"{of_iterations:.2f} | {'yes' if same_bytes(one.run, found.run) else 'no'} |")
            memory.append(f"| {n:,} | {n_processes} | {1.024 * found.run.kilobytes / n:.2f} kB | "
                          f"{found.run.kilobytes / kilobytes:.2f} |")
            print(efficiency[-1], memory[-1], f"{one.seconds:.3g} s, iterations {one.iterations:.3g} s", sep="\n",
                  flush=True)
    return efficiency, memory


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
    parser.add_argument("--sizes", nargs="*", default=["1.25", "0.625", "0.42"])
    parser.add_argument("--hyperelastic", nargs="*", default=["1.25", "0.84"])
    parser.add_argument("--processes", nargs="+", type=int, default=[2])
    arguments = parser.parse_args()
    arguments.results.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    made = {}
    if arguments.sizes:
        efficiency, memory = tables(arguments.programs, arguments.results, "linear elastic", arguments.sizes,
                                    arguments.processes)
        made.update(efficiency=EFFICIENCY + efficiency, memory=MEMORY + memory)
    if arguments.hyperelastic:
        efficiency, _ = tables(arguments.programs, arguments.results, "neo-hooke", arguments.hyperelastic,
                               arguments.processes)
        made["hyperelastic"] = EFFICIENCY + efficiency
    if arguments.page:
        write(arguments.page, made)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
