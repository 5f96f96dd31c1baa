#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Provokes faults of files in runs of pmon with every output.

usage: faults.py [PART...]      writes kills full buffers   (all)

writes   each call that changes a file fails, one by one, with several errors
kills    pmon is killed before each such call, and at FAULTS_KILLS instants
full     a real file system that is full, read-only, or goes (as root)
buffers  a process is killed while libpmon writes a buffer of rows

After each, every file is whole or as before, pmon or its next run says what
was lost, and the next run has all.  Prints a line a part; status 1 if anything
is wrong.
"""

import concurrent.futures
import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.environ["builddir"]
SOURCE = os.environ["srcdir"]
PMON = os.environ.get("PMON", os.path.join(BUILD, "pmon"))
DRIVE = os.path.join(BUILD, "tests/libpmon/drive")
KILLS = int(os.environ.get("FAULTS_KILLS", "200"))
ENV = {key: value for key, value in os.environ.items()
       if not key.startswith(("PMON_", "FAIL_", "LD_PRELOAD"))}
STEP = f': > started; "{PMON}" region R -- sleep 0.05; : > ended; exit 7'
RUN = [PMON, "-i", "10ms", "-l", "m.txt", "--append-peak", "p.csv",
       "--summary", "s.json", "--regions", "r"]
PROFILE = b"ncalls,tottime,percall,cumtime,percall,f\n1,1,1,1,1,a.py:1(b)\n"
NUMBER = rb"[0-9]+\.[0-9]{3}"
ROW = re.compile(rb"( *" + NUMBER + rb"){4}")
BLOCK = re.compile(rb"\n# Elapsed time,CPU \(%\),Peak Real \(MB\),Peak Virtual "
                   rb"\(MB\)\n" + NUMBER + rb"(," + NUMBER + rb"){3}\n")
REGION = re.compile(rb'"R","[0-9]{19}","[0-9]+"\r?')
SCHEMA = [sys.executable, "-S",
          os.path.join(SOURCE, "tests/lib/check_schema.py"),
          os.path.join(SOURCE, "src/schema/summary.schema.json")]


def read(folder, name):
    """The bytes of a file, or None."""
    try:
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()
    except OSError:
        return None


def start(folder, step=STEP, **settings):
    """A run with every output."""
    return subprocess.Popen(RUN + ["--", "sh", "-c", step], cwd=folder,
                            env={**ENV, **settings}, stderr=subprocess.PIPE,
                            stdout=subprocess.DEVNULL,
                            stdin=subprocess.DEVNULL)


class State:
    """The files of a folder before or after a run."""

    def __init__(self, folder):
        self.folder = folder
        self.log = read(folder, "m.txt")
        self.profile = read(folder, "p.csv")
        self.summary = read(folder, "s.json")
        self.regions = read(folder, "r/regions")
        self.started = os.path.exists(os.path.join(folder, "started"))
        self.others = sorted(name for name in os.listdir(folder)
                             if name.startswith(".pmon"))

    def run(self):
        """The summary, None where it is not JSON."""
        try:
            return json.loads(self.summary or b"")
        except ValueError:
            return None


def new_folder(parent):
    """A folder with the files of yesterday's run."""
    folder = tempfile.mkdtemp(dir=parent)
    with open(os.path.join(folder, "p.csv"), "wb") as file:
        file.write(PROFILE)
    run = start(folder)
    run.communicate()
    assert run.returncode == 7, run.returncode
    for name in ("started", "ended"):
        os.remove(os.path.join(folder, name))
    for name in ("m.txt", "p.csv", "s.json"):
        os.utime(os.path.join(folder, name), ns=(0, time.time_ns() - 10**9))
    return folder


def log_faults(log):
    """What is wrong with a log of whole rows, which may be empty."""
    if log == b"":
        return
    lines = log.split(b"\n")
    if not lines[0].startswith(b"# Elapsed time "):
        yield "the log has no header"
    if lines[-1] != b"":
        yield f"the log has a torn row {lines[-1]!r}"
    for line in lines[1:-1]:
        if not ROW.fullmatch(line):
            yield f"the log has the row {line!r}"


def file_faults(before, after):
    """What is neither whole nor as before."""
    if after.log != before.log:
        yield from log_faults(after.log if after.log is not None else b"none")
    added = (after.profile or b"")[len(before.profile):]
    if not (after.profile or b"").startswith(before.profile):
        yield "the profile is not what it was"
    elif added and not BLOCK.fullmatch(added):
        yield f"the profile has a torn block {added!r}"
    if after.summary not in (None, before.summary):
        path = os.path.join(after.folder, "s.json")
        found = subprocess.run(SCHEMA + [path], capture_output=True,
                               check=False, text=True)
        if found.returncode != 0:
            yield f"the summary: {found.stdout.strip()[:200]}"
    for line in (after.regions or b"").split(b"\n"):
        if line and not REGION.fullmatch(line):
            yield f"the regions have {line!r}"


def unsaid(before, after, said):
    """What was lost without a word."""
    run = after.run()
    rows = (after.log or b"").count(b"\n") - 1
    if after.log == before.log or (run and run != before.run() and
                                   rows != run["quality"]["rows"]):
        if "m.txt" not in said:
            yield f"the log lost rows: {rows} are there"
    if after.profile == before.profile and "p.csv" not in said:
        yield "the block is missing"
    if after.profile == before.profile and not re.search(
            r"^pmon: the peak was: [0-9.]+(,[0-9.]+){3}$", said, re.M):
        yield "the block that is missing was not printed"
    if (run is None or run["outcome"]["reason"] != "exited" or
            after.summary == before.summary) and "s.json" not in said:
        yield "the summary is missing"


def next_faults(folder):
    """Whether the next run has all, and a report of it."""
    before = State(folder)
    run = start(folder)
    said = run.communicate()[1].decode()
    after = State(folder)
    faults = list(file_faults(before, after)) + list(
        unsaid(before, after, ""))
    if run.returncode != 7:
        faults.append(f"status {run.returncode}: {said}")
    if after.others:
        faults.append(f"left: {after.others}")
    report = subprocess.run([PMON, "report", "."], cwd=folder, env=ENV,
                            capture_output=True, text=True, check=False)
    if report.returncode != 0:
        faults.append(f"report: {report.stderr}")
    return [f"next run: {fault}" for fault in faults]


def write_faults(folder, setting):
    """A run in which calls fail."""
    before = State(folder)
    run = start(folder, **setting)
    said = run.communicate()[1].decode()
    after = State(folder)
    faults = list(file_faults(before, after))
    if after.started:
        faults += unsaid(before, after, said)
    elif before.__dict__ != after.__dict__ and after.summary == before.summary:
        faults += ["a file was changed though the step did not run"
                   for name in ("log", "profile")
                   if getattr(before, name) != getattr(after, name)]
    if run.returncode != (7 if after.started else 125):
        faults.append(f"status {run.returncode}")
    if any(not line.startswith("pmon: ") for line in said.splitlines()):
        faults.append("a line that is not pmon's")
    if after.others:
        faults.append(f"left: {after.others}")
    return [f"{fault}; said: {said.strip()}" for fault in faults]


def lost_faults(before, after):
    """What is wrong with the words on a run that was killed."""
    run = after.run()
    report = subprocess.run([PMON, "report", "--format", "json", "s.json"],
                            cwd=after.folder, env=ENV, capture_output=True,
                            text=True, check=False)
    if after.summary == before.summary:
        yield "yesterday's summary passes for the run's"
    elif run is None:
        yield "there is no summary"
    elif run["outcome"]["reason"] == "running" and \
            "lost: pmon was killed" not in report.stderr:
        yield f"report: {report.stderr.strip()}"
    elif after.log == before.log and "from its log" in report.stderr:
        yield "yesterday's log passes for the run's"


def kill_faults(folder, setting, after_s=None):
    """A run that is killed before a call, or at an instant."""
    before = State(folder)
    run = start(folder, **setting)
    if after_s is not None:
        time.sleep(after_s)
        run.kill()
    run.communicate()
    if os.path.exists(os.path.join(folder, "started")):
        until = time.monotonic() + 30
        while not os.path.exists(os.path.join(folder, "ended")) and \
                time.monotonic() < until:
            time.sleep(0.01)
    after = State(folder)
    faults = list(file_faults(before, after))
    if run.returncode not in (-signal.SIGKILL, 7):
        faults.append(f"status {run.returncode}")
    if after.started and run.returncode != 7:
        faults += lost_faults(before, after)
    return faults


def on_each(work, cases, parent):
    """Runs work(folder, case), each in a folder; all that is wrong."""
    def one(case):
        folder = new_folder(parent)
        faults = work(folder, case) or next_faults(folder)
        shutil.rmtree(folder)
        return [f"{case}: {fault}" for fault in faults]

    with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        return [fault for faults in pool.map(one, cases) for fault in faults]


def count_calls(library, parent):
    """How many calls a run makes that can fail."""
    folder = new_folder(parent)
    count = os.path.join(folder, "count")
    start(folder, LD_PRELOAD=library, FAIL_AT=str(10**9),
          FAIL_COUNT=count).communicate()
    return int(read(folder, "count"))


def part_writes(library, parent):
    """Each call fails."""
    count = count_calls(library, parent)
    cases = [(at, how, code)
             for at in range(1, count + 1)
             for how, code in (("once", errno.EIO), ("from", errno.ENOSPC),
                               ("short", errno.ENOSPC), ("from", errno.EROFS),
                               ("from", errno.EDQUOT), ("from", errno.ENOENT),
                               ("from", errno.EIO))]

    def work(folder, case):
        return write_faults(folder, {
            "LD_PRELOAD": library, "FAIL_AT": str(case[0]),
            "FAIL_HOW": case[1], "FAIL_ERRNO": str(case[2])})

    return len(cases), on_each(work, cases, parent)


def part_kills(library, parent):
    """Killed before each call, and at any instant."""
    count = count_calls(library, parent)
    rng = random.Random(1)
    cases = list(range(1, count + 1)) + [
        rng.uniform(0, 0.4) for _ in range(KILLS)]

    def work(folder, case):
        if isinstance(case, int):
            return kill_faults(folder, {"LD_PRELOAD": library,
                                        "FAIL_AT": str(case),
                                        "FAIL_HOW": "kill"})
        return kill_faults(folder, {}, case)

    return len(cases), on_each(work, cases, parent)


PLACES = {
    "full": "cat /dev/zero > filler 2> /dev/null",
    "no inodes": "i=0; while true > f$((i += 1)); do :; done 2> /dev/null",
    "read-only": "mount -o remount,ro .",
    "removed": 'rm -rf "$PWD"/* "$PWD"/.pmon*; cd /; umount -l "$OLDPWD"',
}


def part_full(library, parent):
    """Real file systems, mounted in a name space of their own."""
    del library
    inside = ["unshare", "-m", sys.executable, "-B", __file__, "--place"]
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none",
                       parent], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        print("full: skipped: no tmpfs may be mounted")
        return 0, []
    faults = []
    for name in PLACES:
        found = subprocess.run(inside + [name, parent], check=False,
                               capture_output=True, text=True)
        if found.returncode != 0:
            faults.append(f"{name}: {found.stdout}{found.stderr}")
    return len(PLACES), faults


def place(name, parent):
    """One of PLACES, in a name space of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=64",
                    "none", parent], check=True)
    folder = new_folder(parent)
    if name == "removed":
        subprocess.run(["mount", "--bind", folder, folder], check=True)
    before = State(folder)
    run = start(folder, ": > started; sleep 0.05; " + PLACES[name] +
                "; sleep 0.05; exit 7")
    said = run.communicate()[1].decode()
    faults = []
    if name == "read-only":
        subprocess.run(["mount", "-o", "remount,rw", parent], check=True)
    if name != "removed":
        after = State(folder)
        faults += file_faults(before, after)
        faults += unsaid(before, after, said)
        for entry in os.listdir(folder):
            if entry.startswith("f"):
                os.remove(os.path.join(folder, entry))
        faults += next_faults(folder)
    if run.returncode != 7:
        faults.append(f"status {run.returncode}")
    for fault in faults:
        print(f"{fault}; said: {said}")
    return 1 if faults else 0


def part_buffers(library, parent):
    """A buffered write is killed: each row is whole, or the reader names it."""
    del library
    torn = 0
    faults = []
    rng = random.Random(2)
    for number in range(KILLS // 4):
        folder = tempfile.mkdtemp(dir=parent)
        process = subprocess.Popen(
            [DRIVE, "threads", "4", "1000000"], cwd=folder,
            stdout=subprocess.DEVNULL,
            env={**ENV, "PMON_REGIONS": folder, "PMON_REGIONS_BUFFER": "1"})
        time.sleep(rng.uniform(0.005, 0.05))
        process.kill()
        process.wait()
        rows = (read(folder, "regions") or b"").split(b"\n")
        bad = [row for row in rows[:-1] if not re.fullmatch(
            rb'"[a-z0-9]+","[0-9]{19}","[0-9]+"\r', row)]
        if rows[-1] != b"":
            torn += 1
            report = subprocess.run(
                [PMON, "report", "regions"], cwd=folder, env=ENV,
                capture_output=True, text=True, check=False)
            if "regions:" not in report.stderr or not report.stdout:
                faults.append(f"{number}: torn, report: {report.stderr}")
        if bad:
            faults.append(f"{number}: rows {bad[:3]}")
        shutil.rmtree(folder)
    print(f"buffers: {torn} of {KILLS // 4} files end in a torn row")
    return KILLS // 4, faults


PARTS = {"writes": part_writes, "kills": part_kills, "full": part_full,
         "buffers": part_buffers}


def main():
    """All parts, or those that are named."""
    if sys.argv[1:2] == ["--place"]:
        return place(*sys.argv[2:])
    status = 0
    with tempfile.TemporaryDirectory() as parent:
        library = os.path.join(parent, "failing_files.so")
        subprocess.run([*os.environ.get("CC", "cc").split(), "-D_GNU_SOURCE",
                        "-shared", "-fPIC", "-o", library, os.path.join(
                            SOURCE, "tests/faults/failing_files.c")],
                       check=True)
        for name in sys.argv[1:] or PARTS:
            begin = time.monotonic()
            folder = tempfile.mkdtemp(dir=parent)
            count, faults = PARTS[name](library, folder)
            for fault in faults[:40]:
                print(f"{name}: {fault}")
            print(f"{name}: {count} runs, {len(faults)} faults, "
                  f"{time.monotonic() - begin:.0f} s", flush=True)
            status |= bool(faults)
    return status


sys.exit(main())
