# SPDX-License-Identifier: Apache-2.0
"""Error correcting codes on their own: encoders and decoders, and tables of how often they fail.

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
    """What a decoder made of codewords.

    `payload`, `parity`: corrected; of codewords that failed as they were read, or for soft reads the hard decisions.
    `ok`: whether the decoder reports the codeword as corrected, which it also does when it finds another codeword than
    the one written. `corrected_bits`: of payload and parity. `iterations`: of an iterative decoder, begun ones counted;
    0 for BCH. The last three have an entry for each codeword.
    """

    payload: Words
    parity: Words
    ok: NDArray[np.bool_]
    corrected_bits: NDArray[np.uint32]
    iterations: NDArray[np.uint32]


class Code:
    """A code by its name (`nandscape codes` lists those with a table), such as "bch_1024_72" or "ldpc_4096_512".

    Codewords come one by one, as bytes or as a uint8 array of one dimension, or as a batch, a uint8 array of shape
    (batch, bytes). What comes back has the same form. Other threads go on meanwhile; those that use the same `Code`
    take turns. Raises `ConfigError` for a code that does not exist and ValueError for data of another length.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a code is called by its name, a str, not {type(name).__name__}")
        self._core = _core.CodeStudy(os.fsencode(name))

    @property
    def name(self) -> str:
        """`bch_<payload bytes>_<correctable bits>`, `ldpc_<payload bytes>_<parity bytes>`, ...

        That of a plug-in is `plugin_<payload bytes>:<path of the library>`, with `?<options>` where it has any.
        """
        return self._core.name

    @property
    def payload_bytes(self) -> int:
        """Bytes of user data in a codeword."""
        return self._core.payload_bytes

    @property
    def parity_bytes(self) -> int:
        """Bytes of parity; bits of the last one that the code does not use are zeros."""
        return self._core.parity_bytes

    @property
    def codeword_bits(self) -> int:
        """Bits of payload and parity, without padding."""
        return self._core.codeword_bits

    @property
    def correctable_bits(self) -> int | None:
        """t: errors that are corrected wherever they lie. None for LDPC, which promises none."""
        return self._core.correctable_bits if self._core.is_algebraic else None

    @property
    def rate(self) -> float:
        """Payload bits over codeword bits."""
        return 8 * self.payload_bytes / self.codeword_bits

    def encode(self, payload: Any) -> Any:
        """The parity of each payload."""
        rows = _rows(payload, self.payload_bytes, "payload")
        return _like(payload, self._core.encode(rows))

    def decode(self, payload: Any, parity: Any) -> Decoded[Any]:
        """Corrects codewords from bits as they were read."""
        rows = _rows(payload, self.payload_bytes, "payload"), _rows(parity, self.parity_bytes, "parity")
        corrected, corrected_parity, *outcome = self._core.decode(*rows)
        return Decoded(_like(payload, corrected), _like(payload, corrected_parity), *outcome)

    def decode_soft(self, llr: ArrayLike) -> Decoded[NDArray[np.uint8]]:
        """Corrects codewords from soft reads: an int8 array of shape (batch, codeword_bits), or (codeword_bits,).

        It holds the log-likelihood ratio of each bit in steps of the code's choice, positive where the bit is rather 1.
        `sensed_llr` makes such arrays. Algebraic codes use the signs alone.
        """
        likelihoods = np.atleast_1d(_whole_numbers("llr", llr, np.int8))
        rows = likelihoods.reshape(-1, likelihoods.shape[-1])
        if rows.shape[1] != self.codeword_bits:
            raise ValueError(f"a codeword of {self.name} has {self.codeword_bits} bits, not {rows.shape[1]}")
        payload, parity, *outcome = self._core.decode_soft(rows)
        return Decoded(_like(likelihoods, payload), _like(likelihoods, parity), *outcome)

    def codeword(self, payload: Any, parity: Any) -> NDArray[np.uint8]:
        """The bits of codewords, one to an entry: shape (batch, codeword_bits), or (codeword_bits,) for one."""
        parts = [_rows(payload, self.payload_bytes, "payload"), _rows(parity, self.parity_bytes, "parity")]
        bits = np.concatenate([np.unpackbits(part, axis=1, bitorder="little") for part in parts], axis=1)
        bits = bits[:, : self.codeword_bits]
        return bits if np.ndim(payload) == 2 else bits[0]

    def split(self, codeword: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Payload and parity of bits as `codeword` gives them."""
        bits = _whole_numbers("codeword", codeword, np.uint8)
        packed = np.packbits(bits, axis=-1, bitorder="little")
        return packed[..., : self.payload_bytes], packed[..., self.payload_bytes :]

    def parity_checks(self) -> NDArray[np.uint32]:
        """The ones of an LDPC code's parity-check matrix: rows of the number of the check and that of the bit.

        Raises `ConfigError` for other codes.
        """
        return _core.parity_checks(self.name)

    def __repr__(self) -> str:
        return f"<Code {self.name}: {self.payload_bytes} + {self.parity_bytes} bytes, rate {self.rate:.3f}>"


class CodeTable:
    """How often a code fails, by the raw errors of a codeword, measured with its real decoder; see `code_table`.

    Frame error rates follow as FER(RBER) = sum over e of Binomial(e; codeword_bits, RBER) P_fail(e). Between measured
    numbers of errors, the probit of P_fail is linear; below them its logarithm, which overestimates a waterfall and
    knows of no error floor. `levels`, from 1 to 7, says at how many levels around each of its own a read senses: 1 is a
    hard read. Where that number was not measured, the next lower one answers. Soft reads are those of cells whose
    voltage is normally distributed, sensed at the spacing that tells the most.

    Methods take single numbers or arrays and give arrays of their shape. They raise IndexError when nothing was
    measured for so few levels and ValueError for numbers out of range.
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
        """The numbers of sensing levels that were measured."""
        return np.unique(self._core.measured_counts[:, 0]).tolist()

    def failure_probability(self, errors: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """P_fail: how often a codeword with so many raw errors is not given back as it was written."""
        return self._core.failure_probability(index("levels", levels), _counts(errors))

    def mean_iterations(self, errors: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Iterations of the decoder, failing frames counted too."""
        return self._core.mean_iterations(index("levels", levels), _counts(errors))

    def mean_iterations_at(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """The same over all codewords that are read at a raw bit error rate."""
        return self._core.mean_iterations_at(index("levels", levels), _rates("rber", rber))

    def frame_error_rate(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """The share of codewords that cannot be corrected at a raw bit error rate."""
        return self._core.frame_error_rate(index("levels", levels), _rates("rber", rber))[0]

    def frame_error_bounds(self, rber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of the frame error rate that hold where the 95 % intervals of all measured rates do."""
        _, low, high = self._core.frame_error_rate(index("levels", levels), _rates("rber", rber))
        return low, high

    def rber_at(self, frame_error_rate: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """The raw bit error rate that leads to a frame error rate."""
        return self._core.rber_at(index("levels", levels), _rates("frame_error_rate", frame_error_rate))

    def rber_bounds_at(
        self, frame_error_rate: ArrayLike, levels: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of that raw bit error rate: where those of `frame_error_bounds` are the frame error rate."""
        rates = _rates("frame_error_rate", frame_error_rate)
        _, low, high = self._core.rber_estimate_at(index("levels", levels), rates)
        return low, high

    def extrapolated_decades(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Over how many decades the frame error rate and the UBER at a raw bit error rate are extrapolated; 0 where
        they are not.

        That is how far the rate lies below the lowest one that is measured: of which half of the failing codewords have
        as many errors as were measured, or more. Bounds of an extrapolated rate suppose that P_fail goes on as the
        measured decade above it does; an error floor is not in them.
        """
        return self._core.extrapolated_decades(index("levels", levels), _rates("rber", rber))

    def uber(self, rber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """Uncorrectable errors per user bit: the frame error rate over the bits of a payload.

        A codeword that cannot be corrected counts as one error, as in equation 1 of Liu et al. (FAST 2012). Rates as
        low as are promised of drives are extrapolated: `uber_bounds` and `extrapolated_decades` tell how well this one
        is known.
        """
        return self.frame_error_rate(rber, levels) / (8 * self.payload_bytes)

    def uber_bounds(self, rber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of the UBER, from those of the frame error rate (`frame_error_bounds`)."""
        low, high = self.frame_error_bounds(rber, levels)
        return low / (8 * self.payload_bytes), high / (8 * self.payload_bytes)

    def rber_at_uber(self, uber: ArrayLike, levels: int = 1) -> NDArray[np.float64]:
        """The raw bit error rate that leads to an UBER; `rber_bounds_at_uber` has its bounds."""
        return self.rber_at(np.asarray(uber) * 8 * self.payload_bytes, levels)

    def rber_bounds_at_uber(self, uber: ArrayLike, levels: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of that raw bit error rate: where those of `uber_bounds` are the UBER."""
        return self.rber_bounds_at(np.asarray(uber) * 8 * self.payload_bytes, levels)

    def rows(self) -> dict[str, NDArray[Any]]:
        """What was measured, as columns of one length.

        `levels`, `errors`: of the read, of the codeword. `frames`: so many were measured. `failures`: of them, those
        not given back as written. `miscorrections`: of the failures, those reported as corrected. `low`, `high`: the
        95 % confidence interval (Clopper and Pearson) of failures per frame. `mean_iterations`,
        `iterations_deviation`: of single frames.
        """
        counts, rates = self._core.measured_counts, self._core.measured_rates
        columns = dict(zip(("levels", "errors", "frames", "failures", "miscorrections"), counts.T, strict=True))
        names = ("low", "high", "mean_iterations", "iterations_deviation")
        return columns | dict(zip(names, rates.T, strict=True))

    def to_frame(self) -> pd.DataFrame:
        """`rows` as a pandas table. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def __repr__(self) -> str:
        return f"<CodeTable of {self.code}, sensing levels {', '.join(map(str, self.levels))}>"


def code_table(name: str | os.PathLike[str]) -> CodeTable:
    """The table of a code that comes with nandscape, by the code's name, or the one in a YAML file.

    Raises `ConfigError`: for an unknown name, with the nearest one; for a code without a table, with the command that
    measures it; for a broken file, with the line.
    """
    return CodeTable(_core.code_table(os.fsencode(name)))


def codes() -> list[str]:
    """Names of the codes that nandscape ships measurements for. There are more: any BCH code, for one."""
    return _core.list_codes()


def uber(
    rber: ArrayLike, levels: int = 1, *, codeword_bits: int = 8640, user_bits: int = 8192, correctable: int = 24
) -> NDArray[np.float64]:
    """Uncorrectable bit error rate of a code that corrects up to `correctable` errors of a codeword, and none beyond.

    Equation 1 of Liu, Yang and Wu (FAST 2012): the probability of more errors, over `user_bits`. The default is their
    code, 24 bits in 1080 bytes. `retention_relaxation.tolerable_rber` is the inverse. `CodeTable.uber` takes the same
    arguments; to a code that only counts errors, more sensing `levels` tell nothing.
    """
    bits = index("codeword_bits", codeword_bits), index("user_bits", user_bits)
    if not 1 <= levels <= 7:
        raise IndexError(f"{levels} sensing levels; there are 1 to 7")
    return _core.uber(_rates("rber", rber), *bits, index("correctable", correctable))


def sensed_llr(bits: ArrayLike, rber: float, levels: int, seed: int = 1) -> NDArray[np.int8]:
    """What soft reads tell of written bits, for `Code.decode_soft`: an array of the same shape.

    The voltages of cells of either bit are normally distributed, so that a read at the level half way is wrong with the
    probability `rber`. They are sensed at `levels` evenly spaced levels, 1 to 7, whose spacing tells the most.
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
    """Rows in the form in which `data` came."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return rows[0].tobytes()
    return rows if np.ndim(data) == 2 else rows[0]


def _whole_numbers(name: str, given: ArrayLike, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    try:
        return np.asarray(given, dtype=dtype)
    except OverflowError:
        raise ValueError(f"{name} holds a number that {dtype.__name__} does not") from None


def _counts(errors: ArrayLike) -> NDArray[np.uint32]:
    counts = np.asarray(errors)
    if counts.dtype.kind not in "iuf":
        raise TypeError(f"numbers of errors are whole numbers, not of the type {counts.dtype}")
    if not np.all((counts >= 0) & (counts < 1 << 32)):
        raise ValueError("a number of errors is not negative, and below 2^32")
    return counts.astype(np.uint32)


def _rates(name: str, rates: ArrayLike) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(rates, dtype=float)
    except OverflowError:
        raise ValueError(f"{name} is out of the range of a float") from None
    if np.isnan(numbers).any():
        raise ValueError(f"{name} is not a number")
    return numbers
