#!/usr/bin/env python3
"""Measure orders of convergence in time and in space, and compare them with the promised ones.

    measure_orders.py PROGRAMS RESULTS [PAGE] [--only time|space] [--quick] [--match TEXT]

PROGRAMS is a build folder with the program's Python module, RESULTS a folder for the runs. A series in
time repeats a run with steps of which each is half as long as the one before; its order is the binary
logarithm of the ratio of two successive differences of all positions, or of all velocities, at the same
time. A series in space repeats a static problem on meshes of half the size; its orders are those of the
displacements of points and of the strain energy. In brackets: the order of the coarser runs. 'exact':
the differences are round-off. '!' marks orders that differ from the promised ones by more than 0.1 in
time, 0.25 in space. In PAGE (doc/validation.md) the tables between the marks `measured: orders-time`
and `measured: orders-space` are replaced. Exit status 1: an order is not as promised, or a series does
not run.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from orders import mesh_series, time_series, runs, tables  # noqa: E402
from validation.markdown import replace_block  # noqa: E402

MEASURES = {"time": (time_series, runs.measure, tables.time_table),
            "space": (mesh_series, mesh_series.measure, tables.mesh_table)}


def parsed():
    """Returns the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="build folder: the program's Python module")
    parser.add_argument("results", type=Path, help="folder for the runs")
    parser.add_argument("page", type=Path, nargs="?", help="page whose tables are replaced")
    parser.add_argument("--only", choices=list(MEASURES), help="only these series")
    parser.add_argument("--quick", action="store_true", help="a few series")
    parser.add_argument("--match", default="", metavar="TEXT", help="only series whose name has this text")
    return parser.parse_args()


def chosen(series, arguments):
    """Returns the series to measure."""
    every = series.QUICK if arguments.quick else series.all_series()
    return [one for one in every if arguments.match in one.name()]


def main():
    """See the top of this file."""
    arguments = parsed()
    sys.path.append(str(arguments.programs.resolve() / "python"))
    import percussion  # pylint: disable=import-outside-toplevel
    n_wrong = n_all = 0
    for name in [arguments.only] if arguments.only else MEASURES:
        series, measure, table = MEASURES[name]
        found = {}
        for one in chosen(series, arguments):
            found[one] = measure(percussion, one, arguments.results.resolve() / name / one.name())
            print(tables.line_of(one.name(), one.promises(), found[one]), flush=True)
        n_all += len(found)
        n_wrong += sum(not all(verdict.passes for verdict in verdicts) for verdicts in found.values())
        if arguments.page and found:
            replace_block(arguments.page, f"orders-{name}", table(found))
    print(f"{n_all} series, {n_wrong} of which do not have the promised orders")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
