# SPDX-License-Identifier: Apache-2.0
"""The drives that the study compares, with the endurance ratings of their makers or from reviews."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import nandscape as ns
from nandscape.ceilings import Capacity


@dataclass(frozen=True)
class Storage:
    """A period without power, at a constant temperature, after which the drive must still be able to read its data."""

    name: str
    days: float
    temperature_c: float


YEAR_DAYS = 365.25
QUARTER = Storage("3 months at 30 °C", YEAR_DAYS / 4, 30)
CLIENT = Storage("a year at 30 °C", YEAR_DAYS, 30)  # JESD218
ENTERPRISE = Storage("3 months at 40 °C", YEAR_DAYS / 4, 40)  # JESD218
LONG = Storage("a year at 40 °C", YEAR_DAYS, 40)


@dataclass(frozen=True)
class Drive:
    """A drive and its published endurance. `bits` is the number of bits per cell. `source` is where the rated
    cycles of the preset were published. The data of a worn drive must outlive `storage`. The measurements of a worn
    drive use `worn_cycles`; these are fewer than the rated cycles if the model's cells do not last that long.
    """

    preset: str
    label: str
    bits: int
    source: str
    storage: Storage
    worn_cycles: int

    @cached_property
    def config(self) -> ns.Config:
        return ns.load(self.preset)

    @property
    def name(self) -> str:
        return self.preset.removeprefix("drive_")

    @property
    def rated_cycles(self) -> int:
        """The published number of program/erase cycles of a block."""
        return round(self.config["nand.cells.failures.rated_cycles"])

    @property
    def capacity_bytes(self) -> int:
        return Capacity.of(self.config).exported_bytes


DRIVES = [
    Drive("drive_slc_3d", "3D SLC", 1, "SZ985: 30 drive writes a day for 5 years", ENTERPRISE, 10_000),
    Drive("drive_mlc_planar", "planar MLC", 2, "Micron L74A", CLIENT, 3000),
    Drive("drive_tlc_planar", "planar TLC", 3, "Samsung 840", CLIENT, 1000),
    Drive("drive_tlc_3d", "3D TLC", 3, "Samsung 850 EVO", CLIENT, 2000),
    Drive("drive_qlc_3d", "3D QLC", 4, "Micron QLC", CLIENT, 1000),
]
