# SPDX-License-Identifier: MIT
"""T5, T7, T8, T10, T11, T13: CPU time, whoever used it."""

from context import MIB, OWN, Again, Skip, case, mib, near, of_both, of_cpu


def work_of(truth, prefix):
    """What use_work held under a prefix, as bounds of a peak."""
    touched = truth.number(f"{prefix}.touched_bytes")
    return touched, touched + 2 * OWN


@case("T5", "daemon that ends before the step")
def t5_daemon(t):
    """Double-forked, setsid'd; all of it is known at the end."""
    command = t.workload("daemon", t.pick(100, 300), t.pick(400, 1000), 200)
    run = t.pmon([], command)
    cpu = run.truth.cpu("daemon")
    peak = work_of(run.truth, "daemon")
    t.say(f"{mib(peak[0])}, {cpu:.3f} s", of_both(run))
    t.peak(run, *peak, "at least")
    t.total(run, cpu)
    t.series(run, cpu, 0.03)
    t.equal("survivors", run.outcome["survivors"], 0)
    t.equal("skipped", run.quality["skipped_processes"], 0)
    t.compare(command, peak, lambda truth: near(truth.cpu("daemon")))


@case("T7", "child forked by a second thread")
def t7_thread_child(t):
    """The leader's list of children does not have it."""
    command = t.workload("thread-child", t.pick(100, 300),
                         t.pick(400, 1000), 0)
    run = t.pmon([], command)
    cpu = run.truth.cpu()
    peak = work_of(run.truth, "child")
    t.say(f"{mib(peak[0])}, {cpu:.3f} s", of_both(run))
    t.peak(run, *peak, "at least")
    t.total(run, cpu)
    t.series(run, cpu, 0.03)
    t.true(max(row.rss for row in run.rows) > peak[0] * 0.99,
           "no row has the child's memory")
    t.compare(command, peak, lambda truth: near(truth.cpu()))


@case("T8", "leader has ended; memory and CPU in its", ("thread", "child"))
def t8_leader_exit(t):
    """In the rows, from the first that has it to the last, without a hole."""
    size = t.pick(100, 200)
    burn = t.pick(500, 1000)
    command = t.workload("leader-exit", size, burn, 100, t.argument)
    run = t.pmon(["-i", 0.05], command)
    truth = run.truth
    cpu = truth.cpu()
    peak = size * MIB, size * MIB + 2 * OWN
    full = [at for at, row in enumerate(run.rows)
            if row.rss > size * MIB * 0.99]
    t.say(f"{size} MiB, {cpu:.3f} s in the rows",
          f"{of_both(run)}; {len(full)} rows, {run.integral():.3f} s")
    t.peak(run, *peak)
    t.total(run, cpu)
    t.series(run, cpu, 0.04)
    t.true(len(full) >= burn / 1000 / run.quality["longest_gap_s"] - 1,
           f"{len(full)} rows have the memory")
    holes = [run.rows[at].elapsed for at in range(full[0], full[-1])
             if at not in full] if full else []
    t.equal("rows without the memory", holes, [])
    t.compare(command, peak, lambda truth: near(truth.cpu()))


@case("T10", "40 children in turn, interval 0.1", timed=True)
def t10_children(t):
    """Total and sum over the rows, both within 2 %."""
    command = t.workload("children", t.pick(10, 40), 50, 200)
    run = t.pmon([], command)
    burnt = run.truth.seconds("burnt_ns")
    t.say(f"{burnt:.2f} s, the same in the rows",
          f"{of_cpu(run)}, rows {run.integral():.3f} s")
    t.between("CPU total", run.total, burnt, burnt * 1.02 + 0.03)
    t.total(run, run.truth.cpu())
    t.series(run, burnt, 0.02)
    # Rows that are bunched share a window; none are but the last.
    gaps = [after.elapsed - before.elapsed
            for before, after in zip(run.rows, run.rows[1:-1])]
    t.true(min(gaps) > 0.049, f"two rows are {min(gaps):.3f} s apart")
    if min(gaps) < 0.075:
        raise Again("a tick was late and the next too close")
    t.between("CPU % × time since the row before", run.integral(),
              burnt * 0.98 - 0.01, burnt * 1.02 + 0.02)
    t.compare(command, None, lambda truth: near(truth.seconds("burnt_ns")))


@case("T10", "40 children in turn, interval 0.01", timed=True)
def t10_fine(t):
    """Totals never fall; no row has more than one core's time."""
    run = t.pmon(["-i", 0.01], t.workload("children", t.pick(10, 40), 50, 200))
    burnt = run.truth.seconds("burnt_ns")
    high = max(row.cpu for row in run.rows)
    totals = run.totals()
    falls = sum(after < before - 0.002
                for before, after in zip(totals, totals[1:]))
    t.say(f"{burnt:.2f} s, never falls, no row above 100 %",
          f"{of_cpu(run)}, rows {totals[-1]:.3f} s, {falls} falls, "
          f"{high:.0f} %")
    t.total(run, run.truth.cpu())
    t.series(run, burnt, 0.02)
    t.equal("falls", falls, 0)
    # One process runs at a time; 12 % for what is posted late.
    t.true(high <= 112, f"a row has {high:.0f} %")


def shell_loop(count):
    """The many short children of a shell script."""
    return ["sh", "-c", f"i=0; while [ $i -lt {count} ]; do /bin/true; "
                        "i=$((i+1)); done"]


@case("T11", "2,000 × true from a shell, interval", (0.1, 0.01))
def t11_shell(t):
    """The total is the cgroup's; no row is above all cores."""
    command = t.workload("measure", "--", *shell_loop(t.pick(300, 2000)))
    run = t.pmon(["-i", t.argument], command)
    truth = run.truth
    waited = truth.seconds("wait_cpu_ns") + truth.seconds("measure_cpu_ns")
    want = waited
    if truth.text("cgroup_cpu_ns"):
        want = truth.seconds("cgroup_cpu_ns") + truth.seconds("measure_cpu_ns")
    high = max(row.cpu for row in run.rows)
    t.say(f"{want:.3f} s, no row above {100 * t.tools.cores} %",
          f"{of_cpu(run)}, largest row {high:.0f} %")
    t.between("CPU total", run.total, want * 0.99 - 0.01, want * 1.01 + 0.02)
    t.total(run, waited)
    t.true(high <= 100 * t.tools.cores, f"a row has {high:.0f} %")
    # What one shell and one child can use.
    t.true(high <= 160, f"a row has {high:.0f} % of one shell's work")
    t.equal("impossible rows", run.quality["impossible_cpu_rows"], 0)
    t.compare(command, None, lambda truth: near(
        truth.seconds("wait_cpu_ns"), spare=0.05))


@case("T13", "children that nobody waits for:", ("ignore", "nocldwait"))
def t13_unwaited(t):
    """What was sampled, and called a lower bound."""
    command = t.workload("unwaited", t.pick(10, 40), 50, t.argument, 200)
    run = t.pmon(["-i", 0.02], command)
    burnt = run.truth.seconds("burnt_ns")
    t.say(f"at least, of {burnt:.2f} s", of_cpu(run))
    t.between("CPU total", run.total, burnt * 0.4, burnt * 1.02 + 0.05)
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")
    t.words(run, r"CPU +at least")
    t.compare(command, None, lambda truth: near(truth.seconds("burnt_ns")))


@case("T13", "short ones that a child of the step does not wait for")
def t13_below(t):
    """It is a member's SigIgn that tells, not the root's."""
    run = t.pmon([], ["sh", "-c", " ".join(t.workload(
        "unwaited", 200, 2, "ignore", 300)) + "; exit 0"])
    burnt = run.truth.seconds("burnt_ns")
    t.say(f"at least, of {burnt:.2f} s", of_cpu(run))
    t.true(run.total < burnt + run.truth.cpu() + 0.1, "more than the truth")
    t.equal("word of the CPU total", run.cpu["total_word"], "at least")


@case("T13", "children that nobody waits for, --exact")
def t13_exact(t):
    """A cgroup of the step's own knows them all."""
    t.need_option("--exact")
    run = t.pmon(["--exact"], t.workload("unwaited", t.pick(20, 40), 50,
                                         "ignore", 200))
    if "those without --exact" in run.words:
        raise Skip("no right to a cgroup of one's own")
    burnt = run.truth.seconds("burnt_ns") + run.truth.cpu()
    t.say(f"{burnt:.2f} s", of_cpu(run))
    t.total(run, burnt, spare=0.08)
