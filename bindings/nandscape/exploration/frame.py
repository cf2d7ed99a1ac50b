# SPDX-License-Identifier: Apache-2.0
"""The table of a sweep, which has a row for each point and seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from nandscape.config import Config
from nandscape.exploration.confidence import Interval, check_level, interval
from nandscape.exploration.points import Point, hashable
from nandscape.exploration.requirements import required
from nandscape.exploration.running import Outcome

if TYPE_CHECKING:
    import pandas as pd
    import xarray

    from nandscape.pictures.draw import SweepPictures
    from nandscape.reporting.subject import Subject
else:
    pd = required("pandas", "sweep", "sweep()")


class Sweep(pd.DataFrame):
    """A table with a row for each point and seed; returned by `sweep`.

    Columns: each parameter, by its dotted path; `seed`; each metric, as a float, which is NaN if a run does not have it
    or has too few samples for it, or as text if its function returns text; `wall_s`, the seconds that a worker spent on
    the run; `warnings`, None or the text of the run's warnings, such as an open loop that the drive could not serve,
    and the reasons why metrics requested by name are unknown; `error`, None or the kind and text of the exception that
    ended the run.

    `parameters`, `metrics`: the names of the columns that are parameters and metrics. `base`: the configuration in
    which each point sets its parameters, with the workload; None for tables of different bases that were joined. A
    selection of rows is also a `Sweep`.
    """

    _metadata: ClassVar[list[str]] = ["parameters", "metrics", "base"]
    parameters: list[str]
    metrics: list[str]
    base: Config | None = None

    @property
    def _constructor(self) -> type[Sweep]:
        return Sweep

    def __finalize__(self, other: Any, method: str | None = None, **options: Any) -> Sweep:
        super().__finalize__(other, method=method, **options)
        if method == "concat":
            tables = [table for table in other.objs if isinstance(table, Sweep)]
            for names in ("parameters", "metrics"):
                setattr(self, names, list(dict.fromkeys(name for table in tables for name in getattr(table, names))))
            first = tables[0].base
            self.base = first if all(table.base == first for table in tables) else None
        return self

    @property
    def done(self) -> Sweep:
        """The rows without an error."""
        return self[self["error"].isna()]

    @property
    def draw(self) -> SweepPictures:
        """Pictures of this table: `draw.heat_map(metric)` over two parameters, `draw.lines(metric)` over one. Each
        returns a Matplotlib figure. `plot` is the method of pandas."""
        from nandscape.pictures.draw import SweepPictures

        return SweepPictures(self)

    def report_subject(self) -> Subject:
        """Returns what `report` shows of this table."""
        from nandscape.reporting.sweeps import sweep_subject

        return sweep_subject(self)

    @property
    def failed(self) -> pd.Series:
        """Whether each row has an error. If the column `error` has been dropped, it is False for every row."""
        return self["error"].notna() if "error" in self.columns else pd.Series(False, self.index)

    def intervals(self, metric: str, level: float = 0.95) -> pd.DataFrame:
        """Computes the mean of a metric over the seeds of each point, with its confidence interval (Student's t).

        Returns a row for each point, in the order of the table: its parameters, `runs` (the number of runs without an
        error), `mean`, `deviation` of single runs, `low` and `high`. `low`, `high` and `deviation` are NaN for a single
        run. `mean` is also NaN for a point without runs, and if the metric is unknown in any run, since the mean of the
        other runs would be biased.

        Raises KeyError for a metric that the table does not have, TypeError for a metric that is text, and ValueError
        for a level not between 0 and 1.
        """
        check_level(level)
        if metric not in self.columns:
            raise KeyError(f"the sweep has no column {metric!r}")
        if self.is_text(metric):
            raise TypeError(f"the metric {metric!r} is text, which has no mean")
        rows = []
        for values, figures in self.by_point(metric):
            found = interval(figures, level) if figures else Interval(*[math.nan] * 3, 0, math.nan)
            rows.append([*values, found.runs, found.mean, found.deviation, found.low, found.high])
        parameters = [name for name in self.parameters if name in self.columns]
        return pd.DataFrame(rows, columns=[*parameters, "runs", "mean", "deviation", "low", "high"])

    def by_point(self, metric: str) -> list[tuple[list[Any], list[Any]]]:
        """Returns a pair for each point, in the order of the table: the values of its parameters, and the metric of
        each of its runs without an error. Raises KeyError for a metric that the table does not have."""
        parameters = [name for name in self.parameters if name in self.columns]
        points: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = {}
        for *values, figure, failed in zip(*(self[name] for name in (*parameters, metric)), self.failed, strict=True):
            _, figures = points.setdefault(tuple(map(hashable, values)), (values, []))
            if not failed:
                figures.append(figure)
        return list(points.values())

    def is_text(self, metric: str) -> bool:
        """Returns whether a metric is text. Raises KeyError for a metric that the table does not have."""
        return any(isinstance(value, str) for value in self[metric])

    def to_xarray(self) -> xarray.Dataset:
        """Returns the metrics as variables over the parameters, and over `seed` if the table has several seeds.

        Coordinates are in the order of the table; a list or a group becomes its JSON text. Figures of points that are
        missing from the table or ended with an error are NaN. `wall_s` is a variable too.

        Raises ImportError if xarray is not installed, and ValueError for a table with a duplicate point or without a
        dimension.
        """
        required("xarray", "sweep", "to_xarray()")
        seeds = ["seed"] if self["seed"].nunique() > 1 else []
        parameters = [name for name in self.parameters if name in self.columns]
        dimensions = [*parameters, *seeds]
        if not dimensions:
            raise ValueError("a sweep without parameters and with one seed has no dimension")
        columns = {name: self[name].map(hashable) for name in parameters}
        order = {name: list(dict.fromkeys(columns.get(name, self[name]))) for name in dimensions}
        table = pd.DataFrame(self).assign(**columns)
        if table.duplicated(dimensions).any():
            raise ValueError("the table has a point twice; select rows whose parameters and seeds differ")
        variables = [name for name in (*self.metrics, "wall_s") if name in self.columns]
        return table.set_index(dimensions)[variables].to_xarray().reindex(order)


def table(points: Sequence[Point], outcomes: Mapping[int, Outcome], base: Config | None = None) -> Sweep:
    """Returns a table with the rows of the points that have outcomes, in the order of the points. `base`: the
    configuration in which the points set their parameters."""
    rows = [(points[number], outcomes[number]) for number in sorted(outcomes)]
    parameters = list(points[0].parameters)
    metrics = list(dict.fromkeys(name for _, outcome in rows for name in outcome.figures))
    nan = float("nan")
    columns: dict[str, Any] = {name: _values([point.parameters[name] for point, _ in rows]) for name in parameters}
    columns["seed"] = [point.seed for point, _ in rows]
    columns |= {name: [outcome.figures.get(name, nan) for _, outcome in rows] for name in metrics}
    columns["wall_s"] = [outcome.wall_s for _, outcome in rows]
    columns["warnings"] = pd.Series([outcome.said for _, outcome in rows], dtype=object)
    columns["error"] = pd.Series([outcome.error for _, outcome in rows], dtype=object)
    frame = Sweep(columns)
    frame.parameters = parameters
    frame.metrics = metrics
    frame.base = base
    return frame


def _values(values: list[Any]) -> Any:
    plain = all(isinstance(value, (str, bool, int, float)) for value in values)
    return values if plain else pd.Series(values, dtype=object)
