# SPDX-License-Identifier: Apache-2.0
"""Simulations beyond the main runs, and their rows: a check that the simulated workloads have the properties of Table
III; the number of blocks in use; erases caused by writes after a refresh; which wordlines are worth adjusting; channels
that dies share; and a drive whose cells are simulated."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import nandscape as ns
from comparison.command import Run
from comparison.rows import Row
from comparison.traces import writes_of
from ida import published
from ida.drive import (
    DIES,
    PAGE_BYTES,
    PERIOD_DAYS,
    PLANES,
    SYSTEMS,
    Layout,
    configuration,
    go_on,
    ida,
    refresh,
    tlc,
    written,
)
from ida.published import PAGES_PER_BLOCK, WORDLINES_PER_BLOCK, WORKLOADS
from ida.rows import PUBLISHED
from ida.runs import MOST_IN_FLIGHT, T_DMA_US, mean_read_bytes, measured_back, reads_of
from ida.validity import validity

TYPICAL = "usr_2"  # the workload closest to the mean of Table IV
PERIODS = 4
READS_OF_PAGE = (0.0, 1.0, 3.0, 10.0, 30.0)  # in a period
BUS_BUSY = (0.5, 0.85)
OF_BUSES = "proj_4"
SEED = 1
_POWERS = ("nand.energy.read_mw", "nand.energy.program_mw", "nand.energy.erase_mw")

Simulation = tuple[tuple[Any, ...], Callable[[], Any]]  # name and function


def rows(run: Run, pages: int, seeds: int) -> list[Row]:
    """Runs all simulations of this file and returns their rows."""
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
    """Returns the functions that run the simulations, by name."""
    simulations: dict[tuple[Any, ...], Callable[[], Any]] = {("cells",): real_cells}
    for workload in WORKLOADS:
        simulations["table three", workload] = partial(measured_back, workload, min(pages, 50_000))
    for name, system in SYSTEMS.items():
        simulations["in use", name] = partial(blocks_in_use, system)
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


def _table_three(measured: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """Returns rows with the largest deviations of the simulated workloads from Table III."""

    def furthest(figure: str) -> float:
        return max(abs(measured[name][figure] - getattr(WORKLOADS[name], figure)) for name in WORKLOADS)

    return PUBLISHED.rows(
        {
            "read_ratio": furthest("read_percent"),
            "read_size": 100 * max(abs(measured[name]["read_kb"] / WORKLOADS[name].read_kb - 1) for name in WORKLOADS),
            "read_data": furthest("read_data_percent"),
            "invalid_msb": furthest("invalid_percent"),
        }
    )


def blocks_in_use(system: Mapping[str, Any]) -> float:
    """Returns the number of blocks in use divided by the number of blocks that the workload's data fill, averaged over
    PERIODS refresh periods. In each period, the workload overwrites the number of random pages that follows from Table
    IV."""
    pages = 2 * PLANES * PAGES_PER_BLOCK
    overwritten = round(pages * (1 - WORKLOADS[TYPICAL].valid / PAGES_PER_BLOCK))
    chance = random.Random(SEED)
    used = []
    with TemporaryDirectory() as folder:
        trace, path = Path(folder) / "writes.csv", Path(folder) / "drive"
        first = writes_of(range(pages), trace, PAGE_BYTES)
        simulation = ns.Simulation(configuration(tlc(), SEED, {**system, "host.workload": [first]}))
        for _ in range(PERIODS + 1):
            simulation.run()
            # Pages written in this period are refreshed in the next period.
            for _ in range(6):
                simulation.advance(f"{PERIOD_DAYS / 6}d")
                used.append(simulation.stats("all")["controller"]["blocks_in_use"])
            again = writes_of(chance.sample(range(pages), overwritten), trace, PAGE_BYTES)
            simulation = go_on(simulation, path, again)
    # Leave out the first period, since its blocks have no invalid pages at the beginning.
    return sum(used[6:]) / (6 * PERIODS) / (pages / PAGES_PER_BLOCK)


def erases_of_writes(system: Mapping[str, Any], seed: int) -> int:
    """Returns the number of block erases between the refresh of a workload's data and the time at which the host has
    overwritten the whole capacity once, at random addresses. The drive is full and has 15 % more blocks than it exports
    (section III.C). The workload's data fill an eighth of the drive."""
    planes = 8
    changes = {
        "channel.count": planes // 2,
        "nand.geometry.blocks_per_plane": 64,
        "controller.mapping.over_provisioning": 0.15,
    }
    layout = Layout(validity(TYPICAL), tlc(), 8 * WORDLINES_PER_BLOCK, seed, planes)
    with written(layout) as drive:
        path = drive(configuration(tlc(), seed, {**system, **changes}))
        simulation = ns.Simulation.restore(path)
        pages = simulation.capacity_bytes // PAGE_BYTES
        rest = writes_of(range(layout.first_unused_page, pages), path.with_name("rest.csv"), PAGE_BYTES)
        simulation = go_on(simulation, path, rest)
        simulation.run()
        before = simulation.stats("all")["nand"]["block_erases"]
        refresh(simulation)
        writes = ns.synthetic(requests=pages, read_percent=0, block_bytes=PAGE_BYTES, queue_depth=64)
        simulation = go_on(simulation, path, writes)
        simulation.run()
        return simulation.stats("all")["nand"]["block_erases"] - before


def _space(in_use: Mapping[str, float], erases: Mapping[str, list[int]]) -> list[Row]:
    """Returns rows for the blocks in use and the erases of IDA-Coding-E20, compared with the baseline."""
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


class Repaid(NamedTuple):
    """The working time of the flash arrays during a refresh and the reads of the following period, and the number of
    wordlines that the refresh adjusted.
    """

    array_s: float
    adjusted: int


def repaid(system: dict[str, Any], reads_of_page: float) -> Repaid:
    """Simulates a refresh and the reads of the next period. Returns the working time of the arrays and the number of
    adjusted wordlines. `reads_of_page` is the number of reads of each page in a period, before and after the refresh.
    """
    layout = Layout(validity("usr_1"), tlc(), WORDLINES_PER_BLOCK, SEED)
    # The working time is measured as energy: with equal powers of all operations, energy is proportional to time.
    counted = system | {"controller.read_disturb.limit_reads": 1 << 30} | dict.fromkeys(_POWERS, 1)
    reads = ns.synthetic(
        requests=max(round(reads_of_page * layout.read_pages), 1),
        read_percent=100,
        block_bytes=PAGE_BYTES,
        footprint_bytes=layout.read_pages * PAGE_BYTES,
    )
    with written(layout) as drive:
        path = drive(configuration(tlc(), SEED, counted))
        simulation = ns.Simulation.restore(path, {"host.workload": [reads]})
        simulation.run()
        simulation = go_on(simulation, path, reads)
        before = _array_s(simulation)
        adjusted = refresh(simulation).renewal["adjusted_wordlines"]
        simulation.run()
        return Repaid(_array_s(simulation) - before, adjusted)


def _array_s(simulation: ns.Simulation) -> float:
    return 1000 * simulation.stats("all")["energy"]["array_j"]


def _repaying(by_system: Mapping[str, Mapping[float, Repaid]]) -> list[Row]:
    """Returns the rows of the system that adjusts a wordline only if its reads will repay the time. The keys of
    `by_system` are the name of a system and the number of reads of each page in a period.
    """
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


def four_channels(workload: str, system: Mapping[str, Any], bus_busy: float, pages: int) -> float:
    """Returns the mean response time in µs on a drive with the four channels of Table II, each shared by eight dies.
    Reads keep the buses busy for the share `bus_busy` of the time.
    """
    channels = 4
    layout = Layout(validity(workload), tlc(), WORDLINES_PER_BLOCK, SEED)
    shared = {**system, "channel.count": channels, "nand.geometry.chips_per_channel": DIES // channels}
    pages_of_read = mean_read_bytes(workload) / PAGE_BYTES
    rate = bus_busy * channels / (pages_of_read * T_DMA_US * 1e-6)
    pace = {"requests_per_s": rate, "queue_depth": MOST_IN_FLIGHT}
    reads = reads_of(workload, layout, round(pages / pages_of_read), pace)
    with written(layout) as drive:
        path = drive(configuration(tlc(), SEED, shared))
        simulation = ns.Simulation.restore(path, {"host.workload": [reads]})
        refresh(simulation)
        simulation.run()
        return simulation.stats("all")["host"]["read"]["latency_us"]["mean"]


class RealCells(NamedTuple):
    """The result of real_cells(). `wrong_bytes` counts the read bytes that differ from the written ones. `before` and
    `after` are the senses per page read before and after the refresh.
    """

    wrong_bytes: int
    before: float
    after: float
    expected_after: float


def real_cells() -> RealCells:
    """Refreshes blocks whose pages are all valid on a drive that simulates each cell. A BCH code protects the pages."""
    page_bytes, pages = 4096, 96
    drive = ns.load(
        "bare",
        {
            "simulation.cells": "per_cell",
            "simulation.data": "stored",
            "simulation.seed": SEED,
            "ecc.decoder": "bit_true",
            "channel.count": 1,
            "nand.coding": "tlc_124",
            "nand.geometry.chips_per_channel": 1,
            "nand.geometry.dies_per_chip": 1,
            "nand.geometry.planes_per_die": 1,
            "nand.geometry.page_bytes": page_bytes,
            "nand.geometry.spare_bytes": 520,
            "nand.geometry.blocks_per_plane": 16,
            "nand.geometry.pages_per_block": 48,
            "nand.condition.pe_cycles": 300,
            "controller.mapping.over_provisioning": 1.5,
            "controller.precondition.occupancy": 0,
            **ida(0),
        },
    )
    simulation = ns.Simulation(drive)
    chance = random.Random(SEED)
    data = [chance.randbytes(page_bytes) for _ in range(pages)]
    for number, page in enumerate(data):
        simulation.write(number * page_bytes // 512, page)

    def read_all() -> tuple[int, float]:
        before = simulation.stats("all")["nand"]
        read = [simulation.read(number * page_bytes // 512, page_bytes) for number in range(pages)]
        after = simulation.stats("all")["nand"]
        wrong = sum(a != b for got, page in zip(read, data, strict=True) for a, b in zip(got, page, strict=True))
        return wrong, (after["senses"] - before["senses"]) / (after["page_reads"] - before["page_reads"])

    wrong_before, before = read_all()
    # The reads follow within an hour after the refresh, when no page needs retries yet.
    simulation.advance(f"{24 * PERIOD_DAYS + 1}h")
    adjusted = simulation.stats("all")["controller"]["renewal"]["adjusted_wordlines"]
    wrong_after, after = read_all()
    # If its LSB page has left the wordline, a CSB page needs one sense and an MSB page two. The moved LSB pages fill
    # consecutive pages of all types, which need 1, 2 and 4 senses.
    moved = sum((1, 2, 4)[number % 3] for number in range(pages - 2 * adjusted))
    return RealCells(wrong_before + wrong_after, before, after, (adjusted * (1 + 2) + moved) / pages)


def _cells(real: RealCells) -> list[Row]:
    return [
        PUBLISHED.row("cells.bytes", real.wrong_bytes),
        PUBLISHED.row("cells.senses_before", round(real.before, 9)),
        PUBLISHED.row("cells.senses_after", round(real.after, 9), paper=round(real.expected_after, 9)),
    ]
