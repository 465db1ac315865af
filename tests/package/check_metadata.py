#!/usr/bin/env python3
"""Checks that CITATION.cff, codemeta.json and .zenodo.json describe the same program.

    check_metadata.py REPOSITORY

Compares title, version, licence, description, keywords and authors with each other, and the version
with CMakeLists.txt. Prints the differences, one line each, and exits with 1 if there are any.
"""

import json
import re
import sys
from pathlib import Path
from typing import Dict, List

FILES = ("CITATION.cff", "codemeta.json", ".zenodo.json")


def citation(text: str) -> Dict[str, object]:
    """Returns the entries of CITATION.cff, of which the first of each name counts."""
    def entry(name: str) -> str:
        found = re.search(rf"^{name}: (.*(?:\n  .*)*)", text, re.M)
        return " ".join(found[1].replace(">-", "").split()) if found else ""

    def items(name: str, pattern: str) -> List[str]:
        found = re.search(rf"^{name}:\n((?:  .*\n)+)", text, re.M)
        return re.findall(pattern, found[1], re.M) if found else []

    return {"title": entry("title"), "version": entry("version"), "licence": entry("license"),
            "description": entry("abstract"), "keywords": items("keywords", r"^  - (.*)$"),
            "authors": items("authors", r"^  - name: (.*)$")}


def codemeta(text: str) -> Dict[str, object]:
    """Returns the entries of codemeta.json."""
    content = json.loads(text)
    return {"title": content["name"], "version": content["version"],
            "licence": content["license"].rsplit("/", 1)[-1],
            "description": content["description"], "keywords": content["keywords"],
            "authors": [author["name"] for author in content["author"]]}


def zenodo(text: str) -> Dict[str, object]:
    """Returns the entries of .zenodo.json."""
    content = json.loads(text)
    return {"title": content["title"], "version": content["version"],
            "licence": content["license"], "description": content["description"],
            "keywords": content["keywords"],
            "authors": [creator["name"] for creator in content["creators"]]}


def differences(texts: Dict[str, str], version: str) -> List[str]:
    """Returns the differences between files with these texts, and from the version."""
    first, *others = FILES
    entries = {name: read(texts[name]) for name, read in zip(FILES, (citation, codemeta, zenodo))}
    found = [f"{name}: {key} is {entries[name][key]!r}, in {first} {value!r}"
             for name in others for key, value in entries[first].items()
             if entries[name][key] != value]
    found += [f"{first}: {key} is missing" for key, value in entries[first].items() if not value]
    if entries[first]["version"] != version:
        found.append(f"{first}: version is {entries[first]['version']!r}, in CMakeLists.txt {version!r}")
    return found


def main() -> int:
    """Prints the differences; returns 1 if there are any."""
    root = Path(sys.argv[1])
    project = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(Percussion VERSION (\S+)", project)[1]
    found = differences({name: (root / name).read_text(encoding="utf-8") for name in FILES}, version)
    print("\n".join(found) or "the metadata agree")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
