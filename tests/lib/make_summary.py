#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes values of a summary: make_summary.py FROM TO PATH=JSON...

A path is keys and indices with dots between, as memory.peak_rss_bytes.
"""

import json
import sys


def main():
    """Reads FROM, sets each value, writes TO."""
    with open(sys.argv[1], encoding="utf-8") as file:
        root = json.load(file)
    for change in sys.argv[3:]:
        path, value = change.split("=", 1)
        *keys, last = path.split(".")
        below = root
        for key in keys:
            below = below[int(key)] if isinstance(below, list) else below[key]
        below[last] = json.loads(value)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(root, file)


main()
