"""Images and animations in small files."""

import io
import os

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from .bodies import PALE, VERMILION
from .scene import some_of

DPI = 190
LARGEST_GIF, LARGEST_PNG = 1_100_000, 200_000  # bytes; in a page they take a third more
TOTAL_MILLISECONDS = 6000
QUANTIZED = {"dither": Image.Dither.NONE}


def image_of(figure, dpi):
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])


def write(picture, folder, kinds):
    """Writes a picture in all formats; returns its PNG, which is kept small by few colours."""
    for kind in kinds:
        if kind != "png":
            picture.save(os.path.join(folder, f"{picture.name}.{kind}"))
    file = os.path.join(folder, f"{picture.name}.png")
    picture.prepare()
    image = image_of(picture.figure, DPI)
    if not picture.name.startswith("snapshot"):
        image = image.quantize(256, Image.Quantize.FASTOCTREE, **QUANTIZED)
        image.putpalette(whitened(image.getpalette(), 247).ravel().tolist())
    image.save(file, dpi=(DPI, DPI))
    if os.path.getsize(file) > LARGEST_PNG:
        few_colours([image.convert("RGB")])[0].save(file, dpi=(DPI, DPI))
    return file


def whitened(palette, limit):
    """Colours (n, 3) of a palette, of which the lightest are white, as the paper."""
    colours = np.array(palette).reshape(-1, 3)
    colours[colours.min(axis=1) > limit] = 255
    return colours


def few_colours(images):
    """The images with 256 colours: viridis, the most frequent of all, and some for the others."""
    pixels = [np.asarray(image)[::3, ::3].reshape(-1, 3).astype(int) @ [65536, 256, 1]
              for image in some_of(images, 6)]
    found, counts = np.unique(np.concatenate(pixels), return_counts=True)
    found = found[np.argsort(-counts, kind="stable")]
    found = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.uint8)
    palette = Image.fromarray(found[:, None]).quantize(158, Image.Quantize.MEDIANCUT)
    own = 255 * np.concatenate([matplotlib.colormaps["viridis"](np.linspace(0, 1, 64))[:, :3],
                                [VERMILION, PALE]])
    palette.putpalette(np.concatenate([own, found[:32], whitened(palette.getpalette()[:474], 243)])
                       .astype(int).ravel().tolist())
    return [image.quantize(palette=palette, **QUANTIZED) for image in images]


def gif(images):
    """An animation, every other image left out until it is small enough."""
    images = few_colours(images)
    while True:
        stream, each = io.BytesIO(), min(max(TOTAL_MILLISECONDS / len(images), 40), 250)
        images[0].save(stream, "GIF", save_all=True, append_images=images[1:], loop=0,
                       duration=[int(each)] * (len(images) - 1) + [2000])
        if stream.tell() <= LARGEST_GIF or len(images) < 24:
            return stream.getvalue()
        images = images[(len(images) - 1) % 2::2]
