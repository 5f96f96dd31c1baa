# SPDX-License-Identifier: MIT
# The quick part of the truth suite, as root and as a user, each in a group
# that it may divide.
# shellcheck source=tests/vm/inside/lib.sh
. "${0%/*}/lib.sh"
suite=/srv/pmon/src/tests/truth/truth.py

# An emulated processor is too slow for some of the bounds on CPU time: a case
# that only has such complaints is skipped with them.  TODO: a known limit.
emulated=0
[ "$(systemd-detect-virt)" != qemu ] || emulated=1
# shellcheck disable=SC2016 # awk's
failures='
    function finish() {
        if (name ~ / # TODO /) {
            sub(/ # TODO /, " # known limit: ", name)
            print "skip  " place ": truth: " name
        } else if (name != "" && emulated && !others)
            print "skip  " place ": truth: " name " # emulated processor: " first
        else if (name != "")
            print "FAIL  " place ": truth: " name text
        name = text = first = ""
        others = 0
    }
    /^(not )?ok / { finish() }
    /^not ok / { name = $0; sub(/^not ok [0-9]* - /, "", name) }
    name != "" && /^# / {
        sub(/^# /, "")
        text = text "\n      " $0
        if (first == "")
            first = $0
        if ($0 !~ /^(CPU |truth: |the rows hold .* of CPU|more than the truth)/)
            others = 1
    }
    END { finish() }'

truth_of() { # COMMAND...
    mkdir -p /tmp/truth
    chmod 1777 /tmp/truth
    began=$(date +%s)
    "$@" env TMPDIR=/tmp/truth builddir=/srv/pmon/build \
        srcdir=/srv/pmon/src PMON=/usr/bin/pmon \
        timeout 300 python3 -B $suite --quick --tap --jobs 2 > out 2> err
    status=$?
    grep '^ok .*# SKIP' out | sed 's/^ok [0-9]* - \(.*\) # SKIP/\1 #/' |
        while read -r line; do
            echo "skip  $place: truth: $line"
        done
    grep '^ok ' out | grep -v '# SKIP' | sed 's/^ok [0-9]* - //' |
        while read -r line; do
            ok "truth: $line"
        done
    awk "$failures" place="$place" emulated="$emulated" out
    echo "-- truth: $(tail -n 1 out), status $status, $(($(date +%s) - began)) s"
    [ $status -le 1 ] || fail 'truth: the suite ends' "$(tail -n 20 err)"
}

place 'root, delegated scope'
truth_of systemd-run --quiet --scope -p Delegate=yes
place 'user, delegated scope'
truth_of as_user systemd-run --quiet --user --scope -p Delegate=yes
rm -rf /tmp/truth

all_done
