# SPDX-License-Identifier: MIT
# Sourced after tap.sh by the command-line tests: runs commands, waits for
# states, reads summaries.  Nothing here waits for longer than 60 s.
# shellcheck shell=sh disable=SC2034  # status is the caller's

need_python
python=$(python3 -c 'import sys; print(sys.executable)')

# Executes its arguments in a process group of their own, as timeout(1) does
leader='import os, sys; os.setpgid(0, 0); os.execv(sys.argv[1], sys.argv[1:])'

# Runs a command: its status in $status, its streams in the files out and err
run() {
    timeout -k 5 60 "$@" > out 2> err
    status=$?
}

# Waits until a command succeeds; fails after 40 s
wait_until() {
    wait_tries=0
    until "$@" 2> /dev/null; do
        wait_tries=$((wait_tries + 1))
        [ "$wait_tries" -lt 2000 ] || return 1
        sleep 0.02
    done
}

# Whether a process has ended; a zombie has
is_gone() {
    ! [ -e "/proc/$1" ] || grep -q '^State:[[:blank:]]*[ZX]' "/proc/$1/status"
}

is_in_state() { # PID LETTER
    grep -q "^State:[[:blank:]]*$2" "/proc/$1/status"
}

has_lines() { # FILE COUNT
    [ -e "$1" ] && [ "$(wc -l < "$1")" -ge "$2" ]
}

# Waits for a background process: its status in $status
finish() {
    wait_until is_gone "$1" || kill -KILL "$1"
    wait "$1"
    status=$?
}

# The values of a summary, one a line, into the file facts:
# outcome.reason=exited
take_facts() {
    rm -f facts
    "$python" -S - "$1" > facts <<'PY'
import json, sys

def walk(prefix, value):
    if isinstance(value, dict):
        for key, below in value.items():
            walk(prefix + "." + key if prefix else key, below)
    elif isinstance(value, list) and prefix != "command.argv":
        print(prefix + ".count=%d" % len(value))
        for index, below in enumerate(value):
            walk("%s.%d" % (prefix, index), below)
    else:
        print("%s=%s" % (prefix, value if isinstance(value, str)
                         else json.dumps(value)))

walk("", json.load(open(sys.argv[1])))
PY
}

# Prints a value of the summary that take_facts read last
fact() {
    sed -n "s/^$1=//p" facts | head -n 1
}

# "complete" for a summary that keeps to its schema, and to what a schema
# cannot say; else what is wrong with it
check_summary() {
    "$python" -S "$srcdir/tests/lib/check_schema.py" \
        "$srcdir/src/schema/summary.schema.json" "$1" > faults 2>&1
    if [ -s faults ]; then
        head -n 5 faults
        return
    fi
    "$python" -S - "$1" <<'PY'
import json, sys

value = json.load(open(sys.argv[1], encoding="utf-8"))
series = [len(value["series"][key]) for key in sorted(value["series"])]
if len(set(series)) != 1:
    print("series of %s" % series)
elif value["outcome"]["pmon_status"] is None and \
        value["outcome"]["reason"] != "running":
    print("pmon_status is null")
elif value["processes"]["by_command"] and abs(
        sum(row["cpu_s"] for row in value["processes"]["by_command"]) -
        value["cpu"]["total_s"]) > 1e-8:
    print("by_command does not add up to the CPU time")
else:
    print("complete")
PY
}

# Checks a file with messages of pmon: each line begins with pmon: and has no
# control characters
is_clean() {
    if ! [ -s "$1" ]; then
        not_ok "$2" "$1 is empty or missing"
    elif grep -nv '^pmon: ' "$1" > bad; then
        not_ok "$2" "a line without pmon: $(head -n 3 bad)"
    elif LC_ALL=C grep -n '[[:cntrl:]]' "$1" > bad; then
        not_ok "$2" "a control byte: $(od -c bad | head -n 5)"
    elif ! "$python" -S -c 'import sys; open(sys.argv[1], encoding="utf-8") \
        .read()' "$1" 2> bad; then
        not_ok "$2" "no UTF-8: $(tail -n 1 bad)"
    else
        ok "$2"
    fi
}

# How often the workload trap got a signal, by its file truth
arrivals() {
    truth truth "arrivals.$1"
}

# Checks that m.txt, p.csv and s.json are complete
is_whole() {
    whole=$(check_summary s.json)
    [ "$(tail -c 1 m.txt | od -An -c | tr -d ' ')" = '\n' ] ||
        whole="$whole; a torn row"
    awk '!/^#/ && NF != 4 { bad = 1 } END { exit bad || NR < 3 }' m.txt ||
        whole="$whole; no log"
    [ "$(wc -l < p.csv)" = 3 ] || whole="$whole; no block"
    is "$whole" complete "$1: all files are complete"
}

# The files of pmon --step STEP in ranks 0 to LAST, as ls lists them
files_of_ranks() { # STEP LAST
    for of_step in "memory_log_$1 txt" "profile_$1 csv" "summary_$1 json"; do
        seq -f "${of_step% *}_rank%g.${of_step#* }" 0 "$2"
    done
}
