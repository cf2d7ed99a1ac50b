#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far does the write rate of a fresh drive fall before it is steady?

An erased drive is overwritten with random pages at full speed. The study reads the counters of the measured window
after equal steps of simulated time; the figures of a step are differences of these counters.

Expectation, for a small `bare` (one die, 2 x 256 blocks of 48 pages, 28 % spare flash). At first nothing is collected:
the write amplification is 1, and the die programs one page on each plane in 731 µs with transfers: 2,740 pages/s. This
lasts until the flash is full, after 1.26 drive writes: 1.28 less the blocks kept free. In the end greedy collection
settles at a write amplification A of 2.5 (`ns.ceilings`, from the 26 % of spare flash that collection can use). The
rate then depends on how many programs find a partner on the other plane: 880 pages/s if all do, 450 if none does. A
page takes A programs of 716 µs, A - 1 reads of 107 µs and A/48 erases. Each plane collects on its own, so most programs
have no partner. When collection begins, the oldest blocks have lost 1 - exp(-1.26) = 72 % of their pages, so it is
cheap at first. After some drive writes, blocks are as full as in equilibrium.

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
from nandscape.key_figures import value_at

SPARE = 0.28
DRIVE_WRITES = 6
STEPS = 50  # the run is divided into this number of steps; at the ceiling rate, it takes DRIVE_WRITES
SMALL = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": SPARE,
    "controller.mapping.plane": "least_busy",  # so that one program can write to both planes of a die
    "controller.precondition.occupancy": 0.0,
    "controller.cache.policy": "none",
    "simulation.request_log": False,
}
COUNTERS = ("host.write.count", "controller.host_pages", "controller.programmed_pages")


def counters(simulation: ns.Simulation) -> list[float]:
    """Returns the simulated time in seconds, followed by the current counters of the measured window."""
    stats = simulation.stats()
    return [1e-6 * simulation.now_us, *(value_at(stats, name) for name in COUNTERS)]


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    shape = {"nand.geometry.blocks_per_plane": 96 if study.quick else 256}
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=16)
    drive = study.load(SMALL | shape, writes)
    block = drive["host.workload.block_bytes"]
    pages = Capacity.of(drive).exported_bytes // block
    steady = ns.ceilings(drive)
    # A fresh drive does not erase blocks, so the time of an erase does not matter.
    fresh = ns.ceilings(drive.override({"nand.timing.t_bers_us": 0.001}), write_amplification=1)
    alone = ns.ceilings(drive.override({"controller.scheduler.multi_plane": False}))
    most, rate, least = (limits.bound("random_write") for limits in (fresh, steady, alone))
    step_ms = 1e3 * DRIVE_WRITES * pages / rate / STEPS

    async def watch(host: Any, clock: Any, simulation: ns.Simulation) -> list[list[float]]:
        """Runs the workload and returns the counters after each step. Leaves out the last step, which is incomplete."""
        seen = [counters(simulation)]
        writing = host.run_workloads()
        while simulation.workloads_under_way or len(seen) == 1:
            await clock.delay(ms=step_ms)
            seen.append(counters(simulation))
        await writing
        return seen[:-1]

    runs = []
    for seed in range(drive["simulation.seed"], drive["simulation.seed"] + (1 if study.quick else 3)):
        study.seeds.add(seed)
        changes = {"simulation.seed": seed, "host.workload.requests": DRIVE_WRITES * pages}
        simulation = ns.Simulation(drive.override(changes))
        (seen,) = simulation.play(watch)
        runs.append(pd.DataFrame(seen, columns=["s", *COUNTERS]))
    steps = [run.diff().iloc[1:] for run in runs]
    count = min(map(len, steps))
    mean = sum(step.iloc[:count] for step in steps) / len(steps)
    rows = pd.DataFrame({"drive_writes": (mean["host.write.count"].cumsum() - mean["host.write.count"] / 2) / pages})
    rows["iops"] = mean["host.write.count"] / mean["s"]
    rows["amplification"] = mean["controller.programmed_pages"] / mean["controller.host_pages"]
    full = Capacity.of(drive).effective_spare + 1
    is_fresh, is_steady = rows["drive_writes"] < full, rows["drive_writes"] > DRIVE_WRITES - 1
    rows["expected_amplification"] = pd.Series(1.0, rows.index).where(is_fresh, steady.write_amplification)
    rows["bound"] = pd.Series(most, rows.index).where(is_fresh, rate)
    rows["expected_alone"] = pd.Series(most, rows.index).where(is_fresh, least)
    for name in ("expected_amplification", "bound", "expected_alone"):
        rows[name] = rows[name].where(is_fresh | is_steady)  # no closed form between the two

    speed, amplification = study.axes(
        ("drive writes", "random writes per second"), ("drive writes", "write amplification")
    )
    for panel, name in ((speed, "iops"), (amplification, "amplification")):
        panel.plot(rows["drive_writes"], rows[name], "o-", markersize=3, label="measured")
        panel.set(xlim=(0, None))
    speed.plot(rows["drive_writes"], rows["bound"], "k--", label="expected, all programs on both planes")
    speed.plot(rows["drive_writes"], rows["expected_alone"], "k:", label="expected, on one plane")
    amplification.plot(rows["drive_writes"], rows["expected_amplification"], "k--", label="expected: 1, then greedy")
    speed.set(ylim=(0, 1.4 * most))
    amplification.set(ylim=(0, 1.4 * steady.write_amplification))
    columns = {"drive_writes": ("drive writes", ".2f"), "iops": ("writes/s", ",.0f")}
    columns |= {"bound": ("expected: two planes", ",.0f"), "expected_alone": ("one plane", ",.0f")}
    columns |= {"amplification": ("write amplification", ".2f"), "expected_amplification": ("expected", ".2f")}
    study.write(rows, columns, speed)


if __name__ == "__main__":
    leave(main)
