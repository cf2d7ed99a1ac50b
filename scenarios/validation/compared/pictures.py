# SPDX-License-Identifier: Apache-2.0
"""Error rates of all drives with the limits of their codes, and what the drives come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compared.drives import CLIENT
from compared.keeping import HARD, MOST_CYCLES, Keeping
from compared.life import Life
from nandscape.pictures import tidy
from nandscape.pictures.style import COLOURS, PUBLISHED

LEAST_RBER = 1e-8
POINTS = 60


def draw_all(lives: Sequence[Life]) -> dict[str, Figure]:
    return {"drive_errors.png": _errors(lives), "drive_figures.png": _figures(lives)}


def _errors(lives: Sequence[Life]) -> Figure:
    figure = Figure(figsize=(13, 5.5), layout="constrained")
    over_cycles, over_age = figure.subplots(1, 2, sharey=True)
    for colour, life in zip(COLOURS, lives, strict=False):
        drive, keeping = life.drive, life.keeping
        months = keeping.months(CLIENT)
        cycles = np.geomspace(10, 100_000, POINTS)
        _curve(over_cycles, cycles, [keeping.rber(each, months) for each in cycles], keeping, colour, drive.label)
        rated = keeping.rber(drive.rated_cycles, months)
        over_cycles.plot(drive.rated_cycles, min(rated, 0.5), **(PUBLISHED | {"markeredgecolor": colour}))
        days = np.geomspace(0.01, 3650, POINTS)
        errors = [keeping.rber(drive.worn_cycles, 12 * each / CLIENT.days) for each in days]
        _curve(over_age, days, errors, keeping, colour, f"{drive.label}, {drive.worn_cycles:,} cycles")
    over_cycles.set(xlabel="program/erase cycles", ylabel="raw bit error rate at the best retry step")
    over_cycles.set_title(f"after {CLIENT.name}; diamonds: published ratings", loc="left", fontsize=10)
    over_age.set_xlabel("age at 30 °C [days]")
    over_age.set_title("dashed: what the code bears, dotted: with soft reads", loc="left", fontsize=10)
    for axes in (over_cycles, over_age):
        axes.set(xscale="log", yscale="log", ylim=(LEAST_RBER, 1))
        axes.legend(fontsize=8, frameon=False, loc="upper left")
        tidy(axes, "both")
    return figure


def _curve(axes: Axes, places: np.ndarray, errors: Sequence[float], keeping: Keeping, colour: str, label: str) -> None:
    axes.plot(places, np.maximum(errors, LEAST_RBER / 10), color=colour, label=label)
    for levels, limit in keeping.limits.items():
        axes.axhline(limit, color=colour, linewidth=0.8, linestyle="--" if levels == HARD else ":")


def _figures(lives: Sequence[Life]) -> Figure:
    panels: list[tuple[str, Callable[[Life], float]]] = [
        ("random read, one at a time [µs]", lambda life: life.speed.read_us),
        ("the same, worn and 3 months old [µs]", lambda life: life.speed.aged_read_us),
        ("random writes in the long run [1/s]", lambda life: life.speed.steady_write_iops),
        ("cycles until data are lost", lambda life: min(life.cycles, MOST_CYCLES)),
        ("random writes of a life [TB]", lambda life: life.host_tb),
    ]
    figure = Figure(figsize=(13, 4), layout="constrained")
    places = np.arange(len(lives))
    for axes, (title, of) in zip(figure.subplots(1, len(panels)), panels, strict=True):
        values = [of(life) for life in lives]
        axes.bar(places, values, color=COLOURS[: len(lives)])
        axes.set(yscale="log", ylim=(10 ** math.floor(math.log10(min(value for value in values if value > 0))), None))
        axes.set_title(title, loc="left", fontsize=9)
        axes.set_xticks(places, [life.drive.label for life in lives], rotation=45, ha="right", fontsize=8)
        tidy(axes)
    cycles = figure.axes[3]
    rated = [life.drive.rated_cycles for life in lives]
    cycles.plot(places, rated, **PUBLISHED)
    cycles.set_ylim(0.7 * min(rated), 1.4 * max(rated))
    return figure
