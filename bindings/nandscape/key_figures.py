# SPDX-License-Identifier: Apache-2.0
"""The statistics that tables and reports show first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nandscape import unknown
from nandscape._core import poisson_interval
from nandscape.result import Result


def value_at(stats: Mapping[str, Any], name: str) -> float:
    """Returns the figure with that dotted name, or NaN if the statistics do not have it."""
    value: Any = stats
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, (int, float)) else math.nan


@dataclass(frozen=True)
class KeyFigure:
    """A statistic in a table. `group`: the group of figures to which it belongs. `name`: its dotted name. `title`: its
    name in words, with the unit. `form`: its format specification. `always`: whether it is shown even if it is 0 in all
    runs.
    """

    group: str
    name: str
    title: str
    form: str
    always: bool = False

    def of(self, stats: Mapping[str, Any]) -> float:
        """Returns the figure in these statistics, or NaN if the statistics do not have it."""
        return value_at(stats, self.name)

    def of_result(self, result: Result) -> float:
        """Returns the figure of a run."""
        return self.of(result.stats)

    def text_of(self, statistics: Sequence[Mapping[str, Any]]) -> str:
        """Returns the mean of the figure over runs of one drive, as it is printed. The uncorrectable bit error rate is
        printed with its interval."""
        return uber_text(statistics) if self.name == UBER else self.text(fmean(map(self.of, statistics)))

    def text(self, value: float) -> str:
        """Returns the figure as it is printed, or a dash if it is not known."""
        return unknown.text_of(value, f"z{self.form}")

    def says_something(self, stats: Mapping[str, Any]) -> bool:
        """Returns whether a table shows the figure. A known figure is shown if it is not 0 or if `always` is set. An
        unknown figure is shown if it has samples."""
        value = self.of(stats)
        return unknown.has_samples(stats, self.name) if math.isnan(value) else bool(value) or self.always


UBER = "host.uber"


def uber_text(statistics: Sequence[Mapping[str, Any]]) -> str:
    """Returns the uncorrectable bit error rate over all these runs, with its exact 95 % interval: "1.5e-09 (3.9e-11 to
    8.5e-09)". Returns a dash if the runs have read nothing."""
    errors = sum(value_at(stats, "host.read.unrecovered") for stats in statistics)
    bits = 8 * sum(value_at(stats, "host.read.bytes") for stats in statistics)
    if math.isnan(errors) or not bits > 0:
        return unknown.DASH
    low, high = poisson_interval(int(errors))
    rate, *ends = (f"{count / bits:.1e}" if count else "0" for count in (errors, low, high))
    return f"{rate} ({' to '.join(ends)})"


_QUANTILES = {"mean": "mean", "p50": "p50", "p99": "p99", "p999": "p99.9", "p9999": "p99.99", "max": "max"}

KEY_FIGURES = (
    KeyFigure("Rates", "host.iops", "IOPS", ",.0f", always=True),
    KeyFigure("Rates", "host.bandwidth_mib_s", "bandwidth (MiB/s)", ",.1f", always=True),
    KeyFigure("Rates", "host.read.count", "reads", ",.0f"),
    KeyFigure("Rates", "host.write.count", "writes", ",.0f"),
    *(
        KeyFigure("Latencies", f"host.{kind}.latency_us.{quantile}", f"{kind} latency {word} (µs)", ",.1f")
        for kind in ("read", "write")
        for quantile, word in _QUANTILES.items()
    ),
    KeyFigure("Writes", "controller.write_amplification", "write amplification", ",.3f"),
    KeyFigure("Writes", "controller.gc.victims", "blocks collected", ",.0f"),
    KeyFigure("Writes", "controller.power_loss.lost_acknowledged_writes", "acknowledged writes lost", ",.0f"),
    KeyFigure("Retries and ECC", "controller.read_retry.steps", "retry steps of a page read", ",.2f"),
    KeyFigure("Retries and ECC", "controller.read_retry.retried_reads", "page reads that were retried", ",.0f"),
    KeyFigure("Retries and ECC", "controller.read_retry.failed_reads", "pages not corrected", ",.0f"),
    KeyFigure("Retries and ECC", "ecc.corrected_bits", "corrected bits", ",.0f"),
    KeyFigure("Retries and ECC", "ecc.failed_decodes", "decodes that failed", ",.0f"),
    KeyFigure("Retries and ECC", "ecc.iterations", "decoder iterations", ",.2f"),
    KeyFigure("Retries and ECC", UBER, "uncorrectable bit error rate (95 % interval)", ".1e"),
    KeyFigure("Run", "energy.total_j", "energy (J)", ",.4f"),
    KeyFigure("Run", "simulation.simulated_s", "simulated time (s)", ",.3f", always=True),
    KeyFigure("Run", "simulation.wall_s", "wall time (s)", ",.3f", always=True),
)


def shown(statistics: list[Mapping[str, Any]]) -> list[KeyFigure]:
    """Returns the key figures that a table shows for at least one of these runs."""
    return [figure for figure in KEY_FIGURES if any(map(figure.says_something, statistics))]
