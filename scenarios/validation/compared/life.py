# SPDX-License-Identifier: Apache-2.0
"""Calculates how many bytes the host can write in the life of a drive, from its cells, its code and its write
amplification.
"""

from __future__ import annotations

from dataclasses import dataclass

import nandscape as ns
from compared.drives import CLIENT, ENTERPRISE, LONG, Drive
from compared.keeping import HARD, Keeping
from compared.speed import Speed


@dataclass(frozen=True)
class Life:
    """All results for one drive. The properties named after cycles give the largest number of cycles after which the
    drive can still read its data at the end of the required storage."""

    drive: Drive
    keeping: Keeping
    speed: Speed

    @property
    def cycles(self) -> float:
        """The cycles for the storage that the drive's class requires, if all means of the read recovery are used."""
        return self.keeping.cycles(self.drive.storage)

    @property
    def bounds_of_cycles(self) -> tuple[float, float]:
        """The same cycles, calculated at the lower and upper confidence bounds of the correctable error rate."""
        borne = self.keeping.most_borne
        low, high = (self.keeping.cycles(self.drive.storage, rber) for rber in (borne.low, borne.high))
        return low, high

    @property
    def cycles_of_hard_reads(self) -> float:
        return self.keeping.cycles(self.drive.storage, self.keeping.limits[HARD])

    @property
    def endurance(self) -> ns.Endurance:
        """The random writes that the host can make before the blocks reach `cycles`."""
        return ns.Endurance.of(self.drive.config, self.speed.write_amplification, rated_cycles=self.cycles)

    def to_dict(self) -> dict[str, float | str]:
        """Returns the results as a row of the table of drives."""
        return {
            "drive": self.drive.label,
            "capacity_gb": round(1e-9 * self.drive.capacity_bytes),
            "rated_cycles": self.drive.rated_cycles,
            "cycles": self.cycles,
            "cycles_hard_reads": self.cycles_of_hard_reads,
            "cycles_client": self.keeping.cycles(CLIENT),
            "cycles_enterprise": self.keeping.cycles(ENTERPRISE),
            "cycles_year_40_c": self.keeping.cycles(LONG),
            "months_when_worn": self.keeping.longest_months(self.drive.worn_cycles),
            "host_tb": self.endurance.terabytes_written,
            "drive_writes_per_day": self.endurance.drive_writes_per_day,
            **vars(self.speed),
        }
