# SPDX-License-Identifier: Apache-2.0
"""Simulated time: a tick is a picosecond."""

import re
from fractions import Fraction

TICKS_PER_UNIT = {
    "ps": 1,
    "ns": 10**3,
    "us": 10**6,
    "ms": 10**9,
    "s": 10**12,
    "min": 60 * 10**12,
    "h": 3600 * 10**12,
}

_TIME = re.compile(r"\s*(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*([a-z]+)\s*")


def ticks(time: str | int) -> int:
    """Ticks of a time such as "10ms", "2.5 s" or "1e3us"; an int is a number of ticks already.

    Units are ps, ns, us, ms, s, min and h. Raises ValueError for anything else.
    """
    if isinstance(time, int):
        return time
    match = _TIME.fullmatch(time)
    if match is None or match[2] not in TICKS_PER_UNIT:
        raise ValueError(f"{time!r} is no time: give a number and one of {', '.join(TICKS_PER_UNIT)}, such as '10ms'")
    return round(Fraction(match[1]) * TICKS_PER_UNIT[match[2]])


def microseconds(number_of_ticks: int) -> float:
    """Microseconds of a number of ticks."""
    return number_of_ticks / TICKS_PER_UNIT["us"]
