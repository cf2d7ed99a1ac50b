# SPDX-License-Identifier: Apache-2.0
"""Drawing that several studies share. `nandscape.pictures` draws the bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nandscape.pictures import bars, tidy

MEAN = "mean"
PUBLISHED_COLOUR = "#b5304a"
BLUES = ("#0b3c6f", "#1f6fb4", "#6aa6d6", "#b9d3ea")
LINE = "#4c566a"


def titled(title: str = "", size: tuple[float, float] = (8, 4.5), ylabel: str = "") -> tuple[Figure, Axes]:
    """A figure with one panel."""
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    title_left(axes, title)
    axes.set_ylabel(ylabel)
    tidy(axes)
    return figure, axes


def title_left(axes: Axes, title: str) -> None:
    """Titles a panel."""
    axes.set_title(title, loc="left", fontsize=10)


def with_mean(groups: Iterable[str], figure_of: Callable[[str], float]) -> dict[str, float]:
    """The figure of each group, and their mean."""
    figures = {group: figure_of(group) for group in groups}
    return figures | {MEAN: mean(figures.values())}


def bars_and_mean(
    axes: Axes,
    series: Mapping[str, Mapping[str, float]],
    colours: Sequence[str],
    published: Mapping[str, float] | None = None,
) -> None:
    """Groups of bars, of which the last, behind a line, is the mean. `published`: means, by series."""
    marks = {name: {MEAN: value} for name, value in (published or {}).items()}
    bars(series, published=marks, colours=colours, axes=axes)
    axes.axvline(len(next(iter(series.values()))) - 1.5, color=LINE, linewidth=0.7)
    legend_above(axes, len(series) + 1)


def legend_above(axes: Axes, columns: int) -> None:
    """The legend of a panel in one line above it."""
    axes.legend(frameon=False, fontsize=8, ncols=columns, loc="lower left", bbox_to_anchor=(0, 1))


def shared_legend(figure: Figure, title: str = "", place: str = "outside upper right", columns: int = 0) -> None:
    """One legend for all panels. It has the marks of all of them."""
    entries = {}
    for axes in figure.axes:
        entries |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(
        entries.values(), entries.keys(), loc=place, ncols=columns or len(entries), frameon=False, fontsize=9,
        title=title or None,
    )  # fmt: skip


def slant(axes: Axes) -> None:
    """Slants the names of groups, which are long."""
    axes.tick_params(axis="x", labelrotation=30, labelsize=9)
    for label in axes.get_xticklabels():
        label.set_horizontalalignment("right")
