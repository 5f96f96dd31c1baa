# SPDX-License-Identifier: MIT
"""Starts a step and a monitor, and reads what the monitor has used.

A monitor's cost per tick is the difference of two readings of its process
CPU clock, each right after a row was written: what it spends on its start,
its end and on processes that come up before is in neither.
"""

import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile
import time

POLL_S = 0.002
TIMEOUT_S = 15


class Failed(Exception):
    """A measurement could not be made; the text says why."""


def cpu_clock_ns(pid):
    """CPU time of a process alone, without its children, in ns."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def keys_of(path):
    """The key=value lines of a file; of equal keys the first."""
    found = {}
    with contextlib.suppress(OSError):
        for line in pathlib.Path(path).read_text().splitlines():
            key, _, value = line.partition("=")
            found.setdefault(key, value)
    return found


def wait_for(condition, what, timeout_s=TIMEOUT_S):
    """Polls until condition() gives something true; returns it."""
    until = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > until:
            raise Failed(f"{what} took over {timeout_s} s")
        time.sleep(POLL_S)


def size_of(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def descendants(root):
    """The root and all below it."""
    pids = [root]
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                path = f"/proc/{pid}/task/{task}/children"
                pids += map(int, pathlib.Path(path).read_text().split())
    return pids


@dataclasses.dataclass
class Memory:
    rss: int
    pss: int
    fds: int


def memory_of(pid):
    """RSS and PSS in bytes and the descriptors of a process."""
    fields = {}
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    for line in text.splitlines()[1:]:
        key, value = line.split()[:2]
        fields[key] = int(value) * 1024
    return Memory(fields["Rss:"], fields["Pss:"],
                  len(os.listdir(f"/proc/{pid}/fd")))


@dataclasses.dataclass
class Reading:
    ticks: int
    cpu_ns: int
    at_ns: int


@dataclasses.dataclass
class Measured:
    """What one run of one monitor came to."""

    per_tick_ns: float
    kept: float            # ticks made, of those that were due
    memory: Memory
    first: Reading
    last: Reading


class Step:
    """A workload of tests/truth that tells when it is ready, and its pid."""

    def __init__(self, argv, folder, name="step"):
        self.argv = argv
        self.out = folder / f"{name}.out"
        self.ready = folder / f"{name}.ready"
        self.process = None
        self.env = dict(os.environ, TRUTH_OUT=str(self.out),
                        TRUTH_READY=str(self.ready), TRUTH_DEADLINE="300")

    def start(self):
        self.process = spawn(self.argv, self.env)

    def wait_ready(self):
        wait_for(lambda: size_of(self.ready), f"{self.argv[1]} getting ready")
        return self.pid()

    def pid(self):
        return int(keys_of(self.out).get("pid", 0))

    def end(self):
        pid = self.pid()
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process:
            self.process.wait()


def spawn(argv, env=None, output=subprocess.DEVNULL):
    return subprocess.Popen([str(arg) for arg in argv], env=env,
                            stdin=subprocess.DEVNULL, stdout=output,
                            stderr=output)


def voluntary_switches(pid):
    """How often a process went to sleep, which a monitor does each tick."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(text.split("voluntary_ctxt_switches:")[1].split()[0])


def prefer(pid, policy=os.SCHED_FIFO | os.SCHED_RESET_ON_FORK):
    """Lets a process run at once among hundreds that do, but not those that
    it starts.  False where that is not allowed: it waits for its turn."""
    try:
        os.sched_setscheduler(pid, policy, os.sched_param(1))
    except OSError:
        return False
    return True


def prefer_all():
    """The same for the calling process and all that it starts."""
    prefer(0, os.SCHED_FIFO)


class Run:
    """A step under a monitor, or with one attached to it."""

    def __init__(self, tool, argv, interval_s, folder, preferred=False):
        self.tool = tool
        self.preferred = preferred
        self.interval_s = tool.interval_s or interval_s
        self.folder = folder
        self.step = Step(argv, folder)
        self.monitor = None

    def start(self):
        """Starts both and returns when the step is ready."""
        if self.tool.attaches:
            self.step.start()
            root = self.step.wait_ready()
            self.monitor = self.spawn(self.tool.attach(self, root))
            if self.preferred:
                prefer(self.monitor.pid)
            return
        argv = self.tool.launch(self, self.step.argv)
        self.monitor = self.spawn(argv, self.step.env)
        wait_for(self.step.pid, f"the step of {self.tool.name}")
        if self.preferred:
            prefer(self.monitor.pid)
        self.step.wait_ready()

    def spawn(self, argv, env=None):
        with open(self.path("said"), "w", encoding="utf-8") as said:
            return spawn(argv, env, said)

    def path(self, name):
        return self.folder / name

    def ticks(self):
        if self.tool.shows_rows:
            return self.tool.count_rows(self.path("log"))
        return voluntary_switches(self.monitor.pid)

    def progress(self):
        """Something that changes with each tick and is cheap to read."""
        if self.tool.shows_rows:
            return size_of(self.path("log"))
        return voluntary_switches(self.monitor.pid)

    def reading(self):
        """Ticks and CPU time, right after a tick."""
        before = self.progress()
        wait_for(lambda: self.progress() != before, self.what_it_said())
        time.sleep(POLL_S / 2)
        cpu_ns = cpu_clock_ns(self.monitor.pid)
        return Reading(self.ticks(), cpu_ns, time.monotonic_ns())

    def what_it_said(self):
        """For the one line that tells why there was no tick."""
        lines = self.path("said").read_text(errors="replace").splitlines()
        return f"a tick (said: {lines[-1]})" if lines else "a tick"

    def measure(self, seconds):
        """Mean CPU time per tick over about so many seconds."""
        first = self.reading()
        time.sleep(max(0, seconds - 1.5 * self.interval_s))
        last = self.reading()
        ticks = last.ticks - first.ticks
        due = (last.at_ns - first.at_ns) / (self.interval_s * 1e9)
        return Measured((last.cpu_ns - first.cpu_ns) / ticks, ticks / due,
                        memory_of(self.monitor.pid), first, last)

    def end(self):
        self.step.end()
        if not self.monitor:
            return
        if self.tool.runs_on:
            self.monitor.terminate()
        try:
            self.monitor.wait(10)
        except subprocess.TimeoutExpired:
            self.monitor.kill()
            self.monitor.wait()


@contextlib.contextmanager
def running(tool, argv, interval_s, preferred):
    """A Run that has started."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        run = Run(tool, argv, interval_s, pathlib.Path(folder), preferred)
        try:
            run.start()
            yield run
        finally:
            run.end()


@contextlib.contextmanager
def crowd(workload, count):
    """So many idle processes that are no part of what is measured."""
    if not count:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        step = Step([workload, "idle", count, 300000], pathlib.Path(folder))
        try:
            step.start()
            step.wait_ready()
            yield
        finally:
            step.end()
