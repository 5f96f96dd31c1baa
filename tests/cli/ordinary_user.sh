#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of pmon does not depend on who runs it: started by root, each case
# runs as root and as an ordinary user.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE
mib=1048576
chmod 777 .

# record OPTIONS -- COMMAND: by $as, with a summary
record() {
    rm -f s.json
    # shellcheck disable=SC2086  # a command and its options
    run $as "$PMON" --summary s.json "$@"
    take_facts s.json
}

# ---- I/O: a zombie's file belongs to root ----

# 30 writes of 1 MiB, and what else dd reads and writes
io_of_dd() { # NAME
    is "$status,$(fact io.write_calls)" 0,30 "$who: $1: calls that write"
    is_true "$(fact io.read_calls) >= 30" "$who: $1: calls that read"
    is "$(fact io.word)" exact "$who: $1: exact"
    if [ "$(fact io.write_bytes)" = 0 ]; then
        skip "$who: $1: bytes" 'the folder is on no disk'
    else
        is_true "$(fact io.write_bytes) >= 30 * $mib &&
            $(fact io.write_bytes) < 31 * $mib" "$who: $1: bytes"
    fi
}
dd='dd if=/dev/zero of=w bs=1M count=30 conv=fsync status=none'

check_io() {
    # shellcheck disable=SC2086  # a command and its arguments
    record -q --include-io -i 5 -l m.txt -- $dd
    io_of_dd '--include-io'
    is "$(awk 'END { print $6 }' m.txt)" 30 "$who: in the last row"
    # shellcheck disable=SC2086
    record -q -i 5 -- $dd
    io_of_dd 'only a summary'
    record -q -i 5 --survivors wait -- sh -c "(:; $dd) & exit 0"
    io_of_dd 'an orphan'
    record -q -i 5 -- sh -c "(exec $dd) & wait"
    io_of_dd 'a waited child'
    record -q --include-io -- "$workload" unwaited 3 20 ignore
    is "$(fact io.word)" 'at least' \
        "$who: what nobody waited for is missing: at least"
    rm -f w m.txt
}

who='as this user'
as=
check_io
if [ "$(id -u)" = 0 ]; then
    who='as an ordinary user'
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    # shellcheck disable=SC2086
    if $as "$PMON" --version > bad 2>&1; then
        check_io
    else
        skip "$who" "$(head -n 1 bad)"
    fi
fi

done_testing
