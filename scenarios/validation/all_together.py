#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the gains of five published schemes add up on one 3D TLC drive, or do they cancel?

Runs all 32 combinations of pipelined and adaptive read-retry, invalid-data-aware coding, content-dependent writes,
retention relaxation and layer-aware reads under three workloads, on a fresh and on an aged drive, prints what each pair
does to each other with its mechanism, writes the figures to a JSON file and all runs to a table beside it, and draws
both. Exit status: 0 when every claim is within its limits, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from physics.report import show
from physics.rows import Study
from rich.console import Console
from rich.table import Table
from shared.command import Report, leave, parser
from together.drive import AGES, SCHEMES
from together.effects import LEVEL, Times
from together.mechanisms import MECHANISMS
from together.rows import claims
from together.runs import BUSY, WORKLOADS, run_all

from nandscape.errors import ConfigWarning


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "the aged drive alone, 600 requests, one seed").parse_args(arguments)
    report = Report(options)
    ages, requests, seeds = (["aged"], 600, [1]) if options.quick else (list(AGES), 2000, [1, 2, 3, 4, 5])
    with warnings.catch_warnings():
        # A key of content-dependent writes does nothing where retention relaxation alone asks the cells.
        warnings.simplefilter("ignore", ConfigWarning)
        table, rates = run_all(ages, requests, seeds, progress=True)
    table.to_csv(options.json.with_suffix(".csv"), index=False)
    times = {(workload, age): Times(table, workload, age) for workload in WORKLOADS for age in ages}
    for age in ages:
        _print_pairs({workload: times[workload, age] for workload in WORKLOADS}, age, report.console)
    rows = claims({workload: times[workload, "aged"] for workload in WORKLOADS})
    study = Study(
        "All five on one device",
        "Do gains add, cancel or help each other?",
        f"a drive of 3D TLC, its history simulated, {requests} requests of each workload at "
        + ", ".join(f"{workload} {rate:.0f}/s" for workload, rate in rates.items())
        + f" (at which the aged drive's dies are busy {100 * BUSY:g} % of the time), {len(seeds)} seed(s)",
        "read schemes that shorten different things add; those that spend the same margin, or undo each other, cancel",
        lambda _quick: rows,
    )
    show(study, rows, report.console)
    # Slow to import.
    from together.pictures import draw_all

    return report.finish(rows, draw_all(report.folder, times))


def _print_pairs(times: dict[str, Times], age: str, console: Console) -> None:
    letters = ", ".join(f"{letter} {scheme.name}" for letter, scheme in SCHEMES.items())
    console.print(f"[bold]Mean latency of reads, {age} drive[/bold]. {letters}")
    console.print(
        f"  Gains in percent, and how far the time with both is beyond that of independent gains ({100 * LEVEL:g} % "
        "intervals over the seeds; in brackets the part of the latency that has most of it)."
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column("pair")
    for workload in times:
        table.add_column(f"{workload}: alone", justify="right")
        table.add_column("both", justify="right")
        table.add_column("beyond", justify="right")
    by_workload = {workload: {pair.schemes: pair for pair in of.pairs()} for workload, of in times.items()}
    for schemes in MECHANISMS:
        cells = []
        for pairs in by_workload.values():
            pair = pairs[schemes]
            alone = ", ".join(f"{gain.mean:.0f}" for gain in pair.alone)
            cells += [alone, f"{pair.both.mean:.0f}", f"{pair.interaction} ({pair.part})"]
        table.add_row(schemes, *cells)
    console.print(table)
    console.print()


if __name__ == "__main__":
    leave(main)
