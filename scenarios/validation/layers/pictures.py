# SPDX-License-Identifier: Apache-2.0
"""Draws figures 2(b), 6 and 7 of Nie et al. with our results and the published values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comparison.pictures import MEAN, panel, panels, shared_legend, slant, with_mean
from layers.decoders import ASSUMED, LDPC, STRONG_RBER, WEAK_RBER
from layers.decoding import (
    QUARTER,
    READS_OF_LAYERS,
    error_rate,
    layers_by_strength,
    layers_of,
    quarters_by_strength,
    reads_of_layer,
)
from layers.device import LAYERS
from layers.rows import MODEST_AMPLIFICATION, PUBLISHED
from layers.runs import FULL_LOAD, LOADS, READING, SCHEMES, SPREAD_OVER_TIME, WORKLOADS, Results
from nandscape.pictures import bars
from nandscape.pictures.style import PUBLISHED as PUBLISHED_MARK

COLOURS = {"SOML": "#4c566a", "SRS": "#1f6fb4", "SRS+FPA": "#d9a400"}
LOAD_COLOURS = {1.0: "#b5304a", 1 / 5: "#2a9d8f", 1 / 10: "#c9ced6"}
LOAD_NAMES = {1.0: "as planned", 1 / 5: "a fifth", 1 / 10: "a tenth"}
DECODERS = {
    ASSUMED: "a decoder as the study assumes",
    LDPC: f"LDPC codes, {LDPC.borrowed_bytes} bytes borrowed",
}
PARITY_STYLES = {1: ("--", "borrowed"), 0: ("-", "its own"), -1: (":", "lent")}
TWO_HIGH = (11, 7)


def draw_all(results: Results, ldpc: Results) -> dict[str, Figure]:
    """Returns all pictures by file name. `results` is from the runs with the assumed decoder, `ldpc` from those with
    LDPC codes.
    """
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
    """Draws, for each layer, the number of reads, and its error rate together with the error rates that one read
    corrects.
    """
    titles = (
        "(b) data of 15 days, own parity",
        "error rates, and the rates that a plain read corrects by its parity",
    )
    figure, (reads, rates) = panels(1, 2, (11, 4.2), titles)
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
    reads.plot(typical, READS_OF_LAYERS, label="published, layers A, B and C at 15 days", **PUBLISHED_MARK)
    rates.plot(range(LAYERS), [1000 * error_rate(layer) for layer in range(LAYERS)], color=COLOURS["SOML"])
    strongest, *_, weakest = quarters_by_strength()
    places = [mean(layers_of(quarter)) for quarter in (strongest, weakest)]
    figures = [1000 * rate for rate in (STRONG_RBER, WEAK_RBER)]
    rates.plot(places, figures, label="published, strong and weak pages", **PUBLISHED_MARK)
    reads.set(ylabel="reads until a subpage is decoded", ylim=(0, 7))
    rates.set(ylabel="misread bits of a thousand", ylim=(0, None))
    for axes in (reads, rates):
        axes.legend()
        axes.set_xlabel("layer")
        axes.set_xticks(range(0, LAYERS + 1, QUARTER))
    return figure


def _read_amplification(results: Results) -> Figure:
    title = f"dashed: published for most, below {MODEST_AMPLIFICATION} %"
    figure, axes = panel(title, (9, 3.8), "reads that take one page more, %")
    shares = {workload: results.mean_of("read_amplification", workload, "SRS+FPA") for workload in READING}
    bars({"SRS+FPA": shares}, colours=[COLOURS["SRS+FPA"]], axes=axes)
    axes.axhline(MODEST_AMPLIFICATION, color="#222222", linestyle="--", linewidth=1)
    slant(axes)
    return figure


def _read_latency(results: Results, ldpc: Results) -> Figure:
    """Draws Figure 7(a) twice: with the assumed decoder and with LDPC codes."""
    titles = [
        f"(a) mean read latency over SOML's, {DECODERS[of.decoder]}; dotted: published for SRS+FPA, from the least to "
        "the largest gain"
        for of in (results, ldpc)
    ]
    figure, drawn = panels(2, 1, TWO_HIGH, titles)
    average, least, most = (PUBLISHED.paper(f"{words}_reduction_srs_fpa") for words in ("mean", "smallest", "largest"))
    for axes, of in zip(drawn, (results, ldpc), strict=True):
        _over_baseline(axes, of, "read_us", READING, mark=1 - average / 100)
        for reduction in (least, most):
            axes.axhline(1 - reduction / 100, color="#222222", linestyle=":", linewidth=1)
    shared_legend(figure)
    return figure


def _performance(results: Results) -> Figure:
    titles = (
        "(b) mean write latency over SOML's; published: reduced",
        "(c) throughput at full load over SOML's; published: higher",
    )
    figure, (writes, full) = panels(2, 1, TWO_HIGH, titles)
    _over_baseline(writes, results, "write_us", WORKLOADS)
    _over_baseline(full, results, "requests_per_s", WORKLOADS, FULL_LOAD)
    shared_legend(figure)
    return figure


def _over_baseline(
    axes: Axes, results: Results, measure: str, workloads: Sequence[str], load: float = 1.0, mark: float | None = None
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
    """Draws the effect of placement on the simulated latencies, together with both closed forms."""
    titles = [f"mean read latency of SRS+FPA over SRS's, {DECODERS[of.decoder]}" for of in (results, ldpc)]
    figure, drawn = panels(2, 1, TWO_HIGH, titles)
    for axes, of in zip(drawn, (results, ldpc), strict=True):
        estimates: dict[str, Callable[[str], float]] = {
            "closed form, no queues": lambda w, r=of: 1 - r.placement_less(w)[0],
            "simulated": lambda w, r=of: r.mean_ratio("read_us", "SRS+FPA", w) / r.mean_ratio("read_us", "SRS", w),
            "closed form, M/G/1 queues": lambda w, r=of: 1 - r.placement_less(w)[1],
        }
        series = {name: with_mean(READING, figure_of) for name, figure_of in estimates.items()}
        bars(series, colours=list(COLOURS.values()), axes=axes)
        axes.axhline(1, color=COLOURS["SOML"], linewidth=0.8)
        slant(axes)
    shared_legend(figure)
    return figure


def _first_reads(results: Results) -> Figure:
    """Draws the latencies of the first reads of a run with one seed, in a panel for each scheme."""
    figure, drawn = panels(1, len(SCHEMES), (10, 3.8), [f"(d) {scheme}" for scheme in SCHEMES], sharey=True)
    for axes, scheme in zip(drawn, SCHEMES, strict=True):
        latency_ms = 1e-3 * results.of(results.seeds[0], SPREAD_OVER_TIME, scheme).first_reads
        axes.plot(latency_ms, linestyle="", marker=".", markersize=2, color=COLOURS[scheme])
        axes.set_xlabel(f"read of {SPREAD_OVER_TIME}")
    drawn[0].set(ylabel="latency, ms", ylim=(0, None))
    return figure


def _loads(results: Results) -> Figure:
    titles = ("(e) writes that are fullpages, by pieces of 16 KiB, %", "(f) pages programmed over SOML's")
    figure, (share, use) = panels(2, 1, TWO_HIGH, titles)
    colours = [LOAD_COLOURS[load] for load in LOADS]

    def over_workloads(of: Callable[[str, float], float]) -> dict[str, dict[str, float]]:
        return {LOAD_NAMES[load]: with_mean(WORKLOADS, lambda name, at=load: of(name, at)) for load in LOADS}

    shares = over_workloads(lambda name, load: results.mean_of("fullpage_share", name, "SRS+FPA", load))
    bars(shares, colours=colours, axes=share)
    programmed = over_workloads(lambda name, load: results.mean_ratio("programmed_pages", "SRS+FPA", name, load))
    marks = {LOAD_NAMES[load]: {MEAN: 1 + PUBLISHED.paper("added_pages") / 100} for load in LOADS}
    bars(programmed, published=marks, colours=colours, axes=use)
    for axes in (share, use):
        slant(axes)
    shared_legend(figure, title="rate of requests")
    return figure
