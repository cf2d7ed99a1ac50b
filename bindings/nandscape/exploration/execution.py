# SPDX-License-Identifier: Apache-2.0
"""Runs tasks on an executor: submits all at once and yields their outcomes as they end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any

from nandscape.exploration.running import Outcome, Task, run_task, text_of

# Outcomes that arrive within this time, in seconds, are yielded in one batch.
GATHERING_S = 0.5

Batch = dict[int, Outcome]


def on_executor(executor: Executor, tasks: Mapping[int, Task]) -> Iterator[Batch]:
    """Runs the tasks and yields their outcomes by task number, in batches as they end.

    An exception of the executor itself, for example after a worker was killed, becomes the error of the tasks that were
    lost with it. Closing the iterator cancels the tasks that have not begun.
    """
    futures = {number: submit(executor, run_task, task) for number, task in tasks.items()}
    try:
        for ended in as_they_end(futures):
            yield {number: outcome_of(future) for number, future in ended.items()}
    finally:
        for future in futures.values():
            future.cancel()


def submit(executor: Executor, *call: Any) -> Future[Outcome]:
    """Submits a call and returns its future. If a broken executor refuses the call, the future holds the exception."""
    try:
        return executor.submit(*call)
    except Exception as failure:
        refused: Future[Outcome] = Future()
        refused.set_exception(failure)
        return refused


def as_they_end(futures: Mapping[int, Future[Outcome]]) -> Iterator[dict[int, Future[Outcome]]]:
    """Yields futures by number as they end. Futures that end within `GATHERING_S` are yielded together.

    On Ctrl-C, yields the futures that have ended; the next step then raises KeyboardInterrupt.
    """
    ended: SimpleQueue[int] = SimpleQueue()
    for number, future in futures.items():
        future.add_done_callback(lambda _, number=number: ended.put(number))
    left = len(futures)
    handed_on = -GATHERING_S
    while left:
        together: list[int] = []
        try:
            together.append(ended.get())
            while len(together) < left:
                wait = handed_on + GATHERING_S - time.monotonic()
                together.append(ended.get(timeout=max(0.0, wait)))
        except Empty:
            pass
        except KeyboardInterrupt:
            while not ended.empty():
                together.append(ended.get())
            yield {number: futures[number] for number in together}
            raise
        left -= len(together)
        yield {number: futures[number] for number in together}
        handed_on = time.monotonic()


def outcome_of(future: Future[Outcome]) -> Outcome:
    """Returns the outcome of a call that has ended. An exception of the executor becomes the error of the outcome."""
    try:
        return future.result()
    except Exception as failure:
        return Outcome(error=text_of(failure))
