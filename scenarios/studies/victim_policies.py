#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which victim policy programs the fewest pages when some data are hotter than others?

The host writes random pages, uniformly or with a hot part of the drive, to a small drive with many blocks.

Expectation. For fifo, which collects the oldest block, the arithmetic is exact for any skew, as long as hot and cold
pages are mixed in a block. Let page i receive a share p of the writes. A block is collected T host writes after it was
written; page i is then still valid with probability exp(-pT). Its copies are therefore made at the rate
p/(1 - exp(-pT)). The copies made in T fill the flash, so T follows from sum pT/(1 - exp(-pT)) = pages of all full
blocks. The write amplification is this number of pages divided by T (Desnoyers 2012). With 28 % spare flash it is 2.5
for uniform writes, 2.9 with 80 % of the writes on 20 % of the data, and 3.9 with 95 % on 5 %, since cold pages are
moved in every round. A single stream of writes (`single`) mixes hot and cold pages. The default (`by_source`) writes
moved pages to blocks of their own. These become cold, and fifo passes over a block without an invalid page, so fifo
should gain from a strong skew. For uniform writes, greedy must have a lower write amplification than fifo.

To fork: change VARIANTS, whose policies may be objects of your own class (docs/python-policies.md), or SKEWS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

HOT = "host.workload.hot_space_percent"
POLICY = "controller.garbage_collection.policy"
STREAMS = "controller.streams.policy"
VARIANTS = {
    "greedy": ("greedy", "by_source"),
    "cost_benefit": ("cost_benefit", "by_source"),
    "d_choices": ("d_choices", "by_source"),
    "fifo": ("fifo", "by_source"),
    "fifo, one stream": ("fifo", "single"),
}
SKEWS = {"uniform": (50, 50), "80 % on 20 %": (20, 80), "95 % on 5 %": (5, 95)}  # data, writes [%]
SMALL = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.28,
    "controller.precondition.distribution": "steady_state",
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}


def fifo_amplification(data: float, flash: float, space: float, writes: float) -> float:
    """Returns the write amplification of fifo. `data` and `flash` are the pages of data and of flash in full blocks.
    The share `space` of the data receives the share `writes` of all writes."""
    parts = [(data * space, writes / (data * space)), (data * (1 - space), (1 - writes) / (data * (1 - space)))]
    low, high = 1e-6, flash  # bounds of T; T is at most `flash`, since the write amplification is at least 1
    for _ in range(100):
        middle = (low + high) / 2
        copies = sum(pages * p * middle / -math.expm1(-p * middle) for pages, p in parts)
        low, high = (middle, high) if copies < flash else (low, middle)
    return flash / low


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    blocks = {"nand.geometry.blocks_per_plane": 200 if study.quick else 400}
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=8, pattern="hot_cold")
    drive = study.load(SMALL | blocks, writes)
    shape = drive["nand.geometry"]
    data = Capacity.of(drive).exported_bytes / shape["page_bytes"]
    # Two blocks per plane are not full: the open block of the only stream, and a block that stays free.
    full = shape["planes_per_die"] * (shape["blocks_per_plane"] - 2) * shape["pages_per_block"]
    warm, measured = (int(data * times) for times in ((2, 1.5) if study.quick else (5, 5)))
    length = {"host.workload.requests": warm + measured, "simulation.warmup.requests": warm}
    variants = list(VARIANTS)[-2:] if study.quick else list(VARIANTS)
    points = [
        {HOT: space, "host.workload.hot_access_percent": share, POLICY: VARIANTS[name][0], STREAMS: VARIANTS[name][1]}
        for space, share in SKEWS.values()
        for name in variants
    ]
    metrics = {"amplification": "controller.write_amplification", "iops": "host.iops"}
    rows = study.sweep(drive.override(length), points, metrics, runs=1 if study.quick else 3)
    rows["skew"] = [name for name in SKEWS for _ in variants]
    rows["variant"] = variants * len(SKEWS)
    theory = {name: fifo_amplification(data, full, s / 100, w / 100) for name, (s, w) in SKEWS.items()}
    rows["expected"] = rows["skew"].map(theory).where(rows[STREAMS] == "single")

    (panel,) = study.axes(("skew of the writes", "write amplification"))
    for number, name in enumerate(variants):
        of = rows[rows["variant"] == name]
        at = [place + 0.8 * (number - (len(variants) - 1) / 2) / len(variants) for place in range(len(SKEWS))]
        panel.bar(at, of["amplification"], 0.75 / len(variants), yerr=of["amplification_pm"].fillna(0), label=name)
        if of["expected"].notna().all():
            panel.plot(at, of["expected"], "kD", markerfacecolor="white", label="expected")
    panel.set_xticks(range(len(SKEWS)), list(SKEWS))
    columns = {"skew": ("writes", ""), "variant": ("policy", ""), "amplification": ("write amplification", ".2f")}
    study.write(rows, columns | {"expected": ("expected", ".2f"), "iops": ("writes/s", ",.0f")}, panel)


if __name__ == "__main__":
    leave(main)
