# SPDX-License-Identifier: Apache-2.0
"""Runs tasks in worker processes on this machine."""

from __future__ import annotations

import multiprocessing
import multiprocessing.resource_tracker
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from nandscape.exploration.execution import Batch, as_they_end, submit
from nandscape.exploration.running import Outcome, Task, run_task, text_of

_SPAWN = multiprocessing.get_context("spawn")

# Set in a worker process. It has an entry for each task of the pool: 0 before the task runs, 1 while it runs, 2 after
# that. The memory is shared with the parent process.
_under_way: Any = None


def cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(tasks: Mapping[int, Task], workers: int | None = None) -> Iterator[Batch]:
    """Runs the tasks and yields their outcomes by task number, in batches as they end.

    `workers`: number of processes; default: the number of cores. Workers ignore Ctrl-C; they end with this process, or
    when the iterator is closed. If a worker is killed, for example by the kernel when memory is short, the tasks that
    were running are repeated at the end, one at a time. A task whose worker is killed again ends with an error.
    """
    left = dict(tasks)
    suspects: dict[int, Task] = {}
    while left:
        before = len(left)
        lost: list[int] = []
        for batch in _in_pool(left, workers or cores(), lost):
            for number in batch:
                del left[number]
            yield batch
        suspects |= {number: left.pop(number) for number in lost}
        if len(left) == before:
            raise RuntimeError("the worker processes of the sweep ended before they ran a task")
    for number, task in suspects.items():
        lost = []
        yield from _in_pool({number: task}, 1, lost)
        if lost:
            killed = "the process that ran this point was killed twice; is there enough memory?"
            yield {number: Outcome(error=f"BrokenProcessPool: {killed}")}


class WorkerPool:
    """Worker processes that act as an executor. They are killed at the end of the `with` block, even in the middle of a
    task."""

    def __init__(self, workers: int, under_way: Any = None) -> None:
        self._pool = ProcessPoolExecutor(workers, _SPAWN, initializer=_prepare, initargs=(under_way,))

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        end_pool(self._pool)

    def submit(self, *call: Any) -> Future[Outcome]:
        """Submits a call and returns its future. Each call may start a process."""
        with _launching():
            return submit(self._pool, *call)


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Kills the processes of a pool, even in the middle of a task, and waits until they have ended."""
    workers = list((pool._processes or {}).values())
    manager = pool._executor_manager_thread
    # The pool must cancel its futures itself. If its caller has cancelled them, the pool raises an exception on these
    # futures when it finds a dead worker.
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.join()
    # Waits until the thread of the pool has closed its pipe. Otherwise Python, at its exit, would write to the pipe of
    # the running thread.
    if manager is not None:
        manager.join()


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started in the block never receive Ctrl-C. If Ctrl-C is pressed meanwhile, this process
    receives it at the end of the block."""
    # Starting multiprocessing's resource tracker unblocks the signal, so it is started before the signal is blocked.
    multiprocessing.resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_pool(tasks: Mapping[int, Task], workers: int, lost: list[int]) -> Iterator[Batch]:
    """Runs the tasks until all have ended or a worker is killed. In the latter case, adds the tasks that were running
    to `lost`."""
    under_way = _SPAWN.RawArray("b", len(tasks))
    broken = False
    with WorkerPool(min(workers, len(tasks)), under_way) as pool:
        places = enumerate(tasks.items())
        futures = {number: pool.submit(_run_marked, task, place) for place, (number, task) in places}
        for ended in as_they_end(futures):
            batch = {}
            for number, future in ended.items():
                try:
                    batch[number] = future.result()
                except BrokenExecutor:
                    broken = True
                except Exception as failure:
                    batch[number] = Outcome(error=text_of(failure))
            if batch:
                yield batch
        if broken:
            lost += [number for place, number in enumerate(tasks) if under_way[place] == 1]


@contextmanager
def _launching() -> Iterator[None]:
    """Hides the main program from processes that are started in the block, because workers do not need it and must not
    run it again. These processes never receive Ctrl-C."""
    main = sys.modules["__main__"]
    with deaf_to_interrupts():
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _prepare(under_way: Any) -> None:
    global _under_way
    _under_way = under_way
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_marked(task: Task, place: int) -> Outcome:
    _under_way[place] = 1
    outcome = run_task(task)
    _under_way[place] = 2
    return outcome
