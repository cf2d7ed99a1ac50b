# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals of repeated runs, and comparisons of two drives."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from nandscape import unknown
from nandscape.exploration import student
from nandscape.exploration.metrics import flat
from nandscape.exploration.points import SEED
from nandscape.result import Result

if TYPE_CHECKING:
    from nandscape.exploration.frame import Sweep


@dataclass(frozen=True)
class Interval:
    """A mean of repeated runs with its confidence interval.

    `low`, `high`: ends of the interval. `runs`: number of runs. `deviation`: standard deviation of single runs. All but
    `runs` are in the unit of the metric. `low`, `high` and `deviation` are NaN for a single run.
    """

    mean: float
    low: float
    high: float
    runs: int
    deviation: float


@dataclass(frozen=True)
class Comparison:
    """The difference between the means of two drives, `b` minus `a`; returned by `compare`.

    `difference`, and the ends `low` and `high` of its confidence interval, have the unit of the metric. `level`: the
    confidence level of the interval. `p_value`: the probability of a difference at least this large if the drives do
    not differ. `paired`: whether runs with the same seed were compared in pairs. `runs`: number of runs of `a` and of
    `b`. `mean_a`, `mean_b`: the means.
    """

    metric: str
    difference: float
    low: float
    high: float
    level: float
    p_value: float
    paired: bool
    runs: tuple[int, int]
    mean_a: float
    mean_b: float

    @property
    def real(self) -> bool:
        """Whether the interval excludes 0, so that chance does not explain the difference at this level."""
        return self.low > 0 or self.high < 0

    @property
    def relative(self) -> float:
        """The difference divided by the mean of `a`; NaN when that mean is 0."""
        return self.difference / self.mean_a if self.mean_a else math.nan

    def __str__(self) -> str:
        verdict = "real" if self.real else "may be chance"
        how = "in pairs" if self.paired else "not in pairs"
        return (
            f"{self.metric}: {self.difference:+.6g} ({self.relative:+.2%}), {self.level:.0%} interval "
            f"{self.low:+.6g} to {self.high:+.6g}, {how}, p = {self.p_value:.2g}: {verdict}"
        )


def compare(
    a: Sweep | Iterable[Result],
    b: Sweep | Iterable[Result],
    metric: str | Callable[[Result], float],
    *,
    level: float = 0.95,
) -> Comparison:
    """Tests whether a metric differs between two drives, each run with several seeds.

    `a`, `b`: rows of one point of a `Sweep`, or results. `metric`: a column, or the dotted name of a statistic; for
    results also a function of a `Result`. `level`: the confidence level, between 0 and 1.

    Runs with the same seed share their random streams, and so much of their random variation. When both sides have the
    same seeds, the runs are therefore compared in pairs (Student's t). Otherwise the means are compared (Welch's t,
    which allows for unequal variances). Both tests assume that runs are normally distributed. Means over many requests
    nearly follow this distribution; figures such as maxima do not. Rows with an error, and pairs with such a row, are
    left out.

    Raises KeyError for an unknown metric, TypeError for a function with a `Sweep`, and ValueError for a table of
    several points, a duplicate seed, a run with too few samples for the metric, fewer than two runs (or pairs) on
    either side, and a level out of range.
    """
    check_level(level)
    of_a, of_b = _by_seed("a", a, metric), _by_seed("b", b, metric)
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")
    paired = of_a.keys() == of_b.keys()
    known_a = {seed: value for seed, value in of_a.items() if not math.isnan(value)}
    known_b = {seed: value for seed, value in of_b.items() if not math.isnan(value)}
    if paired:
        seeds = [seed for seed in known_a if seed in known_b]
        known_a = {seed: known_a[seed] for seed in seeds}
        known_b = {seed: known_b[seed] for seed in seeds}
    values_a, values_b = list(known_a.values()), list(known_b.values())
    for side, values in (("a", values_a), ("b", values_b)):
        if len(values) < 2:
            raise ValueError(f"{side} has {len(values)} run(s) with {name}; a comparison needs 2 or more on each side")
    if paired:
        differences = [value_b - value_a for value_a, value_b in zip(values_a, values_b, strict=True)]
        difference, error, degrees = _mean_of_pairs(differences)
    else:
        difference, error, degrees = _welch(values_a, values_b)
    reach = student.quantile(level, degrees) * error if error else 0.0
    chance = student.two_sided(difference / error, degrees) if error else float(difference == 0)
    return Comparison(
        name,
        difference,
        difference - reach,
        difference + reach,
        level,
        chance,
        paired,
        (len(values_a), len(values_b)),
        fmean(values_a),
        fmean(values_b),
    )


def interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """Returns the mean of independent runs with its confidence interval. The interval assumes that runs are normally
    distributed.

    Raises ValueError for an empty sequence and for a level out of range.
    """
    check_level(level)
    if not values:
        raise ValueError("a confidence interval needs at least one run")
    mean = fmean(values)
    if len(values) == 1:
        return Interval(mean, math.nan, math.nan, 1, math.nan)
    deviation = _deviation(values)
    reach = student.quantile(level, len(values) - 1) * deviation / math.sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach, len(values), deviation)


def check_level(level: float) -> None:
    """Raises ValueError unless the confidence level is greater than 0 and less than 1."""
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; a confidence level is between 0 and 1, such as 0.95")


def _deviation(values: Sequence[float]) -> float:
    """Returns the sample standard deviation. `statistics.stdev` is not used because it computes in exact fractions,
    which is slow."""
    mean = fmean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _mean_of_pairs(differences: Sequence[float]) -> tuple[float, float, float]:
    """Returns the mean of the differences between pairs, its standard error and the degrees of freedom."""
    return fmean(differences), _deviation(differences) / math.sqrt(len(differences)), len(differences) - 1


def _welch(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    """Returns the difference of two means, its standard error and the degrees of freedom, after Welch and
    Satterthwaite."""
    share_a, share_b = _deviation(a) ** 2 / len(a), _deviation(b) ** 2 / len(b)
    variance = share_a + share_b
    spread = share_a**2 / (len(a) - 1) + share_b**2 / (len(b) - 1)
    return fmean(b) - fmean(a), math.sqrt(variance), variance**2 / spread if spread else 1.0


def _by_seed(side: str, runs: Sweep | Iterable[Result], metric: str | Callable[[Result], float]) -> Mapping[int, float]:
    """Returns the metric of each run, by seed. It is NaN for a failed run. Raises ValueError for a run whose metric is
    unknown."""
    if hasattr(runs, "parameters"):
        pairs = _rows_of(side, runs, metric)
    else:
        pairs = [(result.config[SEED], _of_result(result, metric)) for result in runs]
    found: dict[int, float] = {}
    for seed, value in pairs:
        if seed in found:
            raise ValueError(f"{side} has seed {seed} twice; its runs must be of one point, each with its own seed")
        if isinstance(value, str):
            raise ValueError(f"{side}, seed {seed}: {value}; compare runs with more requests")
        found[seed] = value
    return found


def _rows_of(side: str, table: Sweep, metric: str | Callable[[Result], float]) -> list[tuple[int, float | str]]:
    """Returns pairs of a seed and the figure of its run. If the figure is unknown, the pair holds the reason as a
    string."""
    if not isinstance(metric, str):
        raise TypeError("the metric of a Sweep is the name of a column; give the function to sweep(metrics=...)")
    if metric not in table.columns:
        raise KeyError(f"{side} has no column {metric!r}")
    if table.is_text(metric):
        raise TypeError(f"the metric {metric!r} is text; text cannot be compared")
    for name in table.parameters:
        if name in table.columns and table[name].map(repr).nunique() > 1:
            raise ValueError(
                f"{side} has several values of {name}; select one point, such as {side}[{side}[{name!r}] == x]"
            )
    return [
        (seed, value if failed or not math.isnan(value) else _not_known(metric, unknown.needs(metric)))
        for seed, value, failed in zip(table["seed"].tolist(), table[metric].tolist(), table.failed, strict=True)
    ]


def _of_result(result: Result, metric: str | Callable[[Result], float]) -> float | str:
    if not isinstance(metric, str):
        value = float(metric(result))
        return _not_known("the metric", None) if math.isnan(value) else value
    statistics = dict(flat(result.stats))
    if metric not in statistics:
        raise KeyError(f"{result.config.name}: there is no statistic {metric!r}")
    reason = unknown.why(result.stats, metric)
    return statistics[metric] if reason is None else _not_known(metric, reason)


def _not_known(metric: str, reason: str | None) -> str:
    return f"{metric} is not known" + (f": {reason}" if reason else "")
