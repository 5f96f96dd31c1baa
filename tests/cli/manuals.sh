#!/bin/sh
# SPDX-License-Identifier: MIT
# The rendered manuals: no line is wider than 80 columns, and no word of the
# text was taken for a macro.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
need_python

# The text of a manual, by each program that man(1) may use.
render() { # PROGRAM MANUAL
    case $1 in
    mandoc) mandoc -T utf8 -O width=80 "$2" ;;
    groff) groff -t -mandoc -Tutf8 -rLL=78n -P-cbou "$2" ;;
    esac
}

# Prints lines that are too wide, and headings with a word taken for a macro,
# such as In, which renders as <header.h>.
cat > faults.py << 'PY'
import re
import sys

text = re.sub(".\b", "", sys.stdin.buffer.read().decode())
text = re.sub("\x1b\\[[0-9;]*m", "", text)
if text.count("\n") < 20:
    print("no manual")
for number, line in enumerate(text.split("\n"), 1):
    if len(line) > 80:
        print("%d: %d columns: %s" % (number, len(line), line))
    if re.match(" {0,3}[^ ]", line) and re.search("<[a-z]+>", line):
        print("%d: %s" % (number, line))
PY

for program in mandoc groff; do
    for manual in "$srcdir"/man/*.[1-8]; do
        name=$(basename "$manual")
        if ! command -v "$program" > /dev/null; then
            skip "$name by $program" "$program is not installed"
            continue
        fi
        render "$program" "$manual" > text 2> err ||
            echo "status $?" >> err
        is "$(python3 faults.py < text)$(cat err)" '' "$name by $program"
    done
done

done_testing
