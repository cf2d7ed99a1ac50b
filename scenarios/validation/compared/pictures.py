# SPDX-License-Identifier: Apache-2.0
"""Plots the error rates of all drives with the limits of their codes, and bar charts of the drives' properties."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compared.drives import CLIENT
from compared.keeping import HARD, MOST_CYCLES, Keeping
from compared.life import Life
from comparison.pictures import panels
from nandscape.pictures import tidy
from nandscape.pictures.style import COLOURS, PUBLISHED

LEAST_RBER = 1e-8
POINTS = 60


def draw_all(lives: Sequence[Life]) -> dict[str, Figure]:
    return {"drive_errors.png": _errors(lives), "drive_figures.png": _figures(lives)}


def _errors(lives: Sequence[Life]) -> Figure:
    titles = (
        f"after {CLIENT.name}; diamonds: published ratings",
        "dashed: limit of the code, dotted: with soft reads",
    )
    figure, (over_cycles, over_age) = panels(1, 2, (13, 5.5), titles, sharey=True)
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
    over_age.set_xlabel("age at 30 °C [days]")
    for axes in (over_cycles, over_age):
        axes.set(xscale="log", yscale="log", ylim=(LEAST_RBER, 1))
        axes.legend(loc="upper left")
        tidy(axes, "both")
    return figure


def _curve(axes: Axes, places: np.ndarray, errors: Sequence[float], keeping: Keeping, colour: str, label: str) -> None:
    axes.plot(places, np.maximum(errors, LEAST_RBER / 10), color=colour, label=label)
    for levels, limit in keeping.limits.items():
        axes.axhline(limit, color=colour, linewidth=0.8, linestyle="--" if levels == HARD else ":")


def _figures(lives: Sequence[Life]) -> Figure:
    entries: dict[str, Callable[[Life], float]] = {
        "random read, one at a time [µs]": lambda life: life.speed.read_us,
        "the same, worn and 3 months old [µs]": lambda life: life.speed.aged_read_us,
        "random writes in the long run [1/s]": lambda life: life.speed.steady_write_iops,
        "cycles until data are lost": lambda life: min(life.cycles, MOST_CYCLES),
        "random writes of a life [TB]": lambda life: life.endurance.terabytes_written,
    }
    figure, drawn = panels(1, len(entries), (13, 4), entries)
    places = np.arange(len(lives))
    for axes, figure_of in zip(drawn, entries.values(), strict=True):
        values = [figure_of(life) for life in lives]
        axes.bar(places, values, color=COLOURS[: len(lives)])
        axes.set(yscale="log", ylim=(10 ** math.floor(math.log10(min(value for value in values if value > 0))), None))
        axes.title.set_fontsize(8)
        axes.set_xticks(places, [life.drive.label for life in lives], rotation=45, ha="right", fontsize=8)
    cycles = drawn[3]
    rated = [life.drive.rated_cycles for life in lives]
    cycles.plot(places, rated, **PUBLISHED)
    cycles.set_ylim(0.7 * min(rated), 1.4 * max(rated))
    return figure
