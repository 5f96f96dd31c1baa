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
if [ "${COMPARED:-0}" -ne 0 ]; then
    echo "::error::pmon: the step $STEP needs more than its baseline allows"
    exit "$COMPARED"
fi
