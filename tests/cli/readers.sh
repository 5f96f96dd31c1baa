#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of other programs, broken entries and impossible figures: a bad entry
# costs itself and no neighbour.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# A summary with other values
make_summary() { # TO PATH=JSON...
    "$python" -S "$srcdir/tests/lib/make_summary.py" base.json "$@"
}

# A value of the JSON in out
value() {
    summary out "$@"
}

# Runs pmon without the rights of root, which reads everything
run_as_user() {
    if [ "$(id -u)" = 0 ]; then
        run setpriv --reuid 1234 --regid 1234 --clear-groups "$PMON" "$@"
    else
        run "$PMON" "$@"
    fi
}

"$PMON" --quiet --step base --summary base.json -- true

# ---- a folder with entries that cannot be read ----

mkdir r
cp base.json r/summary_base.json
echo '{"loss": NaN}' > r/loss.json
run "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" '0: step base ' \
    "report: another program's broken JSON is passed over"
run "$PMON" compare r r
is "$status: $(cat err)" '0: ' 'compare: so it is there'
# A GiB that begins like JSON: nothing but its first bytes may be read.
printf '{"a": "' > r/huge.json
truncate -s 1G r/huge.json
run sh -c 'ulimit -v 500000; exec "$@"' - "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" '0: step base ' \
    "report: another program's huge JSON is not loaded"
run sh -c 'ulimit -v 500000; exec "$@"' - "$PMON" report r/huge.json
is "$status: $(cat err)" \
    '1: pmon: r/huge.json: not a summary of pmon (schema 1)' \
    'report: and if it is named, its first bytes say what it is'
rm r/huge.json
printf '{\n "schema": 1, "pmon": "1", "tim' > r/torn.json
run "$PMON" report --format csv r
is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(sed 's/JSON: .*/JSON/' err)" \
    '1: step base pmon: r/torn.json:2: not valid JSON' \
    'report: a torn summary is named, the others count'
run "$PMON" compare r r
like "$status: $(wc -l < out) $(cat err)" \
    '^2: [1-9][0-9]* pmon: r/torn.json:2: not valid JSON' \
    'compare: a torn summary is named, the others are compared'
rm r/torn.json
if ! command -v setpriv > bad && [ "$(id -u)" = 0 ]; then
    skip 'entries that cannot be read' 'root, and no setpriv to be another'
else
    mkdir r/lost+found
    cp base.json r/private.json
    chmod 000 r/lost+found r/private.json
    chmod 755 . r
    run_as_user report --format csv r
    is "$status: $(cut -d , -f 2 out | tr '\n' ' ')$(cat err)" \
        '1: step base pmon: r/lost+found: cannot be read: Permission denied
pmon: r/private.json: cannot be read: Permission denied' \
        'report: entries that cannot be read are named, the others count'
    run_as_user compare r r
    is "$status: $(sort -u err)" \
        '2: pmon: r/lost+found: cannot be read: Permission denied
pmon: r/private.json: cannot be read: Permission denied' \
        'compare: a summary that cannot be read leaves it undecided'
    rm -f r/private.json
    run_as_user compare r r
    is "$status: $(sort -u err)" \
        '0: pmon: r/lost+found: cannot be read: Permission denied' \
        'compare: a folder that cannot be read is named'
    mkdir -m 000 logs logs/x 2> bad || mkdir -m 000 logs/x
    chmod 755 logs
    printf '0 0 10 20\n1 0 10 20\n' > logs/plain
    printf '# Elapsed time   CPU (%%)\n0 0 10 20\n1 0 10 20\n' > logs/m.txt
    run_as_user report --format csv logs
    is "$status: $(cut -d , -f 1 out | tr '\n' ' ')$(cat err)" \
        '1: file logs/m.txt pmon: logs/x: cannot be read: Permission denied' \
        'report: it is named once in a folder of logs'
    chmod 755 r/lost+found logs/x
fi

# ---- figures that nothing can have ----

make_summary huge.json files.log=null time.wall_s=1e300 \
    memory.peak_rss_bytes=-5 memory.peak_rss_elapsed_s=1e17 \
    series.elapsed_s='[0, 1e300, 2, 3]' \
    series.cpu_percent='[1, 2, 3, 4]' \
    series.rss_bytes='[1048576, 5, 1e300, 2097152]'
run "$PMON" report --format json huge.json
is "$status: $(value runs 0 wall_s) $(value runs 0 peak_rss_bytes) $(cat err)" \
    '1: null null pmon: huge.json: 4 values are negative or too large for a figure, taken as unknown' \
    'report: impossible figures are unknown, and named'
run "$PMON" plot huge.json
like "$status: $(cat err)" '^0: pmon: huge.json: 4 values are negative or too' \
    'plot: so they are there'
unlike "$(cat out)" '-[0-9]' 'and none becomes a negative one'
make_summary late.json files.log=null memory.peak_rss_elapsed_s=9e9 \
    memory.peak_rss_bytes=9e18 series.elapsed_s='[0, 2]' \
    series.cpu_percent='[1, 9e18]' series.rss_bytes='[1048576, 2]'
run "$PMON" plot late.json
is "$status: $(cat err)" '0: ' 'plot: figures as large as they can be'
unlike "$(cat out)" '-[0-9]' 'and nothing of them is negative'
run "$PMON" report --github late.json
like "$status: $(cat err)" 'GITHUB_STEP_SUMMARY' 'report --github without a file'
GITHUB_STEP_SUMMARY=page.md
export GITHUB_STEP_SUMMARY
run "$PMON" report --github late.json huge.json
unset GITHUB_STEP_SUMMARY
unlike "$(cat page.md)" '[^0-9]-[0-9]|nan|inf' 'report --github draws no nonsense'

done_testing
