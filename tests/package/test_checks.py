#!/usr/bin/env python3
"""Tests of check_metadata.py, check_container.py and tools/release.sh: they find what someone forgot to
change; and of the homepage and the pages in Debian packages."""

import datetime
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_container
import check_metadata

ROOT = Path(__file__).resolve().parents[2]


def run(*command, cwd):
    """Runs a command in a folder, without the settings of git of this user; returns its outcome."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


class FolderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Release(FolderTest):
    """A clone with the files that tools/release.sh --check compares."""

    def setUp(self):
        super().setUp()
        for name in (*check_metadata.FILES, "CMakeLists.txt", "tools/release.sh", "cmake/quickstart.sh",
                     "tests/package/check_metadata.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        self.version = check_metadata.citation((ROOT / "CITATION.cff").read_text("utf-8"))["version"]
        self.date("2026-01-31")
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments):
        outcome = run("git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *arguments, cwd=self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Change")

    def date(self, text):
        (self.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## {self.version} ({text})\n", "utf-8")

    def check(self):
        return run("bash", "tools/release.sh", "--check", cwd=self.folder)

    def refused(self, words):
        outcome = self.check()
        self.assertEqual(outcome.returncode, 1, outcome.stdout + outcome.stderr)
        self.assertIn(words, outcome.stdout + outcome.stderr)

    def test_a_complete_one(self):
        outcome = self.check()
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
        self.assertIn(f"release: version {self.version}, 2026-01-31", outcome.stdout)

    def test_of_this_repository_is_dated(self):
        heading = next(line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
                       if line.startswith("## "))
        self.assertRegex(heading, rf"^## {self.version} \(\d{{4}}-\d\d-\d\d\)$")

    def test_versions_and_dates(self):
        for name, old, new in (("CITATION.cff", f"version: {self.version}", "version: 9"),
                               ("codemeta.json", f'"version": "{self.version}"', '"version": "9"'),
                               (".zenodo.json", f'"version": "{self.version}"', '"version": "9"'),
                               ("CMakeLists.txt", f"VERSION {self.version}", "VERSION 9.9.9")):
            file = self.folder / name
            text = file.read_text("utf-8")
            self.assertIn(old, text)
            file.write_text(text.replace(old, new, 1), "utf-8")
            self.commit()
            self.refused("version is")
            file.write_text(text, "utf-8")
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
        for date, words in (("unreleased", "'unreleased' is no date; expected YYYY-MM-DD"),
                            ("2026-02-30", "'2026-02-30' is no date"),
                            (f"{tomorrow:%Y-%m-%d}", "is in the future")):
            self.date(date)
            self.commit()
            self.refused(words)
        (self.folder / "CHANGELOG.md").write_text("## 9.9 (2026-01-01)\n", "utf-8")
        self.commit()
        self.refused(f"expected '## {self.version} (YYYY-MM-DD)'")

    def test_clones(self):
        (self.folder / "new.txt").touch()
        self.refused("there are changes without a commit")
        self.commit()
        self.git("tag", f"v{self.version}")
        self.refused(f"there is a tag v{self.version} already")


@unittest.skipUnless(shutil.which("cmake"), "CMake is not installed")
class Homepage(FolderTest):
    """Field of the Debian packages, from a project with their settings alone."""

    def packed(self, *options):
        """Returns the homepage that CPack has; None if it has none."""
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(Percussion VERSION 1.0 LANGUAGES NONE)\n"
            f"include({ROOT}/cmake/PercussionPackages.cmake)\n", "utf-8")
        outcome = run("cmake", "-S", ".", "-B", "build", "--fresh", *options, cwd=self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        lines = (self.folder / "build/CPackConfig.cmake").read_text("utf-8").splitlines()
        values = [line.split('"')[1] for line in lines if "CPACK_DEBIAN_PACKAGE_HOMEPAGE" in line]
        return values[0] if values else None

    def test_is_an_option(self):
        self.assertIsNone(self.packed())
        self.assertEqual(self.packed("-DPERCUSSION_HOMEPAGE=https://a.invalid/b"), "https://a.invalid/b")

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_is_the_origin_of_a_clone_without_a_password(self):
        run("git", "init", "--quiet", cwd=self.folder)
        for origin, expected in (("https://a.invalid/b.git", "https://a.invalid/b.git"),
                                 ("https://me:secret@a.invalid/b.git", None), ("git@a.invalid:b.git", None)):
            run("git", "config", "remote.origin.url", origin, cwd=self.folder)
            self.assertEqual(self.packed(), expected)


@unittest.skipUnless(shutil.which("cmake"), "CMake is not installed")
class Pages(FolderTest):
    """HTML in the Debian package, by its script on staged files."""

    MATERIAL, KATEX = Path("/usr/share/mkdocs/themes/material"), Path("/usr/share/javascript/katex")

    def staged(self, *options):
        """Returns the staged folder of the documentation after the script, with settings of CPack for
        these options of CMake."""
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(Percussion VERSION 1.0 LANGUAGES NONE)\n"
            f"set(PROJECT_SOURCE_DIR {ROOT})\ninclude({ROOT}/cmake/PercussionPackages.cmake)\n", "utf-8")
        outcome = run("cmake", "-S", ".", "-B", "build", "--fresh", *options, cwd=self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        documentation = self.folder / "programs/usr/share/doc/percussion"
        shutil.copytree(ROOT / "doc/pictures", documentation / "doc/pictures")
        (self.folder / "finish.cmake").write_text(
            f"include({self.folder}/build/CPackConfig.cmake)\nset(CPACK_TEMPORARY_DIRECTORY {self.folder})\n"
            f"include({ROOT}/cmake/debian/finish.cmake)\n", "utf-8")
        outcome = run("cmake", "-P", "finish.cmake", cwd=self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return documentation

    def test_without_mkdocs_there_are_none(self):
        documentation = self.staged()
        self.assertTrue((documentation / "copyright").is_file())
        self.assertFalse((documentation / "html").exists())
        self.assertNotIn("mkdocs", (self.folder / "build/CPackConfig.cmake").read_text("utf-8"))

    @unittest.skipUnless(shutil.which("mkdocs") and MATERIAL.is_dir() and KATEX.is_dir(),
                         "mkdocs, mkdocs-material or libjs-katex is not installed")
    def test_with_mkdocs_links_lead_to_files_of_packages(self):
        html = self.staged(f"-DMKDOCS_PROGRAM={shutil.which('mkdocs')}", f"-DMKDOCS_MATERIAL_DIR={self.MATERIAL}",
                           f"-DKATEX_DIR={self.KATEX}") / "html"
        self.assertIn("Percussion", (html / "index.html").read_text("utf-8"))
        self.assertIn('CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "libjs-katex, mkdocs-material"',
                      (self.folder / "build/CPackConfig.cmake").read_text("utf-8"))
        links = {path.name: os.path.normpath(f"/usr/share/doc/percussion/html/{os.readlink(path)}")
                 for path in html.rglob("*") if path.is_symlink()}
        self.assertEqual(links, {"assets": f"{self.MATERIAL}/assets", "katex": str(self.KATEX),
                                 "pictures": "/usr/share/doc/percussion/doc/pictures"})
        for name, target in links.items():  # as in an installation, below its root
            (html / name).unlink()
            shutil.copytree(html.parent / "doc/pictures" if name == "pictures" else target, html / name)
        outcome = run(str(ROOT / "doc/site/check_links.py"), str(html), cwd=self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)


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
