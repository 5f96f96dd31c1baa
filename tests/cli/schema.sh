#!/bin/sh
# SPDX-License-Identifier: MIT
# Summaries of all kinds of runs match src/schema/summary.schema.json; the
# checker finds those that do not.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set status
# shellcheck disable=SC2016  # steps are for another shell
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# Runs pmon, with any exit status; the summary is s.json
checked() { # DESC ARGUMENT...
    desc=$1
    shift
    rm -f s.json
    run "$PMON" --quiet --summary s.json "$@"
    is "$(check_summary s.json)" complete "$desc"
}

checked 'a step' --log m.txt -- sh -c 'sleep 0.2 & wait'
is "$(summary s.json outcome reason)" exited 'reason: exited'
cp s.json whole.json
checked 'a step that fails' -- sh -c 'exit 3'
is "$(summary s.json outcome exit_status)" 3 'status: 3'
checked 'a step that ends at once' -- true
checked 'a command that is not there' -- ./missing
is "$(summary s.json outcome reason)" not_found 'reason: not_found'
: > data
checked 'a file that is no program' -- ./data
is "$(summary s.json outcome reason)" not_executable 'reason: not_executable'
checked 'a step that a signal ends' -- sh -c 'kill -KILL $$'
is "$(summary s.json outcome reason)" signaled 'reason: signaled'
checked 'no children' --no-children -- sh -c 'sleep 0.1'
checked 'the control group, or why not' --exact -- sh -c 'sleep 0.1'
checked 'PSS' --pss -- sh -c 'sleep 0.2'
checked 'I/O, auto, csv' --include-io --interval auto --log m.csv \
    --log-format csv -- sh -c 'sleep 0.1'
checked 'survivors' -- sh -c 'sleep 1 > /dev/null 2>&1 &'
checked 'a process that runs' --pid $$ --duration 0.2
is "$(summary s.json outcome reason)" detached 'reason: detached'
checked 'budgets' --max-rss 1 --max-time 1h --max-cpu-time 1h -- sleep 0.1
is "$(summary s.json budgets 0 name) $(summary s.json budgets 0 passed)" \
    'max-rss false' 'a budget that is exceeded'
checked 'a budget that stops' --max-time 0.1:stop -- sleep 5
is "$(summary s.json outcome reason)" max_time 'reason: max_time'
checked 'regions' --regions regions -- \
    "$PMON" region 'a"b|c' -- "$PMON" region two -- true
is "$(summary s.json regions 0 name)" 'a"b|c' 'a region by its name'
name=$(printf 'a\nb\377\033[31m"`;')
checked 'hostile names' --step "$name" --full-commands -- \
    sh -c 'sleep 0.1' "$name"

# Arguments may be secrets: only those at the peak are shown
secret='--token=SECRET123'
checked 'secrets' -- sh -c 'sleep 0.3' sh $secret positional
is "$(grep -c SECRET123 s.json) $(summary s.json command argv)" "0 ['sh']" \
    'the text of a script and what follows it are not in the summary'
checked 'secrets' -- "$(command -v env)" -u SECRET123 sh -c 'sleep 0.1'
is "$(grep -c SECRET123 s.json) $(summary s.json command argv)" \
    "0 ['env', 'sh']" 'the value of an option is not, the argument behind it is'
checked 'secrets' -- "$(command -v env)" PASSWORD=SECRET123 sh -c 'sleep 0.1'
is "$(grep -c SECRET123 s.json) $(summary s.json command argv)" \
    "0 ['env', 'sh']" 'an assignment is not'
checked 'whole commands' --full-commands -- sh -c 'sleep 0.1' sh $secret
is "$(summary s.json command argv 4)" $secret 'all are with --full-commands'

# The words of the schema, one a line, that pmon-formats(5) does not have
"$python" -S - "$srcdir" > unsaid << 'PY'
import json, re, sys

text = open(sys.argv[1] + "/man/pmon-formats.5").read()
page = text[text.index(".Sh SUMMARY"):]
said = set(re.findall(r"[\w-]+(?: least)?", page))

def walk(schema):
    for key, below in schema.get("properties", {}).items():
        if key not in said:
            print(key)
        walk(below)
    for word in schema.get("enum", []):
        if word is not None and word not in said:
            print(word)
    if "items" in schema:
        walk(schema["items"])

walk(json.load(open(sys.argv[1] + "/src/schema/summary.schema.json")))
PY
is "$(cat unsaid)" '' 'pmon-formats(5) has all keys and words of the schema'

rm -f s.json
"$PMON" --quiet --summary s.json -- sh -c 'trap "" TERM; : > ready
    while ! [ -e go ]; do sleep 0.02; done' &
pid=$!
wait_until test -e ready
kill -TERM $pid
wait_until test -s s.json
is "$(check_summary s.json)" complete 'a step that runs'
is "$(summary s.json outcome reason)" running 'reason: running'
: > go
wait $pid
is "$(check_summary s.json)" complete 'and its end'

# ---- the checker ----

# Changes a value of whole.json and checks it
spoilt() { # PYTHON ERE DESC
    "$python" -S -c "import json, sys
value = json.load(open('whole.json'))
$1
json.dump(value, open('spoilt.json', 'w'))"
    like "$(check_summary spoilt.json)" "$2" "$3"
}

spoilt 'value["more"] = 1' 'more is not in the schema' 'a key too many'
spoilt 'del value["io"]["read_calls"]' 'io: read_calls is missing' 'a key less'
spoilt 'value["schema"] = True' 'True is not 1' 'true is not 1'
spoilt 'value["processes"]["seen"] = "1"' 'is no integer or null' 'a text'
spoilt 'value["processes"]["seen"] = 1.5' 'is no integer or null' 'a fraction'
spoilt 'value["time"]["wall_s"] = -1' 'less than 0' 'less than nothing'
spoilt 'value["cpu"]["total_word"] = "about"' 'is none of' 'another word'
spoilt 'value["series"]["cpu_percent"] = [0] * 513' 'too many' 'a long list'
spoilt 'value["series"]["cpu_percent"] = [0]' 'series of' 'lists that differ'
spoilt 'value["time"]["wall_s"] = float("nan")' 'NaN is no JSON' 'NaN'

# A step that sleeps twice has yielded its processor at least twice.
"$PMON" -q --summary load.json -- sh -c 'sleep 0.05; sleep 0.05'
is_true "$(summary load.json load voluntary_switches) >= 2" \
    'the switches of a step that waits'
"$PMON" -q --no-children --summary root.json -- sh -c 'sleep 0.05'
is "$(summary root.json load voluntary_switches)" null \
    'and none where children are not known'

done_testing
