#!/bin/sh
# SPDX-License-Identifier: MIT
# What slowed a step down: affinity, CPU quota, pressure, and the line about it.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

busy='import time
def waited():
    try:
        with open("/proc/pressure/cpu") as file:
            return int(file.readline().split("total=")[1])
    except OSError:
        return 0
begin = waited()
end = time.monotonic() + 2
while time.monotonic() < end: pass
with open("inner", "w") as file: print(waited() - begin, file=file)'

# What the threads of the host have waited for a processor so far, in us
waited() {
    sed -n 's/^some .*total=//p' /proc/pressure/cpu
}

# The first processor that this test may use
first=$("$python" -S -c 'import os; print(min(os.sched_getaffinity(0)))')
cores=$(getconf _NPROCESSORS_ONLN)

# Two seconds of it, in a summary
record() { # SUMMARY COMMAND...
    summary=$1
    shift
    run "$@" "$PMON" --step busy --summary "$summary" -- \
        "$python" -S -c "$busy"
}

# ---- affinity ----

if command -v taskset > found; then
    run taskset -c "$first" "$PMON" --summary s.json -- sleep 0.1
    take_facts s.json
    is "$(fact load.cpus_allowed | cut -d . -f 1)" 1 'cpus_allowed under taskset'
    is "$(fact host.cores)" "$cores" 'host.cores are those of the host'
    sleep 30 &
    target=$!
    taskset -p -c "$first" $target > said
    run "$PMON" --pid $target --duration 0.2 --summary s.json
    kill $target
    take_facts s.json
    is "$(fact load.cpus_allowed | cut -d . -f 1)" 1 \
        '--pid: cpus_allowed are those of the process'

    # Four others want the same processor.  The kernel weighs processors by how
    # busy they are, so what it counts depends on the rest of the machine: pmon
    # has more than the step itself sees, and less than is seen around pmon.
    others=
    for other in 1 2 3 4; do
        taskset -c "$first" "$python" -S -c 'while True: pass' &
        others="$others $!"
    done
    before=$(waited)
    record crowded.json taskset -c "$first"
    after=$(waited)
    # shellcheck disable=SC2086  # a list of pids
    kill $others
    take_facts crowded.json
    if [ "$(fact load.pressure_source)" = host ]; then
        is_true "$(cat inner) <= $(fact load.pressure_cpu_s) * 1e6 + 1" \
            'beside a competing load: at least what the step saw'
        is_true "$(fact load.pressure_cpu_s) * 1e6 <= $after - $before + 1" \
            'at most what was seen around pmon'
        is_true "$(cat inner) > 0.1 * $(fact time.wall_s) * 1e6" \
            'some thread waited for more than a tenth of the time'
        like "$(cat err)" '^pmon: slowed   threads of the host waited for a processor for [0-9.]+ s of [0-9.]+ s' \
            'which is reported'
    else
        skip 'a competing load' 'the pressure is not that of the host'
    fi
    record free.json
    run "$PMON" compare free.json crowded.json
    if [ "$cores" -gt 1 ]; then
        like "$(cat out)" '^busy: the load differed: processors allowed [0-9.]+ in base, 1 in new' \
            'compare names the processors allowed'
    else
        skip 'compare names the processors allowed' 'there is only one'
    fi
else
    skip 'cpus_allowed under taskset' 'taskset is missing'
fi

# ---- a quota of version 1 or 2: its folder in $group, empty without the right

group=
make_group() { # QUOTA_US PERIOD_US
    if [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ]; then
        group=/sys/fs/cgroup/cpu/pmon-load.$$
        mkdir "$group" 2> bad && echo "$2" 2> bad > "$group/cpu.cfs_period_us" &&
            echo "$1" 2> bad > "$group/cpu.cfs_quota_us" && return
    else
        group=/sys/fs/cgroup/pmon-load.$$
        mkdir "$group" 2> bad && echo "$1 $2" 2> bad > "$group/cpu.max" && return
    fi
    rmdir "$group" 2> bad
    group=
}

make_group 20000 100000
if [ -n "$group" ]; then
    record s.json sh -c 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"' sh "$group"
    take_facts s.json
    is "$(fact load.cpu_quota_cores)" 0.2 'the quota of the group'
    is "$(fact load.cpus_allowed)" 0.2 'limits cpus_allowed'
    is "$(fact host.cores)" "$cores" 'and not host.cores'
    is_true "$(fact load.throttled_s) > 0.5 and $(fact load.throttled_s) < 3" \
        'the time for which it held the step back'
    is_true "$(fact load.throttled_periods) >= 8" 'in most of 20 periods'
    like "$(cat err)" '^pmon: slowed   CPU quota of 0\.2 cores held it back for [0-9.]+ s of [0-9.]+ s' \
        'and the line about it'
    record free.json
    run "$PMON" compare free.json s.json
    like "$(cat out)" '^busy: the load differed: processors allowed [0-9.]+ in base, 0.2 in new; held back by the CPU quota 0 % of the time in base, [0-9]+ % in new' \
        'compare names the quota'
    run sh -c 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"' sh "$group" \
        "$PMON" -q -- "$python" -S -c "$busy"
    is "$(cat err)" '' 'which -q leaves out'

    sleep 30 &
    target=$!
    echo $target > "$group/cgroup.procs"
    run "$PMON" --pid $target --duration 0.2 --summary s.json
    kill $target
    wait $target 2> bad
    take_facts s.json
    is "$(fact load.cpu_quota_cores)" 0.2 "--pid: the quota of the target's group"
    is_true "$(fact load.throttled_s) == 0" '--pid: it slept'
    wait_until rmdir "$group" 2> bad
else
    skip 'a CPU quota' 'no cpu cgroup can be made here'
fi

# ---- since when ----

# On a busy machine a step runs long before pmon does.
if strace -o trace true 2> bad; then
    strace -f -e trace=openat,execve -o trace \
        "$PMON" -q --summary s.json -- /bin/sleep 0
    is "$(grep -o '/proc/self/cgroup\|execve("/bin/sleep' trace |
        head -n 2 | tr '\n' ' ')" \
        '/proc/self/cgroup execve("/bin/sleep ' \
        'what is counted is read before the step runs'
else
    skip 'what is counted is read before the step runs' 'strace is not allowed'
fi

# ---- pressure ----

run "$PMON" --summary s.json -- sleep 0.1
take_facts s.json
if cat /proc/pressure/cpu > said 2>&1; then
    like "$(fact load.pressure_source)" '^(host|cgroup)$' 'whose pressure'
    is_true "$(fact load.pressure_cpu_s) >= 0" 'the CPU pressure'
else
    skip 'pressure' 'this kernel has no /proc/pressure'
fi

# Another /proc/pressure, which is empty
if unshare -m sh -c 'mount -t tmpfs none /proc/pressure' 2> bad &&
    [ "$(fact load.pressure_source)" = host ]; then
    run unshare -m sh -c 'mount -t tmpfs none /proc/pressure && exec "$@"' sh \
        "$PMON" --summary s.json -- sleep 1.1
    is "$status" 0 'a host without /proc/pressure'
    take_facts s.json
    is "$(fact load.pressure_source),$(fact load.pressure_cpu_s),$(fact load.pressure_memory_s),$(fact load.pressure_io_s)" \
        null,null,null,null 'has no pressure'
    unlike "$(cat err)" 'waited for' 'and no message mentions it'
else
    skip 'a host without /proc/pressure' 'it cannot be hidden here'
fi

run "$PMON" -- sleep 0.1
unlike "$(cat err)" 'slowed' 'a short step has no such line'

done_testing
