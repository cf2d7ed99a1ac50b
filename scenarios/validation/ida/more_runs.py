# SPDX-License-Identifier: Apache-2.0
"""Further runs: Table III measured back, and the experiments of experiments.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from comparison.command import Run
from comparison.rows import Row
from ida import more_rows
from ida.drive import BASELINE, ida
from ida.experiments import blocks_in_use, erases_of_writes, four_channels, real_cells, repaid
from ida.published import WORKLOADS
from ida.runs import measured_back

PERIODS = 4
READS_OF_PAGE = (0.0, 1.0, 3.0, 10.0, 30.0)
BUS_BUSY = (0.5, 0.85)
OF_BUSES = "proj_4"
_SYSTEMS = {"baseline": BASELINE, "E20": ida(0.2)}


class MoreRuns:
    def __init__(self, pages: int, seeds: int) -> None:
        self._seeds = seeds
        self._runs: dict[tuple[Any, ...], Callable[[], Any]] = {("cells",): real_cells}
        for workload in WORKLOADS:
            self._runs["table three", workload] = partial(measured_back, workload, min(pages, 50_000))
        for name, system in _SYSTEMS.items():
            self._runs["in use", name] = partial(blocks_in_use, system, PERIODS)
            for seed in range(1, seeds + 1):
                self._runs["erases", name, seed] = partial(erases_of_writes, system, seed)
            for busy in BUS_BUSY:
                self._runs["buses", name, busy] = partial(four_channels, OF_BUSES, system, busy, pages)
        for name, system in {**_SYSTEMS, "repaying": ida(0.2, wordlines="repaying")}.items():
            for reads in READS_OF_PAGE:
                self._runs["repaid", name, reads] = partial(repaid, system, reads)

    def rows(self, run: Run) -> list[Row]:
        """Makes the runs."""
        done = run.outcomes(_call, list(self._runs.items()), lambda named: str(named[0][0]))
        of = {name: outcome for (name, _), outcome in done}
        repaid_by = {
            name: {reads: of["repaid", name, reads] for reads in READS_OF_PAGE} for name in (*_SYSTEMS, "repaying")
        }
        buses = {busy: 100 * (1 - of["buses", "E20", busy] / of["buses", "baseline", busy]) for busy in BUS_BUSY}
        return [
            *more_rows.table_three({workload: of["table three", workload] for workload in WORKLOADS}),
            *more_rows.space(
                {name: of["in use", name] for name in _SYSTEMS},
                {name: [of["erases", name, seed] for seed in range(1, self._seeds + 1)] for name in _SYSTEMS},
            ),
            *more_rows.shared_buses(buses),
            *more_rows.repaying(repaid_by),
            *more_rows.cells(of[("cells",)]),
        ]


def _call(named: tuple[tuple[Any, ...], Callable[[], Any]]) -> Any:
    return named[1]()
