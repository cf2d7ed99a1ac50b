# SPDX-License-Identifier: Apache-2.0
"""The drives that are compared, with what their makers or reviews say of them.

Each is a preset. Ratings are cycles of a block; where drives are rated in drive writes, those are cycles if nothing is
written twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import nandscape as ns


@dataclass(frozen=True)
class Drive:
    """`bits`: of a cell. `rated_cycles`: the published rating, with its source."""

    preset: str
    label: str
    bits: int
    planar: bool
    rated_cycles: int
    source: str

    @cached_property
    def config(self) -> ns.Config:
        return ns.load(self.preset)

    @property
    def raw_bytes(self) -> int:
        g = self.config["nand.geometry"]
        dies = self.config["channel.count"] * g["chips_per_channel"] * g["dies_per_chip"]
        return dies * g["planes_per_die"] * g["blocks_per_plane"] * g["pages_per_block"] * g["page_bytes"]

    @property
    def capacity_bytes(self) -> float:
        return self.raw_bytes / (1 + self.config["controller.mapping.over_provisioning"])


DRIVES = [
    Drive("drive_slc_3d", "3D SLC", 1, False, 54_750, "SZ985: 30 drive writes per day for five years"),
    Drive("drive_mlc_planar", "planar MLC", 2, True, 3000, "Micron L74A"),
    Drive("drive_tlc_planar", "planar TLC", 3, True, 1000, "Samsung 840"),
    Drive("drive_tlc_3d", "3D TLC", 3, False, 2000, "Samsung 850 EVO"),
    Drive("drive_qlc_3d", "3D QLC", 4, False, 1000, "Micron QLC"),
]
