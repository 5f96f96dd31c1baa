#!/bin/sh
# SPDX-License-Identifier: MIT
# The completions of bash, zsh and fish offer exactly what --help names.
# shellcheck disable=SC2317 # offer_SHELL is called by offers
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

folder=$srcdir/src/completions

options_of() { # COMMAND…: the long options of a --help
    "$PMON" "$@" --help | sed -n 's/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p' |
        sort
}
"$PMON" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' |
    sort > commands
options_of > main
options_of psrecord > of_psrecord
for command in region peak; do
    "$PMON" $command --help | grep -o -e '--[a-z][a-z]*' | sort -u > of_help
    is "$(options_of $command | tr '\n' ' ')" \
        "$(grep -v -x -e --regions of_help | tr '\n' ' ')" \
        "the help of pmon $command lists each option that it names"
done
is_true "$(grep -c . main) >= 20" '--help names options'
is_true "$(grep -c . commands) >= 4" 'and commands'
is_true "$(grep -c . of_psrecord) >= 8" 'psrecord too'

mkdir made
sh "$folder/generate.sh" made
for file in pmon.bash _pmon pmon.fish; do
    is "$(diff "$folder/$file" "made/$file")" '' \
        "$file is what src/completions/generate.sh makes"
done

# offers SHELL WORD…: what a shell offers, one per line, sorted
offers() {
    shell=$1
    shift
    "offer_$shell" "$@" 2> err | sort
    [ ! -s err ] || not_ok "$shell says nothing on stderr" "$(cat err)"
}

offer_bash() {
    # shellcheck disable=SC2016
    bash --norc -c '. "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _pmon
        printf "%s\n" "${COMPREPLY[@]}"' "$folder/pmon.bash" "$@"
}

# _arguments of zsh gets specifications: prints their names and choices
offer_zsh() {
    # shellcheck disable=SC2016
    zsh -f -c '
        file=$1
        shift
        _arguments() {
            local spec
            for spec in "$@"; do
                [[ $spec == (#b)(*\)|)(--[a-z-]##)* ]] && print -r -- $match[2]
            done
        }
        _describe() { print -rl -- ${${(P)2}%%:*}; }
        _normal() { print -r -- "normal $words"; }
        setopt extended_glob
        words=("$@") CURRENT=$# PREFIX=${@[-1]}
        . $file' zsh "$folder/_pmon" "$@"
}

offer_fish() {
    # shellcheck disable=SC2016
    HOME=$work fish --no-config -c '
        source $argv[1]
        complete -C (string join " " -- $argv[2..-1])' "$folder/pmon.fish" "$@" |
        cut -f 1
}

for shell in bash zsh fish; do
    if ! command -v "$shell" > /dev/null; then
        skip "the completion of $shell" "$shell is not installed"
        continue
    fi
    is "$(offers $shell pmon --)" "$(cat main)" "$shell: options"
    is "$(offers $shell pmon --log x --)" "$(cat main)" \
        "$shell: options after others"
    is "$(offers $shell pmon '')" "$(cat commands)" "$shell: commands"
    is "$(offers $shell pmon psrecord --)" "$(cat of_psrecord)" \
        "$shell: the options of psrecord"
    is "$(offers $shell pmon region --)" "$(options_of region)" \
        "$shell: those of region"
done

is "$(offers bash pmon --survivors '' | tr '\n' ' ')" 'kill leave wait ' \
    'bash: the choices of an option'
is "$(offers bash pmon report --format '' | tr '\n' ' ')$(offers bash pmon plot --metric p)" \
    'csv json markdown text pss' 'bash: the words that the help lists'
is "$(offers bash pmon --log-format = j)" 'jsonl' 'bash: after an equals sign'
touch a.txt
mkdir a.folder
is "$(offers bash pmon -l a. | tr '\n' ' ')" 'a.folder a.txt ' 'bash: files'
is "$(offers bash pmon --results a.)" 'a.folder' 'bash: folders'
like "$(offers bash pmon --pid $$)" "^$$\$" 'bash: pids'
like "$(offers bash pmon -q -- tru)" '^true$' 'bash: a command after --'
is "$(offers bash pmon -q -- true a.t)" 'a.txt' 'bash: and its files'
is "$(offers bash pmon peak a.t)" 'a.txt' 'bash: files of a command'
if command -v zsh > /dev/null; then
    is "$(offers zsh pmon -q -- true a)" 'normal true a' \
        'zsh: a command after --'
fi
if command -v fish > /dev/null; then
    is "$(offers fish pmon --survivors '' | tr '\n' ' ')" 'kill leave wait ' \
        'fish: the choices of an option'
    like "$(offers fish pmon -q -- tru)" '^true$' 'fish: a command after --'
fi

done_testing
