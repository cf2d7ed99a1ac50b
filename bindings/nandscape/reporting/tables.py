# SPDX-License-Identifier: Apache-2.0
"""The tables of a report, as HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from nandscape import differences, figures, key_figures
from nandscape.config import Config
from nandscape.result import Result

# The keys that are most important for understanding a single run.
MAIN_KEYS = (
    "simulation.seed",
    "simulation.cells",
    "simulation.data",
    "channel.count",
    "nand.geometry",
    "nand.coding",
    "nand.cells.set",
    "nand.condition",
    "ecc.codec",
    "ecc.decoder",
    "host.workload",
)


def key_figures_of(runs: Mapping[str, Result]) -> str:
    """Returns a table with a row for each figure and a column for each run. Each entry has the relative difference from
    the first run."""
    statistics = [result.stats for result in runs.values()]
    rows = []
    group = ""
    for figure in key_figures.shown(statistics):
        if figure.group != group:
            group = figure.group
            rows.append(f'<tr class="group"><th colspan="{len(runs) + 1}" scope="rowgroup">{escape(group)}</th></tr>')
        values = [figure.of(stats) for stats in statistics]
        texts = [figure.text_of([stats]) for stats in statistics]
        cells = [f"<td>{texts[0]}</td>"]
        cells += [
            f"<td>{text}{_change(values[0], value)}</td>" for text, value in zip(texts[1:], values[1:], strict=True)
        ]
        rows.append(
            f'<tr><th scope="row" title="{escape(figure.name)}">{escape(figure.title)}</th>{"".join(cells)}</tr>'
        )
    return table(["", *runs], rows, "figures")


def configurations_of(configs: Mapping[str, Config]) -> str:
    """Returns a table of the keys that differ between configurations, or of the main keys if there is a single one. All
    keys follow in a part of the page that is folded at first."""
    values = differences.values_by_key(list(configs.values()))
    different = differences.differing(values)
    if len(configs) == 1:
        main = {key: value for key, value in values.items() if key.startswith(MAIN_KEYS)}
        intro, first = "The main keys of the configuration.", main
    elif different:
        intro, first = f"{len(different)} of {len(values)} keys differ.", different
    else:
        intro, first = "The configurations are the same.", {}
    parts = [f"<p>{intro}</p>"]
    if first:
        parts.append(_keys(configs, first, different))
    parts.append(f"<details><summary>All keys</summary>{_keys(configs, values, different)}</details>")
    return "".join(parts)


def runs_of(runs: Mapping[str, Result]) -> str:
    """Returns a table with the configuration, the seed and the number of requests of each run, and with remarks such as
    that a run was not complete."""
    rows = []
    for name, result in runs.items():
        count, errors = figures.count(result, "host.all.count"), figures.count(result, "host.all.errors", 0)
        notes = []
        if result.partial:
            notes.append("ended before its workloads did")
        if figures.count(result, "host.saturated", 0):
            notes.append("requests came faster than they were served")
        if errors:
            notes.append(f"{errors:,} requests failed")
        if not result.requests["latency_ps"].size:
            notes.append("saved without single requests")
        seed = differences.shown(result.config["simulation.seed"])
        rows.append(row(name, (result.config.name, seed, f"{count:,}", "; ".join(notes) or "complete")))
    return table(["run", "configuration", "seed", "requests", "notes"], rows, "runs")


def _change(first: float, value: float) -> str:
    if not first or math.isnan(first) or math.isnan(value) or value == first:
        return '<span class="change"></span>'
    return f'<span class="change">{(value - first) / abs(first):+.1%}</span>'


def _keys(names: Iterable[str], values_by_key: differences.Table, marked: differences.Table) -> str:
    rows = []
    for key, values in values_by_key.items():
        kind = "differs" if key in marked else ""
        rows.append(row(key, map(differences.shown, values), code=True, kind=kind))
    return table(["key", *names], rows, "keys")


def row(name: str, values: Iterable[str], *, code: bool = False, kind: str = "") -> str:
    """Returns a row of a table. `code`: whether the name is that of a key or a statistic. `kind`: the row's class."""
    head = f"<code>{escape(name)}</code>" if code else escape(name)
    cells = "".join(f"<td>{escape(value)}</td>" for value in values)
    return f'<tr class="{kind}"><th scope="row">{head}</th>{cells}</tr>'


def table(columns: Sequence[str], rows: Sequence[str], kind: str) -> str:
    """Returns a table with these headings and rows. `kind`: its class in the style of the page."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(rows)
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
