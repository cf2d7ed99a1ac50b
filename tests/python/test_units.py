# SPDX-License-Identifier: Apache-2.0
"""Simulated time as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nandscape.units import TICKS_PER_UNIT, ticks


@pytest.mark.parametrize(
    ("text", "expected"),
    [("10ms", 10**10), ("2.5 s", 25 * 10**11), ("1e3us", 10**9), ("0.1ns", 100), ("1h", 36 * 10**14), (7, 7)],
)
def test_times(text, expected):
    assert ticks(text) == expected


@given(st.integers(0, 2**63), st.sampled_from(sorted(TICKS_PER_UNIT)))
def test_whole_numbers_are_exact_in_every_unit(number, unit):
    assert ticks(f"{number}{unit}") == number * TICKS_PER_UNIT[unit]


@given(st.integers(0, 10**18))
def test_a_tick_survives_as_seconds_with_all_its_digits(number):
    assert ticks(f"{number // 10**12}.{number % 10**12:012}s") == number


@pytest.mark.parametrize("text", ["", "10", "ms", "-1ms", "10 parsec", "1e", "1 ms 2"])
def test_invalid_times_are_refused(text):
    with pytest.raises(ValueError, match="is not a time"):
        ticks(text)
