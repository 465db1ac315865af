#!/usr/bin/env python3
"""Measure the accuracy and the cost of the program, and write the tables of doc/validation.md.

    measure_validation.py PROGRAMS RESULTS [PAGE] [--only NAME ...] [options]

PROGRAMS is the folder with percussion and the Python package of its report (a build folder), RESULTS
one for the runs. In PAGE (doc/validation.md) the text between

    <!-- measured: NAME -->  and  <!-- end of measured -->

becomes the table NAME; tables that are not measured stay, and tables without a block are printed.
Without --only the matrix of trust, the schemes on bars and the tables of cost are measured, except
those that take ten minutes and 10 GB (tyre, peer: ask for them by --only). Runs of the matrix and of
the bars that RESULTS holds are not repeated. --quick takes a few cells of each recommended scheme for
the matrix, and fails if one of them is wrong by more than 5 % without a warning.
"""
import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from validation import contacts, matrix, schemes  # noqa: E402
from validation.markdown import replace_block  # noqa: E402

LONG = ("tyre", "peer")


def parse_arguments():
    """Returns the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("page", type=Path, nargs="?")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME",
                        choices=["matrix", "schemes", "getfem", *contacts.TABLES], help="what to measure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs of matrix and bars at the same time")
    parser.add_argument("--quick", action="store_true", help="a few cells of the matrix")
    parser.add_argument("--strength", type=int, default=2, help="number of levels of the matrix that occur together")
    parser.add_argument("--cells", default="", metavar="TEXT", help="cells of the matrix whose name has this text")
    parser.add_argument("--getfem", type=Path, metavar="DEMO", help="GetFEM's demo_dynamic_contact_1D.py")
    parser.add_argument("--sizes", nargs="+", default=contacts.SIZES, metavar="MM", help="elements of the block")
    parser.add_argument("--steps", nargs=2, type=int, default=[40, 60], metavar="N",
                        help="first and last of the timed steps of crowds")
    arguments = parser.parse_args()
    if "getfem" in arguments.only and not arguments.getfem:
        parser.error("'getfem' needs --getfem DEMO")
    return arguments


def measure(name, program, folder, arguments):
    """Returns the tables of one name, by their blocks, and the number of silently wrong cells."""
    if name == "matrix":
        return matrix.measure(program, folder, arguments)
    if name == "schemes":
        return schemes.measure(program, folder, arguments), 0
    if name == "getfem":
        return {name: schemes.table_of_getfem(program, folder, arguments)}, 0
    return {name: contacts.TABLES[name](program, folder, arguments)}, 0


def main():
    """See the top of this file."""
    arguments = parse_arguments()
    program = arguments.programs.resolve() / "percussion"
    names = arguments.only or ["matrix", "schemes"] + ["getfem"] * bool(arguments.getfem) + [
        name for name in contacts.TABLES if name not in LONG]
    found, n_silent = {}, 0
    for name in names:
        folder = arguments.results.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        tables, silent = measure(name, program, folder, arguments)
        n_silent += silent
        for block, text in tables.items():
            is_on_page = arguments.page and replace_block(arguments.page, block, text)
            if not is_on_page and not arguments.quick:
                print(text, flush=True)
        found.update(tables)
    (arguments.results / "tables.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 1 if n_silent and arguments.quick else 0


if __name__ == "__main__":
    sys.exit(main())
