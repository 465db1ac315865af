"""Reads the VTU files of a run: arrays within the text, in blocks compressed by zlib."""

import base64
import math
import struct
import xml.etree.ElementTree
import zlib

import numpy as np

TYPES = {"Float64": "<f8", "Int32": "<i4", "Int64": "<i8", "UInt8": "u1"}


def decode(text):
    """Returns an array from the sizes of its blocks and the blocks, both in base 64."""
    text = text.strip()
    (n_blocks,) = struct.unpack_from("<I", base64.b64decode(text[:8]))
    end = 4 * math.ceil((12 + 4 * n_blocks) / 3)
    sizes = struct.unpack_from(f"<{n_blocks}I", base64.b64decode(text[:end]), 12)
    data, at, whole = base64.b64decode(text[end:]), 0, b""
    for size in sizes:
        whole += zlib.decompress(data[at : at + size])
        at += size
    return whole


def read(file):
    """Returns the points, and the arrays of points and of cells by name."""
    tree = xml.etree.ElementTree.parse(file)

    def arrays(section):
        found = {}
        for array in tree.findall(f".//Piece/{section}/DataArray"):
            values = np.frombuffer(decode(array.text), TYPES[array.get("type")])
            components = int(array.get("NumberOfComponents", 1))
            found[array.get("Name")] = values.reshape(-1, components) if components > 1 else values
        return found

    return arrays("Points")["Points"], arrays("PointData"), arrays("CellData")
