#!/bin/sh
# SPDX-License-Identifier: MIT
# T19: the block appended to a profile CSV is never lost or torn, and a summary
# appears complete or not at all.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload

# "N blocks" for a file that has only complete blocks
blocks() {
    awk 'NR % 3 == 1 && $0 != "" ||
        NR % 3 == 2 && $0 != "# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)" ||
        NR % 3 == 0 && !/^[0-9]+\.[0-9][0-9][0-9](,[0-9]+\.[0-9][0-9][0-9])+$/ {
            print "line " NR ": " $0; bad = 1; exit }
        END { if (!bad) print NR / 3 " blocks" }'
}

# pmon waits 10 s for a lock, and reports that at the end
if command -v flock > bad; then
    : > held.csv
    (flock 9 && exec sleep 60) 9>> held.csv &
    holder=$!
    wait_until sh -c '! flock -n held.csv true'
    timeout 20 "$PMON" --append-peak held.csv -- sh -c 'exit 3' 2> held.err &
    held=$!
fi

# ---- what stands before the block ----

profile="2270 function calls (2201 primitive calls) in 4.623 seconds

Ordered by: cumulative time

ncalls,tottime,percall,cumtime,percall,filename:lineno(function)
1,0.075,0.075,4.623,4.623,step.py:7(main)

"
printf %s "$profile" > p.csv
chmod 600 p.csv
run "$PMON" --append-peak p.csv -- true
is "$status" 0 'a profile of today: the status'
head -c "${#profile}" p.csv > head.csv
is "$(printf %s "$profile" | cmp - head.csv)" '' 'it stays as it was'
is "$(tail -c "+$((${#profile} + 1))" p.csv | blocks)" '1 blocks' \
    'then comes the block'
is "$(stat -c %a p.csv)" 600 'its mode stays'
printf 'a,b\n1,2' > p.csv
run "$PMON" --append-peak p.csv -- true
is "$(head -n 2 p.csv | tr '\n' ';')" 'a,b;1,2;' \
    'a profile without a last LF gets one'
is "$(tail -n +3 p.csv | blocks)" '1 blocks' 'and then the block'
run "$PMON" --append-peak p.csv -- sh -c 'printf "x,y\n" > p.csv'
unlike "$(cat err)" 'older' 'a profile that the step has written'
is "$(head -n 1 p.csv),$(tail -n +2 p.csv | blocks)" 'x,y,1 blocks' \
    'has the block'
touch -d '1 hour ago' p.csv
run "$PMON" --append-peak p.csv -- true
is "$(grep -c '^pmon: p\.csv is older than this run$' err)" 1 \
    'a profile that the step did not write is reported as old'
is "$(tail -n +2 p.csv | blocks)" '2 blocks' 'and has the block all the same'
run "$PMON" --append-peak missing.csv -- true
is "$(blocks < missing.csv)" '1 blocks' 'a missing profile is made'
is "$(grep -c '^pmon: missing\.csv: .*created' err)" 1 'and pmon reports that'
run "$PMON" --append-peak later.csv -- sh -c 'printf "x,y\n" > later.csv'
unlike "$(cat err)" 'made' 'a profile that the step has made: no word'
is "$(head -n 1 later.csv),$(tail -n +2 later.csv | blocks)" 'x,y,1 blocks' \
    'a profile that the step has made: the block'
ln -s missing.csv link.csv
run "$PMON" -q --append-peak link.csv -- true
is "$(blocks < missing.csv),$(readlink link.csv)" '2 blocks,missing.csv' \
    'a link is followed'
run "$PMON" -q --append-peak /dev/stdout -- true
is "$(blocks < out)" '1 blocks' '/dev/stdout'
mkfifo fifo
exec 9<> fifo
run "$PMON" -q --append-peak fifo -- true
is "$(timeout 10 head -n 3 <&9 | blocks)" '1 blocks' 'a FIFO'
exec 9>&-
rm -f late
{
    wait_until [ -e late ]
    sleep 0.3
    timeout 10 cat fifo
} | blocks > got &
run "$PMON" -q --append-peak fifo -- touch late
timeout 5 sh -c ': > fifo' # lets the reader end
wait $!
is "$(cat got)" '1 blocks' 'a FIFO whose reader comes 0.3 s late'
run "$PMON" --append-peak /dev/full -- sh -c 'exit 3'
is "$status" 3 'a profile on a full disk: the status'
like "$(cat err)" '^pmon: /dev/full: .*[Nn]o space' 'a full disk is named'
like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
    'a full disk: the peak is printed instead'

# 300 MB: sparse, with a last line
truncate -s 300000000 large.csv
echo end >> large.csv
run "$PMON" -q --append-peak large.csv --summary s.json -- true
is "$(tail -c "+300000005" large.csv | blocks)" '1 blocks' \
    'a profile of 300 MB has the block'
is "$(head -c 300000004 large.csv | tail -c 4)" end 'and its end before it'
take_facts s.json
is_true "$(fact quality.monitor_peak_rss_bytes) < 64 * 1048576" \
    'which pmon does not read'
rm -f large.csv

# ---- two at once ----

# shellcheck disable=SC2016
loop='i=0; while [ $i -lt 200 ]; do
    "$PMON" -q --append-peak both.csv -- true || echo bad; i=$((i + 1)); done'
printf 'a,b' > both.csv
timeout 90 sh -c "$loop" > one &
first=$!
timeout 90 sh -c "$loop" > two &
wait $first $!
is "$(tail -n +2 both.csv | blocks)" '400 blocks' \
    'two pmons on one profile, 200 times: none lost, none torn'
is "$(head -n 1 both.csv; cat one two)" a,b 'and all ended well'

# ---- the summary ----

umask 027
run "$PMON" -q --summary new.json -- true
is "$(stat -c %a new.json)" 640 "a new summary has the umask's mode"
echo old > s.json
exec 7< s.json
ln -s s.json link.json
run "$PMON" -q --summary link.json -- true
is "$(cat <&7)" old 'a reader that has the old summary open still reads it'
is "$(check_summary s.json),$(readlink link.json)" complete,s.json \
    'a link stays, the new one is behind it'
exec 7<&-
is "$(find . -name '*.json*' | sort | tr '\n' ' ')" \
    './link.json ./new.json ./s.json ' 'no temporary file is left'
umask 022
run "$PMON" -q --summary begun.json -- true
run "$PMON" -q --summary begun.json -- cat begun.json
mv out seen.json
is "$(summary seen.json outcome reason)" running \
    'from its first instant the step finds a summary that says running'
echo '{}' > polled.json
cat > poll.py <<'PY'
import json, os, sys
count = 0
while not os.path.exists("over"):
    json.load(open("polled.json"))
    count += 1
    if count == 11:
        open("enough", "w")
print("whole" if count > 10 else count)
PY
"$python" -S poll.py > polled 2> bad &
poll=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    "$PMON" -q --summary polled.json -- true
done
count=0
until [ -e enough ] || [ $((count += 1)) -gt 500 ]; do
    "$PMON" -q --summary polled.json -- true
done
: > over
wait $poll
is "$(cat polled)$(tail -n 1 bad)" whole \
    'a summary that is written 20 times: whole at any moment'
run "$PMON" -q --summary /dev/stdout -- true
cp out piped.json
is "$(check_summary piped.json)" complete '/dev/stdout'
run sh -c '"$PMON" -q --summary /dev/stdout -- true | cat'
cp out piped.json
is "$(check_summary piped.json)" complete 'a pipe'
run "$PMON" --summary /dev/full -- sh -c 'exit 3'
is "$status,$(grep -c '^pmon: /dev/full: .*[Nn]o space' err)" 3,1 \
    'a summary on a full disk: the status, and one line'

if [ -n "${held-}" ]; then
    wait "$held"
    is "$?,$(blocks < held.csv)" '3,1 blocks' \
        'a lock that is held for 10 s: appended without it'
    like "$(cat held.err)" '^pmon: held\.csv: .*lock' \
        'a held lock: it is reported'
    kill "$holder" 2> bad
    wait "$holder" 2> bad
else
    skip 'a lock that is held' 'flock is not installed'
fi
done_testing
