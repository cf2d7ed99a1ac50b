# SPDX-License-Identifier: Apache-2.0
"""Sections 3 to 5 of Liu, Yang and Wu, which need no drive: the model, Table 2, and what it costs to write again.

Where a figure is computed from printed amounts, it is held to the printed one, or to the interval that the rounding of
these amounts allows (analysis.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from physics.rows import Row, at_most, exactly, inside, limited, near

import nandscape as ns
from nandscape import retention_relaxation
from retention.analysis import (
    Formula,
    Interval,
    allows,
    extra_writes_per_year,
    interval,
    most_extra_writes_per_year,
    overwritten_percent,
    reprogramming_bytes_per_s,
    value,
)
from retention.published import (
    CODES,
    CORRECTABLE_RBER,
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
    SHARE_WITHIN_A_WEEK,
    SPEEDUPS,
    TRACKING_KB,
    VOLUMES,
    Volume,
)
from retention.traces import overwritten_within

PERIODS = {DAY: ("1d", "a day"), 1: ("1w", "a week"), 5: ("5w", "5 weeks")}


def rows(required: Mapping[str, ns.RetentionRequirements]) -> list[Row]:
    """`required`: of the traces of Figure 9."""
    return [*_model(), *_traces(required), *_projection(), *_reprogramming(), *_wear()]


def _model() -> list[Row]:
    speedups = [
        near(
            f"liu_2012.page_write_{weeks}_weeks",
            f"speedup of a page write, data kept for {weeks} weeks",
            retention_relaxation.write_speedup(weeks),
            published,
            "section 3.2.1, Figure 6",
            absolute=0.02,
        )
        for weeks, published in SPEEDUPS.items()
    ]
    codes = [
        near(
            f"liu_2012.code_{weeks}_weeks",
            f"BCH-24 of 1080 bytes retains data at RBER(1 year) = {rber:g}",
            retention_relaxation.bch_retention_weeks(rber, correctable_rber=CORRECTABLE_RBER) or 0.0,
            weeks,
            "section 3.2.2, Figure 7",
            unit="weeks",
            relative=0.05,
        )
        for weeks, rber in CODES.items()
    ]
    return [*speedups, *codes]


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
    return [
        exactly(
            "closed_form.requirements",
            f"of {len(required)} traces, those whose known requirements are not N - W sectors",
            len(wrong),
            0,
            "equation 13",
        ),
        limited(
            "closed_form.random_writes",
            "share overwritten within a day, traces of random writes, furthest from the closed form",
            100 * max(day),
            "no figure",
            (None, 2.5),
            "pages are drawn",
            "traces.py",
            unit="points",
        ),
    ]


def _projection() -> list[Row]:
    columns = [_column(weeks) for weeks in PERIODS]
    others = [name for name in VOLUMES if name != "proj_2"]
    week = [value(overwritten_percent(VOLUMES[name], 1), VOLUMES[name]) for name in others]
    return [
        *columns,
        inside(
            "liu_2012.within_a_week",
            "written sectors overwritten within a week, of all workloads but proj_2",
            week,
            SHARE_WITHIN_A_WEEK,
            "section 4.1",
            unit="%",
        ),
    ]


def _column(weeks: float) -> Row:
    """Of Table 2: digits that follow from the printed amounts, or that their rounding allows."""
    short, words = PERIODS[weeks]
    volumes = {name: volume for name, volume in VOLUMES.items() if weeks in volume.shares}
    ours, paper, rounded, wrong = [], [], [], []
    for name, volume in volumes.items():
        formula, printed = overwritten_percent(volume, weeks), volume.shares[weeks]
        ours.append(round(value(formula, volume), 1))
        paper.append(float(printed))
        if ours[-1] != paper[-1]:
            (rounded if allows(interval(formula, volume), printed) else wrong).append(name)
    tolerance = "exact"
    if rounded:
        tolerance += f"; {', '.join(rounded)}: inside what the rounding of the printed N, W and A allows"
    return Row(
        f"liu_2012.table_2_{short}",
        f"written sectors overwritten within {words}, at least: {', '.join(volumes)}",
        ours,
        paper,
        "%",
        tolerance,
        not wrong,
        "Table 2, equations 13 to 17",
    )


def _reprogramming() -> list[Row]:
    source = "section 5.2, equation 18"
    rows = []
    for guarantee in GUARANTEES:
        rates = {name: value(reprogramming_bytes_per_s(v, guarantee), v) for name, v in VOLUMES.items()}
        least, most = min(rates, key=rates.__getitem__), max(rates, key=rates.__getitem__)
        for words, name, printed, unit, size in (
            ("least", least, LEAST_REPROGRAMMING, "kB/s", KB),
            ("most", most, MOST_REPROGRAMMING[guarantee], "MB/s", MB),
        ):
            formula = _in_units(reprogramming_bytes_per_s(VOLUMES[name], guarantee), size)
            rows.append(
                _from_amounts(
                    f"liu_2012.{words}_reprogramming_{guarantee}_weeks",
                    f"RR-{guarantee}week: written again, {words} of all workloads ({name})",
                    formula,
                    VOLUMES[name],
                    printed,
                    source,
                    unit,
                )
            )
    return rows


def _in_units(formula: Formula, size: int) -> Formula:
    return lambda n, w, a: formula(n, w, a) / size


def _from_amounts(
    name: str, figure: str, formula: Formula, volume: Volume, printed: str, source: str, unit: str
) -> Row:
    ours, limits = value(formula, volume), interval(formula, volume)
    return Row(
        name,
        figure,
        ours,
        float(printed),
        unit,
        f"what the rounding of the printed N, W and A allows: {_words(limits)}",
        allows(limits, printed),
        source,
    )


def _words(limits: Interval) -> str:
    return f"{limits[0]:.3g} to {limits[1]:.3g}"


def _wear() -> list[Row]:
    source = "section 5.2, Figure 15"
    rows = []
    for guarantee, printed in MOST_EXTRA_WRITES.items():
        bound = most_extra_writes_per_year(guarantee)
        rows.append(
            near(
                f"liu_2012.bound_of_extra_writes_{guarantee}_weeks",
                f"RR-{guarantee}week: extra writes of a cell and year, where the whole disk is written again",
                bound,
                printed,
                source,
                absolute=0.05,
            )
        )
        rows.append(
            at_most(
                f"liu_2012.extra_writes_{guarantee}_weeks",
                f"RR-{guarantee}week: the same, most of all workloads",
                round(max(extra_writes_per_year(volume, guarantee) for volume in VOLUMES.values()), 1),
                printed,
                source,
            )
        )
    tracking = retention_relaxation.tracking_bytes(128 * GB, 2 * MB) / KB
    rows.append(
        exactly(
            "liu_2012.tracking",
            "memory for modes and periods of blocks, SSD of 128 GB with blocks of 2 MB",
            tracking,
            TRACKING_KB,
            "section 5.2",
            unit="kB",
        )
    )
    return rows
