#!/bin/sh
# SPDX-License-Identifier: MIT
# The first five minutes with pmon, on bare Debians that are made for it:
# make bare-check, as root, by hand.  On Debian 12 each block of README.md runs
# as it stands, in order, beginning with ./bootstrap run and ./bootstrap check;
# on the others ./bootstrap check and the static binaries.  They are made and
# run in a folder below $TMPDIR, with the configuration of apt of this machine.
#
#   bare.sh [SUITE...]     default: bookworm trixie bullseye
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/debian.sh
. "$srcdir/tests/lib/debian.sh"
began=$(date +%s)
limit=900 # seconds, all in all

# Why nothing can be made here; nothing when it can
why_not() {
    if [ "$(id -u)" -ne 0 ]; then
        echo 'only root can make a Debian and change its root to it'
    elif ! command -v mmdebstrap debootstrap > /dev/null; then
        echo 'no mmdebstrap: apt-get install mmdebstrap'
    elif ! unshare --mount --pid --fork true 2> /dev/null; then
        echo 'no right to namespaces of mounts and processes'
    elif ! git -C "$srcdir" ls-files > /dev/null 2>&1; then
        echo 'the sources are no clone of git, of which to take an export'
    elif [ -z "$(mirror)" ]; then
        echo 'apt knows no Debian here: apt-get update'
    fi
}

seconds_left() {
    echo $((limit - $(date +%s) + began))
}

make_debian() { # SUITE
    if command -v mmdebstrap > /dev/null; then
        timeout "$(seconds_left)" mmdebstrap --quiet --variant=apt \
            "$1" "$work/$1" "$(mirror)"
    else
        timeout "$(seconds_left)" debootstrap --variant=minbase \
            "$1" "$work/$1" "$(mirror)"
    fi > "$work/$1.made" 2>&1 || return
    # Proxies, keys, passwords; the sources are the suite's alone.
    for each in apt.conf apt.conf.d auth.conf auth.conf.d; do
        [ ! -e "/etc/apt/$each" ] ||
            cp -RL "/etc/apt/$each" "$work/$1/etc/apt/"
    done
    cp -L /etc/resolv.conf /etc/hosts "$work/$1/etc/"
    mkdir "$work/$1/home/pmon"
    git -C "$srcdir" ls-files -z |
        tar -C "$srcdir" --null -T - -cf - --ignore-failed-read |
        tar -C "$work/$1/home/pmon" -xf - --no-same-owner
}

# Runs a script, with arguments, in the folder of the sources, and whatever it
# starts no longer than itself
inside() { # SUITE SCRIPT...
    suite=$1
    cp "$2" "$work/$suite/root/"
    shift 2
    # shellcheck disable=SC2016 # expanded there
    timeout -k 5 "$(seconds_left)" \
        unshare --mount --pid --fork --kill-child sh -ec '
            root=$1
            shift
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount --rbind /sys "$root/sys"
            mount --rbind /dev "$root/dev"
            exec chroot "$root" env -i HOME=/root TERM=dumb \
                PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
                sh -c "cd /home/pmon && exec \"\$@\"" sh "$@"' \
        sh "$work/$suite" "$@"
}

# One script of README.md's blocks, each announced by its number; what is
# marked yaml is a step of a workflow of GitHub.
write_blocks() {
    echo 'set -e'
    awk '/^```/ {
            inside = !inside && /^```(sh|yaml)$/
            if (inside)
                print "echo \"== block " ++count "\" >&2"
            if (/yaml$/)
                print "export GITHUB_STEP_SUMMARY=/root/job_summary.md"
            next
        }
        inside { sub(/^- run: /, ""); print }
        END { print "echo \"== all " count " blocks\" >&2" }' \
        "$srcdir/README.md"
}

cat > others.sh << 'END'
set -e
./bootstrap check
make -C build static
cp "build/static/$(uname -m)/pmon" /root/pmon.static
/root/pmon.static --log /root/log -- sleep 0.3
/root/pmon.static peak /root/log
echo '== all' >&2
END
write_blocks > blocks.sh

# What a run says of its tests: passed, failed, skipped
counts() { # SUITE
    sed -n 's/^# \(TOTAL\|PASS\|SKIP\|FAIL\|ERROR\): */\1 /p' \
        "$work/$1.log" | tr '\n' ' '
}

check() { # SUITE
    if [ "$(seconds_left)" -le 0 ]; then
        not_ok "$1" "no time is left of $limit s"
    elif ! make_debian "$1"; then
        skip "$1" "it cannot be made: $(tail -n 1 "$work/$1.made")"
    else
        case $1 in
        bookworm) script=blocks.sh shell=bash ;;
        *) script=others.sh shell=sh ;;
        esac
        inside "$1" "$script" "$shell" "/root/$script" \
            > "$work/$1.log" 2>&1 < /dev/null
        status=$?
        cat "$work/$1.log" "$work/$1/home/pmon/build/test-suite.log" \
            > "$builddir/bare-$1.log" 2> "$work/err"
        printf '# %s: %s%s s so far, %s\n' "$1" "$(counts "$1")" \
            "$(($(date +%s) - began))" "$builddir/bare-$1.log"
        is "$status $(grep '^== ' "$work/$1.log" | tail -n 1)" \
            "0 $(grep -o '== all[ 0-9a-z]*' "$script" | tail -n 1)" "$1"
        unlike "$(grep '^SKIP: tests/unit' "$work/$1.log")" . \
            "$1: unit tests are among them"
    fi
    rm -rf "${work:?}/$1"
}

reason=$(why_not)
if [ -n "$reason" ]; then
    echo "1..0 # SKIP $reason"
    exit 0
fi
[ $# -gt 0 ] || set -- bookworm trixie bullseye
for suite; do
    check "$suite"
done
done_testing
