#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of the mapping table must be in memory?

The host reads random pages in a tenth of the drive; the memory holds a share of the mapping entries of that part.

Expectation. An entry of 4 bytes maps 4 KiB, so the table takes a thousandth of the capacity; a table unit of 4 KiB
holds 1,024 entries. Reads are uniform, so a memory with a share s of the table hits with probability s, whichever units
it evicts. A miss costs one more read of 4 KiB before the read of the data. The dies therefore make 2 - s reads for each
host read. At a deep queue the rate is 1/(2 - s) of the rate with the whole table in memory: 67 % with half of the
table, 53 % with a tenth. A single read takes as long as 2 - s reads of 117 µs: 175 µs with half of the table. A miss
occupies a unit of the memory until it is loaded, at depth 64 some 30 of 1,200 units, so hits are a little rarer.

To fork: change SHARES, or the footprint (`FOOTPRINT`); with `pattern="zipf"` a small memory holds the popular entries.
"""

from __future__ import annotations

from collections.abc import Sequence

from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

MEMORY, DEPTH = "controller.mapping.cache_bytes", "host.workload.queue_depth"
SHARES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]
FOOTPRINT = 0.1  # share of the capacity that the host reads; small, so that few reads fill the memory
DEEP = 64
CHANGES = {
    "controller.cache.policy": "none",
    "controller.mapping.over_provisioning": 0.2,
    "simulation.request_log": False,
}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "cached", arguments)
    reads = ns.synthetic(read_percent=100, footprint_fraction=FOOTPRINT)
    drive = study.load(CHANGES, reads)
    entries = FOOTPRINT * Capacity.of(drive).exported_bytes / drive["controller.mapping.unit_bytes"]
    table_bytes = entries * drive["controller.mapping.entry_bytes"]
    # Three reads per table unit load 95 % of the table (1 - 1/e^3). Without a memory limit the whole table is loaded
    # at the start.
    warm = int(3 * table_bytes / drive["controller.mapping.unit_bytes"])
    shares = SHARES[2::2] if study.quick else SHARES
    points = [
        {MEMORY: int(share * table_bytes) if share < 1 else 0, DEPTH: depth, "simulation.warmup.requests": warm,
         "host.workload.requests": warm + count}
        for share in shares
        for depth, count in ((1, 1000 if study.quick else 5000), (DEEP, 6000 if study.quick else 60_000))
    ]  # fmt: skip
    metrics = {"iops": "host.iops", "mean_us": "host.read.latency_us.mean", "p99_us": "host.read.latency_us.p99"}
    metrics |= {"hits": "controller.mapping_cache.hits", "misses": "controller.mapping_cache.misses"}
    found = study.sweep(drive, points, metrics, runs=2 if study.quick else 3)
    found["hit_ratio"] = found["hits"] / (found["hits"] + found["misses"])  # NaN without a memory limit
    alone, rows = (found[found[DEPTH] == depth].reset_index(drop=True) for depth in (1, DEEP))
    rows["share"], rows["alone_us"], rows["alone_us_pm"] = shares, alone["mean_us"], alone["mean_us_pm"]
    whole = rows["iops"].iloc[-1], rows["alone_us"].iloc[-1]
    rows["expected_iops"] = [whole[0] / (2 - share) for share in shares]
    rows["expected_us"] = [whole[1] * (2 - share) for share in shares]

    rate, latency = study.axes(
        ("share of the mapping table in memory [%]", f"random reads per second at depth {DEEP}"),
        ("share of the mapping table in memory [%]", "latency of a single read [µs]"),
    )
    percent = [100 * share for share in shares]
    for panel, name, law in ((rate, "iops", "1 / (2 - s)"), (latency, "alone_us", "2 - s")):
        expected = rows["expected_iops" if name == "iops" else "expected_us"]
        panel.plot(percent, expected, "k--", label=f"expected: whole table x {law}")
        panel.errorbar(percent, rows[name], rows[f"{name}_pm"], fmt="o", color="C0", label="measured")
        panel.set(ylim=(0, None), xlim=(0, 105))
    columns = {"share": ("in memory", ".0%"), "hit_ratio": ("hits", ".1%"), "iops": ("reads/s", ",.0f")}
    columns |= {"expected_iops": ("expected", ",.0f"), "alone_us": ("single read [µs]", ",.0f")}
    columns |= {"expected_us": ("expected", ",.0f"), "p99_us": ("p99 of the deep queue [µs]", ",.0f")}
    study.write(rows, columns, rate)


if __name__ == "__main__":
    leave(main)
