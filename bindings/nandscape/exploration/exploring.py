# SPDX-License-Identifier: Apache-2.0
"""Searches for the best configurations."""

from __future__ import annotations

import json
import math
import os
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nandscape.config import Config
from nandscape.errors import InputError
from nandscape.exploration import constraints
from nandscape.exploration import metrics as metrics_
from nandscape.exploration.constraints import Bound, Constraint
from nandscape.exploration.execution import outcome_of, submit
from nandscape.exploration.frame import Sweep, table
from nandscape.exploration.points import SEED, Point
from nandscape.exploration.processes import WorkerPool, cores
from nandscape.exploration.requirements import required
from nandscape.exploration.running import Outcome, Task, run_task, text_of
from nandscape.exploration.space import Space
from nandscape.exploration.store import key_of
from nandscape.exploration.sweeping import SweepInterrupted, pickled
from nandscape.exploration.trial_storage import naming, opened
from nandscape.progress import PointsBar
from nandscape.result import Result
from nandscape.simulation import Simulation, resolved_for
from nandscape.workload import Workload

if TYPE_CHECKING:
    from nandscape.pictures.draw import ExplorationPictures
    from nandscape.reporting.subject import Subject

DIRECTIONS = ("minimize", "maximize")

Objectives = Mapping[str, str | tuple[Callable[[Result], float], str]]


@dataclass(frozen=True)
class Exploration:
    """The result of a search; returned by `explore`.

    `trials`: a row for each trial of the study that has ended, those of other processes included, in the order in which
    they began. Its columns are the keys of the space, `seed`, the objectives, the constraints, `wall_s`, `warnings` and
    `error`. `front`: the Pareto front, the rows without an error that meet the constraints and that no other such row
    dominates; with one objective, the best row. `directions`: "minimize" or "maximize" for each objective. `study`: the
    study of Optuna, for its plots. `constraints`: the text of each constraint, or the name of its function, by column:
    `constraint`, or `constraint_1` and so on if there are several.
    """

    trials: Sweep
    front: Sweep
    directions: Mapping[str, str]
    study: Any
    constraints: Mapping[str, str] = field(default_factory=dict)

    @property
    def draw(self) -> ExplorationPictures:
        """Pictures of this search: `draw.front()` returns a Matplotlib figure."""
        from nandscape.pictures.draw import ExplorationPictures

        return ExplorationPictures(self)

    def report_subject(self) -> Subject:
        """Returns what `report` shows of this search."""
        from nandscape.reporting.sweeps import search_subject

        return search_subject(self)


def explore(
    base: Config | str | os.PathLike[str] | Mapping[str, Any],
    space: Mapping[str, Any],
    objectives: Objectives,
    trials: int,
    constraint: Constraint | Sequence[Constraint] | None = None,
    storage: str | os.PathLike[str] | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    workload: Workload | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    sampler_seed: int | None = None,
    progress: bool = True,
) -> Exploration:
    """Searches for the configurations that are best in one objective, or Pareto-optimal in several.

    Optuna's TPE sampler proposes new points from the results of earlier points. Trials run in parallel.

    `base`, `overrides`, `workload`, `executor`, `progress`: as for `sweep`. `space`: the possible values of each key,
    by dotted path: a list of choices; a pair of lowest and highest value (whole numbers if both are ints); such a pair
    followed by "log" for a logarithmic scale; or a `range`. `objectives`: statistics by name with "minimize" or
    "maximize":
    `{"host.read.latency_us.p99": "minimize"}`; for a function of a `Result`, a pair of function and direction:
    `{"cost": (function, "minimize")}`. `trials`: the total number of trials, including those already in the storage.
    `constraint`: a function of a `Result` that returns at most 0 for an allowed point, text such as
    "host.read.latency_us.p99 <= 2000", or a list of these, all of which an allowed point meets. Functions run in
    workers.

    `storage`: a file that receives the trials as they end (Optuna's journal), or the URL of a database that Optuna
    supports. Processes with the same storage, also on several machines, work on one study and may run a few more trials
    than requested. A search that is started again continues its study, even if a power loss has cut the file short. A
    policy written in Python cannot be combined with a storage, which does not distinguish it from another of the same
    name. `workers`: number of trials that run at once; default: the number of cores of this machine. `sampler_seed`:
    seed of the proposals; the default is the seed of `base` without a storage, and no fixed seed with a storage. The
    proposals are reproducible only with one worker and without a storage.

    A failed trial becomes a row with its error, and the search continues. A trial with too few samples for an objective
    or a constraint also becomes a row with an error: it counts neither as good nor as bad.

    Raises `ConfigError` for an unknown key and for a key without a valid value, `InputError` for an unknown objective
    and for a storage that holds another study, TypeError and ValueError for other invalid arguments, and ImportError if
    Optuna is not installed. Ctrl-C raises `SweepInterrupted` with the trials that have ended.
    """
    optuna = required("optuna", "explore", "explore()")
    begun = resolved_for(base, overrides, workload)
    begun.require_allowed_plugins()
    limits = constraints.by_column(constraint)
    columns, directions = _checked(objectives, limits)
    choices = Space(space, begun)
    statistics = {name: limit.statistic for name, limit in limits.items() if isinstance(limit, Bound)}
    metrics_.check_names(columns | statistics, [Simulation(begun).stats()])
    columns |= limits
    if sampler_seed is None and storage is None:
        sampler_seed = begun[SEED] % 2**32
    sampler = optuna.samplers.TPESampler(seed=sampler_seed)
    with _quiet(optuna), naming(storage):
        study = optuna.create_study(
            study_name="nandscape",
            directions=directions,
            sampler=sampler,
            storage=opened(storage),
            load_if_exists=True,
        )
    if storage is not None:
        bounds = [repr(limit) for limit in limits.values() if isinstance(limit, Bound)]
        mark = json.dumps([key_of(begun, metrics_.identity(columns), None), choices.to_json(), directions, *bounds])
        if study.user_attrs.get("study", mark) != mark:
            raise InputError(
                f"{storage}: holds the study of another base, space, objectives or constraint; give another storage"
            )
        study.set_user_attr("study", mark)

    search = _Search(optuna, study, begun, choices, columns, list(objectives), list(limits))
    count = workers or cores()
    try:
        with PointsBar(trials, search.ended(), shown=progress) as bar:
            if executor is not None:
                search.run(executor, count, trials, bar)
            else:
                while search.ended() < trials:
                    with WorkerPool(count) as pool:
                        search.run(pool, count, trials, bar)
    except KeyboardInterrupt:
        raise SweepInterrupted(search.table(), trials) from None
    with naming(storage):
        rows = search.table()
    front = rows[_unbeaten(rows, list(objectives), directions, limits)]
    return Exploration(rows, front, dict(zip(objectives, directions, strict=True)), study, constraints.texts(limits))


class _Search:
    """A search: a study of Optuna, and the trials of this study that the present process is running."""

    def __init__(
        self,
        optuna: Any,
        study: Any,
        base: Config,
        space: Space,
        columns: dict[str, metrics_.Metric],
        objectives: list[str],
        limits: list[str],
    ) -> None:
        self._states = optuna.trial.TrialState
        self._study = study
        self._base = base
        self._space = space
        self._objectives = objectives
        self._limits = limits
        self._metrics = pickled(columns)

    def ended(self) -> int:
        """Returns the number of trials of the study that have ended, those of other processes included."""
        return sum(trial.state.is_finished() for trial in self._study.get_trials(deepcopy=False))

    def run(self, executor: Executor | WorkerPool, workers: int, trials: int, bar: PointsBar) -> None:
        """Keeps `workers` trials running until `trials` trials of the study have ended or the executor breaks."""
        under_way: dict[Any, Future[Outcome]] = {}
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        broken = False
        try:
            while True:
                ended = self.ended()
                while not broken and len(under_way) < workers and ended + len(under_way) < trials:
                    trial = self._study.ask()
                    future = self._begun(executor, trial)
                    under_way[trial] = future
                    future.add_done_callback(lambda _, trial=trial: done.put(trial))
                if not under_way:
                    return
                trial = done.get()
                future = under_way.pop(trial)
                broken |= isinstance(future.exception(), BrokenExecutor)
                self._tell(trial, outcome_of(future))
                bar.advance(1)
        finally:
            for trial, future in under_way.items():
                future.cancel()
                self._tell(trial, Outcome(error="interrupted"))

    def table(self) -> Sweep:
        """Returns the table of the trials that have ended."""
        points, outcomes = [], {}
        for trial in self._study.get_trials(deepcopy=False):
            if not trial.state.is_finished():
                continue
            parameters = {
                key: self._space.value_of(key, trial.params[key]) if key in trial.params else None
                for key in self._space.names
            }
            told = trial.user_attrs.get("outcome", {"error": "the process that ran it was killed"})
            outcomes[len(points)] = Outcome(**{"wall_s": math.nan, **told})
            points.append(Point(parameters, self._base[SEED], None, None))
        if not points:
            points = [Point(dict.fromkeys(self._space.names), self._base[SEED], None, None)]
        return table(points, outcomes, self._base)

    def _begun(self, executor: Executor | WorkerPool, trial: Any) -> Future[Outcome]:
        try:
            sent = pickled(self._base.override(self._space.suggest(trial)))
        except Exception as failure:  # the values contradict each other, or the workload cannot be sent to a worker
            refused: Future[Outcome] = Future()
            refused.set_result(Outcome(error=text_of(failure)))
            return refused
        return submit(executor, run_task, Task(sent, self._metrics))

    def _tell(self, trial: Any, outcome: Outcome) -> None:
        missing = [name for name in (*self._objectives, *self._limits) if not _is_known(outcome.figures.get(name))]
        if outcome.error is None and missing:
            reason = outcome.unknown.get(missing[0])
            error = f"{missing[0]} is {f'not known: {reason}' if reason else 'not a finite number'}"
            outcome = Outcome(outcome.figures, outcome.wall_s, outcome.warnings, error)
        told = {"figures": outcome.figures, "warnings": outcome.warnings, "error": outcome.error}
        if math.isfinite(outcome.wall_s):
            told["wall_s"] = outcome.wall_s  # JSON has no NaN
        trial.set_user_attr("outcome", told)
        if outcome.error is not None:
            self._study.tell(trial, state=self._states.FAIL)
            return
        for name in self._limits:
            trial.set_constraint(name, outcome.figures[name])
        self._study.tell(trial, [outcome.figures[name] for name in self._objectives])


def _is_known(figure: float | str | None) -> bool:
    return isinstance(figure, float) and math.isfinite(figure)


def _checked(objectives: Objectives, limits: Iterable[str]) -> tuple[dict[str, metrics_.Metric], list[str]]:
    """Returns the columns of the objectives with their metrics, and the directions of the objectives. `limits`: the
    columns of the constraints."""
    columns: dict[str, metrics_.Metric] = {}
    directions = []
    for name, given in objectives.items():
        metric, direction = given if isinstance(given, tuple) and len(given) == 2 else (name, given)
        if direction not in DIRECTIONS:
            raise ValueError(
                f"objective {name}: give 'minimize' or 'maximize', or a pair of a function and one of them"
            )
        if name in (constraints.COLUMN, *limits):
            raise ValueError(f"an objective cannot be named {name}, which is a column of its own")
        columns[name] = metric
        directions.append(direction)
    if not columns:
        raise ValueError("give at least one objective")
    return metrics_.chosen(columns) or {}, directions


@contextmanager
def _quiet(optuna: Any) -> Iterator[None]:
    """Silences Optuna, which reports on stderr that it has created or found a study."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)


def _unbeaten(rows: Sweep, objectives: list[str], directions: list[str], limits: Iterable[str]) -> list[bool]:
    """Returns whether each row is on the Pareto front."""
    allowed = constraints.meets(rows, limits)
    signs = [1 if direction == "minimize" else -1 for direction in directions]
    known = [name in rows.columns for name in objectives]
    if not all(known):
        return [False] * len(rows)
    costs = [tuple(sign * value for sign, value in zip(signs, row, strict=True)) for row in rows[objectives].to_numpy()]
    candidates = {cost for cost, good in zip(costs, allowed, strict=True) if good}
    return [
        good
        and not any(other != cost and all(o <= c for o, c in zip(other, cost, strict=True)) for other in candidates)
        for cost, good in zip(costs, allowed, strict=True)
    ]
