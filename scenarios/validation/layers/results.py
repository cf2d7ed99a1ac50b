# SPDX-License-Identifier: Apache-2.0
"""The outcomes of the runs, by decoder, workload, scheme, load and seed."""

from __future__ import annotations

from statistics import mean

from layers.decoders import ASSUMED, LDPC, Decoder
from layers.decoding import latency_less
from layers.runs import Case, Outcome


class Results:
    """Outcomes of a decoder by workload, scheme and load. `measure` names an attribute of the outcomes. Ratios are over
    SOML, whose codewords all have their own parity: with LDPC codes one run of SOML serves any borrowed parity."""

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
        """The share of the read latency that fullpages over four layers should save, by closed forms: without queues,
        and with queues at the planned rate."""
        plan = self.plans[workload]
        alone, queued = (latency_less(self.decoder, plan.fullpage_percent, busy) for busy in (0, plan.busy_with_reads))
        return alone, queued
