#!/bin/sh
# SPDX-License-Identifier: MIT
# What users type and what pmon answers: first attempts, bad input, names of
# files, options, closing lines.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

# ---- the first thing typed ----

run "$PMON"
is "$status" 125 'no arguments: 125'
is "$(wc -l < err)" 5 'no arguments: five lines'
like "$(cat err)" '^usage: pmon' 'no arguments: the usage'
is "$(cat out)" '' 'no arguments: nothing on stdout'

first() { # WANT ARGS: the one line on stderr, 125, nothing on stdout
    want=$1
    shift
    run "$PMON" "$@"
    is "$status:$(cat out):$(cat err)" "125::pmon: $want" "pmon $*"
}

first 'put -- before the command: pmon -- sleep 5' sleep 5
first 'put -- before the command: pmon -i 1 -- sleep 5' -i 1 sleep 5
first 'put -- before the command: pmon -q --log=m.txt -- ls' -q --log=m.txt ls
first 'peak: a command of pmon must be the first argument: pmon peak; to record a program of that name: pmon -q -- peak m.txt' \
    -q peak m.txt
first 'plto: no such command, did you mean plot? To record a program of that name: pmon -- plto a' \
    plto a
first 'help plto: no such command; pmon help lists them' help plto
first 'run: no such command; to record a command: pmon -- true' run -- true
first 'run: no such command; to record a command: pmon -q -- true 1' -q run true 1
first 'start: no such command; to record a command: pmon -- true' start -- true
first 'put -- before the command: pmon -- start server' start server
first 'put -- before the command: pmon -- ls --help' ls --help
first 'put -- before the command, and pmon'\''s options before --: pmon --log x --interval 1 --pss -- sleep 1 -n' \
    --log x sleep 1 --interval 1 -n --pss
first '--intervall: no such option; did you mean --interval? (pmon --help)' \
    --intervall 1 -- true
first '--inetrval=1: no such option; did you mean --interval? (pmon --help)' \
    --inetrval=1 -- true
first '--include: no such option; --include-children or --include-io? (pmon --help)' \
    --include -- true
first '--xyz: no such option (pmon --help)' --xyz -- true
first 'did you mean --pid 1234?' 1234
first '--pid cannot be combined with a command: 1234' --pid 1 1234
first '--pid cannot be combined with a command: sleep' --pid 1 sleep 5
is "$(ls)" "err
out" 'no file is made by any of them'
mkdir 'a folder'
: > memory_log.txt
first 'memory_log.txt: is a file, not a command: pmon report memory_log.txt prints a table of it, pmon plot memory_log.txt draws it' \
    memory_log.txt
first "a folder: is a folder: pmon report 'a folder' prints a table of it; to record a program of that name: pmon -- 'a folder'" \
    'a folder'
rm -r memory_log.txt 'a folder'

# Every command has the same help
for line in 'plot --metrik x a:--metrik: no such option; did you mean --metric? (pmon plot --help)' \
    'report --gruop step x:--gruop: no such option; did you mean --group? (pmon report --help)' \
    'compare --fail-ovr x a b:--fail-ovr: no such option; did you mean --fail-over? (pmon compare --help)' \
    'psrecord --intervl 1 x:--intervl: no such option; did you mean --interval? (pmon psrecord --help)' \
    'plot a.txt p.png:plot: p.png: the picture is named by -o: pmon plot FILE... -o p.png'; do
    # shellcheck disable=SC2086 # words
    run "$PMON" ${line%%:*}
    is "$(cat err)" "pmon: ${line#*:}" "pmon ${line%%:*}"
done
for command in plot report compare peak region psrecord watch; do
    run "$PMON" help $command
    cp out helped
    run "$PMON" $command --help
    is "$status $(cmp out helped 2>&1)" '0 ' "pmon help $command"
    is "$(awk 'length > 80' out)" '' "pmon $command --help: 80 columns"
done
rm helped

# shellcheck disable=SC2016
run "$PMON" sh -c 'echo "$#"' x 'y z'
line=$(sed 's/.*put -- before the command: pmon -- //' err)
is "$(eval "$line" 2>&1)" 1 'the proposed line works'

for line in 'echo one  two' "printf %s\\\\n 'a b'"; do
    run "$PMON" --summary s.json -- "$line"
    is "$status" 127 "a shell line ($line): 127"
    like "$(cat err)" "^pmon: .*for a shell line: pmon -- sh -c '" \
        "a shell line ($line): what to type"
    proposal=$(sed 's/.*for a shell line: pmon -- //' err)
    is "$(eval "$proposal" 2>&1)" "$(eval "$line")" \
        "a shell line ($line): typed so, it works"
done
run "$PMON" -- one two
unlike "$(cat err)" 'shell line' 'two words are not a shell line'
is "$status" 127 'two words, not found: 127'
printf '#!/bin/sh\nexit 4\n' > 'a program'
chmod +x 'a program'
run "$PMON" -q -- './a program'
is "$status" 4 'a program with a blank in its name runs'

printf '#!/bin/sh -e\r\nexit 4\r\n' > 'from windows'
printf '#!/no/such/one\n' > orphaned
chmod +x 'from windows' orphaned
run "$PMON" -- ./orphaned
is "$status $(cat err)" \
    '127 pmon: ./orphaned: exists, but its interpreter /no/such/one does not' \
    'a missing interpreter is named'
sed -i 's| -e||' 'from windows'
run "$PMON" -- './from windows'
is "$status $(cat err)" "127 pmon: ./from windows: exists, but its interpreter /bin/sh\\r does not: its lines end in CR LF; sed -i 's/\\r\$//' './from windows' fixes them" \
    'one with CR LF too'
line=$(sed 's/.*CR LF; //; s/ fixes them$//' err)
eval "$line"
run "$PMON" -q -- './from windows'
is "$status" 4 'the proposed command fixes it'

# ---- options without an effect ----

run "$PMON" --kill-after 3 --log-format csv --full-commands -- true
is "$(grep 'no effect' err)" "pmon: --kill-after has no effect without --max-time, a budget with :stop, or --survivors kill
pmon: --log-format has no effect without --log or --step
pmon: --full-commands has no effect without --summary or --step" \
    'options without an effect are named, a line each'
run "$PMON" -q --kill-after 3 --log-format csv --full-commands -- true
is "$(cat err)" '' 'but not with --quiet'
run "$PMON" --kill-after 3 --max-time 9 --log-format csv --full-commands \
    --step s -- true
unlike "$(cat err)" 'no effect' 'nor if they have an effect'
run "$PMON" --kill-after 3 --max-rss 9G:stop -- true
unlike "$(cat err)" 'no effect' 'as with :stop'
run "$PMON" --kill-after 3 --max-rss 9G -- true
like "$(cat err)" 'no effect' 'but not with :fail'
rm -f ./*_s.*

# ---- --help, --version ----

for way in --help -h help; do
    run "$PMON" "$way"
    is "$status:$(cat err)" 0: "$way: 0, nothing on stderr"
done
cp out help
for option in --log --log-format --interval --duration --include-children \
    --no-children --include-io --append-peak --step --results --summary \
    --pid --quiet --verbose --version --help; do
    grep -q -e "$option" help || missing="${missing-} $option"
done
is "${missing-}" '' '--help has every option'
is "$(awk 'length > 80' out)" '' '--help: 80 columns'
run "$PMON" --log helped.txt --help -- touch helped
is "$status" 0 '--help after an option'
is "$(find . -name 'helped*')" '' '--help does nothing else'
for way in --version -V version; do
    run "$PMON" "$way"
    like "$status $(cat out)" '^0 pmon [0-9]+\.[0-9]+' "$way"
    is "$(wc -l < out):$(cat err)" 1: "$way: one line on stdout"
done
run "$PMON" peak --help
like "$status $(cat out)" '^0 usage: pmon peak' 'peak --help, on stdout'
is "$(cat err)" '' 'peak --help: nothing on stderr'

# ---- bad input ----

yesterday() {
    echo "yesterday's log" > m.txt
    echo "yesterday's profile" > p.csv
    echo "yesterday's summary" > s.json
    rm -f started
}

refused() { # ERE ARGS: one line that it matches, nothing started or touched
    want=$1
    shift
    yesterday
    run "$PMON" --log m.txt --append-peak p.csv --summary s.json "$@"
    complaint=
    [ "$status" = 125 ] || complaint="status $status; "
    [ -s out ] && complaint="$complaint stdout $(cat out); "
    [ "$(wc -l < err)" = 1 ] || complaint="$complaint not one line; "
    grep -Eq -e "^pmon: .*($want)" err || complaint="$complaint not: $want; "
    [ -e started ] && complaint="$complaint the step was started; "
    [ "$(cat m.txt p.csv s.json)" = "yesterday's log
yesterday's profile
yesterday's summary" ] || complaint="$complaint a file was overwritten; "
    is "${complaint:+$complaint$(cat err)}" '' "refused: $(
        printf '%s' "$*" | tr '\n\033' '??' | cut -c 1-70)"
}

range='1 ?ms to 1 day'
for value in 0 0.0 0s 0ms 0.0001 0.9ms -1 86401 25h 1e99 nan inf 0x10 abc 1x \
    '1,5' ' 1' 1..2 . 1s2 '1 1' 99999999999999999999999; do
    refused "--interval $value: .*$range.*auto" --interval "$value" \
        -- touch started
done
refused "--interval.*$range" -i '' -- touch started
refused "--interval.*$range" "--interval=$(printf '\033[31mx\nline')" \
    -- touch started
refused "--interval.*$range" -i "$(printf %04000d 0)" -- touch started
for value in -1 abc '1,5' '' 1h2; do
    refused "--duration $value: .*(time|s|min|h)" --duration "$value" \
        -- touch started
done
for value in 0 -1 abc '' 99999999999 1.5; do
    refused "--pid $value: .*process id.*[0-9] to [0-9]" --pid "$value"
done
refused '--log-format xml: .*plain.*csv' --log-format xml -- touch started
refused '--log-format : .*plain.*csv' --log-format= -- touch started
for option in log append-peak summary; do
    refused "--$option -.*/dev/stdout" "--$option" - -- touch started
    refused "--$option needs (FILE|CSV)" "--$option" '' -- touch started
    refused "--$option .*(%x|letter|followed).*h.*p.*s" "--$option" 'a%x' \
        -- touch started
done
refused '--log m%: .*(letter|followed)' --log m% -- touch started
for letter in r j a; do
    refused "--log m%$letter.*(unset|not set|needs).*(SLURM|PBS)" \
        --log "m%$letter" -- touch started
done
refused '--unknown' --unknown -- touch started
refused '-Z' -Z -- touch started
refused '--quiet' --quiet=yes -- touch started
refused '--interval' --interval
refused '--log' --log
refused '--step' --step '' -- touch started
refused 'command.*--' -i 1
refused 'command.*--' --
refused '--pid.*command' --pid $$ -- touch started
refused 'm\.txt.*two outputs' --append-peak m.txt -- touch started
refused 'p\.csv.*two outputs' --summary ./p.csv -- touch started
ln -s m.txt link.txt
refused '(m|link)\.txt.*two outputs' --summary link.txt -- touch started

# ---- names of files ----

export TRUTH_OUT=truth
run "$PMON" -q --log 'm_%h_%p_%s_%%.txt' -- "$workload" work
is "$(ls m_*)" "m_$(uname -n)_$(truth truth pid)_workload_%.txt" '%h %p %s %%'
run "$PMON" -q --step 'a/b%%p' --log 'n_%s.txt' --append-peak n.csv \
    --summary n.json -- true
is "$(ls n_*)" 'n_a_b%p.txt' '%s is the step name, a slash is _, letters in it are replaced once'
run env PMI_RANK=1/2 SLURM_PROCID=7 SLURM_ARRAY_TASK_ID=3 "$PMON" -q \
    --log 'r_%r_%a.txt' -- true
is "$(ls r_*)" r_1_2_3.txt '%r and %a come from the environment'
run env BRANCH=../feature/x "$PMON" -q --log 'v_%{BRANCH}.txt' -- true
is "$status: $(ls v_*)" '0: v_.._feature_x.txt' \
    '%{NAME} comes from the environment, and stays in its folder'
run env -u NOPE "$PMON" --step '%{NOPE}' -- touch started
is "$status: $(cat err) $(ls started 2> bad)" \
    '125: pmon: --step %{NOPE}: the variable NOPE is not set; export it, or leave %{NOPE} out ' \
    'a variable that is not set'

run "$PMON" -q --step ecm --results some/new/dir -- sh -c 'exit 3'
is "$status" 3 '--step --results: the status'
is "$(ls some/new/dir)" 'memory_log_ecm.txt
profile_ecm.csv
summary_ecm.json' '--step --results: three files in a new folder'
take_facts some/new/dir/summary_ecm.json
is "$(fact command.step)" ecm '--step: the name in the summary'
run "$PMON" -q --step ecm --results other --log mine.txt -- true
is "$(ls other)" 'profile_ecm.csv
summary_ecm.json' '--step: an explicit file option wins'
like "$(head -n 1 mine.txt)" '^# Elapsed time' '--step: and is used'
run "$PMON" -q --step here -- true
is "$(ls ./*_here*)" './memory_log_here.txt
./profile_here.csv
./summary_here.json' '--step without --results: here'

# ---- options ----

count=0
set -- 1ms:0.001 0.001:0.001 100ms:0.1 .25:0.25 2s:2.0 1min:60.0 1h:3600.0 \
    24h:86400.0 86400:86400.0 auto:None
for pair; do
    count=$((count + 1))
    timeout 20 "$PMON" -q -i "${pair%:*}" --summary "i$count.json" -- true
done
got=$("$python" -S -c 'import json
for i in range(1, '$((count + 1))'):
    print(json.load(open("i%d.json" % i))["quality"]["interval_s"])')
is "$got" "$(printf '%s\n' "$@" | sed 's/.*://')" "intervals: $*"
run "$PMON" -q --interval auto -l a.txt -- sleep 0.6
is_true "$(awk '!/^#/ { n++ } END { print n }' a.txt) > 12" \
    'auto: 20 ms at first'
sed '1d;$d' a.txt > rows
is "$(awk 'NR > 1 && $1 - last < 0.019 { print } { last = $1 }' rows)" '' \
    'auto: no two rows closer than that'

run "$PMON" --duration 1 -i 0.1 -l d.txt --summary d.json \
    -- sh -c 'sleep 2.5; exit 7'
is "$status" 7 '--duration: the step goes on to its own status'
is "$(grep -c 'recording ended' err)" 1 '--duration: one message'
like "$(cat err)" \
    '^pmon: recording ended after 1(\.0)? s; the step goes on; --max-time would stop it$' \
    '--duration: the message'
is_true "$(tail -n 1 d.txt | awk '{ print $1 }') >= 1" \
    '--duration: rows until then'
is_true "$(tail -n 1 d.txt | awk '{ print $1 }') < 2.4" \
    '--duration: and no later'
take_facts d.json
is_true "$(fact time.wall_s) >= 2.5" '--duration: the summary has the step'
run "$PMON" --duration 2 --survivors wait -- sh -c \
    '(until grep -q "recording ended" err; do sleep 0.05; done) &'
like "$(cat err)" \
    '^pmon: recording ended after 2(\.0)? s; waiting for processes that outlive the step$' \
    '--duration while pmon waits for survivors: the message'
like "$(cat err)" '^pmon: sh: exit status 0 after .*, recorded for 2(\.0)? s$' \
    'and how long it was recorded'

truth=children
export TRUTH_OUT=$truth
run "$PMON" --no-children --summary n.json -l n.txt \
    -- "$workload" children 3 100
take_facts n.json
is_true "$(fact cpu.total_s) < 0.1" '--no-children: only the CPU of the first'
is "$(fact memory.peak_rss_word)" 'at least' '--no-children: at least'
is "$(fact processes.max_alive)" 1 '--no-children: one process'
run "$PMON" --no-children --summary n.json -- "$workload" spike-grandchild \
    100 200 0
take_facts n.json
is_true "$(fact memory.peak_rss_bytes) < 50 * 1048576" \
    '--no-children: only the peak of the first'
run "$PMON" --include-children --summary n.json -- "$workload" children 3 100
take_facts n.json
is_true "$(fact cpu.total_s) > 0.25" '--include-children: is the default'

unset TRUTH_OUT
run env TRUTH_OUT=io "$PMON" -q --include-io -i 0.02 -l io.txt \
    -- "$workload" io 4 100
is_true "$(truth io io_calls) > 0" 'the workload has written'
for pair in 5:io_calls 6:io_calls; do
    is_true "$(awk 'END { print $'"${pair%:*}"' }' io.txt) >= $(
        truth io "${pair#*:}")" "--include-io: column ${pair%:*}"
done
is "$(awk '!/^#/ { for (i = 5; i <= 8; i++) {
    if ($i < last[i]) fell = 1; last[i] = $i } } END { print fell + 0 }' \
    io.txt)" 0 '--include-io: totals never fall'

# ---- closing words ----

run "$PMON" -l m.txt --append-peak p.csv -v --summary s.json \
    -- sh -c 'sleep 0.3 & sleep 0.2; wait; exit 3'
is_clean err '-v: every line is pmon: and plain'
like "$(cat err)" '^pmon: quality ' '-v: quality'
is_true "$(wc -l < err) <= 8" '-v: at most 8 lines'
run "$PMON" -l m.txt --append-peak p.csv -- sh -c 'exit 3'
is_clean err 'closing words: every line is pmon: and plain'
is_true "$(wc -l < err) <= 8" 'closing words: at most 8 lines'
like "$(cat err)" '^pmon: sh: exit status 3 after [0-9]' \
    'closing words: the outcome'
like "$(cat err)" '^pmon: CPU  +[0-9.]+ m?s \([0-9.]+ user, [0-9.]+ system\)' \
    'closing words: CPU'
like "$(cat err)" '^pmon: memory  +peak .*[0-9] [KMG]iB' 'closing words: memory'
like "$(tail -n 1 err)" \
    '^pmon: log  +m\.txt, [0-9]+ rows; peak appended to p\.csv$' \
    'closing words: the files'
run "$PMON" -- true
like "$(tail -n 1 err)" '^pmon: .*no log: add --log memory_log\.txt' \
    'closing words: no log'
run "$PMON" -q -l m.txt --append-peak p.csv -- sh -c 'exit 3'
is "$status:$(cat out err)" 3: '-q: silent'
run "$PMON" -q -- ./nothing
like "$status $(cat err)" '^127 pmon: .*nothing' '-q: errors are printed'

# ---- hostile names ----

printf 'exit 3\n' > script
for name in "$(printf 'a\nb')" "$(printf '\033[31mred')" "$(printf 'a\rb')" \
    "$(printf '\233x')" "$(printf '\377')" '%s%n' "$(printf '\342\200\256x')"; do
    cp script "./$name"
    chmod +x "./$name"
    run "$PMON" -l 'm_%s.txt' --append-peak 'p_%s.csv' --summary s.json \
        -- "./$name"
    shown=$(printf %s "$name" | od -An -tx1 | tr -d ' \n')
    is "$status" 3 "name $shown: the status"
    is_clean err "name $shown: the words"
    is "$(check_summary s.json)" complete "name $shown: the summary"
    is "$(head -n 1 "m_$name.txt" | cut -c 1-14)" '# Elapsed time' \
        "name $shown: the log"
    run "$PMON" -- "./no $name"
    is_clean err "name $shown, not found"
done
export TRUTH_OUT=names
for id in $("$workload" name); do
    run "$PMON" -l m.txt --summary s.json -v \
        -- "$workload" name "$id" comm 1 0 20
    grep -qv '^pmon: ' err && bad="${bad-} $id:words"
    [ "$status" = 0 ] || bad="${bad-} $id:$status"
    [ "$(awk '!/^#/ && NF != 4' m.txt)" = '' ] || bad="${bad-} $id:log"
    cp s.json "s_$id.json"
done
is "${bad-}" '' 'T9: processes with hostile names'
"$python" -S -c 'import glob, json
for f in glob.glob("s_*.json"): json.load(open(f, encoding="utf-8"))' 2> bad
is "$?" 0 'T9: every summary parses'
done_testing
