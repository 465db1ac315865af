#!/usr/bin/env python3
"""Packs Python modules of a build as wheels, for pip.

    make_wheels.py BUILD [FOLDER]

    percussion_reader-VERSION-py3-none-any.whl        percussion.read() and all that it needs, for any machine
    percussion_cone-VERSION-cpXY-cpXY-linux_ARCH.whl  the contact solvers, for this machine with the
                                                      libraries of its Debian, if the build has them

in FOLDER (default: BUILD/wheels). Equal contents give equal bytes. Standard library only.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import zipfile

LICENCE = pathlib.Path(__file__).resolve().parent.parent / "LICENSE"
TIME = (1980, 1, 1, 0, 0, 0)  # the earliest in archives


def metadata(name, version, summary, licence, *more):
    """Returns the text of METADATA (Core metadata specifications of PyPA, version 2.1)."""
    return "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {summary}",
                      f"License: {licence}", "Requires-Python: >=3.9", "Requires-Dist: numpy", *more, ""])


def write_wheel(folder, name, version, tag, files, text):
    """Writes a wheel (PEP 427) of files, {path in the wheel: bytes}; returns its path."""
    info, is_pure = f"{name}-{version}.dist-info", tag.endswith("none-any")
    files = {**files, f"{info}/licenses/LICENSE": LICENCE.read_bytes(), f"{info}/METADATA": text.encode(), f"{info}/WHEEL": (
        f"Wheel-Version: 1.0\nGenerator: percussion\nRoot-Is-Purelib: {str(is_pure).lower()}\n"
        f"Tag: {tag}\n").encode()}
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    file = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr, entry.compress_type = 0o100644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return file


def digest(content):
    """Returns the SHA-256 as wheels write it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def reader(modules, version, folder):
    """Writes the wheel of the reader of results."""
    files = {str(path.relative_to(modules)): path.read_bytes()
             for package in ("percussion", "percussion_report") for path in sorted((modules / package).rglob("*"))
             if path.suffix in (".py", ".typed", ".html", ".css", ".js")}
    return write_wheel(folder, "percussion_reader", version, "py3-none-any", files, metadata(
        "percussion-reader", version, "Results of Percussion (elastodynamics with contact) as objects",
        "LGPL-2.1-or-later", "Provides-Extra: vtkhdf", 'Requires-Dist: h5py; extra == "vtkhdf"', "Provides-Extra: pages",
        *(f'Requires-Dist: {package}; extra == "pages"' for package in ("jinja2", "matplotlib", "pillow"))))


def cone(modules, version, folder):
    """Writes the wheels of the contact solvers."""
    for library in modules.glob("percussion_cone.*.so"):
        python, machine = re.fullmatch(r"percussion_cone\.cpython-(\d+)-(\w+)-linux-gnu\.so", library.name).groups()
        files = {path.name: path.read_bytes() for path in (library, modules / "percussion_cone.pyi")}
        yield write_wheel(folder, "percussion_cone", version, f"cp{python}-cp{python}-linux_{machine}", files, metadata(
            "percussion-cone", version, "Solvers of frictional contact problems", "GPL-3.0-or-later"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD", help="build folder with its Python modules")
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER", nargs="?")
    options = parser.parse_args()
    modules, folder = options.build / "python", options.folder or options.build / "wheels"
    if not (modules / "percussion/_version.py").is_file():
        parser.error(f"{options.build} has no Python modules: build the programs there")
    folder.mkdir(parents=True, exist_ok=True)
    version = re.search(r'__version__ = "(.*)"', (modules / "percussion/_version.py").read_text())[1]
    for file in (reader(modules, version, folder), *cone(modules, version, folder)):
        print(file)


if __name__ == "__main__":
    main()
