#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do reads gain from layers that differ what Nie et al. (DAC 2020) have published?

Simulates their 18 workloads on their drive with single-operation reads of subpages (SOML), with layer-aware scheduling
of these (SRS), and with fullpages placed over four layers besides (FPA). Prints the figures beside the published ones,
writes them to a JSON file, and draws figures 2(b), 6 and 7. Exit status: 0 when every figure is within its tolerance
or, where it is an exception, within the band that its cause predicts, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from layers.decoding import layer_groups
from layers.device import STORAGE_C, STORAGE_DAYS
from layers.layer_rows import layer_rows
from layers.results import Results
from layers.rows import system_rows
from layers.runs import BUSY, WORKLOADS, cases, operations_of_fullpage, plan_of, simulate
from layers.table import show_workloads
from physics.report import show
from physics.rows import Study
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a twentieth of the requests, one seed").parse_args(arguments)
    report = Report(options)
    requests, seeds = (1000, 1) if options.quick else (20_000, 3)
    runs_of_workload = len(cases(dict.fromkeys(WORKLOADS), requests, seeds))
    with StepBar(runs_of_workload + len(WORKLOADS) + 2) as bar, Processes() as processes:
        plans = {}
        for workload, plan in processes.outcomes(partial(plan_of, requests=requests), WORKLOADS):
            bar.step(f"rate of {workload}")
            plans[workload] = plan
        outcomes = []
        for case, outcome in processes.outcomes(simulate, cases(plans, requests, seeds)):
            bar.step(f"{case.workload}, {case.scheme}")
            outcomes.append((case, outcome))
        bar.step("layers")
        results = Results(outcomes)
        rows = [*layer_rows(operations_of_fullpage(300)), *system_rows(results, options.quick)]
        bar.step("pictures")
        # Slow to import.
        from layers.pictures import draw_all

        pictures = draw_all(report.folder, results)
    study = Study(
        "Layers in a drive",
        "By how much do layer-aware scheduling (SRS) and placement (FPA) shorten reads of several subpages (SOML)?",
        f"drive of Table II, statistical cells, fresh blocks and data of {STORAGE_DAYS} days at {STORAGE_C} °C, "
        f"{requests} requests of each workload, {seeds} seed(s); rates at which SOML keeps the dies busy "
        f"{100 * BUSY:g} % of the time, chosen for the published gain; "
        f"L1 to L4 in quarters {layer_groups()} of the layers",
        "SRS+FPA is fastest, SRS faster than SOML, and FPA gains most where requests are large",
        lambda _quick: rows,
    )
    show_workloads(results, plans, report.console)
    show(study, rows, report.console)
    return report.finish(rows, pictures)


if __name__ == "__main__":
    leave(main)
