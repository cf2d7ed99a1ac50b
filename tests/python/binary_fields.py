# SPDX-License-Identifier: Apache-2.0
"""The field GF(2^m) of a BCH code, computed from its definition only, so that tests do not depend on the library's
code.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import nandscape as ns

# The exponents of the terms of primitive polynomials, by their degree m. From Lin and Costello, "Error Control Coding".
PRIMITIVE = {
    11: (11, 2, 0),
    12: (12, 6, 4, 1, 0),
    13: (13, 4, 3, 1, 0),
    14: (14, 10, 6, 1, 0),
    15: (15, 1, 0),
    16: (16, 12, 3, 1, 0),
}


def field_degree(code: ns.Code) -> int:
    """Returns the smallest m for which the codeword fits into 2^m - 1 bits."""
    return int(code.codeword_bits).bit_length()


def powers_of_alpha(m: int) -> NDArray[np.int64]:
    """Returns the elements alpha^0 to alpha^(2^m - 2). Each is an integer whose bits are the coefficients of a
    polynomial in alpha.
    """
    modulus = sum(1 << exponent for exponent in PRIMITIVE[m])
    powers, element = [], 1
    for _ in range((1 << m) - 1):
        powers.append(element)
        element <<= 1
        if element >> m:
            element ^= modulus
    return np.array(powers)


def value_at_power(bits: NDArray[np.uint8], power: int, powers: NDArray[np.int64]) -> int:
    """Returns the value of a codeword's polynomial at alpha^power. The first bit is the coefficient of the highest
    exponent.
    """
    exponents = len(bits) - 1 - np.flatnonzero(bits)
    return int(np.bitwise_xor.reduce(powers[exponents * power % len(powers)], initial=0))
