# SPDX-License-Identifier: Apache-2.0
"""Constraints as text: a statistic with an upper or a lower limit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from nandscape.exploration.metrics import flat
from nandscape.result import Result

_TEXT = re.compile(r"\s*([\w.]+)\s*(<=|>=)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True)
class Bound:
    """`statistic` is at most `limit`, or at least `limit` when `most` is false. A bound is callable as a constraint of
    `explore`: it returns at most 0 for a result that keeps the bound."""

    statistic: str
    most: bool
    limit: float

    @classmethod
    def of(cls, text: str) -> Bound:
        """Parses text such as "host.read.latency_us.p99 <= 2000". Raises ValueError for other text."""
        match = _TEXT.fullmatch(text)
        try:
            limit = float(match[3]) if match else math.nan
        except ValueError:
            limit = math.nan
        if match is None or not math.isfinite(limit):
            raise ValueError(
                f"{text!r} is not a constraint: give a statistic, <= or >=, and a number, such as "
                "'host.read.latency_us.p99 <= 2000'"
            )
        return cls(match[1], match[2] == "<=", limit)

    def __call__(self, result: Result) -> float:
        """The amount by which a result is beyond the bound, negative within it; NaN if the statistic is missing or has
        too few samples."""
        value = dict(flat(result.stats)).get(self.statistic, math.nan)
        return value - self.limit if self.most else self.limit - value
