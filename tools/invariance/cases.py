"""Cases that are transformed, and their numbers of steps."""

from typing import NamedTuple, Tuple


class Choice(NamedTuple):
    """A shipped case, an even number of steps, and other entries as 'path=value'."""

    name: str
    n_steps: int
    settings: Tuple[str, ...] = ()


# A side of the case's own condition, y > 0, passes through nodes, where round-off decides it.
APART = ("Initial state/Velocity x=-75*(y > 5e-5)", "Initial state/Velocity y=-50*(y > 5e-5)")
# Joints and friction both hold wheels sideways: forces of joints are not unique, and the contact
# problems are nearly singular, so that the usual tolerance leaves 2e-10.
ON_JOINTS = ("Probes/pull_1/Kind=coordinate", "Solver/Tolerance=1e-13")
# One case of each kind of body, contact and scheme; steps reach beyond the first impacts.
CASES = (
    Choice("arch", 200),
    Choice("ball_impact", 100),
    Choice("bar_impact_redistributed", 150),
    Choice("bouncing_ball", 1200),
    Choice("box_slide", 20),
    Choice("cart", 60, ON_JOINTS),
    Choice("cattaneo", 100),
    Choice("colliding_blocks", 400, APART),
    Choice("dominoes", 400),
    Choice("hello_drop", 800),
    Choice("hertz", 60),
    Choice("impacting_stick", 1000),
    Choice("pillar", 400),
    Choice("ring_crush", 150),
    Choice("ring_fremond", 100),
    Choice("ring_impact", 100),
    Choice("rocking_block", 4000),
    Choice("rolling_disc", 200),
    Choice("sliding_block", 400),
    Choice("sphere_impact", 40),
    Choice("spinning_top", 1000),
    Choice("stent", 10),
    Choice("two_bars", 200),
    Choice("two_blocks", 400),
    Choice("tyre_drop", 10),
)
QUICK = (Choice("two_bars", 20), Choice("rocking_block", 2000), Choice("dominoes", 40))
# Answers that depend on a transformation, and the reason.
KNOWN = {
    ("pillar", "order"):
        "blocks have more contact forces than equations; the order decides which of them press, and "
        "contacts that do not press open",
}
