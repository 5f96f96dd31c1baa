# SPDX-License-Identifier: MIT
"""Profile a step and write cProfile's table as CSV."""

import cProfile
import io
import pstats
from contextlib import contextmanager

from .files import write_text

_COLUMNS = 6
_active = None


def profile_csv(profile):
    """Return a profile as text: totals, then a row for each function.

    Only the blanks between a row's columns become commas: the names of
    functions may hold blanks and commas of their own.
    """
    table = io.StringIO()
    stats = pstats.Stats(profile, stream=table)
    stats.strip_dirs().sort_stats("cumulative").print_stats()
    heading, header, rows = table.getvalue().partition("   ncalls")
    lines = [line.strip() for line in heading.splitlines()]
    for line in (header + rows).splitlines():
        lines.append(",".join(line.split(None, _COLUMNS - 1)))
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def profiled(path):
    """Profile what runs inside and write it to a file, also if it fails.

    The file is emptied first: a path that cannot be written fails before the
    work, and no profile of an earlier run stays. None profiles nothing.
    """
    global _active
    if path is None:
        yield
        return
    write_text(path, "")
    _active = cProfile.Profile()
    try:
        with _active:
            yield
    finally:
        write_text(path, profile_csv(_active))
        _active = None


def stop_in_worker():
    """Stop the profile that a forked worker has inherited."""
    if _active is not None:
        _active.disable()
