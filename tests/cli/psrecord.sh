#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon psrecord: the documented command lines of psrecord, the output that
# scripts read, and differences.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

# A step whose first process is small and whose child holds 40 MiB.
cat > tree.sh << END
#!/bin/sh
"$workload" work 40 0 700 > truth.child
exit 3
END
# Two children, one of which ignores TERM; the root handles both signals.
cat > stubborn.sh << 'END'
#!/bin/sh
sh -c 'echo $$ > one; exec sleep 60' &
sh -c 'trap "" TERM; echo $$ > two.part; mv two.part two; sleep 60; sleep 60' &
sh -c 'until [ -s one ] && [ -s two ]; do sleep 0.02; done; touch ready'
wait
END
chmod +x tree.sh stubborn.sh

# Ctrl-C: started now, because KILL comes 11 s later; checked at the end.
start_stubborn() { # FOLDER OPTION…
    mkdir "$1"
    (
        cd "$1" || exit 99
        shift
        # Commands that a shell starts with & ignore INT.
        exec env --default-signal=INT "$PMON" psrecord ../stubborn.sh "$@" --log m.txt > out 2> err
    ) &
}
start_stubborn alone
alone=$!
start_stubborn all --include-children
all=$!
for folder in alone all; do
    wait_until test -e $folder/ready || not_ok "$folder is ready" 'it is not'
done
kill -INT $alone $all

most_of_log() { # FILE
    awk '!/^#/ && $3 > most { most = $3 } END { print most + 0 }' "$1"
}
header='# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)'

# ---- the examples of its README, with a process of ours for 1330 ----

sleep 60 &
other=$!
run "$PMON" psrecord $other --log activity.txt --duration 0.3
is "$status: $(cat out)" "0: Attaching to process $other" \
    'an existing process: one line on stdout'
is "$(cat err)" '' 'and none on stderr'
is "$(head -n 1 activity.txt | sed 's/ *$//')" "$header" 'psrecord'\''s header'
is_true "$(wc -l < activity.txt) >= 4" 'rows closer than 0.1 s by default'
if is_gone $other; then
    not_ok 'the process goes on' 'it has ended'
else
    ok 'the process goes on'
fi
run "$PMON" psrecord $other --log activity.txt --duration 0.5 --interval 0.2
is_true "$(grep -vc '^#' activity.txt) <= 4" '--interval in seconds'
run "$PMON" psrecord $other --duration=1e-1 --include-children
is "$status: $(sed -n 's/ *$//; 2p' out)" "0: $header" \
    'without --log the rows go to stdout'
kill $other
wait $other 2> err

run "$PMON" psrecord "$workload work 30 0 700" --log activity.txt
is "$status: $(sed -n 1p out)" \
    "0: Starting up command '$workload work 30 0 700' and attaching to process" \
    'a command in quotes: the line before'
like "$(tail -n 1 out)" '^Process finished \([0-9]+\.[0-9][0-9] seconds\)$' \
    'and the line after it'
is "$(cat err)" '' 'nothing on stderr'
is_true "$(most_of_log activity.txt) > 30" 'its memory is in the log'
run "$PMON" psrecord 'sleep 0.2' --plot plot.png
is "$status: $(wc -l < out)" '0: 2' 'only --plot: no rows on stdout'
if command -v gnuplot > /dev/null; then
    is "$(head -c 4 plot.png | tail -c 3)" PNG 'a picture'
    run "$PMON" psrecord 'sleep 0.2' --log activity.txt --plot 100%.svg
    is "$status: $(ls 100%.svg)" '0: 100%.svg' '--log and --plot'
else
    skip 'a picture' 'gnuplot is not installed'
    like "$(cat err)" 'gnuplot' 'the package for a picture is named'
fi

# ---- by its own name ----

# Make, Python and scripts do not know aliases
mkdir link
ln -s "$PMON" link/psrecord
run link/psrecord 'sh -c "exit 3"' --log linked.txt --interval 0.05
is "$status: $(sed -n 1p out)" \
    "3: Starting up command 'sh -c \"exit 3\"' and attaching to process" \
    'a link named psrecord acts as pmon psrecord'
like "$(head -n 1 linked.txt)" '^# Elapsed time' 'and writes its log'
run env PATH="$work/link:$PATH" psrecord --help
is "$status $(sed -n 1p out)" \
    '0 usage: pmon psrecord PID|COMMAND [OPTIONS]' 'from PATH, too'
run link/psrecord
is "$status $(cat err)" \
    '125 pmon: psrecord: a pid or a command is missing: pmon psrecord PID|COMMAND' \
    'without a command'

# ---- who counts ----

run "$PMON" psrecord ./tree.sh --log alone.txt --interval 0.05
is "$status" 3 "the exit status is the step's"
is_true "$(most_of_log alone.txt) < 20" 'without --include-children the root'
run "$PMON" psrecord ./tree.sh --include-children --log all.txt
is_true "$(most_of_log all.txt) > 40" 'with it the tree'
run "$PMON" psrecord "true && $workload work 40 0 700" --log shell.txt
is_true "$(most_of_log shell.txt) > 40" 'through a shell the tree'
is "$status: $(cat err)" '0: pmon: psrecord: the command has shell characters, so child processes count' \
    'and that is reported'
run "$PMON" psrecord './tree.sh "a b"' --log quoted.txt
is_true "$(most_of_log quoted.txt) > 40" 'with quotes the tree, as psrecord'

run "$PMON" psrecord "A=1 $workload work 40 0 700" --log variable.txt
is_true "$(most_of_log variable.txt) > 40" 'a variable before the command: the tree'
is "$status: $(cat err)" '0: pmon: psrecord: a shell runs the command, so child processes count' \
    'and that is reported'
run "$PMON" psrecord "A=1 $workload work 40 0 700" --log all.txt \
    --include-children
is "$status: $(cat err)" '0: ' 'but not where it was asked for'

# ---- words ----

cat > words.sh << 'END'
#!/bin/sh
printf '[%s]' "$@"
ps -o comm= -p $PPID
END
chmod +x words.sh
run "$PMON" psrecord "./words.sh 'a b' \"c;d\" e\\ f --log=x" --log m.txt
is "$(sed -n 2p out)" '[a b][c;d][e f][--log=x]pmon' \
    'split as a shell would, and run without one'
# shellcheck disable=SC2016
run env A=1 "$PMON" psrecord './words.sh $A "$A 2"; exit 4' --log m.txt
is "$status: $(sed -n 2p out)" '4: [1][1 2]sh' 'a shell where it needs one'
# shellcheck disable=SC2016
run "$PMON" psrecord 'B=5 sh -c "exit \$B"' --log m.txt
is "$status" 5 'an assignment needs one'
run "$PMON" psrecord --log m.txt --log-format csv --include-io -- 'sleep 0.1'
is "$status: $(head -n 1 m.txt)" '0: elapsed_time,nproc,cpu,mem_real,mem_virtual,read_count,write_count,read_bytes,write_bytes' \
    'options first, csv, I/O'
run env POSIXLY_CORRECT=1 "$PMON" psrecord true --log 100%.txt
is "$status: $(ls 100%.txt)" '0: 100%.txt' 'a percent sign is one'

# ---- ends ----

run timeout 15 "$PMON" psrecord 'sleep 60' --duration 0.3 --log m.txt
is "$status: $(cat err)" '0: ' '--duration ends the step, as was asked for'
is "$(wc -l < out)" 1 'and it has not ended by itself'
is_true "$(tail -n 1 m.txt | awk '{ print $1 }') < 2" 'and recording has ended'

run timeout 15 "$PMON" psrecord 'sh -c "exit 3"' --duration 5 --log m.txt
is "$status" 3 'one that fails before keeps its status'
run timeout 15 "$PMON" psrecord \
    'sh -c "trap \"exit 5\" TERM; while :; do sleep 0.05; done"' \
    --duration 1 --log m.txt
is "$status" 5 'and one that answers TERM with a status'
run timeout 15 "$PMON" psrecord \
    'sh -c "trap \"exit 143\" TERM; while :; do sleep 0.05; done"' \
    --duration 1 --log m.txt
is "$status" 0 'but for 143, which says TERM'

# ---- errors ----

fails() { # MESSAGE ARG…
    message=$1
    shift
    run "$PMON" psrecord "$@"
    is "$status: $(cat out err)" "125: pmon: $message" "psrecord $*"
}
fails 'psrecord: a pid or a command is missing: pmon psrecord PID|COMMAND'
fails 'psrecord: a pid or a command is missing: pmon psrecord PID|COMMAND' ' '
fails "psrecord: 5: the command is one argument, put quotes around it: pmon psrecord 'sleep 5'" \
    sleep 5
fails '--nonsense: no such option (pmon psrecord --help)' \
    --nonsense true
fails '--log needs FILE' true --log
fails "psrecord: echo 'a: a quote is not closed, or the command ends in a backslash" \
    "echo 'a"
fails '--log-format xml: must be plain, csv or jsonl' true --log-format xml
fails '--pid 0: must be a process id, 1 to 4194304' 0
fails '--interval -1: must be 1 ms to 1 day (such as 0.1, 100ms, 5s, 1min), or auto' \
    true --interval=-1
run "$PMON" psrecord 'no-such-command-here 1' --log new.txt
is "$status: $(cat err)" '127: pmon: no-such-command-here: not found' \
    'a command that is not there'
if [ -e new.txt ]; then
    not_ok 'leaves no log' 'there is one'
else
    ok 'leaves no log'
fi
run "$PMON" psrecord --help
is "$status: $(sed -n 1p out)" \
    '0: usage: pmon psrecord PID|COMMAND [OPTIONS]' '--help'

# ---- its two lines on stdout may be lost, the status not ----

timeout 20 "$PMON" psrecord "sh -c 'exit 3'" --log m.txt > /dev/full 2> err
is "$?: $(grep -v 'shell characters' err)" '3: ' \
    'a full disk for its lines: the status'
timeout 20 "$PMON" psrecord "sh -c 'exit 3'" --log m.txt >&- 2> err
is "$?: $(grep -v 'shell characters' err)" '3: ' 'no stdout: the status'

# ---- Ctrl-C ----

is_stopped() { # FOLDER PID
    if wait_until is_gone "$(cat "$1/one")"; then
        ok "INT ends the tree ($1)"
    else
        not_ok "INT ends the tree ($1)" 'it lives'
    fi
    wait_until is_gone "$2" || wait_until is_gone "$2" || kill -KILL "$2"
    wait "$2"
    is "$?: $(grep -c finished "$1/out")" '130: 0' 'pmon ends by the signal'
    if is_gone "$(cat "$1/two")"; then
        ok "and KILL who ignores TERM ($1)"
    else
        not_ok "and KILL who ignores TERM ($1)" 'it lives'
    fi
    like "$(tail -n 1 "$1/m.txt")" '^( +[0-9.]+){4}$' "its log is whole ($1)"
}
is_stopped alone $alone
is_stopped all $all

done_testing
