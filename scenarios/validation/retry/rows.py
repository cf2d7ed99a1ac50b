# SPDX-License-Identifier: Apache-2.0
"""The rows of section 7 of Park et al., made from the outcomes of all runs.

The study averages response times relative to those of Baseline. Two other schemes are compared by the ratio of these
averages. This follows from the printed numbers: 28.9 % less than Baseline and 41 % of the gap to NoRR give 2.41 times
the average of NoRR, and the study prints 2.37. The rows also show the mean of the ratios, in which workloads with many
retries dominate.

If our figure deviates for a known reason, the row compares it with a closed form (expected.py). The closed forms leave
out queues, which add at most `reach`. The bands are not wider for quick runs, since our figure and its prediction come
from the same runs; their difference varies with the seed by only tenths of a percentage point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean

from rich.console import Console

from comparison.published import Mean, Published
from comparison.report import show_table
from comparison.rows import Row
from retry.expected import Expected
from retry.loads import LARGEST, LoadSweep
from retry.runs import (
    CONDITIONS,
    EVERYTHING,
    LAST_READ_SHARE,
    OTHER_SHARES,
    READ_PERCENT,
    REFERENCE,
    WRITE_DOMINANT,
    Condition,
    Outcome,
    Reduce,
    Results,
    pso_named,
    single_reads,
)

PUBLISHED = Published(__file__)
READ_DOMINANT = [name for name in READ_PERCENT if name not in WRITE_DOMINANT]
ADAPTED = ("AR2", "PnAR2")
T_DMA_AND_ECC_US = 16.384 + 20
SHORTEST_STEP_US = 2 * 39 + T_DMA_AND_ECC_US  # for a page with two senses


def system_rows(results: Results, besides: Results, loads: LoadSweep, quick: bool) -> list[Row]:
    """Returns all rows of section 7. `besides` holds the runs with one seed, including the schemes that run with one
    seed only.
    """
    table = PUBLISHED.for_run(quick)
    return [
        *gain_rows(results, loads, table, quick),
        *cut_alike_rows(besides),
        *pso_rows(results),
        *order_rows(results),
    ]


def _over(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def _gap_closed(ours: Sequence[float], ideal: Sequence[float]) -> list[float]:
    """Returns the percentage of the gap between Baseline and NoRR that a scheme closes. Both arguments are averages of
    response times relative to Baseline."""
    return [100 * (1 - one) / (1 - best) for one, best in zip(ours, ideal, strict=True)]


def gain_rows(results: Results, loads: LoadSweep, table: Published, quick: bool) -> list[Row]:
    """Returns rows for the gains over Baseline and for the distance from NoRR (section 7.2, Figure 14)."""
    expected = Expected(results)

    def expected_gain(of: Reduce, scheme: str) -> float:
        return mean(results.by_seed(of, lambda point: 100 * (1 - expected.response(scheme, point))))

    few_reads = "that, and the few reads of a quick run" if quick else "what a load twice as high moves"
    ideal = results.normalised("NoRR")
    expected_response = results.by_seed(mean, lambda point: expected.response("PnAR2", point))
    return [
        table.row("mean_reduction_pr2", results.gains(mean, "PR2")),
        table.row("mean_reduction_ar2", results.gains(mean, "AR2"), expected=expected_gain(mean, "AR2")),
        table.row("mean_reduction_pnar2", results.gains(mean, "PnAR2")),
        table.row("mean_reduction_pnar2_worst", results.gains(mean, "PnAR2", conditions=[REFERENCE])),
        *(
            table.row(
                f"largest_reduction_{scheme.lower()}",
                results.gains(max, scheme),
                expected=expected_gain(max, scheme),
                loads=loads.words(),
            )
            for scheme in LARGEST
        ),
        *(
            table.row(name, results.gains(mean, "PnAR2", "Baseline", ["stg_0"], conditions), few_reads=few_reads)
            for name, conditions in (("stg_0_pnar2", CONDITIONS), ("stg_0_pnar2_worst", [REFERENCE]))
        ),
        table.row(
            "pnar2_over_norr",
            Mean.of(results.ratio_of_averages("PnAR2", "NoRR", EVERYTHING)),
            ratios=results.mean_of_ratios("PnAR2", "NoRR", EVERYTHING),
        ),
        table.row(
            "gap_closed",
            Mean.of(_gap_closed(results.normalised("PnAR2"), ideal)),
            expected=mean(_gap_closed(expected_response, ideal)),
        ),
    ]


def cut_alike_rows(results: Results) -> list[Row]:
    """Returns rows for the same gains if tR is reduced by 25 % at every condition, instead of by the reductions of
    Figure 11.
    """
    alike = "PnAR2, cut alike"
    both, ideal = results.normalised(alike), results.normalised("NoRR")
    worst = results.normalised(alike, conditions=[REFERENCE])
    return [
        PUBLISHED.row("mean_reduction_ar2_cut_alike", results.gains(mean, "AR2, cut alike")),
        PUBLISHED.row("largest_reduction_ar2_cut_alike", results.gains(max, "AR2, cut alike")),
        PUBLISHED.row(
            "gap_closed_cut_alike",
            Mean.of(_gap_closed(both, ideal)),
            both=100 * (1 - mean(both)),
            worst=100 * (1 - mean(worst)),
            ratio=mean(_over(both, ideal)),
        ),
    ]


def steps_left(results: Results, scheme: str) -> list[float]:
    """Returns the number of retry steps of a scheme at each condition, in percent of the number with Baseline."""

    def left(condition: Condition) -> float:
        points = [point for point in results.points() if point.condition == condition]
        ours, all_steps = (sum(results.of(name, point).steps for point in points) for name in (scheme, "Baseline"))
        return 100 * ours / all_steps

    return [left(condition) for condition in CONDITIONS]


def pso_rows(results: Results) -> list[Row]:
    """Returns rows for the gains if PSO reduces the number of retry steps (section 7.3, Figure 15)."""
    both = "PSO+PnAR2"
    expected = Expected(results)
    left = steps_left(results, "PSO")
    younger = f"{min(left):.0f} to {max(left):.0f} %"

    def expected_average(scheme: str) -> list[float]:
        return results.by_seed(mean, lambda point: expected.with_pso(scheme, point), READ_DOMINANT)

    expected_ratio = _over(expected_average("PnAR2"), expected_average("Baseline"))

    def gains(kind: str, workloads: Sequence[str]) -> list[Row]:
        return [
            PUBLISHED.row(
                f"pso_pnar2_{kind}_dominant_mean",
                Mean.of([100 * (1 - ratio) for ratio in results.ratio_of_averages(both, "PSO", workloads)]),
                expected=mean(100 * (1 - ratio) for ratio in expected_ratio),
                ratios=results.mean_of_ratios(both, "PSO", workloads),
                left=younger,
            ),
            PUBLISHED.row(f"pso_pnar2_{kind}_dominant_largest", results.gains(max, both, "PSO", workloads)),
        ]

    def over_ideal(key: str, scheme: str, without: str) -> Row:
        # A request ends when its slowest page has been read, which needs more retry steps than the average page. The
        # closed form leaves this out.
        return PUBLISHED.row(
            key,
            Mean.of(results.ratio_of_averages(scheme, "NoRR", READ_DOMINANT)),
            expected=mean(_over(expected_average(without), results.normalised("NoRR", READ_DOMINANT))),
            ratios=results.mean_of_ratios(scheme, "NoRR", READ_DOMINANT),
            left=younger,
        )

    return [
        *gains("read", READ_DOMINANT),
        *gains("write", WRITE_DOMINANT),
        over_ideal("pso_over_norr", "PSO", "Baseline"),
        PUBLISHED.row(
            "pso_over_norr_largest",
            Mean.of(results.by_seed(max, lambda point: results.ratio("PSO", "NoRR", point), READ_DOMINANT)),
        ),
        over_ideal("pso_pnar2_over_norr", both, "PnAR2"),
    ]


def order_rows(results: Results) -> list[Row]:
    """Returns rows that check numbers of steps, and the order of schemes and conditions by response time."""

    def steps(scheme: str) -> float:
        return sum(results.of(scheme, point).steps for point in results.points())

    def response(scheme: str, workload: str, condition: Condition) -> float:
        return results.mean_ratio(scheme, "Baseline", workload, condition)

    def wrong(in_order: Callable[[str, Condition], bool]) -> int:
        return sum(not in_order(workload, condition) for workload in READ_PERCENT for condition in CONDITIONS)

    def schemes_in_order(workload: str, condition: Condition) -> bool:
        both, one, other, ideal = (response(scheme, workload, condition) for scheme in ("PnAR2", "PR2", "AR2", "NoRR"))
        return ideal < both < min(one, other) <= max(one, other) < 1

    def pso_in_order(workload: str, condition: Condition) -> bool:
        return response("PSO+PnAR2", workload, condition) < response("PSO", workload, condition) < 1

    averages = {
        condition: sum(response("PnAR2", workload, condition) for workload in READ_PERCENT) for condition in CONDITIONS
    }
    return PUBLISHED.rows(
        {
            "steps_pr2": steps("PR2") / steps("Baseline"),
            "steps_ar2": steps("AR2") / steps("Baseline"),
            "fallbacks": sum(results.of(name, point).fallbacks for name in ADAPTED for point in results.points()),
            "order_of_schemes": wrong(schemes_in_order),
            "order_with_pso": wrong(pso_in_order),
            "order_of_conditions": sum(average < averages[REFERENCE] for average in averages.values()),
        }
    )


def single_read_rows() -> list[Row]:
    """Returns rows for single reads on an idle drive at 2K cycles and 12 months: the time of a retry step, and the
    number of steps that remain with PSO."""
    ideal, regular, pr2, ar2, pso = (
        single_reads(scheme, (2000, 12), 300) for scheme in ("NoRR", "Baseline", "PR2", "AR2", "PSO")
    )

    def step(outcome: Outcome) -> float:
        return (outcome.read_us - ideal.read_us) / outcome.steps

    # The transfer and the decoding of the last step of a pipelined retry are those of any read, so they are subtracted.
    pipelined = (pr2.read_us - ideal.read_us - T_DMA_AND_ECC_US) / pr2.steps
    senses, shortened = (step(outcome) - T_DMA_AND_ECC_US for outcome in (regular, ar2))
    return PUBLISHED.rows(
        {
            "step_pr2": 100 * (1 - pipelined / step(regular)),
            "step_ar2": 100 * (1 - shortened / senses),
            "pso_steps_left": 100 * pso.steps / regular.steps,
            "pso_fewest_steps": round((pso.fastest_read_us - ideal.fastest_read_us) / SHORTEST_STEP_US, 3),
        },
        last_read=LAST_READ_SHARE,
    )


def show_sensitivity(results: Results, console: Console) -> None:
    """Prints the retry steps that remain with PSO, and the gains of PSO, for each share of their age at which data were
    last read."""

    def line(share: float) -> tuple[str, ...]:
        scheme = pso_named(share)
        gains = (
            100 * (1 - results.ratio_of_averages(f"{scheme}+PnAR2", scheme, workloads)[0])
            for workloads in (READ_DOMINANT, WRITE_DOMINANT)
        )
        left = mean(steps_left(results, scheme))
        over_ideal = results.ratio_of_averages(scheme, "NoRR", READ_DOMINANT)[0]
        return (f"{share:g}", *(f"{figure:.1f}" for figure in (left, *gains)), f"{over_ideal:.2f}")

    title = "[bold]Shares of their age at which data were last read[/bold], which decide the gain of PSO; seed 1"
    columns = (
        "share", "steps left, %", "PnAR2 gains, read-dominant, %", "write-dominant, %", "PSO over NoRR, read-dominant",
    )  # fmt: skip
    show_table(console, title, columns, map(line, sorted((LAST_READ_SHARE, *OTHER_SHARES))), left=0)
