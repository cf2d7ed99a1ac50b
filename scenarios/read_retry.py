#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive gain from pipelined and adaptive read-retry what Park et al. (ASPLOS 2021) have published?

Simulates their twelve workloads on their drive under each policy and condition, prints the figures beside the
published ones, writes them to a JSON file, and draws figures 5, 7, 11, 14 and 15. Exit status: 0 when every figure is
within its tolerance or a labelled exception, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from physics.report import keep, show, verdict
from physics.rows import Study
from retry.rows import Results, step_rows, system_rows
from retry.runs import BUSY, CONDITIONS, READ_PERCENT, SCHEMES, Runner, cases, single_reads
from rich.console import Console

from nandscape.progress import StepBar

WORST = (2000, 12)
T_DMA_AND_ECC_US = 16.384 + 20


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    begin = time.monotonic()
    folder = options.plot_folder or options.json.parent
    for needed in (folder, options.json.parent):
        needed.mkdir(parents=True, exist_ok=True)
    requests, seeds = (1000, 1) if options.quick else (20_000, 3)
    runs = len(READ_PERCENT) * len(CONDITIONS) * len(SCHEMES) * seeds
    with StepBar(runs + len(READ_PERCENT) + 2) as bar, Runner() as runner:
        rates = {}
        for workload, rate in runner.rates(requests):
            bar.step(f"rate of {workload}")
            rates[workload] = rate
        outcomes = []
        for case, outcome in runner.outcomes(cases(rates, requests, seeds)):
            bar.step(f"{case.workload}, {case.scheme}")
            outcomes.append((case, outcome))
        bar.step("single reads")
        single = [single_reads(scheme, WORST, 300) for scheme in ("Baseline", "PR2", "AR2", "NoRR")]
        results = Results(outcomes)
        rows = [*step_rows(*single, T_DMA_AND_ECC_US), *system_rows(results)]
        bar.step("pictures")
        # Slow to import.
        from retry.pictures import draw_all

        pictures = draw_all(folder, results)
    study = Study(
        "Read-retry in a drive",
        "By how much do pipelined (PR2) and adaptive (AR2) read-retry shorten response times?",
        f"preset retry_tlc_512g, statistical cells, {requests} requests of each workload, {seeds} seed(s); "
        f"rates: {_rates(rates)} requests/s, at which Baseline at 2K cycles and 6 months keeps the dies busy "
        f"{100 * BUSY[False]:g} % of the time (stg_0 and hm_0: {100 * BUSY[True]:g} %, fitted to the gain of stg_0)",
        "each technique gains, both gain most, and more the worse the condition",
        lambda _quick: rows,
    )
    show(study, rows, console)
    keep(rows, options.json)
    missed = verdict(rows, time.monotonic() - begin, console)
    console.print(f"written: {', '.join(str(path) for path in (options.json, *pictures))}", soft_wrap=True)
    for name in missed:
        print(f"not within its tolerance: {name}", file=sys.stderr)
    return 1 if missed else 0


def _rates(rates: dict[str, float]) -> str:
    return ", ".join(f"{workload} {rate:.0f}" for workload, rate in rates.items())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="write all figures to FILE")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the requests, one seed")
    parser.add_argument("--plot-folder", metavar="DIR", type=Path, help="write pictures to DIR, not beside the JSON")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
