# SPDX-License-Identifier: Apache-2.0
"""Pictures of how long the data of workloads must be retained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from nandscape.pictures.style import figure_of, own_or_new, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nandscape.trace_requirements import RetentionRequirements

MARKS_S = {"1 µs": 1e-6, "1 ms": 1e-3, "1 s": 1, "1 min": 60, "1 h": 3600, "1 day": 86400, "1 week": 604800}


def retention_requirements(required: Mapping[str, RetentionRequirements], *, axes: Axes | None = None) -> Figure:
    """Draws the share of the written sectors that must be retained for at most a given time, with a curve for each
    named trace.

    A curve ends at the length of its trace. For the remaining sectors above its end, the time is unknown. `axes`: where
    to draw, instead of a new figure.
    """
    axes = own_or_new(axes, (8, 4.8))
    colours = colormaps["tab20"]
    longest = max(one.span_s for one in required.values())
    for k, (name, one) in enumerate(required.items()):
        within = np.searchsorted(one.edges_s, max(one.span_s, one.edges_s[0]), side="right")
        label = f"{name}: {100 * one.share_unknown:.1f} % not known"
        colour = colours(k % 20)
        axes.plot(one.edges_s[:within], 100 * one.cumulative[:within], color=colour, linewidth=1.6, label=label)
    shown = {name: mark for name, mark in MARKS_S.items() if mark <= 10 * longest}
    axes.set(
        xscale="log", ylim=(0, 101), xlabel="time from the write to the overwrite", ylabel="share of written sectors"
    )
    axes.set_xticks(list(shown.values()), list(shown))
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(PercentFormatter(100, decimals=0))
    tidy(axes, "both")
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    axes.set_title("Written sectors that are overwritten within a time", loc="left", fontsize=11)
    return figure_of(axes)
