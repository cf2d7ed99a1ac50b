#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How large must a write cache be so that bursts of writes do not wait for the flash?

Every 100 ms the host sends 4-KiB writes for 20 ms, 200,000 per second, and then nothing for 80 ms.

Expectation. The cache behaves like a tank with an inlet and a drain. The inlet is R = 200,000 units/s. The drain comes
from write-back, 64 units at a time (`controller.cache.writes_in_flight`): 16 pages of four units, each programmed in
716 µs (tPROG and its transfer), so D = 89,400 units/s. Write-back begins when half of the cache is dirty and ends at
40 %, so a burst finds 60 % of the capacity C free. A tenth of C fills at the rate R, then half of C at R - D. No write
waits if the burst of 20 ms ends before the cache is full, which takes at least 3,960 units, 15.5 MiB. In a smaller
cache, writes wait from t = 0.1 C/R + 0.5 C/(R - D) on. The last write waits for (R - D)(20 ms - t)/D. The mean wait of
all writes is half of that times the share of writes that wait, (20 ms - t)/20 ms. With 8 MiB, t is 10.3 ms, the last
write waits for 12.0 ms, and the mean wait is 2.9 ms. A write that does not wait takes 3 µs, for DRAM and link. The
drive is half full, so that the collector stays idle; collection would divide D by the write amplification.

To fork: change the burst; `--set controller.cache.writes_in_flight=256` programs on both planes and doubles the drain.
"""

from __future__ import annotations

from collections.abc import Sequence

from study import Study, leave

import nandscape as ns

CAPACITY = "controller.cache.capacity_bytes"
MIB = [1, 2, 4, 8, 12, 16, 24, 32]
BURST_MS, PERIOD_MS, BURST_IOPS = 20.0, 100.0, 200_000.0
CHANGES = {
    "controller.precondition.occupancy": 0.5,
    "controller.cache.policy": "write_back",
    "simulation.warmup.time_ms": PERIOD_MS,  # the measurement begins after the first burst, which finds an empty cache
}


def waits_ms(drive: ns.Config, capacity: float) -> tuple[float, float]:
    """Returns the mean wait of the writes in a burst and the wait of the last write, for `capacity` units of cache."""
    cache, shape = drive["controller.cache"], drive["nand.geometry"]
    pages = cache["writes_in_flight"] * drive["controller.mapping.unit_bytes"] / shape["page_bytes"]
    planes = min(max(pages / drive.dies, 1), shape["planes_per_die"])  # pages that a die programs in one operation
    page_ms = 1e3 * (shape["page_bytes"] + shape["spare_bytes"]) / (1e6 * drive["channel.rate_mt_s"])
    program_ms = 1e-3 * drive["nand.timing.t_prog_us"] + planes * page_ms
    inlet, drain = 1e-3 * BURST_IOPS, min(pages, drive.dies * planes) / program_ms * cache["writes_in_flight"] / pages
    high, low = cache["dirty_high_percent"] / 100, cache["dirty_low_percent"] / 100
    free_ms = (high - low) * capacity / inlet + (1 - high) * capacity / max(inlet - drain, 1e-9)
    late_ms = max(BURST_MS - free_ms, 0)
    last_ms = (inlet - drain) * late_ms / drain
    return last_ms / 2 * late_ms / BURST_MS, last_ms


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "cached", arguments)
    bursts = 2 if study.quick else 5
    rate = BURST_IOPS * BURST_MS / PERIOD_MS
    writes = ns.synthetic(
        read_percent=0, pacing="open", arrival="bursty", rate_iops=rate, burst_on_ms=BURST_MS,
        burst_off_ms=PERIOD_MS - BURST_MS, queue_depth=65535, requests=int(rate * PERIOD_MS / 1e3 * bursts),
    )  # fmt: skip
    drive = study.load(CHANGES, writes)
    sizes = MIB[1::2] if study.quick else MIB
    latency = "host.write.latency_us"
    metrics = {"mean_us": f"{latency}.mean", "p99_us": f"{latency}.p99", "max_us": f"{latency}.max"}
    metrics |= {"cache_room": "utilisation.cache_room"}
    rows = study.sweep(drive, {CAPACITY: [size << 20 for size in sizes]}, metrics, runs=1 if study.quick else 3)
    rows["mib"] = sizes
    units = [size / drive["controller.mapping.unit_bytes"] for size in rows[CAPACITY]]
    alone_us = float(rows["mean_us"].iloc[-1])  # no burst fills the largest cache
    rows["expected_mean_us"] = [alone_us + 1e3 * waits_ms(drive, size)[0] for size in units]
    rows["expected_max_us"] = [alone_us + 1e3 * waits_ms(drive, size)[1] for size in units]

    (panel,) = study.axes(("write cache [MiB]", "latency of a write [ms]"))
    for number, name in enumerate(("mean_us", "max_us")):
        word = name.split("_")[0]
        panel.plot(sizes, 1e-3 * rows[f"expected_{name}"], "--", color=f"C{number}", label=f"{word}, expected")
        panel.errorbar(
            sizes, 1e-3 * rows[name], 1e-3 * rows[f"{name}_pm"], fmt="os"[number], color=f"C{number}", label=word
        )
    panel.plot(sizes, 1e-3 * rows["p99_us"], "^", color="C2", label="p99")
    panel.set(ylim=(0, None), xlim=(0, None))
    columns = {"mib": ("cache [MiB]", "d"), "mean_us": ("mean [µs]", ",.0f")}
    columns |= {"expected_mean_us": ("expected", ",.0f"), "p99_us": ("p99 [µs]", ",.0f")}
    columns |= {"max_us": ("max [µs]", ",.0f"), "expected_max_us": ("expected", ",.0f")}
    study.write(rows, columns | {"cache_room": ("waited for room", ".0%")}, panel)


if __name__ == "__main__":
    leave(main)
