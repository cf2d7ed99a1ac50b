# SPDX-License-Identifier: Apache-2.0
"""The figures of section IV of Nie et al., from the outcomes of all runs.

The ratio of each run is taken first, then the mean over workloads. Figures of several seeds are the mean of the seeds'
figures. Margins of bands are the scatter over seeds and the parts that predictions leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean

import numpy as np

from comparison.published import Mean, Published, over_seeds
from comparison.rows import Row
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

PUBLISHED = Published(Path(__file__).with_name("published.toml"))
# In the study, SRS gains little or loses in these.
HARD_FOR_SRS = ("proj_1", "usr_0")
# Others with mean reads of more than 40 KB (Table I).
LARGE = ("24hrs8", "mds_1", "stg_1", "web_1")
# Nearly all requests are of up to 4 KiB (Table I).
SMALL = ("bs78", "webu8")


def system_rows(results: Results, quick: bool) -> list[Row]:
    """The rows with the decoder that the study assumes."""
    table = PUBLISHED.for_run(quick)

    def seeds(figure: Callable[[int], float]) -> Mean:
        return over_seeds(figure, results.seeds)

    def reduction(scheme: str, workload: str, seed: int) -> float:
        return 100 * (1 - results.ratio(read_us, scheme, workload, seed))

    def gain(of: Callable[[list[float]], float], scheme: str) -> Mean:
        return seeds(lambda seed: of([reduction(scheme, workload, seed) for workload in READING]))

    def beside_others(workload: str, seed: int) -> float:
        others = [other for other in READING if other not in HARD_FOR_SRS]
        return reduction("SRS", workload, seed) - mean(reduction("SRS", other, seed) for other in others)

    def added_by_fpa(workload: str) -> Mean:
        return seeds(lambda seed: reduction("SRS+FPA", workload, seed) - reduction("SRS", workload, seed))

    def spread(scheme: str) -> Mean:
        return seeds(lambda seed: _percentile(results, scheme, seed) / _percentile(results, "SOML", seed))

    writing = [workload for workload in WORKLOADS if results.of(results.seeds[0], workload, "SOML").pieces > 0]
    return [
        *(
            table.row(f"{words}_reduction_srs_fpa", gain(of, "SRS+FPA"), workloads=len(READING))
            for words, of in (("mean", mean), ("smallest", min), ("largest", max))
        ),
        table.row("mean_reduction_srs", gain(mean, "SRS")),
        *(
            table.row(
                "reduction_srs_{workload}",
                seeds(lambda seed, w=workload: beside_others(w, seed)),
                expected=mean(beside_others(large, seed) for large in LARGE for seed in results.seeds),
                workload=workload,
                large=", ".join(LARGE),
            )
            for workload in HARD_FOR_SRS
        ),
        *(
            table.row(
                "gain_of_fpa_{workload}",
                added_by_fpa(workload),
                expected=100 * placement_less(results, workload)[1],
                workload=workload,
                share=results.plans[workload].fullpage_percent,
            )
            for workload in SMALL
        ),
        _order(results),
        table.row(
            "write_latency",
            seeds(lambda seed: mean(results.ratio(write_us, "SRS+FPA", workload, seed) for workload in READING)),
        ),
        table.row(
            "throughput",
            seeds(lambda seed: mean(results.ratio(throughput, "SRS+FPA", name, seed, FULL_LOAD) for name in READING)),
        ),
        *(
            table.row(
                "spread_of_reads_{key}",
                spread(scheme),
                key=scheme.lower().replace("+", "_"),
                scheme=scheme,
                workload=SPREAD_OVER_TIME,
            )
            for scheme in ("SRS", "SRS+FPA")
        ),
        table.row(
            "little_read_amplification",
            seeds(
                lambda seed: sum(
                    read_amplification(results.of(seed, workload, "SRS+FPA")) < published.MODEST_AMPLIFICATION
                    for workload in READING
                )
            ),
            modest=published.MODEST_AMPLIFICATION,
        ),
        table.row(
            "fullpages_over_loads",
            seeds(lambda seed: max(_fluctuation(results, workload, seed) for workload in writing)),
        ),
        table.row(
            "added_pages",
            seeds(
                lambda seed: (
                    100
                    * mean(results.ratio(pages, "SRS+FPA", name, seed, load) - 1 for name in writing for load in LOADS)
                )
            ),
        ),
    ]


def _percentile(results: Results, scheme: str, seed: int) -> float:
    return float(np.percentile(results.of(seed, SPREAD_OVER_TIME, scheme).first_reads, 99))


def _fluctuation(results: Results, workload: str, seed: int) -> float:
    shares = [fullpage_share(results.of(seed, workload, "SRS+FPA", load)) for load in LOADS]
    return max(shares) - min(shares)


def _order(results: Results) -> Row:
    """The order is SRS+FPA, SRS, SOML in every workload; SRS may be slower than SOML in two, as in the study."""
    wrong = []
    for workload in READING:
        both, srs = (results.mean_ratio(read_us, scheme, workload) for scheme in ("SRS+FPA", "SRS"))
        if not (both <= srs and (srs <= 1 or workload in HARD_FOR_SRS)):
            wrong.append(workload)
    return PUBLISHED.row("order_of_schemes", len(wrong), wrong=f": {', '.join(wrong)}" if wrong else "")


def ldpc_rows(by_decoder: Mapping[Decoder, Results], quick: bool) -> list[Row]:
    """The gains of placement with real codes, the most borrowed parity first, and of scheduling."""

    def reduction(results: Results, scheme: str) -> Mean:
        return over_seeds(
            lambda seed: mean(100 * (1 - results.ratio(read_us, scheme, w, seed)) for w in READING), results.seeds
        )

    return [
        *(_placement(results, reduction(results, "SRS+FPA"), 4 if quick else 2.5) for results in by_decoder.values()),
        PUBLISHED.row("ldpc_mean_reduction_srs", reduction(next(iter(by_decoder.values())), "SRS")),
    ]


def _placement(results: Results, ours: Mean, margin: float) -> Row:
    """The band lies between closed forms of placement without queues and with queues; the gain of SRS is simulated."""
    decoder = results.decoder

    def gain(workload: str, less: float) -> float:
        return 100 * (1 - results.mean_ratio(read_us, "SRS", workload) * (1 - less))

    alone, queued = (mean(gain(w, placement_less(results, w)[form]) for w in READING) for form in (0, 1))
    shares = sorted(results.plans[workload].fullpage_percent for workload in READING)
    less = sensed_less(decoder)
    return PUBLISHED.row(
        "ldpc_mean_reduction_srs_fpa_{bytes}_bytes",
        ours,
        expected=(alone + queued) / 2,
        reach=abs(queued - alone) / 2 + margin,
        bytes=decoder.borrowed_bytes,
        own=reads_of_weak_subpage(decoder, 0),
        borrowed=reads_of_weak_subpage(decoder, 1),
        mean=mean(shares),
        least=shares[0],
        most=shares[-1],
        less=100 * abs(less),
        direction="shorter" if less > 0 else "longer",
        alone=alone,
        queued=queued,
        margin=margin,
    )
