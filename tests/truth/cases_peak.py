# SPDX-License-Identifier: MIT
"""T1 to T4, T12, T14, T17, T23: peaks that are missed or made up."""

import os
import signal

from context import MIB, OWN, Skip, between_ticks, case, mib, near, of_memory


SPIKE_WAYS = "munmap", "dontneed", "huge"


def spike_command(t, name="spike", *more):
    """500 MiB for 5 ms, then rest; smaller for make check."""
    return t.workload(name, t.pick(200, 500), 5, t.pick(300, 1500), *more)


def held(run):
    """From what was touched to what the process had in all."""
    touched = run.truth.number("touched_bytes")
    high = run.truth.number("hwm_bytes") if run.truth.text("hwm_bytes") \
        else touched
    return touched, max(high, touched) + OWN


def tell_peak(t, run):
    """Truth and answer of a peak."""
    t.say(f"peak {mib(run.truth.number('touched_bytes'))}", of_memory(run))


@case("T1", "spike, freed by", SPIKE_WAYS, timed=True)
def t1_spike(t):
    """A peak between two rows; one process, so that it is exact."""
    command = spike_command(t, "spike", t.argument)
    run = t.pmon(["-i", 1], command)
    tell_peak(t, run)
    t.peak(run, *held(run), "exact")
    t.equal("processes at the peak", run.memory["peak_rss_processes"], 1)
    t.compare(command, held(run))


@case("T1", "spike, ended by", ("exit", "KILL"), timed=True)
def t1_ended(t):
    """Nobody frees it: the process ends with it, or is killed."""
    size = t.pick(200, 500)
    rest = 5 if t.argument == "exit" else 30000
    command = t.workload("work", size, 0, rest)
    started = t.start_pmon(["-i", 60], command)
    if t.argument == "KILL":
        started.wait_ready()
        os.kill(started.truth().number("pid"), signal.SIGKILL)
    run = started.finish()
    t.check_run(run)
    t.say(f"peak {size} MiB", of_memory(run))
    t.peak(run, size * MIB, size * MIB + OWN, "exact")
    t.status(run, 0 if t.argument == "exit" else 137)


@case("T1", "spike, launcher of 300 MiB", timed=True)
def t1_launcher(t):
    """The launcher's size must not take the word away."""
    run = t.pmon(["-i", 1], spike_command(t),
                 before=t.workload("launcher", "fork", 300, "--"))
    tell_peak(t, run)
    t.peak(run, *held(run), "exact")


@case("T2", "spike in a grandchild that ends", timed=True)
def t2_grandchild(t):
    """Only the rusage of those who waited knows it."""
    command = spike_command(t, "spike-grandchild")
    run = t.pmon(["-i", 1], command)
    tell_peak(t, run)
    t.peak(run, *held(run), "at least")
    t.compare(command, held(run))


@case("T3", "spike, then exec", timed=True)
def t3_exec(t):
    """VmHWM has forgotten it, ru_maxrss has not."""
    command = spike_command(t, "spike-exec")
    run = t.pmon(["-i", 1], command)
    tell_peak(t, run)
    t.peak(run, *held(run), "exact")
    t.compare(command, held(run))


@case("T3", "chain of execs, the second is the largest", timed=True)
def t3_chain(t):
    """Each exec takes the marks away; the largest of all stays known."""
    size = t.pick(200, 500)
    command = t.workload("exec-chain", 60, size, 30, 90, 20)
    run = t.pmon(["-i", 1], command)
    t.say(f"peak {size} MiB", of_memory(run))
    t.peak(run, size * MIB, size * MIB + OWN, "exact")
    t.compare(command, (size * MIB, size * MIB + OWN))


def check_sum(t, run, processes):
    """A sum of copies says that it is one, and what it is without them."""
    one = run.truth.number("touched_bytes")
    t.say(f"{processes} × {mib(one)}, {mib(one)} without copies",
          f"{of_memory(run)}, "
          f"{mib(run.memory['peak_rss_without_copies_bytes'])} without")
    t.peak(run, one * processes, one * processes + processes * OWN, "at least")
    t.size("peak without copies", run.memory["peak_rss_without_copies_bytes"],
           one, one + OWN)
    t.equal("processes at the peak", run.memory["peak_rss_processes"],
            processes)
    t.equal("shared_counted", run.memory["peak_rss_shared_counted"], True)
    t.words(run, rf"sum of {processes} processes")
    t.words(run, r"shared pages counted in each")


@case("T4", "forked 10 times, children sleep")
def t4_forked(t):
    """Copies that have become workers count, and pmon says so."""
    command = t.workload("forked", t.pick(100, 501), 10, t.pick(700, 2000))
    run = t.pmon([], command)
    check_sum(t, run, 11)
    one = run.truth.number("touched_bytes")
    t.compare(command, (one, one + 12 * OWN))


@case("T4", "forked 10 times, children work")
def t4_working(t):
    """The same for workers that never exec."""
    check_sum(t, t.pmon([], t.workload("forked", t.pick(100, 501), 10,
                                       t.pick(800, 2000), 20)), 11)


@case("T4", "forked 10 times, --pss")
def t4_pss(t):
    """Shared pages once, as far as the time for reading goes."""
    t.need_option("--pss")
    run = t.pmon(["--pss"], t.workload("forked", t.pick(20, 501), 10,
                                       t.pick(1500, 12000)))
    one = run.truth.number("touched_bytes")
    memory = run.memory
    t.say(f"PSS {mib(one)}", f"{mib(memory['peak_pss_bytes'])} "
                             f"{memory['peak_pss_word']}")
    t.size("peak_pss_bytes", memory["peak_pss_bytes"], one * 0.98,
           one * 1.02 + OWN)
    t.true(memory["peak_pss_word"] in ("exact", "at least"),
           f"word of PSS: {memory['peak_pss_word']}")


@case("T12", "forks and execs true 50 times by", ("fork", "vfork"), timed=True)
def t12_fork_true(t):
    """A child between fork and exec is no second half."""
    size = t.pick(200, 500)
    command = t.workload("fork-true", size, 50, t.argument)
    run = t.pmon(["-i", 0.01], command)
    check_never_double(t, run)
    t.compare(command, held(run))


@case("T12", "rests between fork and exec")
def t12_linger(t):
    """The same where a tick surely sees the copy."""
    run = t.pmon(["-i", 0.01], t.workload("fork-true", t.pick(100, 500), 5,
                                          "fork", 100))
    check_never_double(t, run)


def check_never_double(t, run):
    """No row and no peak near twice the size."""
    touched = run.truth.number("touched_bytes")
    largest = max(row.rss for row in run.rows)
    t.say(f"peak {mib(touched)}, no row above",
          f"{of_memory(run)}, largest row {mib(largest)}")
    t.peak(run, touched, touched + 2 * OWN)
    t.size("the largest row", largest, touched * 0.99, touched + 2 * OWN)


LAUNCHERS = "fork", "vfork", "spawn", "exec"


@case("T14", "tiny step, launcher of 300 MiB by", LAUNCHERS)
def t14_launcher(t):
    """ru_maxrss is inherited; the step's peak is its own."""
    size = t.pick(100, 300)
    launch = t.workload("launcher", t.argument, size, "--")
    command = t.workload("work", 20, 0, t.pick(100, 300))
    run = t.pmon(["-i", 0.05], command, before=launch)
    tell_peak(t, run)
    t.peak(run, *held(run), "exact")
    if t.argument == "vfork":
        t.compare(command, held(run))
        t.comparison.before = t.workload("launcher", "vfork", 300, "--")


@case("T14", "true, launcher of 300 MiB")
def t14_true(t):
    """The same where no row could be read."""
    run = t.pmon([], ["true"], before=t.workload("launcher", "fork",
                                                 t.pick(100, 300), "--"))
    t.say("peak below 10 MiB", of_memory(run))
    t.peak(run, 1, 10 * MIB)
    t.equal("a known peak", run.peak > 100_000, True)


def measured(t, command):
    """ru_maxrss and CPU of a command by itself."""
    started = t.start(t.workload("measure", "--", *command))
    started.finish()
    return started.truth()


@case("T17", "interval 60:", ("true", "sleep 0.05"), timed=True)
def t17_short(t):
    """Ends with the step, has two rows and a right peak."""
    command = t.argument.split()
    alone = max(measured(t, command).number("wait_maxrss_bytes")
                for _ in range(3))
    run = t.pmon(["-i", 60], command)
    upper = run.memory["peak_rss_upper_bytes"]
    t.say(f"peak {mib(alone)}", f"{of_memory(run)}, {len(run.rows)} rows")
    t.size("peak", run.peak, alone * 0.6, alone * 1.3)
    t.equal("upper bound known", upper is not None, True)
    t.true(upper is None or upper >= alone * 0.9,
           f"upper bound {mib(upper)}, alone {mib(alone)}")
    t.equal("rows", len(run.rows), 2)
    t.true(run.wall < 20, f"came back after {run.wall:.1f} s")
    t.status(run, 0)


def run_between(t, name, *more):
    """A workload whose second process comes and goes between two ticks."""
    size, tick = t.pick((100, 600), (200, 1000))
    return t.pmon(["-i", tick / 1000], t.workload(name, size, tick, *more))


@case("T23", "two that overlap only between two ticks", timed=True)
def t23_overlap(t):
    """Neither tick nor mark saw both."""
    check_between(t, run_between(t, "overlap"))


@case("T23", "unseen child, reaped by", ("wait", "ignore"), timed=True)
def t23_unseen(t):
    """The second process was alive at no tick."""
    check_between(t, run_between(t, "unseen", t.argument))


@case("T23", "unseen child, reaped by nocldwait", timed=True,
      limit="children that nobody waits for leave no trace in the parent")
def t23_nocldwait(t):
    """The same where not even SigIgn tells of it."""
    check_between(t, run_between(t, "unseen", "nocldwait"))


@case("T23", "unseen child, reaped by nocldwait, --exact")
def t23_nocldwait_exact(t):
    """Its CPU time is in the cgroup, and nobody has waited for it."""
    t.need_option("--exact")
    size, tick = t.pick((100, 600), (200, 1000))
    run = t.pmon(["--exact", "-i", tick / 1000],
                 t.workload("unseen", size, tick, "nocldwait"))
    if "those without --exact" in run.words:
        raise Skip("no right to a cgroup of one's own")
    check_between(t, run)


@case("T23", "children in turn, never two", timed=True)
def t23_in_turn(t):
    """The sum of all marks would be above the truth."""
    run = t.pmon(["-i", 1], t.workload("in-turn", 200, 2, 500))
    tell_peak(t, run)
    touched = run.truth.number("touched_bytes")
    t.peak(run, touched, touched + 2 * OWN)


def check_between(t, run):
    """Never exact, and no upper bound below the truth."""
    between_ticks(run.truth)
    truth = run.truth.number("peak_bytes")
    one = run.truth.number("touched_bytes")
    t.say(f"peak {mib(truth)}", of_memory(run))
    t.size("peak, lower bound", run.peak, one * 0.99, truth + 3 * OWN)
    word = run.memory["peak_rss_word"]
    t.true(word != "exact", "the word is exact")
    upper = run.memory["peak_rss_upper_bytes"]
    t.true(upper is None or upper >= truth,
           f"upper bound {mib(upper)} below the truth {mib(truth)}")
