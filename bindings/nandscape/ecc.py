# SPDX-License-Identifier: Apache-2.0
"""Error-correcting codes on their own: encoders, decoders, and tables of their failure rates.

>>> code = ns.Code("bch_1024_72")
>>> parity = code.encode(payload)
>>> code.decode(payload_as_read, parity_as_read).ok
>>> ns.code_table("ldpc_4096_512").rber_at(1e-5, levels=3)

A codeword is its payload followed by its parity. Bit i of either lies in bit i % 8 of byte i // 8.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from nandscape import _core
from nandscape.arguments import index, number

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

Words = TypeVar("Words")


@dataclass(frozen=True)
class Decoded(Generic[Words]):
    """Decoded codewords.

    `payload`, `parity`: the corrected bits. A codeword that could not be corrected has the bits as they were read;
    after a soft read, these are the hard decisions. `ok`: whether the decoder reports the codeword as corrected; also
    true when the decoder found a codeword other than the one written. `corrected_bits`: bits corrected in payload and
    parity. `iterations`: iterations that an iterative decoder began; 0 for BCH. `ok`, `corrected_bits` and `iterations`
    have an entry for each codeword.
    """

    payload: Words
    parity: Words
    ok: NDArray[np.bool_]
    corrected_bits: NDArray[np.uint32]
    iterations: NDArray[np.uint32]


class Code:
    """A code, selected by its name (`nandscape codes` lists those with a table), such as "bch_1024_72" or
    "ldpc_4096_512".

    A codeword is passed alone, as bytes or as a uint8 array of one dimension, or in a batch, a uint8 array of shape
    (batch, bytes). Results have the same form. Other threads can run meanwhile; threads that use the same `Code` run
    one after another. Raises `ConfigError` for a code that does not exist and ValueError for data of the wrong length.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a code must be a str, not {type(name).__name__}")
        self._core = _core.CodeStudy(os.fsencode(name))

    @property
    def name(self) -> str:
        """The name of the code, for example `bch_<payload bytes>_<correctable bits>` or `ldpc_<payload bytes>_<parity
        bytes>`.

        The name of a plug-in is `plugin_<payload bytes>:<path of the library>`, followed by `?<options>` if it has any.
        """
        return self._core.name

    @property
    def payload_bytes(self) -> int:
        """Bytes of user data in a codeword."""
        return self._core.payload_bytes

    @property
    def parity_bytes(self) -> int:
        """Bytes of parity; unused bits of the last byte are zero."""
        return self._core.parity_bytes

    @property
    def codeword_bits(self) -> int:
        """Bits of payload and parity, without padding."""
        return self._core.codeword_bits

    @property
    def correctable_bits(self) -> int | None:
        """t, the number of errors that are always corrected, regardless of their positions. None for LDPC codes, which
        do not guarantee such a number."""
        return self._core.correctable_bits if self._core.is_algebraic else None

    @property
    def rate(self) -> float:
        """The ratio of payload bits to codeword bits."""
        return 8 * self.payload_bytes / self.codeword_bits

    def encode(self, payload: Any) -> Any:
        """Returns the parity of each payload."""
        rows = _rows(payload, self.payload_bytes, "payload")
        return _like(payload, self._core.encode(rows))

    def decode(self, payload: Any, parity: Any) -> Decoded[Any]:
        """Corrects codewords from hard reads."""
        rows = _rows(payload, self.payload_bytes, "payload"), _rows(parity, self.parity_bytes, "parity")
        corrected, corrected_parity, *outcome = self._core.decode(*rows)
        return Decoded(_like(payload, corrected), _like(payload, corrected_parity), *outcome)

    def decode_soft(self, llr: ArrayLike) -> Decoded[NDArray[np.uint8]]:
        """Corrects codewords from soft reads: an int8 array of shape (batch, codeword_bits), or (codeword_bits,).

        `llr` holds the log-likelihood ratio of each bit, in steps that the code chooses, positive where the bit is more
        likely 1. `sensed_llr` makes such arrays. Algebraic codes use only the signs.
        """
        likelihoods = np.atleast_1d(_whole_numbers("llr", llr, np.int8))
        rows = likelihoods.reshape(-1, likelihoods.shape[-1])
        if rows.shape[1] != self.codeword_bits:
            raise ValueError(f"a codeword of {self.name} has {self.codeword_bits} bits, not {rows.shape[1]}")
        payload, parity, *outcome = self._core.decode_soft(rows)
        return Decoded(_like(likelihoods, payload), _like(likelihoods, parity), *outcome)

    def codeword(self, payload: Any, parity: Any) -> NDArray[np.uint8]:
        """Returns the bits of codewords, one bit per entry. The result has the shape (batch, codeword_bits), or
        (codeword_bits,) for one codeword."""
        parts = [_rows(payload, self.payload_bytes, "payload"), _rows(parity, self.parity_bytes, "parity")]
        bits = np.concatenate([np.unpackbits(part, axis=1, bitorder="little") for part in parts], axis=1)
        bits = bits[:, : self.codeword_bits]
        return bits if np.ndim(payload) == 2 else bits[0]

    def split(self, codeword: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Splits codewords, given as bits, into payload and parity bytes; the inverse of `codeword`."""
        bits = _whole_numbers("codeword", codeword, np.uint8)
        packed = np.packbits(bits, axis=-1, bitorder="little")
        return packed[..., : self.payload_bytes], packed[..., self.payload_bytes :]

    def parity_checks(self) -> NDArray[np.uint32]:
        """Returns the positions of the ones in the parity-check matrix of an LDPC code. Each row of the result holds
        the number of a check and the number of a bit.

        Raises `ConfigError` for other codes.
        """
        return _core.parity_checks(self.name)

    def __repr__(self) -> str:
        return f"<Code {self.name}: {self.payload_bytes} + {self.parity_bytes} bytes, rate {self.rate:.3f}>"


class CodeTable:
    """Failure rates of a code, depending on the number of raw errors in a codeword, measured with its real decoder; see
    `code_table`.

    Frame error rates are computed from them: FER(RBER) = sum over e of Binomial(e; codeword_bits, RBER) P_fail(e).
    Between measured numbers of errors, P_fail is interpolated linearly in its probit. Below the lowest number it is
    extrapolated linearly in its logarithm, which overestimates a waterfall and has no error floor. `levels`, from 1 to
    7, is the number of levels that a read senses around each read level: 1 is a hard read. For a number of levels that
    was not measured, the values of the next lower number apply. Soft reads sense cells with normally distributed
    voltages, at the spacing that gives the most information.

    Methods take single numbers or arrays and return arrays of the same shape. They raise IndexError when neither
    `levels` nor a lower number was measured, and ValueError for numbers out of range.
    """

    def __init__(self, core: _core.CodeTable) -> None:
        self._core = core

    @property
    def code(self) -> str:
        """The code's name."""
        return self._core.code

    @property
    def payload_bytes(self) -> int:
        """Bytes of user data in a codeword."""
        return self._core.payload_bytes

    @property
    def codeword_bits(self) -> int:
        """Bits of payload and parity."""
        return self._core.codeword_bits

    @property
    def levels(self) -> list[int]:
        """The measured numbers of sensing levels."""
        return np.unique(self._core.measured_counts[:, 0]).tolist()

    def failure_probability(self, errors: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns P_fail, the probability that a codeword with `errors` raw errors is not decoded as it was written."""
        return self._core.failure_probability(index("levels", levels), _counts(errors))

    def mean_iterations(self, errors: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the mean number of decoder iterations for codewords with `errors` raw errors, including codewords
        that fail."""
        return self._core.mean_iterations(index("levels", levels), _counts(errors))

    def mean_iterations_at(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the mean number of decoder iterations at a raw bit error rate, including codewords that fail."""
        return self._core.mean_iterations_at(index("levels", levels), _rates("rber", rber))

    def frame_error_rate(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the share of codewords that cannot be corrected at a raw bit error rate."""
        return self._core.frame_error_rate(index("levels", levels), _rates("rber", rber))[0]

    def frame_error_bounds(self, rber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the lower and the upper bound of the frame error rate. They hold if all measured rates lie in their
        95 % intervals."""
        _, low, high = self._core.frame_error_rate(index("levels", levels), _rates("rber", rber))
        return low, high

    def rber_at(self, frame_error_rate: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the raw bit error rate at which the frame error rate has the given value."""
        return self._core.rber_at(index("levels", levels), _rates("frame_error_rate", frame_error_rate))

    def rber_bounds_at(
        self, frame_error_rate: ArrayLike, levels: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the bounds of the result of `rber_at`. At each RBER between them, the given frame error rate lies
        within `frame_error_bounds`."""
        rates = _rates("frame_error_rate", frame_error_rate)
        _, low, high = self._core.rber_estimate_at(index("levels", levels), rates)
        return low, high

    def extrapolated_decades(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the number of decades over which the frame error rate and the UBER at a raw bit error rate are
        extrapolated; 0 if they are measured.

        Decades are counted from the lowest measured rate, at which half of the failing codewords have at least as many
        errors as the lowest number that was measured. The bounds of an extrapolated rate assume that P_fail continues
        as in the measured decade above it; they include no error floor.
        """
        return self._core.extrapolated_decades(index("levels", levels), _rates("rber", rber))

    def uber(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the number of uncorrectable errors per user bit: the frame error rate divided by the bits of a
        payload.

        A codeword that cannot be corrected counts as one error, as in equation 1 of Liu et al. (FAST 2012). The low
        rates specified for drives are extrapolated; `uber_bounds` and `extrapolated_decades` show how certain they are.
        """
        return self.frame_error_rate(rber, levels) / (8 * self.payload_bytes)

    def uber_bounds(self, rber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the bounds of the UBER, computed from the bounds of the frame error rate (`frame_error_bounds`)."""
        low, high = self.frame_error_bounds(rber, levels)
        return low / (8 * self.payload_bytes), high / (8 * self.payload_bytes)

    def rber_at_uber(self, uber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Returns the raw bit error rate at which the UBER has the given value. `rber_bounds_at_uber` returns the
        bounds of this result."""
        return self.rber_at(np.asarray(uber) * 8 * self.payload_bytes, levels)

    def rber_bounds_at_uber(self, uber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the bounds of the result of `rber_at_uber`. At each RBER between them, the given UBER lies within
        `uber_bounds`."""
        return self.rber_bounds_at(np.asarray(uber) * 8 * self.payload_bytes, levels)

    def rows(self) -> dict[str, NDArray[Any]]:
        """Returns the measurements as columns of equal length.

        `levels`: sensing levels of the read. `errors`: raw errors of the codeword. `frames`: measured frames.
        `failures`: frames that were not decoded as written. `miscorrections`: failures that the decoder reported as
        corrected. `low`, `high`: the 95 % confidence interval (Clopper and Pearson) of failures per frame.
        `mean_iterations`, `iterations_deviation`: mean and standard deviation of the iterations of a frame.
        """
        counts, rates = self._core.measured_counts, self._core.measured_rates
        columns = dict(zip(("levels", "errors", "frames", "failures", "miscorrections"), counts.T, strict=True))
        names = ("low", "high", "mean_iterations", "iterations_deviation")
        return columns | dict(zip(names, rates.T, strict=True))

    def to_frame(self) -> pd.DataFrame:
        """Returns `rows` as a pandas table. Raises ImportError if pandas is not installed."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def __repr__(self) -> str:
        return f"<CodeTable of {self.code}, sensing levels {', '.join(map(str, self.levels))}>"


def code_table(name: str | os.PathLike[str]) -> CodeTable:
    """Loads the table that comes with nandscape for the code of that name, or the table in a YAML file.

    Raises `ConfigError` for an unknown name, for a code without a table, and for a broken file. The message gives the
    most similar name, the command that measures the table, or the line of the file.
    """
    return CodeTable(_core.code_table(os.fsencode(name)))


def codes() -> list[str]:
    """Returns the names of the codes that `nandscape codes` lists. Other codes can be used too, for example any BCH
    code."""
    return _core.list_codes()


def uber(
    rber: ArrayLike, levels: int = 1, *, codeword_bits: int = 8640, user_bits: int = 8192, correctable: int = 24
) -> NDArray[np.float64]:
    """Returns the uncorrectable bit error rate of a code that corrects up to `correctable` errors in a codeword, and
    never more.

    By equation 1 of Liu, Yang and Wu (FAST 2012), it is the probability of more than `correctable` errors, divided by
    `user_bits`. The default is the code of that paper, which corrects 24 bits in 1080 bytes. `tolerable_rber` is the
    inverse. `levels` exists because `CodeTable.uber` takes it; sensing levels make no difference to a code that only
    counts errors.
    """
    bits = index("codeword_bits", codeword_bits), index("user_bits", user_bits)
    if not 1 <= levels <= 7:
        raise IndexError(f"levels is {levels}; it must be from 1 to 7")
    return _core.uber(_rates("rber", rber), *bits, index("correctable", correctable))


def tolerable_rber(
    uber: float = 1e-16, *, codeword_bits: int = 8640, user_bits: int = 8192, correctable: int = 24
) -> float:
    """Returns the raw bit error rate at which a code has the uncorrectable bit error rate `uber`. This is the inverse
    of the function `uber`."""
    bits = index("codeword_bits", codeword_bits), index("user_bits", user_bits)
    return _core.tolerable_rber(number("uber", uber), *bits, index("correctable", correctable))


def sensed_llr(bits: ArrayLike, rber: float, levels: int, seed: int = 1) -> NDArray[np.int8]:
    """Simulates soft reads of written bits, and returns the log-likelihood ratios of the bits for `Code.decode_soft`.
    The array has the shape of `bits`.

    The voltages of cells that hold 0 and of cells that hold 1 are normally distributed; a read at the level halfway
    between the means is wrong with the probability `rber`. The cells are sensed at `levels` evenly spaced levels, 1 to
    7, at the spacing that gives the most information.
    """
    senses = index("levels", levels), index("seed", seed, 1 << 64)
    return _core.sensed_llr(_whole_numbers("bits", bits, np.uint8), number("rber", rber), *senses)


def _rows(data: Any, width: int, what: str) -> NDArray[np.uint8]:
    array = np.frombuffer(data, dtype=np.uint8) if isinstance(data, (bytes, bytearray, memoryview)) else data
    array = np.atleast_2d(np.asarray(array))
    if array.dtype != np.uint8:
        raise TypeError(f"{what} is an array of {array.dtype}; it must be bytes or uint8")
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{what} has the shape {array.shape}; it must be (batch, {width}), or {width} bytes")
    return array


def _like(data: Any, rows: NDArray[np.uint8]) -> Any:
    """Returns rows in the same form as `data`: bytes, one array, or a batch."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return rows[0].tobytes()
    return rows if np.ndim(data) == 2 else rows[0]


def _whole_numbers(name: str, given: ArrayLike, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    try:
        return np.asarray(given, dtype=dtype)
    except OverflowError:
        raise ValueError(f"{name} holds a number out of the range of {dtype.__name__}") from None


def _counts(errors: ArrayLike) -> NDArray[np.uint32]:
    counts = np.asarray(errors)
    if counts.dtype.kind not in "iuf":
        raise TypeError(f"numbers of errors must be whole numbers, not of the type {counts.dtype}")
    if not np.all((counts >= 0) & (counts < 1 << 32)):
        raise ValueError("numbers of errors must be from 0 to 2^32 - 1")
    return counts.astype(np.uint32)


def _rates(name: str, rates: ArrayLike) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(rates, dtype=float)
    except OverflowError:
        raise ValueError(f"{name} is out of the range of a float") from None
    if np.isnan(numbers).any():
        raise ValueError(f"{name} is not a number")
    return numbers
