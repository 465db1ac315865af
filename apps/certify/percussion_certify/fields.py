"""Energies and momenta of bodies, recomputed from the fields of an instant and from
rigid_bodies.csv."""

import functools
import math

import numpy as np

from percussion import momenta

from .cells import kinetic_of_cells
from .checks import worst
from .evidence import NotApplicable, determined, number_or_nan
from .strain_energy import strain_energy

AGREEMENT = 1e-11  # of two computations of the same energy, of the largest energy so far


def _elastic_blocks(moment):
    """Yields kind and corners of the elastic cells."""
    fields = moment.fields
    is_elastic = fields.body == 0
    for kind, numbers, rows in fields.cells.blocks():
        if is_elastic[numbers].any():
            yield kind, rows[is_elastic[numbers]]


def _has_elastic(moment):
    return bool((moment.fields.body == 0).any())


def elastic_kinetic(moment):
    """Returns the kinetic energy of the elastic bodies."""
    if not _has_elastic(moment):
        return 0.0
    evidence = moment.evidence
    determined(evidence, momenta.require_mass_of_all_nodes)
    density = determined(evidence, momenta.density)
    points, velocity = moment.fields.points, moment.fields.velocity
    return density * sum(kinetic_of_cells(kind, points[rows], velocity[rows])
                         for kind, rows in _elastic_blocks(moment))


def _simplex_moments(simplices):
    """Returns volumes and second moments ∫ x xᵀ of simplices with a corner at zero, (n, dim, dim)."""
    dim = simplices.shape[1]
    volume = np.linalg.det(simplices) / (2 if dim == 2 else 6)
    total = simplices.sum(axis=1)
    products = np.einsum("nai,naj->nij", simplices, simplices) + np.einsum("ni,nj->nij", total, total)
    return volume, volume[:, None, None] * products / ((dim + 1) * (dim + 2))


def _faces_of(cells, number):
    """Returns the faces of a polyhedron divided into triangles."""
    faces, ends = cells.faces
    begin = max([0, *(int(end) for end in ends[:number] if end >= 0)])
    stream, triangles, position = faces[begin:int(ends[number])].tolist(), [], 1
    for _ in range(stream[0]):
        face = stream[position + 1:position + 1 + stream[position]]
        triangles += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
        position += 1 + stream[position]
    return np.array(triangles, int)


def _axial_moments(shape, points):
    """Returns the volume and the second moments of a capsule or cylinder, (3, 3), from the points
    that draw it, relative to its centre: circles from end to end, then both poles of a capsule."""
    half = len(points) // 2
    axis = points[-1] - points[-2] if shape == "capsule" else \
        points[half:].mean(axis=0) - points[:half].mean(axis=0)
    extent = np.linalg.norm(axis)
    along_axis = np.outer(axis, axis) / extent ** 2
    radius = np.linalg.norm(points - points @ along_axis, axis=1).max()
    length, ball = (extent - 2 * radius, 4 / 3 * math.pi * radius ** 3) if shape == "capsule" else \
        (extent, 0.0)
    cylinder = math.pi * radius ** 2 * length
    radial = cylinder * radius ** 2 / 4 + ball * radius ** 2 / 5
    axial = cylinder * length ** 2 / 12 + \
        ball * (radius ** 2 / 5 + 3 / 8 * radius * length + length ** 2 / 4)
    volume = cylinder + ball
    return volume, (radial * (np.eye(3) - along_axis) + axial * along_axis) / volume


def _shape_moments(evidence, number, section, centre):
    """Returns the volume of a rigid body, and its second moments over the volume, (dim, dim)."""
    shape, fields = evidence.entry(f"Rigid bodies/{section}/Shape"), evidence.first.fields
    numbers = np.flatnonzero(fields.body == number)
    if len(numbers) != 1:
        raise NotApplicable("a rigid body has several pieces")
    corners = np.asarray(fields.cells[int(numbers[0])])
    if shape in ("capsule", "cylinder"):  # in the order in which they are drawn
        return _axial_moments(shape, fields.points[np.sort(corners)] - centre)
    arm = fields.points[corners] - centre
    dim, square = arm.shape[1], (arm[0] ** 2).sum()
    if shape == "disc":
        return math.pi * square, np.eye(2) * square / 4
    if shape == "sphere":
        return 4 / 3 * math.pi * square ** 1.5, np.eye(3) * square / 5
    if shape == "stick":
        return math.nan, np.outer(arm[1] - arm[0], arm[1] - arm[0]) / 12
    if dim == 2:
        simplices = np.stack([arm, np.roll(arm, -1, axis=0)], axis=1)
    else:
        simplices = (fields.points - centre)[_faces_of(fields.cells, int(numbers[0]))]
    volume, moments = _simplex_moments(simplices)
    return abs(volume.sum()), moments.sum(axis=0) / volume.sum()


class RigidBodies:
    """Masses and inertias of the rigid bodies, and their motion from rigid_bodies.csv."""

    def __init__(self, evidence):
        self.motions, self.axes = evidence.motions, "xyz"[:evidence.dim]
        self.names = [name[:-2] for name in evidence.motions if name.endswith(".x")]
        self.masses, self.inertias = [], []
        start = self.columns("")[0]
        for k, name in enumerate(self.names):
            first, _, number = name.rpartition(" ")
            has_section = f"Rigid bodies/{name}/Shape" in evidence.parameters
            self.add(evidence, k, name if has_section or not number.isdigit() else first, start[k])
        self.masses = np.array(self.masses)

    def columns(self, kind, axes=None):
        """Returns a vector of each body, (rows, bodies, dim)."""
        return np.stack([np.stack([self.motions[f"{name}.{kind}{axis}"] for axis in axes or self.axes],
                                  axis=1) for name in self.names], axis=1)

    def add(self, evidence, k, section, centre):
        """Adds the mass and the inertia of a body, about the axis or the axes of the body."""
        def entry(name):
            return number_or_nan(evidence.entry(f"Rigid bodies/{section}/{name}"))

        mass, inertia = entry("Mass"), entry("Moment of inertia")
        if len(self.axes) == 3 or not inertia > 0 or not mass > 0:
            volume, moments = _shape_moments(evidence, k + 1, section, centre)
            if not mass > 0:
                thickness = entry("Thickness") if len(self.axes) == 2 else 1
                mass = entry("Density") * volume * thickness
            tensor = mass * (np.trace(moments) * np.eye(len(self.axes)) - moments)
            if len(self.axes) == 3:
                inertia = tensor
            elif not inertia > 0:
                inertia = np.trace(tensor)
        if math.isnan(mass):
            raise NotApplicable(f"the mass of the rigid bodies '{section}' is in no file")
        self.masses.append(mass)
        self.inertias.append(inertia)

    def kinetic(self):
        """Returns the kinetic energy of all rigid bodies in each row."""
        total = 0.5 * (self.masses * (self.columns("v") ** 2).sum(axis=2)).sum(axis=1)
        spins = self.columns("w") if len(self.axes) == 3 else self.columns("omega", [""])
        for k, inertia in enumerate(self.inertias):
            tensor = np.atleast_2d(inertia)
            total += 0.5 * np.einsum("ni,ij,nj->n", spins[:, k], tensor, spins[:, k])
        return total


@functools.lru_cache(1)
def _rigid_bodies(evidence):
    """Returns the rigid bodies, or None."""
    return RigidBodies(evidence) if evidence.motions else None


@functools.lru_cache(1)
def _nodal_masses(evidence):
    """Returns the mass of each node of the elastic bodies."""
    determined(evidence, momenta.require_mass_of_all_nodes)
    fields = evidence.first.fields
    volumes = momenta.nodal_volumes(fields.points, fields.cells, fields.body == 0)
    return determined(evidence, momenta.density) * volumes


def _motion_row(moment, file="rigid_bodies.csv"):
    """Returns the row of a table of bodies at an instant."""
    rows = np.flatnonzero(moment.evidence.table_of(file)["time"] == moment.time)
    if not len(rows):
        raise NotApplicable(f"{file} has no row at the instant")
    return rows[0]


def _mass_sum(moment, field, kind):
    """Returns the sum of the masses times a field of the nodes, or a vector of the rigid bodies."""
    evidence, total = moment.evidence, np.zeros(moment.evidence.dim)
    if _has_elastic(moment):
        total += _nodal_masses(evidence) @ moment.fields[field]
    bodies = _rigid_bodies(evidence)
    if bodies:
        total += bodies.masses @ bodies.columns(kind)[_motion_row(moment)]
    return total


def momentum(moment):
    """Returns the momentum of all bodies."""
    return _mass_sum(moment, "velocity", "v")


def total_mass(evidence):
    """Returns the mass of all bodies."""
    bodies = _rigid_bodies(evidence)
    elastic = _nodal_masses(evidence).sum() if _has_elastic(evidence.first) else 0.0
    return elastic + (bodies.masses.sum() if bodies else 0.0)


@functools.lru_cache(1)
def _rigid_kinetic(evidence):
    return _rigid_bodies(evidence).kinetic()


def kinetic(moment):
    """The kinetic energy of energy.csv is the one of the velocities, with the masses of finite
    elements and rigid bodies."""
    evidence, row = moment.evidence, moment.row
    total = elastic_kinetic(moment)
    if evidence.motions:
        total += _rigid_kinetic(evidence)[_motion_row(moment)]
    elif not _has_elastic(moment):
        raise NotApplicable("rigid_bodies.csv is missing")
    if evidence.entry("Time/Inertia", "full") == "none":
        raise NotApplicable("without inertia there is no kinetic energy")
    scale = evidence.energy_scales[row] or 1.0
    return worst("", abs(total - evidence.table["kinetic"][row]), AGREEMENT * scale,
                 lambda _: f"{moment.location(kind='bodies')} against {evidence.row_location(row)}")


def strain(moment):
    """The strain energy of energy.csv is the one of the displacements."""
    evidence, row = moment.evidence, moment.row
    if any(path.startswith(("Links/", "Joints/")) for path in evidence.parameters):
        raise NotApplicable("the column contains the energy of links")
    if evidence.entry("Time/Scheme").startswith("nitsche"):
        raise NotApplicable("the column contains terms of Nitsche's method")
    if not _has_elastic(moment):
        total = 0.0
    else:
        energy, fields = strain_energy(evidence), moment.fields
        total = evidence.thickness() * sum(
            energy.of_cells(kind, fields.points[rows], fields.displacement[rows])
            for kind, rows in _elastic_blocks(moment))
    scale = max(evidence.energy_scales[row], abs(total)) or 1.0
    return worst("", abs(total - evidence.table["strain"][row]), 1e-9 * scale,
                 lambda _: f"{moment.location(kind='bodies')} against {evidence.row_location(row)}")


def _gravity(evidence, may_have_supports):
    """Returns the acceleration of gravity, if it is constant and the only load; a motion of zero,
    which holds a body or a region, does no work and may be there if `may_have_supports`."""
    motions = ("Displacement", "Velocity", "Rotation", "Angular velocity", "Fixed")

    def acts(path, value):
        last = path.rpartition("/")[2]
        holds = last.startswith(motions) and value in ("0", "true")
        if value in ("", "false") or (holds and may_have_supports) or (value == "0" and not holds):
            return False
        return (path.startswith("Boundary conditions/") and path.count("/") > 1) \
            or (path.startswith("Rigid bodies/")
                and last not in ("Moment of inertia", "Rotation axis")
                and last.startswith(("Force", "Moment", "Appears", *motions))) \
            or last == "Rayleigh alpha"
    for path, value in evidence.parameters.items():
        if acts(path, value):
            raise NotApplicable(f"{path} = {value} also acts")
    if any(path.startswith(("Links/", "Joints/")) for path in evidence.parameters):
        raise NotApplicable("links also act")
    values = [number_or_nan(x) for x in evidence.entry("Boundary conditions/Gravity", "0, 0").split(",")]
    gravity = np.array(values + [0.0] * evidence.dim)[:evidence.dim]
    if np.isnan(gravity).any():
        raise NotApplicable("gravity is a formula")
    return gravity


def elastic_momenta(moment):
    """The momenta of elastic_bodies.csv add up to the masses of the nodes times their velocities."""
    evidence, file = moment.evidence, "elastic_bodies.csv"
    if not evidence.elastic:
        raise NotApplicable(f"there is no {file}")
    row, masses = _motion_row(moment, file), _nodal_masses(evidence)
    listed = np.array([sum(values[row] for name, values in evidence.elastic.items() if name.endswith(f".p{axis}"))
                       for axis in "xyz"[:evidence.dim]])
    return worst("", abs(listed - masses @ moment.fields["velocity"]).max(), 1e-9 * masses.sum() * moment.speed,
                 lambda _: evidence.row_location(row, file))


def momentum_balance(moment):
    """The momentum changes by gravity and by the percussions of surfaces since the previous
    instant."""
    evidence, previous = moment.evidence, moment.previous
    if previous is None:
        raise NotApplicable("there is one instant only")
    gravity = _gravity(evidence, may_have_supports=False)
    old_momentum, new_momentum = (momentum(m) for m in (previous, moment))
    mass = total_mass(evidence)
    impulse = mass * gravity * (moment.time - previous.time)
    surface = moment.array("obstacle") == 0
    percussions = moment.array("percussion_sum")[surface]
    residual = abs(new_momentum - old_momentum - impulse - percussions.sum(axis=0)).max()
    scale = max(abs(new_momentum).max(), abs(old_momentum).max(), abs(impulse).max(),
                np.sqrt((percussions ** 2).sum(axis=1)).sum(), mass * moment.speed)
    return worst("", residual, 1e-9 * scale, lambda _: moment.location(kind="bodies"))


def gravity_work(moment):
    """The work of the loads is the weight times the path of the bodies, if only gravity acts."""
    evidence, row = moment.evidence, moment.row
    gravity = _gravity(evidence, may_have_supports=True)
    if evidence.entry("Contact/Position correction", "none") != "none":
        raise NotApplicable("Position correction moves bodies")
    work = gravity @ (_mass_sum(moment, "displacement", "")
                      - _mass_sum(evidence.first, "displacement", "")) if gravity.any() else 0.0
    scale = evidence.energy_scales[row] or 1.0
    size = abs(evidence.first.fields.points).max()
    floor = 1e-12 * np.sqrt(gravity @ gravity) * total_mass(evidence) * size if gravity.any() else 0.0
    return worst("", abs(work - evidence.table["work_external"][row]), 1e-9 * scale + floor,
                 lambda _: f"{moment.location(kind='bodies')} against {evidence.row_location(row)}")


def von_mises(moment, prefix="", item="cell"):
    """The von Mises stress is the one of the stress."""
    s, invariant = moment.fields[prefix + "stress"], moment.fields[prefix + "von_mises"]
    mean = s[:, :3].mean(axis=1, keepdims=True)
    squares = ((s[:, :3] - mean) ** 2).sum(axis=1) + 2 * (s[:, 3:] ** 2).sum(axis=1)
    size = abs(s).max(initial=0) + abs(invariant).max(initial=0)
    return worst("", abs(np.sqrt(1.5 * squares) - invariant), 1e-11 * size,
                 lambda index: f"{moment.location(kind='bodies')}, {item} {index}")


def nodal_von_mises(moment):
    """The von Mises stress at the nodes is the one of their stress."""
    return von_mises(moment, "nodal_", "point")


def nodal_stress(moment):
    """The stress at the corners of cells is the mean of the cells' stresses, weighted by volume."""
    if not _has_elastic(moment):
        raise NotApplicable("no body is elastic")
    if len(moment.evidence.thicknesses()) > 1:
        raise NotApplicable("materials differ in their thickness, and files do not say which cells have which")
    stress, nodal = moment.fields["stress"], moment.fields["nodal_stress"]
    means, corners = momenta.nodal_means(moment.evidence, moment.fields, stress)
    return worst("", abs(nodal[corners] - means).max(axis=1), 1e-11 * abs(stress).max(initial=0),
                 lambda index: f"{moment.location(kind='bodies')}, point {corners[index]}")


def nodal_works(moment):
    """The works at the nodes add up to the columns of energy.csv."""
    evidence, row = moment.evidence, moment.row
    evidence.require_free_joints()
    if (moment.fields.body > 0).any():
        raise NotApplicable("contacts of rigid bodies may have no point among those of the bodies")
    for array, column in (("normal_work", "work_contact_normal"),
                          ("tangential_work", "work_contact_tangential")):
        works = moment.fields[array]
        bound = AGREEMENT * max(evidence.energy_scales[row], abs(works).sum())
        yield worst("", abs(works.sum() - evidence.table[column][row]), bound,
                    lambda _: f"{moment.location(kind='bodies')} against {evidence.row_location(row)}")


def _probe_value(moment, entries, kind):
    """Returns the vector or the works that a probe has recorded; None if no file has them."""
    evidence = moment.evidence
    if kind == "work" and "Point" not in entries and "Region" not in entries:
        names = list(evidence.pair_names)
        rows = moment.array("pair") == names.index(entries["Contact"])
        return {f"work_{name}": moment.array(f"{name}_work")[rows].sum()
                for name in ("normal", "tangential")}
    if kind not in ("displacement", "velocity") or "Point" not in entries:
        return None
    fields, point = moment.fields, np.array(entries["Point"].split(","), float)
    if len(point) != evidence.dim:
        return None
    distance = abs(fields.points - point).max(axis=1)
    at_point = np.flatnonzero(distance <= 1e-9 * abs(fields.points).max())
    if len(at_point) != 1 or "Body" in entries:
        return None
    return {f"{kind}_{axis}": value for axis, value in zip("xyz", fields[kind][at_point[0]])}


def probes(moment):
    """Probes of displacements and velocities at nodes, and of the works of contacts, equal the fields of the
    instant."""
    evidence = moment.evidence
    rows = np.flatnonzero(evidence.probes["time"] == moment.time) if evidence.probes else []
    if not len(rows):
        raise NotApplicable("the run has no probes, or no row at an instant")
    found = []
    for name in dict.fromkeys(column.rpartition(".")[0] for column in evidence.probes if "." in column):
        entries = {entry: value for entry in ("Kind", "Point", "Body", "Contact", "Region")
                   if (value := evidence.entry(f"Probes/{name}/{entry}", ""))}
        kind = entries.get("Kind", "displacement")
        for quantity, value in (_probe_value(moment, entries, kind) or {}).items():
            column = evidence.probes[f"{name}.{quantity}"]
            scale = abs(moment.fields[kind]).max() if kind != "work" else evidence.energy_scales[moment.row]
            location = f"{evidence.row_location(rows[0], 'probes.csv')}, {name}.{quantity}"
            found.append(worst("", abs(column[rows[0]] - value), AGREEMENT * scale, lambda _, p=location: p))
    if not found:
        raise NotApplicable("no probe is at a node, or of the works of a contact")
    return found
