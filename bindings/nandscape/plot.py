# SPDX-License-Identifier: Apache-2.0
"""Pictures of results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from nandscape.errors import InputError
from nandscape.files import replacing
from nandscape.result import Result

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

COLOURS = {"read": "#1f6fb4", "write": "#d2601a"}
MARKED_QUANTILES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
# More points than a picture can show cost time and nothing else.
MAXIMUM_POINTS = 4000


def check_format(path: str | os.PathLike[str]) -> None:
    """Raises `InputError` when the suffix of `path` names no format that pictures are written in."""
    suffix = Path(path).suffix.removeprefix(".")
    formats = FigureCanvasAgg.get_supported_filetypes()
    if suffix.lower() not in formats:
        raise InputError(f"{os.fspath(path)}: no picture format '{suffix}'; there are {', '.join(sorted(formats))}")


def save_latencies(result: Result, path: str | os.PathLike[str]) -> None:
    """Writes the picture of `latency_figure`; its suffix says the format (.png, .svg, .pdf, ...)."""
    figure = latency_figure(result)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150)


def latency_figure(result: Result) -> Figure:
    """Reads and writes: the share of requests by latency on the left, the tail of slow ones on the right."""
    figure = Figure(figsize=(11, 4.8), layout="constrained")
    share, tail = figure.subplots(1, 2, sharex=True)
    for kind, colour in COLOURS.items():
        latencies = result.latencies(kind)
        if latencies.size:
            _draw(share, tail, latencies, kind, colour)

    share.set_title("Requests that are at most this slow", loc="left", fontsize=10)
    share.set(xscale="log", ylim=(0, 101))
    share.yaxis.set_major_formatter(PercentFormatter(100, decimals=0))
    tail.set_title("Requests that are slower than this", loc="left", fontsize=10)
    tail.set(yscale="log")
    tail.yaxis.set_major_formatter(FuncFormatter(lambda fraction, _: f"{100 * fraction:g}%"))
    for axes in (share, tail):
        axes.set_xlabel("latency (µs)")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda latency, _: f"{latency:,g}"))
        axes.grid(which="major", color="#d9d9d9", linewidth=0.8)
        axes.grid(which="minor", color="#f0f0f0", linewidth=0.5)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    if share.lines:
        figure.legend(handles=share.lines, loc="outside lower center", ncols=2, frameon=False, fontsize=10)
    host = result.stats["host"]
    figure.suptitle(f"{result.config.name}: {host['all']['count']:,} requests at {host['iops']:,.0f} IOPS", fontsize=12)
    return figure


def _draw(share: Axes, tail: Axes, latencies: NDArray[np.float64], kind: str, colour: str) -> None:
    import numpy as np

    ordered = np.sort(latencies)
    count = ordered.size
    # Ranks from the slow end, even on a log scale, so that the tail keeps every request; all are slower than nothing.
    ranks = np.unique(np.geomspace(1, count, MAXIMUM_POINTS).astype(np.int64))[::-1] - 1
    slower = np.insert(ranks, 0, count)
    at = ordered[np.maximum(count - 1 - slower, 0)]
    marks = {
        name: float(np.quantile(ordered, quantile, method="inverted_cdf"))
        for name, quantile in MARKED_QUANTILES.items()
    }
    figures = ", ".join(f"{name} {value:,.0f}" for name, value in marks.items())
    style: dict[str, Any] = {"color": colour, "linewidth": 1.6, "drawstyle": "steps-post"}
    share.plot(at, 100 * (1 - slower / count), label=f"{count:,} {kind}s: {figures} µs", **style)
    # The slowest request has none behind it, which a log scale cannot show.
    tail.plot(at[:-1], slower[:-1] / count, **style)
    tail.plot(list(marks.values()), [1 - quantile for quantile in MARKED_QUANTILES.values()], "o", color=colour, ms=4)
