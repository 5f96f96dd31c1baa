#!/bin/sh
# SPDX-License-Identifier: MIT
# Each allocation of pmon fails in turn, and all after it: pmon prints a
# message, never crashes, and never changes the status of the step.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# shellcheck disable=SC2086 # CC may hold options
if ! ${CC:-cc} -shared -fPIC -O1 "$srcdir/tests/lib/failing_malloc.c" \
    -o failing.so 2> bad; then
    echo '1..0 # SKIP no compiler for a library'
    exit 0
fi
FAIL_COUNT=$work/count LD_PRELOAD=$work/failing.so "$PMON" --version > bad 2>&1
if ! [ -s count ]; then
    echo '1..0 # SKIP pmon takes no library for its allocations'
    exit 0
fi

cat > sweep.py << 'PY'
import json, os, shutil, subprocess, sys

pmon = sys.argv[1]
library = os.path.abspath("failing.so")
RUN = [pmon, "-q", "-l", "o/m.txt", "--summary", "o/s.json",
       "--append-peak", "o/p.csv", "--regions", "o/r", "--max-rss", "1G",
       "--", "sh", "-c", ": > o/started; exit 7"]
with open(os.environ["srcdir"] + "/src/schema/summary.schema.json",
          encoding="utf-8") as schema:
    KEYS = set(json.load(schema)["required"])
OTHERS = {
    "report": ["report", "results"],
    "report --format json": ["report", "--format", "json", "results"],
    "compare": ["compare", "--fail-over", "wall=5%", "results", "results"],
    "peak": ["peak", "results/memory_log_x.txt"],
    "plot": ["plot", "results/summary_x.json"],
}


def run(arguments, **variables):
    shutil.rmtree("o", ignore_errors=True)
    os.mkdir("o")
    return subprocess.run(
        arguments, env=dict(os.environ, LD_PRELOAD=library, **variables),
        capture_output=True, timeout=30, text=True, errors="replace",
        check=False)


def fault_of_run(result):
    started = os.path.exists("o/started")
    if result.returncode != (7 if started else 125):
        return "status %d" % result.returncode
    if not started and not result.stderr.startswith("pmon: "):
        return "not started, and nothing said"
    try:
        with open("o/s.json", encoding="utf-8") as file:
            summary = json.load(file)
        whole = set(summary) == KEYS and summary["outcome"]["exit_status"] == 7
    except (OSError, ValueError):
        whole = False
    if started and not (whole and os.path.exists("o/p.csv")) and \
            not result.stderr:
        return "a file is missing, and nothing said"
    return None


def fault_of_other(result):
    if result.returncode < 0 or result.returncode > 2:
        return "status %d" % result.returncode
    return "fails, and says nothing" \
        if result.returncode != 0 and not result.stderr and \
        result.returncode != 1 else None


def sweep(arguments, fault_of):
    run(arguments, FAIL_COUNT=os.path.abspath("count"))
    with open("count", encoding="utf-8") as file:
        total = int(file.read())
    for number in range(1, total + 1, 1 + total // 400):
        for more in {}, {"FAIL_ALL": "1"}:
            try:
                fault = fault_of(run(arguments, FAIL_AT=str(number), **more))
            except subprocess.TimeoutExpired:
                fault = "hangs"
            if fault is not None:
                print("allocation %d of %d%s: %s" % (
                    number, total, " and all after it" if more else "", fault))


if sys.argv[2] == "run":
    sweep(RUN, fault_of_run)
else:
    sweep([pmon] + OTHERS[sys.argv[2]], fault_of_other)
PY
"$PMON" -q --step x --results results --max-rss 1G -- sleep 0.1
for name in run report 'report --format json' compare peak plot; do
    "$python" -S sweep.py "$PMON" "$name" > faults 2>&1
    is "$(head -n 5 faults)" '' "$name: each allocation may fail"
done
done_testing
