#!/bin/sh
# SPDX-License-Identifier: MIT
# T15: pmon exits with the status of the step, the summary is complete with any
# status, and a command that cannot be run changes no old files.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

export TRUTH_OUT=truth

# How a command ends: "exit 3", or "signal 15" with " core" after it
how_it_ends() {
    timeout -k 5 20 "$python" -S - "$@" 2> err <<'PY'
import os, subprocess, sys
pid = os.fork()
if pid == 0:
    # Default SIGPIPE as in a shell; python ignores it
    import signal
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
status = os.waitpid(pid, 0)[1]
print("exit %d" % os.WEXITSTATUS(status) if os.WIFEXITED(status) else
      "signal %d%s" % (os.WTERMSIG(status),
                       " core" if os.WCOREDUMP(status) else ""))
PY
}

# ---- a step that runs ----

ended() { # STATUS REASON EXIT SIGNAL COMMAND: and the summary of it
    want="$1 $2 $3 $4 $1"
    shift 4
    rm -f s.json
    run "$PMON" --log m.txt --summary s.json -- "$@"
    is "$(check_summary s.json)" complete "$*: a complete summary"
    take_facts s.json
    is "$status $(fact outcome.reason) $(fact outcome.exit_status) $(
        fact outcome.signal) $(fact outcome.pmon_status)" "$want" \
        "$*: status and outcome"
    is_true "$(grep -vc '^#' m.txt) >= 2" "$*: a log with two rows"
}

for number in 0 3 255; do
    ended $number exited $number null "$workload" exit $number
done
ended 139 signaled null 11 "$workload" die SEGV
ended 137 signaled null 9 "$workload" die KILL
ended 143 signaled null 15 "$workload" die TERM
like "$(cat err)" 'ended by signal TERM' 'the closing words name the signal'
# shellcheck disable=SC2016
ended 134 signaled null 6 sh -c 'ulimit -c 0; kill -ABRT $$'

# ---- a command that cannot be run ----

printf '#!/bin/sh\nexit 5\n' > locked
chmod 644 locked
mkdir folder
printf '#!/no/such/interpreter\n' > orphaned
chmod 755 orphaned

not_run() { # STATUS REASON COMMAND: nothing of yesterday is touched
    want="$1 $2 null null $1"
    shift 2
    echo "yesterday's log" > m.txt
    echo "yesterday's profile" > p.csv
    rm -f s.json new.txt new.csv
    run "$PMON" --log m.txt --append-peak p.csv --summary s.json -- "$@"
    is "$(check_summary s.json)" complete "'$*': a complete summary"
    take_facts s.json
    is "$status $(fact outcome.reason) $(fact outcome.exit_status) $(
        fact outcome.signal) $(fact outcome.pmon_status)" "$want" \
        "'$*': status and outcome"
    is "$(cat m.txt p.csv)" "yesterday's log
yesterday's profile" "'$*': log and profile are yesterday's"
    is "$(wc -l < err):$(cat out)" 1: "'$*': one line on stderr"
    is_clean err "'$*': of pmon"
    run "$PMON" -l new.txt --append-peak new.csv -- "$@"
    is "$(ls new.* 2> bad)" '' "'$*': no file is made"
}

not_run 127 not_found ./nothing
not_run 127 not_found no-such-command-anywhere
not_run 127 not_found ''
not_run 127 not_found ./locked/below
not_run 127 not_found ./orphaned
like "$(cat err)" '^pmon: ./orphaned: exists, but its interpreter ' \
    'a script without its interpreter exists'
not_run 126 not_executable ./locked
not_run 126 not_executable ./folder
not_run 126 not_executable /
like "$(cat err)" '^pmon: /: ' 'the message names the command'

mkdir one two
cp locked one/tool
cp locked two/tool
chmod 755 two/tool
run env PATH="$work/one:$work/two:$PATH" "$PMON" -q -- tool
is "$status" 5 'PATH: a file that is not executable is skipped'
run env PATH="$work/one:$PATH" "$PMON" -q -- tool
is "$status" 126 'PATH: if there is no other: 126'
printf 'exit 6\n' > two/plain
chmod 755 two/plain
run env PATH="$work/two:$PATH" "$PMON" -q -- plain
is "$status" 6 'a script without #! runs, as with execvp(3)'
# shellcheck disable=SC2016  # the script expands them
printf 'exit $(($# + $2))\n' > two/plain
run env PATH="$work/two:$PATH" "$PMON" -q -- plain 1 20 3
is "$status" 23 'and gets its arguments'
mkdir one/plain
run env PATH="$work/one:$work/two:$PATH" "$PMON" -q -- plain 1 20 3
is "$status" 23 'PATH: a folder of that name is skipped'
run env PATH="$work/one" "$PMON" -q -- plain
is "$status" 126 'PATH: if there is nothing else: 126'
printf '#!/no/such/interpreter\n' > one/lost
printf '#!/bin/sh\nexit 8\n' > two/lost
chmod 755 one/lost two/lost
run env PATH="$work/one:$work/two:$PATH" "$PMON" -q -- lost
is "$status" 8 'PATH: a script without its interpreter is skipped'
run env PATH="/$(printf %05000d 0):$PATH" "$PMON" -q -- true
is "$status: $(cat err)" '0: ' 'PATH: a folder with a too long name is skipped'
run env PATH="$work/one" "$PMON" -q -- lost
is "$status" 127 'PATH: if there is nothing else: 127'
run env PATH="/no/such/folder::/bin" "$PMON" -q -- two/../started-here
is "$status" 127 'a name with a slash is not searched in PATH'
cp two/plain started-here
run env PATH="/no/such/folder::/bin:/usr/bin" "$PMON" -q -- started-here 1 4
is "$status" 6 'PATH: an empty entry is the working folder'
rm started-here
# Root may search any folder, unless it drops that right.
ordinary=
if [ "$(id -u)" -eq 0 ]; then
    ordinary='setpriv --bounding-set -dac_override,-dac_read_search'
fi
mkdir shut
cp two/plain shut/started-here
chmod 000 shut
if ! $ordinary true 2> bad || $ordinary ls shut > bad 2>&1; then
    skip 'PATH: a folder that may not be searched is skipped' \
        'every folder may be searched here'
else
    # shellcheck disable=SC2086 # a command of words
    run env PATH="$work/shut:$PATH" $ordinary "$PMON" -q -- no-such-command
    is "$status: $(cat err)" '127: pmon: no-such-command: not found' \
        'PATH: a folder that may not be searched is skipped, as by a shell'
    # shellcheck disable=SC2086
    run env PATH="$PATH:$work/shut" $ordinary "$PMON" -q -- shut/started-here
    is "$status" 126 'a name with a slash in such a folder is not'
fi
chmod 755 shut
run env -u PATH "$PMON" -q -- sh -c 'exit 7'
is "$status" 7 'no PATH: the default of the system'
run "$PMON" -q --log no/such/folder/m.txt --summary s5.json -- touch started
is "$status" 125 'a log that cannot be created: 125'
is "$(ls started s5.json 2> bad)" '' 'and nothing was started'

# ---- pmon's own end ----

# shellcheck disable=SC3045  # dash and bash have these
ulimit -c unlimited 2> /dev/null || ulimit -S -c "$(ulimit -H -c)"
for pair in INT:2 TERM:15 HUP:1 QUIT:3; do
    rm -f s.json
    got=$(how_it_ends "$PMON" -l m.txt --summary s.json --append-peak p.csv \
        -- "$workload" die "${pair%:*}")
    is "$got" "signal ${pair#*:}" "pmon dies by ${pair%:*} as the step did"
    is "$(check_summary s.json)" complete "${pair%:*}: a complete summary"
    like "$(tail -n 1 p.csv)" '^[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+$' \
        "${pair%:*}: the block"
done
for pair in SEGV:139 KILL:137 ABRT:134 USR1:138 ALRM:142 PIPE:141; do
    is "$(how_it_ends "$PMON" -q -- "$workload" die "${pair%:*}")" \
        "exit ${pair#*:}" "${pair%:*}: pmon exits"
done
is "$(find . -name 'core*')" '' 'no core file'
is "$(how_it_ends "$PMON" -q -- "$workload" exit 7)" 'exit 7' 'exit 7'

if env --block-signal=TERM true 2> /dev/null; then
    is "$(how_it_ends env --block-signal=TERM "$PMON" -q -- \
        "$workload" die TERM)" 'signal 15' 'TERM blocked at entry'
else
    skip 'TERM blocked at entry' 'env does not know --block-signal'
fi
# shellcheck disable=SC2016
is "$(how_it_ends sh -c 'trap "" TERM CHLD; exec "$@"' sh "$PMON" -q -- \
    "$workload" exit 3)" 'exit 3' 'TERM and CHLD ignored at entry'

# A step that ends while pmon starts, and one that closes all descriptors
for n in 1 2 3 4 5 6 7 8 9 10; do
    run "$PMON" -q -i 1ms -l "fast$n.txt" -- sh -c 'exit 9'
    [ "$status" = 9 ] || bad_fast=$status
done
is "${bad_fast-}" '' 'ten short steps: the status each time'
# shellcheck disable=SC2016
run "$PMON" -q -l m.txt -- sh -c 'exec <&- >&- 2>&-; ulimit -n 3; exit 8'
is "$status" 8 'a step that closes everything'

if unshare -pf --mount-proc true 2> /dev/null; then
    run unshare -pf --mount-proc "$PMON" --summary s.json -- \
        "$workload" die TERM
    is "$status" 143 'as PID 1 pmon exits with 128 + n'
    is "$(check_summary s.json)" complete 'as PID 1: a complete summary'
else
    skip 'as PID 1 pmon exits with 128 + n' 'no right to make a PID namespace'
    skip 'as PID 1: a complete summary' 'no right to make a PID namespace'
fi
done_testing
