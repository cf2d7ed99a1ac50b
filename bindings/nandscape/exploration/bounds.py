# SPDX-License-Identifier: Apache-2.0
"""Constraints given as strings: a statistic with an upper or a lower limit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from nandscape.exploration.metrics import flat
from nandscape.result import Result

_TEXT = re.compile(r"\s*([\w.]+)\s*(<=|>=)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True)
class Bound:
    """A constraint: `statistic` must be at most `limit`, or at least `limit` if `most` is false. A bound can be called
    as a constraint of `explore`; for a result that satisfies the bound, the returned number is at most 0."""

    statistic: str
    most: bool
    limit: float

    @classmethod
    def of(cls, text: str) -> Bound:
        """Parses a string such as "host.read.latency_us.p99 <= 2000". Raises ValueError for any other string."""
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
        """Returns the amount by which a result exceeds the bound. The amount is negative for a result within the bound,
        and NaN if the statistic is missing or has too few samples."""
        value = dict(flat(result.stats)).get(self.statistic, math.nan)
        return value - self.limit if self.most else self.limit - value
