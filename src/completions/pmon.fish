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
complete -c pmon -n '__pmon_at first' -a psrecord -d 'accept psrecord\'s command line'
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
complete -c pmon -n '__pmon_at main' -s d -l duration -x -d 'stop recording after TIME; the step goes on'
complete -c pmon -n '__pmon_at main' -l include-children -d 'count the whole process tree (default)'
complete -c pmon -n '__pmon_at main' -l no-children -d 'count only the first process'
complete -c pmon -n '__pmon_at main' -l include-io -d 'add four columns: I/O calls and bytes'
complete -c pmon -n '__pmon_at main' -l pss -d 'also report PSS: shared pages count once'
complete -c pmon -n '__pmon_at main' -l exact -d 'run the step in its own control group, if allowed'
complete -c pmon -n '__pmon_at main' -l processes -r -F -d 'write rows of each process to FILE'
complete -c pmon -n '__pmon_at main' -l append-peak -r -F -d 'append the peak to the step\'s profile CSV'
complete -c pmon -n '__pmon_at main' -l step -x -d 'write log, profile and summary, named after NAME'
complete -c pmon -n '__pmon_at main' -l results -x -a '(__fish_complete_directories)' -d 'folder for the files of --step (default .)'
complete -c pmon -n '__pmon_at main' -l tag -x -d 'note NAME and VALUE in the summary'
complete -c pmon -n '__pmon_at main' -l summary -r -F -d 'write all figures as JSON to FILE'
complete -c pmon -n '__pmon_at main' -l plot -r -F -d 'at the end, draw the run: .svg, .png or .pdf'
complete -c pmon -n '__pmon_at main' -l regions -x -a '(__fish_complete_directories)' -d 'collect the regions of the step in DIR'
complete -c pmon -n '__pmon_at main' -l survivors -x -a 'leave wait kill' -d 'survivors: leave (default), wait, kill'
complete -c pmon -n '__pmon_at main' -l kill-after -x -d 'time from SIGTERM to SIGKILL (default 10)'
complete -c pmon -n '__pmon_at main' -l max-rss -x -d 'memory budget: fail (default) or stop'
complete -c pmon -n '__pmon_at main' -l max-time -x -d 'time budget: fail or stop (default)'
complete -c pmon -n '__pmon_at main' -l max-cpu-time -x -d 'CPU time budget: fail (default) or stop'
complete -c pmon -n '__pmon_at main' -l min-free -x -d 'memory left: fail or stop (default)'
complete -c pmon -n '__pmon_at main' -l full-commands -d 'show whole command lines in the summary'
complete -c pmon -n '__pmon_at main' -l no-host -d 'leave host name and working directory out'
complete -c pmon -n '__pmon_at main' -l live -d 'show a status line on the terminal'
complete -c pmon -n '__pmon_at main' -s p -l pid -x -a '(__fish_complete_pids)' -d 'record a process that is already running'
complete -c pmon -n '__pmon_at main' -s q -l quiet -d 'print errors only'
complete -c pmon -n '__pmon_at main' -s v -l verbose -d 'also report how good the figures are'
complete -c pmon -n '__pmon_at main' -s V -l version -d 'print the version'
complete -c pmon -n '__pmon_at main' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at compare' -l alpha -x -d 'call a change real if p is at most P (0.05)'
complete -c pmon -n '__pmon_at compare' -l by -x -d 'compare only runs with the same value of a tag'
complete -c pmon -n '__pmon_at compare' -l fail-over -x -d 'exit with 1 if a median grew by more: wall=10%'
complete -c pmon -n '__pmon_at compare' -l format -x -a 'text markdown json' -d 'text (default), markdown or json'
complete -c pmon -n '__pmon_at compare' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at peak' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at plot' -s o -l output -r -F -d 'write a picture: .svg, .png or .pdf'
complete -c pmon -n '__pmon_at plot' -l metric -x -a 'rss cpu vms pss io' -d 'rss, cpu, vms, pss, io (default rss,cpu)'
complete -c pmon -n '__pmon_at plot' -l by -x -a 'command process' -d 'stack the layers of a file of --processes'
complete -c pmon -n '__pmon_at plot' -l from -x -d 'begin at TIME after the start'
complete -c pmon -n '__pmon_at plot' -l to -x -d 'end at TIME after the start'
complete -c pmon -n '__pmon_at plot' -l title -x -d 'the title of the picture or chart'
complete -c pmon -n '__pmon_at plot' -l stack -d 'draw several runs one below the other'
complete -c pmon -n '__pmon_at plot' -l script -r -F -d 'keep gnuplot\'s script'
complete -c pmon -n '__pmon_at plot' -l regions -x -a '(__fish_complete_directories)' -d 'draw the regions recorded in DIR'
complete -c pmon -n '__pmon_at plot' -l start -x -d 'when a log began, in seconds since 1970'
complete -c pmon -n '__pmon_at plot' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at psrecord' -l log -r -F -d 'write a row each interval to FILE'
complete -c pmon -n '__pmon_at psrecord' -l log-format -x -a 'plain csv' -d 'the format of FILE'
complete -c pmon -n '__pmon_at psrecord' -l plot -r -F -d 'draw the rows to FILE'
complete -c pmon -n '__pmon_at psrecord' -l duration -x -d 'stop recording after TIME, and end the command'
complete -c pmon -n '__pmon_at psrecord' -l interval -x -d 'time between rows (default 0.01)'
complete -c pmon -n '__pmon_at psrecord' -l include-children -d 'count child processes'
complete -c pmon -n '__pmon_at psrecord' -l include-io -d 'add four columns: I/O calls and bytes'
complete -c pmon -n '__pmon_at psrecord' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at region' -l begin -x -d 'begin a region; end it with --end'
complete -c pmon -n '__pmon_at region' -l end -x -d 'end the newest open region of that name'
complete -c pmon -n '__pmon_at region' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at report' -l format -x -a 'text markdown csv json' -d 'text (default), markdown, csv or json'
complete -c pmon -n '__pmon_at report' -l sort -x -d 'sort by a column, largest numbers first'
complete -c pmon -n '__pmon_at report' -l group -x -a 'step host rank job' -d 'print one row per group: sum, max and mean'
complete -c pmon -n '__pmon_at report' -l github -d 'also append to the job summary of GitHub'
complete -c pmon -n '__pmon_at report' -s h -l help -d 'print this help'
complete -c pmon -n '__pmon_at watch' -s f -l filter -x -d 'record processes that match; may be repeated'
complete -c pmon -n '__pmon_at watch' -s i -l interval -x -d 'time between samples (default 10)'
complete -c pmon -n '__pmon_at watch' -s d -l dir -x -a '(__fish_complete_directories)' -d 'folder for the files ($STATE_DIRECTORY, or .)'
complete -c pmon -n '__pmon_at watch' -l extended -d 'add seven columns: pid, memory, CPU, and more'
complete -c pmon -n '__pmon_at watch' -l include-self -d 'also record pmon-watch itself'
complete -c pmon -n '__pmon_at watch' -l max-size -x -d 'begin a new file before one exceeds SIZE'
complete -c pmon -n '__pmon_at watch' -l keep -x -d 'keep N older files (default 5)'
complete -c pmon -n '__pmon_at watch' -s n -l count -x -d 'end after N samples'
complete -c pmon -n '__pmon_at watch' -l env-prefix -x -d 'take settings from variables with that prefix'
complete -c pmon -n '__pmon_at watch' -l env-file -r -F -d 'read variables from FILE, again at each SIGHUP'
complete -c pmon -n '__pmon_at watch' -l log-level -x -d 'DEBUG, INFO (default), WARNING, ERROR, CRITICAL'
complete -c pmon -n '__pmon_at watch' -s V -l version -d 'print the version'
complete -c pmon -n '__pmon_at watch' -s h -l help -d 'print this help'
