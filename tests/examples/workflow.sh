#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The example workflow: its steps, their figures, and how pmon records them.

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

example=$srcdir/examples/workflow
log_header='# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)'

if ! command -v python3 >/dev/null; then
    skip 'the example workflow' 'there is no python3'
    done_testing
fi

# The files below the folder example, with their times.
example_files() {
    find "$example" -printf '%p %T@\n' | sort
}

# Run a command in the scratch folder; sets status and errors, its stderr.
attempt() {
    status=0
    (cd "$work" && timeout 60 "$@" >"$work/out" 2>"$work/err") || status=$?
    errors=$(cat "$work/err")
}

# A command must end with this status.
succeeds_with() {
    want=$1
    what=$2
    shift 2
    attempt "$@"
    if [ "$status" -eq "$want" ]; then
        ok "$what"
    else
        not_ok "$what" "status $status, $want is wanted: $errors"
    fi
}

# A command must fail with one line on stderr that matches.
refuses() {
    what=$1
    pattern=$2
    shift 2
    attempt "$@"
    if [ "$status" -eq 0 ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
        not_ok "refused: $what" "status $status: $errors"
    else
        like "$errors" "$pattern" "refused: $what"
    fi
}

# The files of an example workflow must pass their check.
checks() {
    what=$1
    shift
    if problems=$(python3 -B "$srcdir/tests/examples/check_workflow.py" "$@"); then
        ok "$what"
    else
        not_ok "$what" "$problems"
    fi
}

# Copy the data to the folder data with one file changed by sed.
change_data() {
    rm -rf "$work/data"
    cp -R "$example/data" "$work/data"
    chmod -R u+w "$work/data"
    sed "$2" "$example/data/$1" >"$work/data/$1"
}

before=$(example_files)
mkdir "$work/bin"
ln -s "$PMON" "$work/bin/pmon"
PATH=$example/bin:$work/bin:$PATH

# The steps by their names, from any folder.
succeeds_with 0 'ecm_prep under pmon, found through PATH' \
    pmon --log memory_log.txt -- ecm_prep --weather-years 1
is "$(head -n 1 "$work/memory_log.txt")" "$log_header" 'its log'
checks 'prepared measures: uses, months and base loads' \
    prepared "$work/prepared_measures.json" "$example/data"
succeeds_with 0 'run finds the prepared measures' run --cases 3
checks 'results: shares, stock, energy balance' \
    results "$work/results.json" "$work/results.csv" \
    "$work/prepared_measures.json"

# The same figures, however many workers there are and however they start.
succeeds_with 0 'ecm_prep with spawned workers' \
    ecm_prep --weather-years 1 --workers 3 --start-method spawn --results other
attempt cmp prepared_measures.json other/prepared_measures.json
is "$status" 0 'workers make no difference to the figures'

# The workflow as a whole.
succeeds_with 0 'run_workflow.sh, profiled' \
    "$example/run_workflow.sh" --quick --with-profiler --results w
for step in ecm_prep run; do
    checks "profile of $step, byte for byte" \
        profile "$work/w/profile_$step.csv"
    is "$(head -n 1 "$work/w/memory_log_$step.txt")" "$log_header" \
        "log of $step"
    is "$(summary "$work/w/summary_$step.json" command step)" "$step" \
        "summary of $step"
done

succeeds_with 0 'run_workflow.sh, one step, not profiled' \
    "$example/run_workflow.sh" --quick --step run --results w
checks 'no profile of an earlier run before the peak' \
    block "$work/w/profile_run.csv"

cp "$work/w/profile_run.csv" "$work/kept.csv"
printf '#!/bin/sh\nexit 125\n' >"$work/refusing_pmon"
chmod +x "$work/refusing_pmon"
succeeds_with 125 'run_workflow.sh hands on that pmon could not start' \
    env PMON="$work/refusing_pmon" \
    "$example/run_workflow.sh" --step run --results w
attempt cmp kept.csv w/profile_run.csv
is "$status" 0 'a step that was not started leaves the earlier profile'

mkdir -p "$work/copy/bin"
cp "$example/run_workflow.sh" "$work/copy"
printf '#!/bin/sh\nexit 7\n' >"$work/copy/bin/ecm_prep"
chmod +x "$work/copy/bin/ecm_prep"
succeeds_with 7 'run_workflow.sh returns the status of a step that fails' \
    "$work/copy/run_workflow.sh" --results f
is "$(cd "$work/f" && echo ./*)" \
    './memory_log_ecm_prep.txt ./profile_ecm_prep.csv ./summary_ecm_prep.json' \
    'and stops there, with the records of that step'
is "$(summary "$work/f/summary_ecm_prep.json" outcome exit_status)" 7 \
    'of which the summary has the status'

refuses 'no pmon' 'none is not found' \
    env PMON="$work/none" "$example/run_workflow.sh"
is "$status" 127 'the status of a pmon that is not found'
refuses 'an unknown step' '^run_workflow.sh: --step is' \
    "$example/run_workflow.sh" --step prep
refuses 'an option without its value' '^run_workflow.sh: --results needs' \
    "$example/run_workflow.sh" --results
refuses 'an unknown option' '^run_workflow.sh: --fast: no such option' \
    "$example/run_workflow.sh" --fast

# A step that is told to stop dies of it and leaves no worker behind.
(cd "$work" && exec ecm_prep --weather-years 1000 --workers 2) &
step=$!
workers=
tries=0
while [ "$(echo "$workers" | wc -w)" -lt 2 ] && [ "$tries" -lt 200 ]; do
    sleep 0.05
    workers=$(cat "/proc/$step/task/$step/children")
    tries=$((tries + 1))
done
kill -TERM "$step"
wait "$step" 2>/dev/null
is $? 143 'ecm_prep dies of TERM'
left=
for worker in $workers; do
    if grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$worker/status"; then
        left="$left $worker"
    fi
done
is "$left" '' 'and leaves no worker behind'

# Bad input: one line that names what is wrong.
refuses 'no worker' "^ecm_prep: argument --workers: '0'" ecm_prep --workers 0
refuses 'no such data' '^ecm_prep: none/assumptions.json: No such' \
    ecm_prep --data none
refuses 'a profile without the profiler' '^ecm_prep: --profile needs' \
    ecm_prep --profile p.csv
refuses 'run without ecm_prep' '^run: none.json is not there; run ecm_prep' \
    run --prepared none.json
change_data measures.json 's/"relative_use": 0.86/"relative_use": 1.86/'
refuses 'a number out of its range' \
    'measures.json: measure 1: relative_use is 1.86; a number from 0 to 1' \
    ecm_prep --data data
change_data measures.json 's/"end_use": "cooling"/"end_use": "colling"/'
refuses 'an unknown end use' 'measure 8: end_use is "colling"; it must be' \
    ecm_prep --data data
change_data hourly_loads.csv '5s/[0-9.]*$/cold/'
refuses 'a text for a number' 'hourly_loads.csv:5: h23 is "cold"; a number' \
    ecm_prep --data data
change_data weather.csv '9d'
refuses 'a missing day' 'weather.csv:9: the days must be' ecm_prep --data data
sed '0,/"use_kwh_per_m2": /s//&9/' "$work/prepared_measures.json" \
    >"$work/wrong.json"
refuses 'an unbalanced market' \
    '^run: wrong.json: market 1, .*kWh/m2 in the months' \
    run --prepared wrong.json

is "$(example_files)" "$before" 'nothing is written beside the example'

done_testing
