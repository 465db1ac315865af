#!/usr/bin/env python3
"""Checks that the steps of cmake/Containerfile agree with the sources, without building the image.

    check_container.py REPOSITORY [FOLDER]

* COPY copies files and folders that exist, or files from an earlier stage, whose names the CMake files
  give to packages;
* all folders and files that CMake needs without tests are copied;
* RUN calls scripts that are executable, with an argument that they know, presets of CMakePresets.json,
  and the configuration of CPack in the build folder of the preset; other commands are Debian's;
* ENTRYPOINT is a program that CMake installs.

Prints the problems, one line each, and exits with 1 if there are any. In an empty FOLDER the script
makes the working folder of the first stage, for trying its steps by hand.
"""

import fnmatch
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Iterator, List, Tuple

DEBIAN = {"apt-get", "rm"}


def instructions(text: str) -> List[Tuple[str, str]]:
    """Returns the instructions with their arguments."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line.strip()]


def copied(text: str) -> List[str]:
    """Returns the names that COPY takes from the sources."""
    return [name for key, words in instructions(text) if key == "COPY" and "--from" not in words
            for name in words.split()[:-1]]


def needed(root: Path) -> Iterator[str]:
    """Yields the files and folders at the top of the sources that CMake names, except for tests."""
    top = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    yield from re.findall(r"^add_subdirectory\((\w+)\)", top, re.M)
    rules = (root / "cmake/PercussionInstall.cmake").read_text(encoding="utf-8")
    for words in re.findall(r"^install\((?:FILES|DIRECTORY) ([^$]*?)\s+DESTINATION", rules, re.M):
        yield from (word.split("/")[0] for word in words.split())
    yield from ("CMakeLists.txt", "CMakePresets.json", "cmake")


def copy_problems(words: str, root: Path, stages: List[str]) -> Iterator[str]:
    """Yields the problems of an instruction COPY."""
    *names, _ = [word for word in words.split() if not word.startswith("--")]
    stage = re.search(r"--from=(\S+)", words)
    if not stage:
        yield from (f"COPY: there is no {name}" for name in names if not (root / name).exists())
        return
    if stage[1] not in stages:
        yield f"COPY: there is no stage {stage[1]}"
    packages = (root / "cmake/PercussionPackages.cmake").read_text(encoding="utf-8")
    files = [f"/source/build/release/{name}_1_amd64.deb"
             for name in re.findall(r"^set\(CPACK_DEBIAN_\w+_PACKAGE_NAME (\S+)\)", packages, re.M)]
    yield from (f"COPY: no package is {name}" for name in names if not fnmatch.filter(files, name))


def command_problems(command: str, root: Path) -> Iterator[str]:
    """Yields the problems of a command of RUN."""
    program, *arguments = shlex.split(command)
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    builds = {preset["name"] for preset in presets["buildPresets"]}
    if "/" in program:
        script = root / program
        if not os.access(script, os.X_OK):
            yield f"RUN: {program} cannot be executed"
        elif not re.search(rf"^    {' '.join(arguments)}\)", script.read_text(encoding="utf-8"), re.M):
            yield f"RUN: {program} does not know {' '.join(arguments)}"
    elif program == "cmake":
        if arguments[:2] != ["--build", "--preset"] or arguments[2] not in builds:
            yield f"RUN: there is no preset for {command}"
    elif program == "cpack":
        if arguments not in [["--config", f"build/{name}/CPackConfig.cmake"] for name in builds]:
            yield f"RUN: {command} names no build folder of a preset"
    elif program not in DEBIAN:
        yield f"RUN: {program} is not known"


def problems(text: str, root: Path) -> Iterator[str]:
    """Yields the problems of a container file."""
    stages: List[str] = []
    yield from (f"CMake needs {name}, which is not copied"
                for name in sorted({*needed(root)} - {*copied(text)} - {"tests"}))
    for key, words in instructions(text):
        if key == "FROM":
            stages += re.findall(r" AS (\S+)", words)
        elif key == "COPY":
            yield from copy_problems(words, root, stages)
        elif key == "RUN":
            for command in words.split("&&"):
                yield from command_problems(command, root)
        elif key == "ENTRYPOINT":
            apps = (root / "apps/CMakeLists.txt").read_text(encoding="utf-8")
            if f"OUTPUT_NAME {json.loads(words)[0]})" not in apps:
                yield f"ENTRYPOINT: CMake installs no {words}"


def main() -> int:
    """Prints the problems; returns 1 if there are any."""
    root = Path(sys.argv[1])
    text = (root / "cmake/Containerfile").read_text(encoding="utf-8")
    found = list(problems(text, root))
    print("\n".join(found) or "the steps agree with the sources")
    for name in copied(text) if len(sys.argv) > 2 else []:
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy2
        copy(root / name, Path(sys.argv[2]) / name)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
