#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What do superpages gain for random writes, and what do they cost?

In the layout `plane`, each plane has an open block of its own. A die programs two planes at once only if the open
blocks of both happen to be at the same page. In the layout `superpage`, one superblock spans all planes of all dies,
and its rows are filled in order, so the planes of a die always have pages of the same row.

Expectation, for a small `bare` (16 dies of two planes). A program on two planes takes 731 µs for two pages, a program
on one plane 716 µs for one page. Deep random writes to an erased drive should thus reach 43,700 pages/s with
superpages, and 22,300 if no page finds a partner. At a low depth, the latency should be that of one program in both
layouts, but for pages that find their die busy. In the steady state, both layouts collect greedily from the same share
of spare flash: blocks of the layout `plane` on each plane by itself, superblocks as a whole. Greedy collection has the
same write amplification for blocks of any size [Desnoyers 2012], so both should be near `ns.ceilings`. But a superblock
is one of only 96 here; one that collection keeps free beyond the closed form, as it does when the host writes slowly,
costs 5 %.

To fork: change DEPTHS, or the number of dies in a superblock (`--set controller.mapping.superblock_dies=4`).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

LAYOUT = "controller.mapping.layout"
LAYOUTS = ["plane", "superpage"]
DEPTHS = [1, 4, 16, 64, 256]
SMALL = {
    "nand.geometry.blocks_per_plane": 96,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.4,
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}
FRESH = {"controller.precondition.occupancy": 0.0, "host.workload.requests": 10_000}
USED = {"controller.precondition.distribution": "steady_state", "simulation.warmup.drive_writes": 0.5}
METRICS = {
    "iops": "host.iops",
    "mean_us": "host.write.latency_us.mean",
    "p99_us": "host.write.latency_us.p99",
    "amplification": "controller.write_amplification",
    "planes": "controller.scheduler.planes_per_operation",
}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    drive = study.load(SMALL, ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=64))
    depths = DEPTHS[1::2] if study.quick else DEPTHS
    axes = {LAYOUT: LAYOUTS, "host.workload.queue_depth": depths}
    runs = 1 if study.quick else 3
    fresh = study.sweep(drive.override(FRESH), axes, METRICS, runs)
    pages = Capacity.of(drive).exported_bytes // drive["nand.geometry.page_bytes"]
    window = {"host.workload.requests": int(pages * (1.0 if study.quick else 2.0))}
    steady = study.sweep(drive.override(USED | window), axes, METRICS, runs)

    rows = pd.concat([fresh.assign(state="fresh"), steady.assign(state="steady")], ignore_index=True)
    erased = drive.override({"nand.timing.t_bers_us": 0.001})  # a fresh drive erases nothing
    joined = ns.ceilings(erased, write_amplification=1).bound("random_write")
    alone = ns.ceilings(erased.override({"controller.scheduler.multi_plane": False}), write_amplification=1).bound(
        "random_write"
    )
    rows["bound"] = [
        (joined if layout == "superpage" else alone) if state == "fresh" else None
        for layout, state in zip(rows[LAYOUT], rows["state"], strict=True)
    ]
    limits = ns.ceilings(drive)
    rows["expected_amplification"] = [
        1.0 if state == "fresh" else limits.write_amplification for state in rows["state"]
    ]

    panels = study.axes(
        ("queue depth", "writes of 16 KiB per second, erased drive"),
        ("queue depth", "writes of 16 KiB per second, steady drive"),
        ("queue depth", "p99 of a write, steady drive [µs]"),
    )
    for layout in LAYOUTS:
        for panel, state, figure in zip(panels, ("fresh", "steady", "steady"), ("iops", "iops", "p99_us"), strict=True):
            part = rows[(rows[LAYOUT] == layout) & (rows["state"] == state)]
            panel.plot(part["host.workload.queue_depth"], part[figure], "o-", label=layout)
            panel.set_xscale("log", base=2)
            panel.set_xticks(depths, depths)
    for bound, text in ((joined, "all join"), (alone, "none joins")):
        panels[0].axhline(bound, color="k", linestyle=":", label=f"bound if {text}")
    panels[2].set_yscale("log")
    columns = {"state": ("drive", ""), LAYOUT: ("layout", ""), "host.workload.queue_depth": ("depth", ",")}
    columns |= {"iops": ("writes/s", ",.0f"), "bound": ("bound", ",.0f"), "planes": ("planes", ".2f")}
    columns |= {"mean_us": ("mean [µs]", ",.0f"), "p99_us": ("p99 [µs]", ",.0f")}
    columns |= {"amplification": ("pages per page", ".2f"), "expected_amplification": ("expected", ".2f")}
    study.write(rows, columns, panels[0])


if __name__ == "__main__":
    leave(main)
