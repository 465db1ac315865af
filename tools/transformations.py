#!/usr/bin/env python3
"""Run shipped cases turned, mirrored, shifted, in other units, in another order, with exchanged sides,
on two processes and resumed, and compare the answers.

    transformations.py PROGRAMS RESULTS [--quick] [--case NAME] [--transformation NAME]

PROGRAMS is a build folder, RESULTS a folder for the runs. The table has the largest difference of any
energy, percussion, motion of a body or probe in any step, relative to the largest value of its
quantity; '=' means the same bytes. Two runs whose positions, velocities and loads are changed by a few
units in the last place show how fast round-off grows in a case: column 'nudge'. A difference passes if
it is at most 1e-10, the tolerance of the solvers, or a hundred times the difference of these runs.
Once the latter exceeds 1e-6, the case is chaotic or round-off has decided a status; later steps are
not compared, and the column 'steps' has the number of those that are. Exit status 1: a transformation
changes an answer, except for those that KNOWN in invariance/cases.py has with their reason.
"""
import argparse
import math
import resource
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from invariance import comparison, runs, verdicts  # noqa: E402
from invariance.cases import CASES, KNOWN, QUICK, Choice  # noqa: E402
from invariance.parameters import printed, read_units  # noqa: E402

WIDTH = 10


def parsed():
    """Returns the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="build folder: percussion and its Python package")
    parser.add_argument("results", type=Path, help="folder for the runs")
    parser.add_argument("--quick", action="store_true", help="a few short runs")
    parser.add_argument("--case", action="append", metavar="NAME",
                        help="only this case, or a parameter file; may be repeated")
    parser.add_argument("--transformation", action="append", metavar="NAME", choices=verdicts.NAMES,
                        help=f"only this one of {', '.join(verdicts.NAMES)}; may be repeated")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="settings",
                        help="another value of an entry in all cases")
    parser.add_argument("--steps", type=int, help="number of steps of all cases, an even number")
    parser.add_argument("--program", type=Path, help="percussion, if it is not the one in PROGRAMS")
    return parser.parse_args()


def chosen(arguments):
    """Returns the cases to run."""
    cases = list(QUICK if arguments.quick else CASES)
    if arguments.case:
        known = {choice.name: choice for choice in cases}
        cases = [known.get(name, Choice(name, 100)) for name in arguments.case]
    settings = tuple(arguments.settings)
    return [Choice(c.name, arguments.steps or c.n_steps, c.settings + settings) for c in cases]


def file_of(choice):
    """Returns the parameter file of a case."""
    file = Path(choice.name)
    return file if file.suffix == ".prm" else HERE.parent / "params" / f"{choice.name}.prm"


def measure(program, choice, names, units, folder):
    """Returns the growth of round-off in a case, and the verdicts by transformation."""
    folder.mkdir(parents=True, exist_ok=True)
    case = runs.read_case(program, file_of(choice), choice.n_steps, choice.settings, folder)
    runs.write_case(folder / "as given", case.entries, case.meshes, verdicts.nodes_of(case))
    expected = comparison.reference(runs.run(program, folder / "as given"), case.dim, case.speed)
    nudges = verdicts.measure_nudges(program, case, expected, folder)
    return nudges, {name: verdicts.verdict(program, case, name, expected, nudges, units, folder / name)
                    for name in names}


def cell(verdict):
    """Returns the text of a verdict in the table."""
    if verdict.reason:
        return "-"
    value = f"{verdict.difference:.0e}" if verdict.difference else "="
    return value if verdict.passes else f"{value} !"


def processor_seconds():
    """Returns the processor time of all runs so far [s]."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def print_row(first, words):
    """Prints a row of the table."""
    print(f"{first:<25}" + "".join(f"{word:>{WIDTH}}" for word in words), flush=True)


def print_notes(found):
    """Prints what the table leaves out: cases that are not transformed, and failures."""
    reasons, failures = {}, []
    for case, case_verdicts in found.items():
        for name, verdict in case_verdicts.items():
            if verdict.reason or verdict.remark:
                words = f"not transformed ({name}): {verdict.reason}" if verdict.reason else verdict.remark
                reasons.setdefault(words, []).append(case)
            if not verdict.passes:
                reason = f" (known: {KNOWN[case, name]})" if (case, name) in KNOWN else ""
                failures.append(f"changed: {case}, {name}: {verdict.quantity}, "
                                f"from step {verdict.step} on{reason}")
    for words, cases in reasons.items():
        print(f"{words}: {', '.join(cases)}")
    for line in failures:
        print(line)


def main():
    """Runs all cases; see the top of this file."""
    arguments = parsed()
    sys.path.append(str(arguments.programs.resolve() / "python"))
    program = str((arguments.program or arguments.programs / "percussion").resolve())
    names = arguments.transformation or verdicts.NAMES
    units = read_units(printed(program, "--json"))
    print_row("case", ["steps", "nudge", *names, "cpu s"])
    found = {}
    for choice in chosen(arguments):
        start = processor_seconds()
        case = Path(choice.name).stem
        try:
            nudges, found[case] = measure(program, choice, names, units, arguments.results.resolve() / case)
        except runs.RunFailed as failure:
            found[case] = {"none": verdicts.Verdict(math.inf, f"run failed: {failure}", False)}
            continue
        last = max(nudges.n_rows - 1, 0)
        words = [str(last), f"{nudges.growth[last]:.0e}", *map(cell, found[case].values())]
        print_row(case, [*words, f"{processor_seconds() - start:.0f}"])
    print_notes(found)
    changed = [(case, name) for case, case_verdicts in found.items()
               for name, verdict in case_verdicts.items() if not verdict.passes]
    n_new = sum(pair not in KNOWN for pair in changed)
    print(f"{sum(map(len, found.values()))} transformations, {n_new} of which change an answer, and "
          f"{len(changed) - n_new} are known to do so")
    return 1 if n_new else 0


if __name__ == "__main__":
    sys.exit(main())
