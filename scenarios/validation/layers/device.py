# SPDX-License-Identifier: Apache-2.0
"""The drive of Nie et al. (section IV-A, Table II).

As published, the drive has four channels, eight chips of one die each, eight planes per die, and pages of 16 KiB with
four subpages. One operation reads up to four subpages. tR is 90, 120 or 180 µs, depending on the page of the wordline,
tPROG is 900 µs and tBERS 10 ms. Each subpage is an LDPC codeword with 512 bytes of parity. The study does not describe
the bus, the link, the scheduler or the coding; they are those of the preset `retry_tlc_512g`. In the cell set
`nie_2020`, the quarters of the layers have the error rates of the pages that section III-B compares.

The simulated drive differs from the published one. A block has 144 pages, one wordline in each of the 48 layers, since
1792 pages are not a multiple of the wordlines in each layer. A plane has 128 blocks instead of 1888, which makes the
simulation faster; a run writes only a small part of the drive, so garbage collection never starts. In all schemes, the
first wordline of a block lies in each of four parts of the layers in turn, so that fullpages can be placed over layers.
decoders.py describes how many errors the parity corrects and how much of it is borrowed.

As in SSDsim, the simulator of the study, writes go to a DRAM buffer, which writes them back to the least busy plane. In
this buffer, fullpages wait for other fullpages that complete their flash pages. The buffer writes back at once, so that
the load has no influence on which data are written. In all schemes, written data remain readable in the buffer for a
while.
"""

from __future__ import annotations

import warnings
from typing import Any

import nandscape as ns

# The free blocks can hold all writes of a run, so the amount of spare flash and the state of garbage collection do not
# matter.
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
    "nand.cells.set": "nie_2020",  # the data have the error rates of an age of 15 days, whatever their age
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
    # The data fill exactly 96 of the 128 blocks of a plane, so no run needs garbage collection.
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
