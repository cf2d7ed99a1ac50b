# SPDX-License-Identifier: Apache-2.0
"""The metrics that a sweep stores for each run: all statistics, or selected ones."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

from nandscape.errors import InputError
from nandscape.result import Result

Figure = float | str
Metric = str | Callable[[Result], Figure]
Metrics = None | str | Iterable[str] | Mapping[str, Metric]

# Columns that a sweep has besides its parameters and metrics.
RESERVED = ("seed", "wall_s", "warnings", "error")


def chosen(metrics: Metrics) -> dict[str, Metric] | None:
    """Returns the metric of each column, or None if all statistics are stored.

    Raises TypeError for a metric that is neither a name nor a function, and ValueError for a name in `RESERVED`.
    """
    if metrics is None:
        return None
    if isinstance(metrics, str):
        metrics = [metrics]
    columns = dict(metrics) if isinstance(metrics, Mapping) else {name: name for name in metrics}
    for name, metric in columns.items():
        if not isinstance(name, str) or not (isinstance(metric, str) or callable(metric)):
            raise TypeError(f"a metric is the name of a statistic or a function of a Result, not {metric!r}")
        if name in RESERVED:
            raise ValueError(f"a sweep has a column {name!r} of its own; give the metric another name")
    return columns


def figures(result: Result, columns: Mapping[str, Metric] | None) -> dict[str, Figure]:
    """Returns the metrics of a run, by column. A statistic that the run does not have is left out. A metric that names
    a group of statistics yields a column for each statistic in the group. A function may return text, such as the name
    of the bottleneck."""
    statistics = dict(flat(result.stats))
    if columns is None:
        return dict(statistics)
    found: dict[str, Figure] = {}
    for column, metric in columns.items():
        if callable(metric):
            value = metric(result)
            found[column] = value if isinstance(value, str) else float(value)
            continue
        for name, value in statistics.items():
            if name == metric:
                found[column] = value
            elif name.startswith(f"{metric}."):
                found[column + name.removeprefix(metric)] = value
    return found


def unknown_figures(result: Result, columns: Mapping[str, Metric] | None) -> dict[str, str]:
    """Returns the reasons why metrics are unknown, by column. Covers metrics that are the name of a statistic or a
    bound on one."""
    reasons = {}
    statistics = dict(flat(result.stats)) if columns else {}
    for column, metric in (columns or {}).items():
        name = getattr(metric, "statistic", metric)
        # There is no reason for a group of statistics, or for a statistic that this run does not have.
        if isinstance(name, str) and name in statistics:
            reason = result.why_unknown(name)
            if reason is not None:
                reasons[column] = reason if name == column else f"{name}: {reason}"
    return reasons


def check_names(columns: Mapping[str, Metric], statistics: Iterable[Mapping[str, Any]]) -> None:
    """Raises InputError for a metric that none of these trees of statistics has. The message suggests the most similar
    name."""
    wanted = {metric for metric in columns.values() if isinstance(metric, str)}
    known: dict[str, None] = {}
    for tree in statistics:
        for name, _ in flat(tree):
            parts = name.split(".")
            known.update(dict.fromkeys(".".join(parts[:length]) for length in range(len(parts), 0, -1)))
        if wanted <= known.keys():
            return
    for name in sorted(wanted - known.keys()):
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else "; `nandscape statistics` lists them"
        raise InputError(f"metrics: there is no statistic {name}{hint}")


def flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Yields pairs of dotted name and value for all numbers in nested statistics."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        elif isinstance(value, (int, float)):
            yield prefix + key, float(value)


def identity(columns: Mapping[str, Metric] | None) -> list[list[str]] | None:
    """Returns a JSON value that identifies the metrics. A function is identified by its name and its code."""
    if columns is None:
        return None
    return [[name, metric if isinstance(metric, str) else identity_of(metric)] for name, metric in columns.items()]


def identity_of(function: Callable[..., Any]) -> str:
    """Returns a string that identifies a function: its name and a hash of its code."""
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(function).__qualname__)}"
    code = getattr(function, "__code__", None)
    return f"{name}:{hashlib.sha256(repr(_content(code)).encode()).hexdigest()}" if code else name


def _content(code: CodeType) -> tuple[Any, ...]:
    constants = [_content(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts]
    return code.co_code, code.co_names, constants
