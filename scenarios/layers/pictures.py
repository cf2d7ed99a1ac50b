# SPDX-License-Identifier: Apache-2.0
"""Figures 2(b), 6 and 7 of Nie et al., as the model has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from shared.pictures import save

from layers.decoders import ASSUMED, LDPC
from layers.decoding import latency_less, reads_of_layer, sensed_less
from layers.device import LAYERS
from layers.results import (
    Measure,
    Results,
    fullpage_share,
    pages,
    read_amplification,
    read_us,
    throughput,
    write_us,
)
from layers.runs import BUSY, FULL_LOAD, LOADS, READING, SCHEMES, SPREAD_OVER_TIME, WORKLOADS
from nandscape.pictures import tidy

COLOURS = {"SOML": "#4c566a", "SRS": "#1f6fb4", "SRS+FPA": "#d9a400"}
LOAD_COLOURS = {1.0: "#b5304a", 1 / 5: "#2a9d8f", 1 / 10: "#c9ced6"}
LOAD_NAMES = {1.0: "as planned", 1 / 5: "a fifth", 1 / 10: "a tenth"}


def draw_all(folder: Path, results: Results, ldpc: Results) -> list[Path]:
    """Writes all pictures and returns where. `results` are those of the assumed decoder."""
    drawn = {
        "figure_02_layers.png": _layers(),
        "figure_06_read_amplification.png": _read_amplification(results),
        "figure_07_performance.png": _performance(results),
        "figure_07_estimates.png": _estimates(results, ldpc),
        "figure_07_first_reads.png": _first_reads(results),
        "figure_07_loads.png": _loads(results),
    }
    return save(drawn, folder)


def _layers() -> Figure:
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    for decoder, name, colour in ((ASSUMED, "as assumed", COLOURS["SRS"]), (LDPC, "LDPC code", COLOURS["SRS+FPA"])):
        reads = [reads_of_layer(decoder, layer) for layer in range(LAYERS)]
        axes.plot(range(LAYERS), reads, marker="o", color=colour, label=name)
    axes.legend(frameon=False, fontsize=9)
    axes.set_title("data of 15 days, median wordline, parity of its own", loc="left", fontsize=10)
    axes.set_xlabel("layer")
    axes.set_ylabel("reads until a subpage is decoded")
    axes.set_xticks(range(0, LAYERS + 1, 12))
    axes.set_ylim(bottom=0)
    tidy(axes)
    return figure


def _read_amplification(results: Results) -> Figure:
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    shares = [results.mean_of(read_amplification, workload, "SRS+FPA") for workload in READING]
    axes.bar(range(len(READING)), shares, width=0.6, color=COLOURS["SRS+FPA"])
    axes.axhline(15, color=COLOURS["SOML"], linestyle="--", linewidth=1)
    _name(axes, READING)
    axes.set_ylabel("reads that take one page more, %")
    tidy(axes)
    return figure


def _performance(results: Results) -> Figure:
    panels: list[tuple[str, Measure, float]] = [
        ("(a) mean read latency", read_us, 1.0),
        ("(b) mean write latency", write_us, 1.0),
        ("(c) throughput at full load", throughput, FULL_LOAD),
    ]
    figure = Figure(figsize=(11, 9), layout="constrained")
    for axes, (title, measure, load) in zip(figure.subplots(3, 1), panels, strict=True):
        workloads = READING if measure is read_us else WORKLOADS
        bars = {
            scheme: [results.mean_ratio(measure, scheme, workload, load) for workload in workloads]
            for scheme in SCHEMES
        }
        _bars(axes, bars, COLOURS)
        axes.set_title(f"{title} over SOML's", loc="left", fontsize=10)
        _name(axes, workloads)
        tidy(axes)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=len(SCHEMES), frameon=False, fontsize=9)
    return figure


def _estimates(assumed: Results, ldpc: Results) -> Figure:
    """Simulated latencies of SRS+FPA beside both closed forms."""
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    for axes, results, name in zip(
        figure.subplots(2, 1), (assumed, ldpc), ("a decoder as assumed", "LDPC codes, 128 bytes borrowed"), strict=True
    ):
        percents = [results.fullpage_percent[workload] for workload in READING]
        bars = {
            "sensing alone": [1 - percent / 100 * sensed_less(results.decoder) for percent in percents],
            "simulated": [results.mean_ratio(read_us, "SRS+FPA", workload) for workload in READING],
            "with M/G/1 queues": [1 - latency_less(results.decoder, percent, BUSY) for percent in percents],
        }
        _bars(axes, bars, dict(zip(bars, COLOURS.values(), strict=True)))
        axes.axhline(1, color=COLOURS["SOML"], linewidth=0.8)
        axes.set_title(f"mean read latency of SRS+FPA over SOML's: {name}", loc="left", fontsize=10)
        _name(axes, READING)
        tidy(axes)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=3, frameon=False, fontsize=9)
    return figure


def _first_reads(results: Results) -> Figure:
    """Of one seed, one panel for each scheme."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    for axes, scheme in zip(figure.subplots(1, len(SCHEMES), sharey=True), SCHEMES, strict=True):
        latency_ms = 1e-3 * results.of(results.seeds[0], SPREAD_OVER_TIME, scheme).first_reads
        axes.plot(latency_ms, linestyle="", marker=".", markersize=2, color=COLOURS[scheme])
        axes.set_title(scheme, loc="left", fontsize=10)
        axes.set_xlabel(f"read of {SPREAD_OVER_TIME}")
        tidy(axes)
    figure.axes[0].set_ylabel("latency, ms")
    figure.axes[0].set_ylim(bottom=0)
    return figure


def _loads(results: Results) -> Figure:
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    share, use = figure.subplots(2, 1)
    shares = {
        LOAD_NAMES[load]: [results.mean_of(fullpage_share, workload, "SRS+FPA", load) for workload in WORKLOADS]
        for load in LOADS
    }
    uses = {
        LOAD_NAMES[load]: [results.mean_ratio(pages, "SRS+FPA", workload, load) for workload in WORKLOADS]
        for load in LOADS
    }
    colours = {LOAD_NAMES[load]: LOAD_COLOURS[load] for load in LOADS}
    for axes, bars, title in (
        (share, shares, "(e) writes that are fullpages, by pieces of 16 KiB, %"),
        (use, uses, "(f) pages programmed over SOML's"),
    ):
        _bars(axes, bars, colours)
        axes.set_title(title, loc="left", fontsize=10)
        _name(axes, WORKLOADS)
        tidy(axes)
    handles, labels = share.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside upper right",
        ncols=len(LOADS),
        frameon=False,
        fontsize=9,
        title="rate of requests",
    )
    return figure


def _bars(axes: Axes, bars: dict[str, list[float]], colours: dict[str, str]) -> None:
    """A group of bars for each workload."""
    width = 0.8 / len(bars)
    for k, (name, heights) in enumerate(bars.items()):
        places = np.arange(len(heights)) + (k - (len(bars) - 1) / 2) * width
        axes.bar(places, heights, width=0.92 * width, color=colours[name], label=name)


def _name(axes: Axes, workloads: list[str]) -> None:
    axes.set_xticks(range(len(workloads)), workloads, rotation=30, ha="right", fontsize=9)
