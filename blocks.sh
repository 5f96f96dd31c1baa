set -e
echo "== block 1" >&2
./bootstrap run        # install the build dependencies, build, record a real step
./bootstrap check      # the same, then run all tests
./bootstrap install    # build, then install below /usr/local
echo "== block 2" >&2
export PATH="$PWD/build:$PWD/examples/workflow/bin:$PATH"    # until pmon is installed
pmon --log memory_log.txt -- ecm_prep
echo "== block 3" >&2
pmon peak memory_log.txt >> profile.csv
echo "== block 4" >&2
pmon --log memory_log.txt --append-peak profile.csv -- ecm_prep
echo "== block 5" >&2
pmon --step ecm_prep --results before -- ecm_prep
pmon --step ecm_prep --results after --max-rss 2G --max-time 10min -- ecm_prep
pmon compare --fail-over peak_rss=200MiB,wall=5min before after
echo "== block 6" >&2
pmon --regions regions -- sh -c 'pmon region LOAD -- sleep 0.2; pmon region SOLVE -- sleep 0.1'
pmon report regions/regions
PYTHONPATH=examples/python pmon --regions regions -- python3 examples/regions/phases.py
echo "== block 7" >&2
pmon --step workflow --plot picture.svg --regions regions -- sh -c 'pmon region prepare -- ecm_prep; pmon region compete -- run'
pmon plot memory_log_workflow.txt
echo "== block 8" >&2
pmon report before after
sleep 2 &
pmon watch --filter 'sleep*' --dir watched --interval 0.5 --count 3
pmon report watched/system_resource_data
echo "== block 9" >&2
cc examples/regions/phases.c -o phases_of_c $(pkg-config --cflags --libs libpmon)
pmon --regions regions -- ./phases_of_c
echo "== block 10" >&2
make -C build install prefix=/usr DESTDIR="$PWD/pkg"
echo "== block 11" >&2
export GITHUB_STEP_SUMMARY=/root/job_summary.md
pmon report --github summary_workflow.json
echo "== all 11 blocks" >&2
