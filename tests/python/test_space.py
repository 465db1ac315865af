"""The module percussion for cases in 3D."""

import unittest

import numpy as np

import percussion
from support import FolderTest, application, shipped

BOX = """
subsection Rigid bodies
  subsection box
    set Shape = box
    set Size = 1, 2, 3
    set Density = 1
    set Position = 0, 0, 5
    set Initial velocity = 1, 0, 0
    set Initial angular velocity = 0, 0, 0.5
  end
end
subsection Time
  set End = 1
end
"""

HELD = "".join(f"\n set {kind} {axis} = 0" for kind in ("Velocity", "Angular velocity")
               for axis in "xyz")
SHAPES = {
    "small": "Size = 0.4, 0.4, 0.4\n set Position = 0.5, 0.5, 1.2",
    "large": "Size = 2, 2, 1\n set Position = 0, 0, 0.5" + HELD,
}


def boxes(*names):
    """Returns a case with a small box on a held, large one, in this order."""
    bodies = "".join(f"subsection {name}\n set Shape = box\n set Density = 1\n set {SHAPES[name]}\n"
                     "end\n" for name in names)
    return f"""
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Rigid bodies
{bodies}end
subsection Contact
  subsection mutual
    set Bodies  = all
    set Surface = rigid bodies
    set Friction coefficient = 0.5
  end
end
subsection Time
  set End  = 1
  set Step = 1e-3
end
"""


class Space(FolderTest):
    PARAMETERS = {"Time/End": 0.004, "Output/Number of instants": 2}

    def test_the_files_are_those_of_the_application(self):
        status, said = application(
            shipped("box_slide.prm"), self.PARAMETERS, self.folder / "application")
        self.assertEqual(status, 0, said)
        summary = percussion.Case(
            shipped("box_slide.prm"), self.PARAMETERS, self.folder / "python").solve()
        self.assertEqual((summary.status, summary.steps), ("completed", 8))
        self.assert_same_results(
            self.folder / "python", self.folder / "application", {"parameters.prm"})

    def test_a_body_of_hexahedra(self):
        case = percussion.Case(shipped("box_slide.prm"), self.PARAMETERS)
        mesh = case.mesh
        self.assertIsInstance(case, percussion.Case)
        self.assertIsInstance(mesh, percussion.Mesh)
        self.assertEqual(mesh.nodes.shape[1], 3)
        np.testing.assert_array_equal(mesh.nodes.max(axis=0) - mesh.nodes.min(axis=0), [40, 15, 25])
        edges = mesh.nodes[mesh.cells]
        volumes = np.linalg.det(np.stack(
            [edges[:, 1] - edges[:, 0], edges[:, 3] - edges[:, 0], edges[:, 4] - edges[:, 0]], 1))
        self.assertAlmostEqual(volumes.sum(), 40 * 15 * 25)
        self.assertGreater(volumes.min(), 0)  # right-handed cells
        corners = mesh.nodes[mesh.triangles()]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
        self.assertAlmostEqual(np.linalg.norm(normals, axis=1).sum(),
                               2 * (40 * 15 + 40 * 25 + 15 * 25))
        self.assertAlmostEqual((normals * corners.mean(axis=1)).sum() / 3, 40 * 15 * 25)  # outward
        ground = mesh.nodes[mesh.regions["ground contact"]]
        self.assertEqual(np.ptp(ground[:, 2]), 0)

    def test_contacts_and_ledger(self):
        case = percussion.Case(shipped("box_slide.prm"), self.PARAMETERS)
        run = case.run(write=False)
        displacement = run.state.displacement
        self.assertEqual(displacement.shape, case.mesh.nodes.shape)
        for record in run:
            self.assertLess(abs(record.balance_residual), 1e-12 * abs(record.energy))
        contacts = run.contacts
        self.assertEqual(contacts.percussion.shape, (len(contacts), 3))
        frames = contacts.frame()
        np.testing.assert_allclose(
            np.einsum("nij,nkj->nik", frames, frames), np.broadcast_to(np.eye(3), frames.shape),
            atol=1e-15)
        np.testing.assert_array_equal(frames[:, 0], contacts.normal)
        np.testing.assert_allclose(
            contacts.position, contacts.initial_position + displacement[contacts.node], atol=1e-15)
        tangential = np.linalg.norm(contacts.percussion[:, 1:], axis=1)
        bound = contacts.friction * contacts.percussion[:, 0]
        self.assertTrue((tangential <= bound + 1e-9 * bound.max()).all())
        slips = contacts.status == percussion.SLIP
        np.testing.assert_allclose(tangential[slips], bound[slips], rtol=1e-6)
        self.assertGreater(contacts.percussion[:, 0].sum(), 0)
        self.assertEqual(run.cell_stress().shape, (len(case.mesh.cells), 6))
        self.assertEqual(run.ledger["total"][-1], record.energy)

    def test_a_rigid_body(self):
        case = percussion.Case.from_text(BOX, {"Output/Directory": str(self.folder / "none")})
        self.assertIsNone(case.mesh)
        run = case.run(write=False)
        np.testing.assert_array_equal(run.rigid_bodies.velocity, [[1, 0, 0, 0, 0, 0.5]])
        for _ in run:
            pass
        (pose,) = run.rigid_bodies.pose()
        np.testing.assert_allclose(pose[:3], [1, 0, 5], atol=1e-12)
        np.testing.assert_allclose(pose[3:], [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-6)
        outline = run.rigid_bodies.outline(0)
        self.assertEqual(outline.shape, (8, 3))
        np.testing.assert_allclose(outline.mean(axis=0), pose[:3], atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(outline - pose[:3], axis=1), 3.5 ** 0.5)

    def test_a_small_box_touches_at_its_corners(self):
        corners = [[x, y, 1] for x in (0.3, 0.7) for y in (0.3, 0.7)]
        for names in (("large", "small"), ("small", "large")):
            case = percussion.Case.from_text(
                boxes(*names), {"Output/Directory": str(self.folder / "none")})
            run = case.run(write=False)
            run.step()
            contacts = run.contacts
            order = np.lexsort(contacts.position.round(6).T[::-1])
            np.testing.assert_allclose(contacts.position[order], corners, atol=1e-12)
            np.testing.assert_allclose(contacts.initial_position[order], corners, atol=1e-3)
            self.assertEqual(run.rigid_bodies.names, list(names))
            np.testing.assert_array_equal(contacts.body, 0)


if __name__ == "__main__":
    unittest.main()
