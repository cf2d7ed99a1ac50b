# SPDX-License-Identifier: Apache-2.0
"""Content-aware writing: the cell states of pages, and the write and read speeds that they allow (Sha et al.,
"Asymmetric Error Rates of Cell States Exploration").

>>> states = ns.content.symbol_counts(Path("a.out").read_bytes())
>>> speeds = ns.content.write_speeds()
>>> speeds.steps_mv[speeds.levels("msb", states)]

Cells have two bits and four states: 11, 10, 01, 00 in the order of their voltage. The left digit is the bit of the MSB
page, which is read at one level; the right digit is the bit of the LSB page, which is read at three levels. Arrays of
counts and shares have the states in that order along their last axis. `page` is "msb" or "lsb".

Error rates of states are arrays of shape (4, 2), as `Cells.state_errors` returns them: the shares of a state's cells
that are read as a lower state (equation 1 of the paper) and as a higher state (equation 2).
"""

from nandscape.content.files import FileContent, of_file
from nandscape.content.mapping import MAPPINGS, map_counts
from nandscape.content.profile import KINDS, Profile
from nandscape.content.states import CELLS, STATES, counts_of, state_counts, symbol_counts
from nandscape.content.tables import (
    CODES,
    PAGE_FAILURE,
    STEPS_MV,
    SegmentCode,
    SegmentCodes,
    WriteSpeeds,
    codes_of_pages,
    segment_codes,
    write_speeds,
)

__all__ = [
    "CELLS",
    "CODES",
    "KINDS",
    "MAPPINGS",
    "PAGE_FAILURE",
    "STATES",
    "STEPS_MV",
    "FileContent",
    "Profile",
    "SegmentCode",
    "SegmentCodes",
    "WriteSpeeds",
    "codes_of_pages",
    "counts_of",
    "map_counts",
    "of_file",
    "segment_codes",
    "state_counts",
    "symbol_counts",
    "write_speeds",
]
