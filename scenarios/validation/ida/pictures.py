# SPDX-License-Identifier: Apache-2.0
"""Figures 8 to 11 and tables IV and V of Choi et al., as the model has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comparison.pictures import BLUES, LINE, PUBLISHED_COLOUR, bars_and_mean, titled, with_mean
from ida import published
from ida.published import WORKLOADS
from ida.results import Results

WIDE = (11, 4)
OVER_BASELINE = "mean read response time over the baseline's"
BOTH = (BLUES[1], PUBLISHED_COLOUR)


def draw_all(results: Results) -> dict[str, Figure]:
    return {
        "figure_08_errors.png": _errors(results),
        "figure_09_read_steps.png": _read_steps(results),
        "figure_10_throughput.png": _throughput(results),
        "figure_11_late_life.png": _late_life(results),
        "table_04_refresh.png": _refresh(results),
        "table_05_mlc.png": _mlc(results),
    }


Series = Mapping[str, Sequence[float]]


def _bars(axes: Axes, series: Series, colours: Sequence[str], published_means: Sequence[float] = ()) -> None:
    """A group for each workload, and one for the mean with its published value."""
    values = {
        name: with_mean(WORKLOADS, dict(zip(WORKLOADS, of, strict=True)).__getitem__) for name, of in series.items()
    }
    bars_and_mean(axes, values, colours, dict(zip(series, published_means, strict=False)))


def _over_baseline(results: Results, group: str, system: str) -> list[float]:
    return [1 - results.mean_gain(group, system, workload) / 100 for workload in WORKLOADS]


def _errors(results: Results) -> Figure:
    figure, axes = titled(size=WIDE, ylabel=OVER_BASELINE)
    gains = (*published.ERROR_RATES.values(), published.GAIN_AT_80)
    ours = {system: _over_baseline(results, "tlc", system) for system in ("E0", "E20", "E50", "E80")}
    _bars(axes, ours, BLUES, [1 - gain / 100 for gain in gains])
    axes.set_ylim(0, 1.05)
    return figure


def _read_steps(results: Results) -> Figure:
    figure, axes = titled(size=WIDE, ylabel=OVER_BASELINE)
    groups = {"30 us": "tlc_30", "50 us": "tlc", "70 us": "tlc_70"}
    gains = (published.READ_STEPS[30], published.ERROR_RATES[0.2], published.READ_STEPS[70])
    ours = {f"tR by {name} a page": _over_baseline(results, group, "E20") for name, group in groups.items()}
    _bars(axes, ours, BLUES[2::-1], [1 - gain / 100 for gain in gains])
    axes.set_ylim(0, 1.05)
    return figure


def _throughput(results: Results) -> Figure:
    figure, axes = titled(size=WIDE, ylabel="throughput more than the baseline's, %")
    more = [mean(results.more_throughput(name, seed) for seed in results.seeds) for name in WORKLOADS]
    _bars(axes, {"E20": more}, BLUES[1:], [published.THROUGHPUT])
    axes.set_ylim(0, 1.2 * published.THROUGHPUT)
    return figure


def _late_life(results: Results) -> Figure:
    figure, axes = titled(size=WIDE, ylabel=OVER_BASELINE)
    ours = {
        "E20, early": _over_baseline(results, "tlc", "E20"),
        "E20, late, half as many reads": _over_baseline(results, "late", "E20"),
    }
    _bars(axes, ours, BLUES[1::-1], [1 - gain / 100 for gain in (published.ERROR_RATES[0.2], published.LATE_LIFE)])
    axes.axhline(1, color=LINE, linewidth=0.7)
    return figure


def _refresh(results: Results) -> Figure:
    figure = Figure(figsize=(11, 7), layout="constrained")
    columns = {
        "valid pages": ("valid_pages", [w.valid for w in WORKLOADS.values()]),
        "added reads": ("read_back_pages", [w.added_reads for w in WORKLOADS.values()]),
        "added writes": ("written_back_pages", [w.added_writes for w in WORKLOADS.values()]),
    }
    for axes, (label, (counted, printed)) in zip(figure.subplots(3, 1, sharex=True), columns.items(), strict=True):
        ours = [results.per_block(workload, counted) for workload in WORKLOADS]
        _bars(axes, {"ours, E20": ours, "published": printed}, BOTH)
        axes.set_ylabel(f"{label} of a block")
    return figure


def _mlc(results: Results) -> Figure:
    figure, axes = titled(size=WIDE, ylabel="mean read response time less than the baseline's, %")
    ours = [results.mean_gain("mlc", "E20", workload) for workload in WORKLOADS]
    _bars(axes, {"ours, E20": ours, "published": [w.mlc_percent for w in WORKLOADS.values()]}, BOTH)
    return figure
