# SPDX-License-Identifier: Apache-2.0
"""The drive of Nie et al. (section IV-A, Table II).

As published: four channels, eight chips and dies in all, eight planes to a die, pages of 16 KiB in four subpages, an
operation that reads up to four subpages, tR of 90, 120 and 180 µs by the page of the wordline, tPROG of 900 µs, tBERS
of 10 ms, an LDPC codeword with 512 bytes of parity for each subpage. The study does not state the bus, link, scheduler
or coding; they are those of the preset `retry_tlc_512g`. The quarters of the layers of the cell set `nie_2020` have the
error rates of the pages that section III-B compares.

Differences: a block has 144 pages, one wordline in each of the 48 layers, since 1792 pages are not a whole number of
wordlines in each layer. A plane has 128 blocks, not 1888: a run writes a small part of the drive and collects nothing,
and the smaller drive simulates faster. Blocks begin in four parts of the layers in turn, in all schemes, so that
fullpages can be placed over layers. decoders.py says what parity corrects and how much of it is borrowed.

As in SSDsim, the simulator of the study, a DRAM buffer takes writes and writes back to the least busy plane. Fullpages
wait in it for others that fill their pages. It writes back at once, so that the load does not decide what is written;
written data stay readable there for a while, in all schemes alike.
"""

from __future__ import annotations

import warnings
from typing import Any

import nandscape as ns

# The drive collects no blocks: spare flash does not matter, and free blocks take in all writes.
warnings.simplefilter("ignore", ns.TransientWarning)
warnings.filterwarnings("ignore", r"controller\.mapping\.over_provisioning", ns.ConfigWarning)

CHANNELS, CHIPS_PER_CHANNEL = 4, 2
DIES = CHANNELS * CHIPS_PER_CHANNEL
LAYERS = 48
T_READ_US = (90, 120, 180)
PAGE_BYTES = 16384
SUBPAGE_BYTES = 4096
PAYLOAD_BITS = 8 * SUBPAGE_BYTES
PARITY_BYTES = 512
DEVICE = {
    "simulation.cells": "statistical",
    "nand.cells.set": "nie_2020",  # its data have the errors of 15 days at any age
    "channel.count": CHANNELS,
    "nand.geometry.chips_per_channel": CHIPS_PER_CHANNEL,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 8,
    "nand.geometry.blocks_per_plane": 128,
    "nand.geometry.pages_per_block": 3 * LAYERS,
    "nand.geometry.first_layer": "by_block",
    "nand.geometry.page_bytes": PAGE_BYTES,
    "nand.geometry.spare_bytes": 2208,
    "nand.timing.read": "per_page_type",
    "nand.timing.t_read_us": list(T_READ_US),
    "nand.timing.t_prog_us": 900,
    "nand.timing.t_bers_us": 10_000,
    "nand.condition.pe_cycles": 0,
    "nand.condition.retention_days": 0,
    "ecc.codec": "ldpc",
    "ecc.codeword_bytes": SUBPAGE_BYTES,
    "ecc.ldpc_parity_bytes": PARITY_BYTES,
    "controller.read_retry.policy": "soft",
    "controller.subpages.most_per_operation": 4,
    "controller.mapping.unit_bytes": SUBPAGE_BYTES,
    "controller.mapping.plane": "least_busy",
    # Data fill 96 of the 128 blocks of a plane to the last page, and no run needs collection.
    "controller.mapping.over_provisioning": 1 / 3,
    "controller.precondition.occupancy": 1,
    "controller.precondition.order": "sequential",
    "controller.precondition.invalid_page_ratio": 0,
    "controller.cache.policy": "write_back",
    "controller.cache.capacity_bytes": 4 << 20,
    "controller.cache.writes_in_flight": (4 << 20) // SUBPAGE_BYTES,
    "controller.cache.dirty_high_percent": 0,
    "controller.cache.dirty_low_percent": 0,
}


def drive(changes: dict[str, Any]) -> ns.Config:
    return ns.load("retry_tlc_512g", DEVICE | changes)
