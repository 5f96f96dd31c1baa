#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pmon under a real Slurm, by hand: make slurm-check.  Starts a cluster of one
# node on 127.0.0.1, runs ranks, arrays, steps, signals, limits and requeues in
# it, compares figures with Slurm's own, and stops what it started.  Needs
# Debian's munge, slurmctld, slurmd and slurm-client; as root it installs them.
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$srcdir/tests/slurm/cluster.sh"

PATH=$PATH:/usr/sbin # where users of Debian do not look
install_slurm
reason=$(missing_slurm)
if [ -n "$reason" ]; then
    echo "1..0 # SKIP $reason"
    exit 0
fi
cluster=$builddir/slurm-check
# Sockets of steps are below it, and have at most 107 bytes.
{ [ ${#cluster} -lt 80 ] && [ -w "$builddir" ]; } || cluster=$work/cluster
trap 'stop_cluster; cd /; rm -rf "$work"' EXIT
if ! start_cluster; then
    sed 's/^/# /' "$cluster"/*.out
    echo 'Bail out! the daemons of Slurm do not start'
    exit 99
fi
echo "# $(scontrol --version), $(grep -c . "$cluster/slurm.conf") lines of \
configuration in $cluster"
PATH=$(dirname "$PMON"):$PATH
export PATH workload

# The figures of summaries, a line for each: f FILE… -- GROUP KEY [GROUP KEY]…
facts_of() {
    "$python" -S - "$@" <<'PY'
import json, sys

at = sys.argv.index("--")
keys = sys.argv[at + 1:]
for name in sys.argv[1:at]:
    value = json.load(open(name))
    print(*[value[group][key] for group, key in zip(keys[::2], keys[1::2])])
PY
}

# A time limit takes its minute: the job runs beside all others.
submit limit --time=1 <<'JOB'
srun pmon -q --step limit -- sleep 600
JOB
limit_job=$job

# So does CPU time, of which sstat has whole seconds: one of 60 is less than 2 %.
# It rests for 5 s, since Slurm samples each second.
mkdir figures
submit figures -D figures --mem=600 <<'JOB'
TRUTH_DEADLINE=500 srun pmon -q --step sim -- "$workload" work 500 60000 5000
JOB
figures_job=$job
sample_figures() { # the last ones that sstat has, in figures/sstat
    until is_over "$figures_job"; do
        sstat -n -P -j "$figures_job.0" -o MaxRSS,AveCPU 2> /dev/null |
            sed -n 's/^\([0-9]*\)K|\([0-9]*\):\([0-9]*\):\([0-9]*\)$/\1 \2 \3 \4/p' |
            while read -r resident hours minutes seconds; do
                echo "$resident $((${hours#0} * 3600 + ${minutes#0} * 60 + \
                    ${seconds#0}))"
            done > figures/sample
        [ ! -s figures/sample ] || mv figures/sample figures/sstat
        sleep 0.3
    done
}
sample_figures &
sampler=$!

# ---- ranks ----

mkdir ranks
(cd ranks && timeout 60 srun -n 4 pmon --step sim -- \
    "$workload" work 20 50 200 > out 2> err)
is "$?: $(cd ranks && ls -- *sim*)" "0: $(files_of_ranks sim 3)" 'srun -n 4 pmon --step sim'
like "$(facts_of ranks/summary_*.json -- command step command rank \
    command tasks command job_step | tr '\n' ';')" \
    '^sim 0 4 0;sim 1 4 0;sim 2 4 0;sim 3 4 0;$' 'ranks, tasks and Slurm step'
like "$(grep ': exit status 0 after' ranks/err | sort)" \
    '^pmon: sim, rank 3, job [0-9]+: exit status 0 after' \
    'closing lines name rank and job'
pmon report --format csv ranks > table
is "$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rank") at = i }
    NR > 1 { printf "%s ", $at }' table)" '0 1 2 3 ' 'pmon report of the folder'
pmon report --group job ranks > table
is "$(grep -c ' 4 ' table)" 1 'pmon report --group job has one row of four runs'

mkdir one
(cd one && timeout 60 srun -n 1 pmon -q --step sim -- true)
is "$(cd one && echo summary*)" summary_sim.json 'one task: nothing is appended'

# mpirun in a batch script: its ranks, not the 0 of the batch step.
if command -v mpirun > /dev/null; then
    mkdir mpi
    submit mpi -n 4 -D mpi <<'JOB'
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
mpirun $root --oversubscribe -n 4 --mca btl self,vader \
    --mca btl_base_warn_component_unused 0 pmon --step sim -- sleep 0.2
JOB
    wait_until is_over "$job"
    is "$(state_of "$job"): $(facts_of mpi/summary_sim_rank[0-3].json -- \
        command rank command tasks command job command job_step |
        tr '\n' ';')" "COMPLETED: 0 4 $job None;1 4 $job None;2 4 $job None;3 \
4 $job None;" 'mpirun -n 4 in a batch script'
else
    skip 'mpirun -n 4 in a batch script' 'mpirun is missing (openmpi-bin)'
fi
# The batch step itself is one task, whatever the job has.
mkdir batch
submit batch -n 4 -D batch <<'JOB'
pmon -q --step sim -- true
JOB
wait_until is_over "$job"
is "$(cd batch && echo summary*)" summary_sim.json 'pmon in the batch script'
# pmi2, as MPICH and Intel MPI use it
mkdir pmi
(cd pmi && timeout 60 srun --mpi=pmi2 -n 2 pmon -q --step sim -- true)
is "$(cd pmi && echo summary*)" 'summary_sim_rank0.json summary_sim_rank1.json' \
    'srun --mpi=pmi2'
# PMIx says no number of tasks; its namespace says that it is Slurm's.
mkdir pmix
if timeout 60 srun --mpi=pmix true 2> /dev/null; then
    (cd pmix && timeout 60 srun --mpi=pmix -n 2 pmon -q --step sim -- true &&
        timeout 60 srun --mpi=pmix -n 1 pmon -q --step one -- true)
    is "$(cd pmix && echo summary*)" 'summary_one.json summary_sim_rank0.json '\
'summary_sim_rank1.json' 'srun --mpi=pmix'
else
    skip 'srun --mpi=pmix' 'Slurm finds no PMIx (libpmix-dev)'
fi

# ---- arrays ----

for limit in '' %1; do
    mkdir "array${limit#%}"
    submit "array${limit#%}" --array="1-3$limit" -D "array${limit#%}" <<'JOB'
pmon -q --step sim -- sleep 0.3
JOB
    wait_until is_array_over "$job"
    is "$(cd "array${limit#%}" && echo summary*)" 'summary_sim_task1.json '\
'summary_sim_task2.json summary_sim_task3.json' "--array=1-3$limit"
    is "$(facts_of "array${limit#%}"/summary* -- command array_index |
        tr '\n' ' ')" '1 2 3 ' 'the summaries have the index'
done
is_true "$(facts_of array1/summary* -- time start_epoch_s time wall_s |
    awk '{ if ($1 < last) late = 1; last = $1 + $2 } END { print !late }') == 1" \
    'with %1 one after the other'
mkdir both
submit both --array=1-2 -n 2 -D both <<'JOB'
srun pmon -q --step sim -- true
JOB
wait_until is_array_over "$job"
is "$(cd both && echo summary*)" 'summary_sim_rank0_task1.json '\
'summary_sim_rank0_task2.json summary_sim_rank1_task1.json '\
'summary_sim_rank1_task2.json' 'ranks in an array'

# ---- steps in a loop ----

mkdir loop
submit loop -n 2 -D loop <<'JOB'
for _ in 1 2 3; do
    srun -n 2 pmon -q --step 'sim_%{SLURM_STEP_ID}' -- true
done
JOB
wait_until is_over "$job"
is "$(facts_of loop/summary* -- command step command rank command job_step |
    tr '\n' ';')" 'sim_0 0 0;sim_0 1 0;sim_1 0 1;sim_1 1 1;sim_2 0 2;sim_2 1 2;' \
    'steps in a loop: each has its number'

# ---- signals ----

cat > counts.py <<'PY'
import os, signal, sys, time

count = 0
def take(number, frame):
    global count
    count += 1
    with open("got." + os.environ["SLURM_PROCID"], "w") as out:
        print(count, file=out)
    if number == signal.SIGTERM and "stubborn" not in sys.argv:
        os._exit(3) # a second one would end the interpreter's own end

signal.signal(signal.SIGUSR1, take)
signal.signal(signal.SIGTERM, take)
open("ready." + os.environ["SLURM_PROCID"], "w").close()
for _ in range(600):
    time.sleep(0.1)
PY

# Two ranks that run: their job in $job
start_counting() { # NAME WORD…
    mkdir "$1"
    submit "$1" -n 2 -D "$1" <<JOB
srun pmon -q --step sim -- $python -S ../counts.py $2
JOB
    wait_until test -e "$1/ready.0" -a -e "$1/ready.1"
}

start_counting term ''
scancel -s TERM "$job"
wait_until is_over "$job"
is "$(facts_of term/summary* -- outcome reason outcome exit_status |
    tr '\n' ';')" 'exited 3;exited 3;' 'scancel -s TERM: the step may clean up'
start_counting usr1 ''
scancel -s USR1 "$job"
wait_until test -e usr1/got.0 -a -e usr1/got.1
# Where Slurm signals each process of a task, the step also gets it directly.
wait_until grep -q '[12]' usr1/got.0
like "$(cat usr1/got.0) $(cat usr1/got.1)" '^[12] [12]$' \
    'scancel -s USR1 reaches the step, at most twice'
scancel "$job"
wait_until is_over "$job"
is "$(facts_of usr1/summary* -- outcome reason | tr '\n' ';')" \
    'exited;exited;' 'scancel: TERM, and KILL later'
# What does not heed TERM is killed, and pmon with it.
start_counting kill stubborn
scancel "$job"
wait_until is_over "$job"
# Slurm kills one process after the other: pmon may still see that the step died.
reasons=$(facts_of kill/summary* -- outcome reason outcome signal | tr '\n' ';')
like "$reasons" '^((running None|signaled 9);){2}$' \
    'KILL: the summaries stay as they were, or have the signal'
is_true "$(facts_of kill/summary_sim_rank0.json -- memory peak_rss_bytes) \
    > 2000000" 'with the figures of the moment of TERM'
run pmon report kill
is "$(grep -c ' lost ' out) $(grep -c ' signal KILL ' out)" \
    "$(echo "$reasons" | grep -o running | wc -l) $(echo "$reasons" |
    grep -o signaled | wc -l)" 'and the report calls such runs lost'
is_true "$(grep -vc '^#' kill/memory_log_sim_rank0.txt) >= 10" \
    'the log has all rows before that'

# ---- limits of memory ----

# It grows by 5 MiB in each 50 ms, so the last row of every 20 ms is near the
# limit, whenever Slurm looks.
cat > grows.py <<'PY'
import time

held = []
for _ in range(60):
    held.append(b"x" * (5 << 20))
    time.sleep(0.05)
time.sleep(60)
PY
mkdir memory
submit memory --mem=100 -D memory <<JOB
srun pmon -q --step sim -i 20ms -- $python -S ../grows.py
JOB
wait_until is_over "$job"
unlike "$(state_of "$job")" COMPLETED 'OverMemoryKill ends a step'
run pmon report memory
is "$(grep -c ' lost ' out)" 1 'which the report calls lost'
is_true "$(awk '!/^#/ && $3 > most { most = $3 } END { print most + 0 }' \
    memory/memory_log_sim.txt) >= 90" 'and its log has the memory up to then'
mkdir budget
submit budget --mem=1000 -D budget <<'JOB'
srun pmon -q --step sim --max-rss 100M:stop -- "$workload" work 300 0 30000
JOB
wait_until is_over "$job"
is "$(facts_of budget/summary* -- outcome reason outcome pmon_status)" \
    'max_rss 123' '--max-rss ends it first, with a summary'

# ---- requeue ----

mkdir requeue
submit requeue --requeue -D requeue --open-mode=append <<'JOB'
pmon -q --step 'sim_%{SLURM_RESTART_COUNT}' -- sleep "$(
    [ -n "${SLURM_RESTART_COUNT:-}" ] && echo 0.1 || echo 60)"
JOB
wait_until test -e requeue/summary_sim_0.json
scontrol requeue "$job"
wait_until is_over "$job"
is "$(facts_of requeue/summary* -- outcome reason command job | tr '\n' ';')" \
    "signaled $job;exited $job;" 'both attempts of a requeued job are there'

# ---- memory and CPU, as Slurm sees them ----

wait "$sampler"
# shellcheck disable=SC2046 # two figures
set -- $(facts_of figures/summary* -- memory peak_rss_bytes cpu total_s)
read -r resident busy < figures/sstat
echo "# sstat: MaxRSS $resident KiB, AveCPU $busy s;" \
    "pmon: peak $(($1 / 1024)) KiB, CPU $2 s"
is_true "$resident * 1024 > $1 * 0.98 && $resident * 1024 < $1 * 1.02" \
    'memory is within 2 % of MaxRSS'
is_true "$busy > $2 * 0.98 && $busy < $2 * 1.02" 'CPU is within 2 % of AveCPU'

# ---- the time limit ----

for _ in 1 2 3 4; do # of 40 s: Slurm looks each half minute
    wait_until is_over "$limit_job" && break
done
is "$(state_of "$limit_job"): $(facts_of summary_limit.json -- outcome reason \
    outcome signal)" 'TIMEOUT: signaled 15' 'the time limit: TERM, in the summary'

stop_cluster
is "$(timeout 5 sinfo 2>&1 | grep -c idle)" 0 'the cluster is stopped'
done_testing
