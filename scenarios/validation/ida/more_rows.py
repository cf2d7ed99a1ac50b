# SPDX-License-Identifier: Apache-2.0
"""The figures of the runs of more_runs.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean

from comparison.rows import Row
from ida import published
from ida.experiments import TYPICAL, RealCells, Repaid
from ida.published import PAGES_PER_BLOCK, WORKLOADS
from ida.rows import PUBLISHED
from ida.runs import Measured


def table_three(measured: Mapping[str, Measured]) -> list[Row]:
    """The furthest distances of the workloads from Table III."""

    def furthest(figure: Callable[[Measured], float], printed: Callable[[published.Workload], float]) -> float:
        return max(abs(figure(measured[name]) - printed(WORKLOADS[name])) for name in WORKLOADS)

    return PUBLISHED.rows(
        {
            "read_ratio": furthest(lambda m: m.read_percent, lambda w: w.read_percent),
            "read_size": 100 * max(abs(measured[name].read_kb / WORKLOADS[name].read_kb - 1) for name in WORKLOADS),
            "read_data": furthest(lambda m: m.read_data_percent, lambda w: w.read_data_percent),
            "invalid_msb": furthest(lambda m: m.invalid_percent, lambda w: w.invalid_percent),
        }
    )


def space(in_use: Mapping[str, float], erases: Mapping[str, list[int]]) -> list[Row]:
    """Blocks in use and erases more than with the baseline."""
    printed = WORKLOADS[TYPICAL]
    taken = 100 * (1 - (printed.added_reads - printed.added_writes) / PAGES_PER_BLOCK)
    of_drive = mean(published.BLOCKS_OF_DRIVE) / published.BLOCKS_OF_WORKLOAD
    more = 100 * (in_use["E20"] - in_use["baseline"])
    added = [100 * (after / before - 1) for before, after in zip(erases["baseline"], erases["E20"], strict=True)]
    return [
        PUBLISHED.row("blocks_of_workload", more, expected=taken, taken=taken),
        PUBLISHED.row("blocks_of_drive", of_drive * more, expected=of_drive * taken, reach=8 * of_drive, taken=taken),
        PUBLISHED.row("erases", mean(added)),
    ]


def shared_buses(gains: Mapping[float, float]) -> list[Row]:
    """`gains`: by the share of the time that the four buses are busy."""
    return [PUBLISHED.row("four_channels_{percent}", gain, percent=round(100 * busy)) for busy, gain in gains.items()]


def repaying(by_system: Mapping[str, Mapping[float, Repaid]]) -> list[Row]:
    """`by_system`: by system, then by the number of reads of each page in a period."""
    rates = list(by_system["E20"])
    least = min(rates)

    def most_time(system: str, over: str) -> float:
        return max(by_system[system][rate].array_s / by_system[over][rate].array_s for rate in rates)

    return PUBLISHED.rows(
        {
            "beyond.repaying": most_time("repaying", "E20"),
            "beyond.repaying_rarely_read": by_system["repaying"][least].adjusted / by_system["E20"][least].adjusted,
            "beyond.refresh_time": most_time("E20", "baseline"),
        }
    )


def cells(real: RealCells) -> list[Row]:
    """A block of cells that are drawn one by one."""
    return [
        PUBLISHED.row("cells.bytes", real.wrong_bytes),
        PUBLISHED.row("cells.senses_before", round(real.before, 9)),
        PUBLISHED.row("cells.senses_after", round(real.after, 9), paper=round(real.expected_after, 9)),
    ]
