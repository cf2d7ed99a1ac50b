# SPDX-License-Identifier: Apache-2.0
"""The drive of Nie et al. (section IV-A, Table II), and what its layers are like.

As published: four channels, eight chips and eight dies in all, eight planes to a die, pages of 16 KiB in four subpages,
reads of 90, 120 and 180 us by the page of the wordline, programs of 900 us, erases of 10 ms, an LDPC codeword with 512
bytes of parity for each subpage. What the study does not state is that of the preset `retry_tlc_512g`: bus, link,
scheduler, the coding, and cells of 48 layers that are fitted to characterised chips.

What differs: blocks have a wordline in each of the 48 layers, 144 pages, where 1792 are no whole number of wordlines in
each, and there are 128 to a plane, not 1888. A run writes a small part of them, so that nothing is collected, and a
smaller drive does the same in less time. Blocks begin in four parts of the layers in turn, so that fullpages can be
placed over layers; all schemes have the same.

As in SSDsim, with which the study was made, a buffer in DRAM takes writes, and goes on to the plane that is least busy.
Fullpages wait in it for others to fill their pages with. It writes back at once, so that the load does not decide what
is written; what has been written stays readable there for a while, in all schemes alike.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Any

import nandscape as ns

CHANNELS, CHIPS_PER_CHANNEL = 4, 2
DIES = CHANNELS * CHIPS_PER_CHANNEL
LAYERS = 48
PAGE_BYTES = 16384
SUBPAGE_BYTES = 4096
CODE = "ldpc_4096_512"
# Fresh blocks and data that are some days old: of the best layer nearly all pages are decoded at the first read, of the
# worst at the fourth to sixth, as in Figure 2(b). Their median wordlines' reads are rows of the report.
STORAGE_DAYS, STORAGE_C = 12, 25
DEVICE = {
    "simulation.cells": "statistical",
    "channel.count": CHANNELS,
    "nand.geometry.chips_per_channel": CHIPS_PER_CHANNEL,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 8,
    "nand.geometry.blocks_per_plane": 128,
    "nand.geometry.pages_per_block": 3 * LAYERS,
    "nand.geometry.first_layer": "by_block",
    "nand.geometry.page_bytes": PAGE_BYTES,
    "nand.geometry.spare_bytes": 2304,  # room for parity of 576 bytes, that of a weak subpage which borrows 64
    "nand.timing.read": "per_page_type",
    "nand.timing.t_read_us": [90, 120, 180],
    "nand.timing.t_prog_us": 900,
    "nand.timing.t_bers_us": 10_000,
    "nand.condition.pe_cycles": 0,
    "nand.condition.retention_days": STORAGE_DAYS,
    "nand.condition.storage_temperature_c": STORAGE_C,
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": SUBPAGE_BYTES,
    "ecc.ldpc_parity_bytes": 512,
    "controller.read_retry.policy": "soft",
    "controller.mapping.unit_bytes": SUBPAGE_BYTES,
    "controller.mapping.plane": "least_busy",
    "controller.mapping.over_provisioning": 0.28,  # blocks that nobody has to free in a run
    "controller.precondition.occupancy": 1,
    "controller.precondition.order": "sequential",
    "controller.precondition.invalid_page_ratio": 0,
    "controller.cache.policy": "write_back",
    "controller.cache.capacity_bytes": 4 << 20,
    "controller.cache.writes_in_flight": (4 << 20) // SUBPAGE_BYTES,
    "controller.cache.dirty_high_percent": 0,
    "controller.cache.dirty_low_percent": 0,
}
BOLTZMANN_EV_PER_K = 8.617e-5
DAYS_PER_MONTH = 730 / 24


def drive(changes: dict[str, Any]) -> ns.Config:
    return ns.load("retry_tlc_512g", DEVICE | changes)


@cache
def cells() -> ns.Cells:
    return ns.Cells(drive({}))


def months() -> float:
    """The age of the data, as time at 30 C, in which cells count."""
    activation_ev = cells().config["nand.cells.retention.activation_energy_ev"]
    speed = exp(activation_ev / BOLTZMANN_EV_PER_K * (1 / (273.15 + 30) - 1 / (273.15 + STORAGE_C)))
    return STORAGE_DAYS / DAYS_PER_MONTH * speed


def error_rate(layer: int) -> float:
    """Of plain reads of the layer's median wordline, the mean over its pages."""
    return sum(cells().rber(page, months=months(), layer=layer) for page in range(3)) / 3


@cache
def reads_of_layer(layer: int) -> float:
    """How many reads a subpage of the layer's median wordline takes until it is decoded, on average.

    With one sensing level after the other at each retry step. A codeword that has failed so far is one of the worst at
    the next read, too: the chance that all reads up to one fail is the least of theirs.
    """
    table = ns.code_table(CODE)
    total = 0.0
    for page in range(3):
        still_failing, step = 1.0, 0
        while still_failing > 1e-6 and step < 10:
            rber = cells().rber(page, months=months(), layer=layer, retry_step=step)
            for levels in range(1, 8):
                total += still_failing / 3
                still_failing = min(still_failing, float(table.frame_error_rate(rber, levels)))
            step += 1
    return total


@cache
def layers_by_strength() -> tuple[int, ...]:
    """Layers from the one with the fewest errors on."""
    return tuple(sorted(range(LAYERS), key=error_rate))


@cache
def layer_groups() -> list[int]:
    """The quarter of the layers that each subpage of a fullpage goes to.

    By strength as in section III-B: L1 and L2 to the second and third strongest, L3 to the strongest, L4, whose parity
    reaches into the strongest one's page, to the weakest. There the strongest layers are 12 to 23; here errors grow
    towards layer 0.
    """
    quarter = LAYERS // 4
    strength = [sum(error_rate(k) for k in range(q * quarter, (q + 1) * quarter)) for q in range(4)]
    strongest, second, third, weakest = sorted(range(4), key=strength.__getitem__)
    return [second, third, strongest, weakest]
