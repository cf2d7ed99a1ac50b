# SPDX-License-Identifier: Apache-2.0
"""The figures of section 7 of Park et al., from the outcomes of all runs; figures.py says how they are taken."""

from __future__ import annotations

from collections.abc import Callable

from physics.rows import Row, exactly, limited, near

from retry.gain_rows import cut_alike_rows, gain_rows, ideal_rows, stg_0_rows
from retry.loads import LoadSweep
from retry.pso_rows import pso_rows
from retry.results import Results
from retry.runs import CONDITIONS, READ_PERCENT, REFERENCE, Outcome

ADAPTED = ("AR2", "PnAR2")


def system_rows(results: Results, besides: Results, loads: LoadSweep, quick: bool) -> list[Row]:
    """`besides` are the runs of one seed, with those that no other seed has."""
    return [
        *gain_rows(results, loads),
        *stg_0_rows(results, quick),
        *ideal_rows(results),
        *cut_alike_rows(besides),
        *pso_rows(results),
        *_same_steps(results),
        _fallbacks(results),
        *_orders(results),
    ]


def _same_steps(results: Results) -> list[Row]:
    def steps(scheme: str) -> float:
        return sum(results.of(scheme, point).steps for point in results.points())

    return [
        near(
            f"park_2021.steps_{scheme.lower()}",
            f"{scheme}: retry steps over those of Baseline",
            steps(scheme) / steps("Baseline"),
            1,
            section,
            unit="times",
            absolute=0.01,
            reason="errors are drawn anew in each run",
        )
        for scheme, section in (("PR2", "section 1"), ("AR2", "section 6.2"))
    ]


def _fallbacks(results: Results) -> Row:
    return exactly(
        "park_2021.fallbacks",
        "retries that fail with the precharge of the table, AR2 and PnAR2",
        sum(results.of(scheme, point).fallbacks for scheme in ADAPTED for point in results.points()),
        0,
        "section 6.2",
    )


def _orders(results: Results) -> list[Row]:
    def response(scheme: str, workload: str, condition: tuple[int, int]) -> float:
        return results.mean_ratio(scheme, "Baseline", workload, condition)

    def wrong(in_order: Callable[[str, tuple[int, int]], bool]) -> int:
        return sum(not in_order(workload, condition) for workload in READ_PERCENT for condition in CONDITIONS)

    def schemes_in_order(workload: str, condition: tuple[int, int]) -> bool:
        both, one, other, ideal = (response(scheme, workload, condition) for scheme in ("PnAR2", "PR2", "AR2", "NoRR"))
        return ideal < both < min(one, other) <= max(one, other) < 1

    def pso_in_order(workload: str, condition: tuple[int, int]) -> bool:
        return response("PSO+PnAR2", workload, condition) < response("PSO", workload, condition) < 1

    averages = {
        condition: sum(response("PnAR2", workload, condition) for workload in READ_PERCENT) for condition in CONDITIONS
    }
    return [
        exactly(
            "park_2021.order_of_schemes",
            "workloads and conditions in which NoRR, PnAR2, PR2 and AR2, Baseline are not in that order",
            wrong(schemes_in_order),
            0,
            "section 7.2, Figure 14",
        ),
        exactly(
            "park_2021.order_with_pso",
            "workloads and conditions in which PSO+PnAR2, PSO, Baseline are not in that order",
            wrong(pso_in_order),
            0,
            "section 7.3, Figure 15",
        ),
        exactly(
            "park_2021.order_of_conditions",
            "conditions at which PnAR2 gains more than at 2K cycles and 6 months, on average",
            sum(average < averages[REFERENCE] for average in averages.values()),
            0,
            "section 7.2, Figure 14",
        ),
    ]


def step_rows(regular: Outcome, pr2: Outcome, ar2: Outcome, ideal: Outcome, t_dma_and_ecc_us: float) -> list[Row]:
    """Single reads of an idle drive at 2K cycles and 12 months: what a step takes."""

    def step(outcome: Outcome) -> float:
        return (outcome.read_us - ideal.read_us) / outcome.steps

    # The last step of a pipelined retry is moved out and decoded as any other.
    pipelined = (pr2.read_us - ideal.read_us - t_dma_and_ecc_us) / pr2.steps
    senses, shortened = (step(outcome) - t_dma_and_ecc_us for outcome in (regular, ar2))
    return [
        limited(
            "park_2021.step_pr2",
            "latency of a retry step, PR2, less than Baseline",
            100 * (1 - pipelined / step(regular)),
            28.5,
            (27.5, 29.5),
            "a point either way",
            "section 1, equations 3 and 4",
            unit="%",
            by_construction="it follows from the times of a read, which are taken from the study, and its equations",
        ),
        near(
            "park_2021.step_ar2",
            "tR of a retry step, AR2 at 2K cycles and 12 months, less than Baseline",
            100 * (1 - shortened / senses),
            25,
            "section 5.2.1",
            unit="%",
            absolute=1,
        ),
    ]
