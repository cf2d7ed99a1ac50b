# SPDX-License-Identifier: Apache-2.0
"""Prepares the drive of each run: it is filled with a workload's data, partly overwritten, and refreshed once.

The first writes mix pages that the workload will read with pages that it will overwrite, so that both kinds share
wordlines with the probabilities of validity.py. Each of the two kinds occupies one range of logical addresses. CWDP
allocation sends consecutive pages to consecutive dies, and each plane programs its pages in the order of their arrival.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import nandscape as ns
from comparison.traces import writes_of
from ida.published import WORDLINES_PER_BLOCK
from ida.validity import Validity

# The configuration warns of small planes. More than half of each plane is spare here, so free blocks do not run out.
warnings.filterwarnings("ignore", r"controller\.mapping\.over_provisioning", ns.ConfigWarning)
# The preset sets wear and age, which the study changes back to fresh cells. Runs with ideal cells ignore these keys, so
# their warnings do not matter.
warnings.filterwarnings("ignore", r"nand\.condition", ns.ConfigWarning)
# The study measures reads, whose latencies do not depend on the number of free blocks.
warnings.simplefilter("ignore", ns.TransientWarning)

PAGE_BYTES = 8192
DIES = 32
PLANES = 2 * DIES
PERIOD_DAYS = 30
LONGEST_REFRESH_S = 10


@dataclass(frozen=True)
class Flash:
    """A coding of the cells, and tR in µs of each page of a wordline."""

    coding: str
    read_us: tuple[float, ...]

    @property
    def bits(self) -> int:
        return len(self.read_us)


def tlc(step_us: float = 50) -> Flash:
    return Flash("tlc_124", (50, 50 + step_us, 50 + 2 * step_us))


MLC = Flash("mlc_12", (65, 115))  # section V.G
# not in the paper; tR increases by 50 µs from page to page, as it does for the paper's TLC
QLC = Flash("qlc_1248", (50, 100, 150, 200))

BASELINE: dict[str, Any] = {"controller.refresh.policy": "period", "controller.refresh.period_days": PERIOD_DAYS}


def ida(error_rate: float, **more: Any) -> dict[str, Any]:
    """Returns the options of the system IDA-Coding-E. The share `error_rate` of the adjusted pages is corrupted by the
    adjustment. `more` sets additional keys of `controller.refresh`.
    """
    keys = {f"controller.refresh.{key}": value for key, value in more.items()}
    return BASELINE | {"controller.refresh.policy": "ida", "controller.refresh.error_rate": error_rate} | keys


SYSTEMS = {"baseline": BASELINE, "E20": ida(0.2)}


class Layout:
    """The logical page at each physical page after the first writes."""

    def __init__(self, validity: Validity, flash: Flash, wordlines: int, seed: int, planes: int = PLANES) -> None:
        """`wordlines` is the number of wordlines that are written in each plane."""
        self.bits = flash.bits
        self.planes = planes
        generator = np.random.default_rng(seed)
        self.valid = validity.draw(wordlines, planes, self.bits, generator)  # indexed by row and plane
        self._generator = generator
        # In a used drive, the planes are not at the same position in a wordline, so a read covers pages of different
        # types. To imitate this, each plane begins with a few pages of other data, which shift its rows.
        others = generator.integers(self.bits, size=planes)
        row_of_valid = np.cumsum(self.valid, axis=0) - 1 - others
        read = self.valid & (row_of_valid >= 0)
        # The workload must read the same number of pages from each plane, so the plane with the fewest valid pages sets
        # the number of rows.
        self.read_rows = int(row_of_valid[-1].min()) + 1
        first_other = int(row_of_valid[-1].max()) + 1
        first_overwritten = first_other + self.bits
        row = np.where(read, row_of_valid, first_other + np.cumsum(self.valid, axis=0) - 1)
        row = np.where(self.valid, row, first_overwritten + np.cumsum(~self.valid, axis=0) - 1)
        self._page = row * planes + np.arange(planes)
        self._place = {int(page): place for place, page in np.ndenumerate(self._page)}
        self.overwritten_rows = (first_overwritten, int((~self.valid).sum(axis=0).min()))
        self.first_unused_page = (first_overwritten + int((~self.valid).sum(axis=0).max())) * planes

    @property
    def read_pages(self) -> int:
        return self.read_rows * self.planes

    def writes(self) -> Iterator[int]:
        """Yields the logical pages in the order of their first writes."""
        return (int(page) for page in self._page.ravel())

    def overwrites(self) -> Iterator[int]:
        return (int(page) for page in self._generator.permutation(self._page[~self.valid]))

    def invalid_below(self, pages: Iterable[int]) -> float:
        """Returns the percentage of the top pages in `pages` whose wordline also contains an invalid page."""
        tops = [self._place[page] for page in pages]
        beside = [
            self.valid[row - self.bits + 1 : row, plane] for row, plane in tops if row % self.bits == self.bits - 1
        ]
        return 100 * sum(not pages.all() for pages in beside) / len(beside)


# The drive of Table II with fewer blocks and a separate channel for each die; runs.py gives the reasons.
DRIVE: dict[str, Any] = {
    "simulation.cells": "ideal",  # the study counts no read errors
    "nand.condition.pe_cycles": 0,
    "nand.condition.retention_days": 0,
    "channel.count": DIES,
    "channel.rate_mt_s": 171,  # a page transfer takes 48 µs, the value in Table II
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.blocks_per_plane": 16,
    "controller.mapping.over_provisioning": 1.5,
    "controller.precondition.occupancy": 0,
    **BASELINE,
}


def configuration(flash: Flash, seed: int, changes: Mapping[str, Any] | None = None) -> ns.Config:
    of_flash = {
        "simulation.seed": seed,
        "nand.coding": flash.coding,
        "nand.timing.t_read_us": list(flash.read_us),
        "nand.geometry.pages_per_block": WORDLINES_PER_BLOCK * flash.bits,
    }
    return ns.load("ida_tlc_512g", DRIVE | of_flash | dict(changes or {}))


@contextmanager
def written(layout: Layout) -> Iterator[Callable[[ns.Config], Path]]:
    """Yields a function that creates a drive with a given configuration and writes the workload's data to it.

    The function returns the path of a checkpoint. It is taken just after the overwrites, which begin 0.6 refresh
    periods after the first writes. The next call replaces this file, and the context deletes its folder on exit.
    """
    with TemporaryDirectory() as name:
        path = Path(name) / "drive"
        first = writes_of(layout.writes(), path.with_name("first.csv"), PAGE_BYTES)
        then = writes_of(layout.overwrites(), path.with_name("then.csv"), PAGE_BYTES)

        def drive(config: ns.Config) -> Path:
            simulation = ns.Simulation(config.override({"host.workload": [first]}))
            simulation.run()
            simulation.advance(f"{0.6 * PERIOD_DAYS}d")
            simulation = go_on(simulation, path, then)
            simulation.run()
            simulation.checkpoint(path)
            return path

        yield drive


def go_on(simulation: ns.Simulation, path: Path, *workloads: Mapping[str, Any]) -> ns.Simulation:
    """Returns a simulation that continues with the same drive but other workloads. `path` is a file for the checkpoint
    that transfers the state of the drive.
    """
    simulation.checkpoint(path)
    return ns.Simulation.restore(path, {"host.workload": list(workloads)})


@dataclass(frozen=True)
class Refresh:
    """The number of page reads and page writes of a refresh, and the controller's statistics of renewal."""

    page_reads: int
    page_writes: int
    renewal: Mapping[str, int]


def refresh(simulation: ns.Simulation) -> Refresh:
    """Advances the drive past the end of the refresh period, and waits until the refresh is done. Pages that were
    overwritten are younger, so they are not refreshed yet.
    """
    before = simulation.stats("all")
    simulation.advance(f"{0.4 * PERIOD_DAYS + 1}d")
    simulation.run_until(f"{simulation.now_us * 1e-6 + LONGEST_REFRESH_S}s")
    after = simulation.stats("all")
    written, padding = (
        after["controller"][key] - before["controller"][key] for key in ("programmed_pages", "padding_pages")
    )
    return Refresh(
        after["nand"]["page_reads"] - before["nand"]["page_reads"], written - padding, after["controller"]["renewal"]
    )
