# SPDX-License-Identifier: Apache-2.0
"""The figures of section IV of Nie et al., from the outcomes of all runs.

Ratios are taken run by run and then averaged over workloads; figures of several seeds are the mean of the seeds'
figures.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import numpy as np
from physics.rows import Deviation, Row, limited, near
from shared.seeds import over_seeds

from layers.decoding import effort_in_one_page, effort_of_fullpage
from layers.results import (
    Results,
    fullpage_share,
    locations_per_operation,
    pages,
    read_amplification,
    read_us,
    throughput,
    write_us,
)
from layers.runs import FULL_LOAD, LOADS, READING, SPREAD_OVER_TIME, WORKLOADS

# Of which the study says that SRS gains little or loses.
HARD_FOR_SRS = ("proj_1", "usr_0")
# What the study calls reduced significantly, or much smaller, without a number.
SIGNIFICANT = 0.9
# Nearly all of whose requests are of up to 4 KiB (Table I).
SMALL = ("bs78", "webu8")


def _slowest_of_four() -> str:
    """Why FPA gains little: the study takes it that all four subpages of a fullpage are decoded at the first read."""
    spread, whole = effort_of_fullpage(), effort_in_one_page()
    return (
        "the study takes it that a fullpage over four layers is decoded at the first read, L4 with what it borrows; "
        f"here it waits for the slowest of the four, {spread.reads:.2f} reads that sense for {spread.senses:.1f} tR, "
        f"where it takes {whole.reads:.2f} and {whole.senses:.1f} tR in one page, on average over the layers"
    )


def _few_partners(results: Results) -> str:
    subpages = mean(results.mean_of(locations_per_operation, workload, "SRS") for workload in READING)
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

    sensed_longer = effort_of_fullpage().senses / effort_in_one_page().senses - 1
    in_fullpages = mean(results.fullpage_percent[workload] for workload in READING)
    longer = Deviation(
        _slowest_of_four(),
        -in_fullpages * sensed_longer,
        24 if quick else 6,
        "the share of the data in fullpages and how much longer these are sensed; queues add about what other times "
        "take away",
    )

    def before(name: str, cause: str) -> Deviation:
        expected, reach = BEFORE[name][quick]
        return Deviation(
            cause,
            expected,
            reach,
            f"earlier {'quick' if quick else 'full'} runs and four standard deviations over their seeds",
        )

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
            exception=longer if of is mean else before(name, slowest_of_four),
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
