#!/bin/sh
# SPDX-License-Identifier: MIT
# Who used what: the table of commands in the summary, in the closing lines, in
# the report and in the job summary.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"
need_python
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')

# Starts processes with the given names (argv[0]) that use CPU time and then
# wait, until the log has three rows more after the last of them is done.
cat > spawn.py << 'PY'
import subprocess, sys, time

CODE = """
import sys, time
until = float(sys.argv[1]) + time.process_time()
while time.process_time() < until:
    pass
print(flush=True)
sys.stdin.read()
"""

def rows():
    with open(sys.argv[1]) as log:
        return log.read().count("\n")

children = []
for word in sys.argv[2:]:
    name, _, seconds = word.rpartition("=")
    children.append(subprocess.Popen(
        [name, "-S", "-c", CODE, seconds], executable=sys.executable,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE))
for child in children:
    child.stdout.readline()
enough = rows() + 3
while rows() < enough:
    time.sleep(0.01)
for child in children:
    child.stdin.close()
for child in children:
    child.wait()
PY

spawn() { # NAME=SECONDS...
    rm -f m.txt s.json
    run "$PMON" -i 0.02 --log m.txt --summary s.json -- \
        "$python" -S spawn.py m.txt "$@"
}

# One key of the row of a command; its place with `at`; `none`
row() { # COMMAND KEY
    "$python" -S - "$@" << 'PY'
import json, sys
rows = json.load(open("s.json"))["processes"]["by_command"]
for at, row in enumerate(rows):
    if (row["command"] or row["kind"]) == sys.argv[1]:
        print(at if sys.argv[2] == "at" else row[sys.argv[2]])
        break
else:
    print("none")
PY
}

# `whole` if the rows add up to the CPU time and to the processes
whole() {
    "$python" -S - << 'PY'
import json
run = json.load(open("s.json"))
rows = run["processes"]["by_command"]
cpu = sum(row["cpu_s"] for row in rows)
count = sum(row["count"] for row in rows)
if abs(cpu - run["cpu"]["total_s"]) > 1e-8:
    print("CPU time %s of %s" % (cpu, run["cpu"]["total_s"]))
elif count < run["processes"]["seen"]:
    print("%d processes of %d" % (count, run["processes"]["seen"]))
elif len(rows) > 66:
    print("%d rows" % len(rows))
else:
    print("whole")
PY
}

spawn heavy=0.4 light=0.1 light=0.1
is "$status $(whole)" '0 whole' 'the table adds up'
is "$(row heavy at) $(row light at)" '0 1' 'largest CPU time first'
is "$(row heavy count) $(row light count)" '1 2' 'processes of one command'
is_true "$(row heavy cpu_s) >= 0.4 && $(row heavy cpu_s) < 0.7" \
    'a known CPU time'
is_true "$(row light cpu_s) >= 0.2 && $(row light cpu_s) < 0.5" \
    'the sum of two'
is_true "$(row light peak_rss_bytes) > $(row light largest_rss_bytes) * 15 / 10" \
    'two at one moment use more than one'
is "$(row "$(basename -- "$python") spawn.py" count)" 1 \
    'an interpreter is named with its script'
like "$(cat err)" \
    '^pmon: commands heavy 0\.[4-6].* s, [0-9.]+ MiB; 2 × light 0\.[2-4]' \
    'the closing lines name them'
is "$(check_summary s.json)" complete 'the summary keeps to its schema'
is "$(tail -n 1 err | cut -c 1-14)" 'pmon: log     ' 'and the log is last'

run "$PMON" report s.json
like "$(cat out)" '^command +processes +CPU time' 'report has the table'
like "$(cat out)" '^light +2 +0\.[2-4]' 'and its rows'
run "$PMON" report --format json s.json
is "$("$python" -S -c 'import json, sys
report = json.load(sys.stdin)
print(report["commands"][0]["command"], report["commands"][0]["run"],
      len(report["at_peak"]))' < out)" \
    "heavy $("$python" -S -c 'import json
run = json.load(open("s.json"))
print(run["command"]["step"], len(run["at_peak"]["processes"]))')" \
    'JSON has all commands, and the processes at the peak'
cp s.json t.json
run "$PMON" report s.json t.json
unlike "$(cat out)" '^command ' 'for several runs only the runs are printed'
: > github
run env GITHUB_STEP_SUMMARY=github "$PMON" report --github s.json t.json
like "$(cat github)" '^[|] run [|] command [|] processes [|]' \
    'a job summary has the commands of each run'
is "$(grep -c '^[|] .* [|] heavy [|]' github)" 2 'with their figures'
like "$(cat github)" '^[|] run [|] at the peak [|]' \
    'and the processes at the peak'

# One command alone is no news
run "$PMON" -i 0.02 --summary s.json -- sleep 0.2
is "$(row sleep at) $(whole)" '0 whole' 'a step of one process'
unlike "$(cat err)" '^pmon: commands' 'is not said twice'
run "$PMON" report s.json
unlike "$(cat out)" '^command ' 'nor reported'
: > github
run env GITHUB_STEP_SUMMARY=github "$PMON" report --github s.json
unlike "$(cat github)" 'command|at the peak' 'nor in a job summary'
run "$PMON" -i 0.02 --summary s.json -- env env sleep 0.2
is "$(row sleep count) $(row env at)" '1 none' 'a wrapper that only executes'

# Hostile names
newline='a)b
c'
escape=$(printf 'x\033[31m) Z "|`<b>')
spawn "$newline=0.2" "$escape=0.1"
is "$(row "$newline" at) $(row "$escape" at) $(whole)" '0 1 whole' \
    'names with a line break, an escape and a parenthesis'
is "$(check_summary s.json)" complete 'in a valid summary'
like "$(cat err)" '^pmon: commands a\)b\?c 0\.2.*; x\?\[31m\) Z "[|]`<b> ' \
    'shown harmlessly'
is "$(tr -d '[:print:]\n' < err | tr -d '\200-\377' | wc -c)" 0 \
    'no control character reaches the terminal'
run "$PMON" report s.json
is "$(tr -d '[:print:]\n' < out | tr -d '\200-\377' | wc -c)" 0 \
    'nor from the report'
: > github
run env GITHUB_STEP_SUMMARY=github "$PMON" report --github s.json
unlike "$(cat github)" '<b>' 'nor Markdown to GitHub'

# More commands than rows
names=$(seq -f 'c%.0f=0.01' 1 100)
# shellcheck disable=SC2086  # a list of words
spawn last=0.5 $names
is "$status $(whole)" '0 whole' '100 commands'
is "$(row last at) $(row last count)" '0 1' 'the largest first'
is_true "$(row others count) >= 37" 'those beyond 64 in one row'
is "$(row others peak_rss_bytes)" None 'of which no sum is known'

# Children that no sample sees
run "$PMON" -i 5 --summary s.json -- sh -c 'i=0
    while [ $i -lt 200 ]; do sh -c :; i=$((i + 1)); done'
is "$status $(whole)" '0 whole' '200 short processes between two samples'
is_true "$(row unsampled cpu_s) > 0" 'their CPU time is nobody'"'"'s'

# A command has the CPU time from when pmon came
"$python" -S -c 'import time
while time.process_time() < 0.5: pass
open("ready", "w").close()
until = time.process_time() + 0.1
import os
while not os.path.exists("go"): time.sleep(0.01)
while time.process_time() < until + 0.1: pass' &
pid=$!
wait_until test -e ready
"$PMON" -q -i 0.02 --summary s.json --pid $pid &
job=$!
wait_until test -s s.json
: > go
wait $pid
wait $job
is "$(whole)" whole '--pid'
is_true "$(row "$(basename -- "$python")" cpu_s) < 0.4" \
    'what it used before does not count'

done_testing
