# SPDX-License-Identifier: Apache-2.0
"""The drive of Table 3 as its simulator has it: each channel carries out one flash operation at a time.

The study simulates with the SSD extension of DiskSim ("SSDsim"), whose parameters it names. There the dies behind a
channel are an element, and "full stripe" (plane block mapping 3) says how blocks are numbered over its planes. With one
parallel unit, as that extension's parameter files have it, an element works on one operation at a time: 16 channels
write 98 MB/s, however many dies are behind them. So here one die and one plane stand for all of a channel. That the
study has left it at one unit is an inference: with dies and planes that work side by side (`independent`), no rate near
those of Table 2 makes queues.
"""

from __future__ import annotations

from typing import Any

import nandscape as ns
from retention.published import BLOCKS_PER_PLANE, CHANNELS, PAGES_PER_BLOCK, PLANES_PER_DIE, VOLUMES

EXPORTED_SHARE = 0.85
BLOCKS_OF_STEADY_STATE = 96  # of a channel; shares of valid pages do not depend on it
DRIVE: dict[str, Any] = {
    "simulation.cells": "ideal",  # the study counts no errors of reads
    "nand.condition.retention_days": 0,
    "simulation.request_log": False,
    "controller.precondition.occupancy": 1,
    "controller.precondition.invalid_page_ratio": 0,
}


def serial(workload: str, seed: int) -> ns.Config:
    """A full drive, of which nothing is collected during a run."""
    dies = VOLUMES[workload].dies // CHANNELS
    return _drive(
        seed,
        {
            "nand.geometry.dies_per_chip": 1,
            "nand.geometry.planes_per_die": 1,
            "nand.geometry.blocks_per_plane": dies * PLANES_PER_DIE * BLOCKS_PER_PLANE,
        },
    )


def independent(workload: str, seed: int) -> ns.Config:
    """The same, with dies and planes that work side by side."""
    return _drive(
        seed,
        {"nand.geometry.dies_per_chip": VOLUMES[workload].dies // CHANNELS, "controller.scheduler.multi_plane": False},
    )


def collecting(workload: str, seed: int) -> ns.Config:
    """A small drive whose blocks are as full of valid pages as the workload's working set leaves them in the long
    run."""
    volume = VOLUMES[workload]
    return _drive(
        seed,
        {
            "nand.geometry.dies_per_chip": 1,
            "nand.geometry.planes_per_die": 1,
            "nand.geometry.blocks_per_plane": BLOCKS_OF_STEADY_STATE,
            "controller.garbage_collection.start_free_blocks": round(0.05 * BLOCKS_OF_STEADY_STATE),
            "controller.precondition.occupancy": float(volume.distinct) / volume.exported,
            "controller.precondition.distribution": "steady_state",
        },
    )


def footprint_pages(config: ns.Config) -> int:
    """The number of pages that hold data."""
    geometry = config["nand.geometry"]
    blocks = config["channel.count"] * geometry["dies_per_chip"] * geometry["planes_per_die"]
    pages = blocks * geometry["blocks_per_plane"] * PAGES_PER_BLOCK
    return int(0.99 * EXPORTED_SHARE * config["controller.precondition.occupancy"] * pages)


def _drive(seed: int, changes: dict[str, Any]) -> ns.Config:
    return ns.load("retention_mlc", {"simulation.seed": seed, **DRIVE, **changes})
