# SPDX-License-Identifier: Apache-2.0
"""The course of a fill of an erased drive with an SLC cache, in order, by arithmetic."""

from __future__ import annotations

import math
from typing import NamedTuple

from nandscape.ceilings import ceilings
from nandscape.config import Config
from nandscape.workload import synthetic

_CACHE, _COLLECTION = "controller.slc_cache", "controller.garbage_collection"


class Regime(NamedTuple):
    """A part of a fill: the pages of the host that are written when it ends, the seconds for each, and the pages that
    are moved for each."""

    end: float
    page_s: float
    moved: float


def bits_per_cell(config: Config) -> int:
    """Returns the bits of a cell outside the SLC cache."""
    return {"slc": 1, "mlc": 2, "tlc": 3, "qlc": 4}[config["nand.coding"][:3]]


def regimes_of(config: Config) -> list[Regime]:
    """Returns the regimes of a fill: to the cache, directly to native cells, and with folding. The last one has no end.

    With time per page from `ceilings`, for b bits per cell: S to program a page in SLC mode, T in native mode, R to
    read it from the cache, and E to erase one of P pages. The drive writes with 1/S until the cache is full. A static
    cache of s blocks holds s P/b pages; a dynamic cache that may take a share d of the free blocks holds d B P/b, where
    B is the number of free blocks, less one more than the mark at which collection begins. Directly, the drive writes
    with 1/T. When no other block is free, blocks of the dynamic cache are folded: each returns 1 - 1/b blocks to the
    host and moves P/b pages, so a page of the host moves 1/(b - 1) others and takes T + (T + R + b E)/(b - 1). A cache
    whose writes wait for folding moves a page for each page of the host: S + T + R + b E.

    A fold reads a page of each plane and then programs the die, which waits for the last of these pages, so planes that
    read on their own gain nothing.
    """
    bits, planes, shape = bits_per_cell(config), config.planes, config["nand.geometry"]
    pages, blocks = shape["pages_per_block"], shape["blocks_per_plane"]
    fresh = config.override(
        {
            "nand.timing.t_bers_us": 0.001,
            "nand.independent_plane_reads": False,
            "host.workload": [synthetic(read_percent=0, block_bytes=shape["page_bytes"])],
        }
    )
    plain, cached = (ceilings(fresh, write_amplification=1, cached=cached) for cached in (False, True))
    slc_s, native_s = (1 / limits.bound("sequential_write") for limits in (cached, plain))
    erase_s = 1e-6 * config["nand.timing.t_bers_us"] / planes / pages
    fold_s = native_s + 1 / cached.iops["dies"]["sequential_read"] + bits * erase_s
    cache, collection = config[_CACHE], config[_COLLECTION]
    static = math.ceil(cache["static_percent"] / 100 * blocks)
    dynamic = math.floor(cache["dynamic_percent"] / 100 * (blocks - static - collection["start_free_blocks"] - 1))
    full = (static + dynamic) * planes * pages / bits
    if cache["when_full"] == "fold":
        return [Regime(full, slc_s, 0), Regime(math.inf, slc_s + fold_s, 1)]
    # Collection waits for the host until only its own blocks are left: those that are reserved, and the open one.
    direct = full + (blocks - static - dynamic - collection["reserved_blocks"] - 1) * planes * pages
    moved = 1 / (bits - 1)
    return [Regime(full, slc_s, 0), Regime(direct, native_s, 0), Regime(math.inf, native_s + fold_s * moved, moved)]
