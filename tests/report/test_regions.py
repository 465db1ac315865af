"""percussion-report --mesh: pictures of meshes and regions before any run, and the run that follows.

Leaves the page of bracket.step, a drawing in millimetres of an angle of 60 x 40 x 50 with a hole of
radius 8, in report-of-a-mesh/bracket of the build folder.
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np
from PIL import Image

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
FOLDER = os.path.join(BUILD, "report-of-a-mesh")
sys.path.insert(0, os.path.join(BUILD, "python"))

from percussion_report import case_mesh, files, labels, regions, solid_regions  # noqa: E402

# Neither has what a run needs: a material, a contact, a step.
BRACKET = f"""subsection Mesh
  set File = {SOURCE}/meshes/bracket.step
  set Size = 6e-3
  set Unit = 1e-3
end
subsection Regions
  subsection tip
    set Where = x > 59.9e-3
  end
end
subsection Output
  set Units = kg m s
end
"""
PLATE = f"""subsection Mesh
  set File = {SOURCE}/meshes/block_q4.msh
end
subsection Regions
  subsection right half
    set Cells = x > 1
  end
  subsection side
    set Where = nx > 0.9
  end
end
"""


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    for name, text in ("bracket", BRACKET), ("plate", PLATE):
        with open(f"{FOLDER}/{name}.prm", "w", encoding="utf-8") as stream:
            stream.write(text)


def start(*arguments, program="percussion-report"):
    return subprocess.run([os.path.join(BUILD, program), *arguments], cwd=FOLDER, text=True,
                          capture_output=True, check=False)


def mesh_of(name):
    return case_mesh.read_case_mesh(f"{FOLDER}/{name}.prm", [], os.path.join(BUILD, "percussion"))


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


class Content(unittest.TestCase):
    def test_faces_of_a_drawing_close_its_surface(self):
        mesh = mesh_of("bracket")
        self.assertEqual(mesh.dim, 3)
        faces = [region for region in mesh.of_dimension(2) if region.name.startswith("face")]
        self.assertEqual(len(faces), 9)
        # Areas times normals of a closed surface add up to zero.
        closed = sum(region.measure * np.array(region.normal) for region in faces)
        np.testing.assert_allclose(closed, 0, atol=1e-15)
        hole = 10 * (600 + 400 - np.pi * 64) * 1e-9  # the foot and, 10 thick, the wall
        volume = sum(region.measure for region in mesh.of_dimension(3))
        self.assertAlmostEqual(volume, 60e-3 * 40e-3 * 10e-3 + 10e-3 * 40e-3 * 40e-3 - np.pi * 64e-6 * 10e-3,
                               delta=0.02 * hole)
        tip = next(region for region in mesh.regions if region.name == "tip")
        self.assertAlmostEqual(tip.measure, 40e-3 * 10e-3, delta=1e-12)
        np.testing.assert_allclose(tip.normal, [1, 0, 0], atol=1e-12)
        np.testing.assert_allclose(tip.centre, [60e-3, 20e-3, 5e-3], atol=1e-9)

    def test_cells_and_faces_in_the_order_of_vtk(self):
        mesh = mesh_of("plate")
        sides = mesh.points[mesh.bodies.corners].reshape(-1, 4, 2)
        x, y = np.moveaxis(sides, 2, 0)
        areas = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1) / 2
        self.assertAlmostEqual(areas.sum(), 2)
        half = next(region for region in mesh.regions if region.name == "right half")
        self.assertAlmostEqual(areas[half.cells].sum(), half.measure)
        self.assertTrue((x[half.cells].mean(axis=1) > 1).all())
        side = next(region for region in mesh.regions if region.name == "side")
        np.testing.assert_array_equal(mesh.points[side.faces][..., 0], 2)

    def test_hexahedra(self):
        with open(f"{FOLDER}/cube.geo", "w", encoding="utf-8") as stream:
            stream.write("""Point(1) = {0, 0, 0}; Point(2) = {2, 0, 0};
Point(3) = {2, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Transfinite Curve{1:4} = 3;
Curve Loop(1) = {1:4}; Plane Surface(1) = {1}; Transfinite Surface{1}; Recombine Surface{1};
out[] = Extrude {0, 0, 3} { Surface{1}; Layers{2}; Recombine; };
Physical Volume("cube") = {out[1]}; Physical Surface("bottom") = {1};
""")
        with open(f"{FOLDER}/cube.prm", "w", encoding="utf-8") as stream:
            stream.write("subsection Mesh\n  set File = cube.geo\nend\n")
        mesh = mesh_of("cube")
        surface = mesh.surface()
        self.assertAlmostEqual(surface.volumes.sum(), 6)
        owner = solid_regions.region_of_faces(mesh, surface.faces)
        np.testing.assert_array_equal(mesh.points[surface.faces[owner == 0]][..., 2], 0)
        self.assertEqual((owner == 0).sum(), 4)


class Placement(unittest.TestCase):
    def test_names_are_whole_and_apart(self):
        crowd = [labels.Label(f"face {i}", np.array([100.0 + 4 * i, 60.0 + i % 3]), "red",
                              np.array([0.0, 1.0]) if i % 2 else np.zeros(2)) for i in range(14)]
        centres, sizes = labels.placed(crowd, 300, 200), np.array([label.size for label in crowd])
        low, high = centres - sizes / 2, centres + sizes / 2
        self.assertTrue((low >= -1e-9).all() and (high <= np.array([300, 200]) + 1e-9).all())
        for i in range(14):
            for j in range(i):
                overlap = np.minimum(high[i], high[j]) - np.maximum(low[i], low[j])
                self.assertLessEqual(overlap.min(), 1e-9, (i, j))


class Pictures(unittest.TestCase):
    def test_each_face_of_a_solid_has_its_colour_and_its_name(self):
        mesh = mesh_of("bracket")
        figure, unseen = solid_regions.solid_picture(mesh)
        self.assertEqual(unseen, ["face 8"])  # the tip has its colour
        names = texts(figure)
        for region in mesh.of_dimension(2):
            self.assertEqual(region.name in names, region.name != "face 8")
        for letter in "xyz":
            self.assertEqual(names.count(letter), 2)
        outcome = start("--mesh", "bracket.prm", "--pictures", "bracket")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        pixels = np.asarray(Image.open(f"{FOLDER}/bracket/mesh.png").convert("RGB")).reshape(-1, 3) / 255
        pixels = pixels[np.ptp(pixels, axis=1) > 0.15]
        hues = np.unique(np.round(pixels / pixels.max(axis=1)[:, None], 1), axis=0, return_counts=True)[1]
        self.assertGreater((hues > 300).sum(), 8)

    def test_regions_of_a_plane_mesh(self):
        figure, _ = regions.plane_picture(mesh_of("plate"))
        names = texts(figure)
        for name in ("right half", "side", "bottom"):
            self.assertIn(name, names)
        self.assertEqual([figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()], ["x", "y"])

    def test_the_page_lists_the_regions(self):
        outcome = start("--mesh", "bracket.prm", "--set", "Mesh/Size=0.01", "--pictures", "coarse",
                        "--format", "svg")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/coarse/index.html", encoding="utf-8") as stream:
            page = stream.read()
        for words in ("face 9", "tip", "0.06, 0.02, 0.005", "0.06 × 0.04 × 0.05 m", "tetrahedra"):
            self.assertIn(words, page)
        self.assertNotIn("<script", page)
        self.assertLess(len(page), 1e6)
        self.assertTrue(os.path.exists(f"{FOLDER}/coarse/mesh.svg"))
        cells = int(re.search(r"([\d,]+) tetrahedra", page)[1].replace(",", ""))
        self.assertLess(cells, mesh_of("bracket").shapes[0][1])

    def test_names_are_escaped(self):
        name = "<script>alert(1)<&script>\"'"
        with open(f"{FOLDER}/{name}.prm", "w", encoding="utf-8") as stream:
            stream.write(PLATE.replace("subsection side", f"subsection {name}"))
        outcome = start("--mesh", f"{name}.prm", "--pictures", "escaped")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/escaped/index.html", encoding="utf-8") as stream:
            page = stream.read()
        self.assertEqual(page.count("<script"), 0)
        for words in (f"<h1>Mesh of {name}</h1>", f'data-name="region">{name}</td>'):
            self.assertIn(words, html.unescape(page))


class Impact(unittest.TestCase):
    """From a drawing to the force of an impact, as a new user does it: the ball hits the foot of the angle,
    whose wall is held."""

    CASE = BRACKET.replace("tip", "foot").replace("x > 59.9e-3", "x > 12e-3 && nz > 0.9 && z < 0.02").replace(
        "set Units = kg m s", "set Units = kg m s\n  set Number of instants = 8") + """subsection Regions
  subsection wall
    set Where = nx < -0.9
  end
end
subsection Material
  set Density       = 2700
  set Young modulus = 70e9
  set Poisson ratio = 0.33
end
subsection Rigid bodies
  subsection ball
    set Shape            = sphere
    set Radius           = 20e-3
    set Mass             = 0.02
    set Position         = 52e-3, 20e-3, 30.05e-3
    set Initial velocity = 0, 0, -1
  end
end
subsection Boundary conditions
  subsection wall
    set Velocity x = 0
    set Velocity y = 0
    set Velocity z = 0
  end
end
subsection Contact
  subsection hit
    set Region      = foot
    set Surface     = rigid bodies
    set Against     = ball
    set Restitution = 0
  end
end
subsection Probes
  subsection hit
    set Kind    = force
    set Contact = hit
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End    = 6e-4
  set Step   = 2e-6
end
"""

    def test_the_force_turns_the_ball_round(self):
        with open(f"{FOLDER}/impact.prm", "w", encoding="utf-8") as stream:
            stream.write(self.CASE)
        outcome = start("impact.prm", "--output", "impact", program="percussion")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        run = files.Run(f"{FOLDER}/impact")
        time, force = run.probes["time"], np.nan_to_num(run.probes["hit.force_z"])
        impulse = -(force[1:] * np.diff(time)).sum()  # of the foot on the ball
        self.assertGreater(impulse, 0.02 * 1.0)  # more than stops the ball
        self.assertAlmostEqual(0.02 * (run.motions["ball.vz"][-1] + 1), impulse, places=12)
        self.assertLess(run.summary["extremes"]["balance_residual_max"], 1e-15)
        outcome = start("impact", "--no-animation", "--pictures", "hit")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertIn("hit/probe-hit.png", outcome.stdout)


class BadInput(unittest.TestCase):
    def refused(self, words, *arguments):
        outcome = start(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome.stderr)
        self.assertIn(words, outcome.stderr)
        self.assertNotIn("Traceback", outcome.stderr)

    def test_messages(self):
        for name, text, words in (
                ("absent", "subsection Mesh\n set File = absent.msh\nend\n", "absent.msh"),
                ("rigid", "subsection Mesh\nend\n", "Mesh/File is empty: the case has no mesh"),
                ("nowhere", PLATE.replace("nx > 0.9", "nx > 9"), "no face of the boundary satisfies"),
                ("misspelt", PLATE.replace("set File", "set Fil"), "Fil")):
            with open(f"{FOLDER}/{name}.prm", "w", encoding="utf-8") as stream:
                stream.write(text)
            self.refused(words, "--mesh", f"{name}.prm")
        self.refused("nothing.prm", "--mesh", "nothing.prm")
        self.refused("either OUTPUT", "run", "--mesh", "plate.prm")
        self.refused("either OUTPUT")
        self.refused("--set goes with --mesh", "run", "--set", "Mesh/Size=1")

    def test_the_printed_mesh_is_json(self):
        outcome = start("plate.prm", "--print-mesh", program="percussion")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        data = json.loads(outcome.stdout)
        self.assertEqual([mesh["shape"] for mesh in data["meshes"]], ["quadrilaterals"])


if __name__ == "__main__":
    unittest.main()
