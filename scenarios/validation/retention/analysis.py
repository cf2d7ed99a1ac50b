# SPDX-License-Identifier: Apache-2.0
"""Sections 4 and 5.2 of the study, from the amounts of its Table 2.

The printed amounts are rounded, so the value of a formula lies in an interval: from the least to the largest value of
all amounts that round to the printed ones. All formulas are monotonic in each amount, so the ends lie at corners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import product

from nandscape import retention_relaxation
from retention.published import GB, GUARANTEES, WEEK_S, Volume

Interval = tuple[float, float]
Formula = Callable[[float, float, float], float]  # of N, W and A in GB


def half_a_digit(printed: str) -> float:
    """The rounding error of a printed number."""
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    return float(Decimal(5).scaleb(exponent - 1))


def interval(formula: Formula, volume: Volume) -> Interval:
    """The values that the rounding of the amounts allows."""
    values = [formula(*amounts) for amounts in _corners(volume)]
    return min(values), max(values)


def allows(limits: Interval, printed: str) -> bool:
    """Whether a value within the limits rounds to the printed one."""
    reach = half_a_digit(printed) + 1e-9
    return limits[0] - reach <= float(printed) <= limits[1] + reach


def value(formula: Formula, volume: Volume) -> float:
    return formula(float(volume.written), float(volume.distinct), float(volume.capacity))


def overwritten_percent(volume: Volume, weeks: float) -> Formula:
    """S after `weeks`, equation 13 or 17."""
    k = volume.periods(weeks)
    if k == 1:
        return lambda n, w, a: 100 * retention_relaxation.overwritten_share(n, w)
    return lambda n, w, a: 100 * retention_relaxation.least_overwritten_share(n, w, a, k)


def reprogramming_bytes_per_s(volume: Volume, guarantee: int) -> Formula:
    """Equation 18."""
    k = volume.periods(GUARANTEES[guarantee])
    return lambda n, w, a: retention_relaxation.reprogramming_bytes_per_s(n * GB, w * GB, a * GB, volume.span_s, k)


def extra_writes_per_year(volume: Volume, guarantee: int) -> float:
    """Figure 15."""
    rate = value(reprogramming_bytes_per_s(volume, guarantee), volume)
    return retention_relaxation.extra_writes_per_year(rate, float(volume.capacity) * GB)


def most_extra_writes_per_year(guarantee: int) -> float:
    return retention_relaxation.most_extra_writes_per_year(GUARANTEES[guarantee] * WEEK_S)


def _corners(volume: Volume) -> Iterator[tuple[float, float, float]]:
    ends = [
        (float(printed) - half_a_digit(printed), float(printed) + half_a_digit(printed))
        for printed in (volume.written, volume.distinct, volume.capacity)
    ]
    yield from product(*ends)
