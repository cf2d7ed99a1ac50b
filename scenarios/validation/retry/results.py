# SPDX-License-Identifier: Apache-2.0
"""The outcomes of the runs, by workload, condition, seed and scheme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean
from typing import NamedTuple

from retry.runs import CONDITIONS, Case, Condition, Outcome


class Point(NamedTuple):
    """A workload, condition and seed, at which schemes are compared."""

    workload: str
    condition: Condition
    seed: int


Measure = Callable[[Point], float]


class Results:
    def __init__(self, outcomes: list[tuple[Case, Outcome]]) -> None:
        self._of = {(Point(c.workload, c.condition, c.seed), c.scheme): outcome for c, outcome in outcomes}
        self.seeds = sorted({case.seed for case, _ in outcomes})

    def of(self, scheme: str, point: Point) -> Outcome:
        return self._of[point, scheme]

    def points(self) -> list[Point]:
        return list(dict.fromkeys(point for point, _ in self._of))

    def ratio(self, scheme: str, to: str, point: Point) -> float:
        """The ratio of response times."""
        return self.of(scheme, point).response_us / self.of(to, point).response_us

    def mean_ratio(self, scheme: str, to: str, workload: str, condition: Condition) -> float:
        """The mean ratio over seeds."""
        return mean(self.ratio(scheme, to, Point(workload, condition, seed)) for seed in self.seeds)


def over_points(
    of: Callable[[list[float]], float],
    measure: Measure,
    workloads: Sequence[str],
    conditions: Sequence[Condition] = CONDITIONS,
) -> Callable[[int], float]:
    """A function of the seed: the mean or largest measure over workloads and conditions."""
    return lambda seed: of([measure(Point(w, c, seed)) for w in workloads for c in conditions])
