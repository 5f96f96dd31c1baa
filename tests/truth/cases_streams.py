# SPDX-License-Identifier: MIT
"""T20, T21, T24: clocks, streams, and who is no part of the step."""

import os
import re
import signal
import subprocess

from cases_ends import on_terminal
from context import MIB, OWN, Skip, case, of_both, of_cpu, of_memory
from harness import read_log, wait_until


@case("T20", "LC_ALL=de_DE.UTF-8, a far TZ")
def t20_locale(t):
    """Points, not commas."""
    folder = t.folder()
    env = {"LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Kiritimati"}
    has = "de_DE" in subprocess.run(["locale", "-a"], check=False,
                                    stdout=subprocess.PIPE).stdout.decode()
    if not has:
        t.need_program("localedef")
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8",
                               os.path.join(folder, "de_DE.UTF-8")],
                              stdout=subprocess.DEVNULL, check=False,
                              stderr=subprocess.DEVNULL).returncode
        if made not in (0, 1) or not os.listdir(folder):
            raise Skip("no such locale")
        env["LOCPATH"] = folder
    run = t.pmon(["--log-format", "plain"], t.workload("work", 20, 50, 200),
                 folder=folder, env=env)
    with open(run.log_path, encoding="ascii") as file:
        text = file.read()
    t.say("no comma", f"{text.count(',')} commas, {of_memory(run)}")
    t.equal("commas in the log", text.count(","), 0)
    t.true(not re.search(r"\d,\d", run.words), f"commas: {run.words}")
    t.peak(run, 20 * MIB, 20 * MIB + OWN, "exact")


@case("T20", "pmon and step stopped for a while")
def t20_frozen(t):
    """One gap of one row, said; no row is made up."""
    gap = t.pick(800, 10000)
    started = t.start_pmon([], t.workload("work", 20, 100, gap + 1000))
    started.wait_ready()
    log = os.path.join(started.folder, "log")
    wait_until(lambda: len(read_log(log)) >= 4)
    step = int(started.truth().text("pid"))
    t.start(t.workload("freeze", gap, started.process.pid, step)).finish()
    run = started.finish()
    t.check_run(run)
    gaps = [after.elapsed - before.elapsed
            for before, after in zip(run.rows, run.rows[1:])]
    long = [each for each in gaps if each > gap / 1000 * 0.9]
    t.say(f"one gap of {gap / 1000:.1f} s, said",
          f"{len(long)}, longest {run.quality['longest_gap_s']:.1f} s, "
          f"{run.quality['missed_ticks']} missed ticks")
    t.equal("long gaps", len(long), 1)
    t.between("longest_gap_s", run.quality["longest_gap_s"], gap / 1000 * 0.9,
              gap / 1000 + 2)
    t.between("missed ticks", run.quality["missed_ticks"], gap / 100 * 0.8,
              gap / 100 + 20)
    t.total(run, run.truth.cpu())


def fingerprint(t, argv, folder, **rest):
    """What a shell's child has inherited, but for what always differs."""
    ended = t.start(["sh", "-c", '"$@"; exit $?', "sh", *argv], folder,
                    **rest).finish()
    os.remove(os.path.join(folder, "out"))
    return {name: value for name, value in ended.truth.lines
            if not name.startswith("run.")}


@case("T21", "what the step inherits:", ("plain", "closed", "signals",
                                         "descriptors"))
def t21_inherited(t):
    """Descriptors, masks, limits, scheduling: as without pmon."""
    def arrange():
        if t.argument == "closed":
            for stream in range(3):
                os.close(stream)
        if t.argument == "signals":
            for name in ("HUP", "CHLD", "PIPE", "USR1"):
                signal.signal(getattr(signal, "SIG" + name), signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM,
                                                      signal.SIGCHLD})
        if t.argument == "descriptors":
            os.dup2(os.open("/dev/null", os.O_RDONLY), 7)
            os.set_inheritable(7, True)
    step = t.workload("fingerprint")
    folder = t.folder()
    alone = fingerprint(t, step, folder, preexec=arrange)
    below = fingerprint(t, t.pmon_argv(folder, [], step), folder,
                        preexec=arrange)
    differing = {key: (alone.get(key), below.get(key))
                 for key in sorted(set(alone) | set(below))
                 if alone.get(key) != below.get(key)
                 and key not in VOLATILE}
    t.say(f"{len(alone)} facts", f"{len(differing)} differ")
    t.equal("differing", differing, {})


# Facts that name the run's own files and its session.
VOLATILE = {"autogroup", "fd.1", "fd.2"}


@case("T21", "less on a terminal")
def t21_less(t):
    """The keys reach it, it ends as without pmon."""
    folder = t.folder()
    t.need_program("less")
    text = os.path.join(folder, "text")
    with open(text, "w", encoding="ascii") as file:
        file.write("first line\n" * 50)
    run = on_terminal(t, folder, ["-w", "first line", "-s", "q"],
                      t.pmon_argv(folder, ["-q"], ["less", text]),
                      {"TERM": "xterm", "LESS": ""})
    t.say("status 0", f"status {run.status}, {len(run.rows)} rows")
    t.status(run, 0)
    t.true(len(run.rows) >= 2, "no rows")


@case("T21", "in a pipeline, in the background")
def t21_pipeline(t):
    """Streams pass through; the end of the reader ends the writer."""
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, ["-q"], ["cat"]))
    run = t.start(["sh", "-c", f"echo some text | {pmon} | tr a-z A-Z & wait"],
                  folder).finish()
    t.say("SOME TEXT", run.stdout.decode().strip())
    t.equal("output", run.stdout, b"SOME TEXT\n")
    t.equal("stderr", run.stderr, b"")


@case("T24", "service & exec pmon")
def t24_service(t):
    """pmon's children of before are not the step's."""
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, [], t.workload("work", 10, 200, 700)))
    service = " ".join(t.workload("work", 100, 600, 3000))
    run = t.start(["sh", "-c", f"TRUTH_OUT= TRUTH_READY= {service} & "
                   f"exec {pmon}"], folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    t.say(f"10 MiB, {cpu:.3f} s, 1 seen",
          f"{of_both(run)}, {run.processes['seen']} seen")
    t.peak(run, 10 * MIB, 10 * MIB + OWN, "exact")
    t.total(run, cpu)
    t.equal("seen", run.processes["seen"], 1)
    t.equal("survivors", run.outcome["survivors"], 0)


@case("T24", "service that ends before the step", quick=False)
def t24_service_ends(t):
    """It is reaped, its time is nobody's."""
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, [], t.workload("work", 10, 200, 900)))
    service = " ".join(t.workload("children", 4, 100))
    run = t.start(["sh", "-c", f"TRUTH_OUT= TRUTH_READY= {service} & "
                   f"exec {pmon}"], folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    t.say(f"10 MiB, {cpu:.3f} s, 1 seen",
          f"{of_both(run)}, {run.processes['seen']} seen")
    t.peak(run, 10 * MIB, 10 * MIB + OWN)
    t.total(run, cpu)
    t.equal("seen", run.processes["seen"], 1)


@case("T24", "service that makes daemons",
      limit="an orphan of a service, made and left between two looks, cannot "
            "be told from the step's")
def t24_service_daemons(t):
    """What pmon adopts of a service is not the step's either."""
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, [], t.workload("work", 10, 100, 900)))
    service = " ".join(t.workload("fast-daemons", 20, 10))
    run = t.start(["sh", "-c", f"TRUTH_OUT= TRUTH_READY= {service} & "
                   f"exec {pmon}"], folder).finish()
    t.check_run(run)
    cpu = run.truth.cpu()
    t.say(f"{cpu:.3f} s, 1 seen", f"{of_cpu(run)}, {run.processes['seen']}")
    t.total(run, cpu, None)
    t.equal("seen", run.processes["seen"], 1)
