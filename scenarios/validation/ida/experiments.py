# SPDX-License-Identifier: Apache-2.0
"""Further simulations: blocks in use, writes after a refresh, wordlines worth adjusting, shared buses, real cells."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nandscape as ns
from comparison.traces import writes_of
from ida.drive import (
    DIES,
    PAGE_BYTES,
    PERIOD_DAYS,
    PLANES,
    Layout,
    WrittenData,
    configuration,
    go_on,
    ida,
    refresh,
    tlc,
)
from ida.published import PAGES_PER_BLOCK, WORDLINES_PER_BLOCK, WORKLOADS
from ida.runs import MOST_IN_FLIGHT, T_DMA_US, mean_read_bytes, reads_of
from ida.validity import validity

TYPICAL = "usr_2"  # next to the mean of Table IV


def blocks_in_use(system: Mapping[str, Any], periods: int, seed: int = 1) -> float:
    """Blocks in use over the blocks that the workload's data fill, the mean of `periods` periods. In each period the
    workload overwrites random pages, in the number of Table IV."""
    pages = 2 * PLANES * PAGES_PER_BLOCK
    overwritten = round(pages * (1 - WORKLOADS[TYPICAL].valid / PAGES_PER_BLOCK))
    chance = random.Random(seed)
    used = []
    with TemporaryDirectory() as folder:
        trace, path = Path(folder) / "writes.csv", Path(folder) / "drive"
        first = writes_of(range(pages), trace, PAGE_BYTES)
        simulation = ns.Simulation(configuration(tlc(), seed, {**system, "host.workload": [first]}))
        for _ in range(periods + 1):
            simulation.run()
            # Pages written within the period are due in the next one.
            for _ in range(6):
                simulation.advance(f"{PERIOD_DAYS / 6}d")
                used.append(simulation.stats("all")["controller"]["blocks_in_use"])
            again = writes_of(chance.sample(range(pages), overwritten), trace, PAGE_BYTES)
            simulation = go_on(simulation, path, again)
    # The first period begins with blocks without invalid pages.
    return sum(used[6:]) / (6 * periods) / (pages / PAGES_PER_BLOCK)


def erases_of_writes(system: Mapping[str, Any], seed: int = 1) -> int:
    """Erases from the refresh of a workload's data until the host has written the capacity once more, at random
    addresses. The drive is full, with 15 % more blocks than it exports (section III.C); the workload's data fill an
    eighth of it."""
    planes = 8
    drive = configuration(
        tlc(),
        seed,
        {
            **system,
            "channel.count": planes // 2,
            "nand.geometry.blocks_per_plane": 64,
            "controller.mapping.over_provisioning": 0.15,
        },
    )
    layout = Layout(validity(TYPICAL), tlc(), 8 * WORDLINES_PER_BLOCK, seed, planes)
    with WrittenData(layout) as written, TemporaryDirectory() as folder:
        simulation = ns.Simulation.restore(written.drive(drive))
        path = Path(folder) / "drive"
        pages = simulation.capacity_bytes // PAGE_BYTES
        rest = writes_of(range(layout.first_unused_page, pages), Path(folder) / "writes.csv", PAGE_BYTES)
        simulation = go_on(simulation, path, rest)
        simulation.run()
        before = simulation.stats("all")["nand"]["block_erases"]
        refresh(simulation)
        writes = ns.synthetic(requests=pages, read_percent=0, block_bytes=PAGE_BYTES, queue_depth=64)
        simulation = go_on(simulation, path, writes)
        simulation.run()
        return simulation.stats("all")["nand"]["block_erases"] - before


@dataclass(frozen=True)
class Repaid:
    """A refresh and the reads of the next period: working time of the arrays, and adjusted wordlines."""

    array_s: float
    adjusted: int


def repaid(system: dict[str, Any], reads_of_page: float, seed: int = 1) -> Repaid:
    """`reads_of_page`: reads of each page in a period, before the refresh and after it."""
    layout = Layout(validity("usr_1"), tlc(), WORDLINES_PER_BLOCK, seed)
    # With equal powers, energy is proportional to the working time of the planes.
    counted = system | {"controller.read_disturb.limit_reads": 1 << 30} | dict.fromkeys(_POWERS, 1)
    with WrittenData(layout) as written, TemporaryDirectory() as folder:
        reads = ns.synthetic(
            requests=max(round(reads_of_page * layout.read_pages), 1),
            read_percent=100,
            block_bytes=PAGE_BYTES,
            footprint_bytes=layout.read_pages * PAGE_BYTES,
        )
        drive = written.drive(configuration(tlc(), seed, counted))
        simulation = ns.Simulation.restore(drive, {"host.workload": [reads]})
        simulation.run()
        simulation = go_on(simulation, Path(folder) / "drive", reads)
        before = _array_s(simulation)
        adjusted = refresh(simulation).renewal["adjusted_wordlines"]
        simulation.run()
        return Repaid(_array_s(simulation) - before, adjusted)


_POWERS = ("nand.energy.read_mw", "nand.energy.program_mw", "nand.energy.erase_mw")


def _array_s(simulation: ns.Simulation) -> float:
    return 1000 * simulation.stats("all")["energy"]["array_j"]


def four_channels(workload: str, system: Mapping[str, Any], bus_busy: float, pages: int, seed: int = 1) -> float:
    """The mean response time in µs with the four channels of Table II, where eight dies share a bus."""
    channels = 4
    layout = Layout(validity(workload), tlc(), WORDLINES_PER_BLOCK, seed)
    shared = {**system, "channel.count": channels, "nand.geometry.chips_per_channel": DIES // channels}
    pages_of_read = mean_read_bytes(workload) / PAGE_BYTES
    rate = bus_busy * channels / (pages_of_read * T_DMA_US * 1e-6)
    pace = {"requests_per_s": rate, "queue_depth": MOST_IN_FLIGHT}
    reads = reads_of(workload, layout, round(pages / pages_of_read), pace)
    with WrittenData(layout) as written:
        drive = written.drive(configuration(tlc(), seed, shared))
        simulation = ns.Simulation.restore(drive, {"host.workload": [reads]})
        refresh(simulation)
        simulation.run()
        return simulation.stats("all")["host"]["read"]["latency_us"]["mean"]


@dataclass(frozen=True)
class RealCells:
    """`before`, `after`: senses of a page before and after the refresh."""

    wrong_bytes: int
    before: float
    after: float
    expected_after: float


def real_cells(seed: int = 1) -> RealCells:
    """A block whose cells are simulated one by one, behind a BCH code, refreshed with all its pages valid."""
    page_bytes, pages = 4096, 96
    drive = ns.load(
        "bare",
        {
            "simulation.cells": "per_cell",
            "simulation.data": "stored",
            "simulation.seed": seed,
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
    chance = random.Random(seed)
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
    # The hour after the refresh, when no page needs retries.
    simulation.advance(f"{24 * PERIOD_DAYS + 1}h")
    adjusted = simulation.stats("all")["controller"]["renewal"]["adjusted_wordlines"]
    wrong_after, after = read_all()
    # CSB and MSB pages that stayed take 1 and 2 senses. LSB pages have moved to consecutive pages of any type.
    moved = sum((1, 2, 4)[number % 3] for number in range(pages - 2 * adjusted))
    return RealCells(wrong_before + wrong_after, before, after, (adjusted * (1 + 2) + moved) / pages)
