#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the examples of README.md and of the manual: blocks marked sh in the
# README, literal displays under EXAMPLES in the manual.  All run in order in
# one scratch folder, each as a script.  Each must exit with 0, and write the
# files that it names or print something.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
need_python

# Lines of README.md that only make bare-check can run: the line without its
# comment, a tab, the reason.
not_run() {
    cat << 'END'
./bootstrap run	it installs packages and builds
./bootstrap check	it runs this test
./bootstrap install	it writes below /usr/local
cc examples/regions/phases.c -o phases_of_c $(pkg-config --cflags --libs libpmon)	libpmon is not installed
pmon --regions regions -- ./phases_of_c	it is not built
make -C build install prefix=/usr DESTDIR="$PWD/pkg"	make distcheck does that
END
}

# The blocks of a document, numbered: PREFIX.1, PREFIX.2, …

take_readme() { # FILE PREFIX MARKS
    awk -v prefix="$2" -v mark="$3" '
        /^```/ {
            inside = (" " mark " ") ~ (" " substr($0, 4) " ") && !inside
            if (inside)
                file = prefix "." ++count
            next
        }
        inside { sub(/^- run: /, ""); print > file }
    ' "$1"
}

take_manual() { # FILE PREFIX
    awk -v prefix="$2" '
        /^\.Sh / { examples = $2 == "EXAMPLES" }
        /^\.Ed/ { inside = 0 }
        inside {
            gsub(/\\-/, "-")
            gsub(/\\\(aq/, "\047")
            gsub(/\\\(dq/, "\"")
            gsub(/\\\(ha/, "^")
            gsub(/\\&/, "")
            gsub(/\\e/, "\\")
            print > file
        }
        examples && /^\.Bd -literal/ {
            inside = 1
            file = prefix "." ++count
        }
    ' "$1"
}

# Removes from a block the lines that a test cannot run, and lines of pmon that
# have already run.
drop_lines() { # BLOCK
    sed 's/[[:blank:]]*#[[:blank:]].*//' "$1" > "$work/bare"
    : > "$work/kept"
    while IFS= read -r line; do
        if not_run | cut -f 1 | grep -Fxq -e "$line"; then
            printf '%s\n' "$line" >> "$work/dropped"
        elif ! grep -Fxq -e "$line" "$work/ran"; then
            printf '%s\n' "$line" >> "$work/kept"
        fi
    done < "$work/bare"
    cmp -s "$work/bare" "$work/kept" || cp "$work/kept" "$1"
    grep '^pmon ' "$1" >> "$work/ran"
}

# The files that options and redirections of a block name, one per line, with
# letters replaced by patterns.
named_files() { # BLOCK
    awk '
        function name(file) {
            gsub(/%[a-z]/, "*", file)
            if (file ~ /^[a-z_\/*]+[.][a-z]+$/ && file !~ /^\/dev\//)
                print file
        }
        {
            step = results = ""
            for (i = 1; i < NF; i++) {
                if ($i ~ /^(-l|-o|--log|--plot|--summary|--append-peak|>|>>)$/)
                    name($(i + 1))
                if ($i == "--step")
                    step = $(i + 1)
                if ($i == "--results")
                    results = $(i + 1) "/"
            }
            if (step != "") {
                name(results "memory_log_" step ".txt")
                name(results "profile_" step ".csv")
                name(results "summary_" step ".json")
            }
        }
    ' "$1" | sort -u
}

# Prints what is wrong with a file of pmon; nothing if it is good.
find_fault() { # FILE
    case $1 in
    *memory_log*.txt)
        awk 'NR == 1 && !/^# Elapsed time   CPU/ { print "no header" }
            NR > 1 && !/^( +[0-9.]+)+$/ { print "no row: " $0 }
            NR > 1 && NF != 4 && NF != 8 { print NF " columns" }
            END { if (NR < 3) print NR " lines" }' "$1"
        ;;
    *memory_log*.csv)
        awk -F , 'NR == 1 && $1 != "elapsed_time" { print "no header" }
            NF != 5 && NF != 9 { print NF " columns" }
            END { if (NR < 3) print NR " lines" }' "$1"
        ;;
    *profile*.csv)
        tail -n 1 "$1" | awk -F , 'NF != 4 || $3 <= 0 { print "no peak: " $0 }'
        ;;
    *summary*.json)
        python3 -c 'import json, sys
if json.load(open(sys.argv[1]))["memory"]["peak_rss_bytes"] <= 0:
    print("no peak")' "$1" 2>&1
        ;;
    *.svg)
        head -c 5 "$1" | grep -q '<?xml' || echo 'no SVG'
        ;;
    *.pdf)
        head -c 5 "$1" | grep -q '%PDF-' || echo 'no PDF'
        ;;
    *)
        echo 'of a kind that this test does not know'
        ;;
    esac
}

# Checks that each named file was written since all files were dated back.
check_files() { # NAME
    while IFS= read -r pattern; do
        file=$(find . -path "./$pattern" -newer "$work/old" -size +0 | head -n 1)
        if [ -n "$file" ]; then
            is "$(find_fault "$file")" '' "$1: $pattern"
        else
            not_ok "$1: $pattern" 'it was not written'
        fi
    done < "$work/named"
}

# Prints why a block cannot be run here; nothing if it can.
why_skip() { # BLOCK
    if grep -q 'import numpy' "$1" && ! python3 -c 'import numpy' 2> /dev/null
    then
        echo 'numpy is not installed'
    elif grep -q 'column -t' "$1" && ! command -v column > /dev/null; then
        echo 'column is not installed'
    elif grep -q 'picture[.]' "$1" && ! command -v gnuplot > /dev/null; then
        echo 'gnuplot is not installed'
    elif grep -q 'summary_workflow' "$1" && ! [ -e summary_workflow.json ]; then
        echo 'the example that makes the summary was not run'
    fi
}

run_block() { # BLOCK NAME
    why=$(why_skip "$1")
    if [ -n "$why" ]; then
        skip "$2" "$why"
        return
    fi
    named_files "$1" > "$work/named"
    find . -type f -exec touch -t 202001010000 {} +
    timeout -k 5 120 sh -eu "$1" > "$work/out" 2> "$work/err" < /dev/null
    is "$?: $(grep -v '^pmon: ' "$work/err")" '0: ' \
        "$2: $(grep -m 1 . "$1" | cut -c 1-60)"
    check_files "$2"
    [ -s "$work/named" ] || [ -s "$work/out" ] ||
        not_ok "$2 does something" 'it names no file and prints nothing'
}

run_document() { # NAME LEAST
    blocks=0
    while [ -s "$work/$1.$((blocks + 1))" ]; do
        blocks=$((blocks + 1))
        drop_lines "$work/$1.$blocks"
        [ ! -s "$work/$1.$blocks" ] ||
            run_block "$work/$1.$blocks" "$1, example $blocks"
        if grep -Fxq "$customer" "$work/$1.$blocks"; then
            cat "$work/out" "$work/err" > "$work/printed"
        fi
    done
    is_true "$blocks >= $2" "$1: at least $2 blocks of examples"
}

mkdir bin scratch
ln -s "$PMON" bin/pmon
# The first python3 on PATH may lack numpy, which the system's has.
if ! python3 -c 'import numpy' 2> err &&
    /usr/bin/python3 -c 'import numpy' 2> err; then
    ln -s /usr/bin/python3 bin/python3
fi
PATH=$work/bin:$srcdir/examples/workflow/bin:$PATH
# The file for the job summary in a workflow of GitHub.
GITHUB_STEP_SUMMARY=$work/job_summary.md
export PATH GITHUB_STEP_SUMMARY

customer='pmon --log memory_log.txt -- ecm_prep'
: > dropped
: > ran
touch -t 202001020000 old
# Blocks marked yaml are steps of a workflow of GitHub.
take_readme "$srcdir/README.md" README "sh yaml"
take_readme "$srcdir/README.md" shown text
take_manual "$srcdir/man/pmon.1" pmon.1
take_manual "$srcdir/man/pmon-formats.5" pmon-formats.5
take_manual "$srcdir/man/pmon-watch.8" pmon-watch.8

ln -s "$srcdir/examples" scratch/examples
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
cd scratch || exit 99
run_document README 6
is "$(sort "$work/dropped")" "$(not_run | cut -f 1 | sort)" \
    'each line that is not run stands in the README once'
# On a loaded machine a line says what slowed the step, and a row may meet
# another command on its way to Python, so that there is a line of commands.
is "$(sed '/^pmon: slowed /d; /^pmon: commands /d; s/[0-9].*//' \
    "$work/printed")" \
    "$(sed 's/[0-9].*//' "$work/shown.1")" \
    'the README shows the output, up to the first number of each line'

pipeline=$(grep -h '^grep .*column' "$work"/shown.*)
# Lines that --github appends, each up to its first number
lines_of_summary() {
    sed 's/[0-9].*//; s/vm/HOST/' "$1" | grep -v '^ *y-axis\|^$'
}
# Which small commands are seen differs from run to run, and on each machine.
without_commands() {
    awk '/^[|] command [|]/ {print; skips = 1}
        !skips {print}
        /^$/ {skips = 0}'
}
sed -n 's/^> \{0,1\}//p' "$srcdir/README.md" |
    without_commands > "$work/quoted.md"
sed "s/| $(uname -n) |/| vm |/" "$work/job_summary.md" 2> "$work/err" |
    without_commands |
    head -n "$(grep -c '' "$work/quoted.md")" > "$work/appended.md"
if [ -s "$work/job_summary.md" ]; then
    is "$(lines_of_summary "$work/appended.md")" \
        "$(lines_of_summary "$work/quoted.md")" 'and what a job summary has'
else
    skip 'and what a job summary has' 'gnuplot is not installed'
fi

if command -v column > /dev/null; then
    is "$(sh -c "${pipeline%>>*}")" "$(pmon peak memory_log.txt | tail -n 1)" \
        'pmon peak and the line that it replaces agree'
else
    skip 'pmon peak and the line that it replaces agree' \
        'column is not installed'
fi

# For the example with %r.
SLURM_PROCID=3
export SLURM_PROCID
run_document pmon.1 7
run_document pmon-formats.5 6
run_document pmon-watch.8 2

done_testing
