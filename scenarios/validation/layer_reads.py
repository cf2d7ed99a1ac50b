#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do reads gain from layers that differ what Nie et al. (DAC 2020) have published?

Simulates their 18 workloads on their drive with single-operation reads of subpages (SOML), with layer-aware scheduling
of these (SRS), and with fullpages placed over four layers besides (FPA): with a decoder that does what they assume, and
with real LDPC codes. Prints the figures beside the published ones, and why no code can do what is assumed; writes the
figures to a JSON file, and draws figures 2(b), 6 and 7. Exit status: 0 when every figure is within its tolerance or,
where it is an exception, within the band that its cause predicts, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

from layers.decoders import LDPC, LESS_BORROWED
from layers.decoding import layer_groups
from layers.layer_rows import layer_rows
from layers.results import Results
from layers.rows import ldpc_rows, system_rows
from layers.runs import BUSY, Plan, cases, operations_of_fullpage, plan_of, simulate, trials
from layers.table import show_capacity, show_codes, show_workloads
from physics.report import show
from physics.rows import Study
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a quarter of the requests, two seeds").parse_args(arguments)
    report = Report(options)
    requests, seeds = (3000, 2) if options.quick else (12_000, 3)
    runs = len(cases({(t.decoder.name, t.workload): Plan(1, 0) for t in trials(requests)}, requests, seeds))
    with StepBar(runs + len(trials(requests)) + 2) as bar, Processes() as processes:
        plans = {}
        for trial, plan in processes.outcomes(plan_of, trials(requests)):
            bar.step(f"rate of {trial.workload}")
            plans[trial.decoder.name, trial.workload] = plan
        outcomes = []
        for case, outcome in processes.outcomes(simulate, cases(plans, requests, seeds)):
            bar.step(f"{case.workload}, {case.scheme}")
            outcomes.append((case, outcome))
        bar.step("layers")
        results = Results(outcomes)
        ldpc = {decoder: Results(outcomes, decoder) for decoder in (LDPC, *LESS_BORROWED)}
        rows = [
            *layer_rows(operations_of_fullpage(300)),
            *system_rows(results, options.quick),
            *ldpc_rows(ldpc, options.quick),
        ]
        bar.step("pictures")
        # Slow to import.
        from layers.pictures import draw_all

        pictures = draw_all(report.folder, results, ldpc[LDPC])
    study = Study(
        "Layers in a drive",
        "By how much do layer-aware scheduling (SRS) and placement (FPA) shorten reads of several subpages (SOML)?",
        "drive of Table II, statistical cells of the set nie_2020, a decoder that steps as the study assumes (assumed "
        "decoder), and real LDPC codes beside it; "
        f"{requests} requests of each workload, {seeds} seed(s); rates at which SOML keeps the dies busy "
        f"{100 * BUSY:g} % of the time; data in fullpages as far as reads are of whole ones; "
        f"L1 to L4 in quarters {layer_groups()} of the layers",
        "SRS+FPA is fastest, SRS faster than SOML, and FPA gains most where requests are large",
        lambda _quick: rows,
    )
    show_workloads(results, plans, report.console)
    show_capacity(report.console)
    show_codes(ldpc, report.console)
    show(study, rows, report.console)
    return report.finish(rows, pictures)


if __name__ == "__main__":
    leave(main)
