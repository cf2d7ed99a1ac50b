# SPDX-License-Identifier: Apache-2.0
"""How pictures look and are written."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nandscape.files import replacing


def save(drawn: dict[str, Figure], folder: Path) -> list[Path]:
    """Writes figures by their file names and returns where."""
    paths = []
    for name, figure in drawn.items():
        paths.append(folder / name)
        with replacing(paths[-1]) as temporary:
            figure.savefig(temporary, dpi=150)
    return paths


def tidy(axes: Axes, lines: str = "y") -> None:
    """Thin lines behind the data, across an axis or across "both", and no box round them."""
    axes.grid(which="major", axis=lines, color="#e2e2e2", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
