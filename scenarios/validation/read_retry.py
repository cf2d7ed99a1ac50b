#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain from pipelined and adaptive read-retry what Park et al. (ASPLOS 2021) have published?

Simulates their twelve workloads on their drive under each policy and condition, prints the figures beside the
published ones, writes them to a JSON file, and draws figures 5, 7, 11, 14 and 15, and what single workloads gain at
higher loads. Exit status: 0 when every figure is within its tolerance or, where it is an exception, within the band
that its cause predicts, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from physics.report import show
from physics.rows import Study
from retry.loads import LoadSweep, cases_at_loads
from retry.pso_rows import sensitivity, steps_left_rows
from retry.results import Results
from retry.rows import step_rows, system_rows
from retry.runs import (
    BUSY,
    LAST_READ_SHARE,
    READ_PERCENT,
    SCHEMES,
    Case,
    Outcome,
    cases,
    cases_besides,
    rate_for,
    simulate,
    single_reads,
)
from rich.table import Table
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar

WORST = (2000, 12)
T_DMA_AND_ECC_US = 16.384 + 20
SHORTEST_STEP_US = 2 * 39 + T_DMA_AND_ECC_US  # of a page that is sensed twice


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a twentieth of the requests, one seed").parse_args(arguments)
    report = Report(options)
    requests, seeds = (1000, 1) if options.quick else (20_000, 3)
    count = sum(map(len, _cases(dict.fromkeys(READ_PERCENT, 0.0), requests, seeds)))
    with StepBar(len(READ_PERCENT) + count + 2) as bar, Processes() as processes:
        rates = {}
        for workload, rate in processes.outcomes(partial(rate_for, requests=requests), list(READ_PERCENT)):
            bar.step(f"rate of {workload}")
            rates[workload] = rate

        def outcomes(tasks: list[Case]) -> list[tuple[Case, Outcome]]:
            done = []
            for case, outcome in processes.outcomes(simulate, tasks, len(SCHEMES)):
                bar.step(f"{case.workload}, {case.scheme}")
                done.append((case, outcome))
            return done

        of_seeds, besides, at_loads = map(outcomes, _cases(rates, requests, seeds))
        results = Results(of_seeds)
        results_besides = Results([(case, outcome) for case, outcome in of_seeds if case.seed == 1] + besides)
        loads = LoadSweep(at_loads)
        bar.step("single reads")
        single = {name: single_reads(name, WORST, 300) for name in ("Baseline", "PR2", "AR2", "NoRR", "PSO")}
        rows = [
            *step_rows(*(single[name] for name in ("Baseline", "PR2", "AR2", "NoRR")), T_DMA_AND_ECC_US),
            *steps_left_rows(*(single[name] for name in ("Baseline", "PSO", "NoRR")), SHORTEST_STEP_US),
            *system_rows(results, results_besides, loads, options.quick),
        ]
        bar.step("pictures")
        # Slow to import.
        from retry.pictures import draw_all

        pictures = draw_all(report.folder, results, loads)
    study = Study(
        "Read-retry in a drive",
        "By how much do pipelined (PR2) and adaptive (AR2) read-retry shorten response times?",
        f"preset retry_tlc_512g, statistical cells, {requests} requests of each workload, {seeds} seed(s); "
        f"rates: {_rates(rates)} requests/s, at which Baseline at 2K cycles and 6 months keeps the dies busy "
        f"{100 * BUSY[False]:g} % of the time, fitted with the reads of the mapping to the average gains (stg_0 and "
        f"hm_0: {100 * BUSY[True]:g} %, fitted to the gain of stg_0); for PSO all data were read last at "
        f"{LAST_READ_SHARE:g} of their age",
        "each technique gains, both gain most, and more the worse the condition",
        lambda _quick: rows,
    )
    show(study, rows, report.console)
    report.console.print(_memories(results_besides))
    return report.finish(rows, pictures)


def _cases(rates: dict[str, float], requests: int, seeds: int) -> tuple[list[Case], list[Case], list[Case]]:
    """Those of all seeds, those of one, and those at higher loads, for which a quarter of the requests is enough."""
    return (
        cases(rates, requests, seeds),
        cases_besides(rates, requests),
        cases_at_loads(rates, max(1000, requests // 4)),
    )


def _memories(results: Results) -> Table:
    table = Table(title="What PSO remembers, seed 1", title_justify="left", box=None, padding=(0, 2, 0, 2))
    for column in (
        "read last at, of the age",
        "steps left, %",
        "PnAR2 gains, read-dominant, %",
        "write-dominant, %",
        "PSO over NoRR, read-dominant",
    ):
        table.add_column(column, justify="right")
    for line in sensitivity(results):
        table.add_row(*line)
    return table


def _rates(rates: dict[str, float]) -> str:
    return ", ".join(f"{workload} {rate:.0f}" for workload, rate in rates.items())


if __name__ == "__main__":
    leave(main)
