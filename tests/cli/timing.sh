#!/bin/sh
# SPDX-License-Identifier: MIT
# T17, T1, T10, T20: events between two ticks are not missed, totals are right,
# and neither time nor locale changes results.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE
mib=1048576

# Runs pmon with a summary and a workload that writes its true figures to the
# file truth
record() { # OPTIONS -- COMMAND
    rm -f truth s.json
    run env TRUTH_OUT=truth "$PMON" --summary s.json "$@"
    take_facts s.json
}

rows() {
    grep -vc '^#' m.txt
}

# ---- T17: the interval is longer than the step ----

record -i 60 -l m.txt --append-peak p.csv -- true
is "$status,$(fact quality.interval_s)" 0,60.0 'true, interval 60: ends with it'
is_true "$(rows) >= 2" 'true: two rows'
if grep -aq __asan_init "$PMON"; then
    skip 'true: a peak' "the sanitizer's own memory is in the child"
else
    is_true "$(fact memory.peak_rss_bytes) > 0.3 * $mib" 'true: a peak'
fi
is_true "$(fact memory.peak_rss_bytes) < 8 * $mib" 'true: which is small'
is "$(awk -F, 'END { print $3 }' p.csv)" "$(awk "BEGIN { printf \"%.3f\", $(
    fact memory.peak_rss_bytes) / $mib }")" 'true: the same in the block'
build_tiny() { # NAME FLAGS
    ${CC:-cc} -static -nostdlib -fno-stack-protector -O1 "$2" -o "$1" \
        "$srcdir/tests/truth/tiny.c" 2> bad
}
if grep -aq __asan_init "$PMON"; then
    skip 'a program of a few pages' "the sanitizer's own memory is in the child"
elif build_tiny tiny -DREST_NS=50000000 && build_tiny tiny0 -DREST_NS=0; then
    wrong=
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        for name in ./tiny ./tiny0; do
            record -q -i 60 -- "$name"
            holds "$(fact memory.peak_rss_bytes) <= 65536" &&
                holds "$(fact memory.peak_rss_upper_bytes) < 2 * $mib" ||
                wrong="$wrong $(grep '^memory.peak_rss' facts)"
        done
    done
    is "$wrong" '' 'a program of a few pages: not the image of pmon'
else
    skip 'a program of a few pages' "tiny.c: $(head -n 1 bad)"
fi
# The size of the image depends on how the page cache holds libc: in pieces of
# some hundred KiB if the file was just written
libc=$(ldd "$PMON" 2> bad | sed -n 's/^[[:blank:]]*libc\.so[^ ]* => \([^ ]*\).*/\1/p')
if [ -x ./tiny0 ] && [ -n "$libc" ]; then
    wrong=
    for _ in 1 2 3 4; do
        rm -rf fresh
        mkdir fresh
        cp "$libc" fresh
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            LD_LIBRARY_PATH=$work/fresh "$PMON" -q -i 60 --summary s.json -- \
                ./tiny0
            take_facts s.json
            holds "$(fact memory.peak_rss_bytes) <= 65536" ||
                wrong="$wrong $(fact memory.peak_rss_bytes)"
        done
    done
    is "$wrong" '' 'nor with a libc in large folios'
else
    skip 'nor with a libc in large folios' 'no tiny0, or no libc.so'
fi
record -i 60 -l m.txt -- sleep 0.05
is "$status" 0 'sleep 0.05, interval 60: ends with it'
is_true "$(rows) >= 2" 'sleep 0.05: two rows'
is_true "$(fact time.wall_s) >= 0.05" 'sleep 0.05: its time'
is "$(awk '!/^#/ && $1 < last { print "back" } { last = $1 }' m.txt)$(
    awk '!/^#/ { print $1; exit }' m.txt)" 0.000 'the first row is at 0.000'
record -i 60 -l m.txt -- "$workload" work 50 0 50
is_true "$(fact memory.peak_rss_bytes) >= 50 * $mib" '50 MiB: the peak'
is_true "$(fact memory.peak_rss_bytes) < 53 * $mib" '50 MiB: and not more'

# ---- without /proc: the peak is known, its moment is not ----

no_proc='unshare -m'
[ "$(id -u)" = 0 ] || no_proc='unshare -rm'
# shellcheck disable=SC2086  # a command and its options
if $no_proc mount -t tmpfs none /proc 2> bad; then
    # shellcheck disable=SC2016  # for that shell
    run $no_proc sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
        "$PMON" --summary s.json -- "$workload" work 30 0 50
    take_facts s.json
    is_true "$(fact memory.peak_rss_bytes) >= 30 * $mib" 'no /proc: the peak'
    is "$(fact memory.peak_rss_source)" rusage 'no /proc: by wait4'
    is "$(fact memory.peak_rss_elapsed_s),$(
        fact memory.sampled_peak_rss_bytes)" null,null \
        'no /proc: when it was is not known'
    like "$(cat err)" '^pmon: memory   peak at least [0-9.]+ MiB$' \
        'no /proc: and not reported'
else
    skip 'no /proc: when the peak was' "$(head -n 1 bad)"
fi

# ---- T1: a peak of 5 ms ----

# "right" if the peak is that of the workload and the word is exact
peak_of_spike() {
    right=$(truth truth hwm_bytes)
    holds "$(fact memory.peak_rss_bytes) >= $right * 0.99" &&
        holds "$(fact memory.peak_rss_bytes) <= $right * 1.01" &&
        holds "$(fact memory.peak_rss_upper_bytes) >= $right" &&
        [ "$(fact memory.peak_rss_word)" = exact ] && echo right && return
    grep '^memory.*peak_rss' facts
    cat truth
}

wrong=
count=0
while [ $count -lt 20 ]; do
    count=$((count + 1))
    record -q -i 1 -- "$workload" spike 100 5 20
    [ "$(peak_of_spike)" = right ] || wrong="$wrong$count: $(peak_of_spike) "
done
is "$wrong" '' 'T1: 100 MiB for 5 ms, 20 of 20, exact'
rm -f p.csv
record -i 60 --append-peak p.csv -- "$workload" spike 500 5 100
is "$(peak_of_spike)" right 'T1: 500 MiB for 5 ms'
is_true "$(awk -F, 'END { print $3 }' p.csv) >= 495" 'T1: in the block'
like "$(cat err)" '^pmon: p\.csv: .*5[0-9][0-9] MiB' \
    'T1: a message explains why it is more than any row'
for way in munmap dontneed huge; do
    record -q -i 1 -- "$workload" spike 100 5 20 $way
    is "$(peak_of_spike)" right "T1: given back by $way"
done
for way in fork vfork spawn exec; do
    rm -f truth launched
    run env TRUTH_OUT=launched "$workload" launcher $way 300 -- env \
        TRUTH_OUT=truth "$PMON" -q -i 1 --summary s.json -- \
        "$workload" spike 100 5 20
    take_facts s.json
    is "$(peak_of_spike)" right "T1: from a launcher of 300 MiB by $way"
done

# ---- T10: children that come and go ----

# The sum of rates over rows is less precise if rows are uneven: on a very busy
# machine there are two more tries
children_used() {
    awk "BEGIN { print ($(truth truth children_cpu_ns) + $(
        truth truth self_cpu_ns)) / 1e9 }"
}
is_near() { # VALUE TRUTH
    holds "$1 >= $2 * 0.98 && $1 <= $2 * 1.02 + 0.01"
}
for _ in 1 2 3; do
    record -q -l m.txt -- "$workload" children 40 50 200
    sum=$(awk '!/^#/ { sum += $2 * ($1 - last); last = $1 }
        END { print sum / 100 }' m.txt)
    is_near "$sum" "$(children_used)" && break
done
is_true "$(children_used) >= 2 && $(children_used) < 2.5" 'T10: the workload'
is_near "$(fact cpu.total_s)" "$(children_used)"
is "$?" 0 "T10: the total is right: $(fact cpu.total_s) for $(children_used) s"
is "$(fact cpu.total_word)" exact 'T10: and exact'
is_near "$sum" "$(children_used)"
is "$?" 0 "T10: the sum over the rows is right: $sum"
record -q -i 0.01 --include-io -l m.txt -- "$workload" children 20 20 100
is "$(awk '!/^#/ { for (i = 5; i <= 8; i++) {
    if ($i < last[i]) print; last[i] = $i } if ($2 < 0) print }' m.txt)" '' \
    'T10: at 10 ms no total falls'
is "$(fact quality.impossible_cpu_rows)" 0 'T10: at 10 ms no impossible row'
is_near "$(fact cpu.total_s)" "$(children_used)"
is "$?" 0 'T10: at 10 ms the total is right'

# ---- ticks ----

# Each row but the last is at a tick of its own; every tick is a row or missed
on_ticks() { # INTERVAL
    grep -v '^[#e]' m.txt | tr , ' ' | awk -v interval="$1" -v missed="$(fact quality.missed_ticks)" '
        { time[n++] = $1 - 0.000001 } # no row is early, but rounded
        END {
            for (i = 1; i < n - 1; i++) {
                tick = int(time[i] / interval)
                if (tick <= before)
                    print "two rows in the tick of " time[i]
                before = tick
            }
            ticks = int(time[n - 1] / interval)
            if (n - 2 + missed < ticks - 1 || n - 2 + missed > ticks + 1)
                print n " rows, " missed " missed, " ticks " ticks"
        }'
}
for interval in 0.001 0.01 0.1; do
    record -q -i $interval --log-format csv -l m.txt -- \
        "$workload" work 0 0 400
    is "$(on_ticks $interval)" '' "interval $interval: rows at their ticks"
    is "$(fact quality.rows)" "$(grep -vc elapsed m.txt)" "interval $interval: rows counted"
done

# A tick that is due at the end of the recording, or of a survivor, is not
# missed
record -q -i 1 --duration 0.8 -- "$workload" work 0 0 900
is "$(fact quality.missed_ticks)" 0 '--duration between two ticks: none missed'
record -q -i 1 --survivors wait -- sh -c 'sleep 0.8 & sleep 1.1 & exit 0'
is "$(fact quality.missed_ticks)" 0 'a survivor ends between two ticks: likewise'

# ---- who was there ----

# A wrapper whose name is that of the program that it executes
mkdir shim real
ln -s "$workload" real/step
printf '#!/bin/sh\nsleep 0.3\nexec real/step work 50 0 300\n' > shim/step
chmod +x shim/step
record -q -- shim/step
is "$(fact at_peak.processes.0.command)" 'step work' \
    'after its exec a wrapper has the command of what it executes'

# ---- T20: stopped for a while ----

rm -f truth s.json ready
TRUTH_OUT=truth TRUTH_READY=ready timeout -k 5 20 "$PMON" -v -l m.txt \
    --log-format csv --summary s.json -- "$workload" work 0 0 1900 2> err &
job=$!
wait_until [ -s ready ]
step=$(truth truth pid)
wait_until has_lines m.txt 4
monitor=$(sed 's/.*) . \([0-9]*\) .*/\1/' "/proc/$step/stat")
"$workload" freeze 1000 "$monitor" "$step"
finish $job
take_facts s.json
is "$status" 0 'pmon and step stopped for 1 s: the status'
is "$(awk -F, '{ if ($1 - last > 0.9) print "gap"; last = $1 }' m.txt)" gap \
    'the gap is one row'
is_true "$(fact quality.missed_ticks) >= 8" 'missed ticks are counted'
is_true "$(fact quality.longest_gap_s) >= 0.9" 'the longest gap is reported'
is "$(on_ticks 0.1)" '' 'no row is made up for'
like "$(cat err)" "longest gap [0-9.]+ s.* $(
    fact quality.missed_ticks) missed" '-v says both'
is_true "$(fact cpu.max_percent) < 150" 'no row of the gap has too much CPU'

# ---- T20: locale and time zone ----

german=de_DE.UTF-8
if ! locale -a 2> bad | grep -qi '^de_DE\.utf-\?8$'; then
    german=
    if mkdir locales && localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" \
        > bad 2>&1; then
        LOCPATH=$work/locales
        export LOCPATH
        german=de_DE.UTF-8
    fi
fi
if [ -n "$german" ] && [ "$(LC_ALL=$german bash -c 'printf %.1f 1,5' 2> bad)" \
    = 1,5 ]; then
    rm -f p.csv
    run env LC_ALL=$german "$PMON" -v -i 0.05 -l m.txt --append-peak p.csv \
        --summary s.json -- sleep 0.2
    is "$status" 0 'German: the status'
    is "$(awk '!/^#/ && !/^( +[0-9]+\.[0-9][0-9][0-9])+$/' m.txt)" '' \
        'German: points in the log'
    like "$(tail -n 1 p.csv)" '^([0-9]+\.[0-9]{3},){3}[0-9]+\.[0-9]{3}$' \
        'German: points in the block'
    is "$(check_summary s.json)" complete 'German: the summary is JSON'
    take_facts s.json
    is "$(fact quality.interval_s)" 0.05 'German: --interval 0.05 is read'
    unlike "$(cat err)" '[0-9],[0-9]' 'German: points in the words'
    is "$(LC_ALL=$german timeout 20 "$PMON" peak m.txt)" \
        "$(timeout 20 "$PMON" peak m.txt)" 'German: pmon peak reads it'
else
    skip 'German: points, not commas' 'no locale de_DE, and none can be made'
fi
before=$(date +%s)
run env TZ=Nowhere/Land "$PMON" -q --summary s.json -- true
take_facts s.json
is_true "$(fact time.start_epoch_s) >= $before && $(
    fact time.start_epoch_s) < $before + 20" 'any time zone: the start'
done_testing
