# SPDX-License-Identifier: Apache-2.0
"""Figures that are unknown because they have too few samples. They are NaN in statistics, and a dash in tables.

The simulator decides which figures are unknown (`fewest_samples` in `models/core/statistics.h`). This module determines
how many samples a figure needs. From the statistic that counts the samples, it explains why the figure is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nandscape._core import FEWEST_SAMPLES

# For each quantile, one in this many samples lies beyond it.
_ONE_IN = {"p50": 2, "p90": 10, "p99": 100, "p999": 1000, "p9999": 10_000}
QUANTILES = {name: 1 - 1 / one_in for name, one_in in _ONE_IN.items()}
# The shares of `controller.streams`: the statistic that counts their samples, and the noun for these.
_OF_STREAMS = {
    "hot_valid_share": ("hot_victims", "collected hot blocks"),
    "cold_valid_share": ("cold_victims", "collected cold blocks"),
    "precision": ("hot_written_units", "units written to hot streams"),
    "recall": ("known_hot_units", "written units that are known to be hot"),
}
DASH = "-"


def samples_needed(quantile: str) -> int:
    """Returns the number of samples that a quantile, such as "p99", needs so that ten of them lie beyond it."""
    return FEWEST_SAMPLES * _ONE_IN[quantile]


def text_of(value: float, form: str) -> str:
    """Returns a figure as it is printed, or a dash if it is not known."""
    return DASH if math.isnan(value) else format(value, form)


def needs(name: str) -> str | None:
    """Returns a phrase with the number of samples that the statistic of that dotted name needs, such as "the 99 %
    quantile takes 1,000 samples". Returns None for a statistic that is always known."""
    rule = _rule(name)
    return rule and rule.needs


def why(stats: Mapping[str, Any], name: str) -> str | None:
    """Returns the reason why the statistic of that dotted name is not known, such as "72 samples; the 99 % quantile
    takes 1,000, ...". Returns None if the statistic is known. Raises KeyError if the statistics do not have it, or if
    it is a group."""
    value = _at(stats, name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise KeyError(f"there is no statistic {name!r} that is a number")
    if not math.isnan(value):
        return None
    rule = _rule(name)
    count = rule and _at(stats, rule.count)
    if rule is None or not isinstance(count, int):
        return "the statistics do not give a reason"
    return f"{count:,} {rule.samples}; {rule.needs}"


def has_samples(stats: Mapping[str, Any], name: str) -> bool:
    """Returns whether the statistic of that dotted name has any samples, even if there are too few."""
    rule = _rule(name)
    return rule is not None and bool(_at(stats, rule.count))


@dataclass(frozen=True)
class _Rule:
    """The rule by which a figure is known or unknown. `count`: the statistic that counts the samples. `samples`: the
    noun for the samples. `needs`: a phrase with the number of samples that the figure needs."""

    count: str
    samples: str
    needs: str


def _rule(name: str) -> _Rule | None:
    group, _, figure = name.rpartition(".")
    above, _, kind = group.rpartition(".")
    if kind == "latency_us" and figure in QUANTILES:
        beyond = f"{samples_needed(figure):,} samples, of which {FEWEST_SAMPLES} lie beyond it"
        return _Rule(f"{group}.count", "samples", f"the {100 * QUANTILES[figure]:.6g} % quantile takes {beyond}")
    if kind == "latency_us" and figure in ("mean", "max"):
        return _Rule(f"{group}.count", "samples", f"a {'mean' if figure == 'mean' else 'maximum'} takes one")
    if kind == "slowest_breakdown_us":
        slowest = f"the slowest 1 % take {100 * FEWEST_SAMPLES:,} requests, so that {FEWEST_SAMPLES} are among them"
        return _Rule(f"{above}.count", "requests", slowest)
    if name == "controller.write_amplification":
        return _Rule(
            "controller.host_pages",
            "flash pages programmed with host data",
            f"write amplification takes {FEWEST_SAMPLES}",
        )
    if group == "controller.streams" and figure in _OF_STREAMS:
        count, samples = _OF_STREAMS[figure]
        return _Rule(f"{group}.{count}", samples, f"a share takes {FEWEST_SAMPLES}")
    if figure in ("uber", "uber_low", "uber_high"):
        return _Rule(f"{group}.read.bytes", "bytes read", "an error rate takes at least one read")
    return None


def _at(stats: Mapping[str, Any], name: str) -> Any:
    found: Any = stats
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
