# SPDX-License-Identifier: Apache-2.0
"""Single workloads at higher loads. The largest gains depend on the load; no single load gives all gains of the study.

The workloads are read-dominant, since write-dominant workloads already keep the dies busy half of the time.
"""

from __future__ import annotations

from itertools import pairwise

from retry.runs import READ_PERCENT, REFERENCE, WRITE_DOMINANT, Case, Outcome

LOADS = (1, 2, 3, 4.5, 6)  # multiples of the rate at which Baseline keeps the dies busy 10 % of the time
WORKLOADS = [name for name in READ_PERCENT if name not in WRITE_DOMINANT]
LARGEST = {"PR2": 38.3, "AR2": 18.1, "PnAR2": 51.8}  # section 7.2: reduction against Baseline in %


def cases_at_loads(rates: dict[str, float], requests: int) -> list[Case]:
    return [
        Case(workload, scheme, REFERENCE, requests, load * rates[workload], load=load)
        for workload in WORKLOADS
        for load in LOADS
        for scheme in ("Baseline", *LARGEST)
    ]


class LoadSweep:
    def __init__(self, outcomes: list[tuple[Case, Outcome]]) -> None:
        self._of = {(case.workload, case.load, case.scheme): outcome for case, outcome in outcomes}

    def gain(self, scheme: str, workload: str, load: float) -> float:
        """The gain over Baseline, in percent."""
        ratio = self._of[workload, load, scheme].response_us / self._of[workload, load, "Baseline"].response_us
        return 100 * (1 - ratio)

    def busy(self, workload: str, load: float) -> float:
        """The share of the time that Baseline keeps the dies busy."""
        return self._of[workload, load, "Baseline"].busy

    def largest(self, scheme: str, load: float) -> float:
        return max(self.gain(scheme, workload, load) for workload in WORKLOADS)

    def load_for(self, scheme: str, gain: float) -> float | None:
        """The load at which the largest gain among the workloads is `gain`, interpolated; None if no load of the sweep
        reaches it."""
        for low, high in pairwise(LOADS):
            below, above = self.largest(scheme, low), self.largest(scheme, high)
            if below <= gain <= above:
                return low + (high - low) * (gain - below) / (above - below)
        return None

    def words(self) -> str:
        """The loads that give the largest gains of the study, in words."""

        def taken(scheme: str, paper: float) -> str:
            load = self.load_for(scheme, paper)
            if load is not None:
                return f"takes {load:.1f} times this load"
            if paper < self.largest(scheme, LOADS[0]):
                return "is less than at this load"
            return f"takes more than {LOADS[-1]:g} times this load"

        return ", ".join(f"{paper} % of {scheme} {taken(scheme, paper)}" for scheme, paper in LARGEST.items())
