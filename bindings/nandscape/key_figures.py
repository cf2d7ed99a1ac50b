# SPDX-License-Identifier: Apache-2.0
"""The statistics by which runs are compared at a glance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nandscape.result import Result


def value_at(stats: Mapping[str, Any], name: str) -> float:
    """The figure of that dotted name; NaN where the statistics do not have it."""
    value: Any = stats
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, (int, float)) else math.nan


@dataclass(frozen=True)
class KeyFigure:
    """`group`: figures that belong together. `name`: the dotted name of a statistic. `title`: in words, with the unit.
    `form`: how it is printed. `always`: whether it is shown where it is 0 in all runs, too.
    """

    group: str
    name: str
    title: str
    form: str
    always: bool = False

    def of(self, stats: Mapping[str, Any]) -> float:
        """The figure; NaN where the statistics do not have it."""
        return value_at(stats, self.name)

    def of_result(self, result: Result) -> float:
        """The figure of a run."""
        return self.of(result.stats)

    def text(self, value: float) -> str:
        """The figure as it is printed."""
        return "-" if math.isnan(value) else format(value, f"z{self.form}")


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
    KeyFigure("Retries and ECC", "host.uber", "uncorrectable bit error rate", ".2e"),
    KeyFigure("Run", "energy.total_j", "energy (J)", ",.4f"),
    KeyFigure("Run", "simulation.simulated_s", "simulated time (s)", ",.3f", always=True),
    KeyFigure("Run", "simulation.wall_s", "wall time (s)", ",.3f", always=True),
)


def shown(statistics: list[Mapping[str, Any]]) -> list[KeyFigure]:
    """Those that say something of these runs: not absent, or 0, in all of them."""
    return [
        figure
        for figure in KEY_FIGURES
        if any(value == value and (value or figure.always) for value in map(figure.of, statistics))
    ]
