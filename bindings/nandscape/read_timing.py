# SPDX-License-Identifier: Apache-2.0
"""Read-timing parameter tables. They give the amount by which tPRE may be shortened in the steps of a read-retry.

>>> table = ns.read_timing_table("tlc_3d_48")
>>> table.precharge_reduction(pe_cycles=1500, retention_months=4) / 255
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from nandscape import _core
from nandscape.arguments import number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ReadTimingTable:
    """Profiled reductions of tPRE for adaptive read-retry (Park et al., ASPLOS 2021); see `read_timing_table`.

    Reductions are in units of 1/255 of tPRE, the unit of the die's feature C0h. `nandscape profile-rpt` makes such
    tables.
    """

    def __init__(self, core: _core.ReadTimingTable) -> None:
        self._core = core

    @property
    def pe_cycles(self) -> NDArray[np.float64]:
        """The profiled numbers of P/E cycles in ascending order: the rows of the grid."""
        return self._core.pe_cycles

    @property
    def retention_months(self) -> NDArray[np.float64]:
        """The profiled ages in months at 30 °C, in ascending order: the columns of the grid."""
        return self._core.retention_months

    @property
    def grid(self) -> NDArray[np.uint8]:
        """All reductions, with a row for each number of P/E cycles and a column for each age."""
        return self._core.grid

    def precharge_reduction(self, pe_cycles: float, retention_months: float) -> int:
        """Returns the entry of the grid for the next higher profiled cycles and age. Beyond the grid, the result is 0,
        which is the default timing."""
        cycles, months = number("pe_cycles", pe_cycles), number("retention_months", retention_months)
        return self._core.precharge_reduction(cycles, months)

    def __repr__(self) -> str:
        rows, columns = self.grid.shape
        return f"<ReadTimingTable of {rows} P/E-cycle counts at {columns} ages>"


def read_timing_table(name: str | os.PathLike[str]) -> ReadTimingTable:
    """Loads the table that comes with nandscape for the cell set of that name, or the table in a YAML file.

    Raises `ConfigError` for an unknown name and for a broken file. The message gives the most similar name or the line
    of the file.
    """
    return ReadTimingTable(_core.read_timing_table(os.fsencode(name)))
