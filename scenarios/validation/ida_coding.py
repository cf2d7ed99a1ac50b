#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain from invalid-data-aware coding what Choi et al. (MICRO 2018) have published?

Simulates their eleven workloads on their drive after a refresh by remapping and one by the coding, prints the figures
beside the published ones, writes them to a JSON file, and draws figures 8 to 11 and tables IV and V. Exit status: 0
when every figure is within its tolerance or, where it is an exception, within the band that its cause predicts, 1
otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ida import rows
from ida.more_runs import MoreRuns
from ida.results import Results, run, tasks
from ida.runs import BUSY
from physics.report import show
from physics.rows import Study
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a fifth of the pages, one seed").parse_args(arguments)
    report = Report(options)
    pages, seeds = (40_000, 1) if options.quick else (200_000, 3)
    all_tasks = tasks(pages, seeds)
    more = MoreRuns(pages, 1 if options.quick else 3)
    with StepBar(len(all_tasks) + more.steps + 1) as bar, Processes() as processes:
        outcomes = []
        for task, outcome in processes.outcomes(run, all_tasks):
            bar.step(f"{task.group}, {task.workload}")
            outcomes.append((task, outcome))
        more.run(processes, bar)
        results = Results(outcomes)
        figures = [*rows.rows(results), *more.rows()]
        bar.step("pictures")
        # Slow to import.
        from ida.pictures import draw_all

        pictures = draw_all(report.folder, results)
    study = Study(
        "Invalid-data-aware coding",
        "By how much does the coding shorten the response times of reads?",
        f"preset ida_tlc_512g with a channel for each die, {pages} pages read of each workload, {seeds} seed(s); "
        f"Poisson arrivals at the rate that keeps the dies of the baseline busy {100 * BUSY:g} % of the time, fitted "
        "to the mean gain at 20 % errors, the same for all systems and devices",
        "gains fall with the errors of the adjustment and grow with the distance between read times",
        lambda _quick: figures,
    )
    show(study, figures, report.console)
    return report.finish(figures, pictures)


if __name__ == "__main__":
    leave(main)
