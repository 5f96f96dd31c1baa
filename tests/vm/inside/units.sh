# SPDX-License-Identifier: MIT
# pmon-watch.service and pmon-watch-dev.service under a real systemd.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"
unit=pmon-watch
rows=/var/lib/pmon-watch/system_resource_data
dev_rows=/var/lib/pmon-watch-dev/system_resource_data

property() { # NAME [UNIT]
    systemctl show --value -p "$1" "${2:-$unit}"
}

settings() { # LINE...: what systemctl edit would write
    mkdir -p /run/systemd/system/$unit.service.d
    printf '%s\n' '[Service]' "$@" > /run/systemd/system/$unit.service.d/test.conf
    systemctl daemon-reload
}

# shellcheck disable=SC2317 # wait_until calls them
has_property() { # NAME VALUE
    [ "$(property "$1")" = "$2" ]
}
# shellcheck disable=SC2317
has_row() { # FILE PATTERN
    grep -q "$2" "$1"
}

# The last value of a column in the rows of a pid
cell() { # COLUMN PID
    python3 -S - "$dev_rows" "$1" "$2" <<'PY'
import csv, sys
path, column, pid = sys.argv[1:]
names = next(csv.reader(open(path + "_headers", newline="")))
rows = [dict(zip(names, row)) for row in csv.reader(open(path, newline=""))]
print([row[column] for row in rows if row["pid"] == pid][-1])
PY
}

# What is watched: processes of root and of a user.
install -D "$workload" /opt/robot/server
export TRUTH_DEADLINE=600
/opt/robot/server work 20 0 600000 &
of_root=$!
# shellcheck disable=SC2016 # for the user's shell
as_user TRUTH_DEADLINE=600 sh -c 'echo $$ > user.new; mv user.new user.pid
    exec /opt/robot/server work 30 0 600000' &
wait_until test -e user.pid
of_user=$(cat user.pid)

for unit in pmon-watch pmon-watch-dev; do
    place "$unit.service"
    if systemd-analyze --man=no verify $unit.service > out 2>&1; then
        is "$(grep $unit out)" '' 'systemd understands the unit'
    else
        fail 'systemd understands the unit' "$(cat out)"
    fi
    settings "Environment=$(echo "$unit" | tr a-z- A-Z_)_REFRESH_INTERVAL=1.0"
    systemctl enable --quiet --now $unit 2> err
    is "$? $(property ActiveState) $(systemctl is-enabled $unit)" \
        '0 active enabled' 'enable --now'
    [ "$(property ActiveState)" = active ] || {
        journalctl --no-pager -o cat -u $unit -n 20
        all_done
        exit
    }
    like "$(property StatusText)" '^recording' 'it says what it does'
    pid=$(property MainPID)
    like "$(stat -c %u "/proc/$pid")" '^6[0-9]{4}$' 'as a dynamic user'
    is "$(sed -n 's/^NoNewPrivs:\t//p; s/^Seccomp:\t//p' "/proc/$pid/status" |
        tr '\n' ' ')" '1 2 ' 'without a way to more rights'
done

place 'pmon-watch.service'
unit=pmon-watch
pid=$(property MainPID)
is "$(sed -n 's/^CapEff:\t//p' "/proc/$pid/status")" 0000000000000000 \
    'no capability'
wait_until has_row $rows 'server work 20'
is $? 0 "a process of root has rows"
wait_until has_row $rows 'server work 30'
is $? 0 "a process of a user has rows"
"$PMON" report $rows > out 2> err
like "$(cat out)" '/opt/robot/server' 'pmon report reads them'

place 'pmon-watch-dev.service'
unit=pmon-watch-dev
wait_until has_row $dev_rows ",$of_user,"
is "$(cell pid "$of_root") $(cell pid "$of_user")" "$of_root $of_user" \
    'rows of both users'
# Pages of the program are shared with more and fewer processes meanwhile.
for pid in "$of_user" "$of_root"; do
    rollup=$(awk '/^Pss:/ { print $2 * 1024 }' "/proc/$pid/smaps_rollup")
    got=$(cell pss_bytes "$pid")
    is_true "$got > 20 * 1048576 && $got - $rollup < 65536 &&
        $rollup - $got < 65536" \
        "PSS of a process of $(stat -c %U "/proc/$pid") is the kernel's"
done
is "$(cell descriptors "$of_user")" \
    "$(find "/proc/$of_user/fd" -type l | wc -l)" \
    "open descriptors of another user's process"

for unit in pmon-watch pmon-watch-dev; do
    place "$unit.service"
    file=/var/lib/$unit/system_resource_data
    pid=$(property MainPID)
    mv $file $file.moved
    systemctl reload $unit
    is "$? $(property MainPID)" "0 $pid" 'reload, the process stays'
    wait_until has_row $file 'server work'
    is $? 0 'after a move and a reload it writes a new file'
    systemctl stop $unit
    is "$? $(property ActiveState) $(property Result)" '0 inactive success' 'stop'
    systemctl restart $unit
    is "$? $(property ActiveState)" '0 active' 'start'
    before=$(wc -l < "$file")
    has_grown() { [ "$(wc -l < "$file")" -gt "$before" ]; }
    wait_until has_grown
    is $? 0 'it appends to its file'

    # A watchdog of 3 s: none is raised in 5 s, and a stopped process has one.
    settings WatchdogSec=3 RestartSec=100ms \
        "Environment=$(echo "$unit" | tr a-z- A-Z_)_REFRESH_INTERVAL=1.0"
    systemctl restart $unit
    sleep 5
    is "$(property ActiveState) $(property NRestarts)" 'active 0' \
        'the watchdog is fed'
    pid=$(property MainPID)
    kill -STOP "$pid"
    wait_until has_property NRestarts 1
    is $? 0 'the watchdog ends a process that hangs, and it is started again'
    wait_until has_property ActiveState active
    before=$(wc -l < "$file")
    wait_until has_grown
    is $? 0 'which goes on with the file'

    settings RestartSec=100ms \
        "Environment=$(echo "$unit" | tr a-z- A-Z_)_REFRESH_INTERVAL=often"
    systemctl reset-failed $unit 2> err
    systemctl restart $unit 2> err
    wait_until has_property ActiveState failed
    sleep 1
    is "$(property ActiveState) $(property ExecMainStatus) $(property NRestarts)" \
        'failed 125 0' 'an invalid setting is not tried again'
    like "$(journalctl --no-pager -o cat -u $unit -n 20)" 'often' \
        'and named in the journal'
    settings "Environment=$(echo "$unit" | tr a-z- A-Z_)_ENABLED=false"
    systemctl reset-failed $unit
    systemctl restart $unit
    is "$? $(property ActiveState)" '0 active' 'switched off'
    like "$(property StatusText)" '^idle' 'it is idle, and says so'
    systemctl disable --quiet --now $unit 2> err
    is "$(property ActiveState) $(systemctl is-enabled $unit)" \
        'inactive disabled' 'disable --now'
    rm -r /run/systemd/system/$unit.service.d
    systemctl daemon-reload
done
kill "$of_root" "$of_user"

all_done
