#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The part of device.sh that runs on the device: sent to its sh through ssh at
# each call, nothing of it stays there.  It needs busybox and systemd.
#
#   sh -s VERB ARG...       with PREFIX, ROOT and SERVICE in the environment
#
# Only here / is written to, while units change; see writable_root.

set -eu

units=$ROOT/etc/systemd/system
unit=pmon-watch.service
example=pmon-example-server.service
wanted=multi-user.target.wants
data=$PREFIX/data
env_file=$PREFIX/pmon.env

say() {
    printf 'device: %s\n' "$*"
}

fail() {
    say "$@" >&2
    exit 1
}

# ---- units, on a / that is mounted read-only as a rule ----

# The newest mount of / decides.
root_is_readonly() {
    mount | sed -n 's/^[^ ]* on \/ type [^ ]* (\(.*\))$/\1/p' | tail -n 1 |
        grep -Eq '^(.*,)?ro(,.*)?$'
}

# Runs a function with / writable, and makes it read-only again whatever comes
# of it.  No signal, nor the end of the connection, comes between.
writable_root() {
    if ! root_is_readonly; then
        "$@"
        return
    fi
    trap '' HUP INT PIPE TERM
    mount -o remount,rw / </dev/null ||
        fail "/ cannot be made writable: mount -o remount,rw / failed; are you root?"
    rc=0
    ("$@") || rc=$?
    sync
    mount -o remount,ro / </dev/null || fail "/ is still writable: mount" \
        "-o remount,ro / failed; a restart of the device makes it read-only"
    trap - HUP INT PIPE TERM
    return $rc
}

watch_unit() {
    cat <<END
[Unit]
Description=CPU and memory of the robot's processes, for pmon
Documentation=man:pmon-watch(8)

[Service]
Type=notify
ExecStart=$PREFIX/bin/pmon-watch --env-prefix OT_SYSTEM_RESOURCE_TRACKER_ --env-file $env_file --max-size 16M --keep 3
ExecReload=/bin/kill -HUP \$MAINPID
WatchdogSec=2min
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=125
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=$data

[Install]
WantedBy=multi-user.target
END
}

example_unit() {
    cat <<END
[Unit]
Description=The example server of pmon, in place of a robot's

[Service]
EnvironmentFile=-$env_file
ExecStart=$PREFIX/bin/example-server --env $data $PREFIX/server.sock

[Install]
WantedBy=multi-user.target
END
}

# The robot's own server gets pmon.env by a drop-in.
drop_in() {
    cat <<END
[Service]
EnvironmentFile=-$env_file
END
}

# Which files the units are, a line each: the function that makes the file,
# its place.
unit_files() {
    echo "watch_unit $units/$unit"
    [ ! -f "$PREFIX/bin/example-server" ] || echo "example_unit $units/$example"
    [ -z "$SERVICE" ] || echo "drop_in $units/$SERVICE.d/pmon.conf"
}

is_current() {
    [ -L "$units/$wanted/$unit" ] || return 1
    unit_files | {
        while read -r make file; do
            "$make" | cmp -s - "$file" || exit 1
        done
    }
}

write_file() { # MAKE FILE
    mkdir -p "${2%/*}" && "$1" >"$2.new" && mv "$2.new" "$2"
}

write_units() {
    unit_files | {
        while read -r make file; do
            write_file "$make" "$file" ||
                fail "$file cannot be written; is / full, or are you not root?"
        done
    } && mkdir -p "$units/$wanted" && ln -sf "../$unit" "$units/$wanted/$unit"
}

# The drop-ins that push has written, for whatever server.
drop_ins() {
    for file in "$units"/*.service.d/pmon.conf; do
        ! grep -Fqs "$env_file" "$file" || echo "$file"
    done
}

remove_units() {
    rm -f "$units/$unit" "$units/$wanted/$unit" "$units/$example" || return 1
    drop_ins | while read -r file; do
        rm -f "$file" || exit 1
        rmdir "${file%/*}" 2>/dev/null || :
    done
}

has_units() {
    [ -e "$units/$unit" ] || [ -e "$units/$example" ] || [ -n "$(drop_ins)" ]
}

need_systemd() {
    command -v systemctl >/dev/null || fail "systemctl was not found: start" \
        "$PREFIX/bin/pmon-watch --help by what starts services here"
}

system() {
    systemctl "$@" </dev/null
}

# The servers that have the switch: the robot's own, the example.
server_units() {
    drop_ins | sed 's/\.d\/pmon\.conf$//; s/.*\///'
    [ ! -f "$units/$example" ] || echo "$example"
}

# ---- the flag ----

write_env() { # LINE...
    mkdir -p "$data"
    {
        echo '# The switch of pmon, by make enable and make disable.'
        printf '%s\n' "$@"
    } >"$env_file.new"
    if cmp -s "$env_file.new" "$env_file"; then
        rm "$env_file.new"
    else
        mv "$env_file.new" "$env_file"
    fi
}

# systemd's files of an environment know quotes and backslashes.
quoted() {
    printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"$`]/\\&/g')"
}

# pmon-watch reads the flag again when it is told to; libpmon reads it once.
apply_env() { # on|off RESTART
    system reload-or-restart "$unit" || fail "$unit does not start:" \
        "systemctl status $unit"
    say "$unit: $1"
    servers=$(server_units)
    for server in $servers; do
        if [ -n "$2" ]; then
            system restart "$server" ||
                fail "$server does not start: systemctl status $server"
            say "$server: restarted, $1"
        else
            say "$server: $1 after its next restart, libpmon reads the switch" \
                "once: systemctl restart $server (or RESTART=yes)"
        fi
    done
    [ -n "$servers" ] || say 'no server has the switch: make push SERVICE=UNIT'
}

need_push() {
    [ -x "$PREFIX/bin/pmon-watch" ] ||
        fail "pmon is not in $PREFIX: make push first"
    need_systemd
}

enable() { # FILTERS INTERVAL RESTART
    need_push
    set -- "$1" "$2" "$3" "PMON_REGIONS=$(quoted "$data")" \
        'PMON_REGIONS_NAME=robot_activity_data' \
        'OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true' \
        "OT_SYSTEM_RESOURCE_TRACKER_STORAGE_DIR=$(quoted "$data")"
    [ -z "$1" ] || set -- "$@" \
        "OT_SYSTEM_RESOURCE_TRACKER_PROCESS_FILTERS=$(quoted "$1")"
    [ -z "$2" ] ||
        set -- "$@" "OT_SYSTEM_RESOURCE_TRACKER_REFRESH_INTERVAL=$2"
    restart=$3
    shift 3
    write_env "$@"
    apply_env on "$restart"
}

disable() { # RESTART
    need_push
    write_env 'OT_SYSTEM_RESOURCE_TRACKER_ENABLED=false'
    apply_env off "$1"
}

# ---- programs ----

# What push compares with.
have() {
    uname -m
    for file in "$PREFIX"/bin/* "$PREFIX"/python/*.py; do
        [ ! -f "$file" ] || echo "$(md5sum <"$file") ${file##*/}"
    done
}

# Takes the programs and the Python modules that came to $PREFIX/new, if any,
# then the units.
install() {
    need_systemd
    mkdir -p "$PREFIX/bin" "$data"
    changed=
    for file in "$PREFIX"/new/*.py; do
        [ -f "$file" ] || continue
        mkdir -p "$PREFIX/python"
        chmod 644 "$file"
        mv -f "$file" "$PREFIX/python/${file##*/}"
    done
    for file in "$PREFIX"/new/*; do
        [ -f "$file" ] || continue
        chmod 755 "$file"
        mv -f "$file" "$PREFIX/bin/${file##*/}"
        changed=yes
    done
    rm -rf "$PREFIX/new"
    "$PREFIX/bin/pmon" --version >/dev/null ||
        fail "$PREFIX/bin/pmon does not run here ($(uname -m))"
    [ -f "$env_file" ] || write_env 'OT_SYSTEM_RESOURCE_TRACKER_ENABLED=false'
    if is_current; then
        say 'units: as they were'
    else
        writable_root write_units || exit 1
        system daemon-reload
        say "units: written to $units"
        changed=yes
    fi
    [ -z "$changed" ] || system restart "$unit" ||
        fail "$unit does not start: systemctl status $unit"
    if [ -n "$changed" ] && [ -f "$units/$example" ]; then
        system restart "$example" || fail "$example does not start:" \
            "systemctl status $example"
    fi
    say "$("$PREFIX/bin/pmon" --version) is in $PREFIX"
}

status() {
    if [ -x "$PREFIX/bin/pmon" ]; then
        say "$("$PREFIX/bin/pmon" --version) in $PREFIX, $(uname -m)"
    else
        say "no pmon in $PREFIX, $(uname -m)"
    fi
    if grep -qs '^OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true' "$env_file"; then
        say "switch: on ($env_file)"
    else
        say 'switch: off'
    fi
    if command -v systemctl >/dev/null; then
        for each in "$unit" $(server_units); do
            say "$each: $(system is-active "$each" 2>/dev/null || :)"
        done
    fi
    if root_is_readonly; then
        say '/: read-only'
    else
        say '/: writable'
    fi
    for file in "$data"/*; do
        [ ! -f "$file" ] || say "$file: $(wc -c <"$file") bytes"
    done
}

remove() { # DATA
    servers=$(server_units)
    if has_units; then
        need_systemd
        for each in "$unit" "$example"; do
            [ ! -e "$units/$each" ] || system stop "$each" || :
        done
        writable_root remove_units || exit 1
        system daemon-reload
    fi
    for file in pmon pmon-watch example-server; do
        rm -f "$PREFIX/bin/$file"
    done
    for file in pmon_regions.py pmon_regions_off.py; do
        rm -f "$PREFIX/python/$file"
    done
    rm -rf "$PREFIX/new" "$PREFIX/python/__pycache__"
    rm -f "$env_file" "$PREFIX/server.sock"
    [ "$1" != delete ] || rm -rf "$data"
    for folder in "$PREFIX/bin" "$PREFIX/python" "$data" "$PREFIX"; do
        rmdir "$folder" 2>/dev/null || :
    done
    for server in $servers; do
        ! system is-active "$server" >/dev/null 2>&1 ||
            say "$server: has the switch as it was until its next restart:" \
                "systemctl restart $server"
    done
    if [ -d "$data" ]; then
        say "removed; the data stay in $data (DATA=delete removes them)"
    else
        say 'removed'
    fi
}

# ---- data ----

inode_of() { # NAME
    ls -i "$data/$1" | sed 's/^ *\([0-9]*\) .*/\1/'
}

# The bytes OFFSET to OFFSET + COUNT of a file.  With INODE only if it is that
# one: what is replaced at this moment does not continue what was before.
part() { # NAME OFFSET COUNT [INODE]
    {
        [ $# -lt 4 ] || [ "$(inode_of "$1")" = "$4" ] ||
            fail "$1: is being replaced at this moment; try again"
        tail -c "+$(($2 + 1))" | head -c "$3"
    } <"$data/$1"
}

# The same as in device.sh, which refuses any other.
is_data_name() { # NAME
    case $1 in
    *[!A-Za-z0-9._-]*) return 1 ;;
    memory_log*.txt | summary*.json | profile*.csv) return 0 ;;
    esac
    without=${1%_headers}
    case $without in
    system_resource_data | robot_activity_data) ;;
    system_resource_data.[1-9]* | robot_activity_data.[1-9]*)
        case ${without#*.} in
        *[!0-9]*) return 1 ;;
        esac
        ;;
    *) return 1 ;;
    esac
}

is_inode_here() {
    case $inodes in *" $1 "*) ;; *) return 1 ;; esac
}

# For each data file: name, inode, size, which of the files that are here
# already it is, by inode or else by name (headers are written anew), and the
# checksums of the first and the last 4 KiB of that one; - when it is none.
list() { # INODE:NAME=SIZE...
    [ -d "$data" ] || fail "$data does not exist: make push and make enable first"
    inodes=" $(ls -i "$data" | sed 's/^ *//; s/ .*//' | tr '\n' ' ') "
    for file in "$data"/*; do
        name=${file##*/}
        [ -f "$file" ] || continue
        is_data_name "$name" || {
            say "$data: a file that is not pmon's is left out" >&2
            continue
        }
        inode=$(inode_of "$name")
        size=$(($(wc -c <"$file")))
        known=-
        for each in "$@"; do
            case $each in
            "$inode":*) known=${each#*:} && break ;;
            *:"$name="*) is_inode_here "${each%%:*}" || known=${each#*:} ;;
            esac
        done
        ends='- -'
        if [ "$known" != - ] && [ "${known##*=}" -le "$size" ]; then
            ends=$(ends_of "$name" "${known##*=}")
        fi
        echo "$name $inode $size ${known%=*} $ends"
    done
}

ends_of() { # NAME SIZE
    from=$(($2 > 4096 ? $2 - 4096 : 0))
    one=$(part "$1" 0 "$(($2 < 4096 ? $2 : 4096))" | md5sum)
    two=$(part "$1" "$from" "$(($2 - from))" | md5sum)
    echo "${one%% *} ${two%% *}"
}

for each in cmp head md5sum mount sed tail tar; do
    command -v "$each" >/dev/null || fail "$each was not found on $(uname -n)"
done
"$@"
