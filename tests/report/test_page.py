"""The page of a report: its verdict, charts, values, labels, size and script."""

import collections
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import types
import unittest
import xml.etree.ElementTree

import numpy as np
from PIL import Image

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
FOLDER = os.path.join(BUILD, "report-page")
sys.path.insert(0, os.path.join(BUILD, "python"))

from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.textpath import TextPath  # noqa: E402
from percussion_report import bodies, charts, files, page, scene, svg, verdict  # noqa: E402
from percussion_report.film import Film  # noqa: E402

CASE = f"""include {SOURCE}/params/bouncing_ball.prm
subsection Probes
  subsection fall
    set Body = ball
  end
end
subsection Time
  set End = 1
end
"""

HOSTILE = """</script><script>alert(1)</script><i title="a" & 'b'>&lt;"""


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    with open(f"{FOLDER}/case.prm", "w", encoding="utf-8") as stream:
        stream.write(CASE)
    for name, case in (("ball", "case.prm"), ("box", f"{SOURCE}/params/box_slide.prm")):
        subprocess.run([f"{BUILD}/percussion", case, "--output", name, *(
            ["--set", "Time/End=0.01", "--set", "Output/Number of instants=2"] if name == "box" else [])],
                       cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)


def elements(text):
    """Returns how often each element begins in a page."""
    counts = collections.Counter()
    parser = html.parser.HTMLParser()
    parser.handle_starttag = lambda name, _: counts.update([name])
    parser.feed(text)
    return counts


def run():
    return files.Run(f"{FOLDER}/ball")


def changed_table(name, column, change):
    """Returns a copy of the run with a column of one row of its table changed by a function."""
    folder = f"{FOLDER}/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"{FOLDER}/ball", folder)
    with open(f"{folder}/energy.csv", encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    header = next(i for i, line in enumerate(lines) if line.startswith("step,"))
    row = lines[header + 700].split(",")
    k = lines[header].split(",").index(column)
    row[k] = repr(change(float(row[k])))
    lines[header + 700] = ",".join(row)
    with open(f"{folder}/energy.csv", "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines))
    return files.Run(folder)


class Verdict(unittest.TestCase):
    def test_run_without_defects(self):
        sentence, looks = verdict.verdict(run())
        active = int((run().table["contacts_active"] > 0).sum())
        self.assertRegex(sentence, r"^Completed; energy closes to \de-1\d; contact law within \de-\d+ .*; "
                         f"{active} of 1000 steps in contact; no warnings\\.$")
        self.assertFalse(looks)

    def test_one_changed_number_is_found(self):
        for column in ("total", "kinetic", "work_external", "work_contact_normal"):
            sentence, looks = verdict.verdict(changed_table("changed", column, lambda value: value + 1e-6))
            self.assertIn("energy does not close: 1e-7", sentence, column)
            self.assertTrue(looks)

    def test_defect_of_the_contact_law_is_named(self):
        sentence, _ = verdict.verdict(changed_table("defect", "cone_violation", lambda _: 0.3))
        self.assertIn("within 3e-1 (percussion outside of the cone / largest percussion)", sentence)

    def test_warnings_and_unfinished_runs(self):
        stopped = run()
        stopped.summary = {"status": "stopped", "warnings": ["one", "two"]}
        sentence, looks = verdict.verdict(stopped)
        self.assertRegex(sentence, r"^Stopped at t = 1 s; .*; 2 warnings\.$")
        self.assertTrue(looks)
        stopped.summary = {}
        self.assertTrue(verdict.verdict(stopped)[0].startswith("Unfinished, at t = 1 s;"))

    def test_episodes_without_an_instant(self):
        def missed(instants):
            return verdict.missed_episodes(types.SimpleNamespace(
                table={"time": np.arange(8.0), "contacts_active": np.array([0, 0, 1, 1, 0, 0, 1, 0])},
                series=[(time, "") for time in instants]))

        self.assertEqual([missed(t) for t in ([0, 7], [0, 3, 7], [0, 1, 5, 7], [2, 6])], [2, 1, 2, 0])


def data_of(chart):
    """Returns the values of each panel of a chart, and its element."""
    for plot in re.findall(r'<svg class="plot".*?</svg>\n', chart, re.S):
        element = xml.etree.ElementTree.fromstring(plot)
        yield json.loads(element.get("data-v")), element


def six_digits(value):
    return float(f"{value:.6g}")


def all_charts(subject):
    return [picture for picture in (*(chart([subject]) for chart in charts.ALL), *charts.probes([subject]))
            if picture]


class Chart(unittest.TestCase):
    def test_values_are_those_of_the_table(self):
        subject = run()
        (values, _), (_, _) = data_of(svg.chart(charts.energy([subject]), True))
        names = [name for name in charts.QUANTITIES if abs(subject.table[name]).max() > 1e-6]
        self.assertEqual(len(values), len(names))
        (fall, _), = data_of(svg.chart(charts.probes([subject])[0], True))
        for found, time, column in [*((v, subject.table["time"], subject.table[name]) for v, name in
                                      zip(values, names)),
                                    (fall[0], subject.probes["time"], subject.probes["fall.displacement_y"])]:
            rows = {(six_digits(t), six_digits(y)) for t, y in zip(time, column)}
            self.assertGreater(len(found[0]), 50)
            self.assertLessEqual(set(zip(*found)), rows)
            self.assertEqual(max(found[1]), six_digits(column.max()))  # no peak is left out
            self.assertEqual(min(found[1]), six_digits(column.min()))

    def test_peaks_and_gaps_stay(self):
        y = np.zeros(10000)
        y[4321], y[777:780], y[9000] = 5, np.nan, -3
        kept = svg.thinned(y, 100)
        self.assertLessEqual(len(kept), 102)
        self.assertTrue({0, 777, 4321, 9000, 9999} <= set(kept))

    def test_lines_and_labels_are_within_the_view_box(self):
        for picture in all_charts(run()):
            for _, element in data_of(svg.chart(picture, True)):
                wide, tall = map(float, element.get("viewBox").split()[2:])
                labels = [text for text in element.iter("text") if text.text]
                self.assertGreater(len(labels), 4, picture.name)
                for text in labels:
                    box = TextPath((0, 0), text.text, size=svg.FONT).get_extents()
                    x, y = float(text.get("x")), float(text.get("y"))
                    x -= {None: 0, "middle": 0.5, "end": 1}[text.get("text-anchor")] * box.width
                    self.assertTrue(0 <= x and x + box.width <= wide, (picture.name, text.text))
                    self.assertTrue(y - box.height >= 0 and y + 3 <= tall, (picture.name, text.text))

    def test_lines_are_called_by_their_quantity(self):
        names = re.findall("</svg>([^<]*) <output>", svg.chart(charts.energy([run()]), True))
        self.assertEqual(names, ["kinetic energy", "total energy", "external work", "normal contact work",
                                 "residual"])

    def test_several_runs_have_names(self):
        runs = [run(), run()]
        runs[0].label, runs[1].label = "first", "second"
        chart = svg.chart(charts.energy(runs), True)
        for name in ("kinetic energy, first", "kinetic energy, second"):
            self.assertIn(f"</svg>{name} <output>", chart)

    def test_pictures_of_bodies_are_no_charts(self):
        for picture in all_charts(run()):
            self.assertTrue(svg.is_chart(picture.figure), picture.name)
        self.assertFalse(svg.is_chart(bodies.snapshot(bodies.Look(run(), [1]), 1)[0]))


class Labels(unittest.TestCase):
    """Labels in pictures end within them."""

    def check(self, figure):
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer, (wide, tall) = canvas.get_renderer(), canvas.get_width_height()
        boxes = [(text.get_text(), text.get_window_extent()) for text in figure.texts]
        for axes in figure.axes:
            legend = axes.get_legend()
            titles = [axes.title, axes._left_title]  # pylint: disable=protected-access
            boxes += [(text.get_text(), text.get_window_extent()) for text in [
                *titles, *axes.texts, *(legend.get_texts() if legend else [])]]
            boxes += [("axis", axis.get_tightbbox(renderer)) for axis in (axes.xaxis, axes.yaxis)
                      if axes.axison]
        for text, box in boxes:
            if text and box:
                self.assertTrue(min(box.x0, box.y0) > -1 and box.x1 < wide + 1 and box.y1 < tall + 1,
                                (text, box, wide, tall))

    def test_long_names_in_3d(self):
        subject = files.Run(f"{FOLDER}/box")
        subject.label = "the box of a long comparison with friction, a viscosity of 1 MPa s and a fine mesh"
        look = bodies.Look(subject, [0, 1, 2])
        for figure in (bodies.positions(look, [0, 1, 2])[0], next(bodies.frames([look, look], 2))[1]):
            self.check(figure)

    def test_charts(self):
        for picture in all_charts(run()):
            picture.prepare()
            picture.figure.set_dpi(100)
            self.check(picture.figure)


class Fields(unittest.TestCase):
    def test_values_at_nodes_are_weighted_by_areas(self):
        mesh = scene.Bodies(np.array([[0, 0], [1, 0], [4, 0], [0, 1], [1, 1], [4, 1]], float),
                            np.array([0, 1, 4, 3, 1, 2, 5, 4]), np.array([4, 8]), np.zeros(2, bool))
        look = types.SimpleNamespace(bodies=mesh, field="von_mises", run=types.SimpleNamespace(dim=2))
        look.volumes = bodies.Look.volumes.func(look)
        self.assertEqual(look.volumes.tolist(), [1, 3])
        instant = types.SimpleNamespace(field=lambda name: np.array([1.0, 2.0]),
                                        nodal_von_mises=lambda: None)
        self.assertEqual(bodies.Look.at_points(look, instant).tolist(), [1, 1.75, 2, 1, 1.75, 2])

    def test_stresses_at_the_nodes_of_the_file_are_taken(self):
        mesh = scene.Bodies(np.array([[0, 0], [1, 0], [1, 1], [5, 0], [6, 0], [6, 1]], float),
                            np.arange(6), np.array([3, 6]), np.array([False, True]))
        look = types.SimpleNamespace(bodies=mesh, field="von_mises", run=types.SimpleNamespace(dim=2))
        look.volumes = bodies.Look.volumes.func(look)
        instant = types.SimpleNamespace(nodal_von_mises=lambda: np.array([1.0, 3, 2, 0, 0, 0]))
        np.testing.assert_equal(bodies.Look.at_points(look, instant), [1, 3, 2] + 3 * [np.nan])


class Instants(unittest.TestCase):
    def subject(self, presses):
        made = types.SimpleNamespace(presses=np.array(presses, float),
                                     series=[(0.1 * k, "") for k in range(len(presses))])
        return lambda count: files.Run.eventful(made, count)

    def test_no_impact_is_missed(self):
        presses = np.zeros(101)
        presses[[13, 14, 57, 99]] = 1, 2, 5, 1
        chosen = self.subject(presses)(12)
        self.assertEqual((chosen[0], chosen[-1], len(chosen)), (0, 100, 12))
        self.assertTrue({14, 57, 99} <= set(chosen))

    def test_unwritten_impacts_are_near_the_first_picture(self):
        subject = run()
        subject.presses = np.zeros(len(subject.series))
        force = np.diff(subject.table["percussion_normal"])
        self.assertEqual(subject.hardest, subject.nearest(subject.table["time"][np.argmax(force) + 1]))
        subject.table["percussion_normal"] = 0 * subject.table["time"]
        self.assertEqual(subject.hardest, len(subject.series) - 1)

    def test_few_instants_are_all_chosen(self):
        self.assertEqual(self.subject([0, 1, 0])(60), [0, 1, 2])
        self.assertEqual(self.subject([0, 0, 3, 0])(1), [0, 2, 3])


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        noise = np.random.default_rng(1).integers(0, 255, (12, 120, 200, 3), dtype=np.uint8)
        cls.film = Film(np.linspace(0, 1, 12).tolist(), [Image.fromarray(image) for image in noise], 7, "Noise.")

    def written(self, limit=page.LARGEST_PAGE, **options):
        file, page.LARGEST_PAGE = f"{FOLDER}/page.html", limit
        subject = run()
        try:
            page.write_page([subject], [(charts.energy([subject]), "energy.png"),
                                        (charts.forces([subject]), "forces.png")], file, self.film, **options)
        finally:
            page.LARGEST_PAGE = 3_000_000
        with open(file, encoding="utf-8") as stream:
            return stream.read()

    def test_first_screen(self):
        text = self.written()
        first = text[:text.index('<section id="energy">')]
        self.assertIn('class="verdict"', first)
        self.assertIn(f'data-at="{self.film.times[7]:.9g}"', first)
        for words in ("external work", "1 rigid body", "1,000 of 0.001 s to t = 1 s", "fall displacement y"):
            self.assertIn(words, first)
        lowest = page.typeset(float(run().probes["fall.displacement_y"].min()), "m")
        self.assertIn(f"<td>{html.escape(lowest)}</td>", first)

    def test_frames_of_the_film_and_size(self):
        frames = re.compile(r'<script type="application/json" id="film">(.*)</script>')
        whole = self.written()
        self.assertEqual([time for time, _ in json.loads(frames.search(whole)[1])],
                         [float(f"{time:.9g}") for time in self.film.times])
        limit = len(whole.encode()) - 100_000
        small = self.written(limit)
        self.assertLessEqual(len(small.encode()), limit)
        kept = [time for time, _ in json.loads(frames.search(small)[1])]
        self.assertIn(float(f"{self.film.times[7]:.9g}"), kept)
        tiny = self.film.frames(1)
        self.assertEqual(len(json.loads(tiny)), 1)

    def test_plain_pages_run_no_script(self):
        self.assertEqual(self.written().count("<script>"), 1)
        plain = self.written(is_plain=True)
        for words in ("<script", "data-v", "<output", "onclick"):
            self.assertNotIn(words, plain)
        self.assertIn('<svg class="plot"', plain)
        self.assertIn("data:image/webp", plain)

    def test_texts_of_a_run_are_escaped(self):
        subject, file = run(), f"{FOLDER}/escaped.html"
        subject.label, subject.units = HOSTILE, {**subject.units, "time": HOSTILE, "energy": HOSTILE}
        subject.parameters = {HOSTILE: HOSTILE}
        subject.summary = {**subject.summary, "status": HOSTILE, "case": HOSTILE, "warnings": [HOSTILE]}
        subject.probes = {name.replace("fall", HOSTILE): values for name, values in subject.probes.items()}
        film = Film(self.film.times, self.film.images, 7, HOSTILE)
        for runs in ([subject], [subject, subject]):
            pictures = [(picture, "") for picture in (charts.energy(runs), *charts.probes(runs))]
            page.write_page(runs, pictures, file, film)
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
            self.assertEqual(elements(text)["script"], 2)  # of the film and of the page
            self.assertEqual(elements(text)["i"], 0)
            self.assertIn(f"{HOSTILE} – Percussion", html.unescape(text))
            self.assertIn(f"{HOSTILE} = {HOSTILE}", html.unescape(text))

    def test_texts_of_a_study_are_escaped(self):
        file = f"{FOLDER}/study.html"
        page.write_study(HOSTILE, (HOSTILE, True), file, [(charts.energy([run()]), "")], [HOSTILE],
                         [{HOSTILE: HOSTILE}], [(HOSTILE, HOSTILE, HOSTILE)], [(HOSTILE, HOSTILE)])
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        self.assertEqual(elements(text)["script"], 1)
        self.assertEqual(elements(text)["i"], 0)
        self.assertEqual(html.unescape(text).count(HOSTILE), 11)


if __name__ == "__main__":
    unittest.main()
