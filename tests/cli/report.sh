#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon report: each kind of file in each form, with known figures.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
# shellcheck disable=SC2016  # backquotes are text
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# A summary with other values
make_summary() { # TO PATH=JSON...
    "$python" -S "$srcdir/tests/lib/make_summary.py" base.json "$@"
}

# The words of a table, with one blank between
squeezed() {
    tr -s ' ' < out
}

# Prints a value of the JSON in out
value() {
    summary out "$@"
}

"$PMON" --quiet --step base --summary base.json -- true

# ---- logs: means are weighted by time ----

cat > log.txt << 'END'
# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)
       0.000        0.000       10.000       20.000
       1.000      100.000       30.000       40.000
      10.000       10.000        0.000        0.000
END
run "$PMON" report log.txt
is "$status: $(squeezed | tail -n 1)" \
    '0: log.txt 10.0 s 19 % 100 % 28.0 MiB at least 30.0 MiB' 'a plain log'
run "$PMON" report --format json log.txt
is "$(value runs 0 mean_rss_bytes) $(value runs 0 cpu_mean_percent)" \
    '29360128 19.0' 'means are weighted by time'
is "$(value runs 0 cpu_s) $(value runs 0 exit_status)" 'null null' \
    'what a log cannot tell is null'
is "$(value groups) $(value peaks)" '[] []' 'all lists are there'
cat > log.csv << 'END'
elapsed_time,nproc,cpu,mem_real,mem_virtual,read_count,write_count,read_bytes,write_bytes
0.0,1,0.0,10.0,20.0,1,2,3,4
2.0,1,50.0,30.5,40.0,1,2,3,4
END
run "$PMON" report --format csv log.csv
is "$(tail -n 1 out | cut -d , -f 1-3,10-12,16-18)" \
    'log.csv,,,2.000000,,,31981568,,at least' 'a csv log with I/O as CSV'
printf '       1.000     bad\n       2.000        1.000' >> log.txt
run "$PMON" report log.txt
is "$status: $(cat err)" '1: pmon: log.txt:5: not a data row, skipped
pmon: log.txt:6: the last line is incomplete, skipped' 'bad rows by file and line'
like "$(squeezed)" 'at least 30.0 MiB' 'the others count'

# Figures that nobody has measured
printf '%s\n' '0 1 10 20' '1 1e300 10 20' '2 1 1e300 20' '3 1 10 -1' \
    '-1 1 10 20' '1e12 1 10 20' '4 2 12 20' \
    '{"elapsed_s":5,"cpu_percent":1,"rss_bytes":1e300,"vms_bytes":1}' \
    '3 2 12 20 0 0 -1 0' '3 2 12 20 0 0 0 2e18' > never.txt
run "$PMON" report never.txt
is "$status: $(cat err)" '1: pmon: never.txt:2: no valid CPU (at most 10^7 %), skipped
pmon: never.txt:3: no valid memory (0 to 10^12 MiB), skipped
pmon: never.txt:4: no valid memory (0 to 10^12 MiB), skipped
pmon: never.txt:5: no valid time (0 to 10^9 s), skipped
pmon: never.txt:6: no valid time (0 to 10^9 s), skipped
pmon: never.txt:8: no valid memory (0 to 10^12 MiB), skipped
pmon: never.txt:9: no valid I/O (0 to 10^18 bytes), skipped
pmon: never.txt:10: no valid I/O (0 to 10^18 bytes), skipped' \
    'impossible figures are bad rows'
is "$(squeezed | tail -n 1)" \
    'never.txt 4.0 s 2.0 % 2.0 % 10.0 MiB at least 12.0 MiB' \
    'and in no figure'

{
    cat log.txt
    yes 'no row' | head -n 30
    echo
} > broken.txt
run "$PMON" report broken.txt
is "$status: $(wc -l < err) $(tail -n 1 err)" \
    '1: 21 pmon: broken.txt: and 11 more' 'twenty bad rows of a file are shown'

# ---- mprof ----

cat > mprof.dat << 'END'
CMDLINE python3 model.py
MEM 10.0 1700000000.0
CHLD 1 5.0 1700000000.0
MEM 30.0 1700000001.0
FUNC model.solve 10.0 1700000000.25 30.0 1700000000.75
MEM 20.0 1700000002.0
END
run "$PMON" report mprof.dat
is "$status: $(squeezed)" '0: run time mean memory peak memory
mprof.dat 2.0 s 22.5 MiB at least 30.0 MiB

region count total mean min p50 p95 max
model.solve 1 0.50 s 0.50 s 0.50 s 0.50 s 0.50 s 0.50 s' \
    "mprof's memory, children added, and its functions"
{
    cat mprof.dat
    printf 'MEM 900.0 17000000'
} > torn.dat
run "$PMON" report torn.dat
is "$status: $(cat err)" '1: pmon: torn.dat:7: the last line is incomplete, skipped' \
    'half a row of mprof is not a row'
like "$(squeezed)" 'torn.dat 2.0 s 22.5 MiB at least 30.0 MiB' \
    'and in no figure'
: > github
GITHUB_STEP_SUMMARY=github run "$PMON" report --github missing.dat
is "$status: $(cat github)" '1: ' 'no heading above nothing'
GITHUB_STEP_SUMMARY=github run "$PMON" report --github mprof.dat
is "$(grep -c xychart github)" 1 'no curve of a CPU that is not known'

# ---- folders and headers ----

mkdir -p d/deep
for name in one deep/two; do
    printf '"A","1796007184668093002","500000000"\r\n' > "d/$name"
    printf 'state,func_start,duration' > "d/${name}_headers"
done
cp log.csv mprof.dat d
echo 'a, b, c' > d/notes.txt
echo '1 2 3 4' > d/numbers.txt
: > d/none
cp d/one_headers d/none_headers
run "$PMON" report d
is "$status: $(cat err)$(squeezed | cut -d ' ' -f 1,2 | tr '\n' ,)" \
    '0: run time,log.csv 2.0,mprof.dat 2.0,,region count,model.solve 1,A 2,' \
    'a folder is taken as its files'
cp base.json d/deep
run "$PMON" report d
is "$status: $(squeezed | cut -d ' ' -f 1 | tr '\n' ,)" '0: run,base,' \
    'or as its summaries if it has some'
run "$PMON" report d/one d/one_headers
is "$status: $(cat err)$(squeezed | tail -n 1 | cut -d ' ' -f 1,2)" '0: A 1' \
    'headers are a part of their file'
run "$PMON" report d/one_headers
is "$status: $(cat err)" \
    '1: pmon: d/one_headers: has only column names; its rows are in d/one' \
    'and without them not'
mkdir nothing
run "$PMON" report nothing
is "$status: $(cat err)" \
    '1: pmon: nothing: contains no file that pmon report can read' 'an empty folder'

# ---- a profile with its block ----

cat > profile.csv << 'END'
         2270 function calls (2201 primitive calls) in 4.623 seconds

   Ordered by: cumulative time

ncalls,tottime,percall,cumtime,percall,filename:lineno(function)
1,0.075,0.075,4.623,4.623,step.py:7(main)
12/3,2.506,1.253,2.506,1.253,{method 'a,"b"' of 'x|y' objects}
x,1,2


# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)
3.045,66.500,166.449,178.801
END
run "$PMON" report --format json profile.csv
is "$status: $(cat err)" '1: pmon: profile.csv:8: not a row of a profile, skipped' \
    'a bad row of a profile'
is "$(value functions 0 name) $(value functions 0 cumulative_s)" \
    'step.py:7(main) 4.623' 'the function with the most time'
is "$(value functions 1 name) $(value functions 1 calls) \
$(value functions 1 primitive_calls)" \
    "{method 'a,\"b\"' of 'x|y' objects} 12 3" 'commas and quotes in a name'
is "$(value peaks 0 peak_rss_bytes) $(value peaks 0 peak_rss_word)" \
    '174534427 at least' 'the peak block'
awk 'BEGIN { print "ncalls,tottime,percall,cumtime,percall,name"
    for (i = 1; i <= 30; i++) printf "1,0,0,%d,0,f%d\n", i, i }' > many.csv
run "$PMON" report many.csv
is "$status: $(wc -l < out) $(squeezed | sed -n '2p;11p' | cut -d ' ' -f 1 |
    tr '\n' ' ')" '0: 11 f30 f21 ' 'the ten with the most time'
{ seq 20000; tail -n 3 profile.csv; } > tail.csv
run "$PMON" report tail.csv
like "$(squeezed)" '^tail.csv 3.0 s 66 % at least 166 MiB 179 MiB$' \
    'a block after a file that is not a Python profile'

# ---- regions and resource rows ----

mkdir robot
printf '"A","1000","100"\r\n"A","2000","300"\r\n"B ""x""","5","1000000000"\r\n' \
    > robot/robot_activity_data
printf 'state,func_start,duration' > robot/robot_activity_data_headers
run "$PMON" report --format csv robot/robot_activity_data
is "$status: $(sed -n 2p out)" \
    '0: "B ""x""",,,1,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,,,,' \
    'regions as CSV'
{
    printf '"10000000000","/usr/bin/python3 -","5.5","1.0","0.5","2.0"\r\n'
    printf '"11000000000","/usr/bin/python3 -","5.5","1.2","0.5","6.0"\r\n'
    printf '"20000000000","/usr/bin/python3 -","5.5","2.0","0.7","0.0"\r\n'
    printf '"20000000000","torn'
} > robot/system_resource_data
printf '%s' query_time,command,running_since,user_cpu_time,\
system_cpu_time,memory_percent > robot/system_resource_data_headers
run "$PMON" report --format json robot/system_resource_data
is "$status: $(cat err)" \
    '1: pmon: robot/system_resource_data:4: not a resource row, skipped' \
    'a torn resource row'
is "$(value processes 0 rows) $(value processes 0 cpu_s) \
$(value processes 0 cpu_mean_percent) $(value processes 0 memory_mean_percent)" \
    '3 2.7 12.0 5.6' 'resource rows, means weighted by time'
{
    printf '"1","python3","5.5","1.0","0.5","2.0"%s\r\n' \
        ',"7","1","4096","","","1",""' ''
} > robot/extended
printf '%s' query_time,command,running_since,user_cpu_time,system_cpu_time,\
memory_percent,pid,ppid,rss_bytes,pss_bytes,cpu_percent,threads,descriptors \
    > robot/extended_headers
run "$PMON" report --format csv robot/extended
is "$status: $(cat err)" \
    '1: pmon: robot/extended:2: not a resource row, skipped' \
    'a row torn behind its usual columns'
mkdir long
cp robot/system_resource_data_headers long/
awk 'BEGIN {
    for (i = 0; i < 1000; i++) word = word "0123456789"
    printf "\"1\",\"%s\",\"5.5\",\"1.0\",\"0.5\",\"2.0\"\r\n", word
    for (i = 0; i < 200000; i++)
        printf "\"%d\",\"sh job\",\"%d.5\",\"0.0\",\"0.0\",\"0.0\"\r\n", i, i
}' > long/system_resource_data
run sh -c 'ulimit -t 8; exec "$@"' - "$PMON" report long/system_resource_data
is "$status: $(wc -l < out)" '0: 200002' 'as many processes as months have'
is "$(awk 'length > most { most = length } END { print (most > 99 && most < 300) }' out)" 1 \
    'a long command line makes no wide table'
run "$PMON" report --format csv long/system_resource_data
like "$(sed -n 2p out)" '^(0123456789){1000},' 'and is whole in CSV'
rm -r long

# ---- summaries: sorted, grouped ----

mkdir ranks
for rank in 0 1 2; do
    make_summary ranks/summary_$rank.json command.step='"solve"' \
        command.rank="\"$rank\"" time.wall_s=$((rank + 1)) \
        cpu.total_s=$((10 * (3 - rank))) cpu.total_word='"exact"' \
        cpu.mean_percent=$((100 * rank)) host.name="\"n$((rank / 2))\"" \
        memory.peak_rss_bytes=$(((rank + 1) * 1048576)) \
        memory.peak_rss_word='"exact"'
done
make_summary ranks/summary_x.json command.step='"other"' time.wall_s=null \
    memory.peak_rss_bytes=null memory.peak_rss_word=null \
    files.log=null outcome.exit_status=null outcome.reason='"running"'
run "$PMON" report --sort wall --format csv ranks
is "$status: $(cut -d , -f 2,4 out | tr '\n' ' ')" \
    '0: step,rank solve,2 solve,1 solve,0 other, ' \
    'sorted from the largest, the unknown last'
for task in 3 4; do
    make_summary ranks/summary_task$task.json command.step='"other"' \
        command.job='"991"' command.array_index="\"$task\"" \
        command.rank='"7"' command.tasks=1
done
run "$PMON" report ranks/summary_task3.json ranks/summary_task4.json
is "$(squeezed | head -n 2 | cut -d ' ' -f 1-6 | tr '\n' ';')" \
    "run host rank array task job;other $(summary base.json host name) 7 3 \
991 exit;" 'rank, array task and job'
run "$PMON" report --group job --format csv ranks
is "$(cut -d , -f 1,2 out | tr '\n' ' ')" 'group,runs ,4 991,2 ' \
    'grouped by job'
rm ranks/summary_task*
run "$PMON" report --sort cpu_s --format csv ranks/summary_[012].json
is "$(cut -d , -f 4 out | tr '\n' ' ')" 'rank 0 1 2 ' 'sorted by another key'
run "$PMON" report --group step --format json ranks
is "$(value groups 0 group) $(value groups 0 runs) \
$(value groups 0 cpu_sum_s) $(value groups 0 cpu_word) \
$(value groups 0 cpu_max_s) $(value groups 0 cpu_mean_s)" \
    'solve 3 60.0 exact 30.0 20.0' 'sum, max and mean of CPU over ranks'
is "$(value groups 0 peak_rss_sum_bytes) $(value groups 0 peak_rss_max_bytes) \
$(value groups 0 peak_rss_mean_bytes) $(value groups 0 wall_max_s)" \
    '6291456 3145728 2097152 3.0' 'and of peaks and times'
# (0 * 1 + 100 * 2 + 200 * 3) / 6
like "$(value groups 0 cpu_mean_percent)" '^133\.3' \
    'the mean CPU is weighted by time'
is "$(value groups 1 peak_rss_max_bytes) $(value groups 1 peak_rss_word)" \
    'null null' 'a group with an unknown peak'
run "$PMON" report --group host ranks/summary_[012].json
is "$(squeezed | cut -d ' ' -f 1,2 | tr '\n' ' ')" 'group runs n0 2 n1 1 ' \
    'grouped by host'
run "$PMON" report --group rank --format csv ranks/summary_[012].json
is "$(grep -c . out)" 4 'grouped by rank'
mkdir -p twice/json
cp ranks/summary_1.json twice/summary_10.json
cp ranks/summary_[01].json twice/json
cp ranks/summary_2.json twice/summary_2.json
ln -s summary_2.json twice/latest.json
echo '{"name": "the step wrote this", "schema": 1}' > twice/package.json
echo '{"elapsed_s":1.0,"cpu_percent":1,"rss_bytes":1,"vms_bytes":1}' \
    > twice/rows.json
run "$PMON" report --format csv twice twice/json twice/summary_10.json
is "$status: $(cut -d , -f 1 out | tr '\n' ' ')$(cat err)" \
    '0: file twice/json/summary_0.json twice/json/summary_1.json twice/latest.json twice/summary_10.json ' \
    'a file counts once, and JSON of other programs is skipped'
for rank in 9 10 2; do
    make_summary "twice/$rank.json" command.rank="\"$rank\""
done
run "$PMON" report --sort rank --format csv twice/10.json twice/2.json twice/9.json
is "$(cut -d , -f 4 out | tr '\n' ' ')" 'rank 2 9 10 ' 'ranks by their number'
rm -r twice/json twice/summary_* twice/latest.json
run "$PMON" report --format csv twice
is "$(cut -d , -f 4 out | tr '\n' ' ')" 'rank 2 9 10 ' 'so in a folder'
# Its pmon has ended, because it is a copy of base.json
run "$PMON" report base.json ranks/summary_x.json
like "$(squeezed)" '^other .* lost - ' 'a step without an end; unknown is -'

# ---- runs without an end: going on, or lost with their pmon ----

# A run that waits, with 50 MiB in its rows
begin() { # ARGUMENT...
    rm -f go ready
    "$PMON" --quiet --interval 0.05 "$@" -- "$python" -S -c 'import os, time
x = b"a" * (50 << 20)
open("ready", "w").close()
while not os.path.exists("go"):
    time.sleep(0.02)' &
    job=$!
    wait_until test -e ready
}
# Rows with the memory in them
is_logged() {
    awk '$3 > 50 { n++ } END { exit !(n > 2) }' "$1"
}
"$PMON" --quiet --step s --results lost -- true
begin --step s --results lost
wait_until is_logged lost/memory_log_s.txt
run "$PMON" report lost
is "$status: $(cat err)" '0: ' 'a run that goes on: nothing to say'
like "$(squeezed)" '^s .* running ' \
    'a run that goes on is running, not the run before it'
like "$(squeezed)" '^s .* at least [5-7][0-9]\.[0-9] MiB' 'with the peak so far'
kill -KILL "$job"
wait "$job" 2> bad
: > go
run "$PMON" report lost
is "$status: $(cat err)" '0: pmon: lost/summary_s.json: lost: pmon was killed; the figures are from its log lost/memory_log_s.txt' \
    'a run whose pmon was killed is lost'
like "$(squeezed)" '^s .* lost .* at least [5-7][0-9]\.[0-9] MiB$' \
    'and not the success of the run before it'
run "$PMON" report --format json lost
is "$(value runs 0 reason) $(value runs 0 exit_status) \
$(value runs 0 peak_rss_word) $(value runs 0 cpu_word)" \
    'lost null at least null' 'the same in JSON'
is_true "$(value runs 0 peak_rss_bytes) > 50 * 1048576" 'its peak is that of the log'
is_true "$(value runs 0 wall_s) > 0.05" 'and its time'
touch -d @1000000000 lost/memory_log_s.txt
run "$PMON" report lost
is "$(cat err)" 'pmon: lost/summary_s.json: lost: pmon was killed; there is no log, so the figures cover only the first 0.0 s' \
    'the log of an earlier run is not taken'
like "$(squeezed)" '^s .* lost 0 s$' 'nothing else is known then'
touch -d "@$(summary lost/summary_s.json time start_epoch_s |
    awk '{ printf "%.3f", $1 - 0.5 }')" lost/memory_log_s.txt
run "$PMON" report lost
like "$(cat err)" 'there is no log, so ' 'nor the log of a run just before it'

# On another host, or with an unknown boot or namespace: by age
now=$(date +%s)
for case in '60 running' '110 running' '130 lost' '100000 lost'; do
    "$python" -S "$srcdir/tests/lib/make_summary.py" base.json old.json \
        outcome.reason='"running"' outcome.exit_status=null files.log=null \
        monitor.boot_id='"another"' time.wall_s=5 \
        time.start_epoch_s=$((now - ${case% *} - 5))
    run "$PMON" report --format csv old.json
    is "$(tail -n 1 out | cut -d , -f 6)" "${case#* }" \
        "a summary of another host, ${case% *} s old"
done
# The pid of a live process, with the start time of another
for change in "pid=$$" 'start_ticks=1'; do
    "$python" -S "$srcdir/tests/lib/make_summary.py" lost/summary_s.json \
        again.json monitor.pid=$$ "monitor.$change"
    run "$PMON" report --format csv again.json
    is "$(tail -n 1 out | cut -d , -f 6)" lost "a pid that is used again: $change"
done

# ---- hostile names ----

name=$(printf 'a|b`c`<d>\n## e\033[31m"f",@g #1 https://h *i* \\j')
# All it runs is one command, so there is no second table, of commands.
"$PMON" --quiet --step "$name" --summary hostile.json --regions regions -- \
    "$PMON" region "$name" -- "$PMON" --version > version
run "$PMON" report hostile.json
is "$(grep -c . out)" 4 'one line a row as text'
unlike "$(LC_ALL=C tr -d '\n' < out | LC_ALL=C grep '[[:cntrl:]]')" . \
    'no control byte as text'
run "$PMON" report --format markdown hostile.json
is "$(grep -c . out)" 6 'one line a row as Markdown'
is "$(grep '^|' out | sed 's/[^|]//g' | sort | uniq -c | tr -d ' \n')" \
    '3|||||||||3|||||||||||' \
    'as many cells as columns'
unlike "$(sed 's/<code>[^<]*<\/code>//g' out)" '[`<@#*]' \
    'nothing special outside of <code>'
run "$PMON" report --format csv hostile.json
is "$("$python" -S -c 'import csv
print(*sorted(set(len(row) for row in csv.reader(open("out")))))')" \
    '0 14 27' 'as many fields as titles in CSV'
run "$PMON" report --format json hostile.json
is "$(value runs 0 step)" "$name" 'whole in JSON'

# ---- the job summary of GitHub ----

run env -u GITHUB_STEP_SUMMARY "$PMON" report --github base.json
is "$status: $(cat err)" '1: pmon: report: --github needs a file name in GITHUB_STEP_SUMMARY; --format markdown prints the tables' \
    'without GITHUB_STEP_SUMMARY'
like "$(cat out)" '^base' 'the figures are printed all the same'
make_summary budget.json 'budgets=[{"name": "max-rss", "limit": 1048576,
"value": 2097152, "passed": false, "action": "fail"},
{"name": "max-time", "limit": 2.5, "value": 1, "passed": true,
"action": "stop"}]' 'regions=[]' \
    "series.elapsed_s=[$(seq -s , 1 500)]" \
    "series.cpu_percent=[$(seq -s , 1 500)]" \
    "series.rss_bytes=[$(seq -s 000000, 1 500)000000]"
echo before > step.md
run env GITHUB_STEP_SUMMARY=step.md "$PMON" report --github budget.json
is "$status: $(head -n 1 step.md)" '0: before' 'it is appended'
like "$(squeezed)" '^base max-rss 2.00 MiB 1.00 MiB fail exceeded$' \
    'the same figures are printed'
like "$(cat step.md)" '^\*\*1 of 2 budgets are kept\.\*\*$' 'verdicts'
like "$(cat step.md)" '^\| base \| max-time \| 1.0 s \| 2.5 s \| stop \| kept \|$' \
    'and their figures'
is "$(grep -c '^xychart-beta$' step.md)" 2 'memory and CPU are drawn'
is "$(sed -n 's/^    title //p' step.md | tr '\n' ' ')" \
    '"base, memory" "base, CPU" ' 'each curve has a title of its own'
is "$(grep -B 1 '^xychart-beta$' step.md | grep -c 'plotColorPalette')" 2 \
    "and a colour that is not Mermaid's #ECECFF"
points=$(grep -m 1 '^    line \[' step.md | tr -cd , | wc -c)
is_true "$points > 50 && $points < 100" "$points points at most"
is "$(sed -n 's/^    x-axis "Time (min)" 0 --> //p' step.md | head -n 1)" 8.375 \
    'the axis ends at a whole step'
like "$(grep -m 1 '^    line' step.md)" ' 477\]$' \
    'the last point is the largest, in MiB'
make_summary named.json 'series={"elapsed_s": [0, 1, 2],
"cpu_percent": [0, 1, 2], "rss_bytes": [0, 1, 2]}' \
    command.step="$("$python" -S -c 'import json, sys
print(json.dumps(sys.argv[1]))' "$name")"
printf '<b>before</b>\n' > before.md
run env GITHUB_STEP_SUMMARY=before.md "$PMON" report --github budget.json
is "$(head -n 3 before.md)" '<b>before</b>

### pmon: base' 'an empty line after what stands there'
run env GITHUB_STEP_SUMMARY=hostile.md "$PMON" report --github named.json
is "$(grep -c '^```' hostile.md) $(grep '^    title' hostile.md |
    grep -vc '^    title "[A-Za-z0-9_ .,/=()+-]*"$')" '4 0' \
    'titles of charts are plain'
head -c 1048000 /dev/zero | tr '\0' x > full.md
run env GITHUB_STEP_SUMMARY=full.md "$PMON" report --github budget.json
like "$status: $(cat err)" '^1: .*GitHub accepts 1 MiB per step' 'no room is left'
is "$(wc -c < full.md)" 1048000 'and nothing is appended'
run env GITHUB_STEP_SUMMARY=no/dir.md "$PMON" report --github base.json
like "$status: $(cat err)" '^1: pmon: GITHUB_STEP_SUMMARY=no/dir.md: ' \
    'a file that cannot be written'

# ---- errors ----

says() { # WANT ARGUMENT...
    want=$1
    shift
    run "$PMON" report "$@"
    is "$status: $(cat err)" "1: pmon: $want" "report $*"
}
: > empty
mkdir none
says 'report: a file is missing: pmon report FILE...'
says '--format xml: must be text, markdown, csv or json' --format xml log.csv
says '--group pid: must be step, host, rank or job' --group pid log.csv
says '--frob: no such option (pmon report --help)' --frob log.csv
says '--sort needs KEY' --sort
says 'missing: cannot be read: No such file or directory' missing
says 'none: contains no file that pmon report can read' none
says 'empty: not a summary, log, region file, resource file, profile CSV or mprof file' empty
echo '{"schema": 2}' > other.json
says 'other.json: not a summary, log, region file, resource file, profile CSV or mprof file' other.json
echo '{"schema": 2, "pmon": "9.0"}' > newer.json
says 'newer.json: a summary of schema 2; this pmon reads schema 1' newer.json
run "$PMON" report --sort frob log.csv
like "$status: $(cat err)" '^1: pmon: --sort frob: must be a column .* peak_rss_bytes' \
    'a wrong key lists the right ones'
run "$PMON" report missing log.csv
is "$status: $(squeezed | tail -n 1 | cut -d ' ' -f 1)" '1: log.csv' \
    'one bad file does not hide the others'
run sh -c '"$PMON" report log.csv > /dev/full'
is "$status: $(cat err)" '1: pmon: standard output: cannot be written: No space left on device' \
    'a full disk'
run "$PMON" report log.csv --format csv
cp out mixed
run env POSIXLY_CORRECT=1 "$PMON" report log.csv --format csv
is "$status: $(cmp out mixed 2>&1)" '0: ' 'options after files, POSIXLY_CORRECT'
run "$PMON" report --help
is "$status: $(head -n 1 out)" '0: usage: pmon report [OPTIONS] FILE...' --help

done_testing
