#!/bin/sh
# SPDX-License-Identifier: MIT
# Headings of the manuals are rendered in full: a word that is the name of a
# macro, such as In, would vanish.
. "$srcdir/tests/lib/tap.sh"

if ! command -v mandoc > /dev/null 2>&1; then
    echo '1..0 # SKIP mandoc is not installed'
    exit 0
fi

# The headings of a source, one per line, without escapes and quotes.
source_headings() {
    sed -n 's/^\.S[hs] //p' "$1" | sed -e 's/\\&//g' -e 's/"//g'
}

# Whether each heading of the manual $1 is a line of the rendered page.
lost_headings() {
    mandoc -T utf8 -O width=200 "$1" | sed 's/.\x08//g' > page
    source_headings "$1" | while read -r heading; do
        sed 's/^ *//' page | grep -qxF -e "$heading" || echo "$heading"
    done
}

for manual in "$srcdir"/man/*.[1-8]; do
    is "$(lost_headings "$manual")" '' "headings of ${manual##*/}"
done

cat > bad.1 <<'MAN'
.Dd December 1, 2026
.Dt BAD 1
.Os
.Sh NAME
.Nm bad
.Nd a page
.Sh DESCRIPTION
.Ss In the closing lines
Text.
MAN
is "$(lost_headings bad.1)" 'In the closing lines' \
    'a heading that begins with a macro is found'

done_testing
