#!/usr/bin/env python3
"""Makes tests/reference/runs.tar.xz from the complete data of the reference runs.

    thin.py FULL [ARCHIVE]

FULL is a folder with the files listed in README.md, of all steps and with all columns. The archive has
the same files with fewer rows and columns, in which the remaining numbers are copied digit by digit. A
file that a test reads is a row of the table SERIES or FIELDS, or one of COMPLETE. The same data make
the same archive, byte by byte.
"""

import io
import lzma
import sys
import tarfile
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple

Row = Dict[str, str]


class Series(NamedTuple):
    """Rows of steps: the first, the last, each n-th, and those that `also` selects."""

    columns: List[str]
    every: int
    also: Callable[[List[Row], int], bool]


def has_largest_force(rows: List[Row], index: int) -> bool:
    """Tolerances of forces are relative to the largest force of the run."""
    return float(rows[index]["Fn"]) == max(float(row["Fn"]) for row in rows)


def is_near_impact(rows: List[Row], index: int) -> bool:
    """True for steps with a percussion and for the steps before and after them."""
    return any(float(row["pN1"]) != 0 for row in rows[max(0, index - 1) : index + 2])


def begins_or_ends_contact(rows: List[Row], index: int) -> bool:
    """True for the steps at which the number of active contacts changes from or to zero."""
    return index > 0 and (float(rows[index]["n_active"]) == 0) != (float(rows[index - 1]["n_active"]) == 0)


COMPLETE = [
    "bar/bar_q1_gap0.00327.msh",
    "disk/disk_coarse_gap0.047.msh",
    "ring/ring_128x13_t3_gap0.045.msh",
    "sliding_block/sliding_block.msh",
    "sliding_block/sliding_assembly.json",
    "sliding_block/mesh_nodes.csv",
    "sliding_block/sliding_initial_q.csv",
    *(f"sliding_block/onestep_{name}{suffix}.csv"
      for name in ("MJF_k0", "MJF_k1000", "MJF_k2500", "MJ_k1000") for suffix in ("", "_contacts")),
]
IMPACT = ["step", "Eel", "Etot", "nleap", "nact", "Fn", "mingap", "vcy"]
FRICTION = IMPACT + ["Wfric_cum", "nslip", "nstick", "Ft", "vcx"]
BLOCK = ["step", "kinetic", "strain", "Wext66_cum", "wN_cum", "wT_cum", "n_active"]
STICK = ["step", "q_x", "q_y", "q_g", "v_x", "v_y", "v_g", "uN1", "uT1", "pN1", "pT1", "gap1", "kinetic"]
SERIES = {
    "bar/bar_q1_dt2e-05.csv": Series(IMPACT, 3, has_largest_force),
    "disk/disk_plane_stress_dt1e-4.csv": Series(IMPACT, 3, has_largest_force),
    "ring/ring_fast_mu0.csv": Series(FRICTION, 5, has_largest_force),
    "ring/ring_fast_mu0.2.csv": Series(FRICTION, 5, has_largest_force),
    "ring/ring_slow_mu0.csv": Series(FRICTION, 10, has_largest_force),
    "sliding_block/sliding_MJF_gtol.csv": Series(BLOCK, 10, begins_or_ends_contact),
    "sliding_block/sliding_MJ_gtol.csv": Series(BLOCK, 10, begins_or_ends_contact),
    "stick/rod_MJF.csv": Series(STICK, 10, is_near_impact),
    "stick/rod_MJ.csv": Series(STICK, 10, is_near_impact),
}
FIELDS = {  # each fourth node
    "ring/ring_fast_mu0.2_step60.csv": ["X", "Y", "ux", "uy", "vx", "vy"],
    "sliding_block/sliding_MJF_gtol_final.csv": ["x", "y", "ux", "uy"],
    "sliding_block/sliding_MJ_gtol_final.csv": ["x", "y", "ux", "uy"],
}


def read(path: Path) -> List[Row]:
    """Returns the rows of a CSV file, cells as they are written."""
    lines = [line for line in path.read_text(encoding="ascii").splitlines() if line and line[0] != "#"]
    names = lines[0].split(",")
    return [dict(zip(names, line.split(","))) for line in lines[1:]]


def write(columns: List[str], rows: List[Row]) -> bytes:
    """Returns the text of a CSV file with these columns."""
    lines = [",".join(columns)] + [",".join(row[name] for name in columns) for row in rows]
    return ("\n".join(lines) + "\n").encode("ascii")


def thinned_series(series: Series, rows: List[Row]) -> bytes:
    """Returns the selected rows and columns of a series."""
    last = len(rows) - 1
    return write(series.columns, [row for index, row in enumerate(rows) if index in (0, last)
                                  or index % series.every == 0 or series.also(rows, index)])


def thinned(full: Path) -> Dict[str, bytes]:
    """Returns the contents of the archive by name."""
    files = {name: (full / name).read_bytes() for name in COMPLETE}
    files.update({name: thinned_series(series, read(full / name)) for name, series in SERIES.items()})
    files.update({name: write(columns, read(full / name)[::4]) for name, columns in FIELDS.items()})
    return files


def pack(files: Dict[str, bytes], archive: Path) -> None:
    """Writes the archive, without times and owners."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            tar.addfile(member, io.BytesIO(files[name]))
    archive.write_bytes(lzma.compress(stream.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def main() -> int:
    """Writes the archive and prints its size."""
    if len(sys.argv) not in (2, 3) or not Path(sys.argv[1]).is_dir():
        print("usage: thin.py FULL [ARCHIVE], where FULL is a folder", file=sys.stderr)
        return 2
    archive = Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).with_name("runs.tar.xz")
    files = thinned(Path(sys.argv[1]))
    pack(files, archive)
    print(f"{archive}: {len(files)} files, {archive.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
