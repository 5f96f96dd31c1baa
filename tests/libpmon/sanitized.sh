#!/bin/sh
# SPDX-License-Identifier: MIT
# The same programs under ThreadSanitizer, AddressSanitizer and valgrind.
. "${srcdir:-.}/tests/libpmon/common.sh"
cc=${CC:-cc}
# memory that leaks is valgrind's business; a forked child has not the threads
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=report_thread_leaks=0

# run_clean TOOL COMMAND…: runs threads, forks and switches under the tool
run_clean() {
    tool=$1
    shift
    for mode in "threads 4 2000" "processes 2 500" "elsewhere" \
        "thread_end 20 50" "forks 4 1000" "switching 3 3000" \
        "limit 5000 200" "names"; do
        for buffer in 0 1; do
            fresh
            # shellcheck disable=SC2086 # a mode and its numbers
            PMON_REGIONS=$work/regions PMON_REGIONS_BUFFER=$buffer \
                timeout 300 "$@" $mode >"$work/out" 2>"$work/errors"
            is "$?$(cat "$work/errors")" 0 "$tool: $mode, buffer $buffer"
        done
    done
}

for kind in thread address,undefined; do
    if echo 'int main(void) { return 0; }' >"$work/x.c" &&
        $cc -fsanitize=$kind "$work/x.c" -o "$work/x" 2>/dev/null &&
        "$work/x" 2>/dev/null; then
        # shellcheck disable=SC2086
        $cc -std=gnu17 -D_GNU_SOURCE -O1 -g -fsanitize=$kind -I"$src" \
            "$srcdir/tests/libpmon/drive.c" "$src/pmon.c" -o "$work/drive" \
            -pthread
        run_clean "$kind sanitizer" "$work/drive"
    else
        skip "$kind sanitizer" "$cc has none that runs"
    fi
done
if command -v valgrind >/dev/null; then
    run_clean valgrind valgrind -q --error-exitcode=9 --leak-check=full \
        --show-leak-kinds=all --errors-for-leak-kinds=all \
        --child-silent-after-fork=no "$programs/drive"
    if command -v timeout >/dev/null; then
        fresh
        PMON_REGIONS=$work/regions valgrind -q --error-exitcode=9 \
            "$programs/table" >/dev/null 2>"$work/errors"
        is "$?$(cat "$work/errors")" 0 "valgrind: the table of open regions"
    fi
else
    skip "valgrind" "not there"
fi
done_testing
