# SPDX-License-Identifier: Apache-2.0
"""Sweeps: runs many configurations and returns one table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import Any

from nandscape.config import Config
from nandscape.exploration import metrics as metrics_
from nandscape.exploration.execution import on_executor
from nandscape.exploration.frame import Sweep, table
from nandscape.exploration.points import Grid, Point, covering, resolve, seeds_of, settings_of
from nandscape.exploration.processes import in_processes
from nandscape.exploration.requirements import required
from nandscape.exploration.running import Outcome, Task, text_of
from nandscape.exploration.store import Store, key_of
from nandscape.exploration.warm_start import Prepare, WarmStart
from nandscape.progress import PointsBar
from nandscape.simulation import Simulation, resolved_for
from nandscape.workload import Workload


class SweepInterrupted(KeyboardInterrupt):
    """Raised when Ctrl-C ends a sweep or a search. `sweep`: the table of the points that were complete."""

    def __init__(self, done: Sweep, points: int) -> None:
        super().__init__(f"the sweep was interrupted when {len(done)} of {points} points were done")
        self.sweep = done


def sweep(
    base: Config | str | os.PathLike[str] | Mapping[str, Any],
    grid: Grid,
    overrides: Mapping[str, Any] | None = None,
    *,
    workload: Workload | None = None,
    executor: Executor | None = None,
    repeat: int = 1,
    seeds: Iterable[int] | None = None,
    metrics: metrics_.Metrics = None,
    store: str | os.PathLike[str] | None = None,
    prepare: Prepare | None = None,
    warm_start: bool | str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Sweep:
    """Runs a workload on many drives in parallel and returns a table with a row for each point and seed.

    `base`, `overrides`: a configuration, or the arguments of `load`. `grid`: values by dotted path, such as
    `{"nand.condition.pe_cycles": [0, 1000, 3000]}`; all combinations run, and the first key varies slowest. A list
    defines the points one by one instead, each a dict of paths and values. A value may be a policy written in Python
    (`nandscape.policies`) if the key takes a policy. `workload`: as for `run`; the grid overrides its keys.

    `executor`: any executor of `concurrent.futures`, for example that of a Dask client; by default, a process runs on
    each core. `repeat`: number of runs of each point, with consecutive seeds from the base's seed. `seeds`: the seeds,
    instead of `repeat`. All points run with the same seeds, so that `compare` can pair their runs.

    `metrics`: statistics to store, by name ("host.read.latency_us.p99") or group ("host.read"), or a dict of columns
    with names or functions of a `Result`; default: all statistics. `store`: a folder that receives the results as runs
    end. Runs whose results it already has are not repeated. A store keeps only the name of a policy written in Python,
    and therefore cannot be combined with one. `prepare`: a function of a `Simulation` that brings the drive of each
    point into the state in which it is measured, before the workload runs: it lets time pass, waits for a refresh, or
    writes. Statistics count the preparation too; `Result.requests` distinguishes its commands from the commands of the
    workload. `warm_start`: True builds, preconditions and prepares the base's drive once for each seed, and every point
    continues from there. A path names a checkpoint to continue from, whose drive is already prepared. Points must then
    not change any key on which the state of the drive depends. `progress`: shows a bar on stderr if that is a terminal.

    A failed point becomes a row with its error, and the other points continue. A point fails when its values contradict
    each other, its workload cannot be read, a preparation or a metric raises an exception or SystemExit, or its worker
    is killed. If a process on this machine is killed, another process repeats its point once.

    Raises `ConfigError` for an unknown key and for a value that is invalid in every point, `InputError` for a metric
    that no point has and for an invalid store or checkpoint, TypeError and ValueError for other invalid arguments, all
    before anything runs, and ImportError if pandas (or pyarrow, with `store`) is not installed. Ctrl-C raises
    `SweepInterrupted`, a KeyboardInterrupt with the table of the points that are complete.
    """
    begun = resolved_for(base, overrides, workload)
    begun.require_allowed_plugins()
    points = resolve(begun, settings_of(grid), seeds_of(begun, repeat, seeds))
    columns = metrics_.chosen(metrics)
    _warn(points)
    if columns is not None:
        metrics_.check_names(columns, (Simulation(point.config).stats() for point in covering(points)))
    shelf = Store(store) if store is not None else None

    warm = WarmStart(warm_start, begun, prepare)

    outcomes = {n: Outcome(error=text_of(point.error)) for n, point in enumerate(points) if point.error is not None}
    runnable = {n: point.config for n, point in enumerate(points) if point.config is not None}
    keys: dict[int, str] = {}
    if shelf is not None:
        identity: object = metrics_.identity(columns)
        if prepare is not None:
            identity = [identity, metrics_.identity_of(prepare)]
        marks = {seed: warm.mark(seed) for seed in {point.seed for point in points}}
        keys = {n: key_of(config, identity, marks[points[n].seed]) for n, config in runnable.items()}
        there = shelf.load(keys.values())
        outcomes |= {n: there[key] for n, key in keys.items() if key in there}
    function = pickled(columns)
    preparation = pickled(prepare) if prepare is not None and not warm_start else None
    sent: dict[int, bytes] = {}
    for n, config in runnable.items():
        if n in outcomes:
            continue
        try:
            sent[n] = pickled(config)
        except Exception as failure:
            outcomes[n] = Outcome(error=text_of(failure))
    try:
        with warm.files({points[n].seed for n in sent}) as files:
            unprepared = [n for n in sent if points[n].seed in warm.errors]
            outcomes |= {n: Outcome(error=warm.errors[points[n].seed]) for n in unprepared}
            for n in unprepared:
                del sent[n]
            tasks = {n: Task(config, function, files.get(points[n].seed), preparation) for n, config in sent.items()}
            with (
                closing(in_processes(tasks) if executor is None else on_executor(executor, tasks)) as batches,
                PointsBar(len(points), len(outcomes), shown=progress) as bar,
            ):
                for batch in batches:
                    outcomes |= batch
                    if shelf is not None:
                        shelf.add((keys[n], points[n].parameters, points[n].seed, batch[n]) for n in batch)
                    bar.advance(len(batch))
    except KeyboardInterrupt:
        raise SweepInterrupted(table(points, outcomes, begun), len(points)) from None
    return table(points, outcomes, begun)


def pickled(sent: Config | Mapping[str, metrics_.Metric] | Prepare | None) -> bytes:
    """Pickles a configuration, metrics or a preparation for workers. Functions and policies of the main program are
    pickled by value, because workers cannot import them."""
    return required("cloudpickle", "sweep", "sweep()").dumps(sent)


def _warn(points: Sequence[Point]) -> None:
    """Warns once about each key that has no effect in a point that sets it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for point in points:
            if point.config is not None:
                point.config.warn()
    for message, category in dict.fromkeys((str(warning.message), warning.category) for warning in caught):
        warnings.warn(message, category, stacklevel=3)
