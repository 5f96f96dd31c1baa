#!/bin/sh
# SPDX-License-Identifier: MIT
# T16, as a shell sees it: loops, stop and fg, background, nohup. ptyrun is the
# terminal, because a script starts its & commands with INT and QUIT ignored.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # what is typed is for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_OUT=$work/truth
TRUTH_READY=$work/ready
TRUTH_DEADLINE=30
export TRUTH_OUT TRUTH_READY TRUTH_DEADLINE workload python leader

fresh() {
    rm -f truth ready go* m.txt p.csv s.json arrived started
}

# On a terminal: STEPS of ptyrun, then -- and the command
on_terminal() {
    fresh
    timeout -k 5 20 "$ptyrun" -t 15 -o pty "$@"
    status=$?
}

# ---- a loop of two ----

# shellcheck disable=SC2016
loop='for i in 1 2; do
    $RUNNER "$workload" $STEP
done'
loops() { # STEP STARTS STATUS DESC
    for RUNNER in '' "$PMON -q --"; do
        export RUNNER STEP="$1"
        on_terminal -f "$TRUTH_READY" -s '\003' -- bash -c "$loop"
        is "$(grep -c '^start_epoch_ns=' truth) $status" "$2 $3" \
            "a bash loop of two, $4${RUNNER:+, under pmon}"
    done
}
if command -v bash > bad; then
    loops 'trap 200 die' 1 130 'dies of Ctrl-C: the second never starts'
    loops 'work 0 0 20000' 1 130 'without a trap: the second never starts'
    loops 'trap 200 0 300' 2 98 'ends well after Ctrl-C: the loop goes on'
else
    skip 'a bash loop of two' 'bash is not installed'
fi

# ---- stopped, and on again ----

shell() { # on_terminal's steps, in an interactive shell
    PS1='PROMPT> '
    export PS1
    on_terminal -n -w 'PROMPT> ' "$@" -- bash --norc --noediting -i
}
if command -v bash > bad; then
    for name in TSTP STOP; do
        shell -s '$PMON -l m.txt --append-peak p.csv --summary s.json -- $workload stop '$name' 200 5\n' \
            -w Stopped -w 'PROMPT> ' -s 'fg\n' -w 'PROMPT> ' \
            -s 'echo "status=$?"; exit\n' -w 'status='
        like "$(cat pty)" 'status=5' "a step that stops itself ($name), fg"
        is "$(grep -c Stopped pty)" 1 "$name: stopped once"
        is_whole "$name"
    done
    shell -s '$PMON -q -i 0.05 -l m.txt -- $workload work 0 0 600\n' -f ready \
        -s '\032' -w Stopped -w 'PROMPT> ' -s 'echo "stopped=$?"; fg\n' \
        -w 'PROMPT> ' -s 'echo "status=$?"; exit\n' -w 'status='
    like "$(cat pty)" 'stopped=148' 'Ctrl-Z: the shell sees TSTP'
    like "$(cat pty)" 'status=0' 'Ctrl-Z, fg'
    shell -s 'for i in 1 2 3; do echo "run=$i"; $PMON -q -- $workload work 0 0 600; done\n' \
        -f ready -s '\032' -w Stopped -w 'PROMPT> ' -s 'fg\n' -w 'PROMPT> ' \
        -s 'exit\n' -w exit
    is "$(grep -c 'run=' pty)" 1 'Ctrl-Z in a loop: bash leaves it'
    shell -s '$PMON -q -i 0.05 -l m.txt -- $workload work 0 0 600\n' -f ready \
        -s '\032' -w Stopped -w 'PROMPT> ' -s 'bg\n' -w 'PROMPT> ' \
        -s 'wait; echo "status=$?"; exit\n' -w 'status='
    like "$(cat pty)" 'status=0' 'Ctrl-Z, bg'
    shell -s '$PMON -q -i 0.05 -l m.txt -- $python -S -c "$leader" $workload work 0 0 600\n' \
        -f ready -s '\032' -w Stopped -w 'PROMPT> ' -s 'fg\n' -w 'PROMPT> ' \
        -s 'echo "status=$?"; exit\n' -w 'status='
    like "$(cat pty)" 'status=0' 'Ctrl-Z, fg: a step in a group of its own'

    # without a step that would stop first, pmon stops all the same
    shell -s 'sleep 60 & $PMON -q -l m.txt --pid $!\n' -f m.txt \
        -s '\032' -w Stopped -w 'PROMPT> ' -s 'kill $!; fg\n' -w 'PROMPT> ' \
        -s 'echo "status=$?"; exit\n' -w 'status='
    like "$(cat pty)" 'status=0' '--pid: Ctrl-Z, fg'
    cat > outlive <<'SH'
root=$$
setsid sh -c "while kill -0 $root; do sleep 0.02; done 2> /dev/null
    echo \$\$ > ready
    exec sleep 60" &
SH
    shell -s '$PMON -q --survivors wait -- sh outlive\n' -f ready \
        -s '\032' -w Stopped -w 'PROMPT> ' -s 'kill $(cat ready); fg\n' \
        -w 'PROMPT> ' -s 'echo "status=$?"; exit\n' -w 'status='
    like "$(cat pty)" 'status=0' '--survivors wait: Ctrl-Z, fg'

    # meanwhile the shell has the row of --live
    for what in '-- sleep 60' '--pid $$'; do
        shell -s "stty rows 24 cols 80; TERM=xterm \$PMON --live $what\n" \
            -w RSS -s '\032' -w Stopped -w 'PROMPT> ' \
            -s 'kill -KILL %1; exit\n' -w exit
        is "$(sed '/Stopped/q' pty | tr '\033' '\n' | grep -c '^\[r')" 1 \
            "--live $what: Ctrl-Z gives all rows back"
    done

    # a background job that reads from the terminal stops, and pmon too
    fresh
    shell -s '$PMON -q -- sh -c '"'"'echo $$ $PPID > ready; read x; echo got=$x'"'"' &\n' \
        -w 'PROMPT> ' -f go1 -s 'fg\n' -s 'hello\n' -w got=hello -s 'exit\n' &
    job=$!
    wait_until [ -s ready ]
    read -r step monitor < ready
    wait_until is_in_state "$step" T && wait_until is_in_state "$monitor" T
    is "$?" 0 'a background step that reads the terminal stops, with pmon'
    echo > go1
    finish $job
    is "$status" 0 'fg: and it reads'

    fresh
    shell -s '$PMON -q -i 0.05 -l m.txt -- $workload trap 100 6\n' -f ready \
        -w Stopped -w 'PROMPT> ' -f go1 -s 'fg\n' -f go2 -s 'exit\n' &
    job=$!
    wait_until [ -s ready ]
    step=$(truth truth pid)
    kill -TSTP "$(truth truth ppid)"
    wait_until is_in_state "$step" T
    is "$?" 0 'TSTP to pmon: the step stops'
    wait_until is_in_state "$(truth truth ppid)" T
    is "$?" 0 'TSTP to pmon: it holds the terminal and stops too'
    echo > go1
    wait_until is_in_state "$step" S
    is "$?" 0 'TSTP to pmon: fg, and the step goes on'
    kill -TERM "$(truth truth ppid)"
    wait_until is_gone "$(truth truth ppid)"
    is "$?,$(arrivals TERM)" 0,1 'TSTP, fg, TERM: the end'
    echo > go2
    finish $job

    shell -s 'stty tostop; $PMON -- sleep 0.1 & wait; echo "status=$?"; exit\n' \
        -w 'status='
    like "$(cat pty)" 'status=0' 'in the background pmon may say its words'
    like "$(cat pty)" 'pmon: sleep: exit status 0' 'and says them'
else
    skip 'a step that stops itself' 'bash is not installed'
fi

fresh
timeout -k 5 20 setsid -w "$PMON" -q -i 0.02 -l m.txt -- \
    "$workload" stop STOP 0 6 &
job=$!
wait_until [ -s ready ]
step=$(truth truth pid)
wait_until is_in_state "$step" T
rows=$(wc -l < m.txt)
wait_until has_lines m.txt $((rows + 3))
is "$?" 0 'a stopped step without a terminal: pmon goes on'
kill -CONT "$step"
finish $job
is "$status" 6 'a stopped step without a terminal: CONT, its status'

# ---- ignored at entry ----

ignored() { # SIGNAL: neither for pmon nor passed, whatever pmon was given
    wait_until [ -s ready ]
    kill -"$1" "$(truth truth ppid)"
    kill -USR1 "$(truth truth ppid)"
    wait_until grep -q '^arrival=USR1' truth
    kill -TERM "$(truth truth ppid)"
    finish $job
    is "$status,$(arrivals "$1"),$(arrivals USR1)" 7,0,1 \
        "$1 ignored at entry: is not passed"
}
fresh
"$PMON" -q -- "$workload" trap 50 7 < /dev/null &
job=$!
ignored INT
is "$(grep -c '^ignored_at_entry=\(INT\|QUIT\)$' truth)" 2 \
    '&: INT and QUIT are ignored in the step'
fresh
nohup "$PMON" -q -- "$workload" trap 50 7 > out 2> err &
job=$!
ignored HUP
like "$(cat truth)" '^ignored_at_entry=HUP$' 'nohup: HUP is ignored in the step'

done_testing
