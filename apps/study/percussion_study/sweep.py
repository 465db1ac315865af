"""The command line of percussion-sweep: a case with varied entries, on all cores."""

import csv
import math
import os
import shlex

import numpy as np

from percussion_report import page
from percussion_report.command_line import OutputError, Parser, list_of, reader
from percussion_report.images import write
from percussion_report.program import count, picture_format
from percussion_report.scene import Trouble

from . import pictures, variations
from .quantities import FUNCTIONS, Quantity
from .study import Study, effective_entries, guarded

HELP = """\
Run a case with varied entries on all cores, and collect the results in a table

Usage: percussion-sweep [OPTION]... --vary "PATH=VALUES"... CASE.prm

Arguments:
{arguments}
Options:
{options}
Values of --vary:
  a,b,c                     a list; values with commas as "a, b; c, d"
  range(FROM, TO, NUMBER)   equidistant numbers, both ends included
  geometric(FROM, TO, NUMBER)
                            numbers with a constant ratio, both ends included
  uniform(FROM, TO), loguniform(FROM, TO), normal(MEAN, DEVIATION)
                            samples of a distribution, as many as --samples says

  Several --vary make all combinations. PATH=size=0.1,0.2 varies the constant
  size of the entry; v=1,2 the variable that --set "PATH=-{{v}}" contains;
  "v: PATH=1,2" calls the values v in tables and formulas.

Exit status:
  0  All runs are complete.
  1  A run has failed or was refused, the sweep was stopped, or something cannot
     be written. The table has the other runs.
  2  Bad input: an option, the case, or a sweep that cannot be resumed because
     the case or a file that it names has changed.

Files:
  DIR/sweep.csv             the table: a row for each run with its inputs, the
                            chosen quantities and the last row of energy.csv
  DIR/statistics.csv        with samples: mean, deviation and quantiles of each
                            quantity for each combination of the lists
  DIR/NAME.png, DIR/index.html
                            with --plot: a quantity over a varied entry; a page with
                            the pictures and the table
  DIR/001/, DIR/002/        the results of each run
  DIR/collected.jsonl       the quantities of complete runs, for --resume
  DIR/sweep.json            the runs and the checksums of all files they need

Examples:
  percussion-sweep ball.prm --vary "Contact/ground/Restitution=range(0, 1, 11)" \\
    --plot "rebound = max(ball.vy)"
                            the rebound over the coefficient of restitution
  percussion-sweep ball.prm --vary "v=1,2,4" --set "Rigid bodies/ball/Initial velocity=0,-{{v}}"
                            a variable in an entry of several numbers
  percussion-sweep wall.prm --vary "Contact/stones/Friction coefficient=normal(0.6, 0.05)" \\
    --samples 200 --seed 1 --column total
                            the distribution of the energy at the end
  percussion-sweep wall.prm ... --resume
                            go on after a stop, a failure of the machine, a kill

See also:
  percussion(1), percussion-converge(1), percussion-report(1)."""

NAME = "percussion-sweep"
samples = reader("not a whole number from 2 to 10000", int, range(2, 10_001).__contains__)
seed_number = reader("not a whole number from 0 on", int, lambda value: value >= 0)
sampler = reader("not one of " + ", ".join(variations.SAMPLERS), str, variations.SAMPLERS.__contains__)
QUANTILES = {"5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95}


def read_options(arguments, version):
    parser = Parser(prog=NAME, add_help=False, allow_abbrev=False)
    parser.text = HELP
    add = parser.add_argument
    add("case", metavar="CASE.prm", help="The case")
    add("--vary", metavar="PATH=VALUES", action="append", default=[],
        help="Vary an entry, see below; may be repeated")
    add("--set", metavar="PATH=VALUE", action="append", default=[],
        help="Change an entry of the case for all runs; it may contain variables {v}")
    add("--samples", metavar="N", type=samples, help="Samples of all distributions together")
    add("--seed", metavar="N", type=seed_number, default=0, help="Equal seeds give equal samples")
    add("--sampling", metavar="NAME", type=sampler, default="latin-hypercube",
        help="How samples are taken: latin-hypercube (one in each interval of equal probability of "
             "every distribution) or independent")
    add("--column", metavar="QUANTITY", action="append", default=[],
        help="Further column of the table: a column of energy.csv, probes.csv, rigid_bodies.csv or elastic_bodies.csv "
             "with a reduction (end, start, max, min, maxabs, mean), as hit.force_normal:max, or a "
             "formula, as \"rebound = -ball.velocity_y[-1]/v\"; may be repeated")
    add("--plot", metavar="QUANTITY", action="append", default=[],
        help="The same, and a picture of it over a varied entry")
    add("--over", metavar="NAME", help="Varied entry along the axis of pictures (default: the first)")
    add("--output", metavar="DIR", help="Folder of the results (default: output/CASE-sweep)")
    add("--resume", action="store_true",
        help="Go on with the sweep in the folder of the results: complete runs stay, stopped ones "
             "continue. The other options must be the same, except --column, --plot, --over, "
             "--format, --plain and --jobs")
    add("--format", metavar="NAME,...", type=list_of(picture_format), default="png",
        help="Formats of the pictures: png, pdf, svg; png is always written")
    add("--plain", action="store_true", help="Write a page without a script")
    add("--jobs", metavar="N", type=count,
        help="Runs at the same time (default: one for each core)")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"{NAME} {version}",
        help="Print the version and exit")
    options = parser.parse_args(arguments)
    options.jobs = options.jobs or os.cpu_count() or 1
    if not options.vary:
        parser.error("--vary is missing: there is nothing to vary")
    return options


def planned(options, program):
    """Returns the variations, and the inputs and entries of all runs."""
    varied = [variations.read_variation(text) for text in options.vary]
    variations.name_variations(varied, variations.reserved_names(FUNCTIONS))
    points = variations.points(varied, options.samples, options.seed, options.sampling)
    needs_base = any(variation.constant for variation in varied)
    plain = [text for text in options.set if "{" not in text]
    base = effective_entries(program, options.case, plain) if needs_base else {}
    return varied, [(point, variations.settings(varied, point, options.set, base))
                    for point in points]


def row_of(job):
    """Returns the row of a job in the table: its inputs, quantities and the end of energy.csv."""
    row = {"run": job.name, "status": job.status, **job.inputs, **job.values}
    return {**row, **{name: value for name, value in job.end.items() if name not in row}}


def write_table(rows, columns, file):
    """Writes rows with all digits of their numbers; missing values are empty."""
    try:
        with open(file, "w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: text if isinstance(text, str) else repr(float(text))
                              for name, text in row.items()} for row in rows)
    except OSError as error:
        raise OutputError(f"{file}: cannot be written ({error.strerror})") from error
    print(file)


def statistics_of(rows, names, grids):
    """Returns a row for each quantity and combination of the grids: mean, standard deviation, extremes
    and quantiles over the samples."""
    found = []
    for point in dict.fromkeys(tuple(row[grid] for grid in grids) for row in rows):
        members = [row for row in rows if tuple(row[grid] for grid in grids) == point]
        for name in names:
            values = np.array([row[name] for row in members if name in row], float)
            values = values[np.isfinite(values)]
            if not len(values):
                continue
            row = {**dict(zip(grids, point)), "quantity": name, "samples": len(values),
                   "mean": values.mean(),
                   "deviation": values.std(ddof=1) if len(values) > 1 else math.nan,
                   "least": values.min()}
            row.update({title: np.quantile(values, p) for title, p in QUANTILES.items()})
            found.append({**row, "largest": values.max()})
    return found


def axis_of(options, varied):
    """Returns the varied entry along the axis of pictures."""
    names = [variation.name for variation in varied]
    if options.over is None:
        return varied[0]
    if options.over not in names:
        raise Trouble(f"--over: '{options.over}' is not varied; varied are {', '.join(names)}")
    return varied[names.index(options.over)]


def expect_columns(quantities, plotted, varied):
    """Raises an error if two columns have the same name."""
    names = [q.name for q in [*quantities, *plotted]]
    for name in names:
        if names.count(name) > 1 or name in {v.name for v in varied} | {"run", "status"}:
            raise Trouble(f"{name}: two columns have this name; give another as 'NAME = FORMULA'")
        if "/" in name:
            raise Trouble(f"'{name}' is no name of a column; a column or NAME = FORMULA is needed")


def write_page(title, study, rows, names, plotted, written, is_plain):
    """Writes the page of a sweep: how many runs are complete, the ranges of the quantities, pictures, the
    table of these columns, and the reasons of runs that are not complete."""
    n_complete = sum(row["status"] == "completed" for row in rows)
    clauses = [f"{n_complete} of {len(rows)} runs completed"]
    for name in plotted:
        values = [float(row[name]) for row in rows if math.isfinite(float(row.get(name, math.nan)))]
        clauses += [f"{name} from {min(values):.4g} to {max(values):.4g}"] if values else []
    file = os.path.join(study.folder, "index.html")
    page.write_study(title, ("; ".join(clauses) + ".", n_complete < len(rows)), file, written, names, rows,
                     [(job.name, job.status, job.message) for job in study.jobs], is_plain=is_plain)
    return file


def sweep(options, programs):
    """Computes and collects all runs; returns the exit status."""
    quantities = [Quantity(text, "--column") for text in options.column]
    plotted = [Quantity(text, "--plot") for text in options.plot]
    varied, points = planned(options, programs[0])
    expect_columns(quantities, plotted, varied)
    axis = axis_of(options, varied)
    name = os.path.splitext(os.path.basename(options.case))[0]
    folder = options.output or os.path.join("output", name + "-sweep")
    study = Study(folder, "sweep", programs, options.case, points,
                  {variation.path: "--vary" for variation in varied if variation.path})
    is_complete = study.compute(options.jobs, options.resume, [*quantities, *plotted])
    if not any(job.status == "completed" for job in study.jobs):
        raise OutputError("no run is complete; the first one reports: " + study.jobs[0].message)
    quantities += plotted
    rows = [row_of(job) for job in study.jobs]
    write_table(rows, list(max(rows, key=len)), os.path.join(folder, "sweep.csv"))
    if options.samples:
        grids = [variation.name for variation in varied if variation.quantile is None]
        found = statistics_of(rows, [q.name for q in quantities] or ["total"], grids)
        if found:
            write_table(found, list(found[0]), os.path.join(folder, "statistics.csv"))
    written = []
    for quantity in plotted:
        picture = pictures.over_input(rows, quantity.name, axis, varied)
        written.append((picture, write(picture, folder, options.format)))
        for kind in ("png", *(kind for kind in options.format if kind != "png")):
            print(os.path.join(folder, f"{picture.name}.{kind}"))
    if written:
        names = ["run", "status", *(v.name for v in varied), *(q.name for q in quantities)]
        print(write_page(f"Sweep of {name}", study, rows, names, [quantity.name for quantity in plotted],
                         written, options.plain))
    return 0 if is_complete else 1


def main(arguments, version, program):
    options = read_options(arguments, version)
    command = shlex.join([NAME, *arguments, *([] if options.resume else ["--resume"])])
    return guarded(NAME, lambda: sweep(options, (program, version)), command)
