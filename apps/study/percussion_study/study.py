"""Runs of a case with different entries, each in a folder of its own, on all cores."""

import collections
import contextlib
import ctypes
import fcntl
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from percussion_report.command_line import OutputError, reason_of
from percussion_report.files import read_summary
from percussion_report.scene import Trouble, read_parameters

from . import inputs
from .collected import Collected
from .quantities import Columns

SECONDS_BETWEEN_LOOKS = 0.01
SECONDS_FOR_ANOTHER_RUN = 60  # that ends after the study that started it was killed


class Job:
    """Run of a study: its folder, the values of its inputs (texts by name), and its entries (values
    by path). `status` is completed, failed, refused, or waiting; a complete run has `values` of the
    quantities and the `end`, the last row of energy.csv, which `collected` remembers. `options` has
    the option that varies a path, for messages."""

    def __init__(self, folder, point, settings, collected=None, options=None):
        self.folder, self.inputs, self.settings = folder, point, settings
        self.options = options or {}
        self.collected = collected or Collected(os.devnull)
        self.status, self.message, self.values, self.end = "waiting", "", {}, {}

    @property
    def name(self):
        return os.path.basename(self.folder)

    def collect(self, quantities):
        """Determines values and end of a complete run, from its tables unless they are remembered."""
        if self.status != "completed":
            return
        found = self.collected.find(self.name, self.folder, [q.text for q in quantities])
        if found:
            values, self.end = found
            self.values = {q.name: value for q, value in zip(quantities, values)}
            return
        columns = Columns(self.folder)
        self.values = {q.name: q.evaluate(columns, self.inputs) for q in quantities}
        self.end = columns.end()
        self.collected.add(self.name, self.folder, {q.text: self.values[q.name] for q in quantities}, self.end)

    def words(self):
        """Returns the line that says how the job ended, with the values of quantities."""
        point = ", ".join(f"{name} = {text}" for name, text in self.inputs.items())
        values = "".join(f", {name} = {value:.8g}" for name, value in self.values.items())
        return f"{self.name}: {self.status} ({point}){values}" \
            + (f": {self.message}" if self.message else "")


def with_options(message, options):
    """Returns a message of percussion on entries of --set with the option that varies each of them."""
    return re.sub("--set: ([^']*'([^']*)')",
                  lambda match: f"{options.get(match[2], '--set')}: {match[1]}", message)


def asked(program, *arguments, options=None):
    """Returns what percussion prints; its messages on bad input are errors of the study. options: the
    option that varies a path."""
    try:
        result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise OutputError(f"{program}: cannot be started ({error.strerror})") from error
    if result.returncode:
        message = result.stderr.strip().removeprefix("percussion: ")
        raise Trouble(with_options(message, options or {}) or f"percussion {' '.join(arguments)} has failed")
    return result.stdout


def options_of(settings):
    """Returns the options --set for entries."""
    return [word for path, value in settings.items() for word in ("--set", f"{path}={value}")]


def effective_entries(program, case, sets):
    """Returns {path: value} of all entries of a case in effect."""
    words = [word for value in sets for word in ("--set", value)]
    text = asked(program, case, *words, "--print-parameters")
    with tempfile.NamedTemporaryFile("w", suffix=".prm", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        return read_parameters(stream.name)


def stop_with_parent():
    """Lets the process that is about to start stop, with a checkpoint, if its parent is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG of Linux


def wait_for_others(folder):
    """Waits until no other run writes into a folder: a run of a study that was killed takes its last
    step and writes a checkpoint."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        end = time.monotonic() + SECONDS_FOR_ANOTHER_RUN
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    raise Trouble(f"{folder}: another run is writing there; try again when it has "
                                  "ended") from None
                time.sleep(0.1)
            except OSError:
                return  # a file system without locks
    finally:
        os.close(descriptor)


def look_at(job):
    """Determines from the folder of a job whether it is complete or has failed."""
    file = os.path.join(job.folder, "summary.json")
    summary = read_summary(file) if os.path.exists(file) else {}
    job.status = {"completed": "completed", "failed": "failed"}.get(summary.get("status"), "waiting")
    if job.status == "failed":
        job.message = " ".join(str(summary.get("message", "")).split())


class Process:
    """Process of percussion that computes a job."""

    def __init__(self, program, case, job):
        self.job, self.errors = job, tempfile.TemporaryFile("w+")
        command = [program, case, *options_of(job.settings), "--output", job.folder, "--quiet"]
        if os.path.isdir(job.folder):
            wait_for_others(job.folder)
            if glob.glob(os.path.join(glob.escape(job.folder), "checkpoint-*.bin")):
                command.append("--resume")
            else:
                shutil.rmtree(job.folder)  # killed before its first checkpoint
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors,
            start_new_session=True, preexec_fn=stop_with_parent)

    def has_ended(self):
        return self.process.poll() is not None

    def finish(self):
        """Notes how the job ended."""
        with self.errors:
            self.errors.seek(0)
            errors = self.errors.read()
        status = self.process.wait()
        look_at(self.job)
        if status:
            self.job.status = "refused" if status == 2 else "failed"
            self.job.message = with_options(reason_of(errors, status), self.job.options)

    def stop(self):
        """Asks for the end after the current step, and waits for it."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)

    def wait(self):
        self.process.wait()
        self.errors.close()


def run_all(program, case, jobs, n_parallel, quantities):
    """Computes the jobs that are waiting, and prints a line for each with its quantities. At Ctrl-C
    or SIGTERM, or if the results have no such quantity, the running ones write a checkpoint before
    the exception is raised. Tables of earlier runs are read while others compute."""
    waiting = collections.deque(job for job in jobs if job.status == "waiting")
    unread = collections.deque(job for job in jobs if job.status == "completed" and not job.end)
    n_ended = len(jobs) - len(waiting)
    running = []
    try:
        while waiting or running:
            ended = [process for process in running if process.has_ended()]
            running = [process for process in running if process not in ended]
            while waiting and len(running) < n_parallel:
                running.append(Process(program, case, waiting.popleft()))
            for process in ended:  # while the next runs compute
                process.finish()
                process.job.collect(quantities)
                n_ended += 1
                print(f"{n_ended}/{len(jobs)}  {process.job.words()}", flush=True)
            if not ended and unread:
                unread.popleft().collect(quantities)
            elif not ended:
                time.sleep(SECONDS_BETWEEN_LOOKS)
        for job in unread:
            job.collect(quantities)
    except BaseException:
        for process in running:
            process.stop()
        for process in running:
            process.wait()
        raise


@contextlib.contextmanager
def stopped_by_signals():
    """Lets SIGTERM and SIGHUP do the same as Ctrl-C."""
    def interrupt(*_):
        raise KeyboardInterrupt
    handlers = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


class Study:
    """Folder with the runs of a study, and the file NAME.json that describes them."""

    def __init__(self, folder, name, programs, case, points_and_settings, options):
        """programs: the path of percussion and the version of all programs; options: the option that
        varies a path, by the path."""
        self.folder, self.name, self.case = folder, name, case
        self.program, self.version = programs
        width = max(3, len(str(len(points_and_settings))))
        self.collected = Collected(os.path.join(folder, "collected.jsonl"))
        self.jobs = [Job(os.path.join(folder, f"{i:0{width}}"), point, settings, self.collected, options)
                     for i, (point, settings) in enumerate(points_and_settings, 1)]

    @property
    def file(self):
        return os.path.join(self.folder, f"{self.name}.json")

    def description(self):
        """Returns everything on which the results of the runs depend."""
        values = dict.fromkeys(v for job in self.jobs for v in job.settings.values())
        return {"percussion": self.version,
                "files": inputs.checksums(self.case, values),
                "runs": [{"folder": job.name, "inputs": job.inputs, "set": job.settings}
                         for job in self.jobs]}

    def begin(self):
        """Writes the description into a folder without results."""
        try:
            os.makedirs(self.folder, exist_ok=True)
            if os.listdir(self.folder):
                remedy = "go on by --resume, or choose another folder by --output" \
                    if os.path.exists(self.file) else "choose an empty folder by --output"
                raise Trouble(f"{self.folder}: this folder holds files already; {remedy}")
            with open(self.file + ".tmp", "w", encoding="utf-8") as stream:
                json.dump(self.description(), stream, indent=1, ensure_ascii=False)
            os.replace(self.file + ".tmp", self.file)
        except OSError as error:
            raise OutputError(f"{error.filename}: cannot be written ({error.strerror})") from error

    def resume(self, quantities):
        """Finds the runs that are complete. Raises an error if the description has changed."""
        try:
            with open(self.file, encoding="utf-8") as stream:
                old = json.load(stream)
            problems = self.differences(old, self.description())
        except OSError as error:
            raise Trouble(f"{self.file}: cannot be read ({error.strerror}); --resume needs the folder "
                          "of an earlier command") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Trouble(f"{self.file}: this file is damaged ({error!r})") from error
        if problems:
            raise Trouble(f"{self.folder}: cannot be resumed:\n  " + "\n  ".join(problems)
                          + "\nRestore it, or begin again in another folder by --output")
        self.collected.load()
        for job in self.jobs:
            look_at(job)
        for job in [job for job in self.jobs if job.status == "completed"][:1]:
            job.collect(quantities)  # before another run begins, as a quantity may be unknown

    @staticmethod
    def differences(old, new):
        """Returns the changes of a description in words."""
        found = inputs.changes(old["files"], new["files"])
        if old["percussion"] != new["percussion"]:
            found.append(f"it was begun by percussion {old['percussion']}, this is "
                         f"{new['percussion']}")
        if len(old["runs"]) != len(new["runs"]):
            found.append(f"it has {len(old['runs'])} runs, these options make {len(new['runs'])}")
        elif old["runs"] != new["runs"]:
            run, changed = next((a, b) for a, b in zip(old["runs"], new["runs"]) if a != b)
            found.append(f"its run {run['folder']} has {json.dumps(run['set'], ensure_ascii=False)}, "
                         f"these options make {json.dumps(changed['set'], ensure_ascii=False)}")
        return found

    def compute(self, n_parallel, is_resumed, quantities):
        """Computes all runs; returns true unless one has failed or was refused."""
        if is_resumed:
            self.resume(quantities)
            n = sum(job.status == "completed" for job in self.jobs)
            print(f"resumed: {n} of {len(self.jobs)} runs are complete", flush=True)
        else:
            first = self.jobs[0]
            asked(self.program, self.case, *options_of(first.settings), "--validate",
                  options=first.options)
            self.begin()
        run_all(self.program, self.case, self.jobs, n_parallel, quantities)
        return all(job.status == "completed" for job in self.jobs)


def guarded(name, work, command):
    """Returns the exit status of a program: 2 after an error of the input, 1 after a failure or a
    stop, whose message has the command that goes on."""
    try:
        with stopped_by_signals():
            return work()
    except KeyboardInterrupt:
        print(f"{name}: stopped. Go on with: {command}", file=sys.stderr)
        return 1
    except (Trouble, OutputError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2 if isinstance(error, Trouble) else 1
