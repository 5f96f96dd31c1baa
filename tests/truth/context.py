# SPDX-License-Identifier: MIT
"""What a case is given: to run pmon, to compare, to say truth and answer."""

import os
import re
import shutil
import subprocess

import invariants
from harness import (MIB, Again, Machine, Skip, Started, clean_environment,
                     kill_group, new_folder, read_log, wait_until)

# All the cases, in the order in which they are defined.
CASES = []

# A process's own pages besides those that the workload tells of.
OWN = 4 * MIB
NOBODY = 65534
# CPU time before main and after the last look at one's own clock.
START_AND_EXIT_S = 0.025


class Case:
    """One line of the table: what is run, and how it is told."""

    def __init__(self, ident, title, check, **traits):
        self.ident = ident
        self.title = title
        self.check = check
        self.argument = traits.get("argument")
        self.quick = traits.get("quick", True)
        if traits.get("quick_ways") is not None:
            self.quick = self.argument in traits["quick_ways"]
        self.timed = traits.get("timed", False)
        self.limit = traits.get("limit")

    @property
    def name(self):
        """Id and title."""
        return f"{self.ident} {self.title}"


def case(ident, title, ways=(None,), **traits):
    """Registers a function as a case, or as one a way.

    quick, quick_ways: make check runs it, or those ways of it.  timed: --runs
    repeats it.  limit: why a known limit of pmon makes it fail; it is run and
    told, and fails nothing.
    """
    def register(check):
        for way in ways:
            name = title if way is None else f"{title} {way}"
            CASES.append(Case(ident, name, check, argument=way, **traits))
        return check
    return register


class Comparison:
    """A command for the peers, and what is right for them to say."""

    def __init__(self, command, peak, cpu, status, env):
        self.command = command
        self.peak = peak      # (low, high) in bytes, or None
        self.cpu = cpu        # (low, high) in seconds from a Truth, or None
        self.status = status  # as a shell has it, or None
        self.env = env
        self.before = ()      # a command that starts the peer


def mib(number):
    """Bytes for people."""
    if number is None:
        return "–"
    return f"{number / MIB:.3g} MiB" if number < 10 * MIB else \
        f"{number / MIB:.0f} MiB"


class Context:
    """The one argument of a case."""

    def __init__(self, tools, is_quick):
        self.tools = tools
        self.is_quick = is_quick
        self.failures = []
        self.truth = ""
        self.answer = ""
        self.comparison = None
        self.folders = []
        self.running = []

    # ---- programs ----

    def pick(self, quick, full):
        """A size: the small one for make check."""
        return quick if self.is_quick else full

    def workload(self, *words):
        """The command of a workload."""
        return [self.tools.workload, *map(str, words)]

    def need_option(self, option):
        """Skips the case where this pmon has no such option."""
        if not self.tools.has_option(option):
            raise Skip(f"this pmon has no {option}")

    def need_program(self, name):
        """The path of a program, or the case is skipped."""
        path = shutil.which(name)
        if path is None:
            raise Skip(f"{name} is not installed")
        return path

    def need_root(self):
        """Skips the case for anybody else."""
        if os.geteuid() != 0:
            raise Skip("needs root")

    def nobody(self):
        """A command that gives up all rights."""
        self.need_root()
        return [self.need_program("setpriv"), f"--reuid={NOBODY}",
                f"--regid={NOBODY}", "--clear-groups"]

    def nobody_with_workload(self):
        """The same, where such a user may start the workload."""
        command = self.nobody()
        if subprocess.run([*command, "test", "-x", self.tools.workload],
                          check=False).returncode != 0:
            raise Skip("nobody may not run what was built here")
        return command

    def folder(self):
        """A new folder that goes when the case does."""
        self.folders.append(new_folder())
        return self.folders[-1]

    def start(self, argv, folder=None, env=None, preexec=None):
        """Starts any command with TRUTH_OUT and TRUTH_READY of its own."""
        folder = folder or self.folder()
        full = clean_environment()
        full.update(LC_ALL="C.UTF-8", TMPDIR=folder, HOME=folder,
                    PMON=self.tools.pmon,
                    TRUTH_OUT=os.path.join(folder, "out"),
                    TRUTH_READY=os.path.join(folder, "ready"))
        full.update(env or {})
        started = Started(list(map(str, argv)), folder, full, preexec)
        self.running.append(started)
        return started

    def pmon_argv(self, folder, options, command, is_step=True):
        """pmon with a log and a summary in the folder.

        jsonl unless a format is asked for: it rounds least and tells most.
        """
        if "--log-format" not in options:
            options = ["--log-format", "jsonl", *options]
        return [self.tools.pmon, "-l", os.path.join(folder, "log"),
                "--summary", os.path.join(folder, "summary.json"),
                *map(str, options), *(["--"] if is_step else []), *command]

    def start_pmon(self, options, command, before=(), **rest):
        """Starts pmon, behind the words of another command if given."""
        folder = rest.pop("folder", None) or self.folder()
        argv = [*before, *self.pmon_argv(folder, options, command)]
        return self.start(argv, folder, **rest)

    def attach(self, pid, options):
        """Starts pmon on a process that runs; returns once it has rows."""
        folder = self.folder()
        argv = self.pmon_argv(folder, [*options, "--pid", pid], [], False)
        started = self.start(argv, folder)
        log = os.path.join(folder, "log")
        wait_until(lambda: len(read_log(log)) >= 2 or started.has_ended(), 20)
        if len(read_log(log)) < 2:
            raise Again("pmon was not there in time")
        return started

    def pmon(self, options, command, seconds=60, is_plain=True, **rest):
        """Runs pmon to its end; checks what holds for every run."""
        run = self.start_pmon(options, command, **rest).finish(seconds)
        if is_plain:
            self.check_run(run)
        return run

    def check_run(self, run):
        """What holds for every run that has ended well."""
        if run.hung:
            raise AssertionError("hangs")
        self.failures += invariants.broken(run, self.tools.cores)

    def done(self):
        """Ends what runs, removes the folders."""
        for started in self.running:
            if not started.has_ended():
                kill_group(started.process.pid)
                started.process.wait()
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)

    # ---- comparing ----

    def say(self, truth, answer):
        """What the table shows."""
        self.truth = truth
        self.answer = answer

    def fail(self, text):
        """One thing that is wrong."""
        self.failures.append(text)

    def true(self, condition, text):
        """Something that has to hold."""
        if not condition:
            self.fail(text)

    def equal(self, name, value, want):
        """A value that is known."""
        self.true(value == want, f"{name}: {value!r}, not {want!r}")

    def between(self, name, value, low, high):
        """A number that is known to lie between two."""
        self.true(value is not None and low <= value <= high,
                  f"{name}: {value}, not {low} to {high}")

    def size(self, name, value, low, high):
        """The same in bytes."""
        self.true(value is not None and low <= value <= high,
                  f"{name}: {mib(value)}, not {mib(low)} to {mib(high)}")

    def peak(self, run, low, high, word=None):
        """The peak was between low and high; the word says no more.

        low is what was touched, high with all that was not counted by the
        workload.  The bounds hold whatever the word is.
        """
        memory = run.memory
        upper = memory["peak_rss_upper_bytes"]
        self.size("peak", run.peak, low * 0.99, high)
        if upper is not None:
            self.true(upper >= low, f"the upper bound {mib(upper)} is below "
                                    f"the truth {mib(low)}")
        if word:
            self.equal("word of the peak", memory["peak_rss_word"], word)

    def total(self, run, seconds, word="exact", spare=START_AND_EXIT_S):
        """The CPU total is what the workload says, and its word."""
        if seconds > 0.2:
            spare += seconds * 0.01
        self.between("CPU total", run.total, round(seconds - 0.012, 3),
                     round(seconds + spare, 3))
        if word:
            self.equal("word of the CPU total", run.cpu["total_word"], word)

    def series(self, run, seconds, spare=0.02):
        """The rows hold the same CPU time as the total."""
        self.between("CPU of the rows", round(run.totals()[-1], 3),
                     round(seconds * (1 - spare) - 0.02, 3),
                     round(seconds * (1 + spare) + 0.02, 3))

    def status(self, run, want):
        """The status as a shell has it."""
        status = run.status if run.status >= 0 else 128 - run.status
        self.equal("exit status", status, want)

    def words(self, run, pattern):
        """What the closing words have to say."""
        self.true(re.search(pattern, run.words),
                  f"not said: {pattern}; but: {run.words.strip()}")

    def unsaid(self, run, pattern):
        """What they must not say."""
        self.true(not re.search(pattern, run.words),
                  f"said: {run.words.strip()}")

    def compare(self, command, peak=None, cpu=None, status=None, env=None):
        """The same for the peers, when make truth runs them."""
        self.comparison = Comparison(command, peak, cpu, status, env)


def of_memory(run):
    """Peak and word for the table."""
    memory = run.memory
    upper = memory["peak_rss_upper_bytes"]
    bound = f"…{mib(upper)}" if memory["peak_rss_word"] == "between" else ""
    return f"{mib(run.peak)}{bound} {memory['peak_rss_word']}"


def of_cpu(run):
    """CPU total and word for the table."""
    word = "" if run.cpu["total_word"] == "exact" else " at least"
    return f"{run.total:.3f} s{word}"


def of_both(run):
    """Peak and CPU for the table."""
    return f"{of_memory(run)}, {of_cpu(run)}"


def near(seconds, share=0.02, spare=0.03):
    """An interval around a known CPU time."""
    return seconds * (1 - share) - spare / 2, seconds * (1 + share) + spare


def between_ticks(truth):
    """Raises Again when the workload was too late to show anything."""
    if truth.text("between_ticks") == "0":
        raise Again("the machine was too slow")


__all__ = ["CASES", "MIB", "OWN", "START_AND_EXIT_S", "Again", "Context",
           "Machine", "Skip", "between_ticks", "case", "mib", "near",
           "of_both", "of_cpu", "of_memory"]
