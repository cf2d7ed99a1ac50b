#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What does parity over the dies cost in space and in writes, by stripe width?

A stripe of k dies has one parity page in k pages, and the drive survives the loss of one die.

Expectation. Space: the host gets (k - 1)/k of the capacity; the spare flash available to collection stays the same.
Writes: each host page takes k/(k - 1) programs, which is the write amplification of sequential writes. For random
writes, this factor multiplies the write amplification of collection, 1.67 at 50 % of effective spare (`ns.ceilings`):
2.23 with stripes of 4 dies, 1.78 with 16. If nothing else changed, rates would fall by 25 % with 4 dies and by 6 % with
16. But the pages of a stripe lie on different dies, so this drive programs them one by one, not on two planes at once.
A program on two planes takes 731 µs for two pages, a program on one plane 716 µs for one page. Parity of any width
therefore costs another 49 % of the rate of sequential writes: each of the 16 dies should write (k - 1)/k pages in
716 µs.

To fork: change WIDTHS (divisors of the number of dies) or the spare flash (`SMALL`); on dies with one plane
(`--set controller.scheduler.multi_plane=false`) only the factor k/(k - 1) is left.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

WIDTH = "controller.parity.stripe_dies"
WIDTHS = [0, 2, 4, 8, 16]  # 0: no parity
SMALL = {
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.6,
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}
FRESH = {"controller.precondition.occupancy": 0.0, "host.workload.pattern": "sequential"}
USED = {"controller.precondition.distribution": "steady_state", "simulation.warmup.drive_writes": 0.25}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=128)
    drive = study.load(SMALL, writes)
    widths = WIDTHS[::2] if study.quick else WIDTHS
    exported = [Capacity.of(drive.override({WIDTH: width})).exported_bytes for width in widths]
    metrics = {"amplification": "controller.write_amplification", "iops": "host.iops"}
    metrics |= {"planes": "controller.scheduler.planes_per_operation"}
    runs = 1 if study.quick else 3
    sequential = study.sweep(drive.override(FRESH | {"host.workload.requests": 8000}), {WIDTH: widths}, metrics, runs)
    pages = exported[0] // drive["nand.geometry.page_bytes"]
    random = {"host.workload.requests": int(pages * (0.35 if study.quick else 0.75))}
    steady = study.sweep(drive.override(USED | random), {WIDTH: widths}, metrics, runs)

    rows = pd.DataFrame({"stripe_dies": widths, "width": [str(width) if width else "none" for width in widths]})
    rows["capacity_gb"] = [1e-9 * size for size in exported]
    rows["expected_gb"] = [rows["capacity_gb"][0] * (1 - 1 / width if width else 1) for width in widths]
    for kind, table in (("sequential", sequential), ("random", steady)):
        for name in ("amplification", "amplification_pm", "iops", "iops_pm", "planes"):
            rows[f"{kind}_{name}"] = table[name]
    rows["expected_sequential"] = [width / (width - 1) if width else 1.0 for width in widths]
    limits = [ns.ceilings(drive.override({WIDTH: width})) for width in widths]
    rows["expected_random"] = [limit.write_amplification for limit in limits]
    erased = drive.override({"nand.timing.t_bers_us": 0.001})  # a fresh drive erases nothing
    one_plane = [
        ns.ceilings(erased.override({WIDTH: width, "controller.scheduler.multi_plane": width == 0})) for width in widths
    ]
    rows["expected_iops"] = [limit.bound("sequential_write") for limit in one_plane]

    share, amplification, rate = study.axes(
        ("dies of a stripe", "capacity for the host [GB]"),
        ("dies of a stripe", "write amplification"),
        ("dies of a stripe", "writes of 16 KiB per second"),
    )
    at = range(len(widths))
    share.bar(at, rows["capacity_gb"], 0.6, label="exported")
    share.plot(at, rows["expected_gb"], "kD", markerfacecolor="white", label="expected: (k - 1)/k")
    for number, kind in enumerate(("sequential", "random")):
        name = "sequential, fresh drive" if kind == "sequential" else "random, steady drive"
        place = [where + 0.4 * number - 0.2 for where in at]
        for panel, figure in ((amplification, "amplification"), (rate, "iops")):
            spread = rows[f"{kind}_{figure}_pm"].fillna(0)
            panel.bar(place, rows[f"{kind}_{figure}"], 0.38, yerr=spread, label=name)
        label = None if number else "expected"
        amplification.plot(place, rows[f"expected_{kind}"], "kD", markerfacecolor="white", label=label)
    rate.plot([where - 0.2 for where in at], rows["expected_iops"], "kD", markerfacecolor="white", label="expected")
    for panel in (share, amplification, rate):
        panel.set_xticks(at, rows["width"])
        panel.set_ylim(0, 1.3 * panel.get_ylim()[1])  # room for the legend
    columns = {"width": ("stripe", ""), "capacity_gb": ("GB", ".3f"), "expected_gb": ("expected", ".3f")}
    columns |= {
        "sequential_amplification": ("sequential: pages per page", ".3f"),
        "expected_sequential": ("expected", ".3f"),
    }
    columns |= {"sequential_iops": ("writes/s", ",.0f"), "expected_iops": ("expected", ",.0f")}
    columns |= {"sequential_planes": ("planes", ".2f"), "random_amplification": ("random: pages per page", ".2f")}
    study.write(rows, columns | {"expected_random": ("expected", ".2f"), "random_iops": ("writes/s", ",.0f")}, rate)


if __name__ == "__main__":
    leave(main)
