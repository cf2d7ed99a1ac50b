#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain as much from pipelined and adaptive read-retry as Park et al. (ASPLOS 2021) have published?

Simulates their twelve workloads on their drive under each policy and condition. Plots figures 5, 7, 11, 14 and 15, and
the gains of single workloads at higher loads.
"""

from __future__ import annotations

from functools import partial

from comparison.command import Comparison, Run, command
from retry.loads import LoadSweep, cases_at_loads
from retry.rows import PUBLISHED, show_sensitivity, single_read_rows, system_rows
from retry.runs import (
    BESIDES,
    BUSY,
    DRIVE,
    LAST_READ_SHARE,
    READ_PERCENT,
    SCHEMES,
    Case,
    Outcome,
    Results,
    cases,
    rate_for,
    simulate,
)


def compare(run: Run) -> Comparison:
    requests, seeds = (1000, 1) if run.quick else (20_000, 3)
    rates = dict(run.outcomes(partial(rate_for, requests=requests), list(READ_PERCENT)))

    def outcomes(tasks: list[Case]) -> list[tuple[Case, Outcome]]:
        return run.outcomes(simulate, tasks, lambda case: f"{case.workload}, {case.scheme}", len(SCHEMES))

    of_seeds = outcomes(cases(rates, requests, seeds=seeds))
    of_one_seed = outcomes(cases(rates, requests, BESIDES))
    loads = LoadSweep(outcomes(cases_at_loads(rates, max(1000, requests // 4))))
    results = Results(of_seeds)
    besides = Results([(case, outcome) for case, outcome in of_seeds if case.seed == 1] + of_one_seed)
    study = PUBLISHED.study(
        single_read_rows() + system_rows(results, besides, loads, run.quick),
        "retry_tlc_512g",
        DRIVE,
        requests=requests,
        seeds=seeds,
        rates=", ".join(f"{workload} {rate:.0f}" for workload, rate in rates.items()),
        busy=100 * BUSY[False],
        busier=100 * BUSY[True],
        last_read=LAST_READ_SHARE,
    )
    show_sensitivity(besides, run.console)
    from retry.pictures import draw_all  # slow to import

    return Comparison([study], results.seeds, draw_all(results, loads))


if __name__ == "__main__":
    command(__doc__, "a twentieth of the requests, one seed", compare)
