# SPDX-License-Identifier: Apache-2.0
"""The outcomes of the runs, by decoder, workload, scheme, load and seed, and measures of them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from layers.decoders import ASSUMED, LDPC, Decoder
from layers.decoding import latency_less
from layers.runs import Case, Outcome

Measure = Callable[[Outcome], float]


class Results:
    """Outcomes of a decoder by workload, scheme and load, one seed after the other. Ratios are to Baseline's, whose
    codewords all have their own parity: with LDPC codes one Baseline serves whatever is borrowed."""

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

    def ratio(self, measure: Measure, scheme: str, workload: str, seed: int, load: float = 1.0) -> float:
        return measure(self.of(seed, workload, scheme, load)) / measure(self.of(seed, workload, "SOML", load))

    def mean_ratio(self, measure: Measure, scheme: str, workload: str, load: float = 1.0) -> float:
        return mean(self.ratio(measure, scheme, workload, seed, load) for seed in self.seeds)

    def mean_of(self, measure: Measure, workload: str, scheme: str, load: float = 1.0) -> float:
        return mean(measure(self.of(seed, workload, scheme, load)) for seed in self.seeds)


def read_us(outcome: Outcome) -> float:
    return outcome.read_us


def write_us(outcome: Outcome) -> float:
    return outcome.write_us


def throughput(outcome: Outcome) -> float:
    return outcome.requests_per_s


def pages(outcome: Outcome) -> float:
    return outcome.programmed_pages


def subpages_per_operation(outcome: Outcome) -> float:
    return outcome.subpages_per_operation


def read_amplification(outcome: Outcome) -> float:
    """Percentage of the reads that took one page more."""
    return 100 * outcome.lone_reads / outcome.reads


def fullpage_share(outcome: Outcome) -> float:
    """Percentage of the writes, cut into pieces of 16 KiB, that went over four layers."""
    return 100 * outcome.fullpages / outcome.pieces


def placement_less(results: Results, workload: str) -> tuple[float, float]:
    """Closed forms of how much of their latency reads should lose by fullpages over four layers: without queues, and
    with them at the planned rate."""
    plan = results.plans[workload]
    alone, queued = (latency_less(results.decoder, plan.fullpage_percent, busy) for busy in (0, plan.busy_with_reads))
    return alone, queued
