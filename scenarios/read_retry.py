#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain from pipelined and adaptive read-retry what Park et al. (ASPLOS 2021) have published?

Simulates their twelve workloads on their drive under each policy and condition, prints the figures beside the
published ones, writes them to a JSON file, and draws figures 5, 7, 11, 14 and 15. Exit status: 0 when every figure is
within its tolerance or, where it is an exception, within the band that its cause predicts, 1 otherwise, 130 when
interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from physics.report import show
from physics.rows import Study
from retry.results import Results
from retry.rows import step_rows, system_rows
from retry.runs import BUSY, CONDITIONS, READ_PERCENT, SCHEMES, cases, rate_for, simulate, single_reads
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar

WORST = (2000, 12)
T_DMA_AND_ECC_US = 16.384 + 20


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a twentieth of the requests, one seed").parse_args(arguments)
    report = Report(options)
    requests, seeds = (1000, 1) if options.quick else (20_000, 3)
    runs = len(READ_PERCENT) * len(CONDITIONS) * len(SCHEMES) * seeds
    with StepBar(runs + len(READ_PERCENT) + 2) as bar, Processes() as processes:
        rates = {}
        for workload, rate in processes.outcomes(partial(rate_for, requests=requests), list(READ_PERCENT)):
            bar.step(f"rate of {workload}")
            rates[workload] = rate
        outcomes = []
        for case, outcome in processes.outcomes(simulate, cases(rates, requests, seeds), len(SCHEMES)):
            bar.step(f"{case.workload}, {case.scheme}")
            outcomes.append((case, outcome))
        bar.step("single reads")
        single = [single_reads(scheme, WORST, 300) for scheme in ("Baseline", "PR2", "AR2", "NoRR")]
        results = Results(outcomes)
        rows = [*step_rows(*single, T_DMA_AND_ECC_US), *system_rows(results, options.quick)]
        bar.step("pictures")
        # Slow to import.
        from retry.pictures import draw_all

        pictures = draw_all(report.folder, results)
    study = Study(
        "Read-retry in a drive",
        "By how much do pipelined (PR2) and adaptive (AR2) read-retry shorten response times?",
        f"preset retry_tlc_512g, statistical cells, {requests} requests of each workload, {seeds} seed(s); "
        f"rates: {_rates(rates)} requests/s, at which Baseline at 2K cycles and 6 months keeps the dies busy "
        f"{100 * BUSY[False]:g} % of the time, fitted with the reads of the mapping to the average gains (stg_0 and "
        f"hm_0: {100 * BUSY[True]:g} %, fitted to the gain of stg_0)",
        "each technique gains, both gain most, and more the worse the condition",
        lambda _quick: rows,
    )
    show(study, rows, report.console)
    return report.finish(rows, pictures)


def _rates(rates: dict[str, float]) -> str:
    return ", ".join(f"{workload} {rate:.0f}" for workload, rate in rates.items())


if __name__ == "__main__":
    leave(main)
