#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pmon watch for long, in a crowd: rows each second for an hour while more than
# 10,000 processes come and go, some hundred of which match; the daemon is
# killed and started again, its disk is full for a while.  Prints a table; ends
# with 1 when something is not as it should be.
#
#   soak.sh [--duration TIME] [--interval TIME] [--processes N] [--alive N]
#
# Times are seconds, or have a unit: 90, 5min, 1h (the default).  --processes is
# the least number that has to come and go, --alive how many there are at once.
# make soak SOAK_OPTIONS='--duration 2min' runs it on what was built.

set -u
LC_ALL=C.UTF-8
export LC_ALL
: "${srcdir:=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
watch=$builddir/pmon-watch
name=system_resource_data

duration=3600
interval=1
processes=10000
alive=300

fail_usage() {
    echo "soak: $1" >&2
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}

seconds() { # TIME
    case $1 in
    *min) echo $((${1%min} * 60)) ;;
    *h) echo $((${1%h} * 3600)) ;;
    *s) echo "${1%s}" ;;
    *) echo "$1" ;;
    esac
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail_usage "$1 needs a value"
    case $1 in
    --duration) duration=$(seconds "$2") ;;
    --interval) interval=$2 ;;
    --processes) processes=$2 ;;
    --alive) alive=$2 ;;
    *) fail_usage "$1: no such option" ;;
    esac
    shift 2
done
[ "$duration" -ge 20 ] 2> /dev/null || fail_usage '--duration is 20 s or more'

work=$(mktemp -d "${TMPDIR:-/tmp}/pmon-soak.XXXXXX") || exit 99
crowd=
pid=
mounted=
# shellcheck disable=SC2086,SC2317 # one word an id; the trap calls it
clean() {
    kill $crowd $pid 2> /dev/null
    wait $crowd # which ends the sleeps
    cd /
    [ -z "$mounted" ] || umount "$work/disk"
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
cd "$work" || exit 99
mkdir disk

# A disk that can be full: a small tmpfs, as root; else a limit of size, which
# makes writes fail in the same place and way
if mount -t tmpfs -o size=64m none disk 2> /dev/null; then
    mounted=yes
else
    echo 'soak: no mount is allowed here: a limit of size stands for the full disk'
fi

# The crowd: COUNT sleeps at a time, each for a moment, named so that 1 of 3
# matches; says how many there were.
cp "$(command -v sleep)" soaked
cat > crowd.py << 'PY'
import os, random, signal, sys, time

alive, rate = int(sys.argv[1]), float(sys.argv[2])
environment = {"LC_ALL": "C"}
living, made, stop = {}, 0, []
signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
begin = time.monotonic()
while not stop:
    while len(living) < alive or made < (time.monotonic() - begin) * rate:
        word = ["soaked-a", "soaked \"b\", c\nd", "other"][made % 3]
        end = random.random() * 2 * alive / rate
        pid = os.posix_spawn("./soaked", [word, "%.3f" % end], environment)
        living[pid] = True
        made += 1
    time.sleep(0.05)
    try:
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            living.pop(pid, None)
    except ChildProcessError:
        pass
    with open("made.new", "w") as file:
        file.write(str(made))
    os.rename("made.new", "made")
for pid in living:
    os.kill(pid, signal.SIGKILL)
PY
rate=$(awk "BEGIN { r = $processes * 1.2 / $duration; print r < 20 ? 20 : r }")
python3 -S crowd.py "$alive" "$rate" &
crowd=$!

start() {
    "$watch" --filter 'soaked*' --dir disk/rows --interval "$interval" \
        --extended --max-size 8M --keep 3 2>> err &
    pid=$!
}

value() { # LABEL
    sed -n "s/^$1:[^0-9]*\([0-9]*\) .*/\1/p" "/proc/$pid/status" 2> /dev/null
}

descriptors() {
    find "/proc/$pid/fd" -mindepth 1 2> /dev/null | wc -l
}

# Lets it run, and keeps the largest of its memory and descriptors
largest_rss=0
largest_fds=0
run_for() { # SECONDS
    end=$(($(date +%s) + $1))
    while [ "$(date +%s)" -lt "$end" ]; do
        sleep 1
        rss=$(value VmRSS)
        fds=$(descriptors)
        [ "${rss:-0}" -le "$largest_rss" ] || largest_rss=$rss
        [ "${fds:-0}" -le "$largest_fds" ] || largest_fds=$fds
    done
}

# shellcheck disable=SC2317 # wait_until calls it
has_said() { # TEXT
    grep -q -e "$1" err
}

wait_until() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
}

failed=0
report() { # WHAT VALUE OK
    if [ "$3" = 0 ]; then
        verdict=ok
    else
        verdict=FAILED
        failed=1
    fi
    printf '%-44s %16s  %s\n' "$1" "$2" "$verdict"
}

check() { # WHAT VALUE CONDITION…
    what=$1
    shown=$2
    shift 2
    "$@" 2> /dev/null
    report "$what" "$shown" $?
}

part=$(((duration - 10) / 4))
printf 'soak: %s s, a row each %s s, %s processes at once, in %s\n' \
    "$duration" "$interval" "$alive" "$work"
start
wait_until test -s disk/rows/$name || echo 'soak: no row came'
run_for $part
first_rss=$(value VmRSS)
first_fds=$(descriptors)

# Killed in the middle of what it does, five times
kills=0
while [ $kills -lt 5 ]; do
    kill -KILL $pid
    wait $pid 2> /dev/null
    start
    kills=$((kills + 1))
    run_for 1
done
run_for $part

# No room for a while
if [ -n "$mounted" ]; then
    cat /dev/zero > disk/filler 2> /dev/null
    wait_until has_said 'trying again'
    run_for 5
    rm disk/filler
else
    kill -TERM $pid
    wait $pid
    size=$(($(wc -c < disk/rows/$name) / 1024 + 16))
    (
        ulimit -f $((size * 2)) # of 512 bytes
        exec "$watch" --filter 'soaked*' --dir disk/rows \
            --interval "$interval" --extended 2>> err
    ) &
    pid=$!
    wait_until has_said 'trying again'
    run_for 5
    mv disk/rows/$name disk/rows/$name.8
    cp disk/rows/${name}_headers disk/rows/$name.8_headers
    kill -HUP $pid
fi
wait_until has_said 'writing rows again'
run_for $part
run_for $part
last_rss=$(value VmRSS)
last_fds=$(descriptors)
kill -TERM $pid
wait $pid
status=$?
pid=
made=$(cat made)

# Every file, read strictly
python3 -S - disk/rows > figures << 'PY'
import csv, glob, re, sys

HEADER = ("query_time,command,running_since,user_cpu_time,system_cpu_time,"
          "memory_percent,pid,ppid,rss_bytes,pss_bytes,cpu_percent,threads,"
          "descriptors")
rows = bad = headers = files = 0
times = []
for path in glob.glob(sys.argv[1] + "/system_resource_data*"):
    if path.endswith("_headers"):
        continue
    files += 1
    headers += open(path + "_headers", newline="").read() != HEADER
    data = open(path, "rb").read()
    bad += bool(data) and not data.endswith(b'"\r\n')
    for row in csv.reader(data.decode().splitlines(keepends=True), strict=True):
        rows += 1
        good = (len(row) == 13 and re.fullmatch("[0-9]{19}", row[0]) and
                row[1].startswith("soaked") and
                all(re.fullmatch(r"[0-9.]+(e[-+][0-9]+)?", value)
                    for value in row[2:9]))
        bad += not good
        if good:
            times.append(int(row[0]))
times.sort()
gap = max((b - a for a, b in zip(times, times[1:])), default=0) / 1e9
print(rows, bad, headers, files, "%.1f" % gap)
PY
read -r rows bad headers files gap < figures || rows=0 bad=1 headers=1 files=0

echo
check 'processes that came and went' "$made" [ "$made" -ge "$processes" ]
check 'rows in the files that are kept' "$rows" [ "$rows" -gt "$duration" ]
check 'torn or wrong rows' "$bad" [ "$bad" -eq 0 ]
check 'files' "$files" [ "$files" -ge 1 ]
check 'files with wrong headers' "$headers" [ "$headers" -eq 0 ]
report 'longest time without a row, s' "$gap" 0
check 'kills' $kills [ $kills -eq 5 ]
check 'said that there is no room' "$(grep -c 'trying again' err)" \
    [ "$(grep -c 'trying again' err)" -eq 1 ]
check 'said that it goes on' "$(grep -c 'writing rows again' err)" \
    [ "$(grep -c 'writing rows again' err)" -eq 1 ]
check 'RSS of the first part, then at the end, kB' "$first_rss $last_rss" \
    [ "$last_rss" -le $((first_rss + 512)) ]
check 'largest RSS, kB' "$largest_rss" [ "$largest_rss" -le $((first_rss + 1024)) ]
check 'descriptors, first, then at the end' "$first_fds $last_fds" \
    [ "$last_fds" -le $((first_fds + 5)) ]
check 'most descriptors at once' "$largest_fds" [ "$largest_fds" -le 20 ]
check 'status after TERM' $status [ $status -eq 0 ]
[ $failed -eq 0 ] || sed 's/^/soak: err: /' err
exit $failed
