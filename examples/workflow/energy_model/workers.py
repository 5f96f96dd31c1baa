# SPDX-License-Identifier: MIT
"""A pool of worker processes that leaves none behind."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

from .profiling import stop_in_worker
from .step import reset_stop_signals

MOST_WORKERS = 64
_job = None


def default_workers():
    """Return how many workers to use: one for each processor, at most 4."""
    return min(4, len(os.sched_getaffinity(0)))


def _start_worker(job):
    """Undo what a forked worker has of the step, and take its job."""
    global _job
    reset_stop_signals()
    stop_in_worker()
    _job = job


def _do_job(item):
    """Do the worker's job for an item."""
    return _job(item)


@contextmanager
def worker_pool(job, count, start_method=None):
    """Give a function that does a job for many items in worker processes.

    It is like map(job, items). The job goes to each worker once, with all
    data bound to it; so items can be small. start_method is one of
    multiprocessing's; None is the system's own. Where what is inside fails
    or is stopped, the workers are ended at once.
    """
    executor = ProcessPoolExecutor(
        max_workers=count,
        mp_context=multiprocessing.get_context(start_method),
        initializer=_start_worker,
        initargs=(job,),
    )
    try:
        yield partial(executor.map, _do_job)
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        executor.shutdown(cancel_futures=True)
        raise
    executor.shutdown()
