# SPDX-License-Identifier: Apache-2.0
"""The main runs and their outcomes. Eleven workloads read their data after a refresh by remapping (the baseline) and
after a refresh by the coding (IDA).

The simulated drive differs from Table II in two ways. Some rows show the effect of these differences.

- Each die has its own channel. In Table II, eight dies share a channel, and a page occupies the bus for 48 µs. The
buses would then saturate before the dies, so faster reads within the dies would gain almost nothing.
- Only reads are simulated. Dies that spend the share BUSY of their time on reads have no time for the writes of Table
III, which take 2.3 ms per page.

The study gives no request rates. Here, reads arrive as a Poisson process. The rate is such that the dies of the
baseline, with the read times of Table II, are busy for the share BUSY of the time. All systems and devices have the
same rate. BUSY is the only fitted number; it is fitted to the mean gain at an error rate of 20 %.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import nandscape as ns
from ida.drive import (
    BASELINE,
    DIES,
    MLC,
    PAGE_BYTES,
    PLANES,
    QLC,
    SYSTEMS,
    Flash,
    Layout,
    Refresh,
    configuration,
    ida,
    refresh,
    tlc,
    written,
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
WORDLINES = 64  # number of wordlines per plane that the first write of the workload's data fills
REFRESHED_BLOCKS = PLANES * WORDLINES // WORDLINES_PER_BLOCK
QUEUE_DEPTH = 64  # for the runs that measure throughput
LATE_CYCLES = 1000
LATE_BUSY = 0.5 * BUSY  # lower than BUSY, since retries keep the dies busy for longer
WITH_WRITES = ("proj_4", "src2_0")  # the workloads whose writes are few enough for the dies to serve all requests


def mean_read_bytes(workload: str) -> float:
    """Returns the mean size of a read in bytes, which is at least one page."""
    return max(1024 * WORKLOADS[workload].read_kb, PAGE_BYTES)


def reads_per_s(workload: str, busy: float) -> float:
    read_us = np.mean(tlc().read_us) + T_DMA_US
    return busy * DIES / (mean_read_bytes(workload) / PAGE_BYTES * read_us * 1e-6)


def busy_alike(flash: Flash) -> float:
    """Returns the value of `busy` for a group with slower or faster flash. With it, the request rate keeps dies with
    these read times as busy as BUSY keeps the TLC dies of Table II.
    """
    read_us, of_tlc = (sum(times) / len(times) + T_DMA_US for times in (flash.read_us, tlc().read_us))
    return BUSY * of_tlc / read_us


@dataclass(frozen=True)
class Group:
    """Systems that are compared on one kind of drive, by name. The gains of all systems are relative to the first.

    Reads arrive as a Poisson process after the refresh or, if `queue_depth` is not 0, `queue_depth` reads are always in
    flight. Cells are ideal if `pe_cycles` is None. `share` reduces the number of pages read, compared with other
    groups.
    """

    flash: Flash
    systems: Mapping[str, Mapping[str, Any]]
    busy: float = BUSY
    queue_depth: int = 0
    with_writes: bool = False
    pe_cycles: int | None = None
    share: float = 1
    workloads: tuple[str, ...] = tuple(WORKLOADS)


def _pnar2(system: Mapping[str, Any]) -> dict[str, Any]:
    return {**system, "controller.read_retry.pipelined": True, "controller.read_retry.adaptive": True}


_ALL = {"baseline": BASELINE, "E0": ida(0), "E20": ida(0.2), "E50": ida(0.5), "E80": ida(0.8)}
_LATE = SYSTEMS | {"pnar2": _pnar2(BASELINE), "E20_pnar2": _pnar2(ida(0.2))}
GROUPS = {
    "tlc": Group(tlc(), _ALL),
    "tlc_30": Group(tlc(30), SYSTEMS),
    "tlc_70": Group(tlc(70), SYSTEMS),
    "mlc": Group(MLC, SYSTEMS),
    "qlc": Group(QLC, SYSTEMS, busy=busy_alike(QLC)),
    "throughput": Group(tlc(), SYSTEMS, queue_depth=QUEUE_DEPTH),
    "light": Group(tlc(), {"baseline": BASELINE, "E0": ida(0), "E20": ida(0.2)}, busy=LIGHT, share=0.5),
    "late": Group(tlc(), _LATE, busy=LATE_BUSY, pe_cycles=LATE_CYCLES, share=0.2),
    "writes": Group(tlc(), SYSTEMS, with_writes=True, workloads=WITH_WRITES),
}


@dataclass(frozen=True)
class Task:
    """The runs of all systems of a group with the data of one workload."""

    group: str
    workload: str
    seed: int
    pages: int


@dataclass(frozen=True)
class Outcome:
    response_us: float
    reads_per_s: float
    retried: float  # share of the pages that were retried
    refresh: Refresh


def tasks(pages: int, seeds: int) -> list[Task]:
    return [
        Task(name, workload, seed, pages)
        for seed in range(1, seeds + 1)
        for name, group in GROUPS.items()
        for workload in group.workloads
    ]


def simulate(task: Task) -> dict[str, Outcome]:
    """Simulates a task. Returns the outcome of each system of the group."""
    group = GROUPS[task.group]
    layout = Layout(validity(task.workload), group.flash, WORDLINES, task.seed)
    workloads = _workloads(task.workload, group, layout, round(task.pages * group.share))
    cells = {"simulation.cells": "statistical", "nand.condition.pe_cycles": group.pe_cycles} if group.pe_cycles else {}
    with written(layout) as drive:
        return {
            name: _outcome(drive(configuration(group.flash, task.seed, {**cells, **system})), workloads)
            for name, system in group.systems.items()
        }


def _outcome(path: Path, workloads: list[dict[str, Any]]) -> Outcome:
    simulation = ns.Simulation.restore(path, {"host.workload": workloads})
    refreshed = refresh(simulation)
    before = simulation.stats("all")
    with warnings.catch_warnings():
        # Late in life, the load may exceed the capacity of the dies. This is visible in the results, so ignore the
        # warning.
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
    )


def _workloads(workload: str, group: Group, layout: Layout, pages: int) -> list[dict[str, Any]]:
    """Returns a workload that reads the pages that have not been overwritten and, if the group has writes, a workload
    that writes the overwritten pages.
    """
    requests = round(pages * PAGE_BYTES / mean_read_bytes(workload))
    rate = reads_per_s(workload, group.busy)
    if group.queue_depth:
        return [reads_of(workload, layout, requests, {"queue_depth": group.queue_depth})]
    reads = reads_of(workload, layout, requests, {"queue_depth": MOST_IN_FLIGHT, "requests_per_s": rate})
    return [reads, _writes(workload, layout, requests, rate)] if group.with_writes else [reads]


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
    """Returns the writes of the workload. Their share of all requests follows from Table III."""
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


def measured_back(workload: str, pages: int) -> dict[str, float]:
    """Returns the values of Table III, measured in the simulated workload. The load is light, and the run takes place
    before the refresh.
    """
    layout = Layout(validity(workload), tlc(), WORDLINES, seed=1)
    workloads = _workloads(workload, Group(tlc(), {}, busy=LIGHT, with_writes=True), layout, pages)
    with written(layout) as drive:
        simulation = ns.Simulation.restore(drive(configuration(tlc(), 1)), {"host.workload": workloads})
        simulation.run()
        result = simulation.result()
    requests, (read, write) = result.requests, (result.stats["host"][kind] for kind in ("read", "write"))
    of_reads = requests["kind"] == REQUEST_KINDS.index("read")
    first = requests["first_lba"][of_reads] // SECTORS
    count = requests["sectors"][of_reads] // SECTORS
    pages_read = (int(page) for begin, n in zip(first, count, strict=True) for page in range(begin, begin + n))
    return {
        "read_percent": 100 * read["count"] / (read["count"] + write["count"]),
        "read_kb": read["bytes"] / read["count"] / 1024,
        "read_data_percent": 100 * read["bytes"] / (read["bytes"] + write["bytes"]),
        "invalid_percent": layout.invalid_below(pages_read),
    }


class Results:
    def __init__(self, outcomes: list[tuple[Task, dict[str, Outcome]]]) -> None:
        self._of = {(task.group, task.workload, task.seed): by_system for task, by_system in outcomes}
        self.seeds = sorted({task.seed for task, _ in outcomes})

    def of(self, group: str, system: str, workload: str, seed: int) -> Outcome:
        return self._of[group, workload, seed][system]

    def renewals(self) -> list[Refresh]:
        """Returns the refreshes of all runs with ideal cells."""
        return [
            outcome.refresh
            for (group, _, _), by_system in self._of.items()
            for outcome in by_system.values()
            if outcome.refresh.renewal["blocks"] and GROUPS[group].pe_cycles is None
        ]

    def gain(self, group: str, system: str, workload: str, seed: int, to: str = "baseline") -> float:
        """Returns the reduction of the mean response time relative to the system `to`, in percent."""
        before, after = (self.of(group, name, workload, seed).response_us for name in (to, system))
        return 100 * (1 - after / before)

    def mean_gain(self, group: str, system: str, workload: str, to: str = "baseline") -> float:
        """Returns the gain, averaged over seeds."""
        return mean(self.gain(group, system, workload, seed, to) for seed in self.seeds)

    def more_throughput(self, workload: str, seed: int) -> float:
        """Returns the increase of the throughput, in percent."""
        before, after = (self.of("throughput", name, workload, seed).reads_per_s for name in ("baseline", "E20"))
        return 100 * (after / before - 1)

    def retried(self, system: str) -> float:
        """Returns the mean share of retried pages in the group "late" (late in life), over all workloads and seeds."""
        return mean(self.of("late", system, name, seed).retried for name in WORKLOADS for seed in self.seeds)

    def per_block(self, workload: str, figure: str) -> float:
        """Returns a value of Table IV: a number of pages of a refreshed block, at an error rate of 20 %."""
        runs = (self.of("tlc", "E20", workload, seed) for seed in self.seeds)
        return mean(run.refresh.renewal[figure] / REFRESHED_BLOCKS for run in runs)
