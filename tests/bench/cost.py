# SPDX-License-Identifier: MIT
"""CPU per tick of each monitor over trees of many shapes."""

import contextlib
import dataclasses
import json
import statistics
import sys
import time

import runner

SETTLE_S = 0.5
# A forked copy that runs is taken for a worker once it has used 5 ms.
WORKER_NS = 6_000_000


@dataclasses.dataclass
class Case:
    key: str
    label: str
    argv: list             # of workload; MS stands for its duration
    processes: int
    crowd: int = 0         # unrelated processes beside the tree
    interval_s: float = 0.1
    quick: bool = False
    core_only: bool = False
    runs: int = None         # fewer than the plan's, where one takes long
    seconds: float = None
    preferred: bool = False  # the monitor is, lest it waits for its turn


CASES = (
    Case("1-idle", "1 process, idle", ["work", 0, 0, "MS"], 1, quick=True),
    Case("1-running", "1 process, running", ["work", 0, "MS", 0], 1),
    Case("50-idle", "50 processes, idle", ["idle", 49, "MS"], 50),
    Case("50-running", "50 processes, running", ["busy", 49, "MS"], 50,
         preferred=True),
    Case("500-idle", "500 processes, idle", ["idle", 499, "MS"], 500,
         quick=True),
    Case("500-running", "500 processes, running", ["busy", 499, "MS"], 500,
         quick=True, preferred=True),
    Case("500-running-equal", "the same, monitor at their priority",
         ["busy", 499, "MS"], 500, core_only=True, runs=1),
    Case("2000-idle", "2,000 processes, idle", ["idle", 1999, "MS"], 2000),
    Case("2000-running", "2,000 processes, running", ["busy", 1999, "MS"],
         2000, core_only=True, preferred=True, runs=1),
    Case("512-threads", "1 process, 512 busy threads", ["threads", 512, "MS"],
         1, quick=True, preferred=True),
    Case("beside-2000", "1 process, idle, beside 2,000 others",
         ["work", 0, 0, "MS"], 1, crowd=2000),
    Case("forks", "1 process that forks all the time",
         ["short", 10000000, "fork"], 1),
    Case("1-idle-10ms", "1 process, idle, at 10 ms", ["work", 0, 0, "MS"], 1,
         interval_s=0.01, core_only=True, seconds=1),
    Case("1-running-10ms", "1 process, running, at 10 ms",
         ["work", 0, "MS", 0], 1, interval_s=0.01, core_only=True),
    Case("500-idle-10ms", "500 processes, idle, at 10 ms",
         ["idle", 499, "MS"], 500, interval_s=0.01, core_only=True,
         seconds=1),
)


@dataclasses.dataclass
class Cost:
    """What one tool cost in one case, over its runs."""

    runs: list = dataclasses.field(default_factory=list)  # of Measured
    starts_ns: list = dataclasses.field(default_factory=list)
    ends_ns: list = dataclasses.field(default_factory=list)
    failed: str = ""

    def middle(self, name):
        """The median of one of Measured's values, or None."""
        values = [getattr(run, name) for run in self.runs]
        return statistics.median(values) if values else None


def settle(case, root):
    """Waits until a tree is what it will be from then on, but not for ever
    where others have the cores."""
    time.sleep(SETTLE_S)
    if "-running" not in case.key or case.processes == 1:
        return
    some = runner.descendants(root)[1:][::10]
    with contextlib.suppress(runner.Failed):
        runner.wait_for(
            lambda: min(map(runner.cpu_clock_ns, some)) >= WORKER_NS,
            "running of all", 10)


def argv_of(workload, case, seconds):
    """The step, long enough for start, measurement and slow peers."""
    ms = round((seconds + 45) * 1000)
    return [workload, *(ms if arg == "MS" else arg for arg in case.argv)]


def take_fixed_costs(cost, measured, summary):
    """What pmon spent besides its ticks, by its clock and its own figure.

    The start is what stood on its clock before the first reading, less those
    ticks; the end is what its summary has beyond the last reading.
    """
    with open(summary, encoding="utf-8") as file:
        quality = json.load(file)["quality"]
    first, last = measured.first, measured.last
    more = quality["rows"] - last.ticks
    cost.starts_ns.append(first.cpu_ns - first.ticks * measured.per_tick_ns)
    cost.ends_ns.append(quality["monitor_cpu_s"] * 1e9 - last.cpu_ns
                        - more * measured.per_tick_ns)


def measure_once(tool, workload, case, seconds, cost):
    argv = argv_of(workload, case, seconds)
    with runner.running(tool, argv, case.interval_s, case.preferred) as run:
        settle(case, run.step.pid())
        measured = run.measure(seconds)
        cost.runs.append(measured)
        if case.key == "1-idle" and tool.name == "pmon":
            run.end()
            take_fixed_costs(cost, measured, run.path("summary"))


def is_due(tool, case, plan, turn):
    """Peers are measured in fewer turns, and not everywhere."""
    if tool.cases and case.key not in tool.cases:
        return False
    if tool.core:
        return turn < (case.runs or plan.runs)
    return turn < plan.peer_runs and not case.core_only


def seconds_of(tool, case, plan):
    if not tool.core:
        return plan.peer_seconds
    return case.seconds or plan.seconds


def measure_case(tools, workload, case, plan):
    """One after the other, again and again: name of the tool to Cost."""
    costs = {tool.name: Cost() for tool in tools}
    for turn in range(plan.runs):
        for tool in tools:
            cost = costs[tool.name]
            if cost.failed or not is_due(tool, case, plan, turn):
                continue
            try:
                measure_once(tool, workload, case,
                             seconds_of(tool, case, plan), cost)
            except (runner.Failed, OSError) as error:
                cost.failed = str(error)
                print(f"bench: {tool.name}, {case.label}: {error}",
                      file=sys.stderr)
    return costs


def chosen(plan, keys):
    """The cases that were asked for, or those of the plan."""
    if keys:
        return [case for case in CASES if case.key in keys]
    return [case for case in CASES if case.quick or not plan.quick]


def measure(tools, workload, plan, keys):
    """All chosen cases: key of the case to name of the tool to Cost."""
    found = {}
    for case in chosen(plan, keys):
        plan.say(case.label)
        with runner.crowd(workload, case.crowd):
            found[case.key] = measure_case(tools, workload, case, plan)
    return found
