# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Liu 2012: the speed of page writes and the required strength of codes, by retention
time.
"""

from __future__ import annotations

from itertools import product

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row
from physics.relaxed_writes import CORRECTABLE_RBER, bch_retention_weeks, write_speedup

PUBLISHED = Published(__file__)
CELLS = {"nand.cells.set": "mlc_planar_72nm", "nand.coding": "mlc_12"}
SPEEDUPS = {10: 1.86, 2: 2.33}  # by weeks
CODES = {3.5e-3: 10, 2.2e-2: 2}  # RBER after a year, mapped to weeks of retention
RATED_CYCLES = 10_000  # Figure 2(a)
CORNER_CASES = {"m": (1.08, 1.25, 1.33), "c_write": (150, 300, 450), "c_write_high": (0.62, 0.81, 0.99)}
ALL_CORNERS = [dict(zip(CORNER_CASES, case, strict=True)) for case in product(*CORNER_CASES.values())]
CORNER_REACH = 0.15


def _speedup_of_device(cells: ns.Cells, weeks: float) -> float:
    """Returns the largest speedup of writes with which the ECC still corrects the cells after `weeks`. The speedup is
    the ISPP step divided by the device's default ISPP step."""
    own_step = cells.config["nand.cells.placement.step_mv"]
    low, high = 1.0, 5.0
    while high - low > 1e-4:
        ratio = (low + high) / 2
        errors = cells.state_errors(RATED_CYCLES, weeks * 7 / 365 * 12, step_mv=ratio * own_step)
        low, high = (ratio, high) if errors.sum() / cells.states <= CORRECTABLE_RBER else (low, ratio)
    return low


def _speedups() -> list[Row]:
    device = ns.Cells("bare", CELLS)
    rows = []
    for weeks, published in SPEEDUPS.items():
        corners = [write_speedup(weeks, **case) for case in ALL_CORNERS]
        band = [min(corners), max(corners)]
        rows += PUBLISHED.rows(
            {
                "speedup_{weeks}_weeks": write_speedup(weeks),
                "speedup_{weeks}_weeks_of_set": _speedup_of_device(device, weeks),
            },
            paper=published,
            weeks=weeks,
        )
        rows.append(
            PUBLISHED.row(
                "speedup_{weeks}_weeks_corners",
                band,
                within=published - CORNER_REACH <= band[0] and band[1] <= published + CORNER_REACH,
                weeks=weeks,
                published=published,
                cases=len(corners),
                distance=CORNER_REACH,
            )
        )
    return rows


def _codes() -> list[Row]:
    rows = [PUBLISHED.row("tolerable_rber", ns.tolerable_rber())]
    for rber, weeks in CODES.items():
        ours = bch_retention_weeks(rber) or 0.0
        rows.append(PUBLISHED.row("bch_weeks_at_{rber:g}", ours, paper=weeks, rber=rber))
    return rows


STUDIES = {"speedups": _speedups, "codes": _codes}
