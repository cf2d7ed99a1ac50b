# SPDX-License-Identifier: Apache-2.0
"""Determines how long the data of a workload must be retained (Liu, Yang and Wu, FAST 2012, section 4).

>>> required = ns.retention_requirements("volume.csv.xz", skip="7h")
>>> required.share_within["1h"], required.share_unknown
>>> required.least_share(periods=5)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nandscape import _core, retention_relaxation
from nandscape.arguments import index
from nandscape.units import hours

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECTOR_BYTES = 512
MARKS = ("1s", "1min", "1h", "1d", "1w")
NS_PER_HOUR = 3600 * 10**9
LONGEST_SKIP_NS = (1 << 64) - 1


@dataclass(frozen=True)
class RetentionRequirements:
    """The retention requirements of a trace. The requirement of a written sector is the time until it is overwritten.

    Amounts are in bytes. In the equations, `written_bytes` is N, which counts each write of a sector; `distinct_bytes`
    is W, which counts each sector once; `capacity_bytes` is A, and `span_s` is T1. The requirement is unknown for the
    last write of each sector; these writes amount to W. `reordered`: number of records that are earlier than a record
    before them. `extents`: number of contiguous ranges that the written sectors form at the end of the trace.
    """

    writes: int
    written_bytes: int
    distinct_bytes: int
    capacity_bytes: int
    span_s: float
    reordered: int
    extents: int
    within_sectors: tuple[int, ...] = field(repr=False)
    bins: NDArray[np.uint64] = field(repr=False, compare=False)

    @property
    def share_within(self) -> dict[str, float]:
        """For 1s, 1min, 1h, 1d and 1w, the share of the written sectors that must be retained for no longer than this
        time (Figure 9)."""
        sectors = self.written_bytes // SECTOR_BYTES
        return {mark: within / sectors for mark, within in zip(MARKS, self.within_sectors, strict=True)}

    @property
    def share_unknown(self) -> float:
        """Share of the written sectors that are not overwritten before the trace ends."""
        return self.distinct_bytes / self.written_bytes

    @property
    def share_overwritten(self) -> float:
        """Share of the written sectors that are overwritten before the trace ends: S_T1,T1 (equation 13)."""
        return retention_relaxation.overwritten_share(self.written_bytes, self.distinct_bytes)

    @cached_property
    def edges_s(self) -> NDArray[np.float64]:
        """Upper edges of the histogram's bins in seconds, ten per decade. One more bin holds the sectors above the last
        edge."""
        return _core.retention_edges_ns() / 1e9

    @cached_property
    def cumulative(self) -> NDArray[np.float64]:
        """For each of `edges_s`, the share of the written sectors that must be retained for no longer than this
        time."""
        return np.cumsum(self.bins[:-1].astype(float)) / (self.written_bytes // SECTOR_BYTES)

    def least_share(self, periods: int = 1) -> float:
        """Returns a lower bound of the share of the written sectors that is overwritten within `periods` spans
        (equation 17)."""
        return retention_relaxation.least_overwritten_share(*self._amounts, periods)

    def reprogramming_bytes_per_s(self, periods: int = 1) -> float:
        """Returns an upper bound of the bytes per second that a drive writes again if it checks its data every
        `periods` spans (equation 18)."""
        return retention_relaxation.reprogramming_bytes_per_s(*self._amounts, self.span_s, periods)

    def extra_writes_per_year(self, periods: int = 1) -> float:
        """Returns the number of additional writes of each cell per year if the drive writes `reprogramming_bytes_per_s`
        (section 5.2)."""
        return retention_relaxation.extra_writes_per_year(self.reprogramming_bytes_per_s(periods), self.capacity_bytes)

    @property
    def _amounts(self) -> tuple[int, int, int]:
        return self.written_bytes, self.distinct_bytes, self.capacity_bytes

    def to_dict(self) -> dict[str, Any]:
        """Returns all figures in a form for JSON. The histogram has an entry for each bin that is not empty: the upper
        edge of the bin in seconds (None for the last bin, which has no edge) and its number of sectors."""
        edges = [*map(float, self.edges_s), None]
        filled = [[edge, int(count)] for edge, count in zip(edges, self.bins, strict=True) if count]
        return {
            "writes": self.writes,
            "written_bytes": self.written_bytes,
            "distinct_bytes": self.distinct_bytes,
            "capacity_bytes": self.capacity_bytes,
            "span_s": self.span_s,
            "reordered": self.reordered,
            "extents": self.extents,
            "share_within": self.share_within,
            "share_unknown": self.share_unknown,
            "histogram": filled,
        }


def retention_requirements(
    trace: str | os.PathLike[str] | Mapping[str, Any], *, skip: str = "0s", capacity_bytes: int | None = None
) -> RetentionRequirements:
    """Reads a trace once and determines how long its data must be retained. The memory that this needs grows with the
    number of distinct sectors written.

    `trace`: a file, or a workload of `nandscape.trace` with its format and device. `skip`: time to leave out at the
    beginning, such as "7h". `capacity_bytes`: capacity of the disk; by default, it ends at the highest address that the
    trace reads or writes.

    Trims do not change requirements. Raises `InputError` for a record that cannot be read or lies beyond the capacity,
    for a trace without times and for a trace without writes; `ConfigError` for an unknown format.
    """
    given = dict(trace) if isinstance(trace, Mapping) else {"path": os.fsdecode(trace)}
    given.pop("kind", None)
    skip_ns = round(hours(skip) * NS_PER_HOUR)
    if skip_ns > LONGEST_SKIP_NS:
        raise ValueError("skip is longer than any trace")
    sectors = 0
    if capacity_bytes is not None:
        sectors = index("capacity_bytes", capacity_bytes, 1 << 64) // SECTOR_BYTES
        if sectors == 0:
            raise ValueError(f"a disk holds at least one sector: capacity_bytes >= {SECTOR_BYTES}")
    found = _core.study_requirements(given, skip_ns, sectors)
    return RetentionRequirements(
        writes=found.writes,
        written_bytes=found.written_sectors * SECTOR_BYTES,
        distinct_bytes=found.distinct_sectors * SECTOR_BYTES,
        capacity_bytes=found.capacity_sectors * SECTOR_BYTES,
        span_s=found.span_ns / 1e9,
        reordered=found.reordered,
        extents=found.extents,
        within_sectors=tuple(map(int, found.within)),
        bins=found.bins,
    )
