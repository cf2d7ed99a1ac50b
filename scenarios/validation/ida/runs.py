# SPDX-License-Identifier: Apache-2.0
"""The runs: the reads of eleven workloads, after a refresh by remapping (the baseline) and by the coding.

Two things differ from Table II as printed, and rows.py shows what they do:

- Each die has a channel of its own. With four channels the buses are busy before the dies are, since a page is moved in
  48 us and eight dies share a bus: reads that take less time in the dies gain next to nothing then.
- Only reads are timed. Where dies are as busy with reads as BUSY says, they have no time for the writes of Table III:
  2.3 ms for each page.

The study prints no rates. Reads come as a Poisson process, at the rate at which they keep the dies of the baseline busy
for BUSY of the time (at the read times of Table II), the same rate for all systems and devices. BUSY is the one number
that was fitted, to the mean gain at 20 % errors.
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
WORDLINES = 64  # of a plane, that the workload's data take at first


@dataclass(frozen=True)
class Drive:
    """A drive with the data of a workload. Cells are ideal unless they have gone through cycles."""

    workload: str
    flash: Flash = field(default_factory=tlc)
    pe_cycles: int | None = None
    seed: int = 1


@dataclass(frozen=True)
class Reading:
    """A system, and how it is read after the refresh: with Poisson arrivals, or so many requests at a time."""

    system: Mapping[str, Any]
    pages: int
    busy: float = BUSY
    queue_depth: int = 0
    with_writes: bool = False


@dataclass(frozen=True)
class Outcome:
    response_us: float
    reads_per_s: float
    senses: float  # of a page
    retried: float  # share of the pages
    refresh: Refresh
    blocks: int  # that were refreshed


def mean_read_bytes(workload: str) -> float:
    """No read is smaller than a page."""
    return max(1024 * WORKLOADS[workload].read_kb, PAGE_BYTES)


def reads_per_s(workload: str, busy: float) -> float:
    read_us = np.mean(tlc().read_us) + T_DMA_US
    return busy * DIES / (mean_read_bytes(workload) / PAGE_BYTES * read_us * 1e-6)


def layout_of(drive: Drive) -> Layout:
    return Layout(validity(drive.workload), drive.flash, WORDLINES, drive.seed)


def simulate(drive: Drive, readings: Sequence[Reading]) -> list[Outcome]:
    """Consecutive readings of one system use the same drive."""
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
        # Late in life dies may be asked for more than they can bear; the figures tell.
        warnings.simplefilter("ignore", SaturationWarning)
        simulation.run()
    after = simulation.stats("all")
    read = after["host"]["read"]
    pages = read["bytes"] / PAGE_BYTES
    retried = after["controller"]["read_retry"]["retried_reads"] - before["controller"]["read_retry"]["retried_reads"]
    return Outcome(
        response_us=read["latency_us"]["mean"],
        reads_per_s=read["count"] / (after["simulation"]["simulated_s"] - before["simulation"]["simulated_s"]),
        senses=(after["nand"]["senses"] - before["nand"]["senses"]) / pages,
        retried=retried / pages,
        refresh=refreshed,
        blocks=PLANES * WORDLINES // WORDLINES_PER_BLOCK,
    )


def _workloads(workload: str, reading: Reading, layout: Layout) -> list[dict[str, Any]]:
    """Reads of what was not overwritten, and with them, where that is asked for, writes of the rest."""
    requests = round(reading.pages * PAGE_BYTES / mean_read_bytes(workload))
    rate = reads_per_s(workload, reading.busy)
    if reading.queue_depth:
        return [_reads(workload, layout, requests, {"queue_depth": reading.queue_depth})]
    reads = _reads(workload, layout, requests, {"queue_depth": MOST_IN_FLIGHT, "requests_per_s": rate})
    return [reads, _writes(workload, layout, requests, rate)] if reading.with_writes else [reads]


_SIZES = {"size_class_percent": [], "size_step_bytes": PAGE_BYTES, "largest_request_bytes": LARGEST_REQUEST}


def _reads(workload: str, layout: Layout, requests: int, pace: dict[str, float]) -> dict[str, Any]:
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
    """At a light load, before the refresh."""
    drive = Drive(workload)
    layout = layout_of(drive)
    reading = Reading(BASELINE, pages, busy=LIGHT, with_writes=True)
    with WrittenData(layout) as written:
        path = written.drive(configuration(drive.flash, drive.seed))
        simulation = ns.Simulation.restore(path, {"host.workload": _workloads(workload, reading, layout)})
        simulation.run()
        result = simulation.result()
    requests, host = result.requests, result.stats["host"]
    (reads, read_bytes), (writes, written_bytes) = (
        (host[kind]["count"], host[kind]["bytes"]) for kind in ("read", "write")
    )
    of_reads = requests["kind"] == REQUEST_KINDS.index("read")
    first = requests["first_lba"][of_reads] // SECTORS
    count = requests["sectors"][of_reads] // SECTORS
    pages_read = (int(page) for begin, n in zip(first, count, strict=True) for page in range(begin, begin + n))
    return Measured(
        read_percent=100 * reads / (reads + writes),
        read_kb=read_bytes / reads / 1024,
        read_data_percent=100 * read_bytes / (read_bytes + written_bytes),
        invalid_percent=layout.invalid_below(pages_read),
    )
