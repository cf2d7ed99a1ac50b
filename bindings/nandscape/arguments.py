# SPDX-License-Identifier: Apache-2.0
"""Numbers that a caller gives: converted, or refused in one line that names the argument."""

from __future__ import annotations

import operator
from typing import Any, SupportsFloat, SupportsIndex


def index(name: str, given: SupportsIndex, below: int = 1 << 32) -> int:
    """A whole number from 0 to below `below`. Raises TypeError for what is none, ValueError for one out of range."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {_shown(given)}") from None
    if not 0 <= number < below:
        raise ValueError(f"{name} is {_shown(number)}; it counts from 0 to {below - 1}")
    return number


def number(name: str, given: SupportsFloat) -> float:
    """A real number. Raises TypeError for what is none, ValueError for NaN and for one that no float holds."""
    try:
        if isinstance(given, (str, bytes, bytearray)):
            raise TypeError
        real = float(given)
    except TypeError:
        raise TypeError(f"{name} is a number, not {_shown(given)}") from None
    except OverflowError:
        real = float("nan")
    if real != real:
        raise ValueError(f"{name} is no number that a float holds")
    return real


def _shown(given: Any) -> str:
    if isinstance(given, int) and given.bit_length() > 128:
        return f"an integer of {given.bit_length()} bits"
    text = ascii(given) if not hasattr(given, "shape") else f"an array of shape {given.shape}"
    return text if len(text) <= 60 else text[:60] + "..."
