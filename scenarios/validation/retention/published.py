# SPDX-License-Identifier: Apache-2.0
"""Data that Liu, Yang and Wu (FAST 2012) print: the workloads of Tables 1 to 3, the drive, and values from the text.
`nandscape profiles` lists the workloads as volumes. GB are 2^30 bytes, as in Table 2."""

from __future__ import annotations

from dataclasses import dataclass, field

import nandscape as ns

GB = 1 << 30
MB = 1 << 20
KB = 1 << 10
DAY_S = 86400
WEEK_S = 7 * DAY_S


@dataclass(frozen=True)
class Volume:
    """A workload. Amounts in GB and shares in percent are stored as the printed strings, whose digits show the
    rounding. `shares` holds the overwritten share by the length of the period in weeks; a day is 1/7. `dies` and
    `exported` are the number of dies and the exported GB of the disk, or 0 if the study does not simulate this
    workload."""

    capacity: str  # A
    written: str  # N
    distinct: str  # W
    span_s: int
    read_share: float
    request_bytes: int
    shares: dict[float, str] = field(hash=False)
    dies: int
    exported: int

    def periods(self, weeks: float) -> int:
        """Returns the number of spans of the trace in `weeks`."""
        return round(weeks * WEEK_S / self.span_s)

    @property
    def written_mb_per_s(self) -> float:
        """The mean write rate over the span of the trace, in 1e6 bytes per second."""
        return float(self.written) * GB / self.span_s / 1e6


DAY = 1 / 7
SHARES = {DAY: "overwritten_1_day_percent", 1: "overwritten_1_week_percent", 5: "overwritten_5_weeks_percent"}


def _volume(name: str) -> Volume:
    """Returns the workload of a bundled profile. The numbers in the profile have the same digits as in the
    publication.
    """
    figures = ns.profile_figures(name, kind="volume")
    published = figures["published"]
    return Volume(
        capacity=str(figures["capacity_gib"]),
        written=str(figures["written_gib"]),
        distinct=str(figures["distinct_gib"]),
        span_s=figures["span_days"] * DAY_S,
        read_share=figures["read_percent"] / 100,
        request_bytes=figures["request_bytes"],
        shares={weeks: str(published[key]) for weeks, key in SHARES.items() if key in published},
        dies=published.get("dies", 0),
        exported=published.get("exported_gib", 0),
    )


MSRC = (
    "prn_0", "prn_1", "proj_0", "proj_2", "prxy_0", "prxy_1",
    "src1_0", "src1_1", "src1_2", "src2_2", "usr_1", "usr_2",
)  # fmt: skip
HEAVY = ("hd1", "hd2")
TPCC = ("tpcc1", "tpcc2")
VOLUMES = {name: _volume(name) for name in (*MSRC, *HEAVY, *TPCC)}
SIMULATED = [name for name, volume in VOLUMES.items() if volume.dies]
LIGHT = [name for name in SIMULATED if name not in HEAVY]

# The retention guarantees of RR-10week and RR-2week, mapped to the periods in which these systems check their data,
# both in weeks.
GUARANTEES = {10: 5, 2: 1}
LEAST_REPROGRAMMING = "1.13"  # kB/s in either system: section 5.2
MOST_REPROGRAMMING = {2: "1.25", 10: "0.26"}  # MB/s
MOST_EXTRA_WRITES = {2: 52.1, 10: 10.4}  # for each cell and year

# The times and sizes of the drive, from Table 3.
READ_US = 75.0
PROGRAM_US = 1300.0
ERASE_US = 3800.0
PAGE_BYTES = 8 << 10
CHANNELS = 16
BUS_BYTES_PER_US = 200.0
PLANES_PER_DIE = 2
BLOCKS_PER_PLANE = 2000
PAGES_PER_BLOCK = 256

# Section 6.
LDPC_MB_PER_S = (5, 10, 20, 40, 80, 160, 320)
