# SPDX-License-Identifier: Apache-2.0
"""Figures 5, 7, 11, 14 and 15 of Park et al., as the model has them."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from comparison.pictures import LINE, shared_legend, titled
from nandscape.pictures import bars, tidy
from physics.park_2021 import CORRECTABLE, CYCLES, MARGIN, MONTHS, most_errors, population, safe_cut
from physics.pictures import CYCLE_COLOURS
from retry.loads import LARGEST, LOADS, WORKLOADS, LoadSweep
from retry.results import Results
from retry.runs import CONDITIONS, READ_PERCENT

COLOURS = {
    "Baseline": "#4c566a",
    "PR2": "#1f6fb4",
    "AR2": "#2a9d8f",
    "PnAR2": "#d9a400",
    "NoRR": "#c9ced6",
    "PSO": "#7b4ba0",
    "PSO+PnAR2": "#b5304a",
}
MOST_STEPS = 26


def draw_all(results: Results, loads: LoadSweep) -> dict[str, Figure]:
    return {
        "figure_05_retry_steps.png": _retry_steps(),
        "figure_07_final_step.png": _final_step(),
        "figure_11_read_timing.png": _read_timing(),
        "figure_14_response_time.png": _response_times(results, ["PR2", "AR2", "PnAR2", "NoRR"]),
        "figure_15_with_pso.png": _response_times(results, ["PSO", "PSO+PnAR2", "NoRR"]),
        "gains_at_loads.png": _gains_at_loads(loads),
    }


def _retry_steps() -> Figure:
    """Shades tell the share of reads with each number of steps."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    shades = None
    for axes, cycles in zip(figure.subplots(1, len(CYCLES), sharey=True), CYCLES, strict=True):
        share = np.zeros((MOST_STEPS, 13))
        for months in range(13):
            steps = population(cycles, months, 30).retry_steps[:MOST_STEPS]
            share[: len(steps), months] = 100 * steps
        shades = axes.imshow(share, origin="lower", aspect="auto", cmap="Greys", vmin=0, vmax=100)
        axes.set_title(f"{cycles} P/E cycles", loc="left", fontsize=10)
        axes.set_xlabel("retention at 30 °C, months")
        axes.set_xticks(range(0, 13, 3))
    figure.axes[0].set_ylabel("retry steps")
    figure.colorbar(shades, ax=figure.axes, label="share of reads, %", shrink=0.8)
    return figure


def _final_step() -> Figure:
    figure = Figure(figsize=(10, 4), layout="constrained")
    for axes, celsius in zip(figure.subplots(1, 3, sharey=True), (85, 55, 30), strict=True):
        for cycles, colour in CYCLE_COLOURS.items():
            errors = [most_errors((cycles, months), temperature_c=celsius) for months in MONTHS]
            axes.plot(MONTHS, errors, marker="o", color=colour, label=f"{cycles} P/E cycles")
        axes.axhline(CORRECTABLE, color=LINE, linestyle="--", linewidth=1)
        axes.set_title(f"read at {celsius} °C", loc="left", fontsize=10)
        axes.set_xlabel("retention at 30 °C, months")
        axes.set_xticks(MONTHS)
        tidy(axes)
    figure.axes[0].set_ylim(0, 80)
    figure.axes[0].set_ylabel("most errors of a codeword of 1 KiB")
    figure.axes[0].annotate("ECC capability", (0, CORRECTABLE), (0, 4), textcoords="offset points", fontsize=8)
    figure.axes[0].legend(frameon=False, fontsize=8, loc="upper right", bbox_to_anchor=(1, 0.85))
    return figure


def _read_timing() -> Figure:
    figure, axes = titled(size=(7, 4), ylabel="largest safe cut of tPRE, %")
    for k, (cycles, colour) in enumerate(CYCLE_COLOURS.items()):
        cuts = [safe_cut((cycles, months), "t_pre", 15, CORRECTABLE - MARGIN) for months in MONTHS]
        axes.bar(np.arange(len(MONTHS)) + 0.27 * (k - 1), cuts, width=0.25, color=colour, label=f"{cycles} P/E cycles")
    axes.set_xticks(range(len(MONTHS)), [f"{months}" for months in MONTHS])
    axes.set_xlabel("retention at 30 °C, months")
    axes.set_ylim(0, 65)
    axes.legend(frameon=False, fontsize=8, ncols=3)
    return figure


def _gains_at_loads(loads: LoadSweep) -> Figure:
    """A line for each workload, and the largest gain that is published."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    for axes, (scheme, published) in zip(figure.subplots(1, len(LARGEST), sharey=True), LARGEST.items(), strict=True):
        for workload in WORKLOADS:
            busy = [100 * loads.busy(workload, load) for load in LOADS]
            gains = [loads.gain(scheme, workload, load) for load in LOADS]
            axes.plot(busy, gains, marker="o", markersize=3, linewidth=1, label=workload)
        axes.axhline(published, color=LINE, linestyle="--", linewidth=1)
        axes.set_title(f"{scheme}; dashed: largest published, {published} %", loc="left", fontsize=10)
        axes.set_xlabel("Baseline keeps the dies busy, % of the time")
        tidy(axes)
    figure.axes[0].set_ylim(0, 75)
    figure.axes[0].set_ylabel("response time less than Baseline's, %")
    shared_legend(figure, place="outside right upper", columns=1)
    return figure


def _response_times(results: Results, schemes: list[str]) -> Figure:
    """A row for each condition, a group of bars for each workload."""
    figure = Figure(figsize=(11, 11), layout="constrained")
    colours = [COLOURS[scheme] for scheme in schemes]
    for axes, condition in zip(figure.subplots(len(CONDITIONS), 1, sharex=True, sharey=True), CONDITIONS, strict=True):
        ratios = {
            scheme: {workload: results.mean_ratio(scheme, "Baseline", workload, condition) for workload in READ_PERCENT}
            for scheme in schemes
        }
        bars(ratios, colours=colours, axes=axes)
        axes.set_title(f"{condition[0]} P/E cycles, {condition[1]} months", loc="left", fontsize=9)
        axes.set_ylim(0, 1.05)
    figure.supylabel("mean response time over Baseline's", fontsize=10)
    shared_legend(figure)
    return figure
