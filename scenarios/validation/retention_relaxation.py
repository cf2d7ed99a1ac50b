#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain as much from retention relaxation as Liu, Yang and Wu (FAST 2012) have published?

Computes their projections from the amounts of their 16 workloads. Simulates eleven workloads on their drive, with page
writes as fast as 10 and 2 weeks of retention allow, and with LDPC encoders of several throughputs. Plots figures 6, 7,
9 and 13 to 17.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from retention import analysis, rows
from retention.analysis import PUBLISHED
from retention.arrivals import BUSY, PAGES_AT_ONCE, burst
from retention.drive import DRIVE, WRITE_SYSTEMS
from retention.reprogramming import reprogramming
from retention.runs import FULL, QUICK, Results, cases, idle_write_us, simulate
from retention.traces import required


def compare(run: Run) -> Comparison:
    length, seeds = (QUICK, 1) if run.quick else (FULL, 3)
    outcomes = run.outcomes(simulate, cases(length, seeds), lambda case: f"{case.workload}, {case.system}")
    [(_, again)] = run.outcomes(reprogramming, [length.heavy], lambda _: "reprogramming")
    results = Results(outcomes, {system: idle_write_us(system) for system in WRITE_SYSTEMS})
    traces = required(5000 if run.quick else 50_000)
    study = PUBLISHED.study(
        [*analysis.rows(traces), *rows.rows(results, again)],
        "retention_mlc",
        DRIVE,
        light=length.light,
        heavy=length.heavy,
        at_once=PAGES_AT_ONCE,
        seeds=seeds,
        burst=burst(),
        busy=100 * BUSY,
    )
    from retention.pictures import draw_all  # slow to import

    return Comparison([study], results.seeds, draw_all(results, traces))


if __name__ == "__main__":
    command(__doc__, "a tenth of the writes, one seed", compare)
