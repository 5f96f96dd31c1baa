# SPDX-License-Identifier: MIT
"""Runs pmon on a workload and reads what both say.

Knows how to start, wait, time out and clean up, and how to read the files of
pmon and of the workloads.  What is right is for the cases to say.
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

MIB = 1 << 20
NS = 1_000_000_000
# Statuses of a workload that could not do what it is for.
STATUS_HARNESS = 99
STATUS_CANNOT = 97

# What a format does not tell is None.
Row = namedtuple("Row", "elapsed cpu rss vms processes io total threads pss",
                 defaults=(None, None, None))
# The columns of --include-io in the order of the plain format.
IO_KEYS = "read_calls", "write_calls", "read_bytes", "write_bytes"


class Skip(Exception):
    """The case cannot be shown on this machine; says why."""


class Again(Exception):
    """The machine was too slow for this run to show anything."""


class Truth:
    """The key=value lines that a workload wrote."""

    def __init__(self, path):
        self.lines = []
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                self.lines = [line.rstrip("\n").split("=", 1) for line in file]

    def text(self, key, default=None):
        """The first value of the key, which is the step's."""
        return next((value for name, value in self.lines if name == key),
                    default)

    def all(self, key):
        """Every value of the key, in order."""
        return [value for name, value in self.lines if name == key]

    def number(self, key):
        """The first value as a number; a workload that failed has none."""
        value = self.text(key)
        if value is None:
            raise AssertionError(f"the workload did not say {key}")
        return int(value)

    def cpu(self, *prefixes):
        """Seconds that the step used, with those of other processes."""
        keys = ["self_cpu_ns", "children_cpu_ns"]
        keys += [f"{prefix}.self_cpu_ns" for prefix in prefixes]
        return sum(self.number(key) for key in keys) / NS

    def seconds(self, key):
        """A time in ns as seconds."""
        return self.number(key) / NS

    def epoch(self, key):
        """The absolute time of a moment of the workload, in seconds."""
        return (self.number("start_epoch_ns") + self.number(key)) / NS


def read_log(path):
    """The rows of a log in any of pmon's formats; a torn line is left out."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = file.read().rpartition("\n")[0].splitlines()
    if lines and lines[0].startswith("{"):
        return [json_row(json.loads(line)) for line in lines]
    if lines and lines[0].startswith("elapsed_time"):
        return [csv_row(line) for line in lines[1:]]
    return [plain_row(line) for line in lines if not line.startswith("#")]


def plain_row(line):
    """One row of the plain format; sizes in bytes."""
    field = line.split()
    return Row(float(field[0]), float(field[1]), float(field[2]) * MIB,
               float(field[3]) * MIB, None, [int(each) for each in field[4:]])


def csv_row(line):
    """One row of the csv format; sizes in bytes."""
    field = line.split(",")
    return Row(float(field[0]), float(field[2]), float(field[3]) * MIB,
               float(field[4]) * MIB, int(field[1]),
               [int(each) for each in field[5:]])


def json_row(row):
    """One row of the jsonl format."""
    return Row(row["elapsed_s"], row["cpu_percent"], row["rss_bytes"],
               row["vms_bytes"], row["processes"],
               [row[key] for key in IO_KEYS if key in row], row["cpu_s"],
               row["threads"], row["pss_bytes"])


class Run:
    """A run of pmon that has ended: status, words, rows, summary, truth."""

    def __init__(self, started, status, wall):
        self.status = status
        self.wall = wall
        self.pid = started.process.pid
        self.hung = started.hung
        self.folder = started.folder
        self.stderr = started.read("stderr")
        self.stdout = started.read("stdout")
        self.truth = Truth(started.truth_path)
        self.log_path = os.path.join(started.folder, "log")
        self.rows = read_log(self.log_path)
        self.summary = self.read_summary()

    def read_summary(self):
        """The summary, or None where there is none."""
        path = os.path.join(self.folder, "summary.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    @property
    def words(self):
        """What was said on stderr."""
        return self.stderr.decode("utf-8", "replace")

    def __getattr__(self, group):
        """run.memory, run.cpu, … are groups of the summary."""
        if group.startswith("_"):
            raise AttributeError(group)
        if self.summary is None:
            raise AssertionError(f"no summary; pmon said: {self.words!r}")
        return self.summary[group]

    @property
    def total(self):
        """CPU time in seconds."""
        return self.cpu["total_s"]

    @property
    def peak(self):
        """The lower bound of the peak in bytes."""
        return self.memory["peak_rss_bytes"]

    def rows_between(self, begin, end):
        """Rows from one absolute time to another."""
        zero = self.time["start_epoch_s"]
        return [row for row in self.rows
                if begin <= zero + row.elapsed <= end]

    def totals(self):
        """Seconds of CPU up to each row, of a log that has them."""
        return [row.total for row in self.rows]

    def integral(self):
        """Seconds of CPU: the sum of CPU % × time since the row before."""
        before = [0.0] + [row.elapsed for row in self.rows]
        return sum(row.cpu / 100 * (row.elapsed - last)
                   for row, last in zip(self.rows, before))


class Started:
    """A program that runs, with its files in a folder of its own."""

    def __init__(self, argv, folder, env, preexec=None):
        self.folder = folder
        self.hung = False
        self.truth_path = env["TRUTH_OUT"]
        self.ready_path = env["TRUTH_READY"]
        self.begin = time.monotonic()
        with open(os.path.join(folder, "stdout"), "wb") as out, \
                open(os.path.join(folder, "stderr"), "wb") as err:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env=env, cwd=folder, start_new_session=True,
                preexec_fn=preexec)

    def read(self, name):
        """The bytes of one of its streams."""
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def wait_ready(self, count=1, seconds=60):
        """Until the workload has written that many ready bytes."""
        wait_until(lambda: self.is_ready(count) or self.has_ended(), seconds)
        if not self.is_ready(count):
            raise AssertionError(
                "the workload never was ready: "
                + self.read("stderr").decode("utf-8", "replace").strip())

    def is_ready(self, count=1):
        """Whether the ready bytes are there."""
        return (os.path.exists(self.ready_path)
                and os.path.getsize(self.ready_path) >= count)

    def has_ended(self):
        """Whether it has; leaves it for finish."""
        return self.process.poll() is not None

    def truth(self):
        """What the workload has said so far."""
        return Truth(self.truth_path)

    def finish(self, seconds=60):
        """Waits for its end; what hangs is killed and called so."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.hung = True
            kill_group(self.process.pid)
            status = self.process.wait()
        return Run(self, status, time.monotonic() - self.begin)


def wait_until(condition, seconds=30):
    """Whether the condition became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def kill_group(pid):
    """Ends a session that this program has started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def is_alive(pid):
    """Whether it runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8",
                  errors="replace") as file:
            return file.read().rsplit(") ", 1)[1][0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def adopt_orphans():
    """What a case leaves behind becomes a child here, and is ended."""
    set_child_subreaper = 36
    ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0)


def children_of_self():
    """The processes that were started here or left to this program."""
    found = []
    for tid in os.listdir("/proc/self/task"):
        path = f"/proc/self/task/{tid}/children"
        if not os.path.exists(path):
            return []
        with open(path, encoding="ascii") as file:
            found += [int(pid) for pid in file.read().split()]
    return found


def end_leftovers(keep=()):
    """Kills and reaps every child but those to be kept; says how many."""
    ended = 0
    for _ in range(1000):
        pids = [pid for pid in children_of_self() if pid not in keep]
        if not pids:
            break
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                ended += 1
            except (ProcessLookupError, ChildProcessError):
                pass
    return ended


class Tools:
    """Where the programs are, and what this pmon and machine can do."""

    def __init__(self, builddir):
        here = os.path.join(builddir, "tests", "truth")
        self.pmon = os.environ.get("PMON") or os.path.join(builddir, "pmon")
        self.workload = (os.environ.get("WORKLOAD")
                         or os.path.join(here, "workload"))
        self.ptyrun = os.environ.get("PTYRUN") or os.path.join(here, "ptyrun")
        self.oracle = os.environ.get("ORACLE") or os.path.join(here, "oracle")
        for name in ("pmon", "workload", "ptyrun", "oracle"):
            setattr(self, name, os.path.abspath(getattr(self, name)))
        self.help = self.ask_help()
        self.cores = len(os.sched_getaffinity(0))

    def ask_help(self):
        """pmon's --help; ends all where pmon cannot run."""
        done = subprocess.run([self.pmon, "--help"], timeout=20, check=True,
                              stdout=subprocess.PIPE)
        return done.stdout.decode()

    def has_option(self, option):
        """Whether pmon --help names the option."""
        return option in self.help


class Machine:
    """What the rights at hand allow, tried once."""

    answers = {}

    @classmethod
    def can(cls, *argv):
        """Whether a command ends with 0."""
        if argv not in cls.answers:
            cls.answers[argv] = shutil.which(argv[0]) is not None and \
                subprocess.run(argv, stdin=subprocess.DEVNULL, timeout=20,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               check=False).returncode == 0
        return cls.answers[argv]

    @classmethod
    def need(cls, *argv):
        """Skips the case where the command fails."""
        if not cls.can(*argv):
            raise Skip(f"not permitted here: {' '.join(argv)}")


def new_folder():
    """A folder for one run, below TMPDIR."""
    return tempfile.mkdtemp(prefix="pmon-truth.")


def clean_environment():
    """The environment without what would change a run."""
    return {key: value for key, value in os.environ.items()
            if not key.startswith(("TRUTH_", "PMON", "WORKLOAD", "LC_"))
            and key not in ("LANG", "PTYRUN", "ORACLE")}
