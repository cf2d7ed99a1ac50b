# SPDX-License-Identifier: Apache-2.0
"""The ISPP steps and the codes that are sufficient for pages, as in Tables II and III of the paper (Sha et al.)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nandscape import _core
from nandscape.arguments import index, number
from nandscape.config import Config, load
from nandscape.content.arguments import counts_from, page_number
from nandscape.content.states import CELLS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from nandscape.content.arguments import Page

STEPS_MV = (300.0, 380.0, 460.0, 540.0, 600.0, 680.0)
"""ISPP steps of Table II, in mV."""
PAGE_FAILURE = 1e-7
"""The probability of an uncorrectable page up to which a CDBER counts as correctable."""


@dataclass(frozen=True)
class SegmentCode:
    """A code for a page that is divided into `segments` equal segments. It corrects up to `correctable` errors in a
    codeword of `codeword_bits` bits."""

    segments: int
    codeword_bits: int
    user_bits: int
    correctable: int
    decode_us: float = 0.0

    def correctable_ber(self, page_failure: float = PAGE_FAILURE) -> float:
        """Returns the raw bit error rate at which at least one of the page's segments fails with the probability
        `page_failure`."""
        return _core.correctable_ber(_as_core(self), number("page_failure", page_failure))


CODES = tuple(
    SegmentCode(code.segments, code.codeword_bits, code.user_bits, code.correctable, code.decode_us)
    for code in _core.segment_codes_of_4_kb()
)
"""BCH codes of pages of 4 KB, for 1 to 32 segments: the four of Table III, and two whose decode time is not published
(0)."""


def codes_of_pages(page_bytes: int) -> tuple[SegmentCode, ...]:
    """Returns the codes of Table III for pages of n times 4096 bytes. They divide a page into n times as many segments.
    Raises ValueError if `page_bytes` is not a multiple of 4096."""
    times, left = divmod(8 * index("page_bytes", page_bytes), CODES[0].user_bits)
    if left or not times:
        raise ValueError(f"a page has {page_bytes} bytes; the codes are for multiples of 4096")
    return tuple(replace(code, segments=times * code.segments) for code in CODES if code.decode_us)


class WriteSpeeds:
    """The ISPP steps that can be used for pages (Table II); made by `write_speeds`. A level is the number of a step;
    level 0 is the device's own step."""

    def __init__(self, core: _core.WriteSpeeds) -> None:
        self._core = core

    @property
    def steps_mv(self) -> NDArray[np.float64]:
        """The ISPP step of each level, in mV."""
        return np.array([step for step, _ in self._core.steps])

    @property
    def program_us(self) -> NDArray[np.float64]:
        """The program latency of each level, in microseconds."""
        return np.array([latency for _, latency in self._core.steps])

    @property
    def cells(self) -> int:
        """The number of cells of a wordline in this table."""
        return self._core.cells

    @property
    def correctable_ber(self) -> float:
        """The highest CDBER (content-dependent bit error rate) at which a step is legal."""
        return self._core.correctable_ber

    def errors(self, level: int) -> NDArray[np.float64]:
        """Returns the error rates of the states when they are programmed with the step of `level`; shape (4, 2)."""
        return self._core.error_rates(index("level", level))

    def most_weak_cells(self, page: Page) -> NDArray[np.int64]:
        """Returns, for each level, the highest number of weak cells with which the level is legal. The number is
        negative if the level is never legal.

        Weak cells are those in state 01 for "msb", and in 01 or 00 for "lsb". Table II of the paper lists each limit
        plus 1 in the entry of the level below.
        """
        return self._core.most_weak_cells(page_number(page))

    def levels(self, page: Page, states: ArrayLike, *, optimal: bool = False) -> NDArray[np.uint32]:
        """Returns the highest legal level of each page, determined from the state counts of its wordline; `states` has
        the shape (pages, 4).

        By default, the level is based on the relaxed CDBER, which needs only integer arithmetic. With `optimal`, it is
        based on the exact CDBER.
        """
        look_up = self._core.optimal if optimal else self._core.relaxed
        return look_up(page_number(page), counts_from(states))

    def mapping(self, states: ArrayLike, *, one_shot: bool = False) -> NDArray[np.uint8]:
        """Returns the number of the mapping of states with which the pages of each wordline are programmed fastest;
        shape (wordlines,).

        By default each page is programmed with its own step. With `one_shot`, both pages are programmed with the step
        of the slower page.
        """
        return self._core.fastest_mapping(counts_from(states), one_shot)

    def __repr__(self) -> str:
        return f"<WriteSpeeds of {len(self.steps_mv)} steps, {self.cells} cells>"


class SegmentCodes:
    """The numbers of segments into which pages can be divided (Table III); returned by `segment_codes`."""

    def __init__(self, core: _core.SegmentTable) -> None:
        self._core = core

    @property
    def segments(self) -> NDArray[np.uint32]:
        """The number of segments of a page with each code, in ascending order."""
        return np.array([segments for segments, _, _ in self._core.codes], np.uint32)

    @property
    def correctable_ber(self) -> NDArray[np.float64]:
        """For each code, the highest CDBER of the worst segment at which the code still corrects a page."""
        return np.array([ber for _, ber, _ in self._core.codes])

    @property
    def decode_us(self) -> NDArray[np.float64]:
        """Time to decode one segment with each code, in microseconds."""
        return np.array([us for _, _, us in self._core.codes])

    @property
    def errors(self) -> NDArray[np.float64]:
        """Error rates of the states; shape (4, 2)."""
        return self._core.error_rates

    def most_weak_cells(self, page: Page) -> NDArray[np.int64]:
        """Returns, for each code, the highest number of weak cells in a page that the code corrects if all segments
        have equally many. The number is negative if the code corrects no page. Weak cells are those in state 01 for
        "msb", and in 01 or 00 for "lsb". Table III of the paper lists each limit plus 1 in the entry of the code
        before."""
        return self._core.most_weak_cells(page_number(page))

    def codes(self, page: Page, states: ArrayLike, *, optimal: bool = False) -> NDArray[np.uint32]:
        """Returns the number of the last code that corrects each page, determined from the state counts of its
        segments. `states` has the shape (pages, segments, 4).

        A code is skipped if its number of segments does not divide the number of segments in `states`. By default the
        relaxed CDBER is used, and with `optimal` the exact CDBER.
        """
        look_up = self._core.optimal if optimal else self._core.relaxed
        return look_up(page_number(page), counts_from(states))

    def mapping(self, states: ArrayLike) -> NDArray[np.uint8]:
        """Returns the number of the mapping of states with which the segments of both pages are decoded fastest; shape
        (wordlines,)."""
        return self._core.fastest_mapping(counts_from(states))

    def __repr__(self) -> str:
        return f"<SegmentCodes of {', '.join(map(str, self.segments))} segments>"


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
    """Computes Table II of the paper for the cells of a configuration, after `pe_cycles` and `months` of retention.

    The default cells are the paper's, `mlc_planar_15k`. Raises `ConfigError` for a configuration whose coding is not
    `mlc_13`.
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
    """Computes Table III of the paper for the cells of a configuration, whose data are programmed with the ISPP step
    `step_mv`. 0 stands for the device's own step.

    By the paper's rule, a code corrects a page if it would correct every counted segment by itself, even if the code
    divides the page into fewer, larger segments. With `own_segments`, the code must correct only its own segments.
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
        raise TypeError(f"a code must be a SegmentCode, not a {type(code).__name__}")
    counts = (index(name, getattr(code, name)) for name in ("segments", "codeword_bits", "user_bits", "correctable"))
    return _core.SegmentCode(*counts, number("decode_us", code.decode_us))
