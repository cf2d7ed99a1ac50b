# SPDX-License-Identifier: Apache-2.0
"""Calculates the gains of schemes, alone and in combination.

If the gains of two schemes are independent, the ratio of the time with both schemes to the time with neither is the
product of the two single ratios. The interaction is the excess over this product. It is positive if the schemes reduce
each other's effect, and negative if they help each other. In microseconds, it is

    t(ab) - t(a) - t(b) + t(),

which is the sum of the same expression for each part of the latency. The part with the largest contribution shows where
the schemes interact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, stdev

import pandas as pd

from nandscape.exploration.student import quantile
from nandscape.result import LATENCY_PARTS
from together.drive import SCHEMES

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean over seeds. `half` is half the width of its confidence interval at LEVEL, or 0 for a single seed."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Interval:
        given = list(values)
        if len(given) < 2:
            return cls(given[0], 0.0)
        t = quantile(LEVEL, len(given) - 1)
        return cls(mean(given), t * stdev(given) / math.sqrt(len(given)))

    @property
    def holds_zero(self) -> bool:
        return abs(self.mean) <= self.half

    def __str__(self) -> str:
        return f"{self.mean:+.1f}" + (f" ±{self.half:.1f}" if self.half else "")


@dataclass(frozen=True)
class Pair:
    """The results for two schemes, alone and together. Gains are in percent of the time with neither scheme. The
    interaction is in percent of the time that independent gains would give."""

    schemes: str
    alone: tuple[Interval, Interval]
    both: Interval
    interaction: Interval
    part: str  # the part of the read latency that contributes most to the interaction
    part_us: float
    interaction_us: float


class Times:
    """The results of one workload at one age, by combination of schemes and seed."""

    def __init__(self, table: pd.DataFrame, workload: str, age: str) -> None:
        rows = table[(table["workload"] == workload) & (table["age"] == age)]
        self._rows = {(row["schemes"], row["seed"]): row for row in rows.to_dict("records")}
        self.seeds = sorted({seed for _, seed in self._rows})

    def of(self, schemes: str, seed: int, metric: str = "read_us") -> float:
        return float(self._rows[schemes, seed][metric])

    def gain(self, schemes: str, metric: str = "read_us") -> Interval:
        """Returns the reduction of the metric in percent, compared with a drive without any scheme."""
        return Interval.of(100 * (1 - self.of(schemes, s, metric) / self.of("", s, metric)) for s in self.seeds)

    def pair(self, a: str, b: str, metric: str = "read_us") -> Pair:
        both = "".join(letter for letter in SCHEMES if letter in (a, b))

        def beyond(seed: int) -> float:
            none, one, other, together = (self.of(schemes, seed, metric) for schemes in ("", a, b, both))
            return 100 * (together * none / (one * other) - 1)

        parts = {part: self._excess_us(a, b, both, f"read_{part}_us") for part in LATENCY_PARTS}
        largest = max(parts, key=lambda part: abs(parts[part]))
        return Pair(
            both,
            (self.gain(a, metric), self.gain(b, metric)),
            self.gain(both, metric),
            Interval.of(beyond(seed) for seed in self.seeds),
            largest,
            parts[largest],
            self._excess_us(a, b, both, "read_us"),
        )

    def pairs(self) -> list[Pair]:
        return [self.pair(a, b) for a, b in combinations(SCHEMES, 2)]

    def mean(self, schemes: str, metric: str) -> float:
        return mean(self.of(schemes, seed, metric) for seed in self.seeds)

    def _excess_us(self, a: str, b: str, both: str, metric: str) -> float:
        return mean(
            self.of(both, s, metric) - self.of(a, s, metric) - self.of(b, s, metric) + self.of("", s, metric)
            for s in self.seeds
        )
