# SPDX-License-Identifier: Apache-2.0
"""The figures of section 7 of Park et al., from the outcomes of all runs.

Ratios are taken run by run and then averaged over workloads and conditions; figures of several seeds are the mean of
the seeds' figures.

Exceptions are held to closed forms (expected.py). `reach` says how far figures may lie from these: queues, which they
leave out, add up to so much. It is the same for quick runs, since both figures are of the same runs, and differ by the
same over seeds, to a few tenths of a point.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from physics.rows import Deviation, Row, limited, near
from shared.seeds import over_seeds

from retry.expected import PUBLISHED_CUT, Expected
from retry.results import Measure, Point, Results, over_points
from retry.runs import CONDITIONS, READ_PERCENT, REFERENCE, WRITE_DOMINANT, Outcome

EVERYTHING = list(READ_PERCENT)
READ_DOMINANT = [name for name in READ_PERCENT if name not in WRITE_DOMINANT]
FigureOfSeed = Callable[[int], float]

LIGHT_LOAD = "response times without queues, of the steps of each page and the equations of the techniques"
COUNTED = "response times of Baseline, PnAR2 and NoRR, and the steps that PSO was counted to leave"
SENSES = (
    "the table cuts tPRE by 40 to 53 % as Figure 11 has it, so tR by 25 to 33 %; the published averages are those of a "
    "cut of tR by 25 % throughout"
)
MEANS = (
    "a mean of ratios, which workloads with many retries lead. The published averages imply a ratio of means, "
    "(1 - 0.289) / (1 - 0.289 / 0.41) = 2.41, which is the row above"
)
TRACKING = (
    "in the runs few pages of each block are read, and for the first of a block no step is known. Where one is, it is "
    "nearly always right, since a page is read at its own optimum by every step within 170 mV of its drift, and PSO "
    "takes no retry; in the study it takes three or more for every read"
)
EXTREMES = "largest values of the study need queues; at the light load that gives its averages there are hardly any"
AVERAGES_FITTED = (
    "rates at which Baseline keeps the dies busy 10 % of the time, and reads of the mapping, were chosen so that the "
    "average gains come out"
)
STG_0_FITTED = "the rate of write-dominant workloads, 55 % busy, was chosen for this and the other figure of stg_0"
# A quick run of stg_0 has some 150 reads. Beside the tolerance of full runs, two and a half standard deviations over
# seeds, of 2 points each.
QUICK_STG_0_REACH = 4 + 5


def system_rows(results: Results, quick: bool) -> list[Row]:
    return [
        *_gain_rows(results),
        *_stg_0_rows(results, quick),
        *_bound_rows(results),
        *_pso_rows(results),
        _order(results),
    ]


def _row(
    results: Results,
    name: str,
    words: str,
    figure: FigureOfSeed,
    paper: float,
    unit: str,
    source: str,
    *,
    tolerance: float | None = None,
    exception: Deviation | None = None,
    fitted: str = "",
) -> Row:
    ours, interval = over_seeds(figure, results.seeds)
    return near(
        f"park_2021.{name}",
        words + interval,
        ours,
        paper,
        source,
        unit=unit,
        absolute=tolerance or (4 if unit == "%" else 0.15),
        exception=exception,
        fitted=fitted,
    )


def _deviation(results: Results, cause: str, figure: FigureOfSeed, reach: float, basis: str = LIGHT_LOAD) -> Deviation:
    expected, _ = over_seeds(figure, results.seeds)
    return Deviation(cause, expected, reach, basis)


def _with_published_cut(results: Results, figure: FigureOfSeed) -> str:
    ours, _ = over_seeds(figure, results.seeds)
    return f"{SENSES}: with that the same closed form gives {ours:.1f} %"


def _reduction(results: Results, scheme: str, to: str) -> Measure:
    return lambda point: 100 * (1 - results.ratio(scheme, to, point))


def _gain_rows(results: Results) -> list[Row]:
    source = "section 7.2, Figure 14"
    expected = Expected(results)

    def gain(of: Callable[[list[float]], float], scheme: str) -> FigureOfSeed:
        return over_points(of, _reduction(results, scheme, "Baseline"), EVERYTHING)

    def expected_gain(of: Callable[[list[float]], float], scheme: str, cut: float | None = None) -> FigureOfSeed:
        return over_points(of, lambda point: 100 * (1 - expected.response(scheme, point, cut)), EVERYTHING)

    def mean_gain(scheme: str, paper: float, exception: Deviation | None = None, fitted: str = "") -> Row:
        return _row(
            results,
            f"mean_reduction_{scheme.lower()}",
            f"{scheme}: mean response time, 12 workloads, all conditions, less than Baseline",
            gain(mean, scheme),
            paper,
            "%",
            source,
            exception=exception,
            fitted=fitted,
        )

    def largest_gain(scheme: str, paper: float, exception: Deviation | None = None) -> Row:
        return _row(
            results,
            f"largest_reduction_{scheme.lower()}",
            f"{scheme}: largest of a workload and condition",
            gain(max, scheme),
            paper,
            "%",
            source,
            exception=exception,
        )

    def few_queues(scheme: str) -> Deviation:
        return _deviation(results, EXTREMES, expected_gain(max, scheme), 3)

    cut_more = _deviation(
        results,
        _with_published_cut(results, expected_gain(mean, "AR2", PUBLISHED_CUT)),
        expected_gain(mean, "AR2"),
        1.5,
    )
    return [
        mean_gain("PR2", 17.7, fitted=AVERAGES_FITTED),
        mean_gain("AR2", 11.9, cut_more),
        mean_gain("PnAR2", 28.9, fitted=AVERAGES_FITTED),
        _row(
            results,
            "mean_reduction_pnar2_worst",
            "PnAR2: the same at 2K cycles and 6 months",
            over_points(mean, _reduction(results, "PnAR2", "Baseline"), EVERYTHING, [REFERENCE]),
            35.2,
            "%",
            source,
            fitted=AVERAGES_FITTED,
        ),
        largest_gain("PR2", 38.3, few_queues("PR2")),
        largest_gain("AR2", 18.1),
        largest_gain("PnAR2", 51.8, few_queues("PnAR2")),
    ]


def _stg_0_rows(results: Results, quick: bool) -> list[Row]:
    reduction = _reduction(results, "PnAR2", "Baseline")
    return [
        _row(
            results,
            name,
            f"PnAR2: stg_0, {words}",
            over_points(mean, reduction, ["stg_0"], conditions),
            paper,
            "%",
            "section 7.2, Figure 14",
            tolerance=QUICK_STG_0_REACH if quick else None,
            fitted=STG_0_FITTED,
        )
        for name, words, conditions, paper in (
            ("stg_0_pnar2", "all conditions", CONDITIONS, 18.7),
            ("stg_0_pnar2_worst", "2K cycles and 6 months", [REFERENCE], 34.0),
        )
    ]


def _bound_rows(results: Results) -> list[Row]:
    """PnAR2 beside NoRR."""
    source = "section 7.2, Figure 14"
    expected = Expected(results)

    def over_baseline(scheme: str) -> FigureOfSeed:
        return over_points(mean, lambda point: results.ratio(scheme, "Baseline", point), EVERYTHING)

    def expected_over_ideal(point: Point) -> float:
        return expected.response("PnAR2", point) / results.ratio("NoRR", "Baseline", point)

    def closed(point: Point) -> float:
        both, ideal = (results.ratio(scheme, "Baseline", point) for scheme in ("PnAR2", "NoRR"))
        return 100 * (1 - both) / (1 - ideal)

    def expected_closed(cut: float | None = None) -> FigureOfSeed:
        return over_points(mean, lambda point: 100 * (1 - expected.share_left("PnAR2", point, cut)), EVERYTHING)

    cut_more = _with_published_cut(results, expected_closed(PUBLISHED_CUT))
    return [
        _row(
            results,
            "pnar2_over_norr",
            "PnAR2 over NoRR: mean of response times over Baseline's, by that of NoRR",
            lambda seed: over_baseline("PnAR2")(seed) / over_baseline("NoRR")(seed),
            2.37,
            "times",
            source,
            fitted=AVERAGES_FITTED,
        ),
        _row(
            results,
            "pnar2_over_norr_mean_of_ratios",
            "PnAR2 over NoRR, mean over workloads and conditions",
            over_points(mean, lambda point: results.ratio("PnAR2", "NoRR", point), EVERYTHING),
            2.37,
            "times",
            source,
            exception=_deviation(results, MEANS, over_points(mean, expected_over_ideal, EVERYTHING), 0.15),
        ),
        _row(
            results,
            "gap_closed",
            "share of the gap between Baseline and NoRR that PnAR2 closes",
            over_points(mean, closed, EVERYTHING),
            41,
            "%",
            source,
            exception=_deviation(results, cut_more, expected_closed(), 3),
        ),
    ]


def _pso_rows(results: Results) -> list[Row]:
    source = "section 7.3, Figure 15"
    expected = Expected(results)

    def expected_gain(point: Point) -> float:
        return 100 * (1 - expected.with_pso("PnAR2", point) / expected.with_pso("Baseline", point))

    def gain(kind: str, workloads: list[str], words: str, of: Callable[[list[float]], float], paper: float) -> Row:
        return _row(
            results,
            f"pso_pnar2_{kind}_dominant_{words}",
            f"PSO+PnAR2 against PSO, {kind}-dominant workloads: {words}",
            over_points(of, _reduction(results, "PSO+PnAR2", "PSO"), workloads),
            paper,
            "%",
            source,
            exception=_deviation(results, TRACKING, over_points(of, expected_gain, workloads), 1.5, COUNTED),
        )

    def over_ideal(scheme: str, without: str, paper: float, reach: float) -> Row:
        def expected_over_ideal(point: Point) -> float:
            return expected.with_pso(without, point) / results.ratio("NoRR", "Baseline", point)

        return _row(
            results,
            f"{scheme.lower().replace('+', '_')}_over_norr",
            f"{scheme} over NoRR, read-dominant workloads",
            over_points(mean, lambda point: results.ratio(scheme, "NoRR", point), READ_DOMINANT),
            paper,
            "times",
            source,
            exception=_deviation(
                results, TRACKING, over_points(mean, expected_over_ideal, READ_DOMINANT), reach, COUNTED
            ),
        )

    return [
        gain("read", READ_DOMINANT, "mean", mean, 17.0),
        gain("read", READ_DOMINANT, "largest", max, 31.5),
        gain("write", list(WRITE_DOMINANT), "mean", mean, 3.6),
        gain("write", list(WRITE_DOMINANT), "largest", max, 9.4),
        # Where a request has several pages, the slowest counts, which is retried more often than one of them.
        over_ideal("PSO", "Baseline", 1.92, 0.6),
        over_ideal("PSO+PnAR2", "PnAR2", 1.6, 0.4),
    ]


def _order(results: Results) -> Row:
    """In every workload and condition: NoRR, PnAR2, the better of PR2 and AR2, Baseline."""
    wrong = 0
    for workload in READ_PERCENT:
        for condition in CONDITIONS:
            both, one, other, ideal = (
                results.mean_ratio(scheme, "Baseline", workload, condition)
                for scheme in ("PnAR2", "PR2", "AR2", "NoRR")
            )
            wrong += not ideal < both < min(one, other) <= max(one, other) < 1
    return Row(
        "park_2021.order_of_schemes",
        "workloads and conditions in which NoRR, PnAR2, PR2 and AR2, Baseline are not in that order",
        wrong,
        0,
        "",
        "exact",
        wrong == 0,
        "section 7.2, Figure 14",
    )


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
