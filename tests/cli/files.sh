#!/bin/sh
# SPDX-License-Identifier: MIT
# T19: a file that is wrong at the start stops pmon; later errors never stop the
# step; the log is opened as the shell's > does.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

TRUTH_DEADLINE=30
export TRUTH_DEADLINE workload

# Whether a plain log is complete: a header, then rows, none torn
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
is "$(ls new* 2> bad)" '' 'two outputs to one new file: it is not created'

# Files of the step's streams: no other file of pmon tears, empties or replaces
# them
# shellcheck disable=SC2094  # that is what is tested
for option in -l --summary; do
    echo kept > both
    "$PMON" $option both -- touch started >> both 2> err
    is "$?,$(cat both)" 125,kept "$option is standard output: refused"
    like "$(cat err)" '^pmon: both: standard output goes to the same file' \
        'and reported'
    "$PMON" $option both -- touch started 2>> both
    is "$?,$(grep -c 'both: standard error goes to the same file' both)" 125,1 \
        "$option is standard error: refused"
done
is "$(ls started 2> bad)" '' 'nothing was started'
echo kept > both
# shellcheck disable=SC2094
"$PMON" -q --append-peak both -- echo profile >> both
is "$?,$(sed -n 2p both),$(wc -l < both)" 0,profile,5 \
    '--append-peak to the standard output of a profiler'

chmod 755 .
mkdir locked
echo old > locked/m.txt
echo old > locked/s.json
chmod 666 locked/s.json
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
    is "$(cat locked/m.txt)" old 'a file that may not be written: unchanged'
    # shellcheck disable=SC2086
    run $nobody "$PMON" -q --summary locked/s.json -- true
    is "$status,$(cat err),$(check_summary locked/s.json)" 0,,complete \
        'only the file may be written: it is written'
    chmod 755 locked
else
    skip 'a folder that may not be written' \
        'we are root, and nobody may not run pmon here'
fi

# ---- a summary that a reader gets: one object, at the end ----

mkfifo reads
(wait_until [ -e finished ] && exec timeout 20 cat reads > read.json) &
run "$PMON" -q --summary reads -- sh -c ': > finished'
wait $!
is "$status,$(cat err),$(check_summary read.json)" 0,,complete \
    'a FIFO whose reader comes at the end gets the summary'
run "$PMON" -q --summary reads --append-peak reads -- sh -c 'exit 3'
is "$status,$(grep -c '^pmon: reads: .* no process reads it$' err)" 3,2 \
    'a FIFO without a reader is reported'
rm -f ready
"$PMON" -q --summary /dev/stdout -- sh -c '
    trap "exit 4" TERM
    echo > ready
    while :; do sleep 0.05; done' > read.json &
job=$!
wait_until [ -s ready ]
kill -TERM $job
finish $job
is "$status,$(check_summary read.json)" 4,complete \
    'TERM, and a summary in a pipe: no running summary before it'

# Errors that are known before the step are reported before it
ln -s loop loop
long=$(printf %0256d 0)
for option in --append-peak --summary; do
    refused 'nothing/: is a folder' "$PMON" $option nothing/
    refused '[Tt]oo many levels' "$PMON" $option loop
    refused '[Nn]ame too long' "$PMON" $option "$long"
done

# ---- a summary whose place no other file can take ----

in_place() { # FILE DESC: a long old summary has gone, the new one is whole
    run "$PMON" -q --summary "$1" -- true
    is "$status,$(cat err),$(check_summary "$1")" 0,,complete "a summary, $2"
}
long=$(printf %0255d 0)
in_place "$long" 'the longest possible name'
in_place "$long" 'the longest possible name, again'
ln -s later.json to-nothing
in_place to-nothing 'a broken link'
is "$(readlink to-nothing),$(check_summary later.json)" later.json,complete \
    'the broken link now leads to a summary'
mkdir mounted
for private in 'unshare -m' 'unshare -rm'; do
    $private true 2> bad && break
done
head -c 10000 /dev/zero | tr '\0' x > source.json
: > mounted/s.json
if $private mount --bind source.json mounted/s.json 2> bad; then
    # shellcheck disable=SC2086
    run $private sh -c 'mount --bind source.json mounted/s.json
        exec "$PMON" -q --summary mounted/s.json -- true'
    is "$status,$(cat err),$(check_summary source.json)" 0,,complete \
        'a summary that is a mount point'
    is "$(ls mounted)" s.json 'and nothing is left beside it'
else
    skip 'a summary that is a mount point' 'no right to mount'
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
    '125,pmon: another pmon is writing m.txt: use %p, %r or %a' \
    'the same log twice at once'
ln -s m.txt link
run "$PMON" -q -l link -- touch started
is "$status" 125 'the same log twice at once, by a link'
is "$(ls started 2> bad)" '' 'nothing was started'
finish $job
is "$status" 0 'and the first goes on'
is_log m.txt 'its log is complete'
is "$(awk '!/^#/ && $1 < last { print "back" } { last = $1 }' m.txt)" '' \
    'and of one pmon'

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
is_log nowhere 'a broken link: its target is created'
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
# a descriptor that was not passed may be one of pmon's, such as the step's gate
for option in -l --append-peak --summary; do
    refused=
    for number in 3 4 5 6 7 8 9; do
        rm -f started
        run sh -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
            exec "$PMON" -q '"$option /dev/fd/$number"' -- touch started'
        refused="$refused $status$(ls started 2> bad)"
        like "$(cat err)" "^pmon: /dev/fd/$number: is closed\$" \
            "$option /dev/fd/$number, which is not open"
    done
    is "$refused" ' 125 125 125 125 125 125 125' \
        "$option to a descriptor that is not open: nothing is started"
done
run "$PMON" -q -l /dev/null -- sh -c 'exit 3'
is "$status,$(test -c /dev/null && echo device)" 3,device '/dev/null'

# ---- the temporary file of a summary ----

# pmon 0.1.0 opened s.json.PID.tmp, whatever it was: a FIFO blocked it for ever,
# a hard link directed it to another file
echo 'not to be touched' > victim
rm -f s.json
# shellcheck disable=SC2016  # expanded by the inner shell
run timeout 20 sh -c 'mkfifo s.json.$$.tmp
    exec "$PMON" -q --summary s.json -- true'
is "$status,$(check_summary s.json)" 0,complete \
    'a FIFO in place of a temporary file blocks nothing'
rm -f s.json s.json.*
# shellcheck disable=SC2016
run sh -c 'ln victim s.json.$$.tmp; exec "$PMON" -q --summary s.json -- true'
is "$(cat victim),$(check_summary s.json)" 'not to be touched,complete' \
    'a hard link in place of a temporary file is not followed'
rm -f s.json.*

for mode in 600 640 644; do
    echo old > s.json
    chmod $mode s.json
    "$PMON" -q --summary s.json -- true
    is "$(stat -c %a s.json),$(check_summary s.json)" $mode,complete \
        "a summary keeps the mode $mode of the file that it replaces"
done
if [ "$(id -u)" -eq 0 ]; then
    echo old > s.json
    chown 1234:1235 s.json
    "$PMON" -q --summary s.json -- true
    is "$(stat -c %u:%g s.json),$(check_summary s.json)" 1234:1235,complete \
        'and its owner'
else
    skip 'and its owner' 'only root can give a file away'
fi

# Killed at the write, before the file has a name, and between its two names
mkdir killed
for at in 'write 2' 'rename,renameat,renameat2 1'; do
    desc="a kill at ${at% *} leaves nothing that the next run does not remove"
    if timeout 20 env ASAN_OPTIONS=detect_leaks=0 \
        strace -o trace -e trace="${at% *}" \
        -e inject="${at% *}:signal=KILL:when=${at#* }" \
        "$PMON" -q --summary killed/s.json -- sleep 0.1 > out 2> err ||
        grep -q 'killed by SIGKILL' trace; then
        "$PMON" -q --summary killed/s.json -- true
        is "$(find killed -type f)" killed/s.json "$desc"
    else
        skip "$desc" 'strace is not installed, or may not trace'
    fi
done

# ---- a file system without locks ----

# Lustre without -o flock: fcntl(2) locks, or nothing does
if strace -o trace -e inject=flock:error=ENOSYS true 2> bad; then
    none=flock:error=ENOSYS
    env ASAN_OPTIONS=detect_leaks=0 \
        strace -f -o trace -e inject=$none "$PMON" -q -l shared.txt -- \
        sh -c ': > has_lock; while ! [ -e unlock ]; do sleep 0.02; done' &
    job=$!
    wait_until test -e has_lock
    run env ASAN_OPTIONS=detect_leaks=0 \
        strace -f -o trace2 -e inject=$none "$PMON" -q -l shared.txt -- \
        touch started
    is "$status: $(cat err),$(ls started 2> bad)" \
        '125: pmon: another pmon is writing shared.txt: use %p, %r or %a,' \
        'without flock two pmons on one log notice each other'
    : > unlock
    finish $job
    is_log shared.txt 'without flock: the log of the first is complete'
    run env ASAN_OPTIONS=detect_leaks=0 \
        strace -f -o trace -e inject=$none -e inject=fcntl:error=ENOSYS:when=3+ \
        "$PMON" -q -l unlocked.txt -- true
    if grep -q 'F_OFD_SETLK.*INJECTED' trace; then
        is "$status: $(cat err)" "0: pmon: unlocked.txt: cannot be locked: Operation not supported; pmon cannot tell whether another pmon is writing to it, so give each run its own log" \
            'no locks at all: reported, even with -q'
    else
        skip 'no locks at all' 'strace cannot inject into fcntl here'
    fi
else
    skip 'a file system without flock' 'strace is not installed, or may not trace'
fi

# One creates the log, the other locks it first: the refused one keeps off it
if strace -o trace -e inject=flock:delay_enter=1 true 2> bad; then
    env ASAN_OPTIONS=detect_leaks=0 \
        strace -f -o trace -e trace=flock \
        -e inject=flock:delay_enter=700000:when=1 \
        "$PMON" -q -l raced.txt -- true 2> err &
    job=$!
    wait_until test -e raced.txt
    "$PMON" -q -l raced.txt -- sh -c ': > has_lock2
        while ! [ -e unlock2 ]; do sleep 0.02; done' &
    second=$!
    wait_until test -e has_lock2
    finish $job
    is "$(cat err)" \
        'pmon: another pmon is writing raced.txt: use %p, %r or %a' \
        'the creator of the log was too late to lock it'
    : > unlock2
    finish $second
    is_log raced.txt 'the log of the other one is complete'
else
    skip 'a log locked by another pmon than its creator' \
        'strace is not installed, or may not trace'
fi

# ---- during the run: the step goes on, one line is said ----

lost() { # NAME WHAT: exactly one line on stderr has it, the status is 3
    is "$status,$(grep -c "^pmon: $1: " err)" 3,1 \
        "$2: the status, and one line"
}

mkfifo pipe
timeout 20 head -n 2 pipe > got &
run "$PMON" -i 0.02 -l pipe --summary s.json \
    -- sh -c 'until [ -s err ]; do sleep 0.05; done; exit 3'
wait $!
lost pipe 'a pipe that is closed'
like "$(cat err)" '^pmon: pipe: .*[Bb]roken pipe' 'a closed pipe is reported'
is "$(check_summary s.json)" complete 'a closed pipe: the summary'

# The step may change the log: pmon reports what happens to it
run "$PMON" -i 0.02 -l away.txt -- sh -c \
    'until [ -s away.txt ]; do :; done; mv away.txt kept.txt; exit 3'
lost away.txt 'the log is renamed'
like "$(cat err)" '^pmon: away\.txt: was renamed ' \
    'the log is renamed: reported'
is_log kept.txt 'the log is renamed: its rows are in the renamed file'
run "$PMON" -i 0.02 -l cut.txt -- sh -c '
    until [ "$(wc -l < cut.txt)" -ge 3 ]; do :; done
    : > cut.txt
    until [ "$(wc -l < cut.txt)" -ge 3 ]; do :; done'
is "$status,$(tr '\0' x < cut.txt |
    grep -cv '^[ .0-9]*$')" 0,0 \
    'the log is emptied: rows from there on, nothing else'

mkdir gone
run "$PMON" -i 0.02 -l gone/m.txt --append-peak gone/p.csv \
    --summary gone/s.json -- sh -c 'rm -r gone; exit 3'
is "$status" 3 'the folder is removed: the status'
is "$(grep -c '^pmon: gone/p\.csv: ' err),$(grep -c '^pmon: gone/s\.json: ' \
    err)" 1,1 'the folder is removed: one line for each file'
like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
    'the folder is removed: the peak is printed instead'

# The limit is counted in blocks, of 512 or 1024 bytes
head -c 2000 /dev/zero | tr '\0' x > p.csv
echo old > s.json
rm -f m.txt
run sh -c 'ulimit -f 2; exec "$@"' sh "$PMON" -i 0.005 -l m.txt \
    --append-peak p.csv --summary s.json \
    -- sh -c 'until grep -q "^pmon: m" err; do sleep 0.05; done; exit 3'
lost m.txt 'a file-size limit'
is_log m.txt 'a file-size limit: no torn row'
is_true "$(wc -l < m.txt) > 10" 'a file-size limit: rows up to it'
is "$(tr -d x < p.csv),$(wc -c < p.csv)" ,2000 \
    'a file-size limit: no torn block'
# An old summary could pass for that of this run
is "$(ls -A s.json .pmon-* 2> bad),$(grep '^pmon: s\.json' err)" ',pmon: s.json: the summary cannot be written: File too large; the older summary was removed' \
    'a file-size limit: neither a new nor the old summary, and one line'
like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
    'a file-size limit: the peak is printed instead'

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
            until grep -q "pmon: disk/m" err || [ $((tries += 1)) -gt 600 ]; do
                sleep 0.05
            done
            exit 3'
    status=$(cat number)
    lost disk/m.txt 'the disk fills'
    like "$(cat err)" '^pmon: disk/m\.txt: .*[Nn]o space' \
        'the disk fills: reported'
    is_log m.txt 'the disk fills: no torn row'
    is_true "$(wc -l < m.txt) > 100" 'the disk fills: rows up to it'
    is "$(wc -c < p.csv)" 4090 'the disk fills: no torn block'
    like "$(cat err)" '^pmon: .*[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
        'the disk fills: the peak is printed instead'
    is "$(check_summary s.json)" complete 'the disk fills: the summary'
else
    skip 'the disk fills' 'no right to mount a small one'
fi

# Nobody reads, and the pipe is full from the beginning
mkfifo stuck
exec 8<> stuck
dd if=/dev/zero bs=65536 count=1 oflag=nonblock >&8 2> bad
run "$PMON" --include-io -i 0.01 -l stuck --summary s.json \
    -- sh -c 'sleep 0.4; date +%s%N > ended; exit 3'
exec 8>&-
lost stuck 'a pipe that nobody reads'
take_facts s.json
is_true "$(fact time.start_epoch_s) + $(fact time.wall_s) < $(
    cat ended).0 / 1e9 + 1.8" 'a pipe that nobody reads: the step is free'
done_testing
