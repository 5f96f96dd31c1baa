#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Writes the completions of bash, zsh and fish from what pmon --help says.
#
#   generate.sh [DIR]    into DIR; the default is the folder of this script
#
# PMON names the pmon that is asked; the default is build/pmon beside it.
# tests/cli/completions.sh fails when the files are older than --help.

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${PMON:=$here/../build/pmon}"
into=${1:-$here}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# A line for each option and command, between tabs: the command it belongs to
# (main: none), letter, name, kind of its value, choices, help.  A command is
# an option of `commands`.
rows() { # COMMAND
    awk -v command="$1" -v OFS='\t' '
        /^Commands:/ { of_commands = 1 }
        /^[A-Z]/ && !/^Commands:/ { of_commands = 0 }
        of_commands && /^  [a-z]/ {
            name = $1
            sub(/^  [a-z-]+ +/, "")
            print "commands", "", name, "flag", "", $0
        }
        !of_commands && /^  (-[A-Za-z],|   ) --[a-z]/ {
            letter = substr($0, 3, 2) == "  " ? "" : substr($0, 4, 1)
            if (letter != "")
                sub(/^  -.,/, "     ")
            name = substr($1, 3)
            argument = $2 ~ /^[A-Z]|[|:]/ ? $2 : ""
            help = $0
            sub(/^ *--[a-z-]+ */, "", help)
            if (argument != "")
                help = substr(help, length(argument) + 1)
            sub(/^ +/, "", help)
            print command, letter, name, kind(argument), choices(argument,
                help), help
        }
        function kind(argument) {
            if (argument == "")
                return "flag"
            if (argument ~ /^(FILE|CSV|LOG|BASE|NEW)$/)
                return "file"
            if (argument == "DIR")
                return "folder"
            return argument == "PID" ? "pid" : "word"
        }
        # The small words of plain|csv, or of the help where they stand there
        function choices(argument, help, parts, count, i, out) {
            if (argument ~ /^(WHAT|FORM|LIST)$/) {
                sub(/.*: |^of /, "", help)
                gsub(/ [(]default[^)]*[)]|,/, "", help)
                gsub(/ or /, " ", help)
                return help
            }
            if (argument ~ /\[/)
                return ""
            count = split(argument, parts, "|")
            for (i = 1; i <= count; i++)
                if (parts[i] ~ /^[a-z]+$/)
                    out = out (out == "" ? "" : " ") parts[i]
            return out
        }
    '
}

"$PMON" --help | rows main > "$table"
# shellcheck disable=SC2013 # one word each
for command in $(awk -F '\t' '$1 == "commands" { print $3 }' "$table"); do
    "$PMON" "$command" --help | rows "$command" >> "$table"
done

bash_file() {
    awk -F '\t' '
        function add(list, word) {
            return list (list == "" ? "" : " ") word
        }
        function pattern(row) {
            return (row[1] == "main" ? "" : row[1]) ":--" row[3] \
                (row[2] == "" ? "" : " | " (row[1] == "main" ? "" : row[1]) \
                ":-" row[2])
        }
        $1 == "commands" { commands = add(commands, $3); next }
        {
            if (!($1 in options))
                order[++count] = $1
            options[$1] = add(options[$1], "--" $3)
            split($0, row, "\t")
            if ($4 != "flag") {
                kind = $5 != "" ? "_pmon_words \"" $5 "\"" : "_pmon_" $4
                arms[++arm_count] = "    " pattern(row) ") " kind " ;;"
            }
        }
        END {
            print "# bash completion for pmon, made by src/completions/generate.sh"
            print ""
            print "_pmon_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\"" \
                " -- \"$cur\"); }"
            print "_pmon_file() { mapfile -t COMPREPLY < <(compgen -f --" \
                " \"$cur\"); compopt -o filenames 2> /dev/null; }"
            print "_pmon_folder() { mapfile -t COMPREPLY < <(compgen -d --" \
                " \"$cur\"); compopt -o filenames 2> /dev/null; }"
            print "_pmon_pid() { _pmon_words \"$(cd /proc && echo [0-9]*)\"; }"
            print "_pmon_word() { COMPREPLY=(); }"
            print ""
            print "# What follows -- is another command line"
            print "_pmon_step() {"
            print "    if declare -F _command_offset > /dev/null; then"
            print "        _command_offset \"$1\""
            print "    elif ((COMP_CWORD == $1)); then"
            print "        mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")"
            print "    else"
            print "        _pmon_file"
            print "    fi"
            print "}"
            print ""
            print "_pmon_value() {"
            print "    case $1 in"
            for (i = 1; i <= arm_count; i++)
                print arms[i]
            print "    *) return 1 ;;"
            print "    esac"
            print "}"
            print ""
            print "_pmon() {"
            print "    local cur=${COMP_WORDS[COMP_CWORD]} command=\047\047 i"
            print "    local prev=${COMP_WORDS[COMP_CWORD - 1]}"
            print "    local commands=\"" commands "\""
            print ""
            print "    COMPREPLY=()"
            print "    for ((i = 1; i < COMP_CWORD; i++)); do"
            print "        if [[ ${COMP_WORDS[i]} == -- ]]; then"
            print "            _pmon_step $((i + 1))"
            print "            return"
            print "        fi"
            print "    done"
            print "    if ((COMP_CWORD > 1)) &&" \
                " [[ \" $commands \" == *\" ${COMP_WORDS[1]} \"* ]]; then"
            print "        command=${COMP_WORDS[1]}"
            print "    fi"
            print "    # --name=value comes as three words"
            print "    if [[ $cur == = ]]; then"
            print "        cur="
            print "    elif [[ $prev == = ]]; then"
            print "        prev=${COMP_WORDS[COMP_CWORD - 2]}"
            print "    fi"
            print "    _pmon_value \"$command:$prev\" && return"
            print "    case $command:$cur in"
            for (i = 1; i <= count; i++)
                print "    " (order[i] == "main" ? "" : order[i]) \
                    ":-*) _pmon_words \"" options[order[i]] "\" ;;"
            print "    :*) ((COMP_CWORD > 1)) || _pmon_words \"$commands\" ;;"
            print "    psrecord:*) _pmon_pid ;;"
            print "    *) _pmon_file ;;"
            print "    esac"
            print "}"
            print ""
            print "complete -F _pmon pmon"
        }
    ' "$table"
}

zsh_file() {
    awk -F '\t' '
        function quoted(text) {
            gsub(/\047/, "\047\\\047\047", text)
            gsub(/\[/, "\\[", text)
            gsub(/\]/, "\\]", text)
            gsub(/:/, "\\:", text)
            return text
        }
        function value(kind, choices) {
            if (choices != "")
                return ":" kind ":(" choices ")"
            if (kind == "file")
                return ":file:_files"
            if (kind == "folder")
                return ":folder:_files -/"
            if (kind == "pid")
                return ":pid:_pids"
            return kind == "flag" ? "" : ":value: "
        }
        $1 == "commands" {
            commands = commands "        \047" $3 ":" quoted($6) "\047\n"
            names[++name_count] = $3
            next
        }
        {
            rest = "[" quoted($6) "]" value($4, $5) "\047"
            if ($2 == "")
                line = "\047--" $3 ($4 == "flag" ? "" : "=") rest
            else
                line = "\047(-" $2 " --" $3 ")\047{-" $2 ",--" $3 \
                    ($4 == "flag" ? "" : "=") "}\047" rest
            specs[$1] = specs[$1] "            " line " \\\n"
        }
        END {
            print "#compdef pmon"
            print "# zsh completion for pmon, made by src/completions/generate.sh"
            print ""
            print "_pmon() {"
            print "    local -a commands"
            print "    local dashes=${words[(i)--]}"
            print ""
            print "    commands=("
            printf "%s", commands
            print "    )"
            print "    # What follows -- is another command line"
            print "    if (( dashes < CURRENT )); then"
            print "        shift $dashes words"
            print "        (( CURRENT -= dashes ))"
            print "        _normal"
            print "        return"
            print "    fi"
            print "    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then"
            print "        _describe command commands"
            print "        return"
            print "    fi"
            print "    case $words[2] in"
            for (i = 1; i <= name_count; i++) {
                rest = names[i] == "psrecord" ? "\0471:pid:_pids\047" \
                    : "\047*:file:_files\047"
                print "    " names[i] ")"
                print "        _arguments \\"
                printf "%s", specs[names[i]]
                print "            \0471:command: \047 " \
                    (names[i] == "psrecord" ? "\0472:pid:_pids\047" \
                    : "\047*:file:_files\047")
                print "        ;;"
            }
            print "    *)"
            print "        _arguments -s \\"
            sub(/ \\\n$/, "\n", specs["main"])
            printf "%s", specs["main"]
            print "        ;;"
            print "    esac"
            print "}"
            print ""
            print "_pmon \"$@\""
        }
    ' "$table"
}

fish_file() {
    awk -F '\t' '
        function quoted(text) {
            gsub(/\\/, "\\\\", text)
            gsub(/\047/, "\\\047", text)
            return "\047" text "\047"
        }
        function value(kind, choices) {
            if (choices != "")
                return " -x -a \047" choices "\047"
            if (kind == "file")
                return " -r -F"
            if (kind == "folder")
                return " -x -a \047(__fish_complete_directories)\047"
            if (kind == "pid")
                return " -x -a \047(__fish_complete_pids)\047"
            return kind == "flag" ? "" : " -x"
        }
        $1 == "commands" {
            names = names " " $3
            list = list "complete -c pmon -n \047__pmon_at first\047 -a " $3 \
                " -d " quoted($6) "\n"
            rest = rest "complete -c pmon -n \047__pmon_at " $3 "\047" \
                ($3 == "psrecord" ? " -a \047(__fish_complete_pids)\047" \
                : " -F") "\n"
            next
        }
        {
            options = options "complete -c pmon -n \047__pmon_at " $1 "\047" \
                ($2 == "" ? "" : " -s " $2) " -l " $3 value($4, $5) " -d " \
                quoted($6) "\n"
        }
        END {
            print "# fish completion for pmon, made by src/completions/generate.sh"
            print ""
            print "# Where the cursor is: at the first word, in main, in a" \
                " command, in the step"
            print "function __pmon_at"
            print "    set -l words (commandline -opc)"
            print "    set -l place main"
            print "    if contains -- -- $words"
            print "        set place step"
            print "    else if test (count $words) -eq 1"
            print "        set place main first"
            print "    else if contains -- $words[2]" names
            print "        set place $words[2]"
            print "    end"
            print "    contains -- $argv[1] $place"
            print "end"
            print ""
            print "# What follows -- is another command line"
            print "function __pmon_step"
            print "    set -l words (commandline -opc)"
            print "    set -e words[1..(contains -i -- -- $words)]"
            print "    set -l line (string escape -- $words) (commandline -ct)"
            print "    complete -C \"$line\""
            print "end"
            print ""
            print "complete -c pmon -f"
            print "complete -c pmon -n \047__pmon_at step\047 -a" \
                " \047(__pmon_step)\047"
            printf "%s%s%s", list, rest, options
        }
    ' "$table"
}

bash_file > "$into/pmon.bash"
zsh_file > "$into/_pmon"
fish_file > "$into/pmon.fish"
