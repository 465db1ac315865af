"""The command line of percussion-report."""

import argparse
import io
import math
import os
import re
import sys
import textwrap

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from . import bodies, charts, page
from .files import read_runs, read_table
from .scene import Trouble
from .statuses import footprint, statuses
from .style import Picture

DPI, FRAME_DPI = 190, 160
LARGEST_GIF, LARGEST_PNG = 1_100_000, 200_000  # bytes; in a page they take a third more
TOTAL_MILLISECONDS = 6000

HELP = """\
Pictures and one page that shows them, from the output folder of a run

Usage: percussion-report [OPTION]... OUTPUT...

Arguments:
{arguments}
Options:
{options}
Exit status:
  0  All is drawn; the files are listed.
  1  Something cannot be drawn or written.
  2  Bad input: an option, or a folder that holds no results or damaged ones.

Files:
  OUTPUT/report/index.html  one page that shows all pictures
  OUTPUT/report/*.png       the pictures
  OUTPUT/report/animation.gif, frames/
                            the animation, and its frames
  OUTPUT/profile.png        of a folder that percussion-fc --compare has written

Examples:
  percussion-report output/sliding_block --warp 100 --time 0.3
                            one run; snapshots near t = 0.3
  percussion-report output/a output/b --pictures comparison
                            two runs in the same figures, in ./comparison
  percussion-report output/sliding_block --format pdf
                            the pictures as PDF, too, for a paper

See also:
  percussion(1), percussion-fc(1), paraview(1). The documentation is in
  share/doc/percussion/doc below the folder where Percussion is installed."""


class OutputError(Exception):
    """Something cannot be written: exit status 1."""


class Parser(argparse.ArgumentParser):
    """Words as those of the other programs; `text` has places for arguments and options."""

    text = HELP

    def format_help(self):
        def entry(name, text):
            lines = textwrap.wrap(text, 52)
            first = f"  {name}"
            first = f"{first:28}{lines.pop(0)}\n" if len(first) < 27 else first + "\n"
            return first + "".join(f"{'':28}{line}\n" for line in lines)

        lines = {True: "", False: ""}
        for action in self._actions:
            name = ", ".join(action.option_strings) or action.metavar
            if action.option_strings and action.metavar:
                name += f" {action.metavar}"
            preset = f" (default: {action.default})" \
                if action.default not in (None, False, argparse.SUPPRESS, []) else ""
            lines[not action.option_strings] += entry(name, action.help + preset)
        return self.text.format(arguments=lines[True], options=lines[False]) + "\n"

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nRun {self.prog} --help for more information.\n")


def factor(text):
    if text == "auto":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is neither 'auto' nor a positive number")
    return value


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return value


def numbers(text):
    return [number(part) for part in text.split(",")]


def angles(text):
    try:
        (azimuth, elevation) = numbers(text)
    except (ValueError, argparse.ArgumentTypeError):
        azimuth = elevation = math.nan
    if not abs(elevation) < 90:
        raise argparse.ArgumentTypeError(f"'{text}' is not two angles in degrees, of which the "
                                         "second is between -90 and 90")
    return azimuth, elevation


def plane(text):
    match = re.fullmatch(r"([xyz])\s*([<>])\s*(\S+)", text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a half of space as x<0.5, y>0 or z<1")
    sign = 1 if match[2] == "<" else -1
    return sign * np.array([*(float(axis == match[1]) for axis in "xyz"), number(match[3])])


def formats(text):
    wrong = [part for part in text.split(",") if part not in ("png", "pdf", "svg")]
    if wrong:
        raise argparse.ArgumentTypeError(f"'{wrong[0]}' is not one of png, pdf, svg")
    return text.split(",")


def count(text):
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to 1000")
    return int(text)


def read_options(arguments, version):
    parser = Parser(prog="percussion-report", add_help=False, allow_abbrev=False)
    add = parser.add_argument
    add("outputs", metavar="OUTPUT", nargs="+",
        help="Output folder of a run; several are laid over each other")
    add("--warp", metavar="FACTOR", type=factor, default="auto",
        help="Factor on the deformations in the snapshots, or 'auto'")
    add("--time", metavar="TIME,...", type=numbers, nargs="+", default=[],
        help="Times of the snapshots (the nearest written are taken)")
    add("--field", metavar="NAME", choices=["displacement", "velocity", "pressure", "von_mises"],
        help="What colours the bodies (default: von_mises; nothing where all are rigid): "
             "displacement, velocity, pressure or von_mises")
    add("--view", metavar="A,E", type=angles,
        help="Where the viewer stands in space: degrees around the upward axis, and above the "
             "ground (default: the side that shows most)")
    add("--cut", metavar="x<VALUE", type=plane,
        help="Show this part of the undeformed bodies in space only: x<0.5, y>0, ...")
    add("--frames", metavar="N", type=count, default=60,
        help="The most frames that the animation has")
    add("--no-animation", action="store_true", help="Draw no animation")
    add("--label", metavar="TEXT", action="append",
        help="What an OUTPUT is called in the pictures; once for each of them")
    add("--pictures", metavar="DIR",
        help="Folder for pictures and page (default: report/ in the first OUTPUT)")
    add("--format", metavar="NAME,...", type=formats, default="png",
        help="Formats of the pictures: png, pdf, svg; png is always written")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"percussion-report {version}",
        help="Print the version and exit")
    options = parser.parse_args(arguments)
    options.time = [t for ts in options.time for t in ts]
    return options


def make_folder(folder):
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        reason = "a file has its name" if isinstance(
            error, (FileExistsError, NotADirectoryError)) else error.strerror
        raise OutputError(f"{folder}: this folder cannot be made ({reason})") from error
    return folder


def write(picture, folder, kinds):
    """Writes a picture in all formats; returns its PNG, which is kept small by few colours."""
    for kind in kinds:
        if kind != "png":
            picture.save(os.path.join(folder, f"{picture.name}.{kind}"))
    file = os.path.join(folder, f"{picture.name}.png")
    picture.prepare()
    image = image_of(picture.figure, DPI)
    if not picture.name.startswith("snapshot"):
        image = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        colours = np.array(image.getpalette()).reshape(-1, 3)
        colours[colours.min(axis=1) > 247] = 255  # white paper
        image.putpalette(colours.ravel().tolist())
    image.save(file, dpi=(DPI, DPI))
    if os.path.getsize(file) > LARGEST_PNG:
        few_colours([image.convert("RGB")])[0].save(file, dpi=(DPI, DPI))
    return file


def few_colours(images):
    """The images with 256 colours: viridis, the most frequent of all, and some for the others."""
    pixels = [np.asarray(image)[::3, ::3].reshape(-1, 3).astype(int) @ [65536, 256, 1]
              for image in bodies.some_of(images, 6)]
    found, counts = np.unique(np.concatenate(pixels), return_counts=True)
    found = found[np.argsort(-counts, kind="stable")]
    found = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.uint8)
    palette = Image.fromarray(found[:, None]).quantize(158, Image.Quantize.MEDIANCUT)
    others = np.array(palette.getpalette()[:474]).reshape(-1, 3)
    others[others.min(axis=1) > 243] = 255  # white paper
    own = 255 * matplotlib.colormaps["viridis"](np.linspace(0, 1, 64))[:, :3]
    arrow = 255 * np.array([bodies.VERMILION, bodies.PALE])
    palette.putpalette(np.concatenate([own, arrow, found[:32], others]).astype(int).ravel().tolist())
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def image_of(figure, dpi):
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])


def nothing_left_out(look, left_out):
    n = len(left_out)
    return "" if n == 0 else f" {n} {'body is' if n == 1 else 'bodies are'} beyond the picture."


def snapshots(run, options, prefix):
    """Pictures of the bodies at the chosen times, side by side where all are rigid."""
    if not run.series:
        print(f"percussion-report: {run.folder} has no solution.pvd, hence no snapshots",
              file=sys.stderr)
        return
    chosen = sorted({run.nearest(t) for t in options.time})
    if not chosen:
        chosen = bodies.notable(run) if run.has_elastic else sorted(
            {run.nearest(t) for t in np.linspace(run.series[0][0], run.series[-1][0],
                                                 12 if run.dim == 2 else 6)})
    look = bodies.Look(run, chosen, options.field, options.warp, False, options.view,
                       options.cut)
    more = "".join(f" {remark[0].upper()}{remark[1:]}." for remark in look.remarks)
    arrows = " Arrows: contact percussions." if look.longest else ""
    if not run.has_elastic:
        figure, left_out = bodies.positions(look, chosen)
        yield Picture(f"{prefix}positions", figure, f"{run.label}: successive positions of the rigid"
                      f" bodies, {look.scaling.words()}.{arrows}{nothing_left_out(look, left_out)}"
                      f"{more}", f"The rigid bodies of {run.label} at {len(chosen)} instants, side "
                      "by side.", "bodies")
        return
    for i, k in enumerate(chosen):
        figure, left_out = bodies.snapshot(look, k)
        time = bodies.time_text(look, k, 6)
        colours = f" Colours: {look.field.replace('von_mises', 'von Mises stress')}, on one scale " \
            "for the run." if look.field else ""
        yield Picture(f"{prefix}{i}", figure, f"{run.label}, {time}, {look.scaling.words()}. Grey: "
                      f"the undeformed outline, where it is near.{arrows}{colours}"
                      f"{nothing_left_out(look, left_out)}{more}", f"The deformed bodies of "
                      f"{run.label} at {time}, with arrows for the percussions.", "bodies")


def animation(runs, options, folder):
    """Draws the frames and joins them; returns the picture and its file."""
    shown = [run for run in runs if len(run.series) > 1]
    shown = [run for run in shown if run.has_elastic == shown[0].has_elastic][:4]
    if not shown:
        return None
    looks = [bodies.Look(run, range(len(run.series)) if len(run.series) <= 100 else
                         bodies.some_of(range(len(run.series)), 100), options.field, options.warp,
                         True, options.view, options.cut) for run in shown]
    for look in looks:
        look.scaling.factor = looks[0].scaling.factor
        look.limit, look.longest = (max(getattr(other, name) for other in looks)
                                    for name in ("limit", "longest"))
        look.lowest = min(other.lowest for other in looks)
    inside = make_folder(os.path.join(folder, "frames"))
    for name in os.listdir(inside):
        if name.startswith("frame-") and name.endswith(".png"):
            os.remove(os.path.join(inside, name))
    images = []
    for i, figure in enumerate(bodies.frames(looks, options.frames)):
        image = image_of(figure, FRAME_DPI)
        image.save(os.path.join(inside, f"frame-{i:03}.png"), compress_level=2)
        images.append(image.resize([side * 2 // 3 for side in image.size], Image.Resampling.BOX))
    file = os.path.join(folder, "animation.gif")
    data = gif(images)
    with open(file, "wb") as stream:
        stream.write(data)
    caption = f"The bodies in motion, {looks[0].scaling.words()}."
    if looks[0].longest:
        caption += " Arrows: contact percussions."
    caption += " Colours and arrows have the same scale at all times."
    if len(shown) < len(runs):
        caption += " Not all of the runs are shown."
    return Picture("animation", None, caption, "Animation of the moving bodies.", "bodies"), file


def gif(images):
    """The animation, every other image left out until it is small enough."""
    images = few_colours(images)
    while True:
        frames = images
        stream = io.BytesIO()
        each = min(max(TOTAL_MILLISECONDS / len(frames), 40), 250)
        frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:], loop=0,
                       duration=[int(each)] * (len(frames) - 1) + [2000])
        if stream.tell() <= LARGEST_GIF or len(images) < 24:
            return stream.getvalue()
        images = images[(len(images) - 1) % 2::2]


def report(runs, options):
    folder = make_folder(options.pictures or os.path.join(runs[0].folder, "report"))
    made = []
    if not options.no_animation:
        moving = animation(runs, options, folder)
        made += [moving] if moving else []
    for i, run in enumerate(runs):
        prefix = "snapshot-" if len(runs) == 1 else f"snapshot-{i}-"
        made += [(p, write(p, folder, options.format)) for p in snapshots(run, options, prefix)]
    for picture in [*(chart(runs) for chart in [*charts.ALL, statuses]),
                    *map(footprint, runs if len(runs) == 1 else []), *charts.probes(runs)]:
        if picture:
            made.append((picture, write(picture, folder, options.format)))
    for _, file in made:
        print(file)
    print(page.write_page(runs, made, os.path.join(folder, "index.html")))


def profile(folder, options):
    """The picture of a comparison of solvers, which percussion-fc has written."""
    table, _ = read_table(os.path.join(folder, "profile.csv"), ["tau"], [])
    picture = Picture("profile", charts.profile(table, [n for n in table if n != "tau"]), "", "", "")
    print(write(picture, make_folder(options.pictures or folder), options.format))


def status_of(name, work):
    """The exit status of a program; what is wrong is printed."""
    try:
        return work() or 0
    except (Trouble, OutputError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2 if isinstance(error, Trouble) else 1


def main(arguments, version, _=None):
    options = read_options(arguments, version)

    def work():
        for folder in options.outputs:
            if os.path.isfile(os.path.join(folder, "profile.csv")) and \
                    not os.path.isfile(os.path.join(folder, "energy.csv")):
                profile(folder, options)
                options.outputs = [other for other in options.outputs if other != folder]
        if options.outputs:
            # All input is read, and what is wrong with it told, before anything is drawn.
            runs = read_runs(options.outputs, options.label)
            report(runs, options)

    return status_of("percussion-report", work)
