#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # lines are for a shell of their own
# Follows the advice of each message: the test types what the message says, and
# that must work.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

mkdir bin
ln -s "$PMON" bin/pmon
[ ! -x "$builddir/pmon-watch" ] || ln -s "$builddir/pmon-watch" bin/
PATH=$work/bin:$PATH
export PATH

# way LINE MESSAGE FOLLOW [STATUS]: the shell line fails with the message, an
# ERE; the line FOLLOW works and exits with STATUS. \1 in FOLLOW is the text
# that the ERE's group matched.
way() {
    run sh -c "$1"
    cat out err > said
    like "$(cat said)" "$2" "$1"
    follow=$(grep -E -m 1 -e "$2" said | sed -E "s~.*$2.*~\\1~")
    case $3 in
    *'\1'*) follow=${3%%'\1'*}$follow${3#*'\1'} ;;
    *) follow=$3 ;;
    esac
    run sh -c "$follow"
    is "$status" "${4:-0}" "  $follow"
    cat out err > followed
}

# Parts that are missing in a command line
way 'pmon sleep 0.1' 'put -- before the command: (pmon .*)' '\1'
way 'pmon -q -l m.txt sleep 0.1' 'put -- before the command: (pmon .*)' '\1'
way "pmon 'sleep 0.1'" '(-- .*sleep 0.1.*)' "pmon -- sh -c 'sleep 0.1'"
way "pmon -- 'sleep 0.1; true'" 'for a shell line: (pmon .*)' '\1'
way 'pmon psrecord sleep 0.1' 'put quotes around it: (pmon .*)' '\1'
sleep 60 &
sleeper=$!
way "pmon $sleeper" 'did you mean (--pid [0-9]+)?' 'pmon \1 --duration 0.1'
kill "$sleeper"
way 'pmon --results r -- true' 'needs (--step) NAME' \
    'pmon --results r \1 x -- true'
way 'pmon -- true' 'no log: add (--log [a-z_.]+)' \
    'pmon \1 -- true && test -s memory_log.txt'
way 'pmon --log - -- true' '(/dev/stdout)' 'pmon --log \1 -- true'
for each in peak plot report compare psrecord watch; do
    way "pmon $each --no-such-option" "[(](pmon $each --help)[)]" '\1'
done
way 'pmon --no-such-option' '[(](pmon --help)[)]' '\1'

way 'pmon plto memory_log.txt' 'did you mean (plot)?' 'pmon \1 memory_log.txt'
way 'pmon run -- true' 'to record a command: (pmon .*)' '\1'
way 'pmon memory_log.txt' ': (pmon report [a-z_.]+) prints' '\1'
way 'pmon memory_log.txt' ', (pmon plot [a-z_.]+) draws' '\1'
way 'pmon -l m.txt sleep 0.1 --interval 1' 'before --: (pmon .*)' '\1'
way 'pmon --intervall 1 -- true' 'did you mean (--interval)?' \
    'pmon \1 1 -- true'
printf '#!/bin/sh\r\ntrue\r\n' > from_dos
chmod +x from_dos
way 'pmon -- ./from_dos' '; (sed .*) fixes' '\1 && pmon -- ./from_dos'

# Names of files
way 'pmon --log m_%r.txt -- true' 'one of the variables ([A-Z_]+)' \
    '\1=3 pmon --log m_%r.txt -- true && test -s m_3.txt'
pmon -q --log held.txt -- sleep 60 2> bad &
holder=$!
wait_until has_lines held.txt 2
way 'pmon --log held.txt -- true' 'another pmon is writing held.txt: use (%p)' \
    'pmon --log held_\1.txt -- true && test -s held_[0-9]*.txt'
kill "$holder"
wait
way 'pmon -q --plot p.gif -- true' '([.]svg)' \
    'pmon plot memory_log.txt > text && test -s text'

# Files of another kind than the command needs
pmon -q --summary s.json -- sleep 0.1
pmon -q --step one --results r1 -- sleep 0.1
pmon -q --step two --results r2 -- sleep 0.1
pmon -q --regions marked -- pmon region LOAD -- true
way 'pmon compare memory_log.txt memory_log.txt' \
    'not a summary; (pmon --summary) FILE writes one' \
    '\1 t.json -- true && pmon compare t.json t.json'
way 'pmon compare r1 r2' '(--step) gives runs a name' \
    'pmon -q \1 one --results r2 -- sleep 0.1 && pmon compare r1 r2'
way 'pmon compare r1' '(pmon compare) BASE NEW' '\1 r1 r1'
way 'pmon report' '(pmon report) FILE' '\1 s.json'
way 'pmon peak' '(pmon peak) LOG' '\1 memory_log.txt'
way 'pmon plot' '(pmon plot) FILE' '\1 memory_log.txt'
way 'pmon plot marked/regions' 'over a log, use (--regions) FOLDER' \
    "pmon plot memory_log.txt \\1 marked --start $(date +%s)"
way 'pmon plot memory_log.txt --regions marked' '(--start) EPOCH, in seconds' \
    "pmon plot memory_log.txt --regions marked \\1 $(date +%s)"
way 'pmon report --github s.json' 'file name in (GITHUB_STEP_SUMMARY);' \
    '\1=job.md pmon report --github s.json && test -s job.md'
way 'pmon report --github s.json' '(--format markdown) prints' \
    'pmon report \1 s.json && ! pmon report --sort nonsense s.json'
way 'pmon report --sort nonsense s.json' 'a column of (--format csv)' \
    'for column in $(pmon report \1 s.json | head -n 1 | tr , " "); do
        pmon report --sort "$column" s.json > text || exit
    done'
way 'pmon plot m.txt --no-such' '(pmon plot --help)' '\1'

# While a step runs, and marks
way 'pmon --duration 0.1 -- sleep 0.5' 'the step goes on; (--max-time) would stop' \
    'pmon \1 0.1:stop -- sleep 60' 124
way 'PMON_REGIONS=m pmon region --end LOAD' '(pmon region --begin) opens one' \
    'PMON_REGIONS=m; export PMON_REGIONS
    \1 LOAD && pmon region --end LOAD && test -s m/regions'
way 'pmon region' '(pmon region) NAME -- COMMAND' '\1 LOAD -- true'
# The number of descriptors that the loader needs differs.
way 'for limit in $(seq 4 40); do
        (ulimit -n "$limit"; pmon -q -- true) 2>&1 | grep "ulimit" && exit
    done' '(ulimit -n) allows more' \
    '\1 64; pmon -q -- true'

# pmon watch
if [ -e bin/pmon-watch ]; then
    way 'pmon watch --dir w' "(pmon watch --filter '[^']+')" \
        '\1 --dir w --count 1'
    way 'pmon watch --filter x --keep 2 --dir w' 'needs (--max-size) SIZE' \
        'pmon watch --filter x --keep 2 \1 1M --dir w --count 1'
    : > empty.env
    way 'pmon watch --env-file empty.env' 'needs (--env-prefix) PREFIX' \
        'X_ENABLED=true X_PROCESS_FILTERS=x X_STORAGE_DIR=$PWD/w pmon watch \
            --env-file empty.env \1 X_ --count 1'
    way 'X_STORAGE_DIR=$PWD/w timeout -s INT 0.5 pmon watch --env-prefix X_' \
        'set (X_ENABLED=true) to record' \
        '\1 X_PROCESS_FILTERS=x X_STORAGE_DIR=$PWD/w \
            pmon watch --env-prefix X_ --count 1'
    run sh -c 'sleep 60 & pmon watch --filter "sleep*" --dir one --count 1
        kill $!'
    way 'pmon plot one/system_resource_data' \
        '(pmon report) prints a table of it' '\1 one/system_resource_data'
    pmon watch --filter 'sleep*' --dir held --interval 0.1 2> bad &
    holder=$!
    wait_until test -s held/system_resource_data_headers
    way 'pmon watch --filter x --dir held --count 1' 'use another (--dir)' \
        'pmon watch --filter x \1 other --count 1'
    kill "$holder"
    wait
else
    skip 'pmon watch' 'pmon-watch was not built'
fi

done_testing
