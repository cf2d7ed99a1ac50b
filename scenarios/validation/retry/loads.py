# SPDX-License-Identifier: Apache-2.0
"""Runs of single workloads at higher loads. The largest gains depend on the load, and no single load gives all gains of
the study.

Only read-dominant workloads are run, since write-dominant workloads keep the dies busy for half of the time already at
the lowest load.
"""

from __future__ import annotations

from itertools import pairwise

from retry.runs import READ_PERCENT, REFERENCE, WRITE_DOMINANT, Case, Outcome

LOADS = (1, 2, 3, 4.5, 6)  # multiples of the rate at which Baseline keeps the dies busy for 10 % of the time
WORKLOADS = [name for name in READ_PERCENT if name not in WRITE_DOMINANT]
# section 7.2: largest reduction of the response time against Baseline, in %
LARGEST = {"PR2": 38.3, "AR2": 18.1, "PnAR2": 51.8}


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
        """Returns the reduction of the response time against Baseline, in percent."""
        ratio = self._of[workload, load, scheme].response_us / self._of[workload, load, "Baseline"].response_us
        return 100 * (1 - ratio)

    def busy(self, workload: str, load: float) -> float:
        """Returns the share of time for which the dies are busy with Baseline."""
        return self._of[workload, load, "Baseline"].busy

    def largest(self, scheme: str, load: float) -> float:
        return max(self.gain(scheme, workload, load) for workload in WORKLOADS)

    def load_for(self, scheme: str, gain: float) -> float | None:
        """Returns the load at which the largest gain among the workloads equals `gain`, interpolated between the
        simulated loads. Returns None if the gain is outside the simulated range."""
        for low, high in pairwise(LOADS):
            below, above = self.largest(scheme, low), self.largest(scheme, high)
            if below <= gain <= above:
                return low + (high - low) * (gain - below) / (above - below)
        return None

    def words(self) -> str:
        """Returns a text that states the loads at which the largest gains of the study are reached."""

        def taken(scheme: str, paper: float) -> str:
            load = self.load_for(scheme, paper)
            if load is not None:
                return f"takes {load:.1f} times this load"
            if paper < self.largest(scheme, LOADS[0]):
                return "is less than at this load"
            return f"takes more than {LOADS[-1]:g} times this load"

        return ", ".join(f"{paper} % of {scheme} {taken(scheme, paper)}" for scheme, paper in LARGEST.items())
