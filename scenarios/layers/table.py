# SPDX-License-Identifier: Apache-2.0
"""Read latencies workload by workload, of which the study prints no numbers."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from layers.decoders import ASSUMED, Decoder
from layers.decoding import latency_less, sensed_less
from layers.results import Results, fullpage_share, read_amplification, read_us
from layers.runs import BUSY, READING, Plan


def show_workloads(results: Results, plans: Mapping[tuple[str, str], Plan], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column("workload")
    columns = (
        "requests/s", "fullpages at the start, %", "fullpages written, %", "SOML, us", "SRS", "SRS+FPA",
        "by what is sensed alone", "with queues", "reads of a page more, %",
    )  # fmt: skip
    for name in columns:
        table.add_column(name, justify="right")
    for workload in READING:
        table.add_row(
            workload,
            f"{plans[ASSUMED.name, workload].requests_per_s:.0f}",
            f"{plans[ASSUMED.name, workload].fullpage_percent:.0f}",
            f"{results.mean_of(fullpage_share, workload, 'SRS+FPA'):.0f}",
            f"{results.mean_of(read_us, workload, 'SOML'):.0f}",
            *(f"{results.mean_ratio(read_us, scheme, workload):.3f}" for scheme in ("SRS", "SRS+FPA")),
            *_estimates(results, workload),
            f"{results.mean_of(read_amplification, workload, 'SRS+FPA'):.1f}",
        )
    console.print(
        "[bold]Mean read latencies[/bold] with the decoder that the study assumes, of SRS and SRS+FPA over SOML's, and "
        "closed forms of the latter"
    )
    console.print(table)
    console.print()


def show_codes(by_decoder: Mapping[Decoder, Results], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for name in (
        "workload",
        *(f"{decoder.borrowed_bytes} bytes" for decoder in by_decoder),
        "with queues, of the first",
    ):
        table.add_column(name, justify="right" if table.columns else "left")
    first = next(iter(by_decoder.values()))
    for workload in READING:
        ratios = (results.mean_ratio(read_us, "SRS+FPA", workload) for results in by_decoder.values())
        table.add_row(workload, *(f"{ratio:.3f}" for ratio in ratios), _estimates(first, workload)[1])
    console.print("[bold]With LDPC codes[/bold], mean read latencies of SRS+FPA over SOML's, by the parity borrowed")
    console.print(table)
    console.print()


def _estimates(results: Results, workload: str) -> tuple[str, str]:
    """Of SRS+FPA over SOML."""
    percent = results.fullpage_percent[workload]
    alone = percent / 100 * sensed_less(results.decoder)
    return f"{1 - alone:.3f}", f"{1 - latency_less(results.decoder, percent, BUSY):.3f}"
