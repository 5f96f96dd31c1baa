# SPDX-License-Identifier: MIT
"""T15, T16: how steps end, and the signals that end them."""

import json
import os
import signal

from context import case, of_memory


ENDS = ("exit 0", "exit 3", "exit 255", "die SEGV", "die KILL")
SHELL_STATUS = {"exit 0": 0, "exit 3": 3, "exit 255": 255, "die SEGV": 139,
                "die KILL": 137}


@case("T15", "ends by", ENDS)
def t15_ends(t):
    """The step's own status, and a summary that is complete."""
    want = SHELL_STATUS[t.argument]
    command = t.workload(*t.argument.split())
    run = t.pmon(["--log-format", "plain"], command)
    t.say(f"status {want}", f"status {run.status}, {of_memory(run)}")
    t.status(run, want)
    t.equal("pmon_status", run.outcome["pmon_status"], want)
    if want < 128 or want == 255:
        t.equal("reason", run.outcome["reason"], "exited")
        t.equal("exit_status", run.outcome["exit_status"], want)
    else:
        t.equal("reason", run.outcome["reason"], "signaled")
        t.equal("signal", run.outcome["signal"], want - 128)
    t.compare(command, status=want)


@case("T15", "cannot be run:", ("missing", "not executable", "a folder",
                                "empty name"))
def t15_not_run(t):
    """126, 127; yesterday's log is still there."""
    folder = t.folder()
    plain = os.path.join(folder, "plain")
    with open(plain, "w", encoding="ascii") as file:
        file.write("no program\n")
    command, want, reason = {
        "missing": (os.path.join(folder, "none"), 127, "not_found"),
        "not executable": (plain, 126, "not_executable"),
        "a folder": (folder, 126, "not_executable"),
        "empty name": ("", 127, "not_found"),
    }[t.argument]
    log = os.path.join(folder, "log")
    with open(log, "w", encoding="ascii") as file:
        file.write("yesterday\n")
    status = t.start_pmon([], [command], folder=folder).process.wait(20)
    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
        summary = json.load(file)
    with open(log, encoding="ascii") as file:
        kept = file.read()
    t.say(f"status {want}", f"status {status}, "
                            f"{summary['outcome']['reason']}")
    t.equal("exit status", status, want)
    t.equal("reason", summary["outcome"]["reason"], reason)
    t.equal("yesterday's log", kept, "yesterday\n")
    t.true(len(summary) >= 16, "the summary is not complete")


def arrivals(run, name):
    """How many of a signal have arrived at the step."""
    return int(run.truth.text(f"arrivals.{name}", "-1"))


@case("T16", "sent to pmon alone:", ("TERM", "INT", "HUP"))
def t16_pmon_alone(t):
    """Passed on once; the step takes its time, the files are complete."""
    number = getattr(signal, "SIG" + t.argument)
    started = t.start_pmon([], t.workload("trap", t.pick(250, 1000), 5))
    started.wait_ready()
    os.kill(started.process.pid, number)
    run = started.finish()
    t.check_run(run)
    t.say("arrives once, status 5",
          f"{arrivals(run, t.argument)}, status {run.status}")
    t.equal("arrivals", arrivals(run, t.argument), 1)
    t.status(run, 5)
    t.total(run, run.truth.cpu() if run.truth.text("self_cpu_ns") else 0,
            spare=0.05)


@case("T16", "TERM to the group")
def t16_group(t):
    """Twice at most: what the group got, and what pmon passes."""
    started = t.start_pmon([], t.workload("trap", t.pick(250, 1000), 6))
    started.wait_ready()
    os.killpg(started.process.pid, signal.SIGTERM)
    run = started.finish()
    t.check_run(run)
    t.say("once or twice, status 6",
          f"{arrivals(run, 'TERM')}, status {run.status}")
    t.between("arrivals", arrivals(run, "TERM"), 1, 2)
    t.status(run, 6)


@case("T16", "the step's own kill(0)")
def t16_own(t):
    """Not handed back."""
    run = t.start_pmon([], t.workload("kill-group", "TERM", 250, 0),
                       env={"TRUTH_GROUP": "1"}).finish()
    t.check_run(run)
    t.say("arrives once", f"{arrivals(run, 'TERM')}")
    t.equal("arrivals", arrivals(run, "TERM"), 1)
    t.status(run, 0)


@case("T16", "a step that ignores TERM")
def t16_ignore(t):
    """Lives on; so does pmon."""
    started = t.start_pmon([], t.workload("ignore", t.pick(400, 3000)))
    started.wait_ready()
    os.kill(started.process.pid, signal.SIGTERM)
    run = started.finish()
    t.check_run(run)
    t.say("ends by itself, status 0", f"status {run.status}")
    t.status(run, 0)
    t.true(run.truth.text("end_ns"), "it did not end by itself")


def on_terminal(t, folder, steps, command, env=None):
    """Runs a command on a terminal of its own."""
    argv = [t.tools.ptyrun, "-t", 30, *steps, "--", *command]
    return t.start(argv, folder, env=env).finish()


@case("T16", "Ctrl-C, in a loop of two")
def t16_terminal(t):
    """Arrives once, by the terminal; the second pmon never starts."""
    folder = t.folder()
    t.need_program("bash")
    pmon = " ".join(t.pmon_argv(folder, [], t.workload("trap", 300, "die")))
    run = on_terminal(t, folder, ["-f", os.path.join(folder, "ready"), "-s",
                                  "\\003"],
                      ["bash", "-c", f"for i in 1 2; do {pmon}; done; exit 9"])
    started = len(run.truth.all("pid"))
    t.say("arrives once, one start",
          f"{arrivals(run, 'INT')}, {started} started")
    t.equal("arrivals", arrivals(run, "INT"), 1)
    t.equal("steps started", started, 1)
    t.equal("from", [each.split(",")[1] for each in run.truth.all("arrival")
                     if each.startswith("INT")], ["kernel"])
    t.true(run.status != 9, "the loop went on")
    t.true(run.summary and run.rows, "files are missing")


@case("T16", "stops itself, fg")
def t16_stop(t):
    """The shell gets its prompt; fg goes on; the log is whole."""
    folder = t.folder()
    t.need_program("bash")
    pmon = " ".join(t.pmon_argv(folder, [], t.workload("stop", "TSTP", 200,
                                                       0)))
    script = os.path.join(folder, "script")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"exec {pmon}\n")
    steps = ["-n", "-w", "PROMPT> ", "-s", f"sh {script}\\n", "-w", "Stopped",
             "-w", "PROMPT> ", "-s", "fg\\n", "-w", "PROMPT> ", "-s",
             "exit $?\\n"]
    run = on_terminal(t, folder, steps, ["bash", "--norc", "--noediting",
                                         "-i"], {"PS1": "PROMPT> "})
    t.say("prompt, then goes on", f"status {run.status}")
    t.status(run, 0)
    t.true(run.truth.text("stopped_ns"), "it did not go on")
    t.check_run(run)
