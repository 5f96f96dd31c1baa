# SPDX-License-Identifier: MIT
# --exact and the ends of a run: survivors, a killed pmon, systemctl stop.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"

group_of() { # PID
    sed -n 's/^0:://p' "/proc/$1/cgroup"
}

is_gone() { # PID or folder
    [ ! -e "/proc/$1" ] && [ ! -e "$1" ]
}

# ---- survivors ----

leave() { # PREFIX...
    new_files
    "$@" --scope --unit=left -p Delegate=yes "$PMON" -q --exact \
        --summary s.json -- \
        sh -c 'sleep 60 > /dev/null 2>&1 & echo $! > survivor' 2> err
    is "$? $(figure survivors)" '0 1' 'a survivor'
    pid=$(cat survivor)
    like "$(group_of "$pid")" '/left.scope$' "is moved back to its unit's group"
    is "$(left_groups)" '' 'no group is left'
    kill "$pid"
    wait_until is_gone "$pid"
}
place 'root, delegated scope'
leave systemd-run --quiet
place 'user, delegated scope'
leave as_user systemd-run --quiet --user

# ---- kill -9 of pmon ----

# Whatever the unit, its step ends with it.
for delegate in no yes; do
    service_place $delegate
    for how in kill stop; do
        new_files
        # shellcheck disable=SC2016
        start_service --unit=ended -p Delegate=$delegate -p TimeoutStopSec=3 \
            "$PMON" -q --exact --summary s.json -- sh -c '
                trap "" TERM; echo $$ > step.new; mv step.new step.pid
                while :; do sleep 1; done'
        wait_until test -e step.pid
        pid=$(cat step.pid)
        like "$(group_of "$pid")" '/ended.service/pmon-[0-9]+$' \
            "the step runs below its unit ($how)"
        if [ $how = kill ]; then
            kill -9 "$(systemctl show --value -p MainPID ended)"
        else
            systemctl stop ended
        fi
        wait_until is_gone "$pid"
        is $? 0 "the step ends with its unit ($how)"
        wait_until is_gone /sys/fs/cgroup/system.slice/ended.service
        is "$(left_groups)" '' "no group is left ($how)"
        systemctl reset-failed ended 2> /dev/null
    done
done

# In a scope the step goes on; its groups end with the scope.
place 'root, delegated scope'
new_files
# shellcheck disable=SC2016
systemd-run --quiet --scope --unit=killed -p Delegate=yes \
    "$PMON" -q --exact --summary s.json -- sh -c '
        echo $$ > step.new; mv step.new step.pid; exec sleep 60' 2> err &
wait_until test -e step.pid
pid=$(cat step.pid)
kill -9 $!
wait $!
like "$(group_of "$pid")" '/killed.scope/pmon-[0-9]+$' \
    'the step outlives a killed pmon where it was'
kill "$pid"
wait_until is_gone /sys/fs/cgroup/system.slice/killed.scope
is "$? $(left_groups)" '0 ' 'the scope goes with it'

# The next pmon in the same place tidies up.
new_files
# shellcheck disable=SC2016
systemd-run --quiet --scope --unit=again -p Delegate=yes sh -c '
    $PMON -q --exact -- sh -c "echo \$\$ > step.new; mv step.new step.pid
        exec sleep 60" &
    while [ ! -e step.pid ]; do sleep 0.1; done
    kill -9 $!
    kill "$(cat step.pid)"
    while [ -e "/proc/$(cat step.pid)" ]; do sleep 0.1; done
    ls -d /sys/fs/cgroup/system.slice/again.scope/pmon-* > before
    $PMON -q --exact -- true
    ls -d /sys/fs/cgroup/system.slice/again.scope/pmon-* > after' 2> err
like "$(cat before)" '/pmon-[0-9]+$' 'a killed pmon leaves its group'
is "$(cat after)" '' 'the next one removes it'

all_done
