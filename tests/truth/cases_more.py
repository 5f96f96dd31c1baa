# SPDX-License-Identifier: MIT
"""T30 to T51: what else could make a figure wrong, found by trying.

Parents that change, threads that come and go, ids that come back, memory of
every kind, and options that choose what is counted.
"""

from cases_peak import check_never_double
from context import (MIB, OWN, Again, Machine, Skip, case, mib, of_both,
                     of_cpu, of_memory)
from harness import STATUS_CANNOT


@case("T30", "subreaper in the step inherits, both end")
def t30_subreaper(t):
    """Whoever reaps has the time; it must not count twice."""
    run = t.pmon([], t.workload("subreaper", 300, t.pick(300, 500)))
    cpu = run.truth.cpu()
    t.say(f"{cpu:.3f} s", of_cpu(run))
    t.total(run, cpu)


@case("T31", "daemons that are copies of a large process")
def t31_orphan_copies(t):
    """A copy stays one when its parent has gone."""
    run = t.pmon([], t.workload("orphan-copies", t.pick(100, 501), 5,
                                t.pick(700, 1500)))
    one = run.truth.number("touched_bytes")
    count = run.truth.number("children") + 1
    without = run.memory["peak_rss_without_copies_bytes"]
    t.say(f"{count} × {mib(one)}, {mib(one)} without copies",
          f"{of_memory(run)}, {mib(without)} without")
    t.peak(run, one * count, one * count + count * OWN, "at least")
    t.size("peak without copies", without, one, one + 2 * OWN)
    t.equal("shared_counted", run.memory["peak_rss_shared_counted"], True)
    t.words(run, "shared pages counted in each")


@case("T32", "starts true as a daemon is started")
def t32_orphan_true(t):
    """T12 where the copy has lost its parent before the exec."""
    run = t.pmon(["-i", 0.01], t.workload("orphan-true", t.pick(200, 500),
                                          t.pick(8, 20), 60))
    check_never_double(t, run)


@case("T33", "daemons shorter than a tick of", (0.1, 0.005),
      quick_ways=(0.1,))
def t33_fast_daemons(t):
    """Reaped by pmon, seen or not, at any moment of their reparenting."""
    run = t.pmon(["-i", t.argument], t.workload("fast-daemons",
                                                t.pick(40, 100), 5, 200))
    burnt = run.truth.seconds("burnt_ns") + run.truth.cpu()
    t.say(f"{burnt:.3f} s", f"{of_cpu(run)}, "
                            f"{run.quality['unsampled_processes']} unsampled")
    t.total(run, burnt, spare=0.06)
    if t.argument == 0.1:
        t.true(run.quality["unsampled_processes"] > 0, "none was unsampled")
    t.true(run.memory["peak_rss_word"] != "exact", "the peak is called exact")


@case("T34", "children that stay zombies to the end")
def t34_unreaped(t):
    """Their time is the parent's only when pmon has reaped them."""
    run = t.pmon([], t.workload("unreaped", t.pick(10, 20), 50, 200))
    burnt = run.truth.seconds("burnt_ns") + run.truth.cpu()
    t.say(f"{burnt:.3f} s", of_cpu(run))
    t.total(run, burnt, spare=0.04)


@case("T35", "many children whose parent ends")
def t35_orphaned(t):
    """All stay, none is counted twice."""
    count = t.pick(100, 500)
    run = t.pmon([],
                 t.workload("orphaned", count, t.pick(500, 1000)))
    truth = run.truth
    rows = run.rows_between(truth.epoch("all_begin_ns") + 0.1,
                            truth.epoch("all_end_ns"))
    counts = {row.processes for row in rows}
    t.say(f"{count + 1} processes", f"{sorted(counts)}, "
                                    f"{run.processes['seen']} seen")
    t.equal("processes in the rows", counts, {count + 1})
    t.equal("seen", run.processes["seen"], count + 2)


@case("T36", "sibling by CLONE_PARENT")
def t36_sibling(t):
    """A child of pmon by birth, and of the step all the same."""
    run = t.pmon([], t.workload("sibling", t.pick(100, 200), 300, 300))
    cpu = run.truth.cpu("sibling")
    held = run.truth.number("sibling.touched_bytes")
    t.say(f"{mib(held)}, {cpu:.3f} s", of_both(run))
    t.peak(run, held, held + 2 * OWN, "at least")
    t.total(run, cpu)


@case("T37", "parent and children killed at once")
def t37_collapse(t):
    """Whoever reaps them, every CPU second is there once."""
    run = t.pmon([], t.workload("collapse", t.pick(10, 30), 30, 300))
    burnt = run.truth.seconds("burnt_ns") + run.truth.number("self_cpu_ns") \
        / 1e9
    t.say(f"{burnt:.3f} s", of_cpu(run))
    t.total(run, burnt, spare=0.05)


@case("T38", "one thread takes another's place")
def t38_thread_swap(t):
    """As many threads as before, but the new one has a child."""
    size = t.pick(100, 200)
    run = t.pmon([], t.workload("thread-swap", size, 300, 500))
    cpu = run.truth.cpu()
    full = sum(row.rss > size * MIB * 0.99 for row in run.rows)
    t.say(f"{size} MiB, {cpu:.3f} s in the rows",
          f"{of_both(run)}, {full} rows, {run.integral():.3f} s")
    t.peak(run, size * MIB, size * MIB + 2 * OWN)
    t.total(run, cpu)
    t.true(full >= 4, f"{full} rows have the child's memory")


@case("T39", "exec by a thread,", ("leader-lives", "leader-gone"),
      quick_ways=("leader-gone",))
def t39_thread_exec(t):
    """It takes over the leader's id."""
    run = t.pmon([], t.workload("thread-exec", 100, 200, 500, t.argument))
    cpu = run.truth.cpu()
    full = sum(row.rss > 99 * MIB for row in run.rows)
    t.say(f"100 MiB, {cpu:.3f} s", f"{of_both(run)}, {full} rows")
    t.peak(run, 100 * MIB, 100 * MIB + OWN, "exact")
    t.total(run, cpu)
    t.series(run, cpu, 0.05)
    t.true(full >= 4, f"{full} rows have the memory")


@case("T40", "threads one after the other")
def t40_thread_churn(t):
    """Their time stays with the process; no word is lost."""
    run = t.pmon([], t.workload("thread-churn", t.pick(1000, 10000), 200))
    cpu = run.truth.cpu()
    t.say(f"{cpu:.3f} s", of_both(run))
    t.total(run, cpu, spare=0.04)
    t.equal("word of the peak", run.memory["peak_rss_word"], "exact")
    t.equal("seen", run.processes["seen"], 1)


@case("T41", "64 threads, each with a child")
def t41_thread_crowd(t):
    """All are found, in each row."""
    run = t.pmon([],
                 t.workload("thread-crowd", 64, 2, 900))
    most = max(row.processes for row in run.rows)
    t.say("65 processes", f"{most}, {of_both(run)}")
    t.equal("processes", most, 65)
    t.peak(run, 128 * MIB, 128 * MIB + 65 * OWN)
    t.total(run, run.truth.cpu(), spare=0.08)
    t.equal("seen", run.processes["seen"], 65)


@case("T42", "an id comes back, its first owner", ("zombie", "alive"),
      timed=True)
def t42_reuse(t):
    """A new process with the old one's id, as far as its clock."""
    tick = t.pick(300, 500)
    run = t.pmon(["-i", tick / 1000], t.workload("reuse", t.argument, 100, 100,
                                                 tick))
    if run.status == STATUS_CANNOT:
        raise Skip("no process may choose its id here")
    cpu = run.truth.cpu()
    full = sum(row.rss > 99 * MIB for row in run.rows)
    t.say(f"100 MiB, {cpu:.3f} s", f"{of_both(run)}, {full} rows")
    t.peak(run, 100 * MIB, 100 * MIB + 2 * OWN)
    t.total(run, cpu)
    t.true(full >= 1, "no row has the second one's memory")


@case("T42", "an id comes back at a stranger, its first owner",
      ("stranger", "stranger-zombie"), timed=True)
def t42_stranger(t):
    """What happens to have the id is no part of the step."""
    tick = t.pick(300, 500)
    started = t.start_pmon(["-i", tick / 1000],
                           t.workload("reuse", t.argument, 0, 0, tick))
    started.wait_ready()
    pid = started.truth().number("reused.pid")
    taker = t.start(t.workload("take-pid", pid, 100, 100, 2 * tick))
    run = started.finish()
    t.check_run(run)
    if taker.finish().status == STATUS_CANNOT:
        raise Again("the id could not be taken")
    cpu = run.truth.cpu()
    t.say(f"below 10 MiB, {cpu:.3f} s", of_both(run))
    t.size("peak", run.peak, 1, 10 * MIB)
    t.total(run, cpu)
    t.equal("survivors", run.outcome["survivors"], 0)


KINDS = ("anon", "file", "shared", "memfd", "unmapped", "huge", "locked",
         "hugetlb", "untouched")


@case("T51", "a process under a chosen id", quick=False)
def t51_chosen(t):
    """As CRIU restores one: the newest id of the system does not move."""
    argv = ("unshare", "-pf", "--mount-proc")
    Machine.need(*argv, "true")
    run = t.start_pmon([], t.workload("chosen-id", 100, 2500),
                       before=argv).finish()
    if run.status == STATUS_CANNOT:
        raise Skip("no process may choose its id here")
    t.check_run(run)
    full = sum(row.rss > 99 * MIB for row in run.rows)
    t.say("100 MiB in the rows", f"{of_memory(run)}, {full} rows")
    t.peak(run, 100 * MIB, 100 * MIB + 2 * OWN)
    # Seen within a second, when all is looked at anew.
    t.true(full >= 8, f"{full} rows have the memory")


@case("T43", "memory of kind", KINDS,
      quick_ways=("file", "shared", "unmapped", "huge"))
def t43_pages(t):
    """RSS is what the process has mapped and touched, and no more."""
    run = t.pmon([], t.workload("pages", t.argument, 100, 300),
                 is_plain=False)
    if run.status == STATUS_CANNOT:
        raise Skip("no such pages to be had here")
    t.check_run(run)
    held = run.truth.number("rss_bytes")
    mark = run.truth.number("hwm_bytes")
    largest = max(row.rss for row in run.rows)
    t.say(f"RSS {mib(held)}", f"{of_memory(run)}, row {mib(largest)}")
    t.size("the largest row", largest, held * 0.99 - MIB / 4, mark + MIB)
    t.peak(run, mark, mark + MIB, "exact")


@case("T44", "programs that map one memory", quick=False)
def t44_shared_by(t):
    """RSS has it in each, PSS once."""
    options = ["--pss"] if t.tools.has_option("--pss") else []
    run = t.pmon(options, t.workload("shared-by", t.pick(100, 200), 3, 1000))
    one = run.truth.number("touched_bytes")
    memory = run.memory
    t.say(f"4 × {mib(one)}, PSS {mib(one)}",
          f"{of_memory(run)}, PSS {mib(memory['peak_pss_bytes'])}")
    t.peak(run, 4 * one, 4 * one + 4 * OWN)
    t.equal("processes at the peak", memory["peak_rss_processes"], 4)
    t.equal("shared_counted", memory["peak_rss_shared_counted"], True)
    t.words(run, "shared pages counted in each")
    if options:
        t.size("peak_pss_bytes", memory["peak_pss_bytes"], one * 0.98,
               one * 1.02 + 2 * OWN)


@case("T44", "copies that touch one memfd")
def t44_touched_by(t):
    """Shared memory is said to be shared, whoever made the processes."""
    count = t.pick(4, 8)
    run = t.pmon([], t.workload("touched-by", t.pick(50, 200), count, 600))
    one = run.truth.number("touched_bytes")
    t.say(f"{count} × {mib(one)}", of_memory(run))
    t.peak(run, count * one, count * (one + OWN) + OWN)
    t.equal("shared_counted", run.memory["peak_rss_shared_counted"], True)
    t.words(run, "shared pages counted in each")


@case("T45", "a vfork child that takes long to its exec")
def t45_slow_vfork(t):
    """Its memory is its parent's, however old it is."""
    # Rows that are close enough for a read of PSS in some 50 ms.
    options = ["-i", 0.01]
    options += ["--pss"] if t.tools.has_option("--pss") else []
    run = t.pmon(options, t.workload("fork-true", t.pick(100, 400), 1,
                                     "vfork", 600))
    one = run.truth.number("touched_bytes")
    memory = run.memory
    t.say(mib(one), f"{of_memory(run)}, PSS {mib(memory['peak_pss_bytes'])}")
    t.peak(run, one, one + 2 * OWN)
    t.equal("shared_counted", memory["peak_rss_shared_counted"], False)
    if t.tools.has_option("--pss"):
        # It may have been read while the memory was still growing.
        t.size("peak_pss_bytes", memory["peak_pss_bytes"], MIB,
               one * 1.02 + OWN)


@case("T45", "two processes, one memory by clone(CLONE_VM)")
def t45_common_memory(t):
    """One memory counts once, in RSS and in PSS."""
    options = ["--pss"] if t.tools.has_option("--pss") else []
    run = t.pmon(options, t.workload("common-memory", t.pick(100, 200), 800))
    one = run.truth.number("touched_bytes")
    memory = run.memory
    without = memory["peak_rss_without_copies_bytes"]
    t.say(f"{mib(one)}", f"{of_memory(run)}, {mib(without)} without, "
                         f"PSS {mib(memory['peak_pss_bytes'])}")
    t.size("peak without copies", without, one, one + OWN)
    t.peak(run, one, one + OWN)
    t.equal("processes at the peak", memory["peak_rss_processes"], 1)
    t.equal("shared_counted", memory["peak_rss_shared_counted"], False)
    if options:
        t.size("peak_pss_bytes", memory["peak_pss_bytes"], one * 0.98,
               one * 1.02 + OWN)


@case("T46", "--no-children")
def t46_no_children(t):
    """The root's own clock and marks; what it waited for is not its own."""
    run = t.pmon(["--no-children"], t.workload("children", 10, 50, 200))
    own = run.truth.number("self_cpu_ns") / 1e9
    t.say(f"{own:.3f} s at least", of_cpu(run))
    t.between("CPU total", run.total, own - 0.005, own + 0.02)
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")
    run = t.pmon(["--no-children"], t.workload("spike-grandchild", 100, 100,
                                               150))
    t.size("peak", run.peak, 1, 20 * MIB)
    t.equal("word of the peak", run.memory["peak_rss_word"], "at least")


@case("T47", "I/O in a waited child")
def t47_io(t):
    """Calls and bytes of who was there only between two rows."""
    run = t.pmon(["--include-io"], t.workload("io", 8, 300))
    calls = run.truth.number("io_calls")
    bytes_ = run.truth.number("io_bytes")
    said = run.io
    t.say(f"{calls} calls, {mib(bytes_)} each way",
          f"{said['read_calls']}/{said['write_calls']} calls, "
          f"{mib(said['write_bytes'])} written")
    t.between("read calls", said["read_calls"], calls, calls + 60)
    t.between("write calls", said["write_calls"], calls, calls + 60)
    if said["write_bytes"] == 0:
        raise Skip("TMPDIR is on no disk")
    t.between("bytes written", said["write_bytes"], bytes_, bytes_ * 1.1)
    t.equal("the last row", run.rows[-1].io[:2],
            [said["read_calls"], said["write_calls"]])


@case("T48", "--interval auto")
def t48_auto(t):
    """Uneven rows hold the same sum."""
    run = t.pmon(["-i", "auto"], t.workload("children", t.pick(10, 40), 50,
                                            300))
    cpu = run.truth.cpu()
    t.say(f"{cpu:.3f} s", f"{of_cpu(run)}, rows {run.integral():.3f} s")
    t.total(run, cpu)
    t.between("CPU of the rows", run.integral(), cpu * 0.95 - 0.1,
              cpu * 1.05 + 0.1)
    t.between("achieved interval", run.quality["achieved_interval_s"], 0.018,
              1.0)


@case("T52", "children that no tick sees, in a tree of 30", quick=False,
      timed=True)
def t52_between(t):
    """What their parent has reaped is in the next row, not heaped up."""
    run = t.pmon([], t.workload("between-ticks", 30, 100, t.pick(10, 40)))
    burnt = run.truth.seconds("burnt_ns")
    high = max(row.cpu for row in run.rows)
    t.say(f"{burnt:.2f} s, no row above 100 %",
          f"{of_cpu(run)}, largest row {high:.0f} %")
    t.total(run, run.truth.cpu(), spare=0.1)
    t.true(high <= 160, f"a row has {high:.0f} % of one child's work")
