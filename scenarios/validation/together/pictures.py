# SPDX-License-Identifier: Apache-2.0
"""Draws the gains of all combinations of schemes, and the interaction of each pair."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from comparison.pictures import panels
from together.drive import SCHEMES
from together.effects import Times
from together.runs import COMBINATIONS, WORKLOADS

LETTERS = list(SCHEMES)
AGE_COLOURS = {"fresh": "#8fb8de", "aged": "#1f4e79"}
MOST_SHOWN = 40.0  # percent of interaction


def draw_all(times: dict[tuple[str, str], Times]) -> dict[str, Figure]:
    return {"combinations.png": _combinations(times), "interactions.png": _interactions(times)}


def _ages(times: dict[tuple[str, str], Times]) -> list[str]:
    return list(dict.fromkeys(age for _, age in times))


def _combinations(times: dict[tuple[str, str], Times]) -> Figure:
    """Draws the gains compared with the drive without schemes. The combinations are sorted by their gain on the aged
    drive, lowest first.
    """
    order = sorted(COMBINATIONS, key=lambda schemes: np.mean([times[w, "aged"].gain(schemes).mean for w in WORKLOADS]))
    heights = [*(3 for _ in WORKLOADS), 1.6]
    figure, rows = panels(len(heights), 1, (12, 7.5), sharex=True, height_ratios=heights)
    places = np.arange(len(order))
    ages = _ages(times)
    for axes, workload in zip(rows, WORKLOADS, strict=False):
        for shift, age in zip((-0.2, 0.2), ages, strict=False):
            gains = [times[workload, age].gain(schemes) for schemes in order]
            axes.bar(
                places + shift,
                [gain.mean for gain in gains],
                0.38,
                yerr=[gain.half for gain in gains],
                label=age,
                color=AGE_COLOURS[age],
                error_kw={"elinewidth": 0.8, "ecolor": "#555555"},
            )
        axes.axhline(0, color="#333333", linewidth=0.8)
        axes.set_ylabel(f"{workload}\nreads faster, %")
    rows[0].legend(loc="upper left", ncols=2)
    marks = rows[-1]
    marks.grid(visible=False)
    for row, letter in enumerate(LETTERS):
        with_it = [place for place, schemes in zip(places, order, strict=True) if letter in schemes]
        marks.scatter(places, np.full(len(places), row), s=14, color="#e2e6ea")
        marks.scatter(with_it, np.full(len(with_it), row), s=26, color="#1f4e79")
    marks.set_yticks(range(len(LETTERS)), [f"{letter}  {SCHEMES[letter].name}" for letter in LETTERS], fontsize=8)
    marks.set_xticks([])
    marks.invert_yaxis()
    for side in marks.spines.values():
        side.set_visible(False)
    marks.set_xlim(-0.8, len(order) - 0.2)
    return figure


def _interactions(times: dict[tuple[str, str], Times]) -> Figure:
    """Draws the interaction of each pair of schemes: for the fresh drive above the diagonal, for the aged drive below
    it.
    """
    figure, drawn = panels(1, len(WORKLOADS), (4.2 * len(WORKLOADS), 4.6), WORKLOADS)
    shades = None
    for axes, workload in zip(drawn, WORKLOADS, strict=True):
        axes.grid(visible=False)
        cells = np.full((len(LETTERS), len(LETTERS)), np.nan)
        for age in _ages(times):
            for pair in times[workload, age].pairs():
                a, b = (LETTERS.index(letter) for letter in pair.schemes)
                row, column = (a, b) if age == "fresh" else (b, a)
                cells[row, column] = pair.interaction.mean
                sure = not pair.interaction.holds_zero
                axes.text(
                    column,
                    row,
                    f"{pair.interaction.mean:+.0f}" + ("" if sure else "\nn.s."),
                    ha="center",
                    va="center",
                    fontsize=8,
                    fontweight="bold" if sure else None,
                    color="white" if abs(pair.interaction.mean) > 0.7 * MOST_SHOWN else "#222222",
                )
        shades = axes.imshow(cells, cmap="RdBu_r", vmin=-MOST_SHOWN, vmax=MOST_SHOWN)
        axes.set_xticks(range(len(LETTERS)), LETTERS)
        axes.set_yticks(range(len(LETTERS)), LETTERS)
        axes.plot([-0.5, len(LETTERS) - 0.5], [-0.5, len(LETTERS) - 0.5], color="#777777", linewidth=0.8)
        axes.set_xlabel("above the diagonal: fresh; below: aged", fontsize=8)
    figure.colorbar(
        shades,
        ax=drawn,
        shrink=0.75,
        label="time with both beyond that of independent gains, %\n(cancel > 0, help < 0)",
    )
    return figure
