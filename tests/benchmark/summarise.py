#!/usr/bin/env python3
"""Prints a table of solvers from CSV files with columns problem, solver, time, solved.

    summarise.py TITLE RESULTS.csv...
"""
import csv
import math
import statistics
import sys


def read(files):
    """Returns times by solver and problem, without unsolved problems, and the numbers of
    contacts by problem."""
    times, problems, contacts = {}, set(), {}
    for name in files:
        with open(name, newline="") as table:
            for row in csv.DictReader(table):
                problems.add(row["problem"])
                if "contacts" in row:
                    contacts[row["problem"]] = int(row["contacts"])
                of_solver = times.setdefault(row["solver"], {})
                if row["solved"] == "1":
                    of_solver[row["problem"]] = float(row["time"])
    return times, problems, contacts


def ratios(times, solver):
    """Returns the ratios of a solver's time to the time of auto, for problems that both solve."""
    auto = times["auto"]
    return sorted(t / auto[p] for p, t in times[solver].items() if p in auto)


def print_table(title, times, problems):
    print(f"\n{title}: {len(problems)} problems\n")
    print("| solver | solved | median time / auto's | faster than auto | slowest / auto's |")
    print("|---|---|---|---|---|")
    for solver in sorted(times, key=lambda s: (-len(times[s]), s)):
        of_both = ratios(times, solver)
        if not of_both:
            print(f"| {solver} | {len(times[solver])} | | | |")
            continue
        faster = sum(r < 1.0 for r in of_both)
        print(f"| {solver} | {len(times[solver])} | {statistics.median(of_both):.2f} "
              f"| {faster} of {len(of_both)} | {of_both[-1]:.3g} |")


def best_of_siconos(times):
    """Returns the time of Siconos' fastest solver for each problem that at least one of its
    solvers solves."""
    best = {}
    for solver, of_solver in times.items():
        if solver.startswith("siconos"):
            for problem, time in of_solver.items():
                if time == 0.0:
                    continue  # below the resolution of the clock
                best[problem] = min(time, best.get(problem, math.inf))
    return best


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def print_by_size(times, problems, contacts):
    """Prints for each range of sizes the problems solved by auto and by any solver of Siconos,
    and the ratios of times."""
    auto, best = times["auto"], best_of_siconos(times)
    print("\n| contacts | problems | solved by auto | by any of Siconos | by both | geometric mean "
          "| slowest |")
    print("|---|---|---|---|---|---|---|")
    bounds = [0, 1, 5, 50, 300, 1000, math.inf]
    rows = [(f"more than {low}" if high == math.inf else
             f"{high}" if high == low + 1 else f"{low + 1} to {high}", low, high)
            for low, high in zip(bounds, bounds[1:])]
    for label, low, high in rows + [("all", -1, math.inf)]:
        some = {p for p in problems if low < contacts.get(p, 0) <= high}
        if not some:
            continue
        quotients = [auto[p] / best[p] for p in some if p in auto and p in best]
        mean = f"{geometric_mean(quotients):.2f} | {max(quotients):.2g}" if quotients else "|"
        print(f"| {label} | {len(some)} | {len(some & set(auto))} | {len(some & set(best))} "
              f"| {len(quotients)} | {mean} |")


def print_against_the_best(times, problems):
    """Prints a comparison of auto with the fastest solver of Siconos for each problem, and the
    problems that either does not solve."""
    auto, best = times["auto"], best_of_siconos(times)
    if not best:
        return
    of_both = sorted((auto[p] / t, p) for p, t in best.items() if p in auto)
    mean = geometric_mean([ratio for ratio, _ in of_both])
    slower = [f"{p} ({ratio:.2g})" for ratio, p in reversed(of_both) if ratio > 3.0]
    print(f"\nTime of auto over that of the fastest of Siconos: geometric mean {mean:.2f} over "
          f"{len(of_both)} problems, above 3 on {len(slower)}: {', '.join(slower) or 'none'}.")
    print(f"Not solved by auto: {', '.join(sorted(problems - set(auto))) or 'none'}; "
          f"by no solver of Siconos: {', '.join(sorted(problems - set(best))) or 'none'}.")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    times, problems, contacts = read(sys.argv[2:])
    if "auto" not in times:
        sys.exit("no rows of the solver auto")
    print_table(sys.argv[1], times, problems)
    if best_of_siconos(times):
        print_by_size(times, problems, contacts)
    print_against_the_best(times, problems)


main()
