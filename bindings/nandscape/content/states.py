# SPDX-License-Identifier: Apache-2.0
"""Counts the states of the cells in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nandscape import _core
from nandscape.arguments import index
from nandscape.content.arguments import bytes_of, shares_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from nandscape.content.arguments import Buffer

STATES = ("11", "10", "01", "00")
CELLS = 16384
"""Cells that the paper counts in a page of 4 KB: pairs of neighbouring bits."""


def state_counts(lsb: Buffer, msb: Buffer, segments: int = 1) -> NDArray[np.uint32]:
    """Counts the cells of a wordline by state, from the bytes of its two pages. Cell i holds bit i of each page.

    `segments`: the number of equal parts of the pages that are counted separately. The result has the shape (segments,
    4).
    """
    return _core.count_states(bytes_of("lsb", lsb), bytes_of("msb", msb), index("segments", segments))


def symbol_counts(data: Buffer, page_bytes: int | None = None) -> NDArray[np.uint32]:
    """Counts cells by state, taking each pair of neighbouring bits as a cell. A byte has four cells, beginning with its
    highest bits.

    The paper counts the states of files this way. With `page_bytes`, counts each page of that size; `data` must be a
    multiple of it. Otherwise counts all data as one page. The result has the shape (pages, 4).
    """
    whole = bytes_of("data", data)
    pages = 1
    if page_bytes is not None:
        if index("page_bytes", page_bytes) == 0 or whole.size % page_bytes:
            raise ValueError(f"{whole.size} bytes are not a whole number of pages of {page_bytes}")
        pages = whole.size // page_bytes
    return _core.count_symbols(whole, pages) if pages else np.zeros((0, 4), np.uint32)


def counts_of(shares: ArrayLike, cells: int = CELLS) -> NDArray[np.uint32]:
    """Divides `cells` cells among the states in proportion to these shares, rounded to integers. The result has the
    shape of `shares`."""
    return _core.counts_of_shares(shares_of(shares), index("cells", cells))
