#!/bin/sh
# SPDX-License-Identifier: MIT
# T16: which process gets which signal how often, and what pmon leaves behind.
# The workload counts signals; ptyrun is the terminal and the sender, because a
# script starts its & commands with INT and QUIT ignored.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_OUT=$work/truth
TRUTH_READY=$work/ready
TRUTH_DEADLINE=30
export TRUTH_OUT TRUTH_READY TRUTH_DEADLINE workload

fresh() {
    rm -f truth ready go* m.txt p.csv s.json arrived started
}

# On a terminal: STEPS of ptyrun, then -- and the command
on_terminal() {
    fresh
    timeout -k 5 20 "$ptyrun" -t 15 -o pty "$@"
    status=$?
}

# The same, with pmon and its files before the command
pmon_on_terminal() {
    steps=
    while [ "$1" != -- ]; do
        steps="$steps $1"
        shift
    done
    shift
    # shellcheck disable=SC2086  # the steps are words without blanks
    on_terminal $steps -- "$PMON" -l m.txt --append-peak p.csv \
        --summary s.json -- "$@"
}

# ---- sent to pmon alone ----

for name in INT TERM HUP; do
    pmon_on_terminal -f "$TRUTH_READY" -k $name -- "$workload" trap 100 7
    is "$status" 7 "$name to pmon: the step's status"
    is "$(arrivals $name)" 1 "$name to pmon: the step gets it once"
    like "$(truth truth arrival)" "^$name,user,$(truth truth ppid)," \
        "$name to pmon: from pmon"
    is_whole "$name to pmon"
done
for name in QUIT USR1 USR2 CONT; do
    pmon_on_terminal -f "$TRUTH_READY" -k $name -p 150 -k TERM -- \
        "$workload" trap 100 7
    is "$status,$(arrivals $name),$(arrivals TERM)" 7,1,1 \
        "$name to pmon, then TERM: each once"
done
pmon_on_terminal -f "$TRUTH_READY" -k TERM -k TERM -- "$workload" trap 400 7
is "$(arrivals TERM)" 1 'TERM twice at once: passed once'
pmon_on_terminal -f "$TRUTH_READY" -k TERM -p 400 -k TERM -- \
    "$workload" trap 1500 7
is "$(arrivals TERM)" 2 'TERM twice, 400 ms apart: passed twice'
pmon_on_terminal -f "$TRUTH_READY" -k INT -k TERM -- "$workload" trap 400 7
is "$(arrivals INT),$(arrivals TERM)" 1,1 'INT and TERM at once: both passed'
pmon_on_terminal -f "$TRUTH_READY" -k TERM -- "$workload" trap 100 die
is "$status" 143 'TERM kills the step: pmon dies of it too'
is_whole 'TERM, of which the step dies'

# ---- those that few programs send ----

by_number() { # SIGNAL HOW: pmon gets it when the step is ready
    fresh
    timeout -k 5 20 "$PMON" -q -l m.txt --append-peak p.csv --summary s.json \
        -- sh -c "ulimit -c 0; $2 echo \$PPID > ready
            while [ \$((i += 1)) -lt 300 ]; do sleep 0.05; done" &
    job=$!
    wait_until [ -s ready ]
    kill -"$1" "$(cat ready)"
    finish $job
}
realtime=$(($(kill -l RTMIN 2> bad || echo 34) + 2))
for number in ALRM VTALRM PROF XCPU XFSZ IO PWR ABRT $realtime; do
    by_number "$number" "trap 'exit 9' $number;"
    is "$status" 9 "$number to pmon: the step gets it, and ends as it will"
    is_whole "$number to pmon"
done
for number in ALRM XCPU $realtime; do
    by_number "$number" ''
    like "$((status - 128)) $(kill -l "$status")" "(^| )$number( |\$)" \
        "$number to pmon: the step dies of it"
    is_whole "$number, of which the step dies"
done
run setsid -w "$python" -S -c 'import os, signal, sys
signal.alarm(1)
os.execv(sys.argv[1], sys.argv[1:])' "$PMON" -q -- sleep 20
is "$status" 142 'an alarm that was set before pmon ends the step'
# shellcheck disable=SC3045  # where there is no such limit, the step runs
(
    ulimit -f 100
    run "$PMON" --regions regions -- sh -c 'exit 6'
    [ "$status" = 6 ]
)
is "$?" 0 'ulimit -f and --regions: the step runs'
like "$(cat err)" '^pmon: --regions: .* will be lost .*: File too large; ulimit' \
    'and that is reported'

# ---- timeout(1) signals pmon, and then the group of both ----

cat > clean.py << 'END'
import os, signal, sys, time
def take(number, frame):
    with open("arrived", "a") as file:
        file.write("TERM\n")
    if os.path.getsize("arrived") == 5:
        raise SystemExit(3)
signal.signal(signal.SIGTERM, take)
try:
    open("ready", "w").write("ready")
    time.sleep(30)
finally:
    time.sleep(0.3)
END
count=0
for _ in 1 2 3 4 5 6; do
    fresh
    # As the clock of timeout would do, but when the step is ready
    timeout -k 5 30 "$PMON" -q -- "$python" -S clean.py &
    job=$!
    wait_until [ -s ready ]
    kill -TERM $job
    finish $job
    count=$((count + $(wc -l < arrived)))
done
is "$count" 6 'timeout pmon -- step, six times: TERM arrives once'
fresh
# shellcheck disable=SC2016
timeout -k 5 20 setsid -w sh -c '"$PMON" -q -- "$workload" trap 300 7 &
    until [ -s ready ]; do sleep 0.02; done
    kill -TERM $!
    kill -CONT $!
    wait $!'
is "$?,$(arrivals TERM)" 7,1 'TERM and CONT of a script only to pmon: passed'

# ---- from the terminal ----

pmon_on_terminal -f "$TRUTH_READY" -s '\003' -- "$workload" trap 1000 5
is "$status" 5 'Ctrl-C: the status of a step that takes 1 s to end'
is "$(arrivals INT)" 1 'Ctrl-C: once'
like "$(truth truth arrival)" '^INT,kernel,' 'Ctrl-C: from the terminal'
is_true "$(tail -n 1 m.txt | awk '{ print $1 }') >= 1" \
    'Ctrl-C: rows until the end'
is_whole 'Ctrl-C'
pmon_on_terminal -f "$TRUTH_READY" -s '\003' -- "$workload" work 0 0 20000
is "$status" 130 'Ctrl-C: a step that dies of it'
pmon_on_terminal -f "$TRUTH_READY" -s '\034' -- "$workload" work 0 0 20000
is "$status" 131 'Ctrl-\: QUIT'
is "$(find . -name 'core*' | wc -l)" 0 'Ctrl-\: no core of pmon'
pmon_on_terminal -f "$TRUTH_READY" -z 100x30 -p 100 -k TERM -- \
    "$workload" trap 100 0
is "$(arrivals WINCH)" 1 'a new size of the window: WINCH once'
pmon_on_terminal -f "$TRUTH_READY" -H -- "$workload" trap 100 7 2000
is "$(arrivals HUP)" 1 'hang-up, pmon leads the session: the step gets HUP'
is_whole 'hang-up'
# shellcheck disable=SC2016
on_terminal -l -f "$TRUTH_READY" -H -- sh -c '"$PMON" -l m.txt --append-peak p.csv \
    --summary s.json -- "$workload" trap 100 7 4000; :'
wait_until grep -q '^end_ns' truth
is "$(arrivals HUP)" 1 'hang-up, a shell leads the session: HUP once'

# ---- a step in a group of its own, which the terminal does not signal ----

on_terminal -f "$TRUTH_READY" -s '\003' -- "$PMON" -q -- \
    "$python" -S -c "$leader" "$workload" trap 100 7
is "$status,$(arrivals INT)" 7,1 'Ctrl-C: a step in a group of its own gets it'

# ---- a step that may not be signalled ----

# root without the right to signal a step of another user, as with sudo
# shellcheck disable=SC2016  # the step expands it
set -- setpriv --bounding-set -kill "$PMON" -q -- \
    setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
        echo $PPID
        until [ -s go ]; do sleep 0.05; done
        exit 3'
fresh
chmod 755 .
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups true 2> bad; then
    timeout -k 5 20 "$@" > started 2> err &
    job=$!
    wait_until [ -s started ]
    kill -TERM "$(cat started)"
    wait_until [ -s err ]
    echo > go
    finish $job
    is "$status" 3 'a step that may not be signalled: its status'
    like "$(cat err)" '^pmon: TERM cannot be passed to setpriv \([0-9]+\): ' \
        'and that is reported'
else
    skip 'a step that may not be signalled' 'we are not root'
fi

# ---- to the whole group ----

pmon_on_terminal -f "$TRUTH_READY" -g TERM -- "$workload" trap 300 7
is "$status" 7 'TERM to the group: the status'
like "$(arrivals TERM)" '^[12]$' 'TERM to the group: twice at most'
for name in TERM INT; do
    fresh
    TRUTH_GROUP=1 timeout -k 5 20 setsid -w "$ptyrun" -o pty -- "$PMON" \
        -q -- "$workload" kill-group $name 400 4
    is "$?,$(arrivals $name)" 4,1 "the step's own kill 0, $name: not handed back"
done
by_a_child() { # WHAT IT DOES, DESC: four times
    count=0
    for _ in 1 2 3 4; do
        on_terminal -- "$PMON" -q -i 0.02 -l m.txt -- sh -c "
            pmon=\$PPID
            export pmon
            trap 'echo TERM >> arrived' TERM
            sh -c '$1'
            sleep 0.2"
        count=$((count + $(wc -l < arrived)))
    done
    is "$count" 4 "kill 0 of a child of the step, $2, four times: once"
}
# waits until pmon has taken the signal, and a row began after the child
cat > taken.sh << 'END'
while grep -q '^ShdPnd:.*[4-7c-f]...$' /proc/$pmon/status; do sleep 0.02; done
sleep 0.1
END
cat > seen.sh << 'END'
rows=$(wc -l < m.txt)
until [ "$(wc -l < m.txt)" -ge $((rows + 2)) ]; do sleep 0.02; done
END
by_a_child 'trap "" TERM; kill -TERM 0; . ./taken.sh' 'which lives on'
by_a_child '. ./seen.sh; kill -TERM 0' 'a child that was sampled and dies of it'

# ---- a step that does not end ----

fresh
timeout -k 5 20 "$ptyrun" -o pty -f ready -k INT -k HUP -k QUIT -- "$PMON" \
    -l m.txt --append-peak p.csv --summary s.json -- "$workload" ignore 1200 &
job=$!
wait_until [ -s s.json ]
cp s.json early.json
finish $job
is "$status" 0 'a step that ignores INT, HUP, QUIT: its status'
is "$(check_summary early.json)" complete 'a summary is written at the first'
take_facts early.json
is "$(fact outcome.reason),$(fact outcome.exit_status)" running,null \
    'which says that it runs'
take_facts s.json
is "$(fact outcome.reason),$(fact outcome.exit_status)" exited,0 \
    'and at the end reports that it has ended'
is_whole 'a step that ignores INT, HUP, QUIT'

fresh
"$PMON" -i 0.02 -l m.txt --summary s.json -- "$workload" trap 20000 0 2> err &
job=$!
wait_until [ -s ready ]
kill -TERM $job
wait_until [ -s s.json ]
wait_until has_lines m.txt 5
kill -KILL $job
wait $job 2> bad
is "$(check_summary s.json)" complete \
    'KILL of pmon after TERM: there is a summary'
is "$(awk '!/^#/ && NF != 4' m.txt)$(tail -c 1 m.txt)" '' \
    'KILL of pmon: whole rows are there'
kill -KILL "$(truth truth pid)"

# ---- while pmon waits ----

mkfifo fifo
on_terminal -t 5 -p 300 -k TERM -- "$PMON" -l fifo -- touch started
is "$status" 143 'TERM while nobody reads the log, a FIFO: pmon ends'
is "$(ls started 2> bad)" '' 'and nothing was started'
"$PMON" -q -l fifo --summary s.json -- touch started &
job=$!
wait_until grep . "/proc/$job/task/$job/children" > child
kill -KILL "$(cat child)"
wait_until is_gone "$(cat child)"
timeout 20 cat fifo > got &
finish $job
take_facts s.json
is "$status,$(fact outcome.reason)" 137,signaled \
    'the step is killed meanwhile: pmon ends'
done_testing
