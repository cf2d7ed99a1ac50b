# SPDX-License-Identifier: Apache-2.0
"""The traces of Figure 9, whose retention requirements are calculated: the bundled trace, and a synthetic trace for
each workload of Table 2.

The traces of the study are not available. A synthetic trace writes pages at random, evenly distributed in time and
space. n writes to F pages reach F (1 - exp(-n / F)) distinct pages, and F is chosen so that this number equals the
working set of the table. The synthetic trace therefore has the amounts of data of the table, and its overwritten share
follows from them (equation 13). Its writes are uniform. Real writes are skewed, so real data are overwritten at other
times.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import nandscape as ns
from comparison.traces import write_trace
from nandscape import data
from retention.published import PAGE_BYTES, VOLUMES, Volume

BUNDLED = "pgbench"


def required(writes: int) -> dict[str, ns.RetentionRequirements]:
    """Returns the retention requirements of all traces, by name. `writes` is the number of page writes of each
    synthetic trace.
    """
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
    write_trace(path, ((round(us), "write", page) for us, page in zip(times, pages, strict=True)), PAGE_BYTES)


def footprint(writes: int, volume: Volume) -> int:
    """Returns the number of pages to which random writes must be addressed, so that the share of distinct pages is that
    of the workload.
    """
    distinct = writes * float(volume.distinct) / float(volume.written)
    low, high = 1.0, 1e3 * writes
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * (1 - exp(-writes / middle)) < distinct else (low, middle)
    return max(round(low), 1)


def overwritten_within(seconds: float, writes: int, volume: Volume) -> float:
    """Returns the share of random writes that are overwritten within `seconds`, in closed form.

    A page is overwritten at the rate r. A write at the time u of the span T is overwritten within t with the
    probability 1 - exp(-r min(t, T - u)).
    """
    t = seconds / volume.span_s
    r = writes / footprint(writes, volume)
    soon = 1 - exp(-r * t)
    return (1 - t) * soon + t - soon / r
