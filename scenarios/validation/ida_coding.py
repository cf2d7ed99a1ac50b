#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain as much from invalid-data-aware coding as Choi et al. (MICRO 2018) have published?

Simulates their eleven workloads on their drive after a refresh by remapping and after a refresh by the coding. Plots
figures 8 to 11 and tables IV and V.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from ida import experiments, rows
from ida.drive import DRIVE
from ida.runs import BUSY, Results, simulate, tasks


def compare(run: Run) -> Comparison:
    pages, seeds = (40_000, 1) if run.quick else (200_000, 3)
    results = Results(run.outcomes(simulate, tasks(pages, seeds), lambda task: f"{task.group}, {task.workload}"))
    figures = [*rows.rows(results), *experiments.rows(run, pages, seeds)]
    study = rows.PUBLISHED.study(figures, "ida_tlc_512g", DRIVE, pages=pages, seeds=seeds, busy=100 * BUSY)
    from ida.pictures import draw_all  # slow to import

    return Comparison([study], results.seeds, draw_all(results))


if __name__ == "__main__":
    command(__doc__, "a fifth of the pages, one seed", compare)
