#!/usr/bin/env python3
"""Validates cases with damaged files, for all readers of the program.

    mutants.py BUILD [--count N] [--first K] [--seconds S] [--kinds prm,table,...] [--programs]

BUILD is a build folder. Each mutant is a valid file with one to four changes of bytes, of numbers,
or of lines (removed, repeated or truncated). Its validation must end within a minute of processor
time with status 0, or with status 2 and a message that names a file. Every other outcome is a
finding, and its file is kept in the current folder. Mutant K is the same in all runs. One process
validates all mutants, some ten times as fast as a program for each (--programs).
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
SOURCE = SEEDS.parents[2]
ODD = [b"0", b"-1", b"1", b"2", b"7", b"99999", b"1e9", b"1e300", b"-1e300", b"1e-300", b"1e-310",
       b"nan", b"inf", b"0x10", b"2147483648", b"-2147483649", b"4294967296",
       b"18446744073709551615"]
LIMIT = 60  # seconds of processor time
PATIENCE = 10 * LIMIT  # seconds of a clock, on a busy machine

TIME = """subsection Time
  set End = 0.01
  set Step = 1e-3
end
"""
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
""" + TIME
MESHED = """subsection Mesh
  set File = {name}
end
subsection Material
  set Density = 1
  set Young modulus = 1
end
""" + TIME
TABLE = MESHED.replace("{name}", "block.msh") + """subsection Boundary conditions
  set Gravity = 0, table("{name}", t)
end
"""
BODIES = """subsection Rigid bodies
  subsection grains
    set Shape = disc
    set Density = 1
    set File = {name}
  end
end
subsection Contact
  subsection ground
    set Bodies = grains
    set Surface = half-plane
    set Point = 0, -1
    set Normal = 0, 1
  end
end
""" + TIME
FACETS = """subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.5
    set Density = 1
    set Position = 0, 0, 2
  end
end
subsection Contact
  subsection rock
    set Bodies = ball
    set Surface = facets
    set Surface mesh = {name}
    set Motion angle = t
  end
end
""" + TIME
GRAINS = b"""# grains
shape, radius, width, height, x, y, angle, vx, mass
disc, 0.25,,, 1, 2,, 3, 5
rectangle,, 4, 2, -7, 0.5, 0.5,, 6
disc, 0.5,,, 20, 0,,,
"""
CUBE = ["-1 -1 -1", "1 -1 -1", "1 1 -1", "-1 1 -1", "-1 -1 1", "1 -1 1", "1 1 1", "-1 1 1"]
FACES = ["1 4 3", "1 3 2", "5 6 7", "5 7 8", "1 2 6", "1 6 5", "2 3 7", "2 7 6", "3 4 8", "3 8 7",
         "4 1 5", "4 5 8"]
OBJ = "".join(f"v {p}\n" for p in CUBE) + "".join(f"f {f}\n" for f in FACES)
HEIGHTS = "x, y, z\n" + "".join(f"{x}, {y}, {0.1 * x * y}\n" for x in (-1, 0, 2) for y in (-1, 0, 1))
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
            "bodies": [("mutant.csv", GRAINS, BODIES)],
            "obj": [("mutant.obj", OBJ.encode(), RIGID)],
            "stl": [("mutant.stl", STL.encode(), RIGID)],
            "facets": [("mutant.obj", OBJ.encode(), FACETS), ("mutant.stl", STL.encode(), FACETS),
                       ("mutant.csv", HEIGHTS.encode(), FACETS)]}[kind]


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


def verdict_of(status, message):
    """Returns the reason why an outcome is a finding; empty if it is none."""
    if status is None:
        return f"no end after {LIMIT} s of processor time or {PATIENCE} s of a clock"
    if status not in (0, 1, 2):
        return f"status {status}"
    if status and not message:
        return f"status {status} without a word"
    if status == 1 or "Additional information" in message or "Stacktrace" in message:
        return "not refused as bad input: " + message[:300]
    if status == 2 and not re.search(r"\b(case|base|block|mutant)\.[a-z]+", message):
        return "names no file: " + message[:300]
    return ""


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


class Program:
    """Starts the program for each case."""

    def __init__(self, build, folder):
        self.command, self.folder = [str((build / "percussion").resolve()), "--validate"], folder

    def outcome(self, case):
        """Returns the exit status and the message; the status None if the program did not end."""
        try:
            done = subprocess.run([*self.command, case], cwd=self.folder, capture_output=True,
                                  timeout=PATIENCE, check=False, preexec_fn=limit_processor_time)
        except subprocess.TimeoutExpired:
            return None, ""
        status = None if done.returncode == -signal.SIGKILL else done.returncode
        return status, done.stderr.decode(errors="replace")


class Server:
    """Validates all cases in one process, which is started again after a crash or a hang."""

    def __init__(self, build, folder):
        self.command, self.folder = [str((build / "validate_cases").resolve())], folder
        self.process = None

    def outcome(self, case):
        """As Program.outcome."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
        used, begin = self.processor_time(), time.monotonic()
        self.process.stdin.write(case.encode() + b"\n")
        self.process.stdin.flush()
        ready = []
        while (not ready and self.processor_time() - used < LIMIT
               and time.monotonic() - begin < PATIENCE):
            ready = select.select([self.process.stdout], [], [], 1)[0]
        line = self.process.stdout.readline().decode(errors="replace") if ready else ""
        if line:
            status, _, message = line.strip().partition(" ")
            return int(status), message
        self.process.kill()
        status, self.process = self.process.wait(), None
        return (status if ready else None), ""

    def processor_time(self):
        """Returns the processor time of the process and of its children that have ended [s]."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--kinds", default="prm,mesh,table,bodies,obj,stl,facets")
    parser.add_argument("--programs", action="store_true")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    statuses, findings, begin, k = collections.Counter(), 0, time.monotonic(), options.first
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SEEDS / "mesh" / "valid" / "q4-22-ascii.msh", pathlib.Path(folder, "block.msh"))
        shutil.copy(SEEDS / "parameters" / "base.prm", pathlib.Path(folder, "base.prm"))
        validator = (Program if options.programs else Server)(options.build, folder)
        while k < options.first + options.count and time.monotonic() - begin < options.seconds:
            chance = random.Random(k)
            kind = kinds[k % len(kinds)]
            name, text, case = chance.choice(seeds_of(kind))
            mutant = pathlib.Path(folder, name)
            mutant.write_bytes(mutated(text, chance))
            if case:
                pathlib.Path(folder, "case.prm").write_text(case.replace("{name}", name),
                                                            encoding="utf-8")
            status, message = validator.outcome("case.prm")
            why = verdict_of(status, message)
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
