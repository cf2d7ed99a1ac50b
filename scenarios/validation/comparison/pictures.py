# SPDX-License-Identifier: Apache-2.0
"""The common style of the studies' pictures, and drawing functions that several studies use. `nandscape.pictures` draws
the bars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nandscape.pictures import bars, tidy

matplotlib.rcParams.update(
    {
        "axes.titlelocation": "left",
        "axes.titlesize": 10,
        "figure.constrained_layout.use": True,
        "legend.fontsize": 8,
        "legend.frameon": False,
    }
)
MEAN = "mean"
PUBLISHED_COLOUR = "#b5304a"
BLUES = ("#0b3c6f", "#1f6fb4", "#6aa6d6", "#b9d3ea")
LINE = "#4c566a"


def panels(
    rows: int, columns: int, size: tuple[float, float], titles: Iterable[str] = (), **shared: Any
) -> tuple[Figure, list[Axes]]:
    """Returns a new figure and its panels, row by row. `shared` holds additional arguments of `Figure.subplots`, for
    example `sharey`.
    """
    figure = Figure(figsize=size)
    drawn = list(np.ravel(figure.subplots(rows, columns, **shared)))
    for axes in drawn:
        tidy(axes)
    for axes, title in zip(drawn, titles, strict=False):
        axes.set_title(title)
    return figure, drawn


def panel(title: str = "", size: tuple[float, float] = (8, 4.5), ylabel: str = "") -> tuple[Figure, Axes]:
    """Returns a new figure with one panel, and this panel."""
    figure, (axes,) = panels(1, 1, size, [title])
    axes.set_ylabel(ylabel)
    return figure, axes


def with_mean(groups: Iterable[str], figure_of: Callable[[str], float]) -> dict[str, float]:
    """Returns the value of each group and, under the key MEAN, the mean of these values."""
    figures = {group: figure_of(group) for group in groups}
    return figures | {MEAN: mean(figures.values())}


def bars_and_mean(
    axes: Axes,
    series: Mapping[str, Mapping[str, float]],
    colours: Sequence[str],
    published: Mapping[str, float] | None = None,
) -> None:
    """Draws groups of bars. The last group is the mean over the others, separated by a line. `published` maps names of
    series to published means, which are marked.
    """
    marks = {name: {MEAN: value} for name, value in (published or {}).items()}
    bars(series, published=marks, colours=colours, axes=axes)
    axes.axvline(len(next(iter(series.values()))) - 1.5, color=LINE, linewidth=0.7)
    legend_above(axes, len(series) + 1)


def legend_above(axes: Axes, columns: int) -> None:
    """Draws the legend of a panel in one line above the panel."""
    axes.legend(ncols=columns, loc="lower left", bbox_to_anchor=(0, 1))


def shared_legend(figure: Figure, title: str = "", place: str = "outside upper right", columns: int = 0) -> None:
    """Draws one legend for the whole figure, with the entries of all panels."""
    entries = {}
    for axes in figure.axes:
        entries |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    columns = columns or len(entries)
    figure.legend(entries.values(), entries.keys(), loc=place, ncols=columns, title=title or None)


def slant(axes: Axes) -> None:
    """Slants the labels of the x axis, so that long names do not overlap."""
    axes.tick_params(axis="x", labelrotation=30, labelsize=9)
    for label in axes.get_xticklabels():
        label.set_horizontalalignment("right")
