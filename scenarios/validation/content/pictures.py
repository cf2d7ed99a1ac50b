# SPDX-License-Identifier: Apache-2.0
"""Figures 1, 3 and 10 to 15 of Sha et al., as the model has them; files take the place of workloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import comparison.pictures
from comparison.pictures import LINE, PUBLISHED_COLOUR, legend_above
from content import published
from content.device import FILES, Device
from content.gains import Gains, cdber
from content.rows import Results
from content.system_rows import RATES, System
from nandscape import content
from nandscape.pictures import state_shares, tidy

BLUES = comparison.pictures.BLUES[::-1]  # the lightest first
SHADES = ("#e9eef3", "#c9d9e8", "#93bbdc", "#5995c6", "#2669a3", "#0b3c6f")
SHOWN = {"system_files": "System files", "email": "Email", "codes": "Codes"}  # in Figure 1
SHOWN_PAGES = 200
NAMES = [kind.replace("_", "\n") for kind in FILES]


def draw_all(results: Results, files: Mapping[str, Gains], system: System) -> dict[str, Figure]:
    shown = {words: Device(SHOWN_PAGES * len(FILES), 1, files=(kind,)) for kind, words in SHOWN.items()}
    return {
        "figure_01_states.png": state_shares({words: device.states / content.CELLS for words, device in shown.items()}),
        "figure_03_cdber.png": _cdber(shown),
        "figure_10_writes.png": _gains("write", results, files),
        "figure_11_reads.png": _gains("read", results, files),
        "figure_12_segments.png": _segments(results),
        "figure_13_execution.png": _execution(system),
        "figure_14_mapped_writes.png": _mapped("write", results, files),
        "figure_15_mapped_reads.png": _mapped("read", results, files),
    }


def _cdber(shown: Mapping[str, Device]) -> Figure:
    figure = Figure(figsize=(11, 4), layout="constrained")
    for axes, (words, device) in zip(figure.subplots(1, len(shown), sharey=True), shown.items(), strict=True):
        errors = device.speeds.errors(0)
        for value, style, label in (
            (device.speeds.correctable_ber, "-", "correctable, BCH(34496, 32768, 55)"),
            (errors[3, 0], "--", "worst LSB page"),
            (errors[2, 0], ":", "worst MSB page"),
        ):
            axes.axhline(1000 * value, color=LINE, linewidth=1, linestyle=style, label=label)
        for (page, rates), colour in zip(cdber(device).items(), BLUES[1::2], strict=True):
            axes.plot(1000 * rates, ".", color=colour, markersize=3, label=f"{page.upper()} pages")
        axes.set_title(words, loc="left", fontsize=10)
        axes.set(xlabel="page", ylim=(0, None))
        tidy(axes)
    figure.axes[0].set_ylabel("CDBER, in 1000 bits")
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5, frameon=False, fontsize=8
    )
    return figure


def _bars(axes: Axes, series: Sequence[tuple[str, str, Sequence[float]]], means: Sequence[float], label: str) -> None:
    """Latencies over the traditional ones: a group for each kind of file, and the mean with what is published of it."""
    places = np.arange(len(FILES) + 1)
    width = 0.8 / len(series)
    for k, ((name, colour, gains), published_gain) in enumerate(zip(series, means, strict=True)):
        middle = (k - (len(series) - 1) / 2) * width
        heights = [1 - gain / 100 for gain in (*gains, mean(gains))]
        axes.bar(places + middle, heights, width=0.92 * width, color=colour, label=name)
        end = len(FILES) + middle
        mark = "published mean" if k == 0 else None
        ends = [end - width / 2, end + width / 2]
        axes.plot(ends, [1 - published_gain / 100] * 2, color=PUBLISHED_COLOUR, linewidth=2, label=mark)
    axes.axvline(len(FILES) - 0.5, color=LINE, linewidth=0.7)
    axes.set_xticks(places, [*NAMES, "mean"], fontsize=8)
    axes.set(ylabel=label, ylim=(0, 1.05))
    legend_above(axes, len(series) + 1)
    tidy(axes)


def _stacks(axes: Axes, names: Sequence[str], columns: Sequence[str], shares: Sequence[Sequence[float]]) -> None:
    """Shares of the pages, a column each."""
    bottom = np.zeros(len(columns))
    for k, name in enumerate(names):
        heights = 100 * np.array([column[k] for column in shares])
        axes.bar(columns, heights, bottom=bottom, color=SHADES[k], width=0.7, label=name)
        bottom += heights
    axes.tick_params(axis="x", labelsize=8)
    axes.set(ylabel="of the pages, %", ylim=(0, 100))
    legend_above(axes, len(names))
    tidy(axes)


def _both(kind: str) -> tuple[Figure, Axes, Axes, str]:
    figure = Figure(figsize=(11, 7), layout="constrained")
    upper, lower = figure.subplots(2, 1)
    return figure, upper, lower, f"{kind} latency over the traditional one"


def _gains(kind: str, results: Results, files: Mapping[str, Gains]) -> Figure:
    figure, upper, lower, label = _both(kind)
    of_kind = {name: getattr(gains, kind) for name, gains in files.items()}
    means = published.WRITE if kind == "write" else published.READ
    further = [(1 - (1 - of_kind[name]["both"] / 100) * (1 - files[name].optimal[kind] / 100)) * 100 for name in FILES]
    words = {"lsb": "LSB pages", "msb": "MSB pages", "both": "both"}
    series = [
        (words[page], colour, [of_kind[name][page] for name in FILES])
        for page, colour in zip(words, BLUES, strict=False)
    ]
    best = 100 - (100 - means["both"]) * (1 - published.OPTIMAL[kind] / 100)
    _bars(upper, [*series, ("optimal", BLUES[3], further)], [*means.values(), best], label)
    shares = [gains.levels if kind == "write" else gains.codes[:4] for gains in files.values()]
    _stacks(lower, _names(kind), NAMES, shares)
    return figure


def _segments(results: Results) -> Figure:
    figure, upper, lower, label = _both("read")
    gain = np.mean([b.gain for b in results.by_segments], axis=0)
    columns = [str(number) for number in published.SEGMENTS]
    upper.bar(columns, 1 - gain / 100, color=BLUES[2], width=0.7, label="both")
    best = published.SEGMENTS.index(published.BEST_SEGMENTS)
    ends = [best - 0.4, best + 0.4]
    upper.plot(ends, [1 - published.READ["both"] / 100] * 2, color=PUBLISHED_COLOUR, linewidth=2, label="published")
    upper.set(ylabel=label, ylim=(0, 1.05))
    legend_above(upper, 2)
    tidy(upper)
    codes = np.mean([b.codes for b in results.by_segments], axis=0)
    _stacks(lower, _names("read", len(published.SEGMENTS)), columns, list(codes))
    lower.set_xlabel("segments that are counted")
    return figure


def _execution(system: System) -> Figure:
    """Gains of whole drives: writes over their rate, with what is published; and lighter codes."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    writes, reads = figure.subplots(1, 2, width_ratios=(3, 1))
    rates = np.array((0, *RATES)) / 1000
    writes.plot(rates, (system.writes, *system.at_rates), "o-", color=BLUES[2], label="each page by its own step")
    writes.plot(0, system.writes_of_both_pages, "s", color=BLUES[0], label="a step for both pages, one write at a time")
    writes.set(
        xlabel="1000 writes/s, Poisson arrivals; 0: one at a time", ylabel="response time less, %", ylim=(0, None)
    )
    reads.bar(["half reads,\none at a time"], [system.requests], width=0.5, color=BLUES[2])
    reads.set(ylim=(0, 10), xlim=(-0.8, 0.8), title="lighter codes")
    writes.set(title="faster writes")
    for axes, kind in ((writes, "write"), (reads, "read")):
        axes.axhline(published.EXECUTION[kind], color=PUBLISHED_COLOUR, linewidth=2, label="published mean")
        axes.title.set_fontsize(10)
        tidy(axes)
    writes.legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def _mapped(kind: str, results: Results, files: Mapping[str, Gains]) -> Figure:
    figure, upper, lower, label = _both(kind)
    plain = [getattr(files[name], kind)["both"] for name in FILES]

    def further(gains: Sequence[float]) -> list[float]:
        return [100 - (100 - before) * (1 - more / 100) for before, more in zip(plain, gains, strict=True)]

    by_share = further([files[name].mapped_by_share[kind] for name in FILES])
    best = further([files[name].mapped[kind] for name in FILES])
    before = (published.WRITE if kind == "write" else published.READ)["both"]
    after = 100 - (100 - before) * (1 - published.MAPPED[kind] / 100)
    series = [
        ("w/o SM", BLUES[1], plain),
        ("w/ SM, rule of Figure 7", BLUES[2], by_share),
        ("w/ SM, best of 24", BLUES[3], best),
    ]
    _bars(upper, series, [before, after, after], label)
    columns, shares = [], []
    for name, gains in zip(NAMES, files.values(), strict=True):
        columns += [f"{name}\nw/o", f"{name}\nw/"]
        shares += [gains.levels, gains.mapped_levels] if kind == "write" else [gains.codes[:4], gains.mapped_codes[:4]]
    _stacks(lower, _names(kind), columns, shares)
    return figure


def _names(kind: str, codes: int = 4) -> list[str]:
    if kind == "write":
        return [f"S{level + 1}" for level in range(len(published.PROGRAM_US))]
    return [f"t = {code.correctable}" for code in content.CODES[:codes]]
