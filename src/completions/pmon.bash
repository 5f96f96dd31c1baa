# bash completion for pmon, made by src/completions/generate.sh

_pmon_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_pmon_file() { mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2> /dev/null; }
_pmon_folder() { mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames 2> /dev/null; }
_pmon_pid() { _pmon_words "$(cd /proc && echo [0-9]*)"; }
_pmon_word() { COMPREPLY=(); }

# What follows -- is another command line
_pmon_step() {
    if declare -F _command_offset > /dev/null; then
        _command_offset "$1"
    elif ((COMP_CWORD == $1)); then
        mapfile -t COMPREPLY < <(compgen -c -- "$cur")
    else
        _pmon_file
    fi
}

_pmon_value() {
    case $1 in
    :--log | :-l) _pmon_file ;;
    :--log-format) _pmon_words "plain csv jsonl" ;;
    :--interval | :-i) _pmon_words "auto" ;;
    :--duration | :-d) _pmon_word ;;
    :--processes) _pmon_file ;;
    :--append-peak) _pmon_file ;;
    :--step) _pmon_word ;;
    :--results) _pmon_folder ;;
    :--tag) _pmon_word ;;
    :--summary) _pmon_file ;;
    :--plot) _pmon_file ;;
    :--regions) _pmon_folder ;;
    :--survivors) _pmon_words "leave wait kill" ;;
    :--kill-after) _pmon_word ;;
    :--max-rss) _pmon_word ;;
    :--max-time) _pmon_word ;;
    :--max-cpu-time) _pmon_word ;;
    :--min-free) _pmon_word ;;
    :--pid | :-p) _pmon_pid ;;
    compare:--alpha) _pmon_word ;;
    compare:--by) _pmon_word ;;
    compare:--fail-over) _pmon_word ;;
    compare:--format) _pmon_words "text markdown json" ;;
    plot:--output | plot:-o) _pmon_file ;;
    plot:--metric) _pmon_words "rss cpu vms pss io" ;;
    plot:--by) _pmon_words "command process" ;;
    plot:--from) _pmon_word ;;
    plot:--to) _pmon_word ;;
    plot:--title) _pmon_word ;;
    plot:--script) _pmon_file ;;
    plot:--regions) _pmon_folder ;;
    plot:--start) _pmon_word ;;
    psrecord:--log) _pmon_file ;;
    psrecord:--log-format) _pmon_words "plain csv" ;;
    psrecord:--plot) _pmon_file ;;
    psrecord:--duration) _pmon_word ;;
    psrecord:--interval) _pmon_word ;;
    region:--begin) _pmon_word ;;
    region:--end) _pmon_word ;;
    report:--format) _pmon_words "text markdown csv json" ;;
    report:--sort) _pmon_word ;;
    report:--group) _pmon_words "step host rank job" ;;
    watch:--filter | watch:-f) _pmon_word ;;
    watch:--interval | watch:-i) _pmon_word ;;
    watch:--dir | watch:-d) _pmon_folder ;;
    watch:--max-size) _pmon_word ;;
    watch:--keep) _pmon_word ;;
    watch:--count | watch:-n) _pmon_word ;;
    watch:--env-prefix) _pmon_word ;;
    watch:--env-file) _pmon_file ;;
    watch:--log-level) _pmon_word ;;
    *) return 1 ;;
    esac
}

_pmon() {
    local cur=${COMP_WORDS[COMP_CWORD]} command='' i
    local prev=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="compare peak plot psrecord region report watch"

    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _pmon_step $((i + 1))
            return
        fi
    done
    if ((COMP_CWORD > 1)) && [[ " $commands " == *" ${COMP_WORDS[1]} "* ]]; then
        command=${COMP_WORDS[1]}
    fi
    # --name=value comes as three words
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _pmon_value "$command:$prev" && return
    case $command:$cur in
    :-*) _pmon_words "--log --log-format --interval --duration --include-children --no-children --include-io --pss --exact --processes --append-peak --step --results --tag --summary --plot --regions --survivors --kill-after --max-rss --max-time --max-cpu-time --min-free --full-commands --no-host --live --pid --quiet --verbose --version --help" ;;
    compare:-*) _pmon_words "--alpha --by --fail-over --format --help" ;;
    peak:-*) _pmon_words "--help" ;;
    plot:-*) _pmon_words "--output --metric --by --from --to --title --stack --script --regions --start --help" ;;
    psrecord:-*) _pmon_words "--log --log-format --plot --duration --interval --include-children --include-io --help" ;;
    region:-*) _pmon_words "--begin --end --help" ;;
    report:-*) _pmon_words "--format --sort --group --github --help" ;;
    watch:-*) _pmon_words "--filter --interval --dir --extended --include-self --max-size --keep --count --env-prefix --env-file --log-level --version --help" ;;
    :*) ((COMP_CWORD > 1)) || _pmon_words "$commands" ;;
    psrecord:*) _pmon_pid ;;
    *) _pmon_file ;;
    esac
}

complete -F _pmon pmon
