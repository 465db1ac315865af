"""What percussion-report and the macro for ParaView share, on small bodies."""

import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["PERCUSSION_BINARY_DIR"], "python"))

from percussion_report import scene  # noqa: E402

RIGID = {}  # parameters without prescribed displacements
HELD = {"Boundary conditions/top/Displacement y": "0"}


def squares(count=1, is_rigid=False):
    """Unit squares of four points each, two apart."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    points = np.concatenate([corners + [2 * i, 0] for i in range(count)])
    return scene.Bodies(points, np.arange(4 * count), 4 * np.arange(1, count + 1),
                        np.full(count, is_rigid))


def turned(points, angle, about=(0.5, 0.5)):
    c, s = np.cos(angle), np.sin(angle)
    return (points - about) @ np.array([[c, s], [-s, c]]) + about - points


class Numbers(unittest.TestCase):
    def test_rounding(self):
        self.assertEqual([scene.round_1_2_5(x) for x in (1.3, 1.5, 3.3, 60, 0.008)],
                         [1, 2, 5, 50, 0.01])
        self.assertEqual([scene.short(x) for x in (1186.2, 0.0235, 1.2345e7, 3, -1234.5, 1e-5, 0)],
                         ["1190", "0.0235", "1.23e7", "3", "-1230", "1e-5", "0"])
        some = scene.some_of(range(1000), 60)
        self.assertEqual((some[0], some[-1], len(some)), (0, 999, 60))

    def test_units(self):
        units = scene.units_of("N, mm, ms, g")
        self.assertEqual([units[k] for k in ("time", "stress", "percussion", "energy")],
                         ["ms", "MPa", "N ms", "mJ"])
        self.assertEqual(scene.units_of("kg, m, s")["energy"], "J")
        self.assertEqual(scene.units_of("kg, mm, ms")["stress"], "GPa")
        self.assertEqual(set(scene.units_of("dimensionless").values()), {""})

    def test_formulas(self):
        self.assertEqual(scene.formula("2*x^2 + min(y, pi)", "xy")(3.0, 4.0), 18 + np.pi)
        self.assertEqual(scene.formula("", "t")(1.0), 0)
        self.assertEqual(scene.formula("1e-3*log2(x) + .5", "x")(4.0), 0.502)
        self.assertTrue(scene.formula("x > 0 && y > 0", "xy")(1, 1))
        for text in ("__import__('os')", "x ? 1 : 2", "open(x)", "x.__class__"):
            with self.assertRaises(scene.Trouble):
                scene.formula(text, "xy")


class Magnification(unittest.TestCase):
    def test_a_rotation_is_taken_out(self):
        bodies = squares()
        angle = np.radians(7)
        stretch = np.array([[0, 0], [1e-3, 0], [1e-3, 0], [0, 0]])
        u = turned(bodies.points, angle) + stretch
        scaling = scene.Scaling(bodies, [u], RIGID)
        self.assertEqual(scaling.factor, 100)  # 0.05 / 0.0005
        at, ground = scaling.shown(u)
        shown = scene.RigidMotion(bodies, at(bodies.points, u, bodies.part))
        self.assertAlmostEqual(np.degrees(shown.angle[0]), 7, delta=0.1)
        self.assertEqual(ground.tolist(), [0, 0])

    def test_a_rigid_motion_is_not_magnified(self):
        bodies = squares()
        for u in (turned(bodies.points, 0.3) + [1e3, 0], np.zeros((4, 2))):
            self.assertEqual(scene.Scaling(bodies, [u], RIGID).factor, 1)

    def test_large_deformations_and_rigid_bodies_are_true_to_scale(self):
        u = np.array([[0, 0], [0.4, 0], [0.4, 0], [0, 0]])
        self.assertEqual(scene.Scaling(squares(), [u], RIGID).factor, 1)
        self.assertEqual(scene.Scaling(squares(1, True), [u / 100], RIGID).factor, 1)

    def test_each_body_has_its_own_rigid_motion(self):
        bodies = squares(2)
        self.assertEqual(bodies.n_parts, 2)
        u = np.concatenate([turned(bodies.points[:4], 1.0),
                            turned(bodies.points[4:], -0.5, (2.5, 0.5)) + [5, 5]])
        self.assertEqual(scene.Scaling(bodies, [u], RIGID).factor, 1)
        motion = scene.RigidMotion(bodies, u)
        np.testing.assert_allclose(motion.angle, [1.0, -0.5], atol=1e-14)
        np.testing.assert_allclose(motion.at(bodies.points, bodies.part), u, atol=1e-14)

    def test_held_bodies_keep_the_mean_where_they_go_far(self):
        bodies = squares()
        u = np.array([[0.01, 0], [0.0102, 0], [0.0102, 1e-3], [0.01, 1e-3]])
        scaling = scene.Scaling(bodies, [u], HELD)
        self.assertEqual((scaling.factor, scaling.keeps.tolist()), (100, [True, False]))
        at, _ = scaling.shown(u)
        np.testing.assert_allclose(at(bodies.points, u, bodies.part)[2],
                                   [0.0101 + 100 * 1e-4, 100 * 1e-3])

    def test_the_smallest_gap_is_true(self):
        bodies = squares()
        squeezed = np.array([[0, 0], [0, 0], [0, -1e-3], [0, -1e-3]])  # it stands on y = 0
        scaling = scene.Scaling(bodies, [squeezed], RIGID)
        contacts = [bodies.points[:2], squeezed[:2], np.zeros(2), np.array([[0, 1.0], [0, 1.0]])]
        at, ground = scaling.shown(squeezed, contacts)
        shown = bodies.points + at(bodies.points, squeezed, bodies.part)
        np.testing.assert_allclose(shown[:2, 1] - ground[1], 0, atol=1e-12)
        self.assertAlmostEqual(shown[2, 1], 1 - scaling.factor * 1e-3)


class View(unittest.TestCase):
    def test_runaways_are_cut_off(self):
        bodies = squares(8)
        places = bodies.points.copy()
        places[-4:] += [1e3, 0]
        low, high, left_out = scene.view_box(bodies, [bodies.points, places])
        self.assertEqual((low.tolist(), high.tolist()), ([0, 0], [13, 1]))
        self.assertEqual(left_out.tolist(), [7])

    def test_what_goes_far_alone_is_not(self):
        bodies = squares()
        low, high, left_out = scene.view_box(bodies, [bodies.points, bodies.points + [1e3, 0]])
        self.assertEqual((high[0], len(left_out)), (1001, 0))

    def test_colours(self):
        usual, hit = np.linspace(0, 1, 1000), np.append(np.linspace(0, 1, 1000), 50)
        self.assertEqual(scene.colour_limit([usual]), (1.0, 1.0))
        limit, largest = scene.colour_limit([usual, hit])
        self.assertAlmostEqual(limit, 0.99, delta=0.01)
        self.assertEqual(largest, 50)
        stiff = {"Material/Young modulus": "2e11", "Material/soft/Young modulus": "1e6"}
        self.assertTrue(scene.is_round_off(0.01, stiff, 0))
        self.assertFalse(scene.is_round_off(1.0, stiff, 0))

    def test_arrows(self):
        self.assertEqual(scene.longest_arrow([0, 0]), 0)
        percussion = np.array([[3.0, 4.0], [300, 400], [1e-6, 0]])
        drawn = scene.arrows(percussion, 5.0, 0.1)
        np.testing.assert_allclose(np.hypot(*drawn.T), [0.1, 0.1, 0])


class Ground(unittest.TestCase):
    LOW, HIGH = np.array([-1.0, -1.0]), np.array([1.0, 1.0])

    def strips(self, time=0.0, **entries):
        surfaces, remarks = scene.surfaces_of(
            {f"Contact/c/{name.replace('_', ' ')}": value for name, value in entries.items()})
        self.assertEqual(remarks, [])
        return surfaces[0].strips(time, self.LOW, self.HIGH)

    def test_inclines(self):
        ((edge, back),) = self.strips(Surface="half-plane", Point="0, -0.5", Normal="-1, 2",
                                      Motion_y="2*t", time=0.1)
        normal = np.array([-1, 2]) / 5 ** 0.5
        np.testing.assert_allclose(edge @ normal, [-0.3 * normal[1]] * 2, atol=1e-15)
        np.testing.assert_allclose((back - edge) @ normal, [-0.05] * 2)

    def test_circles(self):
        for kind, radius in (("inside of circle", 0.55), ("outside of circle", 0.45)):
            ((edge, back),) = self.strips(Surface=kind, Radius="0.5", Point="0.1, 0")
            np.testing.assert_allclose(np.hypot(*(edge - [0.1, 0]).T), 0.5)
            np.testing.assert_allclose(np.hypot(*(back - [0.1, 0]).T), radius)

    def test_signed_distances(self):
        strips = self.strips(Surface="signed distance", Signed_distance="x^2 + y^2 - 0.25")
        edge = np.concatenate([edge for edge, _ in strips])
        np.testing.assert_allclose(np.hypot(*edge.T), 0.5, atol=1e-3)
        back = np.concatenate([back for _, back in strips])
        np.testing.assert_allclose(np.hypot(*back.T), 0.45, atol=1e-3)
        length = sum(np.hypot(*(b - a)) for (a, b), _ in strips)
        self.assertAlmostEqual(length, np.pi, places=2)

    def test_what_cannot_be_drawn_is_told(self):
        surfaces, remarks = scene.surfaces_of(
            {"Contact/floor/Surface": "signed distance", "Contact/floor/Signed distance": "x ? y : 1",
             "Contact/Forecast": "of the scheme"})
        self.assertEqual(surfaces, {})
        self.assertIn("the ground of 'floor' is not drawn", remarks[0])


if __name__ == "__main__":
    unittest.main()
