# SPDX-License-Identifier: MIT
"""All that is not CPU per tick: memory, starts, ends, rates, slow-down."""

import contextlib
import dataclasses
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import tempfile
import time

import runner

MIB = 1 << 20


@contextlib.contextmanager
def scratch():
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        yield pathlib.Path(folder)


def run(argv, **options):
    """Runs to the end; what it printed."""
    return subprocess.run([str(arg) for arg in argv], check=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True,
                          **options).stdout


def quality_of(summary):
    with open(summary, encoding="utf-8") as file:
        return json.load(file)["quality"]


# ---- Kernel memory that held descriptors are charged ----


def memory_cgroup():
    """The folder of this process's memory cgroup, and how to read it."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for base, kind in (("/sys/fs/cgroup/memory", "memory"),
                           ("/sys/fs/cgroup", "")):
            folder = pathlib.Path(base + path)
            if names == kind and os.access(folder, os.W_OK):
                if kind or (folder / "memory.stat").exists():
                    return folder
    return None


def kernel_bytes(folder):
    """What a cgroup was charged for the kernel's own memory, or None."""
    with contextlib.suppress(OSError):
        return int((folder / "memory.kmem.usage_in_bytes").read_text())
    with contextlib.suppress(OSError):
        for line in (folder / "memory.stat").read_text().splitlines():
            key, value = line.split()
            if key == "kernel":
                return int(value)
    return None


def attached_kernel_bytes(tools, parent, processes):
    """Kernel memory of a pmon that is attached to an idle tree."""
    folder = parent / f"bench.{os.getpid()}"
    with scratch() as files:
        step = runner.Step([tools.workload, "idle", processes - 1, 60000],
                           files)
        monitor = None
        folder.mkdir()
        try:
            step.start()
            root = step.wait_ready()
            enter = f"echo $$ >{shlex.quote(str(folder))}/cgroup.procs"
            pmon = shlex.join([str(tools.pmon), "-q", "-l",
                               str(files / "log"), "--pid", str(root)])
            monitor = runner.spawn(["sh", "-c", f"{enter} && exec {pmon}"])
            runner.wait_for(lambda: runner.size_of(files / "log") > 1000,
                            "attaching")
            return kernel_bytes(folder)
        finally:
            step.end()
            if monitor:
                monitor.wait()
            folder.rmdir()


def kernel_memory(tools, sizes):
    """Bytes for each further process, by the size of the tree."""
    parent = memory_cgroup()
    if parent is None:
        raise runner.Failed("no memory cgroup may be made here")
    found = {n: attached_kernel_bytes(tools, parent, n) for n in (1, *sizes)}
    if found[1] is None:
        raise runner.Failed("this cgroup does not tell kernel memory")
    return {n: (found[n] - found[1]) / (n - 1) for n in sizes}


# ---- Memory over many that have ended ----


@dataclasses.dataclass
class Dead:
    children: int
    sampled: int
    rss_early: int
    rss_late: int
    cpu_ns_each: float


def resident_bytes(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def watch_resident(monitor):
    """RSS each tenth of a second, until the process ends."""
    seen = []
    while monitor.poll() is None:
        with contextlib.suppress(OSError, IndexError):
            seen.append(resident_bytes(monitor.pid))
        time.sleep(0.1)
    return [rss for rss in seen if rss]


def dead(tools, children):
    """RSS of pmon at 1 ms while so many children come and go."""
    with scratch() as files:
        began = time.monotonic()
        monitor = runner.spawn(
            [tools.pmon, "-q", "-i", "1ms", "--summary", files / "s", "--",
             tools.workload, "short", children, "fork"],
            dict(os.environ, TRUTH_DEADLINE="3600"))
        seen = watch_resident(monitor)
        if monitor.wait() != 0 or len(seen) < 10:
            raise runner.Failed(f"{children} children in "
                                f"{time.monotonic() - began:.1f} s")
        with open(files / "s", encoding="utf-8") as file:
            summary = json.load(file)
    cpu_ns = summary["quality"]["monitor_cpu_s"] * 1e9
    return Dead(children, summary["processes"]["seen"], seen[len(seen) // 10],
                seen[-2], cpu_ns / children)


# ---- Starts and ends ----


def launches(tools, count, commands, stamp=None):
    """Medians in ns of commands that are run in turn, by their names."""
    argv = [tools.bench / "launches"]
    argv += ["-s", stamp] if stamp else []
    argv.append(count)
    for command in commands.values():
        argv += ["::", *command]
    said = run(argv, preexec_fn=runner.prefer_all)
    told = dict(line.split("=") for line in said.splitlines())
    return {name: int(told[f"median_ns.{i}"])
            for i, name in enumerate(commands)}


def launch_commands(tools, files):
    """Each tool around /bin/true: the quick ones, and those in Python."""
    true = ["/bin/true"]
    quick = {
        "nothing": true,
        "pmon": [tools.pmon, "-q", "--", *true],
        "pmon, log and summary": [
            tools.pmon, "-q", "-l", files / "log", "--summary",
            files / "summary", "--", *true],
    }
    slow = {}
    if tools.time:
        quick["time"] = [tools.time, "-o", files / "time", *true]
    for tool in tools.peers:
        if not tool.attaches:
            of_tool = {"psrecord": slow, "mprof": slow}.get(tool.name, quick)
            of_tool[tool.name] = tool.launch(
                OneLaunch(files, 1.0), true)
    return quick, slow


@dataclasses.dataclass
class OneLaunch:
    """What Tool.launch wants to know of a run."""

    folder: pathlib.Path
    interval_s: float

    def path(self, name):
        return self.folder / name


def starts(tools, count):
    """ms for `TOOL true`, by the tool's name."""
    with scratch() as files:
        quick, slow = launch_commands(tools, files)
        found = launches(tools, count, quick)
        if slow:
            found |= launches(tools, max(3, count // 50), slow)
    return found


def ends(tools, count):
    """Time from the step's last line to the monitor's return, in ns."""
    rest_ms = 130
    with scratch() as files:
        stamp = files / "stamp"
        step = [tools.bench / "steps", "stamp", rest_ms, stamp]
        commands = {
            "nothing": step,
            "pmon": [tools.pmon, "-q", "-i", "60", "-l", files / "log", "--",
                     *step]}
        for tool in tools.peers:
            if not tool.attaches:
                commands[tool.name] = tool.launch(OneLaunch(files, 1.0), step)
        if tools.time:
            commands["time"] = [tools.time, "-o", files / "time", *step]
        return launches(tools, count, commands, stamp)


# ---- Ticks ----


def row_times(log):
    lines = pathlib.Path(log).read_text().splitlines()
    return [float(line.split()[0]) for line in lines if line[0] != "#"]


def log_of(tool, tools, interval_s, seconds):
    """Times of the rows of one tool on an idle process."""
    ms = round(seconds * 1000)
    with scratch() as files:
        argv = tool.launch(OneLaunch(files, interval_s),
                           [tools.workload, "work", 0, 0, ms])
        run(argv)
        return row_times(files / "log")


def lateness(times, interval_s):
    """Of each row, against its place; a tick that was skipped has one too."""
    late, place = [], 0
    for before, at in zip([0.0] + times, times):
        place += max(1, round((at - before) / interval_s)) if late else 0
        late.append(at - place * interval_s)
    return late


def drift(tools, interval_s):
    """How late row 100 is, in s, and the worst of rows 1 to 100."""
    found = {}
    for tool in (tools.tool("pmon"), tools.tool("psrecord")):
        if tool is None:
            continue
        times = log_of(tool, tools, interval_s, interval_s * 104 + 0.2)
        late = lateness(times[:-1], interval_s)[1:101]
        found[tool.name] = (late[-1], max(late, key=abs))
    return found


def missed_by_pmon(tools, processes, seconds):
    """Share of ticks at 1 ms that pmon let pass over an idle tree."""
    ms = round(seconds * 1000)
    step = ["idle", processes - 1, ms]
    with scratch() as files:
        run([tools.pmon, "-q", "-i", "1ms", "-l", files / "log", "--summary",
             files / "s", "--", tools.workload, *step],
            preexec_fn=runner.prefer_all)
        quality = quality_of(files / "s")
    rows, missed = quality["rows"], quality["missed_ticks"]
    return missed / (rows + missed)


def missed_by_floor(tools, processes, seconds):
    with scratch() as files:
        step = runner.Step([tools.workload, "idle", processes - 1, 60000],
                           files)
        try:
            step.start()
            root = step.wait_ready()
            told = run([tools.bench / "floor", root, 1, round(seconds * 1000),
                        files / "log"], preexec_fn=runner.prefer_all)
        finally:
            step.end()
    told = dict(line.split("=") for line in told.splitlines())
    late, ticks = int(told["late_ticks"]), int(told["ticks"])
    return late / (late + ticks)


def rates(tools, seconds):
    """Shares missed at 1 ms: size of the tree to (floor, pmon)."""
    return {n: (missed_by_floor(tools, n, seconds),
                missed_by_pmon(tools, n, seconds)) for n in (1, 50, 500)}


# ---- What a step loses ----


def fixed_work(tools, argv, tool, interval_s):
    """Wall and CPU time in ns of the work itself, under a tool or none."""
    with scratch() as files:
        out = files / "told"
        step = [tools.bench / "steps", *argv, out]
        run(tool.launch(OneLaunch(files, interval_s), step) if tool else step)
        told = runner.keys_of(out)
    return int(told["wall_ns"]), int(told["cpu_ns"])


def calibrated(tools, argv_for, target_s):
    """The step's arguments for about so long a work."""
    turns = 1000
    while True:
        wall_ns, _ = fixed_work(tools, argv_for(turns), None, 0)
        if wall_ns > 20e6:
            return argv_for(round(turns * target_s * 1e9 / wall_ns))
        turns *= 8


def slow_downs(tools, pairs, target_s, interval_s=0.01):
    """Step and tool to medians of the ratios: of wall time, of CPU time."""
    steps = {"CPU-bound": lambda turns: ["cpu", turns],
             "mmap-heavy, 500 MiB": lambda turns: ["mmap", turns, 500]}
    tried = [tool for tool in (tools.tool("pmon"), tools.tool("psrecord"))
             if tool]
    found = {}
    for label, argv_for in steps.items():
        argv = calibrated(tools, argv_for, target_s)
        ratios = {tool.name: [] for tool in tried}
        for _ in range(pairs):
            alone = fixed_work(tools, argv, None, 0)
            for tool in tried:
                under = fixed_work(tools, argv, tool, interval_s)
                ratios[tool.name].append(
                    [ns / ns_alone for ns, ns_alone in zip(under, alone)])
        for name, values in ratios.items():
            found[label, name] = [statistics.median(column)
                                  for column in zip(*values)]
    return found
