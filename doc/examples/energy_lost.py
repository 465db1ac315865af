#!/usr/bin/env python3
"""How much energy an impact takes: a sweep of friction and restitution.

A stick that leans at 45 degrees hits the ground with its lower end, without gravity, sliding a
little: params/impacting_stick.prm with other velocities. Its impact has a closed solution, which
each of the computed ones must meet to round-off.

    python3 doc/examples/energy_lost.py [PICTURE.png]
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import percussion  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VELOCITY = np.array([-1.0, -0.5])  # of the stick before the impact: normal, tangential
LAWS = {
    "moreau-jean-fremond": "Frémond's law: no impact creates energy",
    "moreau-jean": "Classical law: some do",
}
RESTITUTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
# Okabe and Ito's colours, which the colour-blind tell apart, and a marker for each.
STYLES = (("#0072B2", "o"), ("#56B4E9", "s"), ("#009E73", "^"), ("#E69F00", "D"), ("#D55E00", "v"))


def energy_lost(scheme, friction, restitution):
    """Energy that the first impact takes, as it is computed: as much as its contact works are
    negative."""
    case = percussion.Case(
        SOURCE / "params/impacting_stick.prm",
        {
            "Boundary conditions/Gravity": (0, 0),
            "Rigid bodies/stick/Initial velocity": VELOCITY[::-1],
            "Rigid bodies/stick/Initial angular velocity": 0,
            "Contact/ground/Friction coefficient": friction,
            "Contact/ground/Restitution": restitution,
            "Time/Scheme": scheme,
            "Time/Step": 1e-3,
        },
    )
    run = case.run(write=False)
    for record in run:
        if run.contacts.percussion[0, 0] > 0:
            assert abs(record.balance_residual) < 1e-14
            return -(record.work_contact_normal + record.work_contact_tangential)
    raise SystemExit("the stick has not come to the ground")


def exact_energy_lost(scheme, friction, restitution):
    """The same from the percussion p with u1 = u0 + W p: no slip, or slip in one direction."""
    arm, inertia = np.sqrt(1 / 8), 1 / 12  # to the end that hits: (arm, -arm)
    delassus = np.eye(2) + arm**2 / inertia  # normal, tangential
    # With theta = 1/2 Frémond's law has e_T = 1, the classical one 0.
    e = np.array([restitution, 1.0 if scheme == "moreau-jean-fremond" else 0.0])
    p = -np.linalg.solve(delassus, (1 + e) * VELOCITY)
    if abs(p[1]) > friction * p[0]:
        for slip in (-1, 1):
            direction = np.array([1, -slip * friction])
            p = -(1 + e[0]) * VELOCITY[0] / (delassus[0] @ direction) * direction
            if slip * (delassus[1] @ p + (1 + e[1]) * VELOCITY[1]) > 0:
                break
    return -(p @ VELOCITY + 0.5 * p @ delassus @ p)


def check(lost):
    """What is known without computing."""
    fremond, classical = (np.array(list(lost[law].values())) for law in LAWS)
    normal = 0.5 * (1 - np.array(RESTITUTIONS) ** 2) * VELOCITY[0] ** 2 / 2.5
    assert np.allclose(fremond[:, 0], normal, rtol=0, atol=1e-14), "without friction"
    assert np.allclose(classical[:, 0], normal, rtol=0, atol=1e-14), "without friction"
    assert abs(fremond[-1, 0]) < 1e-15, "e = 1 and mu = 0 lose nothing"
    assert fremond.min() > -1e-15, "Frémond's law creates no energy"
    assert abs(fremond[-1, -1]) < 1e-15, "with e = 1 a contact that sticks loses nothing"
    assert classical.min() < -0.1, "the classical law creates energy"


def draw(frictions, lost, picture):
    before = 0.5 * VELOCITY @ VELOCITY
    fine = np.linspace(0, frictions[-1], 481)
    plt.rcParams.update({"font.size": 11, "axes.spines.top": False, "axes.spines.right": False})
    figure, all_axes = plt.subplots(1, 2, figsize=(10, 4.6), sharey=True, layout="constrained")
    for axes, (law, title) in zip(all_axes, LAWS.items()):
        for e, (colour, marker) in zip(RESTITUTIONS, STYLES):
            exact = [exact_energy_lost(law, mu, e) for mu in fine]
            axes.plot(fine, 100 * np.array(exact) / before, color=colour, linewidth=1.3)
            axes.plot(frictions, 100 * lost[law][e] / before, marker, color=colour, markersize=5,
                      label=f"e = {e:g}")
        axes.axhline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_title(title, fontsize=12)
        axes.set_xlabel("coefficient of friction μ [–]")
        axes.set_xlim(-0.02, frictions[-1] + 0.02)
    all_axes[0].set_ylabel("energy lost in the impact [% of that before]")
    bottom = all_axes[1].get_ylim()[0]
    all_axes[1].axhspan(bottom, 0, color="0.92", zorder=0)
    all_axes[1].set_ylim(bottom, None)
    all_axes[1].text(0.02, bottom + 1, "energy is created", color="0.3", va="bottom")
    handles, labels = all_axes[0].get_legend_handles_labels()
    handles.append(plt.Line2D([], [], color="0.4", linewidth=1.3))
    figure.legend(handles, [*labels, "exact"], loc="lower center", ncols=6, frameon=False)
    figure.get_layout_engine().set(rect=(0, 0.08, 1, 0.92))
    figure.savefig(picture, dpi=150)


def main():
    picture = sys.argv[1] if len(sys.argv) > 1 else SOURCE / "doc/pictures/python_energy_lost.png"
    frictions = np.linspace(0, 1.2, 25)
    lost, exact = (
        {
            law: {e: np.array([way(law, mu, e) for mu in frictions]) for e in RESTITUTIONS}
            for law in LAWS
        }
        for way in (energy_lost, exact_energy_lost)
    )
    worst = max(np.abs(lost[law][e] - exact[law][e]).max() for law in LAWS for e in RESTITUTIONS)
    print(f"{len(LAWS) * len(RESTITUTIONS) * len(frictions)} runs; largest difference to the exact "
          f"energy lost: {worst:.1e}")
    assert worst < 1e-14
    check(lost)
    draw(frictions, lost, picture)
    print(f"picture   {picture}")


if __name__ == "__main__":
    main()
