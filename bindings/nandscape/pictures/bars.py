# SPDX-License-Identifier: Apache-2.0
"""Grouped bars: figures of several series side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from nandscape.pictures.style import PUBLISHED, colour_of, figure_of, legend_below, own_or_new, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Series = Mapping[str, Mapping[str, float]]


def bars(
    series: Series,
    *,
    published: Series | None = None,
    label: str = "",
    colours: Sequence[str] | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Draws a group of bars for each group name, with a bar for each series.

    `series`: figures by series and group: `{"ours": {"web": 1.2, "mail": 0.9}}`. `published`: published figures for
    some of the bars, drawn as marks. `label`: label of the axis, with its unit. `colours`: a colour for each series.
    `axes`: where to draw, instead of a new figure.

    Raises ValueError for a published figure without a bar.
    """
    drawn = own_or_new(axes, (10, 4.2))
    draw_bars(drawn, series, published=published, colours=colours)
    if label:
        drawn.set_ylabel(label)
    if axes is None:
        legend_below(drawn, columns=4)
    return figure_of(drawn)


def draw_bars(
    axes: Axes,
    series: Series,
    *,
    published: Series | None = None,
    colours: Sequence[str] | None = None,
    digits: int | None = None,
) -> None:
    """Draws `bars` into axes, without a legend. `digits`: number of decimals in the figure on each bar; None if no
    figures are printed."""
    groups = list(dict.fromkeys(group for values in series.values() for group in values))
    places = np.arange(len(groups))
    width = 0.8 / len(series)
    marked = False
    for number, (name, values) in enumerate(series.items()):
        middles = places + (number - (len(series) - 1) / 2) * width
        heights = [values.get(group, np.nan) for group in groups]
        colour = colours[number] if colours else colour_of(number)
        drawn = axes.bar(middles, heights, width=0.92 * width, color=colour, label=name)
        if digits is not None:
            axes.bar_label(drawn, fmt=f"{{:,.{digits}f}}", padding=2, fontsize=8)
        for group, value in (published or {}).get(name, {}).items():
            if group not in groups:
                raise ValueError(f"{group!r} of {name!r} is published, but has no bar")
            axes.plot(middles[groups.index(group)], value, label=None if marked else "published", **PUBLISHED)
            marked = True
    axes.set_xticks(places, groups)
    axes.tick_params(axis="x", length=0)
    tidy(axes)
