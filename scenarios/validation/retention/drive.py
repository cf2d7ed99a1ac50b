# SPDX-License-Identifier: Apache-2.0
"""The drive of Table 3 as the study simulates it, and the configuration keys of the compared systems.

The study uses the SSD extension of DiskSim ("SSDsim") and names its parameters. In this simulator, the dies of a
channel form an element, and "full stripe" (plane block mapping 3) numbers blocks across the planes of the element. With
one parallel unit, as in the parameter files of the extension, an element performs one operation at a time: 16 channels
then write 98 MB/s, whatever the number of dies. In our drive, one die with one plane therefore stands for a channel. We
infer that the study had one parallel unit from the fact that dies and planes working in parallel (`independent`) have
no queues at rates near those of Table 2.

The study compares two ECC architectures. In the concatenated architecture, one LDPC encoder, a FIFO with a fixed
throughput, encodes all programmed pages. In the relaxed architecture, the host's pages are encoded only with BCH, which
takes no time. Reprogrammed and collected pages are encoded with LDPC, as a separate code for background writes, which
does not delay the host's pages.
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

warnings.simplefilter("ignore", SaturationWarning)  # saturation is visible in the outcomes
warnings.simplefilter("ignore", ConfigWarning)
warnings.simplefilter("ignore", TransientWarning)  # free blocks can hold all writes of most runs

BASELINE = "Baseline"
RELAXED = {weeks: f"RR-{weeks}week" for weeks in SPEEDUPS}
GUARANTEE_OF = {name: weeks for weeks, name in RELAXED.items()}
WRITE_SYSTEMS = (BASELINE, *RELAXED.values())
UNLIMITED = float("inf")
CONCATENATED, BY_SOURCE = "concatenated", "RR-2week"
ARCHITECTURES = (CONCATENATED, BY_SOURCE)
EXPORTED_SHARE = 0.85
# blocks per channel; the share of valid pages in the steady state does not depend on this number
BLOCKS_OF_STEADY_STATE = 96
DRIVE: dict[str, Any] = {
    "simulation.cells": "ideal",  # the study counts no read errors
    "nand.condition.retention_days": 0,
    "simulation.request_log": False,
    "controller.precondition.occupancy": 1,
    "controller.precondition.invalid_page_ratio": 0,
}


ONE_DIE = {"nand.geometry.dies_per_chip": 1, "nand.geometry.planes_per_die": 1}


def serial(workload: str, seed: int) -> ns.Config:
    """Returns a full drive whose run ends before garbage collection would start."""
    dies = VOLUMES[workload].dies // CHANNELS
    return _drive(seed, {**ONE_DIE, "nand.geometry.blocks_per_plane": dies * PLANES_PER_DIE * BLOCKS_PER_PLANE})


def independent(workload: str, seed: int) -> ns.Config:
    """Returns the same drive as `serial`, but with dies and planes that work in parallel."""
    dies = VOLUMES[workload].dies // CHANNELS
    return _drive(seed, {"nand.geometry.dies_per_chip": dies, "controller.scheduler.multi_plane": False})


def collecting(workload: str, seed: int) -> ns.Config:
    """Returns a small drive in the steady state of garbage collection, with the working set of the workload."""
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
    """Returns the number of logical pages that hold data."""
    pages = config.planes * config["nand.geometry.blocks_per_plane"] * PAGES_PER_BLOCK
    return int(0.99 * EXPORTED_SHARE * config["controller.precondition.occupancy"] * pages)


def _drive(seed: int, changes: dict[str, Any]) -> ns.Config:
    return ns.load("retention_mlc", {"simulation.seed": seed, **DRIVE, **changes})


def program_us(system: str) -> float:
    """Returns tPROG of the host's pages in µs. The speedup of a system is the ratio of its ISPP step to the normal one
    (section 3.2.1).
    """
    return PROGRAM_US if system == BASELINE else PROGRAM_US / SPEEDUPS[GUARANTEE_OF[system]]


def write_mode(system: str) -> dict[str, Any]:
    """Returns the keys of a write mode with a larger ISPP step, which only the host's pages have. Data that are not
    overwritten within their retention period are reprogrammed."""
    if system == BASELINE:
        return {}
    weeks = GUARANTEE_OF[system]
    return {"controller.write_mode.kept_weeks": weeks, "controller.write_mode.step_ratio": SPEEDUPS[weeks]}


def ldpc_encoder(architecture: str, mb_per_s: float) -> dict[str, Any]:
    """Returns the keys for the LDPC encoder of an architecture. `mb_per_s` is its throughput in 1e6 bytes per
    second.
    """
    if mb_per_s == UNLIMITED:
        return {}
    times = {"encode_mb_s": mb_per_s, "t_encode_us": PAGE_BYTES / mb_per_s}
    if architecture == CONCATENATED:
        return {"ecc.engines": "shared_encoder", **{f"ecc.{key}": value for key, value in times.items()}}
    background = {"t_decode_us": 0, **times}
    return {"ecc.selection": "by_source", **{f"ecc.background.{key}": value for key, value in background.items()}}
