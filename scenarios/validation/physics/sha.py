# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Sha et al.: the errors of each state by ISPP step, and tPROG by ISPP step."""

from __future__ import annotations

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row

PUBLISHED = Published(__file__)
CELLS = {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"}
PROGRAM_US = {300: 200, 380: 157, 460: 130, 540: 111, 600: 100, 680: 88.2}  # tPROG by ISPP step in mV, from Table II
WORN = {"pe_cycles": 15000, "months": 12}
MUCH_GREATER = 4  # our interpretation of the paper's sign >>, as a factor


def _state_errors() -> list[Row]:
    cells = ns.Cells("bare", CELLS)
    rows = []
    for step_mv in PROGRAM_US:
        (_, right_11), (_, right_10), (left_01, right_01), (left_00, _) = cells.state_errors(**WORN, step_mv=step_mv)
        ours = [left_00, left_01 + right_01, right_11, right_10]
        within = bool(ours[0] > ours[1] > MUCH_GREATER * right_11 and right_11 > right_10)
        rows.append(PUBLISHED.row("order_at_{step_mv}_mv", ours, within=within, step_mv=step_mv, much=MUCH_GREATER))
    return rows


def _program_latency() -> list[Row]:
    cells = ns.Cells("bare", CELLS)
    return [
        PUBLISHED.row("program_us_at_{step_mv}_mv", cells.program(step_mv).latency_us, paper=published, step_mv=step_mv)
        for step_mv, published in PROGRAM_US.items()
    ]


STUDIES = {"order": _state_errors, "latency": _program_latency}
