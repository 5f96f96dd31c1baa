# SPDX-License-Identifier: MIT
"""What holds for every run of pmon, whatever the step did."""

import json
import os
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(TESTS, "lib"))

import check_schema

SCHEMA = os.path.join(os.path.dirname(TESTS), "src", "schema",
                      "summary.schema.json")
MIB = 1 << 20
HEADER = "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)"
WORDS = "exact", "between", "at least"
# A row shows three decimals.
ROUNDING = 0.0006 * MIB


def broken(run, cores):
    """A list of what does not hold."""
    found = []
    for check in (check_summary, check_rows, check_cpu, check_split,
                  check_bounds, check_words, check_quality, check_at_peak,
                  check_by_command, check_series):
        found += check(run, cores)
    return found


def check_summary(run, _cores):
    """The summary is one by the project's own schema."""
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    for fault in check_schema.faults(run.summary, schema, "summary"):
        yield str(fault)


def check_rows(run, _cores):
    """At least two rows; time goes on; nothing is negative."""
    if len(run.rows) < 2:
        yield f"{len(run.rows)} rows"
        return
    if run.rows[0].elapsed != 0 or run.rows[0].cpu != 0:
        yield f"the first row is {run.rows[0]}"
    times = [row.elapsed for row in run.rows]
    if any(after < before for before, after in zip(times, times[1:])):
        yield "a row is earlier than the one before"
    if any(min(row[:4]) < 0 for row in run.rows):
        yield "a negative figure"
    totals = [row.io for row in run.rows if row.io]
    if any(a > b for one, two in zip(totals, totals[1:])
           for a, b in zip(one, two)):
        yield "an I/O total falls"


def check_cpu(run, cores):
    """No row above all cores; rows and total agree."""
    high = max(row.cpu for row in run.rows) if run.rows else 0
    # Late posting moves up to a kernel's tick a core between two windows.
    if high > 100 * cores * 1.06:
        yield f"a row has {high:.0f} % of {cores} cores"
    # A step shorter than a few ms has used more than any row shows.
    highest = max(high, run.cpu["mean_percent"] or 0)
    if abs(highest - run.cpu["max_percent"]) > 0.01:
        yield (f"max_percent {run.cpu['max_percent']} but {highest} in the "
               "rows and on average")
    if run.outcome["survivors"]:
        return
    totals = run.totals()
    if None in totals or not totals:
        return
    if run.outcome["reason"] != "detached" and \
            abs(totals[-1] - run.total) > 0.01 * run.total + 0.01:
        yield (f"the rows hold {totals[-1]:.3f} s of CPU, "
               f"the total is {run.total:.3f} s")
    if any(after < before for before, after in zip(totals, totals[1:])):
        yield "the CPU total falls"
    for at in range(1, len(run.rows)):
        if not is_rate(run.rows, at):
            yield f"cpu_percent of {run.rows[at]} is not that of its cpu_s"
            return


def is_rate(rows, at):
    """Whether a percentage is made from the totals, over a right window.

    That begins at the row before, where that is not much closer than 100 ms,
    else at the newest row that is at least so old, or at the first.
    """
    row = rows[at]
    back = at - 1
    while back > 0 and row.elapsed - rows[back].elapsed < 0.099:
        back -= 1
    begins = {back}
    if row.elapsed - rows[at - 1].elapsed > 0.07:
        begins.add(at - 1)
    for begin in begins:
        since = row.elapsed - rows[begin].elapsed
        used = row.total - rows[begin].total
        if abs(row.cpu * since - 100 * used) <= 0.0006 * since + 0.0003:
            return True
    return False


def check_split(run, _cores):
    """Mean, user and system belong to the total."""
    cpu = run.cpu
    wall = run.time["wall_s"]
    # A survivor has a grace of 0.1 s behind the end, and is in total and mean.
    grace = 0.15 if run.summary["outcome"]["survivors"] else 0
    most = 100 * cpu["total_s"] / wall if wall > 0.01 else 0
    least = 100 * cpu["total_s"] / (wall + grace)
    if wall > 0.01 and \
            not least - 0.1 <= cpu["mean_percent"] <= most + 0.1:
        yield f"mean {cpu['mean_percent']} % of {wall} s"
    if cpu["user_s"] is None or cpu["total_word"] != "exact":
        return
    both = cpu["user_s"] + cpu["system_s"]
    if abs(both - cpu["total_s"]) > 0.02 + 0.02 * cpu["total_s"]:
        yield f"user + system is {both:.3f} s of {cpu['total_s']:.3f} s"


def check_bounds(run, _cores):
    """The peak and its parts stand in the right order."""
    memory = run.memory
    rows = run.rows
    if not rows:
        return
    largest = max(row.rss for row in rows)
    sampled = memory["sampled_peak_rss_bytes"]
    if sampled is None:
        # The first row is of the copy of pmon that becomes the step.
        if any(row.rss > 0 for row in rows[1:]):
            yield "sampled_peak_rss_bytes is null, but rows have memory"
    elif abs(largest - sampled) > ROUNDING:
        yield "sampled_peak_rss_bytes is not the largest row"
    # An address space holds at least what is resident.
    vms = max(max(row.vms for row in rows),
              memory["largest_process_rss_bytes"] or 0)
    if abs(vms - memory["peak_vms_bytes"]) > ROUNDING:
        yield "peak_vms_bytes is not the largest row"
    for key in ("sampled_peak_rss_bytes", "largest_process_rss_bytes"):
        value = memory[key]
        if value is not None and value > memory["peak_rss_bytes"]:
            yield f"{key} is more than peak_rss_bytes"
    without = memory["peak_rss_without_copies_bytes"]
    if without is not None and without > memory["peak_rss_bytes"]:
        yield "the peak without copies is more than with them"
    pss = memory["peak_pss_bytes"]
    if pss is not None and pss > memory["peak_rss_bytes"] + MIB:
        yield "PSS is more than RSS"


def check_words(run, _cores):
    """Each word says what the bounds say."""
    memory = run.memory
    lower = memory["peak_rss_bytes"]
    upper = memory["peak_rss_upper_bytes"]
    word = memory["peak_rss_word"]
    if word not in WORDS or run.cpu["total_word"] not in WORDS:
        yield f"words: {word}, {run.cpu['total_word']}"
        return
    if (upper is None) != (word == "at least"):
        yield f"{word}, but the upper bound is {upper}"
        return
    if upper is None:
        return
    if upper < lower:
        yield "the upper bound is below the lower"
    if (word == "exact") != (upper - lower <= max(upper / 100, MIB)):
        yield f"{word} from {lower} to {upper}"


def check_quality(run, cores):
    """The figures about the run itself fit it."""
    quality = run.quality
    if quality["rows"] != len(run.rows):
        yield f"{quality['rows']} rows said, {len(run.rows)} in the log"
    if run.wall + 0.001 < run.time["wall_s"]:
        yield f"wall_s is {run.time['wall_s']}, all took {run.wall:.3f}"
    if run.rows and run.rows[-1].elapsed > run.time["wall_s"] + 0.0011:
        yield "a row is later than the end"
    impossible = sum(row.cpu > 100 * cores for row in run.rows)
    if quality["impossible_cpu_rows"] != impossible:
        yield (f"{quality['impossible_cpu_rows']} impossible CPU rows said, "
               f"{impossible} in the log")
    gaps = [after.elapsed - before.elapsed
            for before, after in zip(run.rows, run.rows[1:])]
    if gaps and abs(max(gaps) - quality["longest_gap_s"]) > 0.0021:
        yield f"longest gap {quality['longest_gap_s']}, {max(gaps)} in the log"
    most = max((row.processes or 0 for row in run.rows), default=0)
    if most > (run.processes["max_alive"] or 0):
        yield f"{most} processes in a row, max_alive says less"
    most = max((row.threads or 0 for row in run.rows), default=0)
    if most > (run.processes["max_threads"] or 0):
        yield f"{most} threads in a row, max_threads says less"


def check_at_peak(run, _cores):
    """Who made the peak up: largest first, and no more than all of it."""
    there = run.at_peak
    if not there or not there["processes"]:
        return
    sizes = [each["rss_bytes"] for each in there["processes"]]
    if len(sizes) > 16 or sizes != sorted(sizes, reverse=True):
        yield f"at_peak has {len(sizes)} processes: {sizes[:4]}…"
    total = sum(sizes) + (there["others_rss_bytes"] or 0)
    if total > run.memory["peak_rss_bytes"] * 1.001 + MIB:
        yield (f"those at the peak have {total} bytes of "
               f"{run.memory['peak_rss_bytes']}")


def check_by_command(run, _cores):
    """Who used what: the rows add up to the CPU time, and to no less."""
    rows = run.processes["by_command"]
    total = run.cpu["total_s"]
    if rows is None or total is None:
        return
    if abs(sum(row["cpu_s"] for row in rows) - total) > 1e-8:
        yield f"by_command has not the {total} s of CPU time: {rows[:4]}…"
    named = [row["cpu_s"] for row in rows if row["kind"] == "command"]
    if len(named) > 64 or any(
            one + 0.01 < two for one, two in zip(named, named[1:])):
        yield f"by_command has {len(named)} commands: {named[:4]}…"
    if sum(row["count"] for row in rows) < run.processes["seen"]:
        yield "by_command has fewer processes than were seen"
    peak = run.memory["peak_rss_bytes"]
    for row in rows:
        if peak is not None and (row["peak_rss_bytes"] or 0) > peak + MIB:
            yield f"{row['command']} had {row['peak_rss_bytes']} of {peak}"


def check_series(run, _cores):
    """At most 512 slots, each with its maximum."""
    series = run.series
    if len(series["rss_bytes"]) > 512:
        yield f"{len(series['rss_bytes'])} slots"
    high = max(series["rss_bytes"], default=0)
    sampled = run.memory["sampled_peak_rss_bytes"]
    if sampled is not None and high != sampled:
        yield "the series has not the largest row"
