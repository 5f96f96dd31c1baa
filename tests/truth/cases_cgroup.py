# SPDX-License-Identifier: MIT
"""T29: --exact, and the limits of the place."""

import os
import re

from cases_place import check_daemon, in_shell
from cases_survivors import outlive
from context import MIB, Skip, case, mib, of_cpu, of_memory
from harness import wait_until


def cgroups_of(pid):
    """The cgroups that a pmon has made and not removed."""
    return [os.path.join(at, name)
            for at, folders, _ in os.walk("/sys/fs/cgroup")
            for name in folders if name == f"pmon-{pid}"]


@case("T29", "--exact:", ("ends well", "is interrupted", "leaves a daemon"))
def t29_clean(t):
    """Nothing of pmon's is left behind."""
    t.need_option("--exact")
    if t.argument == "ends well":
        run = t.pmon(["--exact"], t.workload("daemon", 50, 100, 100))
        t.total(run, run.truth.cpu("daemon"))
    elif t.argument == "is interrupted":
        started = t.start_pmon(["--exact"], t.workload("trap", 100, "die"))
        started.wait_ready()
        os.kill(started.process.pid, 15)
        run = started.finish()
        t.status(run, 143)
    else:
        run = t.start_pmon(["--exact"], t.workload(
            "daemon-outlive", 50, 100, 500)).finish()
        t.equal("survivors", run.outcome["survivors"], 1)
    left = cgroups_of(run.pid)
    t.say("no cgroup left", f"{len(left)} left, {of_cpu(run)}")
    t.equal("left", left, [])


def home_group():
    """A v2 cgroup that this program may move processes to."""
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        places = [line.split()[4] for line in file if " - cgroup2 " in line]
    for place in places:
        path = os.path.join(place, "cgroup.procs")
        if os.access(path, os.W_OK):
            return path
    raise Skip("no cgroup v2 that one may write to")


@case("T29", "--exact, the step leaves the cgroup;", ("children", "unwaited"))
def t29_leaves(t):
    """The cgroup does not know all; wait4 may."""
    t.need_option("--exact")
    home = home_group()
    command = t.workload("children", 8, 50) if t.argument == "children" else \
        t.workload("unwaited", 8, 50, "ignore")
    run = t.pmon(["--exact", "-i", 0.02],
                 ["sh", "-c", f'echo $$ > {home}; exec "$@"', "sh", *command])
    burnt = run.truth.seconds("burnt_ns")
    t.say(f"{burnt:.3f} s", of_cpu(run))
    if t.argument == "children":
        t.total(run, run.truth.cpu())
    else:
        t.equal("word of the CPU total", run.cpu["total_word"], "at least")
        t.true(run.total < burnt + 0.05, "more than the truth")


@case("T29", "--exact, a cgroup that the step has made,", ("empty", "in use"))
def t29_inner(t):
    """It goes with pmon's own, but not while something lives in it."""
    t.need_option("--exact")
    lines = ['inner=$0$(sed -n "s/^0:://p" /proc/self/cgroup)/inner',
             'mkdir "$inner" "$inner/more"']
    if t.argument == "in use":
        lines += ["sleep 60 > /dev/null 2>&1 &",
                  'echo $! > "$inner/cgroup.procs"']
    run = t.pmon(["--exact"], ["sh", "-c", "\n".join(lines + ['exec "$@"']),
                               os.path.dirname(home_group()),
                               *t.workload("work", 1, 0, 50)])
    left = cgroups_of(run.pid)
    for group in left:
        inner = os.path.join(group, "inner")
        with open(f"{inner}/cgroup.procs", encoding="ascii") as ids:
            for pid in ids.read().split():
                os.kill(int(pid), 9)
        wait_until(lambda at=inner: is_removed(at))
        os.rmdir(group)
    t.say(t.argument, f"{len(left)} left")
    t.equal("left", len(left), int(t.argument == "in use"))
    if left:
        t.words(run, r"/pmon-\d+: cannot be removed: .*rmdir both")


def is_removed(group):
    """Whether it could be, now."""
    try:
        os.rmdir(group)
    except OSError:
        return False
    return True


@case("T29", "--exact, a file of 50 MiB is written")
def t29_page_cache(t):
    """The cgroup's peak has the page cache and is a figure of its own."""
    t.need_option("--exact")
    run = t.pmon(["--exact"], t.workload("io", 50, 100))
    peak = run.memory["cgroup_peak_bytes"]
    t.say("RSS below 10 MiB, cgroup above 50",
          f"{of_memory(run)}, cgroup {mib(peak)}")
    t.size("peak", run.peak, 1, 10 * MIB)
    if peak is None:
        note = run.memory["cgroup_note"]
        t.true(re.search("charged memory is unknown: |those without --exact",
                         note or ""), f"null without a reason: {note}")
        raise Skip(note)
    t.equal("cgroup_peak_word", run.memory["cgroup_peak_word"], "exact")
    t.size("cgroup_peak_bytes", peak, 50 * MIB, 120 * MIB)


@case("T29", "--exact without the right")
def t29_plain(t):
    """Plain figures, and pmon says so."""
    t.need_option("--exact")
    nobody = t.nobody_with_workload()
    folder = t.folder()
    os.chmod(folder, 0o777)
    run = t.start_pmon(["--exact"], t.workload("daemon", 50, 200, 100),
                       before=nobody, folder=folder).finish()
    check_daemon(t, run)
    t.words(run, r"exact")


def limited_group(t, bytes_):
    """A cgroup of a limited size: its folder, the file to join it by."""
    t.need_root()
    name = f"truth-limit.{os.getpid()}"
    for parent, file in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
                         ("/sys/fs/cgroup", "memory.max")):
        group = os.path.join(parent, name)
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            with open(os.path.join(group, file), "w",
                      encoding="ascii") as out:
                out.write(str(bytes_))
            return group
        except OSError:
            os.rmdir(group)
    raise Skip("no memory cgroup may be made")


@case("T29", "killed for memory")
def t29_oom(t):
    """The limit is known, the kill is named as one."""
    group = limited_group(t, 60 * MIB)
    try:
        run = in_shell(t, f"echo $$ > {group}/cgroup.procs",
                       ([], t.workload("work", 200, 0, 200)))
    finally:
        os.rmdir(group)
    t.say("limit 60 MiB, 1 OOM kill, status 137",
          f"limit {mib(run.memory['limit_bytes'])}, "
          f"{run.memory['oom_kills']} kills, status {run.status}")
    t.status(run, 137)
    t.equal("limit", run.memory["limit_bytes"], 60 * MIB)
    t.equal("source", run.memory["limit_source"], "cgroup")
    t.equal("oom_kills", run.memory["oom_kills"], 1)
    t.words(run, r"(?i)(out of memory|oom)")
    t.check_run(run)
