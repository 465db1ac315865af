"""Common code of percussion-report and the macro for ParaView, tested on small bodies."""

import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.environ["PERCUSSION_BINARY_DIR"], "python"))

from percussion_report import scene, solids  # noqa: E402

RIGID = {}  # parameters without prescribed displacements
HELD = {"Boundary conditions/top/Displacement y": "0"}


def squares(count=1, is_rigid=False):
    """Returns unit squares of four points each, at a distance of two."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    points = np.concatenate([corners + [2 * i, 0] for i in range(count)])
    return scene.Bodies(points, np.arange(4 * count), 4 * np.arange(1, count + 1),
                        np.full(count, is_rigid))


def contacts_at(points, displacement, normal, gap):
    """Returns contacts with the ground."""
    arrays = {"displacement": displacement, "normal": normal, "gap": gap, "percussion": 0 * points}
    return scene.Contacts(points, lambda name: arrays.get(name, np.zeros(len(points))))


NO_CONTACTS = scene.Contacts(np.zeros((0, 2)), None)


def turned(points, angle, about=(0.5, 0.5)):
    c, s = np.cos(angle), np.sin(angle)
    return (points - about) @ np.array([[c, s], [-s, c]]) + about - points


def angles(motion):
    return np.arctan2(motion.turn[:, 1, 0], motion.turn[:, 0, 0])


def rotation(axis, angle):
    """Returns a rotation by Rodrigues' formula."""
    k = np.cross(np.eye(3), axis / scene.length(np.array(axis)))
    return np.eye(3) - np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def cube(is_rigid=False):
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    return scene.Bodies(np.concatenate([corners, corners + [0, 0, 1]]), np.arange(8),
                        np.array([8]), np.array([is_rigid]))


def as_solid(bodies):
    return solids.Solids(bodies, *solids.faces_of(np.full(len(bodies.ends), 12), bodies.corners,
                                                  bodies.ends, [], []))


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


class Magnification(unittest.TestCase):
    def test_a_rotation_is_taken_out(self):
        bodies = squares()
        angle = np.radians(7)
        stretch = np.array([[0, 0], [1e-3, 0], [1e-3, 0], [0, 0]])
        u = turned(bodies.points, angle) + stretch
        scaling = scene.Scaling(bodies, [u], RIGID)
        self.assertEqual(scaling.factor, 100)  # 0.05 / 0.0005
        places, _, ground = scaling.positions(u, NO_CONTACTS)
        shown = scene.RigidMotion(bodies, places - bodies.points)
        self.assertAlmostEqual(np.degrees(angles(shown)[0]), 7, delta=0.1)
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
        self.assertEqual(bodies.n_components, 2)
        u = np.concatenate([turned(bodies.points[:4], 1.0),
                            turned(bodies.points[4:], -0.5, (2.5, 0.5)) + [5, 5]])
        self.assertEqual(scene.Scaling(bodies, [u], RIGID).factor, 1)
        motion = scene.RigidMotion(bodies, u)
        np.testing.assert_allclose(angles(motion), [1.0, -0.5], atol=1e-14)
        np.testing.assert_allclose(motion.displacement_at(bodies.points, bodies.component), u,
                                   atol=1e-14)

    def test_held_bodies_keep_the_mean_where_they_go_far(self):
        bodies = squares()
        u = np.array([[0.01, 0], [0.0102, 0], [0.0102, 1e-3], [0.01, 1e-3]])
        scaling = scene.Scaling(bodies, [u], HELD)
        self.assertEqual((scaling.factor, scaling.keeps.tolist()), (100, [True, False]))
        places, _, _ = scaling.positions(u, NO_CONTACTS)
        np.testing.assert_allclose(places[2], [1 + 0.0101 + 100 * 1e-4, 1 + 100 * 1e-3])

    def test_the_smallest_gap_is_true(self):
        bodies = squares()
        squeezed = np.array([[0, 0], [0, 0], [0, -1e-3], [0, -1e-3]])  # the body stands on y = 0
        scaling = scene.Scaling(bodies, [squeezed], RIGID)
        contacts = contacts_at(bodies.points[:2], squeezed[:2], np.array([[0, 1.0], [0, 1.0]]),
                               np.zeros(2))
        shown, touching, ground = scaling.positions(squeezed, contacts)
        np.testing.assert_allclose(touching, shown[:2], atol=1e-15)
        np.testing.assert_allclose(shown[:2, 1] - ground[1], 0, atol=1e-12)
        self.assertAlmostEqual(shown[2, 1], 1 - scaling.factor * 1e-3)


class Space(unittest.TestCase):
    def test_rigid_motions_are_found(self):
        bodies, turn = cube(), rotation([1, 2, 3], 2.5)
        u = (bodies.points @ turn.T) + [5, -1, 2] - bodies.points
        motion = scene.RigidMotion(bodies, u)
        np.testing.assert_allclose(motion.turn[0], turn, atol=1e-14)
        np.testing.assert_allclose(motion.displacement_at(bodies.points, bodies.component), u,
                                   atol=1e-13)
        self.assertEqual(scene.Scaling(bodies, [u], RIGID).factor, 1)

    def test_the_surface_of_two_hexahedra(self):
        one = cube()
        bodies = scene.Bodies(np.concatenate([one.points, one.points[4:] + [0, 0, 1]]),
                              np.array([*range(8), *range(4, 12)]), np.array([8, 16]),
                              np.zeros(2, bool))
        solid = as_solid(bodies)
        at = bodies.points[solid.triangles]
        self.assertEqual(len(at), 20)  # the surface of ten squares
        volume = np.einsum("ij,ij->", at.mean(axis=1), scene.normals_of(at)) / 6
        self.assertAlmostEqual(volume, 2)  # all normals point outwards
        self.assertEqual((solid.outlines.sum(), solid.meshed.sum()), (2 * 16, 2 * 20))
        np.testing.assert_allclose(solid.volumes, [1, 1])
        piece, cell, corners, weights = solid.section(bodies.points, np.array([0, 1, 0, 0.25]))
        self.assertEqual(set(cell[piece[:, :, 2].mean(axis=1) > 1]), {1})
        self.assertEqual(set(cell[piece[:, :, 2].mean(axis=1) < 1]), {0})
        area = scene.normals_of(piece).sum(axis=0) / 2
        np.testing.assert_allclose(area, [0, 2, 0], atol=1e-15)
        np.testing.assert_allclose(weights @ bodies.points[corners], piece, atol=1e-14)
        np.testing.assert_allclose(weights.sum(axis=2), 1)

    def test_what_is_in_front_is_seen(self):
        square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
        behind, ahead = 8 * square, 4 * square + [2, 2, 1]
        both = np.concatenate([[q[[0, 1, 2]], q[[0, 2, 3]]] for q in (behind, ahead)])
        number, inside, depth = solids.front(both, 8, 10)
        seen = number.reshape(10, 8) // 2
        self.assertEqual((seen == 1).sum(), 16)
        self.assertEqual((seen == 0).sum(), 48)
        self.assertTrue((seen[8:] == -1).all() and (seen[3:6, 3:6] == 1).all())
        np.testing.assert_allclose(inside[number >= 0].sum(axis=1), 1)
        self.assertTrue((depth.reshape(10, 8)[seen == 1] == 1).all())
        self.assertTrue((solids.front(both[:, ::-1], 8, 10)[0] == -1).all())  # seen from behind
        left = solids.front(both, 8, 10, both[:, :, 0] - 3)[0]
        self.assertEqual((left >= 0).sum(), 24)

    def test_edges_are_where_they_are(self):
        corners = np.array([[[0, 0, 0], [10, 0, 0], [0, 10, 0]]], float)
        number, inside, _ = solids.front(corners, 10, 10)
        seen = np.flatnonzero(number >= 0)
        far = solids.edge_distance(corners, number[seen], inside[seen])
        x, y = seen % 10 + 0.5, seen // 10 + 0.5
        np.testing.assert_allclose(far, np.stack([y, (10 - x - y) / 2 ** 0.5, x], axis=1),
                                   atol=1e-12)

    def test_the_viewer_stands_above_and_sees_what_bears(self):
        places = [np.array([[0, 0, 0], [2, 1, 1]], float)]
        for gravity, up in (("0, 0, -9.81", 2), ("0, -9.81, 1", 1), ("3, 0, 0", 0)):
            axes = scene.camera({"Boundary conditions/Gravity": gravity}, places)
            np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
            self.assertAlmostEqual(np.linalg.det(axes), 1)
            sign = -1 if up == 0 else 1
            self.assertEqual(np.argmax(sign * axes[1]), up)
            self.assertGreater(sign * axes[2, up], 0)
        for side in np.array([[-1, -2, 0], [1, -2, 0], [-1, 2, 0], [1, 2, 0]], float):
            self.assertGreater(scene.camera({}, places, side[None])[2] @ side, 0)


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


class Pictures(unittest.TestCase):
    def test_the_nearest_layer_is_seen_except_beyond_its_cut(self):
        square = np.array([[[0, 0, 0], [4, 0, 0], [4, 4, 0]], [[0, 0, 0], [4, 4, 0], [0, 4, 0]]],
                          float)
        ground = solids.Layer(square, (1, 0, 0))
        body = solids.Layer(square + [0, 0, 1], (0, 0, 1), excess=square[..., 0] - 2)
        image, depth = solids.picture([ground, body], lambda x: x, np.eye(3), 4, 4,
                                      lambda values: np.zeros((len(values), 4)))
        self.assertEqual(depth.tolist(), 4 * [[1, 1, 0, 0]])
        self.assertTrue((image[..., 3] == 1).all())
        self.assertTrue((image[:, :2, 2] > image[:, :2, 0]).all())
        self.assertTrue((image[:, 2:, 2] < image[:, 2:, 0]).all())


def surface_of(simplices, displacements=None):
    """Returns a surface, at rest unless it has displacements at the times 0, 1, ..."""
    simplices = np.array(simplices, float)
    if displacements is None:
        displacements = np.zeros((1, simplices.shape[2]))
    return scene.Surface(simplices, np.arange(len(displacements)), np.array(displacements, float))


class Ground(unittest.TestCase):

    def test_inclined_lines_are_cut_at_the_box_and_move(self):
        normal = np.array([-1, 2]) / 5 ** 0.5
        surface = surface_of([[[-8, -4.5], [8, 3.5]]], [[0, 0], [0, 0.2]])
        self.assertTrue(surface.is_flat)
        np.testing.assert_allclose(surface.normal(0), normal)
        lines = surface.pieces(0.9, -np.ones(2), np.ones(2))
        np.testing.assert_allclose(lines @ normal, -0.3 * normal[1], atol=1e-14)
        np.testing.assert_allclose(lines[:, :, 0].min(), -1)
        np.testing.assert_allclose(lines[:, :, 0].max(), 1)
        quads = scene.strips(lines, 0.05)
        np.testing.assert_allclose((quads[:, 2] - quads[:, 1]) @ normal, -0.05)
        np.testing.assert_allclose(surface.box(1), [[-8, -4.3], [8, 3.7]])

    def test_pieces_outside_of_the_box_are_left_out(self):
        angles = np.linspace(0, 2 * np.pi, 401)
        circle = 0.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        surface = surface_of(np.stack([circle[:-1], circle[1:]], axis=1))
        self.assertFalse(surface.is_flat)
        lines = surface.pieces(0, np.array([0.0, -1]), np.array([1.0, 1]))
        self.assertGreaterEqual(lines[..., 0].min(), 0)
        self.assertAlmostEqual(scene.length(lines[:, 1] - lines[:, 0]).sum(), 0.5 * np.pi, places=3)
        self.assertTrue((scene.normals_of(lines) * lines.mean(axis=1) < 1e-9).all())

    def test_triangles_keep_area_and_side_within_the_box(self):
        floor = np.array([[[-9, -9, 0], [9, -9, 0], [9, 9, 0]],
                          [[-9, -9, 0], [9, 9, 0], [-9, 9, 0]]]) + [0, 0, -0.3]
        surface = surface_of(floor)
        for low, high in (([-1, -1, -1], [1, 1, 1]), ([-3, 2, -1], [0.5, 4, 1])):
            pieces = surface.pieces(0, np.array(low, float), np.array(high, float))
            np.testing.assert_allclose(pieces[..., 2], -0.3)
            area = (high[0] - low[0]) * (high[1] - low[1])
            normals = scene.normals_of(pieces)
            np.testing.assert_allclose(normals.sum(axis=0), [0, 0, 2 * area], atol=1e-12)
            self.assertTrue((normals[:, 2] >= 0).all())
        self.assertEqual(len(surface.pieces(0, np.ones(3), 2 * np.ones(3))), 0)

    def test_surfaces_belong_to_their_contacts(self):
        points = np.array([[0, 0], [1, 0], [0, 2], [1, 2], [1, 2], [2, 2.0]])
        surfaces = scene.surfaces_of(points, np.array([1, 3, 3]), np.array([0.5]),
                                     {"displacement-1": np.array([[1.0, 1, 0]]),
                                      "displacement-3": np.array([[3.0, 3, 0]])}.get)
        self.assertEqual(sorted(surfaces), [1, 3])
        self.assertEqual(len(surfaces[3].simplices), 2)
        self.assertEqual(surfaces[3].displacements[surfaces[3].nearest(0.5)].tolist(), [3, 3])

    def test_a_surface_turns_with_its_motion(self):
        quarter = np.array([0.0, -1, 0, 1, 0, 0, 0, 0, 1])
        surfaces = scene.surfaces_of(np.array([[-1.0, 0], [1, 0]]), np.array([0]), np.array([0, 1]),
                                     {"displacement-0": np.array([[0.0, 0, 0], [2, 0, 0]]),
                                      "rotation-0": np.stack([np.eye(3).ravel(), quarter])}.get)
        np.testing.assert_allclose(surfaces[0].normal(1), [-1, 0], atol=1e-15)
        np.testing.assert_allclose(surfaces[0].box(1), [[2, -1], [2, 1]], atol=1e-15)
        line, = surfaces[0].pieces(1, np.array([0, -0.5]), np.array([3, 9.0]))
        np.testing.assert_allclose(line, [[2, -0.5], [2, 1]], atol=1e-15)


if __name__ == "__main__":
    unittest.main()
