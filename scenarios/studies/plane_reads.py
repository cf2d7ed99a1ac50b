#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many more random reads does a drive serve if each plane of its dies reads on its own?

The host reads random pages of 4 KiB, from depth 1 to 1024. Dies read one page at a time, or each plane reads on its own
(`nand.independent_plane_reads`).

Expectation. `enterprise_tlc` has 72 dies of two planes on 18 channels. A read occupies its die for 67 µs, 58 µs of tR
and 9 µs on the bus; a plane that reads on its own is occupied for 68 µs, since the controller polls and selects it. One
page at a time, 72 dies serve 1.07 million reads/s at most. 144 planes would serve 2.12 million; but the cores of the
controller, 2.85 µs for each read on four cores, serve 1.40 million, and become the bottleneck. At a depth of 1 both
read alike. At a depth of 256, mean value analysis of dies or planes behind a fixed delay (the latency at depth 1, less
the service) expects 0.83 and 1.33 million reads/s. It assumes exponential service times; senses are more regular, so it
is a lower estimate while the bound is far.

Data sheets of drives for servers give 1.4 million reads/s (Kioxia CM6, whose controller and dies the preset has), 1.0
(Kioxia CD6), 0.84 (Micron 9200), 0.65 (Intel P4500) and 0.54 (Samsung PM983). They state neither the depth nor how the
planes read.

To fork: change DEPTHS, or take a drive with more planes (`--drive client_tlc`).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from queue_depth import mean_value_analysis
from study import Study, leave

import nandscape as ns

DEPTH, INDEPENDENT = "host.workload.queue_depth", "nand.independent_plane_reads"
DEPTHS = [1, 16, 64, 256, 1024]
PUBLISHED = {"Kioxia CM6": 1400, "Kioxia CD6": 1000, "Micron 9200": 840, "Intel P4500": 645, "Samsung PM983": 540}


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "enterprise_tlc", arguments)
    changes = {"simulation.request_log": False, "host.driver.queue_entries": 2048, "host.nvme.queue_entries": 2048}
    drive = study.load(changes, ns.synthetic(read_percent=100, requests=10_000 if study.quick else 60_000))
    depths = [1, 256] if study.quick else DEPTHS
    metrics = {"iops": "host.iops", "mean_us": "host.read.latency_us.mean", "p99_us": "host.read.latency_us.p99"}

    tables = []
    for independent in (False, True):
        each = drive.override({INDEPENDENT: independent})
        rows = study.sweep(each, {DEPTH: depths}, metrics, runs=1 if study.quick else 3)
        limits = ns.ceilings(each)
        servers = drive.planes if independent else drive.dies
        service_s, alone_s = servers / limits.iops["dies"]["random_read"], 1e-6 * rows["mean_us"][0]
        rows["bound"] = [min(depth / alone_s, limits.bound("random_read")) for depth in depths]
        expected = [mean_value_analysis(depth, alone_s - service_s, service_s, servers) for depth in depths]
        rows["expected"] = [min(rate, limits.bound("random_read")) for rate in expected]
        rows["reads"] = "each plane" if independent else "one page of a die"
        tables.append(rows)

    throughput, latency = study.axes(("queue depth", "thousand random reads per second"), ("queue depth", "p99 [µs]"))
    for number, rows in enumerate(tables):
        colour, name = f"C{number}", rows["reads"][0]
        throughput.errorbar(depths, 1e-3 * rows["iops"], 1e-3 * rows["iops_pm"], fmt="o", color=colour, label=name)
        expected, bound = ("_", "_") if number else ("expected: mean value analysis", "bound")
        throughput.plot(depths, 1e-3 * rows["expected"], "--", color=colour, label=expected)
        throughput.plot(depths, 1e-3 * rows["bound"], ":", color=colour, label=bound)
        latency.errorbar(depths, rows["p99_us"], rows["p99_us_pm"], fmt="o-", color=colour, label=name)
    for number, (name, rate) in enumerate(PUBLISHED.items()):
        throughput.plot([3 * depths[-1]], [rate], marker="Ds^vP"[number], linestyle="", color="C3", label=name)
    latency.set(yscale="log")
    for panel in (throughput, latency):
        panel.set(xscale="log")
        panel.set_xticks(depths, depths)
        panel.minorticks_off()
    columns = {"reads": ("reads", "s"), DEPTH: ("depth", "d"), "iops": ("reads/s", ",.0f")}
    columns |= {"expected": ("expected", ",.0f"), "bound": ("bound", ",.0f")}
    columns |= {"mean_us": ("mean [µs]", ",.0f"), "p99_us": ("p99 [µs]", ",.0f")}
    study.write(pd.concat(tables, ignore_index=True), columns, throughput)


if __name__ == "__main__":
    leave(main)
