#!/bin/sh
# SPDX-License-Identifier: MIT
# Files to the byte, and read back by the readers of psrecord's files: numpy,
# awk, the grep-sort-column pipeline, python's csv and json, pmon peak.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

header='# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)'
block_header='# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)'

# ---- logs ----

run "$PMON" -q -l m.txt --append-peak p.csv --summary s.json -i 0.05 \
    -- "$workload" work 50 0 400
is "$(head -n 1 m.txt)" "$header" 'plain: the header'
is "$(head -n 1 m.txt | wc -c)" 54 'plain: the header is 54 bytes'
is "$(tail -n +2 m.txt | awk '{ print length($0) + 1 }' | sort -u)" 52 \
    'plain: each row is 52 bytes'
is "$(tail -n +2 m.txt | awk '{ line = sprintf("%12.3f %12.3f %12.3f %12.3f",
    $1, $2, $3, $4); if (NF != 4 || line != $0) print }
    END { print (NR >= 2) }')" 1 \
    'plain: each row is %12.3f four times'
is "$(sed -n '2s/^\( *[0-9.]* *[0-9.]*\) .*/\1/p' m.txt)" \
    '       0.000        0.000' 'plain: the first row is at 0.000, CPU 0.000'
is_true "$(awk 'NR == 2 { print $4 }' m.txt) > 0.1" \
    'plain: the first row has memory'
is "$(tail -n 1 m.txt | cut -c 26-)" '        0.000        0.000' \
    'plain: nothing lives in the last row'
is_true "$(wc -l < m.txt) >= 5" 'plain: rows'

run "$PMON" -q -l io.txt --include-io -i 0.05 -- sleep 0.2
titles=$("$python" -S -c 'print("# " + " ".join(title.center(12) for title in (
    "Elapsed time", "CPU (%)", "Real (MB)", "Virtual (MB)", "Read count",
    "Write count", "Read bytes", "Write bytes")) + ".")')
is "$(head -n 1 io.txt)." "$titles" 'I/O: the header, with its last blank'
is "$(tail -n +2 io.txt | awk '{ line = sprintf("%12.3f %12.3f %12.3f %12.3f %12d %12d %12d %12d",
    $1, $2, $3, $4, $5, $6, $7, $8); if (NF != 8 || line != $0) print }
    END { print (NR >= 2) }')" 1 \
    'I/O: each row'
is "$(tail -n +2 io.txt | awk '{ print length($0) + 1 }' | sort -u)" 104 \
    'I/O: each row is 104 bytes'

run "$PMON" -q -l m.csv --log-format csv -i 0.05 -- "$workload" idle 2 700
is "$(head -n 1 m.csv)" elapsed_time,nproc,cpu,mem_real,mem_virtual \
    'csv: the header'
is "$(tail -n +2 m.csv |
    grep -cvE '^[0-9]+\.[0-9]+,[0-9]+(,[0-9]+\.[0-9]+){3}$')" 0 'csv: each row'
is "$(awk -F, 'NR > 1 && $2 > most { most = $2 } END { print most }' m.csv)" 3 \
    'csv: processes'
run "$PMON" -q -l io.csv --log-format csv --include-io -- true
is "$(head -n 1 io.csv)" \
    elapsed_time,nproc,cpu,mem_real,mem_virtual,read_count,write_count,read_bytes,write_bytes \
    'csv with I/O: the header'
is "$(awk -F, '{ print NF }' io.csv | sort -u)" 9 'csv with I/O: nine columns'

# ---- a run's own block ----

is "$(head -n 2 p.csv)" "
$block_header" 'block: an empty line, the header'
like "$(tail -n +3 p.csv)" '^[0-9]+\.[0-9]{3}(,[0-9]+\.[0-9]{3}){3}$' \
    'block: four numbers'
is "$(wc -l < p.csv),$(tail -c 1 p.csv | tr '\n' '.')" 3,. 'block: three lines'
is "$(tail -n 1 p.csv | cut -d, -f 1,2,4)" \
    "$("$PMON" peak m.txt | tail -n 1 | cut -d, -f 1,2,4)" \
    'block: is the row with the largest RSS'
take_facts s.json
is "$(tail -n 1 p.csv | cut -d, -f 3)" "$(awk "BEGIN { printf \"%.3f\", $(
    fact memory.peak_rss_bytes) / 1048576 }")" 'block: Peak Real is the peak'

# ---- read back ----

is "$(awk '!/^#/ { n++ } END { print n }' m.txt)" "$(fact quality.rows)" \
    'awk reads each row'
numpy=
for each in "$python" /usr/bin/python3; do
    "$each" -c 'import numpy' 2> bad && numpy=$each && break
done
if [ -n "$numpy" ]; then
    is "$("$numpy" -c 'import numpy
a = numpy.loadtxt("m.txt")
b = numpy.loadtxt("io.txt")
print(a.shape[1], b.shape[1], len(a), (a >= 0).all())')" \
        "4 8 $(fact quality.rows) True" 'numpy.loadtxt reads logs'
else
    skip 'numpy.loadtxt reads logs' 'numpy is not installed'
fi
is "$("$python" -S - <<'PY'
import csv
for name, keys in ("m.csv", 5), ("io.csv", 9):
    with open(name, newline="") as file:
        rows = list(csv.DictReader(file))
    print(len(rows) >= 2, all(len(row) == keys and None not in row and
          all(float(value) >= 0 for value in row.values()) for row in rows))
with open("p.csv", newline="") as file:
    print([len(row) for row in csv.reader(file)])
PY
)" 'True True
True True
[0, 4, 4]' "python's csv reads logs and block"
is "$(check_summary s.json)" complete "python's json reads the summary"
is "$(fact series.elapsed_s.count),$(fact files.log),$(
    fact files.log_format),$(fact files.profile)" \
    "$(fact series.rss_bytes.count),m.txt,plain,p.csv" \
    'the summary names the files, its series are of one length'

# ---- pmon peak ----

pipeline() {
    grep -v time "$1" | sort -k3 -n -r | head -n 1 | column -t |
        tr -s '[:blank:]' ','
}

peak() { # DESC WANT LOG...: stdout is blocks of these lines
    desc=$1
    want=$2
    shift 2
    run "$PMON" peak "$@"
    for line in $want; do
        printf '\n%s\n%s\n' "$block_header" "$line"
    done > wanted
    is "$status,$(cmp out wanted 2>&1),$(cat err)" 0,, "peak: $desc"
}

printf '%s\n' "$header" \
    '       0.000        0.000       13.801       19.465' \
    '       1.026        2.000       44.234       50.488' > psrecord.txt
printf '%s\n' elapsed_time,nproc,cpu,mem_real,mem_virtual \
    0.000,1,0.0,13.80078125,19.46484375 1.026,1,2.0,44.234375,50.48828125 \
    > psrecord.csv
printf '%s\n' "$header" \
    '       0.000        0.000        5.000       19.000' \
    '       1.000       10.000      100.250      200.000' \
    '       2.000       20.000       99.000      300.000' \
    '       3.000       30.000      100.250      100.000' \
    '      10.000       40.000        9.000      400.000' > equal.txt
peak "psrecord's log" 1.026,2.000,44.234,50.488 psrecord.txt
peak "psrecord's csv" 1.026,2.000,44.234,50.488 psrecord.csv
peak 'of equal rows the last' 3.000,30.000,100.250,100.000 equal.txt
peak 'several logs, in order' \
    '3.000,30.000,100.250,100.000 1.026,2.000,44.234,50.488' \
    equal.txt psrecord.csv
peak 'a log that is read from a pipe' 1.026,2.000,44.234,50.488 \
    /dev/stdin < psrecord.txt
cp psrecord.txt ./-l
peak 'a name like an option' 1.026,2.000,44.234,50.488 -- -l
awk -v header="$header" 'BEGIN { print header; srand(1)
    for (i = 0; i < 50000; i++)
        printf "%12.3f %12.3f %12.3f %12.3f\n", i / 10, rand() * 400,
            int(rand() * 9000) / 1000 + (i % 7 == 0 ? 123456 : 0), rand() }' \
    > large.txt
awk -v titles="${titles%.}" 'NR == 1 { print titles }
    NR > 1 { print $0 "            1            2            3            4" }' \
    large.txt > large-io.txt
awk 'NR == 1 { print "elapsed_time,nproc,cpu,mem_real,mem_virtual" }
    NR > 1 { print $1 ",1," $2 "," $3 "," $4 }' large.txt > large.csv
run "$PMON" peak large.txt
largest=$(tail -n 1 out)
like "$largest" '^[0-9.]+,[0-9.]+,12346[0-9]\.[0-9]{3},' 'peak: a large log'
peak 'an I/O log has the same' "$largest" large-io.txt
peak 'a csv log has the same' "$largest" large.csv
if command -v column > bad; then
    for log in m.txt psrecord.txt equal.txt large.txt; do
        is "$("$PMON" peak $log | tail -n 1)" "$(pipeline $log)" \
            "peak: as the pipeline has it, $log"
    done
else
    skip 'peak: as the pipeline has it' 'column is not installed'
fi

# A log that was cut at any byte of its last row, which has the peak
size=$(wc -c < psrecord.txt)
wrong=
at=$((size - 51))
while [ $at -lt "$size" ]; do
    head -c $at psrecord.txt > torn.txt
    run "$PMON" peak torn.txt
    [ "$status,$(tail -n 1 out)" = 0,0.000,0.000,13.801,19.465 ] &&
        [ "$(wc -l < err)" = 1 ] &&
        grep -q '^pmon: torn\.txt.*incomplete' err || wrong="$wrong $at"
    at=$((at + 1))
done
is "$wrong" '' 'peak: a torn last row is skipped and reported'
sed '2s/0.000/x/' equal.txt > bad.txt
run "$PMON" peak bad.txt
is "$status,$(tail -n 1 out)" 0,3.000,30.000,100.250,100.000 \
    'peak: a bad row is skipped'
like "$(cat err)" '^pmon: bad\.txt:2: ' 'peak: and named with file and line'

no_peak() { # ERE LOG...: nothing on stdout, one line, 1
    want=$1
    shift
    run "$PMON" peak "$@"
    is "$status,$(cat out),$(wc -l < err)" 1,,1 "peak $*: 1, one line"
    like "$(cat err)" "^pmon: .*$want" "peak $*: what is wrong"
}
echo "$header" > none.txt
: > empty.txt
echo 'a text' > text.txt
head -c 100000 /dev/zero > zero.txt
no_peak 'none\.txt.*no rows' none.txt
no_peak 'empty\.txt.*no rows' empty.txt
no_peak 'text\.txt.*not a log' text.txt
no_peak 'zero\.txt.*not a log' zero.txt
no_peak 's\.json.*not a log' s.json
no_peak 'p\.csv.*not a log' p.csv
no_peak 'missing\.txt.*[Nn]o such file' missing.txt
no_peak '\..*[Ii]s a directory' .
no_peak '' /dev/null
no_peak 'log'
no_peak '--unknown' --unknown
run "$PMON" peak psrecord.txt text.txt equal.txt
is "$status,$(grep -c "$block_header" out),$(wc -l < err)" 1,2,1 \
    'peak: one bad among three: two blocks, one line, 1'
timeout 20 "$PMON" peak psrecord.txt > /dev/full 2> err
is "$?,$(wc -l < err)" 1,1 'peak: stdout is full: one line, 1'
done_testing
