# SPDX-License-Identifier: Apache-2.0
"""Writing by content: error rates of a page by what its cells hold, and how fast it can be written or read for that
(Sha et al., "Asymmetric Error Rates of Cell States Exploration").

>>> states = ns.content.symbol_counts(Path("a.out").read_bytes())
>>> speeds = ns.content.write_speeds()
>>> speeds.steps_mv[speeds.levels("msb", states)]

Cells have two bits and four states: 11, 10, 01, 00 in the order of their voltage, the left digit being the bit of the
MSB page, which is read at one level, the right one that of the LSB page, read at three. Arrays of counts and shares
have the states in that order along their last axis. `page` is "msb" or "lsb".

Error rates of states are arrays of shape (4, 2), as `Cells.state_errors` gives them: the shares of a state's cells that
are read as a lower one (equation 1 of the paper) and as a higher one (equation 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nandscape import _core
from nandscape.arguments import index, number
from nandscape.config import Config, load

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Page = Literal["lsb", "msb"]
    Buffer = bytes | bytearray | memoryview | NDArray[np.uint8]

STATES = ("11", "10", "01", "00")
KINDS = tuple(name for name, _ in _core.list_content_kinds())
"""Kinds of content: `mixed` and those of Table I."""
STEPS_MV = (300.0, 380.0, 460.0, 540.0, 600.0, 680.0)
"""ISPP steps of Table II."""
CELLS = 16384
"""Cells that the paper counts in a page of 4 KB: pairs of neighbouring bits."""
PAGE_FAILURE = 1e-7
"""Probability that a page cannot be corrected, up to which a CDBER counts as correctable."""


@dataclass(frozen=True)
class SegmentCode:
    """The code of each of the `segments` equal segments of a page: up to `correctable` errors in `codeword_bits`."""

    segments: int
    codeword_bits: int
    user_bits: int
    correctable: int
    decode_us: float = 0.0

    def correctable_ber(self, page_failure: float = PAGE_FAILURE) -> float:
        """Raw bit error rate at which any of the page's segments fails with the probability `page_failure`."""
        return _core.correctable_ber(_as_core(self), number("page_failure", page_failure))


CODES = tuple(
    SegmentCode(code.segments, code.codeword_bits, code.user_bits, code.correctable, code.decode_us)
    for code in _core.segment_codes_of_4_kb()
)
"""BCH codes of pages of 4 KB, for 1 to 32 segments: the four of Table III, and two without a published time (0)."""


def codes_of_pages(page_bytes: int) -> tuple[SegmentCode, ...]:
    """The codes of Table III for pages of a multiple of 4096 bytes, which have as many segments more."""
    times, left = divmod(8 * index("page_bytes", page_bytes), CODES[0].user_bits)
    if left or not times:
        raise ValueError(f"a page of {page_bytes} bytes; the codes are for multiples of 4096")
    return tuple(replace(code, segments=times * code.segments) for code in CODES if code.decode_us)


def state_counts(lsb: Buffer, msb: Buffer, segments: int = 1) -> NDArray[np.uint32]:
    """Cells of a wordline by state, from the bytes of its two pages; cell i holds bit i of each.

    Shape (segments, 4): of each of so many equal parts of the pages.
    """
    return _core.count_states(_bytes("lsb", lsb), _bytes("msb", msb), index("segments", segments))


def symbol_counts(data: Buffer, page_bytes: int | None = None) -> NDArray[np.uint32]:
    """States of bytes whose neighbouring bits share a cell: four symbols in a byte, its highest bits first.

    So the paper counts the states of files. With `page_bytes`, of each page of so many bytes, of which `data` is a
    multiple; else of all. Shape (pages, 4).
    """
    whole = _bytes("data", data)
    pages = 1
    if page_bytes is not None:
        if index("page_bytes", page_bytes) == 0 or whole.size % page_bytes:
            raise ValueError(f"{whole.size} bytes are no whole number of pages of {page_bytes}")
        pages = whole.size // page_bytes
    return _core.count_symbols(whole, pages) if pages else np.zeros((0, 4), np.uint32)


class Profile:
    """Pages of files as Table I has them: each state's share is Gaussian from page to page.

    `kind`: one of `KINDS`. `of_pages`: standard deviation of a state's share from page to page; `of_segments`: between
    the eighths of a page. Shares below 0 are taken as 0; then they are scaled to add up to 1. Means are those of Table
    I with its columns 11 and 00 exchanged, as the text implies. A page is a function of its key, a 64-bit number.
    """

    def __init__(self, kind: str = "mixed", of_pages: float = 0.18, of_segments: float = 0.04) -> None:
        if kind not in KINDS:
            raise ValueError(f"there is no content {kind!r}; there are {', '.join(KINDS)}")
        spread = number("of_pages", of_pages), number("of_segments", of_segments)
        if not all(0 <= deviation <= 1 for deviation in spread):
            raise ValueError("standard deviations of shares lie between 0 and 1")
        self.kind = kind
        self._core = _core.ContentProfile(KINDS.index(kind), *spread)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean shares of its kind; shape (4,)."""
        return _core.mean_shares(KINDS.index(self.kind))

    def shares(self, keys: ArrayLike) -> NDArray[np.float64]:
        """Shares of the states in the pages of these keys; shape (keys, 4)."""
        return self._core.pages(_keys(keys))

    def segment_shares(self, keys: ArrayLike, segments: int = 8) -> NDArray[np.float64]:
        """The same of the segments of these pages; shape (keys, segments, 4)."""
        if not 1 <= index("segments", segments) <= 4096:
            raise ValueError(f"{segments} segments; a page has 1 to 4096")
        return self._core.segments(_keys(keys), segments)

    def __repr__(self) -> str:
        return f"<Profile of {self.kind} pages>"


def counts_of(shares: ArrayLike, cells: int = CELLS) -> NDArray[np.uint32]:
    """So many cells with these shares of states, in whole numbers; of the shape of `shares`."""
    return _core.counts_of_shares(_shares(shares), index("cells", cells))


def cdber(page: Page, errors: ArrayLike, shares: ArrayLike) -> NDArray[np.float64]:
    """Content-dependent bit error rate of a page: equation 4 ("msb") or 5 ("lsb").

    `errors`: of the states, (4, 2). `shares`: of the states in the page's wordline, (..., 4). Shape (...).
    """
    return _core.cdber(_page(page), _reals("an error rate", errors), _shares(shares))


def relaxed_cdber(page: Page, errors: ArrayLike, weak_shares: ArrayLike) -> NDArray[np.float64]:
    """An upper bound of it: R10 + P (L01 - R10), P the share of 01 (equation 6 without its misprint, "msb"), or
    R11 + P (L00 - R11), P the share of 01 and 00 (equation 7, "lsb"). Of the shape of `weak_shares`."""
    return _core.relaxed_cdber(_page(page), _reals("an error rate", errors), _reals("a share", weak_shares))


class WriteSpeeds:
    """Which ISPP step a page bears (Table II); made by `write_speeds`. Levels count from 0, the device's own step."""

    def __init__(self, core: _core.WriteSpeedTable) -> None:
        self._core = core

    @property
    def steps_mv(self) -> NDArray[np.float64]:
        """ISPP steps of the levels."""
        return np.array([step for step, _ in self._core.steps])

    @property
    def program_us(self) -> NDArray[np.float64]:
        """Latency of programming with them."""
        return np.array([latency for _, latency in self._core.steps])

    @property
    def cells(self) -> int:
        """Cells of a wordline, in which the table counts."""
        return self._core.cells

    @property
    def correctable_ber(self) -> float:
        """CDBER up to which a step is legal."""
        return self._core.correctable_ber

    def errors(self, level: int) -> NDArray[np.float64]:
        """Error rates of the states at the level's step; shape (4, 2)."""
        return self._core.error_rates(index("level", level))

    def most_weak_cells(self, page: Page) -> NDArray[np.int64]:
        """Of each level the most cells in 01 ("msb"), in 01 or 00 ("lsb"), with which it is legal; negative: never.

        Table II prints these limits for the level below, plus 1.
        """
        return self._core.most_weak_cells(_page(page))

    def levels(self, page: Page, states: ArrayLike, *, optimal: bool = False) -> NDArray[np.uint32]:
        """The highest legal level of each page, from counts of the states of its wordline, (pages, 4).

        By the relaxed CDBER, which needs whole numbers only; `optimal`: by the exact one.
        """
        look_up = self._core.optimal if optimal else self._core.relaxed
        return look_up(_page(page), _counts(states))

    def mapping(self, states: ArrayLike, *, one_shot: bool = False) -> NDArray[np.uint8]:
        """The mapping of states with which the pages of each wordline are programmed soonest; shape (wordlines,).

        Each page has a step of its own; with `one_shot` both have that of the slower.
        """
        return self._core.fastest_mapping(_counts(states), one_shot)

    def __repr__(self) -> str:
        return f"<WriteSpeeds of {len(self.steps_mv)} steps, {self.cells} cells>"


class SegmentCodes:
    """Into how many segments a page can be divided (Table III); made by `segment_codes`."""

    def __init__(self, core: _core.SegmentTable) -> None:
        self._core = core

    @property
    def segments(self) -> NDArray[np.uint32]:
        """Segments that a page has with each code, rising."""
        return np.array([segments for segments, _, _ in self._core.codes], np.uint32)

    @property
    def correctable_ber(self) -> NDArray[np.float64]:
        """CDBER of the worst segment up to which a code will do."""
        return np.array([ber for _, ber, _ in self._core.codes])

    @property
    def decode_us(self) -> NDArray[np.float64]:
        """Time of decoding one segment."""
        return np.array([us for _, _, us in self._core.codes])

    @property
    def errors(self) -> NDArray[np.float64]:
        """Error rates of the states; shape (4, 2)."""
        return self._core.error_rates

    def most_weak_cells(self, page: Page) -> NDArray[np.int64]:
        """Of each code the most cells in 01 ("msb"), in 01 or 00 ("lsb"), of a page all of whose segments have as many;
        negative: none. Table III prints these limits for the code before, plus 1."""
        return self._core.most_weak_cells(_page(page))

    def codes(self, page: Page, states: ArrayLike, *, optimal: bool = False) -> NDArray[np.uint32]:
        """The last code that covers each page, from counts of the states of its segments, (pages, segments, 4).

        Codes whose own number of segments does not divide that are passed over. By the relaxed CDBER; `optimal`: by
        the exact one.
        """
        look_up = self._core.optimal if optimal else self._core.relaxed
        return look_up(_page(page), _counts(states))

    def mapping(self, states: ArrayLike) -> NDArray[np.uint8]:
        """The mapping of states with which segments of both pages are decoded soonest; shape (wordlines,)."""
        return self._core.fastest_mapping(_counts(states))

    def __repr__(self) -> str:
        return f"<SegmentCodes of {', '.join(map(str, self.segments))} segments>"


MAPPINGS: NDArray[np.uint8] = _core.state_mappings()
"""Of each of the 24 mappings of states what the states become, by their places in `STATES`: shape (24, 4)."""


def map_counts(states: ArrayLike, mapping: ArrayLike) -> NDArray[np.uint32]:
    """Counts of states, (pages, 4) or (pages, segments, 4), as each page's mapping has them; of the same shape."""
    counts, numbers = _counts(states), np.asarray(mapping)
    if numbers.dtype.kind not in "iu" or numbers.shape != counts.shape[:1] or counts.ndim not in (2, 3):
        raise ValueError("counts have a row for each page, and there is a mapping for each")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < len(MAPPINGS)):
        raise ValueError(f"mappings count from 0 to {len(MAPPINGS) - 1}")
    becomes = MAPPINGS[numbers].astype(np.int64)
    becomes = becomes.reshape(becomes.shape[0], *[1] * (counts.ndim - 2), 4)
    mapped = np.empty_like(counts)
    np.put_along_axis(mapped, np.broadcast_to(becomes, counts.shape), counts, axis=-1)
    return mapped


def mapping_by_share(states: ArrayLike) -> NDArray[np.uint8]:
    """The mapping of Figure 7: the state that most cells have becomes 11, the next 10, 01, 00. Shape (wordlines,)."""
    return _core.mapping_by_share(_counts(states))


def map_pages(lsb: Buffer, msb: Buffer, mapping: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The pages of a wordline as they are stored with that mapping: LSB page, MSB page."""
    return _core.map_pages(_bytes("lsb", lsb), _bytes("msb", msb), index("mapping", mapping, len(MAPPINGS)), False)


def unmap_pages(lsb: Buffer, msb: Buffer, mapping: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inverse of `map_pages`."""
    return _core.map_pages(_bytes("lsb", lsb), _bytes("msb", msb), index("mapping", mapping, len(MAPPINGS)), True)


def write_speeds(
    configuration: Config | str | Mapping[str, Any] | None = None,
    steps_mv: Iterable[float] = STEPS_MV,
    *,
    pe_cycles: float = 15000,
    months: float = 12,
    code: SegmentCode = CODES[0],
    page_failure: float = PAGE_FAILURE,
    cells: int = CELLS,
) -> WriteSpeeds:
    """Table II, from the cells of a configuration that are kept for `months` after `pe_cycles`.

    Without a configuration its cells are the paper's, `mlc_planar_15k`. Raises `ConfigError` for one whose coding is
    not `mlc_13`.
    """
    steps = [number("step_mv", step) for step in steps_mv]
    tables = _tables(configuration, pe_cycles, months)
    return WriteSpeeds(
        tables.write_speeds(
            steps, _core.correctable_ber(_as_core(code), number("page_failure", page_failure)), index("cells", cells)
        )
    )


def segment_codes(
    configuration: Config | str | Mapping[str, Any] | None = None,
    codes: Sequence[SegmentCode] = CODES[:4],
    *,
    pe_cycles: float = 15000,
    months: float = 12,
    step_mv: float = 0,
    page_failure: float = PAGE_FAILURE,
    cells: int = CELLS,
    own_segments: bool = False,
) -> SegmentCodes:
    """Table III, from the same, for data that are programmed with `step_mv`; 0: the device's own.

    A code covers a page if it covers each of the segments that are counted, however few it has itself; that is the
    paper's rule. With `own_segments` it has to cover its own only.
    """
    tables = _tables(configuration, pe_cycles, months)
    failure, step = number("page_failure", page_failure), number("step_mv", step_mv)
    return SegmentCodes(
        tables.segments([_as_core(code) for code in codes], failure, step, index("cells", cells), own_segments)
    )


def _tables(
    configuration: Config | str | Mapping[str, Any] | None, pe_cycles: float, months: float
) -> _core.ContentTables:
    own = {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"}
    config = load("bare", own) if configuration is None else load(configuration)
    return _core.ContentTables(config._core, number("pe_cycles", pe_cycles), number("months", months))


def _as_core(code: SegmentCode) -> _core.SegmentCode:
    if not isinstance(code, SegmentCode):
        raise TypeError(f"a code is a SegmentCode, not of the type {type(code).__name__}")
    counts = (index(name, getattr(code, name)) for name in ("segments", "codeword_bits", "user_bits", "correctable"))
    return _core.SegmentCode(*counts, number("decode_us", code.decode_us))


def _page(page: str) -> int:
    if page not in ("lsb", "msb"):
        raise ValueError(f"a page is 'lsb' or 'msb', not {page!r}")
    return int(page == "msb")


def _bytes(name: str, data: Buffer) -> NDArray[np.uint8]:
    if isinstance(data, (bytes, bytearray, memoryview)):
        return np.frombuffer(data, np.uint8)
    if getattr(data, "dtype", None) != np.uint8:
        raise TypeError(f"{name} must be bytes or an array of uint8")
    return data


def _counts(states: ArrayLike) -> NDArray[np.uint32]:
    counts = np.asarray(states)
    if counts.dtype.kind not in "iu":
        raise TypeError(f"counts of states are whole numbers, not of the type {counts.dtype}")
    if counts.size and (counts.min() < 0 or counts.max() >= 1 << 32):
        raise ValueError("a count of states is not negative, and below 2^32")
    if counts.size and counts.ndim and counts.sum(axis=-1, dtype=float).max() >= 1 << 32:
        raise ValueError("a wordline has fewer than 2^32 cells")
    return counts.astype(np.uint32)


def _reals(name: str, given: ArrayLike) -> NDArray[np.float64]:
    try:
        return np.asarray(given, float)
    except OverflowError:
        raise ValueError(f"{name} is out of the range of a float") from None


def _shares(shares: ArrayLike) -> NDArray[np.float64]:
    given = _reals("a share", shares)
    if not np.all((given >= 0) & (given <= 1)):
        raise ValueError("shares of states lie between 0 and 1")
    if given.ndim and given.size and np.abs(given.sum(axis=-1) - 1).max() > 1e-6:
        raise ValueError("the shares of the states of a page add up to 1")
    return given


def _keys(keys: ArrayLike) -> NDArray[np.uint64]:
    given = np.atleast_1d(np.asarray(keys))
    if given.dtype.kind not in "iu" or given.ndim != 1:
        raise TypeError("keys are whole numbers, one for each page")
    if given.size and given.min() < 0:
        raise ValueError("a key is not negative, and below 2^64")
    return given.astype(np.uint64)
