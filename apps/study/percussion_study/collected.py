"""Quantities and last rows of complete runs, kept in the folder of a study: a resumed study does not read
the tables of these runs again, which would take a twentieth of the time of short runs."""

import json
import os

from percussion_report.command_line import OutputError

from .quantities import Columns


def stamp(folder):
    """Returns size and time of change of the tables of a run, which change with their contents."""
    found = []
    for name in Columns.FILES:
        try:
            status = os.stat(os.path.join(folder, name))
            found.append([status.st_size, status.st_mtime_ns])
        except FileNotFoundError:
            found.append(None)
    return found


class Collected:
    """File with a line for each run whose tables were read: its name, the stamp of its tables, the values of
    quantities by their texts, and the last row of energy.csv. The last line of a run counts."""

    def __init__(self, file):
        self.file, self.lines, self.is_cut_off = file, {}, False

    def load(self):
        """Reads the file, if there is one, without a line that a kill has cut off."""
        if not os.path.exists(self.file):
            return
        with open(self.file, encoding="utf-8", errors="replace") as stream:
            for text in stream:
                self.is_cut_off = not text.endswith("\n")
                try:
                    line = json.loads(text)
                    self.lines[line["run"]] = {key: line[key] for key in ("tables", "values", "end")}
                except (ValueError, KeyError, TypeError):
                    continue

    def find(self, name, folder, texts):
        """Returns the values of these quantities and the last row of a run; None if they are not in the file,
        or the tables have changed."""
        line = self.lines.get(name)
        if line is None or line["tables"] != stamp(folder) or not set(texts) <= set(line["values"]):
            return None
        return [line["values"][text] for text in texts], line["end"]

    def add(self, name, folder, values, end):
        """Appends a run with values by texts of quantities."""
        line = {"run": name, "tables": stamp(folder), "values": values, "end": end}
        try:
            with open(self.file, "a", encoding="utf-8") as stream:
                stream.write("\n" * self.is_cut_off + json.dumps(line) + "\n")
        except OSError as error:
            raise OutputError(f"{self.file}: cannot be written ({error.strerror})") from error
        self.lines[name], self.is_cut_off = line, False
