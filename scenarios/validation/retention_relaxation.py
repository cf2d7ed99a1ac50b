#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain from retention relaxation what Liu, Yang and Wu (FAST 2012) have published?

Computes what they project from the amounts of their 16 workloads, simulates eleven of them on their drive with page
writes that are as fast as 10 and 2 weeks of retention allow and with LDPC encoders of several throughputs, prints the
figures beside the published ones, writes them to a JSON file, and draws figures 6, 7, 9 and 13 to 17. Exit status: 0
when every figure is within its tolerance or, where it is an exception, within the band that its cause predicts, 1
otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

from physics.report import show
from physics.rows import Study
from retention import analysis_rows, ldpc_rows, rows
from retention.arrivals import BUSY, PAGES_AT_ONCE, burst
from retention.reprogramming import reprogramming
from retention.results import Length, Results, cases
from retention.runs import idle_write_us, simulate
from retention.systems import WRITE_SYSTEMS
from retention.traces import required
from shared.command import Report, leave, parser
from shared.processes import Processes

from nandscape.progress import StepBar

QUICK = Length(light=2000, heavy=2500 * PAGES_AT_ONCE, heavy_with_ldpc=500 * PAGES_AT_ONCE)
FULL = Length(light=20_000, heavy=8000 * PAGES_AT_ONCE, heavy_with_ldpc=4000 * PAGES_AT_ONCE)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a tenth of the writes, one seed").parse_args(arguments)
    report = Report(options)
    length, seeds = (QUICK, 1) if options.quick else (FULL, 3)
    runs = cases(length, seeds)
    with StepBar(len(runs) + 4) as bar, Processes() as processes:
        writing_again = processes.outcomes(reprogramming, [length.heavy])
        outcomes = []
        for case, outcome in processes.outcomes(simulate, runs):
            bar.step(f"{case.workload}, {case.system}")
            outcomes.append((case, outcome))
        bar.step("what is written again")
        _, again = next(writing_again)
        bar.step("idle drives")
        results = Results(outcomes, {system: idle_write_us(system) for system in WRITE_SYSTEMS})
        bar.step("traces")
        traces = required(5000 if options.quick else 50_000)
        figures = [*analysis_rows.rows(traces), *rows.rows(results, again), *ldpc_rows.rows(results)]
        bar.step("pictures")
        # Slow to import.
        from retention.pictures import draw_all

        pictures = draw_all(report.folder, results, traces)
    study = Study(
        "Retention relaxation in a drive",
        "By how much do writes gain that need to be kept for weeks only, and what does LDPC have to encode?",
        f"preset retention_mlc, of which each channel carries out one operation at a time; {length.light} writes "
        f"of each workload ({length.heavy} of hd1 and hd2, {PAGES_AT_ONCE} at a time), {seeds} seed(s); bursts at "
        f"{burst():.2f} times the mean rates of Table 2, those of hd2 at the rate of hd1, at which the channels of the "
        f"baseline are busy {100 * BUSY:g} % of the time, fitted to the speedups of hd1 and hd2",
        "light workloads gain what pages gain, queues shrink by more; background writes need little LDPC",
        lambda _quick: figures,
    )
    show(study, figures, report.console)
    return report.finish(figures, pictures)


if __name__ == "__main__":
    leave(main)
