# SPDX-License-Identifier: Apache-2.0
"""Compares trends of the cell model with trends that were measured on other chips, to which the cell sets were not
fitted. The trends describe how error rates depend on cycles, age and reads: the direction, the order of magnitude and
the shape of the dependence."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row

PUBLISHED = Published(__file__)
CELLS = {"nand.cells.set": "tlc_3d_48", "nand.coding": "tlc_232"}
HOUR = 1 / 730  # months
DAY = 24 * HOUR
CODINGS = {
    "mlc_planar_72nm": "mlc_12",
    "mlc_planar_15k": "mlc_13",
    "tlc_planar_cai": "tlc_232",
    "tlc_3d_48": "tlc_232",
    "qlc_3d": "qlc_1248",
}
# Cai 2015, Figure 3: the increase of the RBER per read in planar MLC of 2Y nm. The keys are thousands of cycles.
DISTURB_SLOPES = {2: 1.00e-9, 3: 1.63e-9, 4: 2.37e-9, 5: 3.74e-9, 8: 7.50e-9, 10: 9.10e-9, 15: 1.90e-8}
PLANAR_TO_3D = 0.033  # Luo 2018: in 3D NAND, the increase is 96.7 % smaller than in planar NAND
PUBLISHED_READS = 100_000
AGES = {"fresh": 0, "3_hours": 3 * HOUR, "day": DAY, "month": 1, "year": 12}
# Distances in mV between neighbouring retry steps. Each is a quarter longer than the previous one.
UNEVEN_STEPS = [round(25 * 1.25**k, 1) for k in range(12)]


@cache
def cells(name: str) -> ns.Cells:
    return ns.Cells("bare", {"nand.cells.set": name, "nand.coding": CODINGS[name]})


def rber(name: str, pe_cycles: float = 0, months: float = 0, reads: float = 0, retry_step: int = 0) -> float:
    """Returns the raw bit error rate, averaged over the pages of the median wordline."""
    of_set, pages = cells(name), range(cells(name).pages)
    rates = [of_set.rber(page, pe_cycles, months, retry_step=retry_step, block_reads=reads) for page in pages]
    return float(np.mean(rates))


def disturbed(name: str, pe_cycles: float, months: float) -> float:
    """Returns the factor by which PUBLISHED_READS reads multiply the error rate. It is taken at the retry step with the
    fewest errors before the reads, because at the default read levels, read disturb may lift drifted cells back to
    their correct state."""
    steps = range(cells(name).config["nand.cells.read_levels.retry_steps"] + 1)
    best = min(steps, key=lambda step: rber(name, pe_cycles, months, retry_step=step))
    return rber(name, pe_cycles, months, PUBLISHED_READS, best) / rber(name, pe_cycles, months, retry_step=best)


def disturb_slope(name: str, pe_cycles: float, months: float = 0, reads: float = PUBLISHED_READS) -> float:
    """Returns the raw bit error rate that each read of the block adds."""
    return (rber(name, pe_cycles, months, reads) - rber(name, pe_cycles, months)) / reads


def _exponent(name: str, months: float, low: float = 1000, high: float = 10_000) -> float:
    """Returns the exponent n if errors grow in proportion to cycles^n between `low` and `high` cycles."""
    return float(np.log(rber(name, high, months) / rber(name, low, months)) / np.log(high / low))


def _read_disturb() -> list[Row]:
    rows = []
    for name in CODINGS:
        if name == "qlc_3d":
            continue
        share = PLANAR_TO_3D if name == "tlc_3d_48" else 1
        of_3d = f"; {PLANAR_TO_3D:g} of it: Luo 2018" if share < 1 else ""
        ratios = [disturb_slope(name, 1000 * k) / (share * slope) for k, slope in DISTURB_SLOPES.items()]
        furthest = max(ratios, key=lambda ratio: abs(np.log(ratio)))
        rows.append(PUBLISHED.row("disturb_{set}", furthest, set=name, of_3d=of_3d))
    for name in CODINGS:
        # After this number of reads, one in a hundred of the most sensitive cells is disturbed.
        most = 0.01 / disturb_slope(name, 8000) / 10
        ratio = disturb_slope(name, 8000, reads=most) / disturb_slope(name, 8000, reads=most / 100)
        least = min(disturbed(name, 3000, age) for age in (0, 3 * HOUR, DAY, 1, 3, 12))
        rows += PUBLISHED.rows({"disturb_is_linear_{set}": ratio, "disturb_at_every_age_{set}": least}, set=name)
    return rows


def _cycles() -> list[Row]:
    steps = [0, 500, 1000, 2000, 3000, 5000, 10_000]
    rows = [
        PUBLISHED.row("cycles_{set}_{age}", _exponent(name, AGES[age]), set=name, age=age, words=age.replace("_", " "))
        for name in ("tlc_planar_cai", "mlc_planar_72nm")
        for age in ("fresh", "3_hours", "year")
    ]
    for name in CODINGS:
        growth = [
            rber(name, more, age) / rber(name, less, age) for age in AGES.values() for less, more in pairwise(steps)
        ]
        rows.append(PUBLISHED.row("cycles_never_help_{set}", min(growth), set=name))
    return rows


def _age() -> list[Row]:
    def worn(months: float) -> float:
        return rber("tlc_3d_48", 10_000, months)

    hours = worn(3 * HOUR)
    return PUBLISHED.rows(
        {
            "early_loss": hours / worn(0),
            "later_loss": worn(11 * DAY) / hours,
            "loss_slows": np.log(worn(12) / worn(1)) / np.log(worn(3 * DAY) / hours),
            "no_sudden_loss": rber("tlc_planar_cai", 0, 3 * HOUR) / rber("tlc_planar_cai", 0, DAY),
            "year_mlc_planar_15k": rber("mlc_planar_15k", 10_000, 12) / rber("mlc_planar_15k", 10_000),
            "qlc_after_11_days": rber("qlc_3d", 0, 11 * DAY),
        }
    )


def retry_steps(months: float, table: list[float] | None = None) -> float:
    """Returns the mean number of retry steps of worn pages of tlc_3d_48. They are read with their own retry table or,
    if `table` is given, with a table that shifts all levels by the same amount."""
    changes: dict[str, object] = dict(CELLS)
    if table is not None:
        depths = np.cumsum(table)
        changes |= {
            "nand.cells.read_levels.retry_steps": len(table),
            "nand.cells.read_levels.retry_table_mv": [float(depth) for depth in depths for _level in range(7)],
        }
    return ns.Cells("bare", changes).population(3000, months).mean_retry_steps


def _retry_table() -> list[Row]:
    uniform, uneven = (np.diff([retry_steps(age, table) for age in (3, 12)])[0] for table in (None, UNEVEN_STEPS))
    return [PUBLISHED.row("steps_saturate", float(uneven / uniform))]


STUDIES = {"reads": _read_disturb, "cycles": _cycles, "age": _age, "retry_table": _retry_table}
