# SPDX-License-Identifier: Apache-2.0
"""Counts the cell states in a file's pages from a stream, and determines the write and read speeds that they allow."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from nandscape.content.mapping import map_counts
from nandscape.content.states import STATES, state_counts, symbol_counts
from nandscape.content.tables import SegmentCodes, WriteSpeeds, codes_of_pages, segment_codes, write_speeds

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK_BYTES = 1 << 22
# The largest number of pages whose shares are stored, which is enough for a picture. In a larger file, the shares of
# only every second, fourth, ... page are stored.
MOST_KEPT = 4096


class FileContent:
    """The counts of the cell states in one file's pages, as far as they have been read.

    `speeds` and `codes` are tables for wordlines of these pages. With `paired`, a wordline has two consecutive pages,
    LSB page first. Otherwise each page is counted by itself, two neighbouring bits to a cell, as in the paper.
    """

    def __init__(self, page_bytes: int, speeds: WriteSpeeds, codes: SegmentCodes, *, paired: bool) -> None:
        self._page_bytes, self._paired = page_bytes, paired
        self._speeds, self._codes = speeds, codes
        self._finest = int(codes.segments[-1])
        self.wordlines = 0
        self.bytes_left_over = 0
        self._sums, self._squares, self._within = np.zeros(4), np.zeros(4), np.zeros(4)
        self._levels = np.zeros((2, len(speeds.steps_mv)), np.int64)
        self._segments = np.zeros((2, len(codes.segments)), np.int64)
        self._kept: list[NDArray[np.float64]] = []
        self._stride = 1

    @property
    def wordline_bytes(self) -> int:
        """The number of bytes of the file that fill one wordline."""
        return self._page_bytes * (2 if self._paired else 1)

    def read(self, file: IO[bytes], progress: Callable[[int], None] = lambda _: None) -> None:
        """Counts the pages of a stream until its end. The last bytes are not counted if they do not fill a wordline
        (`bytes_left_over`). Calls `progress` with the number of bytes of each chunk."""
        size = max(1, CHUNK_BYTES // self.wordline_bytes) * self.wordline_bytes
        rest = b""
        while chunk := file.read(size - len(rest)):
            progress(len(chunk))
            whole = rest + chunk
            used = len(whole) // self.wordline_bytes * self.wordline_bytes
            if used:
                self._add(self._count(memoryview(whole)[:used]))
            rest = whole[used:]
        self.bytes_left_over = len(rest)

    def _count(self, data: memoryview) -> NDArray[np.uint32]:
        """Counts the states of the cells in each segment of each wordline. The result has the shape (wordlines,
        segments, 4)."""
        if self._paired:
            pages = np.frombuffer(data, np.uint8).reshape(-1, 2, self._page_bytes)
            lsb, msb = (np.ascontiguousarray(pages[:, page]).reshape(-1) for page in (0, 1))
            counts = state_counts(lsb, msb, len(pages) * self._finest)
        else:
            counts = symbol_counts(data, self._page_bytes // self._finest)
        return counts.reshape(-1, self._finest, 4)

    def _add(self, segments: NDArray[np.uint32]) -> None:
        states = segments.sum(axis=1, dtype=np.uint32)
        shares = states / self._speeds.cells
        self._keep(shares)
        self.wordlines += len(shares)
        self._sums += shares.sum(axis=0)
        self._squares += (shares**2).sum(axis=0)
        of_segments = segments / (self._speeds.cells / self._finest)
        self._within += ((of_segments - shares[:, None]) ** 2).mean(axis=1).sum(axis=0)
        mapped = map_counts(states, self._speeds.mapping(states))
        mapped_segments = map_counts(segments, self._codes.mapping(segments))
        for row, (whole, parts) in enumerate(((states, segments), (mapped, mapped_segments))):
            for page in ("lsb", "msb"):
                levels = self._speeds.levels(page, whole)
                codes = self._codes.codes(page, parts)
                self._levels[row] += np.bincount(levels, minlength=self._levels.shape[1])
                self._segments[row] += np.bincount(codes, minlength=self._segments.shape[1])

    def _keep(self, shares: NDArray[np.float64]) -> None:
        first = -self.wordlines % self._stride
        self._kept.extend(shares[first :: self._stride])
        while len(self._kept) > MOST_KEPT:
            self._kept = self._kept[::2]
            self._stride *= 2

    @property
    def shares_by_page(self) -> NDArray[np.float64]:
        """Shares of the states in evenly spaced wordlines of the file, at most 4096; shape (wordlines, 4)."""
        return np.array(self._kept).reshape(-1, 4)

    def to_dict(self) -> dict[str, Any]:
        """Returns all figures. For each state, they are its mean share, and the standard deviation of its share between
        pages and between the segments of a page. `pages_by_step_mv` and `pages_by_segments` count both pages of each
        wordline. `plain`: without a mapping of states; `mapped`: with the mapping that programs or reads a wordline
        fastest."""
        mean = self._sums / self.wordlines
        deviation = np.sqrt(np.maximum(self._squares / self.wordlines - mean**2, 0))
        within = np.sqrt(self._within / self.wordlines)
        return {
            "pages": self.wordlines * (2 if self._paired else 1),
            "bytes_left_over": self.bytes_left_over,
            "states": {
                state: {"mean": float(mean[s]), "deviation": float(deviation[s]), "within_pages": float(within[s])}
                for s, state in enumerate(STATES)
            },
            "plain": self._speed(0),
            "mapped": self._speed(1),
        }

    def _speed(self, row: int) -> dict[str, Any]:
        levels = self._levels[row] / self._levels[row].sum()
        segments = self._segments[row] / self._segments[row].sum()
        return {
            "pages_by_step_mv": dict(zip(map(_name, self._speeds.steps_mv), levels.tolist(), strict=True)),
            "program_us": float(levels @ self._speeds.program_us),
            "pages_by_segments": dict(zip(map(_name, self._codes.segments), segments.tolist(), strict=True)),
            "decode_us": float(segments @ self._codes.decode_us),
        }


def tables(
    page_bytes: int, *, wordlines: bool = False, pe_cycles: float = 15000, months: float = 12
) -> tuple[WriteSpeeds, SegmentCodes]:
    """Returns the tables of write speeds and segment codes for pages of `page_bytes` bytes, with the cells and codes of
    the paper (Sha et al.)."""
    codes = codes_of_pages(page_bytes)
    cells = (8 if wordlines else 4) * page_bytes
    speeds = write_speeds(pe_cycles=pe_cycles, months=months, code=codes[0], cells=cells)
    return speeds, segment_codes(codes=codes, pe_cycles=pe_cycles, months=months, cells=cells)


def of_file(
    path: str | os.PathLike[str],
    page_bytes: int = 4096,
    *,
    wordlines: bool = False,
    pe_cycles: float = 15000,
    months: float = 12,
) -> FileContent:
    """Counts the pages of a file of any size. `wordlines`: whether two consecutive pages share a wordline (`paired` of
    `FileContent`).

    The P/E cycles of the blocks (`pe_cycles`) and the months of retention (`months`) determine which ISPP steps and
    codes the pages tolerate.
    """
    looked_up = tables(page_bytes, wordlines=wordlines, pe_cycles=pe_cycles, months=months)
    counted = FileContent(page_bytes, *looked_up, paired=wordlines)
    with open(path, "rb") as file:
        counted.read(file)
    return counted


def _name(figure: float) -> str:
    return f"{figure:g}"
