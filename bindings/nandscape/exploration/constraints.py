# SPDX-License-Identifier: Apache-2.0
"""Constraints of a search: functions of a result, or text with a statistic and an upper or a lower limit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nandscape.exploration.metrics import flat
from nandscape.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from nandscape.exploration.frame import Sweep

Constraint = str | Callable[[Result], float]

# The column of a constraint. If there are several, each has its number at the end.
COLUMN = "constraint"

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

    def __str__(self) -> str:
        return f"{self.statistic} {'<=' if self.most else '>='} {self.limit:.15g}"

    def __call__(self, result: Result) -> float:
        """Returns the amount by which a result exceeds the bound. The amount is negative for a result within the bound,
        and NaN if the statistic is missing or has too few samples."""
        value = dict(flat(result.stats)).get(self.statistic, math.nan)
        return value - self.limit if self.most else self.limit - value


def by_column(given: Constraint | Sequence[Constraint] | None) -> dict[str, Bound | Callable[[Result], float]]:
    """Returns the constraints by column: `constraint` for one, `constraint_1` and so on for several. Text becomes a
    `Bound`.

    Raises TypeError for a constraint that is neither text nor a function, and ValueError for other text.
    """
    many = (
        [] if given is None else list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    )
    found: dict[str, Bound | Callable[[Result], float]] = {}
    for number, constraint in enumerate(many, 1):
        if not isinstance(constraint, str) and not callable(constraint):
            raise TypeError(f"a constraint is text or a function of a Result, not {constraint!r}")
        column = COLUMN if len(many) == 1 else f"{COLUMN}_{number}"
        found[column] = Bound.of(constraint) if isinstance(constraint, str) else constraint
    return found


def texts(limits: Mapping[str, Bound | Callable[[Result], float]]) -> dict[str, str]:
    """Returns the constraints by column, as text. The text of a function is its name, with the limit that it has."""
    return {
        column: str(limit) if isinstance(limit, Bound) else f"{getattr(limit, '__name__', repr(limit))} <= 0"
        for column, limit in limits.items()
    }


def meets(rows: Sweep, columns: Iterable[str]) -> pd.Series:
    """Returns whether each row has an outcome that meets all constraints in these columns."""
    allowed = rows["error"].isna()
    for column in columns:
        if column in rows.columns:
            allowed &= rows[column] <= 0
    return allowed
