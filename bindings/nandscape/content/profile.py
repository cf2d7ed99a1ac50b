# SPDX-License-Identifier: Apache-2.0
"""Profiles of the cell states in the pages of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nandscape import _core
from nandscape.arguments import index, number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

KINDS = tuple(name for name, _ in _core.list_content_kinds())
"""Kinds of content: `mixed` and those of Table I."""


class Profile:
    """A model of the pages of files, with the shares of states in Table I of the paper (Sha et al.). The share of each
    state varies from page to page with a Gaussian distribution.

    `kind`: one of `KINDS`. `of_pages`: standard deviation of a state's share between pages; `of_segments`: between the
    eighths of a page. Negative shares become 0; then the shares are scaled to add up to 1. Means are those of Table I
    with its columns 11 and 00 exchanged, as the text of the paper implies. A page is determined by its key, a 64-bit
    number.
    """

    def __init__(self, kind: str = "mixed", of_pages: float = 0.18, of_segments: float = 0.04) -> None:
        if kind not in KINDS:
            raise ValueError(f"unknown content {kind!r}; choose one of {', '.join(KINDS)}")
        spread = number("of_pages", of_pages), number("of_segments", of_segments)
        if not all(0 <= deviation <= 1 for deviation in spread):
            raise ValueError("standard deviations of shares must be between 0 and 1")
        self.kind = kind
        self._core = _core.ContentProfile(KINDS.index(kind), *spread)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean shares of the states for this kind; shape (4,)."""
        return _core.mean_shares(KINDS.index(self.kind))

    def shares(self, keys: ArrayLike) -> NDArray[np.float64]:
        """Returns the shares of the states in the pages with these keys; shape (keys, 4)."""
        return self._core.pages(_keys(keys))

    def segment_shares(self, keys: ArrayLike, segments: int = 8) -> NDArray[np.float64]:
        """Returns the shares of the states in each segment of the pages with these keys; shape (keys, segments, 4)."""
        if not 1 <= index("segments", segments) <= 4096:
            raise ValueError(f"{segments} segments; a page has 1 to 4096")
        return self._core.segments(_keys(keys), segments)

    def __repr__(self) -> str:
        return f"<Profile of {self.kind} pages>"


def _keys(keys: ArrayLike) -> NDArray[np.uint64]:
    given = np.atleast_1d(np.asarray(keys))
    if given.dtype.kind not in "iu" or given.ndim != 1:
        raise TypeError("keys must be whole numbers, one for each page")
    if given.size and given.min() < 0:
        raise ValueError("a key must be from 0 to 2^64 - 1")
    return given.astype(np.uint64)
