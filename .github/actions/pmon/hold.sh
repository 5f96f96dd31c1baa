#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Ends with the step's status, or else with that of the comparison.
#
#   STEP STATUS OWN_STATUS COMPARED; OWN_STATUS is the step's as its summary has
#   it, null for a signal, and empty where there is no summary

set -eu

case ${STATUS:-} in
'' | *[!0-9]*)
    echo "::error::pmon: the step $STEP has not run"
    exit 125
    ;;
0) ;;
*)
    if [ -z "${OWN_STATUS:-}" ] || [ "$OWN_STATUS" = "$STATUS" ]; then
        said="ended with status $STATUS"
    else
        # As the step has another one, this is pmon's.
        case $STATUS/$OWN_STATUS in
        123/0) said='succeeded, but exceeded a budget: status 123' ;;
        123/*) said='was stopped, as it exceeded a budget: status 123' ;;
        124/*) said='was stopped, as it exceeded max-time: status 124' ;;
        *) said="ended with status $STATUS" ;;
        esac
    fi
    echo "::error::pmon: the step $STEP $said"
    exit "$STATUS"
    ;;
esac
case ${COMPARED:-0} in
0) exit 0 ;;
1) echo "::error::pmon: the step $STEP needs more than its baseline allows" ;;
*) echo "::error::pmon: whether the step $STEP needs more than its baseline" \
    'allows could not be decided; what was wrong stands above' ;;
esac
exit "$COMPARED"
