# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Nie 2020: the error rates of the layers of a 3D block."""

from __future__ import annotations

from comparison.published import Published
from comparison.rows import Row
from physics.park_2021 import CELLS, WORST, population

PUBLISHED = Published(__file__)


def _layers() -> list[Row]:
    rates = population(*WORST).layer_error_rates
    return [PUBLISHED.row("worst_over_best_layer", float(rates.max() / rates.min()), layers=len(rates))]


STUDIES = {"layers": _layers}
__all__ = ["CELLS", "PUBLISHED", "STUDIES"]
