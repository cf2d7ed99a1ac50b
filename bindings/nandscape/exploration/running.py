# SPDX-License-Identifier: Apache-2.0
"""Runs one point of a sweep in a worker."""

from __future__ import annotations

import pickle
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nandscape.config import Config
from nandscape.exploration.metrics import Figure, figures, unknown_figures
from nandscape.simulation import Simulation, from_checkpoint

# The tasks of one process run one at a time, because warning filters apply to all threads of a process.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Task:
    """The message from which a worker runs one point; about ten kilobytes. `config` is a pickled `Config`, and
    `metrics` a pickled return value of `metrics.chosen`.

    With a `checkpoint`, the worker restores the drive in that file under `config`. Otherwise it builds the drive, and
    the pickled function `prepare` brings it into the state in which it is measured.
    """

    config: bytes
    metrics: bytes
    checkpoint: str | None = None
    prepare: bytes | None = None


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task. `figures`: the metrics, by column. `wall_s`: duration of the task in seconds, NaN if it
    did not run. `error`: None, or the kind of exception and its text. `unknown`: the reasons why metrics requested by
    name are unknown, by column."""

    figures: dict[str, Figure] = field(default_factory=dict)
    wall_s: float = float("nan")
    warnings: str | None = None
    error: str | None = None
    unknown: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> str | None:
        """The warnings, and the unknown metrics with their reasons, as one string; None if there are neither."""
        unknown = [f"{name} is not known: {reason}" for name, reason in self.unknown.items()]
        return "; ".join([*([self.warnings] if self.warnings else []), *unknown]) or None


def run_task(task: Task) -> Outcome:
    """Builds or restores the drive, runs its workloads and computes the metrics. An exception becomes the error of the
    outcome, as does a SystemExit from a preparation, a policy or a metric."""
    begin = time.perf_counter()
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found: dict[str, Figure] = {}
        unknown: dict[str, str] = {}
        error = None
        try:
            simulation = _drive(task)
            simulation.run()
            result, columns = simulation.result(), pickle.loads(task.metrics)
            found, unknown = figures(result, columns), unknown_figures(result, columns)
        except KeyboardInterrupt:
            raise
        except BaseException as failure:
            error = text_of(failure)
    told = "; ".join(dict.fromkeys(str(warning.message) for warning in caught))
    return Outcome(found, time.perf_counter() - begin, told or None, error, unknown)


def text_of(failure: BaseException) -> str:
    """Returns an exception's text in the form in which the column `error` shows it."""
    if isinstance(failure, SystemExit):
        return f"SystemExit: the program was to end with status {failure.code!r}"
    return f"{type(failure).__name__}: {failure}"


def _drive(task: Task) -> Simulation:
    config: Config = pickle.loads(task.config)
    if task.checkpoint is None:
        simulation = Simulation(config)
        if task.prepare is not None:
            pickle.loads(task.prepare)(simulation)
        return simulation
    # Passes every key, so that the run has exactly this configuration. A key that must not change after the checkpoint
    # is refused if its value differs.
    return from_checkpoint(task.checkpoint, [*_keys(config.to_dict()), *config.policies().items()])


def _keys(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        path = prefix + key
        if isinstance(value, dict) and path != "host.workload":
            yield from _keys(value, f"{path}.")
        else:
            yield path, [value] if path == "host.workload" and isinstance(value, dict) else value
