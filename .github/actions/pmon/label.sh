#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tells whether the step is to be recorded: record=true or record=false for
# $GITHUB_OUTPUT.  The labels are asked for while the job runs, so that after
# setting one "Re-run all jobs" is enough.
#
#   LABEL EVENT REPOSITORY NUMBER GH_TOKEN

set -eu

decide() {
    if [ -z "$LABEL" ] || [ -z "${NUMBER:-}" ]; then
        echo 'record=true'
        return
    fi
    case $EVENT in
    pull_request | pull_request_target) ;;
    *)
        echo 'record=true'
        return
        ;;
    esac
    command -v gh > /dev/null || {
        echo "::error::pmon: gh is not installed on this runner, and reads" \
            'the labels of pull requests: install it, or leave label empty' >&2
        exit 1
    }
    labels=$(gh api "repos/$REPOSITORY/issues/$NUMBER/labels?per_page=100" \
        --jq '.[].name') || {
        echo "::error::pmon: the labels of #$NUMBER cannot be read; the job" \
            'needs the permission pull-requests: read' >&2
        exit 1
    }
    if printf '%s\n' "$labels" | grep -Fxq -e "$LABEL"; then
        echo 'record=true'
    else
        echo "pmon: no label $LABEL: the step runs unrecorded" >&2
        echo 'record=false'
    fi
}

decided=$(decide)
echo "$decided" >> "$GITHUB_OUTPUT"
