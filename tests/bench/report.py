# SPDX-License-Identifier: MIT
"""The results as Markdown tables, and as a picture through gnuplot."""

import os
import platform
import shutil
import statistics
import subprocess

import cost
import tools as monitors

MIB = 1 << 20
CURVE_PEERS = {peer.name for peer in monitors.PEERS if peer.draws_curve}


def table(header, rows):
    """Lines of a Markdown table; the first column is text."""
    yield "| " + " | ".join(header) + " |"
    yield "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def machine():
    """The machine by its size alone."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    kernel = ".".join(platform.release().split(".")[:2])
    return (f"{os.cpu_count()} cores, {pages / (1 << 30):.0f} GiB of memory, "
            f"Linux {kernel}")


def micro(ns):
    """µs with about three digits."""
    us = ns / 1000
    return f"{us:,.0f}" if us >= 100 else f"{us:.1f}"


def milli(ns):
    return f"{ns / 1e6:,.1f}" if ns >= 1e7 else f"{ns / 1e6:.2f}"


def factor(value):
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.2f} ×"


def yes(reached):
    return "yes" if reached else "**no**"


class Costs:
    """CPU per tick, with the ratios that are asked for again and again."""

    def __init__(self, costs):
        self.costs = costs

    def ns(self, case, tool):
        one = self.costs.get(case, {}).get(tool)
        return one.middle("per_tick_ns") if one else None

    def kept(self, case, tool):
        """Share of the ticks that were due and made."""
        one = self.costs.get(case, {}).get(tool)
        return one.middle("kept") if one else None

    def ratio(self, case, tool, base):
        value, divisor = self.ns(case, tool), self.ns(case, base)
        return value / divisor if value and divisor else None

    def ratio_range(self, case):
        """pmon's ratio to the floor turn by turn: lowest and highest."""
        of_case = self.costs.get(case, {})
        pairs = [(pmon.per_tick_ns / floor.per_tick_ns) for floor, pmon in
                 zip(of_case["floor"].runs, of_case["pmon"].runs)]
        return min(pairs), max(pairs)

    def fixed_ns(self):
        """CPU time of pmon's start and of its end, or None."""
        one = self.costs.get("1-idle", {}).get("pmon")
        if not one or not one.starts_ns:
            return None
        return (statistics.median(one.starts_ns),
                statistics.median(one.ends_ns))

    def best_curve(self, case):
        """The cheapest peer that draws a curve, as (ns, name)."""
        known = [(self.ns(case, name), name) for name in CURVE_PEERS
                 if self.ns(case, name)]
        return min(known, default=(None, None))

    def memory(self, case, tool):
        one = self.costs.get(case, {}).get(tool)
        return one.runs[-1].memory if one and one.runs else None


def ratio_text(costs, case):
    ratio = costs.ratio(case, "pmon", "floor")
    if ratio is None:
        return "–"
    low, high = costs.ratio_range(case)
    return f"{factor(ratio)} ({low:.1f}–{high:.1f})"


def kept_text(costs, case):
    shares = [costs.kept(case, name) for name in ("floor", "pmon")]
    return " / ".join("–" if share is None else f"{share:.0%}"
                      for share in shares)


def cost_row(costs, case, names):
    row = [case.label, ratio_text(costs, case.key), kept_text(costs, case.key)]
    base = costs.ns(case.key, "pmon")
    for name in names:
        value = costs.ns(case.key, name)
        if value is None:
            row.append("–")
        elif name in ("floor", "pmon") or not base:
            row.append(micro(value))
        else:
            row.append(f"{micro(value)} ({factor(value / base)})")
    return row


def cost_table(costs, names):
    yield "### CPU per tick, µs"
    yield ""
    yield ("At 100 ms where not said. After pmon/floor, the lowest and the "
           "highest of the runs; kept: ticks made of those due, floor / pmon; "
           "in brackets after a peer: how many times pmon's.")
    yield ""
    header = ["tree", "pmon/floor", "kept", *names]
    yield from table(header, [cost_row(costs, case, names)
                              for case in cost.CASES
                              if case.key in costs.costs])


IDLE = ("1-idle", "50-idle", "500-idle", "2000-idle")


def memory_cell(memory):
    if memory is None:
        return "–"
    return (f"{memory.rss / MIB:.2f} ({memory.pss / MIB:.2f}), "
            f"{memory.fds:,}")


def memory_table(costs, names):
    yield "### Memory of the monitors"
    yield ""
    yield "RSS (PSS) in MiB, descriptors, by the number of idle processes."
    yield ""
    yield from table(["monitor", *(key.split("-")[0] for key in IDLE)],
                     [[name, *(memory_cell(costs.memory(key, name))
                               for key in IDLE)] for name in names])


def others_table(others):
    rows = []
    for name, ns in others.get("starts", {}).items():
        rows.append([f"`true` under {name}, ms", milli(ns)])
    for name, ns in others.get("ends", {}).items():
        rows.append([f"return after the step's end, {name}, ms", milli(ns)])
    for name, (last, worst) in others.get("drift", {}).items():
        rows.append([f"row 100 late / worst row, {name}, ms",
                     f"{last * 1000:.0f} / {worst * 1000:.0f}"])
    for n, (floor, pmon) in others.get("rates", {}).items():
        rows.append([f"ticks missed at 1 ms, {n} idle, floor / pmon",
                     f"{floor:.2%} / {pmon:.2%}"])
    for (label, name), (wall, cpu) in others.get("slow", {}).items():
        rows.append([f"{label} step at 10 ms under {name}, time / CPU",
                     f"{wall:.3f} × / {cpu:.3f} ×"])
    yield "### Starts, ends, ticks, slow-down"
    yield ""
    yield from table(["what", "is"], rows)


# ---- Budgets ----


def ratio_budgets(costs):
    for key, label in (("1-idle", "tree of 1, idle"),
                       ("1-running", "tree of 1, running"),
                       ("500-idle", "500 idle"),
                       ("500-running", "500 running"),
                       ("512-threads", "512 busy threads")):
        ratio = costs.ratio(key, "pmon", "floor")
        if ratio:
            yield (f"CPU per tick, {label}", "≤ 1.5 × floor", factor(ratio),
                   ratio <= 1.5)


def processes_budget(costs):
    ratio = costs.ratio("500-running", "pmon --processes", "pmon")
    if ratio:
        yield ("--processes, 500 running, to a tick without it", "≤ 2 ×",
               factor(ratio), ratio <= 2)


def peer_budgets(costs):
    for key in ("500-idle", "500-running"):
        label = key.replace("-", " ")
        best, name = costs.best_curve(key)
        ns = costs.ns(key, "pmon")
        if best and ns:
            yield (f"{label}, below {name}", "≥ 10 ×", factor(best / ns),
                   best / ns >= 10)
        ratio = costs.ratio(key, "psrecord", "pmon")
        if ratio:
            yield (f"{label}, below psrecord", "≥ 100 ×", factor(ratio),
                   ratio >= 100)


def beside_budget(costs):
    beside, alone = (costs.ns(key, "pmon")
                     for key in ("beside-2000", "1-idle"))
    if beside and alone:
        yield ("tree of 1 beside 2,000, to alone", "1 ×",
               factor(beside / alone), beside / alone <= 1.2)


def growth(costs):
    """RSS for each further process, as (from, to, bytes).  Between two trees
    of many, where what only code and tables take is in both."""
    for low, high in ((500, 2000), (1, 500)):
        few, many = (costs.memory(f"{n}-idle", "pmon") for n in (low, high))
        if few and many:
            return low, high, (many.rss - few.rss) / (high - low)
    return None


def memory_budgets(costs, others):
    one = costs.memory("1-idle", "pmon")
    if one:
        yield ("RSS, 1 process", "≤ 2 MiB", f"{one.rss / MIB:.2f} MiB",
               one.rss <= 2 * MIB)
    grown = growth(costs)
    if grown:
        low, high, each = grown
        yield (f"RSS for each live process, {low:,} to {high:,}",
               "≤ 300 bytes", f"{each:.0f} bytes", each <= 300)
        fds = costs.memory(f"{high}-idle", "pmon").fds
        yield (f"descriptors, {high:,} processes", "≤ 1,000 held", f"{fds:,}",
               fds <= 1016)
    for count, each in (others.get("kernel") or {}).items():
        yield (f"kernel memory for each live process, of {count:,}", "≤ 20 kB",
               f"{each / 1000:.1f} kB", each <= 20000)
    dead = others.get("dead")
    if dead:
        grown = dead.rss_late - dead.rss_early
        yield (f"RSS over {dead.children:,} dead ({dead.sampled:,} sampled)",
               "flat", f"{grown / 1024:+.0f} KiB", grown <= 64 * 1024)


def time_budgets(others):
    starts = others.get("starts")
    if starts:
        more = starts["pmon"] - starts["nothing"]
        yield ("`pmon -- true` beyond fork + exec + wait", "≤ 1 ms",
               f"{milli(more)} ms", more <= 1e6)
    ends = others.get("ends")
    if ends:
        more = ends["pmon"] - ends["nothing"]
        yield ("return after the step's end, interval 60 s", "at once",
               f"{milli(more)} ms", more <= 10e6)
    last, _ = others.get("drift", {}).get("pmon", (None, None))
    if last is not None:
        yield ("drift over 100 ticks", "none", f"{last * 1000:.0f} ms",
               last <= 0.005)


def budget_table(costs, others):
    found = [*ratio_budgets(costs), *processes_budget(costs),
             *peer_budgets(costs), *beside_budget(costs), *memory_budgets(costs, others),
             *time_budgets(others)]
    yield "### Budgets"
    yield ""
    yield from table(["what", "must be", "is", "reached"],
                     [[what, must, now, yes(reached)]
                      for what, must, now, reached in found])


# ---- The whole ----


def notes(found, absent, costs, others, plan):
    yield (f"Medians over runs in turn: {plan.runs} of {plan.seconds:g} s of "
           f"floor and pmon, {plan.peer_runs} of {plan.peer_seconds:g} s of "
           f"peers; {machine()}.")
    if plan.preferred:
        yield ("Beside 50 and more that run, at 1 ms, at starts and at ends "
               "all had real-time priority where not said, so that they can "
               "be compared on a machine that does other things too.")
    for tool in found:
        if tool.note:
            yield f"{tool.name}: {tool.note}."
    if absent:
        yield "Not found: " + ", ".join(absent) + "."
    for what, why in others.get("failed", {}).items():
        yield f"Not measured: {what} ({why})."
    fixed = costs.fixed_ns()
    if fixed:
        yield (f"pmon besides its ticks, CPU: start {micro(fixed[0])} µs, end "
               f"with its summary {micro(fixed[1])} µs.")
    if others.get("dead"):
        yield ("pmon at 1 ms beside a forking process: "
               f"{micro(others['dead'].cpu_ns_each)} µs of CPU a child.")
    yield ""


def markdown(found, absent, costs, others, plan):
    names = [tool.name for tool in found]
    costs = Costs(costs)
    lines = ["## Benchmark", ""]
    lines += notes(found, absent, costs, others, plan)
    lines += budget_table(costs, others)
    if costs.costs:
        lines += cost_table(costs, names)
        lines += memory_table(costs, names)
    if len(others) > 1:
        lines += others_table(others)
    return "\n".join(lines)


def write_data(path, costs, names):
    """One block of (processes, µs idle, µs running) a tool."""
    costs = Costs(costs)
    drawn = []
    with open(path, "w", encoding="utf-8") as file:
        for name in names:
            points = [(n, costs.ns(f"{n}-idle", name),
                       costs.ns(f"{n}-running", name))
                      for n in (1, 50, 500, 2000)]
            points = [point for point in points if point[1]]
            if not points:
                continue
            file.write(f"# {name}\n")
            for n, idle, running in points:
                last = running / 1000 if running else "NaN"
                file.write(f"{n} {idle / 1000} {last}\n")
            file.write("\n\n")
            drawn.append(name)
    return drawn


def script(data, picture, drawn, terminal):
    lines = ", ".join(
        f"'{data}' index {i} using 1:2 with linespoints lc {i + 1} lw 2 "
        f"pt 7 title '{name}', "
        f"'' index {i} using 1:3 with linespoints lc {i + 1} dt 2 pt 6 "
        "notitle" for i, name in enumerate(drawn))
    return "\n".join((
        f"set terminal {terminal} size 800,500",
        f"set output '{picture}'",
        "set logscale xy",
        "set xlabel 'processes in the tree'",
        "set ylabel 'CPU per tick, µs'",
        "set title 'Idle (full) and running (dashed)'",
        "set key outside",
        "set grid",
        "set xrange [0.8:2500]",
        f"plot {lines}", ""))


def draw(build, costs, names):
    """bench.svg and bench.png in the build folder; what was drawn."""
    if not shutil.which("gnuplot"):
        return "bench: no gnuplot, no picture"
    data = build / "bench.dat"
    drawn = write_data(data, costs, names)
    if not drawn:
        return "bench: nothing to draw"
    made = []
    for kind, terminal in (("svg", "svg"), ("png", "pngcairo")):
        picture = build / f"bench.{kind}"
        done = subprocess.run(["gnuplot"], check=False, text=True,
                              stderr=subprocess.DEVNULL,
                              input=script(data, picture, drawn, terminal))
        if done.returncode == 0:
            made.append(str(picture))
    return "bench: drew " + ", ".join(made) if made else \
        "bench: gnuplot failed, no picture"
