#!/bin/sh
# SPDX-License-Identifier: MIT
#
# examples/device against a real sshd on loopback, which has no sftp and only
# busybox on its PATH: first the walk of README.md as it stands there, then
# what it promises.  Part of make device-check.

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"
# shellcheck source=tests/device/stand_ins.sh
. "$srcdir/tests/device/stand_ins.sh"

# sshd wants to be called by its full path.
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd)
for pair in sshd:openssh-server ssh-keygen:openssh-client \
    busybox:busybox gnuplot:gnuplot-nox; do
    PATH=$PATH:/usr/sbin:/sbin command -v "${pair%:*}" >/dev/null || {
        echo "1..0 # SKIP ${pair%:*} is not installed: apt-get install ${pair#*:}"
        exit 0
    }
done

units=$device/root/etc/systemd/system
prefix=$device/data/pmon
data=$prefix/data
readme=$srcdir/examples/device/README.md
make_device
trap 'stop_device; [ ! -f sshd.pid ] || kill "$(cat sshd.pid)"; cd /; rm -rf "$work"' EXIT

# ---- sshd, with keys that are thrown away ----

# A port that nobody listens at; kept by nobody, so another may be tried.
free_port() {
    python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

start_sshd() {
    port=$(free_port)
    cat >sshd_config <<END
ListenAddress 127.0.0.1
Port $port
HostKey $work/host_key
AuthorizedKeysFile $work/key.pub
AuthenticationMethods publickey
PidFile $work/sshd.pid
StrictModes no
UsePAM no
ForceCommand $work/session
END
    "$sshd" -f "$work/sshd_config" -E "$work/sshd.log" &&
        wait_until test -s sshd.pid
}

ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' \
    -f host_key || exit 99
cat >session <<END
#!/bin/sh
exec env -i PATH=$device/bin HOME=/ $device_shell -c "\$SSH_ORIGINAL_COMMAND"
END
chmod +x session
# As root, sshd wants its folder for children without rights.
[ "$(id -u)" -ne 0 ] || [ -d /run/sshd ] || mkdir -p /run/sshd
start_sshd || start_sshd || {
    not_ok 'sshd starts' "$(cat sshd.log)"
    done_testing
}

# root@robot is the sshd above.
mkdir here
real_ssh=$(command -v ssh)
cat >here/ssh <<END
#!/bin/sh
for each in "\$@"; do
    shift
    [ "\$each" != root@robot ] || each=robot
    set -- "\$@" "\$each"
done
exec $real_ssh -F $work/ssh_config "\$@"
END
cat >ssh_config <<END
Host robot
    HostName 127.0.0.1
    HostKeyAlias robot
    Port $port
    User $(id -un)
    IdentityFile $work/key
    IdentitiesOnly yes
Host *
    BatchMode yes
    GlobalKnownHostsFile none
    UserKnownHostsFile $work/known_hosts
    StrictHostKeyChecking accept-new
    LogLevel ERROR
END
chmod +x here/ssh
ln -s "$PMON" here/pmon
PATH=$work/here:$PATH
MAKEFLAGS="--no-print-directory -- PREFIX=$prefix ROOT=$device/root BUILD=$builddir/device"
export PATH MAKEFLAGS

is "$(ssh root@robot 'echo "$PATH"; command -v sftp scp rsync')" "$device/bin" \
    'the session has busybox alone'
"$(dirname "$real_ssh")/sftp" -F ssh_config robot </dev/null >out 2>&1
is_true "$? != 0" 'and no sftp'

# ---- the walk ----

STATIC_CONFIGURE=--enable-werror "$srcdir/.ci/static" "$builddir/device" \
    "$(uname -m)" >out 2>&1 || {
    not_ok 'static binaries' "$(cat out)"
    done_testing
}

# The blocks of README.md, with the folder of this test for /data/pmon.
awk '/^```/ { inside = $0 == "```sh" && !inside; count += inside; next }
    inside { print > ("block." count) }' "$readme"
mkdir walk
ln -s "$srcdir/examples" walk/examples
cd walk || exit 99
blocks=0
while [ -s "$work/block.$((blocks + 1))" ]; do
    blocks=$((blocks + 1))
    block=$work/block.$blocks
    sed -i "s|/data/pmon|$prefix|g" "$block"
    title=$(head -n 1 "$block" | sed "s|$work|…|g" | cut -c 1-66)
    # This has been done above.
    ! grep -q '^make -C build static-all' "$block" || continue
    timeout -k 5 60 sh -eu "$block" >"$work/out" 2>"$work/err" </dev/null
    cp "$work/err" "$work/said.$blocks"
    is "$?: $(grep -v '^pmon: ' "$work/err")" '0: ' "README.md: $title"
    cp "$work/out" "$work/printed.$blocks"
done
cd "$work" || exit 99
is "$blocks" 8 'README.md: all blocks'
logs=$(echo walk/logs/robot/*)
like "$(cat printed.*)" 'ANALYZING_PROTOCOL +6 ' 'report: the regions'
like "$(cat printed.*)" '/data/pmon/bin/example-server' 'report: the processes'
is "$(head -c 8 "$logs/picture.png" | od -An -c | tr -d ' ')" \
    '211PNG\r\n032\n' 'plot: a picture'
[ -z "${PICTURE-}" ] || cp "$logs/picture.png" "$PICTURE"
is "$(for file in robot_activity_data system_resource_data; do
    cat "$logs/${file}_headers" && echo
done)" 'state,func_start,duration
query_time,command,running_since,user_cpu_time,system_cpu_time,memory_percent' \
    'the headers came along'
rows=$(wc -l 2>err <"$logs/memory_log.txt" || echo 0)
is_true "$rows > 20" "a log of $rows rows"
is "$(grep mount "$device/state/calls" | cut -d ' ' -f 1-4)" \
    'mount -o remount,rw /
mount -o remount,ro /
mount -o remount,rw /
mount -o remount,ro /' 'push and remove: / is writable for a moment'
is "$(find "$units" -type f -o -type l) $(ls "$prefix")" ' data' \
    'remove leaves the data alone'

# ---- what the words promise ----

# With PORT and SSH_KEY, as without a configuration of ssh.
cat >here/ssh <<END
#!/bin/sh
exec $real_ssh -F none -o UserKnownHostsFile=$work/known_hosts \
    -o GlobalKnownHostsFile=none -o LogLevel=ERROR -o BatchMode=yes \
    -o StrictHostKeyChecking=accept-new -v -E $work/ssh_log "\$@"
END
robot() { # VERB VARIABLE=VALUE…; prints the words
    timeout 60 make -C "$srcdir/examples/device" \
        HOST="$(id -un)@127.0.0.1" PORT="$port" SSH_KEY="$work/key" \
        LOGS="$work/logs" "$@" 2>&1 | sed 's/^device: //'
}

ask() {
    "$builddir/device/static/$(uname -m)/example-server" --ask \
        "$prefix/server.sock" "$@"
}

# shellcheck disable=SC2317 # wait_until calls it
has_grown() { # FILE SIZE
    [ "$(wc -c <"$data/$1")" -gt "$2" ]
}

sizes() {
    wc -c "$data"/*
}

like "$(robot push EXAMPLE=yes)" 'sending pmon pmon-watch example-server' \
    'push by PORT and SSH_KEY'
if command -v systemd-analyze >/dev/null; then
    systemd-analyze verify --man=no "$units"/*.service >out 2>&1
    is "$? $(cat out)" '0 ' 'systemd understands the units'
else
    skip 'systemd understands the units' 'there is no systemd-analyze'
fi
: >"$device/state/calls"
like "$(robot push EXAMPLE=yes | tr '\n' ' ')" \
    '^programs: as they were units: as they were' 'and again, without effect'
is "$(cat "$device/state/calls")" '' 'it touches nothing'
before=$(sizes)
wait_until test -S "$prefix/server.sock"
ask 'analyze off' >out
is "$(sizes)" "$before" 'pushed, but not switched on: no file grows'

robot enable FILTERS="$prefix/bin/*" INTERVAL=1 RESTART=yes >out
like "$(cat out)" 'pmon-example-server.service: restarted, on' 'enable'
wait_until test -S "$prefix/server.sock"
wait_until ask status >out
size=$(wc -c <"$data/system_resource_data")
wait_until has_grown system_resource_data "$size"
ask 'analyze a' 'run a' >out
is "$(robot enable FILTERS="$prefix/bin/*" INTERVAL=1 |
    grep -c 'on after its next restart, libpmon reads the switch once')" 1 \
    'enable without RESTART says what needs one'

robot get-logs >out
today=$(echo logs/127.0.0.1/*)
is "$(cmp "$data/robot_activity_data" "$today/robot_activity_data" 2>&1)" '' \
    'get-logs: as on the device'
size=$(wc -c <"$data/robot_activity_data")
ask 'analyze b' 'run b' >out
new=$(($(wc -c <"$data/robot_activity_data") - size))
watched=$(wc -c <"$today/system_resource_data")
# So that the rows of the daemon do not change while bytes are counted.
robot disable >out
head -c 2000000 /dev/zero >"$data/memory_log_large.txt"
robot get-logs >out
head -c 10 /dev/zero >>"$data/memory_log_large.txt"
ask 'run b' >out
new=$((new + $(wc -c <"$data/robot_activity_data") - size - new))
: >ssh_log
words=$(robot get-logs)
like "$words" 'large.txt: 10 new bytes' 'get-logs again: new bytes alone'
received=$(sed -n 's/^Transferred: sent [0-9]*, received \([0-9]*\) bytes.*/\1/p' \
    ssh_log | awk '{ sum += $1 } END { print sum + 0 }')
is_true "$received > 0 && $received < 50000" \
    "of 2 MB there came $received bytes through ssh"
is "$(cmp "$data/memory_log_large.txt" "$today/memory_log_large.txt" 2>&1)$(cmp \
    "$data/robot_activity_data" "$today/robot_activity_data" 2>&1)" '' \
    'and the files are whole'
is_true "$(wc -c <"$today/system_resource_data") >= $watched" \
    'none became shorter'

words=$(robot disable RESTART=yes)
like "$words" 'pmon-watch.service: off' 'disable'
wait_until ask status >out
before=$(sizes)
ask 'analyze c' 'run c' >out
sleep 2.2
is "$(sizes)" "$before" 'after two intervals no file has grown'
like "$(robot status | tr '\n' ' ')" \
    'switch: off pmon-watch.service: active .*: active /: read-only' 'status'
like "$(robot remove DATA=delete)" '^removed$' 'remove'
like "$(robot status | tr '\n' ' ')" '^no pmon in ' 'status of what is gone'
like "$(robot push PORT=1 2>&1)" 'cannot be asked, see above' \
    'a machine that does not answer'
done_testing
