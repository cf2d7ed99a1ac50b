# SPDX-License-Identifier: Apache-2.0
"""Pictures of the cell states of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from nandscape.content import STATES

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLOURS = ("#9aa5b1", "#6aa6d6", "#d2601a", "#7d2e1f")


def state_shares(files: Mapping[str, NDArray[np.float64]]) -> Figure:
    """Draws figure 1 of Sha et al.: a panel for each file, with the shares of the states in each of its pages.

    `files`: for each name of a file, an array of shape (pages, 4).
    """
    figure = Figure(figsize=(10, 0.8 + 2.2 * len(files)), layout="constrained")
    panels = figure.subplots(len(files), 1, squeeze=False).ravel()
    for axes, (name, shares) in zip(panels, files.items(), strict=True):
        # The number of edges is one more than the number of pages, so that a single page has a width.
        across = np.linspace(0, 100, len(shares) + 1)
        steps = np.vstack([shares, shares[-1:]])
        axes.stackplot(across, 100 * steps.T, labels=STATES, colors=COLOURS, step="post", linewidth=0)
        axes.set_title(name, loc="left", fontsize=10)
        axes.set(xlim=(0, 100), ylim=(0, 100), ylabel="share of cells")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(100, decimals=0))
        axes.spines[["top", "right"]].set_visible(False)
    panels[-1].set_xlabel("position in the file")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=4, frameon=False)
    return figure
