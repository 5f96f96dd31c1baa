#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tell whether changed files can make a difference to what is built and run.
#
#   changed-files.sh BASE HEAD    the files that differ between two commits
#   changed-files.sh              the files named on standard input, one a line
#
# Prints work=false where all of them are documentation, else work=true, a
# line for $GITHUB_OUTPUT. What cannot be told counts as work: a base that is
# not there (a new branch, a forced push) or no file at all.
set -u

is_documentation() {
    case $1 in
    tests/*) return 1 ;;
    *.md | LICENSE | doc/* | docs/* | man/* | .github/ISSUE_TEMPLATE/*)
        return 0
        ;;
    esac
    return 1
}

decide() {
    files=0
    while IFS= read -r file; do
        files=$((files + 1))
        if ! is_documentation "$file"; then
            printf 'changed: %s\n' "$file" >&2
            echo 'work=true'
            return
        fi
    done
    if [ "$files" -eq 0 ]; then
        echo 'no changed file is known' >&2
        echo 'work=true'
        return
    fi
    echo 'only documentation has changed' >&2
    echo 'work=false'
}

case $# in
0) decide ;;
2)
    # A moved file counts under both names, and a name that git must quote is
    # no documentation.
    git diff --name-only --no-renames "$1" "$2" -- | decide
    ;;
*)
    echo 'usage: changed-files.sh [BASE HEAD]' >&2
    exit 2
    ;;
esac
