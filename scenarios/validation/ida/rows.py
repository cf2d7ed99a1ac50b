# SPDX-License-Identifier: Apache-2.0
"""The rows for sections III to V of Choi et al., made from the outcomes of all runs.

Gains are averaged first over workloads and then over seeds. If our figure deviates for a known reason, the row compares
it with the closed form of expected.py, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import mean

from comparison.published import Mean, Published, over_seeds
from comparison.rows import Row
from ida import expected
from ida.drive import MLC, QLC, tlc
from ida.published import WORKLOADS
from ida.runs import BUSY, GROUPS, LATE_CYCLES, WITH_WRITES, Results

PUBLISHED = Published(__file__)


def rows(results: Results) -> list[Row]:
    return [
        *_errors(results),
        *_devices(results),
        _late_life(results),
        *_blocks(results),
        _light_load(results),
        *_beyond(results),
    ]


def _mean_gain(results: Results, group: str, system: str = "E20", to: str = "baseline") -> Mean:
    workloads = GROUPS[group].workloads
    return over_seeds(
        lambda seed: mean(results.gain(group, system, name, seed, to) for name in workloads), results.seeds
    )


def _errors(results: Results) -> list[Row]:
    gains = {system.lower(): _mean_gain(results, "tlc", system) for system in ("E0", "E20", "E50", "E80")}
    wrong = 0
    for workload in WORKLOADS:
        errors = [results.mean_gain("tlc", system, workload) for system in ("E0", "E20", "E50", "E80")]
        steps = [results.mean_gain(group, "E20", workload) for group in ("tlc_70", "tlc", "tlc_30")]
        falls = all(a > b for figures in (errors, steps) for a, b in pairwise(figures))
        wrong += not (falls and errors[-1] > 0)
    return PUBLISHED.rows(gains | {"order": wrong}, busy=100 * BUSY)


def _devices(results: Results) -> list[Row]:
    return [
        PUBLISHED.row("step_30", _mean_gain(results, "tlc_30")),
        PUBLISHED.row("step_70", _mean_gain(results, "tlc_70")),
        PUBLISHED.row(
            "mlc",
            _mean_gain(results, "mlc"),
            # The band allows for an effect that the closed form leaves out: the pages of a read arrive at several dies
            # at once, so the queues of the dies are not independent.
            expected=mean(expected.gain(name, MLC, 0.2, BUSY) for name in WORKLOADS),
            busy=100 * _busy_with_mlc(),
            published_load=100 * _load_of_gain(PUBLISHED.paper("mlc")),
        ),
        PUBLISHED.row(
            "throughput",
            over_seeds(lambda seed: mean(results.more_throughput(name, seed) for name in WORKLOADS), results.seeds),
        ),
    ]


def _busy_with_mlc() -> float:
    return mean(expected.busy(expected.baseline(MLC), name, BUSY) for name in WORKLOADS)


def _load_of_gain(gain: float) -> float:
    """Returns the share of time for which MLC dies are busy at the request rate at which the closed form predicts
    `gain`.
    """
    low, high = 0.0, BUSY
    for _ in range(7):
        middle = (low + high) / 2
        below = mean(expected.gain(name, MLC, 0.2, middle) for name in WORKLOADS) < gain
        low, high = (middle, high) if below else (low, middle)
    return _busy_with_mlc() * low / BUSY


def _late_life(results: Results) -> Row:
    before, after = results.retried("baseline"), results.retried("E20")
    load = GROUPS["late"].busy
    alike, closed = (
        mean(expected.gain(name, tlc(), 0.2, load, (before, of_ida)) for name in WORKLOADS)
        for of_ida in (before, after)
    )
    # A retried page is read again right after its first read, and some types of pages are retried more often than
    # others. Both effects make the queues longer than in the closed form. They grow with the share of retried pages.
    return PUBLISHED.row(
        "late_life",
        _mean_gain(results, "late"),
        expected=closed,
        cycles=LATE_CYCLES,
        before=100 * before,
        after=100 * after,
        busy=100 * mean(expected.busy(expected.adjusted(name, tlc(), 0.2), name, BUSY, after) for name in WORKLOADS),
        alike=alike,
    )


def _blocks(results: Results) -> list[Row]:
    renewals = results.renewals()
    counted = {"valid": "valid_pages", "added_reads": "read_back_pages", "added_writes": "written_back_pages"}
    figures = {
        key: mean(results.per_block(workload, statistic) for workload in WORKLOADS)
        for key, statistic in counted.items()
    }
    return PUBLISHED.rows(
        figures
        | {
            "reads_of_refresh": sum(
                refresh.page_reads != refresh.renewal["valid_pages"] + refresh.renewal["read_back_pages"]
                for refresh in renewals
            ),
            "writes_of_refresh": sum(
                refresh.page_writes != refresh.renewal["moved_pages"] + refresh.renewal["written_back_pages"]
                for refresh in renewals
            ),
        }
    )


def _light_load(results: Results) -> Row:
    flash, load = tlc(), GROUPS["light"].busy
    kinds: dict[str, Callable[[str], list[expected.Kind]]] = {
        "baseline": lambda _: expected.baseline(flash),
        "E0": lambda workload: expected.adjusted(workload, flash, 0),
        "E20": lambda workload: expected.adjusted(workload, flash, 0.2),
    }
    furthest = max(
        abs(
            mean(results.of("light", system, workload, seed).response_us for seed in results.seeds)
            / expected.response_us(of(workload), workload, load)
            - 1
        )
        for system, of in kinds.items()
        for workload in WORKLOADS
    )
    return PUBLISHED.row("closed_form.light_load", 100 * furthest)


def _beyond(results: Results) -> list[Row]:
    closed = mean(expected.gain(name, QLC, 0.2, GROUPS["qlc"].busy) for name in WORKLOADS)
    without = mean(results.mean_gain("tlc", "E20", name) for name in WITH_WRITES)
    alone = _mean_gain(results, "late", "pnar2").value
    return [
        PUBLISHED.row("beyond.qlc", _mean_gain(results, "qlc"), limits=(closed - 10, closed + 2)),
        PUBLISHED.row(
            "beyond.with_writes",
            _mean_gain(results, "writes"),
            limits=(without - 10, without + 10),
            workloads=" and ".join(WITH_WRITES),
            without=without,
        ),
        PUBLISHED.row("beyond.pnar2", _mean_gain(results, "late", "E20_pnar2", to="pnar2"), cycles=LATE_CYCLES),
        PUBLISHED.row("beyond.both", _mean_gain(results, "late", "E20_pnar2"), limits=(-30, alone + 12), alone=alone),
    ]
