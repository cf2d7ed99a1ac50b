# SPDX-License-Identifier: Apache-2.0
"""E. H.-M. Sha, C. Gao, L. Shi, K. Wu, M. Zhao, C. J. Xue, "Asymmetric Error Rates of Cell States Exploration for
Performance Improvement on Flash Memory based Storage Systems"."""

from __future__ import annotations

import nandscape as ns
from physics.rows import Row, Study, near

PROGRAM_US = {300: 200, 380: 157, 460: 130, 540: 111, 600: 100, 680: 88.2}  # by step in mV, Table II
WORN = {"pe_cycles": 15000, "months": 12}
MUCH_GREATER = 4  # what >> is taken for
LEVELS_FITTED = (
    "verify and read levels, and how they follow the step, are fitted to the thresholds of Tables II and III, which "
    "come of these error rates"
)
PULSES_FITTED = "start and spread of the first pulse, and the time of a pulse, are fitted to Table II"


def _cells() -> ns.Cells:
    return ns.Cells("bare", {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"})


def _state_errors(_quick: bool) -> list[Row]:
    cells = _cells()
    rows = []
    for step_mv in PROGRAM_US:
        (_, _), (_, right_10), (left_01, right_01), (left_00, _) = (
            errors := cells.state_errors(**WORN, step_mv=step_mv)
        )
        right_11 = errors[0, 1]
        both_01 = left_01 + right_01
        rows.append(
            Row(
                f"sha.order_at_{step_mv}_mv",
                f"L(00) > L(01)+R(01) >> R(11) > R(10) with a step of {step_mv} mV",
                [left_00, both_01, right_11, right_10],
                "descending",
                "",
                f"order, >> by {MUCH_GREATER}",
                bool(left_00 > both_01 > MUCH_GREATER * right_11 and right_11 > right_10),
                "section IV-C",
                fitted=LEVELS_FITTED,
            )
        )
    return rows


def _program_latency(_quick: bool) -> list[Row]:
    cells = _cells()
    return [
        near(
            f"sha.program_us_at_{step_mv}_mv",
            f"latency of programming with a step of {step_mv} mV",
            cells.program(step_mv).latency_us,
            published,
            "Table II",
            unit="µs",
            relative=0.01,
            fitted=PULSES_FITTED,
        )
        for step_mv, published in PROGRAM_US.items()
    ]


STUDIES = [
    Study(
        "Content-dependent errors: order",
        "Which states of an MLC cell are misread most, to the left (L) and to the right (R)?",
        "cell set mlc_planar_15k, coding mlc_13, 15,000 cycles, a year at 30 °C, ISPP steps of Table II",
        "the same order at every step",
        _state_errors,
    ),
    Study(
        "Content-dependent errors: program latency",
        "How much faster do larger ISPP steps program?",
        "pulses and verifies of cell set mlc_planar_15k",
        "latency in inverse proportion to the step",
        _program_latency,
    ),
]
