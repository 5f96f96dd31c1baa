#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Adds what was recorded to the job summary, and what has changed from a
# baseline.  compared= in $GITHUB_OUTPUT is 0, or the status of pmon compare
# where a limit was exceeded, 1, or could not be decided, 2.
#
#   SUMMARY BASELINE FAIL_OVER

set -eu

compared=0
if [ ! -s "$SUMMARY" ]; then
    echo "::warning::pmon: $SUMMARY was not written"
    exit 0
fi
pmon report --github "$SUMMARY" ||
    echo '::warning::pmon: the job summary could not be written'

if [ -n "$BASELINE" ] && [ ! -e "$BASELINE" ]; then
    echo "::warning::pmon: $BASELINE is not there: nothing to compare with"
elif [ -n "$BASELINE" ] &&
    ! said=$(pmon compare "$BASELINE" "$SUMMARY" 2>&1 > /dev/null); then
    # A new step, or a folder that is filled later
    printf '%s\n' "$said" >&2
    echo "::warning::pmon: $BASELINE has nothing to compare $SUMMARY with"
elif [ -n "$BASELINE" ]; then
    set -- compare
    [ -z "$FAIL_OVER" ] || set -- "$@" --fail-over "$FAIL_OVER"
    pmon "$@" --format markdown "$BASELINE" "$SUMMARY" \
        >> "$GITHUB_STEP_SUMMARY" || compared=$?
    pmon "$@" "$BASELINE" "$SUMMARY" || compared=$?
fi
echo "compared=$compared" >> "$GITHUB_OUTPUT"
