# SPDX-License-Identifier: Apache-2.0
"""A view of all blocks of a drive at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.exploration.requirements import required

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from nandscape.simulation import Simulation

# The states of a block. "unknown": not scanned yet after power-on. "retired": an operation on the block has failed.
BLOCK_STATES: tuple[str, ...] = _core.BLOCK_STATES
# The modes in which the cells of a block are programmed; with "slc", each cell holds one bit.
CELL_MODES = ("native", "slc")


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a drive at one time; made by `Simulation.blocks`.

    A block is a superblock, the unit in which the controller erases: one block of the flash, or one on each plane of
    several dies (`controller.mapping.layout: superpage`), or one on each of `controller.parity.stripe_dies` dies, or
    four of a plane with fullpages that are spread over layers. Each column is a numpy array with one value per
    superblock, in the order of their numbers. The arrays are copies: they do not change when the simulation continues.

    `at_us`: simulated time of the view, in microseconds. `superblock`: its number. `plane`: number of its plane in the
    mapping. `channel`, `die`: numbers over the whole device; -1 where a superblock spans several. `state`: index
    into `nandscape.blocks.BLOCK_STATES` (see `in_state`). `cells`: index into `nandscape.blocks.CELL_MODES`.
    `write_mode`: the mode that `controller.write_mode` chose for the block, or 0.

    `erases`: successful erases since the start of the simulation. `slc_erases`: those that ended a use of the block in
    SLC mode (`controller.slc_cache`). `cycles`: program/erase cycles in the life of the block, which are `erases` plus
    `nand.condition.pe_cycles`. The error models of the cells use the same sum.

    `units`: mapping units that fill the block. `valid_units`: units that hold current data. `programmed_pages`: flash
    pages of data that were given to programs, without parity; all pages of a block that was closed early.

    `age_hours`: time since the first of the block's data was programmed, by a write or a move, in equivalent hours at
    30 °C. It includes the hours of `Simulation.advance`, with and without power, and the initial age
    (`nand.condition.retention_days`). NaN for a block without valid data, and for data whose program a power cut
    separated from its completion.

    Erases and ages outlive a power cut, even where the controller forgets them: it may then decide by lower counts.

    `reads`: flash page reads since the erase, as the controller counts them: at most
    `controller.read_disturb.limit_reads`, and from 0 after each power-on. NaN if that key is 0, since the controller
    then keeps no count.
    """

    at_us: float
    superblock: NDArray[np.uint32]
    plane: NDArray[np.uint32]
    channel: NDArray[np.int32]
    die: NDArray[np.int32]
    state: NDArray[np.uint8]
    cells: NDArray[np.uint8]
    write_mode: NDArray[np.uint8]
    erases: NDArray[np.uint32]
    slc_erases: NDArray[np.uint32]
    cycles: NDArray[np.uint32]
    units: NDArray[np.uint32]
    valid_units: NDArray[np.uint32]
    programmed_pages: NDArray[np.uint32]
    age_hours: NDArray[np.float64]
    reads: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.plane)

    def in_state(self, state: str) -> NDArray[np.bool_]:
        """Returns a mask of the blocks in a state: "free", "open", "full", "victim", "erasing", "journal", "unknown" or
        "retired". Raises ValueError for any other state."""
        if state not in BLOCK_STATES:
            raise ValueError(f"{state!r} is not a state of a block; the states are {', '.join(BLOCK_STATES)}")
        return self.state == BLOCK_STATES.index(state)

    def to_frame(self) -> pd.DataFrame:
        """Returns the columns as a pandas table, with states and cell modes by name.

        Raises ImportError if pandas is not installed."""
        pd = required("pandas", "sweep", "to_frame()")
        columns: dict[str, Any] = {name: column for name, column in vars(self).items() if name != "at_us"}
        columns["state"] = pd.Categorical.from_codes(self.state, list(BLOCK_STATES))
        columns["cells"] = pd.Categorical.from_codes(self.cells, list(CELL_MODES))
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        counts = ((state, int(self.in_state(state).sum())) for state in BLOCK_STATES)
        states = ", ".join(f"{count} {state}" for state, count in counts if count)
        return f"<Blocks at {self.at_us:.6g} us: {states}>"


def blocks_of(simulation: Simulation) -> Blocks:
    """Returns the blocks of the simulation's drive at the present time."""
    import numpy as np

    columns = simulation._core.blocks()
    superblock = np.arange(len(columns["plane"]), dtype=np.uint32)
    return Blocks(at_us=simulation.now_us, superblock=superblock, **columns)
