# SPDX-License-Identifier: MIT
"""The names of pmon_regions.py; all of them do nothing.

For programs that also run on machines without pmon: copy this file beside the
program, under this name, and

    try:
        from pmon_regions import region
    except ImportError:
        from pmon_regions_off import region

Needs nothing but Python 3.
"""

__all__ = ["region", "add", "decide", "switch_on", "flush", "close", "stats"]


class region:
    """A phase that is not recorded."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        pass

    def __call__(self, function):
        return function


def add(name, start_ns, duration_ns):
    """Record nothing."""


def decide():
    """Return False: no regions are recorded."""
    return False


def switch_on(folder, name="regions", style="quoted", buffered=False):
    """Return False: no regions are recorded."""
    return False


def flush():
    """Write nothing."""


def close():
    """Write nothing."""


def stats():
    """Return zeros."""
    return dict.fromkeys(("rows", "lost", "torn", "untold", "error", "on"), 0)
