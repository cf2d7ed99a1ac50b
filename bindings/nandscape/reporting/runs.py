# SPDX-License-Identifier: Apache-2.0
"""The page of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nandscape.pictures.curves import kinds_of
from nandscape.pictures.runs import Runs, named
from nandscape.reporting import charts, drives, tables
from nandscape.reporting.subject import Subject
from nandscape.result import Result


def runs_subject(runs: Runs) -> Subject:
    """Returns what a report shows of a result, or of several results side by side. Raises TypeError for anything else,
    and ValueError if there is no result."""
    results = named(runs)
    return Subject(", ".join(results), sections_of(results))


def sections_of(runs: Mapping[str, Result]) -> Iterator[tuple[str, str]]:
    """Yields the headings and the contents of the sections."""
    kinds = [kind for kind in ("read", "write") if any(kind in kinds_of(result) for result in runs.values())]
    configs = {name: result.config for name, result in runs.items()}
    yield "What was run", tables.runs_of(runs) + drives.drives_of(configs) + tables.configurations_of(configs)
    yield "Key figures", tables.key_figures_of(runs)
    if kinds:
        yield "Latencies", charts.drawn({f"{kind.capitalize()}s": charts.distribution(runs, kind) for kind in kinds})
    over_time = {f"Latencies of {kind}s": charts.time_line(runs, kind) for kind in kinds}
    over_time["Rates"] = charts.rates(runs)
    if any(over_time.values()):
        yield "Over time", charts.drawn(over_time)
    units = {f"Each {kind}": charts.busy_units(runs, kind) for kind in ("channel", "die")}
    yield "What bounds the rate", drives.bounds_of(runs)
    yield "Utilisation", charts.drawn({"": charts.utilisation(runs), **units})
    parts = {
        f"The slowest 1 % of the {kind}s" if slowest else f"{kind.capitalize()}s": charts.breakdown(runs, kind, slowest)
        for kind in kinds
        for slowest in (False, True)
    }
    if any(parts.values()):
        yield "Where the time goes", charts.drawn(parts)
    levels = charts.sensing_levels(runs)
    if levels is not None:
        yield "Soft reads", charts.drawn({"": levels})
