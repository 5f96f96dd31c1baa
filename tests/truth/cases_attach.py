# SPDX-License-Identifier: MIT
"""T25, T49: attached to what runs already."""

import os

from context import MIB, OWN, case, mib, of_both, of_cpu
from harness import read_log


def attach(t, command, begin=(), options=("-i", 0.05)):
    """Starts a command, attaches when it is ready, lets it go on."""
    folder = t.folder()
    go = os.path.join(folder, "go")
    os.mkfifo(go)
    step = t.start([*begin, *command], folder=folder,
                   env={"TRUTH_GO": go})
    step.wait_ready()
    pid = int(step.truth().text("pid"))
    pmon = t.attach(pid, options)
    with open(go, "wb") as file:
        file.write(b"g")
    ended = step.finish()
    run = pmon.finish()
    run.truth = ended.truth
    return run


@case("T25", "attach after the peak")
def t25_attach(t):
    """Yesterday's peak and CPU are not today's."""
    run = attach(t, t.workload("old-peak", t.pick(200, 500), 10, 500, 300,
                               200))
    truth = run.truth
    today = truth.number("now_bytes")
    used = truth.seconds("self_cpu_ns") - truth.seconds("cpu_at_ready_ns")
    t.check_run(run)
    t.say(f"peak {mib(today)}, CPU {used:.2f} s", of_both(run))
    t.peak(run, today, today + OWN, "at least")
    t.total(run, used, "at least", spare=0.03)
    t.status(run, 0)


@case("T49", "attach to a tree that has worked")
def t49_attach_tree(t):
    """CPU counts from the moment of attaching, of parents and children."""
    step = t.start(t.workload("children", t.pick(24, 60), 50, 100))
    out = step.truth
    step.wait_ready()
    pid = int(out().text("pid"))
    # Some children have been reaped by then.
    while not step.has_ended() and cutime_of(pid) < 0.3:
        pass
    pmon = t.attach(pid, ["-i", 0.02])
    before = cutime_of(pid)
    ended = step.finish()
    run = pmon.finish()
    burnt = ended.truth.seconds("burnt_ns") - before
    t.say(f"{burnt:.2f} s since", of_cpu(run))
    t.between("CPU total", run.total, burnt - 0.16, burnt + 0.16)
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")


def cutime_of(pid):
    """Seconds that a process has waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            field = file.read().rsplit(") ", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(field[13]) + int(field[14])) / os.sysconf("SC_CLK_TCK")


@case("T49", "attach, then children lose their parent")
def t49_attach_orphans(t):
    """A member that is reparented stays one, though pmon adopts nobody."""
    folder = t.folder()
    go = os.path.join(folder, "go")
    os.mkfifo(go)
    step = t.start(["sh", "-c", 'read line < "$TRUTH_GO"; '
                    f"{t.tools.workload} orphaned 5 600; :"], folder=folder,
                   env={"TRUTH_GO": go})
    pmon = t.attach(step.process.pid, ["-i", 0.02])
    with open(go, "wb") as file:
        file.write(b"g\n")
    ended = step.finish()
    run = pmon.finish()
    run.truth = ended.truth
    t.check_run(run)
    rows = run.rows_between(run.truth.epoch("all_begin_ns") + 0.1,
                            run.truth.epoch("all_end_ns"))
    counts = {row.processes for row in rows}
    t.say("7 processes", f"{sorted(counts)}, {of_cpu(run)}")
    t.equal("processes in the rows", counts, {7})
    t.total(run, run.truth.cpu(), "at least", spare=0.05)


@case("T49", "attach from inside")
def t49_inside(t):
    """pmon is a child of what it records, and leaves itself out."""
    folder = t.folder()
    pmon = " ".join(t.pmon_argv(folder, ["-i", "0.05", "--pid", "$$"], [],
                                is_step=False))
    t.start(["sh", "-c", f"{pmon} & pid=$!; sleep 0.6 & wait $!; "
             "kill -TERM $pid; "
             "wait $pid"], folder).finish()
    rows = read_log(os.path.join(folder, "log"))
    counts = sorted({row.processes for row in rows[2:8]})
    t.say("2 processes", f"{counts} in {len(rows)} rows")
    t.equal("processes in the rows", counts, [2])


@case("T49", "attach to a thread's id")
def t49_thread(t):
    """Refused, or taken for its process; never a peak of 0."""
    step = t.start(t.workload("leader-exit", 100, 10, 1500))
    step.wait_ready()
    pid = step.process.pid
    tid = next(int(name) for name in os.listdir(f"/proc/{pid}/task")
               if int(name) != pid)
    folder = t.folder()
    run = t.start(t.pmon_argv(folder, ["-d", "0.3", "--pid", tid], [], False),
                  folder).finish()
    peak = None if run.status == 125 else run.peak
    t.say("125, or 100 MiB", f"{run.status}, {mib(peak)}")
    t.true(run.status == 125 or (peak or 0) > 99 * MIB,
           f"status {run.status}, peak {mib(peak)}")
