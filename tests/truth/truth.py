#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Workloads whose right answer is known, and what pmon says of them.

make check runs --quick --tap, make truth all of it beside the peers that are
installed.  The cases are in the files cases_*.py, what each claims is in
their docstrings; README.md has the workloads.
"""

import argparse
import importlib
import os
import signal
import subprocess
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

sys.dont_write_bytecode = True

import peers
import table
from context import CASES, Again, Context, Skip
from harness import Tools, adopt_orphans, end_leftovers


FAMILIES = ("attach cgroup cpu ends files more names oracle peak place "
            "streams survivors tree who").split()
for family in FAMILIES:
    importlib.import_module("cases_" + family)
# A run that the machine was too slow for is done again so often.
TRIES = 5


class Result:
    """What came of a case in all of its runs."""

    def __init__(self, one):
        self.case = one
        self.truth = ""
        self.answer = ""
        self.right = 0
        self.runs = 0
        self.failures = []
        self.skipped = None
        self.seconds = 0.0
        self.peers = {}

    @property
    def verdict(self):
        """right, wrong, limit or skip."""
        if self.skipped is not None and not self.runs:
            return "skip"
        if self.right == self.runs:
            return "right"
        return "limit" if self.case.limit else "wrong"


def run_once(tools, options, one, keep):
    """One run of a case: its context, and why it was not run, if so."""
    context = Context(tools, options.quick)
    context.argument = one.argument
    try:
        one.check(context)
    except (Skip, Again) as why:
        return context, why
    except Exception as error:
        context.fail(f"{type(error).__name__}: {error}")
        if options.verbose:
            traceback.print_exc()
    finally:
        context.done()
        end_leftovers(keep)
    return context, None


# What the workers of --jobs are given by the fork.
SHARED = {}


def work(index):
    """A case in a process of its own, which adopts and ends its leftovers."""
    tools, options, chosen = SHARED["all"]
    adopt_orphans()
    result = run_case(tools, options, chosen[index], ())
    result.case = None
    return result


def run_all(tools, options, chosen, keep):
    """The results in order, one after the other or a few at a time."""
    if options.jobs <= 1:
        for one in chosen:
            yield run_case(tools, options, one, keep)
        return
    SHARED["all"] = (tools, options, chosen)
    with ProcessPoolExecutor(options.jobs, get_context("fork")) as pool:
        for one, result in zip(chosen, pool.map(work, range(len(chosen)))):
            result.case = one
            yield result


def run_case(tools, options, one, keep):
    """A case as often as asked for, again where the machine was too slow."""
    result = Result(one)
    begin = time.monotonic()
    wanted = options.runs if one.timed else 1
    tries = 0
    context = None
    while result.runs < wanted and tries < wanted + TRIES:
        tries += 1
        context, why = run_once(tools, options, one, keep)
        if why is not None:
            result.skipped = str(why)
            if isinstance(why, Skip):
                break
            continue
        result.runs += 1
        result.right += not context.failures
        result.failures += context.failures
        if context.failures or not result.answer:
            result.truth, result.answer = context.truth, context.answer
    if options.peers and context is not None and context.comparison:
        result.peers = peers.run_all(context.comparison, options.peers,
                                     lambda: end_leftovers(keep))
    result.seconds = time.monotonic() - begin
    return result


def chosen_cases(options):
    """Those that are asked for."""
    only = options.only.split(",") if options.only else None
    for one in sorted(CASES, key=lambda one: int(one.ident[1:])):
        if options.quick and not one.quick:
            continue
        if only and one.ident not in only and one.name not in only:
            continue
        yield one


def start_busy(tools):
    """One program that does nothing useful a core."""
    return [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"])
            for _ in range(tools.cores)]


def why_not(tools):
    """Why nothing can be shown with this pmon, or None.

    What a step is before its exec is pmon's image, so a pmon that was made
    large (by sanitizers) has no right figures of small steps.
    """
    context = Context(tools, True)
    try:
        run = context.pmon([], ["sleep", "0.1"], is_plain=False)
        own = run.quality["monitor_peak_rss_bytes"] or 0
    finally:
        context.done()
    return f"pmon is of {own >> 20} MiB" if own > 8 << 20 else None


def parse_options(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help="the quick ones, with small sizes, no peers")
    parser.add_argument("--tap", action="store_true",
                        help="a line a case for the test harness")
    parser.add_argument("--markdown", metavar="FILE",
                        help="write the table to FILE as well")
    parser.add_argument("--runs", type=int, default=1, metavar="N",
                        help="repeat what depends on time N times")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="N cases at a time")
    parser.add_argument("--busy", action="store_true",
                        help="keep all cores busy meanwhile")
    parser.add_argument("--only", metavar="T5,T8", help="these cases")
    parser.add_argument("--no-peers", action="store_true",
                        help="pmon alone")
    parser.add_argument("--list", action="store_true", help="name the cases")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="tell where a case broke")
    options = parser.parse_args(argv)
    options.peers = [] if options.quick or options.no_peers else peers.find()
    return options


def reset_signals():
    """What a shell's & or nohup has ignored must not be so for the steps."""
    for name in ("HUP", "QUIT", "TERM", "USR1", "USR2", "CHLD", "TSTP"):
        signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main(argv):
    """Runs the cases, prints as it goes; 1 when one is wrong."""
    options = parse_options(argv)
    reset_signals()
    chosen = list(chosen_cases(options))
    if options.list:
        for one in chosen:
            print(f"{one.name}: {one.check.__doc__.splitlines()[0]}")
        return 0
    builddir = os.environ.get("builddir") or os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "..", "build")
    tools = Tools(builddir)
    adopt_orphans()
    why = why_not(tools)
    if why is not None:
        print(f"1..0 # SKIP {why}")
        return 0
    busy = start_busy(tools) if options.busy else []
    keep = [process.pid for process in busy]
    printer = table.Tap(len(chosen)) if options.tap else \
        table.Text(options.peers)
    results = []
    try:
        for result in run_all(tools, options, chosen, keep):
            results.append(result)
            printer.show(result)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    printer.end(results)
    if options.markdown:
        table.write_markdown(options.markdown, results, options.peers)
    return int(any(result.verdict == "wrong" for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
