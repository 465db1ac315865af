"""Masses and momenta of bodies, from the files of a run."""

import os
import re

import numpy as np

from percussion_report.scene import Trouble

from . import second_order

ELASTIC = "elastic bodies"
# Corners of VTK's quadrilateral and hexahedron in the unit cube from -1 to 1.
_CORNERS = {"quad": np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])}
_CORNERS["hexahedron"] = np.concatenate(
    [np.insert(_CORNERS["quad"], 2, z, axis=1) for z in (-1, 1)])
_SIMPLICES = {"triangle": 2, "tetra": 6}  # volume of the parallelepiped over their volume


def _simplex_weights(x, ratio):
    """Returns the integral of the shape function of each corner, (cells, corners)."""
    volume = np.linalg.det(x[:, 1:] - x[:, :1]) / ratio
    return np.repeat(volume[:, None] / x.shape[1], x.shape[1], axis=1)


def _product_weights(x, corners):
    """Returns the integral of the shape function of each corner, (cells, corners), by Gauss' rule of
    two points in each direction, which is exact."""
    weights = np.zeros(x.shape[:2])
    for point in corners / np.sqrt(3):
        factors = (1 + corners * point) / 2
        shape = factors.prod(axis=1)
        gradient = np.stack([corners[:, d] / 2 * np.delete(factors, d, axis=1).prod(axis=1)
                             for d in range(len(point))])
        weights += np.linalg.det(np.einsum("da,nai->ndi", gradient, x))[:, None] * shape
    return weights


def shape_integrals(points, cells, is_elastic):
    """Yields kind, numbers and points of the undeformed elastic cells, and the integral of the shape
    function of each point over each cell, (cells, points of a cell)."""
    for kind, numbers, rows in cells.blocks():
        numbers, rows = numbers[is_elastic[numbers]], rows[is_elastic[numbers]]
        if not len(rows):
            continue
        x = points[rows]
        if kind in second_order.KINDS:
            weights = sum(volume[:, None] * shape for volume, shape in second_order.rule(kind, x))
        else:
            weights = _simplex_weights(x, _SIMPLICES[kind]) if kind in _SIMPLICES \
                else _product_weights(x, _CORNERS[kind])
        yield kind, numbers, rows, weights


def nodal_volumes(points, cells, is_elastic):
    """Returns the integral of the shape function of each point over the undeformed elastic cells."""
    volumes = np.zeros(len(points))
    for _, _, rows, weights in shape_integrals(points, cells, is_elastic):
        np.add.at(volumes, rows, weights)
    return volumes


def nodal_means(run, instant, values):
    """Returns the means of values of cells at the corners of the undeformed elastic cells, weighted
    by their volumes, and the numbers of these corners."""
    sums, volumes = np.zeros((len(instant.points), *values.shape[1:])), np.zeros(len(instant.points))
    for kind, numbers, rows, weights in shape_integrals(instant.points, instant.cells, instant.body == 0):
        if is_axisymmetric(run.parameters):
            weights = weights * instant.points[rows, 0]
        n = second_order.n_corners(kind) if kind in second_order.KINDS else rows.shape[1]
        volume = weights.sum(axis=1)
        for corner in rows[:, :n].T:
            np.add.at(sums, corner, (values[numbers].T * volume).T)
            np.add.at(volumes, corner, volume)
    corners = np.flatnonzero(volumes)
    return (sums[corners].T / volumes[corners]).T, corners


def is_axisymmetric(parameters):
    """Returns whether the bodies of a case are bodies of revolution."""
    return any(value == "axisymmetric" and re.fullmatch(r"Material(/[^/]+)?/Plane", path)
               for path, value in parameters.items())


def density(run):
    """Returns the density of elastic bodies times the thickness in 2D."""
    file = run.path("parameters.prm")
    if not run.parameters:
        raise Trouble(f"{file}: is missing, and with it the density of the elastic bodies")
    densities = [(path, value) for path, value in run.parameters.items()
                 if re.fullmatch(r"Material(/[^/]+)?/Density", path) and value]
    if [path for path, _ in densities] != ["Material/Density"]:
        found = ", ".join(path for path, _ in densities) or "none"
        raise Trouble(f"{file}: the momentum of elastic bodies needs one density, Material/Density; "
                      f"found: {found}. Files do not say which cells belong to which material")
    if is_axisymmetric(run.parameters):
        raise Trouble(f"{file}: momenta and masses of axisymmetric bodies are not computed here; the "
                      "columns of energy.csv and the probes are those of the whole circumference")
    if run.dim == 3:
        return float(densities[0][1])
    thickness = run.parameters.get("Material/Thickness", "1")
    others = {value for path, value in run.parameters.items()
              if re.fullmatch(r"Material/[^/]+/Thickness", path) and value}
    if others - {thickness}:
        raise Trouble(f"{file}: the momentum of elastic bodies needs one thickness; found: "
                      f"{', '.join(sorted({thickness, *others}))}. Files do not say which cells belong to which "
                      "material")
    return float(densities[0][1]) * float(thickness)


def require_mass_of_all_nodes(run):
    """Raises an error if velocities of nodes do not determine the momentum."""
    scheme = run.parameters.get("Time/Scheme", "")
    inertia = run.parameters.get("Contact/Node inertia", "of the scheme")
    if inertia == "redistributed" or (inertia == "of the scheme" and scheme == "equivalent-mass"):
        raise Trouble(f"{run.path('parameters.prm')}: contact nodes have no mass (Contact/Node "
                      "inertia), and files do not have the masses of the other nodes")
    if scheme == "paoli-schatzman" or run.parameters.get("Time/Inertia", "full") == "none":
        raise Trouble(f"{run.path('parameters.prm')}: velocities in the files are means of a step, or "
                      "velocities of bodies without inertia, which have no momentum at an instant")


def _section_masses(run, section):
    """Returns the masses of the bodies of a section, from the table of its final bodies."""
    file = run.path(f"bodies_{section}.csv")
    if not os.path.exists(file):
        return []
    with open(file, encoding="utf-8") as stream:
        header, *rows = [line.split(",") for line in stream if line.strip() and line[0] != "#"]
    names = [name.strip() for name in header]
    try:
        return [float(row[names.index("mass")]) for row in rows]
    except (ValueError, IndexError) as error:
        raise Trouble(f"{file}: has no column of numbers 'mass' ({error})") from error


def rigid_masses(run):
    """Returns the masses of the rigid bodies by name."""
    found = {}
    for body in (name[:-2] for name in run.motions if name.endswith(".x")):
        mass_text = run.parameters.get(f"Rigid bodies/{body}/Mass", "")
        section, _, number = body.rpartition(" ")
        masses_of_section = _section_masses(run, section) if number.isdigit() else []
        try:
            found[body] = float(mass_text) if mass_text else masses_of_section[int(number) - 1]
        except (ValueError, IndexError):
            raise Trouble(f"{run.path('parameters.prm')}: the mass of the rigid body '{body}' is in "
                          "no file; give the section an entry Mass") from None
    return found


def masses(run, instant):
    """Returns the masses by rigid body, and of all elastic bodies."""
    found = rigid_masses(run)
    if instant is not None and (instant.body == 0).any():
        volume = nodal_volumes(instant.points, instant.cells, instant.body == 0).sum()
        found[ELASTIC] = density(run) * volume
    return found


def momentum(run, instant):
    """Returns the momentum of all bodies at an instant, (dim,)."""
    total, is_elastic = np.zeros(run.dim), instant.body == 0
    if is_elastic.any():
        require_mass_of_all_nodes(run)
        volumes = nodal_volumes(instant.points, instant.cells, is_elastic)
        total += density(run) * volumes @ instant.velocity
    if run.motions:
        rows = np.flatnonzero(run.motions["time"] == instant.time)
        if not len(rows):
            raise Trouble(f"{run.path('rigid_bodies.csv')}: has no row at t = {instant.time:g}; use "
                          "Output/Energy interval = 1")
        for body, mass in rigid_masses(run).items():
            total += mass * np.array([run.motions[f"{body}.v{axis}"][rows[0]]
                                      for axis in "xyz"[:run.dim]])
    return total
