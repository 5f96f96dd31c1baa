# SPDX-License-Identifier: MIT
"""T50: the same quiet tree, read by libproc2, must give the same figures.

oracle is built where libproc2-dev is present.  A tree that rests has the same
figures for both, to the page; CPU to the clock tick of each process.
"""

import os
import subprocess
import time

from context import Again, Skip, case, mib
from harness import read_log, wait_until

REST = 2500
# What make check has time for.
QUICK = "threads with children", "forked workers"
TREES = {
    "idle 60": ("idle", 60, REST),
    "threads with children": ("thread-crowd", 12, 4, REST),
    "a child of a thread": ("thread-child", 40, 150, REST),
    "forked workers": ("forked", 30, 8, REST, 30),
    "a chain of 30": ("chain", 30, REST),
    "one process": ("work", 80, 200, REST),
    "programs that map one memory": ("shared-by", 30, 5, REST),
}


def ask(t, pid):
    """The oracle's lines as numbers."""
    done = subprocess.run([t.tools.oracle, str(pid)], timeout=30, check=False,
                          stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise AssertionError(f"oracle: status {done.returncode}")
    return {key: int(value) for key, value in
            (line.split("=") for line in done.stdout.decode().split())}


def at_rest(t, pid):
    """Asks until two answers are the same and workers have had their time."""
    last, same_since = None, time.monotonic()
    end = time.monotonic() + 8
    while time.monotonic() < end:
        # On a busy machine the tree may have ended when the answer is there.
        moment = time.time()
        now = ask(t, pid)
        if now != last:
            last, same_since = now, time.monotonic()
        # A copy counts once it is 200 ms old.
        if time.monotonic() - same_since > 0.4:
            return last, moment
    raise Again("the tree never rested")


@case("T50", "libproc2 reads", tuple(TREES), quick_ways=QUICK)
def t50_oracle(t):
    """Processes, RSS, VMS and CPU of a tree at rest."""
    if not os.access(t.tools.oracle, os.X_OK):
        raise Skip("built without libproc2")
    started = t.start_pmon(["-i", 0.05],
                           t.workload(*[t.pick(1300, REST) if word == REST
                                        else word
                                        for word in TREES[t.argument]]))
    log = os.path.join(started.folder, "log")
    wait_until(lambda: started.truth().text("pid") and len(read_log(log)) > 1)
    truth, moment = at_rest(t, int(started.truth().text("pid")))
    run = started.finish()
    t.check_run(run)
    zero = run.time["start_epoch_s"]
    rows = [row for row in run.rows
            if moment - 0.2 <= zero + row.elapsed <= moment]
    if not rows:
        raise Again("no row fell into the rest")
    row = rows[-1]
    used = row.total
    ticks = truth["ticks_waited"] / truth["ticks_per_s"]
    t.say(f"{truth['processes']}, {mib(truth['rss_bytes'])}, "
          f"{mib(truth['vms_bytes'])}, {ticks:.2f} s",
          f"{row.processes}, {mib(row.rss)}, {mib(row.vms)}, {used:.2f} s")
    t.equal("processes", row.processes, truth["processes"])
    t.equal("threads", row.threads, truth["threads"])
    t.equal("RSS", row.rss, truth["rss_bytes"])
    t.equal("VMS", row.vms, truth["vms_bytes"])
    # What is below a tick is cut off in each process, and in each sum of
    # those that it has waited for.
    cut = 2 * truth["processes"] / truth["ticks_per_s"]
    t.between("CPU", used, ticks - 0.005, ticks + cut + 0.01)
