# SPDX-License-Identifier: MIT
# Runs a command, then writes to a file what the kernel has counted: for the
# own control group, and, while the command ran, for the unit around it.  With
# no program of its own meanwhile, which would be counted, too.
#
#   sh step.sh FILE COMMAND...
file=$1
shift

mount=/sys/fs/cgroup
while read -r line; do
    case $line in
    0::*) group=$mount${line#0::} ;;
    esac
done < /proc/self/cgroup
unit=$group
while [ "$unit" != "$mount" ]; do
    case ${unit##*/} in
    *.service | *.scope) break ;;
    esac
    unit=${unit%/*}
done

# Sets value to a line's of a file, of `key value` or `key words total=value`
counter() { # FILE KEY
    value=0
    while read -r key rest; do
        [ "$key" != "$2" ] || value=${rest##*total=}
    done < "$1"
}

# Of the unit: throttled, and waiting for processors, memory and I/O, in us
counters() {
    counter "$unit/cpu.stat" throttled_usec
    all=$value
    for each in cpu memory io; do
        counter "$unit/$each.pressure" some
        all="$all $value"
    done
}

{
    counters
    before=$all
    "$@" 2>&3
    status=$?
    counters
} 3>&2 2> "$file.err"
# shellcheck disable=SC2086 # a word each
set -- $before $all
peak=
[ ! -e "$group/memory.peak" ] || read -r peak < "$group/memory.peak"
{
    echo "group=$group"
    echo "unit=$unit"
    echo "peak=$peak"
    echo "throttled_usec=$(($5 - $1))"
    echo "cpu_usec=$(($6 - $2))"
    echo "memory_usec=$(($7 - $3))"
    echo "io_usec=$(($8 - $4))"
    counter "$unit/cpu.stat" usage_usec
    echo "unit_usage_usec=$value"
    # Nothing comes after it that would be counted, but the end.
    counter "$group/cpu.stat" usage_usec
    echo "usage_usec=$value"
} > "$file"
exit $status
