# SPDX-License-Identifier: Apache-2.0
"""The table of latency parts, for `nandscape run` with `simulation.breakdown`."""

from __future__ import annotations

import math
from typing import Any

from nandscape import unknown
from nandscape.cli.tables import figures

# The columns of the table for each kind of request, and the group of the statistics that each column shows.
_COLUMNS = {"mean": "breakdown_us", "slowest 1 %": "slowest_breakdown_us"}


def breakdown_table(host: dict[str, Any], width: int | None = None) -> str:
    """Returns the mean parts of read and write latencies, for all requests and for the slowest 1 %, in microseconds and
    as shares of their sum. `width`: see `figures`. Omits parts that are 0 everywhere. A dash stands for a figure from
    too few requests."""
    columns, means = [], []
    for kind in ("read", "write"):
        for name, group in _COLUMNS.items():
            if group in host[kind]:
                columns += [f"{kind} {name}", "share"]
                known = host[kind]["count"] > 0
                means.append(host[kind][group] if known else dict.fromkeys(host[kind][group], math.nan))
    rows = []
    for part in means[0] if means else ():
        if not any(of_kind[part] > 0 for of_kind in means):
            continue
        row = [part]
        for of_kind in means:
            total = sum(of_kind.values())
            share = of_kind[part] / total if total else 0
            row += [unknown.text_of(of_kind[part], ",.1f"), unknown.text_of(share, ".1%")]
        rows.append(row)
    return figures(["latency part (µs)", *columns], rows, width)
