#!/bin/sh
# SPDX-License-Identifier: MIT
# Failures around libpmon, and how it must not react to them.
. "${srcdir:-.}/tests/libpmon/common.sh"

# full disks: each of the two has room for some complete rows and a part of one
for how in drive buffered; do
    fresh
    mkdir "$work/regions"
    $how limit 10000 1000 >"$work/out"
    kept=$(wc -l <"$file")
    # Rows differ by a digit: sometimes the last one fits exactly
    why='No space left on device'
    [ "$(wc -c <"$file")" -lt 10000 ] || why='File too large'
    is "$(cat "$work/out")" "signals 0
on 0 rows $kept lost $((1000 - kept)) torn 0 untold 0 error $why" \
        "$how: rows beyond a file size limit are counted, no signal is raised"
    is "$(bad "$file")" 0 "$how: and none is torn"
    like "$kept" '^[1-9][0-9]+$' "$how: those before it are there"

    fresh
    mkdir "$work/regions"
    printf 'x%.0s' 1 2 3 >"$work/regions/regions"
    printf '\n' >>"$work/regions/regions"
    # through a pipe, which has no size
    is "$($how limit 4 10 | cat)" "signals 0
on 0 rows 0 lost 10 torn 0 untold 0 error File too large" \
        "$how: at the limit SIGXFSZ is taken away"
    is "$($how pending 4 10 | tail -n 1)" "waiting PIPE 1 XFSZ 0" \
        "$how: a signal that waited before is left"

    fresh
    mkdir "$work/regions"
    ln -s /dev/full "$work/regions/regions"
    $how limit 0 500 >"$work/out"
    is "$(cat "$work/out")" "signals 0
on 0 rows 0 lost 500 torn 0 untold 0 error No space left on device" \
        "$how: /dev/full"
done

small=$work/small
mkdir "$small"
if mount -t tmpfs -o size=64k tmpfs "$small" 2>/dev/null; then
    PMON_REGIONS=$small timeout 60 "$programs/drive" processes 8 1000
    is "$(bad "$small/regions")" 0 "8 processes on a full disk: no torn row"
    like "$(wc -c <"$small/regions")" '^6[0-9]{4}$' "the disk is full"
    PMON_REGIONS=$small PMON_REGIONS_BUFFER=1 \
        timeout 60 "$programs/drive" threads 8 1000 >"$work/out"
    is "$(bad "$small/regions")" 0 "8 threads on a full disk: no torn row"
    like "$(cat "$work/out")" "rows 0 lost 0|lost [1-9]" "losses are counted"
    umount "$small"
else
    skip "8 processes on a full disk" "no mount"
fi

# FIFOs never block, and do not raise SIGPIPE
fresh
mkdir "$work/regions"
mkfifo "$work/regions/regions"
is "$(drive limit 0 5000 | head -n 1)" "signals 0" "a FIFO nobody reads"

# killed in the middle
for buffer in 0 1; do
    fresh
    mkfifo "$work/ready"
    PMON_REGIONS=$work/regions PMON_REGIONS_BUFFER=$buffer \
        "$programs/drive" spin >"$work/ready" &
    pid=$!
    read -r line <"$work/ready"
    kill -KILL $pid
    wait $pid 2>/dev/null
    rm "$work/ready"
    is "$line" ready "buffer $buffer: killed in the middle"
    drive leave 1
    is "$(rows "$file" left)" 1 "the next start's row is whole"
    like "$(bad "$file")" '^[01]$' "half a row is left at most"
done

fresh
mkdir "$work/regions"
printf '"spin","1796007184668093002' >"$work/regions/regions"
drive leave 1
is "$(head -n 1 "$file"; rows "$file" left)" \
    "\"spin\",\"1796007184668093002,$(printf '\r')
1" "half a row that a killed process left spoils no other"
fresh
mkdir "$work/regions"
printf 'spin,1796007184668093002,50' >"$work/regions/regions"
PMON_REGIONS_STYLE=seed drive leave 1
is "$(head -n 1 "$file"; rows "$file" left)" \
    "spin,1796007184668093002,50,$(printf '\r')
1" "half a number at its end does not become a whole one"

# switching
for how in drive buffered; do
    fresh
    $how switch_off 3 50
    is "$(rows "$file" on) $(rows "$file" off) $(wc -l <"$file")" "150 0 150" \
        "$how: off, no row is made, on again, they are"
done
fresh
drive switching 4 100000 >"$work/out"
is "$(cat "$work/out")" "rows $(wc -l <"$file")" \
    "switched under load, every row that counts is there"
is "$(bad "$file")" 0 "and none is torn"

# signals, cancellation, errno, closed descriptors
for how in drive buffered; do
    fresh
    $how handler 100000 >"$work/out"
    is "handled $(rows "$file" handler)" "$(cat "$work/out")" \
        "$how: regions of a signal handler"
    is "$(rows "$file" program) $(bad "$file")" "100001 0" \
        "$how: and of what it interrupts"
    fresh
    $how cancel 50 >"$work/out"
    is "$(cat "$work/out")" \
        "on 1 rows $(wc -l <"$file") lost 0 torn 0 untold 0 error none" \
        "$how: cancelled threads lock nothing"
    is "$(bad "$file")" 0 "$how: nor tear"
    fresh
    is "$($how errno 1000)" "errno Argument list too long" "$how: errno"
    fresh
    $how closed 400 >"$work/out"
    like "$(cat "$work/out")" 'lost [1-9][0-9]* torn 0 .* Bad file descriptor' \
        "$how: a program that closes all descriptors loses rows, counted"
    is "$(bad "$file")" 0 "$how: those before are there"
done

# regions that cannot be switched on
for bad in "PMON_REGIONS=$work/no/such" "PMON_REGIONS_STYLE=other" \
    "PMON_REGIONS_NAME=a/b" "PMON_REGIONS=/dev/null"; do
    fresh
    like "$(env PMON_REGIONS="$work/regions" "$bad" \
        "$programs/drive" threads 1 10)" \
        '^on 0 rows 0 lost 0 torn 0 untold 0 error [A-Z]' "$bad: off, said why"
done

# the table of open regions
fresh
is "$(PMON_REGIONS=$work/regions "$programs/table" | sort | uniq -c |
    sed 's/^ *//')" \
    "300 crowd open at once started its own
1 exit left by exit started its own
16 full of too many started its own
1 killed inner started its own
1 killed outer started its own
1 on the parent's started its own
1 twice after started its own" "pmon learns what was open at a death"
is "$(PMON_REGIONS=$work/regions PMON_REGIONS_OPEN=/etc/passwd \
    "$programs/drive" threads 1 1)" \
    "on 1 rows 1 lost 0 torn 0 untold 0 error none" \
    "a table that is none is left alone"
done_testing
