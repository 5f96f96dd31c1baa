#!/bin/sh
# SPDX-License-Identifier: MIT
# T19: what is wrong with a file at the start stops pmon, what goes wrong
# later never stops the step; the log is opened as the shell's > does.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload

# Whether a plain log is whole: a header first, rows after it, none torn
is_log() { # FILE DESC
    is "$(head -n 1 "$1" | cut -c 1-14)$(
        awk 'NR > 1 && !/^( *[0-9]+\.[0-9][0-9][0-9])+$/' "$1" | head -n 3)$(
        tail -c 1 "$1" | tr '\n' '.')" '# Elapsed time.' "$2"
}

# ---- at the start: 125, one line, nothing runs, nothing is wiped ----

refused() { # ERE ARGS
    want=$1
    shift
    echo "yesterday's log" > m.txt
    echo "yesterday's profile" > p.csv
    echo "yesterday's summary" > s.json
    rm -f started n.txt
    run "$@" -- touch started
    complaint=
    [ "$status" = 125 ] || complaint="status $status; "
    [ -s out ] && complaint="$complaint stdout $(cat out); "
    [ "$(wc -l < err)" = 1 ] || complaint="$complaint not one line; "
    grep -Eq -e "^pmon: .*($want)" err || complaint="$complaint not: $want; "
    [ -e started ] && complaint="$complaint the step was started; "
    [ -e n.txt ] && complaint="$complaint a log is left; "
    [ "$(cat m.txt p.csv s.json)" = "yesterday's log
yesterday's profile
yesterday's summary" ] || complaint="$complaint a file was overwritten; "
    is "${complaint:+$complaint$(cat err)}" '' "refused:$(
        printf ' %s' "$@" | sed "s|.*pmon ||")"
}

mkdir folder
refused '/dev/full.*[Nn]o space' "$PMON" -l /dev/full
refused 'no/m\.txt.*[Nn]o such file' "$PMON" -l no/m.txt
refused 'folder' "$PMON" -l folder
refused 'm\.txt/x' "$PMON" -l m.txt/x
for option in --append-peak --summary; do
    for log in m.txt n.txt; do
        refused 'no/x.*[Nn]o such file' "$PMON" -l $log $option no/x
        refused 'folder.*(folder|directory)' "$PMON" -l $log $option folder
        refused 'm\.txt/x.*([Nn]ot a directory)' "$PMON" -l $log $option m.txt/x
    done
done
for file in m.txt p.csv s.json; do
    for other in ./$file "$work/$file" folder/../$file; do
        refused "$file.*two outputs" "$PMON" -l $file --append-peak "$other"
        refused "$file.*two outputs" "$PMON" -l n.txt --summary $file \
            --append-peak "$other"
    done
done
for pair in '-l new --append-peak ./new' '-l new --summary ./new' \
    '--append-peak new --summary ./new' '--append-peak ./new -l new'; do
    # shellcheck disable=SC2086
    refused 'new.*two outputs' "$PMON" $pair
done
is "$(ls new* 2> bad)" '' 'two outputs on one new file: it is not made'

chmod 755 .
mkdir locked
echo old > locked/m.txt
chmod 555 locked
chmod 444 locked/m.txt
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" = 0 ] || nobody='env'
if $nobody sh -c '"$PMON" --version && "$workload" exit 0' > bad 2>&1; then
    for option in -l --append-peak --summary; do
        # shellcheck disable=SC2086  # a command and its options
        refused 'locked/x.*[Pp]ermission' $nobody "$PMON" $option locked/x
        # shellcheck disable=SC2086
        refused 'locked/m\.txt.*[Pp]ermission' $nobody "$PMON" $option \
            locked/m.txt
    done
    is "$(cat locked/m.txt)" old 'a file without the right to write: as it was'
    chmod 755 locked
else
    skip 'a folder without the right to write' \
        'we are root, and nobody may not run pmon here'
fi

# ---- one log, two pmons ----

rm -f truth ready
TRUTH_READY=ready timeout -k 5 20 "$PMON" -q -i 0.02 -l m.txt -- \
    "$workload" work 0 0 1000 &
job=$!
wait_until [ -s ready ]
wait_until has_lines m.txt 3
run "$PMON" -l m.txt -- touch started
is "$status,$(cat err)" \
    '125,pmon: another pmon writes m.txt: use %p, %r or %a' \
    'the same log twice at once'
ln -s m.txt link
run "$PMON" -q -l link -- touch started
is "$status" 125 'the same log twice at once, by a link'
is "$(ls started 2> bad)" '' 'nothing is started'
finish $job
is "$status" 0 'and the first goes on'
is_log m.txt 'its log is whole'
is "$(awk '!/^#/ && $1 < last { print "back" } { last = $1 }' m.txt)" '' \
    'and of one hand'

# ---- how a log is opened ----

echo old > target
ln -sf target link
chmod 600 target
inode=$(stat -c %i target)
run "$PMON" -q -l link -- true
is_log target 'a link is followed'
is "$(readlink link),$(stat -c %i,%a target)" "target,$inode,600" \
    'the link stays, so do the file and its mode'
ln -sf nowhere link
(umask 027 && exec "$PMON" -q -l link -- true)
is_log nowhere 'a link to nothing makes a file'
is "$(stat -c %a nowhere)" 640 "with the umask's mode"
mkfifo fifo
timeout 20 cat fifo > got &
run "$PMON" -q -i 0.02 -l fifo -- sleep 0.2
wait $!
is "$status" 0 'a FIFO: the status'
is_log got 'a FIFO gets the log'
run "$PMON" -q -l /dev/stderr -- true
is_log err '/dev/stderr'
run "$PMON" -q -l /dev/stdout -- true
is_log out '/dev/stdout'
{
    echo before
    "$PMON" -q -l /dev/stdout -- echo during
    echo after
} > all
is "$(grep -cE '^(before|during|after)$' all),$(grep -c '\.' all),$(
    tail -n 1 all)" 3,2,after '/dev/stdout that is a file: all stays in order'
for path in /dev/stdout /proc/self/fd/1; do
    {
        echo before
        "$PMON" -q --summary $path -- echo during
        echo after
    } > all
    is "$(grep -cE '^(before|during|after)$' all),$(
        grep -c '"pmon_status": 0' all),$(tail -n 1 all)" 3,1,after \
        "a summary in $path that is a file: what else is there stays"
done
echo before > all
"$PMON" -q -l /dev/fd/7 -- echo during 7>> all >> all
is "$(head -n 1 all),$(grep -c '\.' all)" before,2 '/dev/fd/7, opened by >>'
for pair in '1 /dev/stdout' '2 /dev/stderr'; do
    rm -f started
    run sh -c 'exec '"${pair% *}"'>&-; exec "$PMON" -l '"${pair#* }"' -- touch started'
    is "$status,$(ls started 2> bad)" 125, "${pair#* } that is closed: 125"
done
run "$PMON" -q -l /dev/null -- sh -c 'exit 3'
is "$status,$(test -c /dev/null && echo device)" 3,device '/dev/null'

# ---- during the run: the step goes on, one line is said ----

lost() { # NAME WHAT: exactly one line on stderr has it, the status is 3
    is "$status,$(grep -c "^pmon: $1: " err)" 3,1 \
        "$2: the status, and one line"
}

mkfifo pipe
timeout 20 head -n 2 pipe > got &
run "$PMON" -i 0.02 -l pipe --summary s.json -- sh -c 'sleep 0.4; exit 3'
wait $!
lost pipe 'a pipe that is closed'
like "$(cat err)" '^pmon: pipe: .*[Bb]roken pipe' 'a closed pipe is named so'
is "$(check_summary s.json)" complete 'a closed pipe: the summary'

mkdir gone
run "$PMON" -i 0.02 -l gone/m.txt --append-peak gone/p.csv \
    --summary gone/s.json -- sh -c 'rm -r gone; exit 3'
is "$status" 3 'the folder is removed: the status'
is "$(grep -c '^pmon: gone/p\.csv: ' err),$(grep -c '^pmon: gone/s\.json: ' \
    err)" 1,1 'the folder is removed: one line for each file'
like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
    'the folder is removed: the peak is said instead'

# The limit is counted in blocks, of 512 or 1024 bytes
head -c 2000 /dev/zero | tr '\0' x > p.csv
echo old > s.json
rm -f m.txt
run sh -c 'ulimit -f 2; exec "$@"' sh "$PMON" -i 0.005 -l m.txt \
    --append-peak p.csv --summary s.json -- sh -c 'sleep 0.4; exit 3'
lost m.txt 'a file-size limit'
is_log m.txt 'a file-size limit: no torn row'
is_true "$(wc -l < m.txt) > 10" 'a file-size limit: rows up to it'
is "$(tr -d x < p.csv),$(wc -c < p.csv)" ,2000 \
    'a file-size limit: no torn block'
is "$(cat s.json; ls s.json*)" 'old
s.json' 'a file-size limit: the old summary, nothing beside it'
like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
    'a file-size limit: the peak is said instead'

mkdir disk
private='unshare -m'
$private mount -t tmpfs -o size=16k none disk 2> bad || private='unshare -rm'
if $private mount -t tmpfs -o size=16k none disk 2> bad; then
    # shellcheck disable=SC2086  # a command and its option
    run $private sh -c 'mount -t tmpfs -o size=16k none disk
        head -c 4090 /dev/zero > disk/p.csv
        "$@"
        echo $? > number
        cp disk/m.txt disk/p.csv .' sh "$PMON" -i 0.001 \
        -l disk/m.txt --append-peak disk/p.csv --summary s.json \
        -- sh -c 'tries=0
            while [ "$(wc -c < disk/m.txt)" -le $((3 * 4096 - 52)) ] &&
                [ $((tries += 1)) -lt 600 ]; do
                sleep 0.05
            done
            exit 3'
    status=$(cat number)
    lost disk/m.txt 'the disk fills'
    like "$(cat err)" '^pmon: disk/m\.txt: .*[Nn]o space' \
        'the disk fills: is named so'
    is_log m.txt 'the disk fills: no torn row'
    is_true "$(wc -l < m.txt) > 100" 'the disk fills: rows up to it'
    is "$(wc -c < p.csv)" 4090 'the disk fills: no torn block'
    like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
        'the disk fills: the peak is said instead'
    is "$(check_summary s.json)" complete 'the disk fills: the summary'
else
    skip 'the disk fills' 'no right to mount a small one'
fi

# Nobody reads: the pipe's 64 KiB are full after 0.6 s
mkfifo stuck
exec 8<> stuck
run timeout 9 "$PMON" --include-io -i 0.001 -l stuck --summary s.json \
    -- sh -c 'sleep 1.2; exit 3'
exec 8>&-
lost stuck 'a pipe that nobody reads'
take_facts s.json
is_true "$(fact time.wall_s) < 3" 'a pipe that nobody reads: the step is free'
done_testing
