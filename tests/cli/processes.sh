#!/bin/sh
# SPDX-License-Identifier: MIT
# --processes: rows that add up to the log, whoever runs pmon; a file with the
# log's guarantees; and the layers that pmon plot makes of it.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload
chmod 777 .
head=elapsed_time,pid,ppid,command,cpu,mem_real,mem_shared

check() { # what check_processes.py says
    "$python" -S "$srcdir/tests/lib/check_processes.py" "$@" 2>&1
}

# ---- rows against workloads with a known answer ----

record() { # [OPTIONS] -- COMMAND: by $as, into p.csv, l.csv and s.json
    rm -f p.csv l.csv s.json
    # shellcheck disable=SC2086  # a command and its options
    run $as "$PMON" -q --log-format csv -l l.csv --processes p.csv \
        --summary s.json "$@"
}

adds_up() { # DESC: the rows are whole and those of the log
    is "$status,$(check p.csv l.csv s.json)" 0,whole "$who: $1: adds up to the log"
}

uses() { # COMMAND FIELD: 2 is CPU in s, 3 the largest RSS in MiB
    check p.csv use | sed -n "s/^$1 \([0-9.]*\) \([0-9.]*\)$/\\$(($2 - 1))/p"
}

check_truth() {
    record -i 0.1 -- "$workload" work 60 400 300
    adds_up 'one process'
    is_true "$(uses 'workload work' 2) > 0.36 &&
        $(uses 'workload work' 2) < 0.46" "$who: one process: its CPU"
    is_true "$(uses 'workload work' 3) > 60 &&
        $(uses 'workload work' 3) < 70" "$who: one process: its memory"
    is "$(tail -n 1 p.csv | cut -d, -f 5-)" \
        "$(tail -n 1 p.csv | cut -d, -f 5),0.000000,0.000000" \
        "$who: one process: its last row says that it has ended"

    record -i 0.05 -- sh -c '"$workload" work 30 200 200 & p=$!
        "$workload" work 10 100 400; wait $p; "$workload" work 20 150 0'
    adds_up 'three processes'
    is_true "$(uses 'workload work' 2) > 0.38 &&
        $(uses 'workload work' 2) < 0.52" "$who: three processes: their CPU"

    record -i 1ms -- "$workload" work 5 150 100
    adds_up 'a row each ms'
    is_true "$(uses 'workload work' 2) > 0.13 &&
        $(uses 'workload work' 2) < 0.19" "$who: a row each ms: its CPU"

    record -- true
    adds_up 'a very short one'
    is "$(sed -n 2p p.csv | cut -d, -f 1,4,5),$(wc -l < p.csv)" \
        0.000000,true,0.000,3 "$who: a very short one: two rows"

    record -i 20ms -- "$workload" short 300 exec
    adds_up '300 short ones'
    record -i 20ms -- sh -c '(exec -a x sleep 0.2 & ) ; sleep 0.1'
    is "$(check p.csv use > /dev/null && echo whole)" whole \
        "$who: one that outlives the step"
    record -i 50ms --no-children -- sh -c 'sleep 0.3; :'
    is "$(check p.csv l.csv s.json),$(cut -d, -f 4 p.csv | sort -u | tr '\n' ' ')" \
        'whole,command sh ' "$who: --no-children: only the first process"
}

who='as this user'
as=
check_truth
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    who='as an ordinary user'
    as='setpriv --reuid 65534 --regid 65534 --clear-groups'
    check_truth
else
    skip 'as an ordinary user' 'needs root and setpriv'
fi
as=
who='as this user'

# Copies, shared address spaces, execs, orphans, a large tree.
for step in 'forked 30 5 400 20' 'fork-true 40 3 vfork 60' \
    'exec-chain 20 30 10' 'leader-exit 20 100 100 thread' \
    'daemon 20 100 200' 'chain 40 300' 'children 8 20 20'; do
    # shellcheck disable=SC2086  # a command and its options
    record -i 40ms -- "$workload" $step
    adds_up "$step"
done

# A steady process costs a row when it changes, not one a tick.
record -i 20ms -- sleep 1
is_true "$(wc -l < p.csv) < 8" 'a process at rest has few rows'
is_true "$(wc -l < l.csv) > 10" 'while the log has one a tick'

record -i 50ms --pid 1 -d 0.2
if [ "$status" = 0 ]; then
    is "$(sed -n 2p p.csv | cut -d, -f 2,3,5)" 1,,0.000 \
        '--pid: the row of the first process, whose parent is not known'
else
    skip '--pid' 'process 1 may not be read'
fi

# ---- names ----

record -i 50ms -- "$workload" names argv 2 10 300
is "$status,$(check p.csv l.csv s.json)" 0,whole 'hostile names: one line a row'
record -i 50ms -- "$python" -S -c '
import os
for name in ("=cmd|x", "a,b", "c\nd", "\x1b[2J", "e\"f", "::error::x"):
    if os.fork() == 0:
        os.execv("/bin/sleep", [name, "0.3"])
for _ in range(6):
    os.wait()'
is "$(check p.csv l.csv s.json),$(grep -c '"a,b 0.3"' p.csv),$(
    grep -c "'=cmd|x" p.csv | sed 's/[1-9][0-9]*/some/')" \
    "whole,$(grep -c 'a,b' p.csv),some" 'names as fields of a CSV'
LC_ALL=C.UTF-8 COLUMNS=90 run "$PMON" plot p.csv
is "$status,$(LC_ALL=C tr -d '\n[:print:]\200-\377' < out | wc -c)" 0,0 \
    'a chart with hostile names has no control characters'
record --full-commands -i 50ms -- sh -c 'sleep 0.2; : "$1"' sh secret
like "$(cat p.csv)" 'sh secret' '--full-commands: the whole command line'
record -i 50ms -- "$python" -S -c 'import time; time.sleep(0.3)' --password=x
unlike "$(cat p.csv)" 'password' 'no argument that may be a secret'

# ---- the guarantees of the log ----

refused() { # ERE ARGS: 125, one line, yesterday's file as it was
    want=$1
    shift
    echo yesterday > p.csv
    rm -f started
    run "$PMON" "$@" -- touch started
    is "$status,$(wc -l < err),$(cat p.csv),$(ls started 2> /dev/null)" \
        125,1,yesterday, "refused: $*"
    like "$(cat err)" "$want" "refused: $*: why"
}
mkdir folder
refused 'p.csv.*two outputs' --processes p.csv --summary ./p.csv
refused 'p.csv.*two outputs' -l p.csv --processes folder/../p.csv
refused 'folder.*(folder|directory)' --processes folder
refused 'no/p.csv.*[Nn]o such file' --processes no/p.csv
refused '/dev/full.*[Nn]o space' --processes /dev/full
echo yesterday > p.csv
run "$PMON" --processes p.csv -- ./not-there
is "$status,$(cat p.csv)" 127,yesterday 'a step that does not run leaves it'
run "$PMON" --processes n.csv -- ./not-there
is "$status,$(ls n.csv 2> /dev/null)" 127, 'and makes none'
run "$PMON" -q --processes p.csv -- true
is "$status,$(head -n 1 p.csv),$(grep -c yesterday p.csv)" "0,$head,0" \
    'a step that runs replaces it'

run "$PMON" -q --step s --processes '%s_%p.csv' -- true
is "$status,$(head -n 1 s_*.csv)" "0,$head" 'letters in its name'
rm -f s_*.csv memory_log_s.txt summary_s.json profile_s.csv
run "$PMON" -q --processes /dev/stdout -- echo hello
is "$status,$(grep -cx -e "$head" -e hello out)" 0,2 'to standard output'

rm -f p.csv
"$PMON" -q -i 50ms --processes p.csv -- sleep 30 &
pmon=$!
wait_until has_lines p.csv 3
refused_by=$("$PMON" --processes p.csv -- true 2>&1)
is "$?" 125 'a file that another pmon writes is refused'
like "$refused_by" 'another pmon is writing p.csv: use %p' 'and why'
kill -KILL "$pmon"
wait "$pmon" 2> /dev/null
sleeper=$(awk -F, '$4 ~ /^sleep/ { print $2 }' p.csv | tail -n 1)
kill "$sleeper" 2> /dev/null
is "$(check p.csv use > /dev/null && echo whole)" whole \
    'a pmon that was killed leaves whole rows'

run "$PMON" -i 50ms --processes p.csv -- sh -c 'rm p.csv; sleep 0.2'
is "$status" 0 'one that is removed does not stop the step'
like "$(cat err)" 'p.csv: was removed' 'it is reported'

run "$PMON" --processes p.csv --summary s.json -- sleep 0.3
take_facts s.json
is "$(fact files.processes),$(check_summary s.json)" p.csv,complete \
    'the summary names it'
like "$(cat err)" 'processes p\.csv' 'and so do the closing lines'

# ---- its readers ----

mkdir results
cp p.csv results
run "$PMON" report results
is "$status" 1 'a folder with only rows of processes'
cp s.json results
run "$PMON" report results
is "$status,$(wc -c < err)" 0,0 'beside a summary report leaves it alone'
run "$PMON" report p.csv
like "$status,$(cat err)" '1,.*p.csv: .*pmon plot --by' 'report says who reads it'
run "$PMON" peak p.csv
like "$status,$(cat err)" '1,.*p.csv: not a log' 'it is no log for peak'

forty() { # 40 commands that hold memory at one time
    "$python" -S - <<'PY'
rows = ["elapsed_time,pid,ppid,command,cpu,mem_real,mem_shared"]
for tick in range(6):
    for i in range(40):
        rows.append("%.6f,%d,1,tool%02d -x,%.3f,%.6f,0.5" % (
            tick / 10, 100 + i, i, 0 if tick == 0 else i,
            0 if tick == 5 else 1 + i * (1 + tick % 2)))
print("\n".join(rows))
PY
}
forty > forty.csv
LC_ALL=C.UTF-8 COLUMNS=80 run "$PMON" plot forty.csv --by command
is "$status,$(grep -o '[A-H] tool[0-9]*' out | wc -l),$(
    grep -o '· 32 others' out)" '0,8,· 32 others' \
    '40 commands: eight and the others'
is_true "$("$python" -S -c 'print(max(len(line.rstrip("\n"))
    for line in open("out", encoding="utf-8")))') <= 80" \
    'no line is wider than the terminal'
LC_ALL=C COLUMNS=80 run "$PMON" plot forty.csv --by process
is "$status,$(LC_ALL=C tr -d '\n[:print:]' < out | wc -c),$(
    grep -o 'A tool39 -x (139)' out)" '0,0,A tool39 -x (139)' \
    'by process, in ASCII'
run "$PMON" plot forty.csv --metric cpu
is "$status,$(grep -c 'CPU' out),$(grep -c 'RSS' out)" 0,1,0 '--metric cpu'
run "$PMON" plot forty.csv --metric pss
like "$status,$(cat err)" '1,.*forty.csv: has no pss' '--metric pss'
run "$PMON" plot forty.csv --from 0.2 --to 0.3
is "$status,$(tail -n 1 out | grep -c '200 ms')" 0,1 '--from and --to'
run "$PMON" plot forty.csv --from 10
like "$status,$(cat err)" '1,.*forty.csv: has no rows between' 'beyond its end'
run "$PMON" plot forty.csv p.csv --script both.gp
is "$status,$(grep -c 'with filledcurves' both.gp | sed 's/[1-9][0-9]*/some/')" \
    0,some 'two files'
run "$PMON" plot s.json --by command
is "$status,$(grep -c 'A sleep' out)" 0,1 'by the summary that names it'
"$PMON" -q -l m.txt -- true
run "$PMON" plot m.txt --by command
like "$status,$(cat err)" '1,.*m.txt: has no rows of processes.*--processes' \
    '--by of a log says how to record it'
run "$PMON" plot m.txt --by user
like "$status,$(cat err)" '1,.*--by user: .*command.*process' '--by anything'
{ cat forty.csv; printf '0.6,7,1,x'; } > torn.csv
run "$PMON" plot torn.csv
like "$status,$(cat err)" '0,.*torn.csv:242: the last line is incomplete' \
    'a torn last line is reported'
{ cat p.csv forty.csv; } > twice.csv
run "$PMON" plot twice.csv
like "$status,$(cat err)" '0,.*has 2 runs.*the last is drawn' 'the last of two runs'
is "$(grep -c tool39 out)" 1 'is what is drawn'
{ cat forty.csv; head -n 1 forty.csv; } > begun.csv
run "$PMON" plot begun.csv
is "$status,$(grep -c tool39 out),$(cat err)" '0,1,' \
    'a run that has begun but has no rows'

if command -v gnuplot > /dev/null; then
    run "$PMON" plot forty.csv -o forty.svg
    is "$status,$(grep -c '<title>32 others: RSS' forty.svg)" 0,1 'a picture'
    run "$PMON" -i 50ms --processes p.csv --plot run.svg -- sleep 0.3
    is "$status,$(grep -c '<title>sleep: RSS' run.svg)" 0,1 \
        '--plot draws the layers'
    run "$PMON" -i 50ms --processes /dev/null --plot run.svg -- sleep 0.3
    is "$status,$(grep -c '<title>RSS' run.svg | sed 's/[1-9][0-9]*/some/')" \
        0,some '--plot draws the sums if the rows cannot be read'
else
    skip 'a picture' 'gnuplot is not installed'
fi

done_testing
