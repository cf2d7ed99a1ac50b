# SPDX-License-Identifier: Apache-2.0
"""Two ways to decode subpages: as Nie et al. assume, and with real LDPC codes.

`ASSUMED`. The study names no code, but it describes how codewords behave. One read suffices in all but the weakest
quarter of the layers (section III-B). Three reads suffice for a page with an RBER of .0078 (its example), six in the
worst layer (section II-B, Figure 2(b), whose layer B takes four), and seven for every page. Therefore a read with three
sensing levels corrects .0078, and a read with one level corrects the geometric mean of the weakest quarter and the
second weakest. The error rates of up to six levels grow by the ratio that these two give, and seven levels correct
twice as much as six. If one codeword lends 225 bits to another, pages whose error rates differ by a factor of 2.7
decode alike. A codeword with 225 more bits therefore corrects the square root of 2.7 times as many errors, and one with
225 fewer bits corrects fewer by the same factor.

`LDPC`. Codes of `platform/codes`, measured with their own decoder. If a codeword of 4 KiB lends 225 bits, no code
corrects error rates that differ by a factor of 2.7 (`capacity_ratio`). If it lends 128 bytes, these codes correct rates
that differ by a factor of nearly 2, which the cells need. The study also compares codes that borrow less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import floor, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from layers.device import PARITY_BYTES, PAYLOAD_BITS, SUBPAGE_BYTES

# Section III-B: error rates of a strong and a weak page that decode alike if the strong page lends BORROWED_BITS.
STRONG_RBER, WEAK_RBER = 0.0028, 0.0078
RATIO = 2.7
BORROWED_BITS = 225
# Three steps between quarters of the layers make the factor RATIO, and four sensing levels make one such step.
PER_LEVEL = RATIO ** (1 / 12)
CODEWORD_BITS = PAYLOAD_BITS + 8 * PARITY_BYTES


@dataclass(frozen=True)
class Steps:
    """A decoder as the study assumes. `borrowed`: 1 for a codeword that borrows parity, -1 for a codeword that lends
    it, 0 for all others."""

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
        """The error rate that a plain read corrects."""
        return self.error_rates[0] * self.gain**borrowed


@dataclass(frozen=True)
class Ldpc:
    """The decoder of a real code; its methods take the same arguments as those of Steps."""

    name: str
    borrowed_bytes: int

    @property
    def changes(self) -> dict[str, Any]:
        return {"ecc.decoder": "table"}

    def failure(self, rber: float, levels: int, borrowed: int) -> float:
        return float(self._table(borrowed).frame_error_rate(rber, levels))

    def rate_borne(self, borrowed: int) -> float:
        """The error rate at which one codeword in a hundred fails at a plain read."""
        return float(self._table(borrowed).rber_at(1e-2))

    def _table(self, borrowed: int) -> ns.CodeTable:
        return _code_table(PARITY_BYTES + borrowed * self.borrowed_bytes)


Decoder = Steps | Ldpc


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
    """The ratio of the error rates that the best codes of any length correct with this parity borrowed and with it
    lent."""
    borrows, lends = (
        rate_of_capacity(PAYLOAD_BITS / (CODEWORD_BITS + more)) for more in (borrowed_bits, -borrowed_bits)
    )
    return borrows / lends


def parity_bits_needed(rber: float) -> float:
    """The least parity for PAYLOAD_BITS with which a code of any length corrects this error rate."""
    return PAYLOAD_BITS * _entropy(rber) / (1 - _entropy(rber))


def rate_of_capacity(capacity: float) -> float:
    """The error rate, at most a half, at which a binary symmetric channel has this capacity; by bisection."""
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
    """The probability that a codeword has more than `errors` errors."""
    k = np.arange(errors + 1, CODEWORD_BITS + 1)
    chosen = _log_factorials()
    logarithms = chosen[-1] - chosen[k] - chosen[CODEWORD_BITS - k] + k * np.log(rber)
    return float(np.exp(logarithms + (CODEWORD_BITS - k) * np.log1p(-rber)).sum())
