#!/usr/bin/env python3
"""Measures steps of two elastic blocks with friction over a wide mortar: in contact and apart.

    wide_mortar.py PROGRAM OUT [SIZE ...]

A block of 40 x 15 x 12 mm of hexahedra of each size [mm] hits a block of the same dimensions, with
elements finer by 10 % and shifted by a part of an element, flat and with a tangential velocity that
turns along the face, so that a part of it sticks. The table has the unknowns, contacts, user time
of a step in contact and with the blocks 1 mm apart, their ratio, and memory for each unknown.
"""

import re
import resource
import subprocess
import sys
from pathlib import Path

SIZES = ["1", "0.6", "0.36"]
N_STEPS, N_FEWER_STEPS = 12, 2

GEOMETRY = """
Point(1) = {{{x}, {y}, {z}}};
Point(2) = {{{x} + 40, {y}, {z}}};
Point(3) = {{{x} + 40, {y} + 15, {z}}};
Point(4) = {{{x}, {y} + 15, {z}}};
Line(1) = {{1, 2}};
Line(2) = {{2, 3}};
Line(3) = {{3, 4}};
Line(4) = {{4, 1}};
Transfinite Curve{{1, 3}} = Ceil(40 / {size} - 1e-6) + 1;
Transfinite Curve{{2, 4}} = Ceil(15 / {size} - 1e-6) + 1;
Curve Loop(1) = {{1, 2, 3, 4}};
Plane Surface(1) = {{1}};
Transfinite Surface{{1}};
Recombine Surface{{1}};
out[] = Extrude {{0, 0, 12}} {{ Surface{{1}}; Layers{{Ceil(12 / {size} - 1e-6)}}; Recombine; }};
Physical Surface("{name} bottom") = {{1}};
Physical Surface("{name} top") = {{out[0]}};
Physical Volume("{name}") = {{out[1]}};
"""

CASE = """
subsection Mesh
  set File = lower.geo, upper.geo
end
subsection Material
  set Density       = 1.17e-3
  set Young modulus = 5750
  set Poisson ratio = 0.358
end
subsection Boundary conditions
  subsection lower bottom
    set Displacement x = 0
    set Displacement y = 0
    set Displacement z = 0
  end
end
subsection Initial state
  set Velocity x = (z > -0.001)*0.06*y/15
  set Velocity y = (z > -0.001)*0.06*(x/40 - 0.5)
  set Velocity z = -(z > -0.001)*0.04
end
subsection Contact
  subsection middle
    set Region  = upper bottom
    set Surface = region
    set Against = lower top
    set Friction coefficient = 0.5
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End    = {end}
  set Step   = {step}
end
subsection Output
  set Number of instants = 1
  set Units = N, mm, ms, g
end
"""


def run(program: Path, folder: Path, size: float, gap: float, n_steps: int) -> float:
    """Runs the blocks with a gap between them and returns the user time [s]."""
    folder.mkdir(parents=True, exist_ok=True)
    step = 8e-4 * size  # Courant number 2
    (folder / "case.prm").write_text(CASE.format(end=n_steps * step, step=step))
    (folder / "lower.geo").write_text(
        GEOMETRY.format(x=0, y=0, z=-12, size=0.9 * size, name="lower"))
    (folder / "upper.geo").write_text(
        GEOMETRY.format(x=0.3 * size, y=0.2 * size, z=gap, size=size, name="upper"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with open(folder / "log.txt", "w", encoding="utf-8") as text:
        subprocess.run([str(program), str(folder / "case.prm"), "--output", str(folder / "out")],
                       check=True, stdout=text, stderr=subprocess.STDOUT)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def time_of_step(program: Path, folder: Path, size: float, gap: float) -> float:
    """Returns the user time of a step, without the preparations [s]."""
    few = run(program, folder, size, gap, N_FEWER_STEPS)
    return (run(program, folder, size, gap, N_STEPS) - few) / (N_STEPS - N_FEWER_STEPS)


def main() -> None:
    """Measures all sizes."""
    program, out = Path(sys.argv[1]), Path(sys.argv[2])
    print("| size | unknowns | contacts | in contact | apart | ratio | memory / unknown |")
    print("|---|---|---|---|---|---|---|")
    for size in sys.argv[3:] or SIZES:
        contact = time_of_step(program, out / f"contact_{size}", float(size), 0.)
        apart = time_of_step(program, out / f"apart_{size}", float(size), 1.)
        log = (out / f"contact_{size}/log.txt").read_text()
        unknowns = int(re.search(r"Bodies +(\d+) degrees", log).group(1))
        contacts = int(re.search(r"Contact +(\d+) candidate", log).group(1))
        # Elements become smaller from size to size, so that the largest run so far is this one.
        memory = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unknowns
        print(f"| {size} mm | {unknowns:,} | {contacts:,} | {contact:.3g} s | {apart:.3g} s | "
              f"{contact / apart:.1f} | {memory / 1e3:.1f} kB |", flush=True)


if __name__ == "__main__":
    main()
