"""VTU files in all encodings of VTK's writers, and the pieces of them that several processes write."""

import base64
import functools
import lzma
import math
import os
import re
import xml.etree.ElementTree
import zlib

import numpy as np

from .scene import Trouble

MAY_BE_NAN = ("gap", "relative_velocity")  # of contacts that are no longer close
TYPES = {"Float32": "f4", "Float64": "f8", **{
    f"{sign}Int{8 * size}": f"{letter}{size}"
    for sign, letter in (("", "i"), ("U", "u")) for size in (1, 2, 4, 8)}}
HEADERS = {"UInt32": "u4", "UInt64": "u8"}
ORDERS = {"LittleEndian": "<", "BigEndian": ">"}
DECOMPRESSORS = {None: None, "vtkZLibDataCompressor": zlib.decompress,
                 "vtkLZMADataCompressor": lzma.decompress}
DAMAGES = (OSError, ValueError, KeyError, IndexError, EOFError, zlib.error, lzma.LZMAError)


def base64_length(n_bytes):
    """Returns the number of characters of some bytes in base64."""
    return 4 * math.ceil(n_bytes / 3)


class Encoded:
    """Bytes or base64 text from a position on, as VTK encodes an array."""

    def __init__(self, data, position, is_base64):
        self.data, self.position, self.is_base64 = data, position, is_base64

    def peek(self, n_bytes):
        """Returns the next bytes."""
        length = base64_length(n_bytes) if self.is_base64 else n_bytes
        found = self.data[self.position:self.position + length]
        found = base64.b64decode(found, validate=True) if self.is_base64 else found
        if len(found) < n_bytes:
            raise ValueError(f"{len(found)} bytes where there should be {n_bytes}")
        return found[:n_bytes]

    def take(self, n_bytes):
        """Returns the next bytes, which are encoded apart from the following ones, and moves behind
        them."""
        found = self.peek(n_bytes)
        self.position += base64_length(n_bytes) if self.is_base64 else n_bytes
        return found


class Encoding:
    """Encoding of the arrays of a file, by the attributes of its first element."""

    def __init__(self, root):
        order = ORDERS[root.get("byte_order", "LittleEndian")]
        self.order = order
        self.header = np.dtype(order + HEADERS[root.get("header_type", "UInt32")])
        self.decompress = DECOMPRESSORS[root.get("compressor")]

    def decode(self, encoded):
        """Returns the bytes of an array. Before uncompressed bytes there is their number; before
        compressed ones the number of blocks, the size of a whole block and of the last, and the
        compressed sizes."""
        size = self.header.itemsize
        (n,) = np.frombuffer(encoded.peek(size), self.header)
        if self.decompress is None:
            return encoded.take(size + int(n))[size:]
        sizes = np.frombuffer(encoded.take((3 + int(n)) * size), self.header)[3:].astype(int)
        data, ends = encoded.take(int(sizes.sum())), np.cumsum(sizes)
        return b"".join(self.decompress(data[b - size:b]) for b, size in zip(ends, sizes))


def split_appended(content):
    """Returns the XML of a file without appended data, these data, which may be no XML, the position
    of their first array, and whether they are base64 text."""
    mark = re.search(rb"<AppendedData([^>]*)>\s*_", content)
    if not mark:
        return content, b"", 0, False
    is_base64 = b'"raw"' not in mark[1]
    return content[:mark.start()] + b"</VTKFile>", content, mark.end(), is_base64


class Vtu:
    """Arrays of a VTU file, read at their first use; vectors have `dim` components."""

    def __init__(self, file, dim=3):
        self.file, self.dim = file, dim
        if os.path.exists(file) and not os.path.isfile(file):  # a device may never end
            raise Trouble(f"{file}: is not a regular file")
        try:
            with open(file, "rb") as stream:
                text, *self.appended = split_appended(stream.read())
            root = xml.etree.ElementTree.fromstring(text)
            piece, *more_pieces = root.iter("Piece")
            cells, points = (int(piece.attrib[f"NumberOf{kind}"]) for kind in ("Cells", "Points"))
        except (OSError, xml.etree.ElementTree.ParseError, AttributeError, KeyError,
                ValueError) as error:
            raise Trouble(f"{file}: is not a VTK mesh ({error})") from error
        if more_pieces:
            raise Trouble(f"{file}: has {1 + len(more_pieces)} pieces; only files of one piece are read")
        try:
            self.encoding = Encoding(root)
        except KeyError as error:
            raise Trouble(f"{file}: its arrays are encoded by {error}; readable are zlib, lzma and "
                          "no compression, with headers UInt32 and UInt64") from error
        self.rows = {"CellData": cells, "Cells": cells, "PointData": points, "Points": points}
        self.arrays = {(section.tag, array.get("Name")): array
                       for section in [*root.iter("FieldData"), *piece] for array in section}

    def values(self, element):
        """Returns the numbers of an array in sequence."""
        kind = np.dtype(self.encoding.order + TYPES[element.get("type")])
        form, text = element.get("format", "binary"), element.text or ""
        if form == "ascii":
            return np.array(text.split(), kind.newbyteorder("="))
        if form == "appended":
            data, begin, is_base64 = self.appended
            encoded = Encoded(data, begin + int(element.attrib["offset"]), is_base64)
        else:
            encoded = Encoded("".join(text.split()), 0, True)
        values = np.frombuffer(self.encoding.decode(encoded), kind)
        if form == "binary" and encoded.position != len(encoded.data):
            raise ValueError("the text goes on behind its last block")
        return values.astype(kind.newbyteorder("="), copy=False)

    def has_array(self, section, name):
        """True if the file has an array of this name."""
        return (section, name) in self.arrays

    def array(self, section, name):
        """Returns an array (rows,) or (rows, components); vectors have `dim` components."""
        found = self.arrays.get((section, name))
        if found is None:
            raise Trouble(f"{self.file}: has no array '{name}' of {section} (see Output/Fields)")
        width = int(found.get("NumberOfComponents", 1))
        try:
            values = self.values(found)
            rows = self.rows.get(section, int(found.get("NumberOfTuples", 0)))  # of field data
            expected = rows * width
            if name not in ("connectivity", "faces") and values.size != expected:
                raise ValueError(f"{values.size} values where there should be {expected}")
        except DAMAGES as error:
            raise Trouble(f"{self.file}: array '{name}' is damaged ({error})") from error
        if name not in MAY_BE_NAN and not np.isfinite(values).all():
            raise Trouble(f"{self.file}: array '{name}' holds a value that is not finite")
        if width == 1:
            return values
        return values.reshape(-1, width)[:, :self.dim if width == 3 else width]


class Pieces:
    """Arrays of the pieces of a .pvtu, as in the VTU file of one process: each point once, points
    and cells in the order of their numbers."""

    def __init__(self, file, dim=3):
        self.file = file
        try:
            sources = [piece.attrib["Source"] for piece in
                       xml.etree.ElementTree.parse(file).getroot().iter("Piece")]
        except (OSError, xml.etree.ElementTree.ParseError, KeyError) as error:
            raise Trouble(f"{file}: is not an index of VTK meshes ({error})") from error
        if not sources:
            raise Trouble(f"{file}: names no pieces")
        self.pieces = [Vtu(os.path.join(os.path.dirname(file), source), dim) for source in sources]
        self.arrays = self.pieces[0].arrays
        self.firsts = np.cumsum([0] + [piece.rows["Points"] for piece in self.pieces])
        _, self.first_copy, self.point = np.unique(
            self.joined("PointData", "GlobalPointIds"), return_index=True, return_inverse=True)
        self.cell_order = np.argsort(self.joined("CellData", "GlobalCellIds"))

    def joined(self, section, name):
        """Returns the rows of all pieces, one piece after the other."""
        return np.concatenate([piece.array(section, name) for piece in self.pieces])

    def array(self, section, name):
        """Returns an array (rows,) or (rows, dim)."""
        if section == "FieldData":
            return self.pieces[0].array(section, name)
        if section == "Cells":
            cells = self.polyhedra if name.startswith("face") else self.cells
            return cells[name]
        is_of_points = section in ("PointData", "Points")
        return self.joined(section, name)[self.first_copy if is_of_points else self.cell_order]

    @functools.cached_property
    def cells(self):
        """Returns the types of the cells, their corners in sequence, and the end of each cell."""
        corners, lengths = (np.concatenate(arrays) for arrays in zip(
            *(self.cells_of(piece, first) for piece, first in zip(self.pieces, self.firsts))))
        begins = (np.cumsum(lengths) - lengths)[self.cell_order]
        lengths = lengths[self.cell_order]
        ends = np.cumsum(lengths)
        order = np.repeat(begins - (ends - lengths), lengths) + np.arange(len(corners))
        return {"types": self.joined("Cells", "types")[self.cell_order],
                "connectivity": corners[order], "offsets": ends}

    def cells_of(self, piece, first):
        """Returns the corners of the cells of a piece in sequence, and their numbers."""
        corners = self.numbered(piece, first, piece.array("Cells", "connectivity"))
        lengths = np.diff(piece.array("Cells", "offsets"), prepend=0)
        if (lengths < 1).any() or lengths.sum() != len(corners):
            raise Trouble(f"{piece.file}: array 'offsets' is damaged (it does not divide the "
                          f"{len(corners)} corners among the cells)")
        return corners, lengths

    @functools.cached_property
    def polyhedra(self):
        """Returns VTK's lists of the faces of polyhedra, and the end of the list of each cell."""
        lists, ends, n = [np.zeros(0, int)], [], 0
        for piece, first in zip(self.pieces, self.firsts):
            faces, end = self.polyhedra_of(piece, first)
            lists.append(faces)
            ends.append(np.where(end < 0, -1, end + n))
            n += len(faces)
        return {"faces": np.concatenate(lists),
                "faceoffsets": np.concatenate(ends)[self.cell_order]}

    def polyhedra_of(self, piece, first):
        """Returns the list of a piece, and its end for each cell; -1 for other cells."""
        if ("Cells", "faces") not in piece.arrays:
            return np.zeros(0, int), np.full(piece.rows["Cells"], -1)
        faces, ends = piece.array("Cells", "faces").copy(), piece.array("Cells", "faceoffsets")
        position, found = 0, []
        while position < len(faces):
            n_faces, position = faces[position], position + 1
            for _ in range(n_faces):
                begin = position + 1
                position = begin + faces[position] if position < len(faces) else -1
                if not begin <= position <= len(faces):
                    raise Trouble(f"{piece.file}: array 'faces' is damaged (it ends within a face)")
                faces[begin:position] = self.numbered(piece, first, faces[begin:position])
            found.append(position)
        if not np.array_equal(found, ends[ends >= 0]):
            raise Trouble(f"{piece.file}: array 'faceoffsets' is damaged (polyhedra end elsewhere)")
        return faces, ends

    def numbered(self, piece, first, points):
        """Returns the rows of points of a piece, whose first point is this one of all pieces."""
        if len(points) and not 0 <= points.min() <= points.max() < piece.rows["Points"]:
            raise Trouble(f"{piece.file}: a cell has a point that is not in the file")
        return self.point[first + points]


def read_vtu(file, dim=3):
    """Returns the arrays of a .vtu or .pvtu."""
    return (Pieces if file.endswith(".pvtu") else Vtu)(file, dim)
