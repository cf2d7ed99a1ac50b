#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast does a drive with an SLC cache take a fill, and what does folding cost?

In SLC mode a wordline holds one page in place of three and is programmed in 200 µs in place of 700. The cache takes
writes of the host until it is full. Then they go directly to ordinary blocks, or wait until a block of the cache has
been folded.

Expectation, with the times per page of `nandscape.slc_fill`, for b bits per cell: S to program a page in SLC mode, T in
native mode, R to read it from the cache, and E to erase one of P pages. The drive writes with 1/S until the cache is
full, and directly with 1/T. When no other block is free, blocks of the dynamic cache are folded: a page of the host
moves 1/(b - 1) others and takes T + (T + R + b E)/(b - 1). A cache whose writes wait for folding moves a page for each
page of the host: S + T + R + b E.

To fork: change CACHES, or the share of the cache that is filled before blocks are folded
(`--set controller.slc_cache.fold_mark_percent=50`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity
from nandscape.slc_fill import regimes_of

CACHE = "controller.slc_cache"
STATIC, DYNAMIC = f"{CACHE}.static_percent", f"{CACHE}.dynamic_percent"
IDLE, WHEN_FULL = f"{CACHE}.fold_idle_ms", f"{CACHE}.when_full"
CACHES = {
    "none": {},
    "static, then direct": {STATIC: 15, IDLE: 0},
    "dynamic, then direct": {DYNAMIC: 60, IDLE: 0},
    "static, then folding": {STATIC: 15, IDLE: 0, WHEN_FULL: "fold"},
}
SMALL = {
    "nand.geometry.pages_per_block": 144,
    "nand.geometry.blocks_per_plane": 144,
    "controller.mapping.layout": "superpage",
    "controller.mapping.over_provisioning": 0.45,
    "controller.precondition.occupancy": 0.0,
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}
REQUESTS, WARM = "host.workload.requests", "simulation.warmup.requests"


def within(drive: ns.Config, begin: float, end: float) -> tuple[float, float]:
    """Returns the seconds and the moved pages of a part of the fill, given in pages."""
    parts = regimes_of(drive)
    edges = np.clip([0, *(part.end for part in parts)], begin, end)
    lengths = np.diff(edges)
    return tuple(float(sum(n * part[k] for n, part in zip(lengths, parts, strict=True))) for k in (1, 2))


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    writes = ns.synthetic(read_percent=0, block_bytes=131072, pattern="sequential", queue_depth=64)
    drive = study.load(SMALL, writes)
    size, page = drive["host.workload.block_bytes"], drive["nand.geometry.page_bytes"]
    marks = np.linspace(0, Capacity.of(drive).exported_bytes // size, 9 if study.quick else 25).astype(int)
    steps = [{WARM: int(begin), REQUESTS: int(end)} for begin, end in pairwise(marks)]
    metrics = {"mb_s": "host.bandwidth_mib_s", "amplification": "controller.write_amplification"}
    rates, costs = study.axes(("data written [GB]", "write rate [MB/s]"), ("data written [GB]", "pages per page"))
    tables = []
    for number, (name, keys) in enumerate(CACHES.items()):
        one = drive.override(keys)
        rows = study.sweep(one, steps, metrics, 1).assign(cache=name)
        ends = rows[[WARM, REQUESTS]].to_numpy() * size / page
        seconds, moved = np.array([within(one, begin, end) for begin, end in ends]).T
        rows["mb_s"] *= 1.048576
        rows["expected_mb_s"] = 1e-6 * page * np.diff(ends).ravel() / seconds
        rows["expected_amplification"] = 1 + moved / np.diff(ends).ravel()
        rows["gb"] = 1e-9 * page * ends[:, 1]
        for panel, figure in ((rates, "mb_s"), (costs, "amplification")):
            panel.plot(rows["gb"], rows[figure], f"oC{number}", markersize=4, label=name)
            panel.plot(rows["gb"], rows[f"expected_{figure}"], f"C{number}:", linewidth=1)
        tables.append(rows)
    rates.set(ylim=(0, None))
    columns = {"cache": ("cache", ""), "gb": ("written [GB]", ".2f"), "mb_s": ("MB/s", ",.0f")}
    columns |= {"expected_mb_s": ("expected", ",.0f"), "amplification": ("pages per page", ".2f")}
    columns |= {"expected_amplification": ("expected", ".2f")}
    study.write(pd.concat(tables, ignore_index=True), columns, rates)


if __name__ == "__main__":
    leave(main)
