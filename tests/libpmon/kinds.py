# SPDX-License-Identifier: MIT
"""For python.sh: every kind of region once, or every kind of name."""

import asyncio
import atexit
import enum
import inspect
import os
import signal
import sys
import threading
import time


@atexit.register
def leave():
    """Called after whatever pmon_regions.py does at exit."""
    if sys.argv[2] == "together":
        with region("leave"):
            pass


sys.path.insert(0, sys.argv[1])
import pmon_regions  # noqa: E402
from pmon_regions import region  # noqa: E402

written_at_once = sys.argv[2] == "0"


def rows():
    return pmon_regions.stats()["rows"]


@region("function")
def function(a, *, b):
    """Its own text."""
    return a, b


@region("coroutine")
async def coroutine():
    await asyncio.sleep(0.02)
    return "coroutine"


@region("made")
def made():
    async def work():
        await asyncio.sleep(0.02)
        return "made"
    return work()


@region("generator")
def generator():
    got = yield 1
    yield got
    return "returned"


@region("asyncgen")
async def asyncgen():
    got = yield 1
    try:
        yield got
    except KeyError:
        yield "caught"


@region("error")
def error():
    raise LookupError


@region("late")
async def late():
    await asyncio.sleep(10)


class Thing:
    @region("method")
    def method(self):
        return self

    @region("class")
    @classmethod
    def of_class(cls):
        return cls

    @region("static")
    @staticmethod
    def static(value):
        return value


def ended_only_after(step, before):
    """The row is there when the work has ended, and was not before."""
    if written_at_once:
        assert rows() == before + (1 if step == "ended" else 0), step


async def asynchronous():
    for function, result in ((coroutine, "coroutine"), (made, "made")):
        before = rows()
        waiting = function()
        ended_only_after("made", before)
        start = time.monotonic()
        assert await waiting == result
        assert time.monotonic() - start >= 0.02
        ended_only_after("ended", before)
    items = asyncgen()
    before = rows()
    assert await items.__anext__() == 1
    assert await items.asend(2) == 2
    assert await items.athrow(KeyError()) == "caught"
    ended_only_after("made", before)
    async for _ in items:
        raise AssertionError
    ended_only_after("ended", before)
    items = asyncgen()
    await items.__anext__()
    await items.aclose()
    async with region("with"):
        await asyncio.sleep(0)
    task = asyncio.ensure_future(late())
    await asyncio.sleep(0.01)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        pass


def in_a_child():
    pid = os.fork()
    if pid == 0:
        with region("child"):
            pass
        pmon_regions.flush()
        os._exit(rows() != 1)
    assert os.waitpid(pid, 0)[1] == 0


def every_kind():
    assert function(1, b=2) == (1, 2)
    assert function.__doc__ == "Its own text."
    assert inspect.iscoroutinefunction(coroutine)
    items = generator()
    assert next(items) == 1
    assert items.send(3) == 3
    try:
        next(items)
    except StopIteration as end:
        assert end.value == "returned"
    thing = Thing()
    assert thing.method() is thing
    assert thing.of_class() is Thing
    assert thing.static(1) == Thing.static(1) == 1
    try:
        error()
    except LookupError:
        pass
    asyncio.run(asynchronous())
    threads = [threading.Thread(target=region("thread")(time.sleep),
                                args=(0.01,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    in_a_child()
    pmon_regions.add("added", 1796007184668093002, 5)
    with region("over"):
        assert pmon_regions.decide()
    pmon_regions.flush()
    assert pmon_regions.stats()["lost"] == 0
    pmon_regions.close()
    function(1, b=2)
    with region("closed"):
        pass
    assert pmon_regions.stats()["on"] == 0


class State(enum.Enum):
    RUNNING = 1


def every_name():
    for number, name in enumerate((
            "", "a b", "a,b", 'say "x"', '"', "a\nb", "a\r\nb", "\u00e4",
            "cut\0here", "\udcff\udcfe", "\ud800", b"bytes\xff", "x" * 255,
            "x" * 256, "x" * 254 + "\u00e4", "x" * 253 + "\u20ac",
            "x" * 252 + "\U0001f916", "x" * 251 + "\U0001f916", "\"" * 300,
            b"\x80" * 300, State.RUNNING, None)):
        pmon_regions.add(name, number * 10 ** 17, 10 ** min(number, 19))


def off():
    function(1, b=2)
    with region("off"):
        pass
    assert "ctypes" not in sys.modules
    assert pmon_regions.stats() == dict.fromkeys(
        ("rows", "lost", "torn", "untold", "error", "on"), 0)


def together():
    """Threads whose first regions decide."""
    barrier = threading.Barrier(8)

    def work():
        barrier.wait()
        with region("together"):
            pass
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def handler():
    """A signal in the middle of a row, and its handler's region."""
    time_ns = time.monotonic_ns
    write = os.write
    to_come = ["clock", "write"]

    def interrupt(at):
        if at in to_come:
            to_come.remove(at)
            os.kill(os.getpid(), signal.SIGUSR1)

    def interrupted_clock():
        interrupt("clock")
        return time_ns()

    def interrupted_write(fd, text):
        interrupt("write")
        return write(fd, text)

    @region("handler")
    def handle(*_):
        pass

    signal.signal(signal.SIGUSR1, handle)
    pmon_regions.decide()
    time.monotonic_ns = interrupted_clock
    os.write = interrupted_write
    with region("program"):
        pass
    pmon_regions.flush()


def closed():
    """All descriptors closed under it, as by what becomes a daemon."""
    with region("before"):
        pass
    pmon_regions.flush()
    os.closerange(3, 4096)
    with open(sys.argv[3], "wb+") as file:
        with region("after"):
            pass
        pmon_regions.flush()
        assert file.read() == b""


{"names": every_name, "off": off, "together": together, "handler": handler,
 "closed": closed}.get(sys.argv[2], every_kind)()
print("ok")
