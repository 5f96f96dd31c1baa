#!/bin/sh
# SPDX-License-Identifier: MIT
# Names with a rank, a job and an index: one pmon for each rank of a real
# mpirun, and what the schedulers set.
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_python

unset SLURM_PROCID OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK
unset SLURM_JOB_ID PBS_JOBID JOB_ID LSB_JOBID
unset SLURM_ARRAY_TASK_ID PBS_ARRAY_INDEX SGE_TASK_ID LSB_JOBINDEX

# Rank, processes and memory of the four: each holds 10 MiB more than the one
# before.
check_ranks() {
    for rank in 0 1 2 3; do
        is "$(summary s.$rank.json command rank)" $rank "rank $rank"
        is "$(head -n 1 out.$rank)" $rank "it is that of the step's environment"
        is_true "$(summary s.$rank.json memory peak_rss_bytes) / 1048576 > \
            ($rank + 1) * 10" "rank $rank has its own peak"
        is_true "$(summary s.$rank.json memory peak_rss_bytes) / 1048576 < \
            ($rank + 2) * 10" 'and not that of another'
        is_true "$(grep -vc '^#' m.$rank.txt) >= 2" "m.$rank.txt has rows"
    done
    is "$(ls m.*.txt s.*.json | wc -l)" 8 'four logs, four summaries'
}

cat > rank.sh << 'END'
#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK" > "out.$OMPI_COMM_WORLD_RANK"
exec "$1" work $(((OMPI_COMM_WORLD_RANK + 1) * 10)) 50 100
END
chmod +x rank.sh

if command -v mpirun > /dev/null; then
    root=
    [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
    # shellcheck disable=SC2086
    timeout -k 5 60 mpirun $root --oversubscribe -n 4 \
        --mca plm isolated --mca btl self,vader --mca btl_base_warn_component_unused 0 \
        "$PMON" --quiet -i 20ms --log m.%r.txt --summary s.%r.json -- \
        ./rank.sh "$workload" > out 2> err
    is "$?" 0 'mpirun -n 4'
    check_ranks
    "$PMON" report --format csv s.0.json s.1.json s.2.json s.3.json > table
    is "$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rank") at = i }
        NR > 1 { printf "%s ", $at }' table)" '0 1 2 3 ' \
        'pmon report has a line for each rank'
    "$PMON" report --group rank s.0.json s.1.json s.2.json s.3.json > table
    is "$(grep -c '^[0-3]  *1 ' table)" 4 'and can group them'
    # shellcheck disable=SC2086
    timeout -k 5 60 mpirun $root --oversubscribe -n 2 --mca plm isolated \
        "$PMON" --quiet --log same.txt -- sleep 3 > out 2> err
    like "$(cat err)" 'another pmon writes same.txt: use %p, %r or %a' \
        'two ranks with one log: one of them says what to do'
else
    skip 'four ranks under mpirun' 'mpirun is not installed (openmpi-bin)'
    skip 'two ranks with one log' 'mpirun is not installed (openmpi-bin)'
fi

# ---- what the schedulers set ----

name_is() { # WANT PATTERN VARIABLE=VALUE…
    want=$1
    pattern=$2
    shift 2
    rm -f m_*
    env "$@" "$PMON" --quiet --log "m_$pattern" -- true
    is "$(ls m_*)" "m_$want" "$pattern with $*"
}
name_is 3 %r SLURM_PROCID=3
name_is 4 %r OMPI_COMM_WORLD_RANK=4
name_is 5 %r PMIX_RANK=5
name_is 6 %r PMI_RANK=6
name_is 1 %r SLURM_PROCID=1 PMI_RANK=2
name_is 991 %j SLURM_JOB_ID=991
name_is 17.host %j PBS_JOBID=17.host
name_is 18 %j JOB_ID=18
name_is 19 %j LSB_JOBID=19
name_is 7 %a SLURM_ARRAY_TASK_ID=7
name_is 8 %a PBS_ARRAY_INDEX=8
name_is 9 %a SGE_TASK_ID=9
name_is 10 %a LSB_JOBINDEX=10
name_is 991_7_3.txt %j_%a_%r.txt SLURM_JOB_ID=991 SLURM_ARRAY_TASK_ID=7 \
    SLURM_PROCID=3
name_is _.._up %j JOB_ID=/../up
env SLURM_JOB_ID=991 SLURM_PROCID=2 "$PMON" --quiet --summary s.json -- true
is "$(summary s.json command job),$(summary s.json command rank)" 991,2 \
    'the summary has job and rank'
for letter in r j a; do
    "$PMON" --log "m_%$letter" -- true 2> err
    is "$?" 125 "%$letter without any of its variables is an error"
done

done_testing
