#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The static binaries of the three machines, each run: here if it is this
# machine's, else by qemu-user.  Part of make device-check.
# shellcheck disable=SC2086 # $through may be nothing

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

static=$builddir/device/static # a build of its own, where a warning is an error
readme=$srcdir/examples/device/README.md
mkdir -p "$builddir/device"
ran=
: >table

kib() {
    echo "$((($(wc -c <"$1") + 512) / 1024))"
}

# What runs a machine's programs here: sets through, or prints what is missing.
choose_through() { # ARCH
    through=
    if [ "$1" != "$(uname -m)" ]; then
        through=qemu-$1
        [ "$1" != armv7l ] || through=qemu-arm
        command -v "$through" >/dev/null || echo "$through is not installed:" \
            "apt-get install qemu-user"
    fi
}

records_a_step() {
    printf 'ncalls,tottime\n1,0.1\n' >p.csv
    run $through "$bin/pmon" --log m.txt --append-peak p.csv --summary s.json \
        -- sh -c 'sleep 0.3; exit 3'
    is "$status" 3 "$arch: a step, and its status"
    is "$(awk '/^#/ { head++ } !/^#/ && NF == 4 { rows++ }
        END { print head, (rows >= 2) }' m.txt)" '1 1' "$arch: its log"
    is "$(sed -n '3,4p' p.csv)" "
# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)" "$arch: a block"
    is_true "$(tail -n 1 p.csv | cut -d , -f 3) > 0.1" "$arch: with the peak"
    is "$(check_summary s.json)" complete "$arch: its summary"
    run $through "$bin/pmon" report s.json
    like "$(cat out)" '^sh .* exit 3 ' "$arch: report"
}

records_regions() {
    rm -rf r listening
    run env PMON_REGIONS=r $through "$bin/pmon" region LOAD -- true
    like "$status $(tr -d '\r' <r/regions)" \
        '^0 "LOAD","[0-9]{19}","[0-9]{4,}"$' "$arch: a region"
    PMON_REGIONS=r PMON_REGIONS_NAME=server timeout 20 $through \
        "$bin/example-server" --env r socket >listening &
    wait_until grep -q listening listening
    run $through "$bin/example-server" --ask socket 'analyze a' 'run a' status \
        quit
    wait
    is "$(tail -n 1 out) $(wc -l <r/server)" \
        'tracking on, style quoted, 2 recorded, 0 lost 2' \
        "$arch: regions of a server"
}

watches() {
    rm -rf w
    mkdir w
    run $through "$bin/pmon-watch" --include-self \
        --filter "${through:+$through }$bin/pmon-watch *" \
        --interval 0.2 --count 3 --dir w
    is "$status $(grep -c '^"[0-9]*",".*pmon-watch .*"' w/system_resource_data)" \
        '0 3' "$arch: watch, three rows"
    is "$(cat w/system_resource_data_headers)" \
        query_time,command,running_since,user_cpu_time,system_cpu_time,memory_percent \
        "$arch: and their header"
}

# The largest memory of pmon, in KiB: the least of five runs, since where its
# stack and its heap begin moves by parts of pages.
pmon_memory() {
    for _ in 1 2 3 4 5; do
        run env -i PATH="$PATH" "$bin/pmon" --summary s.json -- sleep 0.2
        echo $(($(summary s.json quality monitor_peak_rss_bytes) / 1024))
    done | sort -n | head -n 1
}

# The same of pmon-watch.
watch_memory() {
    rm -f w/*
    "$bin/pmon-watch" --filter "$bin/pmon-watch *" --include-self \
        --interval 0.1 --dir w 2>err &
    watch=$!
    wait_until has_lines w/system_resource_data 6
    sed -n 's/^VmHWM:[[:blank:]]*\([0-9]*\) kB/\1/p' "/proc/$watch/status"
    kill -TERM "$watch"
    wait "$watch"
}

# Only this machine tells what its programs need: qemu has memory of its own.
measures_memory() {
    [ -z "$through" ] || return 0
    pmon_kib=$(pmon_memory)
    is_true "$pmon_kib <= 1024" "$arch: pmon needs at most 1 MiB: $pmon_kib KiB"
    watch_kib=$(watch_memory)
    is_true "$watch_kib <= 1024" \
        "$arch: pmon-watch needs at most 1 MiB: $watch_kib KiB"
}

# The line of README.md's table, which may be wrong by a sixth.
is_in_readme() {
    line=$(grep "^| $arch |" "$readme" | tr -d '|' | sed 's/ KiB//g')
    for pair in 2:$(kib "$bin/pmon") 3:$(kib "$bin/pmon-watch") \
        4:$(kib "$bin/libpmon.a") 5:$pmon_kib 6:$watch_kib; do
        said=$(echo "$line" | tr -s ' ' | cut -d ' ' -f "$((${pair%:*} + 1))")
        case ${pair#*:} in *[!0-9]*) continue ;; esac
        is_true "${said:-0} * 6 > 5 * ${pair#*:} && ${said:-0} * 6 < 7 * ${pair#*:}" \
            "$arch: README.md says ${said:-nothing}, it is ${pair#*:} KiB"
    done
    echo "| $arch | $(kib "$bin/pmon") KiB | $(kib "$bin/pmon-watch") KiB |" \
        "$(kib "$bin/libpmon.a") KiB | $pmon_kib | $watch_kib |" >>table
}

check_machine() {
    bin=$static/$arch
    is "$($through "$bin/pmon" --version) $($through "$bin/pmon-watch" \
        --version | cut -d ' ' -f 1,2)" \
        "$version pmon-watch ${version#pmon }" "$arch: --version"
    records_a_step
    records_regions
    watches
    pmon_kib=– watch_kib=–
    measures_memory
    is_in_readme
    ran="$ran $arch (${through:-here})"
}

version=$("$PMON" --version)
for arch in x86_64 aarch64 armv7l; do
    STATIC_CONFIGURE=--enable-werror \
        "$srcdir/.ci/static" "$builddir/device" "$arch" >words 2>&1
    built=$?
    why=$(choose_through "$arch")
    if [ "$built" -eq 77 ]; then
        skip "$arch" "$(cat words)"
    elif [ "$built" -ne 0 ]; then
        not_ok "$arch: is built without a warning" "$(cat words)"
    elif [ -n "$why" ]; then
        skip "$arch: built, not run" "$why"
    else
        ok "$arch: is built without a warning"
        choose_through "$arch"
        check_machine
    fi
done
sed 's/^/# /' table
echo "# ran on:${ran:- none}"
[ -n "$ran" ] || not_ok 'a machine is there' 'none could be built and run'
done_testing
