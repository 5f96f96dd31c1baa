#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Do the workloads use what they report?  Compares each with rusage, /proc and,
# where that is allowed, a cgroup.  No monitor takes part.  TAP on stdout.
#
# WORKLOAD and PTYRUN name the two programs.

workload=${WORKLOAD:-./workload}
ptyrun=${PTYRUN:-./ptyrun}
case $workload in /*) ;; *) workload=$PWD/$workload ;; esac
case $ptyrun in /*) ;; *) ptyrun=$PWD/$ptyrun ;; esac
dir=$(mktemp -d "${TMPDIR:-/tmp}/workload_test.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export TRUTH_OUT="$dir/out" TRUTH_READY="$dir/ready"
count=0
failures=0
mib=1048576

ok() { # NAME COMMAND...: passes when the command does
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name ($*)"
        failures=$((failures + 1))
    fi
}

skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

get() { # KEY: its first value
    sed -n "s/^$1=//p" out | head -n 1
}

has() {
    grep -q "^$1=" out
}

between() { # VALUE LOW HIGH
    [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

near() { # VALUE TRUTH PERCENT
    between "$1" $(($2 - $2 * $3 / 100)) $(($2 + $2 * $3 / 100))
}

run() { # WORKLOAD ARGS: to its end, measured
    rm -f out ready
    timeout 60 "$workload" measure -- "$workload" "$@"
    status=$?
    ok "$1: ends well" [ $status = 0 ]
}

start() { # WORKLOAD ARGS: until it is ready
    rm -f out ready
    "$workload" "$@" &
    pid=$!
    until [ -s ready ]; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
}

children() { # PID: of all its threads
    cat /proc/"$1"/task/*/children
}

field() { # PID NUMBER: of its stat, after the name
    sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f $(($2 - 2))
}

peak() { # what wait4 says is what was touched
    between "$(get wait_maxrss_bytes)" $(($1 * mib * 99 / 100)) \
        $((($1 + 4) * mib))
}

sum_of() { # KEY PID...: of smaps_rollup, in MiB
    key=$1
    shift
    for each in "$@"; do cat "/proc/$each/smaps_rollup"; done |
        awk -v key="$key:" '$1 == key { s += $2 } END { print int(s / 1024) }'
}

test_memory() {
    for way in munmap dontneed huge; do
        run spike 100 5 50 $way
        ok "spike $way: peak" peak 100
        ok "spike $way: touched" [ "$(get touched_bytes)" = $((100 * mib)) ]
    done
    run spike-grandchild 100 5 50
    ok "spike-grandchild: peak" peak 100
    run spike-exec 100 5 50
    ok "spike-exec: peak" peak 100
    run fork-true 100 20
    ok "fork-true: no sum in the peak" peak 100
    run fork-true 100 20 vfork
    ok "fork-true vfork: no sum in the peak" peak 100

    start forked 100 5 1000
    # shellcheck disable=SC2046
    set -- $pid $(children $pid)
    ok "forked: six processes" [ $# = 6 ]
    ok "forked: RSS of the sum" between "$(sum_of Rss "$@")" 600 615
    ok "forked: PSS" between "$(sum_of Pss "$@")" 100 105
    wait $pid

    mkfifo go
    TRUTH_GO=go
    export TRUTH_GO
    start old-peak 100 10 50 50 100
    now=$(awk '/VmRSS/ { print $2 * 1024 }' /proc/$pid/status)
    then=$(awk '/VmHWM/ { print $2 * 1024 }' /proc/$pid/status)
    echo g > go
    wait $pid
    unset TRUTH_GO
    ok "old-peak: small when ready" between "$now" 1 $((5 * mib))
    ok "old-peak: large before" between "$then" $((99 * mib)) $((105 * mib))
    ok "old-peak: CPU since" between \
        $(($(get self_cpu_ns) - $(get cpu_at_ready_ns))) 100000000 150000000
    run io 2
    ok "io: bytes" [ "$(get io_bytes)" = $((2 * mib)) ]
}

test_overlap() {
    for way in "overlap 100 1000" "unseen 100 1000" "unseen 100 1000 ignore" \
        "unseen 100 1000 nocldwait"; do
        # shellcheck disable=SC2086
        run $way
        if [ "$(get between_ticks)" = 1 ]; then
            ok "$way: both at once" \
                [ "$(get both_end_ns)" -gt "$(get both_begin_ns)" ]
        else
            skip "$way: both at once" "the machine is too slow"
        fi
        ok "$way: wait4 knows one" peak 100
        has cgroup_peak_bytes && ok "$way: the cgroup knows both" \
            between "$(get cgroup_peak_bytes)" $((199 * mib)) $((215 * mib))
    done
    run in-turn 100 3 50
    has cgroup_peak_bytes && ok "in-turn: the cgroup knows one" \
        between "$(get cgroup_peak_bytes)" $((99 * mib)) $((115 * mib))
}

test_cpu() {
    run children 10 30
    ok "children: burnt" near "$(get burnt_ns)" 300000000 2
    ok "children: wait4" near "$(get wait_cpu_ns)" 300000000 8
    for way in ignore nocldwait; do
        run unwaited 10 30 $way
        ok "unwaited $way: burnt" near "$(get burnt_ns)" 300000000 2
        ok "unwaited $way: wait4 knows nothing of it" \
            between "$(get wait_cpu_ns)" 0 60000000
        has cgroup_cpu_ns && ok "unwaited $way: the cgroup does" \
            near "$(get cgroup_cpu_ns)" 300000000 10
    done
    run leader-exit 50 100
    ok "leader-exit: peak" peak 50
    ok "leader-exit: wait4" near "$(get wait_cpu_ns)" "$(get self_cpu_ns)" 10
    start leader-exit 50 10 300
    ok "leader-exit: the leader is gone" [ "$(field $pid 3)" = Z ]
    ok "leader-exit: its statm" grep -q '^0 0' /proc/$pid/statm
    wait $pid
    start thread-child 50 10 300
    ok "thread-child: not the leader's" \
        [ -z "$(cat /proc/$pid/task/$pid/children)" ]
    # shellcheck disable=SC2046
    ok "thread-child: one child" [ $(children $pid | wc -w) = 1 ]
    wait $pid
    start threads 64 1000
    ok "threads: how many" [ "$(field $pid 20)" = 65 ]
    wait $pid
    ok "threads: CPU" between "$(get self_cpu_ns)" 300000000 64000000000
}

test_tree() {
    start idle 50 300
    ok "idle: children" [ "$(children $pid | wc -w)" = 50 ]
    wait $pid
    start busy 10 300
    ok "busy: children" [ "$(children $pid | wc -w)" = 10 ]
    wait $pid
    ok "busy: CPU" between "$(get children_cpu_ns)" 150000000 3500000000
    start chain 20 300
    at=$pid
    depth=0
    while at=$(children "$at"); at=${at% }; [ -n "$at" ]; do
        depth=$((depth + 1))
    done
    ok "chain: depth" [ $depth = 20 ]
    wait $pid
    run grow 10 20 5
    ok "grow: processes" [ "$(get processes)" = 51 ]
    for way in fork vfork exec; do
        run short 200 $way
        ok "short $way: wait4 knows all" \
            between "$(get wait_cpu_ns)" "$(get children_cpu_ns)" 2000000000
    done
    "$workload" beside 20 -- sh -c 'exit 7'
    ok "beside: the command's status" [ $? = 7 ]
}

test_daemon() {
    run daemon 50 100 100
    ok "daemon: ends before" \
        [ "$(get daemon.end_ns)" -lt "$(get end_ns)" ]
    ok "daemon: unknown to wait4" between "$(get wait_maxrss_bytes)" 1 \
        $((10 * mib))
    ok "daemon: a session of its own" \
        [ "$(get daemon.sid)" != "$(get pid)" ]
    ok "daemon: CPU" between "$(get daemon.self_cpu_ns)" 100000000 400000000
    start daemon-outlive 50 50 300 stubborn
    wait $pid
    orphan=$(get daemon.pid)
    kill -TERM "$orphan"
    ok "daemon-outlive: lives on" kill -0 "$orphan"
    tries=0
    while kill -0 "$orphan" 2>/dev/null && [ $tries -lt 200 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    ok "daemon-outlive: ends by itself" [ $tries -lt 200 ]
    start stopped-child 10
    wait $pid
    orphan=$(get stopped.pid)
    ok "stopped-child: is stopped" [ "$(field "$orphan" 3)" = T ]
    kill -KILL "$orphan"
}

test_names() {
    for way in comm argv exec; do
        run names $way 2 10 100
        ok "names $way: all of them" \
            [ "$(grep -c '\.touched_bytes=' out)" = "$(get names)" ]
    done
    ok "names exec: newline" [ "$(get newline.comm)" = 610a62 ]
    ok "names exec: cut in a character" \
        [ "$(get cut.comm)" = 6162636465666768696a6b6c6d6ec3 ]
    ok "names exec: empty" [ -z "$(get empty.comm)" ]
    start name state exec 2 10 300
    ok "name: in stat" grep -q '(a b) R 1 2) [RS]' /proc/$pid/stat
    ok "name: in cmdline" [ "$(tr '\0' '|' < /proc/$pid/cmdline)" = \
        "a b) R 1 2|a b) R 1 2|" ]
    wait $pid
    # shellcheck disable=SC2144
    ok "names: no link is left" [ ! -e "${TMPDIR:-/tmp}"/names.* ]
}

test_signals() {
    start trap 200 7
    kill -TERM $pid
    sleep 0.05
    kill -INT $pid
    sleep 0.05
    kill -USR1 $pid
    wait $pid
    ok "trap: its status" [ $? = 7 ]
    ok "trap: counts" [ "$(get arrivals.TERM)$(get arrivals.INT)$(
        get arrivals.USR1)$(get arrivals.HUP)" = 1110 ]
    ok "trap: who ended it" [ "$(get ended_by)" = TERM ]
    start ignore 300
    kill -TERM $pid
    kill -HUP $pid
    wait $pid
    ok "ignore: goes on" [ $? = 0 ]
    rm -f out ready
    setsid -w "$workload" kill-group TERM 100 4
    ok "kill-group: its status" [ $? = 4 ]
    ok "kill-group: once" [ "$(get arrivals.TERM)" = 1 ]
    start stop STOP 0 5
    sleep 0.1
    "$workload" freeze 100 $pid
    wait $pid
    ok "stop: goes on" [ $? = 5 ]
    ok "stop: for how long" between "$(get stopped_ns)" 100000000 5000000000
    "$workload" exit 3
    ok "exit" [ $? = 3 ]
    for pair in SEGV:139 KILL:137 TERM:143; do
        (exec "$workload" die ${pair%:*}) 2>/dev/null
        ok "die ${pair%:*}" [ $? = ${pair#*:} ]
    done
    TRUTH_DEADLINE=1 "$workload" work 0 0 5000
    ok "the deadline" [ $? = 142 ]
}

test_launch() {
    for way in fork vfork spawn exec; do
        rm -f out
        "$workload" launcher $way 50 -- "$workload" fingerprint
        ok "launcher $way: rusage is the launcher's" \
            between "$(get run.maxrss_bytes)" $((49 * mib)) $((55 * mib))
        ok "launcher $way: the mark is its own" \
            between "$(get run.hwm_bytes)" 1 $((10 * mib))
    done
    "$workload" launcher exec 1 -- ./nothing
    ok "launcher: not found" [ $? = 127 ]
    rm -f out
    # shellcheck disable=SC2016
    "$workload" measure -- sh -c \
        'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done'
    if has cgroup_cpu_ns; then
        ok "measure: wait4 and cgroup" \
            near "$(get wait_cpu_ns)" "$(get cgroup_cpu_ns)" 2
    else
        skip "measure: wait4 and cgroup" "no right to make one"
    fi
}

test_fingerprint() {
    rm -f out
    (trap '' HUP; exec "$workload" fingerprint 9>/dev/null <&- 2>&-)
    ok "fingerprint: closed" [ "$(get fd.0)$(get fd.2)" = closedclosed ]
    ok "fingerprint: open" has fd.9
    ok "fingerprint: ignored" [ "$(get signal.1)" = ignored ]
    "$ptyrun" -- "$workload" fingerprint
    ok "fingerprint: of a terminal" [ "$(get tty.foreground)" = 1 ]
}

# A workload that needs a right which may be missing
run_if_allowed() {
    rm -f out ready
    timeout 60 "$workload" measure -- "$workload" "$@"
    status=$?
    if [ $status = 97 ]; then
        skip "$1 $2" "not allowed here"
        return 1
    fi
    ok "$1 $2: ends well" [ $status = 0 ]
}

test_reparent() {
    run subreaper 100 50
    ok "subreaper: wait4 knows all" near "$(get wait_cpu_ns)" 100000000 12
    start orphan-copies 50 3 400
    # shellcheck disable=SC2046
    ok "orphan-copies: no children" [ -z "$(children $pid)" ]
    wait $pid
    run orphan-true 20 2 20
    ok "orphan-true: peak" peak 20
    run fast-daemons 10 5 50
    ok "fast-daemons: burnt" near "$(get burnt_ns)" 50000000 10
    ok "fast-daemons: unknown to wait4" between "$(get wait_cpu_ns)" 0 40000000
    run unreaped 5 20 50
    ok "unreaped: burnt" near "$(get burnt_ns)" 100000000 5
    ok "unreaped: unknown to wait4" between "$(get wait_cpu_ns)" 0 40000000
    start orphaned 10 300
    ok "orphaned: no children" [ -z "$(children $pid)" ]
    wait $pid
    run sibling 20 50 50
    ok "sibling: not waited for" between "$(get wait_maxrss_bytes)" 1 \
        $((10 * mib))
    run collapse 5 20 50
    ok "collapse: burnt" near "$(get burnt_ns)" 120000000 5
}

test_threads() {
    start thread-swap 20 50 300
    ok "thread-swap: one child" [ "$(children $pid | wc -w)" = 1 ]
    wait $pid
    for way in leader-lives leader-gone; do
        start thread-exec 20 10 200 $way
        ok "thread-exec $way: the same id" grep -q exec-thread \
            /proc/$pid/cmdline
        wait $pid
        ok "thread-exec $way: ends well" [ $? = 0 ]
    done
    run thread-churn 200 500
    ok "thread-churn: CPU" between "$(get self_cpu_ns)" 100000000 400000000
    start thread-crowd 8 2 500
    until [ "$(wc -c < ready)" -ge 8 ]; do sleep 0.01; done
    ok "thread-crowd: children" [ "$(children $pid | wc -w)" = 8 ]
    wait $pid
}

test_reuse() {
    for way in zombie alive; do
        run_if_allowed reuse $way 10 20 50 &&
            ok "reuse $way: the same id" \
                [ "$(get reused.pid)" = "$(get second.pid)" ]
    done
    run_if_allowed chosen-id 10 10 &&
        ok "chosen-id: an id ahead" [ "$(get chosen.pid)" = \
            $(($(get pid) + 1000)) ]
}

test_pages() {
    for kind in anon file shared memfd huge locked; do
        start pages $kind 20 100
        ok "pages $kind: RSS" between "$(get rss_bytes)" $((20 * mib)) \
            $((25 * mib))
        wait $pid
    done
    for kind in unmapped untouched; do
        start pages $kind 20 100
        ok "pages $kind: no RSS" between "$(get rss_bytes)" 1 $((5 * mib))
        wait $pid
    done
    start shared-by 50 3 300
    # shellcheck disable=SC2046
    set -- $pid $(children $pid)
    ok "shared-by: four processes" [ $# = 4 ]
    ok "shared-by: RSS of the sum" between "$(sum_of Rss "$@")" 200 220
    ok "shared-by: PSS" between "$(sum_of Pss "$@")" 50 56
    wait $pid
    start common-memory 50 300
    # shellcheck disable=SC2046
    ok "common-memory: PSS" between \
        "$(sum_of Pss $pid $(children $pid))" 50 105
    wait $pid
    run exec-chain 20 60 10
    ok "exec-chain: peak" peak 60
}

test_ptyrun() {
    rm -f out ready
    "$ptyrun" -o log -f ready -s '\003' -- "$workload" trap 100 5
    ok "ptyrun: status" [ $? = 5 ]
    ok "ptyrun: Ctrl-C comes from the kernel" grep -q '^arrival=INT,kernel' out
    PS1='PROMPT> ' "$ptyrun" -o log -n -w 'PROMPT> ' -s 'exec 2>&1; sleep 7\n' \
        -p 200 -s '\032' -w Stopped -w 'PROMPT> ' -s 'jobs; exit; exit 3\n' \
        -- bash --norc --noediting -i
    ok "ptyrun: Ctrl-Z" grep -q 'sleep 7' log
    "$ptyrun" -t 0.3 -o log -- sh -c 'sleep 47.11 & sleep 47.11' 2>/dev/null
    ok "ptyrun: too late" [ $? = 124 ]
    sleep 0.1
    ok "ptyrun: nothing is left" [ -z "$(pgrep -f 'sleep 47\.11')" ]
    "$ptyrun" -o log -w nothing -- echo something 2>/dev/null
    ok "ptyrun: text that does not come" [ $? = 99 ]
    "$ptyrun" -o log -w ready -H -- sh -c \
        'trap "exit 4" HUP; echo ready; sleep 5; exit 5'
    ok "ptyrun: hang up" [ $? = 4 ]
    "$ptyrun" -o log -z 132x40 -- stty size
    ok "ptyrun: size" grep -q '40 132' log
}

test_memory
test_overlap
test_cpu
test_tree
test_daemon
test_names
test_signals
test_launch
test_fingerprint
test_reparent
test_threads
test_reuse
test_pages
test_ptyrun
echo "1..$count"
[ $failures = 0 ]
