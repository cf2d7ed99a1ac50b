# SPDX-License-Identifier: Apache-2.0
"""Computes histograms of threshold voltages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def histogram(wordlines: Iterable[NDArray[np.float32]], bin_mv: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Counts cells in bins that are `bin_mv` wide and begin at multiples of `bin_mv`. Returns the counts and the edges
    of the bins in mV. There is one more edge than counts."""
    import numpy as np

    if not bin_mv > 0:
        raise ValueError(f"bin_mv is {bin_mv!r}; it must be above 0")
    counts: dict[int, int] = {}
    for voltages in wordlines:
        bins, cells = np.unique(np.floor(voltages / bin_mv).astype(np.int64), return_counts=True)
        for number, count in zip(bins.tolist(), cells.tolist(), strict=True):
            counts[number] = counts.get(number, 0) + count
    if not counts:
        return np.zeros(0, dtype=np.int64), np.zeros(1)
    numbers = np.arange(min(counts), max(counts) + 2)
    return np.array([counts.get(int(number), 0) for number in numbers[:-1]], dtype=np.int64), numbers * float(bin_mv)
