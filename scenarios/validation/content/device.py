# SPDX-License-Identifier: Apache-2.0
"""Calculates the write times, read times and error rates of single pages, which depend on the content of the pages.

A write consists of the transfer and the program. A read consists of the transfer and the decoding of the last segment,
since each earlier segment is decoded while a later one is transferred (Sha et al., section IV-B2). Half of the pages
are LSB pages, half are MSB pages.
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
FINEST = 32  # segments per page for which the numbers of cell states are drawn at random
SEGMENTS = 8  # segments per page for which the drive counts cell states, as in the paper
PAGE_BYTES = content.CODES[0].codeword_bits / 8  # with spare bytes

States = NDArray[np.uint32]
# Whether a misread cell causes a wrong bit in the page. The rows are the state of the cell (11, 10, 01, 00). The
# columns are for cells misread as a lower state and as a higher state.
SEEN = {
    "msb": np.array([[0, 0], [0, 1], [1, 0], [0, 0]]),
    "lsb": np.array([[0, 1], [1, 1], [1, 1], [1, 0]]),
}


@dataclass(frozen=True)
class Assumptions:
    """Parameters for which the paper gives no values.

    `byte_ns` is the bus time of a byte; 20 ns is that of the fastest asynchronous timing mode of ONFI. `of_pages` is
    the standard deviation of a state's share between pages, which is fitted. `of_segments` is the standard deviation
    between the eighths of a page, with the value of executables. `exchanged` tells whether the columns 11 and 00 of
    Table I are exchanged, which the text of the paper implies.
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
    """The mean latencies of LSB pages and of MSB pages."""

    lsb: float
    msb: float

    @property
    def both(self) -> float:
        return (self.lsb + self.msb) / 2

    def less_than(self, traditional: Latency, pages: str = "both") -> float:
        """Returns the reduction of the mean latency against `traditional`, in percent. `pages` restricts the change to
        LSB pages or to MSB pages.
        """
        changed = Latency(
            self.lsb if pages != "msb" else traditional.lsb, self.msb if pages != "lsb" else traditional.msb
        )
        return 100 * (1 - changed.both / traditional.both)


class Device:
    """A set of pages of some kinds of files, with their latencies."""

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
        """The number of cells in each state in each 32nd of a page. The shape is (pages, 32, 4)."""
        return np.concatenate([self._drawn(kind) for kind in self._files])

    @cached_property
    def states(self) -> States:
        """The number of cells in each state in whole pages. The shape is (pages, 4)."""
        return self.finest.sum(axis=1, dtype=np.uint32)

    def segments(self, number: int = SEGMENTS) -> States:
        """Returns the number of cells in each state in each of `number` segments of a page."""
        return self.finest.reshape(len(self.finest), number, -1, 4).sum(axis=2, dtype=np.uint32)

    def write(self, states: States, speeds: content.WriteSpeeds | None = None, *, optimal: bool = False) -> Latency:
        """Returns the write latency of pages with the given numbers of cells in each state."""
        table = speeds or self.speeds
        return self._latency(table.program_us[table.levels(page, states, optimal=optimal)] for page in PAGES)

    def read(self, segments: States, codes: content.SegmentCodes | None = None, *, optimal: bool = False) -> Latency:
        """Returns the read latency of pages whose segments have the given numbers of cells in each state."""
        table = codes or self.codes
        return self._latency(table.decode_us[table.codes(page, segments, optimal=optimal)] for page in PAGES)

    @property
    def traditional_write(self) -> Latency:
        """The write latency if every page is programmed with the device's default ISPP step."""
        return Latency(*[self.assumptions.transfer_us + float(self.speeds.program_us[0])] * 2)

    @property
    def traditional_read(self) -> Latency:
        """The read latency if every page has the one code for whole pages."""
        return Latency(*[self.assumptions.transfer_us + float(self.codes.decode_us[0])] * 2)

    def levels(self, states: States) -> NDArray[np.float64]:
        """Returns the share of the pages, LSB and MSB together, that are written at each speed."""
        chosen = np.concatenate([self.speeds.levels(page, states) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.speeds.steps_mv)) / len(chosen)

    def codes_used(self, segments: States) -> NDArray[np.float64]:
        """Returns the share of the pages, LSB and MSB together, that are encoded with each code."""
        chosen = np.concatenate([self.codes.codes(page, segments) for page in PAGES])
        return np.bincount(chosen, minlength=len(self.codes.segments)) / len(chosen)

    def cdber(self) -> dict[str, NDArray[np.float64]]:
        """Returns the content-dependent bit error rate (CDBER) of each page at the default ISPP step. The dictionary
        has an array for the pages as LSB pages and one as MSB pages.
        """
        errors = self.speeds.errors(0)
        return {page: cdber(page, errors, self.states / content.CELLS) for page in PAGES}

    @property
    def mean_cdber(self) -> float:
        """The mean CDBER of all pages, divided by the highest CDBER that the code corrects."""
        return float(np.mean(list(self.cdber().values()))) / self.speeds.correctable_ber

    def _latency(self, times_us: Iterable[NDArray[np.float64]]) -> Latency:
        """Returns the transfer time plus the mean of `times_us`, which has one array for LSB pages and one for MSB
        pages.
        """
        return Latency(*(self.assumptions.transfer_us + float(each.mean()) for each in times_us))

    def _drawn(self, kind: str) -> States:
        first = (self._seed * len(FILES) + FILES.index(kind)) << 32
        keys = np.arange(first, first + self._pages, dtype=np.uint64)
        spread = self.assumptions.of_pages, self.assumptions.of_segments
        shares = content.Profile(kind, *spread).segment_shares(keys, FINEST)
        as_read = shares if self.assumptions.exchanged else shares[..., [3, 1, 2, 0]]
        return content.counts_of(as_read, content.CELLS // FINEST)


def cdber(page: content.Page, errors: NDArray[np.float64], shares: ArrayLike) -> NDArray[np.float64]:
    """Returns the content-dependent bit error rate (CDBER) of a page, by equation 4 ("msb") or 5 ("lsb") of Sha et al.

    `errors` holds the error rates of the states, with the shape (4, 2), as `Cells.state_errors` returns them. `shares`
    holds the shares of the states in the page's wordline, with the shape (..., 4). The result has the shape (...).
    """
    return np.asarray(shares) @ (SEEN[page] * errors).sum(axis=1)


def mapping_by_share(states: States) -> NDArray[np.uint8]:
    """Returns the number of the state mapping of each wordline by the rule of Figure 7 of Sha et al.: the most frequent
    state becomes 11, and the next ones become 10, 01 and 00.
    """
    by_share = np.argsort(-states.astype(np.int64), axis=1, kind="stable")
    becomes = np.argsort(by_share, axis=1)
    return (becomes[:, None] == content.MAPPINGS).all(axis=2).argmax(axis=1).astype(np.uint8)
