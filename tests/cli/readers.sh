#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of other programs, broken entries and impossible figures: a bad entry is
# skipped, and the others are read.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# A summary with other values
make_summary() { # TO PATH=JSON...
    "$python" -S "$srcdir/tests/lib/make_summary.py" base.json "$@"
}

# Prints a value of the JSON in out
value() {
    summary out "$@"
}

# Runs pmon without the privileges of root, which may read everything
run_as_user() {
    if [ "$(id -u)" = 0 ]; then
        run setpriv --reuid 1234 --regid 1234 --clear-groups "$PMON" "$@"
    else
        run "$PMON" "$@"
    fi
}

# Runs a command in 500 MB of address space and 5 s of CPU time.  The address
# sanitizer needs terabytes of address space.
run_small() {
    if grep -q __asan_init "$PMON"; then
        run sh -c 'ulimit -t 20; exec "$@"' - "$@"
    else
        run sh -c 'ulimit -v 500000; ulimit -t 5; exec "$@"' - "$@"
    fi
}

"$PMON" --quiet --step base --summary base.json -- true

# ---- a folder with entries that cannot be read ----

mkdir r
cp base.json r/summary_base.json
echo '{"loss": NaN}' > r/loss.json
run "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" '0: step base ' \
    "report: another program's broken JSON is passed over"
run "$PMON" compare r r
is "$status: $(cat err)" '0: ' 'compare: the same'
# A GiB that begins like JSON: only its first bytes may be read.
printf '{"a": "' > r/huge.json
truncate -s 1G r/huge.json
run_small "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" '0: step base ' \
    "report: another program's huge JSON is not loaded"
run_small "$PMON" report r/huge.json
like "$status: $(cat err)" '^1: pmon: r/huge\.json: not a summary, log, ' \
    'report: and if it is named, its first bytes say what it is'
rm r/huge.json
printf '{\n "schema": 1, "pmon": "1", "tim' > r/torn.json
run "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(sed 's/JSON: .*/JSON/' err)" \
    '1: step base pmon: r/torn.json:2: not valid JSON' \
    'report: a torn summary is named, the others count'
run "$PMON" compare r r
like "$status: $(wc -l < out) $(cat err)" \
    '^2: [1-9][0-9]* pmon: r/torn.json:2: not valid JSON' \
    'compare: a torn summary is named, the others are compared'
rm r/torn.json
if ! command -v setpriv > bad && [ "$(id -u)" = 0 ]; then
    skip 'entries that cannot be read' 'root, and no setpriv to be another'
else
    mkdir r/lost+found
    cp base.json r/private.json
    chmod 000 r/lost+found r/private.json
    chmod 755 . r
    run_as_user report --format csv r
    is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" \
        '1: step base pmon: r/lost+found: cannot be read: Permission denied
pmon: r/private.json: cannot be read: Permission denied' \
        'report: entries that cannot be read are named, the others count'
    run_as_user compare r r
    is "$status: $(sort -u err)" \
        '2: pmon: r/lost+found: cannot be read: Permission denied
pmon: r/private.json: cannot be read: Permission denied' \
        'compare: a summary that cannot be read leaves it undecided'
    rm -f r/private.json
    run_as_user compare r r
    is "$status: $(sort -u err)" \
        '0: pmon: r/lost+found: cannot be read: Permission denied' \
        'compare: a folder that cannot be read is named'
    mkdir logs
    mkdir -m 000 logs/x
    printf '0 0 10 20\n1 0 10 20\n' > logs/plain
    printf '# Elapsed time   CPU (%%)\n0 0 10 20\n1 0 10 20\n' > logs/m.txt
    run_as_user report --format csv logs
    is "$status: $(cut -d , -f 1 out | tr '\n' ' ')$(cat err)" \
        '1: file logs/m.txt pmon: logs/x: cannot be read: Permission denied' \
        'report: it is named once in a folder of logs'
    chmod 755 r/lost+found logs/x
fi

# ---- figures that nothing can have ----

make_summary huge.json files.log=null time.wall_s=1e300 \
    memory.peak_rss_bytes=-5 memory.peak_rss_elapsed_s=1e17 \
    series.elapsed_s='[0, 1e300, 2, 3]' \
    series.cpu_percent='[1, 2, 3, 4]' \
    series.rss_bytes='[1048576, 5, 1e300, 2097152]'
run "$PMON" report --format json huge.json
is "$status: $(value runs 0 wall_s) $(value runs 0 peak_rss_bytes) $(cat err)" \
    '1: null null pmon: huge.json: 4 values are negative or too large for a figure, taken as unknown' \
    'report: impossible figures are unknown, and named'
run "$PMON" plot huge.json
like "$status: $(cat err)" '^0: pmon: huge.json: 4 values are negative or too' \
    'plot: so they are there'
unlike "$(cat out)" '-[0-9]' 'and none becomes a negative one'
make_summary late.json files.log=null memory.peak_rss_elapsed_s=9e9 \
    memory.peak_rss_bytes=9e18 series.elapsed_s='[0, 2]' \
    series.cpu_percent='[1, 9e18]' series.rss_bytes='[1048576, 2]'
run "$PMON" plot late.json
is "$status: $(cat err)" '0: ' 'plot: figures as large as they can be'
unlike "$(cat out)" '-[0-9]' 'and none of them is negative'
run "$PMON" report --github late.json
like "$status: $(cat err)" 'GITHUB_STEP_SUMMARY' 'report --github without a file'
GITHUB_STEP_SUMMARY=page.md
export GITHUB_STEP_SUMMARY
run "$PMON" report --github late.json huge.json
unset GITHUB_STEP_SUMMARY
unlike "$(cat page.md)" '[^0-9]-[0-9]|nan|inf' 'report --github draws no nonsense'

# ---- several runs in one file, as >> makes them ----

head_line='# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)'
printf '%s\n' "$head_line" '0 0 10 20' '2 50 30 40' '4 50 0 0' \
    "$head_line" '0 0 10 20' '1 20 15 60' '2 20 0 0' > twice.txt
cat > wanted << 'END'
"twice.txt, run 1",4.000000,50.000,50.000,20971520,31457280
"twice.txt, run 2",2.000000,20.000,20.000,13107200,15728640
END
run "$PMON" report --format csv twice.txt
is "$status: $(cat err)" \
    '0: pmon: twice.txt: has 2 runs, one after the other; each has a row' \
    'report: a log of two runs is reported'
is "$(sed 1d out | awk -F, -v OFS=, '{ print $1 "," $2, $11, $14, $15, $16, $17 }')" \
    "$(cat wanted)" 'each has its own time, means and peak'
run "$PMON" peak twice.txt
is "$status: $(tail -n 1 out) $(cat err)" '0: 1.000,20.000,15.000,60.000 pmon: twice.txt: has 2 runs, one after the other; the peak is that of the last' \
    'peak: that of the last run, which is reported'
run "$PMON" plot twice.txt
is "$status: $(cat err)" \
    '0: pmon: twice.txt: has 2 runs, one after the other; the last is drawn' \
    'plot: the last run, which is reported'
unlike "$(cat out)" '30.0 MiB|4 s' 'and not the first'
grep -v '#' twice.txt > bare.txt
{
    echo elapsed_time,cpu,mem_real,mem_virtual
    tr ' ' , < bare.txt
} > twice.csv
awk '{ printf "{\"elapsed_s\":%s,\"cpu_percent\":%s,\"rss_bytes\":%d,\"vms_bytes\":%d}\n",
    $1, $2, $3 * 1048576, $4 * 1048576 }' bare.txt > twice.jsonl
for log in bare.txt twice.csv twice.jsonl; do
    run "$PMON" report --format csv $log
    is "$status: $(sed 1d out | awk -F, -v OFS=, \
        '{ print $1 "," $2, $11, $14, $15, $16, $17 }')" \
        "0: $(sed "s/twice.txt/$log/" wanted)" "report: two runs in $log"
done
# The clock of psrecord may be set back a little
printf '%s\n' "$head_line" '0 0 10 20' '9 50 30 40' '8.5 50 30 40' > ntp.txt
run "$PMON" report ntp.txt
is "$status: $(cat err)" '0: ' 'a step back in time is not a run'

# ---- what psrecord prints, and csv logs of others ----

run "$PMON" psrecord 'echo hello' --interval 0.1
mv out activity.txt
rows=$(grep -c '^ ' activity.txt)
for command in report plot peak; do
    run "$PMON" $command activity.txt
    like "$(cat err)" '^pmon: activity.txt:[0-9]: [^:]*, skipped$' \
        "$command: a log of psrecord on standard output, with the step's own line"
    is "$([ -s out ] && echo printed)" printed "$command: and its rows are read"
done
run "$PMON" report --format csv activity.txt
is "$(tail -n 1 out | cut -d , -f 25)" "$rows" 'all of its rows'
mkdir prints
mv activity.txt prints/
run "$PMON" report --format csv prints
is "$(sed 1d out | cut -d , -f 1)" prints/activity.txt \
    'it is a log in a folder, too'
printf '%s\n' elapsed_time,cpu,mem_real,mem_virtual 0,0,10,20 2,50,30,40 \
    > newer.csv
run "$PMON" report --format csv newer.csv
is "$status: $(tail -n 1 out | cut -d , -f 10,13-17)" \
    '0: 2.000000,50.000,50.000,10485760,31457280,' \
    'csv: the columns are found by their names'
printf '%s\n' when,mem_real,elapsed_time 12:00,10,0 12:01,30,2 > few.csv
run "$PMON" report --format csv few.csv
is "$status: $(tail -n 1 out | cut -d , -f 10,13-16,21)" \
    '0: 2.000000,,,10485760,31457280,' 'csv: what has no column is unknown'
run "$PMON" plot few.csv
is "$status: $(cat err) $(grep -c CPU out)" '0:  0' 'csv: so it is in a picture'
run "$PMON" peak few.csv
is "$status: $(cat err)" \
    '1: pmon: few.csv: has no column cpu, which a peak block needs' \
    'csv: peak names the column that it lacks'

# ---- mprof: whether MEM has the children in it ----

mprof() { # FILE ROWS...: the largest memory, in MiB, of each run
    printf '%s\n' 'CMDLINE x' > "$1"
    for row in "$@"; do
        [ "$row" = "$1" ] || printf '%s\n' "$row" >> "$1"
    done
    run "$PMON" report --format csv "$1"
    # The name may contain a comma: columns are counted from the end.
    peaks=$(awk -F, 'NR == 1 { for (i = 1; $i != "peak_rss_bytes"; i++) { }
                               behind = NF - i }
        NR > 1 { print $(NF - behind) / 1048576 }' out | tr '\n' ' ')
}
mprof within.dat 'MEM 340.0 1796078435.0' 'CHLD 11 110.0 1796078435.1' \
    'CHLD 12 110.0 1796078435.1' 'CHLD 13 110.0 1796078435.1' \
    'MEM 10.0 1796078436.0'
is "$status: $peaks$(cat err)" '0: 340 ' 'mprof -C -M: children count once'
mprof apart.dat 'MEM 100.0 1796078435.0' 'MEM 101.0 1796078436.0' \
    'CHLD 11 50.0 1796078436.1' 'MEM 101.0 1796078437.0'
is "$status: $peaks$(cat err)" '0: 151 ' 'mprof -M: children are added'
mprof large.dat 'MEM 10.0 1796078435.0' 'CHLD 11 110.0 1796078435.1'
is "$status: $peaks$(cat err)" '0: 120 ' \
    'mprof -M: children with more than MEM are not in it'
mprof unclear.dat 'MEM 200.0 1796078435.0' 'CHLD 11 110.0 1796078435.1'
is "$status: $peaks$(cat err)" '0: 200 pmon: unclear.dat: whether MEM has the children in it (mprof -C) is unclear; taken as if it has' \
    'mprof: an unclear file is reported'
run "$PMON" plot unclear.dat
like "$(cat err)" 'unclear.dat: whether MEM' 'plot reports that too'
mprof two.dat 'MEM 30.0 1796078435.0' 'MEM 20.0 1796078436.0' 'CMDLINE y' \
    'MEM 10.0 1796078535.0' 'MEM 15.0 1796078537.0'
is "$status: $peaks$(cat err)" '0: 30 15 pmon: two.dat: has 2 runs, one after the other; each has a row' \
    'mprof: each run of an appended file'
is "$(sed 1d out | awk -F, '{ print $11 }' | tr '\n' ' ')" \
    '1.000000 2.000000 ' 'with its own time'

# ---- CSV of any other tool ----

printf 'name,count,total\nfoo,3,5\n' > three.csv
printf 'foo,3,5\nbar,4,6\n' > bare.csv
printf 'a,b,c,d,e,f\n1,x,2,3,4,5\n' > six.csv
for file in three.csv bare.csv six.csv; do
    run "$PMON" report $file
    like "$status: $(cat out err)" "^1: *pmon: $file: not a summary, log" \
        "report: $file is not one of pmon's"
done
printf 'A,1718739269730290312,14\n' > real.csv
run "$PMON" report --format csv real.csv
like "$status: $(tail -n 1 out)" '^0: A,,,1,' \
    'report: a region file without headers, by its times'

# ---- processes with one command and start ----

headers=query_time,command,running_since,user_cpu_time,system_cpu_time,memory_percent
mkdir watched plain
printf '%s' $headers,pid,ppid,rss_bytes,pss_bytes,cpu_percent,threads,descriptors \
    > watched/rows_headers
printf '%s' $headers > plain/rows_headers
for time in 1 2; do
    for pid in 11 12 13; do
        printf '"%d0000000000","sh busy","5.5","%d.%d","0.0","1.0"' \
            $time $time $((13 - pid)) > row
        printf '%s\r\n' "$(cat row)" >> plain/rows
        printf '%s,"%d","1","4096","","","1",""\r\n' "$(cat row)" $pid \
            >> watched/rows
    done
done
run "$PMON" report --format csv watched/rows
is "$status: $(sed 1d out | cut -d , -f 1,3,5,6,9 | tr '\n' ' ')" \
    '0: sh busy,2,2.200000,10.000,11 sh busy,2,2.100000,10.000,12 sh busy,2,2.000000,10.000,13 ' \
    'the pid distinguishes them'
run "$PMON" report --format csv plain/rows
is "$status: $(sed 1d out | cut -d , -f 1,3,5,6,9) $(sed 's/; .*//' err)" \
    '0: sh busy,6,,, pmon: plain/rows: CPU time unknown for 1 command: several processes have the same command and start' \
    'without pids the CPU time is unknown, and that is reported'

# ---- words for machines ----

# Lines that the runner of GitHub would take for commands
commands_in() {
    grep -nE '^[[:blank:]]*::|##\[' "$@"
}
name='::error::"x"##[error]y'
bidi=$(printf 'a\330\234b')
make_summary ::error::x.json command.step='"::error::x ##[error]y"' \
    regions='[{"name": "::warning::z", "count": 1, "total_s": 1, "mean_s": 1,
        "min_s": 1, "max_s": 1, "p50_s": 1, "p95_s": 1},
        {"name": "##[group]=1+2", "count": 1, "total_s": 1, "mean_s": 1,
        "min_s": 1, "max_s": 1, "p50_s": 1, "p95_s": 1}]'
for form in text markdown csv json; do
    run "$PMON" report --format $form ::error::x.json
    is "$status: $(commands_in out err)" '0: ' \
        "report --format $form: no name becomes a workflow command"
done
is "$(value runs 0 step)" '::error::x ##[error]y' 'and JSON has the name as it is'
run "$PMON" compare ::error::x.json ::error::x.json
is "$status: $(commands_in out err)" '0: ' 'compare: the same'
for title in "$name" "$(printf '\302\240::error::x')" ' ::error::x'; do
    run "$PMON" plot --title "$title" base.json
    is "$status: $(commands_in out err)$(head -n 1 out | grep '?:error')" \
        "0: $(head -n 1 out)" 'plot: and in a title'
done
run "$PMON" report ::missing::.json '##[error]z'
is "$status: $(commands_in out err)" '1: ' 'and in an error'
run "$PMON" --step "$name" --results r -- true
is "$(commands_in err)" '' 'and in the closing words'
run "$PMON" psrecord "echo a
::error::b" --interval 0.1
is "$(commands_in out | grep -c attaching)" 0 \
    'nor one in the command of psrecord'
make_summary formula.json command.step='"=1+2"' host.name='"@x"' \
    command.rank='"-3"' command.job='"+4"'
run "$PMON" report --format csv formula.json
is "$(tail -n 1 out | cut -d , -f 2-5)" "'=1+2,'@x,'-3,'+4" \
    'CSV: what would be a formula begins with a quote'
make_summary bidi.json command.step="\"$bidi\""
run "$PMON" report --format csv bidi.json
is "$(tail -n 1 out | cut -d , -f 2)" 'a?b' 'U+061C is escaped'

# ---- regions: a sparse file, and thousands that were never ended ----

cat > sparse.sh << 'END'
printf 'state,func_start,duration' > "$PMON_REGIONS/regions_headers"
printf 'A,%s000000000,5\n' $(($(date +%s) + 1)) > "$PMON_REGIONS/regions"
truncate -s 4G "$PMON_REGIONS/regions"
printf '\nB,%s000000000,5\n' $(($(date +%s) + 1)) >> "$PMON_REGIONS/regions"
END
run_small "$PMON" -q --regions sparse --summary s.json -- sh sparse.sh
is "$status: $(cat err)" '0: pmon: '"$PWD"'/sparse/regions:2: not a region row, skipped' \
    'a sparse file of regions is one bad row'
take_facts s.json
is "$(fact regions.0.name) $(fact regions.1.name)" 'A B' \
    'and the rows before and behind it are read'
run_small "$PMON" report --format csv sparse/regions
is "$status: $(sed 1d out | cut -d , -f 1 | tr '\n' ' ')" '1: A B ' \
    'report reads it so, too'
cat > marks.sh << 'END'
awk -v run="$PMON_REGIONS_RUN" -v time=$(($(date +%s) + 1)) 'BEGIN {
    for (i = 0; i < 10000; i++)
        printf "\"n%d\",%d%09d,1,\"%s\"\n", i, time, i, run
    printf "\"other\",%d000000000,1,\"another run\"\n", time
}' > "$PMON_REGIONS/.open_regions"
END
run_small "$PMON" --regions marks --summary s.json -- sh marks.sh
is "$status: $(grep -o '[0-9]* more regions' err)" '0: 5904 more regions' \
    'ten thousand open marks: those that are not counted are named'
take_facts s.json
is "$(fact regions.count) $(fact regions.0.unended)" '4096 1' \
    'and the others are in the summary'
is "$(cut -d , -f 1 marks/.open_regions)" '"other"' "another run's mark stays"
rm marks/.open_regions
truncate -s 4G marks/.open_regions
run_small "$PMON" -q --regions marks --summary s.json -- true
like "$status: $(cat err)" \
    '^0: pmon: --regions marks: open regions cannot be read: File too large' \
    'a sparse file of marks is not read'

done_testing
