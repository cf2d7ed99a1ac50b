# SPDX-License-Identifier: Apache-2.0
"""The valid pages of a wordline at the time at which its block is refreshed.

The model has three probabilities for each workload. An MSB page is valid with probability m. Another page of the
wordline is valid with probability u if the MSB page is valid, and with probability w if it is invalid. Tables III and
IV of Choi et al. determine the three probabilities:

    Table III, share of the MSB reads with invalid pages below    1 - u^2
    Table IV, valid pages of a wordline                           V = m + 2 (m u + (1 - m) w)
    Table IV, pages that are adjusted                             R = m (1 + u)

For cells with more or fewer bits, the same three probabilities are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ida.published import WORDLINES_PER_BLOCK, WORKLOADS


@dataclass(frozen=True)
class Validity:
    top: float  # m
    beside_valid: float  # u
    beside_invalid: float  # w

    def draw(self, wordlines: int, planes: int, bits: int, random: np.random.Generator) -> NDArray[np.bool_]:
        """Draws at random whether each page is valid. In the result, the first index is the row and the second the
        plane. The rows contain one wordline after the other, each beginning with its LSB page.
        """
        top = random.random((wordlines, planes)) < self.top
        below = np.where(top, self.beside_valid, self.beside_invalid)
        pages = [random.random((wordlines, planes)) < below for _ in range(bits - 1)]
        return np.stack([*pages, top], axis=1).reshape(wordlines * bits, planes)

    def page_shares(self, bits: int) -> dict[tuple[int, int], float]:
        """Returns the expected number of adjusted pages of a wordline. The keys are the page type, and the set of pages
        that stay in the wordline as a bit mask (bit p stands for type p)."""
        shares: dict[tuple[int, int], float] = {}
        for below in range(1 << (bits - 1)):
            middle = below & ~1
            count = below.bit_count()
            weight = self.top * self.beside_valid**count * (1 - self.beside_valid) ** (bits - 1 - count)
            stays = middle | 1 << (bits - 1)
            for page in range(1, bits):
                if stays >> page & 1:
                    shares[page, stays] = shares.get((page, stays), 0) + weight
        return shares

    def valid_pages(self, bits: int) -> float:
        """Returns the expected number of valid pages of a wordline."""
        below = self.top * self.beside_valid + (1 - self.top) * self.beside_invalid
        return self.top + (bits - 1) * below


@cache
def validity(workload: str) -> Validity:
    printed = WORKLOADS[workload]
    u = sqrt(1 - printed.invalid_percent / 100)
    m = printed.added_reads / WORDLINES_PER_BLOCK / (1 + u)
    w = (printed.valid / WORDLINES_PER_BLOCK - m - 2 * m * u) / (2 * (1 - m))
    return Validity(m, u, w)
