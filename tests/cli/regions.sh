#!/bin/sh
# SPDX-License-Identifier: MIT
# Regions: pmon region marks them, --regions collects them, pmon report lists
# them.  Times and figures are compared with those of the step itself.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_OUT=$work/truth
TRUTH_READY=$work/ready
TRUTH_DEADLINE=30
export TRUTH_OUT TRUTH_READY TRUTH_DEADLINE workload work

cr=$(printf '\r')
rows=d/regions

# Without files; regions go to d
fresh() {
    rm -rf d truth ready pid s.json
}

marked() { # COMMAND …: with regions on
    PMON_REGIONS=d run "$@"
}

# Prints the names in a row file, each with a blank after it
names() {
    cut -d , -f 1 $rows | tr -d '"' | tr '\n' ' '
}

# Counts the lines of a file that are not quoted rows
bad_rows() { # FILE
    grep -Evc '^"[^"]*","[0-9]{19}","[0-9]+"'"$cr"'$' "$1"
}

# Prints a figure of a name in the summary that take_facts has read
of() { # NAME KEY
    of_index=$(sed -n "s/^regions\.\([0-9]*\)\.name=$1\$/\1/p" facts)
    fact "regions.${of_index:-none}.$2"
}

# Records a step with --regions d: summary in facts, messages in err
record() { # [OPTION …] -- COMMAND …
    run "$PMON" --regions d --summary s.json "$@"
    take_facts s.json
}

now_ns() {
    date +%s%N
}

# Whether the only row of a file has NAME and lies between two moments, for
# LEAST ns at least
lies_within() { # NAME FROM TO LEAST DESC
    row=$(tr -d '"\r' < $rows)
    start=$(echo "$row" | cut -d , -f 2)
    length=$(echo "$row" | cut -d , -f 3)
    if [ "$(echo "$row" | wc -l),${row%%,*}" = "1,$1" ] &&
        [ "$start" -ge "$2" ] && [ "$((start + length))" -le "$3" ] &&
        [ "$length" -ge "$4" ]; then
        ok "$5"
    else
        not_ok "$5" "$row is not within $2 and $3, of $4 ns"
    fi
}

# ---- pmon region NAME -- COMMAND: status and row ----

# The status that a parent sees, as in Python: -15 for an end by TERM
ended_as() { # COMMAND …
    timeout -k 5 20 "$python" -S -c 'import subprocess, sys
print(subprocess.call(sys.argv[1:]))' "$@" 2> err
}

touch plain
fresh
PMON_REGIONS=d
export PMON_REGIONS
while read -r want command; do
    is "$(ended_as "$PMON" region STATUS -- sh -c "$command")" "$want" \
        "status of sh -c '$command'"
done << 'END'
0 exit 0
7 exit 7
255 exit 255
-15 kill -TERM $$
-2 kill -INT $$
-1 kill -HUP $$
-3 kill -QUIT $$
137 kill -KILL $$
138 kill -USR1 $$
END
unset PMON_REGIONS
is "$(grep -c '^"STATUS",' $rows),$(bad_rows $rows)" 9,0 \
    'each of them has its row'
is "$(find . -name 'core*' | wc -l)" 0 'QUIT: no core of pmon'
marked "$PMON" region MISSING -- ./missing
is "$status,$(cat err)" '127,pmon: ./missing: not found' 'a missing command'
printf '#!/no/such/interpreter\n' > orphaned
chmod +x orphaned
marked "$PMON" region MISSING -- ./orphaned
is "$status,$(cat err)" \
    '127,pmon: ./orphaned: exists, but its interpreter /no/such/interpreter does not' \
    'a script without its interpreter is not called missing itself'
marked "$PMON" region PLAIN -- ./plain
is "$status" 126 'a file that cannot be executed'
like "$(cat err)" '^pmon: \./plain: .*[Pp]ermission denied$' 'which is named'
is "$(ls -A d | tr '\n' ' ')" 'regions regions_headers ' \
    'two files and no other'

fresh
before=$(now_ns)
marked "$PMON" region SLEEP -- sleep 0.1
lies_within SLEEP "$before" "$(now_ns)" 100000000 'start and duration are right'
fresh
PMON_REGIONS_BUFFER=1 marked "$PMON" region BUFFERED -- sh -c 'kill -TERM $$'
is "$(names)" 'BUFFERED ' 'buffered, ended by a signal: the row is written'

echo in | marked "$PMON" region CAT -- sh -c 'cat; echo err >&2'
is "$(cat out),$(cat err)" in,err "the command's streams are its own"
for setup in '' "trap '' HUP USR1 CHLD; exec" 'exec 8< plain;'; do
    rm -f a b
    TRUTH_OUT=a PMON_REGIONS=d timeout -k 5 20 sh -c "$setup \"\$@\"" sh \
        "$workload" fingerprint x
    TRUTH_OUT=b PMON_REGIONS=d timeout -k 5 20 sh -c "$setup \"\$@\"" sh \
        "$PMON" region FINGER -- "$workload" fingerprint x
    for side in a b; do
        sed '/^run\./d; s/^\(autogroup=\)[^ ]*/\1/' $side > $side.kept
    done
    is "$(diff a.kept b.kept),$(grep -c '^environment_sum' a.kept)" ,1 \
        "the command inherits what it would have: ${setup:-as we are}"
done

# ---- off ----

mkdir off
cd off || exit 99
for value in unset ''; do
    [ "$value" = unset ] || export PMON_REGIONS=
    run "$PMON" region NAME -- sh -c 'echo here; exit 4'
    is "$status,$(cat out err)" 4,here "off ($value): the status"
    run "$PMON" region --begin NAME
    is "$status,$(cat out err)" 0, "off ($value): --begin does nothing"
    run "$PMON" region --end NAME
    is "$status,$(cat out err)" 0, "off ($value): --end does nothing"
    unset PMON_REGIONS
done
is "$(ls -A | tr '\n' ' ')" 'err out ' 'off: no file is made'
cd .. || exit 99

# ---- called wrongly ----

wrong() { # ARGUMENTS
    fresh
    rm -f started
    marked "$PMON" region "$@"
    is "$status,$(wc -l < err),$(ls -A d started 2> bad)" 125,1, \
        "refused: pmon region$(printf " '%s'" "$@")"
}
wrong NAME
wrong NAME touch started
wrong NAME --
wrong -- touch started
wrong '' -- touch started
wrong -x -- touch started
wrong --begin
wrong --begin ''
wrong --end A B
run "$PMON" region
is "$status,$(wc -l < err)" 125,1 'refused: pmon region without arguments'
run "$PMON" region --help
is "$status,$(grep -c "pmon region.* NAME" out),$(cat err)" 0,3, 'pmon region --help'
PMON_REGIONS=plain/x run "$PMON" region --begin A
is "$status,$(grep -c '^pmon: .*plain/x' err)" 125,1 \
    'a folder that cannot be created: --begin reports it'
PMON_REGIONS=plain/x run "$PMON" region A -- sh -c 'exit 3'
is "$status,$(grep -c '^pmon: .*plain/x' err)" 3,1 \
    'a folder that cannot be created: the command runs, and one line reports it'
fresh
PMON_REGIONS_STYLE=odd marked "$PMON" region --begin A
is "$status,$(grep -c '^pmon: .*PMON_REGIONS_STYLE=odd: ' err)" 125,1 \
    'a bad style is named'

# ---- both styles, to the byte ----

fresh
marked "$PMON" region RUNNING_PROTOCOL -- true
PMON_REGIONS_STYLE=seed PMON_REGIONS_NAME=robot_context_data \
    marked "$PMON" region RUNNING_PROTOCOL -- true
PMON_REGIONS_STYLE=seed PMON_REGIONS_NAME=robot_context_data \
    marked "$PMON" region 'a,b' -- true
is "$(sed 's/[0-9]\{19\}/START/; s/[0-9]\{1,\}"/DURATION"/' $rows)" \
    "\"RUNNING_PROTOCOL\",\"START\",\"DURATION\"$cr" 'a quoted row'
is "$(sed 's/[0-9]\{19\}/START/; s/[0-9]\{1,\}'"$cr"'$/DURATION'"$cr/" \
    d/robot_context_data)" "RUNNING_PROTOCOL,START,DURATION$cr
\"a,b\",START,DURATION$cr" 'seed rows, in the file that was named'
is "$(cat d/regions_headers)|$(cat d/robot_context_data_headers)|$(
    tail -c 1 d/regions_headers d/robot_context_data_headers | grep -c .)" \
    'state,func_start,duration|state_name,function_start_time,duration|4' \
    'both headers, without a line end'

# ---- signals ----

# On a terminal: STEPS of ptyrun, then -- and the command
on_terminal() {
    fresh
    PMON_REGIONS=d timeout -k 5 20 "$ptyrun" -t 15 -o pty "$@"
    status=$?
}

for name in INT TERM HUP QUIT USR1 USR2; do
    on_terminal -f "$TRUTH_READY" -k $name -p 120 -k TERM -- \
        "$PMON" region SIGNAL -- "$workload" trap 50 7
    is "$status,$(arrivals $name),$(names)" '7,1,SIGNAL ' \
        "$name to pmon region: the command gets it once"
done
on_terminal -f "$TRUTH_READY" -k TERM -- \
    "$PMON" region SIGNAL -- "$workload" work 0 0 20000
is "$status,$(names)" '143,SIGNAL ' 'killed by TERM: the row is written'
on_terminal -f "$TRUTH_READY" -s '\003' -- \
    "$PMON" region SIGNAL -- "$workload" trap 100 5
is "$status,$(arrivals INT),$(names)" '5,1,SIGNAL ' 'Ctrl-C: once'
run "$PMON" region SIGNAL -- sh -c 'trap "echo got" USR1
    kill -USR1 $PPID
    sleep 0.1'
is "$status,$(cat out)" 0, "the command's own signal is not handed back"
if command -v bash > bad; then
    PS1='PROMPT> '
    export PS1
    on_terminal -t 5 -n -w 'PROMPT> ' \
        -s '$PMON region SIGNAL -- $workload work 0 0 1500\n' -f ready \
        -s '\032' -w Stopped -w 'PROMPT> ' -s 'fg\n' -w 'PROMPT> ' \
        -s 'echo "status=$?"; exit\n' -w 'status=' \
        -- bash --norc --noediting -i
    is "$(grep -c 'Stopped' pty),$(grep -c 'status=0' pty),$(names)" \
        '1,1,SIGNAL ' 'Ctrl-Z and fg'
else
    skip 'Ctrl-Z and fg' 'bash is not installed'
fi

# ---- --begin and --end, each from a shell of its own ----

fresh
before=$(now_ns)
marked sh -c '"$PMON" region --begin SCRIPT'
is "$status,$(cat out err)" 0, '--begin'
is "$(cat $rows)" '' 'and no row yet'
sleep 0.1
marked sh -c '"$PMON" region --end SCRIPT'
is "$status,$(cat out err)" 0, '--end, in another shell'
lies_within SCRIPT "$before" "$(now_ns)" 100000000 'its row is right'
is "$(ls -A d | tr '\n' ' ')" 'regions regions_headers ' \
    'two files and no other'
marked "$PMON" region --end SCRIPT
is "$status,$(wc -l < err),$(names)" '125,1,SCRIPT ' \
    'a second --end: one line, no row'
like "$(cat err)" '^pmon: .*SCRIPT.*--begin' 'the message says what is missing'
fresh
marked "$PMON" region --end NEVER
is "$status,$(cat $rows)" 125, '--end without --begin'

fresh
for command in '--begin A' '--begin B' '--begin A' '--end A' '--end B' \
    '--end A'; do
    # shellcheck disable=SC2086  # an option and a name
    marked "$PMON" region $command
done
is "$(names)" 'A B A ' 'overlapping, and one name twice'
is_true "$(sed -n '1s/.*,"\([0-9]*\)".*/\1/p' $rows) < $(
    sed -n '3s/.*,"\([0-9]*\)".*/\1/p' $rows)" \
    'the newest of a name is ended first'
fresh
mkdir d
printf '"BOOT","%s","9999999999999999",""\n' "$(($(now_ns) - 5000000000))" \
    > d/.open_regions
marked "$PMON" region --end BOOT
run "$PMON" report $rows
is "$status,$(sed -n '2s/^BOOT  *\([0-9]*\) .*/\1/p' out)" 0,1 \
    'begun before the machine was started anew: the row can be read'

fresh
like "$(ulimit -f 1
    refused=0
    while [ $refused = 0 ]; do
        PMON_REGIONS=d "$PMON" region --begin EARLY 2> err || refused=$?
    done
    echo "$refused $(cat err)")" \
    '^125 pmon: d/.open_regions: .*: (No space left on device|File too large)$' \
    'no room for a mark of --begin: reported'
marked "$PMON" region --begin LATE
marked "$PMON" region --end LATE
is "$status,$(cat err),$(names)" '0,,LATE ' 'which is not half there afterwards'

# A file of marks that cannot be opened blocks nobody
fresh
run timeout -s KILL 30 "$PMON" --regions d -- mkfifo d/.open_regions
is "$status" 0 'marks in a FIFO: pmon ends'
PMON_REGIONS=d run timeout -s KILL 30 "$PMON" region --begin FIFO
is "$status,$(wc -l < err)" 125,1 'and --begin says that it cannot be'
fresh
if command -v flock > bad; then
    marked "$PMON" region --begin HELD
    (flock 9 && exec sleep 60) 9>> d/.open_regions &
    wait_until sh -c '! flock -n d/.open_regions true'
    run timeout -s KILL 30 "$PMON" --regions d -- true
    is "$status" 0 'marks whose lock is held: pmon ends'
    kill $!
else
    skip 'marks whose lock is held' 'flock is not installed'
fi

# Two recordings of one folder at the same time, of which the second ends
# while the first has regions open
fresh
mkfifo begun ended
record -- sh -c '"$PMON" region --begin SAME
    "$PMON" region --begin OURS
    echo > begun
    read -r line < ended
    "$PMON" region --end OURS && "$PMON" region --end SAME' &
read -r line < begun
"$PMON" --regions d --summary s2.json -- sh -c '
    "$PMON" region --begin SAME; "$PMON" region --begin THEIRS' 2> bad
echo > ended
wait $!
is "$(names),$(ls -A d | tr '\n' ' ')" 'OURS SAME ,regions regions_headers ' \
    'another recording of the folder takes none of its marks away'
take_facts s2.json
is "$(of SAME unended),$(of THEIRS unended),$(of OURS count)" 1,1, \
    'but its own'
rm begun ended

# ---- --regions: the figures of rows that are known ----

# Durations of 1 to 20 ms, in total 210 ms; a row that began before the run; a
# header of the robot's old version; rows in the other style
fresh
mkdir d
printf '"KNOWN","1796007184668093002","99999999999"\r\n' > d/regions
printf 'state,func_start,duration' > d/regions_headers
record -i 0.02 -- sh -c '
    cd d
    now=$(date +%s%N)
    for i in 7 20 13 1 19 2 18 3 17 4 16 5 15 6 14 8 12 9 11 10; do
        printf "\"KNOWN\",\"%d\",\"%d\"\r\n" $((now + i)) $((i * 1000000))
    done >> regions
    for i in 3 1 2; do
        printf "CALIBRATING,%d,%d\n" $((now + 99)) $((i * 1000000))
    done > robot_context_data
    printf "state_id,function_start_time,duration\n" > robot_context_data_headers
    printf "OTHER,%d,5\n" $now > no_region
    printf "query_time,command" > no_region_headers
    printf "ALONE,%d,5\n" $now > without_headers
    printf "state,func_start,duration" > without_rows_headers'
is "$status,$(fact regions.count)" 0,2 \
    'files of regions are those with the header of one, an old one as well'
while read -r name key want; do
    is "$(of "$name" "$key")" "$want" "$name: $key"
done << 'END'
KNOWN count 20
KNOWN total_s 0.21
KNOWN mean_s 0.0105
KNOWN min_s 0.001
KNOWN max_s 0.02
KNOWN p50_s 0.01
KNOWN p95_s 0.019
KNOWN unended 0
CALIBRATING count 3
CALIBRATING total_s 0.006
CALIBRATING mean_s 0.002
CALIBRATING p50_s 0.002
CALIBRATING p95_s 0.003
END
is "$(fact regions.0.name),$(fact files.regions)" KNOWN,d \
    'names in the order of their first start, the folder as given'
is "$(check_summary s.json)" complete 'the summary is complete'
is "$(sed -n 's/^regions\.0\.\([^=]*\)=.*/\1/p' facts | tr '\n' ' ')" \
    "name count total_s mean_s min_s max_s p50_s p95_s cpu_s peak_rss_bytes \
peak_rss_word unended " 'its keys'
like "$(cat err)" '^pmon: regions  KNOWN 20 × 10 ms.*; CALIBRATING 3 × 2\.0 ms' \
    'the closing line has both, the longest first'
is_clean err 'all lines are whole'

# ---- bad rows ----

fresh
record -i 0.02 -- sh -c '
    "$PMON" region GOOD -- true
    now=$(date +%s%N)
    printf "no row\r\n" >> d/regions
    printf "\"two\r\nlines\",\"%d\",\"2\"\r\n" $now >> d/regions
    printf "\"bad\",\"%d\",\"-2\"\r\n" $now >> d/regions
    "$PMON" region GOOD -- true
    printf "\"TORN\",\"%d\",\"12" $now >> d/regions'
is "$(of GOOD count),$(fact regions.count)" 2,2 'bad rows are skipped'
is "$(grep 'not a region row' err | sed 's/.*\(d\/regions:[0-9]*\): .*/\1/' |
    tr '\n' ' ')" 'd/regions:2 d/regions:5 d/regions:7 ' \
    'each is named by file and line'
is "$status" 0 'and the status is that of the step'
cp -r d broken
yes 'no row' | head -n 30 >> broken/regions
run "$PMON" --regions broken -- true
is "$(grep -c 'not a region row' err) $(grep ' more$' err)" \
    "20 pmon: $PWD/broken/regions: and 12 more" 'twenty of a file'
rm -r broken
record -i 0.02 -- sh -c '"$PMON" region GOOD -- true'
is "$(of GOOD count),$(fact regions.count)" 1,1 \
    'an earlier run in the same folder does not count'

fresh
mkdir d
printf 'state_name,function_start_time,duration' > d/regions_headers
record -i 0.02 -- sh -c 'printf "TORN,%s,5" $(date +%s%N) > d/regions
    PMON_REGIONS_STYLE=seed "$PMON" region GOOD -- true'
is "$(of TORN count),$(of GOOD count)" ,1 \
    'half a number at the end of a seed file is no number'

# ---- CPU and peak of the tree while a region is open ----

fresh
record -i 0.02 -- sh -c 'sleep 0.1
    "$PMON" region WORK -- "$workload" work 100 300 100
    "$PMON" region IDLE -- sleep 0.3'
cpu_s=$(truth truth self_cpu_ns)e-9
touched=$(truth truth touched_bytes)
is_true "$(of WORK cpu_s) > 0.8 * $cpu_s" \
    "CPU of a region: not less than it used ($cpu_s)"
is_true "$(of WORK cpu_s) < 1.2 * $cpu_s + 0.03" \
    "CPU of a region: not more ($cpu_s)"
is_true "$(of IDLE cpu_s) < 0.1" 'CPU of one that sleeps'
is_true "$(of WORK peak_rss_bytes) >= $touched" 'peak of a region: all of it'
is_true "$(of WORK peak_rss_bytes) < $touched + 16 * 1048576" \
    'peak of a region: not more'
is_true "$(of IDLE peak_rss_bytes) < 16 * 1048576" 'peak of one that sleeps'
is "$(of WORK peak_rss_word),$(of IDLE peak_rss_word)" 'at least,at least' \
    'its word'
is_true "$(of IDLE min_s) >= 0.3 && $(of WORK min_s) >= 0.4 &&
    $(of IDLE max_s) + $(of WORK max_s) + 0.1 < $(fact time.wall_s)" \
    'their times'

# Two regions of one name at once: CPU time counts once
fresh
record -i 0.02 -- sh -c '
    "$PMON" region TWICE -- "$workload" work 0 150 50 &
    "$PMON" region TWICE -- "$workload" work 0 150 50
    wait'
is "$(of TWICE count)" 2 'two of a name at once: both count'
is_true "$(of TWICE cpu_s) > 0.25 &&
    $(of TWICE cpu_s) <= $(fact cpu.total_s) + 0.005" \
    'but the CPU of a moment once'

fresh
record -i 10 -- sh -c '"$PMON" region BRIEF -- true'
is "$(of BRIEF peak_rss_bytes),$(of BRIEF peak_rss_word)" null,null \
    'no row while it was open: its peak is not known'
like "$(of BRIEF cpu_s)" '^[0-9.e-]+$' 'but its CPU, from the rows around it'
fresh
record -i 0.02 --duration 0.1 -- sh -c 'sleep 0.2
    "$PMON" region LATE -- sleep 0.1'
is "$(of LATE count),$(of LATE peak_rss_bytes),$(of LATE cpu_s)" 1,null,null \
    'after --duration: its figures are unknown'

# ---- nested, overlapping, many ----

fresh
record -i 0.02 -- sh -c '
    "$PMON" region OUTER -- sh -c "
        \"\$PMON\" region INNER -- sleep 0.1; sleep 0.05; exit 5"'
is "$status,$(of OUTER count),$(of INNER count)" 5,1,1 'nested'
is_true "$(of OUTER total_s) >= $(of INNER total_s) + 0.05 &&
    $(of INNER total_s) >= 0.1" 'nested: their times'

fresh
record -i 0.02 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do
        sh -c "for k in 1 2 3 4 5 6 7 8 9 10; do
            \"\$PMON\" region P$i -- true; done" &
    done
    wait'
is "$(sed -n 's/^regions\.[0-9]*\.count=//p' facts | sort | uniq -c |
    tr -s ' ')" ' 8 10' '8 processes at once: none lost'
is "$(wc -l < $rows),$(bad_rows $rows)" 80,0 'and none torn'

# ---- what was never ended ----

# pmon is killed with a mark open, beside another run that goes on
fresh
"$PMON" -q --regions d -- sh -c '"$PMON" region --begin LIVES; : > ready
    until [ -e go ]; do sleep 0.02; done' &
lives=$!
wait_until test -e ready
"$PMON" -q --regions d -- \
    sh -c '"$PMON" region --begin LEFT; kill -KILL $PPID' 2> bad
is "$(cut -d , -f 1 d/.open_regions | tr '\n' ' ')" '"LIVES" "LEFT" ' \
    'a kill of pmon leaves a mark'
"$PMON" -q --regions d -- true
is "$(cut -d , -f 1 d/.open_regions)" '"LIVES"' \
    'the next run removes it, and not that of a run that goes on'
: > go
finish $lives
is "$(ls d/.open_regions 2> bad)" '' 'no mark stays for ever'

fresh
record -i 0.02 -- sh -c '
    "$PMON" region DEAD -- sh -c "echo \$PPID > pid; exec sleep 0.3" &
    until [ -s pid ]; do sleep 0.01; done
    kill -KILL "$(cat pid)"
    wait
    "$PMON" region AFTER -- sleep 0.4'
is "$(of DEAD count),$(of DEAD unended),$(of AFTER unended)" 1,1,0 \
    'killed by KILL: marked'
is_true "$(of DEAD total_s) + 0.3 < $(fact time.wall_s)" \
    'and closed at its death'
like "$(cat err)" 'DEAD 1 × .*\(1 not ended\)' 'the closing line says so'
is "$(names),$(ls -A d | tr '\n' ' ')" 'AFTER ,regions regions_headers ' \
    'no row of it, and no other file'

# Killed, and its parent does not wait for it
fresh
record -i 0.02 -- "$python" -S -c '
import os, subprocess, time
step = subprocess.Popen([os.environ["PMON"], "region", "ZOMBIE", "--", "sh",
                         "-c", "echo; exec sleep 0.1"],
                        stdout=subprocess.PIPE)
step.stdout.readline()
step.kill()
time.sleep(0.6)'
is "$(of ZOMBIE unended)" 1 'killed, and a zombie from then on: marked'
is_true "$(of ZOMBIE total_s) + 0.4 < $(fact time.wall_s)" \
    'and closed at its death'

# Both begun and killed between two rows
fresh
record -i 0.2 -- sh -c '
    "$PMON" region BRIEF -- sh -c "echo \$PPID \$\$ > pid; exec sleep 9" &
    until [ -s pid ]; do sleep 0.01; done
    kill -KILL $(cat pid)
    wait
    exec sleep 0.7'
is "$(of BRIEF unended)" 1 'killed before it was seen in any row: marked'
is_true "$(of BRIEF total_s) + 0.3 < $(fact time.wall_s)" \
    'and closed at the next row'

fresh
record -i 0.02 -- "$PMON" region ROOT -- sh -c 'sleep 0.05; kill -KILL $PPID'
is "$status,$(of ROOT count),$(of ROOT unended)" 137,1,1 'the step itself'
fresh
record -i 0.02 -- sh -c '"$PMON" region --begin SCRIPT; sleep 0.1'
is "$(of SCRIPT count),$(of SCRIPT unended)" 1,1 '--begin without --end'
is_true "$(of SCRIPT total_s) >= 0.1" 'is closed at the end'
is "$(ls -A d | tr '\n' ' ')" 'regions regions_headers ' \
    'two files and no other'
fresh
TRUTH_DEADLINE=2 record -i 0.02 -- sh -c '
    "$PMON" region LEFT -- "$workload" work 0 0 1500 &
    until [ -s ready ]; do sleep 0.01; done'
is "$(of LEFT count),$(of LEFT unended)" 1,1 \
    'open in a process that outlives the step: marked'
wait_until [ -s $rows ]

library=$builddir/.libs/libpmon.so
if "$python" -S -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$library" \
    2> bad; then
    fresh
    PYTHONPATH=$srcdir/examples/python PYTHONDONTWRITEBYTECODE=1 \
        PMON_LIBRARY=$library record -i 0.02 -- \
        sh -c '"$0" -c "
import os, signal, time
from pmon_regions import region
forked, lost = region(\"FORKED\"), region(\"LOST\")
forked.__enter__()
lost.__enter__()
if os.fork() == 0:
    time.sleep(0.15)
    forked.__exit__()
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
" 2> bad
        until grep -qs FORKED d/regions; do sleep 0.02; done' "$python"
    is "$(of FORKED count),$(of FORKED unended)" 1,0 \
        'begun before a fork, ended by the child when the parent had died'
    is_true "$(of FORKED total_s) >= 0.15" 'it lasts until then'
    is "$(of LOST count),$(of LOST unended)" 1,1 'the other is marked'
    fresh
    record -i 0.02 -- "$builddir/tests/libpmon/drive" elsewhere
    is "$(of both count),$(of both unended)" 2,0 \
        'begun before a fork, ended by both: two rows'
else
    skip 'begun before a fork' 'no shared library that Python could load'
fi

# ---- hostile names ----

fresh
cat > hostile.py << 'END'
import json, os, subprocess, sys

names = [b"\x1b[2J\x1b]0;x\x07", b"a\nb", b"a\rb", b"a\r\nb", b'say "x"',
         b'"', b"a,b", b"\xff\xfe", "\u00e4\u202e".encode(), b"%s%n%d",
         b"=1+1", b"../up", b"'; touch hostile; '", b"tab\tx", b" ",
         b"x" * 300, b"x" * 253 + "\u20ac".encode(), b"\\n", b"</script>",
         b"nan", b"0"]
if len(sys.argv) == 1:
    for name in names:
        subprocess.check_call([os.environb[b"PMON"], b"region", name, b"--",
                               b"true"])
else:
    want = [(name[:253] if name.endswith("\u20ac".encode()) else name[:255])
            .decode(errors="replace") for name in names]
    got = [each["name"] for each in json.load(open(sys.argv[1]))["regions"]]
    print("the same" if got == want else "%r\n%r" % (got, want))
END
record -i 0.02 -- "$python" -S hostile.py
is "$("$python" -S hostile.py s.json)" 'the same' \
    'hostile names, from the command line to the summary'
is_clean err 'hostile names: the closing lines'
run "$PMON" report $rows
is "$status,$(wc -l < out),$(LC_ALL=C tr -d '\n' < out |
    LC_ALL=C grep -c '[[:cntrl:]]')" 0,22,0 'hostile names: the table'
fresh
PMON_REGIONS_STYLE=seed record -i 0.02 -- "$python" -S hostile.py
is "$("$python" -S hostile.py s.json)" 'the same' 'and in the seed style'
fresh
marked "$PMON" region --begin "$(printf 'a\n"b\033[m')"
marked "$PMON" region --end "$(printf 'a\n"b\033[m')"
is "$status,$(head -n 1 $rows),$(sed -n '2s/,.*//p' $rows)" \
    "0,\"a,\"\"b$(printf '\033')[m\"" 'and through --begin and --end'

# ---- the folder, the environment ----

refused() { # ERE ARGUMENTS
    want=$1
    shift
    rm -f started
    run "$@" -- touch started
    is "$status,$(grep -Ec "^pmon: .*$want" err),$(wc -l < err),$(
        ls started 2> bad)" 125,1,1, "refused: $(
        printf '%s ' "$@" | sed 's|[^ ]*/\([^ ]\)|\1|g'): $want"
}
fresh
PMON_REGIONS_STYLE=odd refused 'PMON_REGIONS_STYLE=odd: must be quoted or seed' \
    "$PMON" --regions d
for name in a/b . .. "$(printf '%0250d' 0)"; do
    PMON_REGIONS_NAME=$name refused \
        "PMON_REGIONS_NAME=$(printf %.64s "$name"): must be the name of a file" \
        "$PMON" --regions d
    PMON_REGIONS_NAME=$name marked "$PMON" region NAME -- true
    is "$status,$(grep -c '^pmon: PMON_REGIONS_NAME=' err),$(wc -l < err)" \
        0,1,1 'pmon region: reported, and the command runs'
done
is "$(ls d 2> bad)" '' 'then no folder is made'
record -- sh -c '"$PMON" region GONE -- rm -r d'
is "$status,$(grep -c '^pmon: --regions d: cannot be read: .*' err),$(
    grep -c 'none were marked' err)" 0,1,0 'a folder that is gone at the end'
PMON_REGIONS_NAME='' PMON_REGIONS_STYLE='' record -- \
    "$PMON" region EMPTY -- true
is "$status,$(of EMPTY count),$(ls -A d | tr '\n' ' ')" \
    '0,1,regions regions_headers ' 'an empty name or style is as none'
rm -rf d
refused 'plain/x.*[Nn]ot a directory' "$PMON" --regions plain/x
refused 'plain.*[Nn]ot a directory' "$PMON" --regions plain
refused '--regions.*needs' "$PMON" --regions ''
refused '--regions d_%p: ' "$PMON" --regions d_%p
refused '--regions d_%r: ' env -u SLURM_PROCID "$PMON" --regions d_%r
chmod 755 .
mkdir locked
chmod 555 locked
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" = 0 ] || nobody='env'
# shellcheck disable=SC2086  # a command and its options
if $nobody "$PMON" --version > bad 2>&1; then
    refused 'locked: .*[Pp]ermission denied' $nobody "$PMON" --regions locked
    refused 'locked/x: .*[Pp]ermission denied' $nobody "$PMON" \
        --regions locked/x
else
    skip 'a folder without the right to write' \
        'we are root, and nobody may not run pmon here'
fi
run "$PMON" --pid $$ --regions d
is "$status,$(grep -c '^pmon: --regions' err)" 125,1 'refused: with --pid'

fresh
PMON_REGIONS=elsewhere run "$PMON" -q --regions d/e/f/ --summary s.json -- \
    sh -c 'cd / && "$PMON" region DEEP -- true'
take_facts s.json
is "$status,$(of DEEP count),$(ls -A d/e/f | tr '\n' ' ')" \
    '0,1,regions regions_headers ' \
    'a folder is made with those above it, wherever the step goes'
is "$(cat err)" '' '--quiet: no line'
fresh
# The table of open regions of an outer pmon is not for the regions of this one
if strace -o /dev/null true 2> err; then
    # shellcheck disable=SC2016
    run env PMON_REGIONS_OPEN=/proc/1/fd/1 ASAN_OPTIONS=detect_leaks=0 \
        strace -o /dev/null \
        -e inject=memfd_create:error=ENFILE "$PMON" -q --regions inner -- \
        sh -c 'echo "${PMON_REGIONS_OPEN-none}"'
    is "$status $(cat out)" '0 none' 'no table: not that of an outer pmon'
else
    skip 'no table: not that of an outer pmon' 'strace cannot trace here'
fi
SLURM_PROCID=7 run "$PMON" -q --regions d/%r --summary s.json -- true
take_facts s.json
is "$status,$(fact files.regions),$(ls d)" 0,d/7,7 'letters in its name'
fresh
run "$PMON" --regions d --summary s.json -- ./missing
take_facts s.json
is "$status,$(fact regions.count)" 127,0 'a step that is not found'
record -- true
is "$status,$(fact regions.count),$(grep -c 'regions  none were marked' err)" \
    0,0,1 'no region: reported'
LC_ALL=C run "$PMON" --regions d -- "$PMON" region A -- true
is "$(LC_ALL=C tr -d '\n -~' < err)" '' 'ASCII where the locale is'
like "$(cat err)" 'regions  A 1 x [0-9.]+ (us|ms)' 'with an x and us'
rm -rf d
run "$PMON" --summary s.json -- true
take_facts s.json
is "$(fact regions.count),$(fact files.regions),$(grep -c 'regions' err)" \
    0,null,0 'not asked for: not reported'
for what in z_headers 'z; printf state,func_start,duration > d/z_headers'; do
    fresh
    timeout -k 1 3 "$PMON" -q --regions d -- sh -c "mkfifo d/$what" 2> err
    is "$?" 0 'a FIFO in the folder holds nothing up'
done
rm -rf d

# ---- pmon report ----

printf '"A","1796007184668093002","1000000000"\r\n' > one
printf '"B","1796007184668093003","20000000"\r\n' >> one
printf 'A,1796007184668093000,3000000000\nA,1796007184668093001,5000000000\n' \
    > two
run "$PMON" report one two
is "$status,$(cat err)" 0, 'report: two files, in either style'
is "$(tr -s ' ' < out)" 'region count total mean min p50 p95 max
A 3 9.0 s 3.0 s 1.0 s 3.0 s 5.0 s 5.0 s
B 1 20 ms 20 ms 20 ms 20 ms 20 ms 20 ms' 'report: the table'
is "$(awk '{ print length }' out | uniq | wc -l)" 1 'report: its columns'
printf 'no row\n"A","1","2"\n"C","3","4' > three
printf 'state_id,function_start_time,duration' > three_headers
run "$PMON" report one three
is "$status,$(sed 's/ not a .*//' err | tr '\n' ' '),$(grep -c '^A  *2' out)" \
    '1,pmon: three:1: pmon: three:3: ,1' \
    'report: bad rows are named, the others shown, status 1'
: > empty
run "$PMON" report empty
is "$status,$(cat out),$(grep -c '^pmon: empty: ' err)" 1,,1 \
    'report: an empty file'
run "$PMON" report missing one
is "$status,$(grep -c '^A  *1' out),$(cat err)" \
    '1,1,pmon: missing: cannot be read: No such file or directory' \
    'report: a missing file, the others are shown'
awk 'BEGIN { for (i = 0; i < 2000; i++) print "x" i ",1718739269730290312,2" }' > many
for file in one many; do
    run sh -c '"$PMON" report "$0" > /dev/full' $file
    is "$status,$(grep -c '^pmon: standard output: .*[Nn]o space' err)" 1,1 \
        "report: a full disk ($file)"
done
run "$PMON" report
is "$status,$(wc -l < err)" 1,1 'report: no file'
run "$PMON" report --odd
is "$status,$(wc -l < err)" 1,1 'report: an unknown option'
run "$PMON" report --help
is "$status,$(grep -c '^usage: pmon report' out)" 0,1 'report: --help'
done_testing
