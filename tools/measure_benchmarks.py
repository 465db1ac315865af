#!/usr/bin/env python3
"""Measure the benchmarks, and write doc/benchmarks.csv and the table of doc/benchmarks.md.

    measure_benchmarks.py PROGRAMS RESULTS [TABLE.csv PAGE.md] [--only NAME ...]

PROGRAMS is the folder with percussion and the benchmark programs (a build folder), RESULTS one for the runs. Each
figure is a ratio of times in one run, or a size; a row of the table has the date, the version, the machine, and the
figure. The page gets, between its marks, the last rows of each machine with the bounds. The machine must have no other
work. Takes about half an hour.
"""
import argparse
import csv
import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import measure_processes  # noqa: E402  pylint: disable=wrong-import-position

ROOT = HERE.parent
COLUMNS = ["date", "version", "machine", "compiler", "figure", "value", "bound"]
BEGIN, END = "<!-- benchmarks -->", "<!-- end of benchmarks -->"


class Figure(NamedTuple):
    """A measured ratio or size; no bound: nan."""
    name: str
    value: float
    bound: float = float("nan")


def output(command):
    """Returns what a benchmark prints."""
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1")).stdout


def sliding_block(programs, _):
    """Yields the cost of a step in 2D, by half solves, and of its results."""
    text = output([programs / "step_benchmark", ROOT / "params/sliding_block.prm", ROOT / "meshes/sliding_block.geo"])
    for size, unknowns, ratio in re.findall(r"([\d.]+) mm +(\d+) unknowns.*?triangular solve = ([\d.]+)", text):
        yield Figure(f"sliding block, {unknowns} unknowns ({size} mm): step / half solves", float(ratio), 1.6)
    yield Figure("sliding block: output / run", float(re.search(r"whole run = ([\d.]+) %", text)[1]) / 100, 0.1)


def ring(programs, _):
    """Yields the cost of a step of a hyperelastic ring, by its tangents and residuals."""
    text = output([programs / "ring_benchmark", ROOT / "params/ring_impact.prm"])
    yield Figure("ring: step / (2 (tangent + factor) + iterations (residual + solve))",
                 float(re.search(r"solve\)\) = ([\d.]+)", text)[1]), 0.3)


def tyre(programs, _):
    """Yields the cost of a step of a hyperelastic tyre in 3D, by assembly and solution."""
    text = output([programs / "contact_benchmark", ROOT / "tests/benchmark/pressed_tyre.prm"])
    unknowns, value = re.search(r"(\d+) unknowns", text)[1], re.search(r"solution\) = ([\d.]+)", text)[1]
    yield Figure(f"pressed tyre, {unknowns} unknowns: step / (assembly + solution)", float(value), 6)


def precision(programs, results):
    """Yields the gain of mixed precision, and the memory."""
    for size in ("0.83", "0.625"):
        costs = {name: measure_processes.measure(programs, results / name, "linear elastic", size, 1,
                                                 [f"Solver/Precision={name}"]) for name in ("double", "mixed")}
        unknowns = costs["mixed"].run.unknowns()
        yield Figure(f"block, {unknowns} unknowns with contact: mixed / double",
                     costs["mixed"].seconds / costs["double"].seconds, 0.65)
        yield Figure(f"block, {unknowns} unknowns: kB for each unknown", 1.024 * costs["mixed"].run.kilobytes / unknowns)


def processes(programs, results):
    """Yields the gain of a second process."""
    one, two = (measure_processes.measure(programs, results, "linear elastic", "0.83", n) for n in (1, 2))
    yield Figure(f"block, {one.run.unknowns()} unknowns: two processes / one", two.seconds / one.seconds)


def pile(programs, results):
    """Yields the ratio to Siconos if Siconos is installed."""
    table = results / "pile.csv"
    table.unlink(missing_ok=True)
    if subprocess.run(["/usr/bin/python3", "-c", "import siconos.kernel"], check=False, stderr=subprocess.DEVNULL).returncode:
        return
    output(["/usr/bin/python3", ROOT / "tests/benchmark/siconos_pile.py", programs / "percussion", results / "pile",
            "--csv", table])
    with open(table, encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            yield Figure(f"pile of {row['boxes']} boxes: processor time of Siconos with Bullet / percussion", float(row["ratio"]))


BENCHMARKS = {function.__name__: function for function in (sliding_block, ring, tyre, precision, processes, pile)}


def machine():
    """Returns processor, number of cores and memory."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", text)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB"


def versions(programs):
    """Returns the version of the program, with the commit, and of the compiler."""
    version = output([programs / "percussion", "--version"]).split()[-1]
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True,
                            check=False).stdout.strip()
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", (programs / "CMakeCache.txt").read_text(encoding="utf-8"))[1]
    return f"{version} {commit}".strip(), output([compiler, "--version"]).splitlines()[0]


def measured(programs, results, names):
    """Yields rows of the table."""
    version, compiler = versions(programs)
    for name in names:
        folder = results / name
        folder.mkdir(parents=True, exist_ok=True)
        for figure in BENCHMARKS[name](programs, folder):
            row = [datetime.date.today().isoformat(), version, machine(), compiler, figure.name, f"{figure.value:.3g}",
                   "" if figure.bound != figure.bound else f"{figure.bound:g}"]
            print(*row, sep=" | ", flush=True)
            yield dict(zip(COLUMNS, row))


def append(table, rows):
    """Adds rows to the table."""
    is_new = not table.exists()
    with open(table, "a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def page_table(table):
    """Returns the last value of each figure on each machine, with the range of the values before."""
    with open(table, encoding="utf-8") as stream:
        history = list(csv.DictReader(stream))
    lines = ["| figure | bound | value | before | machine | date, version |", "|---|---|---|---|---|---|"]
    for key in dict.fromkeys((row["figure"], row["machine"]) for row in history):
        *before, last = [row for row in history if (row["figure"], row["machine"]) == key]
        values = [float(row["value"]) for row in before]
        earlier = f"{min(values):.3g} to {max(values):.3g}" if values else ""
        lines.append(f"| {last['figure']} | {last['bound']} | {last['value']} | {earlier} | {last['machine']} | "
                     f"{last['date']}, {last['version']} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("table", type=Path, nargs="?", default=ROOT / "doc/benchmarks.csv")
    parser.add_argument("page", type=Path, nargs="?", default=ROOT / "doc/benchmarks.md")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS))
    options = parser.parse_args()
    text = options.page.read_text(encoding="utf-8")
    append(options.table, measured(options.programs.resolve(), options.results.resolve(), options.only))
    text = re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{page_table(options.table)}\n{END}", text, flags=re.S)
    options.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
