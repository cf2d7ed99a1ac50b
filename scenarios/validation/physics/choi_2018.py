# SPDX-License-Identifier: Apache-2.0
"""W. Choi, M. Jung, M. Kandemir, "Invalid Data-Aware Coding to Enhance the Read Performance of High-Density Flash
Memories" (MICRO 2018)."""

from __future__ import annotations

from dataclasses import replace

import nandscape as ns
from physics.rows import Row, Study, exactly


def _senses(_quick: bool) -> list[Row]:
    tlc = ns.Cells("bare", {"nand.coding": "tlc_124"})
    qlc = ns.Cells("bare", {"nand.cells.set": "qlc_3d", "nand.coding": "qlc_1248"})
    csb, msb = 1, 2
    name, figure = "choi_2018", "senses of a read"

    def before_and_after(cells: ns.Cells, page: int, valid: list[int]) -> list[int]:
        return [cells.senses()[page], cells.senses(valid)[page]]

    return [
        replace(
            exactly(f"{name}.tlc", f"{figure}, TLC: LSB, CSB, MSB", tlc.senses(), [1, 2, 4], "Figure 2"),
            by_construction="the coding is defined by these numbers",
        ),
        exactly(
            f"{name}.tlc_merged_states",
            "TLC, LSB invalid: states to which S1 to S8 move",
            [f"S{state + 1}" for state in tlc.merged_states([csb, msb])],
            ["S8", "S7", "S6", "S5", "S5", "S6", "S7", "S8"],
            "Figure 5",
        ),
        exactly(
            f"{name}.tlc_csb",
            f"{figure}, TLC, LSB invalid: CSB before, after",
            before_and_after(tlc, csb, [csb, msb]),
            [2, 1],
            "Figure 5",
        ),
        exactly(
            f"{name}.tlc_msb",
            f"{figure}, TLC, LSB invalid: MSB before, after",
            before_and_after(tlc, msb, [csb, msb]),
            [4, 2],
            "Figure 5",
        ),
        exactly(
            f"{name}.tlc_msb_alone",
            f"{figure}, TLC, LSB and CSB invalid: MSB before, after",
            before_and_after(tlc, msb, [msb]),
            [4, 1],
            "section III-B",
        ),
        exactly(
            f"{name}.qlc_bit_4",
            f"{figure}, QLC, bits 1 and 2 invalid: bit 4 before, after",
            before_and_after(qlc, 3, [2, 3]),
            [8, 2],
            "Figure 6",
        ),
        exactly(
            f"{name}.qlc_bit_3",
            f"{figure}, QLC, bits 1 and 2 invalid: bit 3 before, after",
            before_and_after(qlc, 2, [2, 3]),
            [4, 1],
            "Figure 6",
        ),
    ]


STUDIES = [
    Study(
        "Invalid data-aware coding",
        "How many senses does a page need once other pages of its wordline are invalid and states are merged?",
        "codings tlc_124 and qlc_1248",
        "half as many for each page that is invalid below",
        _senses,
    )
]
