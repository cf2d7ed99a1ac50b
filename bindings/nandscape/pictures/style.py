# SPDX-License-Identifier: Apache-2.0
"""The style of pictures, and how they are saved."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter

from nandscape.errors import InputError
from nandscape.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The colours of Okabe and Ito ("Color Universal Design", 2008), which colour-blind readers can distinguish. Their
# yellow is left out, since it is too pale for lines.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4c566a")
KIND_COLOURS = {"read": COLOURS[0], "write": COLOURS[1], "trim": COLOURS[2], "flush": COLOURS[3]}
# The marks of published figures, with a colour and a shape that no series has.
PUBLISHED: dict[str, Any] = {
    "color": "#222222",
    "marker": "D",
    "markersize": 6,
    "markerfacecolor": "white",
    "markeredgewidth": 1.3,
    "linestyle": "none",
    "zorder": 5,
}
SHADES = "cividis"


def check_format(path: str | os.PathLike[str]) -> None:
    """Raises `InputError` if the suffix of `path` does not name a format of pictures."""
    suffix = Path(path).suffix.removeprefix(".")
    formats = FigureCanvasAgg.get_supported_filetypes()
    if suffix.lower() not in formats:
        raise InputError(f"{os.fspath(path)}: unknown picture format '{suffix}'; known: {', '.join(sorted(formats))}")


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes a picture atomically; the suffix of `path` selects the format (.png, .svg, .pdf, ...)."""
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150)


def own_or_new(axes: Axes | None, size: tuple[float, float] = (8, 4.5)) -> Axes:
    """Returns the given axes or, if there are none, the axes of a new figure of this size in inches."""
    return Figure(figsize=size, layout="constrained").subplots() if axes is None else axes


def figure_of(axes: Axes) -> Figure:
    """Returns the outermost figure that contains these axes. Raises ValueError if there is none."""
    figure = axes.get_figure(root=True)
    if figure is None:
        raise ValueError("the axes have no figure; create them with Figure.subplots()")
    return figure


def colour_of(number: int) -> str:
    """Returns the colour of the series with this number. The colours repeat after seven series."""
    return COLOURS[number % len(COLOURS)]


def tidy(axes: Axes, lines: str = "y") -> None:
    """Draws thin lines behind the data, across one axis ("x" or "y") or "both", and removes the top and right edge."""
    axes.grid(which="major", axis=lines, color="#e2e2e2", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


class _PlainLog(LogFormatter):
    """Formats numbers with commas. On a logarithmic axis, only those ticks have a number that have room for one."""

    def __call__(self, value: float, position: int | None = None) -> str:
        return f"{value:,g}" if super().__call__(value, position) else ""


def plain_numbers(*axes: Any) -> None:
    """Formats the ticks of axes as numbers with commas, on linear and on logarithmic scales."""
    for axis in axes:
        if axis.get_scale() == "log":
            axis.set_major_formatter(_PlainLog())
            axis.set_minor_formatter(_PlainLog(minor_thresholds=(1, 0.4)))
        else:
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))


def legend_below(axes: Axes, columns: int = 3) -> None:
    """Draws the legend of axes below their figure, where it hides nothing. The entry "published" is the last."""
    handles, names = axes.get_legend_handles_labels()
    order = sorted(range(len(names)), key=lambda place: names[place] == "published")
    if handles:
        figure_of(axes).legend(
            [handles[place] for place in order], [names[place] for place in order], loc="outside lower center",
            ncols=columns, frameon=False, fontsize=9,
        )  # fmt: skip


def check_one_of(what: str, given: str, allowed: Iterable[str]) -> None:
    """Raises ValueError for a name that is not allowed. The message lists the allowed names."""
    names = list(allowed)
    if given not in names:
        raise ValueError(f"unknown {what} {given!r}; choose one of {', '.join(names)}")
