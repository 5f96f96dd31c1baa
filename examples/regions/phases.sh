#!/bin/sh
# SPDX-License-Identifier: MIT
# Phases of a shell script.
#
#     PMON_REGIONS=out ./phases.sh; cat out/regions
#     pmon --regions out -- ./phases.sh
set -eu

# A command as a phase; its status is passed on.
pmon region LOAD -- sleep 0.1
pmon region CHECK -- false || echo "the check failed"

# A part of the script itself, such as a function, needs two calls.
solve() {
    i=0
    while [ "$i" -lt 1000 ]; do
        i=$((i + 1))
    done
}

pmon region --begin SOLVE
solve
pmon region --end SOLVE
