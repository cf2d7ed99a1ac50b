# SPDX-License-Identifier: Apache-2.0
"""How long the data of a workload must be retained, with bounds computed from the amounts written (Liu, Yang and Wu,
FAST 2012).

>>> ns.retention_relaxation.least_overwritten_share(written=726.3, distinct=313.3, capacity=737.6, periods=7)

In a span T1, a stream writes the amount `written` (N) to a disk of `capacity` (A). Its working set has the size
`distinct` (W), which counts each sector once. All three are in the same unit. Data that are not overwritten within the
guaranteed time are written again. `periods` (k) is the number of spans in the period T2 = k T1. The stream is assumed
to write the same amount to the same number of sectors in each of them. Shares are from 0 to 1 (sections 4 and 5.2).

All functions raise ValueError for numbers out of range.
"""

from math import inf
from typing import SupportsFloat, SupportsIndex

from nandscape.arguments import index, number

SECONDS_PER_YEAR = 365 * 86400.0
MOST_PERIODS = 1 << 53


def overwritten_share(written: SupportsFloat, distinct: SupportsFloat) -> float:
    """Returns the share of the sectors written in a span that are overwritten in the same span: S_T1,T1 = 1 - W / N
    (equation 13).

    All writes to a sector but the last are overwritten. The result is also the share of the writes whose data had to be
    retained for less than the span.
    """
    n, w = _stream(written, distinct)
    return 1 - w / n


def least_overwritten_share(
    written: SupportsFloat, distinct: SupportsFloat, capacity: SupportsFloat, periods: SupportsIndex = 1
) -> float:
    """Returns a lower bound of S_T2,T2, the share of the writes that are overwritten within T2 (equation 17).

    It is the larger of two bounds. One is S_T1,T1 (equation 15), since data that are overwritten within T1 are also
    overwritten within T2. The other is 1 - A / (k N) (equation 16), since the working set of T2 fits on the disk.
    """
    n, w = _stream(written, distinct)
    a, k = _disk(capacity, w), _periods(periods)
    return max(1 - a / (k * n), 1 - w / n)


def reprogramming_bytes_per_s(
    written: SupportsFloat,
    distinct: SupportsFloat,
    capacity: SupportsFloat,
    span_s: SupportsFloat,
    periods: SupportsIndex = 1,
) -> float:
    """Returns an upper bound on the rate, in bytes per second, at which a drive rewrites data that are not overwritten:
    (1 - S_T2,T2) k N / T2 (equation 18).

    Amounts are in bytes. T2 is the period after which the drive checks its data: 1 week if it guarantees a retention of
    2 weeks, 5 weeks if it guarantees 10 weeks. Data that remain from one period are written again during the next
    period.
    """
    share = 1 - least_overwritten_share(written, distinct, capacity, periods)
    k, t1 = _periods(periods), number("span_s", span_s)
    if not 0 < t1 < inf:
        raise ValueError("span_s must be above 0 and finite")
    return share * k * number("written", written) / (k * t1)


def extra_writes_per_year(reprogramming_bytes_per_s: SupportsFloat, capacity_bytes: SupportsFloat) -> float:
    """Returns the number of additional writes of each cell per year. Writes are assumed to wear all cells equally
    (section 5.2, Figure 15)."""
    rate, a = number("reprogramming_bytes_per_s", reprogramming_bytes_per_s), number("capacity_bytes", capacity_bytes)
    if not (0 <= rate < inf and 0 < a < inf):
        raise ValueError("reprogramming_bytes_per_s must be 0 or more, capacity_bytes above 0, and both finite")
    return rate * SECONDS_PER_YEAR / a


def _stream(written: SupportsFloat, distinct: SupportsFloat) -> tuple[float, float]:
    n, w = number("written", written), number("distinct", distinct)
    if not 0 < w <= n < inf:
        raise ValueError("the distinct amount is at most the written one: 0 < distinct <= written")
    return n, w


def _disk(capacity: SupportsFloat, distinct: float) -> float:
    a = number("capacity", capacity)
    if not distinct <= a < inf:
        raise ValueError("a disk holds the working set: capacity >= distinct")
    return a


def _periods(periods: SupportsIndex) -> int:
    k = index("periods", periods, MOST_PERIODS)
    if k == 0:
        raise ValueError("periods is 0; it must be at least 1")
    return k
