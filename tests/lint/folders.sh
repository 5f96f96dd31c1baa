#!/bin/sh
# SPDX-License-Identifier: MIT
# The order of the folders of src/: which folder may include which.
. "$srcdir/tests/lib/tap.sh"

# A folder, and the other folders that its files may include.
order='
base
proc base
host base proc
step base proc
model base proc
engine base proc host step model
formats base proc model
views base proc model
regions base proc host model formats libpmon
record base proc host step model engine formats views regions
commands base proc host step model engine formats views regions record libpmon
watch base proc host formats
libpmon
'

# Lines of `file: folder` for each include below the folder $1 that $order
# does not allow; a file's own folder and config.h are always allowed.
wrong_includes() {
    (
        cd "$1" && grep -n '^#include "[a-z]*/' ./*/*.c ./*/*.h ./main.c
    ) | awk -v order="$order" '
        BEGIN {
            count = split(order, lines, "\n")
            for (i = 1; i <= count; i++) {
                names = split(lines[i], words, " ")
                for (j = 1; j <= names; j++)
                    allowed[words[1], words[j]] = 1
                known[words[1]] = names > 0
            }
        }
        {
            split($0, parts, ":")
            split(parts[1], path, "/")
            from = path[2]
            match($0, /"[a-z]*\//)
            to = substr($0, RSTART + 1, RLENGTH - 2)
            if (from != "main.c" && !((from, to) in allowed))
                print parts[1] ":" parts[2] ": " to
        }'
}

is "$(wrong_includes "$srcdir/src")" '' 'folders include in one order'

# The order has no circle: each folder is after those that it includes.
circles() {
    printf '%s' "$1" | awk 'NF {
        for (i = 2; i <= NF; i++)
            if (!($i in seen) && $i != "libpmon")
                print $1 " includes " $i
        seen[$1] = 1
    }'
}
is "$(circles "$order")" '' 'and the order has no circle'
is "$(circles 'a b
b a
')" 'a includes b' 'a circle is found'

folders=$(cd "$srcdir/src" && ls ./*/*.[ch] | cut -d / -f 2 | sort -u)
for folder in $folders; do
    is "$(printf '%s' "$order" | grep -cE "^$folder( |\$)")" 1 \
        "$folder has its place"
done

# A provoked fault is found.
mkdir -p bad/views bad/engine
echo '#include "engine/measure.h"' > bad/views/picture.c
echo '#include "base/num.h"' > bad/engine/measure.h
: > bad/main.c
is "$(wrong_includes bad)" './views/picture.c:1: engine' \
    'a view that includes the engine is found'

done_testing
