# SPDX-License-Identifier: Apache-2.0
"""The runs: the 18 workloads of Table I of Nie et al. under each scheme, at several loads.

Rates follow one rule, that of `plan_of`; so does the share of the data that were written as fullpages before the run.
The same rate and the same cells serve all schemes of a decoder. All data have the errors of 15 days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from layers.decoders import ASSUMED, LDPC, LESS_BORROWED, Decoder
from layers.decoding import layer_groups
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
# Baseline's dies work so much of the time. The study states no rates; this one was chosen with its gains known, which
# grow with the load. The second shows by how much.
BUSY = 0.40
BUSIER = 0.55
# Section IV-C: the interval between requests as it is, and five and ten times as long.
LOADS = (1.0, 1 / 5, 1 / 10)
# Figure 7(c): requests in flight where a run shows what the drive can do.
FULL_LOAD = 0.0
QUEUE_DEPTH = 32
# In DRAM, until others have come to fill wordlines of all planes of a die: it only has to end some time.
FULLPAGE_WAIT_MS = 10_000
# Of what a run writes. It goes all over half of the drive, since all layers are to be met alike.
MEAN_UPDATES = 1e-3
SPREAD_OVER_TIME = "usr_0"  # Figure 7(d)
FIRST_READS = 5000


@dataclass(frozen=True)
class Trial:
    """A workload and decoder, for which `plan_of` makes a plan."""

    workload: str
    decoder: Decoder
    requests: int


@dataclass(frozen=True)
class Plan:
    """`busy_with_reads`: share of the time that Baseline's dies read, of the BUSY that they work."""

    requests_per_s: float
    fullpage_percent: int
    busy_with_reads: float = BUSY


@dataclass(frozen=True)
class Case:
    """`load` is a share of the plan's rate, or FULL_LOAD."""

    workload: str
    scheme: str
    plan: Plan
    requests: int
    decoder: Decoder
    load: float = 1.0
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """Mean latencies in microseconds, 0 where there are no such requests. `pieces`: that the writes are made of, by
    their pages of 16 KiB; `fullpages` of them went over four layers. `lone_reads`: reads of a weak subpage that took
    the strong one's page, too. `subpages_per_operation`: that single operations
    read. `first_reads`: latencies of
    the first FIRST_READS of SPREAD_OVER_TIME."""

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
    # The drive programs pages that wait for company after the last request.
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


def plan_of(trial: Trial) -> Plan:
    """From a run of Baseline in which nothing waits, whose dies' work grows with the rate: the rate at which they are
    busy for the share BUSY of the time. As large a part of the data lies in fullpages as is read by whole ones: the
    study's simulator places data as reads first touch them, so that a read of a whole piece of 16 KiB finds a fullpage,
    and other bytes do not."""
    idle = Case(trial.workload, "SOML", Plan(requests_per_s=20, fullpage_percent=0), trial.requests, trial.decoder)
    config = configuration(idle)
    result = ns.run(config)
    # Reads, programs and erases take the same power, so energy tells their time.
    worked_s = result.stats["energy"]["array_j"] / (1e-3 * config["nand.energy.read_mw"])
    busy = worked_s / (result.stats["host"]["window_s"] * DIES)
    programmed_s = 1e-6 * config["nand.timing.t_prog_us"] * result.stats["controller"]["programmed_pages"]
    begin, end = _extents(result, "read")
    whole = np.maximum(end // PAGE_BYTES - -(-begin // PAGE_BYTES), 0) * PAGE_BYTES
    read = (end - begin).sum()
    return Plan(
        20 * BUSY / busy, round(100 * whole.sum() / read) if read else 0, BUSY * max(1 - programmed_s / worked_s, 0)
    )


def operations_of_fullpage(requests: int) -> float:
    """In how many operations an idle die reads a fullpage over four layers, leaving retries aside."""
    case = Case(READING[0], "SRS+FPA", Plan(requests_per_s=1, fullpage_percent=100), requests, ASSUMED)
    reads = ns.synthetic(
        requests=requests, queue_depth=1, read_percent=100, block_bytes=PAGE_BYTES, alignment_bytes=PAGE_BYTES
    )
    changes = {"controller.read_retry.policy": "none", "host.workload": [reads]}
    scheduler = ns.run(configuration(case).override(changes)).stats["controller"]["scheduler"]
    return scheduler["multi_location_operations"] / requests


def trials(requests: int) -> list[Trial]:
    return [Trial(workload, ASSUMED, requests) for workload in WORKLOADS] + [
        Trial(workload, LDPC, requests) for workload in READING
    ]


def cases(plans: Mapping[tuple[str, str], Plan], requests: int, seeds: int) -> list[Case]:
    """By the study's assumptions every scheme at the planned rate and at full load, and Baseline and the scheme that
    places fullpages at other loads besides: busier dies, and less as in Figure 7(e) and (f). With LDPC codes every
    scheme at the planned rate, and placement with less parity borrowed. `plans` are by decoder and workload."""
    compared = {load: list(SCHEMES) for load in (1.0, FULL_LOAD)}
    compared |= {BUSIER / BUSY: ["SOML", "SRS+FPA"]}
    compared |= {load: ["SOML", "SRS+FPA"] for load in LOADS if load != 1}
    decoders = [(LDPC, list(SCHEMES)), *((less, ["SRS+FPA"]) for less in LESS_BORROWED)]
    assumed = [
        Case(workload, scheme, plans[ASSUMED.name, workload], requests, ASSUMED, load, seed)
        for seed in range(1, seeds + 1)
        for workload in WORKLOADS
        for load, schemes in compared.items()
        for scheme in schemes
    ]
    return assumed + [
        Case(workload, scheme, plans[LDPC.name, workload], requests, decoder, seed=seed)
        for seed in range(1, seeds + 1)
        for workload in READING
        for decoder, schemes in decoders
        for scheme in schemes
    ]


def _mean_latency(host: dict, kind: str) -> float:
    return host[kind]["latency_us"]["mean"] if host[kind]["count"] else 0.0


def _extents(result: ns.Result, kind: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First byte, and the one behind the last, of all requests of a kind."""
    log = result.requests
    chosen = log["kind"] == REQUEST_KINDS.index(kind)
    begin = 512 * log["first_lba"][chosen].astype(np.int64)
    return begin, begin + 512 * log["sectors"][chosen].astype(np.int64)


def _duration_s(result: ns.Result) -> float:
    """Until the last request is done; what is in DRAM then is written behind it."""
    log = result.requests
    return 1e-12 * float((log["start_ps"] + log["latency_ps"]).max() - log["start_ps"].min())


def _first_reads(result: ns.Result) -> NDArray[np.float64]:
    """In the order of their arrival."""
    log = result.requests
    chosen = log["kind"] == REQUEST_KINDS.index("read")
    order = np.argsort(log["start_ps"][chosen], kind="stable")[:FIRST_READS]
    return 1e-6 * log["latency_ps"][chosen][order]
