# SPDX-License-Identifier: Apache-2.0
"""Types of the numbers that commands take, for `add_argument(type=...)`. Their errors say what would be right."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TypeVar

N = TypeVar("N", int, float)


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Returns the type of whole numbers from `least` to `most`."""

    def parse(text: str) -> int:
        value = int(text) if text.strip().removeprefix("-").isdecimal() and len(text) <= 20 else None
        if value is None or value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number {_range(least, most)}")
        return value

    return parse


def real(low: float, high: float, ends: bool = True) -> Callable[[str], float]:
    """Returns the type of numbers from `low` to `high`; `ends`: whether these two are allowed."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (low <= value <= high if ends else low < value < high):
            allowed = _range(low, high) if ends else f"between {low:g} and {high:g}"
            raise argparse.ArgumentTypeError(f"'{text}' is not a number {allowed}")
        return value

    return parse


def several(one: Callable[[str], N]) -> Callable[[str], list[N]]:
    """Returns the type of lists such as 0,1000,3000, in ascending order without duplicates."""
    return lambda text: sorted({one(part) for part in text.split(",")})


def _range(low: float, high: float | None) -> str:
    return f"from {low:,.13g} to {high:,.13g}" if high is not None else f"of at least {low:,.13g}"
