# fish completion for pmon, made by src/completions/generate.sh

# Where the cursor is: at the first word, in main, in a command, in the step
function __pmon_at
    set -l words (commandline -opc)
    set -l place main
    if contains -- -- $words
        set place step
    else if test (count $words) -eq 1
        set place main first
    else if contains -- $words[2] compare peak plot psrecord region report watch
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
complete -c pmon -n '__pmon_at first' -a compare -d 'print what changed between runs'
complete -c pmon -n '__pmon_at first' -a peak -d 'print the peak of a log, as a block for a CSV'
complete -c pmon -n '__pmon_at first' -a plot -d 'draw logs or summaries, to a file or as text'
complete -c pmon -n '__pmon_at first' -a psrecord -d 'take psrecord\'s command line'
complete -c pmon -n '__pmon_at first' -a region -d 'mark a phase of a script'
complete -c pmon -n '__pmon_at first' -a report -d 'print a table of runs, regions or profiles'
complete -c pmon -n '__pmon_at first' -a watch -d 'record processes chosen by name, as a daemon'
complete -c pmon -n '__pmon_at compare' -F
complete -c pmon -n '__pmon_at peak' -F
complete -c pmon -n '__pmon_at plot' -F
complete -c pmon -n '__pmon_at psrecord' -a '(__fish_complete_pids)'
complete -c pmon -n '__pmon_at region' -F
complete -c pmon -n '__pmon_at report' -F
complete -c pmon -n '__pmon_at watch' -F
complete -c pmon -n '__pmon_at main' -s l -l log -r -F -d 'write a row each interval to FILE'
complete -c pmon -n '__pmon_at main' -l log-format -x -a 'plain csv jsonl' -d 'psrecord\'s plain (default), csv, or JSON'
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
complete -c pmon -n '__pmon_at main' -l plot -r -F -d 'draw the run at its end: .svg, .png or .pdf'
complete -c pmon -n '__pmon_at main' -l regions -x -a '(__fish_complete_directories)' -d 'collect the regions that the step marks, in DIR'
complete -c pmon -n '__pmon_at main' -l survivors -x -a 'leave wait kill' -d 'when the step ends: leave (default), wait, kill'
complete -c pmon -n '__pmon_at main' -l kill-after -x -d 'from TERM to KILL (default 10)'
complete -c pmon -n '__pmon_at main' -l max-rss -x -d 'budget: fail (default) or stop when exceeded'
complete -c pmon -n '__pmon_at main' -l max-time -x -d 'budget: fail or stop (default)'
complete -c pmon -n '__pmon_at main' -l max-cpu-time -x -d 'budget: fail (default) or stop'
complete -c pmon -n '__pmon_at main' -l min-free -x -d 'memory left: fail or stop (default)'
complete -c pmon -n '__pmon_at main' -l full-commands -d 'whole command lines in the summary'
complete -c pmon -n '__pmon_at main' -l live -d 'one line of status on a terminal meanwhile'
complete -c pmon -n '__pmon_at main' -s p -l pid -x -a '(__fish_complete_pids)' -d 'record a process that runs already'
complete -c pmon -n '__pmon_at main' -s q -l quiet -d 'print errors only'
complete -c pmon -n '__pmon_at main' -s v -l verbose -d 'say how good the figures are, too'
complete -c pmon -n '__pmon_at main' -s V -l version -d 'print the version'
complete -c pmon -n '__pmon_at main' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at compare' -l fail-over -x -d 'status 1 if a median grew by more: wall=10%'
complete -c pmon -n '__pmon_at compare' -l format -x -a 'text markdown json' -d 'text (default), markdown or json'
complete -c pmon -n '__pmon_at compare' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at peak' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at plot' -s o -l output -r -F -d 'the picture, .svg, .png or .pdf'
complete -c pmon -n '__pmon_at plot' -l metric -x -a 'rss cpu vms pss io' -d 'of rss, cpu, vms, pss, io (default rss,cpu)'
complete -c pmon -n '__pmon_at plot' -l from -x -d 'begin at TIME since the start'
complete -c pmon -n '__pmon_at plot' -l to -x -d 'end at TIME since the start'
complete -c pmon -n '__pmon_at plot' -l title -x -d 'the line above'
complete -c pmon -n '__pmon_at plot' -l stack -d 'several runs one under the other'
complete -c pmon -n '__pmon_at plot' -l script -r -F -d 'keep gnuplot\'s script'
complete -c pmon -n '__pmon_at plot' -l regions -x -a '(__fish_complete_directories)' -d 'region files to show, in DIR'
complete -c pmon -n '__pmon_at plot' -l start -x -d 'when a log began, in seconds since 1970'
complete -c pmon -n '__pmon_at plot' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at psrecord' -l log -r -F -d 'write a row each interval to FILE'
complete -c pmon -n '__pmon_at psrecord' -l log-format -x -a 'plain csv' -d 'the format of FILE'
complete -c pmon -n '__pmon_at psrecord' -l plot -r -F -d 'draw the rows to FILE'
complete -c pmon -n '__pmon_at psrecord' -l duration -x -d 'stop after TIME, and the command with it'
complete -c pmon -n '__pmon_at psrecord' -l interval -x -d 'time between rows (default 0.01)'
complete -c pmon -n '__pmon_at psrecord' -l include-children -d 'count child processes'
complete -c pmon -n '__pmon_at psrecord' -l include-io -d 'four more columns: I/O calls and bytes'
complete -c pmon -n '__pmon_at psrecord' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at region' -l begin -x -d 'begin a region that --end ends'
complete -c pmon -n '__pmon_at region' -l end -x -d 'end it'
complete -c pmon -n '__pmon_at region' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at report' -l format -x -a 'text markdown csv json' -d 'text (default), markdown, csv or json'
complete -c pmon -n '__pmon_at report' -l sort -x -d 'by a column, numbers from the largest'
complete -c pmon -n '__pmon_at report' -l group -x -a 'step host rank' -d 'one row a group: sum, max and mean'
complete -c pmon -n '__pmon_at report' -l github -d 'append to the job summary of GitHub, too'
complete -c pmon -n '__pmon_at report' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at watch' -s f -l filter -x -d 'record whose whole command line matches; again'
complete -c pmon -n '__pmon_at watch' -s i -l interval -x -d 'time between samples (default 10)'
complete -c pmon -n '__pmon_at watch' -s d -l dir -x -a '(__fish_complete_directories)' -d 'folder of the files ($STATE_DIRECTORY, or .)'
complete -c pmon -n '__pmon_at watch' -l extended -d 'seven more columns: pid, memory, CPU, and more'
complete -c pmon -n '__pmon_at watch' -l include-self -d 'record pmon-watch itself, too'
complete -c pmon -n '__pmon_at watch' -l max-size -x -d 'begin a new file before one is larger'
complete -c pmon -n '__pmon_at watch' -l keep -x -d 'keep N older files (default 5)'
complete -c pmon -n '__pmon_at watch' -s n -l count -x -d 'end after N samples'
complete -c pmon -n '__pmon_at watch' -l env-prefix -x -d 'be set up by variables of that prefix'
complete -c pmon -n '__pmon_at watch' -l env-file -r -F -d 'read variables from FILE, again at each HUP'
complete -c pmon -n '__pmon_at watch' -l log-level -x -d 'DEBUG, INFO (default), WARNING, ERROR, CRITICAL'
complete -c pmon -n '__pmon_at watch' -s V -l version -d 'print the version'
complete -c pmon -n '__pmon_at watch' -s h -l help -d 'print this help'
