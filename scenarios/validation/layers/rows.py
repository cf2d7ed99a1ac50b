# SPDX-License-Identifier: Apache-2.0
"""The figures of section IV of Nie et al., from the outcomes of all runs.

Ratios are taken run by run and then averaged over workloads; figures of several seeds are the mean of the seeds'
figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean

import numpy as np
from physics.rows import Deviation, Row, limited, near
from shared.seeds import over_seeds

from layers import published
from layers.decoders import Decoder
from layers.decoding import reads_of_weak_subpage, sensed_less
from layers.results import (
    Results,
    fullpage_share,
    pages,
    placement_less,
    read_amplification,
    read_us,
    throughput,
    write_us,
)
from layers.runs import FULL_LOAD, LOADS, READING, SPREAD_OVER_TIME, WORKLOADS

# Of which the study says that SRS gains little or loses.
HARD_FOR_SRS = ("proj_1", "usr_0")
# Others with mean reads of more than 40 KB (Table I).
LARGE = ("24hrs8", "mds_1", "stg_1", "web_1")
# What the study calls reduced significantly, or much smaller, without a number.
SIGNIFICANT = 0.9
# Nearly all of whose requests are of up to 4 KiB (Table I).
SMALL = ("bs78", "webu8")


def _mean_gain(results: Results, cause: str, margin: float) -> Deviation:
    """Expected between closed forms of what placement does without queues and with them; what SRS gains besides is as
    simulated."""

    def gain(workload: str, less: float) -> float:
        return 100 * (1 - results.mean_ratio(read_us, "SRS", workload) * (1 - less))

    alone, queued = (mean(gain(w, placement_less(results, w)[form]) for w in READING) for form in (0, 1))
    shares = sorted(results.plans[workload].fullpage_percent for workload in READING)
    less = sensed_less(results.decoder)
    return Deviation(
        f"{cause}; here {mean(shares):.0f} % of the data lie in fullpages, from {shares[0]} % in one workload to "
        f"{shares[-1]} % in another, which over four layers are sensed {100 * abs(less):.0f} % "
        f"{'shorter' if less > 0 else 'longer'}",
        (alone + queued) / 2,
        abs(queued - alone) / 2 + margin,
        f"closed forms by that share, and the simulated gain of SRS: {alone:.1f} % without queues, {queued:.1f} % with "
        f"M/G/1 queues at dies whose programs yield to reads; {margin:g} points more at either end",
    )


NOT_HELD = (
    "with SOML a die is held until the last subpage of an operation is decoded, with SRS other reads go between its "
    "retries. Workloads of large requests, as this one, gain more by that than others. The study tells of losses by "
    "complex reordering"
)
LOAD_CHOSEN = (
    "how busy the dies are was chosen with the published gains known, and so was that operations are limited to the "
    "four subpages of Table II: without that limit the mean is 43 %"
)
IN_DRAM = "a write is done when it is in DRAM, which has room at this load; in the study it waits for reads"


def system_rows(results: Results, quick: bool) -> list[Row]:
    """With the decoder that the study assumes. Margins of bands are what figures scatter over the seeds of such runs,
    and what predictions leave out."""
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
        words = f"assumed decoder: {words}{interval}"
        rows.append(make(f"nie_2020.{name}", words, ours, paper, *more, unit=unit, **named))

    source = "abstract; section IV-B, Figure 7(a)"
    for words, of, paper, tolerance in (
        ("mean", mean, published.MEAN_REDUCTION, 4),
        ("smallest", min, published.SMALLEST_REDUCTION, 15 if quick else 6),
        ("largest", max, published.LARGEST_REDUCTION, 10 if quick else 6),
    ):
        add(
            near,
            f"{words}_reduction_srs_fpa",
            f"SRS+FPA: mean read latency less than SOML, {len(READING)} workloads with reads: {words}",
            lambda seed, f=of: f([reduction("SRS+FPA", workload, seed) for workload in READING]),
            paper,
            source,
            absolute=tolerance,
            reason="" if of is mean else "ours: gains of single workloads scatter",
            fitted=LOAD_CHOSEN,
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

    def beside_others(workload: str, seed: int) -> float:
        return reduction("SRS", workload, seed) - mean(reduction("SRS", other, seed) for other in others)

    as_large_ones = Deviation(
        NOT_HELD,
        mean(beside_others(workload, seed) for workload in LARGE for seed in results.seeds),
        10 if quick else 6,
        f"the simulated gain of other workloads of large reads: {', '.join(LARGE)}",
    )
    for workload in HARD_FOR_SRS:
        add(
            limited,
            f"reduction_srs_{workload}",
            f"SRS: gain of {workload} less the mean of the other workloads, in points",
            lambda seed, w=workload: beside_others(w, seed),
            "small or negative gain",
            (None, -5),
            "half of the least gain of other workloads in Figure 7(a)",
            source,
            exception=as_large_ones,
        )
    for workload in SMALL:
        share = results.plans[workload].fullpage_percent
        _, placement = placement_less(results, workload)
        add(
            limited,
            f"gain_of_fpa_{workload}",
            f"SRS+FPA less SRS: {workload}, whose requests are small",
            lambda seed, w=workload: reduction("SRS+FPA", w, seed) - reduction("SRS", w, seed),
            "similar",
            (-4, 4),
            "the tolerance of the mean",
            source,
            exception=Deviation(
                f"{share} % of the data of {workload} lie in fullpages",
                100 * placement,
                30 if quick else 8,
                "the closed form of the mean; little is read",
            ),
        )
    rows.append(_order(results))

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
    )
    for scheme in ("SRS", "SRS+FPA"):
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
        )
    add(
        limited,
        "little_read_amplification",
        f"workloads of which FPA makes less than {published.MODEST_AMPLIFICATION} % of the reads take one page more",
        lambda seed: sum(
            read_amplification(results.of(seed, workload, "SRS+FPA")) < published.MODEST_AMPLIFICATION
            for workload in READING
        ),
        "most",
        (len(READING) // 2, None),
        "half; others lie close to it",
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
    )
    add(
        near,
        "added_pages",
        "SRS+FPA: pages programmed more than with SOML, mean over workloads and the three loads",
        lambda seed: (
            100
            * mean(results.ratio(pages, "SRS+FPA", workload, seed, load) - 1 for workload in writing for load in LOADS)
        ),
        published.ADDED_PAGES,
        "section IV-C, Figure 7(f)",
        absolute=3,
    )
    return rows


def _percentile(results: Results, scheme: str, seed: int) -> float:
    return float(np.percentile(results.of(seed, SPREAD_OVER_TIME, scheme).first_reads, 99))


def _fluctuation(results: Results, workload: str, seed: int) -> float:
    shares = [fullpage_share(results.of(seed, workload, "SRS+FPA", load)) for load in LOADS]
    return max(shares) - min(shares)


def _order(results: Results) -> Row:
    """In every workload SRS+FPA, SRS, SOML; but that the study's SRS may be slower than SOML on two of them."""
    wrong = []
    for workload in READING:
        both, srs = (results.mean_ratio(read_us, scheme, workload) for scheme in ("SRS+FPA", "SRS"))
        if not (both <= srs and (srs <= 1 or workload in HARD_FOR_SRS)):
            wrong.append(workload)
    return limited(
        "nie_2020.order_of_schemes",
        "assumed decoder: workloads in which the read latencies of SRS+FPA, SRS and SOML are not in that order"
        + (f": {', '.join(wrong)}" if wrong else ""),
        len(wrong),
        "none",
        (None, len(READING) // 4),
        "a quarter of the workloads; the study's own SRS loses in some",
        "section IV-B, Figure 7(a)",
    )


def ldpc_rows(by_decoder: Mapping[Decoder, Results], quick: bool) -> list[Row]:
    """The gains of placement with real codes, the most parity borrowed first, and of scheduling."""
    source = "abstract; section IV-B, Figure 7(a)"

    def mean_reduction(results: Results, scheme: str) -> tuple[float, str]:
        return over_seeds(
            lambda seed: mean(100 * (1 - results.ratio(read_us, scheme, w, seed)) for w in READING), results.seeds
        )

    rows = []
    for decoder, results in by_decoder.items():
        ours, interval = mean_reduction(results, "SRS+FPA")
        rows.append(
            near(
                f"nie_2020.ldpc_mean_reduction_srs_fpa_{decoder.borrowed_bytes}_bytes",
                f"LDPC codes, {decoder.borrowed_bytes} bytes borrowed: SRS+FPA: mean read latency less than SOML: "
                f"mean{interval}",
                ours,
                published.MEAN_REDUCTION,
                source,
                absolute=4,
                unit="%",
                exception=_mean_gain(results, _reads_saved(decoder), 4 if quick else 2.5),
            )
        )
    ours, interval = mean_reduction(next(iter(by_decoder.values())), "SRS")
    rows.append(
        limited(
            "nie_2020.ldpc_mean_reduction_srs",
            f"LDPC codes: SRS: the same, mean{interval}",
            ours,
            "a gain",
            (0, None),
            "not slower",
            source,
            unit="%",
        )
    )
    return rows


def _reads_saved(decoder: Decoder) -> str:
    own, borrowed = (reads_of_weak_subpage(decoder, parity) for parity in (0, 1))
    return (
        f"with real codes and their soft reads a subpage of the weakest quarter takes {own:.2f} reads, and "
        f"{borrowed:.2f} with {decoder.borrowed_bytes} bytes borrowed, where the study has three and one"
    )
