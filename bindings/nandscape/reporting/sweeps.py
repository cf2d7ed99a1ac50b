# SPDX-License-Identifier: Apache-2.0
"""The pages of sweeps and searches. A script in the page draws their plots, so that metrics and axes can be chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nandscape import differences
from nandscape.config import Config
from nandscape.exploration.points import hashable
from nandscape.pictures.labels import label_of
from nandscape.pictures.maps import three_digits, tick
from nandscape.reporting import drives, points, tables
from nandscape.reporting.configurations import Commands
from nandscape.reporting.subject import Subject
from nandscape.unknown import DASH

if TYPE_CHECKING:
    from nandscape.exploration.exploring import Exploration
    from nandscape.exploration.frame import Sweep

_FRONT = "No other {0} beats those on the front in the figures that are drawn. A line joins the front of two figures."
_SCRIPT = Path(__file__).with_name("points.js")


def sweep_subject(table: Sweep) -> Subject:
    """Returns what a report shows of a sweep. Raises ValueError for a sweep without rows."""
    if not len(table):
        raise ValueError("the sweep has no rows to show")
    commands = Commands(table.base)
    data = points.of_sweep(table, commands)
    return Subject(_title("Sweep", table, commands), _sweep_sections(table, data, commands), _script(data))


def search_subject(found: Exploration) -> Subject:
    """Returns what a report shows of a search. Raises ValueError for a search without trials."""
    if not len(found.trials):
        raise ValueError("the search has no trials to show")
    commands = Commands(found.trials.base)
    data = points.of_search(found, commands)
    return Subject(_title("Search", found.trials, commands), _search_sections(found, data, commands), _script(data))


def _script(data: Mapping[str, Any]) -> str:
    """Returns the script that draws the plots. There is nothing to draw if all runs failed."""
    return _SCRIPT.read_text(encoding="utf-8") if data["metrics"] else ""


def _title(kind: str, table: Sweep, commands: Commands) -> str:
    return f"{kind} of {Path(table.base.name).name}" if table.base is not None and commands.is_named else kind


def _sweep_sections(table: Sweep, data: Mapping[str, Any], commands: Commands) -> Iterator[tuple[str, str]]:
    count, failed = len(data["runs"]), int(table.failed.sum())
    seeds = table["seed"].nunique()
    intro = f"{_number(count, 'point')}, {_number(seeds, 'seed')}: {_number(len(table), 'run')}"
    intro += f", of which {failed:,} failed." if failed else "."
    yield "What was run", f"<p>{intro}</p>{_parameters(table)}{_same_metrics(table, data)}{_base(table.base, commands)}"
    if data["metrics"]:
        yield from _sweep_plots(data, seeds)
    yield from _remarks(table, "point", points.rows_of_points(table))


def _sweep_plots(data: Mapping[str, Any], seeds: int) -> Iterator[tuple[str, str]]:
    yield "", _toolbar("Metric", data)
    axes = len(data["axes"])
    if axes:
        yield "All points", _plot("parallel", "Drag along an axis to select points, and click a line for its point.")
    if axes > 1:
        yield "Heat map", _plot("map")
    if axes:
        yield "Lines", _plot("lines", _intervals(seeds))
    if sum(not metric["text"] for metric in data["metrics"]) > 1:
        yield "Trade-offs", _plot("trade", _FRONT.format("point"))
    yield "Points", _points(data, "point")


def _search_sections(found: Exploration, data: Mapping[str, Any], commands: Commands) -> Iterator[tuple[str, str]]:
    trials = found.trials
    failed = int(trials.failed.sum())
    forbidden = sum(not allowed for allowed in data["allowed"]) - failed
    parts = [f"{_number(len(found.front), 'is', 'are')} on the front"]
    parts += [f"{_number(forbidden, 'violates', 'violate')} a constraint"] if found.constraints else []
    parts += [f"{failed:,} failed"] if failed else []
    intro = f"{_number(len(trials), 'trial')}, of which {' and '.join(parts)}."
    goals = [(label_of(name), f"{direction}") for name, direction in found.directions.items()]
    goals += [("constraint", text) for text in found.constraints.values()]
    wanted = tables.table(["objective", "wanted"], [tables.row(name, [text]) for name, text in goals], "runs")
    yield "What was searched", f"<p>{intro}</p>{wanted}{_parameters(trials)}{_base(trials.base, commands)}"
    if data["metrics"]:
        yield from _search_plots(data, found)
    yield from _remarks(trials, "trial", points.rows_of_trials(found))


def _search_plots(data: Mapping[str, Any], found: Exploration) -> Iterator[tuple[str, str]]:
    yield "", _toolbar("Objective", data)
    if len(data["metrics"]) > 1:
        yield "Pareto front", _plot("trade", _FRONT.format("trial"))
    if data["axes"]:
        yield "All trials", _plot("parallel", "Drag along an axis to select trials, and click a line for its trial.")
    yield "Course of the search", _plot("course")
    if data["axes"]:
        yield "Influence of a key", _plot("influence")
    yield "Trials", _points(data, "trial", found)


def _number(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def _intervals(seeds: int) -> str:
    return f"Bars are 95 % confidence intervals over {seeds} seeds." if seeds > 1 else ""


def _toolbar(label: str, data: Mapping[str, Any]) -> str:
    return (
        f'{points.script_data(data)}<div class="toolbar"><label>{label} <select id="metric"></select></label>'
        '<span id="selected"></span></div>'
        '<aside id="point" hidden><button class="close" title="Close">×</button><div></div></aside>'
    )


def _plot(name: str, hint: str = "") -> str:
    words = f'<p class="hint">{escape(hint)}</p>' if hint else ""
    return f'{words}<div class="controls" id="{name}-controls"></div><div class="plot" id="{name}"></div>'


def _parameters(table: Sweep) -> str:
    """Returns a table with the values of each parameter. Many numbers are shown by their range."""
    rows = []
    for name in table.parameters:
        values = list(dict.fromkeys(map(hashable, table[name]))) if name in table.columns else []
        plain = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
        if len(values) > 12 and len(plain) == len(values):
            text = f"{len(values)} values from {tick(min(plain))} to {tick(max(plain))}"
        else:
            text = ", ".join(differences.shown(value) for value in values)
        rows.append(tables.row(name, [text], code=True))
    return tables.table(["key", "values"], rows, "runs")


def _same_metrics(table: Sweep, data: Mapping[str, Any]) -> str:
    """Returns a folded table of the metrics that are the same in all runs, which the plots do not show."""
    shown = {metric["name"] for metric in data["metrics"]}
    done = table[~table.failed]
    rows = []
    for name in table.metrics:
        if name not in shown and name in table.columns:
            value = done[name].iloc[0]
            text = value if isinstance(value, str) else DASH if value != value else three_digits(value)
            rows.append(tables.row(name, [text], code=True))
    if not rows:
        return ""
    summary = f"{_number(len(rows), 'metric')} with the same value in all runs"
    return f"<details><summary>{summary}</summary>{tables.table(['metric', 'value'], rows, 'runs')}</details>"


def _base(base: Config | None, commands: Commands) -> str:
    if base is None:
        return "<p>The base of the points is not known. Save it as base.yaml to use the commands of the points.</p>"
    name = Path(base.name).name
    keys = f"<details><summary>Keys of the base</summary>{tables.configurations_of({name: base})}</details>"
    drive = drives.drives_of({name: base})
    if commands.is_named:
        return drive + keys
    text = f"<details><summary>base.yaml</summary><pre>{escape(base._core.to_yaml())}</pre></details>"
    return (
        f"{drive}{keys}<p>The commands of the points begin with base.yaml, since no preset or file holds this base. "
        f"Save the text below under this name.</p>{text}"
    )


def _points(data: Mapping[str, Any], kind: str, found: Exploration | None = None) -> str:
    """Returns the table of the points, with the metrics that are shown first. The script adds a column for the chosen
    metric."""
    metrics = [data["metrics"][place] for place in data["shown"]]
    parameters = data["parameters"]
    several = found is None and any(runs != 1 for runs in data["runs"])
    heads = [kind, *(parameter["label"] for parameter in parameters), *(["runs"] if several else [])]
    heads += [metric["label"] for metric in metrics]
    limits = list(found.constraints) if found is not None else []
    heads += ["standing"] if found is not None else []
    rows = []
    numbers = range(len(data["runs"]))
    if found is not None:
        numbers = sorted(numbers, key=lambda number: (not data["front"][number], not data["allowed"][number]))
    for number in numbers:
        cells = [parameter["texts"][parameter["at"][number]] for parameter in parameters]
        cells += [str(data["runs"][number])] if several else []
        cells += [_figure(metric, number) for metric in metrics]
        if found is not None:
            cells.append(_standing(found, data, number, limits))
        link = f'<a href="#{kind}-{number + 1}">{number + 1}</a>'
        text = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr data-point="{number}"><th scope="row">{link}</th>{text}</tr>')
    return (
        f'<p class="hint">The number of a {kind} leads to its configuration. Click a heading to sort.</p>'
        f"{tables.table(heads, rows, 'figures points')}"
    )


def _figure(metric: Mapping[str, Any], number: int) -> str:
    mean = metric["mean"][number]
    if mean is None:
        return DASH
    if metric["text"]:
        return mean
    high = metric["high"][number]
    if high is None or high <= mean:
        return f"{mean:,.6g}"
    reach = float(f"{high - mean:.2g}")
    decimals = 1 - math.floor(math.log10(reach))
    return f"{round(mean, decimals):,.{max(0, decimals)}f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{reach:,g}"


def _standing(found: Exploration, data: Mapping[str, Any], number: int, limits: Sequence[str]) -> str:
    row = found.trials.iloc[number]
    if isinstance(row["error"], str):
        return "failed"
    if not data["allowed"][number]:
        return f"violates {', '.join(found.constraints[name] for name in limits if not row[name] <= 0)}"
    return "front" if data["front"][number] else "dominated"


def _remarks(table: Sweep, kind: str, groups: Sequence[Sequence[int]]) -> Iterator[tuple[str, str]]:
    """Yields the sections of failed runs and of warnings, if there are any. `groups`: the rows of each point."""
    for heading, column in (("Failed runs", "error"), ("Warnings", "warnings")):
        texts = list(table[column]) if column in table.columns else []
        runs: dict[str, list[str]] = {}
        for number, group in enumerate(groups, 1):
            for row in group:
                if isinstance(texts[row] if texts else None, str):
                    seed = f" (seed {table['seed'].iloc[row]})" if len(group) > 1 else ""
                    runs.setdefault(texts[row], []).append(f'<a href="#{kind}-{number}">{number}</a>{seed}')
        if runs:
            cells = (f"<td>{len(links):,}</td><td>{', '.join(links)}</td>" for links in runs.values())
            rows = [
                f'<tr><th scope="row">{escape(text)}</th>{told}</tr>' for text, told in zip(runs, cells, strict=True)
            ]
            yield heading, tables.table([column.removesuffix("s"), "runs", f"{kind}s"], rows, "runs")
