"""Energies of rigid bodies from the files of Siconos' mechanics runner (HDF5)."""

import numpy as np

from percussion_report.scene import Trouble
from percussion_report.vtkhdf import opened

from .history import History

SIGNATURE = b"\x89HDF\r\n\x1a\n"
GRAVITY = 9.80665  # of the runner, downwards: along z, in the plane along y
_HALF_DIGIT = {4: 2.0**-24, 8: 0.0}  # of the numbers in the file, relative, by their bytes


def is_hdf5(file):
    """Returns whether a file begins as HDF5 files do."""
    try:
        with open(file, "rb") as stream:
            return stream.read(len(SIGNATURE)) == SIGNATURE
    except OSError:
        return False


def _primitive_inertia(file, name, body, shapes, mass):
    """Returns the inertia of a body without one in the file: of a single primitive at its centre, as
    the runner takes it from the shape."""
    contactors = list(body.values())
    shape = shapes[contactors[0].attrs["shape_name"]] if len(contactors) == 1 else None
    kind = shape.attrs.get("primitive") if shape is not None else None
    if kind is None or np.any(contactors[0].attrs["translation"]):
        raise Trouble(f"{file}: the body '{name}' has no inertia in the file, and is not one primitive; "
                      "give it an inertia in add_object")
    size = np.asarray(shape[0], float)
    if kind in ("Sphere", "Disk"):
        return mass * size[0] ** 2 * (0.4 if kind == "Sphere" else 0.5)
    if kind == "Box":
        return mass / 12 * np.diag((size**2).sum() - size**2)
    if kind == "Box2d":
        return mass / 12 * (size[:2] ** 2).sum()
    if kind == "Cylinder":  # radius and length, along y
        radial_inertia = mass * (3 * size[0] ** 2 + size[1] ** 2) / 12
        return np.diag([radial_inertia, mass * size[0] ** 2 / 2, radial_inertia])
    raise Trouble(f"{file}: the inertia of '{name}', a {kind}, is not in the file")


class _Body:
    """Mass, inertia about the body's axes and constant forces of a dynamic body."""

    def __init__(self, file, name, body, shapes, gravity):
        self.mass = float(body.attrs["mass"])
        inertia = np.asarray(body.attrs["inertia"] if "inertia" in body.attrs else
                             _primitive_inertia(file, name, body, shapes, self.mass), float)
        self.inertia = np.diag(inertia) if inertia.shape == (3,) else \
            inertia if inertia.shape == (3, 3) else inertia.reshape(-1)[0] * np.eye(3)
        self.force = self.mass * gravity + np.asarray(body.attrs.get("fext", np.zeros(3)), float)[:3]

    def energies(self, position, velocity, digit):
        """Returns kinetic and potential energy, and the uncertainty of both by the digits of the file.
        Angular velocities are about the body's axes."""
        v, spin = velocity[:, :3], velocity[:, 3:]
        kinetic = 0.5 * self.mass * (v**2).sum(axis=1) + 0.5 * np.einsum("ni,ij,nj->n", spin, self.inertia, spin)
        potential = -position @ self.force
        return kinetic, potential, 2 * digit * kinetic, digit * abs(position) @ abs(self.force)


def _rows_of(data, number):
    """Returns times and values of a body; the file has rows of zeros between."""
    rows = data[data[:, 1] == number]
    return rows[:, 0], rows[:, 2:].astype(float)


def _gravity(options, dimension):
    if options.gravity is not None:
        return np.array(options.gravity, float)
    gravity = np.zeros(3)
    gravity[dimension - 1] = -GRAVITY
    return gravity


def read_siconos(file, options):
    """Returns kinetic and potential energy of all bodies at the times of a file, and the energy that
    bodies bring that are born later, or take."""
    with opened(file) as stream:
        try:
            data = stream["data"]
            positions, velocities = data["dynamic"][:], data["velocities"][:]
            shapes, bodies = data["ref"], {name: body for name, body in data["input"].items()
                                           if body.attrs["id"] > 0}
            gravity = _gravity(options, int(stream.attrs.get("dimension", 3)))
            numbered_bodies = [(int(body.attrs["id"]), _Body(file, name, body, shapes, gravity))
                               for name, body in bodies.items()]
        except (KeyError, ValueError, IndexError) as error:
            raise Trouble(f"{file}: is not a file of Siconos' mechanics runner ({error})") from error
    times = np.unique(velocities[velocities[:, 1] > 0, 0])
    if len(times) < 2:
        raise Trouble(f"{file}: has velocities at less than two times")
    digit = _HALF_DIGIT[positions.dtype.itemsize]
    columns = {name: np.zeros(len(times)) for name in ("kinetic", "potential", "born")}
    digits = {name: np.zeros(len(times)) for name in columns}
    for number, body in numbered_bodies:
        (instants, position), (moments, velocity) = (_rows_of(rows, number) for rows in (positions, velocities))
        common = np.intersect1d(instants, moments)
        if not len(common):
            continue
        kinetic, potential, *half = body.energies(
            position[np.searchsorted(instants, common), :3], velocity[np.searchsorted(moments, common)], digit)
        rows = np.searchsorted(times, common)
        for name, values in (("kinetic", kinetic), ("potential", potential)):
            columns[name][rows] += values
        for name, values in zip(("kinetic", "potential"), half):
            digits[name][rows] += values
        energy = kinetic + potential
        columns["born"][rows[0]:] += energy[0] if rows[0] > 0 else 0
        columns["born"][rows[-1] + 1:] -= energy[-1]
    options.time, options.energies, options.losses, options.one_sided = "time", ["kinetic", "potential"], [], True
    options.works = ["born"] if columns["born"].any() else []
    return History(file, {"time": times.astype(float), **columns}, {"time": np.zeros(len(times)), **digits},
                   range(1, len(times) + 1), "output")
