# SPDX-License-Identifier: MIT
# Sourced by the tests of examples/device: a folder that is the PATH of a
# device, with busybox alone where that is installed, and stand-ins for what
# must not touch this machine.
#
#   make_device      fills $device: bin/ (the PATH), root/ (for ROOT=), state/
#
# state/calls has what the stand-ins were told; state/root is how / is mounted.
# shellcheck shell=sh

# The programs of systemd and the kernel that a device has beside busybox.
device=$work/device

stand_in() { # NAME; its script on stdin
    rm -f "$device/bin/$1"
    {
        printf '#!%s\nstate=%s\nroot=%s\n' "$device_shell" "$device/state" \
            "$device/root"
        cat
    } >"$device/bin/$1"
    chmod +x "$device/bin/$1"
}

fill_path() {
    if command -v busybox >/dev/null; then
        device_shell="$device/bin/busybox sh"
        cp "$(command -v busybox)" "$device/bin/busybox"
        for applet in $("$device/bin/busybox" --list); do
            ln -sf busybox "$device/bin/$applet"
        done
        # Nothing of ssh but ssh itself, and no tool that copies.
        rm -f "$device/bin/ssh" "$device/bin/scp" "$device/bin/rsync"
    else
        device_shell=/bin/sh
        for each in sh uname md5sum cat mkdir rm mv ln chmod tar grep sed tail \
            head wc cmp rmdir sync kill sleep env tr ls cut; do
            ln -sf "$(command -v "$each")" "$device/bin/$each"
        done
    fi
}

make_device() {
    mkdir -p "$device/bin" "$device/root/etc/systemd/system" "$device/state"
    echo ro >"$device/state/root"
    : >"$device/state/calls"
    fill_path
    stand_in mount <<'END'
units() { ls -R "$root/etc/systemd/system" | md5sum | cut -c 1-32; }
if [ $# -eq 0 ]; then
    echo "proc on /proc type proc (rw,relatime)"
    echo "/dev/root on / type ext4 ($(cat "$state/root"),relatime)"
    echo "/dev/data on /data type ext4 (rw,relatime)"
    exit 0
fi
echo "mount $* $(units)" >>"$state/calls"
case $* in
'-o remount,rw /')
    echo rw >"$state/root"
    # A test may end the one who asked, in the worst moment.
    [ ! -f "$state/worst" ] || kill -"$(cat "$state/worst")" "$PPID"
    ;;
'-o remount,ro /') echo ro >"$state/root" ;;
*) exit 1 ;;
esac
END
    stand_in systemctl <<'END'
units=$root/etc/systemd/system
echo "systemctl $*" >>"$state/calls"

runs() { # PID; a zombie does not
    grep -qs '^State:[[:blank:]][^ZX]' "/proc/$1/status"
}

running() { # UNIT
    pid=$(cat "$state/$1.pid" 2>/dev/null) && runs "$pid"
}

stop() { # UNIT
    if running "$1"; then
        kill -TERM "$pid"
        tries=0
        while runs "$pid" && [ "$tries" -lt 250 ]; do
            sleep 0.02
            tries=$((tries + 1))
        done
    fi
    rm -f "$state/$1.pid"
}

value() { # KEY FILE...
    key=$1
    shift
    sed -n "s/^$key=//p" "$@" 2>/dev/null
}

start() { # UNIT
    [ -f "$units/$1" ] || exit 5
    (
        set -a
        for file in $(value EnvironmentFile "$units/$1" "$units/$1.d"/*.conf)
        do
            [ ! -f "${file#-}" ] || . "${file#-}"
        done
        eval "exec $(value ExecStart "$units/$1")"
    ) </dev/null >>"$state/$1.log" 2>&1 &
    echo $! >"$state/$1.pid"
}

case $1 in
daemon-reload) ;;
stop) stop "$2" ;;
start) running "$2" || start "$2" ;;
restart) stop "$2"; start "$2" ;;
reload-or-restart)
    if running "$2" && [ -n "$(value ExecReload "$units/$2")" ]; then
        kill -HUP "$pid"
    else
        stop "$2"; start "$2"
    fi
    ;;
is-active)
    if running "$2"; then echo active; else echo inactive; exit 3; fi
    ;;
show)
    for each in "$@"; do last=$each; done
    running "$last.service" && echo "$pid"
    ;;
*) exit 1 ;;
esac
END
}

# Ends what the stand-in of systemctl has started.
stop_device() {
    for file in "$device"/state/*.pid; do
        [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null
    done
}
