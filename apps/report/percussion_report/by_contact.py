"""Percussions and velocities of single contacts at the written instants."""

import numpy as np

from .charts import by_quantity, by_run, names_of, panels, plot_runs, subject, unit_label
from .files import read_instant
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
        vtu = read_instant(file, run.dim)
        if not run.contact_keys[k]:
            continue
        normals, tangents = (vtu.array("PointData", name) for name in ("normal", "tangent"))
        percussions = components(vtu.array("PointData", "percussion_sum"), normals, tangents)
        velocities = components(vtu.array("PointData", "relative_velocity"), normals, tangents) \
            if ("PointData", "relative_velocity") in vtu.arrays else percussions * np.nan
        for key, percussion, velocity in zip(run.contact_keys[k], percussions, velocities):
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
    alike, round_off = len(set(sides.values())) == 1, 1e-12 * run.bodies.size

    def place(point):
        return ", ".join(short(x if abs(x) > round_off else 0.0) for x in point)

    return {key: ("" if alike else side + " ") + f"({place(key[3])})"
            for key, side in sides.items()}


def with_largest_impulses(found, most):
    """Returns the keys of the contacts with the largest normal impulses in all runs, and the number
    of contacts that have pressed."""
    impulse = {}
    for of_run in found:
        for key, history in of_run.items():
            impulse[key] = impulse.get(key, 0.0) + history.percussion[:, 0].sum()
    pressed = [key for key, value in impulse.items() if value > 0]
    return sorted(sorted(pressed, key=impulse.get)[-most:]), len(pressed)


def curves(runs, found, chosen, quantity, title, unit):
    """Returns a figure of the normal and the tangential component of an attribute of History."""
    labels, is_single = labels_of(runs[0], chosen), len(chosen) == 1
    handles = by_run(runs) if is_single else \
        by_quantity(runs, [(i, labels[key]) for i, key in enumerate(chosen)])
    magnitude = "" if runs[0].dim == 2 else ", magnitude"
    figure, axes = panels(
        runs, handles,
        (f"Normal {title}" + subject(runs), unit_label(f"normal {quantity}", unit), 2.2),
        (f"Tangential {title}{magnitude}", unit_label(f"tangential {quantity}", unit), 2.2))
    times = [np.array([t for t, _ in run.contact_series]) for run in runs]
    for i, key in enumerate(chosen):
        for component, panel in enumerate(axes):
            values = [getattr(of_run.get(key, History(len(t))), quantity)[:, component]
                      for of_run, t in zip(found, times)]
            plot_runs(panel, runs, values, None if is_single else i, times)
    return figure


def by_contact(runs):
    """Returns pictures of the percussions and of the velocities of the contacts with the largest
    impulses; of none if no contact has pressed."""
    runs = [run for run in runs if run.has_contacts and len(run.contact_series) > 1]
    found = [histories(run) for run in runs]
    chosen, n = with_largest_impulses(
        found, MOST_CONTACTS if len(runs) == 1 else MOST_CONTACTS // 2)
    if not chosen:
        return
    units = runs[0].units
    several = f" The {len(chosen)} of {n} contacts with the largest impulse." \
        if len(chosen) < n else ""
    yield Picture("percussions", curves(
        runs, found, chosen, "percussion", "percussion", units["percussion"]),
        "The normal and the tangential percussion of single contacts in the steps since the "
        "previous written instant." + several, "contact")
    if any(np.isfinite(of_run[key].velocity).any() for of_run in found for key in chosen
           if key in of_run):
        yield Picture("contact_velocity", curves(
            runs, found, chosen, "velocity", "relative velocity", units["velocity"]),
            "The normal and the tangential velocity of single contacts relative to the opposite "
            "side at the written instants. Gaps in a line: no opposite side is near." + several,
            "contact")
