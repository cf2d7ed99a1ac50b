# SPDX-License-Identifier: Apache-2.0
"""Prints tables that are not in the study: read latencies by workload, and the error rates that codes can correct."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean

from rich.console import Console

from comparison.report import show_table
from layers.decoders import (
    ASSUMED,
    BORROWED_BITS,
    CODEWORD_BITS,
    LDPC,
    LESS_BORROWED,
    RATIO,
    STRONG_RBER,
    WEAK_RBER,
    Decoder,
    Ldpc,
    capacity_ratio,
    parity_bits_needed,
    rate_of_capacity,
)
from layers.decoding import reads_of_weak_subpage
from layers.device import PAYLOAD_BITS, SUBPAGE_BYTES
from layers.runs import BUSIER, BUSY, READING, Plan, Results


def show_workloads(results: Results, plans: Mapping[tuple[str, str], Plan], console: Console) -> None:
    columns = (
        "workload", "requests/s", "fullpages at the start, %", "fullpages written, %", "SOML, us", "SRS", "SRS+FPA",
        "SRS+FPA, busier", "subpages in an operation of SRS", "closed form", "with queues", "reads of a page more, %",
    )  # fmt: skip
    ratios = (("SRS", 1.0), ("SRS+FPA", 1.0), ("SRS+FPA", BUSIER / BUSY))

    def line(workload: str) -> list[str]:
        plan = plans[ASSUMED.name, workload]
        return [
            workload,
            f"{plan.requests_per_s:.0f}",
            f"{plan.fullpage_percent:.0f}",
            f"{results.mean_of('fullpage_share', workload, 'SRS+FPA'):.0f}",
            f"{results.mean_of('read_us', workload, 'SOML'):.0f}",
            *(f"{results.mean_ratio('read_us', scheme, workload, load):.3f}" for scheme, load in ratios),
            f"{results.mean_of('subpages_per_operation', workload, 'SRS'):.2f}",
            *_estimates(results, workload),
            f"{results.mean_of('read_amplification', workload, 'SRS+FPA'):.1f}",
        ]

    means = ["mean", *[""] * 4, *(_mean(results, scheme, load) for scheme, load in ratios)]
    title = (
        "[bold]Mean read latencies[/bold] with the decoder that the study assumes, SRS and SRS+FPA over SOML, and "
        f"closed forms of the effect of placement; busier: {100 * BUSIER:g} % of the time"
    )
    show_table(console, title, columns, [*map(line, READING), means])


def show_codes(by_decoder: Mapping[Decoder, Results], console: Console) -> None:
    columns = ["workload", *(f"{decoder.borrowed_bytes} bytes" for decoder in by_decoder)]
    first = next(iter(by_decoder.values()))

    def line(workload: str) -> list[str]:
        ratios = (results.mean_ratio("read_us", "SRS+FPA", workload) for results in by_decoder.values())
        return [workload, *(f"{ratio:.3f}" for ratio in ratios), _estimates(first, workload)[1]]

    means = ["mean", *(_mean(results, "SRS+FPA") for results in by_decoder.values())]
    title = "[bold]With LDPC codes[/bold], mean read latencies of SRS+FPA over SOML, by the borrowed parity"
    show_table(console, title, [*columns, "closed form of placement, first"], [*map(line, READING), means])


def show_capacity(console: Console) -> None:
    """Prints the theoretical limits of codes, the study's assumption for comparison, and the error rates that real
    codes correct.
    """
    strong, weak = (parity_bits_needed(rber) for rber in (STRONG_RBER, WEAK_RBER))
    own, borrows, lends = (
        rate_of_capacity(PAYLOAD_BITS / (CODEWORD_BITS + more)) for more in (0, BORROWED_BITS, -BORROWED_BITS)
    )
    title = (
        "[bold]What parity can do[/bold]. Plain reads are a binary symmetric channel. The study lends and borrows "
        f"{BORROWED_BITS} bits, so that subpages with error rates {RATIO} times apart decode alike. By the capacity of "
        "the channel:\n"
        f"  Codes of 4 KiB with 512 bytes of parity correct error rates up to {own:.4f}; with {BORROWED_BITS} bits "
        f"less up to {lends:.4f}, with {BORROWED_BITS} bits more up to {borrows:.4f}: {borrows / lends:.2f} times "
        "apart.\n"
        f"  A code of any length needs {strong:,.0f} bits of parity at {STRONG_RBER} and {weak:,.0f} at {WEAK_RBER}, "
        f"{weak - strong:,.0f} more, so that {(weak - strong) / 2:.0f} have to be lent. {BORROWED_BITS} bits suffice "
        f"for {2 * BORROWED_BITS * SUBPAGE_BYTES / (weak - strong):,.0f} bytes at most, not for 4096."
    )
    columns = ("LDPC codes, bytes borrowed", "times apart", "by capacity", "reads of the weakest quarter")
    lines = [
        (
            f"{decoder.borrowed_bytes}",
            f"{decoder.rate_borne(1) / decoder.rate_borne(-1):.2f}",
            f"{capacity_ratio(8 * decoder.borrowed_bytes):.2f}",
            f"{reads_of_weak_subpage(decoder, 1):.3f}",
        )
        for decoder in (Ldpc("own", 0), *reversed(LESS_BORROWED), LDPC)
    ]
    show_table(console, title, columns, lines, left=0)


def _mean(results: Results, scheme: str, load: float = 1.0) -> str:
    return f"{mean(results.mean_ratio('read_us', scheme, workload, load) for workload in READING):.3f}"


def _estimates(results: Results, workload: str) -> list[str]:
    """Returns the closed forms for the effect of placement on the mean latency, without and with queues, as text."""
    return [f"{1 - less:.3f}" for less in results.placement_less(workload)]
