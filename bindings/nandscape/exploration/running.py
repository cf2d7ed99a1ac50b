# SPDX-License-Identifier: Apache-2.0
"""One point of a sweep, as a worker runs it."""

from __future__ import annotations

import pickle
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nandscape.config import Config
from nandscape.exploration.metrics import figures, unknown_figures
from nandscape.simulation import Simulation, from_checkpoint

# Filters of warnings belong to the process, and threads that simulate take turns anyway.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Task:
    """What a worker is sent: some ten kilobytes. `config` is the pickle of a `Config`, and `metrics` that of what
    `metrics.chosen` gives.

    With a `checkpoint` the drive in that file is restored under `config`; otherwise it is built anew, and what
    `prepare` is the pickle of brings it into the state in which it is measured.
    """

    config: bytes
    metrics: bytes
    checkpoint: str | None = None
    prepare: bytes | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of a task. `error` is None, or the kind of exception and its text. `unknown`: why metrics that were
    asked for by name are not known, by their columns."""

    figures: dict[str, float] = field(default_factory=dict)
    wall_s: float = float("nan")
    warnings: str | None = None
    error: str | None = None
    unknown: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> str | None:
        """The warnings, with what is not known and why."""
        unknown = [f"{name} is not known: {reason}" for name, reason in self.unknown.items()]
        return "; ".join([*([self.warnings] if self.warnings else []), *unknown]) or None


def run_task(task: Task) -> Outcome:
    """Builds or restores the drive, runs its workloads and takes the metrics; an exception becomes the error, and so
    does the end of the program (SystemExit) that a preparation, a policy or a metric asks for."""
    begin = time.perf_counter()
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found: dict[str, float] = {}
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
    """An exception as a row's error."""
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
    # Every key is given, so that the run is that of this configuration and of no other: a key that the saved state
    # depends on is refused where it differs.
    return from_checkpoint(task.checkpoint, [*_keys(config.to_dict()), *config.policies().items()])


def _keys(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        path = prefix + key
        if isinstance(value, dict) and path != "host.workload":
            yield from _keys(value, f"{path}.")
        else:
            yield path, [value] if path == "host.workload" and isinstance(value, dict) else value
