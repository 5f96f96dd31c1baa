#!/bin/sh
# SPDX-License-Identifier: MIT
# Rows: none lost, torn or duplicated, and the format to the byte.
. "${srcdir:-.}/tests/libpmon/common.sh"
n=${PMON_TEST_ROWS:-20000}

fresh
drive states
is "$(cut -d, -f1 "$file" | tr -d '"\n')" \
    "GETTING_CACHED_ANALYSISANALYZING_PROTOCOLRUNNING_PROTOCOL" \
    "regions are rows in the order of their ends"
is "$(bad "$file")" 0 "quoted rows"
is "$(cat "$work/regions/regions_headers"; echo .)" \
    "state,func_start,duration." "the quoted header, without a line end"
fresh
PMON_REGIONS_STYLE=seed PMON_REGIONS_NAME=robot_context_data drive states
file=$work/regions/robot_context_data
is "$(bad "$file" "$seed")" 0 "seed rows, in the file of the name given"
is "$(cat "${file}_headers"; echo .)" \
    "state_name,function_start_time,duration." \
    "the seed header, without a line end"
is "$(ls -A "$work/regions" | wc -l)" 2 "two files and no other"

for how in drive buffered; do
    fresh
    $how threads 8 "$n" >"$work/out"
    is "$(cat "$work/out")" \
        "on 1 rows $((8 * n)) lost 0 torn 0 untold 0 error none" \
        "$how: 8 threads x $n"
    is "$(bad "$file")" 0 "$how: no row is torn"
    is "$(for i in 0 1 2 3 4 5 6 7; do rows "$file" t$i; done | sort -u)" \
        "$n" "$how: each thread has all of its rows"

    fresh
    $how processes 8 $((n / 4))
    is "$(bad "$file")" 0 "$how: 8 processes on one file tear no row"
    is "$(wc -l <"$file")" $((8 * 2 * (n / 4))) "$how: and lose none"

    fresh
    $how forks 40 "$n"
    is "$(rows "$file" child) $(rows "$file" parent) $(rows "$file" thread)" \
        "40 40 $((2 * n))" "$how: forks double and lose nothing"
    is "$(bad "$file")" 0 "$how: nor tear"

    fresh
    $how elsewhere
    is "$(rows "$file" both) $(rows "$file" 'handed over')" "2 1" \
        "$how: ended in another process, in another thread"

    fresh
    $how leave 10
    is "$(rows "$file" left) $(rows "$file" 'at exit')" "10 1" \
        "$how: rows are there at exit, from atexit too"
done

fresh
buffered thread_end 5 10
is "$(wc -l <"$file")" 50 "rows are there when their thread has ended"
fresh
buffered thread_end 100 50
is "$(wc -l <"$file")" 5000 "with more threads than buffers too"
fresh
buffered flush 10
is "$(rows "$file" flushed)" 10 "rows are there after a flush"

fresh
buffered at_fork 10
is "$(rows "$file" before)" 10 "rows are there after a fork"
fresh
buffered raw_fork 10
is "$(rows "$file" before) $(rows "$file" child)" "10 1" \
    "a fork by a bare system call doubles none"

fresh
drive names
PMON_REGIONS_NAME=seed PMON_REGIONS_STYLE=seed drive names
if command -v python3 >/dev/null; then
    for name in regions seed; do
        is "$(python3 - "$work/regions/$name" <<'PY'
import csv, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    print([row[0] for row in csv.reader(file)] == [
        "", "a b", "a,b", 'say "x"', '"', "a\nb", "a\r\nb", "\u00e4",
        "tab\tx", "=1+1", "'", "\\", ""])
PY
        )" True "a CSV reader gets hostile names back from $name"
    done
    python3 - "$work/csv" <<'PY'
import csv, sys
names = ["", "a b", "a,b", 'say "x"', '"', "a\nb", "a\r\nb", "\u00e4",
         "tab\tx", "=1+1", "'", "\\"]
with open(sys.argv[1], "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows(
        [name, 1796007184668093002, i] for i, name in enumerate(names))
    csv.writer(file).writerow(["", 1, 2])
PY
    is "$(cmp "$work/csv" "$work/regions/seed" && echo same)" same \
        "seed rows are what Python's csv module writes"
else
    skip "a CSV reader gets hostile names back" "no python3"
fi
done_testing
