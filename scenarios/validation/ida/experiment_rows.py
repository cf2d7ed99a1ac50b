# SPDX-License-Identifier: Apache-2.0
"""The figures of Table III, measured on the simulated workloads, and the results of experiments.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from statistics import mean
from typing import Any

from comparison.command import Run
from comparison.rows import Row
from ida import published
from ida.drive import SYSTEMS, ida
from ida.experiments import (
    TYPICAL,
    RealCells,
    Repaid,
    blocks_in_use,
    erases_of_writes,
    four_channels,
    real_cells,
    repaid,
)
from ida.published import PAGES_PER_BLOCK, WORKLOADS
from ida.rows import PUBLISHED
from ida.runs import Measured, measured_back

PERIODS = 4
READS_OF_PAGE = (0.0, 1.0, 3.0, 10.0, 30.0)
BUS_BUSY = (0.5, 0.85)
OF_BUSES = "proj_4"

Simulation = tuple[tuple[Any, ...], Callable[[], Any]]  # name and function


def rows(run: Run, pages: int, seeds: int) -> list[Row]:
    """Runs the simulations and returns their rows."""
    simulations = list(_simulations(pages, seeds).items())
    done = run.outcomes(_call, simulations, lambda simulation: str(simulation[0][0]))
    of = {name: outcome for (name, _), outcome in done}
    erases = {name: [of["erases", name, seed] for seed in range(1, seeds + 1)] for name in SYSTEMS}
    repaid_by = {name: {reads: of["repaid", name, reads] for reads in READS_OF_PAGE} for name in (*SYSTEMS, "repaying")}
    return [
        *_table_three({workload: of["table three", workload] for workload in WORKLOADS}),
        *_space({name: of["in use", name] for name in SYSTEMS}, erases),
        *(
            PUBLISHED.row(
                "four_channels_{percent}",
                100 * (1 - of["buses", "E20", busy] / of["buses", "baseline", busy]),
                percent=round(100 * busy),
            )
            for busy in BUS_BUSY
        ),
        *_repaying(repaid_by),
        *_cells(of[("cells",)]),
    ]


def _simulations(pages: int, seeds: int) -> dict[tuple[Any, ...], Callable[[], Any]]:
    """All simulations by name."""
    simulations: dict[tuple[Any, ...], Callable[[], Any]] = {("cells",): real_cells}
    for workload in WORKLOADS:
        simulations["table three", workload] = partial(measured_back, workload, min(pages, 50_000))
    for name, system in SYSTEMS.items():
        simulations["in use", name] = partial(blocks_in_use, system, PERIODS)
        for seed in range(1, seeds + 1):
            simulations["erases", name, seed] = partial(erases_of_writes, system, seed)
        for busy in BUS_BUSY:
            simulations["buses", name, busy] = partial(four_channels, OF_BUSES, system, busy, pages)
    for name, system in {**SYSTEMS, "repaying": ida(0.2, wordlines="repaying")}.items():
        for reads in READS_OF_PAGE:
            simulations["repaid", name, reads] = partial(repaid, system, reads)
    return simulations


def _call(simulation: Simulation) -> Any:
    return simulation[1]()


def _table_three(measured: Mapping[str, Measured]) -> list[Row]:
    """The largest distances of the workloads from Table III."""

    def furthest(figure: str) -> float:
        return max(abs(getattr(measured[name], figure) - getattr(WORKLOADS[name], figure)) for name in WORKLOADS)

    return PUBLISHED.rows(
        {
            "read_ratio": furthest("read_percent"),
            "read_size": 100 * max(abs(measured[name].read_kb / WORKLOADS[name].read_kb - 1) for name in WORKLOADS),
            "read_data": furthest("read_data_percent"),
            "invalid_msb": furthest("invalid_percent"),
        }
    )


def _space(in_use: Mapping[str, float], erases: Mapping[str, list[int]]) -> list[Row]:
    """Blocks in use and erases beyond those of the baseline."""
    printed = WORKLOADS[TYPICAL]
    taken = 100 * (1 - (printed.added_reads - printed.added_writes) / PAGES_PER_BLOCK)
    of_drive = mean(published.BLOCKS_OF_DRIVE) / PUBLISHED.paper("blocks_of_workload")
    more = 100 * (in_use["E20"] - in_use["baseline"])
    added = [100 * (after / before - 1) for before, after in zip(erases["baseline"], erases["E20"], strict=True)]
    return [
        PUBLISHED.row("blocks_of_workload", more, expected=taken, taken=taken),
        PUBLISHED.row("blocks_of_drive", of_drive * more, expected=of_drive * taken, reach=8 * of_drive, taken=taken),
        PUBLISHED.row("erases", mean(added)),
    ]


def _repaying(by_system: Mapping[str, Mapping[float, Repaid]]) -> list[Row]:
    """`by_system`: by system, then by the number of reads of each page in a period."""
    least = min(READS_OF_PAGE)

    def most_time(system: str, over: str) -> float:
        return max(by_system[system][rate].array_s / by_system[over][rate].array_s for rate in READS_OF_PAGE)

    return PUBLISHED.rows(
        {
            "beyond.repaying": most_time("repaying", "E20"),
            "beyond.repaying_rarely_read": by_system["repaying"][least].adjusted / by_system["E20"][least].adjusted,
            "beyond.refresh_time": most_time("E20", "baseline"),
        }
    )


def _cells(real: RealCells) -> list[Row]:
    return [
        PUBLISHED.row("cells.bytes", real.wrong_bytes),
        PUBLISHED.row("cells.senses_before", round(real.before, 9)),
        PUBLISHED.row("cells.senses_after", round(real.after, 9), paper=round(real.expected_after, 9)),
    ]
