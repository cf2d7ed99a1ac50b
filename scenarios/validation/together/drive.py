# SPDX-License-Identifier: Apache-2.0
"""A 3D TLC drive on which each of the five schemes can be switched on separately.

Its cells are those of the study of read-retry, and its codes and subpages are those of the study of layers. tPROG
depends on the number of ISPP pulses, so a larger ISPP step makes a program faster. Without schemes, retries are not
pipelined, a refresh moves all pages to other blocks, all pages have the same ISPP step, and the drive reads and writes
whole pages.

The drive is small, since each run begins by simulating its history: the host fills the drive and overwrites a part of
it, the drive refreshes the data when they are 30 days old, and the measurement takes place ten days later.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import nandscape as ns

LAYERS = 48
SUBPAGE_BYTES = 4096
PAGE_BYTES = 4 * SUBPAGE_BYTES
SECTORS = PAGE_BYTES // 512
FOOTPRINT = 0.4  # share of the capacity that the host fills
OVERWRITTEN = 0.35  # share of the footprint that is overwritten, so that these pages are invalid at the refresh
WRITTEN_AT_ONCE = 256  # pages
FILLED_BY = 4  # pages per write command while the host fills the footprint
PERIOD_DAYS = 30
# The days between the filling and the overwriting, between the overwriting and the refresh, and between the refresh and
# the measurement.
OVERWRITTEN_DAYS, REFRESHED_DAYS, MEASURED_DAYS = 20, 11, 10
LONGEST_REFRESH_S = 60


class Scheme(NamedTuple):
    name: str
    changes: dict[str, Any]


# The tables of write speeds are made so that data remain correctable up to this number of cycles.
RATED: dict[str, Any] = {"controller.content.kept_kilocycles": 3}
# The keys are the letters that stand for the schemes in tables and pictures.
SCHEMES = {
    # Park 2021
    "R": Scheme(
        "pipelined and adaptive read-retry (PnAR2)",
        {"controller.read_retry.pipelined": True, "controller.read_retry.adaptive": True},
    ),
    # Choi 2018
    "I": Scheme("invalid-data-aware coding", {"controller.refresh.policy": "ida"}),
    # Sha
    "C": Scheme(
        "content-dependent writes",
        {
            **RATED,
            "controller.write_mode.by_content": True,
            "controller.content.bound": "exact",
            "controller.content.steps_mv": [float(step) for step in range(275, 625, 25)],
        },
    ),
    # Liu 2012. The ISPP step is the largest with which these cells retain data for ten weeks. The paper's speedup of
    # 1.86 is for other cells.
    "T": Scheme("retention relaxation, 10 weeks", {**RATED, "controller.write_mode.kept_weeks": 10}),
    # Nie 2020
    "L": Scheme(
        "layer-aware reads (SRS and FPA)",
        {
            "controller.subpages.reads": "srs",
            "controller.fullpages.allocation": "fpa",
            "controller.fullpages.wait_ms": 1,
        },
    ),
}
AGES = {"fresh": 0, "aged": 2000}  # program/erase cycles

BASE: dict[str, Any] = {
    "simulation.cells": "statistical",
    "simulation.breakdown": True,
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 2,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 3 * LAYERS,
    "nand.geometry.first_layer": "by_block",
    "nand.geometry.page_bytes": PAGE_BYTES,
    "nand.geometry.spare_bytes": 2208,
    "nand.timing.program": "ispp",
    "nand.condition.retention_days": 0,
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": SUBPAGE_BYTES,
    "ecc.ldpc_parity_bytes": 512,
    "controller.mapping.unit_bytes": SUBPAGE_BYTES,
    "controller.mapping.plane": "least_busy",
    # Blocks that a refresh renews in place remain in use, in addition to the blocks to which it moves their other
    # pages. This needs spare flash.
    "controller.mapping.over_provisioning": 1,
    "controller.mapping.write_coalescing_us": 200,
    "controller.precondition.occupancy": 0,
    "controller.refresh.policy": "period",
    "controller.refresh.period_days": PERIOD_DAYS,
}


def changes_of(schemes: Collection[str], age: str) -> dict[str, Any]:
    """Returns the changes to BASE for the given schemes and age. Schemes are given by their letters."""
    changes: dict[str, Any] = {"nand.condition.pe_cycles": AGES[age]}
    for letter in schemes:
        changes |= SCHEMES[letter].changes
    return changes


def with_history(simulation: ns.Simulation) -> None:
    """Simulates the history of the drive: writes the footprint, overwrites a part of it, and lets the time of the
    refresh and ten more days pass.
    """
    pages = range(int(FOOTPRINT * simulation.capacity_bytes) // PAGE_BYTES // FILLED_BY * FILLED_BY)
    chance = random.Random(simulation.config["simulation.seed"])
    _write(simulation, pages[::FILLED_BY], FILLED_BY)
    simulation.advance(f"{OVERWRITTEN_DAYS}d")
    _write(simulation, chance.sample(pages, int(OVERWRITTEN * len(pages))), 1)
    simulation.advance(f"{REFRESHED_DAYS}d")
    simulation.run_until(f"{simulation.now_us * 1e-6 + LONGEST_REFRESH_S}s")
    simulation.advance(f"{MEASURED_DAYS}d")


def _write(simulation: ns.Simulation, pages: Sequence[int], length: int) -> None:
    """For each page in `pages`, writes `length` consecutive pages that begin with this page."""
    data = bytes(length * PAGE_BYTES)
    at_once = WRITTEN_AT_ONCE // length
    for first in range(0, len(pages), at_once):
        for page in pages[first : first + at_once]:
            simulation.start_write(page * SECTORS, data)
        simulation.wait_all()
    simulation.flush()
