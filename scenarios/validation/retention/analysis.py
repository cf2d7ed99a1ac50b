# SPDX-License-Identifier: Apache-2.0
"""The rows of sections 3 to 5 of Liu, Yang and Wu that need no drive: the model of the cells, Table 2, and the cost of
reprogramming.

The printed amounts of data are rounded, so a formula that uses them has an interval of possible values. This interval
reaches from the smallest to the largest value for amounts that round to the printed ones. All formulas are monotonic in
each amount, so the extreme amounts give the ends of the interval. A result that follows from the amounts must equal the
printed one or lie in this interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import product

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row
from nandscape import retention_relaxation
from physics.liu_2012 import CODES, SPEEDUPS
from physics.relaxed_writes import CORRECTABLE_RBER, bch_retention_weeks, write_speedup
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
    WEEK_S,
    Volume,
)
from retention.traces import overwritten_within

PUBLISHED = Published(__file__)
PERIODS = {DAY: ("1d", "a day"), 1: ("1w", "a week"), 5: ("5w", "5 weeks")}
YEAR_S = 365 * 86400.0
TRACKING_BITS = 2  # two bits for each block store its write mode and its period (section 5.2)
Interval = tuple[float, float]
Formula = Callable[[float, float, float], float]  # calculates a value from N, W and A of Table 2 in GB


def half_a_digit(printed: str) -> float:
    """Returns the largest rounding error of a printed number: half a unit of its last digit."""
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    return float(Decimal(5).scaleb(exponent - 1))


def interval(formula: Formula, volume: Volume) -> Interval:
    """Returns the smallest and the largest value of the formula for amounts that round to the printed ones."""
    ends = [
        (float(printed) - half_a_digit(printed), float(printed) + half_a_digit(printed))
        for printed in (volume.written, volume.distinct, volume.capacity)
    ]
    values = [formula(*amounts) for amounts in product(*ends)]
    return min(values), max(values)


def allows(limits: Interval, printed: str) -> bool:
    """Returns whether any value within the limits rounds to the printed number."""
    reach = half_a_digit(printed) + 1e-9
    return limits[0] - reach <= float(printed) <= limits[1] + reach


def value(formula: Formula, volume: Volume) -> float:
    return formula(float(volume.written), float(volume.distinct), float(volume.capacity))


def overwritten_percent(volume: Volume, weeks: float) -> Formula:
    """Returns the formula for the share S of data that are overwritten after `weeks`, in percent: equation 13 or 17."""
    k = volume.periods(weeks)
    if k == 1:
        return lambda n, w, a: 100 * retention_relaxation.overwritten_share(n, w)
    return lambda n, w, a: 100 * retention_relaxation.least_overwritten_share(n, w, a, k)


def reprogramming_bytes_per_s(volume: Volume, guarantee: int) -> Formula:
    """Returns the formula for the rate of reprogramming, equation 18."""
    k = volume.periods(GUARANTEES[guarantee])
    return lambda n, w, a: retention_relaxation.reprogramming_bytes_per_s(n * GB, w * GB, a * GB, volume.span_s, k)


def extra_writes_per_year(volume: Volume, guarantee: int) -> float:
    """Returns the number of additional writes of each cell per year that reprogramming causes (Figure 15)."""
    rate = value(reprogramming_bytes_per_s(volume, guarantee), volume)
    return retention_relaxation.extra_writes_per_year(rate, float(volume.capacity) * GB)


def most_extra_writes_per_year(guarantee: int) -> float:
    """Returns the number of additional writes of each cell per year if the whole disk is reprogrammed in each period
    (section 5.2).
    """
    return YEAR_S / (GUARANTEES[guarantee] * WEEK_S)


def rows(required: Mapping[str, ns.RetentionRequirements]) -> list[Row]:
    """Returns all rows of this file. `required` holds the retention requirements of the traces in Figure 9."""
    return [*_model(), *_traces(required), *_projection(), *_reprogramming(), *_wear()]


def _model() -> list[Row]:
    return [
        *(
            PUBLISHED.row("page_write_{weeks}_weeks", write_speedup(weeks), paper=published, weeks=weeks)
            for weeks, published in SPEEDUPS.items()
        ),
        *(
            PUBLISHED.row(
                "code_{weeks}_weeks",
                bch_retention_weeks(rber, correctable_rber=CORRECTABLE_RBER) or 0.0,
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
    week = [value(overwritten_percent(volume, 1), volume) for name, volume in VOLUMES.items() if name != "proj_2"]
    return [*(_column(weeks) for weeks in PERIODS), PUBLISHED.row("within_a_week", week)]


def _column(weeks: float) -> Row:
    """Returns the row of a column of Table 2. Each value must follow from the printed amounts, or from amounts that
    round to the printed ones.
    """
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
    rows = []
    for guarantee in GUARANTEES:
        rows.append(_extreme("least", guarantee, LEAST_REPROGRAMMING, KB, "kB/s"))
        rows.append(_extreme("most", guarantee, MOST_REPROGRAMMING[guarantee], MB, "MB/s"))
    return rows


def _extreme(extreme: str, guarantee: int, printed: str, size: int, unit: str) -> Row:
    """Returns the row of the workload with the lowest or the highest rate of reprogramming."""
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
    tracking = TRACKING_BITS / 8 * (128 * GB) / (2 * MB)
    return [*rows, PUBLISHED.row("tracking", tracking / KB)]
