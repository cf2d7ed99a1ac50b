# SPDX-License-Identifier: Apache-2.0
"""The figures of section IV of Nie et al., from the outcomes of all runs.

Ratios are taken run by run and then averaged over workloads; figures of several seeds are the mean of the seeds'
figures.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import numpy as np
from physics.rows import Row, at_least, at_most, near
from shared.seeds import over_seeds

from layers.decoding import (
    PAGES_OF_WORDLINE,
    borrowed_bytes,
    effort_in_one_page,
    effort_of_fullpage,
    error_rates_borne,
    layers_by_strength,
    reads_of_layer,
    reads_of_weak_subpage,
    still_failing,
)
from layers.device import PARITY_BYTES
from layers.runs import FULL_LOAD, LOADS, READING, SPREAD_OVER_TIME, WORKLOADS, Case, Outcome

Measure = Callable[[Outcome], float]
# Of which the study says that SRS gains little or loses.
HARD_FOR_SRS = ("proj_1", "usr_0")
# What the study calls reduced significantly, or much smaller, without a number: a tenth less at least.
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
    layers = {"best": (ranked[0], 1), "middle": (ranked[len(ranked) // 2], 4), "worst": (ranked[-1], 6)}
    rows = [
        near(
            f"nie_2020.reads_of_{name}_layer",
            f"reads until a subpage of the {name} layer (number {layer}) is decoded, mean over its pages",
            reads_of_layer(layer),
            paper,
            "section II-B, Figure 2(b), 15 days",
            absolute=1,
            exception=_pages_differ(ranked[-1]),
        )
        for name, (layer, paper) in layers.items()
    ]
    for name, words, borrowed, paper in (
        ("own", "its own parity alone", 0, 3),
        ("borrowed", "borrowed parity", borrowed_bytes(), 1),
    ):
        rows.append(
            near(
                f"nie_2020.reads_with_{name}_parity",
                f"reads until a subpage of the weakest quarter of the layers is decoded with {words}",
                reads_of_weak_subpage(borrowed),
                paper,
                "section III-B; an example there",
                absolute=1,
                exception=_little_from_parity(),
            )
        )
    rows.append(
        near(
            "nie_2020.operations_of_fullpage",
            "operations in which an idle die reads a fullpage from four layers",
            operations,
            1,
            "section III-B, Figure 5",
            absolute=0.05,
        )
    )
    return rows


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
BORROWED = "weak subpages among those of fullpages take fewer reads with what they borrow, one by one, too"


def system_rows(results: Results) -> list[Row]:
    rows: list[Row] = []

    def reduction(scheme: str, workload: str, seed: int) -> float:
        return 100 * (1 - results.ratio(read_us, scheme, workload, seed))

    def add(
        make: Callable[..., Row], name: str, words: str, figure: Callable[[int], float], paper: float, source: str,
        unit: str = "%", **more: object,
    ) -> None:  # fmt: skip
        ours, interval = over_seeds(figure, results.seeds)
        rows.append(make(f"nie_2020.{name}", words + interval, ours, paper, source, unit=unit, **more))

    slowest_of_four = _slowest_of_four()
    source = "abstract; section IV-B, Figure 7(a)"
    for words, of, paper in (("mean", mean, 46), ("smallest", min, 10), ("largest", max, 73)):
        add(
            near,
            f"{words}_reduction_srs_fpa",
            f"SRS+FPA: mean read latency less than SOML, {len(READING)} workloads with reads: {words}",
            lambda seed, f=of: f([reduction("SRS+FPA", workload, seed) for workload in READING]),
            paper,
            source,
            absolute=4,
            exception=slowest_of_four,
        )
    add(
        at_least,
        "mean_reduction_srs",
        "SRS: the same, mean; the study prints none, but that there is one",
        lambda seed: mean(reduction("SRS", workload, seed) for workload in READING),
        0,
        source,
    )
    for workload in HARD_FOR_SRS:
        add(
            at_most,
            f"reduction_srs_{workload}",
            f"SRS: {workload}; small, less than the smallest of the other workloads, or negative",
            lambda seed, w=workload: reduction("SRS", w, seed),
            10,
            source,
        )
    for workload in SMALL:
        add(
            near,
            f"gain_of_fpa_{workload}",
            f"SRS+FPA less SRS: {workload}, whose requests are small; similar",
            lambda seed, w=workload: reduction("SRS+FPA", w, seed) - reduction("SRS", w, seed),
            0,
            source,
            absolute=4,
            exception=BORROWED,
        )
    rows.append(_order(results, f"{slowest_of_four}. {MORE_SUSPENDS}"))

    writing = [workload for workload in WORKLOADS if results.of(results.seeds[0], workload, "SOML").pieces > 0]
    add(
        at_most,
        "write_latency",
        "SRS+FPA: mean write latency over SOML's, workloads with reads, mean; reduced significantly",
        lambda seed: mean(results.ratio(write_us, "SRS+FPA", workload, seed) for workload in READING),
        SIGNIFICANT,
        "section IV-B, Figure 7(b)",
        unit="times",
        exception=IN_DRAM,
    )
    add(
        at_least,
        "throughput",
        "SRS+FPA: throughput over SOML's, workloads with reads, mean; higher",
        lambda seed: mean(results.ratio(throughput, "SRS+FPA", workload, seed, FULL_LOAD) for workload in READING),
        1,
        "section IV-B, Figure 7(c)",
        unit="times",
        exception=f"{PROGRAMMED_IN_TURN}; and {slowest_of_four}",
    )
    for scheme, why in (("SRS", _few_partners(results)), ("SRS+FPA", slowest_of_four)):
        add(
            at_most,
            f"spread_of_reads_{scheme.lower().replace('+', '_')}",
            f"{scheme}: 99th percentile of the first reads of {SPREAD_OVER_TIME} over SOML's; much smaller",
            lambda seed, s=scheme: _percentile(results, s, seed) / _percentile(results, "SOML", seed),
            SIGNIFICANT,
            "section IV-B, Figure 7(d)",
            unit="times",
            exception=why,
        )
    add(
        at_least,
        "little_read_amplification",
        "workloads of which FPA makes less than 15 % of the reads take one page more; most",
        lambda seed: sum(read_amplification(results.of(seed, workload, "SRS+FPA")) < 15 for workload in READING),
        len(READING) // 2 + 1,
        "section III-B, Figure 6",
        unit="",
    )
    add(
        at_most,
        "fullpages_over_loads",
        "points between the shares of writes that are fullpages at the three loads, largest of a workload; few",
        lambda seed: max(_fluctuation(results, workload, seed) for workload in writing),
        5,
        "section IV-C, Figure 7(e)",
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


def _order(results: Results, exception: str) -> Row:
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
        exception,
    )
