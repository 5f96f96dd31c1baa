# SPDX-License-Identifier: MIT
"""T22, T27, T28: PID namespaces, /proc in every state, rights.

Each says what it needs and is skipped aloud where that is not permitted.
"""

import json
import os
import shutil

from context import (MIB, NOBODY, OWN, Again, Machine, Skip, case, mib,
                     of_both, of_cpu, of_memory)


def in_shell(t, before, run_pmon, folder=None, **rest):
    """Words of a shell before pmon; what they start is one session."""
    folder = folder or t.folder()
    options, command = run_pmon
    argv = t.pmon_argv(folder, options, command)
    return t.start(["sh", "-c", f'{before}\nexec "$@"', "sh", *argv],
                   folder, **rest).finish()


def check_daemon(t, run):
    """T5 in another place."""
    cpu = run.truth.cpu("daemon")
    held = run.truth.number("daemon.touched_bytes")
    t.check_run(run)
    t.say(f"{mib(held)}, {cpu:.3f} s", of_both(run))
    t.peak(run, held, held + 3 * OWN)
    t.total(run, cpu, spare=0.05)
    t.status(run, 0)


@case("T22", "PID 1 of a PID namespace")
def t22_init(t):
    """It reaps what it must, and the figures hold."""
    Machine.need("unshare", "-pf", "--mount-proc", "true")
    check_daemon(t, t.start_pmon([], t.workload("daemon", 100, 300, 200),
                                 before=["unshare", "-pf", "--mount-proc"])
                 .finish())


@case("T22", "PID 1, step ended by a signal")
def t22_init_signal(t):
    """PID 1 cannot die by it: 128 + n."""
    Machine.need("unshare", "-pf", "--mount-proc", "true")
    run = t.start_pmon([], t.workload("die", "TERM"),
                       before=["unshare", "-pf", "--mount-proc"]).finish()
    t.say("status 143", f"status {run.status}")
    t.status(run, 143)


@case("T22", "/proc of another PID namespace")
def t22_foreign_proc(t):
    """Its ids are other processes: the step's there is one of 300 MiB."""
    Machine.need("unshare", "-pf", "sh", "-c",
                 "echo 1000 > /proc/sys/kernel/ns_last_pid")
    decoy = t.start(t.workload("work", 300, 0, 20000))
    decoy.wait_ready()
    before = ("echo $((TRUTH_DECOY - 1)) > /proc/sys/kernel/ns_last_pid")
    folder = t.folder()
    argv = t.pmon_argv(folder, [], t.workload("spike", 100, 5, 500))
    run = t.start(["unshare", "-pf", "sh", "-c", f'{before}\nexec "$@"', "sh",
                   *argv], folder,
                  env={"TRUTH_DECOY": str(decoy.process.pid)}).finish()
    if run.truth.number("pid") != decoy.process.pid:
        raise Again("the step got another id")
    check_no_proc(t, run)


def check_no_proc(t, run):
    """Right figures from wait4 alone, no claim to more, and a line."""
    held = run.truth.number("touched_bytes")
    cpu = run.truth.cpu()
    t.say(f"{mib(held)}, {cpu:.3f} s, said to be rusage only",
          f"{of_both(run)}: {first_line(run)}")
    t.peak(run, held, held + OWN, "at least")
    t.total(run, cpu, None)
    t.words(run, r"/proc")
    t.status(run, 0)
    t.true(len(run.rows) >= 2, "no rows")


def first_line(run):
    """What was said first."""
    return (run.words.splitlines() or [""])[0]


NO_PROC = {
    "an empty tmpfs": "mount -t tmpfs none /proc",
    "unmounted": "umount -l /proc || mount -t tmpfs none /proc",
}


def without_proc(t, way):
    """The words that take /proc away in a mount namespace of its own."""
    Machine.need("unshare", "-m", "sh", "-c", NO_PROC[way])
    return NO_PROC[way]


@case("T22", "without /proc:", tuple(NO_PROC))
def t22_no_proc(t):
    """rusage only, and pmon says so."""
    before = without_proc(t, t.argument)
    folder = t.folder()
    argv = t.pmon_argv(folder, [], t.workload("spike", 100, 5, 300))
    run = t.start(["unshare", "-m", "sh", "-c", f'{before}\nexec "$@"', "sh",
                   *argv], folder).finish()
    check_no_proc(t, run)


@case("T22", "without /proc, children that nobody waits for")
def t22_no_proc_unwaited(t):
    """Who cannot see SigIgn must not say exact."""
    before = without_proc(t, "an empty tmpfs")
    folder = t.folder()
    argv = t.pmon_argv(folder, [], t.workload("unwaited", 10, 50, "ignore"))
    run = t.start(["unshare", "-m", "sh", "-c", f'{before}\nexec "$@"', "sh",
                   *argv], folder).finish()
    burnt = run.truth.seconds("burnt_ns")
    t.say(f"at least, of {burnt:.2f} s", of_cpu(run))
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")
    t.true(run.total < burnt + 0.1, "more than the truth")


@case("T22", "the step covers /proc")
def t22_covers(t):
    """pmon keeps the /proc that it began with."""
    Machine.need("unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc")
    folder = t.folder()
    step = ["sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh",
            *t.workload("work", 100, 200, 500)]
    run = t.start(["unshare", "-m", *t.pmon_argv(folder, [], step)],
                  folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    t.say(f"100 MiB, {cpu:.3f} s", of_both(run))
    t.peak(run, 100 * MIB, 100 * MIB + OWN)
    t.series(run, cpu, 0.05)
    t.true(sum(row.rss > 99 * MIB for row in run.rows) >= 4,
           "the rows lost it")


@case("T22", "proc with", ("hidepid=2", "subset=pid"))
def t22_mount_option(t):
    """One's own processes are there; loadavg may not be."""
    t.need_root()
    mount = f"mount -t proc -o {t.argument} proc /proc"
    Machine.need("unshare", "-m", "sh", "-c", mount)
    nobody = t.nobody_with_workload()
    folder = t.folder()
    os.chmod(folder, 0o777)
    argv = t.pmon_argv(folder, [], t.workload("daemon", 100, 300, 200))
    run = t.start(["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh",
                   *nobody, *argv], folder).finish()
    check_daemon(t, run)
    t.equal("skipped", run.quality["skipped_processes"], 0)


def setuid_workload(t, folder):
    """A copy of the workload that runs as root whoever starts it."""
    user = t.nobody()
    path = os.path.join(folder, "rooted")
    shutil.copy(t.tools.workload, path)
    os.chmod(path, 0o4755)
    os.chmod(folder, 0o777)
    got = t.start([*user, path, "fingerprint"], folder).finish()
    if not any(line[0] == "status" and line[1].split("\t")[1:3] == [
            str(NOBODY), "0"] for line in got.truth.lines):
        raise Skip("no setuid programs here")
    os.remove(os.path.join(folder, "out"))
    return path, user


@case("T27", "setuid member, pmon is somebody else")
def t27_setuid(t):
    """stat and statm are for all to read; I/O is not, and is not made up."""
    folder = t.folder()
    path, user = setuid_workload(t, folder)
    step = ["sh", "-c", f"{path} work 100 300 500; exit 0"]
    run = t.start([*user, *t.pmon_argv(folder, ["--include-io"], step)],
                  folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    t.say(f"100 MiB, {cpu:.3f} s", of_both(run))
    t.peak(run, 100 * MIB, 100 * MIB + 2 * OWN)
    t.total(run, cpu)
    t.series(run, cpu, 0.05)
    t.true(sum(row.rss > 99 * MIB for row in run.rows) >= 5,
           "the rows do not have it")


@case("T27", "setuid member under hidepid=2, hidden",
      ("at once", "once seen", "in a large tree"))
def t27_hidden(t):
    """In the rows where it was opened before, else counted as skipped."""
    folder = t.folder()
    path, user = setuid_workload(t, folder)
    mount = "mount -t proc -o hidepid=2 proc /proc"
    Machine.need("unshare", "-m", "sh", "-c", mount)
    rest = "sleep 0.14; " if t.argument == "once seen" else ""
    step = ["sh", "-c", f"({rest}exec {path} work 100 300 500); exit 0"]
    if t.argument == "in a large tree":
        crowd = "TRUTH_OUT= TRUTH_READY= " + " ".join(
            t.workload("busy", 60, 2000))
        step = ["sh", "-c", f"{crowd} & sleep 0.7; {step[2][:-8]}; wait"]
    run = t.start(["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh",
                   *user, *t.pmon_argv(folder, [], step)], folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    full = sum(row.rss > 99 * MIB for row in run.rows)
    skipped = run.quality["skipped_processes"]
    t.say(f"{cpu:.3f} s, in the rows or skipped",
          f"{of_both(run)}, {full} rows, {skipped} skipped")
    t.peak(run, 100 * MIB, 100 * MIB + 80 * OWN, "at least")
    if t.argument != "in a large tree":
        t.total(run, cpu, spare=0.05)
        t.series(run, cpu, 0.05)
    t.true(full >= 5 or skipped == 1, "neither in the rows nor skipped")


@case("T27", "step that drops its rights")
def t27_drops(t):
    """pmon is root, the step is not any more."""
    nobody = t.nobody()
    folder = t.folder()
    os.chmod(folder, 0o777)
    run = t.pmon([], [*nobody, *t.workload("daemon", 100, 300, 200)],
                 folder=folder)
    check_daemon(t, run)


@case("T22", "pmon in pmon")
def t22_nested(t):
    """The inner one reaps the daemon; both are right."""
    folder = t.folder()
    inner = t.folder()
    run = t.pmon([], t.pmon_argv(inner, ["-q"], t.workload(
        "daemon", 100, 300, 200)), folder=folder)
    cpu = run.truth.cpu("daemon")
    with open(os.path.join(inner, "summary.json"), encoding="utf-8") as file:
        below = json.load(file)
    t.say(f"100 MiB, {cpu:.3f} s in both",
          f"{of_both(run)}; inner {below['cpu']['total_s']:.3f} s")
    t.peak(run, 100 * MIB, 100 * MIB + 3 * OWN)
    t.total(run, cpu + below["quality"]["monitor_cpu_s"], spare=0.05)
    t.between("inner CPU", below["cpu"]["total_s"], cpu - 0.01, cpu + 0.03)
    t.size("inner peak", below["memory"]["peak_rss_bytes"], 100 * MIB,
           100 * MIB + 3 * OWN)


@case("T22", "limit of descriptors", (64, 20), quick_ways=(64,))
def t22_descriptors(t):
    """By path what cannot be held; nothing is missed."""
    count = t.pick(120, 300)
    run = in_shell(t, f"ulimit -n {t.argument}",
                   ([],
                    t.workload("idle", count, t.pick(700, 1500))))
    t.check_run(run)
    truth = run.truth
    rows = run.rows_between(truth.epoch("all_begin_ns") + 0.1,
                            truth.epoch("all_end_ns"))
    counts = {row.processes for row in rows}
    t.say(f"{count + 1} processes", f"{sorted(counts)}, {of_cpu(run)}")
    t.equal("processes in the rows", counts, {count + 1})
    t.total(run, truth.cpu(), spare=0.1)
    t.equal("skipped", run.quality["skipped_processes"], 0)


@case("T28", "time namespace", quick=False)
def t28_time_namespace(t):
    """Ages by a shifted BOOTTIME: copies become workers in time."""
    argv = ("unshare", "-T", "--boottime", "1000000", "-f")
    Machine.need(*argv, "true")
    run = t.start_pmon([], t.workload("forked", 50, 4, 1000),
                       before=argv).finish()
    t.check_run(run)
    t.say("5 × 50 MiB", of_memory(run))
    t.peak(run, 250 * MIB, 250 * MIB + 5 * OWN)
    t.equal("processes at the peak", run.memory["peak_rss_processes"], 5)


@case("T28", "PID namespace inside the step")
def t28_inner_namespace(t):
    """Orphans go to its init, which is of the tree."""
    argv = ["unshare", "-pf", "--kill-child"]
    Machine.need(*argv, "true")
    check_daemon(t, t.pmon([], [*argv, *t.workload("daemon", 100, 300, 200)]))


@case("T28", "user namespace without rights")
def t28_user_namespace(t):
    """Nothing that pmon does needs a right."""
    argv = ("unshare", "-U")
    Machine.need(*argv, "true")
    folder = t.folder()
    os.chmod(folder, 0o777)
    run = t.start_pmon([], t.workload("daemon", 100, 300, 200), before=argv,
                       folder=folder).finish()
    check_daemon(t, run)
