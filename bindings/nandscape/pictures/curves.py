# SPDX-License-Identifier: Apache-2.0
"""What is drawn of the requests of a run: the tail of their latencies, and how they go over time.

Pictures and reports share it, so that both show the same figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nandscape import figures
from nandscape.result import REQUEST_KINDS, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999, "p9999": 0.9999}
MARKED = ("p50", "p99", "p999")
PRINTED = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "p9999": "p99.99"}
# More points than a picture can show cost time and nothing else.
MAXIMUM_POINTS = 4000
WINDOWS = 60


@dataclass(frozen=True)
class Tail:
    """Which share of the requests of a kind is slower than a latency.

    `count`: how many requests. `latency_us`: ascending. `slower`: of all, from 1 down, 0 at the slowest one. `marks`:
    latencies at "p50", "p99" and "p999". `complete`: whether it is of single requests; otherwise of the quantiles that
    the statistics keep, and what lies between them is not known.
    """

    count: int
    latency_us: NDArray[np.float64]
    slower: NDArray[np.float64]
    marks: dict[str, float]
    complete: bool

    @property
    def words(self) -> str:
        """The marks as text."""
        return ", ".join(f"{PRINTED[name]} {_three_digits(value)}" for name, value in self.marks.items()) + " µs"


def tail(result: Result, kind: str) -> Tail | None:
    """Of the single requests where the result has them, otherwise of its statistics; None where there is no request."""
    latencies = result.latencies(kind)
    if latencies.size:
        return _of_requests(latencies)
    count = figures.count(result, f"host.{kind}.count", 0)
    if not count:
        return None
    quantiles = figures.group(result, f"host.{kind}.latency_us")
    slowest = figures.number(result, f"host.{kind}.latency_us.max")
    known = [name for name in QUANTILES if name in quantiles]
    return Tail(
        count,
        np.array([*(quantiles[name] for name in known), slowest]),
        np.array([*(1 - QUANTILES[name] for name in known), 0]),
        {name: quantiles[name] for name in MARKED if name in quantiles},
        complete=False,
    )


def _of_requests(latencies: NDArray[np.float64]) -> Tail:
    ordered = np.sort(latencies)
    count = ordered.size
    # Ranks from the slow end, even on a log scale, so that the tail keeps every request; all are slower than nothing.
    ranks = np.unique(np.geomspace(1, count, MAXIMUM_POINTS).astype(np.int64))[::-1] - 1
    slower = np.insert(ranks, 0, count)
    at = ordered[np.maximum(count - 1 - slower, 0)]
    marks = {name: float(np.quantile(ordered, QUANTILES[name], method="inverted_cdf")) for name in MARKED}
    return Tail(count, at, slower / count, marks, complete=True)


@dataclass(frozen=True)
class OverTime:
    """Requests of a kind in windows of simulated time, by when they completed.

    `window_ms`: length of a window. `time_ms`: middles of the windows that have a request. `p50_us`, `p99_us`,
    `max_us`: latencies in each. `per_s`: requests per second.
    """

    window_ms: float
    time_ms: NDArray[np.float64]
    p50_us: NDArray[np.float64]
    p99_us: NDArray[np.float64]
    max_us: NDArray[np.float64]
    per_s: NDArray[np.float64]


def over_time(result: Result, kind: str, windows: int = WINDOWS) -> OverTime | None:
    """None where the result has no single requests of the kind."""
    chosen = result.requests["kind"] == REQUEST_KINDS.index(kind)
    if not chosen.any():
        return None
    latency = result.requests["latency_ps"][chosen] * 1e-6
    ended_ms = (result.requests["start_ps"][chosen] + result.requests["latency_ps"][chosen]) * 1e-9
    begin = float(result.requests["start_ps"].min()) * 1e-9
    window = max(float(ended_ms.max()) - begin, 1e-9) / windows
    number = np.minimum((ended_ms - begin) / window, windows - 1).astype(np.int64)
    order = np.argsort(number, kind="stable")
    there, first = np.unique(number[order], return_index=True)
    parts = np.split(latency[order], first[1:])
    p50, p99 = (
        np.array([np.quantile(part, quantile, method="inverted_cdf") for part in parts]) for quantile in (0.5, 0.99)
    )
    return OverTime(
        window,
        begin + (there + 0.5) * window,
        p50,
        p99,
        np.array([part.max() for part in parts]),
        np.array([part.size for part in parts]) / (window * 1e-3),
    )


def kinds_of(result: Result) -> list[str]:
    """The kinds of requests that transfer data and that the run has."""
    return [kind for kind in ("read", "write") if figures.count(result, f"host.{kind}.count")]


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
