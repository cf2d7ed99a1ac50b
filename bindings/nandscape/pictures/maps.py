# SPDX-License-Identifier: Apache-2.0
"""Heat maps: shaded cells with figures printed in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import FuncFormatter, LogLocator

from nandscape.pictures.style import SHADES, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


def draw_map(
    axes: Axes,
    figures: NDArray[np.float64],
    columns: Sequence[Any],
    rows: Sequence[Any],
    *,
    label: str,
    published: NDArray[np.float64] | None = None,
    log: bool = False,
    words: Callable[[float], str] | None = None,
) -> None:
    """Draws an array of shape (rows, columns) as shaded cells with the figures printed in them. The first row is at the
    bottom.

    A cell with NaN is left blank. `label`: label of the colour bar. `published`: published figures, printed in brackets
    below the figures; NaN if a cell has none. `log`: whether the shades follow the logarithm of the figure. `words`: a
    function that formats a figure; by default, with three digits.
    """
    words = words or three_digits
    known = figures[np.isfinite(figures) & (figures > 0 if log else True)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    norm = LogNorm(low, high if high > low else low * 10) if log and known.size else Normalize(low, high)
    shades = axes.imshow(np.ma.masked_invalid(figures), origin="lower", aspect="auto", cmap=SHADES, norm=norm)
    for (row, column), figure in np.ndenumerate(figures):
        if not np.isfinite(figure):
            continue
        text = words(figure)
        if published is not None and np.isfinite(published[row, column]):
            text += f"\n({words(published[row, column])})"
        red, green, blue, _ = shades.cmap(norm(figure))
        # The text is white on dark cells and black on bright cells, according to the relative luminance of the cell.
        colour = "white" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 else "#1a1a1a"
        axes.text(column, row, text, ha="center", va="center", fontsize=8.5, color=colour)
    axes.set_xticks(range(len(columns)), [tick(value) for value in columns])
    axes.set_yticks(range(len(rows)), [tick(value) for value in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    suffix = "\n(published)" if published is not None and np.isfinite(published).any() else ""
    bar = figure_of(axes).colorbar(shades, ax=axes, label=label + suffix)
    if log:
        bar.locator = LogLocator(subs=(1,) if high > 100 * low else (1, 1.5, 2, 3, 5, 7))
        bar.minorticks_off()
    bar.formatter = FuncFormatter(lambda value, _: words(value))
    bar.update_ticks()


def three_digits(value: float) -> str:
    """Formats a figure with three digits. Numbers from 0.001 to below a million have commas, and all other numbers a
    power of ten."""
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        return f"{value:.2e}".replace("e-0", "e-").replace("e+0", "e")
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def tick(value: Any) -> str:
    """Formats a value of a parameter: numbers have commas."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,g}"
