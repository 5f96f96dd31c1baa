#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds programs with libpmon: languages, symbols, no library, off.
. "${srcdir:-.}/tests/libpmon/common.sh"
lib=${PMON_TEST_LIBDIR:-$builddir/.libs}
cc=${CC:-cc}
cxx=${CXX:-c++}
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

compiles() {
    description=$1
    shift
    if "$@" >"$work/errors" 2>&1; then ok "$description"; else
        not_ok "$description"
        sed 's/^/# /' "$work/errors"
    fi
}

if command -v nm >/dev/null && [ -e "$lib/libpmon.so" ]; then
    is "$(nm -D --defined-only "$lib/libpmon.so" | awk '{print $3}' |
        grep -vc '^pmon_' || true)" 0 "only pmon_ is exported"
    is "$(nm -g --defined-only "$lib/libpmon.a" 2>/dev/null |
        awk 'NF == 3 {print $3}' | grep -vc '^pmon_' || true)" 0 \
        "from the static library too"
    is "$(nm -D --undefined-only "$lib/libpmon.so" | awk '{print $2}' |
        grep -E '^(v?f?printf|puts|abort|exit|_exit|malloc|calloc|realloc)(@|$)' \
        || true)" "" "nothing that prints, exits or allocates is used"
    if command -v readelf >/dev/null; then
        like "$(readelf -d "$lib/libpmon.so")" NODELETE \
            "dlclose() does not unload it under the feet of threads"
    fi
else
    skip "only pmon_ is exported" "no shared library or no nm"
fi

cat >"$work/user.c" <<'C'
#include <pmon.h>
int main(void)
{
    PMON_REGION_SCOPE("MAIN");
    return 0;
}
C
# shellcheck disable=SC2086 # the flags are words
for std in gnu89 c99 c11 gnu17; do
    compiles "the header in $std" $cc -std=$std -Wall -Wextra -Werror \
        -I"$src" -c "$work/user.c" -o "$work/x.o"
done
# shellcheck disable=SC2086
compiles "the C example without the library" $cc $strict -std=gnu17 \
    -O1 -DPMON_OFF -I"$src" "$srcdir/examples/regions/phases.c" -o "$work/off"
is "$(PMON_REGIONS=$work/none "$work/off" | head -n 1)" "nothing loaded" \
    "which runs"
is "$([ -e "$work/none" ] || echo none)" none "and makes no file"
is "$(nm "$work/off" | grep -c pmon_region || true)" 0 \
    "and has nothing of libpmon in it"
# shellcheck disable=SC2086 # CC may hold options
compiles "the library by itself" $cc -std=gnu17 -D_GNU_SOURCE -O2 -I"$src" \
    -c "$src/pmon.c" -o "$work/libpmon.o"

make -C "$builddir" install-data prefix=/usr DESTDIR="$work/pkg" \
    >"$work/errors" 2>&1
is "$(sed -n 's/^\(prefix\|libdir\|includedir\)=//p' \
    "$work/pkg/usr/lib/pkgconfig/libpmon.pc" | tr '\n' ' ')" \
    "/usr /usr/lib /usr/include " "installed with another prefix, libpmon.pc has it"
if command -v pkg-config >/dev/null; then
    python=$(PKG_CONFIG_LIBDIR=$work/pkg/usr/lib/pkgconfig \
        pkg-config --variable=pythondir libpmon)
    is "$python: $(cd "$work/pkg$python" && echo *)" \
        "/usr/share/pmon/python: pmon_regions.py pmon_regions_off.py" \
        "pkg-config tells where the Python modules are"
else
    skip "pkg-config tells where the Python modules are" "no pkg-config"
fi

mkdir -p "$work/pkg/usr/bin" # of install-exec
make -C "$builddir" uninstall prefix=/usr DESTDIR="$work/pkg" \
    >"$work/errors" 2>&1
is "$(find "$work/pkg" -name '*pmon*' | sort)" "" \
    "uninstall leaves neither a file nor a folder of pmon"

# each program of the manual, which begins with its includes
awk -v work="$work" '
    /^\.Bd/ { block = 1; name = "" }
    /^\.Ed/ { block = 0 }
    block && !name && /^#/ { name = work "/manual" ++programs ".c" }
    block && name { gsub(/\\e/, "\\"); print >name }
    END { print programs }' "$srcdir/man/libpmon.3" >"$work/programs"
is "$(cat "$work/programs")" 3 "programs of the manual"
for program in 1 2 3; do
    # shellcheck disable=SC2086
    compiles "program $program of the manual" $cc $strict -std=gnu17 \
        -I"$src" "$work/manual$program.c" "$work/libpmon.o" \
        -o "$work/manual$program" -pthread
    (cd "$work" && PMON_REGIONS=manual "$work/manual$program")
done
is "$(cd "$work" && cut -d, -f1 manual/regions data/robot_context_data |
    tr -d '"' | tr '\n' ' ')" \
    "ANALYZING_PROTOCOL RUNNING_PROTOCOL ROBOT_STARTING_UP CALIBRATING " \
    "and what they record"
if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$srcdir/man/libpmon.3")" "" "mandoc lint"
else
    skip "mandoc lint" "no mandoc"
fi

if command -v "$cxx" >/dev/null; then
    # shellcheck disable=SC2086
    for how in "" -DPMON_OFF; do
        compiles "the C++ example${how:+ with $how}" $cxx -std=c++11 $strict \
            $how -pthread -I"$src" "$srcdir/examples/regions/phases.cc" \
            "$work/libpmon.o" -o "$work/phases_cc$how"
    done
    fresh
    PMON_REGIONS=$work/regions "$work/phases_cc" >/dev/null
    is "$(cut -d, -f1 "$file" | sort | tr -d '"\n')" \
        LOADMAINSOLVEWAIT_FOR_SOLVER "a region ends with an exception"
else
    skip "the C++ example" "no $cxx"
fi

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    calls() {
        strace -f -o "$work/trace" "$programs/drive" "$@" >/dev/null
        grep -c . "$work/trace"
    }
    is "$(calls flush 1)" "$(calls flush 100000)" \
        "off: regions make no system call"
    is "$(calls flush 0)" "$(calls flush 1)" "nor does the first of them"
    fresh
    PMON_REGIONS=$work/regions strace -e trace=write -o "$work/trace" \
        "$programs/drive" leave 100
    is "$(grep -c '^write' "$work/trace")" 102 \
        "on: one write a row, and that of the header"
    fresh
    PMON_REGIONS_BUFFER=1 PMON_REGIONS=$work/regions \
        strace -o "$work/trace" "$programs/drive" leave 1000
    is "$(sed -n '/regions_headers/,$p' "$work/trace" |
        grep -Ec '^(mmap|brk)' || true)" 0 "nothing is allocated once it is on"
else
    skip "off: regions make no system call" "no strace"
fi
done_testing
