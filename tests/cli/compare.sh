#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon compare: medians, ranges, tests and limits of runs with known figures.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# A summary of the step one, or of another
make_summary() { # TO PATH=JSON...
    to=$1
    shift
    # A page that is not in the cache is read from the disk
    "$python" -S "$srcdir/tests/lib/make_summary.py" plain.json "$to" \
        io.read_bytes=0 io.write_bytes=0 "$@"
}

# Prints a change by the number of its row
change() { # ROW KEY
    summary out changes "$1" "$2"
}

squeezed() {
    tr -s ' ' < out
}

"$PMON" --quiet --step one --summary plain.json -- true
mkdir -p base/1 base/2 base/3 new/1 new/2 new/3
for run in 1 2 3; do
    # base: 100 110 120 MiB, new: 150 160 170 MiB; times overlap
    make_summary base/$run/summary_one.json time.wall_s=$((10 + run)) \
        memory.peak_rss_bytes=$(((90 + 10 * run) * 1048576)) \
        memory.peak_rss_word='"exact"' cpu.total_s=$((9 - run))
    make_summary new/$run/summary_one.json time.wall_s=$((12 + run)) \
        memory.peak_rss_bytes=$(((140 + 10 * run) * 1048576)) \
        memory.peak_rss_word='"exact"' cpu.total_s=$((5 - run))
done
make_summary new/1/summary_two.json command.step='"two"'
make_summary base/1/summary_old.json command.step='"old"'
echo '{"a": 1}' > base/1/no.txt

# ---- medians, ranges, verdicts ----

run "$PMON" compare base new
is "$status: $(cat err)" '0: ' 'no limit, status 0'
is "$(squeezed | sed -n 2p)" \
    'one time 12.0 s 11.0 s to 13.0 s (3) 14.0 s 13.0 s to 15.0 s (3) +17 % p 0.1 within noise' \
    'ranges that overlap'
like "$(squeezed)" 'one peak memory 110 MiB \(exact\) 100 MiB to 120 MiB \(3\) 160 MiB \(exact\) 150 MiB to 170 MiB \(3\) \+45 % p 0.05 more' \
    'ranges that do not overlap'
like "$(squeezed)" 'one CPU time .* -57 % p 0.05 less' 'a change for the better'
like "$(squeezed)" '^old base 1$' 'a step only in base'
like "$(squeezed)" '^two new 1$' 'a new step'
run "$PMON" compare --format json base new
is "$(change 0 figure) $(change 0 base_runs) $(change 0 base_median) \
$(change 0 new_min) $(change 0 new_max) $(change 0 change)" \
    'wall 3 12.0 13.0 15.0 within noise' 'the same in JSON'
is "$(summary out missing 1 step) $(summary out missing 1 only)" 'two new' \
    'steps of one side in JSON'
run "$PMON" compare --format markdown base new
is "$(grep '^|' out | sed 's/[^|]//g' | sort | uniq -c | tr -d ' \n')" \
    '4||||5||||||||||' 'two tables in Markdown'

cp base/1/summary_one.json a.json
cp new/1/summary_one.json b.json
run "$PMON" compare a.json b.json
like "$(squeezed)" '^one time 11.0 s 13.0 s \+18 % too few runs$' \
    'one run a side'
run "$PMON" compare base b.json
like "$(squeezed)" 'peak memory 110 MiB .* 150 MiB \(exact\) (- )?\+36 % too few runs' \
    'one run against three'
mkdir linked
cp a.json linked/run.json
ln -s run.json linked/latest.json
run "$PMON" compare linked b.json
like "$(squeezed)" '^one time 11.0 s 13.0 s \+18 % too few runs$' \
    'one run by two names is one run'
make_summary c.json command.step='"three"'
run "$PMON" compare a.json c.json
is "$status: $(cat err)" \
    '0: pmon: BASE and NEW are runs of different steps: one and three' \
    'two files are compared even if their steps differ'
make_summary d.json outcome.exit_status=3
make_summary e.json outcome.reason='"signaled"' outcome.exit_status=null
run "$PMON" compare d.json e.json
is "$(cat err)" 'pmon: d.json: the step ended with status 3
pmon: e.json: the step did not end by itself: signaled' 'runs that failed'
for rank in 0 1; do
    mkdir -p r
    make_summary r/$rank.json command.rank="\"$rank\""
done
run "$PMON" compare --format json r r
is "$(change 0 base_runs) $(change 0 rank)" '1 0' \
    'ranks are compared separately'
mkdir t u
for task in 7 8; do
    make_summary t/$task.json command.array_index="\"$task\"" \
        command.rank='"0"' command.tasks=1
done
run "$PMON" compare --format json t t
is "$(change 0 base_runs) $(change 0 rank) $(change 0 array_index)" \
    '1 null 7' 'as array tasks are; the rank of the only task does not count'
cp t/7.json u/
run "$PMON" compare --fail-over peak_rss=46% t u
like "$status: $(cat err)" \
    '^2: pmon: [a-z]+, array task 8: has no run in NEW; its limits are not decided$' \
    'an array task that NEW lacks is named'

# ---- limits ----

# Checks status and verdict of a limit
limits() { # WANT LIMITS
    run "$PMON" compare --fail-over "$2" base new
    is "$status: $(cat err)" "$1: " "--fail-over $2"
}
# base has a step, old, that new lacks
run "$PMON" compare --fail-over peak_rss=46% base new
is "$status: $(cat err)" \
    '2: pmon: old: has no run in NEW; its limits are not decided' \
    'a step that NEW lacks is not decided'
rm base/1/summary_old.json
limits 1 peak_rss=10%
like "$(squeezed)" 'p 0.05 more exceeded \(\+10 %\)$' 'it is reported'
limits 0 peak_rss=46%
like "$(squeezed)" 'p 0.05 more kept \(\+46 %\)$' 'a limit that is kept'
limits 1 peak_rss=49MiB
limits 0 peak_rss=51MiB
limits 0 cpu=0%
# The median has grown by 17 %, but p is 0.1.
limits 0 wall=1%
limits 1 wall=1%,peak_rss=10%,cpu=1s
run "$PMON" compare --fail-over wall=1s --fail-over cpu=1s a.json b.json
is "$status" 1 'a time, one run a side; given twice'
run "$PMON" compare --fail-over wall=2s a.json b.json
is "$status" 0 'growth by as much as the limit is kept'
make_summary zero.json io.read_bytes=0
make_summary some.json io.read_bytes=5
run "$PMON" compare --fail-over read_bytes=50% zero.json some.json
is "$status" 1 'growth from 0 exceeds any percentage'
run "$PMON" compare --fail-over peak_pss=10% base new
is "$status: $(cat err)" \
    '2: pmon: --fail-over peak_pss: unknown in the base of one' \
    'an unknown figure does not pass'
run "$PMON" compare --format json --fail-over peak_rss=10% base new
is "$status: $(summary out is_over)" '1: true' 'and in JSON'

# ---- the test ----

# Ten runs of 10 s with one of 20 s, against ten of 15 s
mkdir ten fifteen three two
for run in 0 1 2 3 4 5 6 7 8 9; do
    wall=10.$run
    [ $run != 4 ] || wall=20.4
    make_summary ten/$run.json time.wall_s=$wall
    make_summary fifteen/$run.json time.wall_s=15.$run
done
run "$PMON" compare --fail-over wall=10% ten fifteen
is "$status: $(squeezed | sed -n 2p)" \
    '1: one time 10.6 s 10.0 s to 20.4 s (10) 15.4 s 15.0 s to 15.9 s (10) +46 % +43 % to +50 % p 0.00075 more exceeded (+10 %)' \
    'an outlier hides no change'
run "$PMON" compare --format json --fail-over wall=10% ten fifteen
is "$status: $(change 0 change) $(change 0 shift_low) $(change 0 shift_high) $(change 0 z)" \
    '1: more 4.5 5.3 null' 'the same in JSON'
run "$PMON" compare --fail-over wall=10% fifteen ten
like "$status: $(squeezed | sed -n 2p)" '^0: .* -32 % -34 % to -29 % p 0.00075 less kept' \
    'the other way round it is less'
run "$PMON" compare --alpha 0.0005 --fail-over wall=10% ten fifteen
like "$status: $(squeezed | sed -n 2p)" '^0: .* p 0.00075 within noise kept' \
    '--alpha is the level'
run "$PMON" compare --fail-over wall=10% ten fifteen/3.json
like "$status: $(squeezed | sed -n 2p)" '^1: .* \+45 % z 10.7 more exceeded' \
    'one run against ten: by its z-score'
run "$PMON" compare --fail-over wall=1% ten ten/9.json
like "$status: $(squeezed | sed -n 2p)" '^0: .* z 0.8 within noise kept' \
    'one run that is like the others'
mkdir equal
for run in 0 1 2 3 4; do
    make_summary equal/$run.json time.wall_s=10
done
make_summary longer.json time.wall_s=10.1
run "$PMON" compare --fail-over wall=0.5% equal longer.json
like "$status: $(squeezed | grep time)" \
    '^1: .* z infinite: the others are equal more exceeded' \
    'another value than that of equal runs'
run "$PMON" compare --format json equal longer.json
is "$(change 0 change) $(change 0 z)" 'more null' 'and in JSON'
run "$PMON" compare --fail-over wall=0.5% longer.json equal
like "$status: $(squeezed | grep time)" \
    '^0: .* z infinite: the others are equal less kept' 'the other way round'
run "$PMON" compare --alpha 0.5 equal equal/0.json
like "$status: $(squeezed | grep time)" '^0: .* z 0.0 within noise' \
    'and an equal value'
cp ten/[012].json three
cp fifteen/[01].json two
few='too few runs to test (3 and 2: p can be no less than 0.1); 3 and 3, or 5 and 1, can be tested'
for form in text markdown; do
    run "$PMON" compare --format $form --fail-over wall=10% three two
    is "$status: $(tail -n 1 out)" "1: $few" \
        "$form: too few runs: the limit decides"
done
run "$PMON" compare --fail-over wall=60% three two
is "$status: $(tail -n 1 out)" "0: $few" 'and a limit that is kept'
run "$PMON" compare --format json three two
is "$(change 0 change) $(change 0 p) $(change 0 p_least)" \
    'too few runs null 0.1' 'too few runs in JSON'
run "$PMON" compare --alpha 0.2 --fail-over wall=10% three two
like "$status: $(squeezed | sed -n 2p)" '^1: .* p 0.1 more exceeded' \
    'enough at another level'
make_summary fifteen/0.json time.wall_s=15 cpu.total_s=1000
run "$PMON" compare --format markdown --fail-over wall=1000%,cpu=1% \
    ten/0.json fifteen/0.json
like "$(sed -n 3p out)" 'CPU time .* exceeded' \
    'Markdown: exceeded limits come first'

# ---- the load ----

# A run of 20 s on 2 of 4 processors that waited for nothing, or for the given
# resources
loaded() { # TO PATH=JSON...
    to=$1
    shift
    make_summary "$to" time.wall_s=20 host.cores=4 load.cpus_allowed=2 \
        load.cpu_quota_cores=null load.throttled_s=0 load.steal_s=0 \
        load.pressure_cpu_s=1 load.pressure_memory_s=0 load.pressure_io_s=0 \
        load.pressure_source='"host"' "$@"
}
# The note about a run compared with one that waited for nothing
differs() { # WANT PATH=JSON...
    want=$1
    shift
    loaded loaded.json "$@"
    run "$PMON" compare calm.json loaded.json
    is "$status: $(sed -n '/the load/p' out)" \
        "0: ${want:+one: the load differed: }$want" "load: $*"
}
# Without a quota, groups may not count throttling.
loaded calm.json load.throttled_s=null
differs ''
differs 'processors allowed 2 in base, 1 in new' load.cpus_allowed=1
differs 'processors allowed 2 in base, 0.5 in new; held back by the CPU quota 0 % of the time in base, 60 % in new' \
    load.cpus_allowed=0.5 load.cpu_quota_cores=0.5 load.throttled_s=12 \
    load.pressure_cpu_s=13
differs 'waiting for a processor 5 % of the time in base, 90 % in new' \
    load.pressure_cpu_s=18
differs '' load.pressure_cpu_s=3
differs 'waiting for memory 0 % of the time in base, 10 % in new' \
    load.pressure_memory_s=2
differs 'waiting for I/O 0 % of the time in base, 25 % in new' \
    load.pressure_io_s=5
differs '' load.pressure_io_s=4
differs 'taken by the hypervisor 0 % of the time in base, 10 % in new' \
    load.steal_s=8
differs '' load.pressure_cpu_s=18 load.pressure_source='"cgroup"'
differs '' load.pressure_cpu_s=null load.pressure_source=null load.cpus_allowed=null
differs '' time.wall_s=0.9 load.pressure_cpu_s=0.9
loaded loaded.json load.cpus_allowed=1 command.step='"o|n\u001be"' command.rank='"3"'
run "$PMON" compare --format json calm.json loaded.json
is "$(summary out load 0 figure) $(summary out load 0 base_median) $(summary out load 0 new_median) $(summary out load 0 unit)" \
    'cpus_allowed 2 1 count' 'a load that differed in JSON'
run "$PMON" compare --format json calm.json calm.json
is "$(summary out load)" '[]' 'the same load in JSON'
mkdir calm loud
for run in 1 2 3; do
    loaded calm/$run.json command.step='"o|n\u001be"' command.rank='"3"'
    loaded loud/$run.json command.step='"o|n\u001be"' command.rank='"3"' \
        load.pressure_cpu_s=$((10 + run))
done
run "$PMON" compare calm loud
like "$(cat out)" '^o\|n\?e, rank 3: the load differed: waiting for a processor 5 % of the time in base, 60 % in new$' \
    'the medians of several runs, of a step with a hostile name'
run "$PMON" compare --format markdown calm loud
like "$(cat out)" '^<code>o&#124;n&#63;e</code>, rank 3: the load differed: ' \
    'in Markdown'
run "$PMON" compare --fail-over pressure_cpu=100% calm loud
is "$status" 1 'load can have a limit'

# ---- runs that decide nothing ----

# A limit that all complete runs keep
undecided() { # MESSAGE DESC
    run "$PMON" compare --fail-over peak_rss=1000% base broken
    is "$status: $(cat err)" "2: pmon: broken/$1" "$2: status 2"
    unlike "$(cat out)" kept "$2: nothing is kept"
    like "$(squeezed)" 'peak memory .* not decided \(\+1000 %\)$' \
        "$2: it is called not decided"
}
mkdir broken
cp new/1/summary_one.json broken/1.json
cp new/2/summary_one.json broken/2.json
run "$PMON" compare --fail-over peak_rss=1000% base broken
is "$status" 0 'complete runs are decided'
for reason in signaled max_time max_rss max_cpu_time min_free not_found; do
    make_summary broken/3.json outcome.reason="\"$reason\"" \
        outcome.exit_status=null
    undecided "3.json: the step did not end by itself: $reason" "$reason"
done
make_summary broken/3.json outcome.reason='"running"' \
    outcome.exit_status=null files.log=null
undecided '3.json: lost: pmon was killed; there is no log, so the figures cover only the first 0.0 s' \
    'a lost run'
run "$PMON" compare --format json --fail-over peak_rss=1000% base broken
is "$("$python" -S -c 'import json
for row in json.load(open("out"))["changes"]:
    if row["figure"] == "peak_rss":
        print(row["change"], row["is_over"])')" 'not decided None' \
    'a lost run in JSON'
# Cut after a value, so that the message is the same on every host.
printf '{"schema": 1, "pmon": "1"' > broken/3.json
undecided "3.json:1: not valid JSON: '}' expected near end of file" 'a summary that cannot be read'

# ---- errors ----

says() { # WANT ARGUMENT...
    want=$1
    shift
    run "$PMON" compare "$@"
    is "$status: $(cat err)" "2: pmon: $want" "compare $*"
}
mkdir none other
make_summary other/x.json command.step='"three"'
names='wall, cpu, cpu_mean, cpu_max, peak_rss, peak_rss_upper, peak_vms, peak_pss, peak_swap, cgroup_peak, processes, max_alive, max_threads, read_bytes, write_bytes, read_calls, write_calls, minor_faults, major_faults, throttled, pressure_cpu, pressure_memory, pressure_io, steal, voluntary_switches, involuntary_switches, rows'
says "--fail-over frob: the figure must be one of $names" --fail-over frob=1 base new
says "--fail-over : the figure must be one of $names" --fail-over '' base new
says '--fail-over wall: the limit of wall must be a time such as 2s or 500ms, or a percentage such as 10%' \
    --fail-over wall base new
says '--fail-over wall=2MiB: the limit of wall must be a time such as 2s or 500ms, or a percentage such as 10%' \
    --fail-over wall=2MiB base new
says '--fail-over peak_rss=-1%: the limit of peak_rss must be a size such as 50MiB, or a percentage such as 10%' \
    --fail-over peak_rss=-1% base new
says '--fail-over processes=x: the limit of processes must be a number, or a percentage such as 10%' \
    --fail-over processes=x base new
for number in 0x10 1e1 1.5e0 nan inf; do
    says "--fail-over processes=$number: the limit of processes must be a number, or a percentage such as 10%" \
        --fail-over processes=$number base new
done
says '--fail-over wall=0x10%: the limit of wall must be a time such as 2s or 500ms, or a percentage such as 10%' \
    --fail-over wall=0x10% base new
for alpha in 0 0.0 1 0.51 x 0.05x -0.1 +0.1 0x0.1 inf nan 0,05 ' 0.05' ''; do
    says "--alpha $alpha: must be a decimal number above 0, up to 0.5, such as 0.01" --alpha "$alpha" base new
done
says '--alpha 5e-2: must be a decimal number above 0, up to 0.5, such as 0.01; not with an exponent' \
    --alpha 5e-2 base new
says '--format csv: must be text, markdown or json' --format csv base new
says 'compare: two files or folders are needed: pmon compare BASE NEW' base
says 'missing: cannot be read: No such file or directory' missing new
says 'none: has no summaries (*.json)' base none
says 'base/1/no.txt: not a summary; pmon --summary FILE writes one' \
    base/1/no.txt new
mkdir beside
cp base/1/*.json beside
echo '{"name": "the step wrote this"}' > beside/package.json
run "$PMON" compare beside beside
is "$status: $(cat err)" '0: ' 'JSON of other programs is skipped'
says 'compare: no step is in both BASE and NEW; --step gives runs a name' base other
run "$PMON" compare --help
is "$status: $(head -n 1 out)" '0: usage: pmon compare [OPTIONS] BASE NEW' \
    --help

done_testing
