# SPDX-License-Identifier: Apache-2.0
"""Draws figures 8 to 11 and tables IV and V of Choi et al. with our results."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comparison.pictures import BLUES, LINE, PUBLISHED_COLOUR, bars_and_mean, panel, panels, with_mean
from ida.published import WORKLOADS
from ida.rows import PUBLISHED
from ida.runs import Results

WIDE = (11, 4)
BOTH = (BLUES[1], PUBLISHED_COLOUR)

# maps the name of each series to a function that returns the value of a workload
Bars = dict[str, Callable[[str], float]]


def draw_all(results: Results) -> dict[str, Figure]:
    def early(system: str) -> Callable[[str], float]:
        return lambda workload: results.mean_gain("tlc", system, workload)

    def e20(group: str) -> Callable[[str], float]:
        return lambda workload: results.mean_gain(group, "E20", workload)

    errors = {system: early(system) for system in ("E0", "E20", "E50", "E80")}
    steps = {f"tR by {step} us a page": e20(group) for step, group in ((30, "tlc_30"), (50, "tlc"), (70, "tlc_70"))}
    ages = {"E20, early": e20("tlc"), "E20, late, half as many reads": e20("late")}
    return {
        "figure_08_errors.png": _over_baseline(errors, BLUES, "e0", "e20", "e50", "e80"),
        "figure_09_read_steps.png": _over_baseline(steps, BLUES[2::-1], "step_30", "e20", "step_70"),
        "figure_10_throughput.png": _throughput(results),
        "figure_11_late_life.png": _over_baseline(ages, BLUES[1::-1], "e20", "late_life", top=None),
        "table_04_refresh.png": _refresh(results),
        "table_05_mlc.png": _mlc(results),
    }


def _bars(axes: Axes, series: Bars, colours: tuple[str, ...], published: tuple[float, ...] = ()) -> None:
    """Draws a group of bars for each workload and one for the mean, with the published means."""
    values = {name: with_mean(WORKLOADS, figure_of) for name, figure_of in series.items()}
    bars_and_mean(axes, values, colours, dict(zip(series, published, strict=False)))


def _over_baseline(gains: Bars, colours: tuple[str, ...], *published: str, top: float | None = 1.05) -> Figure:
    """Draws response times relative to those of the baseline. `published` names the rows with the published mean
    gains.
    """
    figure, axes = panel(size=WIDE, ylabel="mean read response time over the baseline's")
    ratios = {name: lambda workload, gain=gain: 1 - gain(workload) / 100 for name, gain in gains.items()}
    _bars(axes, ratios, colours, tuple(1 - PUBLISHED.paper(key) / 100 for key in published))
    axes.axhline(1, color=LINE, linewidth=0.7)
    axes.set_ylim(0, top)
    return figure


def _throughput(results: Results) -> Figure:
    figure, axes = panel(size=WIDE, ylabel="throughput more than the baseline's, %")
    published = PUBLISHED.paper("throughput")

    def more(workload: str) -> float:
        return mean(results.more_throughput(workload, seed) for seed in results.seeds)

    _bars(axes, {"E20": more}, BLUES[1:], (published,))
    axes.set_ylim(0, 1.2 * published)
    return figure


def _refresh(results: Results) -> Figure:
    columns = {
        "valid pages": ("valid_pages", "valid"),
        "added reads": ("read_back_pages", "added_reads"),
        "added writes": ("written_back_pages", "added_writes"),
    }
    figure, drawn = panels(3, 1, (11, 7), sharex=True)
    for axes, (label, (counted, printed)) in zip(drawn, columns.items(), strict=True):
        ours_and_paper: Bars = {
            "ours, E20": lambda workload, counted=counted: results.per_block(workload, counted),
            "published": lambda workload, printed=printed: getattr(WORKLOADS[workload], printed),
        }
        _bars(axes, ours_and_paper, BOTH)
        axes.set_ylabel(f"{label} of a block")
    return figure


def _mlc(results: Results) -> Figure:
    figure, axes = panel(size=WIDE, ylabel="mean read response time less than the baseline's, %")
    series: Bars = {
        "ours, E20": lambda workload: results.mean_gain("mlc", "E20", workload),
        "published": lambda workload: WORKLOADS[workload].mlc_percent,
    }
    _bars(axes, series, BOTH)
    return figure
