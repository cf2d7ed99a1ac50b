# SPDX-License-Identifier: Apache-2.0
"""Mappings of states: the 24 permutations with which a wordline can be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nandscape import _core
from nandscape.arguments import index
from nandscape.content.arguments import bytes_of, counts_from

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from nandscape.content.arguments import Buffer

MAPPINGS: NDArray[np.uint8] = _core.state_mappings()
"""The state that each state becomes in each of the 24 mappings, as indices of `STATES`; shape (24, 4)."""


def map_counts(states: ArrayLike, mapping: ArrayLike) -> NDArray[np.uint32]:
    """Counts of states after the mapping of each page; the shape of `states`, (pages, 4) or (pages, segments, 4)."""
    counts, numbers = counts_from(states), np.asarray(mapping)
    if numbers.dtype.kind not in "iu" or numbers.shape != counts.shape[:1] or counts.ndim not in (2, 3):
        raise ValueError("counts need a row for each page, and there must be a mapping for each")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < len(MAPPINGS)):
        raise ValueError(f"mappings are numbered from 0 to {len(MAPPINGS) - 1}")
    becomes = MAPPINGS[numbers].astype(np.int64)
    becomes = becomes.reshape(becomes.shape[0], *[1] * (counts.ndim - 2), 4)
    mapped = np.empty_like(counts)
    np.put_along_axis(mapped, np.broadcast_to(becomes, counts.shape), counts, axis=-1)
    return mapped


def mapping_by_share(states: ArrayLike) -> NDArray[np.uint8]:
    """The mapping of Figure 7: the most frequent state becomes 11, the next ones 10, 01, 00. Shape (wordlines,)."""
    return _core.mapping_by_share(counts_from(states))


def map_pages(lsb: Buffer, msb: Buffer, mapping: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The LSB page and the MSB page of a wordline as they are stored with a mapping."""
    return _core.map_pages(bytes_of("lsb", lsb), bytes_of("msb", msb), index("mapping", mapping, len(MAPPINGS)), False)


def unmap_pages(lsb: Buffer, msb: Buffer, mapping: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inverse of `map_pages`."""
    return _core.map_pages(bytes_of("lsb", lsb), bytes_of("msb", msb), index("mapping", mapping, len(MAPPINGS)), True)
