# SPDX-License-Identifier: Apache-2.0
"""The figures of section IV of Nie et al., from the outcomes of all runs.

Ratios are taken run by run and then averaged over workloads; figures of several seeds are the mean of the seeds'
figures.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from typing import Any

import numpy as np
from physics.rows import Deviation, Row, limited, near
from shared.seeds import over_seeds

from layers.decoding import (
    PAGES_OF_WORDLINE,
    borrowed_bytes,
    effort_in_one_page,
    effort_of_fullpage,
    error_rates_borne,
    layers_by_strength,
    reads_at_lower_error_rates,
    reads_of_layer,
    reads_of_weak_subpage,
    still_failing,
)
from layers.device import PARITY_BYTES
from layers.runs import FULL_LOAD, LOADS, READING, SPREAD_OVER_TIME, WORKLOADS, Case, Outcome

Measure = Callable[[Outcome], float]
# Of which the study says that SRS gains little or loses.
HARD_FOR_SRS = ("proj_1", "usr_0")
# What the study calls reduced significantly, or much smaller, without a number.
SIGNIFICANT = 0.9
# Nearly all of whose requests are of up to 4 KiB (Table I).
SMALL = ("bs78", "webu8")


class Results:
    """Outcomes by workload, scheme and load, one seed after the other."""

    def __init__(self, outcomes: list[tuple[Case, Outcome]]) -> None:
        self._of = {(c.seed, c.workload, c.scheme, c.load): outcome for c, outcome in outcomes}
        self.seeds = sorted({case.seed for case, _ in outcomes})

    def of(self, seed: int, workload: str, scheme: str, load: float = 1.0) -> Outcome:
        return self._of[seed, workload, scheme, load]

    def ratio(self, measure: Measure, scheme: str, workload: str, seed: int, load: float = 1.0) -> float:
        """To Baseline's."""
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


def layer_rows(operations: float) -> list[Row]:
    """What the cells are like at the condition that was chosen, and in how many operations a fullpage is read."""
    ranked = layers_by_strength()
    best, middle, worst = ranked[0], ranked[len(ranked) // 2], ranked[-1]
    differ = _pages_differ(worst)

    def reads_of(name: str, layer: int, paper: float, **more: Any) -> Row:
        return near(
            f"nie_2020.reads_of_{name}_layer",
            f"reads until a subpage of the {name} layer (number {layer}) is decoded, mean over its pages",
            reads_of_layer(layer),
            paper,
            "section II-B, Figure 2(b), 15 days",
            absolute=1,
            **more,
        )

    def reads_with(name: str, words: str, borrowed: int, paper: float, exception: Deviation) -> Row:
        return near(
            f"nie_2020.reads_with_{name}_parity",
            f"reads until a subpage of the weakest quarter of the layers is decoded with {words}",
            reads_of_weak_subpage(borrowed),
            paper,
            "section III-B; an example there",
            absolute=1,
            exception=exception,
        )

    little = _little_from_parity()
    lower_rates = "reads with its own parity, at error rates so much lower"
    return [
        reads_of("best", best, 1, fitted="the condition is chosen for this figure; the study does not state it"),
        reads_of("middle", middle, 4, exception=Deviation(differ, 2.24, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_of("worst", worst, 6, exception=Deviation(differ, 4.60, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_with("own", "its own parity alone", 0, 3, Deviation(little, 4.04, FIVE_PERCENT, NOTHING_RANDOM)),
        reads_with(
            "borrowed",
            "borrowed parity",
            borrowed_bytes(),
            1,
            Deviation(little, reads_at_lower_error_rates(), FIVE_PERCENT, lower_rates),
        ),
        limited(
            "nie_2020.operations_of_fullpage",
            "operations in which an idle die reads a fullpage from four layers",
            operations,
            1,
            (0.95, 1.05),
            "one fullpage in twenty may lie elsewhere",
            "section III-B, Figure 5",
            by_construction="fullpages are placed so that one operation can read them",
        ),
    ]


# What 5 % of errors more or less do to these reads at most: so closely do decoders follow their tables.
FIVE_PERCENT = 0.55
NOTHING_RANDOM = "the same closed form before; nothing in it is random"


def _pages_differ(layer: int) -> str:
    reads = ", ".join(f"{sum(still_failing(layer, page, PARITY_BYTES)):.1f}" for page in range(PAGES_OF_WORDLINE))
    return (
        "layers of these cells differ less than those of other chips in the study's Figure 2(b), and pages of a "
        f"wordline as much as layers: those of the worst layer take {reads} reads"
    )


def _little_from_parity() -> str:
    return (
        f"{borrowed_bytes()} bytes of parity bring a weak subpage from {reads_of_weak_subpage(0):.2f} to "
        f"{reads_of_weak_subpage(borrowed_bytes()):.2f} reads: the codes with so much more and less bear error rates "
        f"{error_rates_borne():.2f} times apart; in the study's example from three to one, and 2.7 times"
    )


def _slowest_of_four() -> str:
    """Why FPA gains little: the study takes it that all four subpages of a fullpage are decoded at the first read."""
    spread, whole = effort_of_fullpage(), effort_in_one_page()
    return (
        "the study takes it that a fullpage over four layers is decoded at the first read, L4 with what it borrows; "
        f"here it waits for the slowest of the four, {spread.reads:.2f} reads that sense for {spread.senses:.1f} tR, "
        f"where it takes {whole.reads:.2f} and {whole.senses:.1f} tR in one page, on average over the layers"
    )


def _few_partners(results: Results) -> str:
    subpages = mean(results.mean_of(subpages_per_operation, workload, "SRS") for workload in READING)
    return (
        f"only reads of single subpages go together, those of one plane: {subpages:.2f} in an operation on average. "
        "Larger reads are reads of pages, with SRS as with SOML"
    )


MORE_SUSPENDS = (
    "Where much is written, SRS loses a little: with SOML a read keeps its die until it is decoded, with SRS a program "
    "goes on before each retry, which has to suspend it once more"
)
IN_DRAM = "a write is done when it is in DRAM, which has room at this load; in the study it waits for reads"
PROGRAMMED_IN_TURN = (
    "fullpages go to flash in groups of twelve, which fill a wordline in each of four layers of one plane, page after "
    "page; other writes are programmed on several planes of a die at once"
)


# Where no closed form is at hand, exceptions are held to what came out before: in full runs, of 20,000 requests and
# three seeds, and in quick ones, of 1000 requests, the mean over six seeds. Short runs have other queues, and fewer of
# the fullpages that they write themselves. The reach is four standard deviations over seeds; those of full runs are
# taken as those of quick ones over the root of 60, and doubled for what may rightly change.
BEFORE = {
    "mean_reduction_srs_fpa": ((-28.4, 6), (-31, 24)),
    "smallest_reduction_srs_fpa": ((-68, 15), (-108, 58)),
    "largest_reduction_srs_fpa": ((12.7, 10), (12.5, 38)),
    "throughput": ((0.828, 0.05), (0.95, 0.19)),
    "spread_of_reads_srs_fpa": ((1.27, 0.3), (1.14, 0.8)),
}


def system_rows(results: Results, quick: bool) -> list[Row]:
    rows: list[Row] = []

    def reduction(scheme: str, workload: str, seed: int) -> float:
        return 100 * (1 - results.ratio(read_us, scheme, workload, seed))

    def add(
        make: Callable[..., Row],
        name: str,
        words: str,
        figure: Callable[[int], float],
        paper: float | str,
        *more: object,
        unit: str = "%",
        **named: object,
    ) -> None:
        ours, interval = over_seeds(figure, results.seeds)
        rows.append(make(f"nie_2020.{name}", words + interval, ours, paper, *more, unit=unit, **named))

    def before(name: str, cause: str) -> Deviation:
        expected, reach = BEFORE[name][quick]
        return Deviation(cause, expected, reach, f"earlier {'quick' if quick else 'full'} runs")

    slowest_of_four = _slowest_of_four()
    source = "abstract; section IV-B, Figure 7(a)"
    for words, of, paper in (("mean", mean, 46), ("smallest", min, 10), ("largest", max, 73)):
        name = f"{words}_reduction_srs_fpa"
        add(
            near,
            name,
            f"SRS+FPA: mean read latency less than SOML, {len(READING)} workloads with reads: {words}",
            lambda seed, f=of: f([reduction("SRS+FPA", workload, seed) for workload in READING]),
            paper,
            source,
            absolute=4,
            exception=before(name, slowest_of_four),
        )
    add(
        limited,
        "mean_reduction_srs",
        "SRS: the same, mean",
        lambda seed: mean(reduction("SRS", workload, seed) for workload in READING),
        "a gain",
        (0, None),
        "not slower",
        source,
    )
    others = [workload for workload in READING if workload not in HARD_FOR_SRS]
    few_partners = _few_partners(results)
    alike = Deviation(few_partners, 0, 10 if quick else 2, "its cause: all workloads gain alike, but for queues")
    for workload in HARD_FOR_SRS:
        add(
            limited,
            f"reduction_srs_{workload}",
            f"SRS: gain of {workload} less the mean of the other workloads, in points",
            lambda seed, w=workload: reduction("SRS", w, seed) - mean(reduction("SRS", o, seed) for o in others),
            "small or negative gain",
            (None, -5),
            "half of the least gain of other workloads in Figure 7(a)",
            source,
            exception=alike,
        )
    reach = 60 if quick else 8
    for workload in SMALL:
        add(
            limited,
            f"gain_of_fpa_{workload}",
            f"SRS+FPA less SRS: {workload}, whose requests are small",
            lambda seed, w=workload: reduction("SRS+FPA", w, seed) - reduction("SRS", w, seed),
            "similar",
            (-reach, reach),
            "four standard deviations over seeds",
            source,
        )
    rows.append(_order(results, f"{slowest_of_four}. {MORE_SUSPENDS}", 4 if quick else 2))

    writing = [workload for workload in WORKLOADS if results.of(results.seeds[0], workload, "SOML").pieces > 0]
    add(
        limited,
        "write_latency",
        "SRS+FPA: mean write latency over SOML's, workloads with reads, mean",
        lambda seed: mean(results.ratio(write_us, "SRS+FPA", workload, seed) for workload in READING),
        "reduced significantly",
        (None, SIGNIFICANT),
        "a tenth less",
        "section IV-B, Figure 7(b)",
        unit="times",
        exception=Deviation(IN_DRAM, 1, 0.02 if quick else 0.01, "its cause: writes do not wait for reads"),
    )
    add(
        limited,
        "throughput",
        "SRS+FPA: throughput over SOML's, workloads with reads, mean",
        lambda seed: mean(results.ratio(throughput, "SRS+FPA", workload, seed, FULL_LOAD) for workload in READING),
        "higher",
        (1, None),
        "not less",
        "section IV-B, Figure 7(c)",
        unit="times",
        exception=before("throughput", f"{PROGRAMMED_IN_TURN}; and {slowest_of_four}"),
    )
    same_reads = Deviation(few_partners, 1, 0.15 if quick else 0.1, "its cause: the same reads take as long")
    for scheme, exception in (("SRS", same_reads), ("SRS+FPA", before("spread_of_reads_srs_fpa", slowest_of_four))):
        add(
            limited,
            f"spread_of_reads_{scheme.lower().replace('+', '_')}",
            f"{scheme}: 99th percentile of the first reads of {SPREAD_OVER_TIME} over SOML's",
            lambda seed, s=scheme: _percentile(results, s, seed) / _percentile(results, "SOML", seed),
            "much smaller",
            (None, SIGNIFICANT),
            "a tenth less",
            "section IV-B, Figure 7(d)",
            unit="times",
            exception=exception,
        )
    add(
        limited,
        "little_read_amplification",
        "workloads of which FPA makes less than 15 % of the reads take one page more",
        lambda seed: sum(read_amplification(results.of(seed, workload, "SRS+FPA")) < 15 for workload in READING),
        "most",
        (len(READING) // 2 + 1, None),
        "more than half",
        "section III-B, Figure 6",
        unit="",
    )
    add(
        limited,
        "fullpages_over_loads",
        "points between the shares of writes that are fullpages at the three loads, largest of a workload",
        lambda seed: max(_fluctuation(results, workload, seed) for workload in writing),
        "no significant fluctuation",
        (None, 5),
        "a tenth of the largest shares",
        "section IV-C, Figure 7(e)",
        by_construction="the buffer is written back at once, and fullpages wait for others at any load",
    )
    add(
        near,
        "added_pages",
        "SRS+FPA: pages programmed more than with SOML, mean over workloads and the three loads",
        lambda seed: (
            100
            * mean(results.ratio(pages, "SRS+FPA", workload, seed, load) - 1 for workload in writing for load in LOADS)
        ),
        4,
        "section IV-C, Figure 7(f)",
        absolute=3,
    )
    return rows


def _percentile(results: Results, scheme: str, seed: int) -> float:
    return float(np.percentile(results.of(seed, SPREAD_OVER_TIME, scheme).first_reads, 99))


def _fluctuation(results: Results, workload: str, seed: int) -> float:
    shares = [fullpage_share(results.of(seed, workload, "SRS+FPA", load)) for load in LOADS]
    return max(shares) - min(shares)


def _order(results: Results, cause: str, reach: int) -> Row:
    """In every workload SRS+FPA, SRS, SOML; but that the study's SRS may be slower than SOML on two of them."""
    wrong = []
    for workload in READING:
        both, srs = (results.mean_ratio(read_us, scheme, workload) for scheme in ("SRS+FPA", "SRS"))
        if not (both <= srs and (srs <= 1 or workload in HARD_FOR_SRS)):
            wrong.append(workload)
    return Row(
        "nie_2020.order_of_schemes",
        "workloads in which the read latencies of SRS+FPA, SRS and SOML are not in that order"
        + (f": {', '.join(wrong)}" if wrong else ""),
        len(wrong),
        0,
        "",
        "exact",
        not wrong,
        "section IV-B, Figure 7(a)",
        Deviation(cause, len(READING) - len(SMALL), reach, "its cause: all workloads but those of small requests"),
    )
