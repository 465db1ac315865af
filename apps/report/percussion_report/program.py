"""Command line of percussion-report."""

import math
import os
import re
import sys

import numpy as np
from PIL import Image

from . import bodies, charts, page
from .by_contact import by_contact
from .command_line import Parser, list_of, make_folder, reader, status_of, summarise
from .mesh import mesh
from .files import read_runs, read_table
from .film import Film
from .images import gif, image_of, write
from .regions import report_mesh
from .renderer import Renderer
from .scene import Trouble, some_of
from .statuses import footprint, statuses
from .style import Picture, Titles
from .verdict import verdict

HELP = """\
Pictures and one page that shows them, from the output folder of a run

Usage: percussion-report [OPTION]... OUTPUT...
       percussion-report [OPTION]... --mesh CASE

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
  output/CASE-mesh/mesh.png, index.html
                            with --mesh: the meshes of a case and their regions
  OUTPUT/profile.png        of a folder that percussion-fc --compare has written

Examples:
  percussion-report output/sliding_block --warp 100 --time 0.3
  percussion-report output/a output/b --pictures comparison
  percussion-report output/sliding_block --format pdf
  percussion-report --mesh case.prm --set "Mesh/Size=0.01"

See also:
  percussion(1), percussion-fc(1), paraview(1). The documentation is in
  share/doc/percussion/doc below the folder where Percussion is installed."""


def half_space(text):
    """Returns x, y, z and a number of a plane; bodies are cut off beyond it."""
    axis, sign, value = re.fullmatch(r"([xyz])\s*([<>])\s*(\S+)", text.strip()).groups()
    return (1 if sign == "<" else -1) * np.array([*(float(axis == c) for c in "xyz"), float(value)])


number = reader("not a number", float, math.isfinite)
count = reader("not a whole number from 1 to 1000", int, range(1, 1001).__contains__)
factor = reader("neither 'auto' nor a positive number", lambda text: None if text == "auto" else
                float(text), lambda value: value is None or 0 < value < math.inf)
angles = reader("not two angles in degrees, of which the second is between -90 and 90",
                list_of(float), lambda pair: len(pair) == 2 and math.isfinite(pair[0])
                and abs(pair[1]) < 90)
plane = reader("not a half of space as x<0.5, y>0 or z<1", half_space,
               lambda value: np.isfinite(value).all())
picture_format = reader("not one of png, pdf, svg", str, ("png", "pdf", "svg").__contains__)


def read_options(arguments, version):
    parser = Parser(prog="percussion-report", add_help=False, allow_abbrev=False)
    parser.text = HELP
    add = parser.add_argument
    add("outputs", metavar="OUTPUT", nargs="*",
        help="Output folder of a run; the curves of several runs share their axes")
    add("--mesh", metavar="CASE",
        help="Draw the meshes of this case (.prm) and their regions, before any run")
    add("--set", metavar="PATH=VALUE", action="append", default=[],
        help="With --mesh: override a parameter of the case; repeatable")
    add("--warp", metavar="FACTOR", type=factor, default="auto",
        help="Factor on the deformations in the snapshots, or 'auto'")
    add("--time", metavar="TIME,...", type=list_of(number), nargs="+", default=[],
        help="Times of the snapshots (the nearest written instants are drawn)")
    add("--together", action="store_true",
        help="Draw the snapshots side by side in one picture, as those of rigid bodies")
    add("--field", metavar="NAME", choices=["displacement", "velocity", "pressure", "von_mises",
                                            "cell_von_mises"],
        help="Field that colours the bodies (default: von_mises; none if all bodies are rigid): "
             "displacement, velocity, pressure, von_mises, or cell_von_mises, the stress of each cell")
    add("--view", metavar="A,E", type=angles,
        help="Direction of the viewer in 3D: degrees around the upward axis, and above the "
             "ground (default: the side that shows most)")
    add("--cut", metavar="x<VALUE", type=plane,
        help="Show only this half of the undeformed bodies in 3D: x<0.5, y>0, ...")
    add("--scenes", metavar="NAME", choices=["auto", "vtk", "painter"], default="auto",
        help="Renderer of bodies in 3D: vtk, painter (the program's own), or auto: VTK if it draws, else "
             "the painter")
    add("--frames", metavar="N", type=count, default=60,
        help="Largest number of frames of the animation")
    add("--no-animation", action="store_true", help="Draw no animation")
    add("--label", metavar="TEXT", action="append",
        help="Name of an OUTPUT in the pictures; once for each OUTPUT")
    add("--pictures", metavar="DIR",
        help="Folder for pictures and page (default: report/ in the first OUTPUT)")
    add("--format", metavar="NAME,...", type=list_of(picture_format), default="png",
        help="Formats of the pictures: png, pdf, svg; png is always written")
    add("--plain", action="store_true",
        help="Draw no titles above the panels of pictures, for papers, and write a page without a "
             "script")
    add("-h", "--help", action="help", help="Print this help and exit")
    add("--version", action="version", version=f"percussion-report {version}",
        help="Print the version and exit")
    options = parser.parse_args(arguments)
    options.time = [t for ts in options.time for t in ts]
    if bool(options.outputs) == bool(options.mesh):
        parser.error("either OUTPUT, the folder of a run, or --mesh CASE is needed")
    if options.set and not options.mesh:
        parser.error("--set goes with --mesh")
    return options


def snapshots(run, options, prefix):
    """Returns pictures of the bodies at the chosen times, side by side if all are rigid."""
    if not run.series:
        print(f"percussion-report: {run.folder} has neither solution.pvd nor solution.vtkhdf, hence no snapshots",
              file=sys.stderr)
        return
    times = options.time
    is_together = options.together or not run.has_elastic
    if not times and is_together:
        times = [run.series[k][0] for k in run.eventful(12 if run.dim == 2 else 6)]
    chosen = sorted({run.nearest(t) for t in times}) or bodies.notable(run)
    look = bodies.Look(run, chosen, options.field, options.warp, False, options.view, options.cut,
                       options.render)
    if is_together:
        figure, left_out = bodies.positions(look, chosen)
        yield Picture(f"{prefix}positions", figure, f"{run.label}: successive positions of the "
                      f"bodies, {look.scaling.words()}." + explanation(look, left_out),
                      "bodies")
        return
    for i, k in enumerate(chosen):
        figure, left_out = bodies.snapshot(look, k)
        yield Picture(f"{prefix}{i}", figure, f"{run.label}, {bodies.time_text(look, k, 6)}, "
                      f"{look.scaling.words()}. Grey: the undeformed outline, if near."
                      + explanation(look, left_out), "bodies", run.series[k][0])


def explanation(look, left_out):
    text = " Arrows: contact percussions." if look.longest else ""
    if look.field:
        words = look.field.replace("von_mises", "von Mises stress")
        text += f" Colours: {words}, on one scale for the run" + (
            "; at each node the mean of its cells, weighted by their volumes."
            if look.field == "von_mises" and not look.has_cell_colours else ".")
    if len(left_out):
        verb = "body is" if len(left_out) == 1 else "bodies are"
        text += f" {len(left_out)} {verb} beyond the picture."
    return text + "".join(f" {remark[0].upper()}{remark[1:]}." for remark in look.remarks)


def animation(runs, options, folder):
    """Draws the frames and joins them; returns the film for the page, and its file."""
    animated = [run for run in runs if len(run.series) > 1]
    animated = [run for run in animated if run.has_elastic == animated[0].has_elastic][:4]
    if not animated:
        return None, None
    looks = [bodies.Look(run, some_of(range(len(run.series)), 100), options.field, options.warp,
                         True, options.view, options.cut, options.render) for run in animated]
    inside = make_folder(os.path.join(folder, "frames"))
    for name in os.listdir(inside):
        if name.startswith("frame-") and name.endswith(".png"):
            os.remove(os.path.join(inside, name))
    times, images = [], []
    for i, (time, figure) in enumerate(bodies.frames(looks, options.frames)):
        times.append(time)
        images.append(image_of(figure, 160))
        images[-1].save(os.path.join(inside, f"frame-{i:03}.png"), compress_level=2)
    caption = f"The bodies in motion, {looks[0].scaling.words()}: of equal intervals of time the instants " \
        "at which the contacts press most." + explanation(looks[0], []) \
        + " Colours and arrows have the same scale at all times." \
        + (" The animation shows only some of the runs." if len(animated) < len(runs) else "")
    film = Film(times, images, nearest(times, hardest_time(animated)), caption)
    file = os.path.join(folder, "animation.gif")
    with open(file, "wb") as stream:
        stream.write(gif(film.smaller(640)))
    return film, file


def hardest_time(runs):
    """Returns the time of the written instant at which the contacts of any run press most."""
    run = max(runs, key=lambda run: run.presses.max())
    return run.series[run.hardest][0]


def nearest(times, time):
    return min(range(len(times)), key=lambda k: abs(times[k] - time))


def report(runs, options):
    folder = make_folder(options.pictures or os.path.join(runs[0].folder, "report"))
    film, file = (None, None) if options.no_animation else animation(runs, options, folder)
    written, single = [], len(runs) == 1
    for i, run in enumerate(runs):
        written += [(picture, write(picture, folder, options.format)) for picture in
                 snapshots(run, options, "snapshot-" if single else f"snapshot-{i}-")]
    written += [(picture, write(picture, folder, options.format)) for picture in (
        mesh(runs[0]) if single else None,
        *(chart(runs) for chart in [*charts.ALL, statuses]), footprint(runs[0]) if single else None,
        *by_contact(runs), *charts.probes(runs)) if picture]
    film = film or snapshot_film(runs, written)
    kinds = [kind for kind in options.format if kind != "png"]
    for name in [*([file] if file else []), *(name for picture, png in written for name in (
            png, *(os.path.join(folder, f"{picture.name}.{kind}") for kind in kinds)))]:
        print(name)
    html = page.write_page(runs, written, os.path.join(folder, "index.html"), film, options.plain)
    summarise([(run.label, verdict(run)[0]) for run in runs])
    print(html)


def snapshot_film(runs, written):
    """Returns the snapshots as pictures that the cursor of time chooses; None if there are none."""
    found = sorted(((picture.time, file, picture.caption) for picture, file in written
                    if picture.time is not None), key=lambda item: item[0])
    if not found:
        found = [(runs[0].series[runs[0].hardest][0], file, picture.caption)
                 for picture, file in written if picture.name.endswith("positions")][:1]
    if not found:
        return None
    times = [time for time, _, _ in found]
    k = nearest(times, hardest_time([run for run in runs if run.series]))
    with Image.open(found[k][1]) as image:
        return Film(times[k:k + 1], [image.convert("RGB")], 0, found[k][2], False)


def profile(folder, options):
    """Returns the picture of a comparison of solvers written by percussion-fc."""
    table, _ = read_table(os.path.join(folder, "profile.csv"), ["tau"], [])
    picture = charts.profile(table, [name for name in table if name != "tau"])
    print(write(picture, make_folder(options.pictures or folder), options.format))


def main(arguments, version, program=None):
    options = read_options(arguments, version)
    if options.plain:
        Titles.are_drawn = False

    def work():
        if options.mesh:
            report_mesh(options, program or "percussion")
        comparisons = [folder for folder in options.outputs
                       if os.path.isfile(os.path.join(folder, "profile.csv"))
                       and not os.path.isfile(os.path.join(folder, "energy.csv"))]
        for folder in comparisons:
            profile(folder, options)
        folders = [folder for folder in options.outputs if folder not in comparisons]
        if folders:
            # All input is read, and errors in it are reported, before anything is drawn.
            runs = read_runs(folders, options.label)
            with Renderer(options.scenes) as options.render:
                report(runs, options)

    return status_of("percussion-report", work)
