# SPDX-License-Identifier: MIT
# Runs all checks in the virtual machine; what it prints goes to the serial
# port, and from there to vm.sh.
# The file which has the names of the checks, if not all.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
stty raw < /dev/ttyS1
echo "== $(uname -r), systemd $(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p'), $(stat -f -c %T /sys/fs/cgroup), $(pmon --version)"
for each in 1 2 3 4 5 6 7 8 9; do
    systemctl is-active --quiet user@1000.service && break
    sleep 1
done
# shellcheck disable=SC2046 # a word each
set -- $(cat "$here/which")
[ $# -gt 0 ] || set -- exact limits ends rights units truth
for check; do
    began=$(date +%s)
    rm -f /tmp/checks.done
    timeout -k 5 400 sh "$here/$check.sh" 2>&1 < /dev/null
    status=$?
    [ -e /tmp/checks.done ] || echo "FAIL  $check.sh: it runs to its end
      status $status"
    echo "-- $check: $(($(date +%s) - began)) s"
done
echo '== end'
