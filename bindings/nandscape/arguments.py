# SPDX-License-Identifier: Apache-2.0
"""Conversion of numeric arguments. An error names the argument and fits on one line."""

from __future__ import annotations

import operator
from typing import Any, SupportsFloat, SupportsIndex

from nandscape.errors import RequestError


def index(name: str, given: SupportsIndex, below: int = 1 << 32) -> int:
    """Returns `given` as an int. Raises TypeError if it is not an integer, ValueError unless 0 <= `given` < `below`."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {_shown(given)}") from None
    if not 0 <= number < below:
        raise ValueError(f"{name} is {_shown(number)}; it must be from 0 to {below - 1}")
    return number


def number(name: str, given: SupportsFloat) -> float:
    """Returns `given` as a float. Raises TypeError if it is not a number, ValueError for NaN or a number too large."""
    try:
        if isinstance(given, (str, bytes, bytearray)):
            raise TypeError
        real = float(given)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {_shown(given)}") from None
    except OverflowError:
        real = float("nan")
    if real != real:
        raise ValueError(f"{name} is NaN or too large for a float")
    return real


def device_number(name: str, given: int, bits: int = 64) -> int:
    """Returns the number of a thing of the drive, or a count. Raises TypeError if it is not an integer, and
    `RequestError` unless 0 <= number < 2^`bits`."""
    number = operator.index(given)
    if number < 0:
        raise RequestError(f"{name} is {number}; it must be 0 or more")
    if number >> bits:
        raise RequestError(f"{name} is too large for any drive: it has at most {bits} bits")
    return number


def _shown(given: Any) -> str:
    if isinstance(given, int) and given.bit_length() > 128:
        return f"an integer of {given.bit_length()} bits"
    text = ascii(given) if not hasattr(given, "shape") else f"an array of shape {given.shape}"
    return text if len(text) <= 60 else text[:60] + "..."
