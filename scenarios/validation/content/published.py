# SPDX-License-Identifier: Apache-2.0
"""Data that Sha et al. print: Tables I, II and III, and means of their figures that pictures show."""

from __future__ import annotations

# Table I, in percent, in the order of its columns: 11, 10, 01, 00.
FILES = {
    "system_files": (13.67, 17.78, 19.57, 48.98),
    "email": (19.15, 36.12, 19.50, 25.23),
    "codes": (17.16, 15.78, 16.28, 50.78),
    "movie": (28.24, 23.73, 23.61, 24.42),
    "db_data": (20.73, 19.74, 19.48, 40.05),
    "game": (20.47, 24.60, 24.60, 30.33),
    "music": (20.98, 23.34, 23.43, 32.25),
    "office": (22.74, 20.80, 20.25, 36.21),
}

# Table II: the largest numbers of weak cells at which the next step is legal, by page. Table III likewise.
WEAK_CELLS_BY_STEP = {"msb": (15025, 7865, 4506, 2868, 1573), "lsb": (11682, 5817, 3048, 1704, 639)}
PROGRAM_US = (200, 157, 130, 111, 100, 88.2)
WEAK_CELLS_BY_CODE = {"msb": (16384, 11846, 4031), "lsb": (16221, 9143, 2704)}
DECODE_US = (41.2, 21.71, 11.25, 5.78)

# By how much the device's latencies fall, in percent. LSB pages only, MSB pages only, both.
WRITE = {"lsb": 9.1, "msb": 16.6, "both": 26.4}  # section V-B1, Figure 10
READ = {"lsb": 12.6, "msb": 13.7, "both": 26.8}  # section V-B2, Figure 11
# Further, over both: with the exact CDBER, and with state mapping (section V-B4, Figures 14 and 15).
OPTIMAL = {"write": 3.9, "read": 0.2}
MAPPED = {"write": 7.9, "read": 0.4}
BEST_SEGMENTS = 8  # Figure 12
SEGMENTS = (1, 2, 4, 8, 16, 32)
# Execution times of whole systems, section V-B3, Figure 13.
EXECUTION = {"write": 28.9, "read": 6.6}
