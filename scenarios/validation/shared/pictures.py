# SPDX-License-Identifier: Apache-2.0
"""How pictures of scenarios are written."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from nandscape import pictures


def save(drawn: dict[str, Figure], folder: Path) -> list[Path]:
    """Writes figures by their file names and returns where."""
    for name, figure in drawn.items():
        pictures.save(figure, folder / name)
    return [folder / name for name in drawn]
