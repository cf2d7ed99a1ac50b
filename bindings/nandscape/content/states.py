# SPDX-License-Identifier: Apache-2.0
"""States of the cells of pages, and the error rates that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nandscape import _core
from nandscape.arguments import index
from nandscape.content.arguments import bytes_of, page_number, reals_of, shares_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from nandscape.content.arguments import Buffer, Page

STATES = ("11", "10", "01", "00")
CELLS = 16384
"""Cells that the paper counts in a page of 4 KB: pairs of neighbouring bits."""


def state_counts(lsb: Buffer, msb: Buffer, segments: int = 1) -> NDArray[np.uint32]:
    """Counts of a wordline's cells by state, from the bytes of its two pages; cell i holds bit i of each.

    `segments`: the number of equal parts of the pages to count separately. Shape (segments, 4).
    """
    return _core.count_states(bytes_of("lsb", lsb), bytes_of("msb", msb), index("segments", segments))


def symbol_counts(data: Buffer, page_bytes: int | None = None) -> NDArray[np.uint32]:
    """Counts of states if two neighbouring bits share a cell: four symbols in a byte, its highest bits first.

    The paper counts the states of files this way. With `page_bytes`, counts each page of that size; `data` must be a
    multiple of it. Otherwise counts all data as one page. Shape (pages, 4).
    """
    whole = bytes_of("data", data)
    pages = 1
    if page_bytes is not None:
        if index("page_bytes", page_bytes) == 0 or whole.size % page_bytes:
            raise ValueError(f"{whole.size} bytes are not a whole number of pages of {page_bytes}")
        pages = whole.size // page_bytes
    return _core.count_symbols(whole, pages) if pages else np.zeros((0, 4), np.uint32)


def counts_of(shares: ArrayLike, cells: int = CELLS) -> NDArray[np.uint32]:
    """Counts of states, in whole numbers, of `cells` cells with these shares; the shape of `shares`."""
    return _core.counts_of_shares(shares_of(shares), index("cells", cells))


def cdber(page: Page, errors: ArrayLike, shares: ArrayLike) -> NDArray[np.float64]:
    """Content-dependent bit error rate of a page: equation 4 ("msb") or 5 ("lsb").

    `errors`: error rates of the states, shape (4, 2). `shares`: shares of the states in the page's wordline, shape
    (..., 4). Returns an array of shape (...).
    """
    return _core.cdber(page_number(page), reals_of("an error rate", errors), shares_of(shares))


def relaxed_cdber(page: Page, errors: ArrayLike, weak_shares: ArrayLike) -> NDArray[np.float64]:
    """An upper bound of the CDBER: R10 + P (L01 - R10) with P the share of 01 (equation 6 without its misprint, "msb"),
    or R11 + P (L00 - R11) with P the share of 01 and 00 (equation 7, "lsb"). Has the shape of `weak_shares`, which
    gives P."""
    return _core.relaxed_cdber(page_number(page), reals_of("an error rate", errors), reals_of("a share", weak_shares))
