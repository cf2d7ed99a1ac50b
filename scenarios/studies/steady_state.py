#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far does a fresh drive fall until its writes are steady?

An erased drive is overwritten with random pages at full speed. The study looks at the measured window in steps of
simulated time: figures of a step are differences of the counters of that window.

Expectation, for `bare` made small (one die, 2 x 256 blocks of 48 pages, 28 % spare flash). At first nothing is
collected: the write amplification is 1, and the die programs a page on both planes in 731 µs with its transfers, or
2,390 pages/s with an erase in 96 programs. That lasts until the flash is full, after 1.28 drive writes less the blocks
kept free: 1.25. In the end greedy collection balances at a write amplification of 2.5 (`ns.ceilings`, from the spare
that collection finds, 26 %); each moved page is also read, which leaves 880 pages/s, 37 %. Between these, the oldest
blocks have lost 1 - exp(-1.25) = 71 % of their pages, so collection is cheap at first, and it takes some drive writes
until all blocks are about as full as in equilibrium.

To fork: change SPARE or the policy (`--set controller.garbage_collection.policy=fifo`); a larger plane
(`--set nand.geometry.blocks_per_plane=1024`) is closer to a real drive and takes four times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from study import Study, leave

import nandscape as ns
from nandscape.ceilings import Capacity

SPARE = 0.28
DRIVE_WRITES = 6
SMALL = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": SPARE,
    "controller.mapping.plane": "least_busy",  # writes of both planes are programmed together
    "controller.precondition.occupancy": 0.0,
    "simulation.request_log": False,
}
COUNTERS = ("host.write.count", "controller.host_pages", "controller.programmed_pages")


def counters(simulation: ns.Simulation) -> list[float]:
    """Simulated seconds and the counters of the measured window now."""
    found = [1e-6 * simulation.now_us]
    for name in COUNTERS:
        value: Any = simulation.stats()
        for part in name.split("."):
            value = value[part]
        found.append(value)
    return found


async def watch(host: Any, clock: Any, simulation: ns.Simulation, step_ms: float) -> list[list[float]]:
    """Runs the workload and returns the counters after each step."""
    seen = [counters(simulation)]
    writing = host.run_workloads()
    while simulation.workloads_under_way or len(seen) == 1:
        await clock.delay(ms=step_ms)
        seen.append(counters(simulation))
    await writing
    return seen[:-1]  # the last step is not whole


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    shape = {"nand.geometry.blocks_per_plane": 96 if study.quick else 256}
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=16)
    drive = study.load(SMALL | shape, writes)
    block = drive["host.workload.block_bytes"]
    pages = Capacity.of(drive).exported_bytes // block
    limits = {"steady": ns.ceilings(drive), "fresh": ns.ceilings(drive, write_amplification=1)}
    rates = {name: limit.bound("random_write") for name, limit in limits.items()}
    step_ms = 1e3 * DRIVE_WRITES * pages / rates["steady"] / 40

    async def watched(host: Any, clock: Any, simulation: ns.Simulation) -> list[list[float]]:
        return await watch(host, clock, simulation, step_ms)

    runs = []
    for seed in range(drive["simulation.seed"], drive["simulation.seed"] + (1 if study.quick else 3)):
        study.seeds.add(seed)
        changes = {"simulation.seed": seed, "host.workload.requests": DRIVE_WRITES * pages}
        simulation = ns.Simulation(drive.override(changes))
        (seen,) = simulation.play(watched)
        runs.append(pd.DataFrame(seen, columns=["s", *COUNTERS]))
    steps = [run.diff().iloc[1:] for run in runs]
    count = min(map(len, steps))
    mean = sum(step.iloc[:count] for step in steps) / len(steps)
    rows = pd.DataFrame({"drive_writes": mean["host.write.count"].cumsum() / pages})
    rows["iops"] = mean["host.write.count"] / mean["s"]
    rows["amplification"] = mean["controller.programmed_pages"] / mean["controller.host_pages"]
    full = Capacity.of(drive).effective_spare + 1
    late = DRIVE_WRITES - 1  # drive writes after which arithmetic says again what to expect
    phase = ["fresh" if at < full else "steady" if at > late else "" for at in rows["drive_writes"]]
    rows["expected_iops"] = [rates.get(name, float("nan")) for name in phase]
    rows["expected_amplification"] = [limits[n].write_amplification if n else float("nan") for n in phase]

    rate, amplification = study.axes(
        ("drive writes", "random writes per second"), ("drive writes", "write amplification")
    )
    for panel, name in ((rate, "iops"), (amplification, "amplification")):
        panel.plot(rows["drive_writes"], rows[name], "o-", markersize=3, label="measured")
        panel.plot(
            rows["drive_writes"], rows[f"expected_{name}"], "k:", label="expected: fresh, and greedy in equilibrium"
        )
        panel.set(ylim=(0, None), xlim=(0, None))
    columns = {"drive_writes": ("drive writes", ".2f"), "iops": ("writes/s", ",.0f")}
    columns |= {"expected_iops": ("expected", ",.0f"), "amplification": ("write amplification", ".2f")}
    study.write(rows, columns | {"expected_amplification": ("expected", ".2f")}, rate)


if __name__ == "__main__":
    leave(main)
