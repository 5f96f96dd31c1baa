# SPDX-License-Identifier: MIT
# Sourced by every test script: TAP on stdout, a scratch folder, the paths.
#
#   ok DESC            not_ok DESC WHY        is GOT WANT DESC
#   like GOT ERE DESC  unlike GOT ERE DESC    skip DESC WHY
#   done_testing       has_python         need_python: or all is skipped
#
# The build sets srcdir, builddir and PMON; by hand they are found from the
# script's own place, with the build in build/.

set -u
LC_ALL=C.UTF-8
export LC_ALL
unset PMON_REGIONS PMON_REGIONS_NAME PMON_REGIONS_STYLE PMON_REGIONS_BUFFER
unset PMON_REGIONS_OPEN PMON_REGIONS_RUN PMON_LIBRARY GITHUB_STEP_SUMMARY
# Nor the variables of a scheduler whose job runs the test.
unset SLURM_PROCID SLURM_STEP_ID SLURM_STEP_NUM_TASKS SLURM_JOB_ID
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_RANK PMIX_NAMESPACE
unset PMI_RANK PMI_SIZE MV2_COMM_WORLD_RANK MV2_COMM_WORLD_SIZE PALS_RANKID
unset FLUX_TASK_RANK FLUX_JOB_SIZE PBS_JOBID JOB_ID LSB_JOBID
unset SLURM_ARRAY_TASK_ID PBS_ARRAY_INDEX SGE_TASK_ID LSB_JOBINDEX
# Variables that make passes on are not for make in a test.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

: "${srcdir:=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}"
srcdir=$(CDPATH='' cd -- "$srcdir" && pwd)
: "${builddir:=$srcdir/build}"
builddir=$(CDPATH='' cd -- "$builddir" && pwd)
: "${PMON:=$builddir/pmon}"
work=$(mktemp -d "${TMPDIR:-/tmp}/pmon-test.XXXXXX") || exit 99
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 99' INT TERM HUP
cd "$work" || exit 99
# Shells, pagers and editors that a test starts keep their history there.
HOME=$work
export HOME

# Many tests use paths as words of shell lines: links replace blanks.
case $srcdir$builddir in
*[[:blank:]]*)
    mkdir .at
    ln -s "$srcdir" .at/source
    ln -s "$builddir" .at/build
    case $PMON in
    "$builddir"/*) PMON=$work/.at/build/${PMON#"$builddir"/} ;;
    esac
    srcdir=$work/.at/source
    builddir=$work/.at/build
    ;;
esac
workload=$builddir/tests/truth/workload
ptyrun=$builddir/tests/truth/ptyrun
export PMON srcdir builddir

tap_count=0
tap_failed=0

ok() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}

not_ok() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    printf '%s\n' "$2" | sed 's/^/# /'
}

is() {
    if [ "$1" = "$2" ]; then
        ok "$3"
    else
        not_ok "$3" "got:  $1
want: $2"
    fi
}

like() {
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        ok "$3"
    else
        not_ok "$3" "got:  $1
want: $2"
    fi
}

unlike() {
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        not_ok "$3" "got:      $1
unwanted: $2"
    else
        ok "$3"
    fi
}

# Whether awk finds the condition true, as in: holds '1.5 < 2'
holds() {
    awk "BEGIN { exit !($1) }"
}

is_true() {
    if holds "$1"; then
        ok "$2"
    else
        not_ok "$2" "is not so: $1"
    fi
}

skip() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

has_python() {
    python3 -S -c 'import json' 2> /dev/null
}

need_python() {
    has_python && return
    echo '1..0 # SKIP python3 with its library is not installed'
    exit 0
}

done_testing() {
    printf '1..%d\n' "$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}

# One value of a summary: summary s.json memory peak_rss_bytes
summary() {
    python3 - "$@" <<'PY'
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    value = value[int(key)] if isinstance(value, list) else value[key]
print("null" if value is None else
      str(value).lower() if isinstance(value, bool) else value)
PY
}

# One value of a workload's report: truth FILE key
truth() {
    sed -n "s/^$2=//p" "$1" | head -n 1
}
