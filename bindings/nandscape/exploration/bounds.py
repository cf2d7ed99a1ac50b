# SPDX-License-Identifier: Apache-2.0
"""Constraints as text: a statistic, and what it may be at most or at least."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from nandscape.exploration.metrics import flat
from nandscape.result import Result

_TEXT = re.compile(r"\s*([\w.]+)\s*(<=|>=)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True)
class Bound:
    """`statistic` is at most `limit`, or at least, where `most` is false. As a function it is what `explore` takes for
    a constraint: at most 0 where a result keeps to the bound."""

    statistic: str
    most: bool
    limit: float

    @classmethod
    def of(cls, text: str) -> Bound:
        """Of text such as "host.read.latency_us.p99 <= 2000". Raises ValueError for other text."""
        match = _TEXT.fullmatch(text)
        try:
            limit = float(match[3]) if match else math.nan
        except ValueError:
            limit = math.nan
        if match is None or not math.isfinite(limit):
            raise ValueError(
                f"{text!r} is no constraint: give a statistic, <= or >=, and a number, such as "
                "'host.read.latency_us.p99 <= 2000'"
            )
        return cls(match[1], match[2] == "<=", limit)

    def __call__(self, result: Result) -> float:
        """By how much a result is beyond the bound; NaN where it has no such statistic, or too few samples for it."""
        value = dict(flat(result.stats)).get(self.statistic, math.nan)
        return value - self.limit if self.most else self.limit - value
