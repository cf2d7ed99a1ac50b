#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of read-retry does a drive save that remembers at which step its pages were read?

Single random reads of a worn drive that has read nothing yet. `controller.read_retry.start` says what is remembered.

Expectation. Each read at the default levels is retried s times. Without a memory, all reads are. An oracle, which knows
the best levels of each page, retries none. A memory retries a read only if it knows nothing yet. With a memory per
block, these are the first reads of each block. Of n reads at random, B (1 - (1 - 1/B)^n) blocks out of B are read at
least once, so the share of first reads is this number over n. With r = n/B reads per block it is (1 - exp(-r)) / r:
0.63 after one read per block, and 1/r after many. A memory per layer of all blocks learns from any block: its share is
1/n, since the layers of a block are alike enough that the nearest known layer serves all others. A memory per block and
layer falls back on the nearest layer of the block, so it needs as many first reads as a memory per block. A read takes
t0 + s t1 on average, with t0 of the oracle and t1 of the run without a memory, per retry.

The steps of this drive's recovery flow are coarse, eight apart, so all layers need the same step, and nothing is left
to learn after the first read. With `--drive retry_tlc_512g`, which tries step after step and decodes hard reads, layers
and pages differ by a step at times, and some reads are retried beyond the expectation.

To fork: change READS_PER_BLOCK, WORN, or the sizes in SMALL.
"""

from __future__ import annotations

from collections.abc import Sequence

from study import Study, leave

import nandscape as ns

REQUESTS = "host.workload.requests"
START = "controller.read_retry.start"
POLICY = "controller.read_retry.policy"
MEMORIES = {
    "none": "default_levels",
    "per block": "last_of_block",
    "per layer": "last_of_layer",
    "per block and layer": "last_of_block_and_layer",
    "oracle": "default_levels",
}
READS_PER_BLOCK = [0.25, 0.5, 1, 2, 4, 8, 16]
WORN = {"nand.condition.pe_cycles": 1000, "nand.condition.retention_days": 91}
SMALL = {
    "nand.geometry.blocks_per_plane": 24,
    "controller.mapping.over_provisioning": 0.4,
    "simulation.request_log": False,
    "controller.cache.policy": "none",
}


def first_reads(blocks: int, reads: int) -> dict[str, float]:
    """Returns the share of the reads for which a memory knows nothing yet."""
    of_block = blocks * (1 - (1 - 1 / blocks) ** reads) / reads
    return {
        "none": 1,
        "per block": of_block,
        "per layer": 1 / reads,
        "per block and layer": of_block,
        "oracle": 0,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "drive_tlc_3d", arguments)
    reads = ns.synthetic(read_percent=100, block_bytes=16384, queue_depth=1, requests=1)
    drive = study.load(WORN | SMALL, reads)
    blocks = int((ns.Simulation(drive).blocks().valid_units > 0).sum())
    per_block = READS_PER_BLOCK[2::2] if study.quick else READS_PER_BLOCK
    metrics = {
        "steps": "controller.read_retry.steps",
        "mean_us": "host.read.latency_us.mean",
        "mib_s": "host.bandwidth_mib_s",
    }
    points = [
        {REQUESTS: round(blocks * number), START: start, POLICY: "none" if name == "oracle" else drive[POLICY]}
        for number in per_block
        for name, start in MEMORIES.items()
    ]
    rows = study.sweep(drive, points, metrics, runs=1 if study.quick else 5)
    rows["reads_per_block"] = [number for number in per_block for _ in MEMORIES]
    rows["memory"] = list(MEMORIES) * len(per_block)
    of = rows.set_index(["reads_per_block", "memory"])
    each, oracle = of["steps"].xs("none", level=1).mean(), of["mean_us"].xs("oracle", level=1).mean()
    longer = of["mean_us"].xs("none", level=1).mean() - oracle
    share = [first_reads(blocks, row[REQUESTS])[row["memory"]] for _, row in rows.iterrows()]
    rows["expected_steps"] = [each * of_all for of_all in share]
    rows["expected_us"] = [oracle + longer * of_all for of_all in share]

    steps, rate = study.axes(("reads per block", "retries per read"), ("reads per block", "throughput [MiB/s]"))
    for number, name in enumerate(MEMORIES):
        of = rows[rows["memory"] == name]
        colour = f"C{number}"
        steps.plot(of["reads_per_block"], of["expected_steps"], "--", color=colour, linewidth=1)
        steps.errorbar(of["reads_per_block"], of["steps"], of["steps_pm"], fmt="o", color=colour, label=name)
        rate.errorbar(of["reads_per_block"], of["mib_s"], of["mib_s_pm"], fmt="o-", color=colour, label=name)
    for panel in (steps, rate):
        panel.set_xscale("log", base=2)
        panel.set_xticks(per_block, [f"{number:g}" for number in per_block])
    columns = {"reads_per_block": ("reads per block", "g"), "memory": ("memory", ""), "steps": ("retries", ".3f")}
    columns |= {"expected_steps": ("expected", ".3f"), "mean_us": ("mean [µs]", ",.0f")}
    study.write(rows, columns | {"expected_us": ("expected", ",.0f"), "mib_s": ("MiB/s", ".1f")}, steps)


if __name__ == "__main__":
    leave(main)
