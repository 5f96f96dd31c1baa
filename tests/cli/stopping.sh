#!/bin/sh
# SPDX-License-Identifier: MIT
# Events come before ticks, and who is stopped: the processes of the step,
# those of the last moment among them, and nobody else.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # the step expands what is quoted
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload

# ---- a row takes longer than the interval ----

slow_writes() { # PMON'S ARGUMENTS: each write takes 150 ms
    run strace -o trace -e trace=write -e inject=write:delay_exit=150000 \
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
    timeout -k 5 30 strace -o trace -e trace=write \
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

# A child born after the last tick: without TERM it would live for 10 s more
run "$PMON" -q --summary s.json -i 1h --max-time 1 -- sh -c \
    'sleep 0.3; sleep 60 & echo $! > born; wait'
take_facts s.json
is "$status,$(fact outcome.signal)" 124,15 'a child born after the last tick: TERM'
is_true "$(fact time.wall_s) < 8" 'and pmon does not wait for KILL'
wait_until is_gone "$(cat born)"
is "$?" 0 'and it has ended'

# A stranger that has got the id of a child that was seen at the last tick
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

done_testing
