#!/bin/sh
# SPDX-License-Identifier: MIT
# The scalars of a summary are the same in the table of fields, in the schema
# and in the manual.
. "$srcdir/tests/lib/tap.sh"
need_python

# group.key of each row of the table in model/run_fields.c.
table_keys() {
    sed -n 's/^ *{"\([a-z_]*\)", "\([a-z_]*\)",.*/\1.\2/p' \
        "$srcdir/src/model/run_fields.c" | sort
}

# group.key of the schema's objects, except lists of objects.
schema_keys() {
    python3 - "$1" <<'PY'
import json, sys
schema = json.load(open(sys.argv[1]))
for group, value in schema["properties"].items():
    for key in value.get("properties", {}):
        if group not in ("at_peak", "series") and key != "by_command":
            print(group + "." + key)
PY
}

# group.key of the items of the manual's list of a summary.
manual_keys() {
    sed -n 's/^\.It Va //p' "$1" | tr ',' '\n' | sed 's/[" ]//g' |
        grep '^[a-z_]*\.[a-z_]*$' | sort
}

table_keys > table
schema_keys "$srcdir/src/schema/summary.schema.json" | sort > schema
is "$(wc -l < table | tr -d ' ')" "$(sort -u table | wc -l | tr -d ' ')" \
    'no key stands twice in the table'
is "$(diff table schema)" '' 'table and schema have the same keys'
manual_keys "$srcdir/man/pmon-formats.5" |
    grep -vE '^(at_peak|series)\.|^processes\.by_command$' > manual
is "$(diff table manual)" '' 'and the manual has them'

# Provoked faults are found.
sed 's/"oom_kills"/"oom_killings"/' "$srcdir/src/schema/summary.schema.json" \
    > bad.json
schema_keys bad.json | sort > bad
like "$(diff table bad)" 'memory.oom_killings' 'another key in the schema is found'
grep -v 'oom_kills' "$srcdir/man/pmon-formats.5" > bad.5
manual_keys bad.5 > bad
like "$(diff table bad)" '< memory.oom_kills' 'a key that the manual lacks is found'

done_testing
