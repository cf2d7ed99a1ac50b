#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do reads gain as much from differences between layers as Nie et al. (DAC 2020) have published?

Simulates their 18 workloads on their drive with single-operation reads of subpages (SOML), with layer-aware scheduling
of these reads (SRS), and with fullpages over four layers in addition (FPA), with the decoder that the study assumes and
with real LDPC codes. Prints why no code can do what it assumes. Plots figures 2(b), 6 and 7.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from layers.decoders import LDPC, LESS_BORROWED
from layers.decoding import layer_groups
from layers.device import DEVICE
from layers.rows import PUBLISHED, layer_rows, ldpc_rows, system_rows
from layers.runs import BUSY, Results, cases, operations_of_fullpage, plan_of, simulate, trials
from layers.table import show_capacity, show_codes, show_workloads


def compare(run: Run) -> Comparison:
    requests, seeds = (3000, 2) if run.quick else (12_000, 3)
    planned = run.outcomes(plan_of, trials(requests), lambda trial: f"rate of {trial.workload}")
    plans = {(trial.decoder.name, trial.workload): plan for trial, plan in planned}
    outcomes = run.outcomes(simulate, cases(plans, requests, seeds), lambda case: f"{case.workload}, {case.scheme}")
    results = Results(outcomes)
    ldpc = {decoder: Results(outcomes, decoder) for decoder in (LDPC, *LESS_BORROWED)}
    rows = [
        *layer_rows(operations_of_fullpage(300)),
        *system_rows(results, run.quick),
        *ldpc_rows(ldpc, run.quick),
    ]
    words = {"requests": requests, "seeds": seeds, "busy": 100 * BUSY, "groups": layer_groups()}
    study = PUBLISHED.study(rows, "retry_tlc_512g", DEVICE, **words)
    show_workloads(results, plans, run.console)
    show_capacity(run.console)
    show_codes(ldpc, run.console)
    from layers.pictures import draw_all  # slow to import

    return Comparison([study], results.seeds, draw_all(results, ldpc[LDPC]))


if __name__ == "__main__":
    command(__doc__, "a quarter of the requests, two seeds", compare)
