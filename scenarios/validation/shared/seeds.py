# SPDX-License-Identifier: Apache-2.0
"""Figures of several seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean


def over_seeds(figure: Callable[[int], float], seeds: Sequence[int]) -> tuple[float, str]:
    """The mean of the seeds' figures, and in words half the distance between the extremes."""
    values = [figure(seed) for seed in seeds]
    spread = (max(values) - min(values)) / 2
    return mean(values), f" (seeds ±{spread:.2g})" if len(seeds) > 1 else ""
