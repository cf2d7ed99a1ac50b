# SPDX-License-Identifier: Apache-2.0
"""Latency curves of a run's requests: the tail of the distribution, and latency over time.

Pictures and reports share them, so that both show the same figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nandscape import figures
from nandscape.result import REQUEST_KINDS, Result
from nandscape.unknown import DASH, QUANTILES, samples_needed

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARKED = ("p50", "p99", "p999")
PRINTED = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "p9999": "p99.99"}
# The largest number of points in a curve. A picture could not show more points, and drawing them would cost time.
MAXIMUM_POINTS = 4000
WINDOWS = 60


@dataclass(frozen=True)
class Tail:
    """The share of the requests of a kind that are slower than a latency.

    `count`: number of requests. `latency_us`: latencies, ascending. `slower`: the share of requests that are slower
    than each latency, from 1 down to 0 for the slowest request. `marks`: latencies in microseconds at "p50", "p99" and
    "p999", without quantiles that have fewer than ten requests beyond them. `complete`: whether the curve is computed
    from single requests; otherwise it consists of the quantiles in the statistics and is unknown between them.
    """

    count: int
    latency_us: NDArray[np.float64]
    slower: NDArray[np.float64]
    marks: dict[str, float]
    complete: bool

    @property
    def words(self) -> str:
        """The marks as a string, with a dash for each unknown mark."""
        texts = {name: _three_digits(self.marks[name]) if name in self.marks else DASH for name in MARKED}
        return ", ".join(f"{PRINTED[name]} {text}" for name, text in texts.items()) + " µs"


def tail(result: Result, kind: str) -> Tail | None:
    """Computes the tail from the single requests of a result or, if it has none, from its statistics. Returns None if
    the run made no request of that kind."""
    latencies = result.latencies(kind)
    if latencies.size:
        return _of_requests(latencies)
    count = figures.count(result, f"host.{kind}.count", 0)
    if not count:
        return None
    quantiles = figures.group(result, f"host.{kind}.latency_us")
    slowest = figures.number(result, f"host.{kind}.latency_us.max")
    known = [name for name in QUANTILES if name in quantiles and not math.isnan(quantiles[name])]
    return Tail(
        count,
        np.array([*(quantiles[name] for name in known), slowest]),
        np.array([*(1 - QUANTILES[name] for name in known), 0]),
        {name: quantiles[name] for name in MARKED if name in known},
        complete=False,
    )


def _of_requests(latencies: NDArray[np.float64]) -> Tail:
    ordered = np.sort(latencies)
    count = ordered.size
    # The ranks count from the slowest request and are evenly spaced on a logarithmic scale, so that every request of
    # the slow end becomes a point. The first share is 1.
    ranks = np.unique(np.geomspace(1, count, MAXIMUM_POINTS).astype(np.int64))[::-1] - 1
    slower = np.insert(ranks, 0, count)
    at = ordered[np.maximum(count - 1 - slower, 0)]
    known = [name for name in MARKED if count >= samples_needed(name)]
    marks = {name: float(np.quantile(ordered, QUANTILES[name], method="inverted_cdf")) for name in known}
    return Tail(count, at, slower / count, marks, complete=True)


@dataclass(frozen=True)
class QuantileOverTime:
    """A quantile of the latencies in parts of a run, each with the same number of requests, in the order of completion.

    `time_ms`: middles of the parts in simulated time. `latency_us`: the quantile in each part. Both are empty if the
    run has too few requests for one part.
    """

    time_ms: NDArray[np.float64]
    latency_us: NDArray[np.float64]


@dataclass(frozen=True)
class OverTime:
    """Requests of a kind over simulated time, by their time of completion.

    `window_ms`: length of a window. `time_ms`: middles of the windows that have a request. `max_us`: the highest
    latency in each window. `per_s`: requests per second in each window. `quantiles`: the quantiles "p50" and "p99" over
    time.
    """

    window_ms: float
    time_ms: NDArray[np.float64]
    max_us: NDArray[np.float64]
    per_s: NDArray[np.float64]
    quantiles: dict[str, QuantileOverTime]


def over_time(result: Result, kind: str, windows: int = WINDOWS) -> OverTime | None:
    """Divides the run into `windows` windows of equal length and returns the curves of the requests of a kind. Returns
    None if the result has no single requests of that kind."""
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
    return OverTime(
        window,
        begin + (there + 0.5) * window,
        np.array([part.max() for part in parts]),
        np.array([part.size for part in parts]) / (window * 1e-3),
        {name: _quantile_over_time(ended_ms, latency, name, windows) for name in ("p50", "p99")},
    )


def _quantile_over_time(
    ended_ms: NDArray[np.float64], latency_us: NDArray[np.float64], name: str, most: int
) -> QuantileOverTime:
    """Computes the quantile in up to `most` parts with equal numbers of requests. Each part has enough requests for the
    quantile to be known."""
    order = np.argsort(ended_ms, kind="stable")
    count = min(most, order.size // samples_needed(name))
    parts = np.array_split(order, count) if count else []
    return QuantileOverTime(
        np.array([(ended_ms[part[0]] + ended_ms[part[-1]]) / 2 for part in parts]),
        np.array([np.quantile(latency_us[part], QUANTILES[name], method="inverted_cdf") for part in parts]),
    )


def line_name(curve: OverTime, quantile: str) -> str:
    """Returns the label of a quantile over time. If there are too few requests for a line, the label says how many
    requests are needed."""
    name = "median" if quantile == "p50" else PRINTED[quantile]
    known = curve.quantiles[quantile].time_ms.size > 0
    return name if known else f"{name} {DASH} (takes {samples_needed(quantile):,} requests)"


def kinds_of(result: Result) -> list[str]:
    """Returns the kinds of requests in a run that transfer data: "read", "write" or both."""
    return [kind for kind in ("read", "write") if figures.count(result, f"host.{kind}.count")]


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
