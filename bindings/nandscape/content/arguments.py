# SPDX-License-Identifier: Apache-2.0
"""Checks and converts arguments that describe pages and their cells. Errors are ValueError or TypeError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Page = Literal["lsb", "msb"]
    Buffer = bytes | bytearray | memoryview | NDArray[np.uint8]


def page_number(page: str) -> int:
    """Returns the number of a page in its wordline: 0 for the LSB page, 1 for the MSB page."""
    if page not in ("lsb", "msb"):
        raise ValueError(f"a page is 'lsb' or 'msb', not {page!r}")
    return int(page == "msb")


def bytes_of(name: str, data: Buffer) -> NDArray[np.uint8]:
    """Converts a bytes-like object to an array of uint8. Raises TypeError for an array of any other type."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return np.frombuffer(data, np.uint8)
    if getattr(data, "dtype", None) != np.uint8:
        raise TypeError(f"{name} must be bytes or an array of uint8")
    return data


def counts_from(states: ArrayLike) -> NDArray[np.uint32]:
    """Converts counts of a wordline's cells by state to an array of uint32. Raises TypeError if the counts are not
    integers, and ValueError if a count or the sum of a wordline does not fit 32 bits."""
    counts = np.asarray(states)
    if counts.dtype.kind not in "iu":
        raise TypeError(f"counts of states must be whole numbers, not of the type {counts.dtype}")
    if counts.size and (counts.min() < 0 or counts.max() >= 1 << 32):
        raise ValueError("a count of states must be from 0 to 2^32 - 1")
    if counts.size and counts.ndim and counts.sum(axis=-1, dtype=float).max() >= 1 << 32:
        raise ValueError("a wordline has fewer than 2^32 cells")
    return counts.astype(np.uint32)


def reals_of(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """Converts numbers to an array of floats. Raises ValueError if a number is too large for a float."""
    try:
        return np.asarray(given, float)
    except OverflowError:
        raise ValueError(f"{name} is out of the range of a float") from None


def shares_of(shares: ArrayLike) -> NDArray[np.float64]:
    """Converts the shares of states to an array of floats. Raises ValueError unless all shares are from 0 to 1 and add
    up to 1 along the last axis."""
    given = reals_of("a share", shares)
    if not np.all((given >= 0) & (given <= 1)):
        raise ValueError("shares of states must be between 0 and 1")
    if given.ndim and given.size and np.abs(given.sum(axis=-1) - 1).max() > 1e-6:
        raise ValueError("the shares of the states of a page must add up to 1")
    return given
