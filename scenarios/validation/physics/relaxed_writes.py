# SPDX-License-Identifier: Apache-2.0
"""Liu 2012, section 3: the speed of a page write whose data need not be kept for a year.

The raw bit errors of a worn-out block grow with time (equations 7 to 12). Each programmed state has the shape of
equation 5: a flat top as wide as the ISPP step between two half-Gaussian tails. The tails are fitted to the error
rates: the high tail to the errors after writing, the low tail to the errors after each time.

The erased state is excluded. The paper places it only in a figure, and ISPP does not place its cells. They are far from
the lowest level, so they would only add a constant to both sides of every fit. Equation 6 then sums the cells below the
lower level of each programmed state and the cells above the upper level of each programmed state but the highest. If
the erased state had the upper tail of a programmed state, the speedups would be lower by 0.003 at 10 weeks and by 0.015
at 2 weeks. As in the paper, the share of misplaced cells is the RBER.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

WEEKS_PER_YEAR = 365 / 7
CORRECTABLE_RBER = 4.5e-4  # a BCH code that corrects 24 bits in 1080 bytes, at an UBER of 1e-16

# Figure 4, in volts. Each level is midway between states; all states are equally likely.
STATES = 4
PITCH = 1.2
STEP = 0.2  # ISPP
WIDEST = 4 * PITCH  # with wider tails, the state that a cell reads as is almost random


@dataclass(frozen=True)
class ErrorRates:
    """Raw bit error rates by time; the defaults are the paper's typical case.

    `rber_1_year`: the rate after a year, equation 8. `m`: power of time with which errors grow. `c_write`: ratio of
    `rber_1_year` to the rate right after writing. `c_write_high`: share of the write errors above the intended level.
    """

    rber_1_year: float = CORRECTABLE_RBER
    m: float = 1.25
    c_write: float = 300
    c_write_high: float = 0.81

    @property
    def write(self) -> float:
        return self.rber_1_year / self.c_write

    @property
    def write_high(self) -> float:
        return self.write * self.c_write_high

    @property
    def write_low(self) -> float:
        return self.write * (1 - self.c_write_high)

    def after(self, years: float) -> float:
        return self.write + (self.rber_1_year - self.write) * years**self.m


def misplaced(sigma_low: float, sigma_high: float, step_ratio: float = 1) -> tuple[float, float]:
    """Shares of all cells below and above their state's levels, with a step `step_ratio` times as large.

    States keep their centres (equation 5), so a larger step widens them by half on each side.
    """
    half_width = STEP * step_ratio / 2
    density = 1 / (2 * half_width + math.sqrt(math.pi / 2) * (sigma_low + sigma_high))

    def beyond(sigma: float) -> float:
        distance = PITCH / 2 - half_width
        if distance < 0:
            return density * (math.sqrt(math.pi / 2) * sigma - distance)
        if sigma == 0:
            return 0.0
        return density * math.sqrt(math.pi / 2) * sigma * math.erfc(distance / (math.sqrt(2) * sigma))

    return (STATES - 1) / STATES * beyond(sigma_low), (STATES - 2) / STATES * beyond(sigma_high)


class FittedCells:
    """Cells whose tails, in volts, are fitted to error rates. Raises ValueError if no tails give these rates."""

    def __init__(self, rates: ErrorRates) -> None:
        self._rates = rates

        # Both tails of equation 5 share its normalisation, so the search for one contains the search for the other.
        def low_beside(high: float) -> float:
            return _root(lambda low: misplaced(low, high)[0] - rates.write_low, 0, WIDEST)

        self.sigma_high = _root(lambda high: misplaced(low_beside(high), high)[1] - rates.write_high, 0, WIDEST)
        self._sigma_low_written = low_beside(self.sigma_high)

    def sigma_low(self, years: float) -> float:
        """The low tail after this time.

        The sum of both sides' errors is not monotonic: a narrow low tail takes more cells from the high tail than it
        misplaces itself. Among tails wider than just after writing, there is one solution.
        """

        def excess(low: float) -> float:
            return sum(misplaced(low, self.sigma_high)) - self._rates.after(years)

        least = self._sigma_low_written
        return least if excess(least) >= 0 else _root(excess, least, WIDEST)

    def rber(self, years: float, step_ratio: float) -> float:
        return sum(misplaced(self.sigma_low(years), self.sigma_high, step_ratio))

    def retention(self, step_ratio: float, correctable_rber: float) -> float | None:
        """The years, at most 1, for which cells written with this step stay within `correctable_rber`; None if they
        exceed it right after writing."""

        def excess(years: float) -> float:
            return self.rber(years, step_ratio) - correctable_rber

        if excess(0) > 0:
            return None
        return 1.0 if excess(1) <= 0 else _root(excess, 0, 1)

    def step_ratio(self, years: float, correctable_rber: float) -> float:
        """The largest step ratio with which cells stay within `correctable_rber` for this time: the inverse of
        retention(). A larger step takes fewer pulses, so the ratio is the speedup of the write."""
        low = self.sigma_low(years)
        # At the largest ratio, the flat top of a state reaches the levels.
        return _root(lambda ratio: sum(misplaced(low, self.sigma_high, ratio)) - correctable_rber, 0, PITCH / STEP)


_fitted = cache(FittedCells)


def write_speedup(weeks: float, **case: float) -> float:
    """Speedup of writing a page that must be readable for `weeks` instead of a year (Algorithm 1).

    `case`: fields of `ErrorRates`. The ECC corrects `rber_1_year`, so that one year gives 1.
    """
    rates = ErrorRates(**case)
    return _fitted(rates).step_ratio(weeks / WEEKS_PER_YEAR, rates.rber_1_year)


def bch_retention_weeks(rber_1_year: float, correctable_rber: float = CORRECTABLE_RBER, **case: float) -> float | None:
    """The weeks until cells that have `rber_1_year` after a year reach `correctable_rber` (Algorithm 2).

    None if the write errors alone exceed `correctable_rber`.
    """
    rates = ErrorRates(rber_1_year, **case)
    if correctable_rber < rates.write:
        return None
    return ((correctable_rber - rates.write) / (rber_1_year - rates.write)) ** (1 / rates.m) * WEEKS_PER_YEAR


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """The zero of a function that is negative at `low` and positive at `high`, by bisection."""
    if not function(low) <= 0 <= function(high):
        raise ValueError("no value in the range gives the required error rate")
    while low < (middle := (low + high) / 2) < high and high - low > 1e-14 * high:
        low, high = (middle, high) if function(middle) <= 0 else (low, middle)
    return middle
