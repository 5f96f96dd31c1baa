#!/bin/sh
# SPDX-License-Identifier: MIT
# What the files of a run hold, and what they never hold: arguments, the
# environment, what the step prints; with --no-host no host name and no folder.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

PICTURES=
command -v gnuplot > bad && PICTURES=yes

# A step with processes that have a marker MARKn in each argument but the one
# that is shown, in the environment, in their output, and in the name of their
# folder.  Two seconds: then the closing lines have all that they can.
step='"$1" region inner -- "$2" -S -c "$3" MARK5 --token=MARK6 -p MARK7 &
echo MARK8; echo MARK9 >&2
"$2" -S worker.py data.txt --password MARK10 KEY=MARK11 a:MARK12@host MARK13
wait'
child='import time; time.sleep(1.5)'

# Runs it with all outputs, in one format of the log; those of pmon are in art
record() { # LOG-FORMAT ARGUMENT...
    form=$1
    shift
    rm -rf art
    mkdir art art/regions
    set -- --step all --results art --log art/m.txt --log-format "$form" \
        --regions art/regions --include-io --pss --max-rss 8G "$@"
    [ -z "$PICTURES" ] || set -- --plot art/p.svg "$@"
    TOKEN=MARK14 timeout 60 "$PMON" -v "$@" -- \
        sh -c "$step" MARK1 "$PMON" "$python" "$child" --key MARK2 MARK3 \
        x=MARK4 > step.out 2> step.err
    status=$?
    grep '^pmon: ' step.err > art/closing
    # What other commands make of it
    for show in text markdown csv json; do
        run "$PMON" report --format $show art/summary_all.json art/m.txt
        cp out art/report.$show
    done
    GITHUB_STEP_SUMMARY=art/job.md
    export GITHUB_STEP_SUMMARY
    run "$PMON" report --github art/summary_all.json
    unset GITHUB_STEP_SUMMARY
    run "$PMON" compare --format json art/summary_all.json art/summary_all.json
    cp out art/compare
    run "$PMON" plot art/m.txt
    cp out art/chart
    [ -z "$PICTURES" ] || run "$PMON" plot --script art/p.gp -o art/q.svg art/m.txt
}

# The files with a word, on one line
holding() {
    (cd art && LC_ALL=C grep -rlwF -e "$1" . | LC_ALL=C sort | tr '\n' ' ')
}

mkdir MARK15
cd MARK15 || exit 99
echo 'import time; time.sleep(1.5)' > worker.py
for form in plain csv jsonl; do
    record $form
    is "$status" 0 "$form: a step with arguments"
    # Each file is there, so that the search is one of all.
    is "$(cd art && ls closing compare chart job.md m.txt profile_all.csv \
        report.csv report.json report.markdown report.text summary_all.json \
        2>&1 | wc -l | tr -d ' ')" 11 "$form: all files are there"
    is_true "$(ls art/regions | wc -l) > 0" "$form: and the regions"
    [ -z "$PICTURES" ] || is "$(cd art && ls p.svg q.svg p.gp 2>&1)" \
        "$(printf 'p.gp\np.svg\nq.svg')" "$form: and the pictures"
    for mark in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
        is "$(holding "MARK$mark")" '' "$form: no file has MARK$mark"
    done
done

# The one that is shown is; so a search that finds nothing would be seen.
is "$(holding worker.py)" \
    './closing ./job.md ./report.json ./summary_all.json ' \
    'the argument that is shown: where processes and commands are named'
is "$(holding MARK15)" './summary_all.json ' 'the folder: in the summary'
record plain --full-commands
for mark in 1 3 5 13; do
    like "$(holding "MARK$mark")" './summary_all.json ' \
        "--full-commands: the summary has MARK$mark"
done
is "$(holding MARK14)" '' '--full-commands: but not the environment'

# ---- --no-host ----

record plain
# As a word: it may be as short as vm.
host=$(uname -n)
take_facts art/summary_all.json
is "$(fact host.name)" "$host" 'the name of the host is in the summary'
is "$(fact command.cwd)" "$work/MARK15" 'and the folder'
like "$(holding "$host")" './report.csv .*./summary_all.json ' \
    'and so in reports'
record plain --no-host
is "$status" 0 '--no-host'
take_facts art/summary_all.json
is "$(fact host.name) $(fact command.cwd)" 'null null' \
    '--no-host: neither is in the summary'
is "$(holding "$host")$(holding MARK15)" '' '--no-host: nor in any other file'
is "$(check_summary art/summary_all.json)" complete 'which keeps to the schema'
run "$PMON" report art/summary_all.json
is "$status: $(cat err)" '0: ' 'and is read'
for option in log step summary results; do
    case $option in
    results) set -- --step s --results 'm_%h' ;;
    *) set -- --$option 'm_%h' ;;
    esac
    run "$PMON" --no-host "$@" -- touch started
    like "$status: $(cat err) $(ls started 2> bad)" \
        "^125: pmon: --$option m_%h.*: --no-host leaves the name of the host out; use %p, %r or %j instead of %h \$" \
        "--no-host with %h in --$option"
done

done_testing
