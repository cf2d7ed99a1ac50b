#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""At what age do reads begin to need retries, by cell type and storage temperature?

The study finds the age at which a tenth of the page reads are retried. The cells are worn (500 cycles), and all use the
same code: it corrects 72 errors in a codeword of 9,216 bits, and a page has 16 codewords.

Expectation. If only the worst of the three pages of a TLC wordline is retried, a tenth of all reads are retried when
30 % of its reads are. Then 2.2 % of its codewords have more than 72 errors. This takes 57 errors on average (Poisson),
a raw bit error rate of 6.2e-3. `Cells.rber` gives the share of pages on median wordlines that need a retry at an age.
It is a tenth after 16 hours for `tlc_3d_48` at 30 °C, and after 380 days for `qlc_3d`, whose read levels follow the
drift. Cells with one or two bits do not reach it in ten years; the table then shows a dash. Heat shortens every age by
the law of Arrhenius, exp(1.1 eV/k (1/303 K - 1/T)): by a factor of 3.8 at 40 °C, 25 at 55 °C and 135 at 70 °C. The
measured age comes from all wordlines, not only from median ones, so it may differ by a tenth.

To fork: add your cell set to SETS (`platform/cells`), or change the wear (`--set nand.condition.pe_cycles=0`) and the
code (`--set ecc.correctable_bits=100`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from study import Study, leave

import nandscape as ns

AGE, HEAT = "nand.condition.retention_days", "nand.condition.storage_temperature_c"
SETS = {
    "slc_3d": "slc",
    "mlc_planar_72nm": "mlc_12",
    "tlc_planar_cai": "tlc_124",
    "tlc_3d_48": "tlc_232",
    "qlc_3d": "qlc_1248",
}
TEMPERATURES = [25, 30, 40, 55, 70]
CHANGES = {"simulation.cells": "statistical", "nand.condition.pe_cycles": 500, "simulation.request_log": False}
MOST_DAYS = 3650.0
DAYS_OF_MONTH = 365 / 12
SHARE = 0.1
KELVIN, BOLTZMANN_EV = 273.15, 8.617e-5


def retried_share(drive: ns.Config, cells: ns.Cells, days: float) -> float:
    """Returns the share of pages that need a retry after `days` at 30 °C, on median wordlines of eight layers."""
    most, data = drive["ecc.correctable_bits"], drive["ecc.codeword_bytes"]
    bits, codewords = 8 * data * 1.125, drive["nand.geometry.page_bytes"] / data
    worn, months = drive["nand.condition.pe_cycles"], days / DAYS_OF_MONTH
    layers = {int(layer) for layer in np.linspace(0, drive["nand.cells.variation.layers"] - 1, 8)}
    shares = []
    for page, layer in itertools.product(range(cells.pages), layers):
        mean = max(bits * cells.rber(page, worn, months, layer=layer), 1e-12)
        fails = 0.5 * math.erfc((most + 0.5 - mean) / math.sqrt(2 * mean))
        shares.append(1 - (1 - fails) ** codewords)
    return sum(shares) / len(shares)


def expected_days(drive: ns.Config) -> float:
    """Returns the age at 30 °C, in days, at which SHARE of the pages need a retry; NaN if above MOST_DAYS."""
    cells = ns.Cells(drive)
    low, high = 1e-4, MOST_DAYS
    if retried_share(drive, cells, high) < SHARE:
        return math.nan
    for _ in range(40):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if retried_share(drive, cells, middle) > SHARE else (middle, high)
    return high


def acceleration(drive: ns.Config, celsius: float) -> float:
    """Returns the rate of charge loss at `celsius`, divided by the rate at 30 °C."""
    energy = drive["nand.cells.retention.activation_energy_ev"]
    return math.exp(energy / BOLTZMANN_EV * (1 / (30 + KELVIN) - 1 / (celsius + KELVIN)))


def measured_days(study: Study, drive: ns.Config, around: float, celsius: float) -> float:
    """Returns the measured age, in days, at which SHARE of the reads are retried; NaN outside the simulated ages."""
    ages = around * np.geomspace(0.4, 2.5, 5)
    metrics = {"retried": "controller.read_retry.retried_reads", "reads": "host.read.count"}
    found = study.sweep(drive.override({HEAT: celsius}), {AGE: ages.tolist()}, metrics, runs=1 if study.quick else 2)
    share = found["retried"] / found["reads"]
    return float(np.exp(np.interp(SHARE, share, np.log(ages), left=math.nan, right=math.nan)))


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    reads = ns.synthetic(read_percent=100, block_bytes=16384, queue_depth=16, requests=500 if study.quick else 1500)
    rows = []
    for name, coding in list(SETS.items())[::3] if study.quick else SETS.items():
        drive = study.load({"nand.cells.set": name, "nand.coding": coding} | CHANGES, reads)
        at_30 = expected_days(drive)
        for celsius in TEMPERATURES[1::2] if study.quick else TEMPERATURES:
            expected = at_30 / acceleration(drive, celsius)
            days = math.nan if math.isnan(expected) else measured_days(study, drive, expected, celsius)
            rows.append({"set": name, "temperature_c": celsius, "days": days, "expected_days": expected})
    table = pd.DataFrame(rows)

    (panel,) = study.axes(("temperature of storage [°C]", f"age at which {SHARE:.0%} of the reads are retried [days]"))
    for number, (name, of) in enumerate(table.dropna().groupby("set", sort=False)):
        panel.plot(
            of["temperature_c"], of["expected_days"], "--", color=f"C{number}", label=None if number else "expected"
        )
        panel.plot(of["temperature_c"], of["days"], "o", color=f"C{number}", label=name)
    for name in table.loc[table["expected_days"].isna(), "set"].unique():
        panel.plot([], [], " ", label=f"{name}: more than {MOST_DAYS / 365:.0f} years")
    panel.set(yscale="log", ylim=(None, 1e6))  # room for the legend
    columns = {
        "set": ("cells", ""),
        "temperature_c": ("°C", "d"),
        "days": (f"days until {SHARE:.0%} are retried", ",.3g"),
    }
    study.write(table, columns | {"expected_days": ("expected", ",.3g")}, panel)


if __name__ == "__main__":
    leave(main)
