#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What does a heavy stream do to a light one beside it, under each scheduling policy?

The light stream reads 4 KiB 4,000 times a second. Beside it, 256 requests of 16 KiB are always in flight: reads, or
writes to a drive that collects garbage.

Expectation. Alone, the light stream's read takes 117 µs. Beside heavy reads a policy that does not tell streams apart
(fifo, out_of_order, read_first) lets it wait like any of them. By Little's law that is 256 / 142,000 s = 1.8 ms at the
rate that the heavy stream reaches, 1.7 ms at the ceiling of the dies; the light stream has 0.5 requests in flight, 7 at
that latency. A policy that serves the light stream first (priority, by its class; flin, by its rate) leaves the rest of
the read in service, about half of 107 µs, and the waits for channel and decoder: 117 + 53 = 170 µs or a little more.
Beside heavy writes all but fifo suspend the program for a read: 117 + 20 µs (t_suspend) at most, as the die is seldom
idle. With fifo a read waits for the programs queued before it, each 731 µs.

To fork: change HEAVY or LIGHT, or the policies' own keys (`--set controller.scheduler.suspend=none`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns

POLICY = "controller.scheduler.policy"
POLICIES = ["fifo", "out_of_order", "read_first", "priority", "flin"]
HEAVY = ns.synthetic(name="heavy", block_bytes=16384, queue_depth=256, requests=10**8)
LIGHT = ns.synthetic(name="light", read_percent=100, pacing="open", rate_iops=4000.0, queue_depth=1024, requests=10**8)
KINDS = {"none": -1, "reads": 100, "writes": 0}  # percent of reads of the heavy stream
CHANGES = {"controller.precondition.distribution": "steady_state", "simulation.warmup.time_ms": 20.0}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    end = {"duration_ms": 320.0 if study.quick else 620.0}  # the warm-up included
    policies = POLICIES[::3] if study.quick else POLICIES
    tables = []
    for kind, percent in KINDS.items():
        heavy = [HEAVY | end | {"read_percent": percent}] if percent >= 0 else []
        drive = study.load(CHANGES | {"simulation.request_log": False}, *heavy, LIGHT | end)
        points = []
        for policy in policies if heavy else policies[-1:]:
            # The classes of queues, which only this policy looks at.
            light = LIGHT | end | ({"priority": "high"} if policy == "priority" and heavy else {})
            points.append({POLICY: policy, "host.workload": [*heavy, light]})
        latency = "host.workloads.light.read.latency_us" if heavy else "host.read.latency_us"
        metrics = {"light_us": f"{latency}.mean", "light_p99_us": f"{latency}.p99", "seconds": "host.window_s"}
        if heavy:
            metrics["heavy_requests"] = "host.workloads.heavy.all.count"
        tables.append(study.sweep(drive, points, metrics, runs=1 if study.quick else 3).assign(heavy=kind))
    rows = pd.concat(tables, ignore_index=True).drop(columns="host.workload")
    rows["heavy_iops"] = rows["heavy_requests"] / rows["seconds"]
    alone = float(rows["light_us"].iloc[0])
    rows["slowdown"] = rows["light_us"] / alone
    whole_page = ns.synthetic(read_percent=100, block_bytes=HEAVY["block_bytes"])
    limits = ns.ceilings(drive, whole_page)
    shape = drive["nand.geometry"]
    dies = drive["channel.count"] * shape["chips_per_channel"] * shape["dies_per_chip"]
    read_us = 1e6 * dies / limits.iops["dies"]["random_read"]
    rows["expected_us"] = [
        expected(row["heavy"], row[POLICY], row["heavy_iops"], alone, read_us, drive["nand.timing.t_suspend_us"])
        for row in rows.to_dict("records")
    ]

    panels = study.axes(*(("scheduling policy", f"light stream beside heavy {kind} [µs]") for kind in ("reads", "writes")))
    for panel, kind in zip(panels, ("reads", "writes"), strict=True):
        of = rows[rows["heavy"] == kind]
        at = range(len(of))
        panel.bar([place - 0.2 for place in at], of["light_us"], 0.38, yerr=of["light_us_pm"].fillna(0), label="mean")
        panel.bar([place + 0.2 for place in at], of["light_p99_us"], 0.38, yerr=of["light_p99_us_pm"].fillna(0), label="p99")
        panel.plot([place - 0.2 for place in at], of["expected_us"], "kD", markerfacecolor="white", label="mean, expected")
        panel.axhline(alone, color="black", linestyle=":", linewidth=1, label="mean, alone")
        panel.set_xticks(at, of[POLICY])
        panel.set_yscale("log")
    columns = {"heavy": ("heavy stream", ""), POLICY: ("policy", ""), "light_us": ("light: mean [µs]", ",.0f")}
    columns |= {"expected_us": ("expected", ",.0f"), "light_p99_us": ("p99 [µs]", ",.0f")}
    study.write(rows, columns | {"slowdown": ("slowdown", ".1f"), "heavy_iops": ("heavy/s", ",.0f")}, panels[0])


def expected(heavy: str, policy: str, rate: float, alone_us: float, read_us: float, suspend_us: float) -> float:
    """Mean latency of the light stream by the arithmetic above; NaN where it says nothing."""
    if heavy == "none":
        return alone_us
    if heavy == "reads":
        return alone_us + read_us / 2 if policy in ("priority", "flin") else 1e6 * HEAVY["queue_depth"] / rate
    return math.nan if policy == "fifo" else alone_us + suspend_us


if __name__ == "__main__":
    leave(main)
