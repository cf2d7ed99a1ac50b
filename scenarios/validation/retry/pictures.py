# SPDX-License-Identifier: Apache-2.0
"""Draws figures 5, 7, 11, 14 and 15 of Park et al. with our results, and the gains at higher loads."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from comparison.pictures import LINE, panel, panels, shared_legend
from nandscape.pictures import bars
from physics.park_2021 import CORRECTABLE, CYCLES, MARGIN, MONTHS, most_errors, population, safe_cut
from physics.pictures import CYCLE_COLOURS
from retry.loads import LARGEST, LOADS, WORKLOADS, LoadSweep
from retry.runs import CONDITIONS, READ_PERCENT, Results

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
    """Draws the share of reads with each number of retry steps, as shades of grey."""
    figure, drawn = panels(1, len(CYCLES), (10, 4.5), [f"{cycles} P/E cycles" for cycles in CYCLES], sharey=True)
    shades = None
    for axes, cycles in zip(drawn, CYCLES, strict=True):
        share = np.zeros((MOST_STEPS, 13))
        for months in range(13):
            steps = population(cycles, months, 30).retry_steps[:MOST_STEPS]
            share[: len(steps), months] = 100 * steps
        shades = axes.imshow(share, origin="lower", aspect="auto", cmap="Greys", vmin=0, vmax=100)
        axes.set(xlabel="retention at 30 °C, months", xticks=range(0, 13, 3))
        axes.grid(visible=False)
    drawn[0].set_ylabel("retry steps")
    figure.colorbar(shades, ax=drawn, label="share of reads, %", shrink=0.8)
    return figure


def _final_step() -> Figure:
    temperatures = (85, 55, 30)
    figure, drawn = panels(1, 3, (10, 4), [f"read at {celsius} °C" for celsius in temperatures], sharey=True)
    for axes, celsius in zip(drawn, temperatures, strict=True):
        for cycles, colour in CYCLE_COLOURS.items():
            errors = [most_errors((cycles, months), temperature_c=celsius) for months in MONTHS]
            axes.plot(MONTHS, errors, marker="o", color=colour, label=f"{cycles} P/E cycles")
        axes.axhline(CORRECTABLE, color=LINE, linestyle="--", linewidth=1)
        axes.set(xlabel="retention at 30 °C, months", xticks=MONTHS)
    drawn[0].set(ylim=(0, 80), ylabel="most errors of a codeword of 1 KiB")
    drawn[0].annotate("ECC capability", (0, CORRECTABLE), (0, 4), textcoords="offset points", fontsize=8)
    drawn[0].legend(loc="upper right", bbox_to_anchor=(1, 0.85))
    return figure


def _read_timing() -> Figure:
    figure, axes = panel(size=(7, 4), ylabel="largest safe cut of tPRE, %")
    cuts = {
        f"{cycles} P/E cycles": {
            str(months): safe_cut((cycles, months), "t_pre", 15, CORRECTABLE - MARGIN) for months in MONTHS
        }
        for cycles in CYCLE_COLOURS
    }
    bars(cuts, colours=list(CYCLE_COLOURS.values()), axes=axes)
    axes.set(xlabel="retention at 30 °C, months", ylim=(0, 65))
    axes.legend(ncols=3)
    return figure


def _gains_at_loads(loads: LoadSweep) -> Figure:
    """Draws a line for each workload, and the largest published gain as a dashed line."""
    titles = [f"{scheme}; dashed: largest published, {published} %" for scheme, published in LARGEST.items()]
    figure, drawn = panels(1, len(LARGEST), (11, 4), titles, sharey=True)
    for axes, (scheme, published) in zip(drawn, LARGEST.items(), strict=True):
        for workload in WORKLOADS:
            busy = [100 * loads.busy(workload, load) for load in LOADS]
            gains = [loads.gain(scheme, workload, load) for load in LOADS]
            axes.plot(busy, gains, marker="o", markersize=3, linewidth=1, label=workload)
        axes.axhline(published, color=LINE, linestyle="--", linewidth=1)
        axes.set_xlabel("Baseline keeps the dies busy, % of the time")
    drawn[0].set(ylim=(0, 75), ylabel="response time less than Baseline's, %")
    shared_legend(figure, place="outside right upper", columns=1)
    return figure


def _response_times(results: Results, schemes: list[str]) -> Figure:
    """Draws a panel for each condition, with a group of bars for each workload."""
    titles = [f"{cycles} P/E cycles, {months} months" for cycles, months in CONDITIONS]
    figure, drawn = panels(len(CONDITIONS), 1, (11, 11), titles, sharex=True, sharey=True)
    for axes, condition in zip(drawn, CONDITIONS, strict=True):
        ratios = {
            scheme: {workload: results.mean_ratio(scheme, "Baseline", workload, condition) for workload in READ_PERCENT}
            for scheme in schemes
        }
        bars(ratios, colours=[COLOURS[scheme] for scheme in schemes], axes=axes)
        axes.set_ylim(0, 1.05)
    figure.supylabel("mean response time over Baseline's", fontsize=10)
    shared_legend(figure)
    return figure
