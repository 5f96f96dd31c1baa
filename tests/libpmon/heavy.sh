#!/bin/sh
# SPDX-License-Identifier: MIT
# Too heavy for `make check`: a million rows per thread, and dozens of kills.
. "${srcdir:-.}/tests/libpmon/common.sh"
n=${PMON_TEST_ROWS:-1000000}

for how in buffered drive; do
    fresh
    is "$($how threads 8 "$n")" \
        "on 1 rows $((8 * n)) lost 0 torn 0 untold 0 error none" \
        "$how: 8 threads x $n"
    is "$(awk -F, -v n="$n" '{ seen[$1]++ }
        END { for (i in seen) { names++; bad += seen[i] != n }
              print names, bad + 0 }' "$file") $(bad "$file")" "8 0 0" \
        "$how: none lost, none torn"
    fresh
    $how processes 8 $((n / 10))
    is "$(awk -F, -v n=$((n / 10)) '{ seen[$1]++ }
        END { for (i in seen) { names++; bad += seen[i] != n }
              print names, bad + 0 }' "$file") $(bad "$file")" "16 0 0" \
        "$how: 8 processes on one file"
done

# Kills one at any point, the others go on: at most one torn row per kill.
for how in drive buffered; do
    fresh
    kills=0
    while [ "$kills" -lt 40 ]; do
        PMON_REGIONS_BUFFER=$([ $how = drive ] || echo 1) \
            PMON_REGIONS=$work/regions "$programs/drive" spin >/dev/null &
        pid=$!
        sleep 0.0"$((kills % 4 + 1))"
        kill -KILL $pid
        wait $pid 2>/dev/null
        kills=$((kills + 1))
    done
    torn=$(bad "$file")
    echo "# $how: $torn torn rows of $(wc -l <"$file") by $kills kills"
    like "$torn" '^[0-4]?[0-9]$' "$how: $kills kills tear no more rows than that"
done
done_testing
