# SPDX-License-Identifier: MIT
"""Holds a file of --processes against its CSV log and its summary.

    check_processes.py PROCESSES LOG SUMMARY   "whole", or what is wrong
    check_processes.py PROCESSES use           COMMAND CPU_S LARGEST_MIB, each

The sum of what is known of all processes at a tick is the log's memory, and
the CPU time of the rows adds up to no more than that of the step.
"""

import collections
import csv
import json
import sys

HEAD = "elapsed_time pid ppid command cpu mem_real mem_shared".split()
# Of a printed number, in MiB and s.
ROUNDING = 1e-6


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    if lines.pop() != "":
        sys.exit("the last line is torn")
    if any(ord(c) < 32 or ord(c) == 127 for line in lines for c in line):
        sys.exit("a control character")
    rows = list(csv.reader(lines))
    if rows[0] != HEAD:
        sys.exit(f"header {rows[0]}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(HEAD):
            sys.exit(f"line {number}: {len(row)} fields")
    return rows[1:]


def number(text):
    return float(text) if text else None


def walk(rows):
    """Of each row: time, pid, command, CPU time in s, memory, whether new."""
    since, before, now = {}, None, None
    for at, pid, _, command, cpu, real, shared in rows:
        at, cpu, real = float(at), number(cpu), number(real)
        if now is None or at > now:
            before, now = now, at
        elif at < now:
            sys.exit(f"{at} is after {now}")
        is_new = pid not in since
        if is_new:
            since[pid] = at if before is None else before
        used = 0.0
        if cpu is not None:
            used = cpu / 100 * (at - since[pid])
            since[pid] = at
        if shared and real is not None and float(shared) > real + ROUNDING:
            sys.exit(f"{at} {pid}: more is shared than there is")
        yield at, pid, command, used, real, is_new
        if real == 0:
            del since[pid]


def check(rows, log, summary):
    sums, memory, cpu_s = {}, {}, 0.0
    for at, pid, _, used, real, _ in walk(rows):
        memory[pid] = real or 0.0
        cpu_s += used
        sums[at] = sum(memory.values())
    with open(log, encoding="utf-8") as file:
        wanted = list(csv.DictReader(file))
    held, times = 0.0, sorted(sums)
    for want in wanted:
        at = float(want["elapsed_time"])
        while times and times[0] <= at + ROUNDING:
            held = sums[times.pop(0)]
        if abs(held - float(want["mem_real"])) > ROUNDING * (len(memory) + 2):
            sys.exit(f"{at} s: {held} MiB, the log has {want['mem_real']}")
    if times:
        sys.exit(f"{times[0]} s is no time of the log")
    with open(summary, encoding="utf-8") as file:
        total_s = json.load(file)["cpu"]["total_s"]
    if cpu_s > 1.005 * total_s + 0.002:
        sys.exit(f"{cpu_s} s of CPU, the step used {total_s}")
    print("whole")


def use(rows):
    cpu_s, largest = collections.Counter(), collections.Counter()
    for _, _, command, used, real, _ in walk(rows):
        cpu_s[command] += used
        largest[command] = max(largest[command], real or 0.0)
    for command in cpu_s:
        print(f"{command} {cpu_s[command]:.3f} {largest[command]:.3f}")


def main():
    rows = rows_of(sys.argv[1])
    if sys.argv[2] == "use":
        use(rows)
    else:
        check(rows, sys.argv[2], sys.argv[3])


main()
