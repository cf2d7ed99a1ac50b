# SPDX-License-Identifier: Apache-2.0
"""Pictures of cells: threshold voltages with read levels, and maps of error rates and retries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nandscape.pictures.maps import draw_map
from nandscape.pictures.style import PUBLISHED, check_one_of, colour_of, figure_of, own_or_new, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nandscape.cells import Cells

CONDITIONS = {
    "pe_cycles": "P/E cycles",
    "months": "retention at 30 °C (months)",
    "layer": "layer",
    "block_reads": "reads of the block",
    "temperature_c": "temperature of the read (°C)",
}
LEAST_DENSITY = 1e-5
MARGIN_MV = 400
Axis = Mapping[str, Sequence[float]]


def threshold_voltages(
    cells: Cells,
    conditions: Sequence[tuple[float, float]] = ((0, 0),),
    *,
    retry_step: int = 0,
    published: Sequence[float] = (),
    **wordline: Any,
) -> Figure:
    """Draws the density of each state's threshold voltages, with a panel for each condition. Read levels are dashed
    lines.

    `conditions`: pairs of P/E cycles and months of retention at 30 °C. `retry_step`: the retry step whose levels are
    drawn; step 0 is a plain read. `published`: published levels in mV, drawn as marks. Keywords are those of
    `nandscape.cells.Wordline`.
    """
    figure = Figure(figsize=(10, 1 + 2.7 * len(conditions)), layout="constrained")
    panels = figure.subplots(len(conditions), 1, sharex=True, sharey=True, squeeze=False).ravel()
    voltages = _span(cells, conditions, wordline)
    for axes, (cycles, months) in zip(panels, conditions, strict=True):
        highest = 0.0
        for state in range(cells.states):
            density = 1000 * cells.vth_density(state, voltages, cycles, months, **wordline)
            colour = colour_of(state)
            axes.plot(voltages, density, color=colour, linewidth=1.5)
            axes.fill_between(voltages, LEAST_DENSITY, density, color=colour, alpha=0.15, linewidth=0)
            peak = voltages[density > 0.98 * density.max()].mean()
            name = "E" if state == 0 else f"P{state}"
            axes.annotate(
                name, (peak, density.max()), (0, 3), textcoords="offset points", ha="center", fontsize=9, color=colour
            )
            highest = max(highest, float(density.max()))
        for level in cells.levels(cycles, months, retry_step=retry_step, **wordline):
            axes.axvline(level, color="#333333", linewidth=0.9, linestyle=(0, (4, 3)))
        if len(published):
            axes.plot(published, [3 * LEAST_DENSITY] * len(published), **PUBLISHED)
        axes.set(yscale="log", ylim=(LEAST_DENSITY, 6 * highest), ylabel="density (1/V)")
        axes.set_title(f"{cycles:g} P/E cycles, {months:g} months at 30 °C", loc="left", fontsize=10)
        tidy(axes, "both")
    panels[-1].set(xlabel="threshold voltage (mV)", xlim=(voltages[0], voltages[-1]))
    words = "levels of a plain read" if retry_step == 0 else f"levels of retry step {retry_step}"
    handles = [Line2D([], [], color="#333333", linewidth=0.9, linestyle=(0, (4, 3)), label=words)]
    if len(published):
        handles.append(Line2D([], [], label="published levels", **PUBLISHED))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def error_rates(
    cells: Cells,
    x: Axis,
    y: Axis,
    *,
    page: int | None = None,
    retry_step: int = 0,
    published: Mapping[tuple[float, float], float] | None = None,
    axes: Axes | None = None,
    **wordline: Any,
) -> Figure:
    """Draws a map of the raw bit error rates of the median wordline over two conditions.

    `x`, `y`: a condition with its values, such as `{"months": [0, 1, 3, 12]}`; conditions are "pe_cycles", "months",
    "layer", "block_reads" and "temperature_c". `page`: page of the wordline; default: the mean of all. `retry_step`:
    step at which the pages are read; step 0 is a plain read. `published`: published rates by pairs of x and y, printed
    in brackets. Keywords: the other conditions. `axes`: where to draw, instead of a new figure.

    Raises ValueError for an unknown condition and for a published rate that is not on the map.
    """
    pages = range(cells.pages) if page is None else [page]

    def rate(condition: Mapping[str, float]) -> float:
        return float(np.mean([cells.rber(one, retry_step=retry_step, **condition) for one in pages]))

    label = "raw bit error rate" + ("" if page is None else f" of page {page}")
    return _map(rate, x, y, label, wordline, published, axes, log=True)


def retry_steps(
    cells: Cells,
    x: Axis,
    y: Axis,
    *,
    page: int | None = None,
    correctable: int = 72,
    codeword_bits: int = 9216,
    published: Mapping[tuple[float, float], float] | None = None,
    axes: Axes | None = None,
    **wordline: Any,
) -> Figure:
    """Draws a map, over two conditions, of the retry step that a page of the median wordline needs.

    A page needs the first step at which a codeword of `codeword_bits` bits has at most `correctable` errors on average.
    A cell is blank if no step suffices. `page` defaults to the page that needs the most steps. The other arguments are
    those of `error_rates`.
    """
    steps = cells.config["nand.cells.read_levels.retry_steps"] + 1
    pages = range(cells.pages) if page is None else [page]

    def first(one: int, condition: Mapping[str, float]) -> float:
        within = (
            step
            for step in range(steps)
            if cells.rber(one, retry_step=step, **condition) * codeword_bits <= correctable
        )
        return next(within, np.nan)

    def most(condition: Mapping[str, float]) -> float:
        return float(np.max([first(one, condition) for one in pages]))

    label = "retry steps" + (" of the page with the most" if page is None else f" of page {page}")
    return _map(most, x, y, label, wordline, published, axes, log=False)


def _map(
    figure: Any,
    x: Axis,
    y: Axis,
    label: str,
    fixed: Mapping[str, Any],
    published: Mapping[tuple[float, float], float] | None,
    axes: Axes | None,
    log: bool,
) -> Figure:
    ((along, columns), (up, rows)) = _axis("x", x), _axis("y", y)
    values = np.array([[figure({along: at, up: height, **fixed}) for at in columns] for height in rows], float)
    marks = np.full(values.shape, np.nan)
    for (at, height), value in (published or {}).items():
        if at not in columns or height not in rows:
            raise ValueError(f"{(at, height)!r} is published, but is not on the map")
        marks[rows.index(height), columns.index(at)] = value
    axes = own_or_new(axes, (2.8 + 0.8 * len(columns), 1.6 + 0.45 * len(rows)))
    draw_map(axes, values, columns, rows, label=label, published=marks, log=log)
    axes.set(xlabel=CONDITIONS[along], ylabel=CONDITIONS[up])
    return figure_of(axes)


def _axis(name: str, given: Axis) -> tuple[str, list[float]]:
    if len(given) != 1:
        raise ValueError(f"{name} is one condition with its values, such as {{'months': [0, 3, 12]}}")
    ((condition, values),) = given.items()
    check_one_of("condition", condition, CONDITIONS)
    return condition, list(values)


def _span(
    cells: Cells, conditions: Sequence[tuple[float, float]], wordline: Mapping[str, Any]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Returns voltages in mV that span the range from below the lowest state to above the highest state."""
    wide = np.arange(-20000, 30000, 50.0)
    seen = [
        wide[1000 * cells.vth_density(state, wide, cycles, months, **wordline) > LEAST_DENSITY]
        for cycles, months in conditions
        for state in (0, cells.states - 1)
    ]
    return np.arange(min(v[0] for v in seen) - MARGIN_MV, max(v[-1] for v in seen) + MARGIN_MV, 5.0)
