"""Pictures of solids by VTK compared with the painter's, and the painter without VTK.

Tests by VTK are skipped without its Python module or Xvfb.
"""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

import numpy as np
from PIL import Image

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
FOLDER = os.path.join(BUILD, "report-in-3d")
sys.path.insert(0, os.path.join(BUILD, "python"))

import matplotlib  # noqa: E402
from percussion_report import command_line, files, program, renderer, scene, solids  # noqa: E402

HAS_VTK = importlib.util.find_spec("vtkmodules") is not None and shutil.which("Xvfb") is not None
needs_vtk = unittest.skipUnless(HAS_VTK, "Python's module of VTK (python3-vtk9) or Xvfb (xvfb) is missing")

WIDTH, HEIGHT, SCALE = 320, 240, 50.0  # pixels, pixels of a length
RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)
AXES = scene.camera({}, [np.array([[0, 0, 0], [1, 1, 1.0]])])
CORNERS = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
FACES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
VIRIDIS = matplotlib.colormaps["viridis"]


def in_pixels(points):
    return (points @ AXES.T) * SCALE + [WIDTH / 2, HEIGHT / 2, 0]


def cube(size, centre, colour=RED, **options):
    """Returns a cube as a layer, around a point given along the axes of the view."""
    corners = size * (CORNERS - 0.5) + np.asarray(centre) @ AXES
    quads = corners[FACES]
    return solids.Layer(np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), colour, **options)


def drawn(draw, *layers):
    return draw(layers, in_pixels, AXES, WIDTH, HEIGHT, VIRIDIS)


def is_running(process):
    """True if a process exists and has not ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def pixels_of(image, channel):
    """Returns rows and columns of the pixels in which this channel prevails over the other one."""
    return np.nonzero((image[..., channel] > image[..., 2 - channel] + 0.2) & (image[..., 3] > 0.5))


@needs_vtk
class ByVtk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.draw = renderer.Renderer("vtk")
        cls.addClassCleanup(cls.draw.close)

    def both(self, *layers):
        return drawn(solids.picture, *layers), drawn(self.draw, *layers)

    def test_points_are_projected_as_by_the_painter(self):
        for centre in ([0, 0, 0], [-2, 1.2, 3], [2.2, -1.5, -4]):
            layer = cube(0.7, centre)
            expected = in_pixels(layer.corners).reshape(-1, 3)
            for image, depth in self.both(layer):
                rows, columns = pixels_of(image, 0)
                for found, axis in ((columns, 0), (rows, 1)):
                    self.assertAlmostEqual(found.min(), expected[:, axis].min(), delta=1.5)
                    self.assertAlmostEqual(found.max() + 1, expected[:, axis].max(), delta=1.5)
                self.assertAlmostEqual(depth.max(), expected[:, 2].max(), delta=1.0)

    def test_the_nearer_cube_hides_the_farther_one_in_any_order(self):
        near, far = cube(2, [0, 0, 3]), cube(1, [0, 0, -3], BLUE)
        for layers in ((near, far), (far, near)):
            for image, _ in self.both(*layers):
                self.assertGreater(len(pixels_of(image, 0)[0]), 5000)
                self.assertEqual(len(pixels_of(image, 2)[0]), 0)
        beside = cube(1, [2, 0, -3], BLUE)
        for image, _ in self.both(near, beside):
            self.assertGreater(len(pixels_of(image, 2)[0]), 1000)

    def test_colours_light_and_depth_agree(self):
        x = cube(3, [0, 0, 0]).corners @ AXES[0]
        values = (x - x.min()) / np.ptp(x)
        for options in ({}, {"values": 1.2 * values - 0.1}, {"excess": values - 0.6},
                        {"values": values, "normals": AXES[2]}):
            (one, depth), (two, other) = self.both(cube(3, [0, 0, 0], **options))
            inside = (one[..., 3] == 1) & (two[..., 3] == 1)
            self.assertGreater(inside.sum(), 15000)
            self.assertLess(abs(one[..., 3] - two[..., 3]).sum(), 0.02 * inside.sum())
            self.assertLess(np.quantile(abs(one - two)[inside], 0.98), 0.02)
            self.assertLess(np.quantile(abs(depth[inside] - other[inside]), 0.98), 2.0)

    def test_edges_are_dark_on_the_visible_side(self):
        edges = np.concatenate([np.tile([True, True, False], (6, 1)), np.tile([False, True, True], (6, 1))])
        layer = cube(3, [0, 0, 0], edges=edges)
        shares = [(image[..., 0] < 0.5)[image[..., 3] == 1].mean() for image, _ in self.both(layer)]
        plain = [(image[..., 0] < 0.5)[image[..., 3] == 1].mean() for image, _ in self.both(cube(3, [0, 0, 0]))]
        self.assertEqual(plain, [0, 0])
        for share in shares:
            self.assertTrue(0.01 < share < 0.06, shares)

    def test_equal_scenes_give_equal_pictures(self):
        layer = cube(2, [0.3, 0.2, 0])
        one = drawn(self.draw, layer)
        drawn(self.draw, cube(1, [1, 1, 1], BLUE))
        with renderer.Renderer("vtk") as fresh:
            for two in (drawn(self.draw, layer), drawn(fresh, layer)):
                for first, second in zip(one, two):
                    np.testing.assert_array_equal(first, second)


class Fallback(unittest.TestCase):
    def setUp(self):
        self.layer = cube(2, [0.3, 0.2, 0])
        self.expected = drawn(solids.picture, self.layer)

    def is_painted(self, draw):
        return all(np.array_equal(*pair) for pair in zip(drawn(draw, self.layer), self.expected))

    def test_without_the_module(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            self.assertTrue(self.is_painted(renderer.Renderer()))
            with self.assertRaisesRegex(command_line.OutputError, "python3-vtk9.*no module vtkmodules"):
                drawn(renderer.Renderer("vtk"), self.layer)

    def test_by_choice(self):
        with mock.patch("subprocess.Popen", side_effect=AssertionError):
            self.assertTrue(self.is_painted(renderer.Renderer("painter")))

    def test_a_process_that_ends_at_once(self):
        with mock.patch("importlib.util.find_spec"), mock.patch("sys.executable", "/bin/false"):
            self.assertTrue(self.is_painted(renderer.Renderer()))
            with self.assertRaisesRegex(command_line.OutputError, r"xvfb \(.{8,}\)"):
                drawn(renderer.Renderer("vtk"), self.layer)

    def test_a_process_that_hangs(self):
        hangs = os.path.join(FOLDER, "hangs")
        with open(hangs, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\nexec sleep 600\n")
        os.chmod(hangs, 0o755)
        with mock.patch("importlib.util.find_spec"), mock.patch("sys.executable", hangs), \
                mock.patch.object(renderer, "TIME_LIMIT", 0.3):
            draw = renderer.Renderer()
            self.assertTrue(self.is_painted(draw))
            self.assertIsNone(draw.process)

    @needs_vtk
    def test_a_killed_process_leaves_no_display(self):
        draw = renderer.Renderer("vtk")
        drawn(draw, self.layer)
        with open(f"/proc/{draw.process.pid}/task/{draw.process.pid}/children", encoding="utf-8") as stream:
            (server,) = stream.read().split()
        draw.process.kill()
        draw.close()
        end = time.monotonic() + 20
        while is_running(server) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertFalse(is_running(server))

    @needs_vtk
    def test_a_process_that_dies_between_pictures(self):
        with renderer.Renderer() as draw:
            self.assertFalse(self.is_painted(draw))
            os.kill(draw.process.pid, signal.SIGKILL)
            self.assertTrue(self.is_painted(draw))
            self.assertTrue(self.is_painted(draw))


def frames_in(folder):
    frames = os.path.join(folder, "frames")
    return [np.asarray(Image.open(os.path.join(frames, name)).convert("L"), float)
            for name in sorted(os.listdir(frames))]


def animation(name, scenes):
    """Draws the animation of the run into a folder; returns its frames."""
    options = program.read_options([f"{FOLDER}/top", "--frames", "2", "--scenes", scenes], "0")
    with renderer.Renderer(options.scenes) as options.render:
        program.animation([files.Run(f"{FOLDER}/top")], options, os.path.join(FOLDER, name))
    return frames_in(os.path.join(FOLDER, name))


class Animation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.painted = animation("painted", "painter")

    def test_without_a_display_the_painter_draws(self):
        with mock.patch.dict(os.environ, PATH="/nowhere", DISPLAY=""):
            np.testing.assert_array_equal(animation("no_display", "auto"), self.painted)

    @needs_vtk
    def test_frames_agree_with_the_painter_and_repeat_in_a_small_page(self):
        frames = animation("vtk", "vtk")
        self.assertEqual(len(frames), len(self.painted))
        for one, two in zip(frames, self.painted):
            difference = abs(one - two)
            self.assertGreater(difference.max(), 0)
            self.assertLess(difference.mean(), 1.0)
            self.assertLess((difference > 64).mean(), 0.01)
        outcome = subprocess.run([f"{BUILD}/percussion-report", "top", "--frames", "2"], cwd=FOLDER, text=True,
                                 capture_output=True, check=True)
        self.assertEqual(outcome.stderr, "")
        np.testing.assert_array_equal(frames_in(f"{FOLDER}/top/report"), frames)
        with open(f"{FOLDER}/top/report/index.html", encoding="utf-8") as stream:
            page = stream.read()
        self.assertLess(len(page), 3e6)
        self.assertEqual(len(re.findall(r'"data:image/webp;base64,([^"]+)"\]', page)), len(frames))


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    subprocess.run([f"{BUILD}/percussion", f"{SOURCE}/params/spinning_top.prm", "--output", "top", "--set",
                    "Time/End=0.002", "--set", "Output/Number of instants=4"],
                   cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
