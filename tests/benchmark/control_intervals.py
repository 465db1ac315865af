#!/usr/bin/env python3
"""Measures what a controller in Python costs: intervals of one step with a signal, and without.

    PYTHONPATH=BUILD/python control_intervals.py [INTERVALS]

A wheel turns by a moment, and an elastic block falls on a belt. Controlled runs set the moment or the
speed of the belt in every step, to the value that it has, by run.set() or by a connected function;
runs without control take all steps in one call. All of them have the same motion. The table has the shortest times of a step and their ratios.
"""

import sys
import tempfile
import time
from pathlib import Path

import percussion

N_RUNS = 10
SOURCE = Path(__file__).parents[2]

WHEEL = """
subsection Rigid bodies
  subsection wheel
    set Shape = disc
    set Radius = 0.1
    set Mass = 2
    set Position = 0, 0.1
    set Moment = signal
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection ground
    set Bodies = wheel
    set Friction coefficient = 0.5
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-4
  set End = 100
end
"""
BLOCK = f"""
include {SOURCE}/params/hello_drop.prm
subsection Mesh
  set File = {SOURCE}/meshes/block_q4.msh
end
subsection Contact
  subsection ground
    set Belt velocity x = signal
  end
end
subsection Time
  set End = 100
end
"""


def seconds(case, n, controller):
    """Returns the time of a run of n steps."""
    run = case.run(write=False)
    run.step(10)
    begin = time.perf_counter()
    controller(run, n)
    return time.perf_counter() - begin


def without(run, n):
    run.step(n)


def by_set(run, n):
    for _ in range(n):
        run.set("signal", 0.1 if run.state.time >= 0 else 0)
        run.step()


def by_function(run, n):
    run.connect("signal", lambda r: 0.1 if r.state.time >= 0 else 0)
    run.step(n)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{'case':8}{'control':12}{'us a step':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("wheel", WHEEL), ("block", BLOCK)):
            file = Path(folder) / f"{name}.prm"
            file.write_text("subsection Signals\n  set signal = 0.1\nend\n" + text)
            case = percussion.Case(file, {}, Path(folder) / "out")
            times = {}
            for _ in range(N_RUNS):  # in turn, so that the load of the machine affects all alike
                for controller in (without, by_set, by_function):
                    times.setdefault(controller.__name__, []).append(seconds(case, n, controller))
            base = min(times["without"])
            for controller, values in times.items():
                shortest = min(values)
                print(f"{name:8}{controller:12}{1e6 * shortest / n:10.1f}{shortest / base:8.3f}")


if __name__ == "__main__":
    main()
