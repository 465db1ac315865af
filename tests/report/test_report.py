"""percussion-report as used by users: its pictures of runs, and its messages for wrong input.

Leaves the run hello_drop in report-of-a-run/run of the build folder, and its report in one.
"""

import base64
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import types
import unittest

import numpy as np
from PIL import Image

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
FOLDER = os.path.join(BUILD, "report-of-a-run")
sys.path.insert(0, os.path.join(BUILD, "python"))

from percussion_report import by_contact, charts, files, mesh, program, scene, statuses  # noqa: E402

CHARTS = ["energy", "balance", "works", "dissipation", "energy_step", "tangential_work", "contacts",
          "penetration", "contact_law", "forces", "statuses", "percussions", "contact_velocity",
          "mesh"]


def start(program, *arguments):
    return subprocess.run([os.path.join(BUILD, program), *arguments], cwd=FOLDER, text=True,
                          capture_output=True, check=False)


def run_case(name, text):
    """Runs a case given as text, and returns its folder."""
    case = os.path.join(FOLDER, f"{name}.prm")
    with open(case, "w", encoding="utf-8") as stream:
        stream.write(text)
    outcome = start("percussion", case, "--output", name)
    assert outcome.returncode == 0, outcome.stderr
    return os.path.join(FOLDER, name)


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    run_case("run", f"include {SOURCE}/params/hello_drop.prm\n"
             f"subsection Mesh\n set File = {SOURCE}/meshes/block_q4.msh\nend\n"
             "subsection Output\n set Number of instants = 20\nend\n")


def content(file):
    """Returns width, height, and the number of pixels of each colour."""
    image = Image.open(file).convert("RGB")
    colours, counts = np.unique(np.asarray(image).reshape(-1, 3), axis=0, return_counts=True)
    return *image.size, {tuple(colour): n for colour, n in zip(colours.tolist(), counts)}


class Program(unittest.TestCase):
    """Files that the program writes."""

    @classmethod
    def setUpClass(cls):
        for name in ("one", "two"):
            cls.outcome = start("percussion-report", "run", "--frames", "4", "--pictures", name)
            assert cls.outcome.returncode == 0, cls.outcome.stderr

    def test_equal_input_gives_equal_bytes(self):
        told = self.outcome.stdout.split()
        names = [f"{name}.png" for name in [*CHARTS, "snapshot-0"]]
        for name in [*names, "animation.gif", "index.html", "frames/frame-003.png"]:
            with open(f"{FOLDER}/one/{name}", "rb") as one, open(f"{FOLDER}/two/{name}", "rb") as two:
                self.assertEqual(one.read(), two.read(), name)
            self.assertTrue(name.startswith("frames") or f"two/{name}" in told, name)
        self.assertEqual(len(os.listdir(f"{FOLDER}/one/frames")), 4)

    def test_the_page_is_one_small_file_with_all_pictures(self):
        with open(f"{FOLDER}/one/index.html", encoding="utf-8") as stream:
            page = stream.read()
        self.assertLess(len(page), 3e6)
        self.assertNotRegex(page, r'(src|href)="(?!data:|#)')
        images = re.findall(r'<img alt="[^"]+" src="data:image/webp;base64,([^"]+)"', page)
        self.assertEqual(len(images), 2 + 4 + 1)  # mesh, statuses, snapshots, the first picture
        frames = re.findall(r'"data:image/webp;base64,([^"]+)"\]', page)
        self.assertEqual(len(frames), 4)
        for data in images + frames:
            self.assertEqual(Image.open(io.BytesIO(base64.b64decode(data))).format, "WEBP")
        run = files.Run(f"{FOLDER}/run")
        drawn = [*(chart([run]) for chart in charts.ALL), *by_contact.by_contact([run])]
        self.assertEqual(page.count('<div class="panel">'),
                         sum(len(picture.figure.axes) for picture in drawn if picture))
        for name in CHARTS:
            self.assertIn(f'<figure id="picture-{name}"', page)
        for words in ('name="viewport"', "@media print", "break-inside: avoid", "Completed; energy closes to ",
                      "total energy at the start", "Material/Young modulus = "):
            self.assertIn(words, page)
        self.assertEqual(page.count("<figure"), page.count("</figure>"))

    def test_the_animation_moves(self):
        with Image.open(f"{FOLDER}/one/animation.gif") as image:
            self.assertEqual(image.n_frames, 4)
            seen = []
            for i in range(4):
                image.seek(i)
                seen.append(image.convert("RGB").tobytes())
        self.assertEqual(len(set(seen)), 4)

    def test_snapshots_show_bodies_ground_and_arrows(self):
        outcome = start("percussion-report", "run", "--no-animation", "--time", "0.26", "--pictures",
                        "shown")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        width, height, colours = content(f"{FOLDER}/shown/snapshot-0.png")
        self.assertGreater(colours[255, 255, 255], 0.2 * width * height)

        def near(*colour):
            return sum(n for c, n in colours.items() if max(abs(np.subtract(c, colour))) < 8)

        self.assertGreater(near(224, 224, 224), 5000)  # ground
        self.assertGreater(near(214, 94, 0), 2000)  # arrows
        # High stress; the highest is that of one node.
        self.assertGreater(sum(n for c, n in colours.items() if c[1] > 205 and c[2] < 60), 500)
        self.assertFalse(os.path.exists(f"{FOLDER}/shown/snapshot-1.png"))

    def test_vector_formats_for_papers(self):
        outcome = start("percussion-report", "run", "--no-animation", "--time", "0.26", "--format",
                        "pdf,svg", "--pictures", "vector")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for name in [*CHARTS, "snapshot-0"]:
            with open(f"{FOLDER}/vector/{name}.pdf", "rb") as stream:
                self.assertEqual(stream.read(5), b"%PDF-", name)
            with open(f"{FOLDER}/vector/{name}.svg", encoding="utf-8") as stream:
                self.assertIn("<svg", stream.read(2000), name)
            for kind in ("png", "pdf", "svg"):
                self.assertIn(f"vector/{name}.{kind}", outcome.stdout.split())

    def test_without_titles(self):
        for number, more in enumerate(([], ["--plain"])):
            outcome = start("percussion-report", "run", "--no-animation", "--time", "0.26",
                            "--pictures", f"titles{number}", *more)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
        _, titled, _ = content(f"{FOLDER}/titles0/energy.png")
        _, plain, _ = content(f"{FOLDER}/titles1/energy.png")
        with open(f"{FOLDER}/titles1/index.html", encoding="utf-8") as stream:
            self.assertNotIn("<script", stream.read())
        self.assertAlmostEqual((titled - plain) / 190, 2 * 0.3, delta=0.02)  # two titles, in inches

    def test_snapshots_in_one_picture(self):
        outcome = start("percussion-report", "run", "--no-animation", "--time", "0,0.26", "0.5",
                        "--together", "--pictures", "together")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        shown = [name for name in os.listdir(f"{FOLDER}/together") if name.startswith("snapshot")]
        self.assertEqual(shown, ["snapshot-positions.png"])

    def test_several_runs(self):
        outcome = start("percussion-report", "run", "run", "--label", "a", "--label", "b", "--time",
                        "0", "--no-animation", "--pictures", "overlay")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for name in ("total_energy.png", "snapshot-0-0.png", "snapshot-1-0.png"):
            self.assertTrue(os.path.exists(f"{FOLDER}/overlay/{name}"), name)
        self.assertFalse(os.path.exists(f"{FOLDER}/overlay/animation.gif"))

    def test_a_comparison_of_solvers(self):
        os.makedirs(f"{FOLDER}/solvers", exist_ok=True)
        with open(f"{FOLDER}/solvers/profile.csv", "w", encoding="utf-8") as stream:
            stream.write("tau,nsgs,newton\n1,0.25,0.75\n2,0.5,1\n64,1,1\n")
        outcome = start("percussion-report", "solvers")
        self.assertEqual((outcome.returncode, outcome.stdout), (0, "solvers/profile.png\n"),
                         outcome.stderr)
        colours = content(f"{FOLDER}/solvers/profile.png")[2]
        for colour in ((0, 114, 178), (213, 94, 0)):
            self.assertGreater(sum(n for c, n in colours.items()
                                   if max(abs(np.subtract(c, colour))) < 8), 500)

    def test_the_figure_of_the_documentation(self):
        outcome = subprocess.run(
            [sys.executable, f"{SOURCE}/doc/examples/figure.py", f"{FOLDER}/run"], cwd=FOLDER,
            capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": f"{BUILD}/python"})
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for name in ("energy.pdf", "block.pdf"):
            self.assertGreater(os.path.getsize(f"{FOLDER}/{name}"), 5000, name)


class Charts(unittest.TestCase):
    """Charts that are drawn, and charts that are omitted."""

    def chart(self, function, folder="run"):
        return function([files.Run(f"{FOLDER}/{folder}")])

    def ball(self):
        """Returns the run of the bouncing ball."""
        if not os.path.exists(f"{FOLDER}/ball"):
            run_case("ball", f"include {SOURCE}/params/bouncing_ball.prm\n")
        return files.Run(f"{FOLDER}/ball")

    def test_round_off_is_written_and_not_drawn(self):
        picture = self.chart(charts.tangential_work)
        upper, lower = picture.figure.axes
        self.assertEqual([text.get_text() for text in upper.texts], ["round-off"])
        self.assertEqual((len(upper.lines), len(lower.lines)), (0, 1))
        self.assertIn("round-off", self.chart(charts.works).caption)

    def test_logarithmic_axes_have_ten_decades_at_most(self):
        run = files.Run(f"{FOLDER}/run")
        run.table["tangential_work_max"] = np.geomspace(1e-30, 1, len(run.table["time"]))
        lower = charts.works([run]).figure.axes[1]
        low, high = lower.get_ylim()
        self.assertEqual(lower.get_yscale(), "log")
        self.assertLessEqual(high / low, 1.001e10)

    def test_short_times_are_in_milliseconds(self):
        run = files.Run(f"{FOLDER}/run")
        for factor, label in ((1, "time (s)"), (1e-2, "time (ms)"), (1e-5, "time (µs)")):
            run.table["time"] = factor * np.linspace(0, 2, len(run.table["time"]))
            picture = charts.energy([run])
            picture.prepare()
            axes = picture.figure.axes[0]
            self.assertEqual(axes.get_xlabel(), label)
            picture.figure.canvas.draw()
            last = [text.get_text() for text in axes.get_xticklabels() if text.get_text()][-1]
            self.assertEqual(float(last), 2 if factor == 1 else 20)

    def test_contacts_have_the_names_of_the_case(self):
        run = files.Run(f"{FOLDER}/run")
        self.assertEqual(statuses.name_of_contact(run, 0), "contact 'ground'")
        del run.summary["contacts"]  # an unfinished run
        self.assertEqual(statuses.name_of_contact(run, 0), "contact 1")

    def test_contacts_are_an_envelope(self):
        axes = self.chart(charts.contacts).figure.axes[0]
        self.assertEqual(len(axes.collections), 2)  # bands: 2000 steps
        run = files.Run(f"{FOLDER}/run")
        band = axes.collections[0].get_paths()[0].vertices
        self.assertEqual(band[:, 1].max(), run.table["contacts_active"].max())

    def test_defects_that_are_round_off_are_named_and_not_drawn(self):
        run = files.Run(f"{FOLDER}/run")
        picture = charts.contact_law([run])
        titles = [axes.get_title(loc="left") for axes in picture.figure.axes]
        self.assertTrue(titles[0].startswith("Missed depth, at most "), titles)
        self.assertIn("percussion outside of the cone", picture.caption)
        run.table["cone_violation"] = run.table["cone_violation"] + 1e-3
        self.assertEqual(len(charts.contact_law([run]).figure.axes), len(titles) + 1)
        del run.table["drift"]  # a run of an earlier version
        self.assertIsNone(charts.contact_law([run]))

    def test_pressures_are_not_joined(self):
        axes = self.chart(charts.forces).figure.axes
        self.assertEqual(len(axes), 3)
        self.assertEqual(axes[2].lines[0].get_linestyle(), "None")

    def test_the_impulse_of_a_ball_at_rest_is_its_weight(self):
        run = self.ball()
        self.assertAlmostEqual(run.table["percussion_normal"][-1], 19.62, places=5)
        picture = charts.forces([run])
        self.assertIn("percussion / step", picture.figure.axes[0].get_ylabel())
        self.assertIsNotNone(charts.rigid_bodies([run]))

    def test_the_mesh(self):
        picture = mesh.mesh(files.Run(f"{FOLDER}/run"))
        self.assertIn("200 cells, 231 nodes", picture.caption)
        axes = picture.figure.axes[0]
        self.assertEqual(len(axes.collections[0].get_paths()), 200)
        self.assertEqual(len(axes.lines[0].get_xdata()), 21)  # contact points
        self.assertEqual(axes.get_xlabel(), "x (m)")
        self.assertIsNone(mesh.mesh(self.ball()))

    def test_velocities_of_rigid_bodies(self):
        run = self.ball()
        picture = charts.velocities([run])
        (axes,) = picture.figure.axes
        self.assertEqual(axes.get_ylabel(), "velocity y (m/s)")
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), run.motions["ball.vy"])
        self.assertIn("hence left out: velocity x and angular velocity", picture.caption)

    def test_dissipation_by_kinds_and_in_all(self):
        run = files.Run(f"{FOLDER}/run")
        lost = -sum(run.table[f"work_{name}"] for name in
                    ("contact_normal", "contact_tangential", "viscous", "plastic", "numerical"))
        self.assertGreater(lost[-1], 0)
        axes = charts.dissipation([run]).figure.axes[0]
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels[-1], "in all")
        self.assertIn("by friction", labels)
        curves = [line.get_ydata() for line in axes.lines]
        np.testing.assert_allclose(curves[-1], lost, rtol=1e-13, atol=1e-12 * lost[-1])
        np.testing.assert_allclose(sum(curves[:-1]), lost, rtol=1e-9, atol=1e-9 * lost[-1])
        axes = charts.dissipation([run, run]).figure.axes[0]
        self.assertEqual(len(axes.lines), 2)
        np.testing.assert_array_equal(axes.lines[1].get_ydata(), curves[-1])

    def test_changes_of_the_energy_in_a_step_add_up(self):
        run = files.Run(f"{FOLDER}/run")
        (line,) = charts.energy_step([run]).figure.axes[0].lines
        changes = line.get_ydata()
        self.assertTrue(np.isnan(changes[0]))
        table = run.table
        self.assertAlmostEqual(changes[1:].sum() / (table["total"][-1] - table["total"][0]
                                                    - table["work_external"][-1]), 1, places=9)
        for name in table:  # as if every seventh step had a row
            table[name] = table[name][::7]
        self.assertIn("sums over up to 7 steps", charts.energy_step([run]).caption)

    def test_percussions_and_velocities_of_a_contact(self):
        run = self.ball()
        percussions, velocities = by_contact.by_contact([run])
        normal, tangential = (axes.lines[0].get_ydata() for axes in percussions.figure.axes)
        self.assertAlmostEqual(normal.sum() / run.table["percussion_normal"][-1], 1, places=12)
        self.assertFalse(tangential.any())
        normal, tangential = (axes.lines[0].get_ydata() for axes in velocities.figure.axes)
        rows = np.searchsorted(run.motions["time"], [time for time, _ in run.contact_series])
        np.testing.assert_allclose(normal, run.motions["ball.vy"][rows], rtol=0, atol=1e-14)
        np.testing.assert_allclose(tangential, 0, atol=1e-14)
        self.assertEqual(percussions.figure.axes[0].get_ylabel(), "normal percussion (N s)")
        self.assertEqual(velocities.figure.axes[1].get_ylabel(), "tangential velocity (m/s)")

    def test_friction_has_the_sign_of_the_tangent(self):
        run = files.Run(f"{FOLDER}/run")
        found = by_contact.histories(run)
        c = run.contacts(len(run.series) - 1)
        self.assertEqual(len(found), len(c.points))
        for key, history in found.items():
            i = [tuple(point) for point in c.points.tolist()].index(key[3])
            np.testing.assert_allclose(history.percussion[-1] > 0, c.percussion[i, ::-1] > 0)

    def test_only_contacts_with_the_largest_impulses_have_colours(self):
        run = files.Run(f"{FOLDER}/run")
        for runs, n in (([run], 6), ([run, run], 3)):
            percussions = next(iter(by_contact.by_contact(runs)))
            self.assertEqual(len(percussions.figure.axes[0].lines), n * len(runs))
            self.assertIn(f"The {n} of 21 contacts", percussions.caption)

    def test_runs_of_earlier_versions_have_no_velocities_of_contacts(self):
        folder = f"{FOLDER}/earlier"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{FOLDER}/run", folder, ignore=shutil.ignore_patterns("report"))
        for name in (name for name in os.listdir(folder) if name.startswith("contacts-")):
            with open(f"{folder}/{name}", "rb") as stream:
                data = stream.read()
            with open(f"{folder}/{name}", "wb") as stream:
                stream.write(data.replace(b"relative_velocity", b"relative_velocitx"))
        pictures = list(by_contact.by_contact([files.Run(folder)]))
        self.assertEqual([picture.name for picture in pictures], ["percussions"])

    def test_without_contact_no_contacts_are_drawn(self):
        run_case("fall", f"include {SOURCE}/params/hello_drop.prm\n"
                 f"subsection Mesh\n set File = {SOURCE}/meshes/block_q4.msh\nend\n"
                 "subsection Time\n set End = 0.1\nend\n")
        for function in (charts.contacts, charts.penetration, charts.contact_law, charts.forces,
                         charts.works, charts.tangential_work, charts.dissipation,
                         charts.energy_step, charts.velocities, statuses.statuses):
            self.assertIsNone(self.chart(function, "fall"), function.__name__)
        self.assertEqual(self.chart(lambda runs: list(by_contact.by_contact(runs)), "fall"), [])
        outcome = start("percussion-report", "fall", "--no-animation", "--time", "0.1")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/fall/report/index.html", encoding="utf-8") as stream:
            page = stream.read()
        self.assertIn("No contact was active", page)
        self.assertIn("The stress is round-off.", page)

    def test_probes_are_drawn(self):
        run_case("probed", f"include {SOURCE}/params/bouncing_ball.prm\n"
                 "subsection Probes\n subsection fall\n  set Body = ball\n end\n"
                 " subsection height\n  set Kind = gap\n  set Contact = ground\n end\nend\n"
                 "subsection Time\n set End = 0.2\nend\n")
        run = files.Run(f"{FOLDER}/probed")
        fall, height = charts.probes([run])
        self.assertEqual((fall.name, height.name), ("probe-fall", "probe-height"))
        (line,) = fall.figure.axes[0].lines  # x is zero
        np.testing.assert_array_equal(line.get_ydata(), run.probes["fall.displacement_y"])
        self.assertIn("(m)", fall.figure.axes[0].get_ylabel())
        self.assertIn("Components that are zero are left out", fall.caption)
        self.assertEqual([p.name for p in charts.probes([run, run])], [fall.name, height.name])

    def test_more_than_six_bodies_are_told_apart_or_summarised(self):
        run = files.Run(f"{FOLDER}/run")
        time = run.table["time"]
        run.motions = {"step": run.table["step"], "time": time}
        for i in range(9):
            run.motions.update({f"b{i}.x": i * time, f"b{i}.y": 0 * time, f"b{i}.angle": 0 * time})
        picture = charts.rigid_bodies([run])
        (axes,) = picture.figure.axes
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels, [f"b{i}" for i in range(3, 9)] + ["the other 3"])
        self.assertIn("position y and rotation", picture.caption)

    def test_points_of_an_elastic_body_stand_along_its_edge(self):
        run = files.Run(f"{FOLDER}/run")
        x = [0.0, 0.5, 1.0, 1.0]
        y = [0.0, 0.0, 0.0, 1.0]
        square = scene.Bodies(np.array([[0, 0], [0.5, 0], [1, 0], [1, 1], [0.5, 1], [0, 1]], float),
                              np.array([0, 1, 4, 5, 1, 2, 3, 4]), np.array([4, 8]),
                              np.zeros(2, bool))
        places = statuses.positions_on_edge(square, list(zip(x, y))[::-1])
        self.assertEqual(places.tolist(), [2, 1, 0.5, 0])
        self.assertIsNone(statuses.positions_on_edge(square, [(0.3, 0.4)]))
        rows = statuses.rows_of(run)
        self.assertEqual(len(rows), len(run.contacts(0).points))

    def test_a_contact_that_moves_on_its_body_stays_one_contact(self):
        def instant(points, feature):
            arrays = {"pair": [0.0] * 3, "body": [1.0, 1, 1], "obstacle": [2.0, 2, 0]}
            contacts = scene.Contacts(np.array(points, float), lambda name: np.array(
                arrays.get(name, np.zeros(3))))
            contacts.feature = feature
            return contacts

        points = [[[0, 0, 1], [1, 0, 1], [0, 1, 0]], [[0.1, 0, 1], [1.1, 0, 1], [0, 1, 0]]]

        def keys(features):
            instants = [instant(p, features) for p in points]
            run = types.SimpleNamespace(contact_series=[0, 1], contacts=instants.__getitem__)
            return files.Run.contact_keys.func(run)

        first, second = keys(np.array([8, 9, 0]))
        self.assertEqual(first, second)
        self.assertEqual(first[0], (0, 1, 2, (0, 0, 1)))
        first, second = keys(None)
        self.assertEqual([a == b for a, b in zip(first, second)], [False, False, True])


class BadInput(unittest.TestCase):
    """Errors are reported with exit status 2."""

    def refused(self, words, *arguments):
        """Returns the error, in this process, which has imported Matplotlib."""
        said, before = io.StringIO(), os.getcwd()
        os.chdir(FOLDER)
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                status = program.main([*arguments, "--no-animation", "--pictures", "none"], "0")
        except SystemExit as end:
            status = end.code
        finally:
            os.chdir(before)
        self.assertEqual(status, 2, said.getvalue())
        self.assertIn(words, said.getvalue())
        self.assertTrue(said.getvalue().startswith("percussion-report: "), said.getvalue())

    def damaged(self, words, file, change):
        """Returns a copy of the run with one file changed by a function of its bytes, or
        removed for None."""
        folder = f"{FOLDER}/damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{FOLDER}/run", folder, ignore=shutil.ignore_patterns("report"))
        path = os.path.join(folder, file)
        if change is None:
            os.remove(path)
        else:
            with open(path, "rb") as stream:
                data = stream.read()
            with open(path, "wb") as stream:
                stream.write(change(data))
        self.refused(words, "damaged")

    def test_the_program_ends_with_status_2(self):
        outcome = start("percussion-report", "absent")
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr, "percussion-report: absent: no such folder\n")

    def test_folders(self):
        self.refused("absent: no such folder", "absent")
        self.refused("is a file; give the output folder of a run", "run/energy.csv")
        os.makedirs(f"{FOLDER}/empty", exist_ok=True)
        self.refused("is empty the output folder of a run?", "empty")

    def test_devices_and_pipes(self):
        for name in ("energy.csv", "solution.pvd", "ground.vtu", "log.txt", "summary.json",
                     "parameters.prm", "rigid_bodies.csv", "elastic_bodies.csv"):
            for is_pipe in (False, True):
                folder = f"{FOLDER}/devices"
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(f"{FOLDER}/run", folder, ignore=shutil.ignore_patterns("report"))
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    os.remove(path)
                os.mkfifo(path) if is_pipe else os.symlink("/dev/zero", path)
                self.refused(f"{name}: is not a regular file", "devices")

    def test_settings_of_matplotlib_in_the_current_folder_are_not_read(self):
        # text.usetex would start LaTeX, which is not installed or writes files.
        outcome = start("percussion-report", "run", "--no-animation", "--pictures", "default")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/matplotlibrc", "w", encoding="utf-8") as stream:
            stream.write("text.usetex: True\nbackend: module://absent_module\n")
        try:
            outcome = start("percussion-report", "run", "--no-animation", "--pictures", "settings")
        finally:
            os.remove(f"{FOLDER}/matplotlibrc")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(f"{FOLDER}/settings/energy.png", "rb") as stream:
            with open(f"{FOLDER}/default/energy.png", "rb") as expected:
                self.assertEqual(stream.read(), expected.read())

    def test_missing_jinja2(self):
        folder = f"{FOLDER}/without"
        os.makedirs(folder, exist_ok=True)
        for module in ("jinja2", "markupsafe"):  # Debian installs the second with the first
            with open(f"{folder}/{module}.py", "w", encoding="utf-8") as stream:
                stream.write(f'raise ModuleNotFoundError("No module named {module}", name="{module}")\n')
        for name in ("report", "compare", "sweep", "converge"):
            outcome = subprocess.run([f"{BUILD}/percussion-{name}", "run"], env={**os.environ, "PYTHONPATH": folder},
                                     cwd=FOLDER, text=True, capture_output=True, check=False)
            self.assertEqual((outcome.returncode, outcome.stderr), (
                2, f"percussion-{name}: Python's module 'jinja2' is missing; Debian has it in python3-jinja2\n"))

    def test_a_removed_current_folder(self):
        folder = f"{FOLDER}/removed"
        command = f'mkdir -p "{folder}" && cd "{folder}" && rmdir "{folder}" && "{BUILD}/$0" run'
        for name in ("percussion-report", "percussion-compare"):
            outcome = subprocess.run(["sh", "-c", command, name], text=True, capture_output=True,
                                     check=False)
            self.assertEqual(outcome.returncode, 2, outcome.stderr)
            self.assertEqual(len(outcome.stderr.splitlines()), 1, outcome.stderr)
            self.assertIn("the current folder cannot be used", outcome.stderr)

    def test_options(self):
        self.refused("'seven' is not a whole number", "run", "--frames", "seven")
        self.refused("'big' is neither 'auto' nor a positive number", "run", "--warp", "big")
        self.refused("invalid choice: 'heat'", "run", "--field", "heat")
        self.refused("'gif' is not one of png, pdf, svg", "run", "--format", "gif")
        self.refused("1 labels for 2 outputs", "run", "run", "--label", "a")

    def test_a_folder_that_cannot_be_made(self):
        outcome = start("percussion-report", "run", "--pictures", "run/energy.csv/pictures")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("run/energy.csv/pictures: this folder cannot be made (a file has this name)",
                      outcome.stderr)

    def test_tables(self):
        rows = re.compile(rb"(?m)^2,0\.001,")
        self.damaged("energy.csv:8: column time: 'nan' is not a finite number", "energy.csv",
                     lambda data: rows.sub(b"2,nan,", data))
        self.damaged("energy.csv:8: column time: 'soon' is not a number", "energy.csv",
                     lambda data: rows.sub(b"2,soon,", data))
        n = len(files.Run(f"{FOLDER}/run").table)
        self.damaged(f"energy.csv:8: expected {n} values, found {n + 1}", "energy.csv",
                     lambda data: rows.sub(b"2,0.001,3,", data))
        self.damaged("energy.csv:9: step 3 follows step 7; rows must be in order", "energy.csv",
                     lambda data: rows.sub(b"7,0.001,", data))
        self.damaged("energy.csv:8: time 0.0001 follows time 0.0005", "energy.csv",
                     lambda data: rows.sub(b"2,0.0001,", data))
        self.damaged("energy.csv:5: the header has no column", "energy.csv",
                     lambda data: data[:150])
        self.damaged("but the run took 2000; the table is cut short", "energy.csv",
                     lambda data: data[:len(data) // 2])

    def test_lists(self):
        self.damaged("solution.pvd: is not a list of VTK files", "solution.pvd",
                     lambda data: data[:300])
        self.damaged("contacts.pvd: cannot be read (No such file", "contacts.pvd", None)
        self.damaged("solution-000004.vtu: no such file, though solution.pvd lists it",
                     "solution-000004.vtu", None)
        self.damaged("contacts.pvd: contacts-000003.vtu has time 0.01 behind 0.1; times must increase",
                     "contacts.pvd", lambda data: re.sub(
                         rb'timestep="0\.1[45]\d*"', b'timestep="0.01"', data))

    def test_arrays(self):
        def exchanged(data):
            """Returns the displacements with changed bytes in their middle."""
            begin = data.index(b"==", data.index(b'Name="displacement"')) + 200
            return data[:begin] + data[begin + 8:begin + 16] + data[begin:begin + 8] + \
                data[begin + 16:]

        self.damaged("solution-000000.vtu: is not a VTK mesh", "solution-000000.vtu",
                     lambda data: data[:900])
        self.damaged("contacts-000001.vtu: is not a VTK mesh", "contacts-000001.vtu",
                     lambda data: data[:900])
        self.damaged("solution-000020.vtu: array 'displacement' is damaged", "solution-000020.vtu",
                     exchanged)
        self.damaged("solution-000020.vtu: has no array 'von_mises' of CellData",
                     "solution-000020.vtu", lambda data: data.replace(b"von_mises", b"von_mices"))
        self.damaged("array 'Points' is damaged (63 values where there should be 66)", "contacts-000003.vtu", lambda data: data.replace(
            b'NumberOfPoints="21"', b'NumberOfPoints="22"'))

    def test_summaries(self):
        self.damaged("summary.json: this file is damaged", "summary.json",
                     lambda data: b'{"status": ')

    def test_units_that_differ(self):
        shutil.rmtree(f"{FOLDER}/other", ignore_errors=True)
        shutil.copytree(f"{FOLDER}/run", f"{FOLDER}/other")
        with open(f"{FOLDER}/run/energy.csv", encoding="utf-8") as stream:
            text = stream.read()
        with open(f"{FOLDER}/other/energy.csv", "w", encoding="utf-8") as stream:
            stream.write(text.replace("# units: kg, m, s", "# units: N, mm, ms"))
        self.refused("runs with different units cannot be drawn on one axis: run has 'kg, m, s', "
                     "other has 'N, mm, ms'", "run", "other")

    def test_a_run_that_goes_on(self):
        folder = f"{FOLDER}/going"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{FOLDER}/run", folder, ignore=shutil.ignore_patterns("report"))
        os.remove(f"{folder}/summary.json")
        with open(f"{folder}/energy.csv", "rb") as stream:
            data = stream.read()
        with open(f"{folder}/energy.csv", "wb") as stream:
            stream.write(data[:data.rindex(b",")])  # a row is being written
        run = files.Run(folder)
        self.assertEqual(len(run.table["time"]), 2000)

    def test_a_run_that_was_stopped_between_two_rows(self):
        folder = f"{FOLDER}/stopped"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{FOLDER}/run", folder, ignore=shutil.ignore_patterns("report"))
        with open(f"{folder}/energy.csv", encoding="utf-8") as stream:
            lines = stream.readlines()
        with open(f"{folder}/energy.csv", "w", encoding="utf-8") as stream:
            stream.writelines(lines[:5] + lines[5::7])  # the last row has step 1995 of 2000
        with self.assertRaisesRegex(scene.Trouble, "ends with step 1995, but the run took 2000"):
            files.Run(folder)
        with open(f"{folder}/summary.json", encoding="utf-8") as stream:
            text = stream.read()
        with open(f"{folder}/summary.json", "w", encoding="utf-8") as stream:
            stream.write(text.replace('"completed"', '"stopped"'))
        self.assertEqual(files.Run(folder).table["step"][-1], 1995)


if __name__ == "__main__":
    unittest.main()
