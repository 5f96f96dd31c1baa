# SPDX-License-Identifier: MIT
"""T9: names that break parsers, files and terminals."""

import os
import re
import subprocess

from context import MIB, OWN, case, near, of_both


# What a terminal would act upon: C0, DEL, C1 and the marks that turn text.
ACTED_UPON = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e"
                        "\u2066-\u2069]")


QUICK_NAMES = "state", "empty", "newline", "ff"


def check_text(t, run):
    """Every line is pmon's, is UTF-8 and does nothing to a terminal."""
    try:
        text = run.stderr.decode("utf-8")
    except UnicodeDecodeError as error:
        t.fail(f"stderr is no UTF-8: {error}")
        return
    found = ACTED_UPON.search(text)
    t.true(not found, f"stderr has {found and found.group()!r}")
    for line in text.splitlines():
        t.true(line.startswith("pmon:"), f"stderr has the line {line!r}")


@case("T9", "27 processes of hostile names by", ("comm", "argv", "exec"),
      quick_ways=("exec",))
def t9_names(t):
    """Figures as with any name; every file still parses."""
    size = t.pick(2, 8)
    command = t.workload("names", t.argument, size, 30, 500)
    run = t.pmon(["-v", "--log-format", "csv"], command)
    truth = run.truth
    names = truth.number("names")
    held = size * MIB * names
    t.say(f"{names} × {size} MiB, {truth.cpu():.2f} s",
          f"{of_both(run)}, {run.processes['max_alive']} alive")
    t.peak(run, held * 0.98, held + (names + 1) * OWN)
    t.total(run, truth.cpu(), spare=0.1)
    t.equal("most alive", run.processes["max_alive"], names + 1)
    check_text(t, run)
    t.compare(command, (held * 0.98, held + (names + 1) * OWN),
              lambda truth: near(truth.cpu(), spare=0.1))


@case("T9", "the step itself has the name, by exec")
def t9_name(t):
    """One after the other, each with a log, a block and a summary."""
    known = subprocess.run(t.workload("name"), stdout=subprocess.PIPE,
                           check=True).stdout.decode().split()
    chosen = [each for each in known if not t.is_quick or each in QUICK_NAMES]
    for name in chosen:
        folder = t.folder()
        profile = os.path.join(folder, "profile.csv")
        run = t.pmon(["--append-peak", profile],
                     t.workload("name", name, "exec", 20, 50, 100),
                     folder=folder)
        t.peak(run, 20 * MIB, 20 * MIB + OWN, "exact")
        t.total(run, run.truth.seconds(f"{name}.self_cpu_ns"))
        check_text(t, run)
        with open(profile, encoding="utf-8") as file:
            block = file.read().splitlines()
        t.true(len(block) == 3 and len(block[2].split(",")) == 4,
               f"{name}: the block is {block}")
        t.equal(f"{name}: survivors", run.outcome["survivors"], 0)
    t.say(f"{len(chosen)} names", f"{len(t.failures)} figures wrong")
