# SPDX-License-Identifier: Apache-2.0
"""Conversion of times. A tick, the unit of simulated time, is one picosecond."""

import re
from fractions import Fraction
from math import inf
from reprlib import repr as shortened

TICKS_PER_UNIT = {
    "ps": 1,
    "ns": 10**3,
    "us": 10**6,
    "ms": 10**9,
    "s": 10**12,
    "min": 60 * 10**12,
    "h": 3600 * 10**12,
}

# The number of digits is enough for every valid time. Longer numbers are refused, since the conversion of a million
# digits would take a long time.
_TIME = re.compile(r"\s*(\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?)\s*([a-z]+)\s*")


def ticks(time: str | int) -> int:
    """Returns the ticks of a time such as "10ms", "2.5 s" or "1e3us". An int is already a number of ticks and is
    returned unchanged.

    Units are ps, ns, us, ms, s, min and h. Raises ValueError for any other string.
    """
    if isinstance(time, int) and not isinstance(time, bool):
        return time
    match = _TIME.fullmatch(time) if isinstance(time, str) else None
    if match is None or match[2] not in TICKS_PER_UNIT:
        raise ValueError(
            f"{shortened(time)} is not a time: give a number and one of {', '.join(TICKS_PER_UNIT)}, such as '10ms'"
        )
    return round(Fraction(match[1]) * TICKS_PER_UNIT[match[2]])


# Additional units for times that are longer than simulated time can be. A month is a twelfth of a Julian year.
HOURS_PER_UNIT = {"d": 24, "w": 7 * 24, "mo": Fraction("730.5"), "y": 8766}


def hours(time: str) -> float:
    """Returns the hours of a time such as "6mo", "2.5 d" or "12h".

    Units are those of `ticks` and d, w, mo (30.4375 days) and y (365.25 days). Raises ValueError for any other string.
    """
    match = _TIME.fullmatch(time) if isinstance(time, str) else None
    if match is not None and match[2] in HOURS_PER_UNIT:
        return _real(Fraction(match[1]) * HOURS_PER_UNIT[match[2]])
    if match is None or match[2] not in TICKS_PER_UNIT:
        units = ", ".join([*TICKS_PER_UNIT, *HOURS_PER_UNIT])
        raise ValueError(f"{shortened(time)} is not a time: give a number and one of {units}, such as '6mo'")
    return _real(Fraction(match[1]) * TICKS_PER_UNIT[match[2]] / TICKS_PER_UNIT["h"])


def microseconds(number_of_ticks: int) -> float:
    """Converts ticks to microseconds."""
    return number_of_ticks / TICKS_PER_UNIT["us"]


def _real(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return inf
