# SPDX-License-Identifier: MIT
"""The results: TAP, a table for people, and one in Markdown."""

import peers


class Tap:
    """Test Anything Protocol, a line a case."""

    def __init__(self, count):
        self.number = 0
        print(f"1..{count}", flush=True)

    def show(self, result):
        """ok, not ok, with SKIP and TODO as TAP has them."""
        self.number += 1
        verdict = result.verdict
        bad = "not " if verdict in ("wrong", "limit") else ""
        name = result.case.name.replace("#", "")
        line = f"{bad}ok {self.number} - {name}"
        if verdict == "skip":
            line += f" # SKIP {result.skipped}"
        if verdict == "limit":
            line += f" # TODO {result.case.limit}"
        print(line)
        for failure in result.failures[:8]:
            print(f"# {failure}")
        print(f"# truth: {result.truth}; pmon: {result.answer}; "
              f"{result.seconds:.1f} s", flush=True)

    def end(self, results):
        """The sum in one comment."""
        print(f"# {tally(results)}")


def tally(results):
    """How many of each verdict."""
    parts = []
    for verdict in ("right", "wrong", "limit", "skip"):
        count = sum(result.verdict == verdict for result in results)
        parts.append(f"{count} {verdict}")
    return ", ".join(parts) + f", {sum(r.seconds for r in results):.0f} s"


def told(result):
    """right or wrong, with how many of how many runs."""
    if result.verdict == "skip":
        return "skip"
    if result.runs > 1:
        return f"{result.verdict} {result.right}/{result.runs}"
    return result.verdict


class Text:
    """The table as it grows."""

    def __init__(self, found):
        names = ", ".join(found) or "none"
        print(f"peers on PATH: {names}\n")
        print(f"{'id':4} {'workload':40} {'truth':34} {'pmon':42} verdict")

    def show(self, result):
        """A line, what is wrong, and the peers."""
        one = result.case
        print(f"{one.ident:4} {one.title:40} {result.truth:34} "
              f"{result.answer:42} {told(result)}")
        if result.skipped is not None and result.verdict == "skip":
            print(f"     - {result.skipped}")
        for failure in dict.fromkeys(result.failures):
            print(f"     ! {failure}")
        for name, cell in result.peers.items():
            print(f"     {name}: {cell}")
        if one.limit and result.verdict == "limit":
            print(f"     known limit: {one.limit}")
        print(end="", flush=True)

    def end(self, results):
        """The sum."""
        print(f"\n{tally(results)}")


def write_markdown(path, results, found):
    """A table with a column for every peer, found or not."""
    heads = ["id", "workload", "truth", "pmon", "verdict", *peers.NAMES]
    with open(path, "w", encoding="utf-8") as file:
        file.write(row(heads))
        file.write(row(["---"] * len(heads)))
        for result in results:
            cells = [result.case.ident, result.case.title, result.truth,
                     result.answer, told(result)]
            cells += [cell_of(result, name, found) for name in peers.NAMES]
            file.write(row(cells))
        file.write(f"\n{tally(results)}\n")


def cell_of(result, name, found):
    """What a peer said; not run where it is absent."""
    if name not in found:
        return "not run"
    return result.peers.get(name, "")


def row(cells):
    """One line of a Markdown table."""
    escaped = [str(cell).replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(escaped) + " |\n"
