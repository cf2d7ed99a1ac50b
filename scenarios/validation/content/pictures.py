# SPDX-License-Identifier: Apache-2.0
"""Draws figures 1, 3 and 10 to 15 of Sha et al. with our results. Kinds of files take the place of the paper's
workloads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comparison import pictures
from comparison.pictures import LINE, PUBLISHED_COLOUR, bars_and_mean, legend_above, panels, shared_legend, with_mean
from content.device import FILES, Device
from content.gains import SEGMENTS, Gains
from content.rows import PUBLISHED, Results
from content.system import RATES, System
from nandscape import content
from nandscape.pictures import state_shares
from nandscape.pictures.style import PUBLISHED as PUBLISHED_MARK

BLUES = pictures.BLUES[::-1]  # the lightest first
SHADES = ("#e9eef3", "#c9d9e8", "#93bbdc", "#5995c6", "#2669a3", "#0b3c6f")
SHOWN = {"system_files": "System files", "email": "Email", "codes": "Codes"}  # in Figure 1
SHOWN_PAGES = 200
NAMES = [kind.replace("_", "\n") for kind in FILES]


def draw_all(results: Results, files: Mapping[str, Mapping[str, Gains]], system: System) -> dict[str, Figure]:
    """Returns all pictures by file name. `files` holds, for each kind of file, the gains of writes and of reads."""
    writes, reads = ({name: gains[kind] for name, gains in files.items()} for kind in ("write", "read"))
    shown = {words: Device(SHOWN_PAGES * len(FILES), 1, files=(kind,)) for kind, words in SHOWN.items()}
    return {
        "figure_01_states.png": state_shares({words: device.states / content.CELLS for words, device in shown.items()}),
        "figure_03_cdber.png": _cdber(shown),
        "figure_10_writes.png": _gains("write", writes),
        "figure_11_reads.png": _gains("read", reads),
        "figure_12_segments.png": _segments(results),
        "figure_13_execution.png": _execution(system),
        "figure_14_mapped_writes.png": _mapped("write", writes),
        "figure_15_mapped_reads.png": _mapped("read", reads),
    }


def _cdber(shown: Mapping[str, Device]) -> Figure:
    figure, drawn = panels(1, len(shown), (11, 4), shown, sharey=True)
    for axes, device in zip(drawn, shown.values(), strict=True):
        errors = device.speeds.errors(0)
        for value, style, label in (
            (device.speeds.correctable_ber, "-", "correctable, BCH(34496, 32768, 55)"),
            (errors[3, 0], "--", "worst LSB page"),
            (errors[2, 0], ":", "worst MSB page"),
        ):
            axes.axhline(1000 * value, color=LINE, linewidth=1, linestyle=style, label=label)
        for (page, rates), colour in zip(device.cdber().items(), BLUES[1::2], strict=True):
            axes.plot(1000 * rates, ".", color=colour, markersize=3, label=f"{page.upper()} pages")
        axes.set(xlabel="page", ylim=(0, None))
    drawn[0].set_ylabel("CDBER, in 1000 bits")
    shared_legend(figure, place="outside upper center")
    return figure


def _bars(
    axes: Axes, series: Mapping[str, Mapping[str, float]], colours: Sequence[str], published: Sequence[float]
) -> None:
    """Draws the latencies relative to the traditional ones, calculated from the gains of each kind of file, and their
    mean with the published mean."""
    ratios = {name: with_mean(gains, lambda kind, gains=gains: 1 - gains[kind] / 100) for name, gains in series.items()}
    bars_and_mean(axes, ratios, colours, {name: 1 - gain / 100 for name, gain in zip(series, published, strict=True)})
    axes.set_xticks(axes.get_xticks(), [*NAMES, "mean"], fontsize=8)
    axes.set_ylim(0, 1.05)


def _stacks(axes: Axes, names: Sequence[str], columns: Sequence[str], shares: Sequence[Sequence[float]]) -> None:
    """Draws the shares of the pages as stacked bars."""
    bottom = np.zeros(len(columns))
    for k, name in enumerate(names):
        heights = 100 * np.array([column[k] for column in shares])
        axes.bar(columns, heights, bottom=bottom, color=SHADES[k], width=0.7, label=name)
        bottom += heights
    axes.tick_params(axis="x", labelsize=8)
    axes.set(ylabel="of the pages, %", ylim=(0, 100))
    legend_above(axes, len(names))


def _two(kind: str) -> tuple[Figure, Axes, Axes]:
    """Returns a figure with two panels: the upper is for latencies, the lower for shares of pages."""
    figure, (upper, lower) = panels(2, 1, (11, 7))
    upper.set_ylabel(f"{kind} latency over the traditional one")
    return figure, upper, lower


def _gains(kind: str, files: Mapping[str, Gains]) -> Figure:
    figure, upper, lower = _two(kind)
    series = {
        words: {name: gains.by_page[page] for name, gains in files.items()}
        for page, words in (("lsb", "LSB pages"), ("msb", "MSB pages"), ("both", "both"))
    }
    optimal = {name: _further(both, files[name].optimal) for name, both in series["both"].items()}
    means = [PUBLISHED.paper(f"{kind}_{page}") for page in ("lsb", "msb", "both")]
    best = _further(means[-1], PUBLISHED.paper(f"{kind}_optimal"))
    _bars(upper, series | {"optimal": optimal}, BLUES, [*means, best])
    _stacks(lower, _names(kind), NAMES, [gains.used for gains in files.values()])
    return figure


def _further(gain: float, more: float) -> float:
    """Returns the total gain in percent if a gain of `more` percent follows a gain of `gain` percent."""
    return 100 - (100 - gain) * (1 - more / 100)


def _segments(results: Results) -> Figure:
    figure, upper, lower = _two("read")
    gain = np.mean([b.gain for b in results.by_segments], axis=0)
    columns = [str(number) for number in SEGMENTS]
    upper.bar(columns, 1 - gain / 100, color=BLUES[2], width=0.7, label="both")
    best = SEGMENTS.index(PUBLISHED.paper("best_segments"))
    upper.plot(best, 1 - PUBLISHED.paper("read_both") / 100, label="published", **PUBLISHED_MARK)
    upper.set_ylim(0, 1.05)
    legend_above(upper, 2)
    codes = np.mean([b.codes for b in results.by_segments], axis=0)
    _stacks(lower, _names("read", len(SEGMENTS)), columns, list(codes))
    lower.set_xlabel("segments that are counted")
    return figure


def _execution(system: System) -> Figure:
    """Draws the gains of whole drives: the gain of faster writes at each request rate, and the gain of lighter
    codes.
    """
    titles = ("faster writes", "lighter codes")
    figure, (writes, reads) = panels(1, 2, (9, 3.6), titles, width_ratios=(3, 1))
    rates = np.array((0, *RATES)) / 1000
    writes.plot(rates, (system.writes, *system.at_rates), "o-", color=BLUES[2], label="each page by its own step")
    writes.plot(0, system.writes_of_both_pages, "s", color=BLUES[0], label="a step for both pages, one write at a time")
    writes.set(
        xlabel="1000 writes/s, Poisson arrivals; 0: one at a time", ylabel="response time less, %", ylim=(0, None)
    )
    reads.bar(["half reads,\none at a time"], [system.requests], width=0.5, color=BLUES[2])
    reads.set(ylim=(0, 10), xlim=(-0.8, 0.8))
    for axes, key in ((writes, "execution_writes"), (reads, "execution_reads")):
        axes.axhline(PUBLISHED.paper(key), color=PUBLISHED_COLOUR, linewidth=2, label="published mean")
    writes.legend(loc="lower right")
    return figure


def _mapped(kind: str, files: Mapping[str, Gains]) -> Figure:
    figure, upper, lower = _two(kind)
    plain = {name: gains.by_page["both"] for name, gains in files.items()}
    series = {
        "w/o SM": plain,
        "w/ SM, rule of Figure 7": {n: _further(plain[n], files[n].mapped_by_share) for n in files},
        "w/ SM, best of 24": {n: _further(plain[n], files[n].mapped) for n in files},
    }
    before = PUBLISHED.paper(f"{kind}_both")
    after = _further(before, PUBLISHED.paper(f"{kind}_mapped"))
    _bars(upper, series, BLUES[1:], [before, after, after])
    columns, shares = [], []
    for name, gains in zip(NAMES, files.values(), strict=True):
        columns += [f"{name}\nw/o", f"{name}\nw/"]
        shares += [gains.used, gains.mapped_used]
    _stacks(lower, _names(kind), columns, shares)
    return figure


def _names(kind: str, codes: int = 4) -> list[str]:
    if kind == "write":
        return [f"S{level + 1}" for level in range(len(PUBLISHED.paper("program_us")))]
    return [f"t = {code.correctable}" for code in content.CODES[:codes]]
