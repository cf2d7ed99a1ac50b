#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which victim policy programs the fewest pages when some data are hotter than others?

Random writes of pages, uniform or with a hot part of the drive, on a small drive with many blocks.

Expectation. For the oldest block (fifo) arithmetic is exact for any skew. Let page i receive a share p of the writes. A
block is collected T writes of the host after it was written, and with probability exp(-pT) page i is then still valid.
Its copies are therefore made at the rate p/(1 - exp(-pT)), and the copies made in T fill the flash: T follows from
sum pT/(1 - exp(-pT)) = pages of all full blocks, and the write amplification is these pages over T (Desnoyers 2012).
With 28 % spare flash that is 2.54 for uniform writes; with 80 % of the writes on 20 % of the data it is 2.9, and with
95 % on 5 % 3.3: pages of cold data are moved again and again. Greedy must be below fifo for uniform writes. With a
skew it waits until the hot pages of a block are invalid, and cost_benefit also lets young blocks ripen.

To fork: change POLICIES, which may hold objects of your own class (docs/python-policies.md), or SKEWS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

HOT = "host.workload.hot_space_percent"
POLICY = "controller.garbage_collection.policy"
POLICIES = ["greedy", "cost_benefit", "d_choices", "fifo", "random"]
SKEWS = {"uniform": (50, 50), "80 % on 20 %": (20, 80), "95 % on 5 %": (5, 95)}  # data, writes [%]
SMALL = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.28,
    "controller.precondition.distribution": "steady_state",
    "simulation.request_log": False,
}


def fifo_amplification(data: float, flash: float, space: float, writes: float) -> float:
    """Of the oldest block, for `data` pages on `flash` pages in full blocks; a share `space` gets a share `writes`."""
    parts = [(data * space, writes / (data * space)), (data * (1 - space), (1 - writes) / (data * (1 - space)))]
    low, high = 1e-6, flash  # T is less than the flash, since the write amplification is more than 1
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
    # Two blocks of a plane are being written, and a host at full speed leaves one free.
    full = shape["planes_per_die"] * (shape["blocks_per_plane"] - 3) * shape["pages_per_block"]
    warm, measured = (int(data * times) for times in ((2, 1.5) if study.quick else (5, 5)))
    length = {"host.workload.requests": warm + measured, "simulation.warmup.requests": warm}
    policies = POLICIES[::3] if study.quick else POLICIES
    points = [
        {HOT: space, "host.workload.hot_access_percent": share, POLICY: policy}
        for space, share in SKEWS.values()
        for policy in policies
    ]
    metrics = {"amplification": "controller.write_amplification", "iops": "host.iops"}
    rows = study.sweep(drive.override(length), points, metrics, runs=1 if study.quick else 3)
    rows["skew"] = [name for name in SKEWS for _ in policies]
    theory = {name: fifo_amplification(data, full, s / 100, w / 100) for name, (s, w) in SKEWS.items()}
    rows["expected"] = [
        theory[name] if policy == "fifo" else math.nan for name, policy in zip(rows["skew"], rows[POLICY], strict=True)
    ]

    (panel,) = study.axes(("skew of the writes", "write amplification"))
    for number, policy in enumerate(policies):
        of = rows[rows[POLICY] == policy]
        at = [place + 0.8 * (number - (len(policies) - 1) / 2) / len(policies) for place in range(len(SKEWS))]
        panel.bar(at, of["amplification"], 0.75 / len(policies), yerr=of["amplification_pm"].fillna(0), label=policy)
        if policy == "fifo":
            panel.plot(at, list(theory.values()), "kD", markerfacecolor="white", label="fifo, expected")
    panel.set_xticks(range(len(SKEWS)), list(SKEWS))
    columns = {"skew": ("writes", ""), POLICY: ("policy", ""), "amplification": ("write amplification", ".2f")}
    study.write(rows, columns | {"expected": ("expected", ".2f"), "iops": ("writes/s", ",.0f")}, panel)


if __name__ == "__main__":
    leave(main)
