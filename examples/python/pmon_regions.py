# SPDX-License-Identifier: MIT
"""Mark the phases of a Python program; each becomes one row of a file.

    from pmon_regions import region

    with region("ANALYZING_PROTOCOL"):
        analyze()

    @region("RUNNING_PROTOCOL")
    async def run(protocol): ...

The row is written when the work has ended, even by an exception or a
cancellation.  A coroutine, a generator or an asynchronous generator has ended
when it has run to its end, not when it was created.

Nothing is recorded unless the environment has PMON_REGIONS=DIR.  libpmon(3)
describes PMON_REGIONS_NAME, _STYLE and _BUFFER.  The environment is read at the
first region, and again by decide().

libpmon writes the rows if it is found; PMON_LIBRARY names another library file,
or "none".  Without libpmon this module writes the same rows, byte for byte.
Then pmon does not know which regions were open when the process died, and in
buffered mode all threads share one buffer.

In buffered mode, call flush() before os._exit().  Workers of multiprocessing
exit that way.

make install puts this file into the folder that

    pkg-config --variable=pythondir libpmon

prints: add it to PYTHONPATH.  A program that must also run on machines without
pmon brings a copy of pmon_regions_off.py, which has the same names:

    try:
        from pmon_regions import region
    except ImportError:
        from pmon_regions_off import region

Needs only the standard library; Python 3.7 or newer.
"""

import atexit
import collections
import errno
import fcntl
import functools
import inspect
import os
import stat
import threading
import time
import types

__all__ = ["region", "add", "decide", "switch_on", "flush", "close", "stats"]


class region:
    """A phase, as a context manager (sync or async) or as a decorator.

    One object can have one open region at a time; a decorator creates a new
    object for each call.
    """

    __slots__ = ("name", "_begun")

    def __init__(self, name):
        self.name = name
        self._begun = None

    def __enter__(self):
        if _engine is not None:
            self._begun = _engine.begin(self.name)
        return self

    def __exit__(self, *error):
        if self._begun is not None:
            _end(self._begun)
            self._begun = None

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, *error):
        self.__exit__()

    def __call__(self, function):
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(self(function.__func__))
        for is_kind, wrap in ((inspect.iscoroutinefunction, _coroutine),
                              (inspect.isasyncgenfunction, _async_generator),
                              (inspect.isgeneratorfunction, _generator)):
            if is_kind(function):
                break
        else:
            wrap = _function
        return functools.wraps(function)(wrap(self.name, function))


def add(name, start_ns, duration_ns):
    """Record a region that was timed elsewhere."""
    if _engine is not None:
        _engine.add(name, start_ns, duration_ns)


def decide():
    """Read the environment again; return True if regions are recorded."""
    global _engine, _used
    with _switching:
        if _engine is not _undecided:  # other threads wait for its decision
            close()
        chosen = None
        if os.environ.get("PMON_REGIONS"):
            chosen = _used = _library() or _Writer()
        _engine = chosen if chosen and chosen.on else None
    return _engine is not None


def switch_on(folder, name="regions", style="quoted", buffered=False):
    """Record in folder/name, also in programs that this one starts."""
    os.environ["PMON_REGIONS"] = os.fspath(folder)
    os.environ["PMON_REGIONS_NAME"] = name
    os.environ["PMON_REGIONS_STYLE"] = style
    os.environ["PMON_REGIONS_BUFFER"] = "1" if buffered else "0"
    return decide()


def flush():
    """Write all buffered rows."""
    if _engine is not None:
        _engine.flush()


def close():
    """Write all buffered rows and switch off: nothing is written later."""
    global _engine
    engine, _engine = _engine, None
    if engine is not None:
        engine.close()


def stats():
    """Return what became of the rows: rows, lost, torn, untold, error, on."""
    return _used.stats()


# How the decorator wraps each kind of function.

def _function(name, function):
    def wrapper(*args, **kwargs):
        if _engine is None:
            return function(*args, **kwargs)
        begun = _engine.begin(name)
        try:
            result = function(*args, **kwargs)
        except BaseException:
            _end(begun)
            raise
        if type(result) is types.CoroutineType:
            return _awaited(begun, result)
        _end(begun)
        return result
    return wrapper


async def _awaited(begun, coroutine):
    try:
        return await coroutine
    finally:
        _end(begun)


def _coroutine(name, function):
    async def wrapper(*args, **kwargs):
        with region(name):
            return await function(*args, **kwargs)
    return wrapper


def _generator(name, function):
    def wrapper(*args, **kwargs):
        with region(name):
            return (yield from function(*args, **kwargs))
    return wrapper


def _async_generator(name, function):
    async def wrapper(*args, **kwargs):
        with region(name):
            inner = function(*args, **kwargs)
            step = inner.__anext__()
            try:
                while True:
                    item = await step
                    try:
                        step = inner.asend((yield item))
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:
                        step = inner.athrow(error)
            except StopAsyncIteration:
                pass
    return wrapper


# The writers of rows.  begin() returns a tuple that starts with the writer
# that has to end the region.

_STATS = ("rows", "lost", "torn", "untold", "error", "on")
_NAME_MAX = 255


def _end(begun):
    if begun is not None:
        begun[0].end(begun)


def _name_bytes(name):
    """Return a name as C sees it; str() converts an Enum, for example."""
    if not isinstance(name, (str, bytes)):
        name = str(name)
    if isinstance(name, str):
        try:
            name = name.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            name = name.encode("utf-8", "replace")
    return name.partition(b"\0")[0]


class _Undecided:
    """The state before the first region; there one thread decides for all."""

    def __init__(self):
        self._is_deciding = False

    def _decide(self):
        """Return None if off, or if a signal handler interrupted this."""
        with _switching:
            if _engine is self and not self._is_deciding:
                self._is_deciding = True
                try:
                    decide()
                finally:
                    self._is_deciding = False
            return None if _engine is self else _engine

    def begin(self, name):
        engine = self._decide()
        return None if engine is None else engine.begin(name)

    def add(self, name, start_ns, duration_ns):
        engine = self._decide()
        if engine is not None:
            engine.add(name, start_ns, duration_ns)

    def flush(self):
        pass

    def close(self):
        pass

    def stats(self):
        return dict.fromkeys(_STATS, 0)


def _library():
    """Return libpmon, switched on or off by the environment, or None."""
    path = os.environ.get("PMON_LIBRARY", "libpmon.so.0")
    if path == "none":
        return None
    try:
        import ctypes
        return _Library(ctypes, ctypes.CDLL(path))
    except (ImportError, OSError, AttributeError):
        return None


class _Library:
    """libpmon by ctypes."""

    def __init__(self, ctypes, lib):
        class Region(ctypes.Structure):
            _fields_ = [("start_ns", ctypes.c_uint64),
                        ("start_mono_ns", ctypes.c_uint64),
                        ("name", ctypes.c_void_p),
                        ("slot", ctypes.c_uint32),
                        ("pid", ctypes.c_uint32)]

        class Stats(ctypes.Structure):
            _fields_ = [(key, ctypes.c_uint64) for key in _STATS[:4]] + [
                (key, ctypes.c_int) for key in _STATS[4:]]

        def function(name, result, *arguments):
            found = getattr(lib, "pmon_" + name)
            found.restype = result
            found.argtypes = arguments
            return found

        self._begin = function("region_begin", Region, ctypes.c_char_p)
        self._end = function("region_end", None, Region)
        self._add = function("region_add", None, ctypes.c_char_p,
                             ctypes.c_uint64, ctypes.c_uint64)
        self._stats = function("regions_stats", None, ctypes.POINTER(Stats))
        self._new_stats = Stats
        self.flush = function("regions_flush", ctypes.c_int)
        self.close = function("regions_close", None)
        self.on = function("regions_decide", ctypes.c_int)() == 1

    def begin(self, name):
        name = _name_bytes(name)
        return self, self._begin(name), name  # libpmon does not copy the name

    def end(self, begun):
        self._end(begun[1])

    def add(self, name, start_ns, duration_ns):
        self._add(_name_bytes(name), start_ns, duration_ns)

    def stats(self):
        counts = self._new_stats()
        self._stats(counts)
        return {key: getattr(counts, key) for key in _STATS}


class _Writer:
    """Writes the same files from Python.

    A signal handler or a finalizer may interrupt any method here and use a
    region itself.  So the same thread can take the lock again, and each row is
    removed from the queue only once, whoever writes it.
    """

    def __init__(self):
        self._counts = dict.fromkeys(_STATS, 0)
        self._fd = -1
        self.lock = threading.RLock()
        self._rows = collections.deque()
        self.on = False
        try:
            self._start(os.environ["PMON_REGIONS"],
                        os.environ.get("PMON_REGIONS_NAME") or "regions",
                        os.environ.get("PMON_REGIONS_STYLE") or "quoted")
        except OSError as error:
            self._counts["error"] = error.errno

    def _start(self, folder, name, style):
        if "/" in name or name in (".", "..") or style not in _HEADERS:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._seed = style == "seed"
        self._limit = (256 if os.environ.get("PMON_REGIONS_BUFFER", "0")
                       not in ("", "0") else 1)
        try:
            os.mkdir(folder)
        except FileExistsError:
            pass
        path = os.path.join(folder, name)
        self._fd = _high(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT
                                 | os.O_NOCTTY | os.O_NONBLOCK, 0o666))
        self._mend()
        self.on = True
        try:
            _replace(path + "_headers", _HEADERS[style])
        except OSError as error:
            self._counts["error"] = error.errno

    def begin(self, name):
        return self, name, time.time_ns(), time.monotonic_ns()

    def end(self, begun):
        duration_ns = time.monotonic_ns() - begun[3]
        add(begun[1], begun[2], duration_ns)  # by the current writer

    def add(self, name, start_ns, duration_ns):
        row = _row(self._seed, _name_bytes(name), start_ns, duration_ns)
        with self.lock:
            if self.on:
                self._rows.append(row)
                if len(self._rows) >= self._limit:
                    self.write()

    def flush(self):
        with self.lock:
            self.write()

    def close(self):
        with self.lock:
            self.write()
            self.on = False
            fd, self._fd = self._fd, -1
            try:
                os.close(fd)
            except OSError:
                pass  # the program has closed it already

    def finish(self):
        """At the end of the process; later rows are written at once."""
        self._limit = 1
        self.flush()

    def forget(self):
        """After a fork, in the child: the counts were those of the parent."""
        self._counts.update(dict.fromkeys(_STATS[:5], 0))

    def stats(self):
        return dict(self._counts, on=int(self.on))

    def write(self):
        """Write all rows of the queue; the caller holds the lock."""
        rows = []
        try:
            while True:
                rows.append(self._rows.popleft())
        except IndexError:
            pass
        if not rows:
            return
        text = b"".join(rows)
        try:
            got = os.write(self._fd, text)
            if got < len(text):
                self._counts["error"] = errno.ENOSPC
        except OSError as error:
            got = 0
            self._counts["error"] = error.errno
        whole = kept = 0
        for row in rows:
            if whole + len(row) > got:
                break
            whole += len(row)
            kept += 1
        self._counts["rows"] += kept
        self._counts["lost"] += len(rows) - kept
        if got > whole and not self._take_back(text[whole:got]):
            self._counts["torn"] += 1

    def _mend(self):
        """End the half row that a killed process has left at the end.

        If the last number may be incomplete, add one field too many.  Wait a
        while first: a live process may be just writing the other half.
        """
        size = None
        for _ in range(100):
            status = os.fstat(self._fd)
            if (not stat.S_ISREG(status.st_mode) or status.st_size == 0
                    or size not in (None, status.st_size)):
                return
            size = status.st_size
            last = os.pread(self._fd, 1, size - 1)
            if last == b"\n":
                return
            time.sleep(0.00005)
        os.write(self._fd, b"\r\n" if last == b'"' else b",\r\n")

    def _take_back(self, half):
        """Remove a half row from the file, if it is still at the end."""
        try:
            status = os.fstat(self._fd)
            start = status.st_size - len(half)
            if (not stat.S_ISREG(status.st_mode) or start < 0
                    or os.pread(self._fd, len(half), start) != half):
                return False
            os.ftruncate(self._fd, start)
        except OSError:
            return False
        return True


_HEADERS = {"quoted": b"state,func_start,duration",
            "seed": b"state_name,function_start_time,duration"}


def _high(fd):
    """Move a descriptor to a high number, and return that number.

    Some programs close all descriptors that they did not open.  Their next
    file then gets a low number, so no row is written to it.
    """
    try:
        high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 500)
    except OSError:  # the limit of open files is lower
        return fd
    os.close(fd)
    return high


def _replace(path, line):
    """Write a file so that a reader never sees a part of it."""
    fresh = os.path.join(os.path.dirname(path), ".pmon-%d-%x"
                         % (os.getpid(), time.monotonic_ns()))
    try:
        with open(fresh, "xb") as file:
            file.write(line)
        os.replace(fresh, path)
    except OSError:
        try:
            os.unlink(fresh)
        except OSError:
            pass
        raise


def _row(seed, name, start_ns, duration_ns):
    if len(name) > _NAME_MAX:
        cut = _NAME_MAX
        while cut > _NAME_MAX - 4 and name[cut] & 0xc0 == 0x80:
            cut -= 1
        name = name[:cut if cut > _NAME_MAX - 4 else _NAME_MAX]
    if not seed or any(byte in name for byte in b',"\r\n'):
        name = b'"%s"' % name.replace(b'"', b'""')
    return (b"%s,%d,%d\r\n" if seed else b'%s,"%d","%d"\r\n') % (
        name, start_ns, duration_ns)


# The parent writes its rows before a fork, so that the child does not.

def _before_fork():
    _switching.acquire()
    if isinstance(_used, _Writer):
        _used.lock.acquire()
        _used.write()


def _after_fork():
    if isinstance(_used, _Writer):
        _used.lock.release()
    _switching.release()


def _after_fork_in_child():
    if isinstance(_used, _Writer):
        _used.forget()
    _after_fork()


def _at_exit():
    if isinstance(_used, _Writer):
        _used.finish()
    else:
        flush()


_switching = threading.RLock()
_undecided = _Undecided()
_engine = _used = _undecided  # the current (None: off), the last
os.register_at_fork(before=_before_fork, after_in_parent=_after_fork,
                    after_in_child=_after_fork_in_child)
atexit.register(_at_exit)
