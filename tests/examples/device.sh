#!/bin/sh
# SPDX-License-Identifier: MIT
#
# examples/device without a network: ssh is a stand-in that runs the line in a
# folder that plays the device.  make device-check has a real sshd.

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/device/stand_ins.sh
. "$srcdir/tests/device/stand_ins.sh"

example=$srcdir/examples/device
units=$device/root/etc/systemd/system
prefix=$device/data/pmon
data=$prefix/data
make_device
trap 'stop_device; cd /; rm -rf "$work"' EXIT

# The programs of three machines: scripts that say which.
for arch in x86_64 aarch64 armv7l; do
    mkdir -p "build/static/$arch"
    for program in pmon pmon-watch example-server; do
        cat >"build/static/$arch/$program" <<END
#!$device_shell
# $arch
case \$1 in --version) echo 'pmon 0 of $arch' ;; *) exec sleep 30 ;; esac
END
        chmod +x "build/static/$arch/$program"
    done
done
# Those of root may belong to whoever has built them.
[ "$(id -u)" -ne 0 ] || chown -R 65534 build
stand_in uname <<'END'
cat "$state/machine"
END
echo x86_64 >"$device/state/machine"

mkdir here
cat >here/ssh <<END
#!/bin/sh
while [ \$# -gt 1 ]; do
    printf '%s\n' "\$1"
    shift
done >$work/ssh_arguments
echo "\$1" >>$work/lines
# A test may have something happen between list and part.
case \$1 in
*"'part'"*)
    [ ! -f $work/meanwhile ] || sh $work/meanwhile
    rm -f $work/meanwhile
    ;;
esac
exec env -i PATH=$device/bin $device_shell -c "\$1"
END
chmod +x here/ssh
PATH=$work/here:$PATH

# device VERB VARIABLE=VALUE…: as make does; sets status, and prints the words
device() {
    verb=$1
    shift
    status=0
    env HOST=root@robot PREFIX="$prefix" ROOT="$device/root" \
        BUILD="$work/build" "$@" "$example/device.sh" "$verb" >out 2>err ||
        status=$?
    printf '%s' "$status"
    sed 's/^device: /|/' out err | tr -d '\n'
}

# What the stand-ins were told, without the checksums of the units.
calls() {
    sed 's/ [0-9a-f]*$//' "$device/state/calls" | tr '\n' ';'
    : >"$device/state/calls"
}

make --no-print-directory -C "$example" status >out 2>err
is "$(cat out; head -n 1 err)" \
    'device: HOST= is missing: make status HOST=root@robot' 'make without HOST'
like "$(make --no-print-directory -C "$example")" 'make push HOST=root@robot' \
    'make alone says what there is'
like "$(device push PREFIX=data)" "^1.PREFIX=data is not the full path of a folder" \
    'PREFIX is checked'
for each in / /data/.. /data/../etc "/data/a b"; do
    like "$(device status PREFIX="$each")" '^1.PREFIX=' "PREFIX=$each"
done
like "$(device push SSH_KEY=none)" '^1.SSH_KEY=none cannot be read' \
    'SSH_KEY is checked'
like "$(device enable)" "^1.pmon is not in .*make push first" \
    'enable before push'
like "$(device get-logs)" "^1.*does not exist: make push" 'get-logs before push'

# The machine decides which programs are sent.
for pair in x86_64:x86_64 aarch64:aarch64 armv8l:armv7l; do
    echo "${pair%:*}" >"$device/state/machine"
    like "$(device push)" \
        "^0.sending pmon pmon-watch of ${pair#*:} .*pmon 0 of ${pair#*:} is" \
        "push to ${pair%:*}"
done
is "$(stat -c %u "$prefix/bin/pmon")" "$(id -u)" \
    'the programs belong to who runs there, not to who sent them'
is "$(diff -r -x __pycache__ "$srcdir/examples/python" "$prefix/python" &&
    stat -c %a "$prefix/python/"*)" '644
644' 'the Python modules are there'
unlike "$(device push)" 'pmon_regions' 'and are not sent again'
echo '# old' >>"$prefix/python/pmon_regions.py"
like "$(device push)" \
    '^0.programs: as they were.sending pmon_regions.py to .*/python' \
    'but one that has changed'
echo armv6l >"$device/state/machine"
like "$(device push)" '^1.root@robot has processor type armv6l; pmon is built for x86_64,' \
    'push to a machine of another kind'
mv build/static/armv7l/pmon-watch kept
echo armv7l >"$device/state/machine"
like "$(device push)" '^1.*armv7l/pmon-watch is missing: make -C .*static-all' \
    'push of what was not built'
mv kept build/static/armv7l/pmon-watch

# / is writable only while units change, and read-only again always.
is "$(device remove)" "0|removed" 'remove'
is "$(find "$device/data" "$units" -type f)" '' 'leaves nothing'
: >"$device/state/calls"
like "$(device push EXAMPLE=yes SERVICE=robot)" 'units: written' 'push'
is "$(awk '{ print $NF }' "$device/state/calls" | sed -n 2p)" \
    "$(ls -R "$units" | md5sum | cut -c 1-32)" \
    'what is written is there before / is read-only again'
is "$(calls)" "mount -o remount,rw /;mount -o remount,ro /;systemctl \
daemon-reload;systemctl restart pmon-watch.service;systemctl restart \
pmon-example-server.service;" '/ becomes writable and read-only again'
is "$(cd "$units" && find . -type f -o -type l | sort | tr '\n' ' ')" \
    "./multi-user.target.wants/pmon-watch.service ./pmon-example-server.service \
./pmon-watch.service ./robot.service.d/pmon.conf " 'the units'
like "$(device push EXAMPLE=yes SERVICE=robot)" \
    '^0.programs: as they were.units: as they were' 'the same push again'
is "$(calls)" '' 'does not touch / nor a service'
printf '# changed\n' >>"$units/pmon-watch.service"
rm -rf "$units/robot.service.d"
: >"$units/robot.service.d"
like "$(device push SERVICE=robot)" '^1.*robot.service.d/pmon.conf cannot be' \
    'a unit that cannot be written'
is "$(calls) $(cat "$device/state/root")" \
    'mount -o remount,rw /;mount -o remount,ro /; ro' '/ is read-only again'
rm "$units/robot.service.d"
for signal in HUP TERM; do
    echo "$signal" >"$device/state/worst"
    rm "$units/pmon-watch.service"
    like "$(device push SERVICE=robot)" '^0.*units: written' "$signal meanwhile"
    is "$(calls | cut -d ';' -f 1,2) $(cat "$device/state/root")" \
        'mount -o remount,rw /;mount -o remount,ro / ro' 'changes nothing'
done
rm "$device/state/worst" "$units/pmon-watch.service"
echo rw >"$device/state/root"
like "$(device push SERVICE=robot)" '^0.*units: written' \
    'on a / that is writable anyway'
unlike "$(calls)" mount 'nothing is mounted'
echo ro >"$device/state/root"

# The switch.
like "$(device enable FILTERS='/opt/robot*,python3*' INTERVAL=2)" \
    "^0.pmon-watch.service: on.robot.service: on after its next restart, .*once" \
    'enable says what needs a restart'
is "$(calls)" 'systemctl reload-or-restart pmon-watch.service;' \
    'and reloads pmon-watch alone'
is "$(sed 1d "$prefix/pmon.env")" "PMON_REGIONS=\"$data\"
PMON_REGIONS_NAME=robot_activity_data
OT_SYSTEM_RESOURCE_TRACKER_ENABLED=true
OT_SYSTEM_RESOURCE_TRACKER_STORAGE_DIR=\"$data\"
OT_SYSTEM_RESOURCE_TRACKER_PROCESS_FILTERS=\"/opt/robot*,python3*\"
OT_SYSTEM_RESOURCE_TRACKER_REFRESH_INTERVAL=2" 'the environment, on'
like "$(device status)" '^0.pmon 0 of armv7l in .*switch: on.*/: read-only' \
    'status'
device disable >all
is "$(sed 1d "$prefix/pmon.env")" OT_SYSTEM_RESOURCE_TRACKER_ENABLED=false \
    'the environment, off'
like "$(device status)" 'switch: off' 'status of a device that is off'
like "$(device enable INTERVAL=soon)" '^1.INTERVAL=soon is not a number' \
    'INTERVAL is checked'
for each in 0 0.5 .5 00.9 1.2.3 .; do
    like "$(device enable INTERVAL="$each")" '^1.INTERVAL=' "INTERVAL=$each"
done
for each in 1 1.0 10 01.5; do
    like "$(device status INTERVAL="$each")" ^0 "INTERVAL=$each"
done
like "$(device enable FILTERS=' , ')" '^1.FILTERS= ,  has no pattern' \
    'FILTERS are checked'
like "$(device enable RESTART=maybe)" '^1.RESTART=maybe: must be yes or empty' \
    'RESTART is checked'
: >"$device/state/calls"
device disable RESTART=no >all
unlike "$(calls)" 'restart robot' 'RESTART=no restarts nothing'

# Bytes that are here already are not fetched again.
today=logs/robot/$(date +%Y-%m-%d)
rows=system_resource_data
printf 'a\r\nb\r\n' >"$data/$rows"
printf 'state' >"$data/${rows}_headers"
dd if=/dev/urandom of="$data/memory_log.txt" bs=1000 count=50 2>err
like "$(device get-logs)" "$rows: 6 new bytes.*$today: 50011 new bytes" \
    'get-logs takes the data'
is "$(diff -r -x .inodes "$data" "$today" 2>&1)" '' 'as they are'
is "$(device get-logs)" "0|$today: 0 new bytes" 'and again nothing'
printf 'c\r\n' >>"$data/$rows"
printf 'more' >>"$data/memory_log.txt"
: >lines
is "$(device get-logs)" "0|memory_log.txt: 4 new bytes|$rows: 3 new bytes|\
$today: 7 new bytes" 'then what is new'
is "$(grep -o "'part'.*" lines | sed "s/'[0-9]*'\$/''/" | tr '\n' ' ')" \
    "'part' 'memory_log.txt' '50000' '4' '' 'part' '$rows' '6' '3' '' " \
    'for which alone it asks'
is "$(diff -r -x .inodes "$data" "$today" 2>&1)" '' 'to the byte'
mv "$data/$rows" "$data/$rows.1"
cp "$data/${rows}_headers" "$data/$rows.1_headers"
printf 'd\r\n' >"$data/$rows"
is "$(device get-logs)" "0|$rows: 3 new bytes|$rows.1_headers: 5 new bytes|\
$today: 8 new bytes" 'a file with a new name does not come again'
mv "$data/$rows.1" "$data/$rows.2"
mv "$data/$rows.1_headers" "$data/$rows.2_headers"
mv "$data/$rows" "$data/$rows.1"
cp "$data/${rows}_headers" "$data/$rows.1_headers"
printf 'a\r\nb\r\nc\r\n' >"$data/$rows"
is "$(device get-logs)" "0|$rows: 9 new bytes|$rows.1_headers: 5 new bytes|\
$today: 14 new bytes" 'nor two of them'
is "$(diff -r -x .inodes "$data" "$today" 2>&1)" '' 'all are as there'
rm "$data"/$rows.[12]*
printf 'x\r\n' >"$data/$rows"
like "$(device get-logs)" "$rows: was started again .*$rows.old1.$rows: 3 new bytes" \
    'a file that became smaller is taken anew'
printf 'X\r\nyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n' >"$data/$rows"
like "$(device get-logs)" "$rows: was started again .*$rows.old2.$rows: 34 new bytes" \
    'and one that begins otherwise'
is "$(cat "$today/$rows.old1" "$today/$rows.old1_headers" "$today/$rows.old2" |
    tr -d '\r' | tr '\n' ' ')" 'a b c statex ' \
    'what was here is kept, with its header'
rm -f "$today"/$rows.[12]*
cat >meanwhile <<END
mv "$data/$rows" "$data/$rows.1"
cp "$data/${rows}_headers" "$data/$rows.1_headers"
printf 'new row that is longer than what was there before\r\n' >"$data/$rows"
END
cp "$data/$rows" before
printf 'z\r\n' >>"$data/$rows"
like "$(device get-logs)" "^1.*$rows: is being replaced at this moment" \
    'a file that is put aside while it is fetched'
is "$(cmp before "$today/$rows" 2>&1)" '' 'gets nothing of the next one'
is "$(device get-logs)" "0|$rows: 51 new bytes|$rows.1: 3 new bytes|\
$rows.1_headers: 5 new bytes|$today: 59 new bytes" 'the next time takes the rest'
cat >meanwhile <<END
rm -f "$data/$rows.2"
mv "$data" "$data.away"
END
mv "$data/$rows.1" "$data/$rows.2"
mv "$data/$rows.1_headers" "$data/$rows.2_headers"
mv "$data/$rows" "$data/$rows.1"
cp "$data/${rows}_headers" "$data/$rows.1_headers"
printf 'q\r\n' >"$data/$rows"
cp "$data/$rows.2" kept.2
like "$(device get-logs)" '^1' 'the connection ends meanwhile'
mv "$data.away" "$data"
cp kept.2 "$data/$rows.2"
unlike "$(device get-logs)" 'was started again' 'nothing here is put aside for that'
is "$(diff -r -x .inodes -x '*.old*' "$data" "$today" 2>&1)" '' 'all is as there'
rm "$data"/$rows.[12]* "$today"/$rows.[12]*
device get-logs >all
mv "$today" logs/robot/2020-01-02
is "$(device get-logs)" "0|$today: 0 new bytes" 'the next day'
is "$(diff -r logs/robot/2020-01-02 "$today")" '' 'begins with all so far'

# A device that lies: whatever it sends, nothing but today's folder changes.
: >"$data/notes.txt"
: >"$data/system_resource_data.1x"
like "$(device get-logs)" "^0.*$data: a file that is not pmon's is left out.$data" \
    'files that are not data stay on the device'
rm "$data/notes.txt" "$data/system_resource_data.1x"
is "$(find "$today" -name 'notes*' -o -name '*1x')" '' 'they are not fetched'
mv here/ssh ssh.true
cat >here/ssh <<END
#!/bin/sh
for line; do :; done
case \$line in
*"'part'"*) cat "$work/sent_part" ;;
*) cat "$work/sent_list" ;;
esac
END
chmod +x here/ssh
printf 'ssh-ed25519 AAAA attacker\n' >sent_part
everything() {
    find . -type f ! -path './sent_*' ! -path ./out ! -path ./err \
        ! -path ./before ! -path ./after -exec md5sum {} + | sort
}
none=00000000000000000000000000000000
# shellcheck disable=SC2016 # what a shell must not run
run_me='a[$(touch${IFS}owned)]'
lies() { # DESC WHY; the list is on stdin
    cat >sent_list
    everything >before
    like "$(device get-logs)" "^1.root@robot: '.*' $2; nothing was fetched" "$1"
    everything >after
    is "$(diff before after)" '' "$1: nothing changes"
}
for name in ../../../.ssh/authorized_keys /etc/passwd .. .inodes .moving/x \
    "$run_me" -n notes.txt system_resource_data.old1 \
    system_resource_data.01 memory_log/x.txt 'memory_log*.txt' ''; do
    lies "the name '$name'" 'is not the name of a data file' <<END
memory_log_a.txt 1 10 - - -
$name 7 26 - - -
END
done
for size in "$run_me" 08 -1 0x10 1e3 "''" 99999999999999999999 \
    from PATH; do
    lies "the size $size" 'is not a size or an inode' <<END
memory_log.txt 7 $size - - -
END
    lies "the inode $size" 'is not a size or an inode' <<END
memory_log.txt $size 7 - - -
END
done
lies 'a file that is here under another name' 'is not the name of a data file' \
    <<END
memory_log.txt 7 26 ../../../key $none $none
END
lies 'a checksum that is a pattern' 'is not a checksum' <<END
memory_log.txt 7 26 - * $none
END
printf 'memory_log_\033]0;x\007.txt 7 26 - - -\n' >sent_list
device get-logs >all
is "$(tr -d '[:print:]\n' <all | wc -c)" 0 'nor does the terminal'
echo 'memory_log_new.txt 7 4 - - -' >sent_list
is "$(device get-logs | tr -d '\n')" \
    "0|memory_log_new.txt: 4 new bytes|$today: 4 new bytes" \
    'more than was announced is cut off'
is "$(cat "$today/memory_log_new.txt")" 'ssh-' 'at the size'
echo 'memory_log_new.txt 7 400 - - -' >sent_list
like "$(device get-logs)" '^1.*memory_log_new.txt: is incomplete' \
    'less than was announced is named'
mv ssh.true here/ssh

sleep 60 &
echo $! >"$device/state/robot.service.pid"
like "$(device remove)" \
    '^0.robot.service: has the switch as it was .*removed; the data stay in' \
    'remove says what needs a restart'
is "$(find "$units" -type f -o -type l) $(cat "$device/state/root")" ' ro' \
    'takes all units away, and / is read-only'
is "$(device remove DATA=delete; ls "$device/data")" '0|removed' \
    'remove again, with the data'

# How ssh is called.
: >key
device status PORT=2222 SSH_KEY=key >all
is "$(tr '\n' ' ' <ssh_arguments)" \
    '-i key -o IdentitiesOnly=yes -p 2222 -o ConnectTimeout=10 root@robot ' \
    'PORT and SSH_KEY'
done_testing
