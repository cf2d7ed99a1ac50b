# SPDX-License-Identifier: Apache-2.0
"""What Liu, Yang and Wu (FAST 2012) print: Tables 1 to 3, and figures of the text. GB are 2^30 bytes (Table 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

GB = 1 << 30
MB = 1 << 20
KB = 1 << 10
DAY_S = 86400
WEEK_S = 7 * DAY_S


@dataclass(frozen=True)
class Volume:
    """A workload. Table 1: its category, and its span. Table 2: amounts in GB as printed, so that they tell their
    rounding, and shares in percent by the weeks of the period (a day is 1/7). Table 3, where it is simulated: the dies
    and the exported GB of its disk."""

    category: str
    description: str
    capacity: str  # A
    written: str  # N
    distinct: str  # W
    shares: dict[float, str] = field(hash=False)
    dies: int = 0
    exported: int = 0

    @property
    def span_s(self) -> int:
        return WEEK_S if self.category == "MSRC" else DAY_S

    def periods(self, weeks: float) -> int:
        """Spans in so many weeks."""
        return round(weeks * WEEK_S / self.span_s)

    @property
    def written_mb_per_s(self) -> float:
        """On average over the span, in 1e6 bytes."""
        return float(self.written) * GB / self.span_s / 1e6


DAY = 1 / 7


def _msrc(
    description: str, amounts: tuple[str, str, str], one_week: str, five_weeks: str, dies: int = 0, exported: int = 0
) -> Volume:
    return Volume("MSRC", description, *amounts, {1: one_week, 5: five_weeks}, dies, exported)


def _one_day(category: str, description: str, amounts: tuple[str, str, str], shares: tuple[str, str, str]) -> Volume:
    return Volume(category, description, *amounts, dict(zip((DAY, 1, 5), shares, strict=True)), 128, 847)


VOLUMES = {
    "prn_0": _msrc("print server", ("66.3", "44.2", "12.1"), "72.6", "72.6", 16, 106),
    "prn_1": _msrc("print server", ("385.2", "28.8", "11.1"), "61.6", "61.6"),
    "proj_0": _msrc("project directories", ("16.2", "143.8", "1.6"), "98.9", "98.9", 16, 106),
    "proj_2": _msrc("project directories", ("816.2", "168.4", "155.1"), "7.9", "7.9", 128, 847),
    "prxy_0": _msrc("web proxy", ("20.7", "52.7", "0.7"), "98.7", "98.7", 16, 106),
    "prxy_1": _msrc("web proxy", ("67.8", "695.3", "12.5"), "98.2", "98.2"),
    "src1_0": _msrc("source control", ("273.5", "808.6", "114.1"), "85.9", "93.2", 64, 423),
    "src1_1": _msrc("source control", ("273.5", "29.6", "4.2"), "85.9", "85.9"),
    "src1_2": _msrc("source control", ("8.0", "43.4", "0.7"), "98.5", "98.5", 16, 106),
    "src2_2": _msrc("source control", ("169.6", "39.3", "20.0"), "49.2", "49.2", 32, 212),
    "usr_1": _msrc("user home directories", ("820.3", "54.8", "24.5"), "55.2", "55.2"),
    "usr_2": _msrc("user home directories", ("530.4", "25.6", "10.0"), "61.1", "61.1"),
    "hd1": _one_day("MapReduce", "word count, text replaced", ("737.6", "1564.9", "410.1"), ("73.8", "93.3", "98.7")),
    "hd2": _one_day("MapReduce", "word count, two texts", ("737.6", "726.3", "313.3"), ("56.9", "85.5", "97.1")),
    "tpcc1": _one_day("TPC-C", "40 warehouses", ("149", "310.3", "3.1"), ("99.0", "99.0", "99.0")),
    "tpcc2": _one_day("TPC-C", "80 warehouses", ("149", "692.8", "6.0"), ("99.1", "99.1", "99.4")),
}
SIMULATED = [name for name, volume in VOLUMES.items() if volume.dies]
HEAVY = ("hd1", "hd2")
LIGHT = [name for name in SIMULATED if name not in HEAVY]

# Of the systems RR-10week and RR-2week: weeks of the guarantee, and of the period after which they check.
GUARANTEES = {10: 5, 2: 1}
SPEEDUPS = {10: 1.86, 2: 2.33}  # of a page write, section 3.2.1 and Figure 6
CODES = {10: 3.5e-3, 2: 2.2e-2}  # RBER(1 year) at which BCH still retains data so long, section 3.2.2 and Figure 7
CORRECTABLE_RBER = 4.5e-4  # equation 8
LEAST_REPROGRAMMING = "1.13"  # kB/s, of either system: section 5.2
MOST_REPROGRAMMING = {2: "1.25", 10: "0.26"}  # MB/s
MOST_EXTRA_WRITES = {2: 52.1, 10: 10.4}  # for each cell and year
TRACKING_KB = 16  # of an SSD of 128 GB with blocks of 2 MB
SHARE_WITHIN_A_WEEK = (49.0, 99.2)  # of all but proj_2, section 4.1

# Table 3.
READ_US = 75.0
PROGRAM_US = 1300.0
ERASE_US = 3800.0
PAGE_BYTES = 8 << 10
CHANNELS = 16
BUS_BYTES_PER_US = 200.0
PLANES_PER_DIE = 2
BLOCKS_PER_PLANE = 2000
PAGES_PER_BLOCK = 256
OVER_PROVISIONING = 0.15  # of the flash
CLEANING_THRESHOLD = 0.05  # of the blocks

# Section 6.
WRITE_SPEEDUP = (1.8, 2.6)  # Figure 13, most workloads
HEAVY_SPEEDUP = (3.9, 5.7)  # hd1 and hd2
QUEUEING_SPEEDUP = (3.7, 6.1)
BEYOND_10_WEEKS = 1.2  # RR-2week on RR-10week: "about 20% extra performance gain"
LDPC_MB_PER_S = (5, 10, 20, 40, 80, 160, 320)
LEAST_LDPC = {"concatenated": 160, "relaxed": 5}  # MB/s that no workload saturates, Figure 16
BETTER_AT_10 = 43.0  # percent, at 10 MB/s, Figure 17
