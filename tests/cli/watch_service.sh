#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon watch under a service manager: datagrams to the manager, the units of
# examples/systemd, and the robot's unit.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

unset STATE_DIRECTORY NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID
name=system_resource_data
units=$srcdir/examples/systemd
pid=
trap 'kill $pid 2> /dev/null; cd /; rm -rf "$work"' EXIT

# Starts a command under a manager; its datagrams go to the file told
manage() { # SOCKET COMMAND…
    rm -f told err
    "$python" -S "$srcdir/tests/lib/notify_receiver.py" "$@" 2> err &
    pid=$!
}

# shellcheck disable=SC2317 # wait_until calls it
was_told() { # COUNT TEXT
    [ "$(grep -c -e "$2" told)" -ge "$1" ]
}

# ---- the notify protocol ----

export WATCHDOG_USEC=100000
manage "$work/socket" told "$PMON" watch -f "no such $work" -d rows -i 10
wait_until was_told 1 READY=1
is "$(grep -n READY=1 told)" '1:READY=1 STATUS=recording to rows' \
    'READY is the first datagram'
wait_until was_told 1 'STATUS=recording 0 processes to rows'
is $? 0 'STATUS tells how many processes match'
wait_until was_told 3 WATCHDOG=1
is $? 0 'WATCHDOG is sent more often than samples are taken'
kill -HUP $pid
wait_until was_told 2 READY=1
like "$(grep -A 9 RELOADING told | grep -v WATCHDOG | head -n 2 | tr '\n' ' ')" \
    '^RELOADING=1 MONOTONIC_USEC=[0-9]+ READY=1 STATUS' \
    'HUP: RELOADING with its time, then READY'
kill -TERM $pid
finish $pid
is "$status: $(tail -n 1 told)" '0: STOPPING=1 STATUS=stopping' \
    'TERM: STOPPING is the last datagram, the status is 0'

export WATCHDOG_PID=1
manage "@pmon-test-$$" told "$PMON" watch --env-prefix X_
wait_until was_told 1 READY
is "$(cat told)" 'READY=1 STATUS=idle: set X_ENABLED=true to record' \
    'an abstract socket; idle is ready, too'
sleep 0.2
kill -TERM $pid
finish $pid
is "$status: $(grep -c WATCHDOG told)" '0: 0' 'the watchdog of another process gets nothing'
unset WATCHDOG_USEC WATCHDOG_PID
pid=

run env NOTIFY_SOCKET=/nonexistent/socket "$PMON" watch -f x --count 1
is "$status: $(grep -v 'recording\|ended' err)" '0: ' \
    'a manager that is not there is no trouble'
run env NOTIFY_SOCKET=relative "$PMON" watch -f x --count 1
is "$status: $(grep -v 'recording\|ended' err)" \
    '0: pmon: NOTIFY_SOCKET=relative: must be an absolute path, or @ and a name, of up to 107 bytes' \
    'a file that is not a socket is reported'

# ---- the units of the project ----

mkdir check
for unit in pmon-watch pmon-watch-dev; do
    sed "s|/usr/bin/|$builddir/|" "$units/$unit.service" > check/$unit.service
done
cmp -s "$units/pmon-watch.service" "$units/pmon-watch-dev.service"
is $? 1 'two units, each under its own name'
is "$(grep -h '^StateDirectory=\|STORAGE_DIR=' "$units"/*.service | sort -u | grep -c .)" 4 \
    'each with a folder of its own'
is "$(grep -L '^Restart=on-failure$' "$units"/*.service)" '' \
    'both begin again after a failure'
is "$(grep -L '^RestartPreventExitStatus=125$' "$units"/*.service)" '' \
    'but not for ever with settings that cannot work'
if command -v systemd-analyze > /dev/null; then
    run systemd-analyze verify --man=no check/pmon-watch.service \
        check/pmon-watch-dev.service
    is "$status: $(cat out err)" '0: ' 'systemd-analyze verify'
    for unit in pmon-watch.10 pmon-watch-dev.15; do
        run systemd-analyze security --offline=true --no-pager \
            --threshold="${unit##*.}" "check/${unit%.*}.service"
        is "$status" 0 "systemd-analyze security: ${unit%.*} is at most 0.1 × ${unit##*.}"
    done
else
    skip 'systemd-analyze verify and security' 'systemd-analyze is not installed'
fi

# Starts the ExecStart of a unit with only its Environment, read as in
# systemd.exec(5); runs the pmon under test.
cat > unit.py << 'PY'
import os, shlex, sys

files, more = sys.argv[1].split(":"), sys.argv[2:]
environment = {"PATH": os.environ["PATH"]}
for key in ("NOTIFY_SOCKET", "builddir"):
    if key in os.environ:
        environment[key] = os.environ[key]
command = []
for name in files:
    for line in open(name):
        key, _, value = line.rstrip("\n").partition("=")
        if key == "Environment":
            environment.update(word.split("=", 1)
                               for word in shlex.split(value))
        elif key == "ExecStart" and value:
            command = shlex.split(value)
        elif key == "ExecStart":
            command = []
command[0] = os.environ["PMON"]
os.execve(command[0], command + more, environment)
PY

for unit in pmon-watch pmon-watch-dev; do
    manage "$work/$unit.socket" told "$python" -S unit.py \
        "$units/$unit.service" --dir "$unit"
    wait_until test -e $unit/$name
    wait_until was_told 1 'processes to'
    kill -TERM $pid
    finish $pid
    is "$status: $(grep -c ',pid,.*,cpu_percent' $unit/${name}_headers)" \
        "0: $(case $unit in *dev) echo 1 ;; *) echo 0 ;; esac)" \
        "what $unit.service starts, records"
done

# ---- the unit that the robot has, ExecStart alone replaced ----

cat > robot.service << 'END'
[Unit]
Description=System resource tracker of the robot
[Service]
Type=notify
ExecStart=/usr/bin/pmon watch --env-prefix OT_SYSTEM_RESOURCE_TRACKER_
StateDirectory=system-resource-tracker
Environment=PYTHONPATH=/opt/opentrons-robot-server:/usr/lib/python3.10/site-packages
Environment=OT_SYSTEM_RESOURCE_TRACKER_ENABLED=false
Environment=OT_SYSTEM_RESOURCE_TRACKER_REFRESH_INTERVAL=15.0
Restart=no
TimeoutSec=10s
END
# A developer's change with systemctl edit
cat > enabled.conf << 'END'
[Service]
Environment=OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true
END
# And a change that sets them all
cat > full.service << 'END'
[Service]
Type=simple
ExecStart=/usr/bin/pmon watch --env-prefix OT_SYSTEM_RESOURCE_TRACKER_
Environment=OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true
Environment=OT_SYSTEM_RESOURCE_TRACKER_PROCESS_FILTERS="/opt/opentrons*,python3*"
Environment=OT_SYSTEM_RESOURCE_TRACKER_REFRESH_INTERVAL=10.0
Environment=OT_SYSTEM_RESOURCE_TRACKER_STORAGE_DIR=/data/performance_metrics_data/
Environment=OT_SYSTEM_RESOURCE_TRACKER_LOGGING_LEVEL=INFO
END

manage "$work/robot.socket" told "$python" -S unit.py robot.service
wait_until was_told 1 READY
is "$(cat told; cat err)" \
    'READY=1 STATUS=idle: set OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true to record
pmon: idle: set OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true to record' \
    "the robot's unit, which is off: ready, and told how to switch on"
kill -TERM $pid
finish $pid
is "$status" 0 "the robot's unit: TERM ends it with 0"
pid=

# Their folder is /data/…: the test makes a root folder that has it, and shows
# the rest of this machine.
cat > rooted.sh << 'SH'
mount -t tmpfs none root || exit 77
for path in /*; do
    if [ -L "$path" ]; then
        cp -P "$path" "root$path"
    elif [ -d "$path" ] && [ "$path" != /data ]; then
        mkdir "root$path" && mount --rbind "$path" "root$path" || exit 77
    fi
done
mkdir root/data
PATH=$PATH:/usr/sbin:/sbin exec chroot root sh -c 'cd "$1" && shift && exec "$@"' sh "$PWD" "$@"
SH
mkdir root
if unshare -rm sh rooted.sh true > /dev/null 2>&1; then
    cp "$python" python3 2> /dev/null
    PYTHONHOME=$("$python" -S -c 'import sys; print(sys.base_prefix)')
    mark="import time; time.sleep(60) # $work"
    # As on the robot, argv[0] is python3
    sh -c 'exec "$@"' sh env PYTHONHOME="$PYTHONHOME" PATH="$work:$PATH" \
        python3 -S -c "$mark" &
    tracked=$!
    wait_until grep -q '^python3' /proc/$tracked/cmdline
    for unit in robot.service:enabled.conf full.service; do
        cat > run.sh << 'SH'
"$python" -S unit.py "$1" > unit.err 2>&1 &
rows=/data/performance_metrics_data/system_resource_data
for _ in $(seq 500); do [ -s $rows ] && break; sleep 0.02; done
kill -TERM $!
wait $!
status=$?
cp $rows ${rows}_headers .
exit $status
SH
        rm -f $name*
        python=$python timeout -k 5 30 unshare -rm sh rooted.sh sh run.sh $unit
        is "$?: $(sed 's/^[^:]*: //; s/, by.*//; s/ended.*//' unit.err)" \
            "0: recording /opt/opentrons*, python3* every $(case $unit in robot*) echo 15 ;; *) echo 10 ;; esac) s to /data/performance_metrics_data/$name" \
            "$unit: its Environment lines are taken as they are"
        is "$(cat ${name}_headers)" \
            'query_time,command,running_since,user_cpu_time,system_cpu_time,memory_percent' \
            "$unit: the headers are those that the robot has"
        is "$("$python" -S -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="", errors="replace")))
print({len(row) for row in rows}, sum(row[1] == sys.argv[2] for row in rows),
      [row[1] for row in rows
       if not row[1].startswith(("python3", "/opt/opentrons"))])' \
            $name "python3 -S -c $mark")" '{6} 1 []' \
            "$unit: rows of what its filters match, and no other"
    done
    kill $tracked
else
    skip "the robot's unit with its own folder" \
        'there are no mount name spaces here'
fi

# The same lines with another folder, which needs no privileges
sed "s|STORAGE_DIR=.*|STORAGE_DIR=$work/data/|" full.service > other.service
"$python" -S unit.py other.service 2> err &
pid=$!
wait_until test -e data/${name}_headers
kill -TERM $pid
finish $pid
is "$status: $(sed -n 's/, by.*//p' err)" \
    "0: pmon: recording /opt/opentrons*, python3* every 10 s to $work/data/$name" \
    "the robot's lines with another folder"
pid=

done_testing
