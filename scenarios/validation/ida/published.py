# SPDX-License-Identifier: Apache-2.0
"""The values of tables III, IV and V of Choi et al. (MICRO 2018) for each workload."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """The published values of a workload. From Table III: shares in percent and sizes in KB, which we take as 1024
    bytes. From Table IV: pages in a refreshed block of 192 pages. From Table V: the reduction of the read response time
    with MLC, in percent."""

    read_percent: float
    read_kb: float
    read_data_percent: float
    invalid_percent: float  # share of the MSB page reads whose wordline has an invalid LSB or CSB page
    valid: float
    added_reads: float
    added_writes: float
    mlc_percent: float

    @property
    def write_kb(self) -> float:
        """The mean size of a write in KB. The paper does not print it; it follows from the other values."""
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
BLOCKS_OF_DRIVE = (2.0, 4.0)  # percentages of additional blocks in use, from section III.C
