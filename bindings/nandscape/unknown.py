# SPDX-License-Identifier: Apache-2.0
"""Figures that are not known, since too few samples stand behind them: they are NaN in statistics and a dash in tables.

The simulator decides which these are (`fewest_samples` in `models/core/statistics.h`). Here stand how many samples a
figure takes and why, told from the count beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nandscape._core import FEWEST_SAMPLES

# One sample in this many lies beyond the quantile.
_ONE_IN = {"p50": 2, "p90": 10, "p99": 100, "p999": 1000, "p9999": 10_000}
QUANTILES = {name: 1 - 1 / one_in for name, one_in in _ONE_IN.items()}
DASH = "-"


def samples_needed(quantile: str) -> int:
    """How many samples a quantile, such as "p99", takes: enough for ten of them to lie beyond it."""
    return FEWEST_SAMPLES * _ONE_IN[quantile]


def text_of(value: float, form: str) -> str:
    """A figure as it is printed: a dash where it is not known."""
    return DASH if math.isnan(value) else format(value, form)


def needs(name: str) -> str | None:
    """What the statistic of that dotted name takes to be known: "the 99 % quantile takes 1,000 samples". None for one
    that is always known."""
    rule = _rule(name)
    return rule and rule.needs


def why(stats: Mapping[str, Any], name: str) -> str | None:
    """Why the statistic of that dotted name is not known: "72 samples; the 99 % quantile takes 1,000, ...". None where
    it is known. Raises KeyError where the statistics do not have it, or have a group there."""
    value = _at(stats, name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise KeyError(f"there is no statistic {name!r} that is a number")
    if not math.isnan(value):
        return None
    rule = _rule(name)
    count = rule and _at(stats, rule.count)
    if rule is None or not isinstance(count, int):
        return "the statistics do not tell"
    return f"{count:,} {rule.samples}; {rule.needs}"


def has_samples(stats: Mapping[str, Any], name: str) -> bool:
    """Whether the statistic of that dotted name has samples, be they too few for it."""
    rule = _rule(name)
    return rule is not None and bool(_at(stats, rule.count))


@dataclass(frozen=True)
class _Rule:
    """`count`: the statistic that counts the samples; `samples`: what these are; `needs`: how many it takes."""

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
            "flash pages programmed with what the host wrote",
            f"write amplification takes {FEWEST_SAMPLES}",
        )
    if figure in ("uber", "uber_low", "uber_high"):
        return _Rule(f"{group}.read.bytes", "bytes read", "an error rate takes what was read")
    return None


def _at(stats: Mapping[str, Any], name: str) -> Any:
    found: Any = stats
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
