# SPDX-License-Identifier: Apache-2.0
"""Read latencies workload by workload, of which the study prints no numbers."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from layers.results import Results, fullpage_share, read_amplification, read_us
from layers.runs import READING, Plan


def show_workloads(results: Results, plans: dict[str, Plan], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column("workload")
    columns = (
        "requests/s", "fullpages at the start, %", "fullpages written, %", "SOML, us", "SRS", "SRS+FPA",
        "reads of a page more, %",
    )  # fmt: skip
    for name in columns:
        table.add_column(name, justify="right")
    for workload in READING:
        table.add_row(
            workload,
            f"{plans[workload].requests_per_s:.0f}",
            f"{plans[workload].fullpage_percent:.0f}",
            f"{results.mean_of(fullpage_share, workload, 'SRS+FPA'):.0f}",
            f"{results.mean_of(read_us, workload, 'SOML'):.0f}",
            *(f"{results.mean_ratio(read_us, scheme, workload):.3f}" for scheme in ("SRS", "SRS+FPA")),
            f"{results.mean_of(read_amplification, workload, 'SRS+FPA'):.1f}",
        )
    console.print("[bold]Mean read latencies[/bold], of SRS and SRS+FPA over SOML's")
    console.print(table)
    console.print()
