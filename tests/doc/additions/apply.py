#!/usr/bin/env python3
"""Applies the patches of this folder to copies of the files that they change.

    apply.py REPOSITORY FOLDER

The copies are in FOLDER, under their paths in the repository. A patch fails if a piece of it does
not fit exactly one place of its file, or if it changes more files, besides new ones, than
stated below.
Prints the reason, and exits with 1, if a patch fails.
"""

import re
import sys
from pathlib import Path

# Numbers of changed files.
FILES = {"cone_solver.patch": 3, "element.patch": 3, "friction.patch": 3, "interface_law.patch": 3,
         "joint.patch": 3, "ledger_column.patch": 2, "point_field.patch": 2, "surface.patch": 3}


def pieces(patch: str):
    """Yields the path of a file, the old text and the new text of each piece."""
    for part in re.split(r"^--- ", patch, flags=re.MULTILINE)[1:]:
        path = re.match(r"a/(\S+)\n\+\+\+ b/\1\n", part)[1]
        for piece in re.split(r"^@@.*@@.*\n", part, flags=re.MULTILINE)[1:]:
            lines = piece.splitlines(keepends=True)
            yield (path, *("".join(line[1:] for line in lines if line[0] in kept)
                           for kept in (" -", " +")))


def apply(name: str, repository: Path, folder: Path) -> None:
    patch = (Path(__file__).parent / name).read_text(encoding="utf-8")
    files, n_new = {}, 0
    for path, old, new in pieces(patch):
        if not old:
            files[path] = new
            n_new += 1
            continue
        text = files.get(path) or (repository / path).read_text(encoding="utf-8")
        if text.count(old) != 1:
            sys.exit(f"{name}: a piece fits {text.count(old)} places of {path}:\n{old}")
        files[path] = text.replace(old, new)
    if len(files) - n_new > FILES[name]:
        sys.exit(f"{name}: changes {len(files) - n_new} files, allowed are {FILES[name]}")
    for path, text in files.items():
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for name in FILES:
        apply(name, Path(sys.argv[1]), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
