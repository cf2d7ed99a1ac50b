# SPDX-License-Identifier: Apache-2.0
"""The rows of section 6 of Liu, Yang and Wu, made from the outcomes of all runs.

A speedup is a ratio of response times, each of which is a mean over the seeds. If our figure deviates for a known
reason, the row compares it with the closed form of expected.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from statistics import mean

from comparison.rows import Row
from retention import expected
from retention.analysis import PUBLISHED
from retention.arrivals import BUSY, PAGES_AT_ONCE, READ_SHARE, write_mb_per_s
from retention.drive import ARCHITECTURES, BASELINE, BY_SOURCE, CONCATENATED, RELAXED, WRITE_SYSTEMS
from retention.published import HEAVY, LDPC_MB_PER_S, LIGHT, SIMULATED
from retention.reprogramming import Reprogramming
from retention.runs import CLEANING, INDEPENDENT, WRITE_SPEED, Results

RATIO = 0.1
RR_10, RR_2 = RELAXED[10], RELAXED[2]
NAMES = {"light": ", ".join(LIGHT), "heavy": ", ".join(HEAVY), "one": HEAVY[0]}


def rows(results: Results, again: Reprogramming) -> list[Row]:
    return [
        *_write_speed(results),
        *_gain_of_2_weeks(results),
        *_background(results, again),
        *_closed_forms(results),
        *_causes(results),
        *_ldpc(results),
    ]


def _between(key: str, ours: Sequence[float]) -> Row:
    """Returns the row of an entry for which only the smallest and the largest of several ratios are published."""
    least, most = min(ours), max(ours)
    paper = PUBLISHED.paper(key)
    within = paper[0] * (1 - RATIO) <= least and most <= paper[1] * (1 + RATIO)
    return PUBLISHED.row(key, [least, most], within=within, percent=100 * RATIO, busy=100 * BUSY, **NAMES)


def _speedups(results: Results, workloads: Sequence[str], drive: str = WRITE_SPEED) -> list[float]:
    return [results.write_speedup(name, system, drive) for name in workloads for system in RELAXED.values()]


def _write_speed(results: Results) -> list[Row]:
    queueing = [results.queueing_speedup(name, system) for name in HEAVY for system in RELAXED.values()]
    trend = [
        results.overall_speedup(name, system) / results.write_speedup(name, system)
        for name in SIMULATED
        for system in RELAXED.values()
    ]
    return [
        _between("light_speedups", _speedups(results, LIGHT)),
        _between("heavy_speedups", _speedups(results, HEAVY)),
        _between("queueing", queueing),
        PUBLISHED.row("overall_trend", min(trend)),
    ]


def _gain_of_2_weeks(results: Results) -> list[Row]:
    def measured(workloads: Sequence[str]) -> float:
        return mean(results.write_us(name, RR_10) / results.write_us(name, RR_2) for name in workloads)

    closed = mean(expected.write_speedup(name, RR_2) / expected.write_speedup(name, RR_10) for name in HEAVY)
    idle = expected.channel(LIGHT[0], RR_10).write_us / expected.channel(LIGHT[0], RR_2).write_us
    return [
        PUBLISHED.row("two_weeks_light", measured(LIGHT), **NAMES),
        PUBLISHED.row("two_weeks_heavy", measured(HEAVY), expected=closed, idle=idle, **NAMES),
    ]


def _background(results: Results, again: Reprogramming) -> list[Row]:
    """Returns rows for the effect of collected and reprogrammed pages, which are programmed at normal speed."""
    return [
        _between("cleaning.heavy_speedups", _speedups(results, HEAVY[:1], CLEANING)),
        PUBLISHED.row(
            "reprogramming.rate", again.mb_per_s, paper=expected.reprogramming_mb_per_s(HEAVY[0], RR_2), **NAMES
        ),
        PUBLISHED.row(
            "reprogramming.slower",
            again.slower,
            share=100 * expected.reprogramming_share(HEAVY[0], RR_2),
            closed=expected.slower_by_reprogramming(HEAVY[0], RR_2),
            **NAMES,
        ),
    ]


def _closed_forms(results: Results) -> list[Row]:
    def furthest(workloads: Sequence[str]) -> float:
        return 100 * max(
            abs(
                results.write_us(name, system)
                / (expected.channel(name, system).response_us + results.beside_channels_us(system))
                - 1
            )
            for name in workloads
            for system in WRITE_SYSTEMS
        )

    figures = {
        "closed_form.light_load": furthest(LIGHT),
        "closed_form.heavy_load": furthest(HEAVY),
        "closed_form.batches": expected.other_batches(0.5) / expected.other_batches(2),
    }
    return PUBLISHED.rows(figures, at_once=PAGES_AT_ONCE, **NAMES)


def _causes(results: Results) -> list[Row]:
    rate = write_mb_per_s(HEAVY[0])
    return [
        PUBLISHED.row("cause.independent_dies", max(_speedups(results, HEAVY[:1], INDEPENDENT)), **NAMES),
        PUBLISHED.row(
            "cause.cleaning", results.write_amplification(HEAVY[0]), limits=(80 / rate, 1.4), rate=rate, **NAMES
        ),
    ]


def _ldpc(results: Results) -> list[Row]:
    """Returns the rows of Figures 16 and 17: the throughput that the LDPC encoder needs in both architectures."""
    least = {name: max(results.least_ldpc(name, workload) for workload in SIMULATED) for name in ARCHITECTURES}
    return PUBLISHED.rows(
        {
            "least_ldpc_concatenated": least[CONCATENATED],
            "least_ldpc_relaxed": least[BY_SOURCE],
            "relaxed_at_20": results.normalized(BY_SOURCE, 20),
            "better_at_10": 100 * (1 - results.normalized(BY_SOURCE, 10) / results.normalized(CONCATENATED, 10)),
            "concatenated_at_160": results.normalized(CONCATENATED, 160),
            "zigzag": results.normalized(CONCATENATED, 80) / results.normalized(CONCATENATED, 40),
            "closed_form.encoder": 100 * max(abs(ours / closed - 1) for ours, closed in _encoded(results)),
        }
    )


def _encoded(results: Results) -> Iterator[tuple[float, float]]:
    """Yields the normalized response time of each light workload and its closed form, which adds the time of a write in
    the encoder."""
    for name, mb_per_s in product(LIGHT, LDPC_MB_PER_S):
        if write_mb_per_s(name) < 0.8 * mb_per_s:
            added_us = (1 - READ_SHARE) * expected.encoder_us(name, mb_per_s)
            yield results.normalized_of(CONCATENATED, name, mb_per_s), 1 + added_us / results.all_us(name, BASELINE)
