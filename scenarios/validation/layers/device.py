# SPDX-License-Identifier: Apache-2.0
"""The drive of Nie et al. (section IV-A, Table II).

As published: four channels, eight chips and eight dies in all, eight planes to a die, pages of 16 KiB in four subpages,
of which an operation reads four, reads of 90, 120 and 180 us by the page of the wordline, programs of 900 us, erases of
10 ms, an LDPC codeword with 512 bytes of parity for each subpage. What the study does not state is that of the preset
`retry_tlc_512g`: bus, link, scheduler and the coding. Cells are the set `nie_2020`, whose quarters of the layers have
error rates as the pages that section III-B sets beside each other.

What differs: blocks have a wordline in each of the 48 layers, 144 pages, where 1792 are no whole number of wordlines in
each, and there are 128 to a plane, not 1888. A run writes a small part of them, so that nothing is collected, and a
smaller drive does the same in less time. Blocks begin in four parts of the layers in turn, so that fullpages can be
placed over layers; all schemes have the same. What parity bears, and how much of it is borrowed, is in decoders.py.

As in SSDsim, with which the study was made, a buffer in DRAM takes writes, and goes on to the plane that is least busy.
Fullpages wait in it for others to fill their pages with. It writes back at once, so that the load does not decide what
is written; what has been written stays readable there for a while, in all schemes alike.
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
    "nand.cells.set": "nie_2020",  # whose data have the errors of 15 days at any age
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
    # Data fill 96 of the 128 blocks of a plane, to the last page, and nobody has to free others in a run.
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
