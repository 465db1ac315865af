"""Images and animations in small files."""

import io
import os

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from .scene import some_of

DPI = 190
LARGEST_GIF, LARGEST_PNG = 1_100_000, 200_000  # bytes; a page needs a third more
TOTAL_MILLISECONDS = 6000
VIRIDIS = (255 * matplotlib.colormaps["viridis"](np.linspace(0, 1, 64))[:, :3]).astype(int)


def image_of(figure, dpi):
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])


def write(picture, folder, kinds):
    """Writes a picture in all formats; returns its PNG, made small by a reduced number of
    colours."""
    for kind in kinds:
        if kind != "png":
            picture.save(os.path.join(folder, f"{picture.name}.{kind}"))
    file = os.path.join(folder, f"{picture.name}.png")
    picture.prepare()
    image = image_of(picture.figure, DPI)
    if not picture.name.startswith("snapshot"):
        image = few_colours([image])[0]
    image.save(file, dpi=(DPI, DPI))
    if os.path.getsize(file) > LARGEST_PNG:
        few_colours([image.convert("RGB")], VIRIDIS)[0].save(file, dpi=(DPI, DPI))
    return file


def few_colours(images, reserved=np.zeros((0, 3), int)):
    """Returns the images with a common palette of 256 colours: the lightest become white, like
    the paper."""
    sample = np.concatenate([np.asarray(image) for image in some_of(images, 6)])
    palette = Image.fromarray(sample).quantize(256 - len(reserved), Image.Quantize.FASTOCTREE)
    colours = np.array(palette.getpalette()).reshape(-1, 3)[:256 - len(reserved)]
    colours[colours.min(axis=1) > 247] = 255
    palette.putpalette(np.concatenate([colours, reserved]).ravel().tolist())
    return [palette] if len(images) == 1 and len(reserved) == 0 else [
        image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def milliseconds(n):
    """Returns the duration of each of n frames; the last one stays."""
    return [int(min(max(TOTAL_MILLISECONDS / n, 40), 250))] * (n - 1) + [2000]


def gif(images):
    """Writes an animation, omitting every second image until it is small enough."""
    images = few_colours(images, VIRIDIS)
    while True:
        stream = io.BytesIO()
        images[0].save(stream, "GIF", save_all=True, append_images=images[1:], loop=0,
                       duration=milliseconds(len(images)))
        if stream.tell() <= LARGEST_GIF or len(images) < 24:
            return stream.getvalue()
        images = images[(len(images) - 1) % 2::2]
