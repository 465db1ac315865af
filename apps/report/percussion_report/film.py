"""Frames of the page's animation, which the cursor of time moves."""

import base64
import io
import json

import numpy as np
from PIL import Image

from .images import milliseconds


class Film:
    """Images of the bodies at instants.

    times: of the images; largest: index of the image at the largest contact force; is_animation: False
    for snapshots, which the page shows anyway."""

    def __init__(self, times, images, largest, caption, is_animation=True):
        self.times, self.images, self.largest = times, images, largest
        self.caption, self.is_animation = caption, is_animation

    def moving(self):
        """Returns an animated WebP as data of the page, for pages without a script."""
        images, stream = self.smaller(640), io.BytesIO()
        images[0].save(stream, "WEBP", save_all=True, append_images=images[1:], loop=0, quality=60,
                       duration=milliseconds(len(images)))
        return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode()

    def smaller(self, width):
        ratio = min(width / self.images[0].width, 1.0)
        size = [round(side * ratio) for side in self.images[0].size]
        return [image.resize(size, Image.Resampling.BOX) for image in self.images]

    def frames(self, limit):
        """Returns times and images as JSON of at most this many bytes: the images become smaller, and
        then every other is omitted, except the one at the largest force."""
        for width, quality in ((960, 70), (800, 60), (640, 55), (480, 45), (480, 20)):
            sources = []
            for image in self.smaller(width):
                stream = io.BytesIO()
                image.save(stream, "WEBP", quality=quality, method=2)
                sources.append("data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode())
            sizes = np.array([len(source) + 30 for source in sources])
            if sizes.sum() <= limit:
                break
        indices = list(range(len(sources)))
        while sum(sizes[indices]) > limit and len(indices) > 1:
            fewer = sorted({*indices[::2], self.largest})
            indices = fewer if len(fewer) < len(indices) else [self.largest]
        return json.dumps([[float(f"{self.times[k]:.9g}"), sources[k]] for k in indices])
