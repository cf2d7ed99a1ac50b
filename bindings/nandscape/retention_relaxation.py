# SPDX-License-Identifier: Apache-2.0
"""Faster writes of data that need not be kept for a year: the study of Liu, Yang and Wu (FAST 2012).

>>> ns.retention_relaxation.write_speedup(weeks=10)
>>> ns.retention_relaxation.least_overwritten_share(written=726.3, distinct=313.3, capacity=737.6, periods=7)

The model of the cells (section 3): the defaults are the paper's typical case. `rber_1_year`: raw bit error rate after a
year, for data written at the device's own speed. `m`: power of time with which errors grow. `c_write`: `rber_1_year`
over the raw bit error rate right after writing. `c_write_high`: share of the write errors that lie above the intended
level.

The requirements of workloads (sections 4 and 5.2): in its span T1, a stream of writes has an amount `written` (N) and
an amount `distinct` (W, the working set, which counts each sector once), on a disk of `capacity` (A), all in one unit.
Data that are not overwritten within the guarantee are written again. `periods` (k) is the number of spans in the time
in question, T2 = k T1; the stream is assumed to write the same amount to the same number of sectors in each of them.
Shares are from 0 to 1.

All functions raise ValueError for numbers out of range, and for parameters that no cells can have.
"""

from collections.abc import Sequence
from math import inf
from typing import SupportsFloat, SupportsIndex

from nandscape import _core
from nandscape.arguments import index, number

SECONDS_PER_YEAR = 365 * 86400.0
MOST_PERIODS = 1 << 53


def write_speedup(
    weeks: float, m: float = 1.25, c_write: float = 300, c_write_high: float = 0.81, rber_1_year: float = 4.5e-4
) -> float:
    """Speedup of writing a page that must be readable for `weeks` instead of a year (Algorithm 1).

    The ECC corrects `rber_1_year`, so that one year gives 1.
    """
    numbers = {"weeks": weeks, "rber_1_year": rber_1_year, "m": m, "c_write": c_write, "c_write_high": c_write_high}
    return _core.write_speedup(**{name: number(name, given) for name, given in numbers.items()})


def bch_retention_weeks(
    rber_1_year: float, m: float = 1.25, c_write: float = 300, correctable_rber: float = 4.5e-4
) -> float | None:
    """Weeks until cells that have `rber_1_year` after a year reach what the ECC corrects (Algorithm 2).

    None if the write errors alone exceed what the ECC corrects. The default ECC is BCH of 24 bits in 1080 bytes.
    """
    numbers = {"rber_1_year": rber_1_year, "correctable_rber": correctable_rber, "m": m, "c_write": c_write}
    return _core.retention_weeks(**{name: number(name, given) for name, given in numbers.items()})


def tolerable_rber(
    uber: float = 1e-16, *, codeword_bits: int = 8640, user_bits: int = 8192, correctable: int = 24
) -> float:
    """The raw bit error rate at which a code has the uncorrectable bit error rate `uber` (equation 1)."""
    bits = index("codeword_bits", codeword_bits), index("user_bits", user_bits)
    return _core.tolerable_rber(number("uber", uber), *bits, index("correctable", correctable))


def overwritten_share(written: SupportsFloat, distinct: SupportsFloat) -> float:
    """Share of the sectors written in a span that are overwritten in it: S_T1,T1 = 1 - W / N (equation 13).

    All writes to a sector but the last are overwritten. The result is also the share of the writes whose data had to be
    kept for less than the span.
    """
    n, w = _stream(written, distinct)
    return 1 - w / n


def overwritten_share_of_periods(
    written: SupportsFloat, distinct: SupportsFloat, crossing: Sequence[SupportsFloat]
) -> float:
    """S_T1,T2 of k periods: the share of the sectors that are overwritten within T1 (equation 14).

    `crossing`: u_1 to u_k-1; u_i is the amount of the sectors written in period i that are overwritten in the next
    period and within T1. With an empty `crossing` the result is `overwritten_share`; it is never less (equation 15).
    """
    n, w = _stream(written, distinct)
    across = [number("crossing", given) for given in crossing]
    if not all(0 <= u <= w for u in across):
        raise ValueError("a period overwrites at most what the period before wrote: 0 <= crossing <= distinct")
    k = len(across) + 1
    return (k * (n - w) + sum(across)) / (k * n)


def least_overwritten_share(
    written: SupportsFloat, distinct: SupportsFloat, capacity: SupportsFloat, periods: SupportsIndex = 1
) -> float:
    """A lower bound of S_T2,T2, the share of the writes that are overwritten within T2 (equation 17).

    It is the larger of two bounds: S_T1,T1 (equation 15), since data overwritten within T1 are overwritten within T2,
    too; and 1 - A / (k N) (equation 16), since the working set of T2 fits on the disk.
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
    """Upper bound of the rate at which a drive rewrites data that are not overwritten: (1 - S_T2,T2) k N / T2 (equation
    18).

    Amounts are in bytes. T2 is the period after which the drive checks: 1 week if it guarantees 2 weeks, 5 weeks if it
    guarantees 10. Data that remain from one period are written again over the course of the next.
    """
    share = 1 - least_overwritten_share(written, distinct, capacity, periods)
    k, t1 = _periods(periods), number("span_s", span_s)
    if not 0 < t1 < inf:
        raise ValueError("span_s must be above 0 and finite")
    return share * k * number("written", written) / (k * t1)


def extra_writes_per_year(reprogramming_bytes_per_s: SupportsFloat, capacity_bytes: SupportsFloat) -> float:
    """Extra writes of each cell per year, if writes wear all cells alike (section 5.2, Figure 15)."""
    rate, a = number("reprogramming_bytes_per_s", reprogramming_bytes_per_s), number("capacity_bytes", capacity_bytes)
    if not (0 <= rate < inf and 0 < a < inf):
        raise ValueError("reprogramming_bytes_per_s must be 0 or more, capacity_bytes above 0, and both finite")
    return rate * SECONDS_PER_YEAR / a


def most_extra_writes_per_year(period_s: SupportsFloat) -> float:
    """`extra_writes_per_year` if the whole disk is written again in each period T2 (section 5.2): 52.1 for a week."""
    t2 = number("period_s", period_s)
    if not 0 < t2 < inf:
        raise ValueError("period_s must be above 0 and finite")
    return SECONDS_PER_YEAR / t2


def tracking_bytes(flash_bytes: SupportsIndex, block_bytes: SupportsIndex) -> float:
    """Extra memory of the drive in bytes (section 5.2): for each block a bit for its mode and one for its period."""
    flash, block = index("flash_bytes", flash_bytes, 1 << 64), index("block_bytes", block_bytes, 1 << 64)
    if block == 0:
        raise ValueError("block_bytes is 0; it must be at least 1")
    return flash / block * 2 / 8


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
