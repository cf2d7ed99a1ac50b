# SPDX-License-Identifier: Apache-2.0
"""Liu 2012, section 3: how much faster a page can be written if its data need not be retained for a year.

The raw bit errors of a worn block increase with time (equations 7 to 12). The distribution of each programmed state has
the shape of equation 5: a flat top as wide as the ISPP step, between two half-Gaussian tails. The tails are fitted to
error rates: the high tail to the errors just after writing, the low tail to the errors after a given time.

The erased state is excluded. The paper shows its position only in a figure, and ISPP does not place erased cells.
Erased cells are far from the lowest read level, so they would only add a constant to both sides of every fit. Equation
6 then sums the cells below the lower level of each programmed state, and the cells above the upper level of each
programmed state except the highest. If the erased state had the upper tail of a programmed state, the speedups would be
lower by 0.003 at 10 weeks and by 0.015 at 2 weeks. As in the paper, the RBER is the share of misplaced cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

WEEKS_PER_YEAR = 365 / 7
CORRECTABLE_RBER = 4.5e-4  # the rate at which a BCH code that corrects 24 bits in 1080 bytes has a UBER of 1e-16

# The voltages of Figure 4, in volts. Each read level is midway between two states, and all states are equally frequent.
STATES = 4
PITCH = 1.2
STEP = 0.2  # ISPP
WIDEST = 4 * PITCH  # upper limit of the search; with wider tails, cells are read almost as random states


@dataclass(frozen=True)
class ErrorRates:
    """The raw bit error rates of a block by time since the write. The default values are the typical case of the paper.

    `rber_1_year` is the rate after a year (equation 8). The errors grow with the power `m` of time. `c_write` is
    `rber_1_year` divided by the rate just after the write. `c_write_high` is the share of the errors just after the
    write whose cells are above their intended level.
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
    """Returns the shares of all cells that are below and above the levels of their state, if the ISPP step is
    multiplied by `step_ratio`.

    The centres of the states do not move (equation 5), so half of the increase of the step widens a state on each side.
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
    """Cells whose tails are fitted to error rates. Tails are in volts. Raises ValueError if no tails give these error
    rates.
    """

    def __init__(self, rates: ErrorRates) -> None:
        self._rates = rates

        # The two tails of equation 5 have a common normalisation, so each step of the search for the high tail contains
        # a search for the low tail.
        def low_beside(high: float) -> float:
            return _root(lambda low: misplaced(low, high)[0] - rates.write_low, 0, WIDEST)

        self.sigma_high = _root(lambda high: misplaced(low_beside(high), high)[1] - rates.write_high, 0, WIDEST)
        self._sigma_low_written = low_beside(self.sigma_high)

    def sigma_low(self, years: float) -> float:
        """Returns the low tail, in volts, after the given time.

        The sum of the errors on both sides is not monotonic in the low tail. Because of the normalisation, a narrow low
        tail removes more cells from the high tail than it misplaces itself. There is exactly one solution among the
        tails that are wider than just after the write.
        """

        def excess(low: float) -> float:
            return sum(misplaced(low, self.sigma_high)) - self._rates.after(years)

        least = self._sigma_low_written
        return least if excess(least) >= 0 else _root(excess, least, WIDEST)

    def rber(self, years: float, step_ratio: float) -> float:
        return sum(misplaced(self.sigma_low(years), self.sigma_high, step_ratio))

    def retention(self, step_ratio: float, correctable_rber: float) -> float | None:
        """Returns the time in years, at most 1, for which the error rate of cells written with this step stays within
        `correctable_rber`. Returns None if the error rate is higher just after the write."""

        def excess(years: float) -> float:
            return self.rber(years, step_ratio) - correctable_rber

        if excess(0) > 0:
            return None
        return 1.0 if excess(1) <= 0 else _root(excess, 0, 1)

    def step_ratio(self, years: float, correctable_rber: float) -> float:
        """Returns the largest step ratio with which the error rate of cells is at most `correctable_rber` after the
        given time: the inverse function of retention(). The number of ISPP pulses is inversely proportional to the
        step, so this ratio is the speedup of the write."""
        low = self.sigma_low(years)
        # At the upper limit of the search, the flat top of a state is as wide as the distance between two read levels.
        return _root(lambda ratio: sum(misplaced(low, self.sigma_high, ratio)) - correctable_rber, 0, PITCH / STEP)


_fitted = cache(FittedCells)


def write_speedup(weeks: float, **case: float) -> float:
    """Returns the speedup of writing a page that must be readable for `weeks` instead of a year (Algorithm 1).

    `case` sets fields of `ErrorRates`. The ECC is assumed to correct `rber_1_year`, so the speedup for one year is 1.
    """
    rates = ErrorRates(**case)
    return _fitted(rates).step_ratio(weeks / WEEKS_PER_YEAR, rates.rber_1_year)


def bch_retention_weeks(rber_1_year: float, correctable_rber: float = CORRECTABLE_RBER, **case: float) -> float | None:
    """Returns the number of weeks after which cells reach `correctable_rber`, if they have `rber_1_year` after a year
    (Algorithm 2).

    Returns None if the error rate just after the write already exceeds `correctable_rber`.
    """
    rates = ErrorRates(rber_1_year, **case)
    if correctable_rber < rates.write:
        return None
    return ((correctable_rber - rates.write) / (rber_1_year - rates.write)) ** (1 / rates.m) * WEEKS_PER_YEAR


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Returns, by bisection, the zero of a function that is not positive at `low` and not negative at `high`. Raises
    ValueError if the function does not meet this condition.
    """
    if not function(low) <= 0 <= function(high):
        raise ValueError("no value in the range gives the required error rate")
    while low < (middle := (low + high) / 2) < high and high - low > 1e-14 * high:
        low, high = (middle, high) if function(middle) <= 0 else (low, middle)
    return middle
