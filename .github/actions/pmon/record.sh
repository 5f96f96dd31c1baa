#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the step, under pmon or, where it is not to be recorded, without.  Its
# status goes to $GITHUB_OUTPUT and is held by hold.sh, when the files have
# been kept.
#
#   PMON_ACTION_RECORD, _RUN, _STEP, _RESULTS, _INTERVAL, _BUDGETS, _OPTIONS,
#   _PICTURE, _ARTIFACT, _JOBS, _JOB; the step does not see them

set -eu
set -f # inputs are split at blanks, and nothing else

fail() {
    printf '::error::pmon: %s\n' "$*" >&2
    exit 125
}

record=$PMON_ACTION_RECORD
results=$PMON_ACTION_RESULTS
interval=$PMON_ACTION_INTERVAL
budgets=$PMON_ACTION_BUDGETS
options=$PMON_ACTION_OPTIONS
picture=$PMON_ACTION_PICTURE
artifact=$PMON_ACTION_ARTIFACT
# The jobs of a matrix have one name of the step, but not one artifact.
index=
[ "${PMON_ACTION_JOBS:-1}" = 1 ] || index=-${PMON_ACTION_JOB-}
step=$(printf '%s' "$PMON_ACTION_STEP" | tr -c 'A-Za-z0-9._-' _)
[ -n "$step" ] || fail 'step: a name is missing'
[ -n "$PMON_ACTION_RUN" ] || fail 'run: the lines of the step are missing'

# Where `run` of a workflow with `shell: bash` would be written and run
script=$RUNNER_TEMP/pmon-$step.sh
printf '%s\n' "$PMON_ACTION_RUN" > "$script"
unset PMON_ACTION_RECORD PMON_ACTION_RUN PMON_ACTION_STEP PMON_ACTION_RESULTS
unset PMON_ACTION_INTERVAL PMON_ACTION_BUDGETS PMON_ACTION_OPTIONS
unset PMON_ACTION_PICTURE PMON_ACTION_ARTIFACT PMON_ACTION_PATH
unset PMON_ACTION_JOBS PMON_ACTION_JOB

run() {
    "$@" bash --noprofile --norc -eo pipefail "$script" && status=0 || status=$?
    echo "status=$status" >> "$GITHUB_OUTPUT"
}

if [ "$record" != true ]; then
    run
    exit 0
fi

mkdir -p -- "$results"
results=$(CDPATH='' cd -- "$results" && pwd)
rm -f -- "$results/memory_log_$step.txt" "$results/summary_$step.json"
set -- pmon --step "$step" --results "$results" --interval "$interval"
for word in $budgets; do
    case $word in
    max-rss=* | max-time=* | max-cpu-time=* | min-free=*)
        set -- "$@" "--$word"
        ;;
    *)
        known='max-rss=, max-time=, max-cpu-time= and min-free='
        fail "budgets: $word: only $known are"
        ;;
    esac
done
drawn=
case $picture in
'') ;;
svg | png | pdf)
    if pmon --help | grep -q -e ' --plot '; then
        drawn=$results/plot_$step.$picture
        rm -f -- "$drawn"
        set -- "$@" --plot "$drawn"
        command -v gnuplot > /dev/null ||
            echo '::notice::pmon: there is no picture, as gnuplot is not' \
                'installed on this runner: apt-get install gnuplot-nox in a' \
                "step before, or picture: ''"
    fi
    ;;
*) fail "picture: $picture: svg, png, pdf or nothing" ;;
esac
# shellcheck disable=SC2086 # words
set -- "$@" $options
name_files() {
    {
        echo "log=$results/memory_log_$step.txt"
        echo "profile=$results/profile_$step.csv"
        echo "summary=$results/summary_$step.json"
        echo "artifact=${artifact:-pmon-$step$index}"
    } >> "$GITHUB_OUTPUT"
}
# Before, for a job that is cancelled, and after: the step has the same
# $GITHUB_OUTPUT, and the last line of a name counts.
name_files
run "$@" --
name_files
[ -e "$drawn" ] || drawn= # without gnuplot
own=$(sed -n 's/^ *"exit_status": \([0-9a-z]*\),*$/\1/p' \
    "$results/summary_$step.json" 2> /dev/null | head -n 1)
echo "own_status=$own" >> "$GITHUB_OUTPUT"
echo "picture=$drawn" >> "$GITHUB_OUTPUT"
