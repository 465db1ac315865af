#!/usr/bin/env python3
"""Tests of check_metadata.py and check_container.py: they find what someone forgot to change."""

import unittest
from pathlib import Path

import check_container
import check_metadata

ROOT = Path(__file__).resolve().parents[2]


class Metadata(unittest.TestCase):
    def setUp(self):
        self.texts = {name: (ROOT / name).read_text(encoding="utf-8")
                      for name in check_metadata.FILES}
        self.version = check_metadata.citation(self.texts["CITATION.cff"])["version"]

    def test_agree(self):
        self.assertEqual(check_metadata.differences(self.texts, self.version), [])

    def test_every_change_is_found(self):
        for name, words, other, key in (
                (".zenodo.json", '"version": "', '"version": "9', "version"),
                (".zenodo.json", "LGPL-2.1-or-later", "MIT", "licence"),
                (".zenodo.json", '"title": "', '"title": "The ', "title"),
                ("codemeta.json", "licenses/LGPL-2.1", "licenses/LGPL-3.0", "licence"),
                ("codemeta.json", '"impact",', '"impacts",', "keywords"),
                ("CITATION.cff", "closes to", "closes up to", "description"),
                ("CITATION.cff", "- name: The", "- name: Some", "authors")):
            self.assertIn(words, self.texts[name])
            changed = {**self.texts, name: self.texts[name].replace(words, other, 1)}
            found = check_metadata.differences(changed, self.version)
            self.assertTrue(found and all(f": {key} is" in line for line in found), (name, found))
        self.assertIn("CMakeLists.txt", check_metadata.differences(self.texts, "9.9")[0])


class Container(unittest.TestCase):
    def test_every_change_is_found(self):
        text = (ROOT / "cmake/Containerfile").read_text(encoding="utf-8")
        self.assertEqual(list(check_container.problems(text, ROOT)), [])
        for words, other, problem in (
                ("COPY src src\n", "", "CMake needs src, which is not copied"),
                ("LICENSE ", "", "CMake needs LICENSE, which is not copied"),
                ("COPY doc doc", "COPY docs docs\nCOPY doc doc", "COPY: there is no docs"),
                ("quickstart.sh run", "quickstart.sh build", "does not know build"),
                ("cmake/quickstart.sh", "tools/quickstart.sh", "tools/quickstart.sh cannot be"),
                ("--preset release", "--preset fast", "there is no preset for"),
                ("build/release/CPack", "build/CPack", "names no build folder"),
                ("--from=build", "--from=builder", "there is no stage builder"),
                ("release/percussion_*", "release/percusion_*", "no package is"),
                ("RUN apt-get update", "RUN apt update", "apt is not known"),
                ('["percussion"]', '["percusion"]', "ENTRYPOINT: CMake installs no")):
            self.assertIn(words, text)
            found = list(check_container.problems(text.replace(words, other, 1), ROOT))
            self.assertTrue(found and all(problem in line for line in found), (words, found))


if __name__ == "__main__":
    unittest.main()
