# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep and the trials of a search, as the script of a page reads them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib import colormaps
from matplotlib.colors import to_hex

from nandscape import differences
from nandscape.exploration.confidence import interval
from nandscape.exploration.constraints import meets
from nandscape.exploration.points import hashable
from nandscape.exploration.varying import independent, numeric, together, values_beside, values_of, varied
from nandscape.key_figures import KEY_FIGURES
from nandscape.pictures.labels import label_of, short
from nandscape.pictures.maps import tick
from nandscape.pictures.style import COLOURS, SHADES
from nandscape.reporting import charts
from nandscape.reporting.configurations import Commands

if TYPE_CHECKING:
    from nandscape.exploration.exploring import Exploration
    from nandscape.exploration.frame import Sweep

# The metrics that a page shows first, if the table has them.
FIRST = ("host.iops", "host.read.latency_us.p99", "host.write.latency_us.p99", "controller.write_amplification")

_MOST_SHOWN = 5
_LONGEST = 48  # letters of the text of a value

# Metrics of which a higher value is better have one of these in their names. The page offers both directions.
_HIGHER = ("iops", "bandwidth", "mib_s", "mb_s", "reads_per", "life")


def of_sweep(table: Sweep, commands: Commands) -> dict[str, Any]:
    """Returns the points of a sweep as a JSON value. Each has the mean of each metric over its seeds, with the 95 %
    confidence interval."""
    axes = [together(table, name) for name in independent(table)]
    return _described(table, rows_of_points(table), axes, varying_metrics(table), commands)


def of_search(found: Exploration, commands: Commands) -> dict[str, Any]:
    """Returns the trials of a search as a JSON value, with the objectives as metrics. `allowed`: whether each trial
    meets the constraints; `front`: whether it is on the Pareto front of all objectives."""
    trials = found.trials
    objectives = [name for name in found.directions if name in trials.columns]
    axes = [[name] for name in varied(trials)]
    points = _described(trials, rows_of_trials(found), axes, objectives, commands)
    for metric in points["metrics"]:
        metric["direction"] = found.directions[metric["name"]]
    points["shown"] = list(range(len(objectives)))
    points["allowed"] = meets(trials, found.constraints).tolist()
    points["front"] = trials.index.isin(found.front.index).tolist()
    return points


def rows_of_points(table: Sweep) -> list[list[int]]:
    """Returns the rows of each point of a sweep, as numbers from 0."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for row, values in enumerate(zip(*(table[name].map(hashable) for name in _parameters(table)), strict=True)):
        groups.setdefault(values, []).append(row)
    return list(groups.values()) if groups else [list(range(len(table)))]


def rows_of_trials(found: Exploration) -> list[list[int]]:
    """Returns the row of each trial of a search in a list of its own, as each trial is drawn."""
    return [[row] for row in range(len(found.trials))]


def varying_metrics(table: Sweep) -> list[str]:
    """Returns the metrics that differ between the runs of a sweep, or all metrics if none differs. The metrics that are
    shown first come first, and then the other key figures."""
    done = table[~table.failed]
    names = [name for name in table.metrics if name in table.columns]
    differ = [name for name in names if done[name].nunique(dropna=False) > 1] or names
    first = [*FIRST, *(figure.name for figure in KEY_FIGURES)]
    return sorted(differ, key=lambda name: first.index(name) if name in first else len(first))


def script_data(points: Mapping[str, Any]) -> str:
    """Returns the element of a page that holds the points."""
    text = json.dumps(points, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="points">{text}</script>'


def _described(
    table: Sweep,
    groups: Sequence[Sequence[int]],
    axes: Sequence[Sequence[str]],
    metrics: Sequence[str],
    commands: Commands,
) -> dict[str, Any]:
    """Returns the JSON value of points. `groups`: the rows of each point. `axes`: the parameters of each axis."""
    names = varied(table)
    values = {name: values_of(table, name) for name in names}
    places = {name: {value: place for place, value in enumerate(values[name])} for name in names}
    columns = {name: [places[name][value] for value in table[name].map(hashable)] for name in names}
    given = {name: list(table[name]) for name in _parameters(table)}
    texts = {name: _texts(values[name], given[name]) for name in names}
    seeds = [int(seed) for seed in table["seed"]]
    failed = list(table.failed)
    return {
        "parameters": [
            {
                "name": name,
                "label": short(name),
                "texts": texts[name],
                "values": values[name] if numeric(values[name]) else None,
                "at": [columns[name][group[0]] for group in groups],
            }
            for name in names
        ],
        "axes": [_axis(table, axis, names, values, texts) for axis in axes],
        "metrics": [_metric(table, name, groups, failed) for name in metrics],
        "shown": _first(metrics),
        "commands": [
            commands.of({name: column[group[0]] for name, column in given.items()}, seeds[group[0]]) for group in groups
        ],
        "seeds": [", ".join(str(seeds[row]) for row in group) for group in groups],
        "runs": [sum(not failed[row] for row in group) for group in groups],
        "style": {
            "colours": COLOURS,
            "shades": [to_hex(colormaps[SHADES](place / 16)) for place in range(17)],
            "layout": charts.plain_layout(),
            "log": charts.LOG_AXIS,
            "settings": charts.PLOT_SETTINGS,
        },
    }


def _texts(values: Sequence[Any], given: Iterable[Any]) -> list[str]:
    """Returns the values of a parameter as text. The text of lists and groups, such as workloads, has the keys in which
    they differ. `given`: the column of the values."""
    of_label = {hashable(value): value for value in given}
    if not any(isinstance(of_label[value], (list, dict)) for value in values):
        return [_cut(tick(value)) for value in values]
    table = differences.differing(differences.values_in_trees([{"": of_label[value]} for value in values]))
    texts = []
    for place in range(len(values)):
        told = {key.lstrip("."): row[place] for key, row in table.items() if row[place] is not None}
        texts.append(_cut(", ".join(f"{key} {differences.shown(value)}".strip() for key, value in told.items())))
    return texts if len(set(texts)) == len(texts) else [f"{number} {text}" for number, text in enumerate(texts, 1)]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _axis(
    table: Sweep,
    beside: Sequence[str],
    names: Sequence[str],
    values: Mapping[str, Sequence[Any]],
    texts: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Describes the axis of the first of these parameters, beside which the others stand."""
    there = values_beside(table, beside)
    of_value = {name: dict(zip(values[name], texts[name], strict=True)) for name in beside}
    return {
        "parameter": names.index(beside[0]),
        "label": ", ".join(map(short, beside)),
        "texts": [
            ", ".join(of_value[name][one] for name, one in zip(beside, there[value], strict=True))
            for value in values[beside[0]]
        ],
    }


def _metric(table: Sweep, name: str, groups: Iterable[Sequence[int]], failed: Sequence[bool]) -> dict[str, Any]:
    column = list(table[name])
    figures = [[column[row] for row in group if not failed[row]] for group in groups]
    metric: dict[str, Any] = {"name": name, "label": label_of(name), "text": table.is_text(name)}
    if metric["text"]:
        texts = [sorted({value for value in of_point if isinstance(value, str)}) for of_point in figures]
        return metric | {"mean": [", ".join(of_point) or None for of_point in texts]}
    found = [interval(of_point) if of_point else None for of_point in figures]
    higher = any(part in name for part in _HIGHER)
    return metric | {
        "direction": "maximize" if higher else "minimize",
        "mean": [None if one is None else _known(one.mean) for one in found],
        "low": [None if one is None else _known(one.low) for one in found],
        "high": [None if one is None else _known(one.high) for one in found],
    }


def _first(metrics: Sequence[str]) -> list[int]:
    """Returns the places of the metrics that a page shows besides the chosen one: the first of each
    group, or all if they are few."""
    if len(metrics) <= _MOST_SHOWN:
        return list(range(len(metrics)))
    groups: dict[str, int] = {}
    for place, name in enumerate(metrics):
        groups.setdefault(name.rpartition(".")[0] or name, place)
    return list(groups.values())[:_MOST_SHOWN]


def _parameters(table: Sweep) -> list[str]:
    return [name for name in table.parameters if name in table.columns]


def _known(figure: float) -> float | None:
    """Returns a figure with the digits that a page can show, or None for one that is not known."""
    return float(f"{figure:.6g}") if math.isfinite(figure) else None
