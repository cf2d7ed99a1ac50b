#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the gains of five published schemes add up on one 3D TLC drive, or do they cancel?

Runs all 32 combinations of pipelined and adaptive read-retry, invalid-data-aware coding, content-dependent writes,
retention relaxation and layer-aware reads under three workloads, on a fresh and on an aged drive. Prints the
interaction of each pair. Writes a CSV table of all runs beside the JSON, and plots gains and interactions.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from comparison.report import show_table
from together.drive import AGES, BASE, SCHEMES
from together.effects import LEVEL, Times
from together.rows import PUBLISHED, claims
from together.runs import BUSY, WORKLOADS, run_all


def compare(run: Run) -> Comparison:
    ages, requests, seeds = (["aged"], 600, [1]) if run.quick else (list(AGES), 2000, [1, 2, 3, 4, 5])
    runs, rates = run_all(ages, requests, seeds)
    runs.to_csv(run.json.with_suffix(".csv"), index=False)
    times = {(workload, age): Times(runs, workload, age) for workload in WORKLOADS for age in ages}
    for age in ages:
        _print_pairs({workload: times[workload, age] for workload in WORKLOADS}, age, run)
    study = PUBLISHED.study(
        claims({workload: times[workload, "aged"] for workload in WORKLOADS}),
        "retry_tlc_512g",
        BASE,
        requests=requests,
        rates=", ".join(f"{workload} {rate:.0f}/s" for workload, rate in rates.items()),
        busy=100 * BUSY,
        seeds=len(seeds),
    )
    from together.pictures import draw_all  # slow to import

    return Comparison([study], seeds, draw_all(times))


def _print_pairs(times: dict[str, Times], age: str, run: Run) -> None:
    columns = ["pair", *(column for workload in times for column in (f"{workload}: alone", "both", "beyond"))]
    lines = []
    for pairs in zip(*(of.pairs() for of in times.values()), strict=True):
        cells = [pairs[0].schemes]
        for pair in pairs:
            alone = ", ".join(f"{gain.mean:.0f}" for gain in pair.alone)
            cells += [alone, f"{pair.both.mean:.0f}", f"{pair.interaction} ({pair.part})"]
        lines.append(cells)
    letters = ", ".join(f"{letter} {scheme.name}" for letter, scheme in SCHEMES.items())
    title = (
        f"[bold]Mean latency of reads, {age} drive[/bold]. {letters}\n"
        "  Gains in percent, and the time with both beyond that of independent gains, also in percent "
        f"({100 * LEVEL:g} % intervals over the seeds; in brackets the part of the latency with the largest share)."
    )
    show_table(run.console, title, columns, lines)


if __name__ == "__main__":
    command(__doc__, "the aged drive alone, 600 requests, one seed", compare)
