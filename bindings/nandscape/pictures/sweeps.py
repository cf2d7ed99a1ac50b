# SPDX-License-Identifier: Apache-2.0
"""Pictures of sweeps and searches: maps and lines over parameters, and Pareto fronts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from nandscape.exploration.constraints import meets
from nandscape.exploration.points import hashable
from nandscape.exploration.varying import (
    follows,
    independent,
    numeric,
    together,
    values_beside,
    values_of,
    varied,
)
from nandscape.pictures.labels import label_of, short
from nandscape.pictures.maps import draw_map, tick
from nandscape.pictures.style import (
    PUBLISHED,
    check_one_of,
    colour_of,
    figure_of,
    legend_below,
    own_or_new,
    plain_numbers,
    tidy,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from nandscape.exploration.exploring import Exploration
    from nandscape.exploration.frame import Sweep


def heat_map(
    table: Sweep,
    metric: str,
    x: str | None = None,
    y: str | None = None,
    *,
    published: Mapping[tuple[Any, Any], float] | None = None,
    log: bool = False,
    axes: Axes | None = None,
) -> Figure:
    """Draws a metric over two parameters of a sweep. A cell for each pair of values shows the mean of the runs with
    these values.

    `x`, `y`: the parameters; by default, the two parameters that vary, with the last one along x. A parameter that
    varies together with one of them stands beside it on its axis: "channel count, dies per chip". `published`:
    published figures by pairs of values of x and y, printed in brackets below the means. `log`: whether the shades
    follow the logarithm of the metric. `axes`: where to draw, instead of a new figure. Missing and failed points are
    left blank.

    Raises KeyError for an unknown metric, and ValueError for an unknown parameter and if other parameters have several
    values at a pair of x and y, in which case one value of each must be selected first.
    """
    if x is None or y is None:
        names = _independent(table, x, y)
        free = [name for name in names if name not in (x, y)]
        if len(free) + (x is not None) + (y is not None) != 2:
            raise ValueError(f"name x and y, two of the parameters that vary: {', '.join(names) or 'there are none'}")
        x = x or free.pop()
        y = y or free.pop()
    points = _means(table, metric, (x, y))
    columns, rows = values_of(points, x), values_of(points, y)
    figures = np.full((len(rows), len(columns)), np.nan)
    for at_x, at_y, mean in zip(points[x], points[y], points["mean"], strict=True):
        figures[rows.index(hashable(at_y)), columns.index(hashable(at_x))] = mean
    marks = np.full(figures.shape, np.nan)
    for (at_x, at_y), value in (published or {}).items():
        if hashable(at_x) not in columns or hashable(at_y) not in rows:
            raise ValueError(f"{(at_x, at_y)!r} is published, but has no cell: {x} and {y} have no such values")
        marks[rows.index(hashable(at_y)), columns.index(hashable(at_x))] = value
    axes = own_or_new(axes, (2.6 + 0.85 * len(columns), 1.6 + 0.55 * len(rows)))
    draw_map(axes, figures, columns, rows, label=label_of(metric), published=marks, log=log)
    beside_x, beside_y = together(table, x, but=y), together(table, y, but=x)
    axes.set(xlabel=", ".join(map(short, beside_x)), ylabel=", ".join(map(short, beside_y)))
    axes.set_xticks(range(len(columns)), _ticks(table, beside_x, columns))
    axes.set_yticks(range(len(rows)), _ticks(table, beside_y, rows))
    return figure_of(axes)


def lines(
    table: Sweep,
    metric: str,
    x: str | None = None,
    by: str | None = None,
    *,
    published: Mapping[Any, Any] | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Draws a metric over a parameter of a sweep, with a line for each value of another parameter, with 95 % confidence
    intervals.

    `x`: the parameter along x; default: the last one that varies by itself. `by`: the parameter with a line for each of
    its values; default: the other one that varies, if there is one. `published`: published figures, drawn as marks: by
    values of x, or by values of `by` and then of x. `axes`: where to draw, instead of a new figure.

    Raises KeyError for an unknown metric, and ValueError for an unknown parameter and if other parameters have several
    values, in which case one value of each must be selected first.
    """
    names = _independent(table, x, by)
    if x is None:
        if not names:
            raise ValueError("no parameter of the table varies")
        x = next(name for name in reversed(names) if name != by)
    if by is None:
        by = next((name for name in names if name != x), None)
    points = _means(table, metric, (x, by) if by else (x,))
    where = values_of(points, x)
    on_scale = numeric(where)
    groups = values_of(points, by) if by else [None]
    for value in published or () if by else ():
        check_one_of(f"value of {by}", str(value), map(str, groups))
    drawn = own_or_new(axes)
    marked = False
    for number, value in enumerate(groups):
        of_line = points[points[by].map(hashable) == value] if by else points
        at = [at if on_scale else where.index(at) for at in map(hashable, of_line[x])]
        colour = colour_of(number)
        drawn.errorbar(
            at, of_line["mean"], yerr=(of_line["high"] - of_line["mean"]).fillna(0), color=colour, marker="o",
            markersize=4, linewidth=1.5, capsize=3, label=None if by is None else f"{short(by)} {value}",
        )  # fmt: skip
        of_value = (published or {}) if by is None else (published or {}).get(value, {})
        for mark_x, mark in of_value.items():
            check_one_of(f"value of {x}", str(hashable(mark_x)), map(str, where))
            style = PUBLISHED | {"markeredgecolor": colour if by else PUBLISHED["color"]}
            at_x = mark_x if on_scale else where.index(hashable(mark_x))
            drawn.plot(at_x, mark, label=None if marked else "published", **style)
            marked = True
    if not on_scale:
        drawn.set_xticks(range(len(where)), [str(value) for value in where])
    drawn.set(xlabel=short(x), ylabel=label_of(metric))
    plain_numbers(drawn.yaxis)
    tidy(drawn, "both")
    if axes is None:
        legend_below(drawn, columns=4)
    return figure_of(drawn)


def front(
    found: Exploration,
    x: str | None = None,
    y: str | None = None,
    *,
    published: Mapping[str, tuple[float, float]] | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Draws the trials of a search by two of its objectives; a line joins the Pareto front.

    `x`, `y`: the objectives. By default, each pair of the objectives has a panel. A search with one objective shows the
    trials in order and the best so far. `published`: published points (x, y) by name, drawn as marks with these names.
    `axes`: where to draw, instead of a new figure.

    Raises ValueError for an unknown objective, and for more than two objectives without `x` and `y` if `published` or
    `axes` is given.
    """
    objectives = list(found.directions)
    for name in (x, y):
        if name is not None:
            check_one_of("objective of this search", name, objectives)
    trials = found.trials[found.trials["error"].isna()]
    if len(objectives) > 2 and x is None and y is None:
        if published or axes is not None:
            raise ValueError(f"name x and y, two of the objectives: {', '.join(objectives)}")
        return _planes(found, trials)
    drawn = own_or_new(axes, (8, 5))
    if len(objectives) == 1:
        _history(drawn, trials, objectives[0], found.directions[objectives[0]])
    else:
        x = x or next(name for name in objectives if name != y)
        y = y or next(name for name in objectives if name != x)
        _plane(drawn, found, trials, x, y)
        for name, place in (published or {}).items():
            drawn.plot(*place, **PUBLISHED)
            drawn.annotate(name, place, (7, 4), textcoords="offset points", fontsize=9)
    plain_numbers(drawn.xaxis, drawn.yaxis)
    tidy(drawn, "both")
    if axes is None:
        legend_below(drawn)
    return figure_of(drawn)


def _planes(found: Exploration, trials: Sweep) -> Figure:
    """Draws a panel for each pair of objectives, three in a row."""
    pairs = list(combinations(found.directions, 2))
    rows = -(-len(pairs) // 3)
    figure = Figure(figsize=(13, 4.4 * rows), layout="constrained")
    panels = figure.subplots(rows, min(3, len(pairs)), squeeze=False).ravel()
    for panel, (x, y) in zip(panels, pairs, strict=False):
        _plane(panel, found, trials, x, y)
        plain_numbers(panel.xaxis, panel.yaxis)
        tidy(panel, "both")
    legend_below(panels[0])
    return figure


def _plane(axes: Axes, found: Exploration, trials: Sweep, x: str, y: str) -> None:
    allowed = meets(trials, found.constraints)
    forbidden, beaten = trials[~allowed], trials[allowed & ~trials.index.isin(found.front.index)]
    axes.plot(beaten[x], beaten[y], "o", color="#b3bac4", markersize=5, label=f"{len(beaten)} dominated")
    if len(forbidden):
        axes.plot(
            forbidden[x], forbidden[y], "x", color=colour_of(1), markersize=6,
            label=f"{len(forbidden)} violating {'the constraint' if len(found.constraints) == 1 else 'a constraint'}",
        )  # fmt: skip
    best = found.front.sort_values([x, y])
    # The line has steps, since no trial lies between two points of the front. With three objectives, the points of the
    # front are not joined, since the front is a surface.
    steps = {
        "drawstyle": "steps-post" if found.directions[x] == "minimize" else "steps-pre",
        "linestyle": "-" if len(found.directions) == 2 else "none",
    }
    axes.plot(
        best[x], best[y], color=colour_of(0), marker="o", markersize=7, linewidth=1.4,
        label=f"{len(best)} on the front", **steps,
    )  # fmt: skip
    arrows = {"minimize": "lower is better", "maximize": "higher is better"}
    axes.set(
        xlabel=f"{label_of(x)}, {arrows[found.directions[x]]}", ylabel=f"{label_of(y)}, {arrows[found.directions[y]]}"
    )


def _history(axes: Axes, trials: Sweep, objective: str, direction: str) -> None:
    values = trials[objective]
    best = values.cummin() if direction == "minimize" else values.cummax()
    axes.plot(trials.index, values, "o", color="#b3bac4", markersize=5, label="trial")
    axes.step(trials.index, best, where="post", color=colour_of(0), linewidth=1.6, label="best so far")
    axes.set(
        xlabel="trial", ylabel=f"{label_of(objective)}, {'lower' if direction == 'minimize' else 'higher'} is better"
    )


def _independent(table: Sweep, *chosen: str | None) -> list[str]:
    """Calls `varying.independent` for those parameters that are not None, which must be parameters of the table."""
    names = [name for name in chosen if name is not None]
    for name in names:
        check_one_of("parameter of the table", name, table.parameters)
    return independent(table, names)


def _ticks(table: Sweep, names: Sequence[str], values: Sequence[Any]) -> list[str]:
    """Returns the values of the first parameter as text, each with the values that the other parameters have there."""
    beside = values_beside(table, names)
    return [", ".join(map(tick, beside[value])) for value in values]


def _means(table: Sweep, metric: str, along: tuple[str, ...]) -> pd.DataFrame:
    for name in along:
        check_one_of("parameter of the table", name, table.parameters)
    for name in varied(table):
        if name not in along and not follows(table, name, along):
            first = hashable(table[name].iloc[0])
            first = first.item() if hasattr(first, "item") else first
            raise ValueError(f"{name} has several values; select one: table[table[{name!r}] == {first!r}]")
    return table.intervals(metric)
