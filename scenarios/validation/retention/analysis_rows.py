# SPDX-License-Identifier: Apache-2.0
"""Figures of sections 3 to 5 of Liu, Yang and Wu without a drive: the model, Table 2, and the cost of reprogramming.

A figure that follows from printed amounts is held to the printed one, or to the interval that their rounding allows
(analysis.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row
from nandscape import retention_relaxation
from physics.liu_2012 import CODES, CORRECTABLE_RBER, SPEEDUPS
from retention.analysis import (
    allows,
    extra_writes_per_year,
    interval,
    most_extra_writes_per_year,
    overwritten_percent,
    reprogramming_bytes_per_s,
    value,
)
from retention.published import (
    DAY,
    DAY_S,
    GB,
    GUARANTEES,
    KB,
    LEAST_REPROGRAMMING,
    MB,
    MOST_EXTRA_WRITES,
    MOST_REPROGRAMMING,
    MSRC,
    VOLUMES,
)
from retention.traces import overwritten_within

PUBLISHED = Published(Path(__file__).with_name("published.toml"))
PERIODS = {DAY: ("1d", "a day"), 1: ("1w", "a week"), 5: ("5w", "5 weeks")}


def rows(required: Mapping[str, ns.RetentionRequirements]) -> list[Row]:
    """`required`: the requirements of the traces of Figure 9."""
    return [*_model(), *_traces(required), *_projection(), *_reprogramming(), *_wear()]


def _model() -> list[Row]:
    return [
        *(
            PUBLISHED.row(
                "page_write_{weeks}_weeks", retention_relaxation.write_speedup(weeks), paper=published, weeks=weeks
            )
            for weeks, published in SPEEDUPS.items()
        ),
        *(
            PUBLISHED.row(
                "code_{weeks}_weeks",
                retention_relaxation.bch_retention_weeks(rber, correctable_rber=CORRECTABLE_RBER) or 0.0,
                paper=weeks,
                weeks=weeks,
                rber=rber,
            )
            for rber, weeks in CODES.items()
        ),
    ]


def _traces(required: Mapping[str, ns.RetentionRequirements]) -> list[Row]:
    wrong = [
        name
        for name, one in required.items()
        if int(one.bins.sum()) * 512 != one.written_bytes - one.distinct_bytes
        or abs(one.share_overwritten + one.share_unknown - 1) > 1e-12
    ]
    day = [
        abs(required[name].share_within["1d"] - overwritten_within(DAY_S, required[name].writes, VOLUMES[name]))
        for name in MSRC
    ]
    figures = {"closed_form.requirements": len(wrong), "closed_form.random_writes": 100 * max(day)}
    return PUBLISHED.rows(figures, traces=len(required))


def _projection() -> list[Row]:
    others = [name for name in VOLUMES if name != "proj_2"]
    week = [value(overwritten_percent(VOLUMES[name], 1), VOLUMES[name]) for name in others]
    return [*(_column(weeks) for weeks in PERIODS), PUBLISHED.row("within_a_week", week)]


def _column(weeks: float) -> Row:
    """A column of Table 2. The printed amounts, or their rounding, allow each digit."""
    short, words = PERIODS[weeks]
    volumes = {name: volume for name, volume in VOLUMES.items() if weeks in volume.shares}
    ours, paper, rounded, wrong = [], [], [], []
    for name, volume in volumes.items():
        formula, printed = overwritten_percent(volume, weeks), volume.shares[weeks]
        ours.append(round(value(formula, volume), 1))
        paper.append(float(printed))
        if ours[-1] != paper[-1]:
            (rounded if allows(interval(formula, volume), printed) else wrong).append(name)
    return PUBLISHED.row(
        "table_2_{short}",
        ours,
        paper=paper,
        within=not wrong,
        short=short,
        words=words,
        workloads=", ".join(volumes),
        rounded=f"; {', '.join(rounded)}: inside what the rounding of the printed N, W and A allows" if rounded else "",
    )


def _reprogramming() -> list[Row]:
    return [
        _extreme(extreme, guarantee, printed, size, unit)
        for guarantee in GUARANTEES
        for extreme, printed, size, unit in (
            ("least", LEAST_REPROGRAMMING, KB, "kB/s"),
            ("most", MOST_REPROGRAMMING[guarantee], MB, "MB/s"),
        )
    ]


def _extreme(extreme: str, guarantee: int, printed: str, size: int, unit: str) -> Row:
    """The workload with the least or the highest rate of reprogramming."""
    rates = {name: value(reprogramming_bytes_per_s(volume, guarantee), volume) for name, volume in VOLUMES.items()}
    workload = {"least": min, "most": max}[extreme](rates, key=rates.__getitem__)
    rate = reprogramming_bytes_per_s(VOLUMES[workload], guarantee)
    limits = interval(lambda n, w, a: rate(n, w, a) / size, VOLUMES[workload])
    return PUBLISHED.row(
        "{extreme}_reprogramming_{guarantee}_weeks",
        rates[workload] / size,
        paper=float(printed),
        within=allows(limits, printed),
        extreme=extreme,
        guarantee=guarantee,
        workload=workload,
        size=unit,
        low=limits[0],
        high=limits[1],
    )


def _wear() -> list[Row]:
    rows = []
    for guarantee, printed in MOST_EXTRA_WRITES.items():
        most = max(extra_writes_per_year(volume, guarantee) for volume in VOLUMES.values())
        figures = {
            "bound_of_extra_writes_{guarantee}_weeks": most_extra_writes_per_year(guarantee),
            "extra_writes_{guarantee}_weeks": round(most, 1),
        }
        rows += PUBLISHED.rows(figures, paper=printed, guarantee=guarantee)
    return [*rows, PUBLISHED.row("tracking", retention_relaxation.tracking_bytes(128 * GB, 2 * MB) / KB)]
