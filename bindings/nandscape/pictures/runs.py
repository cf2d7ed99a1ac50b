# SPDX-License-Identifier: Apache-2.0
"""Pictures of runs side by side: the utilisation of resources, and the parts of a request's time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from nandscape import differences, figures
from nandscape.pictures.bars import draw_bars
from nandscape.pictures.labels import value_of
from nandscape.pictures.maps import three_digits
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
from nandscape.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Runs = Result | Mapping[str, Result] | Sequence[Result]

# If results in a list differ in more keys than this, their names are numbers.
_MOST_KEYS_IN_A_NAME = 2
RESOURCES = {
    "link": "PCIe link",
    "firmware": "processor cores",
    "dram": "DRAM",
    "ecc": "ECC engines",
    "channel": "channels",
    "die": "dies",
}


def named(runs: Runs) -> Mapping[str, Result]:
    """Returns the results by name. A single result has the name of its configuration or file. Results in a list have
    this name if it is their own, and otherwise the values of the keys in which they differ, or their numbers if these
    are many. Raises TypeError for anything that is not a result, and ValueError if there is no result."""
    if isinstance(runs, Result):
        return {_name(runs): runs}
    results = list(runs.values() if isinstance(runs, Mapping) else runs) if isinstance(runs, Iterable) else [runs]
    for result in results:
        if not isinstance(result, Result):
            raise TypeError(f"give a result, or several by name or in a list, not {type(result).__name__}")
    if not results:
        raise ValueError("give a result, or several by name")
    return runs if isinstance(runs, Mapping) else dict(zip(_names(results), results, strict=True))


def _name(result: Result) -> str:
    return Path(result.config.name).name


def _names(results: Sequence[Result]) -> list[str]:
    """Returns distinct names of results."""
    names = [_name(result) for result in results]
    if len(set(names)) == len(names):
        return names
    different = differences.differing(differences.values_by_key([result.config for result in results]))
    if len(different) <= _MOST_KEYS_IN_A_NAME:
        told = [
            ", ".join(value_of(key, differences.shown(values[place])) for key, values in different.items())
            for place in range(len(results))
        ]
        if len(set(told)) == len(names):
            return told
    return [f"{number} {name}" for number, name in enumerate(names, 1)]


def utilisation(
    runs: Runs, *, published: Mapping[str, Mapping[str, float]] | None = None, axes: Axes | None = None
) -> Figure:
    """Draws the share of the time that each resource was busy: link, cores, DRAM, ECC engines, channels and dies.

    For a resource with several units, the mean of the units is drawn (`utilisation` in the statistics). `runs`: a
    result, or several by name. `published`: published shares by run and resource, drawn as marks. `axes`: where to
    draw, instead of a new figure.
    """
    results = named(runs)
    found = {name: figures.group(result, "utilisation") for name, result in results.items()}
    resources = [name for name in RESOURCES if any(name in of_run for of_run in found.values())]
    shares = {name: {RESOURCES[one]: 100 * of_run.get(one, 0.0) for one in resources} for name, of_run in found.items()}
    marks = {
        name: {RESOURCES.get(resource, resource): 100 * share for resource, share in of_run.items()}
        for name, of_run in (published or {}).items()
    }
    drawn = own_or_new(axes, (8, 4))
    draw_bars(drawn, shares, published=marks, digits=0 if len(results) <= 3 else None)
    drawn.set(ylim=(0, 105), ylabel="busy, share of the time")
    drawn.yaxis.set_major_formatter(PercentFormatter(100, decimals=0))
    if axes is None and (len(results) > 1 or marks):
        legend_below(drawn)
    return figure_of(drawn)


def busy_units(
    source: Result | Mapping[str, Mapping[str, float]], *, kinds: Sequence[str] = ("channel", "die")
) -> Figure:
    """Draws the share of the time for which each channel and each die was busy, with the mean of each kind as a line.

    `source`: a result whose statistics have the group `busy`, or shares by kind and unit: `{"channel": {"0": 0.4}}`.
    `kinds`: the kinds to draw, a panel for each.

    Raises ValueError for a result without that group, and for an unknown kind.
    """
    shares = source
    if isinstance(source, Result):
        shares = {kind: units for kind in kinds if (units := figures.group(source, f"busy.{kind}"))}
    there = [name for name, units in shares.items() if isinstance(units, Mapping)]
    if not there:
        raise ValueError("the statistics have no group 'busy' with such units; give a dict of kinds, units and shares")
    for kind in kinds:
        check_one_of("kind of unit", kind, there)
    figure = Figure(figsize=(9, 0.6 + 2.2 * len(kinds)), layout="constrained")
    for number, (kind, axes) in enumerate(
        zip(kinds, figure.subplots(len(kinds), 1, squeeze=False).ravel(), strict=True)
    ):
        heights = 100 * np.array(list(shares[kind].values()))
        axes.bar(range(len(heights)), heights, width=0.8, color=colour_of(number))
        axes.axhline(heights.mean(), color="#222222", linewidth=1, linestyle="--", label=f"mean {heights.mean():.3g} %")
        axes.set(xlabel=kind, ylabel="busy, share of the time", ylim=(0, 105), xlim=(-0.6, len(heights) - 0.4))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(100, decimals=0))
        axes.legend(frameon=False, fontsize=9, loc="lower right", bbox_to_anchor=(1, 1))
        tidy(axes)
    return figure


def parts_of(source: Result | Mapping[str, float], kind: str = "read", slowest: bool = False) -> dict[str, float]:
    """Returns the mean time of a request of that kind in microseconds, divided into its parts. `slowest`: whether the
    mean covers only the slowest 1 %.

    Raises ValueError for a result whose statistics do not have these parts, or have too few requests for them.
    """
    if not isinstance(source, Result):
        return dict(source)
    group = _group_of(kind, slowest)
    found = figures.group(source, group)
    if not found:
        raise ValueError(f"the statistics have no {group}; give a dict of parts and microseconds")
    reason = why_no_parts(source, kind, slowest)
    if reason is not None:
        raise ValueError(f"{group} is not known: {reason}")
    return found


def why_no_parts(result: Result, kind: str, slowest: bool) -> str | None:
    """Returns the reason why the parts in a result's statistics are unknown, or None if they are known."""
    group = _group_of(kind, slowest)
    reasons = (result.why_unknown(f"{group}.{part}") for part in figures.group(result, group))
    return next((reason for reason in reasons if reason is not None), None)


def _group_of(kind: str, slowest: bool) -> str:
    return f"host.{kind}.{'slowest_' if slowest else ''}breakdown_us"


def waterfall(
    parts: Result | Mapping[str, float],
    kind: str = "read",
    *,
    slowest: bool = False,
    published: Mapping[str, float] | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Draws the time of a request. Each part is a bar that begins where the bar before it ends, and the last bar is the
    sum.

    `parts`: a result whose statistics have the parts (`host.read.breakdown_us`), or microseconds by part, in order.
    `slowest`: whether to draw the slowest 1 % of a result's requests instead of all requests
    (`host.read.slowest_breakdown_us`). `published`: published times of parts, in microseconds; a mark shows where the
    bar would end. `axes`: where to draw, instead of a new figure.

    Raises ValueError for a result without the parts, and for a published part without a bar.
    """
    found = {name: value for name, value in parts_of(parts, kind, slowest).items() if value > 0}
    total = sum(found.values())
    if not total:
        raise ValueError("no part takes any time")
    for name in published or {}:
        if name not in found:
            raise ValueError(f"{name!r} is published, but is not a part; the parts are {', '.join(found)}")
    own = axes is None
    axes = own_or_new(axes, (8, 1.2 + 0.42 * (len(found) + 1)))
    begin = 0.0
    for place, (name, value) in enumerate(found.items()):
        axes.barh(place, value, left=begin, height=0.7, color=colour_of(0))
        mark = begin + published[name] if published and name in published else None
        _label_end(axes, place, begin, value, total, mark)
        if mark is not None:
            axes.plot(mark, place, **PUBLISHED)
        begin += value
        if place + 1 < len(found):
            axes.plot([begin, begin], [place + 0.35, place + 0.65], color="#8a8f98", linewidth=0.8)
    axes.barh(len(found), total, height=0.7, color=colour_of(6))
    _label_end(axes, len(found), 0.0, total, total)
    axes.set_yticks(range(len(found) + 1), [*(name.replace("_", " ") for name in found), "total"])
    axes.invert_yaxis()
    furthest = max([total, *(line.get_xdata().max() for line in axes.lines)])
    axes.set(xlim=(0, 1.02 * furthest), xlabel=f"time of a {kind} (µs)")
    plain_numbers(axes.xaxis)
    tidy(axes, "x")
    axes.tick_params(axis="y", length=0)
    if published and own:
        handle = Line2D([], [], label="published", **PUBLISHED)
        axes.legend(handles=[handle], frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1))
    return figure_of(axes)


def breakdown(
    runs: Mapping[str, Result | Mapping[str, float]],
    kind: str = "read",
    *,
    slowest: bool = False,
    axes: Axes | None = None,
) -> Figure:
    """Draws the time of a request as one bar for each run, in which the parts are stacked.

    `runs`: by name, results whose statistics have the parts (`host.read.breakdown_us`), or microseconds by part.
    `slowest`: as for `waterfall`. `axes`: where to draw, instead of a new figure.

    Raises ValueError for a result without the parts.
    """
    parts = {name: parts_of(run, kind, slowest) for name, run in runs.items()}
    order = list(dict.fromkeys(part for of_run in parts.values() for part in of_run))
    order = [part for part in order if any(of_run.get(part, 0.0) > 0 for of_run in parts.values())]
    if not order:
        raise ValueError("no part takes any time")
    drawn = own_or_new(axes, (9, 1.6 + 0.5 * len(parts)))
    begin = np.zeros(len(parts))
    for number, part in enumerate(order):
        values = np.array([of_run.get(part, 0.0) for of_run in parts.values()])
        hatch = "//" if number >= 7 else None
        label = part.replace("_", " ")
        drawn.barh(
            range(len(parts)), values, left=begin, height=0.65, color=colour_of(number), hatch=hatch, label=label,
            edgecolor="white", linewidth=0.6,
        )  # fmt: skip
        begin += values
    for place, total in enumerate(begin):
        drawn.annotate(three_digits(total), (total, place), (4, 0), textcoords="offset points", va="center", fontsize=9)
    drawn.set_yticks(range(len(parts)), list(parts))
    drawn.invert_yaxis()
    drawn.set(xlim=(0, 1.1 * begin.max()), xlabel=f"time of a {kind} (µs)")
    plain_numbers(drawn.xaxis)
    tidy(drawn, "x")
    drawn.tick_params(axis="y", length=0)
    if axes is None:
        legend_below(drawn, columns=4)
    return figure_of(drawn)


def _label_end(axes: Axes, place: int, begin: float, value: float, total: float, mark: float | None = None) -> None:
    """Prints the figure after the bar and its mark. If there is no room after the bar, prints the figure inside a long
    bar or before a short bar."""
    words = f"{three_digits(value)} µs" + (f", {value / total:.0%}" if value < total else "")
    end = max(begin + value, mark or 0.0)
    at, side, colour = end, "left", "#222222"
    if end > 0.75 * total and value > 0.3 * total:
        at, side, colour = begin + value, "right", "white"
    elif end > 0.75 * total:
        at, side = begin, "right"
    shift = (5 if mark is None or side == "right" else 9) * (1 if side == "left" else -1)
    axes.annotate(
        words, (at, place), (shift, 0), textcoords="offset points", ha=side, va="center", fontsize=9, color=colour
    )
