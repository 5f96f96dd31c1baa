#!/bin/sh
# SPDX-License-Identifier: MIT
# --max-rss, --max-time, --max-cpu-time, --min-free: kept, failed, stopped; and
# the jsonl log, which has figures that the other formats lack.

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_python

# run STATUS-WANTED DESC OPTIONS…: pmon with a summary, its messages in err
run() {
    want=$1
    what=$2
    shift 2
    timeout 30 "$PMON" --summary s.json "$@" 2>err
    is "$?" "$want" "$what: the status"
}

budget() {
    python3 - "$1" "$2" <<'PY'
import json, sys
for one in json.load(open("s.json"))["budgets"]:
    if one["name"] == sys.argv[1]:
        print(str(one[sys.argv[2]]).lower())
PY
}

run 0 'kept' --max-rss 1G --max-time 20 --max-cpu-time 10:stop -- \
    "$workload" work 10 10 0
is "$(budget max-rss passed),$(budget max-time passed),$(budget max-cpu-time passed)" \
    true,true,true 'kept: all three passed'
is "$(budget max-rss limit)" 1073741824 'the limit of memory is in bytes'
is "$(budget max-time limit)" 20.0 'that of time in seconds'
is "$(budget max-rss action),$(budget max-time action),$(budget max-cpu-time action)" \
    fail,stop,stop 'the action: the default, or the given one'
like "$(cat err)" 'budgets  max-rss .*, kept; max-time .*, kept; max-cpu-time .*, kept' \
    'the verdicts are printed'
is "$(summary s.json outcome reason)" exited 'kept: the reason'

run 123 'memory, fail' --max-rss 50M -- "$workload" work 100 0 0
is "$(budget max-rss passed)" false 'memory, fail: not passed'
# The kernel's two counters of RSS lag behind by max(32, 2 x CPUs) pages a CPU;
# what is shared is read from the pages themselves, exactly.
cpus=$(getconf _NPROCESSORS_CONF)
lag=$((cpus * (cpus > 16 ? 2 * cpus : 32) * $(getconf PAGE_SIZE)))
is_true "$(budget max-rss value) >= 100 * 1048576 - 2 * $lag" 'memory: the value'
is "$(summary s.json outcome reason),$(summary s.json outcome exit_status)" \
    exited,0 'memory, fail: the step ended by itself'
like "$(cat err)" 'max-rss [0-9.]+ MiB [RP]SS of 50.0 MiB, exceeded$' \
    'memory, fail: the message'

run 7 'a step that fails keeps its status' --max-rss 1M -- \
    "$workload" exit 7

run 123 'memory, stop' --max-rss 50M:stop -- "$workload" work 100 0 20000
is "$(summary s.json outcome reason),$(summary s.json outcome pmon_status)" \
    max_rss,123 'memory, stop: the reason'
is_true "$(summary s.json time wall_s) < 15" 'memory, stop: it was ended'
like "$(cat err)" 'max-rss [0-9.]+ MiB [RP]SS of 50.0 MiB, exceeded, step stopped' \
    'memory, stop: the message'

# A step that ends by itself was not stopped, even if its budget has :stop
run 123 'memory, stop, too late' -i 60 --max-rss 20M:stop -- "$workload" work 50 0 0
is "$(summary s.json outcome reason),$(summary s.json outcome exit_status)" \
    exited,0 'memory, stop, too late: the step ended by itself'
like "$(cat err)" 'max-rss [0-9.]+ MiB [RP]SS of 20.0 MiB, exceeded$' \
    'memory, stop, too late: the message does not say stopped'
# The row is written while the step lives, which then ends before it is judged
if strace -o trace -e trace=write -e inject=write:delay_exit=1 true 2>bad; then
    what='memory, stop, during the end'
    timeout 30 env ASAN_OPTIONS=detect_leaks=0 \
        strace -o trace -e trace=write -e inject=write:delay_exit=600000 \
        "$PMON" --summary s.json -i 0.1 -l m.txt --max-rss 20M:stop -- \
        python3 -c '
x = b"a" * (50 << 20)
import time
def is_seen():
    rows = [line.split() for line in open("m.txt") if line[:1] != "#"]
    return any(len(row) > 2 and float(row[2]) > 20 for row in rows)
while not is_seen(): time.sleep(0.01)
exit(5)' 2>err
    is "$?,$(summary s.json outcome reason)" 5,exited "$what: its status"
    unlike "$(cat err)" 'step stopped|TERM' "$what: nobody says that it was stopped"
else
    skip 'memory, stop, during the end' 'strace cannot delay system calls'
fi

# -q: one line, whether the budget stopped the step or not
run 123 'quiet, fail' -q --max-rss 20M -- "$workload" work 50 0 0
like "$(cat err)" '^pmon: budgets  max-rss [0-9.]+ MiB [RP]SS of 20.0 MiB, exceeded$' \
    'quiet: an exceeded budget is reported'
is "$(wc -l <err | tr -d ' ')" 1 'quiet: in one line'
run 124 'quiet, stop' -q --max-time 0.2 -- sleep 20
like "$(cat err)" 'max-time .*, exceeded, step stopped$' \
    'quiet, stop: the message'
is "$(wc -l <err | tr -d ' ')" 1 'quiet, stop: in one line'
run 0 'quiet, kept' -q --max-time 20 -- true
is "$(cat err)" '' 'quiet, kept: nothing'

run 124 'time' --max-time 0.3 -- sleep 20
is "$(summary s.json outcome reason),$(summary s.json outcome signal)" \
    max_time,15 'time: ended by TERM'
is_true "$(summary s.json time wall_s) < 15" 'time: at once'

run 124 'time, between two rows' --max-time 0.3 --interval 1h -- sleep 20

# Traps have to be set before the time is over
run 124 'time, TERM ignored by a tree' --max-time 1 --kill-after 0.2 -- \
    sh -c 'trap "" TERM; sh -c "trap \"\" TERM; sleep 20; :" & sleep 20; :'
is "$(summary s.json outcome signal)" 9 'time: then KILL'
is "$(summary s.json outcome survivors)" 0 'time: no process is left'

run 124 'time: a step that ends well upon TERM' --max-time 1 -- \
    sh -c 'trap "exit 0" TERM; sleep 20 & wait'

run 123 'time, fail: the step goes on' --max-time 0.1:fail -- sleep 0.4
is_true "$(summary s.json time wall_s) >= 0.4" 'time, fail: to its end'

run 123 'CPU time' --max-cpu-time 0.1 -- "$workload" work 0 300 0
is "$(budget max-cpu-time passed)" false 'CPU time: not passed'

# Shared memory counts once, whoever runs pmon: RSS decides within the limit,
# above it PSS, and RSS if PSS cannot be read.
verdict() {
    echo "$(budget max-rss figure),$(budget max-rss passed)"
}
hide='import ctypes, sys, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
x = b"a" * (int(sys.argv[1]) << 20)
time.sleep(0.3)'
TRUTH_DEADLINE=30
export TRUTH_DEADLINE
check_figures() { # WHO PREFIX…
    who=$1
    shift
    run 0 "$who: within" -q --max-rss 1G -- "$@" "$workload" work 60 0 100
    is "$(verdict)" rss,true "$who: within: by RSS"
    is "$(budget max-rss value)" "$(summary s.json memory peak_rss_bytes)" \
        "$who: within: by the peak that is said"
    is "$(summary s.json memory peak_pss_bytes)" null \
        "$who: within: PSS is not read"
    limit=$(summary s.json memory peak_rss_bytes)
    run 0 "$who: shared" -i 0.1 --max-rss 500M:stop -- "$@" \
        "$workload" touched-by 200 8 1500
    is "$(verdict)" pss,true "$who: shared by eight: kept, by PSS"
    is_true "$(summary s.json memory peak_rss_bytes) > 1500 * 1048576" \
        "$who: shared by eight: though the sum is larger"
    like "$(cat err)" 'max-rss [0-9.]+ MiB PSS of 500 MiB, kept' \
        "$who: shared by eight: said"
    run 123 "$who: real" -q -i 0.1 --max-rss 500M -- "$@" \
        "$workload" work 600 0 2000
    is "$(verdict)" pss,false "$who: real memory: exceeded, by PSS"
    like "$(cat err)" '^pmon: budgets  max-rss [56][0-9][0-9] MiB PSS of 500 MiB, exceeded$' \
        "$who: real memory: said"
    is "$(wc -l <err | tr -d ' ')" 1 "$who: real memory: in one line"
    run 123 "$who: real, between two rows" -q -i 60 --max-rss 500M -- "$@" \
        "$workload" work 600 0 0
    is "$(verdict)" rss,false "$who: real memory, unread: by RSS"
}
check_figures 'as this user'
run 0 'the peak as a limit' -q --max-rss "$limit" -- true
if [ "$(id -u)" = 0 ]; then
    chmod 777 .
    as='setpriv --reuid=1234 --regid=1234 --clear-groups'
    # shellcheck disable=SC2086
    if ! $as "$workload" work 1 0 0 > bad 2>&1; then
        skip 'as an ordinary user' "$(head -n 1 bad)"
    else
        pmon=$PMON
        PMON=$PWD/as_user
        printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$as" "$pmon" > as_user
        chmod 755 as_user
        rm -f s.json
        check_figures 'as an ordinary user'
        run 123 'hidden' -q --max-rss 50M -- python3 -c "$hide" 60
        is "$(verdict)" rss,false 'PSS cannot be read: exceeded, by RSS'
        like "$(cat err)" '^pmon: budgets  max-rss [0-9.]+ MiB RSS of 50.0 MiB, exceeded$' \
            'PSS cannot be read: the message'
        run 0 'hidden, within' -q --max-rss 500M -- python3 -c "$hide" 60
        PMON=$pmon
        rm -f s.json
    fi
else
    run 123 'hidden' -q --max-rss 50M -- python3 -c "$hide" 60
    is "$(verdict)" rss,false 'PSS cannot be read: exceeded, by RSS'
fi

# Free memory: of the host, or of the groups around the step
run 0 'left, kept' --min-free 1K -- "$workload" work 10 0 0
is "$(budget min-free passed),$(budget min-free action)" true,stop \
    'left: kept; it would have stopped the step'
is_true "$(budget min-free value) > 1024" 'left: the value'
like "$(cat err)" 'budgets  min-free .* left of 1.00 KiB, kept$' \
    'left: the message'
run 123 'left, fail' -q --min-free 8000P:fail -- "$workload" work 10 0 200
is "$(budget min-free passed),$(summary s.json outcome reason)" false,exited \
    'left, fail: the step went on'
like "$(cat err)" '^pmon: budgets  min-free .* left of 8000 PiB, exceeded; the largest was workload.* [0-9.]+ MiB$' \
    'left, fail: the message'
is "$(wc -l <err | tr -d ' ')" 1 'left, fail: in one line'
run 123 'left, a short step' -q --min-free 8000P -- true
run 123 'left, stop' --min-free 8000P -- sleep 20
is "$(summary s.json outcome reason)" min_free 'left, stop: the reason'
run 0 'left, percent' -q --min-free 1%:fail -- true
is_true "$(budget min-free limit) > 0 &&
    $(budget min-free limit) <= $(summary s.json host mem_total_bytes) / 100" \
    'left, percent: of the total'

grow='import time
kept = []
while len(kept) < 60:
    kept.append(b"a" * (10 << 20))
    time.sleep(0.03)'
group=/sys/fs/cgroup/memory/pmon-budget.$$
limit=$group/memory.limit_in_bytes
if ! [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
    group=/sys/fs/cgroup/pmon-budget.$$
    limit=$group/memory.max
fi
if mkdir "$group" 2>bad && echo $((300 << 20)) 2>bad >"$limit"; then
    # shellcheck disable=SC2016  # the inner shell's
    join='echo $$ > "$0/cgroup.procs" && exec "$@"'
    what='a group of 300 MiB'
    rm -f log.txt s.json
    timeout 60 sh -c "$join" "$group" "$PMON" -i 0.05 --min-free 60M \
        -l log.txt --append-peak profile.csv --summary s.json -- \
        python3 -c "$grow" 2>err
    is "$?,$(summary s.json outcome reason)" 123,min_free \
        "$what: the step is stopped"
    is "$(summary s.json outcome signal),$(summary s.json memory oom_kills)" \
        15,0 "$what: by pmon, not by the kernel"
    is "$(budget min-free limit),$(budget min-free passed)" 62914560,false \
        "$what: the budget"
    is_true "$(budget min-free value) < 62914560 &&
        $(summary s.json memory peak_rss_bytes) > 150 * 1048576" \
        "$what: what was left"
    like "$(cat err)" 'min-free [0-9.]+ MiB left of 60.0 MiB, exceeded, step stopped; the largest was python3.* [0-9.]+ MiB$' \
        "$what: the largest process is named"
    is "$([ -s log.txt ] && [ -s profile.csv ] && echo written)" written \
        "$what: log and profile are written"
    timeout 60 sh -c "$join" "$group" "$PMON" -q -i 0.05 --min-free 20% \
        --summary s.json -- python3 -c "$grow" 2>err
    is "$?,$(budget min-free limit)" "123,$((60 << 20))" \
        "$what: a percentage is of its limit"
    timeout 60 sh -c "$join" "$group" "$PMON" -q --summary s.json -- \
        python3 -c "$grow" 2>err
    is "$?" 137 "$what: without the option the kernel kills"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rmdir "$group" 2>bad && break
        sleep 0.1
    done
else
    [ ! -d "$group" ] || rmdir "$group"
    skip 'a group of 300 MiB' 'no memory cgroup can be made here'
fi

# Copies do not count, so a sum of shared pages exceeds no budget.
run 0 'memory of workers that share it' --max-rss 150M -- \
    "$workload" forked 100 5 600
is_true "$(summary s.json memory peak_rss_bytes) > 300 * 1048576" \
    'though the sum is larger'

# All that closing lines can have takes eight lines.
# shellcheck disable=SC2016
timeout 20 "$PMON" -v --exact --pss --regions regions --max-rss 1G --max-time 9 \
    --log m.txt -- sh -c '"$0" region A -- "$1" work 20 0 300
        sleep 20 > /dev/null 2>&1 & echo $! > left' "$PMON" "$workload" 2>err
kill "$(cat left)"
is "$?,$(wc -l <err | tr -d ' ')" 0,8 'at most eight closing lines'
words=$(tr '\n' ' ' <err)
like "$words" 'sh: exit status 0 .*CPU .*memory .*; at the peak .*regions +A 1 .*budgets +max-rss' \
    'first the step, CPU, memory, processes at the peak, regions, budgets'
like "$words" 'left +1 process .*quality .*; exact: .*log +m.txt' \
    'then survivors, quality, figures of --exact, files'
# shellcheck disable=SC2016
"$PMON" --exact -- sh -c '"$0" work 20 0 300; exit 0' "$workload" 2>err
like "$(cat err)" '^pmon: exact    .' 'with room, --exact has a line'
like "$(cat err)" '^pmon: at peak  .' 'and the processes at the peak'

for bad in --max-rss=0 --max-rss=x --max-rss=1G:now --max-time=0 \
    --max-time=5:stop:fail --max-cpu-time=-1 --max-rss=:stop \
    --min-free=0 --min-free=0% --min-free=100% --min-free=5%x --min-free=5.%; do
    timeout 10 "$PMON" "$bad" -- touch made 2>err
    is "$?,$(wc -l <err | tr -d ' '),$([ -e made ] && echo made)" \
        125,1, "refused: $bad"
done
timeout 10 "$PMON" --max-time 1 --pid $$ 2>err
is "$?" 125 'a budget needs a command'

# shellcheck disable=SC2016
timeout 20 "$PMON" -q --log m.jsonl --log-format jsonl --include-io \
    --pss --summary s.json -- sh -c '"$0" work 20 10 2200; exit 0' "$workload"
is "$(python3 - <<'PY'
import json
rows = [json.loads(line) for line in open("m.jsonl")]
keys = {tuple(row) for row in rows}
working = [row for row in rows if row["rss_bytes"] >= 20 << 20]
good = (len(keys) == 1 and len(rows) >= 3 and rows[0]["elapsed_s"] == 0
        and working and all(row["threads"] == 2 and row["processes"] == 2
                            for row in working)
        and any(row["pss_bytes"] for row in rows)
        and rows[-1]["pss_bytes"] is None and "read_bytes" in rows[0])
print("good" if good else rows)
PY
)" good 'jsonl: an object a row, all with the same keys'
# Faults are read about once a second: in 2.2 s at least once between the first
# row and the last, which has also those of the ended child.
is "$(python3 - <<'PY'
import json
rows = [json.loads(line) for line in open("m.jsonl")]
io = json.load(open("s.json"))["io"]
for key in "minor_faults", "major_faults":
    known = [row[key] for row in rows if row[key] is not None]
    good = (3 <= len(known) <= rows[-1]["elapsed_s"] + 3
            and known == sorted(known)
            and known[-1] == rows[-1][key] == io[key])
    print("good" if good else (known, io))
# Some faults of the worker may be older than the first row
print("good" if 5120 <= rows[-1]["minor_faults"] > rows[0]["minor_faults"]
      else rows)
PY
)" 'good
good
good' 'jsonl: page faults'
is "$(summary s.json files log_format)" jsonl 'the summary names the form'

done_testing
