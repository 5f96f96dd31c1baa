#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Phases of a Python program that also runs without pmon_regions.py.

    export PYTHONPATH=../python    # where pmon_regions.py is
    PMON_REGIONS=out ./phases.py; cat out/regions
    pmon --regions out -- ./phases.py
"""

import asyncio

try:
    from pmon_regions import region
except ImportError:
    class region:
        def __init__(self, name): pass
        def __call__(self, function): return function
        def __enter__(self): return self
        def __exit__(self, *error): pass
        async def __aenter__(self): return self
        async def __aexit__(self, *error): pass


@region("LOAD")
def load():
    raise FileNotFoundError("nothing to load")


@region("SOLVE")
async def solve(seconds):
    await asyncio.sleep(seconds)  # the row has this time in it
    return seconds


async def main():
    async with region("MAIN"):
        try:
            load()
        except FileNotFoundError as error:
            print(error)
        print(sum(await asyncio.gather(solve(0.05), solve(0.1))))


if __name__ == "__main__":
    asyncio.run(main())
