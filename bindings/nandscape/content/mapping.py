# SPDX-License-Identifier: Apache-2.0
"""State mappings: a wordline can be written with any of the 24 permutations of the four states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nandscape import _core
from nandscape.content.arguments import counts_from

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MAPPINGS: NDArray[np.uint8] = _core.state_mappings()
"""The state that each state becomes in each of the 24 mappings, as indices of `STATES`; shape (24, 4)."""


def map_counts(states: ArrayLike, mapping: ArrayLike) -> NDArray[np.uint32]:
    """Returns the counts of states after the states of each page have been mapped. The result has the shape of
    `states`: (pages, 4) or (pages, segments, 4)."""
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
