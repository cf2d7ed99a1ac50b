# SPDX-License-Identifier: Apache-2.0
"""The runs and their outcomes: twelve workloads on the drive of Park et al., with each read-retry policy at each
condition.

The drive is the preset `retry_tlc_512g`. It is full, and its cells have the wear and age of the condition. Only pages
that the workload updates are young. As in the default configuration of the study's simulator, the drive keeps only 2
MiB of the mapping in memory, so most reads must first read a translation page. Response times are those of all
requests; a write completes after its page has been programmed.

The study states neither request rates nor the mapping. We chose the rates and the reads of the mapping with knowledge
of the study's average gains. Without reads of the mapping, retries would have a larger effect; at higher rates, queues
would. Single workloads are also run at higher loads (loads.py).

The retry steps that PSO remembers depend on when data were last read, which the study does not state either. Here, all
data were last read at the same share of their age, LAST_READ_SHARE. Drift is a logarithmic function of time. With this
share, 30 % of the steps remain at 2K cycles and a year, as section 3.1 reports. It was chosen to match this number, not
to match any response time. Other shares are also simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import nandscape as ns
from comparison.published import Mean

# The read percentages of Table 2. The profiles define all other statistics of the workloads.
READ_PERCENT = {
    "stg_0": 15,
    "hm_0": 36,
    "prn_1": 75,
    "proj_1": 89,
    "mds_1": 92,
    "usr_1": 96,
    "ycsb_a": 98,
    "ycsb_b": 99,
    "ycsb_c": 99,
    "ycsb_d": 98,
    "ycsb_e": 99,
    "ycsb_f": 98,
}
EVERYTHING = list(READ_PERCENT)
WRITE_DOMINANT = ("stg_0", "hm_0")
CONDITIONS = [(cycles, months) for cycles in (0, 1000, 2000) for months in (3, 6)]
REFERENCE = (2000, 6)
LAST_READ_SHARE = 0.15
OTHER_SHARES = (0.05, 0.2, 1.0)

Overrides = dict[str, object]


def pso(last_read_share: float) -> Overrides:
    """Returns the options of PSO with remembered steps that are out of date, so that the drive must search upwards from
    them.
    """
    return {
        "read_retry.start": "last_of_block_and_layer",
        "read_retry.step_order": "upwards",
        "precondition.last_read_share": last_read_share,
    }


def pso_named(share: float) -> str:
    return "PSO" if share == LAST_READ_SHARE else f"PSO at {share:g}"


PR2 = {"read_retry.pipelined": True}
AR2 = {"read_retry.adaptive": True}
PNAR2 = PR2 | AR2
UNIFORM_CUT = {"read_retry.timing_table": str(Path(__file__).with_name("uniform_cut.yaml"))}
SCHEMES: dict[str, Overrides] = {
    "Baseline": {},
    "PR2": PR2,
    "AR2": AR2,
    "PnAR2": PNAR2,
    "NoRR": {"read_retry.policy": "none"},
    "PSO": pso(LAST_READ_SHARE),
    "PSO+PnAR2": pso(LAST_READ_SHARE) | PNAR2,
}
# Additional schemes, which are run with one seed only.
CUT_ALIKE: dict[str, Overrides] = {
    "AR2, cut alike": AR2 | UNIFORM_CUT,
    "PnAR2, cut alike": PNAR2 | UNIFORM_CUT,
}
OTHER_MEMORIES: dict[str, Overrides] = {
    pso_named(share) + also: pso(share) | policy
    for share in OTHER_SHARES
    for also, policy in (("", {}), ("+PnAR2", PNAR2))
}
BESIDES = CUT_ALIKE | OTHER_MEMORIES
SETTINGS = SCHEMES | BESIDES
# The share of time for which the dies are busy with Baseline at REFERENCE; the key is whether a workload is
# write-dominant. It determines the request rate of the workload in all runs. The first value is fitted to the average
# gains. The second is fitted to the gain of stg_0, whose reads would almost never wait for a program with the first
# value.
BUSY = {False: 0.10, True: 0.55}
DAYS_PER_MONTH = 730 / 24
PAGE_BYTES = 16384
LARGEST_REQUEST = 1 << 20  # bytes; the updated part of the address space is never smaller than one such request
DRIVE: Overrides = {
    "simulation.cells": "statistical",
    "simulation.request_log": False,
    "controller.mapping.cache_bytes": 2 << 20,
    "controller.precondition.occupancy": 1,
}

Condition = tuple[int, int]


@cache
def preset() -> ns.Config:
    return ns.load("retry_tlc_512g")


SENSE_US = sum(preset()[f"nand.timing.t_{phase}_us"] for phase in ("pre", "eval", "disch"))


@dataclass(frozen=True)
class Case:
    workload: str
    scheme: str
    condition: Condition
    requests: int
    requests_per_s: float
    seed: int = 1
    load: float = 1  # multiple of the workload's rate


@dataclass(frozen=True)
class Outcome:
    response_us: float
    read_us: float
    steps: float
    busy: float
    page_bytes: float  # mean number of bytes that the host receives for each page read
    fallbacks: int = 0  # retries that were repeated at the default timing
    fastest_read_us: float = 0  # latency of the fastest read; set only in runs with a request log


def configuration(case: Case) -> ns.Config:
    """Returns the configuration of the drive and the workload. Data that the workload updates are young from the start,
    because most runs write these data twice on average."""
    cycles, months = case.condition
    read_percent = READ_PERCENT[case.workload]
    workload = ns.profile(
        case.workload, requests=case.requests, requests_per_s=case.requests_per_s, read_percent=read_percent
    )
    drive = ns.load(
        "retry_tlc_512g",
        {
            **DRIVE,
            "simulation.seed": case.seed,
            "nand.condition.pe_cycles": cycles,
            "nand.condition.retention_days": months * DAYS_PER_MONTH,
            "host.workload": workload,
        }
        | {f"controller.{key}": value for key, value in SETTINGS[case.scheme].items()},
    )
    written = case.requests * (1 - read_percent / 100) * drive["host.workload.mean_write_bytes"]
    updated = round(max(written / 2, LARGEST_REQUEST) / PAGE_BYTES) * PAGE_BYTES
    return drive.override({"host.workload.updated_bytes": updated, "controller.precondition.updated_bytes": updated})


def simulate(case: Case) -> Outcome:
    drive = configuration(case)
    stats = ns.run(drive).stats
    worked_us = stats["nand"]["senses"] * SENSE_US + stats["nand"]["page_programs"] * drive["nand.timing.t_prog_us"]
    return Outcome(
        response_us=stats["host"]["all"]["latency_us"]["mean"],
        read_us=stats["host"]["read"]["latency_us"]["mean"],
        steps=stats["controller"]["read_retry"]["steps"],
        busy=worked_us * 1e-6 / (stats["host"]["window_s"] * drive.dies),
        page_bytes=_bytes_per_page(stats),
        fallbacks=stats["controller"]["read_retry"]["fallbacks"],
    )


def _bytes_per_page(stats: dict) -> float:
    """Returns the bytes that the host reads for each page read, where reads of mapping pages and retries are not
    counted.
    """
    controller = stats["controller"]
    pages = stats["nand"]["page_reads"] / (1 + controller["read_retry"]["steps"])
    return stats["host"]["read"]["bytes"] / (pages - controller["mapping_cache"]["loads"])


def rate_for(workload: str, requests: int) -> float:
    """Returns the request rate at which the dies are busy for the share BUSY of the time. It is calculated from a run
    without queues, since the working time of the dies is proportional to the rate."""
    idle = Case(workload, "Baseline", REFERENCE, requests, requests_per_s=200)
    return idle.requests_per_s * BUSY[workload in WRITE_DOMINANT] / simulate(idle).busy


def single_reads(scheme: str, condition: Condition, requests: int) -> Outcome:
    """Simulates reads on an idle drive, one at a time, with the whole mapping in memory."""
    case = Case("ycsb_c", scheme, condition, requests, requests_per_s=1)
    reads = ns.synthetic(requests=requests, queue_depth=1, read_percent=100, block_bytes=PAGE_BYTES)
    idle = {"controller.mapping.cache_bytes": 0, "host.workload": [reads], "simulation.request_log": True}
    result = ns.run(configuration(case).override(idle))
    latencies = result.latencies("read")
    mean_us = latencies.mean()
    return Outcome(
        response_us=mean_us,
        read_us=mean_us,
        steps=result.stats["controller"]["read_retry"]["steps"],
        busy=0,
        page_bytes=_bytes_per_page(result.stats),
        fastest_read_us=latencies.min(),
    )


def cases(rates: dict[str, float], requests: int, schemes: Iterable[str] = SCHEMES, seeds: int = 1) -> list[Case]:
    return [
        Case(workload, scheme, condition, requests, rates[workload], seed)
        for seed in range(1, seeds + 1)
        for workload in READ_PERCENT
        for condition in CONDITIONS
        for scheme in schemes
    ]


class Point(NamedTuple):
    """A combination of workload, condition and seed for which schemes are compared."""

    workload: str
    condition: Condition
    seed: int


Measure = Callable[[Point], float]
Reduce = Callable[[list[float]], float]  # mean or max


class Results:
    """The outcomes of all runs, and values calculated from them. Lists have one value for each seed."""

    def __init__(self, outcomes: list[tuple[Case, Outcome]]) -> None:
        self._of = {(Point(c.workload, c.condition, c.seed), c.scheme): outcome for c, outcome in outcomes}
        self.seeds = sorted({case.seed for case, _ in outcomes})

    def of(self, scheme: str, point: Point) -> Outcome:
        return self._of[point, scheme]

    def points(self) -> list[Point]:
        return list(dict.fromkeys(point for point, _ in self._of))

    def ratio(self, scheme: str, to: str, point: Point) -> float:
        """Returns the response time of `scheme` divided by that of `to`."""
        return self.of(scheme, point).response_us / self.of(to, point).response_us

    def mean_ratio(self, scheme: str, to: str, workload: str, condition: Condition) -> float:
        """Returns the same ratio, averaged over seeds."""
        return mean(self.ratio(scheme, to, Point(workload, condition, seed)) for seed in self.seeds)

    def by_seed(
        self,
        of: Reduce,
        measure: Measure,
        workloads: Sequence[str] = EVERYTHING,
        conditions: Sequence[Condition] = CONDITIONS,
    ) -> list[float]:
        """Returns, for each seed, the mean or the largest value of the measure over workloads and conditions. `of`
        selects the mean or the largest value.
        """
        points = [(workload, condition) for workload in workloads for condition in conditions]
        return [of([measure(Point(*point, seed)) for point in points]) for seed in self.seeds]

    def gains(
        self,
        of: Reduce,
        scheme: str,
        to: str = "Baseline",
        workloads: Sequence[str] = EVERYTHING,
        conditions: Sequence[Condition] = CONDITIONS,
    ) -> Mean:
        """Returns the mean or the largest reduction of the response time relative to `to`, in percent."""
        return Mean.of(self.by_seed(of, lambda point: 100 * (1 - self.ratio(scheme, to, point)), workloads, conditions))

    def normalised(
        self, scheme: str, workloads: Sequence[str] = EVERYTHING, conditions: Sequence[Condition] = CONDITIONS
    ) -> list[float]:
        """Returns, for each seed, the average of the response times relative to Baseline."""
        return self.by_seed(mean, lambda point: self.ratio(scheme, "Baseline", point), workloads, conditions)

    def ratio_of_averages(self, scheme: str, to: str, workloads: Sequence[str]) -> list[float]:
        averages = (self.normalised(name, workloads) for name in (scheme, to))
        return [ours / theirs for ours, theirs in zip(*averages, strict=True)]

    def mean_of_ratios(self, scheme: str, to: str, workloads: Sequence[str]) -> float:
        return mean(self.by_seed(mean, lambda point: self.ratio(scheme, to, point), workloads))
