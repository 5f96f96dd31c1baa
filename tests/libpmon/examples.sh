#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the examples as their readers would.
. "${srcdir:-.}/tests/libpmon/common.sh"
export PYTHONDONTWRITEBYTECODE=1
examples=$srcdir/examples

names() {
    cut -d, -f1 "$1" | tr -d '"' | sort | tr '\n' ' '
}

fresh
PMON_REGIONS=$work/regions "$programs/phases" >/dev/null
is "$(names "$file")" "LOAD MAIN SOLVE " "the C example"
if command -v python3 >/dev/null; then
    fresh
    PMON_REGIONS=$work/regions PMON_LIBRARY=none \
        PYTHONPATH=$examples/python python3 "$examples/regions/phases.py" \
        >"$work/out"
    is "$(names "$file")" "LOAD MAIN SOLVE SOLVE " "the Python example"
    is "$(python3 "$examples/regions/phases.py")" "$(cat "$work/out")" \
        "which runs without pmon_regions.py too"
fi
fresh
PATH=$builddir:$PATH PMON_REGIONS=$work/regions \
    "$examples/regions/phases.sh" >"$work/out"
is "$(names "$file") $(cat "$work/out")" \
    "CHECK LOAD SOLVE  the check failed" "the shell example"
fresh
PATH=$builddir:$PATH "$builddir/pmon" --regions "$work/regions" -- \
    "$examples/regions/phases.sh" >"$work/out" 2>"$work/err"
is "$(names "$file") $(grep -c '^pmon: regions .*LOAD 1 ' "$work/err")" \
    "CHECK LOAD SOLVE  1" "the same below pmon --regions"

# talk SOCKET LINE…: sends lines, prints each answer
talk() {
    python3 - "$@" <<'PY'
import socket, sys
with socket.socket(socket.AF_UNIX) as s:
    s.settimeout(20)
    s.connect(sys.argv[1])
    file = s.makefile("rw")
    for line in sys.argv[2:]:
        file.write(line + "\n")
        file.flush()
        print(file.readline().rstrip("\n"))
PY
}

# leave SOCKET LINE…: sends lines without waiting for answers
leave() {
    python3 - "$@" <<'PY'
import socket, sys
with socket.socket(socket.AF_UNIX) as s:
    s.connect(sys.argv[1])
    s.sendall("".join(line + "\n" for line in sys.argv[2:]).encode())
PY
}

# start ARG…: starts the server, and waits until it listens
start() {
    rm -f "$work/ready"
    mkfifo "$work/ready"
    # shellcheck disable=SC2086 # a command of words
    timeout 60 $server "$@" "$work/data" "$work/s" >"$work/ready" \
        2>"$work/said" &
    read -r line <"$work/ready"
}

ask_once() {
    if [ "$name" = C ]; then
        $server --ask "$@"
    else
        talk "$@"
    fi
}

stop() {
    talk "$work/s" quit >/dev/null
    wait
}

serves() {
    name=$1
    rm -rf "$work/data"
    start
    is "$(talk "$work/s" "run a" "analyze a" "analyze a" "run a" status)" \
        "error: analyze a first
analyzed a
cached a
ran a
tracking on, style quoted, 4 recorded, 0 lost" "$name: answers"
    file=$work/data/robot_activity_data
    is "$(cut -d, -f1 "$file")" '"RUNNING_PROTOCOL"
"ANALYZING_PROTOCOL"
"GETTING_CACHED_ANALYSIS"
"RUNNING_PROTOCOL"' "$name: states"
    is "$(bad "$file")" 0 "$name: the robot's quoted rows"
    is "$(cat "${file}_headers"; echo .)" "state,func_start,duration." \
        "$name: and header"
    is "$(talk "$work/s" "tracking off" "analyze b" "run b" status)" \
        "tracking off
analyzed b
ran b
tracking off, style quoted, 4 recorded, 0 lost" "$name: off at once"
    is "$(wc -l <"$file")" 4 "$name: off, no file grows"
    is "$(talk "$work/s" "style seed" "tracking on" "analyze c" "run c")" \
        "style seed: needs a restart
tracking on
analyzed c
ran c" "$name: the style needs a restart, and says so"
    is "$(wc -l <"$file") $(ls "$work/data" | wc -l)" "6 3" \
        "$name: until then rows go where they went"
    leave "$work/s" "run c" "run c" "run c"
    is "$(talk "$work/s" "$(printf 'analyze %0200d' 0)" "analyze c" "run c" \
        "run c" "run c" "run c" "run c" | sed 1d)" "cached c
ran c
ran c
ran c
ran c
ran c" "$name: each line has one answer, whoever leaves"
    is "$(cat "$work/said")" '' "$name: and nothing is said of it"
    stop
    kept=$(wc -l <"$file")
    start
    talk "$work/s" "analyze d" "analyze d" "run d" >/dev/null
    stop
    seeds=$work/data/robot_context_data
    is "$(cut -d, -f1 "$seeds" | tr '\n' ' ')" \
        "ANALYZING_PROTOCOL GETTING_CACHED_ANALYSIS RUNNING_PROTOCOL " \
        "$name: after a restart the seed file has the states"
    is "$(bad "$seeds" "$seed") $(wc -l <"$file")" "0 $kept" \
        "$name: the robot's seed rows"
    is "$(cat "${seeds}_headers"; echo .)" \
        "state_name,function_start_time,duration." "$name: and header"
    rm -rf "$work/data"
    start --off
    talk "$work/s" "analyze e" "run e" >/dev/null
    stop
    is "$(ls "$work/data")" "" "$name: started off, no file at all"
    start --env
    talk "$work/s" "analyze f" >/dev/null
    stop
    is "$(ls "$work/data")" "" "$name: off by the environment, the same"
    export PMON_REGIONS="$work/data" PMON_REGIONS_NAME=states
    start --env
    is "$(ask_once "$work/s" "analyze g" status)" \
        "analyzed g
tracking on, style quoted, 1 recorded, 0 lost" "$name: on by the environment"
    stop
    unset PMON_REGIONS PMON_REGIONS_NAME
    is "$(names "$work/data/states")" "ANALYZING_PROTOCOL " \
        "$name: and where it says"
}

# told FILE: prints the commands that the file tells its reader to type
told() {
    case $1 in
    *.c | *.cc) sed -n '/^#include/q; s/^ \*     //p' "$1" ;;
    *.sh) sed -n '/^set/q; s/^#     //p' "$1" ;;
    *.py) sed -n '/^import/q; s/^    //p' "$1" ;;
    *.md) sed -n '/^    server /d; s/^    //p' "$1" ;;
    esac
}

# follow FILE WANT: runs these commands in a copy of the examples, on a machine
# where libpmon is installed; WANT is a pattern of the output
follow() {
    rm -rf "$work/copy"
    cp -r "$examples" "$work/copy"
    chmod -R u+w "$work/copy"
    told "$1" >"$work/told"
    (
        cd "$work/copy/$(dirname "$1")" || exit
        PATH=$work/tools:$builddir:$PATH
        LD_LIBRARY_PATH=$lib
        unset PYTHONPATH
        export PATH LD_LIBRARY_PATH
        timeout 120 sh -eu "$work/told" 2>&1
    ) >"$work/out" || echo "status $?" >>"$work/out"
    like "$(tr '\r\n' '  ' <"$work/out")" "$2" "$1 works as it is told"
}

lib=${PMON_TEST_LIBDIR:-$builddir/.libs}
mkdir "$work/tools"
cat >"$work/tools/pkg-config" <<END
#!/bin/sh
echo "-I$src -L$lib -lpmon"
END
chmod +x "$work/tools/pkg-config"
if ! [ -e "$lib/libpmon.so" ] || grep -q __asan_init "$lib/libpmon.so"; then
    skip "what the examples tell" "no shared library without sanitizers"
else
    cd "$examples" || exit 99
    python=
    ! command -v python3 >/dev/null || python='regions/phases.py'
    for each in regions/phases.sh regions/phases.c regions/phases.cc $python; do
        if [ "$each" = regions/phases.cc ] && ! command -v c++ >/dev/null; then
            skip "$each works as it is told" "no c++"
            continue
        fi
        # the last of them prints the file; pmon names the regions
        case $each in
        *.cc) regions='"LOAD".*"SOLVE"' ;;
        *) regions='"LOAD".*pmon: regions .*LOAD 1 ' ;;
        esac
        follow "$each" "$regions"
        unlike "$(cat "$work/out")" '^status' "and $each ends well"
    done
    if [ -n "$python" ]; then
        # both servers: the second one appends to the same file
        follow server/README.md "ran a.py .*RUNNING_PROTOCOL.*ran a.py .*\
RUNNING_PROTOCOL +2 "
        unlike "$(cat "$work/out")" '^status' "and both servers end well"
    fi
    cd "$work" || exit 99
fi

if command -v python3 >/dev/null; then
    server=$programs/server
    serves C
    export PYTHONPATH="$examples/python" PMON_LIBRARY=none
    server="python3 $examples/server/server.py"
    serves Python
else
    skip "the server" "no python3"
fi
done_testing
