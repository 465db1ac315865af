#!/usr/bin/python3
"""Compares a pile of boxes in percussion and in Siconos with Bullet's detection, by processor time.

    siconos_pile.py PERCUSSION RESULTS [--boxes A B C] [--end TIME] [--tolerance TOL] [--csv FILE]

The boxes of falling_boxes.prm, A in a row, B rows and C layers of them, fall into a box with rigid sides, in steps of
1 ms with theta = 1/2, the same restitution and friction. Both programs solve their contact problems to TOL (Siconos by
NSGS, with its own norm, or until 1,000 iterations). Prints, and with --csv appends, a row of: boxes, processor times,
their ratio, and the largest energy that either program has created, over the largest energy. Needs Debian's
python3-siconos.
"""
import argparse
import csv
import os
import pathlib
import re
import resource
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
EDGE, DENSITY, FRICTION, STEP = 0.1, 1000.0, 0.4, 1e-3
FIRST, OFFSETS = np.array([-0.96, -0.9, 0.12]), np.array(
    [[0.19, 0.003, 0.004], [-0.003, 0.19, 0.002], [0.006, 0.004, 0.18]])
AXIS, ANGLE = np.array([1.0, 2, 3]) / np.sqrt(14), np.radians(40)
VELOCITY, SPIN = [0.0, 0, -1], [1.0, 2, -1]
WALL = 1.15  # distance of the first sides from the origin


def far_sides(boxes):
    """Returns the positions of the sides at the ends of the rows and of the columns."""
    return [FIRST[d] + np.dot(np.maximum(OFFSETS[:, d], 0), boxes) + EDGE for d in (0, 1)]


def run_percussion(program, folder, boxes, end, tolerance):
    """Runs the pile; returns the processor time."""
    copies, repetitions, courses = boxes
    x, y = far_sides(boxes)
    entries = {"Rigid bodies/boxes/Copies": copies, "Rigid bodies/boxes/Repetitions": repetitions,
               "Rigid bodies/boxes/Courses": courses, "Contact/side 1/Point": f"{x}, 0, 0",
               "Contact/side 3/Point": f"0, {y}, 0", "Time/End": end, "Solver/Tolerance": tolerance,
               "Output/Number of instants": 1, "Boundary conditions/Gravity": "0, 0, -9.80665"}
    command = [program, HERE / "falling_boxes.prm", "--quiet", "--output", folder]
    for entry, value in entries.items():
        command += ["--set", f"{entry}={value}"]
    return time_of(command)


def time_of(command):
    """Runs a command; returns its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, OMP_NUM_THREADS="1"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_siconos(file, boxes, end, tolerance):
    """Computes the pile by Siconos, in this process."""
    import siconos.kernel as kernel  # pylint: disable=import-outside-toplevel
    import siconos.numerics as numerics  # pylint: disable=import-outside-toplevel
    from siconos.io.mechanics_run import MechanicsHdf5Runner  # pylint: disable=import-outside-toplevel
    from siconos.mechanics.collision.tools import Contactor  # pylint: disable=import-outside-toplevel

    half = 0.5 * ANGLE
    turn = [np.cos(half), *(np.sin(half) * AXIS)]
    mass = DENSITY * EDGE**3
    low, high = np.array([-WALL, -WALL, 0.0]), np.array([*far_sides(boxes), 10.0])
    with MechanicsHdf5Runner(io_filename=file) as model:
        model.add_primitive_shape("Edge", "Box", 3 * (EDGE,), insideMargin=0, outsideMargin=0)
        model.add_primitive_shape("Side", "Box", (20, 20, 20), insideMargin=0, outsideMargin=0)
        model.add_Newton_impact_friction_nsl("contact", mu=FRICTION, e=0)
        for number in range(int(np.prod(boxes))):
            index = np.unravel_index(number, boxes)
            model.add_object(f"box {number}", [Contactor("Edge")], translation=FIRST + index @ OFFSETS,
                             orientation=turn, velocity=[*VELOCITY, *SPIN], mass=mass,
                             inertia=mass * EDGE**2 / 6 * np.ones(3))
        for d in range(3):
            for side, sign in ((low, -1), (high, 1)):
                centre = np.zeros(3)
                centre[d] = side[d] + 10 * sign
                model.add_object(f"side {d} {sign}", [Contactor("Side")], translation=centre)
    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    with MechanicsHdf5Runner(mode="r+", io_filename=file) as model:
        model.run(t0=0, T=end, h=STEP, theta=0.5, solver_options=options, output_frequency=1, with_timer=False,
                  multipoints_iterations=True)


def created_by_percussion(folder):
    """Returns the largest energy that contacts have created in a step."""
    with open(folder / "energy.csv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    work = np.array([float(row["work_contact_normal"]) + float(row["work_contact_tangential"]) for row in rows])
    return max(np.diff(work).max(), 0.0)


def created_by_siconos(file, certify):
    """Returns the largest energy that Siconos has created in a step, from the energies in its file."""
    text = subprocess.run([certify, "--energy", file, "--all"], stdout=subprocess.PIPE, text=True, check=False).stdout
    found = re.search(r"^energy exceeds the works +(\S+)", text, re.M)
    if not found:
        sys.exit(f"{certify} has not examined {file}")
    value = found[1]
    return max(float(value), 0.0)


def largest_energy(boxes):
    """Returns the energy at the start, against the floor."""
    numbers = np.stack(np.unravel_index(np.arange(np.prod(boxes)), boxes), axis=1)
    mass = DENSITY * EDGE**3
    heights = (FIRST + numbers @ OFFSETS)[:, 2]
    kinetic = 0.5 * mass * np.dot(VELOCITY, VELOCITY) + mass * EDGE**2 / 12 * np.dot(SPIN, SPIN)
    return (mass * 9.80665 * heights + kinetic).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("percussion", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--boxes", type=int, nargs=3, default=[5, 5, 20])
    parser.add_argument("--end", type=float, default=0.5)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--siconos-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    boxes, file = tuple(options.boxes), options.results / "siconos.hdf5"
    if options.siconos_only:
        run_siconos(str(file), boxes, options.end, options.tolerance)
        return
    options.results.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    percussion_time = run_percussion(options.percussion, options.results / "percussion", boxes, options.end, options.tolerance)
    siconos_time = time_of([sys.executable, __file__, options.percussion, options.results, "--siconos-only", "--end",
                     options.end, "--tolerance", options.tolerance, "--boxes", *boxes])
    scale = largest_energy(boxes)
    created = {"percussion": created_by_percussion(options.results / "percussion"),
               "siconos": created_by_siconos(file, options.percussion.parent / "percussion-certify")}
    row = {"boxes": int(np.prod(boxes)), "percussion": f"{percussion_time:.3g}", "siconos": f"{siconos_time:.3g}",
           "ratio": f"{siconos_time / percussion_time:.3g}",
           **{f"created by {name}": f"{value / scale:.1e}" for name, value in created.items()}}
    print(", ".join(f"{name} {value}" for name, value in row.items()))
    if options.csv:
        is_new = not options.csv.exists()
        with open(options.csv, "a", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, row)
            if is_new:
                writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
