# SPDX-License-Identifier: MIT
"""T53: who used what.  The invariants hold the table against the total in
every other case as well, among them hostile names and 10^5 processes."""

import glob
import os

import invariants
from context import case


def write_makefile(path, sources):
    """Each source is compiled, assembled and, through sh, linked."""
    objects = " ".join(f"{at}.o" for at in range(len(sources)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"all: {objects}\n\tld -r -o all.o {objects};:\n")
        for at, source in enumerate(sources):
            file.write(f"{at}.o: {source}\n"
                       f"\tgcc -std=c17 -D_GNU_SOURCE -O2 -c $(INCLUDED)"
                       f" -o $@ {source} && :\n")


@case("T53", "make -j2 of a C project, by command")
def t53_make(t):
    """The compiler has used nearly all, and each tool has its row."""
    for name in ("make", "gcc", "ld", "sh"):
        t.need_program(name)
    top = os.path.dirname(invariants.TESTS)
    built = os.path.dirname(t.tools.pmon)
    sources = [each for part in ("engine", "record", "views")
               for each in sorted(glob.glob(f"{top}/src/{part}/*.c"))]
    sources = sources[:t.pick(6, len(sources))]
    folder = t.folder()
    write_makefile(os.path.join(folder, "Makefile"), sources)
    run = t.pmon(["-i", "0.01"],
                 ["make", "-s", "-j2", "-C", folder,
                  f"INCLUDED=-I{top}/src -I{built}"],
                 seconds=300, folder=folder)
    rows = {row["command"] or row["kind"]: row
            for row in run.processes["by_command"]}
    shares = {name: row["cpu_s"] / run.cpu["total_s"]
              for name, row in rows.items()}
    t.say("cc1 first, then as; " + f"{len(sources)} files",
          ", ".join(f"{name} {100 * share:.0f} %"
                    for name, share in list(shares.items())[:5]))
    t.status(run, 0)
    for name in ("cc1", "as", "gcc", "sh", "make"):
        t.true(name in rows, f"{name} has no row: {list(rows)}")
    t.true(next(iter(rows), "") == "cc1", f"cc1 is not first: {shares}")
    t.true(shares.get("cc1", 0) + shares.get("unsampled", 0) > 0.7,
           f"cc1 has only {shares}")
    t.true(rows.get("cc1", {}).get("count", 0) <= len(sources),
           f"more compilers than files: {rows.get('cc1')}")
