# SPDX-License-Identifier: Apache-2.0
"""Sweeps: many configurations, one table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import Any

from nandscape.config import Config, load
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
from nandscape.simulation import Simulation
from nandscape.workload import Workload, as_list


class SweepInterrupted(KeyboardInterrupt):
    """Ctrl-C has ended a sweep. `sweep`: the table of the points that were done."""

    def __init__(self, done: Sweep, points: int) -> None:
        super().__init__(f"the sweep was interrupted when {len(done)} of {points} points were done")
        self.sweep = done


def sweep(
    base: Config | str | os.PathLike[str] | Mapping[str, Any],
    grid: Grid,
    workload: Workload | None = None,
    *,
    executor: Executor | None = None,
    repeat: int = 1,
    seeds: Iterable[int] | None = None,
    metrics: metrics_.Metrics = None,
    store: str | os.PathLike[str] | None = None,
    prepare: Prepare | None = None,
    warm_start: bool | str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Sweep:
    """Runs a workload on many drives, in parallel, and returns a table with a row for each point and seed.

    `base`: a configuration, or what `load` makes one of. `grid`: values by dotted path, of which all combinations are
    run, the first key slowest: `{"nand.condition.pe_cycles": [0, 1000, 3000]}`; or a list of points, dicts of paths and
    values. A value may be a policy of Python (`nandscape.policies`) where the key takes one. `workload`: as for `run`;
    the grid is laid over it.

    `executor`: any of `concurrent.futures`, such as that of a Dask client. Without one there is a process for each
    core. `repeat`: runs of each point, with the base's seed, the next, and so on; or `seeds`, which names them. All
    points run with the same seeds, so that `compare` can take them in pairs.

    `metrics`: statistics to keep, by name ("host.read.latency_us.p99") or group ("host.read"), or a dict of names and
    functions of a `Result`; without it, all statistics. `store`: a folder that takes the results as they come. What is
    there already is not run again, so that it takes no policies of Python, of which it knows the name alone.
    `prepare`: a function of a `Simulation` that brings the drive of each point into the state in which it is measured,
    before the workload runs: lets time pass, waits for a refresh, writes. Statistics count what is done then, too;
    `Result.requests` tells the commands of a preparation from those of a workload.
    `warm_start`: True makes, preconditions and prepares the base's drive once for each seed, and every point goes on
    from there; or the path of a checkpoint to go on from, which is prepared already. Points may then change nothing
    that the state of the drive depends on.
    `progress`: a bar on stderr, where that is a terminal.

    A point that fails is a row with its error, and the others go on: values that contradict each other, a workload that
    cannot be read, a preparation or a metric that raises an exception or ends the program (SystemExit), a worker that
    was killed (a process of this machine is replaced, and its point run once more).

    Raises `ConfigError` for a key that there is not and for a value that no point can have, `InputError` for a metric
    that no point has and a store or checkpoint that is none, TypeError and ValueError for other arguments, all before
    anything runs, and ImportError where pandas is not installed (pyarrow with `store`). Ctrl-C raises
    `SweepInterrupted`, a KeyboardInterrupt that has the table of what is done.
    """
    begun = base if isinstance(base, Config) else load(base)
    begun.require_allowed_plugins()
    if workload is not None:
        begun = begun.override({"host.workload": as_list(workload)})
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
        raise SweepInterrupted(table(points, outcomes), len(points)) from None
    return table(points, outcomes)


def pickled(sent: Config | Mapping[str, metrics_.Metric] | Prepare | None) -> bytes:
    """Configurations, metrics and preparations as workers are sent them. Functions and policies of the program itself,
    which workers do not know, go by value."""
    return required("cloudpickle", "sweep", "sweep()").dumps(sent)


def _warn(points: Sequence[Point]) -> None:
    """Warns once of each key that does nothing in a point that sets it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for point in points:
            if point.config is not None:
                point.config.warn()
    for message, category in dict.fromkeys((str(warning.message), warning.category) for warning in caught):
        warnings.warn(message, category, stacklevel=3)
