# SPDX-License-Identifier: Apache-2.0
"""Traces whose requirements are told (Figure 9): the bundled one, and one for each workload of Table 2.

The traces of the study are not at hand. What stands for each writes pages at random, evenly in time and space, over as
many pages as give it its working set: of F pages that are written n times, F (1 - exp(-n / F)) are written at least
once. So it has the amounts of the table, and the share that is overwritten follows (equation 13); how soon it is
overwritten is that of random writes, where real ones are skewed.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import nandscape as ns
from nandscape import data
from retention.published import PAGE_BYTES, VOLUMES, Volume

BUNDLED = "pgbench"


def required(writes: int) -> dict[str, ns.RetentionRequirements]:
    """By name; of the workloads so many pages are written."""
    all_traces = {BUNDLED: ns.retention_requirements(data.bundled_trace())}
    with TemporaryDirectory() as folder:
        for name, volume in VOLUMES.items():
            path = Path(folder) / f"{name}.csv"
            _write(path, volume, writes, sum(name.encode()))
            all_traces[name] = ns.retention_requirements(path)
    return all_traces


def _write(path: Path, volume: Volume, writes: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    pages = random.integers(footprint(writes, volume), size=writes)
    times = np.sort(random.uniform(0, volume.span_s * 1e6, writes))
    times[0], times[-1] = 0, volume.span_s * 1e6
    with path.open("w", encoding="utf-8") as file:
        file.write("time_us,operation,offset_bytes,size_bytes\n")
        file.writelines(
            f"{us:.0f},write,{page * PAGE_BYTES},{PAGE_BYTES}\n" for us, page in zip(times, pages, strict=True)
        )


def footprint(writes: int, volume: Volume) -> int:
    """Pages of which so many random writes write the workload's share of distinct ones."""
    distinct = writes * float(volume.distinct) / float(volume.written)
    low, high = 1.0, 1e3 * writes
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * (1 - exp(-writes / middle)) < distinct else (low, middle)
    return max(round(low), 1)


def overwritten_within(seconds: float, writes: int, volume: Volume) -> float:
    """Closed form of random writes: a page is overwritten at a rate r. Of a write at u of the span T, that is within t
    with the probability 1 - exp(-r min(t, T - u))."""
    t = seconds / volume.span_s
    r = writes / footprint(writes, volume)
    soon = 1 - exp(-r * t)
    return (1 - t) * soon + t - soon / r
