# SPDX-License-Identifier: MIT
"""What both steps do around their work: options, errors, signals, profile."""

import argparse
import os
import signal
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from .checks import ModelError, require
from .profiling import profiled

DATA = Path(__file__).resolve().parent.parent / "data"
_STOP_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


class Stopped(BaseException):
    """A signal asks the step to stop."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, without the usage."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def whole_number(low, high):
    """Return a type for options that take a whole number, low to high."""

    def parse(text):
        is_whole = text.isascii() and text.isdigit() and len(text) <= 9
        if not (is_whole and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a whole number from {low} to {high}"
            )
        return int(text)

    return parse


def _parse(name, summary, add_options):
    """Return the options of the command line."""
    parser = _Parser(prog=name, description=summary, allow_abbrev=False)
    add_options(parser)
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        default=DATA,
        help="folder of the input data (default: the example's own)",
    )
    parser.add_argument(
        "--results",
        metavar="DIR",
        type=Path,
        default=Path("."),
        help="folder that the results go to, made if needed (default: .)",
    )
    parser.add_argument(
        "--with-profiler",
        action="store_true",
        help="write a profile of the step's Python functions",
    )
    parser.add_argument(
        "--profile",
        metavar="FILE",
        type=Path,
        help=f"where to (default: profile_{name}.csv in the results folder)",
    )
    options = parser.parse_args()
    if options.profile is not None and not options.with_profiler:
        parser.error("--profile needs --with-profiler")
    if options.with_profiler and options.profile is None:
        options.profile = options.results / f"profile_{name}.csv"
    return options


def _raise_stopped(number, _frame):
    raise Stopped(number)


def _catch_stop_signals():
    """Let the stop signals raise Stopped, but for those that are ignored."""
    for number in _STOP_SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _raise_stopped)


def reset_stop_signals():
    """Give a worker process its own answer to the stop signals.

    A terminal's interrupt reaches the workers too; the step stops them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _message(error):
    """Return an error as the rest of a line."""
    if isinstance(error, BrokenProcessPool):
        return "a worker process ended before its work was done"
    if isinstance(error, OSError):
        place = "" if error.filename is None else f"{error.filename}: "
        return f"{place}{error.strerror}"
    return str(error)


def _work(name, options, work):
    """Do the step's work; return its exit status."""
    try:
        options.results.mkdir(parents=True, exist_ok=True)
        require(
            os.access(options.results, os.W_OK),
            f"{options.results}: no permission to write there",
        )
        with profiled(options.profile):
            summary = work(options)
        print(f"{name}: {summary}", flush=True)
    except (ModelError, OSError, BrokenProcessPool) as error:
        print(f"{name}: {_message(error)}", file=sys.stderr)
        return 1
    return 0


def main(name, summary, add_options, work):
    """Run a step and return its exit status.

    add_options(parser) adds the options of its own; work(options) returns
    the line that says what was done. A step that a signal stops dies by it.
    """
    options = _parse(name, summary, add_options)
    _catch_stop_signals()
    try:
        return _work(name, options, work)
    except Stopped as stopped:
        number = stopped.number
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number
