# SPDX-License-Identifier: Apache-2.0
"""The drive of Table 3 as the study simulates it, and the compared systems as keys of its configuration.

The study simulates with the SSD extension of DiskSim ("SSDsim"), whose parameters it names. There the dies behind a
channel form an element, and "full stripe" (plane block mapping 3) numbers blocks over its planes. With one parallel
unit, as in that extension's parameter files, an element works on one operation at a time: 16 channels write 98 MB/s,
whatever the number of dies. Here, one die with one plane therefore stands for a channel. We infer that the study kept
one parallel unit. If dies and planes work in parallel (`independent`), rates near those of Table 2 cause no queues.

The concatenated ECC architecture sends all programmed pages through one LDPC encoder, a FIFO with a fixed throughput.
The relaxed architecture encodes the host's pages with BCH alone, which takes no time. It encodes reprogrammed and
collected pages with LDPC, a separate code for background writes, which does not delay the host's pages.
"""

from __future__ import annotations

import warnings
from typing import Any

import nandscape as ns
from nandscape.errors import ConfigWarning, SaturationWarning, TransientWarning
from physics.liu_2012 import SPEEDUPS
from retention.published import (
    BLOCKS_PER_PLANE,
    CHANNELS,
    PAGE_BYTES,
    PAGES_PER_BLOCK,
    PLANES_PER_DIE,
    PROGRAM_US,
    VOLUMES,
)

warnings.simplefilter("ignore", SaturationWarning)  # the outcomes show saturation
warnings.simplefilter("ignore", ConfigWarning)
warnings.simplefilter("ignore", TransientWarning)  # runs are short, and most drives collect no blocks

BASELINE = "Baseline"
RELAXED = {weeks: f"RR-{weeks}week" for weeks in SPEEDUPS}
GUARANTEE_OF = {name: weeks for weeks, name in RELAXED.items()}
WRITE_SYSTEMS = (BASELINE, *RELAXED.values())
UNLIMITED = float("inf")
CONCATENATED, BY_SOURCE = "concatenated", "RR-2week"
ARCHITECTURES = (CONCATENATED, BY_SOURCE)
EXPORTED_SHARE = 0.85
BLOCKS_OF_STEADY_STATE = 96  # blocks per channel; shares of valid pages do not depend on it
DRIVE: dict[str, Any] = {
    "simulation.cells": "ideal",  # the study counts no read errors
    "nand.condition.retention_days": 0,
    "simulation.request_log": False,
    "controller.precondition.occupancy": 1,
    "controller.precondition.invalid_page_ratio": 0,
}


ONE_DIE = {"nand.geometry.dies_per_chip": 1, "nand.geometry.planes_per_die": 1}


def serial(workload: str, seed: int) -> ns.Config:
    """A full drive that collects nothing during a run."""
    dies = VOLUMES[workload].dies // CHANNELS
    return _drive(seed, {**ONE_DIE, "nand.geometry.blocks_per_plane": dies * PLANES_PER_DIE * BLOCKS_PER_PLANE})


def independent(workload: str, seed: int) -> ns.Config:
    """The same drive with dies and planes that work in parallel."""
    dies = VOLUMES[workload].dies // CHANNELS
    return _drive(seed, {"nand.geometry.dies_per_chip": dies, "controller.scheduler.multi_plane": False})


def collecting(workload: str, seed: int) -> ns.Config:
    """A small drive in the steady state of the workload's working set."""
    volume = VOLUMES[workload]
    return _drive(
        seed,
        {
            **ONE_DIE,
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


def program_us(system: str) -> float:
    """tPROG of the host's pages: the speedups are the ratios of the ISPP steps (section 3.2.1)."""
    return PROGRAM_US if system == BASELINE else PROGRAM_US / SPEEDUPS[GUARANTEE_OF[system]]


def write_mode(system: str) -> dict[str, Any]:
    """A write mode with a larger ISPP step, for the host's pages only. Data that outlive their period are
    reprogrammed."""
    if system == BASELINE:
        return {}
    weeks = GUARANTEE_OF[system]
    return {"controller.write_mode.kept_weeks": weeks, "controller.write_mode.step_ratio": SPEEDUPS[weeks]}


def ldpc_encoder(architecture: str, mb_per_s: float) -> dict[str, Any]:
    """The LDPC encoder of an architecture. `mb_per_s`: its throughput in 1e6 bytes per second."""
    if mb_per_s == UNLIMITED:
        return {}
    times = {"encode_mb_s": mb_per_s, "t_encode_us": PAGE_BYTES / mb_per_s}
    if architecture == CONCATENATED:
        return {"ecc.engines": "shared_encoder", **{f"ecc.{key}": value for key, value in times.items()}}
    background = {"t_decode_us": 0, **times}
    return {"ecc.selection": "by_source", **{f"ecc.background.{key}": value for key, value in background.items()}}
