# SPDX-License-Identifier: Apache-2.0
"""The runs and their outcomes: the 18 workloads of Table I of Nie et al. under each scheme, at several loads.

`plan_of` determines the request rate of a workload, and the share of the data that lie in fullpages before the run. All
schemes with the same decoder have the same rate and the same cells. All data have the errors of an age of 15 days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import mean

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from layers.decoders import ASSUMED, LDPC, LESS_BORROWED, Decoder
from layers.decoding import latency_less, layer_groups
from layers.device import DIES, PAGE_BYTES, drive
from nandscape.result import REQUEST_KINDS

WORKLOADS = [
    "24hrs8", "bs78", "casa2", "hm_1", "mds_1", "stg_1", "web_1", "webr9", "webu8", "usr_0", "proj_1", "proj_3",
    "hm_0", "rsrch", "prn_0", "stg_0", "wdev_0", "prn_1",
]  # fmt: skip
READING = [workload for workload in WORKLOADS if workload not in ("casa2", "webr9")]
SUBPAGES = "controller.subpages.reads"
SCHEMES = {
    "SOML": {SUBPAGES: "soml"},
    "SRS": {SUBPAGES: "srs"},
    "SRS+FPA": {SUBPAGES: "srs", "controller.fullpages.allocation": "fpa"},
}
# The share of time for which the dies are busy under SOML. The study states no request rates. BUSY was chosen with
# knowledge of the published gains, which grow with the load; the runs with BUSIER show how much they grow.
BUSY = 0.40
BUSIER = 0.55
# Section IV-C: the request rate divided by 1, 5 and 10.
LOADS = (1.0, 1 / 5, 1 / 10)
# Figure 7(c) shows the throughput when QUEUE_DEPTH requests are always in flight.
FULL_LOAD = 0.0
QUEUE_DEPTH = 32
# The longest time that a fullpage waits in DRAM for enough others to fill the wordlines of all planes of a die. It is
# so long that practically every group is complete; a longer time has the same effect.
FULLPAGE_WAIT_MS = 10_000
# The mean number of times that a written page is updated in a run. The number is small, so that the writes are spread
# over half of the drive and over all layers.
MEAN_UPDATES = 1e-3
SPREAD_OVER_TIME = "usr_0"  # Figure 7(d)
FIRST_READS = 5000


@dataclass(frozen=True)
class Plan:
    """The load of a workload. `busy_with_reads` is the share of time for which the dies are reading under SOML. It is a
    part of BUSY.
    """

    requests_per_s: float
    fullpage_percent: int
    busy_with_reads: float = BUSY


@dataclass(frozen=True)
class Case:
    """One run. `load` is a multiple of the plan's request rate, or FULL_LOAD."""

    workload: str
    scheme: str
    plan: Plan
    requests: int
    decoder: Decoder
    load: float = 1.0
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """The results of a run. Latencies are means in µs, or 0 if there are no such requests. `pieces` is the number of
    16-KiB pages of the address space that the writes touch, and `fullpages` is the number of those that span four
    layers. `lone_reads` is the number of reads of a weak subpage that must also read the page of the strong subpage.
    `subpages_per_operation` is the mean number of subpages that a single operation reads. `first_reads` holds the
    latencies of the first FIRST_READS reads of the workload SPREAD_OVER_TIME."""

    read_us: float
    write_us: float
    requests_per_s: float
    reads: int
    pieces: int
    fullpages: int
    lone_reads: int
    programmed_pages: int
    subpages_per_operation: float
    first_reads: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    @property
    def read_amplification(self) -> float:
        """The percentage of the reads that must read a second page."""
        return 100 * self.lone_reads / self.reads

    @property
    def fullpage_share(self) -> float:
        """The percentage of the written 16-KiB pages that span four layers."""
        return 100 * self.fullpages / self.pieces


def configuration(case: Case) -> ns.Config:
    rate = case.plan.requests_per_s * case.load
    pace = {"queue_depth": QUEUE_DEPTH} if case.load == FULL_LOAD else {"requests_per_s": rate}
    scheme = SCHEMES[case.scheme]
    if "controller.fullpages.allocation" in scheme:
        scheme = scheme | {
            "controller.fullpages.layer_groups": layer_groups(),
            "controller.fullpages.borrowed_parity_bytes": case.decoder.borrowed_bytes,
            "controller.fullpages.wait_ms": FULLPAGE_WAIT_MS,
            "controller.fullpages.precondition_percent": case.plan.fullpage_percent,
        }
    return drive(
        case.decoder.changes
        | {
            "simulation.seed": case.seed,
            "host.workload": [ns.profile(case.workload, requests=case.requests, mean_updates=MEAN_UPDATES, **pace)],
        }
        | scheme
    )


def simulate(case: Case) -> Outcome:
    result = ns.run(configuration(case))
    stats = result.stats
    # Writes are counted until the drive is idle, since it programs incomplete pages after the last request.
    written = result.history["controller"]
    host, fullpages = stats["host"], written["fullpages"]
    begin, end = _extents(result, "write")
    return Outcome(
        read_us=_mean_latency(host, "read"),
        write_us=_mean_latency(host, "write"),
        requests_per_s=host["all"]["count"] / _duration_s(result),
        reads=host["read"]["count"],
        pieces=int((-(-end // PAGE_BYTES) - begin // PAGE_BYTES).sum()),
        fullpages=fullpages["written"],
        lone_reads=fullpages["lone_reads"],
        programmed_pages=written["programmed_pages"],
        subpages_per_operation=stats["controller"]["scheduler"]["subpages_per_operation"],
        first_reads=_first_reads(result) if case.workload == SPREAD_OVER_TIME and case.load == 1 else np.empty(0),
    )


def plan_of(trial: Case) -> Plan:
    """Returns the plan of a workload. The rate is the rate at which SOML keeps the dies busy for the share BUSY of the
    time. It can be calculated from `trial`, a run without queues, since the working time of the dies is proportional to
    the rate. The share of data in fullpages is the share of the read bytes that fill whole 16-KiB pages. This is
    because the study's simulator places data when a read touches them for the first time, so only reads of whole pages
    find fullpages."""
    config = configuration(trial)
    result = ns.run(config)
    # Reads, programs and erases have the same power, so their energy is proportional to their time.
    worked_s = result.stats["energy"]["array_j"] / (1e-3 * config["nand.energy.read_mw"])
    busy = worked_s / (result.stats["host"]["window_s"] * DIES)
    programmed_s = 1e-6 * config["nand.timing.t_prog_us"] * result.stats["controller"]["programmed_pages"]
    begin, end = _extents(result, "read")
    whole = np.maximum(end // PAGE_BYTES - -(-begin // PAGE_BYTES), 0) * PAGE_BYTES
    read = (end - begin).sum()
    return Plan(
        requests_per_s=trial.plan.requests_per_s * BUSY / busy,
        fullpage_percent=round(100 * whole.sum() / read) if read else 0,
        busy_with_reads=BUSY * max(1 - programmed_s / worked_s, 0),
    )


def operations_of_fullpage(requests: int) -> float:
    """Returns the mean number of operations with which an idle die reads a fullpage that spans four layers, without
    retries.
    """
    case = Case(READING[0], "SRS+FPA", Plan(requests_per_s=1, fullpage_percent=100), requests, ASSUMED)
    reads = ns.synthetic(
        requests=requests, queue_depth=1, read_percent=100, block_bytes=PAGE_BYTES, alignment_bytes=PAGE_BYTES
    )
    changes = {"controller.read_retry.policy": "none", "host.workload": [reads]}
    scheduler = ns.run(configuration(case).override(changes)).stats["controller"]["scheduler"]
    return scheduler["multi_location_operations"] / requests


def trials(requests: int) -> list[Case]:
    """Returns the runs without queues from which `plan_of` calculates the plans."""
    idle = Plan(requests_per_s=20, fullpage_percent=0)
    decoders = [*((workload, ASSUMED) for workload in WORKLOADS), *((workload, LDPC) for workload in READING)]
    return [Case(workload, "SOML", idle, requests, decoder) for workload, decoder in decoders]


def cases(plans: Mapping[tuple[str, str], Plan], requests: int, seeds: int) -> list[Case]:
    """Returns the runs that are compared. With the assumed decoder, these are all schemes at the planned rate and at
    full load, and SOML and SRS+FPA at the rate of BUSIER and at the lower loads of Figure 7(e) and (f). With LDPC
    codes, these are all schemes at the planned rate, and SRS+FPA with less borrowed parity. The keys of `plans` are the
    names of the decoder and the workload."""
    compared = {load: list(SCHEMES) for load in (1.0, FULL_LOAD)}
    compared |= {load: ["SOML", "SRS+FPA"] for load in (BUSIER / BUSY, *LOADS) if load != 1}
    decoders = {LDPC: list(SCHEMES)} | {less: ["SRS+FPA"] for less in LESS_BORROWED}
    of_seed = [
        Case(workload, scheme, plans[ASSUMED.name, workload], requests, ASSUMED, load)
        for workload in WORKLOADS
        for load, schemes in compared.items()
        for scheme in schemes
    ] + [
        Case(workload, scheme, plans[LDPC.name, workload], requests, decoder)
        for workload in READING
        for decoder, schemes in decoders.items()
        for scheme in schemes
    ]
    return [replace(case, seed=seed) for seed in range(1, seeds + 1) for case in of_seed]


def _mean_latency(host: dict, kind: str) -> float:
    return host[kind]["latency_us"]["mean"] if host[kind]["count"] else 0.0


def _extents(result: ns.Result, kind: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the first bytes and the end bytes of all requests of this kind."""
    log = result.requests
    chosen = log["kind"] == REQUEST_KINDS.index(kind)
    begin = 512 * log["first_lba"][chosen].astype(np.int64)
    return begin, begin + 512 * log["sectors"][chosen].astype(np.int64)


def _duration_s(result: ns.Result) -> float:
    """Returns the time from the first request to the end of the last request. The drive writes back its buffer after
    this.
    """
    log = result.requests
    return 1e-12 * float((log["start_ps"] + log["latency_ps"]).max() - log["start_ps"].min())


def _first_reads(result: ns.Result) -> NDArray[np.float64]:
    """Returns the latencies in µs of the first FIRST_READS reads, in the order of their arrival."""
    log = result.requests
    chosen = log["kind"] == REQUEST_KINDS.index("read")
    order = np.argsort(log["start_ps"][chosen], kind="stable")[:FIRST_READS]
    return 1e-6 * log["latency_ps"][chosen][order]


class Results:
    """The outcomes of the runs with one decoder, by workload, scheme and load. `measure` is the name of an attribute or
    property of Outcome. Ratios are relative to SOML. Under SOML, no codeword borrows parity, so the runs of SOML with
    LDPC codes are the reference for any amount of borrowed parity."""

    def __init__(self, outcomes: list[tuple[Case, Outcome]], decoder: Decoder = ASSUMED) -> None:
        names = (decoder.name, ASSUMED.name if decoder is ASSUMED else LDPC.name)
        self._of = {
            (c.seed, c.workload, c.scheme, c.load): outcome
            for name in reversed(names)
            for c, outcome in outcomes
            if c.decoder.name == name
        }
        self.decoder = decoder
        self.seeds = sorted({case.seed for case, _ in outcomes})
        self.plans = {case.workload: case.plan for case, _ in outcomes if case.decoder.name in names}

    def of(self, seed: int, workload: str, scheme: str, load: float = 1.0) -> Outcome:
        return self._of[seed, workload, scheme, load]

    def ratio(self, measure: str, scheme: str, workload: str, seed: int, load: float = 1.0) -> float:
        ours, baseline = (getattr(self.of(seed, workload, name, load), measure) for name in (scheme, "SOML"))
        return ours / baseline

    def mean_ratio(self, measure: str, scheme: str, workload: str, load: float = 1.0) -> float:
        return mean(self.ratio(measure, scheme, workload, seed, load) for seed in self.seeds)

    def mean_of(self, measure: str, workload: str, scheme: str, load: float = 1.0) -> float:
        return mean(getattr(self.of(seed, workload, scheme, load), measure) for seed in self.seeds)

    def placement_less(self, workload: str) -> tuple[float, float]:
        """Returns the share of the read latency that fullpages over four layers are expected to save, in two closed
        forms: without queues, and with queues at the planned rate."""
        plan = self.plans[workload]
        alone, queued = (latency_less(self.decoder, plan.fullpage_percent, busy) for busy in (0, plan.busy_with_reads))
        return alone, queued
