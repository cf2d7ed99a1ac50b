# SPDX-License-Identifier: Apache-2.0
"""Simulations side by side, one to a core."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class Processes:
    """A context of processes, as many as there are cores."""

    def __enter__(self) -> Processes:
        # Forked ones would share locks of threads that they do not have.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(mp_context=context, initializer=_leave_interrupts_to_parent)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def outcomes(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], at_once: int = 1
    ) -> Iterator[tuple[Task, Outcome]]:
        """Tasks with what the function gives for them, in their order. A process takes `at_once` tasks at a time."""
        return zip(tasks, self._pool.map(function, tasks, chunksize=at_once), strict=True)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
