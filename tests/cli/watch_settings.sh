#!/bin/sh
# SPDX-License-Identifier: MIT
# The settings of pmon watch: flags, variables with a prefix, their file, and
# errors for bad values.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

unset STATE_DIRECTORY NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID
name=system_resource_data
pid=
trap 'kill $pid 2> /dev/null; cd /; rm -rf "$work"' EXIT

says() { # WANT DESC : of the last run, with status 125 and nothing recorded
    is "$status: $(cat err)" "125: pmon: $1" "$2"
    [ ! -s out ] || not_ok "$2" 'it prints something'
    [ ! -e $name ] || not_ok "$2" 'it has made files'
}

# ---- flags ----

refuse() { # WANT FLAG…
    want=$1
    shift
    run "$PMON" watch "$@"
    says "$want" "$*"
}
refuse "--filter GLOB is missing, as in pmon watch --filter 'python3*'"
refuse "--filter : must be a pattern for whole command lines, such as 'python3*'" \
    --filter ''
refuse '--filter needs GLOB' --filter
refuse '--interval 0: must be 10 ms to 365 days, such as 10, 500ms or 1min' --interval 0 -f x
refuse '--interval x: must be 10 ms to 365 days, such as 10, 500ms or 1min' -i x -f x
refuse '--dir needs DIR' -f x --dir ''
refuse '--log-level LOUD: must be DEBUG, INFO, WARNING, ERROR or CRITICAL' \
    -f x --log-level LOUD
refuse '--max-size 1: must be 1 KiB to 8171P, such as 500K, 10M or 1G' -f x --max-size 1
refuse '--keep 0: must be 1 to 1000' -f x --max-size 1K --keep 0
refuse '--keep N needs --max-size SIZE' -f x --keep 3
refuse '--count -1: must be 1 to 1000000000' -f x --count -1
refuse '--env-prefix A-B: must be up to 128 letters, digits or _, such as OT_SYSTEM_RESOURCE_TRACKER_' \
    --env-prefix A-B
refuse '--env-file FILE needs --env-prefix PREFIX' -f x --env-file f
refuse '--loud: no such option (pmon watch --help)' --loud
refuse '-q: no such option (pmon watch --help)' -q
refuse 'python3: unexpected argument; give patterns with --filter' python3
refuse '/dev/null/x/system_resource_data: Not a directory' \
    -f x --dir /dev/null/x

run "$PMON" watch --help
is "$status: $(head -n 1 out): $(cat err)" \
    '0: usage: pmon watch --filter GLOB... [OPTIONS]: ' '--help, on stdout'

# ---- where pmon-watch is found ----

mkdir alone
cp "$PMON" alone/pmon
run env PATH=/nonexistent alone/pmon watch --version
is "$status: $(cat err)" '127: pmon: watch: pmon-watch was not found beside pmon or on PATH: install it with make install, or as a package' \
    'without pmon-watch: 127, and what to do'
: > alone/pmon-watch
run env PATH=/nonexistent alone/pmon watch --version
is "$status: $(cat err)" \
    '127: pmon: watch: pmon-watch cannot be run: Permission denied' \
    'a pmon-watch that may not be executed is found all the same'
rm alone/pmon-watch
run env PATH="$builddir:$PATH" alone/pmon watch --version
is "$status: $(cat err)" '0: ' 'pmon-watch is found on PATH'

# ---- folders ----

run "$PMON" watch -f 'no such' --count 1 --dir "$work/a/b/"
is "$status: $(cat a/b/${name}_headers)" \
    '0: query_time,command,running_since,user_cpu_time,system_cpu_time,memory_percent' \
    '--dir is made where it is missing'
is "$(tail -c 14 a/b/${name}_headers)" memory_percent \
    'headers are one line without a line end'
run env STATE_DIRECTORY="$work/state:$work/more" "$PMON" watch -f x --count 1
is "$status: $(echo state/*)" "0: state/$name state/${name}_headers" \
    'else files go to the first of STATE_DIRECTORY'
mkdir here
(cd here && run "$PMON" watch -f 'no such' --count 1)
is "$(cd here && echo $name*)" "$name ${name}_headers" \
    'else to the folder where it runs'

# ---- variables ----

p=OT_SYSTEM_RESOURCE_TRACKER_
with() { # VARIABLE=VALUE… -- FLAG…
    set -- "$@"
    variables=
    while [ "$1" != -- ]; do
        variables="$variables $p$1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # one word a variable
    run env $variables "$PMON" watch --env-prefix $p "$@"
}

with ENABLED=yes -- --count 1
says "${p}ENABLED=yes: must be true or false" 'ENABLED'
with ENABLED=true PROCESS_FILTERS=, -- --count 1
says "${p}PROCESS_FILTERS=,: must be patterns separated by commas, at least one" \
    'PROCESS_FILTERS'
for value in 0.5 x nan -1 ''; do
    with ENABLED=true REFRESH_INTERVAL=$value -- --count 1
    says "${p}REFRESH_INTERVAL=$value: must be 1.0 s to 365 days" \
        "REFRESH_INTERVAL=$value"
done
with ENABLED=true STORAGE_DIR=data -- --count 1
says "${p}STORAGE_DIR=data: must be an absolute path of a folder" STORAGE_DIR
with ENABLED=true LOGGING_LEVEL=LOUD -- --count 1
says "${p}LOGGING_LEVEL=LOUD: must be DEBUG, INFO, WARNING, ERROR or CRITICAL" \
    LOGGING_LEVEL
with STORAGE_DIR=data ENABLED=maybe LOGGING_LEVEL=LOUD -- --count 1
says "${p}ENABLED=maybe: must be true or false" \
    'the first of several bad ones is reported'

with ENABLED=TRUE "STORAGE_DIR=$work/robot" PROCESS_FILTERS=python3\*,b -- --count 1
is "$status: $(sed 's/ by .*//' err | head -n 1)" \
    "0: pmon: recording python3*, b every 10 s to $work/robot/$name," \
    'variables are taken, others have their defaults'
with ENABLED=true "STORAGE_DIR=$work/robot" LOGGING_LEVEL=ERROR -- \
    --filter x --dir flagged --interval 2 --log-level INFO --count 1
is "$status: $(sed 's/ by .*//' err | head -n 1)" \
    "0: pmon: recording x every 2 s to flagged/$name," 'flags override them'
with ENABLED=true "STORAGE_DIR=$work/robot" LOGGING_LEVEL=WARNING -- --count 1
is "$status: $(cat err)" '0: ' 'LOGGING_LEVEL=WARNING: no messages'

# ---- idle, and the file of variables at HUP ----

# shellcheck disable=SC2317 # wait_until calls it
has_said() { # COUNT TEXT
    [ "$(grep -c -e "$2" idle.err)" -ge "$1" ]
}

cat > settings << END
# off at first
${p}ENABLED=false
${p}STORAGE_DIR="$work/later"
${p}PROCESS_FILTERS='*idle.err*, *$work*'
END
env ${p}ENABLED=true ${p}REFRESH_INTERVAL=1 "$builddir/pmon-watch" \
    --env-prefix $p --env-file settings 2> idle.err &
pid=$!
wait_until has_said 1 .
is "$(cat idle.err)" "pmon: idle: set ${p}ENABLED=true to record" \
    'idle: one line says which variable to set; the file wins'
[ ! -e later ]
is $? 0 'idle: no file is made'
sed -i 's/false/true/' settings
kill -HUP $pid
wait_until has_said 1 recording
like "$(cat idle.err)" "recording [*]idle.err[*], [*]${work}[*] every 1 s to $work/later" \
    'HUP reads the file of variables again'
wait_until test -e later/$name
echo nonsense >> settings
kill -HUP $pid
wait_until has_said 1 'settings:5'
like "$(cat idle.err)" 'settings:5: neither NAME=VALUE nor a comment; the old settings stay in use' \
    'a bad file changes nothing, and is reported'
sed -i "\$d; s|$work/later|/proc/none|" settings
kill -HUP $pid
wait_until has_said 1 'proc/none/.*trying again'
sed -i "s|/proc/none|/proc/other|" settings
kill -HUP $pid
wait_until has_said 1 'proc/other/.*trying again'
is $? 0 'each folder that cannot be written is reported'
sed -i 's/true/false/' settings
kill -HUP $pid
wait_until has_said 2 idle:
is $? 0 'HUP makes it idle again'
kill -INT $pid
finish $pid
is "$status" 0 'INT ends it with 0'
pid=

run "$PMON" watch --env-prefix $p --env-file missing
says '--env-file missing: cannot be read: No such file or directory' \
    'a missing file of variables is an error at the start'

done_testing
