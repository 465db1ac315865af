#!/usr/bin/env python3
"""Drive the steps by hand, and find the bytes that the application writes.

The block of params/hello_drop.prm falls until it touches the ground. There the ledger is printed
and the run is stopped, as a run may be at any step. It goes on from its checkpoint, step by step,
until a thousandth of its kinetic energy is left, and from there on to its end. Then each file is
compared with the one that the application writes.

    python3 doc/examples/step_by_hand.py [APPLICATION]

APPLICATION: the program percussion; nothing: that in build/release, or else in PATH.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import percussion

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CASE = SOURCE / "params/hello_drop.prm"
# These have wall times, or the folder of the results.
IGNORED = {"log.txt", "summary.json", "parameters.prm", "checkpoint-1.bin", "checkpoint-2.bin"}


def print_ledger(run):
    """The last row, and that the balance has closed since the beginning."""
    row = run.ledger[-1]
    print(f"  step {row['step']}, t = {row['time']:g} s")
    for name in ("kinetic", "strain", "work_external", "work_viscous", "work_contact_normal",
                 "work_contact_tangential"):
        print(f"  {name:24} {row[name]:16.9g} J")
    print(f"  {'energy less all works':24} {run.summary.balance_drift:16.1e} J")


def by_hand(case):
    run = case.run()
    record = run.step()
    while record.contacts_active == 0:
        record = run.step()
    print("The block touches the ground:")
    print_ledger(run)
    kinetic = record.kinetic
    print(f"  {run.stop('the example').message}")

    with case.run(resume=True) as run:
        for record in run:
            if record.kinetic < 1e-3 * kinetic:
                break
        print("It bounces, and is at the top:")
        print_ledger(run)
        print(f"  {'smallest gap':24} {run.contacts.gap.min():16.3g} m")
        displacement = run.state.displacement  # shows the memory of the run after each step
        while not run.finished:
            run.step()
        print(f"At the end the smallest gap is {run.contacts.gap.min():.3g} m,")
        print(f"the largest displacement downwards {-displacement[:, 1].min():.6g} m.")
    print(run.summary)


def differing(folder, reference):
    """Names of the files that are not the same in both folders."""
    names = {file.name for where in (folder, reference) for file in where.iterdir()} - IGNORED
    print(f"{len(names)} files of results")
    return [
        name
        for name in sorted(names)
        if not (folder / name).exists()
        or not (reference / name).exists()
        or (folder / name).read_bytes() != (reference / name).read_bytes()
    ]


def main():
    built = SOURCE / "build/release/percussion"
    application = sys.argv[1] if len(sys.argv) > 1 else str(built)
    if len(sys.argv) == 1 and not built.exists():
        application = shutil.which("percussion")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        by_hand(percussion.Case(CASE, output=folder / "by_hand"))
        subprocess.run(
            [application, CASE, "--output", folder / "application"],
            check=True, stdout=subprocess.DEVNULL,
        )
        different = differing(folder / "by_hand", folder / "application")
    if different:
        sys.exit("different: " + ", ".join(different))
    print("All are the same as the application's, byte for byte.")


if __name__ == "__main__":
    main()
