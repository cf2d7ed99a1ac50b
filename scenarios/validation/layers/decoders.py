# SPDX-License-Identifier: Apache-2.0
"""Two models of the decoder for subpages: the decoder that Nie et al. assume, and real LDPC codes.

`ASSUMED`. The study does not name a code, but describes when codewords are decoded. One read suffices in all layers but
the weakest quarter (section III-B). Three reads suffice for a page with an RBER of .0078, which is the study's example.
Six reads suffice in the worst layer and four in layer B of Figure 2(b) (section II-B), and seven suffice for every
page. Therefore, a read with three sensing levels is assumed to correct .0078. A read with one level is assumed to
correct the geometric mean of the error rates of the two weakest quarters. These two values define a ratio per level, by
which the correctable error rates grow up to six levels. Seven levels correct twice as much as six. If one codeword
lends 225 bits to another, pages decode equally well although their error rates differ by a factor of 2.7. A codeword
with 225 additional bits therefore corrects the square root of 2.7 times as many errors, and a codeword with 225 fewer
bits corrects fewer errors by the same factor.

`LDPC`. Codes of `platform/codes`, measured with their own decoder. No code of 4 KiB can correct error rates that differ
by a factor of 2.7 if only 225 bits are lent (`capacity_ratio`). If 128 bytes are lent, these codes correct error rates
that differ by a factor of nearly 2, which the cells need. The study of this folder also compares codes that borrow
less.
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

# Section III-B: the error rates of a strong and a weak page that decode equally well if the strong page lends
# BORROWED_BITS.
STRONG_RBER, WEAK_RBER = 0.0028, 0.0078
RATIO = 2.7
BORROWED_BITS = 225
# The factor RATIO is reached in three steps from quarter to quarter of the layers. Each of these steps corresponds to
# four sensing levels.
PER_LEVEL = RATIO ** (1 / 12)
CODEWORD_BITS = PAYLOAD_BITS + 8 * PARITY_BYTES


@dataclass(frozen=True)
class Steps:
    """The decoder that the study assumes. In all methods, `borrowed` is 1 for a codeword that borrows parity, -1 for a
    codeword that lends parity, and 0 for all others."""

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
        """Returns the highest error rate that a read with one sensing level corrects."""
        return self.error_rates[0] * self.gain**borrowed


@dataclass(frozen=True)
class Ldpc:
    """A real LDPC code with its decoder. The methods have the same arguments as those of Steps."""

    name: str
    borrowed_bytes: int

    @property
    def changes(self) -> dict[str, Any]:
        return {"ecc.decoder": "table"}

    def failure(self, rber: float, levels: int, borrowed: int) -> float:
        return float(self._table(borrowed).frame_error_rate(rber, levels))

    def rate_borne(self, borrowed: int) -> float:
        """Returns the error rate at which one codeword in a hundred fails in a read with one sensing level."""
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
    """Returns the highest error rate that any code corrects with `borrowed_bits` more parity, divided by the highest
    error rate that any code corrects with `borrowed_bits` less parity."""
    borrows, lends = (
        rate_of_capacity(PAYLOAD_BITS / (CODEWORD_BITS + more)) for more in (borrowed_bits, -borrowed_bits)
    )
    return borrows / lends


def parity_bits_needed(rber: float) -> float:
    """Returns the smallest number of parity bits for PAYLOAD_BITS with which any code can correct this error rate."""
    return PAYLOAD_BITS * _entropy(rber) / (1 - _entropy(rber))


def rate_of_capacity(capacity: float) -> float:
    """Returns the error rate, at most 0.5, at which the capacity of a binary symmetric channel equals `capacity`. Found
    by bisection.
    """
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
    """Returns the probability that a codeword has more than `errors` bit errors."""
    k = np.arange(errors + 1, CODEWORD_BITS + 1)
    chosen = _log_factorials()
    logarithms = chosen[-1] - chosen[k] - chosen[CODEWORD_BITS - k] + k * np.log(rber)
    return float(np.exp(logarithms + (CODEWORD_BITS - k) * np.log1p(-rber)).sum())
