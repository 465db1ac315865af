"""Percussions and velocities of single contacts at the written instants."""

import numpy as np

from .charts import by_quantity, by_run, names_of, panels, plot_runs, subject, unit_label
from .files import Vtu
from .scene import length, short
from .style import Picture

MOST_CONTACTS = 6  # contacts of a single run with colours; of several runs half as many


class History:
    """Normal and tangential percussion since the previous instant (n, 2), and normal and
    tangential relative velocity (n, 2), of a contact at n written instants. Tangential components
    have signs in 2D, and are magnitudes in 3D. Velocities are NaN if no opposite side is near, or
    if the run is of a version without them."""

    def __init__(self, n):
        self.percussion, self.velocity = np.zeros((n, 2)), np.full((n, 2), np.nan)


def components(vectors, normals, tangents):
    """Returns the normal and the tangential components of vectors (n, dim) as (n, 2)."""
    normal = (vectors * normals).sum(axis=1)
    tangential = (vectors * tangents).sum(axis=1) if vectors.shape[1] == 2 else \
        length(vectors - normal[:, None] * normals)
    return np.stack([normal, tangential], axis=1)


def histories(run):
    """Returns {(pair, body, obstacle, undeformed point): History} of all contacts of a run."""
    found = {}
    for k, (_, file) in enumerate(run.contact_series):
        vtu = Vtu(file, run.dim)
        points = vtu.array("Points", "Points")
        if not len(points):
            continue
        normals, tangents = (vtu.array("PointData", name) for name in ("normal", "tangent"))
        keys = [(*map(int, key), tuple(point)) for *key, point in zip(
            *(vtu.array("PointData", name) for name in ("pair", "body", "obstacle")),
            points.tolist())]
        percussions = components(vtu.array("PointData", "percussion_sum"), normals, tangents)
        velocities = components(vtu.array("PointData", "relative_velocity"), normals, tangents) \
            if ("PointData", "relative_velocity") in vtu.arrays else percussions * np.nan
        for key, percussion, velocity in zip(keys, percussions, velocities):
            history = found.setdefault(key, History(len(run.contact_series)))
            history.percussion[k] += percussion  # a point of a polygon may touch two edges
            history.velocity[k] = velocity
    return found


def labels_of(run, keys):
    """Returns the names of contacts: their bodies, unless all have the same, and points."""
    bodies, names = names_of(run.motions), list(run.summary.get("contacts", {}))

    def name(index, pair):
        if 0 < index <= len(bodies):
            return bodies[index - 1]
        return names[pair] if pair < len(names) else f"contact {pair + 1}"

    sides = {key: name(key[1], key[0]) + (f" – {name(key[2], key[0])}" if key[2] > 0 else "")
             for key in keys}
    alike = len(set(sides.values())) == 1
    return {key: ("" if alike else side + " ") + f"({', '.join(map(short, key[3]))})"
            for key, side in sides.items()}


def by_contact(runs):
    """Returns pictures of the percussions and of the velocities of the contacts with the largest
    impulses; of none if no contact has pressed at two instants."""
    runs = [run for run in runs if run.has_contacts and len(run.contact_series) > 1]
    found = [histories(run) for run in runs]
    impulse = {}
    for of_run in found:
        for key, history in of_run.items():
            impulse[key] = impulse.get(key, 0.0) + history.percussion[:, 0].sum()
    pressed = [key for key, value in impulse.items() if value > 0]
    if not pressed:
        return
    most = MOST_CONTACTS if len(runs) == 1 else MOST_CONTACTS // 2
    chosen = sorted(sorted(pressed, key=impulse.get)[-most:])
    labels = labels_of(runs[0], chosen)
    several = f" The {len(chosen)} of {len(pressed)} contacts with the largest impulse." \
        if len(chosen) < len(pressed) else ""
    units = runs[0].units
    words = "" if runs[0].dim == 2 else ", magnitude"
    for name, title, quantity, unit, caption in (
            ("percussions", "percussion", "percussion", units["percussion"],
             "The normal and the tangential percussion of single contacts in the steps since the "
             "previous written instant."),
            ("contact_velocity", "relative velocity", "velocity", units["velocity"],
             "The normal and the tangential velocity of single contacts relative to the opposite "
             "side at the written instants; gaps in a line: no opposite side is near.")):
        if name == "contact_velocity" and not any(
                np.isfinite(of_run[key].velocity).any() for of_run in found for key in chosen
                if key in of_run):
            continue
        handles = by_quantity(runs, [(i, labels[key]) for i, key in enumerate(chosen)]) \
            if len(chosen) > 1 else by_run(runs)
        figure, axes = panels(
            runs, handles,
            (f"Normal {title}" + subject(runs), unit_label(f"normal {quantity}", unit), 1.8),
            (f"Tangential {title}{words}", unit_label(f"tangential {quantity}", unit), 1.8))
        times = [np.array([t for t, _ in run.contact_series]) for run in runs]
        for i, key in enumerate(chosen):
            for component, panel in enumerate(axes):
                none = [History(len(run.contact_series)) for run in runs]
                values = [getattr(of_run.get(key, absent), quantity)[:, component]
                          for of_run, absent in zip(found, none)]
                plot_runs(panel, runs, values, i if len(chosen) > 1 else None, times)
        yield Picture(name, figure, caption + several, "contact")
