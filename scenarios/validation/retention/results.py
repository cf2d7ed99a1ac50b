# SPDX-License-Identifier: Apache-2.0
"""All runs and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from retention.arrivals import write_mb_per_s
from retention.drive import BASELINE, BY_SOURCE, CONCATENATED, UNLIMITED, WRITE_SYSTEMS, program_us
from retention.published import BUS_BYTES_PER_US, HEAVY, LDPC_MB_PER_S, PAGE_BYTES, SIMULATED
from retention.runs import Case, Outcome

WRITE_SPEED, CLEANING = "serial", "cleaning"


def drive_with_ldpc(workload: str) -> str:
    """The drive of runs with LDPC. Collected pages are encoded, too: hd1 and hd2 write about their whole disk in a day;
    the other workloads leave next to nothing to collect."""
    return "collecting" if workload in HEAVY else WRITE_SPEED


def hopeless(workload: str, mb_per_s: float) -> bool:
    """Whether the host writes more than twice the throughput of the encoder: it saturates, and needs no run."""
    return write_mb_per_s(workload) > 2 * mb_per_s


@dataclass(frozen=True)
class Length:
    """Writes of a run. Runs of hd1 and hd2 are long, since their queues scatter; with LDPC saturation shows early."""

    light: int
    heavy: int
    heavy_with_ldpc: int

    def of(self, case: Case) -> int:
        if case.workload not in HEAVY:
            return self.light
        return self.heavy if case.drive in (WRITE_SPEED, CLEANING) else self.heavy_with_ldpc


def cases(length: Length, seeds: int) -> list[Case]:
    """All runs, the long ones first, which keeps the workers busy until the end."""
    write_speed = [
        Case(workload, system, seed=seed)
        for seed in range(1, seeds + 1)
        for workload in SIMULATED
        for system in WRITE_SYSTEMS
    ]
    ldpc = [
        Case(workload, BASELINE, mb_per_s, drive_with_ldpc(workload), seed=seed, pauses=workload in HEAVY)
        for seed in range(1, seeds + 1)
        for workload in SIMULATED
        for mb_per_s in (*LDPC_MB_PER_S, UNLIMITED)
        if not hopeless(workload, mb_per_s)
    ]
    with_cleaning = [
        Case(HEAVY[0], system, drive=CLEANING, seed=seed) for seed in range(1, seeds + 1) for system in WRITE_SYSTEMS
    ]
    # By source, runs of the other workloads send no page to LDPC.
    by_source = [
        Case(workload, BASELINE, mb_per_s, "collecting", seed=seed, pauses=True, architecture=BY_SOURCE)
        for seed in range(1, seeds + 1)
        for workload in HEAVY
        for mb_per_s in LDPC_MB_PER_S
    ]
    independent = [Case(HEAVY[0], system, drive="independent") for system in WRITE_SYSTEMS]
    all_cases = [
        replace(case, writes=length.of(case))
        for case in (*write_speed, *ldpc, *by_source, *with_cleaning, *independent)
    ]
    return sorted(dict.fromkeys(all_cases), key=lambda case: -case.writes)


class Results:
    def __init__(self, outcomes: Sequence[tuple[Case, Outcome]], idle_us: dict[str, float]) -> None:
        self._of = {
            (case.drive, case.workload, case.system, case.architecture, case.ldpc_mb_per_s, case.seed): outcome
            for case, outcome in outcomes
        }
        self.idle_us = idle_us  # time of a write on an idle drive, by system
        self.seeds = sorted({case.seed for case, _ in outcomes})

    def of(self, workload: str, system: str, seed: int, *, drive: str = WRITE_SPEED) -> Outcome:
        return self._of[drive, workload, system, CONCATENATED, UNLIMITED, seed]

    def write_us(self, workload: str, system: str, drive: str = WRITE_SPEED) -> float:
        """The mean over seeds."""
        return mean(self.of(workload, system, seed, drive=drive).write_us for seed in self._seeds_of(drive))

    def beside_channels_us(self, system: str) -> float:
        """The time of a write for link, commands and driver."""
        return self.idle_us[system] - program_us(system) - PAGE_BYTES / BUS_BYTES_PER_US

    def all_us(self, workload: str, system: str) -> float:
        return mean(self.of(workload, system, seed).all_us for seed in self.seeds)

    def write_speedup(self, workload: str, system: str, drive: str = WRITE_SPEED) -> float:
        return self.write_us(workload, BASELINE, drive) / self.write_us(workload, system, drive)

    def overall_speedup(self, workload: str, system: str) -> float:
        return self.all_us(workload, BASELINE) / self.all_us(workload, system)

    def queueing_speedup(self, workload: str, system: str) -> float:
        """The speedup of the waiting time: response time less that of an idle drive."""
        before, after = (self.write_us(workload, name) - self.idle_us[name] for name in (BASELINE, system))
        return before / after

    def least_ldpc(self, architecture: str, workload: str) -> float:
        """The least throughput that does not saturate, MB/s."""
        good = [mb_per_s for mb_per_s in LDPC_MB_PER_S if not self.saturated(architecture, workload, mb_per_s)]
        return min(good, default=UNLIMITED)

    def saturated(self, architecture: str, workload: str, mb_per_s: float) -> bool:
        """Whether the workload saturates the encoder in any seed."""
        if architecture == CONCATENATED and hopeless(workload, mb_per_s):
            return True
        return any(self._with_ldpc(architecture, workload, mb_per_s, seed).saturated for seed in self.seeds)

    def normalized(self, architecture: str, mb_per_s: float) -> float:
        """The mean normalized response time of the workloads that do not saturate, equation 19."""
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

    def _seeds_of(self, drive: str) -> list[int]:
        return self.seeds[:1] if drive == "independent" else self.seeds
