#!/bin/sh
# SPDX-License-Identifier: MIT
# What depends on the place, in virtual machines with systemd and control
# groups of version 2: make vm-check, by hand.  Each is made of Debian's
# packages, with the kernel of its release, and boots with KVM if it does so
# here, else emulated.  Everything is in vm/ of the build folder, where disks
# are kept until pmon changes.  tests/vm/inside/ has the checks.
#
#   vm.sh [SUITE...]     default: bookworm; RELEASE+backports has a newer kernel
#
# VM_CHECKS names the checks to run, VM_LIMIT the seconds for a suite (900).
set -u
LC_ALL=C.UTF-8
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
# What make says to those that it runs is not for the make below.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/lib/debian.sh
. "$here/../lib/debian.sh"
: "${builddir:=$here/../../build}"
builddir=$(CDPATH='' cd -- "$builddir" && pwd)
: "${VM_CHECKS=}" "${VM_LIMIT:=900}"
vm=$builddir/vm
sources=$vm/sources.$$
machine=

# Why nothing can be done here; nothing when it can
why_not() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo 'this needs x86_64'
    elif ! command -v qemu-system-x86_64 > /dev/null; then
        echo 'no qemu-system-x86_64: apt-get install qemu-system-x86'
    elif ! command -v mmdebstrap > /dev/null; then
        echo 'no mmdebstrap: apt-get install mmdebstrap'
    elif ! command -v mke2fs > /dev/null; then
        echo 'no mke2fs: apt-get install e2fsprogs'
    elif [ "$(id -u)" -ne 0 ] && ! command -v newuidmap > /dev/null; then
        echo 'no newuidmap, and not root: apt-get install uidmap'
    elif [ -z "$(mirror)" ]; then
        echo 'apt knows no Debian here: apt-get update'
    fi
}

seconds_left() {
    echo $((VM_LIMIT - $(date +%s) + began))
}

stop_machine() {
    [ -z "$machine" ] || kill "$machine" 2> /dev/null
    machine=
}
trap 'stop_machine; rm -rf "$sources"' EXIT
trap 'exit 99' INT TERM HUP

# The sources as they are distributed, and in $key what a disk is made of.
export_sources() {
    make -s -C "$builddir" distdir > "$vm/distdir.log" 2>&1 || {
        cat "$vm/distdir.log"
        exit 99
    }
    set -- "$builddir"/pmon-[0-9]*/
    mv "$1" "$sources"
    rm -rf "$sources/tests/vm/inside"
    key=$(tar -C "$sources" --sort=name --mtime=@0 --owner=0 --group=0 \
        -cf - . | sha256sum)
}

make_disk() { # SUITE
    folder=$vm/$1
    mkdir -p "$folder"
    [ ! -e "$folder/key" ] || [ "$(cat "$folder/key")" != "$key" ] || return 0
    rm -rf "${folder:?}"/*
    timeout -k 10 "$(seconds_left)" sh "$here/image.sh" "$1" "$folder" \
        "$sources" "$(mirror)" > "$vm/$1.made" 2>&1 < /dev/null || return
    echo "$key" > "$folder/key"
}

start_machine() { # SUITE ACCELERATOR CPU
    TMPDIR=$folder timeout -k 5 "$(seconds_left)" qemu-system-x86_64 \
        -accel "$2" -cpu "$3" -smp 2 -m 2G -nodefaults -display none \
        -no-reboot -serial "file:$vm/$1.console" -serial "file:$folder/printed" \
        -kernel "$folder/vmlinuz" -initrd "$folder/initrd" -append \
        'console=ttyS0 root=/dev/vda rw panic=-1 mitigations=off net.ifnames=0' \
        -drive "file=$folder/disk,format=raw,if=virtio,snapshot=on" \
        -drive "file=$folder/checks.tar,format=raw,if=virtio,readonly=on" \
        -device virtio-rng-pci > "$folder/qemu" 2>&1 < /dev/null &
    machine=$!
}

# Boots.  Whether KVM can, its first 20 s tell.
boot() { # SUITE
    # The disk of checks has a size of whole sectors.
    echo "$VM_CHECKS" > "$folder/which"
    tar -b 20 -cf "$folder/checks.tar" -C "$folder" which -C "$here/inside" .
    : > "$folder/printed"
    if [ "$accelerator" != TCG ] && [ -w /dev/kvm ]; then
        accelerator=KVM
        : > "$vm/$1.console"
        start_machine "$1" kvm host
        for each in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            sleep 1
            ! grep -q 'Linux version' "$vm/$1.console" || return 0
            kill -0 "$machine" 2> /dev/null || break
        done
        stop_machine
        wait 2> "$folder/qemu"
    fi
    accelerator=TCG
    start_machine "$1" tcg,thread=multi max
}

# Prints, and keeps it in the suite's log; what else is given, indented.
say() { # LINE [TEXT]
    {
        printf '%s\n' "$1"
        [ $# -eq 1 ] || printf '%s\n' "$2" | tr -d '\r' | sed 's/^/      /'
    } | tee -a "$log"
}

# Runs a suite; its lines are printed as they come.
check() { # SUITE
    began=$(date +%s)
    log=$vm/$1.log
    : > "$log"
    if ! make_disk "$1"; then
        say "FAIL  disk: it is made" "$(tail -n 5 "$vm/$1.made")"
        return
    fi
    made=$(($(date +%s) - began))
    boot "$1"
    say "-- $1: disk after $made s; $accelerator"
    # In the background, so that a signal is heard at once.
    tail -n +1 -f --pid="$machine" "$folder/printed" 2> /dev/null |
        tee -a "$log" &
    wait
    machine=
    grep -q '^== end$' "$folder/printed" ||
        say 'FAIL  machine: it runs to its end' \
            "$(tail -n 5 "$vm/$1.console" "$folder/qemu")"
    say "-- $1: $(($(date +%s) - began)) s"
}

# Places, and what came of them
count() {
    awk 'function row(suite, what, a, b, c) {
            printf "%-22s %-26s %5s %5s %5s\n", suite, what, a, b, c
        }
        FNR == 1 { kernel = "" }
        /^== [0-9]/ { kernel = $2; sub(/,$/, "", kernel); sub(/-.*/, "", kernel) }
        /^(ok|FAIL|skip)  / {
            suite = FILENAME
            sub(/.*\//, "", suite)
            sub(/\.log$/, "", suite)
            if (kernel != "")
                suite = suite " " kernel
            place = $0
            sub(/^[a-zA-Z]+ +/, "", place)
            sub(/: .*/, "", place)
            if (!((suite, place) in seen)) {
                seen[suite, place] = 1
                suites[++n] = suite
                places[n] = place
            }
            count[suite, place, $1]++
            all[$1]++
        }
        END {
            row("machine", "place", "ok", "FAIL", "skip")
            for (i = 1; i <= n; i++)
                row(suites[i], places[i], \
                    count[suites[i], places[i], "ok"] + 0, \
                    count[suites[i], places[i], "FAIL"] + 0, \
                    count[suites[i], places[i], "skip"] + 0)
            printf "%d ok, %d FAIL, %d skip\n", all["ok"], all["FAIL"], \
                all["skip"]
            exit all["FAIL"] > 0 || all["ok"] == 0
        }' "$@"
}

reason=$(why_not)
if [ -n "$reason" ]; then
    echo "skip  vm-check: # $reason"
    exit 0
fi
mkdir -p "$vm"
[ $# -gt 0 ] || set -- bookworm
export_sources
accelerator=
logs=
for suite; do
    check "$suite"
    logs="$logs $log"
done
# shellcheck disable=SC2086 # a word each
count $logs
