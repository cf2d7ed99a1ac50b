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

The third panel varies the range of the reads instead, and what the drive has: DRAM for the whole table; 1 MiB of SRAM
and 24 MiB of host memory; or the SRAM alone. In SRAM a look-up is free, in host memory it takes the round trip of a
line of 64 bytes over the link, 0.33 µs, and from flash another read. 1 MiB maps 1.07 GB, 24 MiB map 25.8 GB, so a read
of a range R misses in a memory that maps M with probability 1 - M/R. The ranges are those of the Toshiba RC100: its
SRAM maps 1 GB and its buffer of 38 MB 24 GB, and host memory speeds up its reads at depth 1 for ranges of 2 to 24 GB
[PConline, 2018]; without the entry in memory, a read may take twice as long [AnandTech, 2018].

To fork: change SHARES, or the footprint (`FOOTPRINT`); with `pattern="zipf"` a small memory holds the popular entries.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

MEMORY, KIND = "controller.mapping.cache_bytes", "controller.mapping.memory"
DEPTH, DEEP = "host.workload.queue_depth", 64
SHARES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]
FOOTPRINT = 0.1  # share of the capacity that the host reads; small, so that few reads fill the memory
SRAM, BUFFER = 1 << 20, 24 << 20
RANGES_GB = [0.25, 0.5, 1, 2, 4, 8, 16, 24, 32, 40, 48]
DRIVES = {
    "DRAM": {KIND: "dram", MEMORY: 0},
    "host memory": {KIND: "host", MEMORY: SRAM, "controller.mapping.host_buffer_bytes": BUFFER},
    "SRAM alone": {KIND: "ideal", MEMORY: SRAM},
}
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
    metrics = {"iops": "host.iops", "mean_us": "host.read.latency_us.mean"}
    metrics |= {"hits": "controller.mapping_cache.hits", "misses": "controller.mapping_cache.misses"}
    found = study.sweep(drive, points, metrics, runs=2 if study.quick else 3)
    found["hit_ratio"] = found["hits"] / (found["hits"] + found["misses"])  # NaN without a memory limit
    alone, rows = (found[found[DEPTH] == depth].reset_index(drop=True) for depth in (1, DEEP))
    rows["share"], rows["alone_us"], rows["alone_us_pm"] = shares, alone["mean_us"], alone["mean_us_pm"]
    whole = rows["iops"].iloc[-1], rows["alone_us"].iloc[-1]
    rows["expected_iops"] = [whole[0] / (2 - share) for share in shares]
    rows["expected_us"] = [whole[1] * (2 - share) for share in shares]

    ranges = by_range(study, drive)
    rate, latency, growing = study.axes(
        ("share of the mapping table in memory [%]", f"random reads per second at depth {DEEP}"),
        ("share of the mapping table in memory [%]", "latency of a single read [µs]"),
        ("range of the reads [GB]", "latency of a single read [µs]"),
    )
    for panel, name, law in ((rate, "iops", "1 / (2 - s)"), (latency, "alone_us", "2 - s")):
        expected = rows["expected_iops" if name == "iops" else "expected_us"]
        panel.plot(100 * rows["share"], expected, "k--", label=f"expected: whole table x {law}")
        panel.errorbar(100 * rows["share"], rows[name], rows[f"{name}_pm"], fmt="o", color="C0", label="measured")
        panel.set(ylim=(0, None), xlim=(0, 105))
    for k, (name, found) in enumerate(ranges.groupby("memory", sort=False)):
        growing.plot(found["range_gb"], found["expected_us"], "--", color=f"C{k}")
        growing.errorbar(found["range_gb"], found["alone_us"], found["alone_us_pm"], fmt="o", color=f"C{k}", label=name)
    growing.set(ylim=(0, None), xscale="log", xticks=[0.25, 1, 4, 16, 48], xticklabels=["0.25", "1", "4", "16", "48"])
    columns = {"memory": ("memory", ""), "share": ("in memory", ".0%"), "range_gb": ("GB read", ".3g")}
    columns |= {"hit_ratio": ("hits", ".1%"), "iops": ("reads/s", ",.0f"), "expected_iops": ("expected", ",.0f")}
    columns |= {"alone_us": ("single read [µs]", ",.1f"), "expected_us": ("expected", ",.1f")}
    study.write(pd.concat([rows.assign(memory="part on flash"), ranges], ignore_index=True), columns, rate)


def by_range(study: Study, drive: ns.Config) -> pd.DataFrame:
    """Returns the latency of single reads of each range with each kind of memory, measured and expected."""
    chosen = [range_gb for range_gb in RANGES_GB if range_gb in (0.5, 8, 48) or not study.quick]
    share, warm, count = 1e9 / Capacity.of(drive).exported_bytes, 60_000, 1000 if study.quick else 5000
    points = [
        {**memory, DEPTH: 1, "host.workload.footprint_fraction": share * range_gb, "simulation.warmup.requests": warm,
         "host.workload.requests": warm + count}
        for memory in DRIVES.values() for range_gb in chosen
    ]  # fmt: skip
    rows = study.sweep(drive, points, {"alone_us": "host.read.latency_us.mean"}, runs=2 if study.quick else 3)
    line_us = 2e-3 * drive["host.link.propagation_ns"] + 104 * 8 * 130 / 128 / 8000 / drive["host.link.lanes"]
    rows["memory"], rows["range_gb"] = [name for name in DRIVES for _ in chosen], chosen * len(DRIVES)
    maps_gb = 1e-9 * drive["controller.mapping.unit_bytes"] / drive["controller.mapping.entry_bytes"]
    sram, buffer = ((size * maps_gb / rows["range_gb"]).clip(upper=1) for size in (SRAM, BUFFER))
    in_dram, in_host = rows["memory"] == "DRAM", rows["memory"] == "host memory"
    flash = (1 - sram.where(~in_host, buffer)).mask(in_dram, 0)
    rows["expected_us"] = rows["alone_us"].iloc[0] * (1 + flash) + (buffer - sram).where(in_host, 0) * line_us
    return rows


if __name__ == "__main__":
    leave(main)
