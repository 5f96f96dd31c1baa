#!/bin/sh
# SPDX-License-Identifier: MIT
# The control groups of the step, and of a process of another group; a /proc
# that hides processes.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload
mib=1048576

# ---- a group with a limit: its folder in $group, empty without the right ----

group=
make_group() {
    group=/sys/fs/cgroup/memory/pmon-test.$$
    limit=$group/memory.limit_in_bytes
    if ! [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
        group=/sys/fs/cgroup/pmon-test.$$
        limit=$group/memory.max
    fi
    mkdir "$group" 2> bad || group=
    if [ -n "$group" ] && ! echo "$1" 2> bad > "$limit"; then
        rmdir "$group"
        group=
    fi
}

# The kernel may keep the group of an ended process for a moment
drop_group() {
    wait_until rmdir "$group" 2> bad
}

make_group $((60 * mib))
if [ -n "$group" ]; then
    sh -c 'echo $$ > '"$group"'/cgroup.procs
        : > ready
        until [ -e go ]; do sleep 0.01; done
        "$workload" work 200 0 0 2> bad
        : > killed
        until [ -e over ]; do sleep 0.01; done' 2> bad &
    target=$!
    wait_until [ -e ready ]
    "$PMON" --pid $target -l m.txt --summary s.json 2> err &
    job=$!
    wait_until has_lines m.txt 2
    : > go
    wait_until [ -e killed ]
    : > over
    wait $target
    finish $job
    take_facts s.json
    is "$(fact memory.limit_bytes),$(fact memory.limit_source)" \
        $((60 * mib)),cgroup "--pid: the limit of the target's group"
    is "$(fact memory.oom_kills)" 1 "--pid: an OOM kill in the target's group"
    like "$(cat err)" 'OOM killer killed 1 process in this control group; the limit is 60\.0 MiB' \
        '--pid: an OOM kill is reported'
    drop_group

    # Its group is removed before pmon reads it at the end, as systemd does.
    make_group $((60 * mib))
    sh -c 'echo $$ > '"$group"'/cgroup.procs; exec sleep 30' &
    target=$!
    wait_until grep -q $target "$group/cgroup.procs"
    "$PMON" --pid $target -l gone.txt --summary s.json 2> err &
    job=$!
    wait_until has_lines gone.txt 2
    kill -STOP $job
    kill $target
    wait $target 2> bad
    drop_group
    kill -CONT $job
    finish $job
    take_facts s.json
    is "$(fact memory.limit_bytes),$(fact memory.limit_source)" \
        $((60 * mib)),cgroup '--pid: the limit of a group that was removed'
    is "$(fact memory.oom_kills)" null \
        '--pid: OOM kills in a group that was removed are not known'
else
    skip "--pid: limit and OOM kills of the target's group" \
        'no memory cgroup can be made here'
fi

# ---- a step that leaves its group ----

make_group $((400 * mib))
if [ -n "$group" ]; then
    rm -f go
    "$PMON" --exact -l m.txt --summary s.json -- sh -c '
        echo $$ > '"$group"'/cgroup.procs
        echo $$ > pid
        exec "$workload" work 50 0 2500' 2> err &
    job=$!
    finish $job
    take_facts s.json
    if [ "$(fact memory.cgroup_peak_bytes)" = null ]; then
        like "$(fact memory.cgroup_note)" 'has left it' \
            '--exact: the step has left its group'
    else
        is "$(fact memory.cgroup_peak_word)" 'at least' \
            '--exact, the step has left its group: charged memory is a bound'
        like "$(cat err)" 'has left it.*peak charged memory at least' \
            '--exact, the step has left its group: it is reported'
        is "$(fact memory.oom_kills)" null \
            '--exact, the step has left its group: OOM kills are not known'
    fi
    drop_group
else
    skip '--exact, the step has left its group' \
        'no memory cgroup can be made here'
fi

# ---- --exact says what it counts ----

run "$PMON" --exact --summary s.json -- "$workload" work 20 0 0
take_facts s.json
is "$(check_summary s.json)" complete '--exact: the summary'
case $(fact memory.cgroup_peak_bytes) in
null)
    like "$(fact memory.cgroup_note)" 'charged memory is unknown: |figures are those without --exact' \
        '--exact: why charged memory is not known' ;;
*)
    is "$(fact memory.cgroup_peak_word)" exact \
        '--exact: charged memory is exact'
    is_true "$(fact memory.cgroup_peak_bytes) >= 20 * $mib" \
        '--exact: charged memory' ;;
esac
like "$(grep 'exact  ' err)" "$(fact memory.cgroup_note | sed 's/[][*+?().]/./g')" \
    '--exact: the closing line and the summary say the same'

# ---- /proc that hides the processes of others ----

if [ "$(id -u)" != 0 ] ||
    ! unshare -m mount -t proc -o hidepid=2 proc /proc 2> bad ||
    ! setpriv --reuid 1234 --regid 1234 --clear-groups "$PMON" -V > out 2>&1
then
    skip '--pid under hidepid' 'needs root, mount namespaces and setpriv'
else
    for way in 1 2; do
        run unshare -m sh -c 'mount -t proc -o hidepid=$0 proc /proc
            exec setpriv --reuid 1234 --regid 1234 --clear-groups "$@"' \
            $way "$PMON" --pid 1 --duration 0.1
        is "$status,$(wc -l < err)" 125,1 "--pid: hidden by hidepid=$way: 125"
        like "$(cat err)" '^pmon: --pid 1: /proc/1 cannot be read.*hidepid.*root' \
            "--pid: hidden by hidepid=$way: the reason and the way out"
    done
    run unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc
        exec "$@"' sh "$PMON" --pid 1 --duration 0.1
    is "$status" 0 '--pid under hidepid: what it says to do helps'
fi
done_testing
