#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures and charts: pmon plot, --plot, --live, curves in the closing words.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set workload, work, status
# shellcheck disable=SC2016  # hostile names are not to expand
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

unset COLUMNS
gnuplot=$(command -v gnuplot)

# A PATH with everything that the tests need but gnuplot
mkdir bare
for tool in sh true sleep wc python3; do
    ln -s "$(command -v $tool)" "bare/$tool"
done

# The format of a picture: svg, png, pdf; nothing for any other file
kind() {
    case $(head -c 5 "$1" 2> /dev/null | tr -d '\0\211' | head -n 1) in
    '<?xml' | '<svg'*) echo svg ;;
    PNG*) echo png ;;
    %PDF-) echo pdf ;;
    esac
}

# A gnuplot that hangs; checked at the end
mkdir hanging
printf '#!/bin/sh\nexec sleep 60\n' > hanging/gnuplot
chmod +x hanging/gnuplot
(
    PATH=$work/hanging:$PATH "$PMON" --plot hang.svg -- sh -c 'exit 6' \
        2> hang.err
    echo $? > hang.status
) &

write_log() { # ROWS
    awk -v rows="$1" 'BEGIN {
        print "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)"
        for (i = 0; i < rows; i++)
            printf "%12.3f %12.3f %12.3f %12.3f\n", i / 10, i * 7 % 200,
                   i == int(rows * 0.7) ? 900 : i % 500, 1000
    }'
}

write_log 3 > three.txt
write_log 100000 > long.txt
cat > mprof.dat << 'END'
CMDLINE python3 model.py
MEM 10.0 1718739269.5000
MEM 12.0 1718739270.5000
CHLD 1 13.0 1718739270.5000
CHLD 2 2.5 1718739270.5000
FUNC model.solve 10.0 1718739269.7000 20.0 1718739270.2000
no row
MEM 12.0 1718739271.5000
END

# ---- in the terminal ----

run "$PMON" plot three.txt
is "$status: $(cat err)" '0: ' 'a chart of three rows'
is "$(awk 'NR > 1' out | "$python" -c 'import sys
print(max(len(line.rstrip("\n")) for line in sys.stdin) <= 80)')" True \
    'into a pipe, 80 columns'
like "$(cat out)" '█' 'of blocks where the locale is UTF-8'
LC_ALL=C run "$PMON" plot three.txt
is "$(LC_ALL=C tr -d '\n -~' < out)" '' 'of ASCII where it is not'
like "$(cat out)" 'largest row 2\.00 MiB|largest row 900 MiB' \
    'the largest row is named'
COLUMNS=200 run "$PMON" plot long.txt
is "$("$python" -c 'import sys
print(max(len(line.rstrip("\n")) for line in open("out")))')" 200 \
    'COLUMNS gives the width'
like "$(cat out)" 'largest row 900 MiB, 1 h 56 min 40 s' \
    'of 100,000 rows the one that stands out is kept'
# The peak in the middle: no room for its words on either side of the mark
printf '%s\n' '0 1 100 1' '4000 1 200 1' '8000 1 100 1' > middle.txt
for columns in 40 60 80; do
    COLUMNS=$columns run "$PMON" plot middle.txt
    like "$(cat out)" 'largest row 200 MiB, 1 h 6 m' \
        "the words of the peak have a place, $columns columns"
    is "$("$python" -c 'import sys
print(max(len(line.rstrip("\n")) for line in open("out")))')" "$columns" \
        'within the window'
done
printf '%s\n' '0 1 100 1' '1 1 200 1' '2 1 200 1' '3 1 100 1' > plateau.txt
run "$PMON" plot plateau.txt
like "$(cat out)" 'largest row 200 MiB, 1\.0 s' 'a plateau is named by its begin'
run "$PMON" peak plateau.txt
is "$(tail -n 1 out)" '2.000,1.000,200.000,1.000' \
    'its last row stands in the peak block, as in that of psrecord'
printf '%s\n' '0 0 64 1' '0.05 90 0 1' > short.txt
COLUMNS=60 run "$PMON" plot short.txt --metric rss
is "$(grep -c '[│┤]█\{40,\}$' out)" 8 \
    'memory stands until the next row, in a run shorter than an interval'
printf '%s\n' '0 1 10 1' '2 20 30 1' > low.txt
printf '%s\n' '0 1 700 1' '8 300 800 1' > high.txt
run "$PMON" plot low.txt high.txt --stack
is "$(grep -Eo '^ *[0-9]+ (MiB|%)|^ *0 s .*' out | sort | uniq -c |
    awk '$1 != 2')" '' '--stack: runs share their axes'
is "$(grep -c '^ 800 MiB' out)" 2 'up to the largest of all'
run "$PMON" plot low.txt high.txt
like "$(cat out)" '^ +[34]0 MiB' 'without it each has its own'
for command in plot peak report; do
    "$PMON" "$command" < high.txt /dev/stdin > want
    run sh -c 'cat high.txt | "$PMON" "$1" -' sh "$command"
    is "$status: $(cat err) $(tail -n 1 out)" "0:  $(tail -n 1 want)" \
        "pmon $command - reads standard input, a pipe too"
done
run "$PMON" plot three.txt mprof.dat
is "$status $(grep -c ' RSS ' out)" '0 2' 'several files, one under the other'
is "$(cat err)" 'pmon: mprof.dat:7: not a row of mprof, skipped' \
    'a bad row is named by file and line'
like "$(cat out)" 'largest row 27\.5 MiB, 1\.0 s' \
    "mprof's children are added to their parent"
COLUMNS=120 run "$PMON" plot mprof.dat
like "$(cat out)" 'model\.solve' "mprof's functions are regions"
mkdir same
cp three.txt same
run "$PMON" plot three.txt same/three.txt no.txt
is "$status: $(grep -c 'three\.txt$' out) $(grep -c '^same/' out)" '1: 2 1' \
    'runs of one name have their paths, though a file is missing'
run "$PMON" plot long.txt --from 1h --to 90min --metric rss
unlike "$(cat out)" 'CPU' '--metric leaves the others out'
like "$(tail -n 1 out)" '^ *60 min .* 90 min$' '--from and --to'

# ---- what is wrong is one line ----

fails() { # STATUS LINE ARGUMENTS...
    want=$1
    line=$2
    shift 2
    run "$PMON" "$@"
    is "$status: $(cat err)" "$want: $line" "pmon $*"
}
fails 1 'pmon: --output p.gif: must be a name that ends in .svg, .png or .pdf' \
    plot three.txt -o p.gif
fails 125 'pmon: --plot p.gif: must be a name that ends in .svg, .png or .pdf' \
    --plot p.gif -- sh -c 'echo ran > ran'
[ ! -e ran ] && [ ! -e p.gif ] && ok 'nothing was started or made'
fails 1 'pmon: missing.txt: cannot be read: No such file or directory' \
    plot missing.txt
fails 1 'pmon: --metric rss,x: must be rss, cpu, vms, pss or io, separated by commas' \
    plot three.txt --metric rss,x
fails 1 'pmon: three.txt: has no pss' plot three.txt --metric pss
printf '"A","1796007184668093002","500000000"\r\n' > region
fails 1 'pmon: region: not a log; to draw the regions of a folder over a log, use --regions FOLDER' \
    plot region
run "$PMON" plot three.txt --metric rss,vms,io
is "$status: $(cat err)" '0: pmon: three.txt: has no io' \
    'requested curves that are missing are reported'
fails 1 'pmon: three.txt: has no absolute time: --regions needs --start EPOCH, in seconds' \
    plot three.txt --regions .
fails 1 'pmon: --to soon: must be a time up to 292 years, such as 10, 500ms, 5min or 2h' \
    plot three.txt --to soon
fails 1 'pmon: three.txt: has no rows between --from and --to' \
    plot three.txt --from 5
fails 1 'pmon: nowhere/p.svg: cannot be written: No such file or directory' \
    plot three.txt -o nowhere/p.svg
fails 1 'pmon: plot: a file is missing: pmon plot FILE...' plot
# Of a folder its summaries are drawn, or else its logs; a file that is named
# twice is drawn once.
mkdir ranks logs none
for rank in 0 1 2; do
    PMI_RANK=$rank PMI_SIZE=3 SLURM_JOB_ID=991 SLURM_ARRAY_TASK_ID=7 \
        "$PMON" -q --step sim --results ranks -- sleep 0.1
done
run "$PMON" plot ranks ranks/summary_sim_rank1_task7.json
is "$status: $(cat err)$(grep '^sim' out | tr '\n' ';')" "0: sim, rank 0, array \
task 7;sim, rank 2, array task 7;sim, rank 1, array task 7;" \
    'the summaries of a folder but those that are named'
run "$PMON" plot ranks/summary_sim_rank2_task7.json
is "$status: $(head -n 1 out)" '0: sim, rank 2, array task 7, job 991' \
    'one run is named with its job'
cp three.txt logs/a.txt
cp mprof.dat logs/b.dat
cp region logs/region
run "$PMON" plot logs
is "$status: $(grep '^[ab]\.' out | tr '\n' ';')" '0: a.txt;b.dat;' \
    'the logs of a folder without summaries'
printf '{"schema": 1, "pmon": "0' > ranks/torn.json
run "$PMON" plot ranks
is "$status: $(grep -c '^pmon: ranks/torn.json' err) $(grep -c '^sim' out)" \
    '1: 1 3' 'a summary that cannot be read costs its own curve'
rm ranks/torn.json
fails 1 'pmon: none: contains no summary, log or mprof file' plot none
run "$PMON" plot none ranks
is "$status: $(cat err) $(grep -c '^sim' out)" \
    '1: pmon: none: contains no summary, log or mprof file 3' \
    'the other files are drawn'
mkdir many
for i in $(seq 65); do
    cp three.txt "many/$i.txt"
done
fails 1 'pmon: plot: 65 runs: at most 64' plot many
cp three.txt keep.txt
ln -s keep.txt keep.svg
fails 1 'pmon: plot: keep.txt would be overwritten: give -o and --script other names' \
    plot keep.txt --script ./keep.txt
fails 1 'pmon: plot: keep.txt would be overwritten: give -o and --script other names' \
    plot three.txt keep.txt -o keep.svg
cmp -s three.txt keep.txt && ok 'the file that is drawn is unchanged'
fails 1 'pmon: plot: p.svg would be overwritten: give -o and --script other names' \
    plot three.txt -o p.svg --script ./p.svg
fails 125 'pmon: p.svg: used for two outputs; give each its own file' \
    --plot p.svg --summary p.svg -- true

# ---- a run, its summary, its regions ----

# Until the log has at least eight rows, even on a slow machine
cat > step.sh << 'END'
"$PMON" region --begin LOADING
until [ "$(wc -l < m.txt)" -gt 8 ]; do sleep 0.05; done
"$PMON" region --end LOADING
"$PMON" region SAVING -- sleep 0.5
END
run env PATH="$work/bare" "$PMON" --plot p.svg --log m.txt --summary s.json \
    --regions regions -- sh -c '. ./step.sh; exit 3'
is "$status $(summary s.json files plot)" '3 null' \
    'without gnuplot the step runs, its status holds, the summary says null'
like "$(head -n 1 err)" \
    '^pmon: --plot p\.svg: gnuplot is not on PATH: install gnuplot-nox' \
    'the first message names the package in one line'
is_true "$(wc -l < m.txt) > 8" 'and the log is written'
run env PATH="$work/bare" "$PMON" plot three.txt -o p.svg
is "$status $(wc -l < err) $(grep -c ' RSS ' out)" '1 1 1' \
    '-o without gnuplot: one line, the chart, status 1'
[ ! -e p.svg ] && ok 'and no picture'
COLUMNS=120 run "$PMON" plot s.json
like "$(cat out)" 'LOADING' "a summary leads to its log and its run's regions"
like "$(cat out)" 'peak (at least|between|[0-9.]+ .iB \(exact)' \
    'the peak has the word of the summary'

# The log of the summary, moved with it, and the log of another run
mkdir moved
run "$PMON" -q --log "$work/run.txt" --summary run.json -- sleep 0.4
mv run.txt run.json moved
run "$PMON" plot moved/run.json
is "$status: $(cat err)" '0: ' 'log and summary were moved together'
like "$(tail -n 1 out)" ' ms' 'and its rows are drawn'
cp moved/run.txt own.txt
printf '%s\n' '0 1 2000 1' '9 1 5000 1' > moved/run.txt
run "$PMON" plot moved/run.json
like "$status: $(cat err)" \
    '^0: pmon: moved/run\.json: its log .*run\.txt belongs to another run, drawn from the summary$' \
    "another run's log is not taken for its own"
unlike "$(cat out)" 'GiB' 'nor drawn'
head -n 3 own.txt > moved/run.txt
run "$PMON" plot moved/run.json
is "$status: $(cat err)" '0: ' 'a log that lacks its end is its own'
rm moved/run.txt
mkfifo moved/run.txt
run "$PMON" plot moved/run.json
like "$status: $(cat err)" '^0: .*run\.txt is not a regular file, drawn from the summary$' \
    'a pipe is not waited for'
rm m.txt
run "$PMON" plot s.json
like "$status: $(cat err)" \
    '^0: pmon: s\.json: its log .*m\.txt does not exist, drawn from the summary$' \
    'without its log it is drawn from its own curve'

# ---- curves in the closing words ----

run "$PMON" -- sleep 1.2
like "$(grep 'pmon: CPU' err)" '  [▁▂▃▄▅▆▇█]{8,20}$' 'a curve of CPU'
like "$(grep 'pmon: memory' err)" '  [▁▂▃▄▅▆▇█]{8,20}$' 'a curve of memory'
is_true "$(wc -l < err) <= 8" 'at most eight lines'
LC_ALL=C run "$PMON" -- sleep 1.2
is "$(LC_ALL=C tr -d '\n -~' < err)" '' 'none where the locale is not UTF-8'
run "$PMON" -- true
unlike "$(cat err)" '[▁▂▃▄▅▆▇█]' 'none of a few rows'

# ---- --live ----

run "$PMON" --live -- sleep 0.6
unlike "$(cat err)" "$(printf '\033')" 'no live line where stderr is no terminal'
if [ -x "$ptyrun" ]; then
    "$python" - "$PMON" > live << 'PY'
import os, pty, sys, time

begin = time.monotonic()
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    import fcntl, struct, termios
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execv(sys.argv[1], [sys.argv[1], "--live", "-i", "10ms", "--", "sh",
                           "-c", "sleep 0.5; echo step; sleep 0.6"])
data = b""
while True:
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    data += got
os.waitpid(pid, 0)
sys.stdout.buffer.write(data)
print(time.monotonic() - begin, file=open("lasted", "w"))
PY
    esc=$(printf '\033')
    is_true "$(grep -ac "processe*s*${esc}8" live) >= 1" \
        'a live line on a terminal'
    count=$(tr "$esc" '\n' < live | grep -c '^\[Kpmon: ')
    is_true "$count >= 3 && $count <= 4 * $(cat lasted) + 1.6" \
        'at most four times a second'
    is "$(tr "$esc" '\n' < live | grep -c '^\[r$')" 1 \
        'all rows scroll again at the end'
    is "$("$python" -c 'import sys
print(b"CPU" in open("live", "rb").read().split(b"\33[r")[-1].split(b"pmon: sh:")[0])')" \
        False 'and nothing is drawn after'
    # Rows are an hour apart: no row drew the lines after the first
    "$python" - "$PMON" > window << 'PY'
import fcntl, os, pty, select, struct, sys, termios

def size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

def start(step, columns=80, options=["--live", "-i", "1h"]):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        size(1, 24, columns)
        os.execv(sys.argv[1], [sys.argv[1]] + options + ["--", "sh", "-c", step])
    return pid, fd

def read_until(fd, data, text):
    while text not in data:
        if not select.select([fd], [], [], 10)[0]:
            return data
        try:
            data += os.read(fd, 65536)
        except OSError:
            return data
    return data

pid, fd = start("read answer")
data = read_until(fd, b"", b" process")
size(fd, 30, 40)
rest = read_until(fd, b"", b"\33[J")
print("resized:", b" process" in data, b"\33[r" in rest, b"\33[J" in rest)
os.write(fd, b"\n")
read_until(fd, b"", b"never")
os.waitpid(pid, 0)

pid, fd = start("read answer; kill -STOP $$")
data = read_until(fd, b"", b" process")
os.write(fd, b"\n")
os.waitpid(pid, os.WUNTRACED)
print("stopped:", b"\33[r" in read_until(fd, b"", b"\33[r"))
os.kill(pid, 18)
read_until(fd, b"", b"never")
os.waitpid(pid, 0)

# The survivor of the root reports that the root has ended
pid, fd = start("(while kill -0 $$; do sleep 0.02; done 2> kill; echo alone;"
                " until [ -e go ]; do sleep 0.02; done) & read answer",
                options=["--live", "-i", "20ms", "--survivors", "wait"])
read_until(fd, b"", b" process")
os.write(fd, b"\n")
read_until(fd, b"", b"alone")
print("waiting:", b" process" in read_until(fd, b"", b" process"))
open("go", "w").close()
read_until(fd, b"", b"never")
os.waitpid(pid, 0)

# The memory of a sanitizer makes the peak a range, which needs more columns
with open(sys.argv[1], "rb") as program:
    columns = 80 if b"__asan_init" in program.read() else 62
pid, fd = start("exec sleep 0.4", columns, ["-i", "10ms"])
lines = read_until(fd, b"", b"never").decode().splitlines()
curves = [len(line) for line in lines if line.endswith(tuple("▁▂▃▄▅▆▇█"))]
print("curves:", len(curves), max(curves, default=0) <= columns)
os.waitpid(pid, 0)
PY
    is "$(head -n 1 window)" 'resized: True True True' \
        'a resized window is cleared at once'
    is "$(sed -n 2p window)" 'stopped: True' \
        'before pmon stops all rows scroll again'
    is "$(sed -n 3p window)" 'waiting: True' \
        'while survivors are waited for it goes on'
    like "$(tail -n 1 window)" '^curves: [12] True$' \
        'the curves of the closing words end within the window'
fi

# ---- gnuplot that hangs ----

wait
is "$(cat hang.status)" 6 "a gnuplot that hangs: the status is the step's"
is "$(grep gnuplot hang.err)" \
    'pmon: hang.svg: gnuplot took more than 10 s and was killed' 'and it is ended'

# ---- pictures ----

if [ -z "$gnuplot" ]; then
    skip 'pictures' 'gnuplot is not installed'
    done_testing
fi

for ending in svg png pdf; do
    run "$PMON" plot three.txt -o "p.$ending"
    is "$status $(kind "p.$ending") $(cat err)" "0 $ending " \
        "a picture of three rows: $ending"
done
run "$PMON" plot long.txt -o long.svg --script long.gp
is "$status: $(cat err)" '0: ' 'a picture of 100,000 rows'
is_true "$(wc -c < long.svg) < 200000" 'it is small'
# 900 MiB of the one row, in the data of RSS
like "$(sed -n '/^.d0_0/,/^EOD/p' long.gp | cut -d ' ' -f 3)" '^900$' \
    'the one large row of many is in it'
"$gnuplot" -d long.gp > again.svg 2> err
is "$(kind again.svg)$(cat err)" svg 'the script that was kept draws it'
run "$PMON" plot s.json three.txt mprof.dat -o five.svg
is "$status $(kind five.svg)" '0 svg' 'several runs overlaid'
run "$PMON" plot s.json three.txt --stack -o stack.png --title 'Two runs'
is "$status $(kind stack.png)" '0 png' 'and one under the other'
run "$PMON" plot three.txt long.txt --metric rss,vms --script kinds.gp \
    -o kinds.svg
like "$(cat kinds.gp)" "^set label 'RSS, VMS \(dashed\)' " \
    'of overlaid runs the kinds of lines are named'
run "$PMON" plot three.txt --to 150ms --script three.gp -o three.svg
like "$(cat three.gp)" '^set xrange \[0:150\]' \
    'the axis ends where --to says'
mkdir named
printf 'state,func_start,duration' > named/name_headers
printf 'a name that is too long for it,1000000000100000000,20000000\n' \
    > named/name
run "$PMON" plot three.txt three.txt --stack --start 1000000000 \
    --regions named --script named.gp -o named.svg
like "$(cat named.gp)" "^set label 'a name [a-z ]*…'" \
    'a name that is too long for its region is cut'
ln -s p.svg link.svg
run "$PMON" plot long.txt -o link.svg
is "$(kind p.svg) $([ -h link.svg ] && echo link)" 'svg link' \
    'what a link leads to is replaced'

run "$PMON" --plot 'p_%s.svg' --summary s.json -- sh -c 'sleep 0.5; exit 4'
is "$status $(kind p_sh.svg) $(summary s.json files plot)" '4 svg p_sh.svg' \
    '--plot without a log'
like "$(tail -n 1 err)" '; picture p_sh\.svg$' 'the closing words name it'

# ---- gnuplot that fails or hangs ----

mkdir broken
printf '#!/bin/sh\necho "line 3: no such terminal" >&2\nexit 1\n' \
    > broken/gnuplot
chmod +x broken/gnuplot
run env PATH="$work/broken:$PATH" "$PMON" --plot b.svg --summary s.json -- \
    sh -c 'exit 5'
is "$status $(summary s.json files plot)" '5 null' "its failure is not the step's"
like "$(cat err)" \
    '^pmon: b\.svg: gnuplot failed: line 3: no such terminal$' \
    'its message is one line'
run env PATH="$work/broken:$PATH" "$PMON" -q --plot b.svg \
    --summary /dev/stdout -- true
is "$(check_summary out),$(summary out files plot)" complete,null \
    'a pipe gets one summary, which includes that'
run env PATH="$work/broken:$PATH" "$PMON" plot three.txt -o b.svg
is "$status: $(cat err)" \
    '1: pmon: b.svg: gnuplot failed: line 3: no such terminal' \
    'the same of pmon plot'
[ ! -e b.svg ] && ok 'no half of a picture'

# ---- hostile names ----

mkdir hostile
printf 'state,func_start,duration' > hostile/regions_headers
"$python" - > hostile.txt << 'PY'
names = ["'", "''", "a'b", '"', "`touch pwned`", "$(touch pwned)",
         "';system('touch pwned');'", "'.system('touch pwned').'", "\\", "x\\",
         "@GPVAL_VERSION", "{/Bold x}^2_3&~", "a;b|c", "%s%d%n", "#x", "!touch pwned",
         "</text><script>x</script>", "x\n!touch pwned\n", "\x1b[31mred\x1b]0;t\x07",
         "EOD\n!touch pwned", "\u202eevil", "|touch pwned", "x" * 5000]
rows = b""
for i, name in enumerate(names):
    rows += b'"%s","%d","%d"\r\n' % (name.replace('"', '""').encode(),
                                      (1718739269 + i) * 10**9, 9 * 10**8)
rows += b'"\xff\xfe\xc0","1718739268500000000","400000000"\r\n'
open("hostile/regions", "wb").write(rows)
for i in range(len(names) + 1):
    print(i, 10, i % 7 + 1, 10)
PY
title="\`touch pwned\`'; system('touch pwned') #
!touch pwned"
for ending in svg png pdf; do
    run "$PMON" plot hostile.txt --regions hostile --start 1718739268 \
        --title "$title" -o "h.$ending"
    is "$status $(kind "h.$ending")" "0 $ending" "hostile names in $ending"
done
is "$("$python" -c 'import xml.dom.minidom
print(len(xml.dom.minidom.parse("h.svg").getElementsByTagName("script")))')" \
    0 'the SVG is well-formed and has no script'
for pwned in 'a`touch pwned`' "';system('touch pwned')#.txt" '|touch pwned' \
    '$(touch pwned)' '!touch pwned'; do
    cp three.txt "$pwned"
done
set -- *pwned*
run "$PMON" plot -o 'h`touch pwned`.svg' -- "$@"
is "$status $(kind 'h`touch pwned`.svg')" '0 svg' 'hostile names of files'
run "$PMON" plot -- "$@"
is "$status" 0 'and as text'
unlike "$(cat out)" "$(printf '\033')" 'without an escape sequence'
run "$PMON" plot hostile.txt --regions hostile --start 1718739268
unlike "$(cat out)" "$(printf '\033')" 'nor from a name of a region'
[ ! -e pwned ] && ok 'nothing was run by any name'

done_testing
