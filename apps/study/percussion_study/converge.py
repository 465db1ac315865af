"""The command line of percussion-converge: a case on successively finer levels."""

import csv
import difflib
import math
import os
import re
import shlex

from percussion_report.command_line import OutputError, Parser, list_of, reader
from percussion_report.images import write
from percussion_report.program import count, picture_format
from percussion_report.scene import Trouble

from . import pictures
from .convergence_page import BAR_WORDS, digits, write_page
from .estimates import estimate, orders
from .inputs import files_of
from .promised_order import promised_order
from .quantities import FUNCTIONS, Columns, Quantity
from .study import Study, effective_entries, guarded
from .variations import (NUMBER, Variation, name_variations, number_text, reserved_names, settings,
                         split_assignment)

HELP = """\
Run a case on finer and finer levels, and estimate how far its results converge

Usage: percussion-converge [OPTION]... --over ENTRY --of QUANTITY CASE.prm

Arguments:
{arguments}
Options:
{options}
Entries of --over:
  Time/Step                 an entry that is a number
  Mesh/Parameters=size      a constant of an entry, here of the geometry

  Each level divides them by the ratio. A ratio below 1, as 0.5, is for entries
  that grow with finer levels, as numbers of elements. The value of the first
  level is the value of the case, of DefineConstant in its geometry, or follows
  the entry: Time/Step=1e-3, Mesh/Parameters=size=0.1.

Exit status:
  0  All levels are complete. The estimates say if the quantities converge.
  1  A level has failed or was refused, the program was stopped, or something
     cannot be written.
  2  Bad input: an option, the case, or earlier levels that cannot be resumed
     because the case or a file that it names has changed.

Files:
  DIR/converge.csv          a row for each level with the entries, and with the
                            value and the observed order of each quantity
  DIR/estimates.csv         a row for each quantity: order, extrapolated value and
                            error bar from the three finest levels
  DIR/converge.png          the quantities over the levels
  DIR/index.html            a page with the verdict, the picture and the tables
  DIR/001/, DIR/002/        the results of each level
  DIR/converge.json         the levels and the checksums of all files they need
  DIR/collected.jsonl       the quantities of complete levels, for --resume

Examples:
  percussion-converge hertz.prm --over "Mesh/Parameters=s" --of strain --levels 3
                            the strain energy at the end on three meshes
  percussion-converge impact.prm --over "Mesh/Parameters=size" --over Time/Step \\
    --of hit.force_normal:max --of "work = work_viscous[-1]"
                            meshes and steps together

See also:
  percussion(1), percussion-sweep(1), percussion-report(1)."""

NAME = "percussion-converge"
level_count = reader("not a whole number from 3 to 12", int, range(3, 13).__contains__)
ratio_reader = reader("not a positive number other than 1", float,
                      lambda value: 0 < value < math.inf and value != 1)


def read_options(arguments, version):
    parser = Parser(prog=NAME, add_help=False, allow_abbrev=False)
    parser.text = HELP
    add = parser.add_argument
    add("case", metavar="CASE.prm", help="The case")
    add("--over", metavar="ENTRY", action="append", default=[],
        help="Entry that is divided by the ratio at each level, see below; may be repeated")
    add("--of", metavar="QUANTITY", action="append", default=[], dest="quantities",
        help="Quantity: a column of energy.csv, probes.csv, rigid_bodies.csv or elastic_bodies.csv with a reduction "
             "(end, start, max, min, maxabs, mean), as hit.force_normal:max, or a formula, as "
             "\"work = max(total) - total[-1]\"; may be repeated")
    add("--ratio", metavar="R", type=ratio_reader, default=2.0,
        help="Ratio of the entries on two successive levels")
    add("--levels", metavar="N", type=level_count, default=3, help="Number of levels")
    add("--set", metavar="PATH=VALUE", action="append", default=[],
        help="Change an entry of the case for all levels")
    add("--output", metavar="DIR", help="Folder of the results (default: output/CASE-converge)")
    add("--resume", action="store_true",
        help="Go on with the levels in the folder of the results. The other options must be the "
             "same, except --of, --format and --jobs")
    add("--format", metavar="NAME,...", type=list_of(picture_format), default="png",
        help="Formats of the picture: png, pdf, svg; png is always written")
    add("--jobs", metavar="N", type=count,
        help="Runs at the same time (default: one for each core)")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"{NAME} {version}",
        help="Print the version and exit")
    options = parser.parse_args(arguments)
    options.jobs = options.jobs or os.cpu_count() or 1
    for name, values in (("--over", options.over), ("--of", options.quantities)):
        if not values:
            parser.error(f"{name} is missing")
    return options


def refined_entry(text):
    """Returns the variation of '[NAME:] PATH[=CONSTANT][=VALUE]' and the value, None without one."""
    path, _, remainder = text.partition("=")
    if not remainder:
        words = (path, "", "")
    elif re.fullmatch(r"\s*[A-Za-z_]\w*\s*", remainder):
        words = (path, remainder.strip(), "")
    else:
        _, path, constant, value = split_assignment("--over", text)
        words = (path, constant, value.strip())
    name, colon, remainder = words[0].partition(":")
    path = (remainder if colon else words[0]).strip()
    if "/" not in path:
        raise Trouble(f"--over: '{path}' is not the path of an entry, as Time/Step or "
                      "Mesh/Parameters=size")
    value = None
    if words[2]:
        if not re.fullmatch(NUMBER, words[2]) or float(words[2]) == 0:
            raise Trouble(f"--over: the first value of {path} is '{words[2]}'; allowed is a number "
                          "other than 0")
        value = float(words[2])
    return Variation(path, words[1], name.strip() if colon else ""), value


def of_geometry(case, sets, constant):
    """Returns the number that DefineConstant gives to a constant in a geometry of the case, or None."""
    values = [text.partition("=")[2].strip() for text in sets]
    for file in files_of(case, values):
        if file.endswith(".geo"):
            with open(file, encoding="utf-8", errors="replace") as stream:
                found = re.search(rf"DefineConstant\s*\[[^\]]*?\b{constant}\s*=\s*\{{?\s*({NUMBER})",
                                  stream.read())
            if found:
                return float(found[1])
    return None


def expect_constants(entry, text, mesh_file):
    """Raises an error unless an entry with this text can have constants. mesh_file: the entry
    Mesh/File."""
    if re.fullmatch(NUMBER, text):
        raise Trouble(f"--over: the first value of {entry.path} is '{entry.constant}'; allowed is a "
                      "number other than 0")
    if entry.path == "Mesh/Parameters" and ".geo" not in mesh_file:
        reason = f"Mesh/File is '{mesh_file}'" if mesh_file else "the case has no mesh"
        raise Trouble(f"--over: '{entry.constant}' is no constant of a geometry (.geo): {reason}")


def first_value(entry, base, case, sets):
    """Returns the value of an entry, or of a constant in it, on the first level."""
    text = base.get(entry.path)
    label = f"{entry.path}={entry.constant}" if entry.constant else entry.path
    if text is None:
        close = difflib.get_close_matches(entry.path, base, n=1)
        hint = f"did you mean '{close[0]}'?" if close else \
            "percussion --print-parameters CASE lists those that it has"
        raise Trouble(f"--over: the case has no entry '{entry.path}'; {hint}")
    if entry.constant:
        expect_constants(entry, text, base.get("Mesh/File", ""))
        match = re.search(rf"(?:^|,)\s*{entry.constant}\s*=\s*([^,]+)", text)
        value = match[1].strip() if match else of_geometry(case, sets, entry.constant)
        if value is None:
            raise Trouble(f"--over: neither {entry.path} of the case ('{text}') nor DefineConstant of "
                          f"its geometry has '{entry.constant}' as a number; give the value of the "
                          f"first level as {label}=VALUE")
        text = str(value)
    if not re.fullmatch(NUMBER, text) or float(text) == 0:
        raise Trouble(f"--over: {label} is '{text}', which cannot be divided; allowed is a number "
                      f"other than 0, or give the value of the first level as {label}=VALUE")
    return float(text)


def level_text(value):
    """Returns a value of a level; a whole number, such as of elements, stays one."""
    nearest = round(value)
    if abs(value - nearest) < 1e-9 * abs(value):
        return number_text(nearest)
    return number_text(value)


def planned(options, program):
    """Returns the refined entries, the inputs and entries of all levels, and all entries in effect."""
    read = [refined_entry(text) for text in options.over]
    entries = [entry for entry, _ in read]
    name_variations(entries, reserved_names(FUNCTIONS))
    base = effective_entries(program, options.case, options.set)
    firsts = [first_value(entry, base, options.case, options.set) if value is None else value
              for entry, value in read]
    points = [{entry.name: level_text(first / options.ratio ** k)
               for entry, first in zip(entries, firsts)} for k in range(options.levels)]
    return entries, [(point, settings(entries, point, options.set, base, "")) for point in points], base


def write_rows(rows, file):
    """Writes a table of texts, a row for each dictionary."""
    try:
        with open(file, "w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise OutputError(f"{file}: cannot be written ({error.strerror})") from error
    print(file)


def print_estimates(names, values, found, steps):
    """Prints the values of each quantity with their orders, and the estimate."""
    for name, of_name, result in zip(names, values, found):
        print(f"\n{name}")
        for level, (value, order) in enumerate(zip(of_name, orders(of_name, steps)), 1):
            print(f"  level {level}  {value:<18.10g}" + ("" if math.isnan(order)
                                                        else f"order {order:.2f}"))
        print(f"  {result.verdict}; order {digits(round(result.order, 2))}, extrapolated "
              f"{digits(result.limit, 8)}, error bar of the finest level ± {result.bar:.2g}")
    print(f"\n{BAR_WORDS}\n")


def converge(options, programs):
    """Computes all levels and the estimates; returns the exit status."""
    quantities = [Quantity(text, "--of") for text in options.quantities]
    names = [quantity.name for quantity in quantities]
    if len(set(names)) < len(names):
        raise Trouble("--of: a quantity is given twice")
    entries, points, base = planned(options, programs[0])
    name = os.path.splitext(os.path.basename(options.case))[0]
    folder = options.output or os.path.join("output", name + "-converge")
    study = Study(folder, "converge", programs, options.case, points,
                  {entry.path: "--over" for entry in entries})
    if not study.compute(options.jobs, options.resume, quantities):
        missing = [job.words() for job in study.jobs if job.status != "completed"]
        raise OutputError("a level is missing:\n  " + "\n  ".join(missing))
    steps = max(options.ratio, 1 / options.ratio)
    values = [[job.values[name] for job in study.jobs] for name in names]
    found = [estimate(of_name, steps) for of_name in values]
    print_estimates(names, values, found, steps)
    rows = [{"level": k + 1, **job.inputs} for k, job in enumerate(study.jobs)]
    for of_name, values_of_name in zip(names, values):
        for row, value, order in zip(rows, values_of_name, orders(values_of_name, steps)):
            row[of_name], row[f"order of {of_name}"] = repr(value), repr(order)
    write_rows(rows, os.path.join(folder, "converge.csv"))
    write_rows([{"quantity": of_name, "order": repr(e.order), "extrapolated": repr(e.limit),
                 "error bar": repr(e.bar), "verdict": e.verdict}
                for of_name, e in zip(names, found)], os.path.join(folder, "estimates.csv"))
    sizes = [float(job.inputs[entries[0].name]) for job in study.jobs]
    picture = pictures.over_levels(entries[0].name, sizes, names, values, found)
    image = write(picture, folder, options.format)
    print(image)
    for kind in (kind for kind in options.format if kind != "png"):
        print(os.path.join(folder, f"{picture.name}.{kind}"))
    columns = Columns(study.jobs[-1].folder)
    promises = [promised_order([entry.path for entry in entries], base, quantity.text, columns)
                for quantity in quantities]
    print(write_page(options, study, (picture, image), (names, values, found, promises), steps))
    return 0


def main(arguments, version, program):
    options = read_options(arguments, version)
    command = shlex.join([NAME, *arguments, *([] if options.resume else ["--resume"])])
    return guarded(NAME, lambda: converge(options, (program, version)), command)
