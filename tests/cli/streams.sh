#!/bin/sh
# SPDX-License-Identifier: MIT
# T21: the step gets everything that it would have without pmon, above all its
# streams; messages of pmon go to stderr, whatever that is.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # setups and steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

export workload
pmon="$PMON -q -i 0.02 -l m.txt --append-peak p.csv --summary s.json
    --include-io --"
export pmon

# ---- what the step inherits ----

# "same" if the fingerprint below pmon does not differ
compare() {
    for line in a b; do
        [ -s "$line" ] || {
            echo "no fingerprint $line"
            return
        }
        sed -e '/^run\./d' -e 's/^\(autogroup=\)[^ ]*/\1/' \
            -e 's|/dev/pts/[0-9]*$|terminal|' "$line" > "$line.kept"
    done
    diff a.kept b.kept && echo same
}

inherits() { # DESC SETUP: shell words before "$@"
    rm -f a b m.txt
    TRUTH_OUT=a timeout -k 5 20 sh -c "$2 \"\$@\"" sh \
        "$workload" fingerprint x
    TRUTH_OUT=b timeout -k 5 20 sh -c "$2 \$pmon \"\$@\"" sh \
        "$workload" fingerprint x
    is "$(compare)" same "inherited: $1"
    is "$(awk '!/^#/ && NF != 8' m.txt; head -n 1 m.txt | cut -c 1-14)" \
        '# Elapsed time' "the log is only that: $1"
}

inherits 'as it is' exec
inherits 'limits' 'ulimit -S -n 100; ulimit -S -s 1000; ulimit -c 0
    ulimit -f 100000; exec'
inherits 'a few descriptors' 'ulimit -n 30; exec'
inherits 'nice' 'exec nice -n 5'
inherits 'umask' 'umask 027; exec'
inherits 'ignored signals' 'trap "" INT QUIT USR1 PIPE XFSZ TTOU CHLD; exec'
inherits 'nohup' 'exec nohup'
inherits 'a session of its own' "exec setsid -w sh -c '\"\$@\"; :' sh"
inherits 'descriptors 3, 4, 5, 8, 9' \
    'exec 3< /dev/null 4> f4 5>> f5 8<> f8 9< .; exec'
inherits 'a pipe as stdin' 'echo | exec'
inherits 'timer slack' 'echo 70000 > /proc/$$/timerslack_ns; exec'
inherits 'oom_score_adj' 'echo 100 > /proc/$$/oom_score_adj; exec'
if env --block-signal=TERM,CHLD,USR2 true 2> bad; then
    inherits 'blocked signals' 'exec env --block-signal=TERM,CHLD,USR2,PIPE'
else
    skip 'blocked signals' 'env does not know --block-signal'
fi
for tool in 'taskset -c 0' 'chrt -b 0' 'ionice -c 3' \
    'setpriv --no-new-privs' 'setpriv --bounding-set -sys_nice'; do
    if $tool true 2> bad; then
        inherits "$tool" "exec $tool"
    else
        skip "inherited: $tool" "$tool does not work here"
    fi
done
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' \
    '<&- >&- 2>&-'; do
    inherits "closed $closed" "exec $closed; exec"
done
rm -f a b
TRUTH_OUT=b timeout -k 5 20 sh -c '$pmon "$@" & wait' sh "$workload" \
    fingerprint x
TRUTH_OUT=a timeout -k 5 20 sh -c '"$@" & wait' sh "$workload" fingerprint x
is "$(compare)" same 'inherited: & from a script'
rm -f a b
TRUTH_OUT=a "$ptyrun" -o pty -- sh -c '"$workload" fingerprint x; :'
TRUTH_OUT=b "$ptyrun" -o pty -- sh -c '$pmon "$workload" fingerprint x; :'
is "$(compare)" same 'inherited: a terminal'
like "$(cat b)" '^tty.foreground=1$' 'the step holds the terminal'

# ---- what goes through ----

head -c 1000000 /dev/urandom > random
run sh -c '$pmon cat < random | cmp - random && echo equal'
is "$(cat out)" equal 'a million random bytes through stdin and stdout'
run sh -c '$pmon sh -c "cat >&2" < random'
is "$(cmp err random)" '' 'and out of stderr'
run "$PMON" -v -l m.txt -- sh -c 'printf "out"; printf "err\n" >&2'
is "$(cat out)" out 'pmon prints nothing on stdout'
is "$(grep -v '^pmon: ' err)" err 'every line of pmon on stderr is marked'
run sh -c 'printf "b\na\n" | "$PMON" -q -- cat | "$PMON" -q -- sort |
    tr a-z A-Z'
is "$(cat out)" 'A
B' 'in a pipeline'
run sh -c '{ $pmon yes; echo $? > number; } | head -n 1'
is "$(cat out),$(cat number)" y,141 'the step dies of a closed pipe'
run sh -c '$pmon sh -c "exit 3" > /dev/full'
is "$status" 3 'stdout is a full device: nothing to pmon'

# ---- where pmon's own words cannot go ----

loud="$PMON -v -l m.txt --append-peak new.csv --summary s.json --"
export loud
for to in '2>&-' '2> /dev/full' '<&- >&- 2>&-'; do
    rm -f new.csv s.json
    timeout 20 sh -c "\$loud sh -c 'exit 3' $to"
    is "$?,$(check_summary s.json)" 3,complete "stderr is $to: status, summary"
    is "$(awk '!/^#/ && NF != 4' m.txt)$(wc -l < new.csv)" 3 \
        "stderr is $to: log and block hold nothing else"
done
rm -f new.csv gone
{
    timeout 20 sh -c '$loud sh -c "
        while ! [ -e gone ]; do sleep 0.01; done; exit 3"'
    echo $? > number
} 2>&1 | {
    exec < /dev/null
    : > gone
}
wait_until [ -s number ]
is "$(cat number),$(wc -l < new.csv)" 3,3 'stderr is a closed pipe'
# T1 and a new profile make pmon print three messages
mkfifo stuck
exec 8<> stuck
dd if=/dev/zero bs=65536 count=1 oflag=nonblock >&8 2> bad
rm -f new.csv
timeout 7 sh -c '$loud "$workload" spike 30 5 0 2>&8'
is "$?,$(wc -l < new.csv)" 0,3 \
    'stderr is a full pipe without a reader: 5 s at most'
exec 8>&-
# and one with room for a page, for messages that need more
long=$(printf './%.0s' $(seq 1500))
is "$("$python" -S - "$PMON" "$long" <<'PY'
import os, subprocess, sys
pmon, long = sys.argv[1:]
read, write = os.pipe()
os.set_blocking(write, False)
size = 0
try:
    while True:
        size += os.write(write, bytes(4096))
except BlockingIOError:
    os.set_blocking(write, True)
os.read(read, 4096)
options = ["-v", "-l", long + "words.txt", "--summary", long + "s.json"]
try:
    print(subprocess.call([pmon] + options + ["--", "sh", "-c", "exit 3"],
                          stderr=write, timeout=15))
except subprocess.TimeoutExpired:
    print("stuck")
PY
)" 3 'stderr has room for a part of the closing words'

# ---- programs that want a terminal ----

TERM=xterm
export TERM
echo 'a line of text' > text
if command -v less > bad; then
    "$ptyrun" -o pty -w 'line of text' -s q -- sh -c '$pmon less text'
    is "$?" 0 'less shows a file and takes a key'
else
    skip 'less shows a file and takes a key' 'less is not installed'
fi
if command -v vi > bad; then
    "$ptyrun" -o pty -w 'line of text' -s 'Anew\e:wq\n' \
        -- sh -c '$pmon vi text'
    is "$?,$(cat text)" '0,a line of textnew' 'vi edits a file'
else
    skip 'vi edits a file' 'vi is not installed'
fi
"$ptyrun" -n -o pty -w 'name? ' -s 'Ada\n' -- sh -c \
    '$pmon sh -c "printf name?\ ; read name; echo hello \$name"'
like "$(cat pty)" 'hello Ada' 'the step asks, the terminal answers'

# ---- make's jobserver ----

printf 'all:\n\t+@%s $(MAKE) -s -f below\n' "$pmon" | tr -s ' \n' ' ' |
    sed 's/^all: /all:\n\t/' > Makefile
echo >> Makefile
printf 'all: one two six\none two six:\n\t@echo $@\n' > below
if command -v make > bad; then
    run make -s -j3
    is "$status,$(sort out | tr '\n' ' '),$(cat err)" '0,one six two ,' \
        "make's jobserver is passed on"
else
    skip "make's jobserver is passed on" 'make is not installed'
fi

# ---- pmon's own standard output ----

silent=
for command in --help --version 'peak --help' 'plot --help' 'report --help' \
    'compare --help' 'region --help' 'psrecord --help'; do
    # shellcheck disable=SC2086  # words
    if "$PMON" $command > /dev/full 2> err ||
        ! grep -q '^pmon: .*cannot.*No space left' err; then
        silent="$silent$command: $(cat err); "
    fi
done
is "$silent" '' 'a disk that is full: no help is lost in silence'
for command in peak plot report; do
    run "$PMON" $command - < /dev/null
    like "$status,$(cat err)" '^1,pmon: /dev/stdin: (not a|has no) ' \
        "$command -: reads standard input, and names it"
done
done_testing
