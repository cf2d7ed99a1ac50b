# SPDX-License-Identifier: Apache-2.0
"""Tests of the cell model of Liu, Yang and Wu (FAST 2012) in `scenarios/validation/physics/relaxed_writes.py`."""

from __future__ import annotations

import math
import sys
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from physics.liu_2012 import ALL_CORNERS, CODES, SPEEDUPS
from physics.relaxed_writes import (
    CORRECTABLE_RBER,
    WEEKS_PER_YEAR,
    ErrorRates,
    FittedCells,
    bch_retention_weeks,
    misplaced,
    write_speedup,
)

WEEK = 1 / WEEKS_PER_YEAR
TYPICAL = FittedCells(ErrorRates())


@pytest.mark.parametrize("case", ALL_CORNERS)
def test_fitted_tails_reproduce_their_error_rates(case):
    rates = ErrorRates(**case)
    cells = FittedCells(rates)
    low, high = misplaced(cells.sigma_low(0), cells.sigma_high)
    assert low == pytest.approx(rates.write_low, rel=1e-6)
    assert high == pytest.approx(rates.write_high, rel=1e-6)
    for years in (0, WEEK, 10 * WEEK, 1):
        assert cells.rber(years, 1) == pytest.approx(rates.after(years), rel=1e-9)
        assert cells.sigma_low(years) < cells.sigma_low(years + WEEK)


def test_data_kept_for_less_than_a_year_are_written_faster():
    assert write_speedup(WEEKS_PER_YEAR) == pytest.approx(1)
    for weeks, published in SPEEDUPS.items():
        assert write_speedup(weeks) == pytest.approx(published, abs=0.02)
    assert write_speedup(2, m=1.08) < write_speedup(2, m=1.33)


def test_retention_falls_with_the_step_and_the_speedup_is_its_inverse():
    before = 2.0
    for ratio in (1 + k / 10 for k in range(15)):
        years = TYPICAL.retention(ratio, CORRECTABLE_RBER)
        assert years < before
        assert TYPICAL.step_ratio(years, CORRECTABLE_RBER) == pytest.approx(ratio, rel=1e-6)
        before = years
    assert TYPICAL.retention(3, CORRECTABLE_RBER) is None, "the write errors alone exceed the correctable rate"


@pytest.mark.parametrize(("case", "weeks"), list(product(ALL_CORNERS, SPEEDUPS)))
def test_speedups_of_the_corner_cases_are_close_to_the_typical_one(case, weeks):
    assert write_speedup(weeks, **case) == pytest.approx(write_speedup(weeks), abs=0.15)


def test_codes_retain_data_of_worse_cells_for_a_shorter_time():
    assert bch_retention_weeks(CORRECTABLE_RBER) == pytest.approx(WEEKS_PER_YEAR)
    for rber, weeks in CODES.items():
        assert bch_retention_weeks(rber) == pytest.approx(weeks, rel=0.05)
    assert bch_retention_weeks(0.2) is None


def test_a_power_law_of_the_tails_variance_approximates_the_fitted_tails():
    """A device cannot calculate its tails numerically at every read. From a week to a year, sigma_low(t)^2 = s0^2 + c^2
    t^m2 is a good approximation of the low tail.
    """
    s0, c, m2 = 0.0940, 0.1275, 0.32

    def law(years):
        return math.sqrt(s0**2 + c**2 * years**m2)

    def within(ratio, years):
        return sum(misplaced(law(years), TYPICAL.sigma_high, ratio)) <= CORRECTABLE_RBER

    for step in range(42):
        years = WEEK * 1.1**step
        if years < 1:
            assert law(years) == pytest.approx(TYPICAL.sigma_low(years), rel=0.002)
    assert within(1, 1)
    for weeks, published in SPEEDUPS.items():
        assert within(published - 0.01, weeks * WEEK)
        assert not within(published + 0.01, weeks * WEEK)


def test_rates_that_no_tails_give_are_refused():
    with pytest.raises(ValueError, match="no value in the range"):
        write_speedup(2, rber_1_year=0.9)
