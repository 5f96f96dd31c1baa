#!/bin/sh
# SPDX-License-Identifier: MIT
# No writable static data outside libpmon: state is passed as arguments.
. "$srcdir/tests/lib/tap.sh"

# Objects in writable sections.  Constants with pointers are in .data.rel.ro,
# which the loader makes read-only.
writable() {
    objdump -t "$@" | awk '
        /:     file format/ { file = $1 }
        / O / && $0 ~ /[ \t](\.data|\.bss|\.tdata|\.tbss|\*COM\*|\.data\.rel|\.data\.rel\.local)[ \t.]/ &&
            $0 !~ /\.data\.rel\.ro/ { print file " " $NF }'
}

if ! command -v objdump > /dev/null 2>&1; then
    echo '1..0 # SKIP objdump is not installed (binutils)'
    exit 0
fi
if nm "$builddir/libcore.a" 2> /dev/null | grep -q __asan; then
    echo '1..0 # SKIP a sanitizer adds data of its own'
    exit 0
fi
is "$(writable "$builddir/libcore.a")" '' 'no writable statics in libcore.a'

echo 'int count = 1; static int calls; int next(void) { return ++calls; }' \
    > bad.c
$CC -c -o bad.o bad.c
is "$(writable bad.o | sort | awk '{ print $2 }' | tr '\n' ' ')" \
    'calls count ' 'a writable static is found'

done_testing
