# SPDX-License-Identifier: Apache-2.0
"""The rows for Nie et al.: closed forms for single layers, theoretical limits of codes, and the outcomes of all runs.

For each run, the ratio to SOML is calculated first. The ratios are then averaged over workloads, and after that over
seeds. The margins of the bands allow for the scatter between seeds and for effects that the predictions leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import exp, log2
from statistics import mean

import numpy as np

from comparison.published import Mean, Published, over_seeds
from comparison.rows import Row
from layers.decoders import (
    ASSUMED,
    BORROWED_BITS,
    CODEWORD_BITS,
    LDPC,
    STRONG_RBER,
    WEAK_RBER,
    Decoder,
    Ldpc,
    capacity_ratio,
    rate_of_capacity,
)
from layers.decoding import (
    READS_OF_LAYERS,
    error_rate_of_quarter,
    layers_by_strength,
    quarters_by_strength,
    reads_of_layer,
    reads_of_weak_subpage,
    sensed_less,
)
from layers.device import PAYLOAD_BITS
from layers.runs import FULL_LOAD, LOADS, READING, SPREAD_OVER_TIME, WORKLOADS, Results

PUBLISHED = Published(__file__)
MODEST_AMPLIFICATION = 15  # percent, section III-B
# Workloads for which SRS gains little or nothing in the study.
HARD_FOR_SRS = ("proj_1", "usr_0")
# Additional workloads whose reads are larger than 40 KB on average (Table I).
LARGE = ("24hrs8", "mds_1", "stg_1", "web_1")
# Workloads whose requests almost all have at most 4 KiB (Table I).
SMALL = ("bs78", "webu8")


def layer_rows(operations: float) -> list[Row]:
    """Returns the rows of sections II-B and III-B. `operations` is the number of operations with which an idle die
    reads a fullpage.
    """
    strongest, *_, weakest = quarters_by_strength()
    ranked = layers_by_strength()
    best, middle, worst = ranked[0], ranked[len(ranked) // 2], ranked[-1]
    reads_of_best, _, reads_of_worst = READS_OF_LAYERS

    def quarter(name: str, number: int, rber: float) -> Row:
        ours = 1000 * error_rate_of_quarter(number)
        return PUBLISHED.row("rber_of_{name}_quarter", ours, paper=1000 * rber, name=name)

    def extreme(name: str, layer: int, paper: float) -> Row:
        ours = reads_of_layer(ASSUMED, layer)
        return PUBLISHED.row("reads_of_{name}_layer", ours, paper=paper, name=name, layer=layer)

    return [
        quarter("strongest", strongest, STRONG_RBER),
        quarter("weakest", weakest, WEAK_RBER),
        extreme("best", best, reads_of_best),
        PUBLISHED.row("reads_of_middle_layer", reads_of_layer(ASSUMED, middle), layer=middle),
        extreme("worst", worst, reads_of_worst),
        *PUBLISHED.rows(
            {
                "reads_with_own_parity": reads_of_weak_subpage(ASSUMED, 0),
                "reads_with_borrowed_parity": reads_of_weak_subpage(ASSUMED, 1),
                "operations_of_fullpage": operations,
            }
        ),
        *_codes(),
    ]


def _codes() -> list[Row]:
    """Returns rows for the theoretical limits of codes with the study's parity, and for the project's codes with more
    parity.
    """
    bits = BORROWED_BITS
    rows = [PUBLISHED.row("error_rates_borne_capacity", capacity_ratio(bits), expected=_slope_of_capacity(), bits=bits)]
    for decoder in (Ldpc("ldpc_32", 32), LDPC):
        least = capacity_ratio(8 * decoder.borrowed_bytes)
        borne = decoder.rate_borne(1) / decoder.rate_borne(-1)
        rows.append(
            PUBLISHED.row(
                "error_rates_borne_{bytes}_bytes",
                borne,
                expected=least * 1.06,
                reach=least * 0.06,
                bytes=decoder.borrowed_bytes,
                borne=borne,
                least=least,
            )
        )
    own, borrowed = (reads_of_weak_subpage(LDPC, parity) for parity in (0, 1))
    rows.append(PUBLISHED.row("ldpc_reads_with_borrowed_parity", borrowed, bytes=LDPC.borrowed_bytes, own=own))
    return rows


def _slope_of_capacity() -> float:
    """Returns the first-order approximation of `capacity_ratio` for a small number of borrowed bits."""
    rate = PAYLOAD_BITS / CODEWORD_BITS
    rber = rate_of_capacity(rate)
    return exp(2 * BORROWED_BITS * rate / (CODEWORD_BITS * rber * log2((1 - rber) / rber)))


def system_rows(results: Results, quick: bool) -> list[Row]:
    """Returns the rows of section IV, simulated with the decoder that the study assumes."""
    table = PUBLISHED.for_run(quick)

    seeds = partial(over_seeds, seeds=results.seeds)

    def reduction(scheme: str, workload: str, seed: int) -> float:
        return 100 * (1 - results.ratio("read_us", scheme, workload, seed))

    def gain(of: Callable[[list[float]], float], scheme: str) -> Mean:
        return seeds(lambda seed: of([reduction(scheme, workload, seed) for workload in READING]))

    def mean_ratio(measure: str, load: float = 1.0) -> Mean:
        return seeds(lambda seed: mean(results.ratio(measure, "SRS+FPA", name, seed, load) for name in READING))

    def beside_others(workload: str, seed: int) -> float:
        others = [other for other in READING if other not in HARD_FOR_SRS]
        return reduction("SRS", workload, seed) - mean(reduction("SRS", other, seed) for other in others)

    def spread(scheme: str) -> Mean:
        def percentile(seed: int, of: str) -> float:
            return float(np.percentile(results.of(seed, SPREAD_OVER_TIME, of).first_reads, 99))

        return seeds(lambda seed: percentile(seed, scheme) / percentile(seed, "SOML"))

    def hardly_amplified(seed: int) -> int:
        return sum(results.of(seed, name, "SRS+FPA").read_amplification < MODEST_AMPLIFICATION for name in READING)

    def fluctuation(workload: str, seed: int) -> float:
        shares = [results.of(seed, workload, "SRS+FPA", load).fullpage_share for load in LOADS]
        return max(shares) - min(shares)

    def added_pages(seed: int) -> float:
        ratios = [results.ratio("programmed_pages", "SRS+FPA", name, seed, load) for name in writing for load in LOADS]
        return 100 * mean(ratio - 1 for ratio in ratios)

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
                seeds(lambda seed, w=workload: reduction("SRS+FPA", w, seed) - reduction("SRS", w, seed)),
                expected=100 * results.placement_less(workload)[1],
                workload=workload,
                share=results.plans[workload].fullpage_percent,
            )
            for workload in SMALL
        ),
        _order(results),
        table.row("write_latency", mean_ratio("write_us")),
        table.row("throughput", mean_ratio("requests_per_s", FULL_LOAD)),
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
        table.row("little_read_amplification", seeds(hardly_amplified), modest=MODEST_AMPLIFICATION),
        table.row("fullpages_over_loads", seeds(lambda seed: max(fluctuation(name, seed) for name in writing))),
        table.row("added_pages", seeds(added_pages)),
    ]


def _order(results: Results) -> Row:
    """Returns the row that checks the order of the schemes. In every workload, SRS+FPA must not be slower than SRS, and
    SRS must not be slower than SOML. The workloads HARD_FOR_SRS are exceptions: SRS may be slower than SOML, as in the
    study.
    """
    wrong = []
    for workload in READING:
        both, srs = (results.mean_ratio("read_us", scheme, workload) for scheme in ("SRS+FPA", "SRS"))
        if not (both <= srs and (srs <= 1 or workload in HARD_FOR_SRS)):
            wrong.append(workload)
    return PUBLISHED.row("order_of_schemes", len(wrong), wrong=f": {', '.join(wrong)}" if wrong else "")


def ldpc_rows(by_decoder: Mapping[Decoder, Results], quick: bool) -> list[Row]:
    """Returns rows for the gain of placement with real codes, in descending order of borrowed parity, and for the gain
    of scheduling."""

    def reduction(results: Results, scheme: str) -> Mean:
        return over_seeds(
            lambda seed: mean(100 * (1 - results.ratio("read_us", scheme, w, seed)) for w in READING), results.seeds
        )

    return [
        *(_placement(results, reduction(results, "SRS+FPA"), 4 if quick else 2.5) for results in by_decoder.values()),
        PUBLISHED.row("ldpc_mean_reduction_srs", reduction(next(iter(by_decoder.values())), "SRS")),
    ]


def _placement(results: Results, ours: Mean, margin: float) -> Row:
    """Returns the row of the gain of placement with a real code. The gain of SRS is simulated. The band for the
    additional gain of placement lies between its closed forms without queues and with queues.
    """
    decoder = results.decoder

    def gain(workload: str, less: float) -> float:
        return 100 * (1 - results.mean_ratio("read_us", "SRS", workload) * (1 - less))

    alone, queued = (mean(gain(w, results.placement_less(w)[form]) for w in READING) for form in (0, 1))
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
