# SPDX-License-Identifier: Apache-2.0
"""Tasks on an executor, all submitted at once, and what comes of them as they end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any

from nandscape.exploration.running import Outcome, Task, run_task, text_of

# Results that come closer to one another are handed on together.
GATHERING_S = 0.5

Batch = dict[int, Outcome]


def on_executor(executor: Executor, tasks: Mapping[int, Task]) -> Iterator[Batch]:
    """Runs the tasks and yields what came of them, as they end, by the numbers of the tasks.

    What the executor itself raises, such as for a worker that was killed, is the error of the tasks that it loses.
    Tasks that have not begun are cancelled when the iterator is closed.
    """
    futures = {number: submit(executor, run_task, task) for number, task in tasks.items()}
    try:
        for ended in as_they_end(futures):
            yield {number: outcome_of(future) for number, future in ended.items()}
    finally:
        for future in futures.values():
            future.cancel()


def submit(executor: Executor, *call: Any) -> Future[Outcome]:
    """The future of a call. An executor that takes no more calls, since it has broken, is the future's exception."""
    try:
        return executor.submit(*call)
    except Exception as failure:
        refused: Future[Outcome] = Future()
        refused.set_exception(failure)
        return refused


def as_they_end(futures: Mapping[int, Future[Outcome]]) -> Iterator[dict[int, Future[Outcome]]]:
    """Futures by their numbers, those together that end within a short time.

    Ctrl-C first yields what has ended, and goes on with the next call.
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
    """What came of a call that has ended; what the executor raises is its error."""
    try:
        return future.result()
    except Exception as failure:
        return Outcome(error=text_of(failure))
