"""Files on which the runs of a case depend, and their checksums."""

import glob
import hashlib
import os
import re

from percussion_report.scene import Trouble

QUOTED = re.compile(r'"([^"\n]+)"')


def _entries(text):
    """Yields (keyword, remainder) of the lines of a parameter file, continued ones joined."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        keyword, _, remainder = line.partition("#")[0].strip().partition(" ")
        if keyword:
            yield keyword.lower(), remainder.strip()


def candidates(value):
    """Returns the texts in a value that may name files: all of it, items of a list, and texts in
    quotes, as in table("pull.csv:force", t)."""
    quoted = QUOTED.findall(value)
    texts = [value, *value.split(","), *value.split(";"), *quoted,
             *(name.rpartition(":")[0] for name in quoted)]
    return dict.fromkeys(text.strip() for text in texts if text.strip())


def _names(file, text):
    """Returns the texts in a parameter file or geometry that may name files."""
    if file.endswith(".geo"):
        return QUOTED.findall(text)
    found = []
    for keyword, remainder in _entries(text):
        if keyword == "include":
            found.append(remainder)
        elif keyword == "set":
            found += candidates(remainder.partition("=")[2].strip())
    return found


def _of_folder(folder):
    """Returns the files of a run from which another one starts."""
    return sorted(glob.glob(os.path.join(glob.escape(folder), "checkpoint-*.bin")))


def files_of(case, values=()):
    """Returns the case, the files that it and the values of other entries name, and the files that
    these name, as absolute paths: included cases, meshes, geometries, tables, folders of runs."""
    start = os.path.dirname(os.path.abspath(case))
    found, waiting = {}, [os.path.abspath(case)]

    def follow(name, folders):
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                waiting.append(path)
            elif os.path.isdir(path) and name not in (".", ".."):
                waiting.extend(_of_folder(path))

    for value in values:
        for name in candidates(value):
            follow(name, (start, os.getcwd()))
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = True
        if path.endswith((".prm", ".geo")) or path == os.path.abspath(case):
            with open(path, encoding="utf-8", errors="replace") as stream:
                text = stream.read()
            for name in _names(path, text):
                follow(name, dict.fromkeys((start, os.path.dirname(path), os.getcwd())))
    return sorted(found)


def checksum(file):
    """Returns the SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(file, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def checksums(case, values=()):
    """Returns the SHA-256 of each file on which the runs depend, by its path from the folder of the
    case."""
    start = os.path.dirname(os.path.abspath(case))
    try:
        return {os.path.relpath(file, start): checksum(file) for file in files_of(case, values)}
    except OSError as error:
        raise Trouble(f"{error.filename}: cannot be read ({error.strerror})") from error


def changes(old, new):
    """Returns a sentence for each file that differs between two dictionaries of checksums."""
    return [*(f"{file} has changed" for file in old if new.get(file, old[file]) != old[file]),
            *(f"{file} is missing" for file in old if file not in new),
            *(f"{file} is new" for file in new if file not in old)]
