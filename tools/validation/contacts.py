"""Time and memory of cases with many contacts.

Times are processor times of one thread, without set-up: differences of runs of different lengths.
"""
import csv
import json
import math
import os
import re
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

from .crowds import write_crowd, write_hopper, write_subsections
from .markdown import table_in_markdown

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
CASES = REPOSITORY / "params"
SIZES = ["2.5", "1.25", "0.84", "0.625"]  # elements of box_slide.prm [mm]; finer: 0.42, 0.31
STEP = 5e-4  # of box_slide.prm [ms]
COURANT_STEP = 6.7e-4  # step for each mm of an element's size [ms / mm]: a Courant number of 2
ROUTES = {  # entries, and the smallest element [mm] for which the route is measured
    "condensed": (0.84, ("Solver/Contact elimination=condensed", "Solver/Linear systems=direct")),
    "projected beside a factor": (0.625, ("Solver/Contact elimination=projected",
                                          "Solver/Linear systems=direct")),
    "projected without a factor": (0.42, ("Solver/Contact elimination=projected",
                                          "Solver/Linear systems=conjugate gradients")),
    "automatic": (0.42, ())}
TYRES = [("6, across = 2, along = 28", 7.5e-4), ("9, across = 3, along = 42", 5e-4),
         ("18, across = 6, along = 83", 2.5e-4)]  # mesh of pressed_tyre.prm, and step [s]


class Run(NamedTuple):
    """Cost of a run."""
    seconds: float  # of the processor
    bytes: int      # largest memory
    out: Path       # folder of the results

    def rows(self):
        """Rows of energy.csv."""
        with open(self.out / "energy.csv", encoding="utf-8") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def unknowns_and_candidates(self):
        """Numbers of degrees of freedom and of candidate contacts, from the log."""
        log = (self.out / "log.txt").read_text(encoding="utf-8")
        return [int(re.search(pattern, log).group(1)) for pattern in (r"Bodies +(\d+) deg", r"Contact +(\d+) cand")]


def run(program, case, out, *entries):
    """Runs a case with one thread."""
    command = [str(program), str(case), "--quiet", "--output", str(out)]
    for entry in entries:
        command += ["--set", entry]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    shutil.rmtree(out, ignore_errors=True)
    warnings = open(out.with_name(out.name + ".txt"), "w", encoding="utf-8")
    with warnings, subprocess.Popen(command, env=environment, cwd=Path(case).parent, stderr=warnings) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {child.returncode}")
    return Run(usage.ru_utime, 1024 * usage.ru_maxrss, out)


def time_of_step(program, case, out, length, n_first, n_all, *entries):
    """Returns the mean time of the steps after the first n_first ones, and the longer run.

    Where runs take less than two seconds, other programs disturb their difference: the time is the median of five, and
    of 25 where they take less than one.
    """
    times = []
    while len(times) < 25:
        short, long = (run(program, case, out.with_name(f"{out.name}-{n}"), f"Time/End={n * length:.9g}", *entries)
                       for n in (n_first, n_all))
        times.append((long.seconds - short.seconds) / (n_all - n_first))
        if long.seconds > 2 or (long.seconds > 1 and len(times) >= 5):
            break
    return statistics.median(times), long


def time_of_block(program, out, size, length, height, *entries):
    """Returns the time of a step of box_slide.prm on a ground of this height, and the run."""
    n_first, n_all = (4, 24) if float(size) > 0.5 else (2, 8)
    return time_of_step(program, CASES / "box_slide.prm", out, length, n_first, n_all,
                        f"Mesh/Parameters=size = {size}", "Output/Number of instants=1",
                        "Initial state/Static preload=false", "Initial state/Preload contact nodes=contact", f"Contact/ground/Point=0, 0, {height}",
                        f"Time/Step={length:.9g}", *entries)


class Growth:
    """Growth of times for four times the unknowns."""

    def __init__(self):
        self.last = None

    def next(self, unknowns, seconds):
        """Returns the growth from the last number of unknowns to this one; empty: there is none."""
        last, self.last = self.last, (unknowns, seconds)
        if last is None:
            return ""
        return f"{(seconds / last[1]) ** (math.log(4) / math.log(unknowns / last[0])):.1f}"


def rows_of_block(program, folder, sizes, length):
    """box_slide.prm on the ground and in free flight, by the size of its elements."""
    rows, growth = [], Growth()
    for size in sizes:
        contact, on_ground = time_of_block(program, folder / f"contact-{size}", size, length, 0)
        free, _ = time_of_block(program, folder / f"free-{size}", size, length, -1)
        unknowns, candidates = on_ground.unknowns_and_candidates()
        rows.append([f"{size} mm", f"{unknowns:,}", f"{candidates:,}", f"{contact:.3g} s", f"{contact / free:.1f}",
                     growth.next(unknowns, contact), f"{on_ground.bytes / unknowns / 1e3:.1f} kB"])
        print(rows[-1], flush=True)
    return table_in_markdown(["size of elements", "unknowns", "contacts", "step in contact", "over a step in free flight",
                                  "growth of a step for four times the unknowns", "memory / unknown"], rows)


def table_of_block(program, folder, arguments):
    return rows_of_block(program, folder, arguments.sizes, STEP)


def table_of_routes(program, folder, arguments):
    """Each route by itself, with the step of the file and with a step in proportion to the elements."""
    rows = []
    for is_constant in (True, False):
        growths = {route: Growth() for route in ROUTES}
        for size in arguments.sizes:
            length = STEP if is_constant else COURANT_STEP * float(size)
            cells, unknowns = [], 0
            for route, (smallest, entries) in ROUTES.items():
                if float(size) < smallest:
                    cells.append("")
                    continue
                seconds, cost = time_of_block(program, folder / f"{route.replace(' ', '-')}-{size}", size, length, 0,
                                              *entries)
                unknowns = cost.unknowns_and_candidates()[0]
                growth = growths[route].next(unknowns, seconds)
                cells.append(f"{seconds:.3g} s" + (f" (× {growth})" if growth else ""))
            if unknowns:
                rows.append([f"{1e3 * length:.3g} µs", f"{size} mm", f"{unknowns:,}", *cells])
                print(rows[-1], flush=True)
    return table_in_markdown(["step", "size of elements", "unknowns", *ROUTES], rows)


def largest_energy(rows):
    return max(float(row["total"]) for row in rows)


def table_of_slit(program, folder, _arguments):
    """slit.prm: contacts of a body with itself, and the same body in free flight."""
    rows, case, length = [], HERE / "slit.prm", 5e-4
    n_first, n_all = 11, 31
    for size, law in (("3", "linear elastic"), ("3", "neo-hooke"), ("1", "linear elastic")):
        common = (f"Mesh/Parameters=size = {size}", f"Material/Law={law}")
        name = f"{size}-{law.replace(' ', '-')}"
        contact, closed = time_of_step(program, case, folder / name, length, n_first, n_all, *common)
        n_free = 511 if size == "3" else n_all  # short steps
        free, opened = time_of_step(program, case, folder / f"free-{name}", length, n_first, n_free,
                                    "Constants/press=-1", *common)
        if any(int(row["contacts_active"]) for row in opened.rows()):
            raise RuntimeError("contacts in free flight")
        timed = closed.rows()[n_first + 1:]
        contacts, sliding = ([int(row[f"contacts_{which}"]) for row in timed] for which in ("active", "sliding"))
        imbalance = max(abs(float(row["balance_residual"])) for row in closed.rows())
        unknowns, _ = closed.unknowns_and_candidates()
        rows.append([f"{size} mm", law, f"{unknowns:,}", f"{min(contacts):,} to {max(contacts):,}",
                     f"{min(sliding):,} to {max(sliding):,}", f"{contact:.2g} s", f"{contact / free:.1f}",
                     f"{imbalance / largest_energy(closed.rows()):.0e}"])
        print(rows[-1], flush=True)
    return table_in_markdown(["elements", "law", "unknowns", "contacts", "of these slide", "step in contact",
                                  "over a step in free flight", "imbalance / energy"], rows)


def row_of_tyre(length, law, text):
    """Row of one run of contact_benchmark, from its output."""
    found = re.search(r"(\d+) unknowns, (\d+) to (\d+) contacts, (\d+) corrections, step (\S+) s, .*"
                      r"memory (\S+ GB)\n.* = (\S+)", text)
    n, least, most, corrections, step, memory, ratio = found.groups()
    return [f"{int(n):,}", f"{1e3 * length:g} ms", f"`{law}`", f"{int(least):,} to {int(most):,}", corrections,
            f"{step} s", ratio, memory]


def table_of_tyre(program, _folder, _arguments):
    """A pressed tyre: a step relative to one assembly of the tangent and one solution, measured in the same run."""
    rows, n_steps = [], 12
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    for law in ("persistent", "persistent-dissipative"):
        for mesh, length in TYRES:
            text = subprocess.run([program.with_name("contact_benchmark"), "tests/benchmark/pressed_tyre.prm",
                                   f"Mesh/Parameters=around = {mesh}, tilt = 1.5707963", f"Time/Step={length}",
                                   f"Time/End={n_steps * length}", f"Contact/ground/Impact law={law}",
                                   f"Contact/plate/Impact law={law}"], cwd=REPOSITORY, env=environment, check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            rows.append(row_of_tyre(length, law, text))
            print(rows[-1], flush=True)
    return table_in_markdown(["unknowns", "step", "impact law", "contacts", "corrections", "time of a step",
                              "step / (assembly + solution)", "memory"], rows)


def table_of_few(program, _folder, _arguments):
    """The benchmarks of few contacts: a step relative to parts of it, measured in the same run."""
    rows = []
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    for name, arguments in (("step_benchmark", ["params/sliding_block.prm", "meshes/sliding_block.geo"]),
                            ("ring_benchmark", ["params/ring_impact.prm"])):
        text = subprocess.run([program.with_name(name), *arguments], cwd=REPOSITORY, env=environment, check=True,
                              capture_output=True, text=True).stdout
        for line in text.splitlines():
            if "target" in line and "whole run" not in line:
                measured, target = line.split("target")
                measured = re.sub(r"\(forecast.*?\)", "", measured)
                rows.append([f"`{name} {' '.join(arguments)}`", " ".join(measured.split()), target.strip()])
    return table_in_markdown(["benchmark", "measured", "target"], rows)


def table_of_crowds(program, folder, arguments):
    """Crowds that settle: time of a step for each contact that presses, and memory. On ten times the area,
    10,000 bodies land in as many layers as 1,000."""
    rows = []
    n_first, n_all = arguments.steps
    for shape, plural in (("sphere", "spheres"), ("box", "boxes"), ("disc", "discs")):
        for n, n_areas in ((1000, 1), (10000, 1), (10000, 10)):
            out = folder / f"{shape}-{n}-{n_areas}"
            write_crowd(out, shape, n, n_all, n_areas)
            step, long = time_of_step(program, out / "case.prm", out / "out", 1e-3, n_first, n_all)
            contacts = [int(row["contacts_active"]) for row in long.rows()[n_first + 1:]]
            mean = sum(contacts) / len(contacts)
            rows.append([f"{n:,} {plural}" + (", as many layers" if n_areas > 1 else ""),
                         f"{mean:,.0f}", f"{step:.3g} s", f"{1e6 * step / mean:.0f} µs",
                         f"{long.bytes / 1e6:.0f} MB"])
            print(rows[-1], flush=True)
    return table_in_markdown(["bodies", "contacts", "step", "step / contact", "memory"], rows)


def table_of_subsections(program, folder, _arguments):
    memory = []
    for n in (1000, 2000):
        write_subsections(folder / f"{n}", n)
        memory.append(run(program, folder / f"{n}/case.prm", folder / f"{n}/out").bytes)
    return table_in_markdown(["discs in subsections of their own", "memory"],
                   [["1,000", f"{memory[0] / 1e6:.0f} MB"], ["2,000", f"{memory[1] / 1e6:.0f} MB"],
                                  ["each", f"{(memory[1] - memory[0]) / 1e6:.1f} kB"]])


def table_of_hopper(program, folder, _arguments):
    rows = []
    for outlet in (0.24, 0.3, 0.4):  # the narrowest one jams
        case = folder / f"{outlet}"
        write_hopper(case, outlet)
        for method, tolerance in (("auto", "1e-4"), ("nsgs", "1e-4"), ("auto", "1e-6")):
            cost = run(program, case / "case.prm", case / f"out-{method}-{tolerance}",
                       f"Solver/Method={method}", f"Solver/Tolerance={tolerance}")
            contacts = max(int(row["contacts_active"]) for row in cost.rows())
            rows.append([f"{outlet} m", f"`{method}`", tolerance, contacts, f"{cost.seconds:.1f} s"])
            print(rows[-1], flush=True)
    return table_in_markdown(["outlet", "method", "tolerance", "contacts, at most", "400 steps"], rows)


def table_of_peer(program, folder, _arguments):
    """The same steps by GetFEM; needs Debian's python3-getfem for /usr/bin/python3."""
    rows = []
    for size in ("2.5", "1.25", "0.84"):
        text = subprocess.run(["/usr/bin/python3", REPOSITORY / "tests/benchmark/peer_getfem.py", size, "6", "2"],
                              env=dict(os.environ, OMP_NUM_THREADS="1"), check=True, capture_output=True, text=True)
        peer = json.loads(text.stdout.splitlines()[-1])
        step, long = time_of_step(program, CASES / "box_slide.prm", folder / size, STEP, 2, 22,
                                  f"Mesh/Parameters=size = {size}", "Output/Number of instants=1",
                                  "Initial state/Static preload=false", "Initial state/Preload contact nodes=contact", "Contact/Gap tolerance=1e-9",
                                  "Contact/ground/Impact law=fremond", "Contact/ground/Restitution=1",
                                  "Solver/Tolerance=1e-12")
        energies = [float(row["kinetic"]) + float(row["strain"]) for row in long.rows()[1:7]]
        largest = max(abs(energy / other - 1) for energy, other in zip(energies, peer["energies"]))
        others = max(abs(int(row["contacts_sliding"]) - n) for row, n in zip(long.rows()[1:7], peer["sliding"]))
        rows.append([f"{peer['unknowns']:,}", f"{peer['contacts']:,}", f"{peer['seconds']:.3g} s", f"{step:.3g} s",
                     f"{peer['seconds'] / step:.0f}", f"{largest:.0e}", others])
        print(rows[-1], flush=True)
    return table_in_markdown(["unknowns", "contacts", "step, GetFEM", "step, Percussion", "ratio",
                                  "largest difference of the energy", "contacts that slide for one only, at most"], rows)


TABLES = {"block": table_of_block, "routes": table_of_routes, "tyre": table_of_tyre,
          "slit": table_of_slit, "few": table_of_few,
          "crowds": table_of_crowds, "subsections": table_of_subsections, "hopper": table_of_hopper,
          "peer": table_of_peer}
