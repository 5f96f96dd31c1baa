#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Run the workflow's steps under pmon and keep what it records of each.

set -u

usage() {
    cat <<'END'
usage: run_workflow.sh [--step ecm_prep|run] [--with-profiler] [--quick]
                       [--results DIR]

Runs both steps in order, or the one named, under pmon. DIR (default:
results) then holds what the steps wrote, and for each step
memory_log_STEP.txt, profile_STEP.csv and summary_STEP.json. A step that
fails ends the workflow with its status.

  --with-profiler  profile the steps' Python functions
  --quick          one weather year, one case: some seconds less
  PMON             environment variable: the pmon to use (default: pmon)
END
}

fail() {
    status=$1
    shift
    printf 'run_workflow.sh: %s\n' "$*" >&2
    exit "$status"
}

# Run one step. pmon appends to the step's profile; so that of an earlier run
# is moved away first, and back where this run makes none, because the step
# could not be started.
run_step() {
    step=$1
    profile=$results/profile_$step.csv
    earlier=$profile.earlier
    set -- "$here/bin/$step" --results "$results"
    [ -z "$profiler" ] || set -- "$@" "$profiler"
    case $step$quick in
    ecm_prep--quick) set -- "$@" --weather-years 1 ;;
    run--quick) set -- "$@" --cases 1 ;;
    esac

    if [ -f "$profile" ]; then
        mv -f -- "$profile" "$earlier" || return
    fi
    "$pmon" --step "$step" --results "$results" -- "$@"
    status=$?
    if [ -e "$profile" ]; then
        rm -f -- "$earlier"
    elif [ -f "$earlier" ]; then
        mv -f -- "$earlier" "$profile"
    fi
    return "$status"
}

steps='ecm_prep run'
profiler=
quick=
results=results
while [ $# -gt 0 ]; do
    case $1 in
    --step | --results)
        [ $# -gt 1 ] || fail 2 "$1 needs a value; see --help"
        case $1 in
        --step) steps=$2 ;;
        --results) results=$2 ;;
        esac
        shift
        ;;
    --with-profiler) profiler=$1 ;;
    --quick) quick=$1 ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail 2 "$1: no such option; see --help" ;;
    esac
    shift
done
case $steps in
'ecm_prep run' | ecm_prep | run) ;;
*) fail 2 "--step is ecm_prep or run, not $steps" ;;
esac
[ -n "$results" ] || fail 2 '--results needs a folder'

here=$(dirname -- "$(readlink -f -- "$0")")
pmon=${PMON:-pmon}
command -v -- "$pmon" >/dev/null ||
    fail 127 "$pmon is not found: put pmon on PATH or its path in PMON"

for name in $steps; do
    run_step "$name" || exit
done
