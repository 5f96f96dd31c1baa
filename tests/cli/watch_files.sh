#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of pmon watch: no row is torn or glued; rows are lost only on a full
# disk, which is reported once; rotation keeps headers; a folder has one writer.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

name=system_resource_data
cp "$(command -v sleep)" watched
mark=88.$$
sleepers=
for _ in 1 2 3; do
    ./watched $mark &
    sleepers="$sleepers $!"
done
pid=
# shellcheck disable=SC2086 # one word an id
trap 'kill $sleepers $pid 2> /dev/null; cd /; rm -rf "$work"' EXIT

# Starts pmon watch in the background: its id in $pid, its messages in NAME.err
start() { # NAME OPTION…
    said=$1.err
    shift
    "$builddir/pmon-watch" --filter "./watched $mark" "$@" 2> "$said" &
    pid=$!
}

# shellcheck disable=SC2317 # wait_until calls it
has_said() { # TEXT
    grep -q -e "$1" "$said"
}

# Prints what is wrong with the rows of a file, read strictly; nothing if good
find_fault() { # FILE [HEADERS]
    "$python" -S - "$1" "${2-$1_headers}" << 'PY'
import csv, sys

data = open(sys.argv[1], "rb").read()
if data and not data.endswith(b'"\r\n'):
    print("torn at the end")
text = data.decode("utf-8", "surrogateescape")
for row in csv.reader(text.splitlines(keepends=True), strict=True):
    if len(row) != 6 or len(row[0]) != 19 or not row[5].replace(".", "").isdigit():
        print("bad row", row)
headers = open(sys.argv[2], "rb").read()
if headers != (b"query_time,command,running_since,user_cpu_time,"
               b"system_cpu_time,memory_percent"):
    print("headers", headers)
PY
}

stop() { # DESC
    kill -TERM $pid
    finish $pid
    is "$status" 0 "$1"
}

# ---- one writer a folder ----

start first --dir one --interval 0.05
wait_until has_lines one/$name 3
run "$PMON" watch --filter "./watched $mark" --dir one --count 1
is "$status: $(cat err)" \
    "125: pmon: one/$name: another pmon-watch is writing there: use another --dir" \
    'a second one is refused, with the reason'
stop 'TERM ends it with 0'
is "$(find_fault one/$name)" '' 'its rows are whole'

# No message goes to the file of rows
"$PMON" watch --filter "./watched $mark" --dir closed --count 2 -i 0.05 \
    <&- >&- 2>&-
is "$?: $(find_fault closed/$name)" '0: ' 'closed streams do no harm'

# ---- ended by KILL, and started again over a torn row ----

start killed --dir one --interval 0.05
wait_until has_said recording
kill -KILL $pid
wait $pid 2> /dev/null
rows=$(wc -l < one/$name)
printf '"1796007184763513878","to""rn\r\n' >> one/$name
run "$PMON" watch --filter "./watched $mark" --dir one --count 1
is "$status: $(wc -l < one/$name)" "0: $((rows + 5))" \
    'rows follow a torn one in lines of their own'
is "$(grep -c torn one/$name)" 1 'a torn row stays, marked'
sed '/to""rn/,/torn/d' one/$name > one/rest
is "$(find_fault one/rest one/${name}_headers)" '' 'the others are whole'
run "$PMON" report one/$name
like "$status: $(cat err)" '1: .*not a resource row, skipped' \
    'pmon report names the torn one'

# ---- a folder that another user can write to ----

# A file that is not pmon's is refused, and does not change
refused() { # REASON DESC
    cp -a trap/victim before
    run timeout 10 "$PMON" watch --filter "./watched $mark" --dir trap --count 1
    is "$status: $(cat err)" \
        "125: pmon: trap/$name: $1: move it away or use another --dir" "$2"
    is "$(cmp trap/victim before 2>&1)" '' "$2: nothing is written"
    rm -f trap/$name
}
mkdir trap
echo 'first line' > trap/victim
ln -s victim trap/$name
refused 'a symbolic link' 'a symbolic link is not followed'
ln -s missing trap/$name
refused 'a symbolic link' 'nor is a broken link'
is "$(find trap -name missing)" '' 'which makes no file'
ln trap/victim trap/$name
refused 'has another name (a hard link)' 'a hard link is refused'
mkfifo trap/$name
refused 'not a regular file' 'a FIFO is refused'
if [ "$(id -u)" -eq 0 ]; then
    : > trap/$name
    chown 1234 trap/$name
    refused 'belongs to another user' 'a file of another user is refused'
else
    skip 'a file of another user is refused' 'only root can make one'
fi

# The same for the headers, which are read, and for the temporary files
awk 'BEGIN { for (; i < 50; i++) printf "\"1796007184763513878\",\"a\"\r\n" }' \
    > trap/$name
ln -s victim trap/${name}_headers
ln -s ../trap/victim trap/.$name.new
mkfifo trap/.${name}_headers.new
run timeout 10 "$PMON" watch --filter "./watched $mark" --dir trap --count 1 \
    --max-size 1K
is "$status" 0 'links in place of the other files are replaced'
is "$(cat trap/victim)" 'first line' 'what they lead to stays as it was'
is "$(find trap -type l -o -type p)" '' 'none of them is left'
is "$(grep -rl 'first line' trap)" trap/victim \
    'no line of another file is copied to the headers'

# ---- rotation ----

start rotate --dir many --interval 0.02 --max-size 1K --keep 2
wait_until test -s many/$name.2
wait_until has_lines rotate.err 1
sleep 0.2
stop 'TERM ends one that rotates'
is "$(cd many && echo ./*)" "./$name ./$name.1 ./$name.1_headers ./$name.2 ./$name.2_headers ./${name}_headers" \
    '--keep older files, each with its headers'
for file in many/$name many/$name.1 many/$name.2; do
    is "$(find_fault "$file")" '' "$file is whole"
    is_true "$(wc -c < "$file") <= 1024" 'and not larger than --max-size'
done
run "$PMON" report --format csv many/$name.1
is "$status: $(cat err)" '0: ' 'pmon report reads the older ones'
is_true "$(tail -n 1 many/$name.1 | cut -c 2-20) < $(head -n 1 many/$name | cut -c 2-20)" \
    'the higher number is the older one'

# ---- moved away by another program, or removed ----

start moved --dir moved --interval 0.02
wait_until has_lines moved/$name 1
mv moved/$name moved/old
kill -HUP $pid
wait_until has_lines moved/$name 1
is "$(find_fault moved/old moved/${name}_headers)" '' \
    'HUP begins a new file after a rename'
rm moved/$name
wait_until has_lines moved/$name 1
is $? 0 'a file that is removed is made again'
rm -r moved
wait_until has_lines moved/$name 1
stop 'its folder too'
is "$(find_fault moved/$name)" '' 'with headers'

# ---- no room ----

# Reports a full disk once, waits and goes on; reports how many rows were lost
check_room() { # DESC
    is "$(grep -c 'trying again' "$said")" 1 "$1: the end of room is said once"
    like "$(cat "$said")" ': writing rows again, [1-9][0-9]* were lost$' \
        "$1: going on is said"
    is "$(wc -l < "$said")" 4 "$1: nothing else is said"
}

# A size limit makes writes short
(
    ulimit -f 4
    exec "$builddir/pmon-watch" --filter "./watched $mark" --dir limit \
        --interval 0.01 2> limit.err
) &
pid=$!
said=limit.err
wait_until has_said 'File too large; trying again'
is "$(find_fault limit/$name)" '' 'a limit of size: a short write is taken back'
size=$(wc -c < limit/$name)
sleep 0.1
is "$(wc -c < limit/$name)" "$size" 'a limit of size: nothing is written then'
mv limit/$name limit/old
kill -HUP $pid
wait_until has_lines limit/$name 1
kill -TERM $pid
finish $pid
is "$(grep -c 'trying again' limit.err)" 1 'a size limit: is reported once'

# A real file system that is full, in its own mount namespace
if unshare -rm true 2> /dev/null; then
    mkdir disk
    cat > full.sh << 'SH'
mount -t tmpfs -o size=64k none disk || exit 99
"$builddir/pmon-watch" --filter "./watched $1" --dir disk/rows \
    --interval 0.01 2> disk.err &
pid=$!
wait_until() { for _ in $(seq 500); do "$@" && return; sleep 0.02; done; exit 98; }
wait_until test -s disk/rows/system_resource_data
head -c 1M /dev/zero > disk/filler 2> /dev/null
wait_until grep -q 'trying again' disk.err
cp disk/rows/system_resource_data before
rm disk/filler
wait_until grep -q 'writing rows again' disk.err
kill -TERM $pid
wait $pid
status=$?
cp disk/rows/system_resource_data after
cp disk/rows/system_resource_data_headers headers
exit $status
SH
    timeout -k 5 30 unshare -rm sh full.sh $mark > /dev/null
    is $? 0 'a full disk: it goes on, and TERM ends it with 0'
    said=disk.err
    check_room 'a full disk'
    is "$(find_fault before headers)" '' 'a full disk: rows are whole meanwhile'
    is "$(find_fault after headers)" '' 'a full disk: and afterwards'
    cmp -s -n "$(wc -c < before)" before after
    is $? 0 'a full disk: recorded rows stay'
else
    skip 'a full disk' 'there are no mount name spaces here'
fi

# ---- memory and descriptors ----

start flat --dir flat --interval 10ms --max-size 2K --keep 2 --extended
wait_until test -s flat/$name.2
vm_rss() {
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$pid/status
}
before=$(vm_rss)
descriptors() {
    find /proc/$pid/fd -mindepth 1 2> /dev/null | wc -l
}
fds=$(descriptors)
for _ in $(seq 40); do
    kill -HUP $pid
    sleep 0.02
done
# A descriptor that is open for a moment is not a leak
is_true "$(descriptors) <= $fds + 8" 'descriptors stay as many'
if grep -aq __asan_init "$builddir/pmon-watch"; then
    skip 'and memory too' 'the address sanitizer keeps what is freed'
else
    is_true "$(vm_rss) - $before <= 256" 'and memory too'
fi
stop 'after 40 HUPs it still ends with 0'

done_testing
