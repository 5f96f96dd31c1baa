# fish completion for pmon, made by completions/generate.sh

# Where the cursor is: at the first word, in main, in a command, in the step
function __pmon_at
    set -l words (commandline -opc)
    set -l place main
    if contains -- -- $words
        set place step
    else if test (count $words) -eq 1
        set place main first
    else if contains -- $words[2] peak psrecord region report
        set place $words[2]
    end
    contains -- $argv[1] $place
end

# What follows -- is another command line
function __pmon_step
    set -l words (commandline -opc)
    set -e words[1..(contains -i -- -- $words)]
    set -l line (string escape -- $words) (commandline -ct)
    complete -C "$line"
end

complete -c pmon -f
complete -c pmon -n '__pmon_at step' -a '(__pmon_step)'
complete -c pmon -n '__pmon_at first' -a peak -d 'print the peak of a log, as a block for a CSV'
complete -c pmon -n '__pmon_at first' -a psrecord -d 'take psrecord\'s command line'
complete -c pmon -n '__pmon_at first' -a region -d 'mark a phase of a script'
complete -c pmon -n '__pmon_at first' -a report -d 'print a table of regions'
complete -c pmon -n '__pmon_at peak' -F
complete -c pmon -n '__pmon_at psrecord' -a '(__fish_complete_pids)'
complete -c pmon -n '__pmon_at region' -F
complete -c pmon -n '__pmon_at report' -F
complete -c pmon -n '__pmon_at main' -s l -l log -r -F -d 'write a row each interval to FILE'
complete -c pmon -n '__pmon_at main' -l log-format -x -a 'plain csv jsonl' -d 'psrecord\'s plain log (default), its csv, or JSON'
complete -c pmon -n '__pmon_at main' -s i -l interval -x -a 'auto' -d 'time between rows, 1ms to 1 day (default 0.1)'
complete -c pmon -n '__pmon_at main' -s d -l duration -x -d 'end the rows after TIME; the step goes on'
complete -c pmon -n '__pmon_at main' -l include-children -d 'count the whole process tree (default)'
complete -c pmon -n '__pmon_at main' -l no-children -d 'count the first process alone'
complete -c pmon -n '__pmon_at main' -l include-io -d 'four more columns: I/O calls and bytes'
complete -c pmon -n '__pmon_at main' -l pss -d 'memory with shared pages counted once, too'
complete -c pmon -n '__pmon_at main' -l exact -d 'use a control group of the step\'s own, if allowed'
complete -c pmon -n '__pmon_at main' -l append-peak -r -F -d 'append the peak to the step\'s profile CSV'
complete -c pmon -n '__pmon_at main' -l step -x -d 'log, profile and summary named by NAME, in DIR'
complete -c pmon -n '__pmon_at main' -l results -x -a '(__fish_complete_directories)' -d 'the folder for --step (default .)'
complete -c pmon -n '__pmon_at main' -l summary -r -F -d 'write all figures as JSON to FILE'
complete -c pmon -n '__pmon_at main' -l regions -x -a '(__fish_complete_directories)' -d 'collect the regions that the step marks, in DIR'
complete -c pmon -n '__pmon_at main' -l survivors -x -a 'leave wait kill' -d 'when the step ends: leave (default), wait, kill'
complete -c pmon -n '__pmon_at main' -l kill-after -x -d 'from TERM to KILL (default 10)'
complete -c pmon -n '__pmon_at main' -l max-rss -x -d 'budget: fail (default) or stop when passed'
complete -c pmon -n '__pmon_at main' -l max-time -x -d 'budget: fail or stop (default)'
complete -c pmon -n '__pmon_at main' -l max-cpu-time -x -d 'budget: fail (default) or stop'
complete -c pmon -n '__pmon_at main' -l full-commands -d 'whole command lines in the summary'
complete -c pmon -n '__pmon_at main' -s p -l pid -x -a '(__fish_complete_pids)' -d 'record a process that runs already'
complete -c pmon -n '__pmon_at main' -s q -l quiet -d 'print errors only'
complete -c pmon -n '__pmon_at main' -s v -l verbose -d 'say how good the figures are, too'
complete -c pmon -n '__pmon_at main' -s V -l version -d 'print the version'
complete -c pmon -n '__pmon_at main' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at psrecord' -l log -r -F -d 'write a row each interval to FILE'
complete -c pmon -n '__pmon_at psrecord' -l log-format -x -a 'plain csv' -d 'the format of FILE'
complete -c pmon -n '__pmon_at psrecord' -l plot -r -F -d 'draw the rows to FILE'
complete -c pmon -n '__pmon_at psrecord' -l duration -x -d 'stop after TIME, and the command with it'
complete -c pmon -n '__pmon_at psrecord' -l interval -x -d 'time between rows (default 0.01)'
complete -c pmon -n '__pmon_at psrecord' -l include-children -d 'count child processes'
complete -c pmon -n '__pmon_at psrecord' -l include-io -d 'four more columns: I/O calls and bytes'
complete -c pmon -n '__pmon_at psrecord' -s h -l help -d 'print this help'
