# SPDX-License-Identifier: Apache-2.0
"""Pictures of the frame error rates of codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from nandscape.pictures.style import tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nandscape.ecc import CodeTable

LEAST_SHOWN = 1e-9
MOST_COLUMNS = 3


def frame_error_rates(tables: Sequence[CodeTable]) -> Figure:
    """Draws frame error rates with their bounds, as functions of the raw bit error rate. There is a panel for each
    code, and a line for each number of sensing levels."""
    columns = min(len(tables), MOST_COLUMNS)
    rows = -(-len(tables) // columns)
    figure = Figure(figsize=(1 + 5 * columns, 0.6 + 4 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, table in zip(panels, tables, strict=False):
        _draw(axes, table)
    for axes in panels[len(tables) :]:
        axes.set_axis_off()
    figure.suptitle("Codewords that cannot be corrected", fontsize=12)
    return figure


def _draw(axes: Axes, table: CodeTable) -> None:
    spread = colormaps["viridis"]
    for levels in table.levels:
        colour = spread((levels - 1) / 7)
        rber = np.geomspace(float(table.rber_at(LEAST_SHOWN, levels)), float(table.rber_at(0.999, levels)), 150)
        low, high = table.frame_error_bounds(rber, levels)
        axes.fill_between(rber, np.maximum(low, LEAST_SHOWN), high, color=colour, alpha=0.2, linewidth=0)
        label = "hard" if levels == 1 else f"{levels} levels"
        axes.plot(rber, table.frame_error_rate(rber, levels), color=colour, linewidth=1.6, label=label)
    axes.set_title(table.code, loc="left", fontsize=10)
    axes.set(yscale="log", ylim=(LEAST_SHOWN, 1.3), xlabel="raw bit errors in 1000 bits", ylabel="share of codewords")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rber, _: f"{1000 * rber:g}"))
    tidy(axes, "both")
    axes.legend(frameon=False, fontsize=8, loc="lower right")
