# SPDX-License-Identifier: Apache-2.0
"""Writing faster what need not be kept for a year: the study of Liu, Yang and Wu (FAST 2012).

>>> ns.retention_relaxation.write_speedup(weeks=10)
>>> ns.retention_relaxation.least_overwritten_share(written=726.3, distinct=313.3, capacity=737.6, periods=7)

The model of the cells (section 3): the defaults are the paper's typical case. `rber_1_year`: raw bit error rate after a
year at the device's own speed. `m`: power of time with which errors grow. `c_write`: that rate over the one right after
writing. `c_write_high`: share of the errors of writing that lie above the intended level.

What workloads require (sections 4 and 5.2): a stream of writes has a `written` amount (N) and a `distinct` one (W, the
working set: each sector once) in its span T1, on a disk of some `capacity` (A), all in one unit. Data that are not
overwritten within the guarantee are written again. `periods` (k) is how many spans make up the time that is asked for,
T2 = k T1; in each of them the stream is taken to write as much to as many sectors. Shares are from 0 to 1.

All functions raise ValueError for numbers out of their range, and where no cells behave as the numbers say.
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
    """How much faster a page is written that needs to be read for `weeks` only, not for a year (Algorithm 1).

    The ECC corrects `rber_1_year`, so that one year gives 1.
    """
    numbers = {"weeks": weeks, "rber_1_year": rber_1_year, "m": m, "c_write": c_write, "c_write_high": c_write_high}
    return _core.write_speedup(**{name: number(name, given) for name, given in numbers.items()})


def bch_retention_weeks(
    rber_1_year: float, m: float = 1.25, c_write: float = 300, correctable_rber: float = 4.5e-4
) -> float | None:
    """Weeks until cells that have `rber_1_year` after a year reach what the ECC corrects (Algorithm 2).

    None when the errors of writing are too many already. The default ECC is BCH of 24 bits in 1080 bytes.
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
    """Of the sectors written in a span, those that are overwritten in it: S_T1,T1 = 1 - W / N (equation 13).

    Of the writes to a sector all but the last one are. It is the share of the writes whose data had to be kept for less
    than the span.
    """
    n, w = _stream(written, distinct)
    return 1 - w / n


def overwritten_share_of_periods(
    written: SupportsFloat, distinct: SupportsFloat, crossing: Sequence[SupportsFloat]
) -> float:
    """S_T1,T2 of k periods: the sectors that are overwritten within T1 (equation 14).

    `crossing`: u_1 to u_k-1, of the sectors written in a period how many are overwritten in the next one and within T1.
    With none of them it is `overwritten_share`, of which it is at least as much (equation 15).
    """
    n, w = _stream(written, distinct)
    across = [number("crossing", given) for given in crossing]
    if not all(0 <= u <= w for u in across):
        raise ValueError("of a period no more sectors are overwritten in the next one than it has written, distinct")
    k = len(across) + 1
    return (k * (n - w) + sum(across)) / (k * n)


def least_overwritten_share(
    written: SupportsFloat, distinct: SupportsFloat, capacity: SupportsFloat, periods: SupportsIndex = 1
) -> float:
    """A lower bound of S_T2,T2, the share of the writes that are overwritten within T2 (equation 17).

    The larger one of S_T1,T1 (equation 15), since what is overwritten within T1 is within T2, too; and 1 - A / (k N)
    (equation 16), since the working set of T2 has room on the disk.
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
    """What is written again because nothing has overwritten it, at most: (1 - S_T2,T2) k N / T2 (equation 18).

    Amounts are in bytes. T2 is the period after which the drive checks: 1 week where it guarantees 2 weeks, 5 where it
    guarantees 10. What one period has left is written again throughout the next one.
    """
    share = 1 - least_overwritten_share(written, distinct, capacity, periods)
    k, t1 = _periods(periods), number("span_s", span_s)
    if not 0 < t1 < inf:
        raise ValueError("a trace spans some time")
    return share * k * number("written", written) / (k * t1)


def extra_writes_per_year(reprogramming_bytes_per_s: SupportsFloat, capacity_bytes: SupportsFloat) -> float:
    """How often a year each cell is written again, where writes wear all cells alike (section 5.2, Figure 15)."""
    rate, a = number("reprogramming_bytes_per_s", reprogramming_bytes_per_s), number("capacity_bytes", capacity_bytes)
    if not (0 <= rate < inf and 0 < a < inf):
        raise ValueError("a rate is 0 or more, and a disk holds some bytes")
    return rate * SECONDS_PER_YEAR / a


def most_extra_writes_per_year(period_s: SupportsFloat) -> float:
    """The same where the whole disk is written again in each period T2 (section 5.2): 52.1 for a week."""
    t2 = number("period_s", period_s)
    if not 0 < t2 < inf:
        raise ValueError("a period takes some time")
    return SECONDS_PER_YEAR / t2


def tracking_bytes(flash_bytes: SupportsIndex, block_bytes: SupportsIndex) -> float:
    """Memory that the drive needs besides (section 5.2): for each block a bit for its mode and one for its period."""
    flash, block = index("flash_bytes", flash_bytes, 1 << 64), index("block_bytes", block_bytes, 1 << 64)
    if block == 0:
        raise ValueError("a block holds some bytes")
    return flash / block * 2 / 8


def _stream(written: SupportsFloat, distinct: SupportsFloat) -> tuple[float, float]:
    n, w = number("written", written), number("distinct", distinct)
    if not 0 < w <= n < inf:
        raise ValueError("of what is written, all or a part is distinct: 0 < distinct <= written")
    return n, w


def _disk(capacity: SupportsFloat, distinct: float) -> float:
    a = number("capacity", capacity)
    if not distinct <= a < inf:
        raise ValueError("a disk holds the working set: capacity >= distinct")
    return a


def _periods(periods: SupportsIndex) -> int:
    k = index("periods", periods, MOST_PERIODS)
    if k == 0:
        raise ValueError("periods is 0; there is at least one")
    return k
