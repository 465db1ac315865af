"""SHA-256 of inputs and outputs, and their comparison with an earlier certificate."""

import json
import os

from percussion_report.scene import Trouble
from percussion_study.inputs import checksum, files_of

from .checks import Check

FILE_NAME = "certificate.json"


def _sum_of(path):
    """Returns the SHA-256 of a file; an empty text if it cannot be read."""
    try:
        return checksum(path)
    except OSError:
        return ""


def inputs(evidence):
    """Returns the SHA-256 of parameters.prm and of the files that it names, by path."""
    start = evidence.path("parameters.prm")
    if not evidence.has_file("parameters.prm"):
        return {}
    folder = os.path.realpath(evidence.folder)
    found = {"parameters.prm": _sum_of(start)}
    for path in files_of(start):
        if os.path.dirname(os.path.realpath(path)) != folder:
            found[path] = _sum_of(path)
    return found


def outputs(evidence):
    """Returns the SHA-256 of the files of the run by name."""
    found = {}
    for folder, _, files in os.walk(evidence.folder):
        for file in sorted(files):
            name = os.path.relpath(os.path.join(folder, file), evidence.folder)
            written = name.endswith((".csv", ".vtu", ".pvtu", ".pvd", ".vtkhdf", ".hdf5")) or name in (
                "summary.json", "log.txt")
            if written and not name.startswith("report" + os.sep):
                found[name] = _sum_of(os.path.join(folder, file))
    return dict(sorted(found.items()))


def read_certificate(file):
    """Returns an earlier certificate."""
    try:
        with open(file, encoding="utf-8") as stream:
            found = json.load(stream)
        for key in ("inputs", "outputs"):
            dict(found[key])
        float(found["last_step"])
        return found
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Trouble(f"{file}: is not a certificate ({error!r}); give another one by --against, or "
                      "remove it") from error


def _changed(old, new, kind):
    """Yields the files that an earlier certificate has, and that are missing or have changed."""
    for name, digest in old.items():
        if new.get(name, "") != digest:
            verb = "has changed" if new.get(name) else "is missing"
            yield Check("", location=name, failed=True,
                        remark=f"{verb} since the earlier certificate ({kind}, SHA-256 {digest[:12]}…)")


def compared(old_certificate, certificate):
    """Returns the comparison of the hashes with an earlier certificate. If the run has gone on since,
    only inputs are compared."""
    yield from _changed(old_certificate["inputs"], certificate["inputs"], "input")
    if certificate["last_step"] < old_certificate["last_step"]:
        yield Check("", location="energy.csv", failed=True, remark=f"ends with step "
                    f"{certificate['last_step']}, with {old_certificate['last_step']} in the earlier certificate")
    if certificate["last_step"] <= old_certificate["last_step"]:
        yield from _changed(old_certificate["outputs"], certificate["outputs"], "output")
    yield Check("", 0, 0)
