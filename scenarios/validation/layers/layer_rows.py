# SPDX-License-Identifier: Apache-2.0
"""The figures of sections II-B and III-B of Nie et al.: closed forms of reads of single layers, and limits of codes."""

from __future__ import annotations

from math import exp, log2

from comparison.rows import Row
from layers import published
from layers.decoders import ASSUMED, CODEWORD_BITS, LDPC, Ldpc, capacity_ratio, rate_of_capacity
from layers.decoding import (
    error_rate_of_quarter,
    layers_by_strength,
    quarters_by_strength,
    reads_of_layer,
    reads_of_weak_subpage,
)
from layers.device import PAYLOAD_BITS
from layers.rows import PUBLISHED


def layer_rows(operations: float) -> list[Row]:
    """`operations`: in which an idle die reads a fullpage."""
    return [*_cells(), *_assumed(operations), *_codes()]


def _cells() -> list[Row]:
    strongest, *_, weakest = quarters_by_strength()
    return [
        PUBLISHED.row("rber_of_{name}_quarter", 1000 * error_rate_of_quarter(quarter), paper=1000 * rber, name=name)
        for name, quarter, rber in (
            ("strongest", strongest, published.STRONG_RBER),
            ("weakest", weakest, published.WEAK_RBER),
        )
    ]


def _assumed(operations: float) -> list[Row]:
    ranked = layers_by_strength()
    best, middle, worst = ranked[0], ranked[len(ranked) // 2], ranked[-1]
    reads_of_best, _, reads_of_worst = published.READS_OF_LAYERS

    def extreme(name: str, layer: int, paper: float) -> Row:
        return PUBLISHED.row(
            "reads_of_{name}_layer", reads_of_layer(ASSUMED, layer), paper=paper, name=name, layer=layer
        )

    return [
        extreme("best", best, reads_of_best),
        PUBLISHED.row("reads_of_middle_layer", reads_of_layer(ASSUMED, middle), layer=middle),
        extreme("worst", worst, reads_of_worst),
        *PUBLISHED.rows(
            {
                "reads_with_own_parity": reads_of_weak_subpage(ASSUMED, 0),
                "reads_with_borrowed_parity": reads_of_weak_subpage(ASSUMED, 1),
                "operations_of_fullpage": operations,
            }
        ),
    ]


def _codes() -> list[Row]:
    """The limits of codes with the parity of the study, and the project's codes with more parity."""
    bits = published.BORROWED_BITS
    rows = [PUBLISHED.row("error_rates_borne_capacity", capacity_ratio(bits), expected=_slope_of_capacity(), bits=bits)]
    for decoder in (Ldpc("ldpc_32", 32), LDPC):
        least = capacity_ratio(8 * decoder.borrowed_bytes)
        borne = decoder.rate_borne(1) / decoder.rate_borne(-1)
        rows.append(
            PUBLISHED.row(
                "error_rates_borne_{bytes}_bytes",
                borne,
                expected=least * 1.06,
                reach=least * 0.06,
                bytes=decoder.borrowed_bytes,
                borne=borne,
                least=least,
            )
        )
    own, borrowed = (reads_of_weak_subpage(LDPC, parity) for parity in (0, 1))
    rows.append(PUBLISHED.row("ldpc_reads_with_borrowed_parity", borrowed, bytes=LDPC.borrowed_bytes, own=own))
    return rows


def _slope_of_capacity() -> float:
    """`capacity_ratio` to the first order in the borrowed bits."""
    rate = PAYLOAD_BITS / CODEWORD_BITS
    rber = rate_of_capacity(rate)
    return exp(2 * published.BORROWED_BITS * rate / (CODEWORD_BITS * rber * log2((1 - rber) / rber)))
