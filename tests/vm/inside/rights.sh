# SPDX-License-Identifier: MIT
# What depends on rights to /proc, and what else was seen on such machines.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"

# ---- hidepid ----

place 'user, hidepid=2'
mount -o remount,hidepid=2 /proc
new_files
as_user "$PMON" --pid 1 --duration 0.3s 2> err
is $? 125 '--pid of a process of root'
like "$(cat err)" '^pmon: --pid 1: .*cannot be read.*hidepid' 'and why'
new_files
as_user "$PMON" -q --include-io --summary s.json -- "$workload" daemon 20 200 100 2> err
is_true "$(figure total_s) > 0.2 && $(figure peak_rss_bytes) > 20 * 1048576" \
    'a step of the user: CPU and peak'
mount -o remount,hidepid=0 /proc

# ---- one command line, one start tick, several processes ----

place 'root, pmon watch'
cat > busy.sh <<'SH'
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
exec sleep 61
SH
pids=
for i in 1 2 3 4; do
    sh busy.sh &
    pids="$pids $!"
done
# shellcheck disable=SC2317,SC2009 # wait_until calls it
all_sleep() { [ "$(ps -C sleep -o args= | grep -c 'sleep 61')" -eq 4 ]; }
wait_until all_sleep
"$PMON" watch --extended --filter 'sleep 61' --dir w \
    --interval 0.2 --count 3 2> err
"$PMON" report w/system_resource_data > out
# shellcheck disable=SC2086 # a word each
kill $pids
is "$(grep -c 'sleep 61' out)" 4 \
    'four processes of one command line are four lines'

# ---- systemd-run inside a step ----

place 'root, systemd-run in the step'
new_files
"$PMON" -- systemd-run --quiet --scope "$workload" work 10 100 50 2> err
is "$? $(grep -c elsewhere err)" '0 0' 'a scope is counted'
"$PMON" -- systemd-run --quiet --wait "$workload" work 10 100 50 2> err
is "$? $(grep -c 'runs elsewhere' err)" '0 1' 'pmon says that a service runs elsewhere'

# ---- I/O of an ordinary user ----

place 'user'
new_files
as_user "$PMON" -q --include-io --summary s.json -- \
    dd if=/dev/zero of=file bs=1M count=10 conv=fsync status=none 2> err
is "$(figure write_bytes) $(figure write_calls)" '10485760 10' \
    'bytes and calls that a step has written'
rm -f file
new_files
as_user "$PMON" --summary s.json -- "$workload" work 20 100 100 2> err
is "$? $(figure limit_source)" '0 host' 'without a limit'

all_done
