# SPDX-License-Identifier: Apache-2.0
"""The runs of the study in groups that share a drive, and their outcomes by workload and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Any

from ida.drive import BASELINE, MLC, QLC, SYSTEMS, Flash, Refresh, ida, tlc
from ida.published import WORKLOADS
from ida.runs import BUSY, T_DMA_US, Drive, Outcome, Reading, simulate

QUEUE_DEPTH = 64  # for the runs that measure throughput
LATE_CYCLES = 1000
LATE_BUSY = 0.5 * BUSY  # with retries, dies cannot serve the reads of BUSY
WITH_WRITES = ("proj_4", "src2_0")  # workloads whose dies can serve all requests of Table III


def busy_alike(flash: Flash) -> float:
    """The `busy` of a reading at which dies with these read times are as busy as the TLC dies of Table II at BUSY."""
    read_us, of_tlc = (sum(times) / len(times) + T_DMA_US for times in (flash.read_us, tlc().read_us))
    return BUSY * of_tlc / read_us


@dataclass(frozen=True)
class Group:
    """Compared systems by name, on one kind of drive. The first system is the baseline of the others."""

    name: str
    flash: Flash
    systems: Mapping[str, Mapping[str, Any]]
    busy: float = BUSY
    queue_depth: int = 0
    with_writes: bool = False
    pe_cycles: int | None = None
    share: float = 1  # share of the pages of other runs
    workloads: tuple[str, ...] = tuple(WORKLOADS)


def _pnar2(system: Mapping[str, Any]) -> dict[str, Any]:
    return {**system, "controller.read_retry.pipelined": True, "controller.read_retry.adaptive": True}


_ALL = {"baseline": BASELINE, "E0": ida(0), "E20": ida(0.2), "E50": ida(0.5), "E80": ida(0.8)}
GROUPS = {
    group.name: group
    for group in (
        Group("tlc", tlc(), _ALL),
        Group("tlc_30", tlc(30), SYSTEMS),
        Group("tlc_70", tlc(70), SYSTEMS),
        Group("mlc", MLC, SYSTEMS),
        Group("qlc", QLC, SYSTEMS, busy=busy_alike(QLC)),
        Group("throughput", tlc(), SYSTEMS, queue_depth=QUEUE_DEPTH),
        Group("light", tlc(), {"baseline": BASELINE, "E0": ida(0), "E20": ida(0.2)}, busy=0.01, share=0.5),
        Group(
            "late",
            tlc(),
            SYSTEMS | {"pnar2": _pnar2(BASELINE), "E20_pnar2": _pnar2(ida(0.2))},
            busy=LATE_BUSY,
            pe_cycles=LATE_CYCLES,
            share=0.2,
        ),
        Group("writes", tlc(), SYSTEMS, with_writes=True, workloads=WITH_WRITES),
    )
}


@dataclass(frozen=True)
class Task:
    group: str
    workload: str
    seed: int
    pages: int


def simulate_task(task: Task) -> dict[str, Outcome]:
    group = GROUPS[task.group]
    pages = round(task.pages * group.share)
    readings = [
        Reading(system, pages, group.busy, group.queue_depth, group.with_writes) for system in group.systems.values()
    ]
    drive = Drive(task.workload, group.flash, group.pe_cycles, task.seed)
    return dict(zip(group.systems, simulate(drive, readings), strict=True))


def tasks(pages: int, seeds: int) -> list[Task]:
    return [
        Task(name, workload, seed, pages)
        for seed in range(1, seeds + 1)
        for name, group in GROUPS.items()
        for workload in group.workloads
    ]


class Results:
    def __init__(self, outcomes: list[tuple[Task, dict[str, Outcome]]]) -> None:
        self._of = {(task.group, task.workload, task.seed): by_system for task, by_system in outcomes}
        self.seeds = sorted({task.seed for task, _ in outcomes})

    def of(self, group: str, system: str, workload: str, seed: int) -> Outcome:
        return self._of[group, workload, seed][system]

    def renewals(self) -> list[Refresh]:
        """The refreshes of all runs without retries."""
        return [
            outcome.refresh
            for (group, _, _), by_system in self._of.items()
            for outcome in by_system.values()
            if outcome.refresh.renewal["blocks"] and GROUPS[group].pe_cycles is None
        ]

    def gain(self, group: str, system: str, workload: str, seed: int, to: str = "baseline") -> float:
        """The reduction of the mean response time, in percent."""
        before, after = (self.of(group, name, workload, seed).response_us for name in (to, system))
        return 100 * (1 - after / before)

    def mean_gain(self, group: str, system: str, workload: str, to: str = "baseline") -> float:
        """The mean over seeds."""
        return mean(self.gain(group, system, workload, seed, to) for seed in self.seeds)

    def more_throughput(self, workload: str, seed: int) -> float:
        """The gain in throughput, in percent."""
        before, after = (self.of("throughput", name, workload, seed).reads_per_s for name in ("baseline", "E20"))
        return 100 * (after / before - 1)

    def retried(self, system: str) -> float:
        """The mean share of retried pages late in life, over workloads and seeds."""
        return mean(self.of("late", system, name, seed).retried for name in WORKLOADS for seed in self.seeds)

    def per_block(self, workload: str, figure: str) -> float:
        """A figure of Table IV: pages of a refreshed block, at 20 % errors."""
        runs = [self.of("tlc", "E20", workload, seed) for seed in self.seeds]
        return mean(run.refresh.renewal[figure] / run.blocks for run in runs)
