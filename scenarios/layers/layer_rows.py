# SPDX-License-Identifier: Apache-2.0
"""The figures of sections II-B and III-B of Nie et al.: reads of single layers, in closed form."""

from __future__ import annotations

from typing import Any

from physics.rows import Deviation, Row, limited, near

from layers.decoding import (
    PAGES_OF_WORDLINE,
    borrowed_bytes,
    error_rates_borne,
    layers_by_strength,
    reads_at_lower_error_rates,
    reads_of_layer,
    reads_of_weak_subpage,
    still_failing,
)
from layers.device import PARITY_BYTES

# What 5 % of errors more or less do to these reads at most: so closely do decoders follow their tables.
FIVE_PERCENT = 0.55
NOTHING_RANDOM = "the same closed form before; nothing in it is random"


def layer_rows(operations: float) -> list[Row]:
    """What the cells are like at the condition that was chosen, and in how many operations a fullpage is read."""
    ranked = layers_by_strength()
    best, middle, worst = ranked[0], ranked[len(ranked) // 2], ranked[-1]
    differ = _pages_differ(worst)

    def reads_of(name: str, layer: int, paper: float, **more: Any) -> Row:
        return near(
            f"nie_2020.reads_of_{name}_layer",
            f"reads until a subpage of the {name} layer (number {layer}) is decoded, mean over its pages",
            reads_of_layer(layer),
            paper,
            "section II-B, Figure 2(b), 15 days",
            absolute=1,
            **more,
        )

    def reads_with(name: str, words: str, borrowed: int, paper: float, exception: Deviation) -> Row:
        return near(
            f"nie_2020.reads_with_{name}_parity",
            f"reads until a subpage of the weakest quarter of the layers is decoded with {words}",
            reads_of_weak_subpage(borrowed),
            paper,
            "section III-B; an example there",
            absolute=1,
            exception=exception,
        )

    little = _little_from_parity()
    lower_rates = "reads with its own parity, at error rates so much lower"
    return [
        reads_of("best", best, 1, fitted="the condition is chosen for this figure; the study does not state it"),
        reads_of("middle", middle, 4, exception=Deviation(differ, 2.24, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_of("worst", worst, 6, exception=Deviation(differ, 4.60, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_with("own", "its own parity alone", 0, 3, Deviation(little, 4.04, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_with(
            "borrowed",
            "borrowed parity",
            borrowed_bytes(),
            1,
            Deviation(little, reads_at_lower_error_rates(), FIVE_PERCENT, lower_rates),
        ),
        limited(
            "nie_2020.operations_of_fullpage",
            "operations in which an idle die reads a fullpage from four layers",
            operations,
            1,
            (0.95, 1.05),
            "one fullpage in twenty may lie elsewhere",
            "section III-B, Figure 5",
            by_construction="fullpages are placed so that one operation can read them",
        ),
    ]


def _pages_differ(layer: int) -> str:
    reads = ", ".join(f"{sum(still_failing(layer, page, PARITY_BYTES)):.1f}" for page in range(PAGES_OF_WORDLINE))
    return (
        "layers of these cells differ less than those of other chips in the study's Figure 2(b), and pages of a "
        f"wordline as much as layers: those of the worst layer take {reads} reads"
    )


def _little_from_parity() -> str:
    return (
        f"{borrowed_bytes()} bytes of parity bring a weak subpage from {reads_of_weak_subpage(0):.2f} to "
        f"{reads_of_weak_subpage(borrowed_bytes()):.2f} reads: the codes with so much more and less bear error rates "
        f"{error_rates_borne():.2f} times apart; in the study's example from three to one, and 2.7 times"
    )
