"""Command line of percussion-certify."""

import importlib
import json
import math
import os
import shutil
import textwrap

from percussion_report.command_line import OutputError, Parser, list_of, reader, status_of

from . import certificate, digest, history, siconos
from .checks import FAILS, SKIPPED, Check
from .evidence import Evidence

HELP = """\
Recompute the balances and laws of a run from its files

Usage: percussion-certify [OPTION]... FOLDER
       percussion-certify --energy HISTORY [OPTION]...

Arguments:
{arguments}
Options:
{options}
Exit status:
  0  All checks pass that the files permit.
  1  A check fails, or the certificate cannot be written.
  2  Bad input: an option, a folder without energy.csv, a damaged table.

Files:
  FOLDER/certificate.json   the checks with value, bound and location of the worst
                            value, and the SHA-256 of inputs and outputs; if it is
                            there already, the hashes are compared with it

Examples:
  percussion-certify output/sliding_block
  percussion-certify output/sliding_block --all --page certificate.html
  percussion-certify --energy history.csv --energies Ekin,Epot --works Wext,Wfric
                            where did this run of another program create energy?
  percussion-certify --energy siconos.hdf5

See also:
  percussion(1), percussion-report(1)."""

NAME = "percussion-certify"
names = list_of(lambda text: text.strip())
vector = reader("not three numbers", lambda text: [float(x) for x in text.split(",")],
                lambda value: len(value) == 3 and all(map(math.isfinite, value)))
tolerance = reader("not a number from 0 to 1", float, lambda value: 0 <= value <= 1)


def read_options(arguments, version):
    parser = Parser(prog=NAME, add_help=False, allow_abbrev=False)
    parser.text = HELP
    add = parser.add_argument
    add("folder", metavar="FOLDER", nargs="?", help="Output folder of a run, complete or not")
    add("--output", metavar="FILE", help="File of the certificate (default: certificate.json in FOLDER)")
    add("--page", metavar="FILE", help="Also write the certificate as a page of HTML (needs Jinja2)")
    add("--against", metavar="FILE",
        help="Earlier certificate whose hashes are compared (default: certificate.json in FOLDER, if "
             "there is one)")
    add("--renew", action="store_true", help="Replace an earlier certificate without a comparison")
    add("--all", action="store_true",
        help="Print passed checks, too, with their values, bounds and locations, and the reasons why "
             "others were not checked")
    add("--energy", metavar="FILE",
        help="Energy history of any program as a table with a header, or results of Siconos' "
             "mechanics runner (.hdf5)")
    add("--time", metavar="NAME", help="Column of --energy with times (default: time, t or step)")
    add("--energies", metavar="NAME,...", type=names,
        help="Columns of --energy whose sum is the energy (default: by their names)")
    add("--works", metavar="NAME,...", type=names,
        help="Columns of --energy with cumulative works, positive if they add energy (default: by "
             "their names)")
    add("--losses", metavar="NAME,...", type=names,
        help="Columns of --energy with cumulative works that must not add energy, as those of "
             "friction and viscosity (default: by their names)")
    add("--one-sided", action="store_true",
        help="Columns of works are incomplete: the energy may decrease more than they say")
    add("--gravity", metavar="X,Y,Z", type=vector,
        help="Acceleration of gravity of results of Siconos (default: 9.80665 downwards, along z, in "
             "the plane along y)")
    add("--tolerance", metavar="RATIO", type=tolerance, default=1e-9,
        help="Bound of --energy for a row, over the largest energy or work so far")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"{NAME} {version}", help="Print the version and exit")
    options = parser.parse_args(arguments)
    if (options.folder is None) == (options.energy is None):
        parser.error("give either a FOLDER or --energy FILE")
    refused = ("against", "renew") if options.energy else \
        ("time", "energies", "works", "losses", "one_sided", "gravity", "tolerance")
    for name in refused:
        if getattr(options, name) != parser.get_default(name):
            parser.error(f"--{name.replace('_', '-')} goes with "
                         + ("a FOLDER" if options.energy else "--energy FILE"))
    is_siconos = options.energy is not None and siconos.is_hdf5(options.energy)
    for name in ("time", "energies", "works", "losses", "one_sided") if is_siconos else ("gravity",):
        if options.energy and getattr(options, name) != parser.get_default(name):
            parser.error(f"--{name.replace('_', '-')} is for "
                         + ("tables" if is_siconos else "results of Siconos (.hdf5)")
                         + f", and {options.energy} is not one")
    return options


def _number(value):
    return "" if value is None else f"{value:.2e}"


def print_checks(checks, is_complete):
    """Prints a table of the checks, with failed ones explained."""
    width = max(60, min(shutil.get_terminal_size((100, 24)).columns, 160))
    print(f"{'check':38} {'value':>9} {'bound':>9}  verdict")
    for check in checks:
        print(f"{check.name:38} {_number(check.value):>9} {_number(check.bound):>9}  {check.verdict}")
        words = check.remark if check.verdict == SKIPPED else \
            "; ".join(text for text in (check.location, check.remark) if text)
        if words and (check.verdict == FAILS or is_complete):
            print(textwrap.fill(words, width, initial_indent=4 * " ", subsequent_indent=4 * " ",
                                break_long_words=False, break_on_hyphens=False))


def conclusion(checks):
    """Returns the line of the verdict."""
    count = {verdict: sum(check.verdict == verdict for check in checks)
             for verdict in ("passes", FAILS, SKIPPED)}
    failed = count[FAILS]
    passed = "1 check passes" if count["passes"] == 1 else f"{count['passes']} checks pass"
    return f"{'FAILS' if failed else 'passes'}: {passed}, {failed} " \
        f"{'fails' if failed == 1 else 'fail'}, {count[SKIPPED]} not checked"


def as_data(check):
    """Returns a check for JSON, which has no infinite numbers."""
    def number(value):
        return value if value is None or math.isfinite(value) else str(value)
    return {"check": check.name, "verdict": check.verdict, "value": number(check.value),
            "bound": number(check.bound), "location": check.location, "remark": check.remark}


def write_page(options, title, facts, checks, data):
    """Writes the page that --page asks for."""
    if not options.page:
        return
    from . import certificate_page  # needs Jinja2, which the certificate does without
    hashes = {**data["inputs"], **data.get("outputs", {})}
    write_whole(options.page, certificate_page.html(title, conclusion(checks) + ".", facts, checks, hashes))


def write_certificate(data, file):
    """Writes a certificate."""
    write_whole(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_whole(file, text):
    """Writes a file, whole or not at all."""
    try:
        with open(file + ".part", "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(file + ".part", file)
    except OSError as error:
        raise OutputError(f"{file}: cannot be written ({error.strerror})") from error
    print(file)


def certify(options, version):
    """Certifies a run; returns the exit status."""
    evidence = Evidence(options.folder)
    file = options.output or evidence.path(digest.FILE_NAME)
    reference = options.against or (evidence.path(digest.FILE_NAME) if evidence.has_file(digest.FILE_NAME) else None)
    old_certificate = digest.read_certificate(reference) if reference and not options.renew else None
    data = {"percussion-certify": version, "run": dict(evidence.remarks),
            "status": evidence.summary.get("status", "not ended"),
            "last_step": int(evidence.table["step"][-1]),
            "inputs": digest.inputs(evidence), "outputs": digest.outputs(evidence)}
    checks = certificate.examine(evidence)
    name = "hashes of inputs and outputs"
    checks.append(certificate.merged(name, digest.compared(old_certificate, data)) if old_certificate else
                  Check(name, remark="no earlier certificate; this one has them"))
    run = evidence.remarks
    print(f"Run {options.folder}: case {run.get('case', '?')}, scheme {run.get('scheme', '?')}, percussion "
          f"{run.get('percussion', '?')}, {data['status']}, step {data['last_step']}")
    print_checks(checks, options.all)
    is_failed = any(check.verdict == FAILS for check in checks)
    print(conclusion(checks))
    write_page(options, f"Certificate of {run.get('case', options.folder)}", [
        ("run", options.folder), ("scheme", run.get("scheme", "?")), ("percussion", run.get("percussion", "?")),
        ("status", f"{data['status']}, step {data['last_step']}")], checks, data)
    if old_certificate and is_failed and not options.output:
        print(f"{reference} stays as it was; --renew replaces it")
        return 1
    write_certificate({"verdict": "fails" if is_failed else "passes", **data,
                       "checks": [as_data(check) for check in checks]}, file)
    return int(is_failed)


def certify_history(options, version):
    """Certifies an energy history; returns the exit status."""
    table = siconos.read_siconos(options.energy, options) if siconos.is_hdf5(options.energy) else \
        history.read_history(options.energy, history.chooser(options))
    checks, created = history.examine(table, options)
    print(f"Energy {' + '.join(options.energies)}; works {', '.join(options.works) or 'none'}; "
          f"losses {', '.join(options.losses) or 'none'}; over {options.time}")
    print_checks(checks, options.all)
    for location, time, value, name in created[:10]:
        print(f"  {value:+.6e} at {options.time} = {time:.10g} ({location}): {name}")
    if len(created) > 10:
        print(f"  … and in {len(created) - 10} other rows")
    print(conclusion(checks))
    is_failed = any(check.verdict == FAILS for check in checks)
    data = {"verdict": "fails" if is_failed else "passes", "percussion-certify": version,
            "inputs": {options.energy: digest.checksum(options.energy)},
            "checks": [as_data(check) for check in checks]}
    write_page(options, f"Energy of {os.path.basename(options.energy)}", [
        ("energy", " + ".join(options.energies)), ("works", ", ".join(options.works) or "none"),
        ("losses", ", ".join(options.losses) or "none")], checks, data)
    if options.output:
        write_certificate(data, options.output)
    return int(is_failed)


def main(arguments, version, _=None):
    options = read_options(arguments, version)
    if options.page:  # Jinja2 may be missing, which ends the command before the checks
        importlib.import_module("percussion_certify.certificate_page")
    work = certify_history if options.energy else certify
    return status_of(NAME, lambda: work(options, version))

