# SPDX-License-Identifier: Apache-2.0
"""Draws pictures of the cell model: threshold voltages, error rates over retention time, and programming."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from comparison.pictures import panels
from nandscape.pictures import tidy
from physics.park_2021 import CODEWORD_BITS, CORRECTABLE, cells

STATE_COLOURS = ["#4c566a", "#1f6fb4", "#2a9d8f", "#7a9a01", "#d9a400", "#d2601a", "#b5304a", "#7b4ba0"]
CYCLE_COLOURS = {0: "#2a9d8f", 1000: "#1f6fb4", 2000: "#b5304a"}
PAGE_NAMES = ["LSB", "CSB", "MSB"]
DASHED = (0, (4, 3))


def draw_all(quick: bool) -> dict[str, Figure]:
    return {
        "vth_distributions.png": _vth_distributions(quick),
        "rber_over_retention.png": _rber_over_retention(),
        "ispp_staircase.png": _ispp_staircase(),
    }


def _mark(label: str, color: str = "#555555", **style: Any) -> Line2D:
    """Returns a line for a legend."""
    return Line2D([], [], label=label, color=color, **style)


def _vth_distributions(quick: bool) -> Figure:
    """Draws the distributions in closed form as lines, over histograms of simulated cells. Default read levels are
    dashed.
    """
    tlc = cells()
    conditions = {"fresh": (0, 0), "2000 cycles, 12 months at 30 °C": (2000, 12)}
    figure, drawn = panels(2, 1, (10, 7), conditions, sharex=True, sharey=True)
    voltages = np.arange(-4600, 6000, 5.0)
    bins = np.arange(-4600, 6001, 25.0)
    for axes, (cycles, months) in zip(drawn, conditions.values(), strict=True):
        vth, state = tlc.sample(cycles, months, cells=1 << (18 if quick else 22))
        for s, colour in enumerate(STATE_COLOURS):
            of_state = vth[state == s]
            count, _ = np.histogram(of_state, bins)
            axes.stairs(1000 * count / of_state.size / 25, bins, fill=True, color=colour, alpha=0.3, linewidth=0)
            density = 1000 * tlc.vth_density(s, voltages, cycles, months)
            axes.plot(voltages, density, color=colour, linewidth=1.4)
            peak = voltages[density > 0.98 * density.max()].mean()
            axes.annotate(
                "E" if s == 0 else f"P{s}", (peak, density.max()), (0, 3), textcoords="offset points", ha="center",
                fontsize=9, color=colour,
            )  # fmt: skip
        for level in tlc.levels(cycles, months):
            axes.axvline(level, color="#333333", linewidth=0.9, linestyle=DASHED)
        axes.set(yscale="log", ylim=(1e-5, 20), xlim=(-4500, 5800), ylabel="density of the state (1/V)")
        tidy(axes, "both")
    drawn[-1].set_xlabel("threshold voltage (mV)")
    handles = [
        _mark("closed form, median wordline", linewidth=1.4),
        _mark("cells one by one", linewidth=7, alpha=0.3),
        _mark("levels of a plain read", color="#333333", linewidth=0.9, linestyle=DASHED),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    figure.suptitle("tlc_3d_48: threshold voltages", fontsize=12)
    return figure


def _final_rber(page: int, cycles: float, months: float) -> float:
    """Returns the raw bit error rate at the first retry step at which the ECC corrects a codeword with the mean number
    of errors. If there is no such step, returns the rate at the last step.
    """
    tlc = cells()
    for step in range(tlc.config["nand.cells.read_levels.retry_steps"] + 1):
        rber = tlc.rber(page, cycles, months, retry_step=step)
        if rber * CODEWORD_BITS <= CORRECTABLE:
            break
    return rber


def _rber_over_retention() -> Figure:
    """Draws a panel for each type of page, with the error rate at the default read levels and the error rate at the
    retry step at which the page can be read.
    """
    tlc = cells()
    titles = [f"{name} page, {senses} senses" for name, senses in zip(PAGE_NAMES, tlc.senses(), strict=True)]
    figure, drawn = panels(1, 3, (11, 4.6), titles, sharey=True)
    months = np.geomspace(0.01, 12, 200)
    for page, axes in enumerate(drawn):
        for cycles, colour in CYCLE_COLOURS.items():
            plain = [tlc.rber(page, cycles, t) for t in months]
            final = [_final_rber(page, cycles, t) for t in months]
            axes.plot(months, plain, color=colour, linewidth=1.5, linestyle=(0, (4, 2)))
            axes.plot(months, final, color=colour, linewidth=1.5)
        axes.axhline(CORRECTABLE / CODEWORD_BITS, color="#333333", linewidth=1, linestyle=":")
        axes.set(xscale="log", yscale="log", ylim=(2e-5, 1), xlim=(0.01, 12), xlabel="months at 30 °C")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        tidy(axes, "both")
    drawn[0].set_ylabel("raw bit error rate")
    handles = [
        *(_mark(f"{cycles} cycles", color=colour) for cycles, colour in CYCLE_COLOURS.items()),
        _mark("plain read", linestyle=(0, (4, 2))),
        _mark("retry step that reads the page"),
        _mark(f"{CORRECTABLE} errors in {CODEWORD_BITS} bits", color="#333333", linewidth=1, linestyle=":"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=6)
    figure.suptitle("tlc_3d_48: errors of the median wordline, read at 85 °C", fontsize=12)
    return figure


def _ispp_staircase() -> Figure:
    """Draws the mean threshold voltage of the cells of each state after each ISPP pulse, and the share of these cells
    that have reached their state.
    """
    tlc = cells()
    trace = tlc.program_trace(cells=1 << 16)
    expected = tlc.program()
    figure, (rise, done) = panels(2, 1, (10, 6.4), sharex=True, height_ratios=(3, 1))
    pulses = np.arange(1, trace.pulses + 1)
    for s, colour in enumerate(STATE_COLOURS[1:], start=1):
        rise.step(pulses, trace.mean_mv[:, s], where="mid", color=colour, linewidth=1.6)
        rise.axhline(expected.verify_mv[s - 1], color=colour, linewidth=0.8, linestyle=DASHED)
        rise.annotate(
            f"P{s}", (pulses[-1] + 0.5, trace.mean_mv[-1, s]), (4, 0), textcoords="offset points", va="center",
            fontsize=9, color=colour,
        )  # fmt: skip
        done.step(pulses, 100 * trace.finished[:, s], where="mid", color=colour, linewidth=1.4)
    rise.set(ylabel="mean threshold voltage (mV)", xlim=(0.5, trace.pulses + 0.5))
    done.set(ylabel="finished cells (%)", xlabel="pulse", ylim=(0, 103))
    for axes in (rise, done):
        tidy(axes, "both")
    handles = [
        _mark("mean of a state's cells", linewidth=1.6),
        _mark("its verify level", linewidth=0.8, linestyle=DASHED),
    ]
    rise.legend(handles=handles, loc="upper left")
    figure.suptitle(
        f"tlc_3d_48: programming in {trace.pulses} pulses and {trace.verifies} verifies "
        f"(expected: {expected.pulses} and {expected.verifies}, {expected.latency_us:.0f} µs)",
        fontsize=12,
    )
    return figure
