# SPDX-License-Identifier: Apache-2.0
"""Pictures of latencies: their distribution, and latencies over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from nandscape import figures
from nandscape.pictures.curves import Tail, kinds_of, line_name, over_time, tail
from nandscape.pictures.runs import Runs, named
from nandscape.pictures.style import KIND_COLOURS, PUBLISHED, colour_of, legend_below, plain_numbers, tidy
from nandscape.result import REQUEST_KINDS, Result
from nandscape.unknown import QUANTILES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def latencies(runs: Runs, kind: str | None = None, *, published: Mapping[str, float] | None = None) -> Figure:
    """Draws the distribution of latencies: on the left the share of requests up to each latency, on the right the share
    of slower requests.

    `runs`: a result, or several by name in one picture. `kind`: "read", "write", ...; default: reads and writes of a
    single result; the reads of several results, or the writes if there are no reads. `published`: published latencies,
    drawn as marks: microseconds at "p50", "p90", "p99", "p999" and "p9999".

    For a result without single requests, such as one saved as JSON, straight lines join the quantiles in its
    statistics. A quantile with fewer than ten requests beyond it is shown as a dash in the legend and is not marked.

    Raises ValueError for an unknown kind or quantile, and if no run has such a request.
    """
    results = named(runs)
    curves = _curves(results, kind)
    figure = Figure(figsize=(11, 5), layout="constrained")
    share, slower = figure.subplots(1, 2, sharex=True)
    for label, colour, curve in curves:
        _draw(share, slower, curve, label, colour)
    _mark_published(share, slower, published or {})

    share.set_title("Requests that are at most this slow", loc="left", fontsize=10)
    share.set(xscale="log", ylim=(0, 101))
    share.yaxis.set_major_formatter(PercentFormatter(100, decimals=0))
    slower.set_title("Requests that are slower than this", loc="left", fontsize=10)
    slower.set(yscale="log")
    slower.yaxis.set_major_formatter(FuncFormatter(lambda fraction, _: f"{100 * fraction:g}%"))
    for axes in (share, slower):
        axes.set_xlabel("latency (µs)")
        plain_numbers(axes.xaxis)
        axes.grid(which="minor", color="#f0f0f0", linewidth=0.5)
        tidy(axes, "both")
    legend_below(share, columns=2 if len(curves) > 1 else 1)
    figure.suptitle(_title(results), fontsize=12)
    return figure


def latency_over_time(runs: Runs, kind: str = "read") -> Figure:
    """Draws latencies over simulated time above, and requests completed per second below.

    `runs`: a result, or several by name. For each sixtieth of the requests, a line shows the median latency and a
    dashed line the 99th percentile. The parts are larger if a sixtieth has fewer than ten requests beyond the quantile.
    Dots show the requests of a single result.

    Raises ValueError if no run has single requests of that kind (`simulation.request_log`).
    """
    results = named(runs)
    figure = Figure(figsize=(10, 6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    drawn = False
    for number, (name, result) in enumerate(results.items()):
        curve = over_time(result, kind)
        if curve is None:
            continue
        drawn = True
        colour = colour_of(number)
        if len(results) == 1:
            _dots(above, result, kind)
        label = f"{name}: " if len(results) > 1 else ""
        for quantile, style in (("p50", {"linewidth": 1.8}), ("p99", {"linewidth": 1, "linestyle": "--"})):
            line = curve.quantiles[quantile]
            above.plot(line.time_ms, line.latency_us, color=colour, label=label + line_name(curve, quantile), **style)
        below.step(curve.time_ms, curve.per_s, where="mid", color=colour, linewidth=1.4)
    if not drawn:
        raise ValueError(f"no run has single {kind} requests; they are kept with simulation.request_log: true")
    above.set(yscale="log", ylabel=f"{kind} latency (µs)")
    below.set(xlabel="simulated time (ms)", ylabel=f"{kind}s per second", ylim=(0, None))
    plain_numbers(above.yaxis, below.yaxis, below.xaxis)
    for axes in (above, below):
        tidy(axes, "both")
    legend_below(above, columns=4)
    figure.suptitle(_title(results), fontsize=12)
    return figure


def _curves(results: Mapping[str, Result], kind: str | None) -> list[tuple[str, str, Tail]]:
    """Returns the label, the colour and the tail of each curve."""
    if kind is not None and kind not in REQUEST_KINDS:
        raise ValueError(f"{kind!r} is not a kind of request; the kinds are {', '.join(REQUEST_KINDS)}")
    if len(results) == 1:
        (result,) = results.values()
        wanted = [(of, of, KIND_COLOURS.get(of, colour_of(0)), result) for of in ([kind] if kind else kinds_of(result))]
    else:
        of = kind or next((of for of in ("read", "write") if any(of in kinds_of(r) for r in results.values())), "read")
        wanted = [(name, of, colour_of(k), result) for k, (name, result) in enumerate(results.items())]
    curves = []
    for name, of, colour, result in wanted:
        curve = tail(result, of)
        if curve is not None:
            requests = f"{curve.count:,} {of}s: {curve.words}"
            curves.append((requests if name == of else f"{name}, {requests}", colour, curve))
    if not curves:
        raise ValueError(f"no run has a request of the kind {kind or 'read or write'}")
    return curves


def _draw(share: Axes, slower: Axes, curve: Tail, label: str, colour: str) -> None:
    style: dict[str, Any] = {"color": colour, "linewidth": 1.6}
    if curve.complete:
        style["drawstyle"] = "steps-post"
    share.plot(curve.latency_us, 100 * (1 - curve.slower), label=label, **style)
    # The last point is left out, because no request is slower than the slowest request, and a logarithmic scale cannot
    # show a share of 0.
    slower.plot(curve.latency_us[:-1], curve.slower[:-1], **style)
    marks = list(curve.marks.values())
    slower.plot(marks, [1 - QUANTILES[name] for name in curve.marks], "o", color=colour, ms=4)


def _mark_published(share: Axes, slower: Axes, published: Mapping[str, float]) -> None:
    for name in published:
        if name not in QUANTILES:
            raise ValueError(f"{name!r} is not a quantile; the quantiles are {', '.join(QUANTILES)}")
    if published:
        at = list(published.values())
        below = np.array([QUANTILES[name] for name in published])
        share.plot(at, 100 * below, label="published", **PUBLISHED)
        slower.plot(at, 1 - below, **PUBLISHED)


def _dots(axes: Axes, result: Result, kind: str) -> None:
    """Draws single requests as dots. A picture cannot show all requests, so this draws a sample that always contains
    the 100 slowest."""
    chosen = np.flatnonzero(result.requests["kind"] == REQUEST_KINDS.index(kind))
    latency = result.requests["latency_ps"][chosen]
    slowest = np.argsort(latency)[-100:]
    shown = np.union1d(np.arange(0, chosen.size, max(1, chosen.size // 8000)), slowest)
    at = (result.requests["start_ps"][chosen][shown] + latency[shown]) * 1e-9
    axes.plot(at, latency[shown] * 1e-6, ".", color="#9aa5b1", markersize=2, alpha=0.5, rasterized=True)


def _title(results: Mapping[str, Result]) -> str:
    if len(results) > 1:
        return ""
    ((name, result),) = results.items()
    count, iops = figures.count(result, "host.all.count"), figures.number(result, "host.iops")
    return f"{name}: {count:,} requests at {iops:,.0f} IOPS"
