#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon_regions.py: every kind of function, by libpmon and without it.
. "${srcdir:-.}/tests/libpmon/common.sh"
lib=${PMON_TEST_LIBDIR:-$builddir/.libs}
export PYTHONDONTWRITEBYTECODE=1

# The names in the row file, each with its number of rows
names() {
    cut -d, -f1 "$file" | tr -d '"' | sort | uniq -c | awk '{print $2 $1}' |
        tr '\n' ' '
}

if ! command -v python3 >/dev/null; then
    skip "pmon_regions.py" "no python3"
    done_testing
fi
# The stub has the same names, with the same arguments, which do nothing.
is "$(PYTHONPATH=$srcdir/examples/python python3 - <<'PY'
import asyncio, inspect
import pmon_regions as real
import pmon_regions_off as off

assert off.__all__ == real.__all__
for name in set(real.__all__) - {"region"}:
    assert inspect.signature(getattr(off, name)) == \
        inspect.signature(getattr(real, name)), name
for name in ("__init__", "__call__", "__enter__", "__exit__", "__aenter__",
             "__aexit__"):
    assert inspect.signature(getattr(off.region, name)) == \
        inspect.signature(getattr(real.region, name)), name
assert off.stats() == real.stats()
assert not off.decide() and not off.switch_on("none", buffered=True)

class Work:
    @off.region("A")
    @staticmethod
    def one():
        return 1

    @off.region("B")
    async def two(self):
        async with off.region("C") as inside:
            return inside.name

try:
    with off.region("D"):
        raise KeyError
except KeyError:
    print(Work.one(), asyncio.run(Work().two()))
PY
)" "1 C" "pmon_regions_off.py: the same names"
is "$(for each in $(PYTHONPATH=$srcdir/examples/python python3 -c \
    'import pmon_regions; print(*pmon_regions.__all__)'); do
    grep -q "Li $each\\>" "$srcdir/man/libpmon.3" ||
        grep -q "^\.It.* $each()" "$srcdir/man/libpmon.3" || echo "$each"
done)" "" "libpmon(3) has each name of the module"
kinds=none
if [ -e "$lib/libpmon.so" ]; then
    kinds="none $lib/libpmon.so"
else
    skip "by libpmon" "no shared library"
fi
for library in $kinds; do
    how=$(basename "$library")
    for mode in 0 1; do
        fresh
        PMON_LIBRARY=$library PMON_REGIONS=$work/regions \
            PMON_REGIONS_BUFFER=$mode \
            python3 "$srcdir/tests/libpmon/kinds.py" \
            "$srcdir/examples/python" "$mode" >"$work/out" 2>&1
        is "$(cat "$work/out")" "ok" "$how, buffer $mode: every kind"
        is "$(bad "$file")" 0 "$how, buffer $mode: whole rows"
        is "$(names)" \
            "added1 asyncgen2 child1 class1 coroutine1 error1 function1 generator1 late1 made1 method1 over1 static2 thread8 with1 " \
            "$how, buffer $mode: each once"
        for case in "together leave1 together8" "closed before1" \
            "handler handler2 program1"; do
            # inside libpmon no handler of Python can run
            [ "$library" = none ] || [ "${case%% *}" != handler ] || continue
            fresh
            PMON_LIBRARY=$library PMON_REGIONS=$work/regions \
                PMON_REGIONS_BUFFER=$mode timeout 60 \
                python3 "$srcdir/tests/libpmon/kinds.py" \
                "$srcdir/examples/python" "${case%% *}" "$work/own" \
                >"$work/out" 2>&1
            is "$(cat "$work/out"; bad "$file")" "ok
0" "$how, buffer $mode: ${case%% *}"
            is "$(names)" "${case#* } " "$how, buffer $mode: each once"
        done
    done
    for style in quoted seed; do
        rm -rf "$work/$how-$style"
        PMON_LIBRARY=$library PMON_REGIONS=$work/$how-$style \
            PMON_REGIONS_STYLE=$style \
            python3 "$srcdir/tests/libpmon/kinds.py" \
            "$srcdir/examples/python" names >"$work/out" 2>&1
        is "$(cat "$work/out")" "ok" "$how: names in $style style"
        [ "$how" = none ] ||
            is "$(diff -r "$work/none-$style" "$work/$how-$style" && echo same)" \
                same "$style: the same bytes from Python and from libpmon"
    done
done
fresh
python3 "$srcdir/tests/libpmon/kinds.py" "$srcdir/examples/python" off \
    >"$work/out" 2>&1
is "$(cat "$work/out")" ok "off, nothing is loaded"
is "$(ls "$work/regions" 2>/dev/null)" "" "and no file made"
done_testing
