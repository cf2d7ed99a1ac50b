# SPDX-License-Identifier: Apache-2.0
"""Write times, read times and error rates of single pages, which depend on their content.

A write takes the transfer and the program. A read takes the transfer and the decoding of the last segment, as the
others are decoded while later segments arrive (section IV-B2). Half of the pages are LSB pages, half are MSB pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nandscape import content

PAGES: tuple[content.Page, ...] = ("lsb", "msb")
FILES = tuple(kind for kind in content.KINDS if kind != "mixed")
FINEST = 32  # segments per page whose states are drawn
SEGMENTS = 8  # segments per page whose states are counted, as in the paper
PAGE_BYTES = content.CODES[0].codeword_bits / 8  # with spare bytes

States = NDArray[np.uint32]
# Whether a misread cell gives a wrong bit in the page. Rows: cells in state 11, 10, 01, 00. Columns: cells misread as a
# lower and as a higher state.
SEEN = {
    "msb": np.array([[0, 0], [0, 1], [1, 0], [0, 0]]),
    "lsb": np.array([[0, 1], [1, 1], [1, 1], [1, 0]]),
}


@dataclass(frozen=True)
class Assumptions:
    """Values that the paper leaves open.

    `byte_ns`: bus time of a byte; 20 ns is that of the fastest asynchronous timing mode of ONFI. `of_pages`: standard
    deviation of a state's share from page to page, which is fitted. `of_segments`: the same between the eighths of a
    page, as in executables. `exchanged`: whether columns 11 and 00 of Table I are exchanged, as the text implies.
    """

    byte_ns: float = 20.0
    of_pages: float = 0.18
    of_segments: float = 0.04
    exchanged: bool = True

    @property
    def transfer_us(self) -> float:
        return PAGE_BYTES * self.byte_ns / 1000


@dataclass(frozen=True)
class Latency:
    """Mean latency of LSB and of MSB pages."""

    lsb: float
    msb: float

    @property
    def both(self) -> float:
        return (self.lsb + self.msb) / 2

    def less_than(self, traditional: Latency, pages: str = "both") -> float:
        """The reduction of the mean latency in percent, if only pages of type `pages` change."""
        changed = Latency(
            self.lsb if pages != "msb" else traditional.lsb, self.msb if pages != "lsb" else traditional.msb
        )
        return 100 * (1 - changed.both / traditional.both)


class Device:
    """Pages of some kinds of files, and their latencies."""

    def __init__(
        self, pages: int, seed: int, assumptions: Assumptions = Assumptions(), files: Sequence[str] = FILES
    ) -> None:
        self.assumptions = assumptions
        self.speeds = content.write_speeds()
        self.codes = content.segment_codes(codes=content.CODES)
        self._files = files
        self._pages = pages // len(FILES)
        self._seed = seed

    @cached_property
    def finest(self) -> States:
        """Cell states of each 32nd of a page; shape (pages, 32, 4)."""
        return np.concatenate([self._drawn(kind) for kind in self._files])

    @cached_property
    def states(self) -> States:
        """States of whole pages; shape (pages, 4)."""
        return self.finest.sum(axis=1, dtype=np.uint32)

    def segments(self, number: int = SEGMENTS) -> States:
        """States of `number` segments of each page."""
        return self.finest.reshape(len(self.finest), number, -1, 4).sum(axis=2, dtype=np.uint32)

    def write(self, states: States, speeds: content.WriteSpeeds | None = None, *, optimal: bool = False) -> Latency:
        """The write latency of pages with these states."""
        table = speeds or self.speeds
        return self._latency(table.program_us[table.levels(page, states, optimal=optimal)] for page in PAGES)

    def read(self, segments: States, codes: content.SegmentCodes | None = None, *, optimal: bool = False) -> Latency:
        """The read latency of pages whose segments have these states."""
        table = codes or self.codes
        return self._latency(table.decode_us[table.codes(page, segments, optimal=optimal)] for page in PAGES)

    @property
    def traditional_write(self) -> Latency:
        """The write latency with the device's own program step."""
        return Latency(*[self.assumptions.transfer_us + float(self.speeds.program_us[0])] * 2)

    @property
    def traditional_read(self) -> Latency:
        """The read latency with one code for whole pages."""
        return Latency(*[self.assumptions.transfer_us + float(self.codes.decode_us[0])] * 2)

    def levels(self, states: States) -> NDArray[np.float64]:
        """Shares of the pages, both LSB and MSB, by write speed."""
        chosen = np.concatenate([self.speeds.levels(page, states) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.speeds.steps_mv)) / len(chosen)

    def codes_used(self, segments: States) -> NDArray[np.float64]:
        """Shares of the pages, both LSB and MSB, by code."""
        chosen = np.concatenate([self.codes.codes(page, segments) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.codes.segments)) / len(chosen)

    def cdber(self) -> dict[str, NDArray[np.float64]]:
        """The CDBER of each page with the device's own step, as LSB and as MSB page."""
        errors = self.speeds.errors(0)
        return {page: cdber(page, errors, self.states / content.CELLS) for page in PAGES}

    @property
    def mean_cdber(self) -> float:
        """The mean CDBER over the pages, divided by the correctable CDBER."""
        return float(np.mean(list(self.cdber().values()))) / self.speeds.correctable_ber

    def _latency(self, times_us: Iterable[NDArray[np.float64]]) -> Latency:
        """The transfer time plus the mean of these times, for LSB and for MSB pages."""
        return Latency(*(self.assumptions.transfer_us + float(each.mean()) for each in times_us))

    def _drawn(self, kind: str) -> States:
        first = (self._seed * len(FILES) + FILES.index(kind)) << 32
        keys = np.arange(first, first + self._pages, dtype=np.uint64)
        spread = self.assumptions.of_pages, self.assumptions.of_segments
        shares = content.Profile(kind, *spread).segment_shares(keys, FINEST)
        as_read = shares if self.assumptions.exchanged else shares[..., [3, 1, 2, 0]]
        return content.counts_of(as_read, content.CELLS // FINEST)


def cdber(page: content.Page, errors: NDArray[np.float64], shares: ArrayLike) -> NDArray[np.float64]:
    """Content-dependent bit error rate of a page: equation 4 ("msb") or 5 ("lsb").

    `errors`: error rates of the states, shape (4, 2), as `Cells.state_errors` returns them. `shares`: shares of the
    states in the page's wordline, shape (..., 4). Returns an array of shape (...).
    """
    return np.asarray(shares) @ (SEEN[page] * errors).sum(axis=1)


def mapping_by_share(states: States) -> NDArray[np.uint8]:
    """The mapping of Figure 7: the most frequent state becomes 11, the next ones 10, 01, 00. Shape (wordlines,)."""
    by_share = np.argsort(-states.astype(np.int64), axis=1, kind="stable")
    becomes = np.argsort(by_share, axis=1)
    return (becomes[:, None] == content.MAPPINGS).all(axis=2).argmax(axis=1).astype(np.uint8)
