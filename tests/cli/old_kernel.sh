#!/bin/sh
# SPDX-License-Identifier: MIT
# Without pidfd_open(2) and clone3(2), which are missing before Linux 5.3 and
# forbidden in some containers, pmon does the same by other means.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE

run "$workload" old-kernel -- true
if [ "$status" = 97 ]; then
    skip 'an old kernel' 'system calls cannot be filtered here (seccomp(2))'
    done_testing
fi
old() {
    run "$workload" old-kernel -- "$@"
}

# ---- a step ----

old "$PMON" -q -- sh -c 'exit 3'
is "$status" 3 "a step's status"
old "$PMON" -q -- sh -c 'kill -KILL $$'
is "$status" 137 'a step that is killed'
old "$PMON" -q -- ./missing
is "$status" 127 'a step that is not there'
rm -f truth
old env TRUTH_OUT=truth "$PMON" -q -i 60 --summary s.json -- \
    "$workload" spike 100 5 20
take_facts s.json
is "$(fact memory.peak_rss_word)" exact 'the peak of a step'
is_true "$(fact memory.peak_rss_bytes) >= $(truth truth hwm_bytes) * 0.99" \
    'is that of the workload'
old "$PMON" -q --kill-after 0.1 --max-time 0.2:stop -- sleep 20
is "$status" 124 'a step that is stopped'

# ---- --pid ----

rm -f ready
TRUTH_READY=ready "$workload" work 20 0 1500 &
target=$!
wait_until [ -s ready ]
old timeout -k 5 20 "$PMON" --pid $target -i 60 --summary s.json
wait $target
is "$status,$(check_summary s.json)" 0,complete '--pid: ends with the process'
take_facts s.json
is "$(fact outcome.reason)" exited '--pid: the outcome'
is_true "$(fact memory.peak_rss_bytes) >= 20 * 1048576" '--pid: its memory'

# A zombie counts as ended, though nobody has reaped it
rm -f pid
sh -c '"$0" work 0 0 1500 & echo $! > pid; exec sleep 20' "$workload" &
parent=$!
wait_until [ -s pid ]
old timeout -k 5 10 "$PMON" -q --pid "$(cat pid)"
is "$status" 0 '--pid: ends with a process that nobody reaps'
kill $parent

"$workload" threads 2 15000 > out &
target=$!
thread_of() {
    find "/proc/$1/task" -mindepth 1 -maxdepth 1 ! -name "$1" 2> bad |
        sed -n '1s/.*\///p' > thread
    [ -s thread ]
}
wait_until thread_of $target
old timeout -k 5 10 "$PMON" -q --pid "$(cat thread)"
is "$status" 125 '--pid: not for a thread'
like "$(cat err)" '^pmon: --pid [0-9]+: is a thread, not a process$' \
    '--pid: not for a thread: the message'
kill $target
wait $target 2> bad
old "$PMON" -q --pid $target
is "$status" 125 '--pid: no such process'
done_testing
