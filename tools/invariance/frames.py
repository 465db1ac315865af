"""Changes of frame and units: x' = length (Q x + b)."""

import dataclasses

import numpy as np


@dataclasses.dataclass
class Frame:
    """Frame x' = length (Q x + shift) with Q orthogonal, (dim, dim), and shift (dim,) in the old
    unit of length. mass, length and time are the old units in terms of the new ones."""

    Q: np.ndarray
    shift: np.ndarray
    mass: float = 1.0
    length: float = 1.0
    time: float = 1.0

    @property
    def dim(self):
        """Dimension, 2 or 3."""
        return len(self.shift)

    @property
    def sign(self):
        """1, or -1 if the frame is a mirror image."""
        return round(np.linalg.det(self.Q))

    @property
    def mirror(self):
        """The mirror image S of shapes in the axes of a body: the identity, or x → -x."""
        S = np.eye(self.dim)
        S[0, 0] = self.sign
        return S

    @property
    def angle(self):
        """Angle by which a mirror image S, or the body itself, is turned in 2D [rad]."""
        turn = self.Q @ self.mirror
        return float(np.arctan2(turn[1, 0], turn[0, 0]))

    @property
    def permutes(self):
        """True if each axis becomes an axis."""
        return bool(np.isin(np.abs(self.Q), (0, 1)).all())

    def factor(self, exponents):
        """Returns the factor of a quantity with these exponents of mass, length and time."""
        m, l, t = exponents
        return self.mass**m * self.length**l * self.time**t

    def points(self, x):
        """Returns points, (..., dim), in this frame."""
        return self.length * (x @ self.Q.T + self.shift)


def axes(dim):
    """Returns the frame in which nothing changes."""
    return Frame(np.eye(dim), np.zeros(dim))


def turned(dim, degrees=33.0):
    """Returns a frame turned counter-clockwise, in 3D about the direction (1, 2, 3)."""
    angle = np.radians(degrees)
    if dim == 2:
        c, s = np.cos(angle), np.sin(angle)
        return Frame(np.array([[c, -s], [s, c]]), np.zeros(2))
    return Frame(rotation(np.array([1.0, 2.0, 3.0]), angle), np.zeros(3))


def axes_exchanged(dim):
    """Returns a frame in which x becomes y and so on: a turn by 90 degrees, in 3D by 120 degrees
    about (1, 1, 1)."""
    if dim == 2:
        return Frame(np.array([[0.0, -1.0], [1.0, 0.0]]), np.zeros(2))
    return Frame(np.roll(np.eye(3), 1, axis=0), np.zeros(3))


def mirrored(dim):
    """Returns the mirror image x → -x."""
    Q = np.eye(dim)
    Q[0, 0] = -1
    return Frame(Q, np.zeros(dim))


def shifted(dim, distance=0.37):
    """Returns a frame whose origin lies elsewhere, by the same distance along each axis."""
    return Frame(np.eye(dim), np.full(dim, distance))


def mirrored_on_axis():
    """Returns the mirror image y → -y, in which the axis of bodies of revolution stays."""
    return Frame(np.diag([1.0, -1.0]), np.zeros(2))


def shifted_on_axis(distance=0.37):
    """Returns a frame whose origin lies elsewhere on the axis of bodies of revolution, x = 0."""
    return Frame(np.eye(2), np.array([0.0, distance]))


def converted(dim):
    """Returns the frame in units 1000 times as large (mass, kg → t) and as small (length, m → mm;
    time, s → ms)."""
    return Frame(np.eye(dim), np.zeros(dim), mass=1e-3, length=1e3, time=1e3)


def rotation(axis, angle):
    """Returns the matrix of a rotation in 3D about an axis of any length."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def axis_and_angle(R):
    """Returns axis and angle of a rotation matrix, the angle in [0, π]."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = float(np.arctan2(np.linalg.norm(w), np.trace(R) - 1))
    if angle < 3:
        return (w, angle) if angle > 0 else (np.array([0.0, 0.0, 1.0]), 0.0)
    B = (R + R.T) / 2 - np.cos(angle) * np.eye(3)  # (1 - cos) a aᵀ
    axis = B[:, int(np.argmax(np.diag(B)))]
    return (axis if axis @ w >= 0 else -axis), angle


def matrices(q):
    """Returns the rotation matrices (..., 3, 3) of unit quaternions (..., 4), w first."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
