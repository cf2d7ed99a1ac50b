# SPDX-License-Identifier: Apache-2.0
"""Figures 2(b), 6 and 7 of Nie et al., as the model has them, with what the study prints of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comparison.pictures import MEAN, shared_legend, slant, titled, with_mean
from layers import published
from layers.decoders import ASSUMED, LDPC
from layers.decoding import (
    QUARTER,
    error_rate,
    layers_by_strength,
    layers_of,
    quarters_by_strength,
    reads_of_layer,
)
from layers.device import LAYERS
from layers.results import (
    Measure,
    Results,
    fullpage_share,
    pages,
    placement_less,
    read_amplification,
    read_us,
    throughput,
    write_us,
)
from layers.runs import FULL_LOAD, LOADS, READING, SCHEMES, SPREAD_OVER_TIME, WORKLOADS
from nandscape.pictures import bars, tidy
from nandscape.pictures.style import PUBLISHED

COLOURS = {"SOML": "#4c566a", "SRS": "#1f6fb4", "SRS+FPA": "#d9a400"}
LOAD_COLOURS = {1.0: "#b5304a", 1 / 5: "#2a9d8f", 1 / 10: "#c9ced6"}
LOAD_NAMES = {1.0: "as planned", 1 / 5: "a fifth", 1 / 10: "a tenth"}
DECODERS = {
    ASSUMED: "a decoder as the study assumes",
    LDPC: f"LDPC codes, {LDPC.borrowed_bytes} bytes borrowed",
}
PARITY_STYLES = {1: ("--", "borrowed"), 0: ("-", "its own"), -1: (":", "lent")}


def draw_all(results: Results, ldpc: Results) -> dict[str, Figure]:
    """`results` are those of the assumed decoder."""
    return {
        "figure_02_layers.png": _layers(),
        "figure_06_read_amplification.png": _read_amplification(results),
        "figure_07_read_latency.png": _read_latency(results, ldpc),
        "figure_07_performance.png": _performance(results),
        "figure_07_estimates.png": _estimates(results, ldpc),
        "figure_07_first_reads.png": _first_reads(results),
        "figure_07_loads.png": _loads(results),
    }


def _layers() -> Figure:
    """Reads of each layer, and its error rate beside those that a plain read corrects."""
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    reads, rates = figure.subplots(1, 2)
    for decoder, name, colour, side in (
        (ASSUMED, "as assumed", COLOURS["SRS"], "bottom"),
        (LDPC, "LDPC code", COLOURS["SRS+FPA"], "top"),
    ):
        of_layers = [reads_of_layer(decoder, layer) for layer in range(LAYERS)]
        reads.plot(range(LAYERS), of_layers, marker="o", markersize=4, color=colour, label=name)
        for borrowed, (style, words) in PARITY_STYLES.items():
            borne = 1000 * decoder.rate_borne(borrowed)
            rates.axhline(borne, color=colour, linestyle=style, linewidth=1)
            rates.text(LAYERS, borne, words, color=colour, fontsize=8, va=side, ha="right")
    ranked = layers_by_strength()
    typical = (ranked[0], ranked[LAYERS // 2], ranked[-1])
    reads.plot(typical, published.READS_OF_LAYERS, label="published, layers A, B and C at 15 days", **PUBLISHED)
    reads.set_title("(b) data of 15 days, parity of its own", loc="left", fontsize=10)
    reads.set_ylabel("reads until a subpage is decoded")
    reads.set_ylim(0, 7)
    rates.plot(range(LAYERS), [1000 * error_rate(layer) for layer in range(LAYERS)], color=COLOURS["SOML"])
    strongest, *_, weakest = quarters_by_strength()
    places = [mean(layers_of(quarter)) for quarter in (strongest, weakest)]
    figures = [1000 * rate for rate in (published.STRONG_RBER, published.WEAK_RBER)]
    rates.plot(places, figures, label="published, strong and weak pages", **PUBLISHED)
    rates.set_title("error rates, and those that a plain read corrects by its parity", loc="left", fontsize=10)
    rates.set_ylabel("misread bits of a thousand")
    rates.set_ylim(bottom=0)
    for axes in (reads, rates):
        axes.legend(frameon=False, fontsize=8)
        axes.set_xlabel("layer")
        axes.set_xticks(range(0, LAYERS + 1, QUARTER))
        tidy(axes)
    return figure


def _read_amplification(results: Results) -> Figure:
    title = f"dashed: published for most, below {published.MODEST_AMPLIFICATION} %"
    figure, axes = titled(title, (9, 3.8), "reads that take one page more, %")
    shares = {workload: results.mean_of(read_amplification, workload, "SRS+FPA") for workload in READING}
    bars({"SRS+FPA": shares}, colours=[COLOURS["SRS+FPA"]], axes=axes)
    axes.axhline(published.MODEST_AMPLIFICATION, color="#222222", linestyle="--", linewidth=1)
    slant(axes)
    return figure


def _read_latency(results: Results, ldpc: Results) -> Figure:
    """Figure 7(a), once with each decoder."""
    figure = Figure(figsize=(11, 7.5), layout="constrained")
    for axes, of in zip(figure.subplots(2, 1), (results, ldpc), strict=True):
        _over_baseline(axes, of, read_us, READING, mark=1 - published.MEAN_REDUCTION / 100)
        for reduction in (published.SMALLEST_REDUCTION, published.LARGEST_REDUCTION):
            axes.axhline(1 - reduction / 100, color="#222222", linestyle=":", linewidth=1)
        axes.set_title(
            f"(a) mean read latency over SOML's, {DECODERS[of.decoder]}; dotted: published for SRS+FPA, from the "
            "least to the largest gain",
            loc="left",
            fontsize=10,
        )
    shared_legend(figure)
    return figure


def _performance(results: Results) -> Figure:
    figure = Figure(figsize=(11, 7.5), layout="constrained")
    writes, full = figure.subplots(2, 1)
    _over_baseline(writes, results, write_us, WORKLOADS)
    writes.set_title("(b) mean write latency over SOML's; published: reduced", loc="left", fontsize=10)
    _over_baseline(full, results, throughput, WORKLOADS, FULL_LOAD)
    full.set_title("(c) throughput at full load over SOML's; published: higher", loc="left", fontsize=10)
    shared_legend(figure)
    return figure


def _over_baseline(
    axes: Axes,
    results: Results,
    measure: Measure,
    workloads: Sequence[str],
    load: float = 1.0,
    mark: float | None = None,
) -> None:
    series = {
        scheme: with_mean(workloads, lambda workload, s=scheme: results.mean_ratio(measure, s, workload, load))
        for scheme in SCHEMES
    }
    marks = {} if mark is None else {"SRS+FPA": {MEAN: mark}}
    bars(series, published=marks, colours=list(COLOURS.values()), axes=axes)
    axes.axhline(1, color=COLOURS["SOML"], linewidth=0.8)
    slant(axes)


def _estimates(results: Results, ldpc: Results) -> Figure:
    """The effect of placement on simulated latencies, beside both closed forms."""
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    for axes, of in zip(figure.subplots(2, 1), (results, ldpc), strict=True):
        estimates: dict[str, Callable[[str], float]] = {
            "closed form, no queues": lambda w, r=of: 1 - placement_less(r, w)[0],
            "simulated": lambda w, r=of: r.mean_ratio(read_us, "SRS+FPA", w) / r.mean_ratio(read_us, "SRS", w),
            "closed form, M/G/1 queues": lambda w, r=of: 1 - placement_less(r, w)[1],
        }
        series = {name: with_mean(READING, figure_of) for name, figure_of in estimates.items()}
        bars(series, colours=list(COLOURS.values()), axes=axes)
        axes.axhline(1, color=COLOURS["SOML"], linewidth=0.8)
        axes.set_title(f"mean read latency of SRS+FPA over SRS's, {DECODERS[of.decoder]}", loc="left", fontsize=10)
        slant(axes)
    shared_legend(figure)
    return figure


def _first_reads(results: Results) -> Figure:
    """One seed; a panel for each scheme."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    for axes, scheme in zip(figure.subplots(1, len(SCHEMES), sharey=True), SCHEMES, strict=True):
        latency_ms = 1e-3 * results.of(results.seeds[0], SPREAD_OVER_TIME, scheme).first_reads
        axes.plot(latency_ms, linestyle="", marker=".", markersize=2, color=COLOURS[scheme])
        axes.set_title(f"(d) {scheme}", loc="left", fontsize=10)
        axes.set_xlabel(f"read of {SPREAD_OVER_TIME}")
        tidy(axes)
    figure.axes[0].set_ylabel("latency, ms")
    figure.axes[0].set_ylim(bottom=0)
    return figure


def _loads(results: Results) -> Figure:
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    share, use = figure.subplots(2, 1)
    colours = [LOAD_COLOURS[load] for load in LOADS]

    def over_workloads(of: Callable[[str, float], float]) -> dict[str, dict[str, float]]:
        return {LOAD_NAMES[load]: with_mean(WORKLOADS, lambda name, at=load: of(name, at)) for load in LOADS}

    shares = over_workloads(lambda name, load: results.mean_of(fullpage_share, name, "SRS+FPA", load))
    bars(shares, colours=colours, axes=share)
    share.set_title("(e) writes that are fullpages, by pieces of 16 KiB, %", loc="left", fontsize=10)
    programmed = over_workloads(lambda name, load: results.mean_ratio(pages, "SRS+FPA", name, load))
    marks = {LOAD_NAMES[load]: {MEAN: 1 + published.ADDED_PAGES / 100} for load in LOADS}
    bars(programmed, published=marks, colours=colours, axes=use)
    use.set_title("(f) pages programmed over SOML's", loc="left", fontsize=10)
    for axes in (share, use):
        slant(axes)
    shared_legend(figure, title="rate of requests")
    return figure
