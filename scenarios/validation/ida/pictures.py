# SPDX-License-Identifier: Apache-2.0
"""Figures 8 to 11 and tables IV and V of Choi et al., as the model has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from shared.pictures import save

from ida import published
from ida.published import WORKLOADS
from ida.results import Results
from nandscape.pictures import bars

PUBLISHED = "#b5304a"
BLUES = ("#0b3c6f", "#1f6fb4", "#6aa6d6", "#b9d3ea")
EVERYTHING = [*WORKLOADS, "mean"]


def draw_all(folder: Path, results: Results) -> list[Path]:
    """Writes all pictures and returns where."""
    drawn = {
        "figure_08_errors.png": _errors(results),
        "figure_09_read_steps.png": _read_steps(results),
        "figure_10_throughput.png": _throughput(results),
        "figure_11_late_life.png": _late_life(results),
        "table_04_refresh.png": _refresh(results),
        "table_05_mlc.png": _mlc(results),
    }
    return save(drawn, folder)


def _bars(
    axes: Axes, series: Sequence[tuple[str, str, Sequence[float]]], published_means: Sequence[float] = ()
) -> None:
    """A group for each workload and one for their mean, which may have what is published of it."""
    values = {label: dict(zip(EVERYTHING, [*figures, mean(figures)], strict=True)) for label, _, figures in series}
    marks = {label: {"mean": value} for (label, _, _), value in zip(series, published_means, strict=False)}
    bars(values, published=marks, colours=[colour for _, colour, _ in series], axes=axes)
    axes.axvline(len(WORKLOADS) - 0.5, color="#4c566a", linewidth=0.7)
    axes.legend(frameon=False, fontsize=8, ncols=len(series) + 1, loc="lower left", bbox_to_anchor=(0, 1))


def _over_baseline(results: Results, group: str, system: str) -> list[float]:
    return [1 - results.mean_gain(group, system, workload) / 100 for workload in WORKLOADS]


def _figure(label: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(11, 4), layout="constrained")
    axes = figure.subplots()
    axes.set_ylabel(label)
    return figure, axes


def _errors(results: Results) -> Figure:
    figure, axes = _figure("mean read response time over the baseline's")
    systems = ("E0", "E20", "E50", "E80")
    _bars(
        axes,
        [(name, colour, _over_baseline(results, "tlc", name)) for name, colour in zip(systems, BLUES, strict=True)],
        [1 - gain / 100 for gain in (*published.ERROR_RATES.values(), published.GAIN_AT_80)],
    )
    axes.set_ylim(0, 1.05)
    return figure


def _read_steps(results: Results) -> Figure:
    figure, axes = _figure("mean read response time over the baseline's")
    groups = {"30 us": "tlc_30", "50 us": "tlc", "70 us": "tlc_70"}
    gains = (published.READ_STEPS[30], published.ERROR_RATES[0.2], published.READ_STEPS[70])
    _bars(
        axes,
        [
            (f"tR by {name} a page", colour, _over_baseline(results, group, "E20"))
            for (name, group), colour in zip(groups.items(), BLUES[2::-1], strict=True)
        ],
        [1 - gain / 100 for gain in gains],
    )
    axes.set_ylim(0, 1.05)
    return figure


def _throughput(results: Results) -> Figure:
    figure, axes = _figure("throughput more than the baseline's, %")
    more = [mean(results.more_throughput(name, seed) for seed in results.seeds) for name in WORKLOADS]
    _bars(axes, [("E20", BLUES[1], more)], [published.THROUGHPUT])
    axes.set_ylim(0, 1.2 * published.THROUGHPUT)
    return figure


def _late_life(results: Results) -> Figure:
    figure, axes = _figure("mean read response time over the baseline's")
    _bars(
        axes,
        [
            ("E20, early", BLUES[1], _over_baseline(results, "tlc", "E20")),
            ("E20, late, half as many reads", BLUES[0], _over_baseline(results, "late", "E20")),
        ],
        [1 - gain / 100 for gain in (published.ERROR_RATES[0.2], published.LATE_LIFE)],
    )
    axes.axhline(1, color="#4c566a", linewidth=0.7)
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
        _bars(axes, [("ours, E20", BLUES[1], ours), ("published", PUBLISHED, printed)])
        axes.set_ylabel(f"{label} of a block")
    return figure


def _mlc(results: Results) -> Figure:
    figure, axes = _figure("mean read response time less than the baseline's, %")
    ours = [results.mean_gain("mlc", "E20", workload) for workload in WORKLOADS]
    _bars(axes, [("ours, E20", BLUES[1], ours), ("published", PUBLISHED, [w.mlc_percent for w in WORKLOADS.values()])])
    return figure
