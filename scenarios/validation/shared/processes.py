# SPDX-License-Identifier: Apache-2.0
"""Simulations side by side, one to a core."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from nandscape.exploration.processes import deaf_to_interrupts, end_pool

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class Processes:
    """A context of processes, as many as there are cores. They end with it, whatever they are in the middle of: Ctrl-C
    waits for none of them."""

    def __enter__(self) -> Processes:
        # Forked ones would share locks of threads that they do not have.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(mp_context=context)
        return self

    def __exit__(self, *_: object) -> None:
        end_pool(self._pool)

    def outcomes(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], at_once: int = 1
    ) -> Iterator[tuple[Task, Outcome]]:
        """Tasks with what the function gives for them, in their order. A process takes `at_once` tasks at a time."""
        with deaf_to_interrupts():
            results = self._pool.map(function, tasks, chunksize=at_once)
        return zip(tasks, results, strict=True)
