# SPDX-License-Identifier: Apache-2.0
"""Figures of the runs of more_runs.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean

from physics.rows import Deviation, Row, at_most, exactly, limited, near

from ida import published
from ida.experiments import TYPICAL, RealCells, Repaid
from ida.published import PAGES_PER_BLOCK, WORKLOADS
from ida.rows import POINTS
from ida.runs import Measured


def table_three(measured: Mapping[str, Measured]) -> list[Row]:
    def furthest(figure: Callable[[Measured], float], printed: Callable[[published.Workload], float]) -> float:
        return max(abs(figure(measured[name]) - printed(WORKLOADS[name])) for name in WORKLOADS)

    def row(name: str, figure: str, ours: float, most: float, why: str, unit: str = "points") -> Row:
        return limited(
            f"choi_2018.{name}",
            f"{figure}, furthest of all workloads",
            ours,
            0,
            (None, most),
            why,
            "Table III",
            unit=unit,
        )

    return [
        row(
            "read_ratio",
            "read ratio, measured back",
            furthest(lambda m: m.read_percent, lambda w: w.read_percent),
            0.3,
            "whole requests",
        ),
        row(
            "read_size",
            "read size, measured back",
            100 * max(abs(measured[name].read_kb / WORKLOADS[name].read_kb - 1) for name in WORKLOADS),
            1,
            "whole pages",
            "%",
        ),
        row(
            "read_data",
            "read data ratio, measured back",
            furthest(lambda m: m.read_data_percent, lambda w: w.read_data_percent),
            0.5,
            "no write is smaller than a page",
        ),
        row(
            "invalid_msb",
            "MSB reads with invalid LSB or CSB, measured back",
            furthest(lambda m: m.invalid_percent, lambda w: w.invalid_percent),
            3,
            "4000 wordlines are drawn",
        ),
    ]


def space(in_use: Mapping[str, float], erases: Mapping[str, list[int]]) -> list[Row]:
    printed = WORKLOADS[TYPICAL]
    taken = 100 * (1 - (printed.added_reads - printed.added_writes) / PAGES_PER_BLOCK)
    of_drive = mean(published.BLOCKS_OF_DRIVE) / published.BLOCKS_OF_WORKLOAD
    cause = (
        "by Table IV a refreshed block stays, and its other pages take N_valid - N_target + N_error of a new one, "
        f"where the baseline takes N_valid: {taken:.0f} % of a block more. Here each block of the workload stays for a "
        "period. The published share means that a third of them do, and the paper does not say which"
    )
    more = 100 * (in_use["E20"] - in_use["baseline"])
    added = [100 * (after / before - 1) for before, after in zip(erases["baseline"], erases["E20"], strict=True)]
    return [
        near(
            "choi_2018.blocks_of_workload",
            "blocks in use more than the baseline's, of those that the workload fills",
            more,
            published.BLOCKS_OF_WORKLOAD,
            "section III.C",
            unit="%",
            absolute=POINTS,
            exception=Deviation(cause, taken, 8, "Table IV"),
        ),
        near(
            "choi_2018.blocks_of_drive",
            "the same, of a drive of which the workload fills what section III.C implies",
            of_drive * more,
            mean(published.BLOCKS_OF_DRIVE),
            "section III.C: 2 to 4 %",
            unit="%",
            absolute=1,
            exception=Deviation(cause, of_drive * taken, 8 * of_drive, "Table IV"),
        ),
        near(
            "choi_2018.erases",
            "erases more than the baseline's when writes follow",
            mean(added),
            published.MORE_ERASES,
            "section III.C: up to 3 %",
            unit="%",
            absolute=POINTS,
        ),
    ]


def shared_buses(gains: Mapping[float, float]) -> list[Row]:
    """By how busy the four buses are."""
    cause = (
        "a page occupies the bus that its die shares with seven others for 48 us: dies wait for buses, and are busy "
        "for a third of the time at most. Neither rate brings the published gain"
    )
    return [
        near(
            f"choi_2018.four_channels_{round(100 * busy)}",
            f"E20, four channels as in Table II, their buses busy {100 * busy:g} % of the time",
            gain,
            published.ERROR_RATES[0.2],
            "Table II",
            unit="%",
            absolute=POINTS,
            exception=Deviation(
                cause, 5, 3, "the gain at light load, which the closed form has, less the waits for buses"
            ),
        )
        for busy, gain in gains.items()
    ]


def repaying(by_system: Mapping[str, Mapping[float, Repaid]]) -> list[Row]:
    """By system, then by how often each page is read in a period."""
    rates = list(by_system["E20"])
    least = min(rates)

    def most_time(system: str, over: str) -> float:
        return max(by_system[system][rate].array_s / by_system[over][rate].array_s for rate in rates)

    return [
        at_most(
            "beyond.repaying",
            "arrays' time for refresh and reads, wordlines that repay over all, most of several rates",
            most_time("repaying", "E20"),
            1,
            "wordlines: repaying",
        ),
        limited(
            "beyond.repaying_rarely_read",
            "wordlines adjusted where nothing is read, over all",
            by_system["repaying"][least].adjusted / by_system["E20"][least].adjusted,
            "no figure",
            (0.5, 0.95),
            "those of which the MSB alone stays cost more than the program they save",
            "wordlines: repaying",
        ),
        at_most(
            "beyond.refresh_time",
            "arrays' time for refresh and reads, E20 over the baseline, most of several rates",
            most_time("E20", "baseline"),
            1,
            "section III.C: overheads are hidden",
        ),
    ]


def cells(real: RealCells) -> list[Row]:
    source = "section III.B, behind a BCH code"
    return [
        exactly(
            "cells.bytes", "bytes that a refreshed block of single cells returns wrong", real.wrong_bytes, 0, source
        ),
        exactly("cells.senses_before", "senses of a page, all native", round(real.before, 9), round(7 / 3, 9), source),
        exactly(
            "cells.senses_after",
            "senses of a page after the refresh, and as the coding says",
            round(real.after, 9),
            round(real.expected_after, 9),
            source,
        ),
    ]
