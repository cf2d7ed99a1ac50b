# SPDX-License-Identifier: Apache-2.0
"""The runs of the study of retention relaxation, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

import nandscape as ns
from retention import drive
from retention.arrivals import PAGES_AT_ONCE, requests, write_mb_per_s
from retention.drive import BASELINE, BY_SOURCE, CONCATENATED, UNLIMITED, WRITE_SYSTEMS, program_us
from retention.expected import reprogramming_mb_per_s
from retention.published import BUS_BYTES_PER_US, HEAVY, LDPC_MB_PER_S, PAGE_BYTES, SIMULATED, VOLUMES

MOST_IN_FLIGHT = 65535
WRITE_SPEED, INDEPENDENT, COLLECTING, CLEANING = "serial", "independent", "collecting", "cleaning"
DRIVES = {
    WRITE_SPEED: drive.serial,
    INDEPENDENT: drive.independent,
    COLLECTING: drive.collecting,
    CLEANING: drive.collecting,  # the same drive, for runs with as many writes as those on `serial`
}


@dataclass(frozen=True)
class Length:
    """The number of writes of each kind of run. Runs of the heavy workloads hd1 and hd2 are long, since the lengths of
    their queues vary. Runs with LDPC are shorter, since saturation becomes visible early."""

    light: int
    heavy: int
    heavy_with_ldpc: int


QUICK = Length(light=2000, heavy=2500 * PAGES_AT_ONCE, heavy_with_ldpc=500 * PAGES_AT_ONCE)
FULL = Length(light=20_000, heavy=8000 * PAGES_AT_ONCE, heavy_with_ldpc=4000 * PAGES_AT_ONCE)


@dataclass(frozen=True)
class Case:
    workload: str
    system: str = BASELINE
    ldpc_mb_per_s: float = UNLIMITED
    drive: str = WRITE_SPEED
    writes: int = 0
    seed: int = 1
    pauses: bool = False
    architecture: str = CONCATENATED


@dataclass(frozen=True)
class Outcome:
    write_us: float
    all_us: float
    saturated: bool  # the load in bursts is higher than the encoder or the drive can serve
    write_amplification: float


def drive_with_ldpc(workload: str) -> str:
    """Returns the kind of drive for runs with LDPC. For hd1 and hd2, which write about the size of their disk in a day,
    garbage collection must run, since collected pages are also encoded. The other workloads cause almost no collection.
    """
    return COLLECTING if workload in HEAVY else WRITE_SPEED


def hopeless(workload: str, mb_per_s: float) -> bool:
    """Returns whether the host writes more than twice the throughput of the encoder. The encoder then certainly
    saturates, so no run is needed."""
    return write_mb_per_s(workload) > 2 * mb_per_s


def cases(length: Length, seeds: int) -> list[Case]:
    """Returns all runs. The longest runs come first, so that all worker processes are busy until the end."""
    of_seed = [
        *(Case(workload, system) for workload in SIMULATED for system in WRITE_SYSTEMS),
        *(Case(HEAVY[0], system, drive=CLEANING) for system in WRITE_SYSTEMS),
    ]
    for workload in SIMULATED:
        drive_and_pauses = {"drive": drive_with_ldpc(workload), "pauses": workload in HEAVY}
        of_seed += [
            Case(workload, ldpc_mb_per_s=mb_per_s, **drive_and_pauses)
            for mb_per_s in (*LDPC_MB_PER_S, UNLIMITED)
            if not hopeless(workload, mb_per_s)
        ]
        if workload in HEAVY:  # with BY_SOURCE, the other workloads do not use LDPC
            of_seed += [
                Case(workload, ldpc_mb_per_s=mb_per_s, architecture=BY_SOURCE, **drive_and_pauses)
                for mb_per_s in LDPC_MB_PER_S
            ]

    def writes(case: Case) -> int:
        if case.workload not in HEAVY:
            return length.light
        return length.heavy if case.drive in (WRITE_SPEED, CLEANING) else length.heavy_with_ldpc

    all_cases = [replace(case, seed=seed) for seed in range(1, seeds + 1) for case in of_seed]
    all_cases += [Case(HEAVY[0], system, drive=INDEPENDENT) for system in WRITE_SYSTEMS]
    # Remove duplicates: a light workload with an LDPC encoder of unlimited throughput is also a run for the write
    # speed.
    all_cases = [replace(case, writes=writes(case)) for case in dict.fromkeys(all_cases)]
    return sorted(all_cases, key=lambda case: -case.writes)


def simulate(case: Case) -> Outcome:
    changes = drive.write_mode(case.system) | drive.ldpc_encoder(case.architecture, case.ldpc_mb_per_s)
    config = DRIVES[case.drive](case.workload, case.seed).override(changes)
    columns = requests(case.workload, case.writes, drive.footprint_pages(config), case.seed, case.pauses)
    outcome = _outcome(config, [ns.requests(columns, size_bytes=PAGE_BYTES, queue_depth=MOST_IN_FLIGHT)])
    return replace(outcome, saturated=outcome.saturated or _encoded_mb_per_s(case, outcome) >= case.ldpc_mb_per_s)


def _encoded_mb_per_s(case: Case, outcome: Outcome) -> float:
    """Returns the load on the LDPC encoder in 1e6 bytes per second. If the host's pages wait for the encoder, this is
    the load in bursts, otherwise the mean load.
    """
    if case.architecture == CONCATENATED:
        return write_mb_per_s(case.workload) * outcome.write_amplification
    collected = VOLUMES[case.workload].written_mb_per_s * (outcome.write_amplification - 1)
    return collected + reprogramming_mb_per_s(case.workload, case.architecture)


def idle_write_us(system: str) -> float:
    """Returns the mean response time in µs of writes that are sent one at a time."""
    config = drive.serial(HEAVY[0], 1).override(drive.write_mode(system))
    writes = ns.synthetic(requests=200, queue_depth=1, read_percent=0, block_bytes=PAGE_BYTES)
    return _outcome(config, [writes]).write_us


def _outcome(config: ns.Config, workload: list[dict]) -> Outcome:
    stats = ns.run(config, workload=workload).stats
    host = stats["host"]
    return Outcome(
        write_us=host["write"]["latency_us"]["mean"],
        all_us=host["all"]["latency_us"]["mean"],
        saturated=bool(host["saturated"]),
        write_amplification=stats["controller"]["write_amplification"],
    )


class Results:
    def __init__(self, outcomes: Sequence[tuple[Case, Outcome]], idle_us: dict[str, float]) -> None:
        self._of = {
            (case.drive, case.workload, case.system, case.architecture, case.ldpc_mb_per_s, case.seed): outcome
            for case, outcome in outcomes
        }
        self.idle_us = idle_us  # response time in µs of a write on an idle drive, by system
        self.seeds = sorted({case.seed for case, _ in outcomes})

    def _mean(self, figure: str, workload: str, system: str, drive: str = WRITE_SPEED) -> float:
        """Returns the mean over seeds of the attribute `figure` of the outcomes."""
        seeds = self.seeds[:1] if drive == INDEPENDENT else self.seeds
        outcomes = [self._of[drive, workload, system, CONCATENATED, UNLIMITED, seed] for seed in seeds]
        return mean(getattr(outcome, figure) for outcome in outcomes)

    def write_us(self, workload: str, system: str, drive: str = WRITE_SPEED) -> float:
        return self._mean("write_us", workload, system, drive)

    def beside_channels_us(self, system: str) -> float:
        """Returns the part of a write's response time, in µs, that is spent on link, commands and driver."""
        return self.idle_us[system] - program_us(system) - PAGE_BYTES / BUS_BYTES_PER_US

    def all_us(self, workload: str, system: str) -> float:
        return self._mean("all_us", workload, system)

    def write_speedup(self, workload: str, system: str, drive: str = WRITE_SPEED) -> float:
        return self.write_us(workload, BASELINE, drive) / self.write_us(workload, system, drive)

    def overall_speedup(self, workload: str, system: str) -> float:
        return self.all_us(workload, BASELINE) / self.all_us(workload, system)

    def queueing_speedup(self, workload: str, system: str) -> float:
        """Returns the speedup of the waiting time. The waiting time is the response time minus the response time on an
        idle drive.
        """
        before, after = (self.write_us(workload, name) - self.idle_us[name] for name in (BASELINE, system))
        return before / after

    def least_ldpc(self, architecture: str, workload: str) -> float:
        """Returns the lowest encoder throughput, in MB/s, at which the workload does not saturate the encoder."""
        good = [mb_per_s for mb_per_s in LDPC_MB_PER_S if not self.saturated(architecture, workload, mb_per_s)]
        return min(good, default=UNLIMITED)

    def saturated(self, architecture: str, workload: str, mb_per_s: float) -> bool:
        """Returns whether the workload saturates the encoder with any of the seeds."""
        if architecture == CONCATENATED and hopeless(workload, mb_per_s):
            return True
        return any(self._with_ldpc(architecture, workload, mb_per_s, seed).saturated for seed in self.seeds)

    def normalized(self, architecture: str, mb_per_s: float) -> float:
        """Returns the mean normalized response time (equation 19) of the workloads that do not saturate the encoder."""
        return mean(
            self.normalized_of(architecture, name, mb_per_s)
            for name in SIMULATED
            if not self.saturated(architecture, name, mb_per_s)
        )

    def normalized_of(self, architecture: str, workload: str, mb_per_s: float) -> float:
        return mean(
            self._with_ldpc(architecture, workload, mb_per_s, seed).all_us
            / self._with_ldpc(CONCATENATED, workload, UNLIMITED, seed).all_us
            for seed in self.seeds
        )

    def write_amplification(self, workload: str) -> float:
        return mean(self._with_ldpc(CONCATENATED, workload, UNLIMITED, seed).write_amplification for seed in self.seeds)

    def _with_ldpc(self, architecture: str, workload: str, mb_per_s: float, seed: int) -> Outcome:
        if architecture == BY_SOURCE and (workload not in HEAVY or mb_per_s == UNLIMITED):
            architecture, mb_per_s = CONCATENATED, UNLIMITED
        return self._of[drive_with_ldpc(workload), workload, BASELINE, architecture, mb_per_s, seed]
