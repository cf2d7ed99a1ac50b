# SPDX-License-Identifier: Apache-2.0
"""How the subpages are decoded: as Nie et al. assume, and with real LDPC codes.

`ASSUMED`. The study names no code. It says what its codewords do, of which these steps follow: one read suffices for
all but the weakest quarter of the layers (section III-B), three for a page of RBER .0078 (its example), six in the
worst layer (section II-B, Figure 2(b), whose layer B takes four), and seven for all. So a read of three sensing levels
bears .0078; one level bears what lies half-way, in ratio, from the weakest quarter to the one before it; levels between
and up to six lie in that ratio, and with seven a codeword bears twice as much as with six. With 225 bits lent and
borrowed, pages 2.7 times apart decode alike: with as much more parity a codeword bears the square root of 2.7 times as
many errors, with as much less so many times fewer.

`LDPC`. Codes of `platform/codes`, measured with their own decoder. With 225 bits of 4 KiB no code bears error rates 2.7
times apart (`capacity_ratio`). With 128 bytes these codes bear them nearly twice apart, which is what the cells need.
Less stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import floor, log2, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from layers.device import PARITY_BYTES, PAYLOAD_BITS, SUBPAGE_BYTES
from layers.published import BORROWED_BITS, RATIO, WEAK_RBER

# Two levels are half of what lies from one quarter of the layers to the next, of which three make RATIO.
PER_LEVEL = RATIO ** (1 / 12)
CODEWORD_BITS = PAYLOAD_BITS + 8 * PARITY_BYTES


class Decoder(Protocol):
    """`borrowed` is 1 for a codeword that borrows parity, -1 for one that lends it, else 0."""

    @property
    def name(self) -> str: ...
    @property
    def borrowed_bytes(self) -> int: ...
    @property
    def changes(self) -> Mapping[str, Any]: ...
    def failure(self, rber: float, levels: int, borrowed: int) -> float: ...
    def rate_borne(self, borrowed: int) -> float: ...


@dataclass(frozen=True)
class Steps:
    name: str
    borrowed_bytes: int
    error_rates: tuple[float, ...]
    gain: float

    @property
    def changes(self) -> dict[str, Any]:
        return {
            "ecc.decoder": "steps",
            "ecc.step_error_rates": list(self.error_rates),
            "ecc.parity_gain": self.gain,
        }

    def failure(self, rber: float, levels: int, borrowed: int) -> float:
        return _more_than(floor(self.error_rates[levels - 1] * self.gain**borrowed * CODEWORD_BITS), rber)

    def rate_borne(self, borrowed: int) -> float:
        """By a plain read."""
        return self.error_rates[0] * self.gain**borrowed


@dataclass(frozen=True)
class Ldpc:
    name: str
    borrowed_bytes: int

    @property
    def changes(self) -> dict[str, Any]:
        return {"ecc.decoder": "table"}

    def failure(self, rber: float, levels: int, borrowed: int) -> float:
        return float(self._table(borrowed).frame_error_rate(rber, levels))

    def rate_borne(self, borrowed: int) -> float:
        """At which one codeword in a hundred fails at a plain read."""
        return float(self._table(borrowed).rber_at(1e-2))

    def _table(self, borrowed: int) -> ns.CodeTable:
        return _code_table(PARITY_BYTES + borrowed * self.borrowed_bytes)


@cache
def _code_table(parity_bytes: int) -> ns.CodeTable:
    return ns.code_table(f"ldpc_{SUBPAGE_BYTES}_{parity_bytes}")


ASSUMED = Steps(
    "assumed",
    BORROWED_BITS // 8,
    (*(WEAK_RBER * PER_LEVEL**k for k in range(-2, 4)), 2 * WEAK_RBER * PER_LEVEL**3),
    sqrt(RATIO),
)
LDPC = Ldpc("ldpc", 128)
LESS_BORROWED = (Ldpc("ldpc_64", 64), Ldpc("ldpc_32", 32))


def capacity_ratio(borrowed_bits: float) -> float:
    """Error rates that the best codes bear, of any length, with so much parity borrowed over so much lent."""
    borrows, lends = (
        rate_of_capacity(PAYLOAD_BITS / (CODEWORD_BITS + more)) for more in (borrowed_bits, -borrowed_bits)
    )
    return borrows / lends


def parity_bits_needed(rber: float) -> float:
    """The least parity of PAYLOAD_BITS with which any code corrects such an error rate, however long its codewords."""
    return PAYLOAD_BITS * _entropy(rber) / (1 - _entropy(rber))


def rate_of_capacity(capacity: float) -> float:
    """The error rate up to a half at which a binary symmetric channel has it, by bisection."""
    low, high = 1e-12, 0.5
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - _entropy(middle) > capacity else (low, middle)
    return low


def _entropy(rber: float) -> float:
    return -rber * log2(rber) - (1 - rber) * log2(1 - rber)


@cache
def _log_factorials() -> NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, CODEWORD_BITS + 1)))])


@cache
def _more_than(errors: int, rber: float) -> float:
    """The probability of more errors in a codeword."""
    k = np.arange(errors + 1, CODEWORD_BITS + 1)
    chosen = _log_factorials()
    logarithms = chosen[-1] - chosen[k] - chosen[CODEWORD_BITS - k] + k * np.log(rber)
    return float(np.exp(logarithms + (CODEWORD_BITS - k) * np.log1p(-rber)).sum())
