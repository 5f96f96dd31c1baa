#!/bin/sh
# SPDX-License-Identifier: MIT
# Names with a rank, a job and an index: one pmon for each rank of a real
# mpirun, and variables of schedulers.
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/cli.sh
. "$srcdir/tests/lib/cli.sh"
need_python

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

    # Only one line for any number of ranks.
    mkdir alone
    # shellcheck disable=SC2086
    (cd alone && timeout -k 5 60 mpirun $root --oversubscribe -n 4 \
        --mca plm isolated --mca btl self,vader \
        --mca btl_base_warn_component_unused 0 \
        "$PMON" -i 20ms --step sim -- ../rank.sh "$workload" > out 2> err)
    is "$?: $(cd alone && ls -- *sim*)" "0: $(files_of_ranks sim 3)" 'mpirun -n 4 pmon --step sim'
    for rank in 0 1 2 3; do
        at=alone/summary_sim_rank$rank.json
        is "$(summary $at command step) $(summary $at command rank) $(summary \
            $at command tasks)" "sim $rank 4" "$at has its rank"
        is_true "$(summary $at memory peak_rss_bytes) / 1048576 > \
            ($rank + 1) * 10 && $(summary $at memory peak_rss_bytes) / 1048576 \
            < ($rank + 2) * 10" 'and its memory'
        is "$(grep -c "^pmon: sim, rank $rank: exit status 0 after" alone/err)" \
            1 'and its closing lines name the rank'
    done
    "$PMON" report --format csv s.0.json s.1.json s.2.json s.3.json > table
    is "$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rank") at = i }
        NR > 1 { printf "%s ", $at }' table)" '0 1 2 3 ' \
        'pmon report has a line for each rank'
    "$PMON" report --group rank s.0.json s.1.json s.2.json s.3.json > table
    is "$(grep -c '^[0-3]  *1 ' table)" 4 'and can group them'
    # shellcheck disable=SC2086
    timeout -k 5 60 mpirun $root --oversubscribe -n 2 --mca plm isolated \
        "$PMON" --quiet --log same.txt -- sleep 3 > out 2> err
    like "$(cat err)" 'another pmon is writing same.txt: use %p, %r or %a' \
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
name_is 7 %r MV2_COMM_WORLD_RANK=7
name_is 8 %r PALS_RANKID=8
name_is 9 %r FLUX_TASK_RANK=9
# The nearest launcher wins: a batch step of Slurm has rank 0 itself.
name_is 2 %r SLURM_PROCID=0 PMI_RANK=2
set --
for each in SLURM_PROCID FLUX_TASK_RANK PALS_RANKID MV2_COMM_WORLD_RANK \
    PMI_RANK PMIX_RANK OMPI_COMM_WORLD_RANK; do
    set -- "$@" "$each=$#"
    name_is $(($# - 1)) %r "$@"
done
env SLURM_PROCID=0 OMPI_COMM_WORLD_RANK=2 "$PMON" -q --summary s.json -- true
is "$(summary s.json command rank)" 2 'the summary has the same rank'
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
for pair in SGE_TASK_ID=undefined LSB_JOBINDEX=0; do
    run env "$pair" "$PMON" --log m_%a -- true
    like "$status: $(cat err)" '^125: pmon: --log m_%a: %a needs one of' \
        "$pair is not an index"
done
name_is 0 %a SLURM_ARRAY_TASK_ID=0

# ---- what stands behind NAME of --step ----

step_is() { # WANT VARIABLE=VALUE… -- OPTION…: the names of the summaries
    want=$1
    shift
    rm -rf d
    mkdir d
    (cd d && env "$@")
    is "$(cd d && find . -name 'summary*' | sort | tr '\n' ' ')" "$want " \
        "$want with $*"
}
step_is ./summary_sim_rank3.json SLURM_PROCID=3 SLURM_STEP_ID=0 \
    SLURM_STEP_NUM_TASKS=4 "$PMON" -q --step sim -- true
step_is ./summary_sim.json SLURM_PROCID=0 SLURM_STEP_ID=0 \
    SLURM_STEP_NUM_TASKS=1 "$PMON" -q --step sim -- true
step_is ./summary_sim.json SLURM_PROCID=0 SLURM_NTASKS=4 \
    "$PMON" -q --step sim -- true
step_is ./summary_sim_rank2.json SLURM_PROCID=0 OMPI_COMM_WORLD_RANK=2 \
    OMPI_COMM_WORLD_SIZE=4 "$PMON" -q --step sim -- true
step_is ./summary_sim_task7.json SLURM_ARRAY_TASK_ID=7 \
    "$PMON" -q --step sim -- true
step_is ./summary_sim.json SGE_TASK_ID=undefined LSB_JOBINDEX=0 \
    "$PMON" -q --step sim -- true
step_is ./summary_sim_3.json PMI_RANK=3 PMI_SIZE=4 \
    "$PMON" -q --step sim_%r -- true
step_is ./out_3/summary_sim.json PMI_RANK=3 PMI_SIZE=4 \
    "$PMON" -q --step sim --results out_%r -- true
step_is ./sim/summary_sim_rank3.json PMI_RANK=3 PMI_SIZE=4 \
    "$PMON" -q --step sim --results %s -- true
step_is ./summary_sim_rank3_task7.json PMI_RANK=3 PMI_SIZE=4 \
    SLURM_ARRAY_TASK_ID=7 "$PMON" -q --step sim -- true
# Ranks do not overwrite each other's files if only the index has a letter.
step_is ./summary_sim_7_rank3.json PMI_RANK=3 PMI_SIZE=4 \
    SLURM_ARRAY_TASK_ID=7 "$PMON" -q --step sim_%a -- true
mkdir labels
cd labels || exit 99
run env SLURM_PROCID=3 SLURM_STEP_ID=5 SLURM_STEP_NUM_TASKS=4 \
    SLURM_JOB_ID=991 SLURM_ARRAY_TASK_ID=7 "$PMON" --step sim --log %s.txt -- true
is "$(ls sim_rank3_task7.txt)" sim_rank3_task7.txt '%s in another name'
like "$(cat err)" '^pmon: sim, rank 3, array task 7, job 991: exit status 0 ' \
    'the closing lines name rank, array task and job'
at=summary_sim_rank3_task7.json
is "$(summary $at command step) $(summary $at command rank) $(summary $at \
    command tasks) $(summary $at command job) $(summary $at command \
    array_index) $(summary $at command job_step)" 'sim 3 4 991 7 5' \
    'and the summary'
is "$(check_summary $at)" complete 'which keeps to its schema'
run env SLURM_PROCID=0 SLURM_JOB_ID=991 "$PMON" --step sim -- true
like "$(cat err)" '^pmon: sim, job 991: exit status 0 ' \
    'the rank of the only task is left out'
run env PMI_RANK=3 PMI_SIZE=4 SLURM_JOB_ID=991 "$PMON" --log no/m.txt -- true
is "$status: $(cat err)" \
    '125: pmon: rank 3, job 991: no/m.txt: cannot be written: No such file or directory' \
    'errors name them'
run env PMI_RANK=3 PMI_SIZE=4 "$PMON" --log /dev/full -- true
like "$(cat err)" '^pmon: rank 3: /dev/full: .*No space left' \
    'and messages of a run that goes on'
run env PMI_RANK=3 PMI_SIZE=4 "$PMON" -q --step sim --max-time 1ms:fail -- \
    sleep 0.1
like "$(cat err)" '^pmon: step     sim, rank 3$' 'and the message with -q'
cd ..
for letter in r j a; do
    "$PMON" --log "m_%$letter" -- true 2> err
    is "$?" 125 "%$letter without any of its variables is an error"
done

# ---- letters in --step ----

run env PMI_RANK=2 JOB_ID=a/b "$PMON" -q --step 'sim_%r_%j_%s_%%' -- true
is "$status: $(ls ./*sim_*)" "0: ./memory_log_sim_2_a_b_true_%.txt
./profile_sim_2_a_b_true_%.csv
./summary_sim_2_a_b_true_%.json" 'letters in --step are replaced'
is "$(summary summary_sim_2_a_b_true_%.json command step)" 'sim_2_a_b_true_%' \
    'and in the name of the step'
run "$PMON" -q --step 'sim_%p' -- touch started
is "$status: $(cat err)" \
    '125: pmon: --step sim_%p: %p is not known before the step; use %s, %r, %j or %a' \
    'but for the pid'
run "$PMON" -q --step '100%' -- touch started
like "$status: $(cat err)" '^125: pmon: --step 100%: % may be followed by' \
    'a letter that is not there'
is "$(ls started 2> err)" '' 'neither starts anything'

# The advice of the messages about a log of another pmon works
mkfifo hold
"$PMON" -q --step twice -- cat hold &
holder=$!
wait_until has_lines memory_log_twice.txt 1
run "$PMON" -q --step twice -- true
is "$status: $(cat err)" "125: pmon: another pmon is writing memory_log_twice.txt: \
use %r or %a in --step, or another --results" 'two runs of one --step'
run env PMI_RANK=1 "$PMON" -q --step twice_%r -- true
is "$status,$(ls memory_log_twice_1.txt)" 0,memory_log_twice_1.txt '%r in --step'
run "$PMON" -q --step twice --results other -- true
is "$status,$(ls other | wc -l)" 0,3 'another --results'
run "$PMON" psrecord true --log memory_log_twice.txt
is "$status: $(cat err)" '125: pmon: another pmon is writing memory_log_twice.txt: use another name for --log' \
    'psrecord, which has no letters'
for letter in %p %r %a; do
    run env PMI_RANK=1 SGE_TASK_ID=2 "$PMON" -q --log "m_$letter" -- true
    is "$status" 0 "$letter in --log"
done
echo > hold
wait $holder

done_testing
