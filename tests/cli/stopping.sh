#!/bin/sh
# SPDX-License-Identifier: MIT
# Events come before ticks; and pmon stops all processes of the step, even the
# newest, and no others.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # the step expands what is quoted
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload

# ---- a row takes longer than the interval ----

slow_writes() { # PMON'S ARGUMENTS: each write takes 150 ms
    run env ASAN_OPTIONS=detect_leaks=0 \
        strace -o trace -e trace=write -e inject=write:delay_exit=150000 \
        "$PMON" -l m.txt "$@"
}
if strace -o trace -e trace=write -e inject=write:delay_exit=1 true 2> bad; then
    slow_writes -q -- sleep 0.4
    is "$status" 0 'rows slower than the interval: the end of the step is seen'
    slow_writes -q --max-time 0.4 -- sleep 20
    is "$status" 124 'rows slower than the interval: --max-time stops the step'
    slow_writes -q --survivors wait -- sh -c 'sleep 0.6 & exit 3'
    is "$status" 3 'rows slower than the interval: the end of a survivor is seen'
    rm -f m.txt
    timeout -k 5 30 env ASAN_OPTIONS=detect_leaks=0 \
        strace -o trace -e trace=write \
        -e inject=write:delay_exit=150000 "$PMON" -q -l m.txt -- sh -c 'trap "exit 4" TERM
            echo $PPID > started; sleep 20 & wait' &
    job=$!
    wait_until has_lines m.txt 4
    kill -TERM "$(cat started)"
    finish $job
    is "$status" 4 'rows slower than the interval: TERM is passed on'
else
    skip 'rows slower than the interval' 'strace cannot delay system calls'
fi

# ---- who is stopped ----

# A child born after the last tick, which would live for 10 s without TERM
run "$PMON" -q --summary s.json -i 1h --max-time 1 -- sh -c \
    'sleep 0.3; sleep 60 & echo $! > born; wait'
take_facts s.json
is "$status,$(fact outcome.signal)" 124,15 'a child born after the last tick: TERM'
is_true "$(fact time.wall_s) < 8" 'and pmon does not wait for KILL'
wait_until is_gone "$(cat born)"
is "$?" 0 'and it has ended'

# Another process has got the id of a child that was seen at the last tick
rm -f m.txt taken
"$PMON" -q -i 1 -l m.txt --max-time 1.8 -- sh -c \
    'sleep 60 & echo $! > seen; wait; sleep 60' &
job=$!
wait_until has_lines m.txt 3
seen=$(cat seen)
kill "$seen"
wait_until test ! -e "/proc/$seen"
TRUTH_OUT=stranger TRUTH_READY=taken timeout -k 5 20 "$workload" take-pid \
    "$seen" 1 0 2000 2> bad &
taker=$!
finish $job
is "$status" 124 'a step is stopped'
wait $taker
taker=$?
if [ -s taken ]; then
    is "$taker" 0 'but not a stranger that has got the id of one of its processes'
else
    skip 'but not a stranger' "the id could not be taken: $(head -n 1 bad)"
fi

# ---- who is a survivor ----

# Ends like the resource tracker of multiprocessing: it reads the end of a pipe
# that the root held, a moment after the root has ended
cat > tracker.py << 'END'
import os, sys, time
there, here = os.pipe()
if os.fork() == 0:
    os.close(here)
    os.read(there, 1)
    time.sleep(float(sys.argv[1]))
    os._exit(0)
END
run "$PMON" --summary s.json -- "$python" -S tracker.py 0.03
take_facts s.json
is "$status,$(fact outcome.survivors),$(fact cpu.total_word)" 0,0,exact \
    'a helper that ends 30 ms after the root is no survivor'
unlike "$(cat err)" 'left|at least [0-9.]+ m?s' 'and no message says so'
is_true "$(fact time.wall_s) < 20" 'it counts no longer than it lived'
run "$PMON" -q --summary s.json -- "$python" -S tracker.py 30
take_facts s.json
is "$status,$(fact outcome.survivors),$(fact cpu.total_word)" 0,1,'at least' \
    'one that lives on is a survivor'
like "$(cat err)" '^pmon: left     1 process of the step still runs' \
    'which is reported'
kill "$(sed 's/.*(\([0-9]*\)).*/\1/' err)"

# ---- rows while survivors are waited for ----

run "$PMON" -q -i 0.5 -l m.txt --summary s.json --survivors wait -- sh -c '
    for i in 1 2 3 4 5 6 7 8 9; do
        (sleep 0.$i) & (sleep 1.$i) & (sleep 0.1$i) & (sleep 1.1$i) &
    done
    exit 0'
take_facts s.json
is "$status" 0 'the ends of 36 orphans: the status'
is_true "$(grep -vc '^#' m.txt) <= 3 + 2 * $(fact time.wall_s)" \
    "are rows at ticks: $(grep -vc '^#' m.txt) in $(fact time.wall_s) s"
is_true "$(fact time.wall_s) >= 1.9" 'until the last of them'

# ---- pmon may not become a subreaper ----

if strace -f -o trace -e trace=prctl -e inject=prctl:error=EPERM true 2> bad; then
    run env ASAN_OPTIONS=detect_leaks=0 \
        strace -f -o trace -e trace=prctl -e inject=prctl:error=EPERM \
        "$PMON" --summary s.json -- sh -c '(sleep 0.2 &) ; sleep 0.4'
    take_facts s.json
    is "$status,$(fact cpu.total_word),$(fact memory.peak_rss_word)" \
        '0,at least,at least' 'no subreaper: the figures are at least'
    like "$(cat err)" '^pmon: orphans of the step cannot be followed: ' \
        'no subreaper: reported'
else
    skip 'no subreaper' 'strace cannot make system calls fail'
fi

done_testing
