# SPDX-License-Identifier: Apache-2.0
"""Computes the endurance and retention of a drive: the largest number of cycles, and the longest time, after which its
code and its read recovery can still correct its data.

A page is readable if its raw bit error rate, at the best step of the retry table, is low enough for the code to reach
the UBER of enterprise drives [JESD218]. If the drive's recovery has soft reads, they are used. The result is that of
the worst page of a median wordline in the worst layer; wordlines that are worse by chance are not considered. All
values are closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import nandscape as ns
from compared.drives import YEAR_DAYS, Drive, Storage

UBER = 1e-16
MOST_CYCLES = 1e6  # upper limit of the search, above any rating
LONGEST_MONTHS = 1200.0
COARSE_STEPS = 8
NOT_READABLE = 0.5
BOLTZMANN_EV = 8.617333e-5
HARD, SOFT = 1, 7  # sensing levels


@dataclass(frozen=True)
class Borne:
    """The raw bit error rate at which a code reaches the UBER, with 95 % confidence bounds from the table of the code.
    For a BCH code the bounds equal the rate, since its UBER is calculated exactly. `decades` is the number of decades
    by which the UBER is extrapolated below the measured range."""

    rber: float
    low: float
    high: float
    decades: float


class Keeping:
    """Calculates the retention of a drive from its cells and its code."""

    def __init__(self, drive: Drive) -> None:
        self._cells = ns.Cells(drive.config)
        self._config = drive.config
        self._steps = drive.config["nand.cells.read_levels.retry_steps"]

    def months(self, storage: Storage) -> float:
        """Returns the equivalent storage time at 30 °C in months, by the law of Arrhenius."""
        energy_ev = self._config["nand.cells.retention.activation_energy_ev"]
        faster = math.exp(energy_ev / BOLTZMANN_EV * (1 / 303.15 - 1 / (273.15 + storage.temperature_c)))
        return 12 * storage.days / YEAR_DAYS * faster

    @property
    def wears(self) -> bool:
        """Whether the error rate of these cells depends on their cycles."""
        return self.rber(0, 12) != self.rber(10_000, 12)

    @property
    def limits(self) -> dict[int, float]:
        """The raw bit error rates at which the code reaches the UBER, by the number of sensing levels: HARD, and also
        SOFT if the read recovery has soft reads."""
        return {levels: borne.rber for levels, borne in self.borne.items()}

    @cached_property
    def borne(self) -> dict[int, Borne]:
        """The rates of `limits`, with their confidence bounds."""
        ecc, policy = self._config["ecc"], self._config["controller.read_retry.policy"]
        payload = ecc["codeword_bytes"]
        if ecc["codec"] == "bch":
            t = ecc["correctable_bits"]
            bits = ns.Code(f"bch_{payload}_{t}").codeword_bits
            code = {"codeword_bits": bits, "user_bits": 8 * payload, "correctable": t}
            exact = ns.tolerable_rber(UBER, **code)
            return {HARD: Borne(exact, exact, exact, 0)}
        table = ns.code_table(f"ldpc_{payload}_{ecc['ldpc_parity_bytes']}")
        levels = (HARD, SOFT) if policy == "recovery_flow" else (HARD,)
        return {each: _borne(table, each) for each in levels}

    @property
    def most_borne(self) -> Borne:
        """The highest raw bit error rate at which data can be read, with all means of the read recovery."""
        return max(self.borne.values(), key=lambda borne: borne.rber)

    @property
    def limit(self) -> float:
        return self.most_borne.rber

    def rber(self, cycles: float, months: float) -> float:
        """Returns the raw bit error rate of the worst page, at its best step of the retry table."""
        try:
            return max(self._least(page, cycles, months) for page in range(self._cells.pages))
        except ValueError:
            return NOT_READABLE  # the drift exceeds the voltage window

    def cycles(self, storage: Storage, limit: float | None = None) -> float:
        """Returns the largest number of cycles after which the drive can still read its data after `storage`. Returns 0
        if fresh cells fail, and MOST_CYCLES if the cells do not fail before."""
        months = self.months(storage)
        return _last(lambda cycles: self.rber(cycles, months), limit or self.limit, 1.0, MOST_CYCLES)

    def longest_months(self, cycles: float) -> float:
        """Returns the longest time, in months at 30 °C, for which data are readable after `cycles`; at most
        LONGEST_MONTHS.
        """
        return _last(lambda months: self.rber(cycles, months), self.limit, 1e-3, LONGEST_MONTHS)

    def _least(self, page: int, cycles: float, months: float) -> float:
        def at(step: int) -> float:
            return self._cells.rber(page, cycles, months, retry_step=step, layer=self._worst_layer)

        coarse = range(0, self._steps + 1, COARSE_STEPS)
        best = min(coarse, key=at)
        fine = range(max(best - COARSE_STEPS + 1, 0), min(best + COARSE_STEPS - 1, self._steps) + 1)
        return min(at(step) for step in fine)

    @cached_property
    def _worst_layer(self) -> int | None:
        layers = self._config["nand.cells.variation.layers"]
        if layers == 1:
            return None
        return int(np.argmax([self._cells.rber(0, layer=layer, pe_cycles=1000) for layer in range(layers)]))


def _borne(table: ns.CodeTable, levels: int) -> Borne:
    rber = table.rber_at_uber(UBER, levels)
    low, high = table.rber_bounds_at_uber(UBER, levels)
    return Borne(float(rber), float(low), float(high), float(table.extrapolated_decades(rber, levels)))


def _last(rber: Callable[[float], float], limit: float, low: float, high: float) -> float:
    """Returns the largest argument from `low` to `high` for which `rber` is at most `limit`, or 0 if there is none.
    `rber` must be an increasing function.
    """
    if rber(low) > limit:
        return 0.0
    if rber(high) <= limit:
        return high
    while high / low > 1.002:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if rber(middle) <= limit else (low, middle)
    return low
