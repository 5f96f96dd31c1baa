#!/bin/sh
# SPDX-License-Identifier: MIT
# --tag: in the summary, as a column of report, in the key of compare.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# ---- the summary ----

run env BRANCH=feature/x "$PMON" -q --step s --summary a.json \
    --tag branch='%{BRANCH}' --tag nodes=1 --tag note='50%% of %s, a=b' \
    --tag empty= -- true
is "$status: $(cat err)" '0: ' 'tags are taken'
is "$(check_summary a.json)" complete 'their summary keeps to the schema'
is "$("$python" -S -c 'import json; print(json.load(open("a.json"))["tags"])')" \
    "{'branch': 'feature/x', 'nodes': '1', 'note': '50% of s, a=b', 'empty': ''}" \
    'in their order, with letters replaced'
run "$PMON" -q --summary twice.json --tag a=1 --tag b=2 --tag a=3 -- true
is "$("$python" -S -c 'import json; print(json.load(open("twice.json"))["tags"])')" \
    "{'a': '3', 'b': '2'}" 'the last of a name counts'
run "$PMON" -q --summary none.json -- true
is "$(summary none.json tags)" '{}' 'without tags it is empty'

# ---- errors ----

refused() { # WANT ARGUMENT...
    want=$1
    shift
    run "$PMON" "$@" -- touch started
    is "$status: $(cat err)" "125: pmon: $want" "$*"
}
shape='must be NAME=VALUE, with a NAME of letters, digits, _, - and . that begins with a letter'
for tag in nodes =1 '' 1a=1 'a b=1' 'é=1' '../a=1'; do
    refused "--tag $tag: $shape" --tag "$tag"
done
long=$(printf '%065d' 0 | tr 0 a)
run "$PMON" --tag "$long=1" -- touch started
like "$status: $(cat err)" '^125: pmon: --tag aaa.*: must be NAME=VALUE' 'a NAME of 65 bytes'
refused '--tag a=%{NOPE}: the variable NOPE is not set; export it, or leave %{NOPE} out' \
    --tag 'a=%{NOPE}'
refused '--tag a=50%: % may be followed by h (host), p (pid), s (step), r (rank), j (job), a (array index), {NAME} (a variable) or %' \
    --tag a=50%
refused '--tag a=%p: %p is not known before the step; use %s, %r, %j or %a' \
    --tag a=%p
set --
for number in 1 2 3 4 5 6 7 8; do
    set -- "$@" --tag "a$number=1" --tag "b$number=1" --tag "c$number=1" \
        --tag "d$number=1"
done
run "$PMON" -q "$@" --tag a1=2 -- true
is "$status: $(cat err)" '0: ' '32 tags'
refused '--tag e=1: a run has at most 32 tags' "$@" --tag e=1
is "$(ls started 2> bad)" '' 'no step was started'

# ---- report ----

mkdir runs
for nodes in 1 2; do
    run "$PMON" -q --step s --summary runs/$nodes.json --tag nodes=$nodes \
        --tag branch=main -- true
done
cp none.json runs/3.json
run "$PMON" report runs
like "$(head -n 1 out)" 'nodes +branch$' 'report: a column for each tag'
like "$(sed -n 3p out)" ' 2 +main$' 'with its value'
like "$(sed -n 4p out)" ' - +-$' 'and a dash where a run has none'
run "$PMON" report --format csv --sort tag:nodes runs
like "$(head -n 1 out)" ',tag:nodes,tag:branch$' 'the columns of the CSV'
is "$(awk -F, 'NR > 1 { print $(NF - 1) }' out | tr '\n' ' ')" '1 2  ' \
    'sorted by a tag'
run "$PMON" report --format json runs/1.json
is "$(summary out runs 0 tag:nodes)" 1 'the keys in JSON'
run "$PMON" report --format csv none.json
unlike "$(head -n 1 out)" tag 'no column where no run has tags'

# Tags that another program wrote
"$python" -S "$srcdir/tests/lib/make_summary.py" none.json bad.json \
    'tags={"a": 1, "": "x", "b\nc": "x", "é": "x", "ok": "\u001b[1mx\n", "d e": "x"}'
run "$PMON" report bad.json
like "$(head -n 1 out)" 'rows +ok$|  ok$' 'what no tag can be is left out'
like "$(sed -n 2p out)" ' \?\[1mx\?$' 'a hostile value'
"$python" -S -c 'import json
run = json.load(open("none.json"))
run["tags"] = {"t%d" % i: "x" for i in range(1000)}
json.dump(run, open("many.json", "w"))'
run "$PMON" report --format csv many.json
is "$(head -n 1 out | grep -o tag: | wc -l | tr -d ' ')" 32 \
    'a thousand tags make no thousand columns'

# ---- compare ----

mkdir base new
for run in 1 2 3; do
    for nodes in 1 2; do
        for side in base new; do
            wall=$((100 / nodes + run))
            # It has become slower only with two nodes
            [ $side$nodes != new2 ] || wall=$((wall + 40))
            "$python" -S "$srcdir/tests/lib/make_summary.py" runs/$nodes.json \
                $side/$nodes$run.json time.wall_s=$wall
        done
    done
done
run "$PMON" compare --format json base new
is "$(summary out changes 0 base_runs) $(summary out changes 0 tag)" '6 null' \
    'compare: without --by all runs of a step are one row'
run "$PMON" compare --by tag:nodes --fail-over wall=10% base new
is "$status: $(cat err)" '1: ' 'compare --by tag:NAME'
like "$(tr -s ' ' < out)" '^s 1 time 1 min 42.0 s .* within noise kept' \
    'the runs of one value'
like "$(tr -s ' ' < out)" '^s 2 time 52.0 s .* more exceeded' 'and of the other'
like "$(head -n 1 out)" '^step +tag +figure' 'the column of the tag'
run "$PMON" compare --by tag:branch --format json base new
is "$(summary out changes 0 base_runs) $(summary out changes 0 tag)" '6 main' \
    'runs of the same value are one row'
rm new/2*.json
run "$PMON" compare --by tag:nodes --fail-over wall=10% base new
is "$status: $(cat err)" \
    '2: pmon: s, nodes 2: has no run in NEW; its limits are not decided' \
    'a value that NEW lacks is not decided'
run "$PMON" compare --by tag:branhc base new
is "$status: $(cat err)" \
    '2: pmon: compare --by tag:branhc: no run has this tag; pmon --tag branhc=VALUE sets it' \
    'a tag that no run has'
for by in tag: nodes 'tag:a b' ''; do
    run "$PMON" compare --by "$by" base new
    is "$status: $(cat err)" "2: pmon: --by $by: must be tag:NAME, with the name of a tag" \
        "--by '$by'"
done

done_testing
