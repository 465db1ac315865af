"""Cases as files, and their runs."""

import dataclasses
import math
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np

from .formulas import listed, number
from .meshes import Mesh, mesh_geometry
from .parameters import printed, read_entries, without_constants, written

SECONDS = 300  # after which a run has failed
PROCESSES = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", "2")
N_PROBES = 3  # in each mesh
TABLES = ("energy.csv", "rigid_bodies.csv", "elastic_bodies.csv", "probes.csv")


class RunFailed(Exception):
    """A run that ends with another status than 0; the text is its message."""


@dataclasses.dataclass
class Case:
    """Entries of a case, with probes and without the entries of its output, and its meshes by the
    names of their bodies."""

    name: str
    entries: dict
    meshes: dict
    dim: int

    @property
    def duration(self):
        """Time from start to end."""
        return float(self.entries[("Time", "End")]) - float(self.entries[("Time", "Start")])

    @property
    def speed(self):
        """Velocity that gravity gives in a step; 0 if gravity depends on time."""
        gravity = [number(text) for text in listed(self.entries[("Boundary conditions", "Gravity")])]
        return 0.0 if None in gravity else math.hypot(*gravity) * float(self.entries[("Time", "Step")])


def read_meshes(entries, dim, folder):
    """Returns the meshes of a case by name, geometries meshed by Gmsh."""
    meshes = {}
    for file in filter(None, listed(entries[("Mesh", "File")])):
        mesh = folder / (Path(file).stem + ".msh")
        if file.endswith(".geo"):
            mesh_geometry(file, entries[("Mesh", "Parameters")], dim, mesh)
        else:
            shutil.copy(file, mesh)
        meshes[mesh.stem] = Mesh(mesh.read_text(encoding="utf-8"))
        mesh.unlink()
    return meshes


def probe_entries(meshes, dim):
    """Returns probes of displacement and velocity at the outermost nodes of each mesh in a general
    direction, and at one node between."""
    found = {}
    for name, mesh in meshes.items():
        order = np.argsort(mesh.nodes @ np.sqrt([1.0, 2.0, 3.0]))
        for k, i in enumerate(np.linspace(0, len(order) - 1, N_PROBES).astype(int)):
            for kind in ("displacement", "velocity"):
                path = ("Probes", f"{name}_{k}_{kind}")
                found[(*path, "Kind")] = kind
                found[(*path, "Point")] = ", ".join(repr(float(x)) for x in mesh.nodes[order[i], :dim])
                found[(*path, "Body")] = name
    return found


def read_case(program, file, n_steps, settings, folder):
    """Returns a case, ended after an even number of steps. settings: texts 'path=value'."""
    words = [word for text in settings for word in ("--set", text)]
    entries = without_constants(read_entries(printed(program, str(file), *words)))
    entries = {path: value for path, value in entries.items() if path[0] != "Output"}
    dim = len(listed(entries[("Boundary conditions", "Gravity")]))
    meshes = read_meshes(entries, dim, folder)
    entries[("Mesh", "Parameters")] = ""
    start, step = float(entries[("Time", "Start")]), float(entries[("Time", "Step")])
    entries[("Time", "End")] = repr(start + n_steps * step)
    entries[("Time", "Stop when")] = ""
    entries.update(probe_entries(meshes, dim))
    return Case(Path(file).stem, entries, meshes, dim)


def write_case(folder, entries, meshes, nodes):
    """Writes a case and its meshes, with nodes (n, 3) by name, into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, mesh in meshes.items():
        (folder / f"{name}.msh").write_text(mesh.text(nodes[name]), encoding="utf-8")
    names = [f"{Path(file).stem}.msh" for file in filter(None, listed(entries[("Mesh", "File")]))]
    entries = {**entries, ("Mesh", "File"): ", ".join(names)}
    (folder / "case.prm").write_text(written(entries), encoding="utf-8")


def run(program, folder, *arguments, n_instants=2, launcher=()):
    """Runs the case in a folder; returns the folder of the results. Raises RunFailed."""
    command = [*launcher, program, "case.prm", "--output", "out", "--quiet", "--set",
               f"Output/Number of instants={n_instants}", *arguments]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        raise RunFailed(f"not finished after {SECONDS} s") from None
    if done.returncode:
        raise RunFailed(done.stderr.strip())
    return folder / "out"


def run_and_resume(program, folder, case):
    """Runs the first half of a case, then resumes it; returns the folder of the results."""
    half = float(case.entries[("Time", "Start")]) + case.duration / 2
    run(program, folder, "--set", f"Time/End={half!r}", n_instants=1)
    return run(program, folder, "--resume")


def different_files(folder, other):
    """Returns the names of tables whose bytes differ between two runs."""
    return [name for name in TABLES if (folder / name).exists() != (other / name).exists()
            or ((folder / name).exists() and (folder / name).read_bytes() != (other / name).read_bytes())]
