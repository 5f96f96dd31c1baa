#!/bin/sh
# SPDX-License-Identifier: MIT
# README and manuals name exactly what the program has: options, commands,
# letters in names, variables, units, statuses, keys of the summary; and the
# files that they link to exist.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"

# Both sets, one element per line, must be equal and not empty.
same() { # PROGRAM DOCUMENT LEAST DESC
    sort -u "$1" > one
    sort -u "$2" > two
    if cmp -s one two && [ "$(grep -c . one)" -ge "$3" ]; then
        ok "$4"
    else
        not_ok "$4" "$(grep -c . one) of at least $3
not in the document: $(comm -23 one two | tr '\n' ' ')
not in the program:  $(comm -13 one two | tr '\n' ' ')"
    fi
}

# A manual page without its escapes
plain() { # FILE
    sed 's/\\-/-/g; s/\\&//g' "$1"
}

# The lines of one section or subsection
section() { # NAME FILE
    awk -v name="$1" '
        /^\.S[hs] / { inside = substr($0, 5) == name; next }
        /^\.Sh / { inside = 0 }
        inside
    ' "$2"
}

"$PMON" --help > help
plain "$srcdir/man/pmon.1" > manual
plain "$srcdir/man/pmon-formats.5" > formats
plain "$srcdir/man/pmon-watch.8" > manual_watch
readme=$srcdir/README.md

# ---- options: letter, name, argument ----

lower_argument() {
    awk '{ print $1, $2, tolower($3) }'
}
sed -n 's/^  \(-[A-Za-z],\|   \) --\([a-z-]*\) \([^ ]*\) .*/\1 \2 \3/p' help |
    sed 's/^-\(.\),/\1/; s/^   /none/' | lower_argument > program
section OPTIONS manual |
    sed -n 's/^\.It Fl \(. , Fl \)\{0,1\}-\([a-z-]*\)\(.*\)/\1:\2 \3/p' |
    sed 's/^\(.\) , Fl :/\1 /; s/^:/none /; s/  *Ar / /' |
    lower_argument > named
same program named 16 'options of --help and of pmon(1)'

cut -d ' ' -f 2 program > long

# The options of a command, in a subsection of its name
for command in compare plot report; do
    "$PMON" $command --help |
        sed -n 's/^  \(-[A-Za-z],\|   \) --\([a-z-]*\) \([^ ]*\) .*/\1 \2 \3/p' |
        sed 's/^-\(.\),/\1/; s/^   /none/' | lower_argument > program
    section "pmon $command" manual |
        sed -n 's/^\.It Fl \(. , Fl \)\{0,1\}-\([a-z-]*\)\(.*\)/\1:\2 \3/p' |
        sed 's/^\(.\) , Fl :/\1 /; s/^:/none /; s/  *Ar / /' |
        lower_argument > named
    same program named 3 "options of pmon $command --help and of pmon(1)"
    cut -d ' ' -f 2 program >> long
done
"$PMON" region --help | sed -n 's/.*pmon region --\([a-z]*\).*/\1/p' > program
section 'pmon region' manual | sed -n 's/^\.It Fl -\([a-z]*\).*/\1/p' > named
same program named 2 'options of pmon region --help and of pmon(1)'
cat program >> long

# The options of the daemon, in its own manual
"$PMON" watch --help |
    sed -n 's/^  \(-[A-Za-z],\|   \) --\([a-z-]*\) \([^ ]*\) .*/\1 \2 \3/p' |
    sed 's/^-\(.\),/\1/; s/^   /none/' | lower_argument > program
section OPTIONS manual_watch |
    sed -n 's/^\.It Fl \(. , Fl \)\{0,1\}-\([a-z-]*\)\(.*\)/\1:\2 \3/p' |
    sed 's/^\(.\) , Fl :/\1 /; s/^:/none /; s/  *Ar / /' |
    lower_argument > named
same program named 13 'options of pmon watch --help and of pmon-watch(8)'
cut -d ' ' -f 2 program > long_watch

# Its variables: the error for a bad value names each
: > program
for variable in ENABLED PROCESS_FILTERS REFRESH_INTERVAL STORAGE_DIR \
    LOGGING_LEVEL; do
    env X_$variable=, "$PMON" watch --env-prefix X_ --count 1 2>&1 |
        sed -n 's/^pmon: X_\([A-Z_]*\)=,: .*/\1/p' >> program
done
section ENVIRONMENT manual_watch | sed -n 's/^\.It Ev //p' > named
same program named 5 'variables of pmon watch and of pmon-watch(8)'

{
    grep -oh 'Fl -[a-z][a-z-]*' manual formats manual_watch | sed 's/^Fl -//'
    grep -o -- '--[a-z][a-z-]*' "$readme" | sed 's/^--//'
} | sort -u > used
sort -u long long_watch > one
printf '%s\n' without-libproc enable-psrecord-link cflags libs >> one # configure's, pkg-config's
sort -o one one
is "$(comm -13 one used)" '' 'no text names a missing option'
while IFS= read -r option; do
    grep -Eq -e "^\.It Fl .*-$option( |\$)" manual ||
        not_ok "--$option is described" 'it has no item'
done < long

sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help > program
section SYNOPSIS manual | sed -n 's/^\.Cm //p' > named
same program named 1 'commands of --help and of pmon(1)'

# ---- letters in names of files, and the variables behind them ----

"$PMON" --log '%Z' -- true 2>&1 |
    grep -o '[a-z] ([^)]*)' | cut -c 1 > program
section 'Names of files' manual | sed -n 's/^\.It Li %\([a-z]\)$/\1/p' > named
same program named 6 'letters of the error and of pmon(1)'
sed -n '/^Times:/,/^$/p' help | grep -o '%[a-z]' | tr -d % > program
same program named 6 'letters of --help and of pmon(1)'

variables_of_error() { # LETTER
    env -i "$PMON" --log "%$1" -- true 2>&1 |
        sed -n "s/.*%$1 needs one of the variables //p" | tr -d ' ' |
        tr , '\n'
}
variables_of_manual() { # LETTER
    section ENVIRONMENT manual | awk -v letter="%$1" '
        /^\.Li / { inside = $2 == letter }
        /^\.It Ev / && inside { print $3 }'
}
for letter in r j a; do
    variables_of_error $letter > program
    variables_of_manual $letter > named
    same program named 4 "variables of %$letter"
    is "$(cat program)" "$(cat named)" "variables of %$letter, in order"
done

# ---- units of times ----

section Times manual | sed -n 's/^\.Li \([a-z]\{1,\}\)\( .*\)\{0,1\}$/\1/p' > named
sed -n 's/^Times: seconds, or \(.*\)\.$/\1/p' help | tr -d ' ' |
    tr , '\n' > program
same program named 4 'units of --help and of pmon(1)'
while IFS= read -r unit; do
    "$PMON" --quiet --interval "5$unit" -- true 2> err
    is "$?: $(cat err)" '0: ' "the unit $unit is taken"
done < named

# ---- and of sizes ----

section Sizes manual |
    sed -n 's/^\.Li \([A-Za-z]\{1,2\}\)\( .*\)\{0,1\}$/\1/p' > named
sed -n 's/^Sizes: bytes, or \(.*\) of 1000\.$/\1/p' help |
    sed 's/ of 1024//' | tr -d ' ' | tr , '\n' > program
same program named 8 'units of sizes of --help and of pmon(1)'
while IFS= read -r unit; do
    "$PMON" --quiet --max-rss "900000$unit" -- true 2> err
    is "$?: $(cat err)" '0: ' "the unit $unit is taken"
done < named

# ---- statuses ----

sed -n '/^Exit status/,$p' help | grep -oE '[0-9]{3}' > program
section 'EXIT STATUS' manual | sed -n 's/^\.It \([0-9]\{3\}\).*/\1/p' > named
same program named 4 'statuses of --help and of pmon(1)'
sed -n '/^| exit status/,/^$/s/^| \([0-9]\{3\}\).*/\1/p' "$readme" \
    > named
same program named 4 'statuses of --help and of the README'

# ---- keys of the summary ----

if has_python; then
    "$PMON" --quiet --summary s.json -- true
    python3 -S - s.json > program << 'PY'
import json, sys

for key, value in json.load(open(sys.argv[1])).items():
    if isinstance(value, dict) and value:
        for below in value:
            print(key + "." + below)
    else:
        print(key)
PY
    awk '/^\.Sh / { inside = $2 == "SUMMARY" } inside' formats |
        sed -n 's/^\.It Va //p' | tr -d ' ' | tr , '\n' > named
    same program named 70 'keys of the summary and of pmon-formats(5)'
else
    skip 'keys of the summary and of pmon-formats(5)' \
        'python3 is not installed'
fi

# ---- keys of a row ----

"$PMON" --quiet --log m.jsonl --log-format jsonl --include-io -- true
head -n 1 m.jsonl | grep -o '"[a-z_]*"' | tr -d '"' > program
awk '/^\.Sh / { inside = $2 == "JSON" } inside' formats |
    sed -n 's/^\.It Va //p' | tr -d ' ' | tr , '\n' > named
same program named 10 'keys of a jsonl row and of pmon-formats(5)'

# ---- links ----

grep -o '](\([^)]*\))' "$readme" "$srcdir/.github/CONTRIBUTING.md" |
    sed 's/.*](\(.*\))/\1/' | grep -v '^https*:' > links
is_true "$(grep -c . links) >= 4" 'README and CONTRIBUTING have links'
while IFS= read -r link; do
    [ -e "$srcdir/$link" ] || not_ok "the link to $link" 'it leads nowhere'
done < links

if command -v mandoc > /dev/null; then
    is "$(mandoc -T lint -W warning "$srcdir"/man/*.[1-8] 2>&1)" '' \
        'mandoc has no warning'
else
    skip 'mandoc has no warning' 'mandoc is not installed'
fi

done_testing
