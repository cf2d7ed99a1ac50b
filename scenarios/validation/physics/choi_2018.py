# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Choi 2018: the number of senses of a read if other pages of the wordline are invalid."""

from __future__ import annotations

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row

PUBLISHED = Published(__file__)
CELLS = {"nand.coding": "tlc_124"}
CSB, MSB = 1, 2


def _senses() -> list[Row]:
    tlc = ns.Cells("bare", CELLS)
    qlc = ns.Cells("bare", {"nand.cells.set": "qlc_3d", "nand.coding": "qlc_1248"})

    def before_and_after(cells: ns.Cells, page: int, valid: list[int]) -> list[int]:
        return [cells.senses()[page], cells.senses(valid)[page]]

    return PUBLISHED.rows(
        {
            "tlc": tlc.senses(),
            "tlc_merged_states": [f"S{state + 1}" for state in tlc.merged_states([CSB, MSB])],
            "tlc_csb": before_and_after(tlc, CSB, [CSB, MSB]),
            "tlc_msb": before_and_after(tlc, MSB, [CSB, MSB]),
            "tlc_msb_alone": before_and_after(tlc, MSB, [MSB]),
            "qlc_bit_4": before_and_after(qlc, 3, [2, 3]),
            "qlc_bit_3": before_and_after(qlc, 2, [2, 3]),
        }
    )


STUDIES = {"senses": _senses}
