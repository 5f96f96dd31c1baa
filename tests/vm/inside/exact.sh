# SPDX-License-Identifier: MIT
# --exact in every place: its figures are the kernel's own, the step stays in
# its unit, nothing is left; and where there is no right, why.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"

# Three children that nobody waits for: 20 MiB and 0.2 s each.
burn() {
    echo "sh $step kernel $workload unwaited 3 200 ignore"
}

# What was run wrote s.json and kernel.
compare() {
    case $(figure cgroup_peak_bytes) in
    null)
        if is_older 5.19; then
            like "$(figure cgroup_note)" 'memory.peak needs Linux 5.19$' \
                'cgroup_peak_bytes is null, and why'
        else
            fail 'cgroup_peak_bytes is known' "$(figure cgroup_note)"
        fi
        ;;
    *)
        is "$(figure cgroup_peak_bytes) $(figure cgroup_peak_word)" \
            "$(told peak) exact" 'cgroup_peak_bytes is memory.peak'
        ;;
    esac
    compare_cpu
}

compare_cpu() {
    usage=$(told usage_usec)
    is_true "$usage > 600000 && $(figure total_s) >= $usage / 1e6 &&
        $(figure total_s) < $usage / 1e6 + 0.1" \
        'CPU is that of cpu.stat, children included that nobody waits for'
    is "$(figure total_word)" exact 'and exact'
}

# The step's group is that of its unit, or below it; pmon's is gone
stays() { # UNIT
    like "$(told group)" "/$1/pmon-[0-9]+\$" 'the step stays below its unit'
    is "$(left_groups)" '' 'no group is left'
}

place 'root, delegated service'
new_files
# shellcheck disable=SC2046 # a word each
service --unit=exact1 -p Delegate=yes "$PMON" -q --exact --summary s.json -- $(burn)
is $? 0 'status'
compare
stays exact1.service

place 'root, service'
new_files
# shellcheck disable=SC2046
service --unit=exact2 "$PMON" --exact --summary s.json -- $(burn)
is $? 0 'status'
is "$(figure cgroup_peak_bytes)" null 'charged memory is unknown'
like "$(cat err)" 'exact2.service is not delegated; add Delegate=yes to that unit' \
    'and how to get it'
compare_cpu
stays exact2.service

place 'root, delegated scope'
new_files
# shellcheck disable=SC2046
systemd-run --quiet --scope --unit=exact3 -p Delegate=yes "$PMON" -q --exact \
    --summary s.json -- $(burn) 2> err
is $? 0 'status'
compare
stays exact3.scope

place 'root, scope'
new_files
# shellcheck disable=SC2046
systemd-run --quiet --scope --unit=exact4 "$PMON" --exact --summary s.json -- \
    $(burn) 2> err
is $? 0 'status'
is "$(figure cgroup_peak_bytes)" null 'charged memory is unknown'
like "$(cat err)" \
    'exact4.scope is not delegated; use systemd-run --scope -p Delegate=yes' \
    'and how to get it'
compare_cpu
stays exact4.scope

place 'user, delegated scope'
new_files
# shellcheck disable=SC2046
as_user systemd-run --quiet --user --scope --unit=exact5 -p Delegate=yes \
    "$PMON" -q --exact --summary s.json -- $(burn) 2> err
is $? 0 'status'
compare
stays exact5.scope

# The user owns the group, and the command is its only process.
place 'user, scope'
new_files
# shellcheck disable=SC2046
as_user systemd-run --quiet --user --scope --unit=exact6 "$PMON" -q --exact \
    --summary s.json -- $(burn) 2> err
is $? 0 'status'
compare
stays exact6.scope

place 'user, delegated service'
new_files
# shellcheck disable=SC2046
service --unit=exact7 -p User=user -p Delegate=yes "$PMON" -q --exact \
    --summary s.json -- $(burn)
is $? 0 'status'
compare
stays exact7.service

# A group of root's, as that of a login.
no_right() { # ERE PREFIX...
    way_out=$1
    shift
    new_files
    "$@" "$PMON" --exact --summary s.json -- \
        sh "$step" kernel "$workload" daemon 20 500 100 2> err
    is $? 0 'status'
    is "$(figure cgroup_peak_bytes)" null 'charged memory is unknown'
    like "$(cat err)" "no control group can be created in .*: Permission denied; .*without --exact; $way_out" \
        'and how to get it'
    is_true "$(figure total_s) > 0.5 &&
        $(figure total_s) < $(told unit_usage_usec) / 1e6 + 0.1" \
        'CPU is that of all the same'
}
place 'user, scope of root'
no_right 'use systemd-run --user --scope -p Delegate=yes pmon' \
    systemd-run --quiet --scope --uid=1000 --setenv=XDG_RUNTIME_DIR=/run/user/1000
place 'user, service'
no_right 'add Delegate=yes to that unit' service -p User=user

# ---- limits of the unit hold for the step ----

place 'root, service'
for delegate in no yes; do
    for exact in '' --exact; do
        new_files
        # shellcheck disable=SC2086,SC2016 # an option or none; the step's
        service -p TasksMax=12 -p MemoryHigh=100M -p Delegate=$delegate \
            "$PMON" -q $exact -- sh -c 'i=0
            while [ $((i += 1)) -le 20 ]; do sleep 5 & done
            wait' > out
        like "$(cat err)" "[Cc]annot fork|fork: " \
            "TasksMax holds ($exact, Delegate=$delegate)"
    done
done

# ---- more than one level ----

place 'root, delegated service'
new_files
# shellcheck disable=SC2016 # for the step's shell
service -p Delegate=yes "$PMON" -q --exact --summary s.json -- sh -c '
    $PMON -q --exact --summary t.json -- $workload work 60 200
    $workload work 20 100'
is_true "$(figure total_s) >= $(figure total_s t.json) + 0.1 &&
    $(figure total_s t.json) >= 0.2" 'nested: the outer CPU contains the inner'
if is_older 5.19; then
    skip 'nested: the outer peak contains the inner' 'no memory.peak here'
else
    is_true "$(figure cgroup_peak_bytes) > 60 * 1048576 &&
        \"$(figure cgroup_peak_word)\" == \"exact\"" \
        'nested: the outer peak contains the inner'
fi
is "$(left_groups)" '' 'nested: no group is left'

new_files
service -p Delegate=yes "$PMON" --exact --summary s.json -- \
    systemd-run --quiet --scope "$workload" work 90 300 300
is_true "\"$(figure cgroup_peak_word)\" == \"at least\" ||
    \"$(figure cgroup_peak_word)\" == \"null\"" \
    'systemd-run --scope inside: charged memory is not said to be exact'
like "$(cat err)" 'a process has left it' 'and pmon says so'
is "$(figure oom_kills)" null 'nor are OOM kills known'
is_true "$(figure total_s) >= 0.3 && $(figure peak_rss_bytes) > 90 * 1048576" \
    'CPU and RSS of what has left are counted'

all_done
