# SPDX-License-Identifier: Apache-2.0
"""Data that Choi et al. (MICRO 2018) print: Tables III, IV and V, and means of their figures that pictures show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """Table III: shares in percent, sizes in KB, taken as 1024 bytes. Table IV: pages of a refreshed block of 192.
    Table V: by how much reads get faster with MLC, in percent."""

    read_percent: float
    read_kb: float
    read_data_percent: float
    invalid_percent: float  # of MSB reads: LSB or CSB of the wordline are invalid
    valid: float
    added_reads: float
    added_writes: float
    mlc_percent: float

    @property
    def write_kb(self) -> float:
        """The mean write that goes with the other figures."""
        read = self.read_percent * self.read_kb
        return read * (100 / self.read_data_percent - 1) / (100 - self.read_percent)


WORKLOADS = {
    "proj_1": Workload(89.43, 37.45, 96.71, 22.12, 122.88, 60.98, 12.19, 30.8),
    "proj_2": Workload(87.61, 41.64, 85.77, 32.47, 122.21, 60.47, 12.09, 8.2),
    "proj_3": Workload(94.82, 8.99, 87.41, 20.81, 128.69, 63.77, 12.75, 16.3),
    "proj_4": Workload(98.52, 23.72, 99.30, 24.63, 114.87, 56.41, 11.28, 8.1),
    "hm_1": Workload(95.34, 14.93, 93.83, 20.54, 103.34, 51.24, 10.24, 7.8),
    "src1_0": Workload(56.43, 36.47, 47.42, 33.31, 130.26, 64.29, 12.86, 18.3),
    "src1_1": Workload(95.26, 35.87, 98.00, 34.79, 102.14, 50.54, 10.11, 9.6),
    "src2_0": Workload(97.86, 60.32, 99.51, 21.27, 116.36, 57.53, 11.51, 3.4),
    "stg_1": Workload(63.74, 59.68, 92.99, 38.76, 142.67, 70.68, 14.13, 19.8),
    "usr_1": Workload(91.48, 52.72, 97.37, 45.44, 98.58, 48.61, 9.72, 31.8),
    "usr_2": Workload(81.13, 50.89, 94.01, 21.43, 113.69, 56.39, 11.28, 10.6),
}
PAGES_PER_BLOCK = 192
WORDLINES_PER_BLOCK = 64

# Figure 8: mean improvement of the read response time by the share of corrupted pages, in percent. Of 80 % it says
# "below 7 %".
ERROR_RATES = {0.0: 31.0, 0.2: 28.0, 0.5: 20.2}
GAIN_AT_80 = 7.0
# Figure 9, by the distance between the read times of pages, in us.
READ_STEPS = {30: 14.0, 70: 49.0}
LATE_LIFE = 42.3  # Figure 11
MLC = 14.9  # Table V
THROUGHPUT = 10.0  # Figure 10
BLOCK = {"valid": 113.0, "added_reads": 58.0, "added_writes": 11.0}  # section V.C
BLOCKS_OF_WORKLOAD = 25.0  # section III.C: 14 to 30 %, mean 25, more than the workloads take
BLOCKS_OF_DRIVE = (2.0, 4.0)
