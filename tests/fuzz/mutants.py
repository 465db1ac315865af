#!/usr/bin/env python3
"""Starts percussion on damaged files, as a user would, for all of its readers.

    mutants.py BUILD [--count N] [--first K] [--seconds S] [--kinds prm,table,...]

BUILD is a build folder. Each mutant is a valid file with one to four changes of bytes, of numbers,
or of lines (removed, repeated or truncated). `percussion --validate` must end within a minute with
status 0, or with status 2 and a message. Every other outcome is a finding, and its file is kept in
the current folder. Mutant K is the same in all runs.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
SOURCE = SEEDS.parents[2]
ODD = [b"0", b"-1", b"1", b"2", b"7", b"99999", b"1e9", b"1e300", b"-1e300", b"1e-300", b"1e-310",
       b"nan", b"inf", b"0x10", b"2147483648", b"-2147483649", b"4294967296",
       b"18446744073709551615"]
LIMIT = 60  # seconds

RIGID = """subsection Rigid bodies
  subsection block
    set Shape = polyhedron
    set Surface mesh = {name}
    set Density = 1
  end
end
subsection Contact
  subsection ground
    set Bodies = block
    set Surface = half-space
    set Point = 0, 0, -5
    set Normal = 0, 0, 1
  end
end
subsection Time
  set End = 0.01
  set Step = 1e-3
end
"""
MESHED = """subsection Mesh
  set File = {name}
end
subsection Material
  set Density = 1
  set Young modulus = 1
end
subsection Time
  set End = 0.01
  set Step = 1e-3
end
"""
TABLE = MESHED.replace("{name}", "block.msh") + """subsection Boundary conditions
  set Gravity = 0, table("{name}", t)
end
"""
CUBE = ["-1 -1 -1", "1 -1 -1", "1 1 -1", "-1 1 -1", "-1 -1 1", "1 -1 1", "1 1 1", "-1 1 1"]
FACES = ["1 4 3", "1 3 2", "5 6 7", "5 7 8", "1 2 6", "1 6 5", "2 3 7", "2 7 6", "3 4 8", "3 8 7",
         "4 1 5", "4 5 8"]
OBJ = "".join(f"v {p}\n" for p in CUBE) + "".join(f"f {f}\n" for f in FACES)
STL = "solid cube\n" + "".join(
    "facet normal 0 0 0\nouter loop\n"
    + "".join(f"vertex {CUBE[int(i) - 1]}\n" for i in f.split()) + "endloop\nendfacet\n"
    for f in FACES) + "endsolid cube\n"


def seeds_of(kind):
    """Returns [(name of the file, its bytes, case or None)]."""
    if kind == "prm":
        return [("case.prm", file.read_bytes(), None)
                for file in sorted((SEEDS / "parameters").iterdir())]
    if kind == "mesh":
        return [("mutant.msh", file.read_bytes(), MESHED)
                for file in sorted((SEEDS / "mesh" / "valid").iterdir())]
    numbers = b"# seconds, metres\n0, 0\n0.002, 1\n0.005, -2\n1, 3\n"
    return {"table": [("mutant.csv", numbers, TABLE)],
            "obj": [("mutant.obj", OBJ.encode(), RIGID)],
            "stl": [("mutant.stl", STL.encode(), RIGID)]}[kind]


def mutated(text, chance):
    """Returns the bytes with one to four changes."""
    text = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text)) if text else 0
        line, following = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at) + 1
        kind = chance.randrange(6)
        if kind == 0 and text:
            text[at] = chance.randrange(256)
        elif kind == 1 and following:
            del text[line:following]
        elif kind == 2:
            text[line:line] = text[line:following]
        elif kind == 3 and chance.random() < 0.2:
            del text[at:]
        elif text:
            begin = at
            while begin < len(text) and text[begin] not in b"0123456789":
                begin += 1
            end = begin
            while end < len(text) and text[end] in b"0123456789.eE+-":
                end += 1
            text[begin:end] = chance.choice(ODD)
    return bytes(text)


def verdict(program, case, folder):
    """Returns the status, and the reason why the outcome is a finding; empty if it is none."""
    try:
        done = subprocess.run([program, case, "--validate"], cwd=folder, capture_output=True,
                              timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "no end", f"no end within {LIMIT} s"
    status, error = done.returncode, done.stderr.decode(errors="replace")
    if status not in (0, 1, 2):
        return status, f"status {status}"
    if status and not error:
        return status, f"status {status} without a word"
    if status == 1 or "Additional information" in error or "Stacktrace" in error:
        return status, "not refused as bad input: " + error[:300]
    return status, ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--kinds", default="prm,mesh,table,obj,stl")
    options = parser.parse_args()
    program, kinds = str((options.build / "percussion").resolve()), options.kinds.split(",")
    statuses, findings, begin, k = collections.Counter(), 0, time.monotonic(), options.first
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SEEDS / "mesh" / "valid" / "q4-22-ascii.msh", pathlib.Path(folder, "block.msh"))
        shutil.copy(SEEDS / "parameters" / "base.prm", pathlib.Path(folder, "base.prm"))
        while k < options.first + options.count and time.monotonic() - begin < options.seconds:
            chance = random.Random(k)
            kind = kinds[k % len(kinds)]
            name, text, case = chance.choice(seeds_of(kind))
            mutant = pathlib.Path(folder, name)
            mutant.write_bytes(mutated(text, chance))
            if case:
                pathlib.Path(folder, "case.prm").write_text(case.replace("{name}", name),
                                                            encoding="utf-8")
            status, why = verdict(program, "case.prm", folder)
            statuses[kind, status] += 1
            if why:
                findings += 1
                kept = f"mutant-{k}-{name}"
                shutil.copy(mutant, kept)
                print(f"{kept}: {why}", flush=True)
            k += 1
    print(f"{k - options.first} mutants from {options.first}, {findings} findings; "
          + ", ".join(f"{kind} status {status}: {n}" for (kind, status), n in
                      sorted(statuses.items(), key=str)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
