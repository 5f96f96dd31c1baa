# SPDX-License-Identifier: MIT
"""For regions.c: a decorator as users write it, and that of pmon_regions."""

import functools
import os
import sys
import tempfile
import time
import timeit

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "examples", "python"))
import pmon_regions  # noqa: E402


def timed(name, into=[]):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            start = time.time_ns()
            begun = time.perf_counter_ns()
            try:
                return function(*args, **kwargs)
            finally:
                into.append((name, start, time.perf_counter_ns() - begun))
        return wrapper
    return decorate


def nothing():
    pass


def measure(label, function, number=20000):
    best = min(timeit.repeat(function, number=number, repeat=3))
    print("%.1f %s" % (best / number * 1e9, label))


def main():
    marked = pmon_regions.region("ANALYZING_PROTOCOL")(nothing)
    measure("Python call", nothing)
    measure("Python decorator that appends to a list",
            timed("ANALYZING_PROTOCOL")(nothing))
    pmon_regions.close()
    measure("Python region, off", marked)
    with tempfile.TemporaryDirectory() as folder:
        for library in ("none", os.environ.get("PMON_LIBRARY")):
            if library is None:
                continue
            how = "Python" if library == "none" else "libpmon"
            os.environ["PMON_LIBRARY"] = library
            pmon_regions.switch_on(folder, buffered=True)
            measure("Python region, buffered by " + how, marked)
            pmon_regions.switch_on(folder)
            measure("Python region, written by " + how, marked, 5000)
            pmon_regions.close()


if __name__ == "__main__":
    main()
