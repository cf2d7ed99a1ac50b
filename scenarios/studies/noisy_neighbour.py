#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What does a heavy stream do to a light one beside it, under each scheduling policy?

The light stream reads 4 KiB 4,000 times a second. Beside it, the heavy stream keeps 256 requests of 16 KiB in flight:
either reads or writes. The drive is half full, so that the collector stays idle.

Expectation. Alone, a read of the light stream takes 117 µs. Under a policy that ignores streams, it waits as long as a
request of the heavy stream: by Little's law, 256 divided by the heavy rate. Beside heavy reads, the policies fifo,
out_of_order and read_first ignore streams: 1.8 ms at 140,000 heavy reads/s. The policy priority serves the light stream
first, by its class. A light read then waits only for the read in service, half of 107 µs on average: 117 + 53 = 170 µs,
plus waiting for channel and decoder. The policy flin counts the bytes of a stream on each die in epochs of 10 ms. A
stream of 2 MB/s is intensive; the light stream reaches that with 5 reads in an epoch. It makes 2.5 reads in a mean
epoch, so by Poisson's law it counts as intensive for 11 % of the time: 0.89 x 170 + 0.11 x 1,830 = 350 µs at most.
Beside heavy writes, only fifo makes a light read wait for its turn, 256 / 42,600 s = 6.0 ms. Under all other policies
it waits for the rest of the program in service, half of 731 µs: 117 + 366 = 483 µs. Reads suspend no programs here. If
they may, a read takes 140 µs with every policy: even under fifo, an arriving read may suspend a program while other
programs wait.

To fork: change HEAVY or LIGHT, or the policies' own keys (`--set controller.scheduler.suspend=program_erase`).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns

POLICY = "controller.scheduler.policy"
POLICIES = ["fifo", "out_of_order", "read_first", "priority", "flin"]
WRITTEN = {"footprint_fraction": 0.5, "requests": 10**8}  # only the half that holds data; the duration ends the run
HEAVY = ns.synthetic(name="heavy", block_bytes=16384, queue_depth=256, **WRITTEN)
LIGHT = ns.synthetic(name="light", read_percent=100, pacing="open", rate_iops=4000.0, queue_depth=1024, **WRITTEN)
INTENSIVE = 0.11  # share of the epochs in which flin treats the light stream as intensive
KINDS = {"none": -1, "reads": 100, "writes": 0}  # percentage of reads in the heavy stream; -1: no heavy stream
CHANGES = {
    "controller.precondition.occupancy": 0.5,
    "controller.mapping.plane": "least_busy",  # so that one program can write to both planes of a die
    "controller.scheduler.suspend": "none",
    "simulation.warmup.time_ms": 20.0,
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    end = {"duration_ms": 120.0 if study.quick else 620.0}  # the warm-up included
    policies = POLICIES[::3] if study.quick else POLICIES
    tables = []
    for kind, percent in KINDS.items():
        heavy = [HEAVY | end | {"read_percent": percent}] if percent >= 0 else []
        drive = study.load(CHANGES, *heavy, LIGHT | end)
        points = []
        for policy in policies if heavy else policies[-1:]:
            # Only `priority` uses the priority class of a queue.
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
    limits = ns.ceilings(drive, workload=HEAVY | {"read_percent": 100}).iops["dies"]
    read_us = 1e6 * drive.dies / limits["random_read"]
    program_us = 1e6 * drive.planes / limits["sequential_write"]
    service_us = {"reads": read_us, "writes": program_us}
    rows["expected_us"] = [
        expected(row["heavy"], row[POLICY], row["heavy_iops"], alone, service_us) for row in rows.to_dict("records")
    ]

    panels = study.axes(
        *(("scheduling policy", f"light stream beside heavy {kind} [µs]") for kind in ("reads", "writes"))
    )
    for panel, kind in zip(panels, ("reads", "writes"), strict=True):
        of = rows[rows["heavy"] == kind]
        at = range(len(of))
        panel.bar([place - 0.2 for place in at], of["light_us"], 0.38, yerr=of["light_us_pm"].fillna(0), label="mean")
        panel.bar(
            [place + 0.2 for place in at], of["light_p99_us"], 0.38, yerr=of["light_p99_us_pm"].fillna(0), label="p99"
        )
        panel.plot(
            [place - 0.2 for place in at], of["expected_us"], "kD", markerfacecolor="white", label="mean, expected"
        )
        panel.axhline(alone, color="black", linestyle=":", linewidth=1, label="mean, alone")
        panel.set_xticks(at, of[POLICY])
        panel.set(yscale="log", xlim=(-0.6, len(of) - 0.4))
    columns = {"heavy": ("heavy stream", ""), POLICY: ("policy", ""), "light_us": ("light: mean [µs]", ",.0f")}
    columns |= {"expected_us": ("expected", ",.0f"), "light_p99_us": ("p99 [µs]", ",.0f")}
    study.write(rows, columns | {"slowdown": ("slowdown", ".1f"), "heavy_iops": ("heavy/s", ",.0f")}, panels[0])


def expected(heavy: str, policy: str, rate: float, alone_us: float, service_us: dict[str, float]) -> float:
    """Returns the expected mean latency of the light stream, as calculated in the docstring of this file."""
    if heavy == "none":
        return alone_us
    in_turn, first = 1e6 * HEAVY["queue_depth"] / rate, alone_us + service_us[heavy] / 2
    if policy == "flin" and heavy == "reads":
        return INTENSIVE * in_turn + (1 - INTENSIVE) * first
    return in_turn if policy == "fifo" or (heavy == "reads" and policy != "priority") else first


if __name__ == "__main__":
    leave(main)
