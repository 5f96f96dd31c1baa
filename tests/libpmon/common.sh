# SPDX-License-Identifier: MIT
# Shared by the tests of libpmon.  Their files are below $work.
. "$srcdir/tests/lib/tap.sh"

programs=$builddir/tests/libpmon
src=$srcdir/src/libpmon
unset PMON_REGIONS PMON_REGIONS_NAME PMON_REGIONS_STYLE PMON_REGIONS_BUFFER
unset PMON_REGIONS_OPEN PMON_REGIONS_RUN PMON_LIBRARY

quoted='^"[A-Za-z0-9_ ]*","[0-9]{19}","[0-9]+"'"$(printf '\r')"'$'
seed='^[A-Za-z0-9_ ]*,[0-9]{19},[0-9]+'"$(printf '\r')"'$'

# rows FILE NAME: how many rows have the name
rows() {
    grep -c "^\"*$2\"*," "$1" || true
}

# bad FILE [PATTERN]: how many lines are not rows
bad() {
    grep -Evc "${2:-$quoted}" "$1" || true
}

# fresh: makes an empty folder for regions
fresh() {
    rm -rf "$work/regions"
    file=$work/regions/regions
}

# drive MODE …: runs the program, with regions on
drive() {
    PMON_REGIONS=$work/regions timeout 300 "$programs/drive" "$@"
}

# buffered MODE …: the same in buffered mode
buffered() {
    PMON_REGIONS_BUFFER=1 drive "$@"
}
