#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The quick part of the truth suite, for make check: TAP on stdout.
# shellcheck source=tests/lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

if ! python3 -S -c 'import json, sys; sys.exit(sys.version_info < (3, 7))' \
    2> /dev/null; then
    echo '1..0 # SKIP Python 3.7 or later is not installed'
    exit 0
fi
python3 "$srcdir/tests/truth/truth.py" --quick --tap --jobs 4
