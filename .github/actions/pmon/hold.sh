#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Ends with the step's status, or else with that of the comparison.
#
#   STEP STATUS COMPARED

set -eu

case ${STATUS:-} in
'' | *[!0-9]*)
    echo "::error::pmon: the step $STEP has not run"
    exit 125
    ;;
0) ;;
*)
    echo "::error::pmon: the step $STEP ended with status $STATUS"
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
