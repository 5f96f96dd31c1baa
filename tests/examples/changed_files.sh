#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Which changed files make the example's CI workflow run.

# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

changed_files=$srcdir/.github/changed-files.sh

# A list of names, one argument each, must lead to this decision.
decides() {
    want=$1
    what=$2
    shift 2
    is "$(printf '%s\n' "$@" | "$changed_files" 2>"$work/err")" \
        "work=$want" "$what"
}

decides false 'documentation' README.md doc/a.txt docs/b/c.png man/pmon.1 \
    LICENSE examples/workflow/README.md .github/CONTRIBUTING.md
decides true 'one source file among documentation' README.md src/main.c LICENSE
like "$(cat "$work/err")" '^changed: src/main.c$' 'it says which file'
decides true 'the example' examples/workflow/bin/run
decides true 'the data of the example' examples/workflow/data/weather.csv
decides true 'a workflow file' .github/workflows/ci.yml
decides true 'a document that a test compares with' tests/views/report.md
decides true 'a folder that only ends like one of documents' src/man/a.c
decides true 'a name with blanks' 'README.md src/main.c'
decides true 'a name that git quotes' '"doc \344.md"'
is "$("$changed_files" 2>"$work/err" </dev/null)" work=true 'no file at all'
"$changed_files" one 2>"$work/err" </dev/null
is $? 2 'one commit is not enough'

if ! command -v git >/dev/null; then
    skip 'commits' 'there is no git'
    done_testing
fi

GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM

# Commit all that is in the scratch folder.
commit() {
    git add -A . &&
        git -c user.name=test -c user.email=test@example.com \
            commit -q -m "$1" || exit 99
}

git init -q . || exit 99
mkdir src doc
echo code >src/main.c
echo text >README.md
commit first
echo more >>README.md
commit words
is "$("$changed_files" HEAD~1 HEAD 2>err)" work=false 'a commit of words'
echo more >>src/main.c
commit code
is "$("$changed_files" HEAD~2 HEAD 2>err)" work=true 'words and code'
git mv src/main.c doc/main.md
commit move
is "$("$changed_files" HEAD~1 HEAD 2>err)" work=true 'code moved to documents'
is "$("$changed_files" HEAD HEAD 2>err)" work=true 'no difference'
is "$("$changed_files" 0000000000000000000000000000000000000000 HEAD 2>err)" \
    work=true 'a base that is not there'

done_testing
