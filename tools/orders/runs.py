"""The runs of a series in time, by the program's Python module."""

from typing import List, NamedTuple

import numpy as np

from invariance.parameters import written
from orders.time_series import (END, HALF_STEPS, INITIAL, WITH_MASSLESS_NODES, entries_of, touches,
                            write_meshes)
from orders.verdict import Verdict, differences, verdict


class Motion(NamedTuple):
    """Positions and velocities at END, and the number of contacts that press in each step."""

    q: np.ndarray
    v: np.ndarray
    contacts: List[int]


def positions(run):
    """Returns the displacements of all nodes, and the poses of rigid bodies, in one array."""
    rigid = run.rigid_bodies.pose().ravel() if len(run.rigid_bodies) else []
    return np.concatenate([run.state.displacement.ravel(), rigid])


def velocities(run, scheme):
    """Returns the velocities of rigid bodies and of all nodes with inertia in one array: the velocities
    of nodes without inertia, those in contact, are of order one."""
    nodes = run.state.velocity
    if scheme == WITH_MASSLESS_NODES:
        nodes = nodes[run.case.mesh.nodes[:, -1] != 0.0]
    return np.concatenate([nodes.ravel(), run.rigid_bodies.velocity.ravel()])


def motion_at_end(run, n_steps, scheme):
    """Returns the motion after `n_steps`. Velocities of paoli-schatzman are half a step old: their mean
    over the next step is taken."""
    run.step(n_steps)
    q, v = positions(run), velocities(run, scheme)
    contacts = run.ledger["contacts_active"][1:n_steps + 1].tolist()
    if scheme == HALF_STEPS:
        run.step()
        v = 0.5 * (v + velocities(run, scheme))
    return Motion(q, v, contacts)


def take_run(percussion, series, folder, n_steps):
    """Returns the motion at END by `n_steps` steps. Raises percussion.InputError or RunError."""
    settings = {"Time/Step": END / n_steps, "Time/End": 2 * END}
    entries = entries_of(series)
    if series.start in ("rest", "preload"):
        return motion_at_end(case_run(percussion, folder / "case.prm", entries, settings), n_steps,
                             series.scheme)
    first = entries_of(series._replace(scheme=series.start))
    earlier = folder / f"first {n_steps}"
    case_run(percussion, folder / "first.prm", first, {**settings, "Time/End": END / 2}, earlier)
    later = {path: value for path, value in entries.items() if path[0] != INITIAL}
    settings.update({"Initial state/From": str(earlier), "Time/Start": END / 2})
    return motion_at_end(case_run(percussion, folder / "case.prm", later, settings), n_steps // 2,
                         series.scheme)


def case_run(percussion, file, entries, settings, output=None):
    """Returns the run of a case; one with an output folder has taken all its steps."""
    file.write_text(written(entries), encoding="utf-8")
    if output is None:
        return percussion.Case(str(file), settings).run(write=False)
    return percussion.Case(str(file), settings, output=str(output)).solve()


def changes_contacts(motions):
    """True if contacts close or open after the first step of a run, or differ between runs."""
    return len({number for motion in motions for number in motion.contacts[1:]}) > 1


def measure(percussion, series, folder):
    """Returns the verdicts on positions and velocities of a series."""
    folder.mkdir(parents=True, exist_ok=True)
    write_meshes(folder)
    try:
        motions = [take_run(percussion, series, folder, n) for n in series.n_steps()]
    except (percussion.InputError, percussion.RunError) as error:
        return [Verdict([], False, str(error))] * 2
    if touches(series) and changes_contacts(motions):
        return [Verdict([], False, "contacts change")] * 2
    return [verdict(differences([motion[i] for motion in motions]), series.promised()) for i in range(2)]
