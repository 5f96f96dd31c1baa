# SPDX-License-Identifier: MIT
# Sourced by slurm.sh after cli.sh: a Slurm cluster of one node on 127.0.0.1,
# with a configuration, keys and folders of its own in $cluster.
# shellcheck shell=sh

controller=
node=
keeper=

# Why there is no cluster, on stdout; nothing where all is there
missing_slurm() {
    for each in munged slurmctld slurmd srun sbatch scancel scontrol squeue sstat; do
        command -v "$each" > /dev/null && continue
        echo "$each is missing: apt-get install munge slurmctld slurmd slurm-client"
        return
    done
}

# As root, what is missing is installed; not on a system without apt
install_slurm() {
    [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null || return 0
    [ -n "$(missing_slurm)" ] || return 0
    echo '# installing munge, slurmctld, slurmd and slurm-client'
    apt-get update -q > /dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends munge slurmctld slurmd slurm-client > /dev/null 2>&1
}

# Two ports that nobody listens on
free_ports() {
    "$python" -S - <<'PY'
import socket
ports = [socket.socket() for _ in range(2)]
for port in ports:
    port.bind(("127.0.0.1", 0))
print(*[port.getsockname()[1] for port in ports])
PY
}

# Orders to the daemons are signed by a munged with a key of its own, so that no
# other user of this machine can give any.  KillWait is what users wait for between TERM and KILL; cred_expire is how soon
# a requeued job starts again.
write_configuration() { # CONTROLLER_PORT NODE_PORT
    host=$(hostname -s)
    owner=$(id -un)
    cat > "$cluster/slurm.conf" <<CONF
ClusterName=pmon
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=$owner
SlurmdUser=$owner
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmdParameters=config_overrides
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_min_interval=100000,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=100
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
KillWait=3
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

# --force: the folders above may be writable by others
start_munge() {
    mkdir -m 755 "$cluster/munge" || exit 99
    (umask 077 && head -c 1024 /dev/urandom > "$cluster/munge/key")
    munged --foreground --force --num-threads=2 \
        --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
        --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
        --seed-file="$cluster/munge/seed" > "$cluster/munge.out" 2>&1 &
    keeper=$!
    wait_until test -S "$cluster/munge/socket"
}

# SLURM_CONF is exported: all commands find this cluster, and no other
start_cluster() {
    rm -rf "$cluster"
    mkdir -p "$cluster/state" "$cluster/spool" || exit 99
    # shellcheck disable=SC2046 # two words
    write_configuration $(free_ports)
    SLURM_CONF=$cluster/slurm.conf
    export SLURM_CONF
    start_munge
    slurmctld -D -f "$SLURM_CONF" > "$cluster/controller.out" 2>&1 &
    controller=$!
    slurmd -D -f "$SLURM_CONF" > "$cluster/node.out" 2>&1 &
    node=$!
    wait_until is_idle
}

is_idle() {
    sinfo -h -o %T | grep -qx idle
}

# Ends the jobs, then the daemons that were started here
stop_cluster() {
    [ -n "$controller" ] || return 0
    timeout 10 scancel -u "$(id -un)" 2> /dev/null
    wait_until is_without_jobs
    for each in $node $controller $keeper; do
        kill "$each" 2> /dev/null
    done
    for each in $node $controller $keeper; do
        wait_until is_gone "$each" || kill -KILL "$each"
    done
    controller=
}

is_without_jobs() {
    jobs_left=$(timeout 10 squeue -h) && [ -z "$jobs_left" ]
}

# The state of a job, as RUNNING
state_of() { # JOB
    scontrol -o show job "$1" | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p' |
        tail -n 1
}

is_over() { # JOB
    case $(state_of "$1") in
    '' | PENDING | RUNNING | COMPLETING | REQUEUED) return 1 ;;
    esac
}

# Submits the lines of stdin, a shell script, with options for sbatch; its
# number in $job
submit() { # NAME OPTION…
    job_name=$1
    shift
    { printf '#!/bin/sh\n'; cat; } > "$job_name.sh"
    job=$(sbatch --parsable -n 1 -o "$job_name.out" "$@" \
        "$job_name.sh") || not_ok "sbatch $job_name" "$job"
}

# No task of an array waits or runs; a short one may be over at once
is_array_over() { # JOB
    left=$(squeue -h -j "$1" 2>&1)
    case $left in
    '' | *'Invalid job id'*) return 0 ;;
    esac
    return 1
}
