# SPDX-License-Identifier: MIT
"""Measures pmon beside a floor, libproc2 and the peers found on PATH.

Needs a build folder with pmon, tests/truth/workload and the programs of this
folder.  Writes bench.md, bench.svg and bench.png there.
"""

import argparse
import dataclasses
import pathlib
import shutil
import subprocess
import sys
import time

import cost
import extras
import report
import runner
import tools as monitors


@dataclasses.dataclass
class Plan:
    """How much is measured."""

    quick: bool
    runs: int
    peer_runs: int
    seconds: float
    peer_seconds: float
    launches: int
    ends: int
    dead: int
    pairs: int
    peers: tuple = None      # these alone
    preferred: bool = False  # real-time priority was to be had
    began: float = dataclasses.field(default_factory=time.monotonic)

    def say(self, what):
        print(f"bench: {time.monotonic() - self.began:4.0f} s: {what}",
              file=sys.stderr, flush=True)


FULL = Plan(quick=False, runs=3, peer_runs=1, seconds=2,
            peer_seconds=1, launches=200, ends=10, dead=100_000, pairs=7)
QUICK = Plan(quick=True, runs=1, peer_runs=1, seconds=1, peer_seconds=0.5,
             launches=20, ends=2, dead=5_000, pairs=1, peers=("psrecord",))


class Programs:
    """Where the programs are that are measured and that measure."""

    def __init__(self, build, found):
        self.pmon = build / "pmon"
        self.workload = build / "tests/truth/workload"
        self.bench = build / "tests/bench"
        self.time = shutil.which("time")
        self.found = found
        self.peers = [tool for tool in found
                      if isinstance(tool, monitors.PEERS)]

    def tool(self, name):
        return next((tool for tool in self.found if tool.name == name), None)


def other_parts(programs, plan):
    """Key, what it is called, and how it is measured."""
    quick = plan.quick
    return (
        ("starts", "starts", lambda: extras.starts(programs, plan.launches)),
        ("ends", "the step's end", lambda: extras.ends(programs, plan.ends)),
        ("drift", "drift",
         lambda: extras.drift(programs, 0.02 if quick else 0.05)),
        ("rates", "1 ms", lambda: extras.rates(programs, 0.5 if quick else 3)),
        ("slow", "slow-down",
         lambda: extras.slow_downs(programs, plan.pairs, 0.3)),
        ("kernel", "kernel memory for each process",
         lambda: extras.kernel_memory(programs, (500,) if quick
                                      else (500, 2000))),
        ("dead", f"{plan.dead:,} dead",
         lambda: extras.dead(programs, plan.dead)),
    )


def measure_others(programs, plan, only):
    found = {"failed": {}}
    for key, label, part in other_parts(programs, plan):
        if only and key not in only:
            continue
        plan.say(label)
        try:
            found[key] = part()
        except (runner.Failed, OSError,
                subprocess.CalledProcessError) as error:
            found["failed"][label] = str(error)
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=".",
                        help="the build folder (default: this one)")
    parser.add_argument("--quick", action="store_true",
                        help="fewer cases, one run each (a minute)")
    parser.add_argument("--million", action="store_true",
                        help="10^6 dead processes (10 minutes)")
    parser.add_argument("--runs", type=int, help="runs of each case")
    parser.add_argument("--peer-runs", type=int, help="the same of peers")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="PART",
                        help="cost, starts, ends, drift, rates, slow, "
                        "kernel, dead; may be given again")
    parser.add_argument("--case", action="append", default=[],
                        help="of cost, this case alone: " + ", ".join(
                            case.key for case in cost.CASES))
    options = parser.parse_args()
    for case in options.case:
        if case not in {known.key for known in cost.CASES}:
            parser.error(f"--case {case}: no such case")
    return options


def plan_of(options):
    plan = dataclasses.replace(QUICK if options.quick else FULL,
                               began=time.monotonic())
    plan.runs = options.runs or plan.runs
    plan.peer_runs = options.peer_runs or plan.peer_runs
    if options.million:
        plan.dead = 1_000_000
    return plan


def main():
    options = arguments()
    build = options.build.resolve()
    plan = plan_of(options)
    found, absent = monitors.find(build)
    for tool in found:
        if not pathlib.Path(tool.path).exists():
            sys.exit(f"bench: {tool.path} is not there: run `make bench`")
    peers = () if options.no_peers else plan.peers
    if peers is not None:
        found = [tool for tool in found if tool.name in peers
                 or not isinstance(tool, monitors.PEERS)]
    programs = Programs(build, found)
    plan.preferred = runner.prefer(0)
    costs = {}
    if not options.only or "cost" in options.only:
        costs = cost.measure(found, programs.workload, plan, options.case)
    others = measure_others(programs, plan, options.only)
    text = report.markdown(found, absent, costs, others, plan)
    (build / "bench.md").write_text(text, encoding="utf-8")
    print(text)
    if costs:
        plan.say(report.draw(build, costs, [tool.name for tool in found]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
