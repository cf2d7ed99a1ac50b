# SPDX-License-Identifier: Apache-2.0
"""The runs beside those of the systems: Table III measured back, and the experiments of experiments.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from physics.rows import Row
from shared.processes import Processes

from ida import more_rows
from ida.drive import BASELINE, ida
from ida.experiments import blocks_in_use, erases_of_writes, four_channels, real_cells, repaid
from ida.published import WORKLOADS
from ida.runs import measured_back
from nandscape.progress import StepBar

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
        self._outcomes: dict[tuple[Any, ...], Any] = {}

    @property
    def steps(self) -> int:
        return len(self._runs)

    def run(self, processes: Processes, bar: StepBar) -> None:
        names = list(self._runs)
        outcomes = processes.outcomes(_call, list(self._runs.values()))
        for name, (_, outcome) in zip(names, outcomes, strict=True):
            bar.step(str(name[0]))
            self._outcomes[name] = outcome

    def rows(self) -> list[Row]:
        of = self._outcomes
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


def _call(run: Callable[[], Any]) -> Any:
    return run()
