# SPDX-License-Identifier: Apache-2.0
"""The valid pages of a wordline when its block is refreshed.

The model has three probabilities for each workload: an MSB page is valid with probability m; any other page is valid
with probability u beside a valid MSB page and with probability w beside an invalid one. Tables III and IV determine
them:

    Table III, share of the MSB reads with invalid pages below    1 - u^2
    Table IV, valid pages of a wordline                           V = m + 2 (m u + (1 - m) w)
    Table IV, pages that are adjusted                             R = m (1 + u)

Wordlines with another number of bits have the same three probabilities.
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
        """Draws the valid pages by row and plane. The rows are the pages of one wordline after the other, LSB first."""
        top = random.random((wordlines, planes)) < self.top
        below = np.where(top, self.beside_valid, self.beside_invalid)
        pages = [random.random((wordlines, planes)) < below for _ in range(bits - 1)]
        return np.stack([*pages, top], axis=1).reshape(wordlines * bits, planes)

    def page_shares(self, bits: int) -> dict[tuple[int, int], float]:
        """The expected number of adjusted pages of a wordline, by page type and by the set of pages that stay (bit p:
        type p)."""
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
        """The expected number of valid pages of a wordline."""
        below = self.top * self.beside_valid + (1 - self.top) * self.beside_invalid
        return self.top + (bits - 1) * below


@cache
def validity(workload: str) -> Validity:
    printed = WORKLOADS[workload]
    u = sqrt(1 - printed.invalid_percent / 100)
    m = printed.added_reads / WORDLINES_PER_BLOCK / (1 + u)
    w = (printed.valid / WORDLINES_PER_BLOCK - m - 2 * m * u) / (2 * (1 - m))
    return Validity(m, u, w)
