# SPDX-License-Identifier: Apache-2.0
"""The runs: the reads of eleven workloads, after a refresh by remapping (the baseline) and by the coding.

Two things differ from Table II as printed, and rows show their effect:

- Each die has its own channel. With four channels, a page takes 48 µs on a bus that eight dies share. The buses
  saturate before the dies, and faster reads of the dies gain next to nothing.
- Only reads are timed. Dies that are busy with reads for BUSY of the time have no time for the writes of Table III,
  which take 2.3 ms a page.

The study prints no rates. Reads arrive as a Poisson process, at the rate at which they keep the dies of the baseline
busy for BUSY of the time (at the read times of Table II). All systems and devices have the same rate. BUSY is the only
fitted number; it is fitted to the mean gain at 20 % errors.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import nandscape as ns
from ida.drive import (
    BASELINE,
    DIES,
    PAGE_BYTES,
    PLANES,
    Flash,
    Layout,
    Refresh,
    WrittenData,
    configuration,
    refresh,
    tlc,
)
from ida.published import WORDLINES_PER_BLOCK, WORKLOADS
from ida.validity import validity
from nandscape.errors import SaturationWarning
from nandscape.result import REQUEST_KINDS

BUSY = 0.86
T_DMA_US = 48
LIGHT = 0.01
LARGEST_REQUEST = 1 << 19
MOST_IN_FLIGHT = 65535
SECTORS = PAGE_BYTES // 512
WORDLINES = 64  # wordlines per plane that the first write of the workload's data fills


@dataclass(frozen=True)
class Drive:
    """A drive with the data of a workload. Cells without `pe_cycles` are ideal."""

    workload: str
    flash: Flash = field(default_factory=tlc)
    pe_cycles: int | None = None
    seed: int = 1


@dataclass(frozen=True)
class Reading:
    """A system and its reads after the refresh: Poisson arrivals, or `queue_depth` reads in flight."""

    system: Mapping[str, Any]
    pages: int
    busy: float = BUSY
    queue_depth: int = 0
    with_writes: bool = False


@dataclass(frozen=True)
class Outcome:
    response_us: float
    reads_per_s: float
    retried: float  # share of the pages
    refresh: Refresh
    blocks: int  # refreshed blocks


def mean_read_bytes(workload: str) -> float:
    """The mean size of a read. No read is smaller than a page."""
    return max(1024 * WORKLOADS[workload].read_kb, PAGE_BYTES)


def reads_per_s(workload: str, busy: float) -> float:
    read_us = np.mean(tlc().read_us) + T_DMA_US
    return busy * DIES / (mean_read_bytes(workload) / PAGE_BYTES * read_us * 1e-6)


def layout_of(drive: Drive) -> Layout:
    return Layout(validity(drive.workload), drive.flash, WORDLINES, drive.seed)


def simulate(drive: Drive, readings: Sequence[Reading]) -> list[Outcome]:
    """The outcome of each reading. Consecutive readings of one system use the same drive."""
    layout = layout_of(drive)
    cells = {"simulation.cells": "statistical", "nand.condition.pe_cycles": drive.pe_cycles} if drive.pe_cycles else {}
    outcomes = []
    with WrittenData(layout) as written:
        for system, of_system in groupby(readings, key=lambda reading: reading.system):
            path = written.drive(configuration(drive.flash, drive.seed, {**cells, **system}))
            outcomes += [_outcome(path, drive, reading, layout) for reading in of_system]
    return outcomes


def _outcome(path: Path, drive: Drive, reading: Reading, layout: Layout) -> Outcome:
    simulation = ns.Simulation.restore(path, {"host.workload": _workloads(drive.workload, reading, layout)})
    refreshed = refresh(simulation)
    before = simulation.stats("all")
    with warnings.catch_warnings():
        # Late in life the load may exceed what the dies can serve; the figures show it.
        warnings.simplefilter("ignore", SaturationWarning)
        simulation.run()
    after = simulation.stats("all")
    read = after["host"]["read"]
    pages = read["bytes"] / PAGE_BYTES
    retried = after["controller"]["read_retry"]["retried_reads"] - before["controller"]["read_retry"]["retried_reads"]
    return Outcome(
        response_us=read["latency_us"]["mean"],
        reads_per_s=read["count"] / (after["simulation"]["simulated_s"] - before["simulation"]["simulated_s"]),
        retried=retried / pages,
        refresh=refreshed,
        blocks=PLANES * WORDLINES // WORDLINES_PER_BLOCK,
    )


def _workloads(workload: str, reading: Reading, layout: Layout) -> list[dict[str, Any]]:
    """Reads of pages that were not overwritten and, if the reading has them, writes of the others."""
    requests = round(reading.pages * PAGE_BYTES / mean_read_bytes(workload))
    rate = reads_per_s(workload, reading.busy)
    if reading.queue_depth:
        return [reads_of(workload, layout, requests, {"queue_depth": reading.queue_depth})]
    reads = reads_of(workload, layout, requests, {"queue_depth": MOST_IN_FLIGHT, "requests_per_s": rate})
    return [reads, _writes(workload, layout, requests, rate)] if reading.with_writes else [reads]


_SIZES = {"size_class_percent": [], "size_step_bytes": PAGE_BYTES, "largest_request_bytes": LARGEST_REQUEST}


def reads_of(workload: str, layout: Layout, requests: int, pace: dict[str, float]) -> dict[str, Any]:
    """The workload's reads."""
    return ns.profile(
        workload,
        name="reads",
        requests=requests,
        read_percent=100,
        cold_read_percent=100,
        mean_read_bytes=mean_read_bytes(workload),
        mean_write_bytes=PAGE_BYTES,
        footprint_bytes=layout.read_pages * PAGE_BYTES,
        updated_bytes=PAGE_BYTES,
        **_SIZES,
        **pace,
    )


def _writes(workload: str, layout: Layout, reads: int, reads_per_s: float) -> dict[str, Any]:
    """Writes in the workload's share of requests."""
    share = 100 / WORKLOADS[workload].read_percent - 1
    first_row, rows = layout.overwritten_rows
    return ns.profile(
        workload,
        name="writes",
        requests=max(round(reads * share), 1),
        requests_per_s=reads_per_s * share,
        queue_depth=MOST_IN_FLIGHT,
        read_percent=0,
        cold_read_percent=0,
        mean_read_bytes=PAGE_BYTES,
        mean_write_bytes=max(1024 * WORKLOADS[workload].write_kb, PAGE_BYTES),
        footprint_start_bytes=first_row * PLANES * PAGE_BYTES,
        footprint_bytes=rows * PLANES * PAGE_BYTES,
        updated_fraction=1,
        **_SIZES,
    )


@dataclass(frozen=True)
class Measured:
    """Figures of Table III, measured in the simulated workload."""

    read_percent: float
    read_kb: float
    read_data_percent: float
    invalid_percent: float


def measured_back(workload: str, pages: int) -> Measured:
    """The figures of Table III at a light load, before the refresh."""
    drive = Drive(workload)
    layout = layout_of(drive)
    reading = Reading(BASELINE, pages, busy=LIGHT, with_writes=True)
    with WrittenData(layout) as written:
        path = written.drive(configuration(drive.flash, drive.seed))
        simulation = ns.Simulation.restore(path, {"host.workload": _workloads(workload, reading, layout)})
        simulation.run()
        result = simulation.result()
    requests, (read, write) = result.requests, (result.stats["host"][kind] for kind in ("read", "write"))
    of_reads = requests["kind"] == REQUEST_KINDS.index("read")
    first = requests["first_lba"][of_reads] // SECTORS
    count = requests["sectors"][of_reads] // SECTORS
    pages_read = (int(page) for begin, n in zip(first, count, strict=True) for page in range(begin, begin + n))
    return Measured(
        read_percent=100 * read["count"] / (read["count"] + write["count"]),
        read_kb=read["bytes"] / read["count"] / 1024,
        read_data_percent=100 * read["bytes"] / (read["bytes"] + write["bytes"]),
        invalid_percent=layout.invalid_below(pages_read),
    )
