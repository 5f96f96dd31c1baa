# SPDX-License-Identifier: MIT
"""T18, T26: trees of every size and shape."""

import os
import signal

from context import MIB, OWN, case, mib, near, of_cpu, of_memory
from harness import NS, read_log, wait_until


@case("T18", "one process among 2,000 others", quick=False)
def t18_beside(t):
    """Costs what it costs alone; knows nothing of the others."""
    alone = t.pmon([], t.workload("work", 50, 300, 700))
    run = t.pmon([], t.workload("work", 50, 300, 700),
                 before=t.workload("beside", 2000, "--"))
    cost, was = (each.quality["monitor_cpu_s"] for each in (run, alone))
    t.say("1 seen, costs what it costs alone",
          f"{run.processes['seen']} seen, {1000 * cost:.1f} ms, "
          f"alone {1000 * was:.1f} ms")
    t.peak(run, 50 * MIB, 50 * MIB + OWN, "exact")
    t.total(run, run.truth.cpu())
    t.equal("processes seen", run.processes["seen"], 1)
    t.true(cost < 2 * was + 0.01, "costs more than alone")


@case("T18", "idle tree of", (500, 2000), quick_ways=(500,))
def t18_idle(t):
    """Every process in every row while all live."""
    count = t.argument if t.argument == 500 else t.pick(800, 2000)
    run = t.pmon([],
                 t.workload("idle", count, t.pick(700, 1500)))
    truth = run.truth
    rows = run.rows_between(truth.epoch("all_begin_ns") + 0.1,
                            truth.epoch("all_end_ns"))
    counts = {row.processes for row in rows}
    t.say(f"{count + 1} processes in every row",
          f"{sorted(counts)} in {len(rows)} rows, {of_cpu(run)}")
    t.equal("processes in the rows", counts, {count + 1})
    t.equal("seen", run.processes["seen"], count + 1)
    t.equal("skipped", run.quality["skipped_processes"], 0)
    t.total(run, truth.cpu(), spare=0.1 + count * 1e-4)


@case("T18", "running tree of 500", quick=False, timed=True)
def t18_busy(t):
    """All running: their CPU is the truth's, in the rows too."""
    run = t.pmon([], t.workload("busy", 500, 1500))
    truth = run.truth
    rows = run.rows_between(truth.epoch("all_begin_ns") + 0.1,
                            truth.epoch("all_end_ns"))
    high = max(row.cpu for row in run.rows)
    t.say(f"{truth.cpu():.2f} s, no row above {100 * t.tools.cores} %",
          f"{of_cpu(run)}, {len(run.rows)} rows, largest {high:.0f} %")
    t.total(run, truth.cpu(), spare=0.2)
    # Among so many that run pmon gets its turn late, and rows are few.
    if len(rows) > 1:
        t.equal("seen", run.processes["seen"], 501)


@case("T18", "tree that grows by 100 a tick", quick=False)
def t18_grow(t):
    """No row is short of those that had been made before it."""
    run = t.pmon([], t.workload("grow", 100, 100, 15))
    grown = [tuple(map(int, text.split(",")))
             for text in run.truth.all("grown")]
    zero = run.truth.number("start_epoch_ns") / NS - run.time["start_epoch_s"]
    made = [(zero + at / NS, count) for at, count in grown]
    wrong = 0
    for row in run.rows:
        # A pass takes a while: what is made meanwhile it may have or not.
        low = [count for at, count in made if at <= row.elapsed - 0.05]
        high = [count for at, count in made if at >= row.elapsed]
        if low and high:
            wrong += not low[-1] <= row.processes <= high[0]
    t.say(f"{grown[-1][1]} at the end",
          f"{run.processes['max_alive']}, {wrong} rows are wrong")
    t.equal("wrong rows", wrong, 0)
    # The last are there for a tick at most.
    t.between("most alive", run.processes["max_alive"], grown[-2][1],
              grown[-1][1])


@case("T18", "deep tree, each the child of the last")
def t18_chain(t):
    """Depth is no limit."""
    depth = t.pick(100, 300)
    run = t.pmon([], t.workload("chain", depth, 600))
    most = max(row.processes for row in run.rows)
    t.say(f"{depth + 1} processes", f"{most}, {of_cpu(run)}")
    t.equal("processes", most, depth + 1)
    t.total(run, run.truth.cpu(), spare=0.1)


@case("T18", "10^5 short-lived ones", quick=False)
def t18_short(t):
    """pmon's memory is flat, the CPU exact."""
    few = t.pmon([], t.workload("short", 500), seconds=120)
    run = t.pmon([], t.workload("short", 100_000), seconds=300)
    mark, base = (each.quality["monitor_peak_rss_bytes"]
                  for each in (run, few))
    t.say(f"{run.truth.cpu():.2f} s, no more memory than for 500",
          f"{of_cpu(run)}, {mib(mark)} against {mib(base)}")
    t.total(run, run.truth.cpu(), spare=0.1)
    t.true(mark < base + 384 * 1024, f"memory grows: {mib(mark)}")
    t.size("peak", run.peak, 1, 20 * MIB)


@case("T26", "one process of 512 busy threads", timed=True)
def t26_threads(t):
    """One process, all its threads' time; exact."""
    count = t.pick(128, 512)
    command = t.workload("threads", count, t.pick(800, 2000))
    run = t.pmon([], command)
    truth = run.truth
    cpu = truth.cpu()
    seen = run.rows_between(truth.epoch("all_begin_ns") + 0.1,
                            truth.epoch("all_end_ns"))
    t.say(f"{cpu:.3f} s, {count + 1} threads",
          f"{of_cpu(run)}, {run.processes['max_threads']} threads, "
          f"{of_memory(run)}")
    t.total(run, cpu, spare=0.05)
    t.series(run, cpu, 0.04)
    t.equal("processes", run.processes["seen"], 1)
    t.equal("word of the peak", run.memory["peak_rss_word"], "exact")
    # Among so many pmon gets its turn late: it may have seen them once only.
    if len(seen) > 1:
        t.equal("threads", run.processes["max_threads"], count + 1)
    t.compare(command, None, lambda truth: near(truth.cpu()))


@case("T18", "one stopped and continued")
def t18_stopped(t):
    """Stopped members count; pmon goes on with its rows."""
    started = t.start_pmon([], t.workload("work", 50, 0, 1200))
    started.wait_ready()
    pid = int(started.truth().text("pid") or 0)
    log = os.path.join(started.folder, "log")
    wait_until(lambda: len(read_log(log)) >= 2)
    os.kill(pid, signal.SIGSTOP)
    before = len(read_log(log))
    wait_until(lambda: len(read_log(log)) >= before + 4)
    os.kill(pid, signal.SIGCONT)
    run = started.finish()
    t.check_run(run)
    held = [row for row in run.rows[2:-1] if row.rss > 50 * MIB]
    t.say("50 MiB in all rows", f"{len(held)} of {len(run.rows[2:-1])}")
    t.true(len(held) >= len(run.rows[2:-1]) - 1, "rows without the memory")
