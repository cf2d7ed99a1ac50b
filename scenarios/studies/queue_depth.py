#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How do throughput and p99 grow with the queue depth?

The host reads random pages. The queue depth goes from 1 to far more than the number of dies.

Expectation. One read takes about 117 µs on `bare`: 91 µs of tR (2.33 senses of 39 µs), 4.1 µs to move 4 KiB and its
spare bytes, 20 µs to decode and 2 µs on the link. Depth 1 therefore reaches 8,500 reads/s, and depth Q at most Q times
as many. A read keeps its die busy for 95 µs, so the 16 dies saturate at 168,000 reads/s (`ns.ceilings`). The knee is
where 8,500 Q = 168,000, at a depth of 20. Reads that meet on a die by chance wait for one another. Mean value analysis
of 16 servers behind a fixed delay gives the curve in between. It assumes exponential service times; senses are more
regular, so the curve is a lower estimate. Above the knee throughput grows little, and the mean latency approaches
Q / 168,000 s: 1.5 ms at a depth of 256.

To fork: change DEPTHS or the size of a read (`block_bytes`). The knee moves with the number of dies
(`--set channel.count=8`).
"""

from __future__ import annotations

from collections.abc import Sequence

from study import Study, leave

import nandscape as ns

DEPTH = "host.workload.queue_depth"
DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128, 256]


def mean_value_analysis(depth: int, delay_s: float, service_s: float, servers: int) -> float:
    """Returns the requests per second when `depth` requests circulate through a fixed delay and `servers` equal
    queues.
    """
    waiting = rate = 0.0
    for n in range(1, depth + 1):
        time_s = service_s * (1 + waiting / servers)
        rate = n / (delay_s + time_s)
        waiting = rate * time_s
    return rate


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    requests = 4_000 if study.quick else 20_000
    drive = study.load({"simulation.request_log": False}, ns.synthetic(read_percent=100, requests=requests))
    depths = DEPTHS[::2] if study.quick else DEPTHS
    metrics = {"iops": "host.iops", "mean_us": "host.read.latency_us.mean", "p99_us": "host.read.latency_us.p99"}
    metrics |= {"die": "utilisation.die", "page_buffers": "utilisation.page_buffers"}
    rows = study.sweep(drive, {DEPTH: depths}, metrics, runs=2 if study.quick else 3)

    limits = ns.ceilings(drive)
    ceiling, service_s = limits.bound("random_read"), drive.dies / limits.iops["dies"]["random_read"]
    alone_s = 1e-6 * rows["mean_us"][0]
    rows["bound"] = [min(depth / alone_s, ceiling) for depth in depths]
    rows["expected"] = [
        min(mean_value_analysis(n, alone_s - service_s, service_s, drive.dies), ceiling) for n in depths
    ]

    throughput, latency = study.axes(("queue depth", "random reads per second"), ("queue depth", "read latency [µs]"))
    throughput.plot(depths, rows["bound"], "k:", label=f"bound: depth / latency, {limits.least('random_read')}")
    throughput.plot(depths, rows["expected"], "--", color="C1", label="expected: mean value analysis")
    throughput.errorbar(depths, rows["iops"], rows["iops_pm"], fmt="o", color="C0", label="measured")
    latency.errorbar(depths, rows["mean_us"], rows["mean_us_pm"], fmt="o-", color="C0", label="mean")
    latency.errorbar(depths, rows["p99_us"], rows["p99_us_pm"], fmt="s-", color="C1", label="p99")
    latency.plot(depths, [1e6 * n / x for n, x in zip(depths, rows["expected"], strict=True)], "k:", label="expected")
    for panel in (throughput, latency):
        panel.set(xscale="log", yscale="log")
        panel.set_xticks(depths, depths)
        panel.minorticks_off()
    columns = {DEPTH: ("depth", "d"), "iops": ("reads/s", ",.0f"), "expected": ("expected", ",.0f")}
    columns |= {"bound": ("bound", ",.0f"), "mean_us": ("mean [µs]", ",.0f"), "p99_us": ("p99 [µs]", ",.0f")}
    columns |= {"die": ("busiest die", ".0%"), "page_buffers": ("its page buffers", ".0%")}
    study.write(rows, columns, throughput)


if __name__ == "__main__":
    leave(main)
