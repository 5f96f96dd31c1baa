#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make fuzz: runs each fuzz target by clang's libFuzzer, with the address and
# undefined behaviour sanitizers, in fuzz/ of the build folder.
#
#   fuzz.sh TARGET...   tests/fuzz/fuzz_log and so on
#
#   FUZZ_SECONDS   how long each runs (20)
#   FUZZ_RUNS      how many inputs it runs, however long that takes
#   FUZZ_TARGETS   the names of those to run, as "log env" (all)
#
# Prints a line a target.  An input that fails is kept in fuzz/NAME/, with the
# output in fuzz/NAME.log, and the status is 1.

set -u
: "${FUZZ_SECONDS:=20}" "${FUZZ_RUNS:=}" "${FUZZ_TARGETS:=}"
: "${srcdir:?}" "${builddir:?}"
sanitizers=address,undefined,float-cast-overflow

skip() {
    echo "fuzz: skipped: $1"
    exit 77
}

command -v clang > /dev/null || skip 'clang is not installed'
mkdir -p "$builddir/fuzz/build" && cd "$builddir/fuzz" || exit 99
echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' > probe.c
clang -fsanitize=fuzzer,$sanitizers -o probe probe.c 2> probe.log ||
    skip "clang has no libFuzzer: $(head -n 1 probe.log)"

if [ ! -f build/Makefile ]; then
    (cd build && "$srcdir/configure" --silent --disable-shared CC=clang \
        CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,$sanitizers \
-fno-sanitize-recover=all") || exit 99
fi
objects=
for target in "$@"; do
    objects="$objects $target.o"
done
# shellcheck disable=SC2086  # one word an object
make -C build -j "$(nproc)" --silent libcore.a libtest.a libpmon.la $objects \
    > build.log 2>&1 || { cat build.log; exit 99; }

# The final statistics of libFuzzer, one of them.
stat_of() { # NAME LOG
    sed -n "s/^stat::$1: *//p" "$2"
}

run_one() { # TARGET
    name=${1##*/fuzz_}
    clang -fsanitize=fuzzer,$sanitizers -o "$name.run" "build/$1.o" \
        build/libtest.a build/libcore.a build/.libs/libpmon.a \
        -ljansson -lm -lpthread || return 99
    mkdir -p "$name"
    # Long inputs find little that short ones do not, and are slow.
    seeds=$srcdir/tests/fuzz/corpus/$name
    longest=$(wc -c "$seeds"/* | awk '$2 != "total" && $1 > most { most = $1 }
        END { print 2 * most + 256 }')
    limit=-max_total_time=$FUZZ_SECONDS
    [ -z "$FUZZ_RUNS" ] || limit=-runs=$FUZZ_RUNS
    TMPDIR=$scratch "./$name.run" "$limit" -print_final_stats=1 \
        -timeout=10 -rss_limit_mb=2048 "-max_len=$longest" \
        "-artifact_prefix=$name/" "$name" "$seeds" \
        > "$name.log" 2>&1
    found=$?
    printf '%-10s %10s inputs %6s/s  %s\n' "$name" \
        "$(stat_of number_of_executed_units "$name.log")" \
        "$(stat_of average_exec_per_sec "$name.log")" \
        "$([ $found = 0 ] && echo 'no finding' || echo "FOUND: fuzz/$name.log")"
    return $found
}

# In memory: one of the targets writes a file for each input.
scratch=$(mktemp -d -p /dev/shm 2> /dev/null || mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' INT TERM HUP
status=0
for target in "$@"; do
    name=${target##*/fuzz_}
    case " ${FUZZ_TARGETS:-$name} " in
    *" $name "*) run_one "$target" || status=1 ;;
    esac
done
exit $status
