# SPDX-License-Identifier: MIT
"""T19: files that cannot be written, or not any more."""

import os
import stat
import subprocess

from context import Machine, Skip, case
from harness import read_log, wait_until

BLOCK = b"\n# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)\n"


def pmon_lines(run):
    """The lines on stderr that are no closing words of a good run."""
    ordinary = ("CPU ", "memory ", "log ", "at peak ", "limit ", "left ",
                "commands ", "slowed ", "workload:", "true:", "sh:", "quality ")
    return [line for line in run.words.splitlines()
            if not line[len("pmon: "):].startswith(ordinary)]


@case("T19", "log on a full device")
def t19_full(t):
    """The header fails: 125, and nothing runs."""
    folder = t.folder()
    ran = os.path.join(folder, "ran")
    run = t.start([t.tools.pmon, "-l", "/dev/full", "--", "touch", ran],
                  folder).finish()
    t.say("125, nothing ran", f"{run.status}, "
                              f"{'ran' if os.path.exists(ran) else 'did not'}")
    t.status(run, 125)
    t.true(not os.path.exists(ran), "the step ran")
    t.equal("lines", len(run.words.splitlines()), 1)
    t.words(run, "/dev/full")


@case("T19", "log in a read-only folder")
def t19_read_only(t):
    """125, and nothing runs."""
    Machine.need("unshare", "-m", "true")
    folder = t.folder()
    place = os.path.join(folder, "place")
    os.mkdir(place)
    run = t.start(["unshare", "-m", "sh", "-c",
                   'mount -t tmpfs -o ro none "$1" && exec "$2" -l "$1/log" '
                   '-- touch "$3"', "sh", place, t.tools.pmon,
                   os.path.join(folder, "ran")], folder).finish()
    t.say("125, nothing ran", f"{run.status}")
    t.status(run, 125)
    t.true(not os.path.exists(os.path.join(folder, "ran")), "the step ran")
    t.equal("lines", len(run.words.splitlines()), 1)


@case("T19", "the disk fills during the run")
def t19_fills(t):
    """The step runs on, its status holds, whole rows are kept."""
    Machine.need("unshare", "-m", "true")
    folder = t.folder()
    place = os.path.join(folder, "place")
    os.mkdir(place)
    # The page that is left is full after some 80 rows of 700.
    script = ('mount -t tmpfs -o size=16k none "$1" || exit 97; '
              'head -c 12288 /dev/zero > "$1/filler"; status=0; "$2" -i 1ms -l "$1/log" -- "$3" trap 1500 7 700 '
              '|| status=$?; cp "$1/log" "$4"; exit $status')
    copy = os.path.join(folder, "log")
    run = t.start(["unshare", "-m", "sh", "-c", script, "sh", place,
                   t.tools.pmon, t.tools.workload, copy], folder).finish()
    if run.status == 97:
        raise Skip("no tmpfs may be mounted")
    with open(copy, "rb") as file:
        text = file.read()
    t.say("the step's status, one line", f"{run.status}, "
                                         f"{pmon_lines(run)}")
    t.true(run.truth.text("end_ns"), "the step did not run to its end")
    t.equal("lines about it", len(pmon_lines(run)), 1)
    t.words(run, "incomplete")
    t.equal("bytes of rows that are not whole",
            len(text.rsplit(b"\n", 1)[-1]), 0)


@case("T19", "the reader of the log goes")
def t19_pipe(t):
    """EPIPE ends the log, not the step."""
    folder = t.folder()
    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    gone = os.path.join(folder, "gone")
    reader = t.start(["sh", "-c", f'head -c 200 < "{fifo}"; : > "{gone}"'])
    run = t.start([t.tools.pmon, "-i", "0.02", "-l", fifo, "--", "sh", "-c",
                   f"until [ -e {gone} ]; do sleep 0.02; done; "
                   f"{t.tools.workload} work 1 0 300; exit 5"],
                  folder).finish()
    reader.finish(5)
    t.say("status 5, one line", f"status {run.status}, {pmon_lines(run)}")
    t.status(run, 5)
    t.equal("lines about it", len(pmon_lines(run)), 1)


@case("T19", "the folder of the log is removed")
def t19_removed(t):
    """The step runs on; what cannot be written is said."""
    folder = t.folder()
    place = os.path.join(folder, "place")
    os.mkdir(place)
    started = t.start([t.tools.pmon, "-l", os.path.join(place, "log"),
                       "--summary", os.path.join(place, "s.json"), "--",
                       "sh", "-c", f"{t.tools.workload} work 1 0 500; exit 5"],
                      folder)
    started.wait_ready()
    log = os.path.join(place, "log")
    wait_until(lambda: len(read_log(log)) > 0)
    subprocess.run(["rm", "-rf", place], check=True)
    run = started.finish()
    t.say("status 5, said", f"status {run.status}, {pmon_lines(run)}")
    t.status(run, 5)
    t.true(1 <= len(pmon_lines(run)) <= 2, f"lines: {pmon_lines(run)}")


@case("T19", "a limit on the size of files")
def t19_limit(t):
    """No SIGXFSZ for pmon; the step's status holds."""
    folder = t.folder()
    log = os.path.join(folder, "log")
    run = t.start(["sh", "-c", f"ulimit -f 2; exec {t.tools.pmon} -i 5ms "
                   f"-l {log} -- sh -c 'sleep 0.7; exit 5'"], folder).finish()
    t.say("status 5, one line", f"status {run.status}, {pmon_lines(run)}")
    t.status(run, 5)
    t.equal("lines about it", len(pmon_lines(run)), 1)
    with open(log, "rb") as file:
        t.equal("the last byte", file.read()[-1:], b"\n")


@case("T19", "profile CSV of 300 MB")
def t19_large(t):
    """The block is appended; no byte before it changes."""
    folder = t.folder()
    profile = os.path.join(folder, "profile.csv")
    size = t.pick(30, 300) * 10**6
    with open(profile, "wb") as file:
        file.truncate(size - 6)
        file.seek(size - 6)
        file.write(b"1,2,3\n")
    inode = os.stat(profile).st_ino
    run = t.start([t.tools.pmon, "-q", "--append-peak", profile, "--",
                   "true"], folder).finish()
    with open(profile, "rb") as file:
        file.seek(size - 6)
        tail = file.read()
    t.say("block at the end", f"{len(tail) - 6} bytes")
    t.status(run, 0)
    t.true(tail.startswith(b"1,2,3\n" + BLOCK), f"the end is {tail!r}")
    t.equal("the file", os.stat(profile).st_ino, inode)


@case("T19", "two pmons on one CSV, 200 times")
def t19_two(t):
    """No byte lost or torn."""
    folder = t.folder()
    profile = os.path.join(folder, "profile.csv")
    with open(profile, "wb") as file:
        file.write(b"1,2,3\n")
    times = t.pick(25, 200)
    argv = [t.tools.pmon, "-q", "--append-peak", profile, "--", "true"]
    failed = 0
    for _ in range(times):
        pair = [subprocess.Popen(argv, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        failed += sum(each.wait(30) != 0 for each in pair)
    with open(profile, "rb") as file:
        text = file.read()
    blocks = text.count(BLOCK)
    rows = sum(line.count(b",") == 3 and not line.startswith(b"#")
               for line in text.splitlines())
    t.say(f"{2 * times} blocks", f"{blocks} blocks, {rows} rows")
    t.equal("blocks", blocks, 2 * times)
    t.equal("rows", rows, 2 * times)
    t.equal("lines", len(text.splitlines()), 1 + 3 * 2 * times)
    t.equal("failed", failed, 0)


@case("T19", "the same log twice at once")
def t19_same(t):
    """125 for the second; the first is not touched."""
    folder = t.folder()
    log = os.path.join(folder, "log")
    first = t.start_pmon([], t.workload("work", 1, 0, 600), folder=folder)
    wait_until(lambda: len(read_log(log)) >= 3)
    second = t.start([t.tools.pmon, "-l", log, "--", "true"]).finish()
    run = first.finish()
    t.check_run(run)
    t.say("125", f"{second.status}: {second.words.strip()}")
    t.status(second, 125)
    t.words(second, "another pmon is writing")
    t.status(run, 0)


@case("T19", "umask 027")
def t19_modes(t):
    """Files are made as any program's: 0666 & ~umask."""
    old = os.umask(0o027)
    try:
        run = t.pmon([], ["true"])
    finally:
        os.umask(old)
    modes = {name: stat.S_IMODE(os.stat(os.path.join(run.folder, name))
                                .st_mode) for name in ("log", "summary.json")}
    t.say("mode 640", str({key: oct(value) for key, value in modes.items()}))
    t.equal("modes", set(modes.values()), {0o640})
