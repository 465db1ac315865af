"""Files for editors: shipped cases are right, and mistakes in them are marked or refused."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from parameter_lines import CASES, SOURCE, assignments, lines, mistakes, shipped
from textmate_lines import marked_lines, spans

try:
    import jsonschema
except ModuleNotFoundError:
    jsonschema = None

BUILD = pathlib.Path(os.environ["PERCUSSION_BINARY_DIR"])
EDITORS = BUILD / "editors"
EVERYTHING = SOURCE / "tests/fuzz/seeds/parameters/everything.prm"


def read(name):
    """Returns the content of a JSON file for editors."""
    return json.loads((EDITORS / name).read_text(encoding="utf-8"))


def print_parameters(*arguments):
    """Returns the outcome of percussion --print-parameters --json."""
    return subprocess.run([BUILD / "percussion", "--print-parameters", "--json", *arguments],
                          capture_output=True, text=True, check=False)


REFERENCE = json.loads(print_parameters().stdout)
SELECTIONS = {(parameter["path"].split("/")[0], parameter["name"])
              for parameter in REFERENCE["parameters"]
              if parameter["allowed"].startswith("one of ")
              or parameter["allowed"] == "true or false"}
MISTAKES = mistakes(SELECTIONS)


class Fragments:
    """Text of many files with one entry, with the line of each entry."""

    def __init__(self, entries):
        text, self.places = [], []
        for entry in entries:
            self.places.append(len(text) + len(entry.path))
            text += "\n".join(lines(entry)).split("\n")
        self.text = "\n".join(text) + "\n"

    def unmarked(self, entries, marked):
        """Returns the entries on whose lines, or the lines that continue them, is no mark."""
        return [entry for entry, place in zip(entries, self.places)
                if not marked & set(range(place, place + 1 + entry.value.count("\n")))]


class Mistaken(unittest.TestCase):
    def test_are_more_than_thirty_of_each_kind(self):
        for kind in MISTAKES:
            self.assertGreater(len(kind), 30)

    def test_are_refused_by_the_program(self):
        entries = [kind[7] for kind in MISTAKES]
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder) / "case.prm"
            case.write_text(Fragments(entries).text, encoding="utf-8")
            outcome = print_parameters(case)
        self.assertEqual(outcome.returncode, 2)
        for entry in entries:
            self.assertRegex(outcome.stderr, rf"'{'/'.join(entry.path[:-1])}(/{entry.path[-1]})?'")


class Bash(unittest.TestCase):
    """Completion of the last of some words, as bash divides a line."""

    def completed(self, *words):
        """Returns the completions."""
        code = 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _percussion; ' \
            'printf "%s\\n" "${COMPREPLY[@]}"'
        outcome = subprocess.run(
            ["bash", "-c", code, "bash", SOURCE / "apps/completion/percussion", *words], cwd=SOURCE,
            capture_output=True, text=True, check=True,
            env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"})
        self.assertEqual(outcome.stderr, "")
        return [line for line in outcome.stdout.splitlines() if line]

    def expect(self, expected, *words):
        self.assertEqual(self.completed(*words), [word for word in expected if word])

    def test_completes_options_of_each_program(self):
        self.expect(["--validate "], "percussion", "--va")
        self.expect(["--vary "], "percussion-sweep", "--va")
        self.expect(["params/hello_drop.prm "], "percussion-sweep", "params/hello")

    def test_completes_paths_of_the_case(self):
        for program, option in (("sweep", "--set"), ("sweep", "--vary"), ("converge", "--over")):
            self.expect(["Contact/ground/Friction\\ coefficient="], f"percussion-{program}",
                        "params/hello_drop.prm", option, "Contact/ground/Friction\\ c")
        self.expect([""], "percussion-sweep", "params/hello_drop.prm", "--over", "Contact/gr")
        self.expect(["Time/Step="], "percussion", "--set", "Time/Step")

    def test_completes_words_of_options(self):
        for words, *line in (
                (["independent "], "percussion-sweep", "--sampling", "i"),
                (["velocity ", "von_mises "], "percussion-report", "--field", "v"),
                (["png", "pdf"], "percussion-report", "--format", "p"),
                (["svg,pdf"], "percussion-converge", "--format", "svg,pd"),
                (["moreau-jean", "moreau-jean-fremond"], "percussion-compare", "--schemes", "moreau"),
                (["pdas-leapfrog,all"], "percussion-compare", "--schemes", "pdas-leapfrog,al"),
                (["newton", "natural-map", "nsgs"], "percussion-fc", "--solver", "n"),
                (["auto,lemke"], "percussion-fc", "--solver", "auto,le"),
                (["--solver "], "percussion-fc", "--so"),
                (["3 "], "percussion", "--new", "drop", "--dim", "3")):
            self.assertEqual(sorted(self.completed(*line)), sorted(words), line)
        # --explain of this program has no word, so that a file follows
        self.assertEqual(self.completed("percussion-fc", "--explain", "tests/fclib"), ["tests/fclib/"])

    def test_completes_paths_and_names_to_explain(self):
        self.expect(["Restitution"], "percussion", "--explain", "Restit")
        self.expect(["Contact/\\<name\\>/Restitution"], "percussion", "--explain",
                    "Contact/\\<name\\>/Restit")
        self.assertIn("Time/Scheme", self.completed("percussion", "--explain", "Time/S"))

    def test_completes_files_by_their_endings(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.csv", "a.hdf5", "a.prm", "a.dat", "a.json", "a.html"):
                (pathlib.Path(folder) / name).touch()
            (pathlib.Path(folder) / "run").mkdir()
            for endings, *line in (
                    (("csv", "hdf5"), "percussion-certify", "--energy"), ((), "percussion-certify"),
                    ((), "percussion-report"), (("prm",), "percussion-report", "--mesh"),
                    (("hdf5", "dat"), "percussion-fc"), (("prm",), "percussion"),
                    (("prm",), "percussion-sweep"), (("html",), "percussion-certify", "--page"),
                    (("csv",), "percussion-fc", "--csv"), ((), "percussion", "--output")):
                self.assertEqual(sorted(self.completed(*line, folder + "/")), sorted(
                    [*(f"{folder}/a.{ending} " for ending in endings), f"{folder}/run/"]), line)

    def test_is_installed_for_every_program(self):
        text = (SOURCE / "apps/completion/percussion").read_text(encoding="utf-8")
        registered = text[text.index("complete -F"):].replace("\\\n", " ").split()[3:]
        self.assertEqual(sorted(registered), sorted(
            path.name for path in BUILD.glob("percussion*") if path.is_file() and os.access(path, os.X_OK)
            and not path.name.endswith("_stub")))
        listed = (SOURCE / "apps/CMakeLists.txt").read_text(encoding="utf-8")
        listed = listed[listed.index("foreach(program ") + len("foreach(program "):]
        self.assertEqual(sorted(listed[:listed.index(")")].split()), sorted(registered))

    def test_completes_in_quotes(self):
        case = ("percussion", "params/hello_drop.prm", "--set")
        self.expect(["Contact/ground/Friction coefficient="], *case, '"Contact/ground/Friction c')
        self.expect(["Contact/ground/Region=bottom"], *case, "'Contact/ground/Region=bo")
        self.expect(["Contact/ground/Region=bottom"], *case, '"Contact/ground/Region="bo')

    def test_completes_values(self):
        case = ("percussion", "params/hello_drop.prm", "--set")
        self.expect(["pdas-leapfrog "], *case, "Time/Scheme", "=", "pd")
        self.expect(["true ", "false "], *case, "Initial\\ state/Static\\ preload", "=")
        self.expect(["bottom "], *case, "Contact/ground/Region", "=", "bo")
        self.expect(["incompatible\\ modes "], *case, "Material/Element", "=", "inc")
        self.expect(["Material/Element=incompatible modes"], *case, "'Material/Element=inc")
        self.expect([""], *case, "Contact/ground/Point", "=")
        self.expect(["fremond "], "percussion-sweep", *case[1:2], "--vary", "Contact/ground/Impact\\ law",
                    "=", "frem")


class TextMate(unittest.TestCase):
    def setUp(self):
        self.grammar = read("vscode/percussion.tmLanguage.json")

    def test_recognises_every_line_of_shipped_cases(self):
        for case in [*CASES, EVERYTHING]:
            text = case.read_text(encoding="utf-8")
            self.assertEqual(marked_lines(self.grammar, text), set(), case.name)
            found = spans(self.grammar, text)
            self.assertEqual({span.line for span in found},
                             {number for number, line in enumerate(text.splitlines(), 1)
                              if line.strip()}, case.name)
            names = [span.text for span in found if span.scope.startswith("variable.parameter")]
            self.assertEqual([" ".join(name.split()) for name in names],
                             [entry.path[-1] for entry in assignments(case)], case.name)

    def test_knows_all_selections(self):
        entries = [entry for entry in shipped() if (entry.path[0], entry.path[-1]) in SELECTIONS]
        found = spans(self.grammar, Fragments(entries).text)
        self.assertEqual([span.text for span in found
                          if span.scope.startswith("constant.language")],
                         [entry.value for entry in entries])

    def test_marks_mistakes(self):
        for kind in MISTAKES:
            fragments = Fragments(kind)
            self.assertEqual(
                fragments.unmarked(kind, marked_lines(self.grammar, fragments.text)), [])

    def test_marks_lines_that_are_no_entries(self):
        for text in ("set Step = 1", "subsection Tme\nset Step = 1\nend", "hello", "end",
                     "subsection Time\nStep = 1\nend", "subsection Time\nset Step 1\nend",
                     "subsection Time\nend x\nend"):
            self.assertTrue(marked_lines(self.grammar, text), text)

    def test_accepts_other_ways_of_writing(self):
        text = ("SUBSECTION  Time # a\n  SET  Scheme=moreau-jean#b\n END\n"
                "INCLUDE a b.prm # c\n# goes on \\\n set x\nsubsection Material\n"
                "set  Young   modulus = 1 + \\\n 2*E # d\nset Law = linear elastic \\\n\nend\n")
        self.assertEqual(marked_lines(self.grammar, text), set())


@unittest.skipUnless(shutil.which("vim") and "+syntax" in subprocess.run(
    ["vim", "--version"], capture_output=True, text=True, check=False).stdout,
    "Vim with syntax is not installed")
class Vim(unittest.TestCase):
    def run_script(self, script, inputs):
        """Runs a script of this folder with some inputs; returns the lines that it writes."""
        with tempfile.TemporaryDirectory() as folder:
            marked = pathlib.Path(folder) / "marked"
            subprocess.run(["vim", "-Nu", "NONE", "-i", "NONE", "-n", "-es", "-S",
                            pathlib.Path(__file__).with_name(script)], check=True, timeout=120,
                           env={**os.environ, "FILES": "\n".join(map(str, inputs)),
                                "RUNTIME": f"{EDITORS}/vim".replace(" ", "\\ "), "MARKED": str(marked)})
            return marked.read_text(encoding="utf-8").splitlines()

    def test_marks_mistakes_and_nothing_in_shipped_cases(self):
        with tempfile.TemporaryDirectory() as folder:
            files, kinds = list(CASES), []
            for kind in MISTAKES:
                kinds.append((kind[::3], Fragments(kind[::3])))
                files.append(pathlib.Path(folder) / f"{len(files)}.prm")
                files[-1].write_text(kinds[-1][1].text, encoding="utf-8")
            marked = self.run_script("marked_lines.vim", files)
        self.assertEqual(marked[:len(CASES)], [""] * len(CASES))
        for (kind, fragments), numbers in zip(kinds, marked[len(CASES):]):
            self.assertEqual(fragments.unmarked(kind, set(map(int, numbers.split()))), [])

    def test_completes(self):
        found = self.run_script("completed.vim", [
            "set Fric", "  set Surface = half", "subsection x", "se", "set Nothing = ",
            "set Discretisation =m"])
        self.assertEqual(found, ["Friction coefficient = |Friction direction = |Friction ratio = ",
                                 "half-plane|half-space", "", "set ", "", "mortar|mortar of region"])


@unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
class Schema(unittest.TestCase):
    def setUp(self):
        self.schema = read("percussion.schema.json")
        self.document = jsonschema.Draft202012Validator(self.schema)
        self.values = jsonschema.Draft202012Validator(
            {"$ref": "#/$defs/values", "$defs": self.schema["$defs"]})

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_validates_the_printed_documents(self):
        self.document.validate(REFERENCE)
        for case in ("hello_drop", "spinning_top"):
            document = json.loads(print_parameters(SOURCE / f"params/{case}.prm").stdout)
            self.document.validate(document)
            document["parameters"][5]["path"] = "Time/Density"
            self.assertFalse(self.document.is_valid(document))

    def test_validates_every_shipped_case(self):
        for entry in shipped():
            self.values.validate({"/".join(entry.path): entry.value})

    def test_refuses_mistakes(self):
        for kind in MISTAKES:
            self.assertEqual([entry for entry in kind[::2] if self.values.is_valid(
                {"/".join(entry.path): entry.value})], [])

    def test_knows_numbers(self):
        for path, good, bad in (("Time/Step", [1e-3, "2*mm", "1e-3"], [0, -1, "-1", "5 mm", "", True]),
                                ("Material/Poisson ratio", [0, 0.5], [0.51, -1, "low, high?;"]),
                                ("Output/Number of instants", [3], [-1, 1.5]),
                                ("Output/Existing directory", ["refuse"], ["overwrite", True]),
                                ("Initial state/Static preload", [True, "true"], [1, "yes"])):
            for value in good:
                self.values.validate({path: value})
            for value in bad:
                self.assertFalse(self.values.is_valid({path: value}), (path, value))


if __name__ == "__main__":
    unittest.main()
