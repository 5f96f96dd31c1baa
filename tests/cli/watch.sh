#!/bin/sh
# SPDX-License-Identifier: MIT
# pmon watch: rows are as in pmon-formats(5), RESOURCE ROWS, whatever the names
# of processes; libproc2 and the own scan give the same.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"

scan=$builddir/pmon-watch-scan
cp "$(command -v sleep)" watched

# Processes with hostile names.  Their ids go to the file pids, their command
# lines, as Python would write them, to lines.
time=77.$$ # how long they sleep: no other process has that in its name
TIME=$time "$python" -S - > names.log 2>&1 << 'PY' &
import os, signal, time

names = [
    [b"watched"], [b"wa\"tch,ed"], [b"watched\nnext"], [b"  watched\t "],
    [b"watched\x1b[31m\xff\xfe"], [b"watched\r\n\"1796007184763513878\",\""],
    ["watched-\u00e9\u2028".encode()], [b"watched", b" 1"], [b"watched" * 9999],
]
pids = []
with open("lines", "wb") as lines:
    for argv in names:
        argv = argv[:1] + [os.environb[b"TIME"]] + argv[1:]
        pids.append(os.posix_spawn("./watched", argv, os.environ))
        while " S " not in open("/proc/%d/stat" % pids[-1]).read():
            time.sleep(0.01)
        line = b" ".join(word.strip(b" \t\r\n\v\f") for word in argv).strip()
        lines.write(b"%d %s\0" % (pids[-1], line))
with open("pids.new", "w") as file:
    file.write("\n".join(map(str, pids)) + "\n")
os.rename("pids.new", "pids")
signal.sigwait([signal.SIGTERM])
for pid in pids:
    os.kill(pid, signal.SIGKILL)
PY
maker=$!
trap 'kill $maker 2> /dev/null; wait; cd /; rm -rf "$work"' EXIT
wait_until test -s pids || { cat names.log >&2; exit 99; }

# No pattern matches the command line that contains it
watch() { # NAME PROGRAM… : a sample into a folder of that name
    folder=$1
    shift
    run "$@" --filter "*7[7].$$*" --dir "$folder" --count 1
    is "$status" 0 "$folder: ends after --count samples"
}
watch one "$PMON" watch
like "$("$PMON" watch --version)" '^pmon-watch [0-9.]+ \((libproc2 [0-9.]+|own scan)\)$' \
    '--version says where processes come from'

# Compares the rows with /proc, read as Python's psutil does
check_rows() { # FOLDER
    "$python" -S - "$1" << 'PY'
import csv, os, sys

folder = sys.argv[1]
tick = os.sysconf("SC_CLK_TCK")
page = os.sysconf("SC_PAGE_SIZE")
boot = next(int(line.split()[1]) for line in open("/proc/stat")
            if line.startswith("btime "))
total = next(int(line.split()[1]) * 1024 for line in open("/proc/meminfo")
             if line.startswith("MemTotal:"))
want = set()
for entry in open("lines", "rb").read().split(b"\0")[:-1]:
    pid, line = entry.split(b" ", 1)
    stat = open("/proc/%d/stat" % int(pid)).read().rsplit(")", 1)[1].split()
    resident = int(open("/proc/%d/statm" % int(pid)).read().split()[1])
    want.add((line.decode("utf-8", "surrogateescape"),
              repr(int(stat[19]) / tick + boot), repr(int(stat[11]) / tick),
              repr(int(stat[12]) / tick), repr(resident * page / total * 100)))
name = folder + "/system_resource_data"
headers = open(name + "_headers", newline="").read()
if headers != ("query_time,command,running_since,user_cpu_time,"
               "system_cpu_time,memory_percent"):
    print("headers", repr(headers))
text = open(name, newline="", encoding="utf-8", errors="surrogateescape")
rows = list(csv.reader(text, strict=True))
if not open(name, "rb").read().endswith(b'"\r\n'):
    print("the last line end")
if any(len(row) != 6 or len(row[0]) != 19 for row in rows):
    print("columns")
got = set(tuple(row[1:]) for row in rows)
# The memory of a sleep may grow by a page while it starts; not later.
for row in got ^ want:
    print("in one only:", repr(row)[:300])
PY
}
is "$(check_rows one)" '' 'rows are what /proc says, to the byte'
run "$PMON" report --format csv one/system_resource_data
is "$status: $(cat err)" '0: ' 'pmon report reads them'

if [ -x "$scan" ] && "$PMON" watch --version | grep -q libproc2; then
    watch other "$scan"
    is "$("$scan" --version)" \
        "$("$PMON" watch --version | sed 's/(.*)/(own scan)/')" \
        'the other build scans itself'
    is "$(check_rows other)" '' 'without libproc2 rows are the same'
else
    skip 'without libproc2 rows are the same' 'this build has no libproc2'
fi

# ---- which processes ----

run "$PMON" watch --filter "watched $time" --dir two --count 1
is "$(wc -l < two/system_resource_data)" 2 'a filter matches the whole line'
run "$PMON" watch --filter "pmon-watch --filter*$work*" --dir three --count 1
is "$(wc -c < three/system_resource_data)" 0 'pmon-watch leaves itself out'
run "$PMON" watch --filter "pmon-watch --filter*$work*" --dir three --count 2 \
    --interval 0.05 --include-self
is "$(wc -l < three/system_resource_data)" 2 '--include-self does not'
run "$PMON" watch --filter '*' --dir four --count 1 -i 10ms
unlike "$(grep -aoE '^"[0-9]{19}","(-|\[k[a-z]*|)",' four/system_resource_data)" . \
    'processes without a command line have no row'

# ---- --extended ----

"$python" -S -c "while '$work': pass" &
busy=$!
# A very busy machine changes the CPU of a process, so there are more tries
for _ in 1 2 3 4 5; do
    rm -rf more
    run "$PMON" watch --filter "*[p]ython* -S -c while '$work*" --dir more \
        --extended --count 4 -i 0.4
    "$python" -S - more/system_resource_data $busy $$ > facts << 'PY'
import csv, sys

rows = list(csv.reader(open(sys.argv[1], newline="")))
names = open(sys.argv[1] + "_headers").read().split(",")
print("columns", names[6:], set(len(row) for row in rows))
rows = [dict(zip(names, row)) for row in rows]
print("ids", set(row["pid"] for row in rows) == {sys.argv[2]},
      set(row["ppid"] for row in rows) == {sys.argv[3]})
print("memory", all(0 < int(row["pss_bytes"]) <= int(row["rss_bytes"]) for row
                    in rows))
print("cpu", repr(rows[0]["cpu_percent"]),
      all(10 < float(row["cpu_percent"]) < 115 for row in rows[2:]))
print("counts", all(int(row["threads"]) == 1 and
                    3 <= int(row["descriptors"]) < 20 for row in rows))
PY
    grep -q "^cpu '' True" facts && break
done
kill $busy
wait $busy 2> /dev/null
is "$(cat facts)" "columns ['pid', 'ppid', 'rss_bytes', 'pss_bytes', 'cpu_percent', 'threads', 'descriptors'] {13}
ids True True
memory True
cpu '' True
counts True" '--extended has seven columns more'
run "$PMON" report --format csv more/system_resource_data
is "$status: $(cat err)" '0: ' 'pmon report reads them, too'
run "$PMON" watch --filter "watched $time" --dir more --count 1
is "$(cat more/system_resource_data.1_headers)" \
    "$(printf '%s' "$(cat one/system_resource_data_headers),pid,ppid,rss_bytes,pss_bytes,cpu_percent,threads,descriptors")" \
    'rows with other columns are set aside with their headers'
is "$(wc -l < more/system_resource_data) $(wc -l < more/system_resource_data.1)" \
    '2 4' 'and none is lost'

# As another user: PSS and descriptors of root's processes are not readable
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
    mkdir -m 777 nobody
    chmod 755 "$work"
    cp "$builddir/pmon-watch" .
    run setpriv --reuid 65534 --regid 65534 --clear-groups ./pmon-watch \
        --filter "watched $time" --dir nobody --extended --count 1
    like "$(head -n 1 nobody/system_resource_data)" \
        ',"[0-9]+",""(,"[^"]*"){2},""' 'what may not be read is empty, not 0'
else
    skip 'what may not be read is empty, not 0' 'this is not root'
fi

# ---- processes that come and go ----

"$python" -S - > churn.log 2>&1 << 'PY' &
import os, time

end = time.monotonic() + 30
while time.monotonic() < end and not os.path.exists("enough"):
    pids = [os.posix_spawn("./watched", [b"brief", b"0.02"], os.environ)
            for _ in range(20)]
    open("churns", "w").close()
    for pid in pids:
        os.waitpid(pid, 0)
PY
churn=$!
wait_until test -e churns
# A very busy machine changes the number of processes in a sample
for _ in 1 2 3 4 5; do
    rm -rf churn
    run "$PMON" watch -f 'brief*' -f "watched $time" -d churn --extended -n 15 \
        -i 0.1
    [ "$(grep -c ',"brief' churn/system_resource_data)" -le 10 ] || break
done
: > enough
is "$status: $(sed 's/^pmon: //; s/ every.*//; s/, [0-9]* rows;.*//' err)" \
    "0: recording brief*, watched $time
ended after 15 samples" 'processes that end are no trouble'
is "$("$python" -S -c '
import csv, sys
rows = list(csv.reader(open("churn/system_resource_data", newline="")))
print({len(row) for row in rows},
      sum(row[1] == "watched " + sys.argv[1] for row in rows),
      sum(row[1].startswith("brief") for row in rows) > 10,
      max(float(row[10] or 0) for row in rows) < 110)' $time)" \
    '{13} 30 True True' 'they cost no other row, and share no CPU time'
wait $churn

run sh -c '"$1" --help > /dev/full' sh "$builddir/pmon-watch"
like "$status,$(cat err)" '^125,pmon: standard output: cannot be written: ' \
    'help into a full disk fails aloud'
done_testing
