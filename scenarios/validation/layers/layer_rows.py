# SPDX-License-Identifier: Apache-2.0
"""The figures of sections II-B and III-B of Nie et al.: reads of single layers in closed form, and what codes bear."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log2
from typing import Any

from physics.rows import Deviation, Row, limited, near

from layers import published
from layers.decoders import (
    ASSUMED,
    CODEWORD_BITS,
    LDPC,
    Ldpc,
    capacity_ratio,
    rate_of_capacity,
)
from layers.decoding import (
    error_rate_of_quarter,
    layers_by_strength,
    quarters_by_strength,
    reads_of_layer,
    reads_of_weak_subpage,
)
from layers.device import PAYLOAD_BITS

STEPS_SET = "the steps of the assumed decoder are set to this figure"


def layer_rows(operations: float) -> list[Row]:
    """What the cells are like, what parity does to reads, and in how many operations a fullpage is read."""
    return [*_cells(), *_assumed(operations), *_codes()]


def _cells() -> list[Row]:
    strongest, *_, weakest = quarters_by_strength()
    made_for = "the cell set nie_2020 is made for this figure"

    def rber_of(name: str, quarter: int, paper: float) -> Row:
        return near(
            f"nie_2020.rber_of_{name}_quarter",
            f"error rate of the {name} quarter of the layers, mean over layers and pages, in thousandths",
            1000 * error_rate_of_quarter(quarter),
            paper,
            "section III-B",
            relative=0.02,
            fitted=made_for,
        )

    return [
        rber_of("strongest", strongest, 1000 * published.STRONG_RBER),
        rber_of("weakest", weakest, 1000 * published.WEAK_RBER),
    ]


def _assumed(operations: float) -> list[Row]:
    ranked = layers_by_strength()
    best, middle, worst = ranked[0], ranked[len(ranked) // 2], ranked[-1]
    reads_of_best, reads_of_middle, reads_of_worst = published.READS_OF_LAYERS

    def reads_of(name: str, layer: int, paper: float, **more: Any) -> Row:
        return near(
            f"nie_2020.reads_of_{name}_layer",
            f"reads until a subpage of the {name} layer (number {layer}) is decoded, mean over its pages",
            reads_of_layer(ASSUMED, layer),
            paper,
            "section II-B, Figure 2(b), 15 days",
            absolute=0.5,
            **more,
        )

    return [
        reads_of("best", best, reads_of_best, fitted=STEPS_SET),
        reads_of(
            "middle",
            middle,
            reads_of_middle,
            exception=Deviation(
                "section III-B, by which the steps go, has all subpages but those of the weakest quarter decoded at "
                "the first read. The layer of Figure 2(b) that takes four then lies in that quarter",
                1,
                0.1,
                "that assumption",
            ),
        ),
        reads_of("worst", worst, reads_of_worst, fitted=STEPS_SET),
        near(
            "nie_2020.reads_with_own_parity",
            "reads until a subpage of the weakest quarter of the layers is decoded with its own parity alone",
            reads_of_weak_subpage(ASSUMED, 0),
            published.READS_OF_WEAK_SUBPAGE,
            "section III-B; an example there",
            absolute=0.5,
            fitted=STEPS_SET,
        ),
        replace(
            near(
                "nie_2020.reads_with_borrowed_parity",
                "reads until a subpage of the weakest quarter of the layers is decoded with borrowed parity",
                reads_of_weak_subpage(ASSUMED, 1),
                published.READS_WITH_BORROWED_PARITY,
                "section III-B; an example there",
                absolute=0.1,
            ),
            by_construction="codewords bear so many more errors by the study's assumption",
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


def _codes() -> list[Row]:
    """What codes can do with the parity of the study, and what those of the project do with more."""
    source = "section III-B"
    capacity = capacity_ratio(published.BORROWED_BITS)
    rows = [
        near(
            "nie_2020.error_rates_borne_capacity",
            f"error rates that the best codes of any length bear, {published.BORROWED_BITS} bits borrowed over as many "
            "lent",
            capacity,
            published.RATIO,
            source,
            relative=0.1,
            unit="times",
            exception=Deviation(
                f"capacity of the binary symmetric channel: {published.BORROWED_BITS} bits are a twentieth of the "
                "parity, too few for any code",
                _slope_of_capacity(),
                0.01,
                "the slope of the capacity at the code's rate",
            ),
        )
    ]
    for decoder in (Ldpc("ldpc_32", 32), LDPC):
        least = capacity_ratio(8 * decoder.borrowed_bytes)
        borne = decoder.rate_borne(1) / decoder.rate_borne(-1)
        rows.append(
            near(
                f"nie_2020.error_rates_borne_{decoder.borrowed_bytes}_bytes",
                f"error rates that LDPC codewords bear at a plain read, {decoder.borrowed_bytes} bytes borrowed over "
                "as many lent",
                borne,
                published.RATIO,
                source,
                relative=0.1,
                unit="times",
                exception=Deviation(
                    f"codes with so much more and less parity bear {borne:.2f} times as many errors, a little more "
                    "than capacity says, since those with less parity lie further away from it",
                    least * 1.06,
                    least * 0.06,
                    f"capacity, {least:.2f} times, and up to an eighth more",
                ),
            )
        )
    rows.append(
        near(
            "nie_2020.ldpc_reads_with_borrowed_parity",
            f"LDPC codes: reads of the weakest quarter with {LDPC.borrowed_bytes} bytes borrowed; with its own "
            f"parity it takes {reads_of_weak_subpage(LDPC, 0):.2f}",
            reads_of_weak_subpage(LDPC, 1),
            published.READS_WITH_BORROWED_PARITY,
            "section III-B; an example there",
            absolute=0.1,
        )
    )
    return rows


def _slope_of_capacity() -> float:
    """The ratio of capacity_ratio, to the first order in the bits borrowed."""
    rate = PAYLOAD_BITS / CODEWORD_BITS
    rber = rate_of_capacity(rate)
    return exp(2 * published.BORROWED_BITS * rate / (CODEWORD_BITS * rber * log2((1 - rber) / rber)))
