#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast does a drive with an SLC cache take a fill, and what does folding cost?

In SLC mode a wordline holds one page in place of three and is programmed in 200 µs in place of 700. The cache takes
writes of the host until it is full. Then they go directly to ordinary blocks, or wait until a block of the cache has
been folded.

Expectation, with time per page from `ns.ceilings`, for b bits per cell: S to program a page in SLC mode, T in native
mode, R to read it from the cache, and E to erase a block of P native pages. The drive writes with 1/S until the cache
is full. A static cache of s blocks holds s P/b pages; a dynamic cache that may take a share d of the free blocks holds
d B P/b, where B is the number of free blocks, less one more than the mark at which collection begins. Directly the
drive writes with 1/T. When no other block is free, blocks of the dynamic cache are folded: each returns 1 - 1/b blocks
to the host and moves P/b pages, so a page of the host moves 1/(b - 1) others and takes

    T + (T + R)/(b - 1) + E/P b/(b - 1).

A cache whose writes wait for folding moves a page for each page that the host writes: S + T + R + b E/P. In a pause, a
page of the cache is folded in T + R + b E/P.

To fork: change CACHES, or the share of the cache that is filled before blocks are folded
(`--set controller.slc_cache.fold_mark_percent=50`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity
from nandscape.key_figures import value_at

CACHE = "controller.slc_cache"
STATIC, DYNAMIC, WHEN_FULL = (f"{CACHE}.{key}" for key in ("static_percent", "dynamic_percent", "when_full"))
CACHES = {
    "none": {},
    "static, then direct": {STATIC: 15},
    "dynamic, then direct": {DYNAMIC: 60},
    "static, then folding": {STATIC: 15, WHEN_FULL: "fold"},
}
BITS = 3
DEPTH = 64
SECTOR = 512
IDLE_MS = 20
STEPS = 200
SMALL = {
    "nand.geometry.pages_per_block": 192,
    "controller.mapping.layout": "superpage",
    "controller.mapping.over_provisioning": 0.35,
    "controller.precondition.occupancy": 0.0,
    "controller.cache.policy": "none",
    f"{CACHE}.fold_idle_ms": 0,
    "simulation.request_log": False,
}
COUNTERS = {
    "host": "controller.host_pages",
    "programmed": "controller.programmed_pages",
    "cached": "controller.slc_cache.cached_units",
    "moved": "controller.gc.moved_units",
}


@dataclass(frozen=True)
class Times:
    """Seconds of the whole drive for a page: programmed in SLC mode and in native mode, and read from the cache; and
    for a block: erased."""

    slc: float
    native: float
    read: float
    erase: float

    @staticmethod
    def of(drive: ns.Config) -> Times:
        page = ns.synthetic(read_percent=0, block_bytes=drive["nand.geometry.page_bytes"])
        fresh = drive.override({"nand.timing.t_bers_us": 0.001, "host.workload": [page]})
        plain, cached = (ns.ceilings(fresh, write_amplification=1, cached=cached) for cached in (False, True))
        erase_s = 1e-6 * drive["nand.timing.t_bers_us"]
        return Times(
            slc=1 / cached.bound("sequential_write"),
            native=1 / plain.bound("sequential_write"),
            read=1 / cached.iops["dies"]["sequential_read"],
            erase=erase_s / planes_of(drive),
        )


def planes_of(drive: ns.Config) -> int:
    shape = drive["nand.geometry"]
    dies = drive["channel.count"] * shape["chips_per_channel"] * shape["dies_per_chip"]
    return int(dies * shape["planes_per_die"])


@dataclass(frozen=True)
class Regime:
    """A part of the fill. `end`: pages of the host until it ends. `seconds`: for a page of the host. `moved`: pages
    that are moved for each page of the host."""

    name: str
    end: float
    seconds: float
    moved: float


def static_pages(drive: ns.Config) -> float:
    """Returns the pages that the static part of the cache holds."""
    blocks = math.ceil(drive[STATIC] / 100 * drive["nand.geometry.blocks_per_plane"])
    return blocks * drive["nand.geometry.pages_per_block"] / BITS * planes_of(drive)


def regimes_of(drive: ns.Config) -> list[Regime]:
    """Returns the parts of a fill in the order in which they are expected."""
    times = Times.of(drive)
    blocks, pages = drive["nand.geometry.blocks_per_plane"], drive["nand.geometry.pages_per_block"]
    planes, collection = planes_of(drive), drive["controller.garbage_collection"]
    full = Capacity.of(drive).exported_bytes / drive["nand.geometry.page_bytes"]
    others = blocks - static_pages(drive) / planes / pages * BITS
    dynamic = math.floor(drive[DYNAMIC] / 100 * (others - collection["start_free_blocks"] - 1))
    cached = static_pages(drive) + dynamic * pages / BITS * planes
    found = [Regime("cached", cached, times.slc, 0)] if cached else []
    erase = times.erase / pages
    if drive[WHEN_FULL] == "fold":
        return [*found, Regime("folding", full, times.slc + times.native + times.read + BITS * erase, 1)]
    # Collection waits for the host until only its own blocks are left: those that are reserved, and the open one.
    direct = cached + (others - dynamic - collection["reserved_blocks"] - 1) * pages * planes
    found.append(Regime("direct", min(direct, full), times.native, 0))
    if direct < full:
        moved = 1 / (BITS - 1)
        seconds = times.native + (times.native + times.read + BITS * erase) * moved
        found.append(Regime("folding", full, seconds, moved))
    return found


def fill(drive: ns.Config, step_ms: float) -> pd.DataFrame:
    """Writes the whole drive in order. Returns the simulated time in seconds and the counters after each step."""

    async def watch(host: Any, clock: Any, simulation: ns.Simulation) -> list[list[float]]:
        seen = [counters(simulation)]
        writing = host.run_workloads()
        while simulation.workloads_under_way or len(seen) == 1:
            await clock.delay(ms=step_ms)
            seen.append(counters(simulation))
        await writing
        return seen

    (seen,) = ns.Simulation(drive).play(watch)
    return pd.DataFrame(seen, columns=["s", *COUNTERS])


def counters(simulation: ns.Simulation) -> list[float]:
    stats = simulation.stats()
    return [1e-6 * simulation.now_us, *(value_at(stats, path) for path in COUNTERS.values())]


def regained(drive: ns.Config, pauses: Sequence[float]) -> list[float]:
    """Returns how many pages a full static cache takes after each pause, which is given in seconds."""
    block = drive["host.workload.block_bytes"]
    requests = math.ceil(static_pages(drive) * drive["nand.geometry.page_bytes"] / block)

    async def write_and_pause(host: Any, clock: Any, simulation: ns.Simulation) -> list[float]:
        taken = []
        lba, data = 0, bytes(block)
        for pause in [0.0, *pauses]:
            await clock.delay(s=pause)
            before = counters(simulation)[3]
            for begin in range(0, requests, DEPTH):
                batch = range(begin, min(begin + DEPTH, requests))
                for write in [host.write(lba + k * block // SECTOR, data) for k in batch]:
                    await write
            lba += requests * block // SECTOR
            taken.append(counters(simulation)[3] - before)
        return taken[1:]

    (taken,) = ns.Simulation(drive).play(write_and_pause)
    return taken


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    writes = ns.synthetic(read_percent=0, block_bytes=131072, pattern="sequential", queue_depth=DEPTH)
    blocks = {"nand.geometry.blocks_per_plane": 96 if study.quick else 288}
    drive = study.load(SMALL | blocks, writes)
    study.seeds.add(drive["simulation.seed"])
    page = drive["nand.geometry.page_bytes"]
    requests = Capacity.of(drive).exported_bytes // drive["host.workload.block_bytes"]
    rates, pause_panel = study.axes(
        ("data written [GB]", "write rate [MB/s]"), ("pause of a full cache [s]", "data that the cache takes then [GB]")
    )
    rows = []
    for number, (name, keys) in enumerate(CACHES.items()):
        one = drive.override({**keys, "host.workload.requests": requests})
        regimes = regimes_of(one)
        edges = [0.0, *(regime.end for regime in regimes)]
        total = sum((end - begin) * r.seconds for begin, end, r in zip(edges, edges[1:], regimes, strict=False))
        run = fill(one, 1e3 * total / STEPS)
        step = run.diff().iloc[1:-1]  # the last step is incomplete
        rates.plot(
            1e-9 * page * run["host"].iloc[1:-1], 1e-6 * page * step["host"] / step["s"], f"C{number}", label=name
        )
        moving = run["host"][run["moved"] > 0]
        ends = {"cached": run["cached"].max(), "direct": moving.iloc[0] if len(moving) else run["host"].iloc[-1]}
        if one[WHEN_FULL] == "fold":
            ends["cached"] = run["host"][run["moved"] == 0].iloc[-1]
        for begin, end, regime in zip(edges, edges[1:], regimes, strict=False):
            inside = [begin + 0.1 * (end - begin), begin + 0.9 * (end - begin)]
            gain = {column: float(np.diff(np.interp(inside, run["host"], run[column]))[0]) for column in run.columns}
            expected = 1e-6 * page / regime.seconds
            rates.hlines(expected, 1e-9 * page * begin, 1e-9 * page * end, "k", linestyles="dotted")
            rows.append(
                {
                    "cache": name,
                    "regime": regime.name,
                    "gb": 1e-9 * page * ends.get(regime.name, run["host"].iloc[-1]),
                    "expected_gb": 1e-9 * page * end,
                    "mb_s": 1e-6 * page * gain["host"] / gain["s"],
                    "expected_mb_s": expected,
                    "amplification": gain["programmed"] / gain["host"],
                    "expected_amplification": 1 + regime.moved,
                }
            )

    idle = drive.override({**CACHES["static, then direct"], f"{CACHE}.fold_idle_ms": IDLE_MS})
    times = Times.of(idle)
    per_block = idle["nand.geometry.pages_per_block"] / BITS * planes_of(idle)
    fold_s = per_block * (times.native + times.read) + times.erase * planes_of(idle)
    all_s = static_pages(idle) / per_block * fold_s
    pauses = [share * all_s for share in ([0.5, 1.2] if study.quick else [0.1, 0.25, 0.5, 0.75, 1.2])]
    taken = regained(idle, pauses)
    expected = [min(static_pages(idle), (pause - 1e-3 * IDLE_MS) / fold_s * per_block) for pause in pauses]
    pause_panel.plot(pauses, [1e-9 * page * pages for pages in taken], "oC1", label="measured")
    knees = [0, 1e-3 * IDLE_MS, 1e-3 * IDLE_MS + all_s, pauses[-1]]
    pause_panel.plot(knees, [0, 0, *[1e-9 * page * static_pages(idle)] * 2], "k:", label="expected")
    for pause, pages, most in zip(pauses, taken, expected, strict=True):
        rows.append(
            {
                "cache": "static, then direct",
                "regime": f"after {pause:.2f} s idle",
                "gb": 1e-9 * page * pages,
                "expected_gb": 1e-9 * page * most,
            }
        )
    rates.set(xlim=(0, None), ylim=(0, None))
    columns = {"cache": ("cache", ""), "regime": ("regime", ""), "gb": ("until [GB]", ".2f")}
    columns |= {"expected_gb": ("expected", ".2f"), "mb_s": ("MB/s", ",.0f"), "expected_mb_s": ("expected", ",.0f")}
    columns |= {"amplification": ("amplification", ".2f"), "expected_amplification": ("expected", ".2f")}
    study.write(pd.DataFrame(rows), columns, rates)


if __name__ == "__main__":
    leave(main)
