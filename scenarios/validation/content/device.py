# SPDX-License-Identifier: Apache-2.0
"""Writes and reads of single pages, by what they hold.

A write takes its transfer and the program; a read the transfer and the decoding of the last segment, since the others
are decoded while segments behind them come in (section IV-B2). As many pages are LSB as MSB pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nandscape import content

PAGES: tuple[content.Page, ...] = ("lsb", "msb")
FILES = tuple(kind for kind in content.KINDS if kind != "mixed")
FINEST = 32  # segments that are drawn
SEGMENTS = 8  # that are counted, as the paper does
PAGE_BYTES = content.CODES[0].codeword_bits / 8  # with spare bytes

States = NDArray[np.uint32]


@dataclass(frozen=True)
class Assumptions:
    """Values that the paper leaves open.

    `byte_ns`: a byte on the bus. 20 ns are the fastest asynchronous timing mode of ONFI. `of_pages`, `of_segments`:
    standard deviations of a state's share from page to page, fitted, and between the eighths of a page, as those of
    executables have it. `exchanged`: columns 11 and 00 of Table I, as the text implies.
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
        """By how many percent, if only the pages of that type change."""
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
        """States of the 32nds of the pages; shape (pages, 32, 4)."""
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
        return Latency(
            *(
                self.assumptions.transfer_us
                + float(table.program_us[table.levels(page, states, optimal=optimal)].mean())
                for page in PAGES
            )
        )

    def read(self, segments: States, codes: content.SegmentCodes | None = None, *, optimal: bool = False) -> Latency:
        """The read latency of pages whose segments have these states."""
        table = codes or self.codes
        return Latency(
            *(
                self.assumptions.transfer_us
                + float(table.decode_us[table.codes(page, segments, optimal=optimal)].mean())
                for page in PAGES
            )
        )

    @property
    def traditional_write(self) -> Latency:
        """With the device's own step."""
        return Latency(*[self.assumptions.transfer_us + float(self.speeds.program_us[0])] * 2)

    @property
    def traditional_read(self) -> Latency:
        """With the code of whole pages."""
        return Latency(*[self.assumptions.transfer_us + float(self.codes.decode_us[0])] * 2)

    def levels(self, states: States) -> NDArray[np.float64]:
        """Shares of the pages, both LSB and MSB, by write speed."""
        chosen = np.concatenate([self.speeds.levels(page, states) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.speeds.steps_mv)) / len(chosen)

    def codes_used(self, segments: States) -> NDArray[np.float64]:
        """The same by code."""
        chosen = np.concatenate([self.codes.codes(page, segments) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.codes.segments)) / len(chosen)

    def _drawn(self, kind: str) -> States:
        first = (self._seed * len(FILES) + FILES.index(kind)) << 32
        keys = np.arange(first, first + self._pages, dtype=np.uint64)
        spread = self.assumptions.of_pages, self.assumptions.of_segments
        shares = content.Profile(kind, *spread).segment_shares(keys, FINEST)
        as_read = shares if self.assumptions.exchanged else shares[..., [3, 1, 2, 0]]
        return content.counts_of(as_read, content.CELLS // FINEST)
