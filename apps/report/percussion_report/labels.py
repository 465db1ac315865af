"""Positions of names in a picture: whole, beside each other, and near to what they name."""

import dataclasses

import numpy as np
from matplotlib.patheffects import withStroke

FONT = 9  # points
HEIGHT = 1.5 * FONT
TURNS = np.radians([0, 35, -35, 70, -70, 105, -105, 140, -140, 180])


@dataclasses.dataclass
class Label:
    """Name of a point in a picture [points, of 1/72 inch], its colour, and the direction from the point
    in which there is room for the name; zero: the name may cover the point."""

    name: str
    anchor: np.ndarray
    colour: str
    direction: np.ndarray

    @property
    def size(self):
        """Returns an upper limit of width and height."""
        return np.array([0.62 * FONT * len(self.name) + 6, HEIGHT])


def candidates(label):
    """Yields positions of the centre of a name, the best ones first."""
    reach = np.hypot(*label.direction)
    if reach == 0:
        yield label.anchor
    direction = label.direction / reach if reach else np.array([0.0, 1.0])
    for distance in (10, 18, 30, 45, 65, 90, 120, 160):
        for turn in TURNS:
            c, s = np.cos(turn), np.sin(turn)
            arm = np.array([c * direction[0] - s * direction[1], s * direction[0] + c * direction[1]])
            # The edge of the name, not its centre, is at this distance.
            yield label.anchor + arm * distance + np.sign(np.round(arm, 6)) * abs(arm) * (label.size / 2)


def placed(labels, width, height):
    """Returns the centres of the names (n, 2) in a picture of this size: each at the first position at
    which it is whole and covers no other name and no other point; else where it covers least."""
    centres = np.zeros((len(labels), 2))
    boxes = [(label.anchor, np.array([5.0, 5.0])) for label in labels]
    for i, label in enumerate(labels):
        best = np.inf
        obstacles = boxes[:i] + boxes[i + 1:]
        middles = np.array([middle for middle, _ in obstacles]).reshape(-1, 2)
        sizes = np.array([size for _, size in obstacles]).reshape(-1, 2)
        for centre in candidates(label):
            half = label.size / 2
            inside = np.clip(centre, half, np.maximum([width, height] - half, half))
            overlap = np.maximum((sizes + label.size) / 2 - abs(middles - inside), 0).prod(axis=1).sum()
            cost = overlap + 3 * abs(inside - centre).sum()
            if cost < best:
                best, centres[i] = cost, inside
            if cost == 0:
                break
        boxes.append((centres[i], label.size))
    return centres


def draw(axes, labels, width, height):
    """Writes the names into axes whose size is this number of points, with lines to distant points."""
    size = np.array([width, height])
    for label, centre in zip(labels, placed(labels, width, height)):
        gap = abs(centre - label.anchor) - label.size / 2
        if (gap > 2).any():
            ends = np.array([label.anchor, centre]) / size
            axes.plot(*ends.T, transform=axes.transAxes, color="black", linewidth=0.6, zorder=8, marker="o",
                      markersize=2.2, markevery=[0], clip_on=False,
                      path_effects=[withStroke(linewidth=1.6, foreground="white")])
        axes.text(*(centre / size), label.name, transform=axes.transAxes, ha="center", va="center",
                  fontsize=FONT, zorder=9, bbox={"boxstyle": "square,pad=0.18", "facecolor": "white",
                                                 "edgecolor": label.colour, "linewidth": 1.1})
