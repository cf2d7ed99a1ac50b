# SPDX-License-Identifier: Apache-2.0
"""Error rates of pages by the states of their cells, and the mapping of states of Figure 7."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nandscape import content

# Whether a misread cell gives a wrong bit in the page: for cells in 11, 10, 01, 00, misread as a lower and as a higher
# state.
SEEN = {
    "msb": np.array([[0, 0], [0, 1], [1, 0], [0, 0]]),
    "lsb": np.array([[0, 1], [1, 1], [1, 1], [1, 0]]),
}


def cdber(page: content.Page, errors: NDArray[np.float64], shares: ArrayLike) -> NDArray[np.float64]:
    """Content-dependent bit error rate of a page: equation 4 ("msb") or 5 ("lsb").

    `errors`: error rates of the states, shape (4, 2), as `Cells.state_errors` returns them. `shares`: shares of the
    states in the page's wordline, shape (..., 4). Returns an array of shape (...).
    """
    return np.asarray(shares) @ (SEEN[page] * errors).sum(axis=1)


def mapping_by_share(states: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The mapping of Figure 7: the most frequent state becomes 11, the next ones 10, 01, 00. Shape (wordlines,)."""
    by_share = np.argsort(-states.astype(np.int64), axis=1, kind="stable")
    becomes = np.argsort(by_share, axis=1)
    return (becomes[:, None] == content.MAPPINGS).all(axis=2).argmax(axis=1).astype(np.uint8)
