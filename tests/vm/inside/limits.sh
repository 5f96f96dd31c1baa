# SPDX-License-Identifier: MIT
# Memory limits and the OOM killer, --min-free, CPU quota, pressure.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"
mib=1048576
limited='-p MemoryMax=100M -p MemorySwapMax=0'

# ---- the OOM killer, within a limit of 100 MiB ----

for delegate in no yes; do
    service_place $delegate
    for exact in '' --exact; do
        new_files
        # shellcheck disable=SC2086 # words
        service $limited -p OOMPolicy=continue -p Delegate=$delegate \
            "$PMON" $exact --summary s.json -- "$workload" work 200 0 100
        is "$? $(figure signal) $(figure oom_kills) $(figure limit_source)" \
            '137 9 1 cgroup' "killed for memory${exact:+, $exact}"
        is "$(figure limit_bytes)" $((100 * mib)) "the limit${exact:+, $exact}"
        like "$(cat err)" "OOM killer killed 1 process in this control group; the limit is 100 MiB" \
            "and pmon says so${exact:+, $exact}"
        new_files
        # shellcheck disable=SC2086,SC2016
        service $limited -p OOMPolicy=continue -p Delegate=$delegate \
            "$PMON" -q $exact --summary s.json -- sh -c '
                $workload work 200 0 100; sleep 0.2; exit 3'
        is "$? $(figure oom_kills)" '3 1' \
            "a child is killed, the step goes on${exact:+, $exact}"
        is "$(left_groups)" '' 'no group is left'
    done
done

place 'user, delegated scope'
for exact in '' --exact; do
    new_files
    # shellcheck disable=SC2086
    as_user systemd-run --quiet --user --scope $limited -p Delegate=yes \
        "$PMON" $exact --summary s.json -- "$workload" work 200 0 100 2> err
    is "$? $(figure oom_kills) $(figure limit_bytes)" \
        "137 1 $((100 * mib))" "killed for memory${exact:+, $exact}"
done

# All of the unit is killed, pmon included: the run is lost, and says so.
place 'root, service'
for exact in '' --exact; do
    new_files
    # shellcheck disable=SC2086
    service $limited -p OOMPolicy=kill "$PMON" -q $exact --summary s.json \
        --log log.txt -i 20ms -- "$workload" work 200 300 100
    is "$(figure reason)" running "memory.oom.group kills pmon${exact:+, $exact}"
    "$PMON" report s.json > out 2> err
    like "$(cat err out)" 'lost' "and the report has a lost run${exact:+, $exact}"
    is "$(left_groups)" '' 'no group is left'
done

# Only the step, which has set it for its own group.
place 'root, delegated service'
new_files
# shellcheck disable=SC2016
service -p Delegate=yes -p OOMPolicy=continue "$PMON" -q --exact \
    --summary s.json -- sh -c '
        group=/sys/fs/cgroup$(sed -n "s/^0:://p" /proc/self/cgroup)
        echo 50M > $group/memory.max
        echo 0 > $group/memory.swap.max
        echo 1 > $group/memory.oom.group
        $workload work 100 0 100
        sleep 1'
is "$? $(figure signal)" '137 9' "memory.oom.group of the step's own group"
is_true "$(figure oom_kills) >= 2" 'and all that were killed are counted'

# ---- --pid: the target's limits, not pmon's ----

place 'root, --pid'
new_files
# The unit lives on when the target has ended.
# shellcheck disable=SC2086,SC2016
start_service --unit=target $limited -p OOMPolicy=continue -p CPUQuota=70% \
    sh -c '(while [ ! -e go ]; do sleep 0.1; done
            $workload work 200 0 100; true) &
        echo $! > target.new; mv target.new target
        sleep 60'
wait_until test -e target
"$PMON" --pid "$(cat target)" --summary s.json 2> err &
pid=$!
wait_until grep -q running s.json
touch go
wait $pid
is "$(figure oom_kills) $(figure limit_bytes) $(figure limit_source)" \
    "1 $((100 * mib)) cgroup" "limit and kills are the target's"
is "$(figure cpu_quota_cores)" 0.7 'and the CPU quota'
systemctl stop target

# ---- --min-free ----

min_free() { # PREFIX...
    new_files
    "$@" "$PMON" --min-free 40M --summary s.json -- \
        "$workload" work 80 0 60000 2> err
    is "$? $(figure reason) $(figure oom_kills)" '123 min_free 0' \
        '--min-free ends the step before the OOM killer'
    like "$(cat err)" 'min-free .* left of 40.0 MiB, exceeded, step stopped; the largest was workload' \
        'and says who was largest'
}
place 'root, scope'
# shellcheck disable=SC2086
min_free systemd-run --quiet --scope $limited
place 'user, scope'
# shellcheck disable=SC2086
min_free as_user systemd-run --quiet --user --scope $limited
place 'root, service'
new_files
# shellcheck disable=SC2086
service $limited "$PMON" --min-free 30M --summary s.json -- \
    "$workload" work 40 0 300
is "$? $(figure reason)" '0 exited' '--min-free is kept'
new_files
# shellcheck disable=SC2086,SC2016
service $limited "$PMON" -q --min-free 40M --summary s.json -- \
    sh -c 'head -c 90M /dev/zero > file; cat file > /dev/null; sleep 0.3; rm file'
is "$? $(figure reason)" '0 exited' 'page cache counts as free'

# ---- what slowed it down ----

# The unit's own counters, read around pmon and by the step
between() { # KEY FIGURE
    awk -v step="$(told "$1")" -v pmon="$2" -v around="$(told "$1" around)" \
        'BEGIN { exit !(step > 0 && pmon * 1e6 > step - 1 &&
            pmon * 1e6 < around + 1) }'
}
counted() { # KEY FIGURE DESC
    if between "$1" "$(figure "$2")"; then
        ok "$3"
    else
        fail "$3" "step: $(told "$1"), pmon: $(figure "$2"), around: $(told "$1" around)"
    fi
}

for exact in '' --exact; do
    new_files
    # shellcheck disable=SC2086
    service -p CPUQuota=30% sh "$step" around "$PMON" $exact \
        --summary s.json -- sh "$step" kernel "$workload" work 1 600
    is "$(figure cpu_quota_cores) $(figure cpus_allowed)" '0.3 0.3' \
        "CPU quota${exact:+, $exact}"
    counted throttled_usec throttled_s "throttled as in the unit's cpu.stat${exact:+, $exact}"
    is_true "$(figure throttled_periods) > 2" "in periods${exact:+, $exact}"
    like "$(cat err)" 'slowed .*CPU quota of 0.3 cores held it back' \
        "and pmon says so${exact:+, $exact}"
done

compare_pressure() { # KIND
    is "$(figure pressure_source)" cgroup "$1 pressure is the unit's"
    counted "$1_usec" "pressure_$1_s" "$1 pressure as in the unit's $1.pressure"
}

if [ -e /proc/pressure/cpu ]; then
    new_files
    service taskset -c 0 sh "$step" around "$PMON" --summary s.json -- \
        sh "$step" kernel "$workload" busy 3 2000
    compare_pressure cpu
    like "$(cat err)" 'slowed .*waited for a processor' 'and pmon says so'
    new_files
    service -p MemoryHigh=40M -p MemorySwapMax=0 sh "$step" around \
        "$PMON" -q --summary s.json -- \
        sh "$step" kernel "$workload" work 44 0 0
    compare_pressure memory
    new_files
    service sh "$step" around "$PMON" -q --summary s.json -- sh "$step" kernel \
        dd if=/dev/zero of=file bs=64k count=200 oflag=dsync status=none
    compare_pressure io
    place 'user, scope'
    new_files
    as_user systemd-run --quiet --user --scope taskset -c 0 \
        sh "$step" around "$PMON" -q --summary s.json -- \
        sh "$step" kernel "$workload" busy 3 2000 2> err
    compare_pressure cpu
else
    skip 'pressure' 'no pressure stall information here'
fi

all_done
