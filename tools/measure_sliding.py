#!/usr/bin/env python3
"""Measure whether bodies that slide keep their contact, and write the table of doc/validation.md.

    measure_sliding.py PROGRAMS RESULTS [PAGE] [--cells FILE] [--match TEXT]

PROGRAMS is a build folder with the program's Python module, RESULTS a folder for the runs. A cell is a
combination of levels (tools/sliding/cells.py): an elastic slider, pressed into a table, hill or rigid
surface by its depth, a load or its weight, that moves over it by one and ten edges. Forces and heights
are compared with those of a slider that is pressed there. Without --cells, a table with a column for
each factor, cells are drawn that hold all pairs of levels. In PAGE (doc/validation.md) the table between
the marks `measured: sliding` is replaced. Exit status 1: a cell is wrong by more than 5 % without a
warning, or fails.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from sliding.cells import drawn_cells, read_cells  # noqa: E402
from sliding.judge import References, verdict_of  # noqa: E402
from validation.cells import covering  # noqa: E402
from validation.markdown import replace_block, table_in_markdown  # noqa: E402

N_DRAWN = 4000  # of which those are taken that hold the pairs
KINDS = ("right", "warned", "silent", "failed", "refused")
ROWS = {"pressed and moved without inertia": lambda cell: cell.inertia == "none",
        "pressed by a depth, with inertia": lambda cell: cell.inertia == "full" and cell.drive == "depth",
        "pressed by a load, with inertia": lambda cell: cell.inertia == "full" and cell.drive == "load",
        "free, under its weight": lambda cell: cell.drive == "free", "all": lambda cell: True}


def parsed():
    """Returns the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="build folder: the program's Python module")
    parser.add_argument("results", type=Path, help="folder for the runs")
    parser.add_argument("page", type=Path, nargs="?", help="page whose table is replaced")
    parser.add_argument("--cells", type=Path, metavar="FILE", help="table of the cells")
    parser.add_argument("--match", default="", metavar="TEXT", help="only cells whose name has this text")
    return parser.parse_args()


def table_of(found):
    """Returns the table of the page: numbers of cells, in brackets of right cells with a warning."""
    rows = []
    for title, belongs in ROWS.items():
        verdicts = [verdict for cell, verdict in found.items() if belongs(cell)]
        counts = [sum(verdict.kind == kind for verdict in verdicts) for kind in KINDS]
        n_noted = sum(verdict.kind == "right" and bool(verdict.warnings) for verdict in verdicts)
        rows.append([title, len(verdicts), f"{counts[0]} ({n_noted})", *counts[1:]])
    return table_in_markdown(["slider", "cells", "within 5 %", "beyond, with a warning", "beyond, silently", "failed",
                              "refused"], rows)


def main():
    """See the top of this file."""
    arguments = parsed()
    sys.path.insert(0, str(arguments.programs.resolve() / "python"))
    import percussion  # pylint: disable=import-outside-toplevel
    cells = read_cells(arguments.cells) if arguments.cells else covering(drawn_cells(N_DRAWN), 2, first=0)
    folder = arguments.results.resolve()
    references, found = References(percussion, folder / "references"), {}
    for cell in cells:
        if arguments.match in cell.name():
            found[cell] = verdict_of(percussion, cell, folder / cell.name(), references)
            error, name = found[cell].worst()
            print(f"{found[cell].kind}: {error:.2g} ({name}), {cell.name()}", flush=True)
    if arguments.page:
        replace_block(arguments.page, "sliding", table_of(found))
    n_silent, n_failed = (sum(verdict.kind == kind for verdict in found.values()) for kind in ("silent", "failed"))
    print(f"{len(found)} cells, {n_silent} of them silently wrong by more than 5 %, {n_failed} failed")
    return 1 if n_silent or n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
