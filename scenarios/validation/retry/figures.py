# SPDX-License-Identifier: Apache-2.0
"""What rows of the study are made of: figures of a seed, and the published ones that they are held to.

The study averages response times over Baseline's, as its figures show them: where a scheme is compared to another than
Baseline, the averages are divided. The printed ratios tell: 28.9 % less than Baseline and 41 % of the gap to NoRR make
2.41 times NoRR's average; 2.37 is printed. The mean of ratios, which workloads with many retries lead, stands beside.

Tolerances follow from what the study leaves open. A load twice as high moves the gain of a workload by up to 4 points
(loads.py), so gains are held to that; and so much of Baseline's response time is some 0.15 times the average of NoRR's.

Exceptions are held to closed forms (expected.py). `reach` says how far figures may lie from these: queues, which they
leave out, add up to so much. It is the same for quick runs, since both figures are of the same runs, and differ by the
same over seeds, to a few tenths of a point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean

from physics.rows import Deviation, Row, near
from shared.seeds import over_seeds

from retry.results import Measure, Results, over_points
from retry.runs import CONDITIONS, READ_PERCENT, WRITE_DOMINANT, Condition

EVERYTHING = list(READ_PERCENT)
READ_DOMINANT = [name for name in READ_PERCENT if name not in WRITE_DOMINANT]
POINTS = 4  # of a gain in %
LOAD_UNKNOWN = "what a load twice as high moves"
LIGHT_LOAD = "response times without queues, of the steps of each page and the equations of the techniques"

FigureOfSeed = Callable[[int], float]


def row(
    results: Results,
    name: str,
    words: str,
    figure: FigureOfSeed,
    paper: float,
    unit: str,
    source: str,
    *,
    tolerance: float | None = None,
    reason: str = LOAD_UNKNOWN,
    exception: Deviation | None = None,
    fitted: str = "",
) -> Row:
    """`tolerance` is the one of gains, or what that makes of the ratio to NoRR, where none is given."""
    ours, interval = over_seeds(figure, results.seeds)
    return near(
        f"park_2021.{name}",
        words + interval,
        ours,
        paper,
        source,
        unit=unit,
        absolute=tolerance or (POINTS if unit == "%" else 0.15),
        reason=reason,
        exception=exception,
        fitted=fitted,
    )


def deviation(results: Results, cause: str, figure: FigureOfSeed, reach: float, basis: str = LIGHT_LOAD) -> Deviation:
    expected, _ = over_seeds(figure, results.seeds)
    return Deviation(cause, expected, reach, basis)


def reduction(results: Results, scheme: str, to: str) -> Measure:
    """By how many per cent response times are shorter."""
    return lambda point: 100 * (1 - results.ratio(scheme, to, point))


def normalised(
    results: Results, scheme: str, workloads: Sequence[str], conditions: Sequence[Condition] = CONDITIONS
) -> FigureOfSeed:
    """The average of response times over Baseline's."""
    return over_points(mean, lambda point: results.ratio(scheme, "Baseline", point), workloads, conditions)


def ratio_of_averages(results: Results, scheme: str, to: str, workloads: Sequence[str]) -> FigureOfSeed:
    ours, theirs = (normalised(results, name, workloads) for name in (scheme, to))
    return lambda seed: ours(seed) / theirs(seed)


def mean_of_ratios(results: Results, scheme: str, to: str, workloads: Sequence[str]) -> str:
    """In words, for beside the ratio of averages."""
    ours, _ = over_seeds(over_points(mean, lambda point: results.ratio(scheme, to, point), workloads), results.seeds)
    return f"mean of ratios {ours:.2f}"
