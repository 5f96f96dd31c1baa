# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the checks in the virtual machine, which run as root: a line each,
#
#   ok    PLACE: DESC      FAIL  PLACE: DESC      skip  PLACE: DESC # WHY
#
# and below a FAIL, indented, what came instead.
set -u
LC_ALL=C.UTF-8
export LC_ALL
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
PMON=/usr/bin/pmon
workload=/srv/pmon/build/tests/truth/workload
step=$checks/step.sh
work=/tmp/checks
mkdir -p "$work"
chmod 1777 "$work"
cd "$work" || exit 99
export PMON workload step

place() {
    place=$1
}

service_place() { # DELEGATE
    case $1 in
    yes) place 'root, delegated service' ;;
    *) place 'root, service' ;;
    esac
}

ok() {
    printf 'ok    %s: %s\n' "$place" "$1"
}

fail() { # DESC DETAIL
    printf 'FAIL  %s: %s\n' "$place" "$1"
    printf '%s\n' "$2" | sed 's/^/      /'
}

skip() { # DESC WHY
    printf 'skip  %s: %s # %s\n' "$place" "$1" "$2"
}

is() { # GOT WANT DESC
    if [ "$1" = "$2" ]; then
        ok "$3"
    else
        fail "$3" "got:  $1
want: $2
$(cat err 2> /dev/null)"
    fi
}

like() { # GOT ERE DESC
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        ok "$3"
    else
        fail "$3" "got:  $1
want: $2"
    fi
}

is_true() { # CONDITION DESC; awk decides, an unknown figure makes it false
    if awk "BEGIN { exit !($1) }" 2> /dev/null; then
        ok "$2"
    else
        fail "$2" "not true: $1
$(cat err 2> /dev/null)"
    fi
}

# The first value of a key in a summary, which has a key a line
figure() { # KEY [FILE]
    sed -n "s/^ *\"$1\": //p" "${2:-s.json}" | head -n 1 |
        sed 's/,$//; s/^"\(.*\)"$/\1/'
}

# The value of a key=value file: what step.sh wrote, or a workload
told() { # KEY [FILE]
    sed -n "s/^$1=//p" "${2:-kernel}" | head -n 1
}

# Waits, at most 30 s and more, until a command succeeds
wait_until() {
    tries=300
    until "$@" > /dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

# Starts a transient service of the system: properties and command, in which
# systemd would expand what begins with $
start_service() {
    for each; do
        shift
        set -- "$@" "$(printf '%s\n' "$each" | sed 's/\$/$$/g')"
    done
    systemd-run --quiet -p WorkingDirectory="$work" \
        -E PMON="$PMON" -E workload="$workload" -E step="$step" "$@"
}

# The same, and waits for its end
service() {
    start_service --pipe --wait "$@" 2> err
}

# As the user who has a systemd of its own
as_user() {
    setpriv --reuid=1000 --regid=1000 --init-groups --reset-env \
        env PMON="$PMON" workload="$workload" step="$step" \
        XDG_RUNTIME_DIR=/run/user/1000 PATH="$PATH" LC_ALL="$LC_ALL" "$@"
}

# The groups that a pmon made and that are still there
left_groups() {
    find /sys/fs/cgroup -type d -name 'pmon-[0-9]*' | sort | tr '\n' ' '
}

new_files() {
    rm -rf "${work:?}"/*
}

is_older() { # VERSION: whether the kernel is
    [ "$(printf '%s\n%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" != "$1" ]
}

# A script that ends without it has failed.
all_done() {
    : > /tmp/checks.done
}
