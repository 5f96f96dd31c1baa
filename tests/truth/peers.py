# SPDX-License-Identifier: MIT
"""Other tools for the same job, where they are installed.

Each runs the same command and is asked for the same two figures.  Nothing
here builds or downloads one.
"""

import json
import os
import shlex
import shutil
import subprocess

from context import mib
from harness import MIB, Started, clean_environment, new_folder

SECONDS = 90


class Peer:
    """A tool: how to start it on a command, and how to read its answer."""

    def __init__(self, argv, read):
        self.argv = argv
        self.read = read


def lines_of(path):
    """The lines of a file; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def psrecord_argv(command, file):
    """A shell line in one argument."""
    return ["psrecord", shlex.join(command), "--include-children",
            "--interval", "0.1", "--log", file]


def read_psrecord(file, _run):
    """The largest row; CPU % × time."""
    peak, used, last = None, 0.0, 0.0
    for line in lines_of(file):
        if line.startswith("#"):
            continue
        elapsed, cpu, rss = map(float, line.split()[:3])
        peak = max(peak or 0, rss * MIB)
        used += cpu / 100 * (elapsed - last)
        last = elapsed
    return peak, used


def mprof_argv(command, file):
    """With the children summed up."""
    return ["mprof", "run", "--include-children", "--interval", "0.1",
            "--output", file, *command]


def read_mprof(file, _run):
    """MEM lines in MiB; it has no CPU."""
    sizes = [float(line.split()[1]) for line in lines_of(file)
             if line.startswith("MEM ")]
    return max(sizes) * MIB if sizes else None, None


def prmon_argv(command, file):
    """Its shortest interval is a second."""
    return ["prmon", "--interval", "1", "--filename", file + ".txt",
            "--json-summary", file, "--", *command]


def read_prmon(file, _run):
    """Max of rss in kB; times in seconds."""
    if not os.path.exists(file):
        return None, None
    with open(file, encoding="utf-8") as text:
        high = json.load(text)["Max"]
    return high["rss"] * 1024, float(high["utime"] + high["stime"])


def runlim_argv(command, file):
    """It writes what it found to a file."""
    return ["runlim", f"--output-file={file}", *command]


def read_runlim(file, _run):
    """Lines [runlim] time: 1.02 seconds, space: 500 MB."""
    found = {}
    for line in lines_of(file):
        word = line.split()
        if len(word) > 2 and word[0] == "[runlim]":
            found[word[1].rstrip(":")] = word[2]
    peak = float(found["space"]) * MIB if "space" in found else None
    return peak, float(found["time"]) if "time" in found else None


def time_argv(command, file):
    """GNU time, not the shell's word."""
    return [shutil.which("time"), "-f", "%M %U %S", "-o", file, *command]


def read_time(file, _run):
    """Its last line; before it may stand that a signal came."""
    word = (lines_of(file) or [""])[-1].split()
    if len(word) != 3:
        return None, None
    return int(word[0]) * 1024, float(word[1]) + float(word[2])


def pidstat_argv(command, _file):
    """A line a second, of the process."""
    return ["pidstat", "-h", "-r", "-u", "1", "-e", *command]


def read_pidstat(_file, run):
    """The columns %CPU and RSS, found by the header."""
    heads, peak, used = [], None, 0.0
    for line in run.stdout.decode("utf-8", "replace").splitlines():
        word = line.split()
        if line.startswith("#"):
            heads = word[1:]
        elif heads and len(word) >= len(heads) and "RSS" in heads:
            peak = max(peak or 0, int(word[heads.index("RSS")]) * 1024)
            used += float(word[heads.index("%CPU")]) / 100
    return peak, used if heads else None


def perf_argv(command, file):
    """CPU only."""
    return ["perf", "stat", "-x", ",", "-e", "task-clock", "-o", file,
            "--", *command]


def read_perf(file, _run):
    """Milliseconds of task-clock."""
    for line in lines_of(file):
        field = line.split(",")
        if len(field) > 2 and field[2].startswith("task-clock"):
            return None, float(field[0]) / 1000
    return None, None


PEERS = {
    "psrecord": Peer(psrecord_argv, read_psrecord),
    "mprof": Peer(mprof_argv, read_mprof),
    "prmon": Peer(prmon_argv, read_prmon),
    "runlim": Peer(runlim_argv, read_runlim),
    "time": Peer(time_argv, read_time),
    "pidstat": Peer(pidstat_argv, read_pidstat),
    "perf": Peer(perf_argv, read_perf),
}
NAMES = list(PEERS)


def is_gnu_time():
    """Whether the program time is GNU's."""
    path = shutil.which("time")
    if path is None:
        return False
    done = subprocess.run([path, "--version"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return b"GNU" in done.stdout


def find():
    """The names of those on PATH."""
    return [name for name in NAMES
            if (is_gnu_time() if name == "time"
                else shutil.which(name) is not None)]


def run_one(name, comparison):
    """The run and the two figures of a peer, each None where unknown."""
    folder = new_folder()
    peer = PEERS[name]
    file = os.path.join(folder, "answer")
    env = clean_environment()
    env.update(LC_ALL="C.UTF-8", TMPDIR=folder, HOME=folder,
               TRUTH_OUT=os.path.join(folder, "out"),
               TRUTH_READY=os.path.join(folder, "ready"))
    env.update(comparison.env or {})
    argv = [*comparison.before, *peer.argv(comparison.command, file)]
    try:
        run = Started(argv, folder, env).finish(SECONDS)
        peak, cpu = peer.read(file, run)
        return run, peak, cpu
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judge(comparison, run, peak, cpu):
    """right or wrong, and what was said."""
    said, right = [], True
    if run.hung:
        return "wrong: hangs"
    if comparison.peak and peak is not None:
        said.append(mib(peak))
        right &= comparison.peak[0] * 0.99 <= peak <= comparison.peak[1]
    if comparison.cpu and cpu is not None:
        low, high = comparison.cpu(run.truth)
        said.append(f"{cpu:.2f} s")
        right &= low <= cpu <= high
    if comparison.status is not None:
        status = run.status if run.status >= 0 else 128 - run.status
        said.append(f"status {status}")
        right &= status == comparison.status
    if not said:
        return "has no such figure"
    return f"{'right' if right else 'wrong'}: {', '.join(said)}"


def run_all(comparison, found, clean):
    """The cell of each peer found, cleaned up after."""
    cells = {}
    for name in found:
        try:
            cells[name] = judge(comparison, *run_one(name, comparison))
        except AssertionError:
            cells[name] = "wrong: did not let the command end"
        except (OSError, ValueError, KeyError) as error:
            cells[name] = f"broke: {error}"
        clean()
    return cells
