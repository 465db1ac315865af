"""The matrix of trust: errors of schemes on five problems with known answers."""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess

from . import bars, block, sled, slide, spheres
from .cells import MOST_USED, RECOMMENDED, SCHEMES, covering, product
from .matrix_tables import tables
from .verdict import Verdict, is_silently_wrong, verdict_of

PROBLEMS = {"block": block, "bars": bars, "spheres": spheres, "sled": sled, "slide": slide}
SECONDS = 60  # after which a run has failed


def references_of(cell):
    """The cells with whose results those of a cell are compared."""
    find = getattr(PROBLEMS[cell.problem], "references_of", None)
    return find(cell) if find else []


def prepare(cell, folder):
    """Writes the case and the meshes of a cell."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    problem = PROBLEMS[cell.problem]
    if cell.law != "rigid" or cell.discretisation != "surface":
        problem.write_meshes(cell, folder)
    (folder / "case.prm").write_text(problem.case(cell) + "\n", encoding="utf-8")


def start(program, folder, *arguments):
    """Runs the case in a folder; status and last lines of its messages."""
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    try:
        done = subprocess.run([program, "case.prm", *arguments], cwd=folder, capture_output=True, text=True,
                              check=False, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return 1, f"not finished after {SECONDS} s"
    return done.returncode, done.stderr.strip()


def validate(program, cell, folder):
    """The reason why the program refuses a cell; empty if it takes it."""
    prepare(cell, folder)
    status, message = start(program, folder, "--validate")
    shutil.rmtree(folder)
    if status == 0:
        return ""
    return message or f"status {status}"


def keep_summary(folder):
    """Deletes all results of a run except its summary."""
    if (folder / "out" / "summary.json").exists():
        (folder / "out" / "summary.json").rename(folder / "summary.json")
    shutil.rmtree(folder / "out", ignore_errors=True)


def run(program, cell, folder, again):
    """The verdict on a cell; without `again` that of an earlier run, if there is one."""
    kept = folder / "verdict.json"
    if kept.exists() and not again:
        return Verdict(**json.loads(kept.read_text(encoding="utf-8")))
    prepare(cell, folder)
    status, message = start(program, folder, "--output", "out")
    references = [folder.parent / other.name() / "out" for other in references_of(cell)]
    verdict = verdict_of(cell, status, message, folder / "out", PROBLEMS[cell.problem].errors, references)
    if not cell.step.startswith("reference"):
        keep_summary(folder)
    kept.write_text(json.dumps(verdict._asdict()), encoding="utf-8")
    return verdict


def choose(refused, strength):
    """The cells to run, of those that the program does not refuse: each combination of `strength`
    levels occurs, with schemes that are used most of one more."""
    cells = []
    for problem in PROBLEMS:
        for scheme in SCHEMES:
            taken = [cell for cell in product(problem, scheme) if not refused[cell.kind()]]
            cells += covering(taken, strength + (scheme in MOST_USED))
    return cells


def choose_few():
    """Cells in which each level of each factor occurs, for each problem and recommended scheme."""
    return [cell for problem in PROBLEMS for scheme in RECOMMENDED
            for cell in covering(product(problem, scheme), 1)]


def parallel(jobs, work, items):
    """Results of work(item) by item, with a line about the progress now and then."""
    done = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for i, (item, result) in enumerate(zip(items, pool.map(work, items)), 1):
            done[item] = result
            if i % 50 == 0 or i == len(items):
                print(f"{i} of {len(items)}", flush=True)
    return done


def refusals(program, folder, jobs):
    """For each kind of cell the reason why it is refused, judged by the sled, which has all kinds."""
    kept = folder / "refused.json"
    if kept.exists():
        return {tuple(kind): why for kind, why in json.loads(kept.read_text(encoding="utf-8"))}
    kinds = collections.OrderedDict()
    for scheme in SCHEMES:
        for cell in product("sled", scheme):
            kinds.setdefault(cell.kind(), cell)
    found = parallel(jobs, lambda kind: validate(program, kinds[kind], folder / "-".join(
        str(v).replace(" ", "_") for v in kind)), list(kinds))
    kept.write_text(json.dumps([[list(kind), why] for kind, why in found.items()], indent=0), encoding="utf-8")
    return found


def measure(program, folder, arguments):
    """Runs the cells; returns the tables of the page, and the number of silently wrong cells. results.json in the
    folder has the errors of all cells."""
    refused = {} if arguments.quick else refusals(program, folder, arguments.jobs)
    chosen = choose_few() if arguments.quick else choose(refused, arguments.strength)
    cells = [cell for cell in chosen if re.search(arguments.cells, cell.name())]
    references = sorted({other for cell in cells for other in references_of(cell)})
    parallel(arguments.jobs, lambda cell: run(program, cell, folder / cell.name(), arguments.quick), references)
    found = parallel(arguments.jobs, lambda cell: run(program, cell, folder / cell.name(), arguments.quick), cells)
    rows = [{**cell._asdict(), **verdict._asdict()} for cell, verdict in found.items()]
    (folder / "results.json").write_text(json.dumps(
        {"cells": rows, "refused": [[list(k), w] for k, w in refused.items()]}, indent=1), encoding="utf-8")
    silent = [(cell, verdict) for cell, verdict in found.items() if is_silently_wrong(verdict)]
    for cell, verdict in silent:
        print(f"silently wrong: {cell.name()}: {verdict.worst} {verdict.error:.3g}")
    print(f"{len(cells)} cells, {len(silent)} of them silently wrong by more than 5 %")
    return tables(found), len(silent)
