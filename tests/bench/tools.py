# SPDX-License-Identifier: MIT
"""The monitors that are compared: how each is started on one step.

Peers are those found on PATH; nothing here builds or fetches one.
"""

import shlex
import shutil

from runner import descendants


class Tool:
    """One monitor; the defaults fit one that starts the step and logs."""

    name = ""
    program = ""           # as looked up on PATH
    attaches = False       # is given the pid of a step that runs already
    shows_rows = True      # each tick makes the file `log` grow; else it is
                           # known by the voluntary context switches
    runs_on = False        # does not end with the step
    draws_curve = False    # memory of the tree over time, as psrecord
    interval_s = None      # its own, where it cannot be chosen
    core = False           # measured in every run; peers in fewer
    cases = None           # keys of the cases that it is for; None: all
    note = ""

    def __init__(self, path):
        self.path = path

    def launch(self, run, argv):
        raise NotImplementedError

    def attach(self, run, root):
        raise NotImplementedError

    def count_rows(self, log):
        with open(log, "rb") as file:
            return sum(not line.startswith(b"#") for line in file)


class Loop(Tool):
    """The two loops of this folder."""

    attaches = True
    core = True

    def attach(self, run, root):
        return [self.path, root, round(run.interval_s * 1000), 0,
                run.path("log")]


class Floor(Loop):
    name = "floor"


class Libproc2(Loop):
    name = "libproc2"
    core = False


class Pmon(Tool):
    name = "pmon"
    core = True

    def launch(self, run, argv):
        return [self.path, "-q", "-i", f"{run.interval_s}", "-l",
                run.path("log"), "--summary", run.path("summary"), "--", *argv]


class PmonProcesses(Pmon):
    name = "pmon --processes"
    cases = ("1-running", "500-idle", "500-running")

    def launch(self, run, argv):
        return [self.path, "--processes", run.path("processes"),
                *super().launch(run, argv)[1:]]


class Psrecord(Tool):
    name = program = "psrecord"
    draws_curve = True

    def launch(self, run, argv):
        return [self.path, shlex.join(map(str, argv)), "--include-children",
                "--interval", run.interval_s, "--log", run.path("log")]


class Mprof(Tool):
    name = program = "mprof"
    draws_curve = True
    note = "memory alone"

    def launch(self, run, argv):
        return [self.path, "run", "--nopython", "-C", "-T", run.interval_s,
                "-o", run.path("log"), *argv]

    def count_rows(self, log):
        with open(log, "rb") as file:
            return sum(line.startswith(b"MEM") for line in file)


class Prmon(Tool):
    name = program = "prmon"
    draws_curve = True
    shows_rows = False
    interval_s = 1.0
    note = "each second"

    def launch(self, run, argv):
        return [self.path, "--interval", 1, "--filename", run.path("log"),
                "--json-summary", run.path("json"), "--", *argv]


class Runlim(Tool):
    name = program = "runlim"
    shows_rows = False
    interval_s = 0.1
    note = "no rows, always 100 ms"

    def launch(self, run, argv):
        return [self.path, "-o", run.path("log"), *argv]


class Pidstat(Tool):
    name = program = "pidstat"
    attaches = True
    shows_rows = False
    runs_on = True
    interval_s = 1.0
    note = "is told the pids, each second"

    def attach(self, run, root):
        pids = ",".join(map(str, descendants(root)))
        return [self.path, "-h", "-u", "-r", "-p", pids, 1]


PEERS = (Psrecord, Mprof, Prmon, Runlim, Pidstat)


def find(build):
    """All tools that are there, and the names of those that are not."""
    tools = [Floor(build / "tests/bench/floor"), Pmon(build / "pmon"),
             PmonProcesses(build / "pmon")]
    absent = []
    libproc2 = build / "tests/bench/libproc2_loop"
    if libproc2.exists():
        tools.append(Libproc2(libproc2))
    else:
        absent.append("libproc2")
    for peer in PEERS:
        path = shutil.which(peer.program)
        if path:
            tools.append(peer(path))
        else:
            absent.append(peer.name)
    return tools, absent
