#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the composite action of .github/actions/pmon as a runner would, and
# checks that the workflows are valid.
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_python

action=$srcdir/.github/actions/pmon
unset GITHUB_OUTPUT GITHUB_PATH GITHUB_STEP_SUMMARY
RUNNER_TEMP=$work/runner
export RUNNER_TEMP
mkdir "$RUNNER_TEMP" bin
ln -s "$PMON" bin/pmon
without=$PATH
with=$work/bin:$PATH

# ---- each part by itself ----

# part NAME VARIABLE=VALUE…: runs a part with these variables.  Its streams go
# to out, its outputs to output and path.
part() {
    name=$1
    shift
    : > output
    : > path
    : > summary.md
    env GITHUB_OUTPUT="$work/output" GITHUB_PATH="$work/path" \
        GITHUB_STEP_SUMMARY="$work/summary.md" ACTION="$action" "$@" \
        timeout -k 5 60 bash -eo pipefail -c "sh '$action/$name.sh'" > out 2>&1
    status=$?
}

cat > bin/gh << 'END'
#!/bin/sh
[ "$1 $2" = "api repos/o/r/issues/7/labels?per_page=100" ] || exit 9
[ -z "${GH_FAILS-}" ] || exit 1
printf 'bug\nrun-profiler\n'
END
chmod +x bin/gh
PATH=$with
label() { # WANT DESC VARIABLE=VALUE…
    want=$1
    what=$2
    shift 2
    part label REPOSITORY=o/r GH_TOKEN=x "$@"
    is "$status: $(cat output)" "0: record=$want" "$what"
}
label true 'no label is asked for' LABEL= EVENT=pull_request NUMBER=7
label true 'a push has no labels' LABEL=run-profiler EVENT=push NUMBER=
label true 'a pull request with the label' LABEL=run-profiler \
    EVENT=pull_request NUMBER=7
label false 'one without it' LABEL=profiler EVENT=pull_request NUMBER=7
label false 'a label is no pattern' LABEL=run.profiler EVENT=pull_request \
    NUMBER=7
mkdir no_gh
for each in sh bash env timeout cat grep; do
    ln -s "$(command -v $each)" no_gh/$each
done
part label REPOSITORY=o/r LABEL=x EVENT=pull_request NUMBER=7 GH_TOKEN=x \
    PATH="$work/no_gh"
is "$status: $(cat out)" "1: ::error::pmon: gh is not installed on this runner, and reads the labels of pull requests: install it, or leave label empty" \
    'a runner without gh gets a message'
part label REPOSITORY=o/r LABEL=x EVENT=pull_request NUMBER=7 GH_TOKEN=x \
    GH_FAILS=1
is "$status: $(cat output)" '1: ' 'labels that cannot be read are an error'
like "$(cat out)" '^::error::.*pull-requests: read' 'which names the permission'

part get VERSION= SHA256= REPOSITORY=o/r SERVER=x
is "$status: $(cat path)" "0: $work/bin" 'a pmon on the path is used'

# A release, served from files
machine=$(uname -m)
release=$work/server/o/r/releases/download/v9.8.7
mkdir -p "$release"
printf '#!/bin/sh\necho "pmon 9.8.7"\n' > "$release/pmon-9.8.7-linux-$machine"
(cd "$release" && sha256sum pmon-* > SHA256SUMS)
good=$(cut -d ' ' -f 1 "$release/SHA256SUMS")
bad=$(printf '%064d' 0)
if command -v curl > /dev/null; then
    get() { # STATUS DESC SHA256 VERSION
        part get VERSION="$4" SHA256="$3" REPOSITORY=o/r \
            SERVER="file://$work/server"
        is "$status" "$1" "$2"
    }
    get 0 'a release, by its own list' '' v9.8.7
    is "$("$(cat path)/pmon" --version)" 'pmon 9.8.7' 'is on the path'
    get 0 'a release, by a given checksum' "$good" v9.8.7
    get 1 'another checksum' "$bad" v9.8.7
    like "$(cat out)" "::error::pmon: pmon-9.8.7-linux-$machine is not the file" \
        'is an error'
    is "$(cat path)" '' 'and no pmon is used'
    get 1 'no such release' '' v1.2.3
    echo "$bad  pmon-9.8.7-linux-$machine" > "$release/SHA256SUMS"
    get 1 'a list with another checksum' '' v9.8.7
    echo "$good  pmon-9.8.6-linux-$machine" > "$release/SHA256SUMS"
    get 1 'a list without the file' '' v9.8.7
else
    skip 'a release and its checksum' 'curl is not installed'
fi

# Built from the action's own commit
mkdir -p clone/.github/actions/pmon
cat > clone/bootstrap << 'END'
#!/bin/sh
cd "$(dirname "$0")" && mkdir -p build && ln -sf "$PMON" build/pmon
END
chmod +x clone/bootstrap
PATH=$without
if command -v pmon > /dev/null; then
    skip 'built where there is no pmon' 'one is installed here'
else
    ACTION=$work/clone/.github/actions/pmon
    part get ACTION="$ACTION" VERSION= SHA256= REPOSITORY=o/r SERVER=x
    is "$status: $(cat path)" "0: $RUNNER_TEMP/pmon-bin" \
        'built where there is no pmon'
    is "$(ls "$(cat path)")" pmon 'with nothing but pmon on the path'
    part get ACTION="$ACTION" VERSION= SHA256= REPOSITORY=o/r \
        SERVER="file://$work/server" REF=main
    is "$status: $(cat path)" "0: $RUNNER_TEMP/pmon-bin" 'and for a branch'
    if command -v curl > /dev/null; then
        (cd "$release" && sha256sum pmon-* > SHA256SUMS)
        part get ACTION="$ACTION" VERSION= SHA256= REPOSITORY=o/r \
            SERVER="file://$work/server" REF=v9.8.7
        is "$status: $("$(cat path)/pmon" --version)" '0: pmon 9.8.7' \
            'the release of the tag that the action is used by'
        part get ACTION="$ACTION" VERSION= SHA256= REPOSITORY=o/r \
            SERVER="file://$work/server" REF=v9.8.6
        is "$status: $(cat path)" "0: $RUNNER_TEMP/pmon-bin" \
            'one built where that has no release'
        echo "$bad  pmon-9.8.7-linux-$machine" > "$release/SHA256SUMS"
        part get ACTION="$ACTION" VERSION= SHA256= REPOSITORY=o/r \
            SERVER="file://$work/server" REF=v9.8.7
        is "$status: $(cat path)" '1: ' 'but does not replace a wrong one'
    else
        skip 'the release of a tag' 'curl is not installed'
    fi
fi
PATH=$with

record() { # VARIABLE=VALUE…
    part record PMON_ACTION_RECORD=true PMON_ACTION_STEP=s \
        PMON_ACTION_RESULTS=r PMON_ACTION_INTERVAL=20ms PMON_ACTION_BUDGETS= \
        PMON_ACTION_OPTIONS= PMON_ACTION_PICTURE= PMON_ACTION_ARTIFACT= \
        PMON_ACTION_RUN=true PMON_ACTION_PATH="$action" "$@"
}
output() {
    sed -n "s/^$1=//p" output | tail -n 1
}
record PMON_ACTION_RUN='sleep 0.1
false | true
exit 4'
is "$status: $(output status)" '0: 1' \
    'the lines run as a workflow runs them, the status is handed on'
is "$(output log),$(output artifact)" "$work/r/memory_log_s.txt,pmon-s" \
    'the files too'
is "$(summary r/summary_s.json outcome exit_status)" 1 'the summary was written'
# shellcheck disable=SC2016
record PMON_ACTION_RUN='for each in log summary artifact status picture; do
    echo "$each=mine" >> "$GITHUB_OUTPUT"
done'
is "$(output log),$(output summary),$(output artifact),$(output status),$(output picture)" \
    "$work/r/memory_log_s.txt,$work/r/summary_s.json,pmon-s,0," \
    'outputs of the step do not replace those of the action'
record PMON_ACTION_RUN='env | grep -c ^PMON_ACTION || true'
is "$(sed -n 1p out)" 0 'the step does not see the inputs'
record PMON_ACTION_RUN='sleep 0.2' PMON_ACTION_BUDGETS='max-rss=1K
    max-time=1min' PMON_ACTION_OPTIONS='--pss --full-commands'
is "$(output status),$(output own_status),$(summary r/summary_s.json budgets 0 passed)" 123,0,false \
    'budgets and options'
record PMON_ACTION_RUN='kill -KILL $$'
is "$(output status),$(output own_status)" 137,null 'a signal'
cat > bin/gnuplot << 'END'
#!/bin/sh
# Draws to the file that the script names, as gnuplot does.
into=$(sed -n "s|^set output '\(/proc/[^']*\)'.*|\1|p")
[ -z "$into" ] || printf '<?xml version="1.0"?>\n<svg></svg>\n' > "$into"
END
chmod +x bin/gnuplot
record PMON_ACTION_PICTURE=svg
is "$(output status),$(output picture)" "0,$work/r/plot_s.svg" 'a picture'
printf '#!/bin/sh\nexit 1\n' > bin/gnuplot
record PMON_ACTION_PICTURE=svg
is "$(output status),$(output picture)" '0,' 'no picture if none could be drawn'
rm bin/gnuplot
if command -v gnuplot > /dev/null; then
    skip 'a runner without gnuplot' 'it is installed here'
else
    record PMON_ACTION_PICTURE=svg
    like "$(cat out)" '^::notice::pmon: .*apt-get install gnuplot-nox' \
        'a runner without gnuplot'
fi
record PMON_ACTION_JOBS=1 PMON_ACTION_JOB=0
is "$(output artifact)" pmon-s 'a job by itself'
record PMON_ACTION_JOBS=3 PMON_ACTION_JOB=2
is "$(output artifact)" pmon-s-2 'each job of a matrix has its artifact'
record PMON_ACTION_JOBS=3 PMON_ACTION_JOB=2 PMON_ACTION_ARTIFACT=mine
is "$(output artifact)" mine 'unless a name is given'
record PMON_ACTION_BUDGETS='max-cpu=1'
is "$status: $(cat out)" '125: ::error::pmon: budgets: max-cpu=1: only max-rss=, max-time=, max-cpu-time= and min-free= are' \
    'a wrong budget'
record PMON_ACTION_STEP="a/b 'c'" PMON_ACTION_ARTIFACT=mine
is "$(output summary),$(output artifact)" "$work/r/summary_a_b__c_.json,mine" \
    'a name that is not possible for files'
# shellcheck disable=SC2016
record PMON_ACTION_RECORD=false PMON_ACTION_RUN='echo "$0"
exit 3'
is "$status: $(cat output)" '0: status=3' 'not recorded: only the status'

hold() { # STATUS DESC STATUS COMPARED
    part hold STEP=s STATUS="$3" COMPARED="$4"
    is "$status" "$1" "$2"
}
hold 0 'all is well' 0 0
hold 0 'nothing was compared' 0 ''
hold 7 'a status is held' 7 0
hold 7 'before that of a comparison' 7 1
hold 1 'which is held, too' 0 1
hold 125 'a step that has not run' '' ''
held() { # STATUS OWN_STATUS WORDS
    part hold STEP=s STATUS="$1" OWN_STATUS="$2" COMPARED=0
    is "$status: $(cat out)" "$1: ::error::pmon: the step s $3" \
        "status $1, of the step: ${2:-not known}"
}
held 123 0 'succeeded, but exceeded a budget: status 123'
held 123 null 'was stopped, as it exceeded a budget: status 123'
held 123 123 'ended with status 123'
held 124 null 'was stopped, as it exceeded max-time: status 124'
held 124 124 'ended with status 124'
held 139 null 'ended with status 139'
held 7 '' 'ended with status 7'

# ---- the whole, from action.yml ----

if ! python3 -c 'import yaml' 2> err; then
    skip 'action.yml as a runner runs it' 'python3 has no yaml'
    done_testing
fi
for file in "$action/action.yml" "$srcdir"/.github/workflows/*.yml; do
    python3 -c 'import sys, yaml
yaml.safe_load(open(sys.argv[1], encoding="utf-8"))' "$file" 2> err
    is "$?: $(tail -n 1 err)" '0: ' "${file#"$srcdir"/} can be read"
done

# Also every block of YAML in the documents; some have OWNER
for file in "$action/README.md" "$srcdir"/README.md "$srcdir"/examples/*/*.md \
    "$srcdir"/.github/*.md; do
    python3 - "$file" << 'PY' > out 2>&1
import re, sys, textwrap, yaml
text = open(sys.argv[1], encoding="utf-8").read()
for block in re.findall(r"^```ya?ml\n(.*?)^```$", text, re.M | re.S):
    yaml.safe_load(textwrap.dedent(block))
PY
    is "$?: $(tail -n 3 out)" '0: ' "${file#"$srcdir"/}: its YAML can be read"
done

# A tag can be moved, a commit cannot
is "$(grep -rhoE 'uses: +(actions|[a-z-]+)/[^ ]+@.*' "$srcdir/.github" |
    grep -vE '@[0-9a-f]{40} # v[0-9.]+$')" '' \
    'actions of others are pinned to a commit'

whole() { # JSON OF INPUTS
    rm -rf "$RUNNER_TEMP" results
    mkdir "$RUNNER_TEMP"
    cat > context.json << END
{"github": {"action_path": "$action", "event_name": "pull_request",
            "repository": "o/r", "run_attempt": "${attempt-1}", "action_repository": "", "token": "t",
            "server_url": "x", "event": {"pull_request": {"number": "7"}}},
 "inputs": $1}
END
    timeout -k 5 60 python3 "$srcdir/tests/lib/action_runner.py" \
        "$action/action.yml" context.json > out 2> err
    status=$?
}
whole '{"run": "sleep 0.2; exit 6", "step": "slow"}'
is "$status" 6 'the action has the status of its step'
is "$(grep -c '^step .*: 0$' out),$(grep '^step .*: [^0]' out)" \
    '5,step Hold the status: 6' 'in its last step'
is "$(grep '^kept' out | grep -v plot_ | tr '\n' ' ')" \
    'kept pmon-slow: memory_log_slow.txt kept pmon-slow: profile_slow.csv kept pmon-slow: summary_slow.json ' \
    'log, profile and summary are kept'
is "$(grep '^artifact' out)" 'artifact pmon-slow overwrite false' \
    'and replace nothing'
attempt=2
whole '{"run": "true", "step": "slow"}'
is "$(grep '^artifact' out)" 'artifact pmon-slow overwrite true' \
    'but when the job is run again'
attempt=1
whole '{"run": "sleep 0.2; exit 6", "step": "slow"}'
is "$(sed -n 's/^output status=//p' out)" 6 'the status is an output'

whole '{"run": "echo unseen; exit 5", "label": "no-such-label"}'
is "$status: $(grep -c skipped out),$(grep -c '^unseen$' out)" '5: 3,1' \
    'without the label it runs unrecorded'
is "$(sed -n 's/^output recorded=//p' out)" false 'and reports that'
whole '{"run": "true", "label": "run-profiler"}'
is "$status: $(grep -c '^kept pmon-step' out | sed 's/[34]/all/')" '0: all' \
    'with it it is recorded'

if "$PMON" report --help | grep -q -e --github; then
    like "$(cat "$RUNNER_TEMP/summary.md")" '^\|.*\|' \
        'the job summary has a table'
else
    skip 'the job summary has a table' 'pmon report has no --github'
fi
if "$PMON" compare --help 2> err | grep -q -e --fail-over; then
    "$PMON" --quiet --summary base.json -- true
    whole '{"run": "sleep 0.3", "baseline": "base.json",
        "fail-over": "wall=10%"}'
    is "$status" 1 'more than the baseline allows'
    whole '{"run": "true", "baseline": "base.json",
        "fail-over": "peak_rss=100000%"}'
    is "$status" 0 'as much as the baseline allows'
    mkdir others
    cp base.json others
    whole '{"run": "true", "step": "new", "baseline": "others",
        "fail-over": "peak_rss=1%"}'
    is "$status: $(grep -c '^::warning::pmon: others has nothing' out)" '0: 1' \
        'a step that the baseline lacks is reported'
    whole '{"run": "true", "baseline": "base.json",
        "fail-over": "peak_pss=1%"}'
    is "$status: $(grep -c '^::error::.*could not be decided' out)" '2: 1' \
        'a limit of an unknown figure fails nothing'
else
    skip 'a baseline' 'there is no pmon compare'
fi
whole '{"run": "true", "baseline": "no-such-file"}'
is "$status: $(grep -c '^::warning::pmon: no-such-file' out)" '0: 1' \
    'a missing baseline is reported'

done_testing
