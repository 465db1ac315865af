"""The command line of percussion-compare: schemes side by side on one case."""

import argparse
import concurrent.futures
import csv
import json
import math
import os
import re
import subprocess
import tempfile

import numpy as np
from matplotlib.figure import Figure

from . import page
from .charts import largest_pressures, own_energy, unit_label
from .command_line import (OutputError, Parser, list_of, make_folder, reason_of, status_of,
                           summarise)
from .files import Run
from .images import write
from .program import count, picture_format
from .scene import Trouble
from .style import COLOURS, DASHES, Picture
from .verdict import magnitude

HELP = """\
Run the schemes side by side on one case, and compare their conservation and cost

Usage: percussion-compare [OPTION]... CASE.prm

Arguments:
{arguments}
Options:
{options}
Exit status:
  0  All runs are complete, except runs of schemes that do not accept the case.
  1  A run has failed, or something cannot be written. The others are compared.
  2  Bad input: an option, or a case that no scheme accepts.

Files:
  DIR/index.html            one page with the table and all figures
  DIR/compare.csv, DIR/compare.md
                            the table: a row for each scheme and step
  DIR/*.png                 a figure for each quantity; with --format also *.pdf, *.svg
  DIR/SCHEME/, DIR/SCHEME-STEP/
                            the results of each run

Examples:
  percussion-compare ball_impact.prm --schemes all
                            every scheme, the step of the case
  percussion-compare ball_impact.prm --schemes penalty,hauret --steps h,h/2,h/4
                            two schemes with three steps each
  percussion-compare ball_flight.prm --schemes hauret,pdas-leapfrog --format pdf
                            figures for a paper
  percussion-compare bar_impact.prm --set "Time/End=1e-3"
                            change the case for all of them

See also:
  percussion(1), percussion-report(1)."""

NAME = "percussion-compare"


def step_ratio(text):
    """Returns the fraction and the label of a step: h/2 → (0.5, 'h/2')"""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)?\s*\*?\s*h(?:/(\d+(?:\.\d+)?))?\s*", text)
    fraction = float(match[1] or 1) / float(match[2] or 1) if match and float(match[2] or 1) else 0
    if not 0 < fraction < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a fraction of the case's step, "
                                         "as h, h/2 or 2h")
    return fraction, text.strip()


def step_ratios(text):
    return [step_ratio(item) for item in text.split(",")]


def read_options(arguments, version):
    parser = Parser(prog=NAME, add_help=False, allow_abbrev=False)
    parser.text = HELP
    add = parser.add_argument
    add("case", metavar="CASE.prm", help="The case; its own scheme and step are replaced")
    add("--schemes", metavar="NAME,...", default="all",
        help="Schemes as in Time/Scheme, or 'all'")
    add("--steps", metavar="STEP,...", type=step_ratios, default=[],
        help="Steps as fractions of the case's step, e.g. h,h/2,h/4 (default: h)")
    add("--set", metavar="PATH=VALUE", action="append", default=[],
        help="Change an entry of the case for all runs")
    add("--output", metavar="DIR", help="Folder of the results (default: output/CASE-compare)")
    add("--format", metavar="NAME,...", type=list_of(picture_format), default="png",
        help="Formats of the figures: png, pdf, svg; png is always written")
    add("--plain", action="store_true", help="Write a page without a script")
    add("--jobs", metavar="N", type=count,
        help="Runs at the same time (default: one for each core)")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"{NAME} {version}",
        help="Print the version and exit")
    options = parser.parse_args(arguments)
    options.steps, options.jobs = options.steps or [(1.0, "h")], options.jobs or os.cpu_count() or 1
    return options


# ---- properties of schemes and of the case, from percussion ----

def ask(program, *arguments):
    try:
        result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise OutputError(f"{program}: cannot be started ({error.strerror})") from error
    if result.returncode:
        raise Trouble(result.stderr.strip() or f"{program} has failed")
    return result.stdout


def known_schemes(program):
    parameters = json.loads(ask(program, "--print-parameters", "--json"))["parameters"]
    (scheme,) = (entry for entry in parameters if entry["path"] == "Time/Scheme")
    return scheme["allowed"].removeprefix("one of ").split(" | ")


def chosen_schemes(text, valid):
    names = valid if text == "all" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in valid:
            raise Trouble(f"--schemes: there is no scheme '{name}'; known are {', '.join(valid)}")
    return list(dict.fromkeys(names))


def step_of(program, options):
    sets = [word for value in options.set for word in ("--set", value)]
    text = ask(program, options.case, *sets, "--print-parameters")
    time = re.search(r"^subsection Time\n(.*?)^end", text, re.S | re.M)
    return float(re.search(r"^\s*set Step\s*=\s*([^\s#]+)", time[1], re.M)[1])


# ---- runs ----

class Outcome:
    """Run, or the reason for its absence: `status` is completed, refused or failed."""

    def __init__(self, scheme, step_name, label_, folder):
        self.scheme, self.step_name, self.label, self.folder = scheme, step_name, label_, folder
        self.status, self.message, self.seconds, self.run = "failed", "", 0.0, None


def execute(program, options, outcome, step):
    sets = [word for value in options.set for word in ("--set", value)]
    command = [program, options.case, *sets, "--set", f"Time/Scheme={outcome.scheme}", "--set",
               f"Time/Step={step!r}", "--output", outcome.folder]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        errors = log.read()
    outcome.seconds = usage.ru_utime + usage.ru_stime
    outcome.status = {0: "completed", 2: "refused"}.get(process.returncode, "failed")
    if outcome.status != "completed":
        outcome.message = reason_of(errors, process.returncode)
    if outcome.status != "refused" and os.path.exists(os.path.join(outcome.folder, "energy.csv")):
        outcome.run = Run(outcome.folder, outcome.label)


def all_runs(program, options, schemes, step, folder):
    outcomes, jobs = [], []
    for fraction, name in options.steps:
        for scheme in schemes:
            suffix = "" if len(options.steps) == 1 else "-" + name.replace("/", "_")
            text = scheme if len(options.steps) == 1 else f"{scheme}, {name}"
            outcomes.append(Outcome(scheme, name, text, os.path.join(folder, scheme + suffix)))
            jobs.append((outcomes[-1], step * fraction))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(execute, program, options, *job) for job in jobs]
        for task in tasks:
            task.result()
    return outcomes


# ---- compared quantities ----

def force(run):
    """Returns the times at the middle of each row, and the mean normal force of all contacts
    over the row."""
    time = run.table["time"]
    return 0.5 * (time[1:] + time[:-1]), np.diff(run.table["percussion_normal"]) / np.diff(time)


def measures(outcome):
    """Returns the row of an outcome in the table: name → value."""
    row = {"scheme": outcome.scheme, "step": outcome.step_name, "status": outcome.status}
    run = outcome.run
    if run is None:
        return row
    energy, scale = own_energy(run), max(abs(run.table["total"]).max(), 1e-300)
    _, contact_force = force(run)
    peak = abs(contact_force).max(initial=0)
    row.update({
        "energy change": (energy[-1] - energy[0]) / scale,
        "energy lowest": (energy.min() - energy[0]) / scale,
        "energy highest": (energy.max() - energy[0]) / scale,
        "normal work": run.table["work_contact_normal"][-1] / scale,
        "tangential work": run.table["work_contact_tangential"][-1] / scale,
        "numerical work": run.table["work_numerical"][-1] / scale,
        "balance residual": abs(run.table["balance_residual"]).max() / scale,
        "impulse": run.table["percussion_normal"][-1],
        "largest force": peak,
        "force variation": abs(np.diff(contact_force, prepend=0, append=0)).sum() / (2 * peak)
        if peak else 0.0,
        "penetration": run.table["penetration_max"].max(),
        "iterations": float(run.summary.get("counts", {}).get("solver_iterations", 0)),
        "seconds": outcome.seconds})
    return row


EXPLANATIONS = {
    "energy change": "change at the end, without the work of loads and prescribed motions; this "
                     "and the energies below are relative to the largest energy",
    "energy lowest, energy highest": "extremes of this change in the run",
    "normal, tangential, numerical work": "by contacts, friction and the integrator; negative: lost",
    "balance residual": "largest residual of a step: round-off, if all losses are named",
    "impulse": "normal percussion of all contacts in the whole run",
    "force variation": "sum of the rises of the contact force over the largest: 1 for one smooth "
                       "impact",
    "iterations": "iterations of the contact solver, or on the momentum of hyperelastic bodies",
    "seconds": "processor time of the whole run, files included"}


def typeset(value):
    return value if isinstance(value, str) else f"{value:.3g}"


def write_tables(rows, folder):
    columns = list(max(rows, key=len))
    with open(os.path.join(folder, "compare.csv"), "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: v if isinstance(v, str) else repr(float(v)) for k, v in row.items()}
                         for row in rows)
    with open(os.path.join(folder, "compare.md"), "w", encoding="utf-8") as stream:
        print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns), file=stream)
        for row in rows:
            print("| " + " | ".join(typeset(row.get(name, "")) for name in columns) + " |",
                  file=stream)
    return columns


# ---- pictures ----

MOST_CURVES = 6  # curves with colours in a panel


def curves(outcomes, name, title, values, caption):
    """Draws panels of a few schemes each, for each step; schemes of other panels are grey. The
    legend is beside its panel. values(outcome): times, values, unit"""
    entries = [outcome for outcome in outcomes if outcome.run is not None]
    data = {id(outcome): values(outcome) for outcome in entries}
    schemes = list(dict.fromkeys(outcome.scheme for outcome in entries))
    n_groups = math.ceil(len(schemes) / MOST_CURVES)
    groups = [schemes[i * len(schemes) // n_groups:(i + 1) * len(schemes) // n_groups]
              for i in range(n_groups)]
    steps = list(dict.fromkeys(outcome.step_name for outcome in entries))
    wanted = [(step, group) for step in steps for group in groups]
    height = 2.0 if len(wanted) > 1 else 2.6
    figure = Figure(figsize=(7.2, 0.4 + height * len(wanted)), layout="constrained")
    panels = figure.subplots(len(wanted), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for panel, (step, group) in zip(panels, wanted):
        for outcome in (o for o in entries if o.step_name == step):
            times, numbers, unit = data[id(outcome)]
            if outcome.scheme not in group:
                panel.plot(times, numbers, color="0.85", linewidth=0.8, zorder=1)
                continue
            i = group.index(outcome.scheme)
            panel.plot(times, numbers, color=COLOURS[i], linestyle=DASHES[i], label=outcome.scheme)
            panel.set_ylabel(unit_label(title, unit))
        panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), frameon=False,
                     title=f"step {step}" if len(steps) > 1 else None)
    panels[-1].set_xlabel(unit_label("time", entries[0].run.units["time"]))
    if n_groups > 1:
        caption += " Grey: the schemes of the other panels."
    return Picture(name, figure, caption, "comparison")


def bars(outcomes, name, title, key, caption):
    entries = [(outcome.label, measures(outcome)[key]) for outcome in outcomes if outcome.run]
    figure = Figure(figsize=(7.2, 0.8 + 0.28 * len(entries)), layout="constrained")
    axes = figure.subplots()
    axes.barh([text for text, _ in entries], [value for _, value in entries], color=COLOURS[0])
    axes.invert_yaxis()
    axes.set_xlabel(title)
    return Picture(name, figure, caption, "comparison")


def pictures(outcomes):
    runs = [outcome.run for outcome in outcomes if outcome.run]
    is_relative = all(own_energy(run)[0] != 0 for run in runs)

    def over_time(function, quantity):
        """Returns a function of an outcome: times, values, unit."""
        return lambda outcome: (outcome.run.table["time"], function(outcome.run),
                                outcome.run.units.get(quantity, ""))

    def change(run):
        energy = own_energy(run)
        return energy / energy[0] - 1 if is_relative else energy

    def pressure(outcome):
        run = outcome.run
        return [time for time, _ in run.series], largest_pressures(run), run.units["stress"]

    yield curves(outcomes, "energy", "energy / initial energy − 1" if is_relative else "energy",
                 over_time(change, "" if is_relative else "energy"),
                 "Energy of bodies and contacts, without the work of loads and prescribed motions"
                 + (", relative to the energy at the start." if is_relative else "."))
    yield curves(outcomes, "energy_step", "ΔE",
                 over_time(lambda run: np.append(np.nan, np.diff(own_energy(run))), "energy"),
                 "Change of this energy in each step.")
    yield curves(outcomes, "force", "contact force",
                 lambda o: (*force(o.run), o.run.units.get("force", "")),
                 "Normal force of all contacts, mean of each step.")
    if any(len(run.series) > 1 and largest_pressures(run).any() for run in runs):
        yield curves(outcomes, "pressure", "largest pressure", pressure,
                     "Largest pressure of a contact point at the written instants, whose number "
                     "is Output/Number of instants.")
    yield curves(outcomes, "penetration", "penetration",
                 over_time(lambda run: run.table["penetration_max"], "length"),
                 "Deepest penetration.")
    yield bars(outcomes, "iterations", "iterations", "iterations",
               "Iterations of the contact solver, or on the momentum of hyperelastic bodies.")
    yield bars(outcomes, "cost", "processor time (s)", "seconds",
               "Processor time of the whole runs, files included.")


def verdict(rows):
    """Returns the verdict on the comparison, and whether a reader should look closer."""
    ended = [row for row in rows if row["status"] == "completed"]
    failed = [row["scheme"] for row in rows if row["status"] == "failed"]
    clauses = [f"{len(ended)} of {len(rows)} runs completed"]
    if ended:
        changes = [(abs(row["energy change"]), row["scheme"]) for row in ended]
        ends = " to ".join(f"{magnitude(change)} ({scheme})" for change, scheme in (min(changes), max(changes)))
        clauses += [f"the energy changes from {ends} of the largest energy", "all balances close to "
                    + magnitude(max(row["balance residual"] for row in ended))]
    clauses += [f"{', '.join(failed)} failed"] if failed else []
    return "; ".join(clauses) + ".", bool(failed)


def compare(options, program):
    valid = known_schemes(program)
    schemes = chosen_schemes(options.schemes, valid)
    step = step_of(program, options)
    name = os.path.splitext(os.path.basename(options.case))[0]
    folder = make_folder(options.output or os.path.join("output", name + "-compare"))
    outcomes = all_runs(program, options, schemes, step, folder)
    if all(outcome.run is None for outcome in outcomes):
        raise Trouble("no scheme accepts this case; the first scheme reports: "
                      + outcomes[0].message)
    rows = [measures(outcome) for outcome in outcomes]
    columns = write_tables(rows, folder)
    written = [(picture, write(picture, folder, options.format)) for picture in pictures(outcomes)]
    for picture, _ in written:
        for kind in (kind for kind in options.format if kind != "png"):
            print(os.path.join(folder, f"{picture.name}.{kind}"))
    file = os.path.join(folder, "index.html")
    page.write_study(f"Schemes on {name}", verdict(rows), file, written, columns, rows,
                     [(outcome.label, outcome.status, outcome.message) for outcome in outcomes],
                     EXPLANATIONS.items(), options.plain)
    summarise([*((outcome.label, f"{outcome.status}{': ' * bool(outcome.message)}{outcome.message}")
                 for outcome in outcomes), ("all", verdict(rows)[0])])
    print(file)
    return 1 if any(outcome.status == "failed" for outcome in outcomes) else 0


def main(arguments, version, program):
    return status_of(NAME, lambda: compare(read_options(arguments, version), program))
