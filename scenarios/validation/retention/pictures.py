# SPDX-License-Identifier: Apache-2.0
"""Draws figures 6, 7, 9 and 13 to 17 of Liu, Yang and Wu with our results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

import nandscape as ns
from comparison.pictures import panel
from nandscape.pictures import bars, retention_requirements
from physics.liu_2012 import ALL_CORNERS, CODES, CORNER_CASES, SPEEDUPS
from physics.relaxed_writes import bch_retention_weeks, write_speedup
from retention.analysis import extra_writes_per_year, most_extra_writes_per_year
from retention.drive import ARCHITECTURES, RELAXED, UNLIMITED
from retention.published import GUARANTEES, LDPC_MB_PER_S, SIMULATED, VOLUMES
from retention.runs import Results

COLOURS = {"RR-10week": "#1f6fb4", "RR-2week": "#d2601a", "concatenated": "#4c566a"}
WEEKS = np.geomspace(0.2, 52, 60)
PLAIN = FuncFormatter(lambda value, _: f"{value:g}")


def draw_all(results: Results, required: Mapping[str, ns.RetentionRequirements]) -> dict[str, Figure]:
    return {
        "figure_06_write_speedup.png": _write_speedup(),
        "figure_07_code_retention.png": _code_retention(),
        "figure_09_requirements.png": retention_requirements(required),
        "figure_13_write_response.png": _speedups("write response time", results.write_speedup),
        "figure_14_response.png": _speedups("overall response time", results.overall_speedup),
        "figure_15_wear_out.png": _wear_out(),
        "figure_16_least_ldpc.png": _least_ldpc(results),
        "figure_17_ldpc_response.png": _ldpc_response(results),
    }


def _write_speedup() -> Figure:
    figure, axes = panel("Page write speedup by how long data have to be kept")
    for case in ALL_CORNERS:
        axes.plot(WEEKS, [write_speedup(weeks, **case) for weeks in WEEKS], color="#c9ced6")
    typical = [write_speedup(weeks) for weeks in WEEKS]
    axes.plot(WEEKS, typical, color="#1f6fb4", label="typical case; corner cases in grey")
    axes.plot(list(SPEEDUPS), list(SPEEDUPS.values()), "o", color="#d2601a", label="printed")
    axes.set(xscale="log", xlabel="weeks", ylabel="speedup", ylim=(0.9, 3))
    axes.xaxis.set_major_formatter(PLAIN)
    axes.legend()
    return figure


def _code_retention() -> Figure:
    figure, axes = panel("BCH of 24 bits in 1080 bytes: how long it retains data of worse cells")
    rates = np.geomspace(4.5e-4, 1e-1, 80)

    def weeks(**case: float) -> list[float]:
        return [bch_retention_weeks(rber, **case) or np.nan for rber in rates]

    for m, c_write in product(CORNER_CASES["m"], CORNER_CASES["c_write"]):
        axes.plot(rates, weeks(m=m, c_write=c_write), color="#c9ced6")
    axes.plot(rates, weeks(), color="#1f6fb4", label="typical case; corner cases in grey")
    axes.plot(list(CODES), list(CODES.values()), "o", color="#d2601a", label="printed")
    axes.set(xscale="log", yscale="log", xlabel="RBER after a year", ylabel="weeks")
    axes.yaxis.set_major_formatter(PLAIN)
    axes.legend()
    return figure


def _bars(axes: Axes, values: Mapping[str, Mapping[str, float]]) -> None:
    bars(values, colours=[COLOURS[name] for name in values], axes=axes)
    axes.tick_params(axis="x", rotation=30)
    axes.legend()


def _speedups(of: str, speedup: Callable[[str, str], float]) -> Figure:
    figure, axes = panel(f"SSD {of}, speedup over the baseline", (10, 4.2))
    _bars(axes, {system: {name: speedup(name, system) for name in SIMULATED} for system in RELAXED.values()})
    axes.set_ylabel("speedup")
    return figure


def _wear_out() -> Figure:
    figure, axes = panel("Extra writes of each cell and year", (10, 4.2))
    values = {
        RELAXED[weeks]: {name: extra_writes_per_year(volume, weeks) for name, volume in VOLUMES.items()}
        for weeks in GUARANTEES
    }
    _bars(axes, values)
    for weeks in GUARANTEES:
        bound = most_extra_writes_per_year(weeks)
        axes.axhline(bound, color=COLOURS[RELAXED[weeks]], linestyle="--", linewidth=1)
    axes.set_ylabel("extra writes (dashed: the whole disk in each period)")
    return figure


def _least_ldpc(results: Results) -> Figure:
    figure, axes = panel("Least throughput of LDPC that does not saturate", (10, 4.2))
    _bars(
        axes,
        {name: {workload: results.least_ldpc(name, workload) for workload in SIMULATED} for name in ARCHITECTURES},
    )
    axes.set(yscale="log", ylabel="MB/s", yticks=LDPC_MB_PER_S)
    axes.yaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()
    return figure


def _ldpc_response(results: Results) -> Figure:
    figure, axes = panel("Mean normalized response time of the workloads that do not saturate (equation 19)")
    places = range(len(LDPC_MB_PER_S) + 1)
    throughputs = (*LDPC_MB_PER_S, UNLIMITED)
    for name in ARCHITECTURES:
        means = [results.normalized(name, mb_per_s) for mb_per_s in throughputs]
        axes.plot(places, means, "o-", color=COLOURS[name], label=name)
        for place, mb_per_s in enumerate(LDPC_MB_PER_S):
            excluded = sum(results.saturated(name, workload, mb_per_s) for workload in SIMULATED)
            if excluded:
                axes.annotate(
                    f"{excluded} saturate", (place, means[place]), (4, 6), textcoords="offset points", fontsize=8
                )
    axes.set_xticks(list(places), [*map(str, LDPC_MB_PER_S), "unlimited"])
    axes.set(xlabel="throughput of LDPC, MB/s", ylabel="response time over that of unlimited LDPC")
    axes.set_ylim(0.9, None)
    axes.legend()
    return figure
