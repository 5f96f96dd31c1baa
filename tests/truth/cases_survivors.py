# SPDX-License-Identifier: MIT
"""T6, T24: what outlives the step."""

from cases_cpu import work_of
from context import MIB, OWN, case, mib, of_both
from harness import children_of_self, is_alive, wait_until


def outlive(t, options, *more):
    """A daemon that outlives the step, under one of --survivors."""
    started = t.start_pmon(options, t.workload("daemon-outlive",
                                               t.pick(100, 300), 300,
                                               t.pick(1000, 1500), *more))
    run = started.finish()
    if run.hung:
        raise AssertionError("hangs")
    return run


def daemon_of(run):
    """The daemon's process id."""
    return run.truth.number("daemon.pid")


@case("T6", "daemon that outlives the step, left")
def t6_leave(t):
    """Said, left, and not waited for."""
    run = outlive(t, [])
    lives = is_alive(daemon_of(run))
    size = t.pick(100, 300) * MIB
    t.say("1 left, runs on", f"{run.outcome['survivors']} left, "
                             f"{'runs on' if lives else 'has ended'}")
    t.true(lives, "the daemon does not run on")
    t.equal("survivors", run.outcome["survivors"], 1)
    t.words(run, rf"(?m)^pmon: .*{daemon_of(run)}")
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")
    t.peak(run, size, size + 2 * OWN, "at least")
    t.status(run, 0)


@case("T6", "daemon that outlives the step, waited for")
def t6_wait(t):
    """Recorded to its end: its CPU and memory are in the figures."""
    t.need_option("--survivors")
    run = outlive(t, ["--survivors", "wait"])
    t.check_run(run)
    cpu = run.truth.cpu("daemon")
    end = run.truth.epoch("daemon.end_ns")
    t.say(f"{mib(work_of(run.truth, 'daemon')[0])}, {cpu:.3f} s",
          of_both(run))
    t.total(run, cpu)
    t.peak(run, *work_of(run.truth, "daemon"))
    t.equal("survivors", run.outcome["survivors"], 0)
    t.true(run.time["start_epoch_s"] + run.time["wall_s"] > end - 0.05,
           "the recording ended before the daemon did")
    t.status(run, 0)


@case("T6", "daemon that outlives the step, killed:", ("plain", "stubborn"))
def t6_kill(t):
    """TERM, and KILL for one that ignores it."""
    t.need_option("--survivors")
    t.need_option("--kill-after")
    run = outlive(t, ["--survivors", "kill", "--kill-after", "0.3"],
                  t.argument)
    pid = daemon_of(run)
    gone = wait_until(lambda: not is_alive(pid), 5)
    t.say("ended", "ended" if gone else "runs on")
    t.true(gone, "the daemon runs on")
    t.equal("the daemon said its end", run.truth.text("daemon.end_ns"), None)
    t.status(run, 0)


@case("T6", "child that the step kills as it ends")
def t6_killed(t):
    """Never in a row, and still in exit(2) when the step has ended."""
    step = """if True:
        import os, signal
        hear, tell = os.pipe()
        if (pid := os.fork()) == 0:
            held = bytearray(300 << 20)
            for at in range(0, len(held), 4096):
                held[at] = 1
            os.write(tell, b"r")
            signal.pause()
        os.read(hear, 1)
        os.kill(pid, signal.SIGKILL)
        os._exit(0)
    """
    run = t.pmon(["--interval", "60"], ["python3", "-c", step])
    t.say("0 left", f"{run.outcome['survivors']} left")
    t.equal("survivors", run.outcome["survivors"], 0)
    t.equal("word of the CPU total", run.cpu["total_word"], "exact")
    t.peak(run, 300 * MIB, 330 * MIB, "at least")
    t.status(run, 0)


@case("T6", "daemon of a daemon, waited for")
def t6_wait_chain(t):
    """Until the last has ended, whoever made it."""
    t.need_option("--survivors")
    work = " ".join(t.workload("work", 50, 200, 200))
    step = ["sh", "-c", f"(setsid sh -c 'sleep 0.3; setsid {work} & exit 0' "
            "> /dev/null 2>&1 &); exit 4"]
    run = t.pmon(["--survivors", "wait"], step)
    cpu = run.truth.seconds("self_cpu_ns")
    t.say(f"50 MiB, {cpu:.3f} s, status 4", f"{of_both(run)}, {run.status}")
    t.total(run, cpu, spare=0.05)
    t.peak(run, 50 * MIB, 50 * MIB + 2 * OWN)
    t.status(run, 4)


@case("T6", "daemon that forks another at TERM, killed")
def t6_kill_forks(t):
    """What a dying process makes is ended too."""
    t.need_option("--survivors")
    step = ["sh", "-c", "(setsid sh -c 'trap \"setsid sleep 41 & exit\" TERM; "
            "while :; do sleep 0.05; done' > /dev/null 2>&1 &); sleep 0.3"]
    run = t.start_pmon(["--survivors", "kill", "--kill-after", "0.5"],
                       step).finish(30)
    left = [pid for pid in children_of_self() if is_alive(pid)]
    t.say("nothing left", f"{len(left)} left")
    t.true(not run.hung, "hangs")
    t.equal("left", len(left), 0)


@case("T6", "survivors of others: a service, --survivors", ("wait", "kill"))
def t6_foreign(t):
    """pmon's children of before are neither waited for nor killed."""
    t.need_option("--survivors")
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, ["--survivors", t.argument],
                                t.workload("work", 10, 0, 200)))
    service = " ".join(t.workload("work", 10, 0, 20000))
    run = t.start(["sh", "-c", f"TRUTH_OUT=service TRUTH_READY= {service} & "
                   f"exec {pmon}"], folder).finish(15)
    lives = any(is_alive(pid) for pid in children_of_self())
    t.say("returns, the service lives", f"{'lives' if lives else 'ended'}")
    t.true(not run.hung, "hangs")
    t.true(lives, "the service was ended")
    t.equal("survivors", run.outcome["survivors"], 0)


@case("T24", "stopped child outlives the step")
def t24_stopped(t):
    """Nothing hangs; it is named."""
    run = t.start_pmon([], t.workload("stopped-child", 50)).finish(30)
    pid = run.truth.number("stopped.pid")
    t.say("1 left, named", f"{run.outcome['survivors']} left")
    t.true(not run.hung, "hangs")
    t.equal("survivors", run.outcome["survivors"], 1)
    t.words(run, rf"(?m)^pmon: .*{pid}")
    t.true(is_alive(pid), "the stopped child was ended")
    t.peak(run, 50 * MIB, 50 * MIB + 2 * OWN)


@case("T24", "stopped child outlives the step, --survivors",
      ("wait", "kill"))
def t24_stopped_survivor(t):
    """Named and not waited for; killed though it is stopped."""
    t.need_option("--survivors")
    run = t.start_pmon(["--survivors", t.argument],
                       t.workload("stopped-child", 50)).finish(30)
    pid = run.truth.number("stopped.pid")
    lives = is_alive(pid)
    t.say("returns", f"{'lives' if lives else 'ended'}, "
                     f"{run.outcome['survivors']} left")
    t.true(not run.hung, "hangs")
    t.equal("lives", lives, t.argument == "wait")
    if t.argument == "wait":
        t.words(run, rf"(?m)^pmon: .*{pid}")
