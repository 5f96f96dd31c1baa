#!/bin/sh
# SPDX-License-Identifier: MIT
# T24, T14, --pid: which processes belong to the step, and which outlive it.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload
mib=1048576

# ---- T14: a large launcher ----

for way in fork vfork spawn exec; do
    run "$workload" launcher $way 300 -- "$PMON" -q --summary s.json -- true
    take_facts s.json
    is_true "$(fact memory.peak_rss_bytes) < 8 * $mib" \
        "T14: the step's peak, not the launcher's ($way)"
    is "$(check_summary s.json)" complete "T14: the summary ($way)"
done

# ---- T24: an entry point ----

rm -f ready
run sh -c 'TRUTH_OUT=service TRUTH_READY=ready "$workload" work 100 100 15000 &
    while ! [ -s ready ]; do sleep 0.01; done
    exec "$@"' sh "$PMON" -l m.txt --summary s.json -- \
    "$workload" work 10 100 300
service=$(truth service pid)
is "$status,$(is_gone "$service" || echo alive)" 0,alive \
    'service & exec pmon: the service lives on'
take_facts s.json
is_true "$(fact memory.peak_rss_bytes) < 30 * $mib" 'its memory is not counted'
is_true "$(awk '!/^#/ && $3 > most { most = $3 } END { print most }' m.txt) < 30" \
    'nor in the rows'
is_true "$(fact cpu.total_s) < 0.18" 'its CPU is not counted'
is "$(fact processes.seen),$(fact outcome.survivors)" 1,0 \
    'it is neither a process of the step nor a survivor'
unlike "$(cat err)" "$service|left" 'no message mentions it'
kill "$service"
run sh -c '"$workload" work 100 200 0 & exec "$@"' sh "$PMON" -l m.txt \
    --summary s.json -- "$workload" work 10 100 600
take_facts s.json
is_true "$(fact cpu.total_s) < 0.18" 'one that ends meanwhile is not counted'
is "$(fact cpu.total_word)" exact 'and the total is exact'
orphaned() { # DESC SERVICE: a service whose child pmon adopts
    rm -f ready orphan held go
    run sh -c "$2"' & while ! [ -s go ]; do sleep 0.01; done
        exec env TRUTH_READY=ready "$@"' sh "$PMON" -i 0.05 -l m.txt \
        --summary s.json -- "$workload" work 10 100 900
    take_facts s.json
    is "$status,$(test -s held && echo held)" 0,held "$1: it was there"
    is_true "$(fact memory.peak_rss_bytes) < 30 * $mib" "$1: is not counted"
    is "$(fact outcome.survivors)" 0 "$1: is no survivor"
    kill "$(truth orphan pid)"
}
orphaned 'an orphan of the service, older than pmon' '
    (TRUTH_OUT=orphan TRUTH_READY=held "$workload" work 100 0 15000 &
    while ! [ -s held ]; do sleep 0.01; done
    echo > go; sleep 0.5)'
orphaned 'an orphan of the service, younger than pmon' '
    (echo > go; while ! [ -s ready ]; do sleep 0.01; done
    TRUTH_OUT=orphan TRUTH_READY=held "$workload" work 100 0 15000 &
    while ! [ -s held ]; do sleep 0.01; done; sleep 0.2)'

# ---- T24: survivors ----

# A process group of its own, as of timeout, would be orphaned at its end, and
# the kernel would end the stopped processes in it
rm -f truth
TRUTH_OUT=truth timeout --foreground -k 5 20 "$PMON" -l m.txt \
    --summary s.json -- "$workload" stopped-child 20 2> err
status=$?
stopped=$(truth truth stopped.pid)
is "$status" 0 'a stopped child outlives the step: pmon ends'
is_in_state "$stopped" T
is "$?" 0 'it stays stopped'
like "$(cat err)" "^pmon: .*$stopped" 'and named'
take_facts s.json
is "$(fact outcome.survivors)" 1 'and counted'
kill -KILL "$stopped"
rm -f truth
run env TRUTH_OUT=truth "$PMON" --summary s.json -- \
    "$workload" daemon-outlive 50 0 15000
survivor=$(truth truth daemon.pid)
is "$status,$(is_gone "$survivor" || echo alive)" 0,alive \
    'a daemon outlives the step: it is left'
like "$(cat err)" "^pmon: .*1 process.*5[01][.0-9]* MiB.*workload.*$survivor" \
    'the number, memory and name of survivors'
is "$(check_summary s.json)" complete 'a daemon outlives: the summary'
take_facts s.json
is "$(fact outcome.survivors)" 1 'a daemon outlives: it is counted'
is_true "$(fact memory.peak_rss_bytes) > 50 * $mib" 'its memory too'
kill "$survivor"
: > ready
run env TRUTH_READY=ready "$PMON" --summary s.json -- sh -c '
    for i in 1 2 3 4 5 6 7 8 9 10; do
        "$workload" work 1 0 15000 &
        echo $! >> pids
    done
    while [ "$(wc -c < ready)" -lt 10 ]; do sleep 0.01; done'
is_clean err 'ten survivors: every line is pmon: and plain'
like "$(cat err)" '^pmon: .*10 processes.*workload' 'ten survivors'
is_true "$(wc -l < err) <= 8" 'ten survivors: at most 8 lines'
is "$(grep 'left' err | grep -oE '\([0-9]+\)' | tr -d '()' | grep -vxc -f pids)" \
    0 'ten survivors: the named ones are right'
xargs kill < pids
for id in escape newline ff rtl; do
    rm -f truth ready
    TRUTH_OUT=truth TRUTH_READY=ready run "$PMON" --summary s.json -- sh -c '
        "$workload" name '$id' comm 1 0 15000 &
        while ! [ -s ready ]; do sleep 0.01; done'
    is_clean err "a survivor with a hostile name ($id)"
    kill "$(truth truth "$id.pid")"
done

for name in docker podman-remote srun ssh kubectl systemd-run; do
    printf '#!/bin/sh\nexit 3\n' > $name
    chmod +x $name
    run "$PMON" -- ./$name
    is "$status,$(grep -c '^pmon: .*the work runs elsewhere; run pmon inside' \
        err)" 3,1 "$name: the work runs elsewhere, said once"
done
printf '#!/bin/sh\nsleep 0.4\nexit 3\n' > srun
for step in 'sh -c "./srun; exit 3"' 'timeout 60 ./srun' \
    'sh -c "sh -c \"timeout 60 ./srun\"; exit 3"'; do
    eval "run \"\$PMON\" -- $step"
    is "$status,$(grep -c '^pmon: srun: the work runs elsewhere; run pmon inside' \
        err)" 3,1 "$step: the work runs elsewhere, said once"
done
printf '#!/bin/sh\nsleep 0.2\nexec sleep 0.3\n' > systemd-run
run "$PMON" -i 0.02 -- ./systemd-run --scope
unlike "$(cat err)" elsewhere 'systemd-run --scope becomes the work'
run "$PMON" -i 0.02 -- sh -c './systemd-run --scope; exit 3'
unlike "$(cat err)" elsewhere 'also below the step'
cp srun podman
run "$PMON" -- ./podman
unlike "$(cat err)" elsewhere 'podman: its containers are counted'
printf '#!/bin/sh\nsleep 0.1\n' > ssh
run "$PMON" -i 0.02 -- sh -c './ssh; sleep 0.5; exit 3'
unlike "$(cat err)" elsewhere 'ssh for a moment: the work is here'
printf '#!/bin/sh\nsleep 10\n' > ssh
run "$PMON" -i 0.02 -- sh -c './ssh & "$workload" work 1 800 0; kill $!'
mean=$(sed -n 's/.*mean \([0-9]*\) %.*/\1/p' err)
if [ "${mean:-0}" -lt 20 ]; then
    skip 'ssh beside work that is here' "the work got $mean % of a processor"
else
    unlike "$(cat err)" elsewhere 'ssh beside work that is here'
fi

# ---- --pid ----

# A workload in the background, ready: its pid in $target
target() {
    rm -f truth ready go m.txt s.json
    mkfifo go
    TRUTH_OUT=truth TRUTH_READY=ready TRUTH_GO=go "$workload" "$@" &
    target=$!
    wait_until [ -s ready ]
}

target work 20 0 1500
run "$PMON" --pid $target -l 'm_%p.txt' --append-peak p.csv --summary s.json
is "$status" 0 '--pid: a process that ends: 0'
wait $target
is "$(check_summary s.json)" complete '--pid: the summary'
take_facts s.json
is "$(fact outcome.reason),$(fact outcome.exit_status),$(
    fact outcome.pmon_status),$(fact command.pid)" "exited,null,0,$target" \
    '--pid: the outcome'
is "$(fact memory.peak_rss_word)" 'at least' '--pid: the peak is a bound'
is_true "$(fact memory.peak_rss_bytes) >= 20 * $mib" '--pid: its memory'
is_true "$(awk '!/^#/ && NF == 4' "m_$target.txt" | wc -l) >= 3" '--pid: rows'
is "$(wc -l < p.csv)" 3 '--pid: the block'
is_clean err '--pid: every line is pmon: and plain'

target old-peak 100 30 400 300 200
"$PMON" -q --pid $target -i 0.02 -l m.txt --summary s.json &
job=$!
wait_until has_lines m.txt 3
echo > go
finish $job
wait $target
take_facts s.json
spent=$(awk "BEGIN { print ($(truth truth self_cpu_ns) - $(
    truth truth cpu_at_ready_ns)) / 1e9 }")
is_true "$(fact cpu.total_s) < $spent + 0.05" '--pid: CPU from attach only'
is_true "$(fact cpu.total_s) > $spent * 0.8 - 0.02" '--pid: and all of that'
is_true "$(fact memory.peak_rss_bytes) < 60 * $mib" \
    "--pid: yesterday's peak is not reported"
is_true "$(fact memory.peak_rss_bytes) >= 30 * $mib" "--pid: today's is"

target work 5 0 28000
for name in INT TERM HUP QUIT; do
    rm -f s.json
    : > m.txt
    timeout -k 5 20 "$ptyrun" -o pty -f m.txt -k $name -- "$PMON" \
        --pid $target -i 0.02 -l m.txt --summary s.json
    is "$?,$(is_gone $target || echo alive)" 0,alive \
        "--pid, $name: 0, and the process goes on"
    take_facts s.json
    is "$(fact outcome.reason),$(check_summary s.json)" detached,complete \
        "--pid, $name: the summary"
done
run "$PMON" --pid $target -i 0.02 -d 0.2 -l m.txt --summary s.json
is "$status,$(is_gone $target || echo alive)" 0,alive \
    '--pid --duration: 0, and the process goes on'
is_true "$(tail -n 1 m.txt | awk '{ print $1 }') >= 0.2" \
    '--pid --duration: rows until then'
kill $target
wait $target 2> bad

target idle 3 1500
run "$PMON" -q --pid $target --summary s.json
wait $target
take_facts s.json
is "$(fact processes.max_alive)" 4 '--pid: its children are counted'
run sh -c '"$PMON" -q --pid $$ -i 0.05 -d 0.3 --summary s.json & wait'
take_facts s.json
is "$status,$(fact processes.max_alive)" 0,1 '--pid: pmon does not count itself'
# It loses its parent after a row has counted it, and must be in later rows
rm -f m.txt orphaned
has_row_of_50_mib() {
    awk -v after="$(cat orphaned 2> bad)" '!/^#/ && $3 > 50 && $1 > after + 0.2 {
        found = 1 } END { exit !found }' m.txt
}
sh -c 'sh -c "
    \"\$workload\" work 50 0 15000 & echo \$! > worker
    until [ -e seen ]; do sleep 0.01; done"
    tail -n 1 m.txt > last; mv last orphaned
    until [ -e over ]; do sleep 0.01; done' &
target=$!
"$PMON" -q --pid $target -i 0.05 -l m.txt &
job=$!
wait_until has_row_of_50_mib
: > seen
wait_until [ -s orphaned ]
wait_until has_row_of_50_mib
is "$?" 0 '--pid: one that is re-parented stays'
: > over
wait $target
finish $job
kill "$(cat worker)"

mkfifo fifo
sh -c 'exit 0' &
ended=$!
wait $ended
echo "yesterday's log" > m.txt
run "$PMON" --pid $ended -l m.txt --summary new.json
is "$status,$(wc -l < err),$(cat m.txt)" "125,1,yesterday's log" \
    '--pid: no such process: 125, the log as it was'
like "$(cat err)" "^pmon: --pid $ended: .*no such process" \
    '--pid: no such process: the message'

# ---- what has no memory ----

python3 -c '
import os, sys, time
pid = os.fork()
if pid == 0:
    os._exit(0)
print(pid, flush=True)
sys.stdin.read()' < fifo > zombie &
holder=$!
exec 9> fifo
while ! [ -s zombie ]; do sleep 0.01; done
read -r ended < zombie
while ! grep -q '^State:.*zombie' "/proc/$ended/status"; do sleep 0.01; done
run "$PMON" --pid "$ended" -l m.txt
is "$status,$(wc -l < err),$(cat m.txt)" "125,1,yesterday's log" \
    '--pid: a zombie: 125, the log as it was'
like "$(cat err)" "^pmon: --pid $ended: has already ended" \
    '--pid: a zombie: the message'
exec 9>&-
wait $holder

if grep -q '^Kthread:.*1' /proc/2/status 2> bad ||
    [ "$(cat /proc/2/comm 2> bad)" = kthreadd ]; then
    run "$PMON" --pid 2
    is "$status" 125 '--pid: a kernel thread: 125'
    like "$(cat err)" '^pmon: --pid 2: is a kernel thread' \
        '--pid: a kernel thread: the message'
else
    skip '--pid: a kernel thread' 'none is visible here'
fi
done_testing
