# SPDX-License-Identifier: Apache-2.0
"""Response times of whole drives, section V-B3 and Figure 13.

The drive is that of section V-A, with the bus of device.py. Each read senses as often as its coding requires; the mean
is that of the SSD model that the paper extends, 25 µs.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

import nandscape as ns
from content.device import PAGE_BYTES, Assumptions

DATA_BYTES = 4096
READ_US = [37.5, 12.5]  # of an LSB page, three senses, and of an MSB page, one

DRIVE: dict[str, Any] = {
    "simulation.cells": "ideal",
    "channel.count": 8,
    "channel.interface": "nv_ddr2",
    "channel.rate_mt_s": round(1000 / Assumptions().byte_ns),
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 2048,
    "nand.geometry.pages_per_block": 64,
    "nand.geometry.page_bytes": DATA_BYTES,
    "nand.geometry.spare_bytes": round(PAGE_BYTES) - DATA_BYTES,
    "nand.cells.set": "mlc_planar_15k",
    "nand.coding": "mlc_13",
    "nand.timing.read": "per_page_type",
    "nand.timing.t_read_us": READ_US,
    "nand.timing.program": "ispp",
    "ecc.codeword_bytes": DATA_BYTES,
    "ecc.correctable_bits": 55,
    "ecc.decode_time": "codewords",
    "ecc.t_codeword_us": 41.2,  # the code of whole pages, Table III
    "controller.mapping.unit_bytes": DATA_BYTES,
}


@dataclass(frozen=True)
class Execution:
    """Mean response times of a workload's writes, reads, and all requests. The paper does not say which of them is its
    "execution time"."""

    write_us: float
    read_us: float
    all_us: float

    def less_than(self, before: Execution) -> dict[str, float]:
        """The reduction in percent, of kinds that have requests."""
        pairs = zip(("write", "read", "all"), astuple(self), astuple(before), strict=True)
        return {kind: 100 * (1 - now / then) for kind, now, then in pairs if then > 0}


def execution(options: Mapping[str, Any], workload: Mapping[str, Any], seed: int = 1) -> Execution:
    """The response times of a workload on the drive with these options."""
    host = _stats(options, workload, seed)["host"]
    return Execution(*(host[kind]["latency_us"]["mean"] for kind in ("write", "read", "all")))


@dataclass(frozen=True)
class MappedReads:
    """Reads of mapped pages: mean response time, and the share that reads the other page of the wordline, too."""

    read_us: float
    share_of_two: float


def mapped_reads(options: Mapping[str, Any], workload: Mapping[str, Any], seed: int = 1) -> MappedReads:
    """The outcome of a workload of reads."""
    stats = _stats(options, workload, seed)
    reads = stats["host"]["read"]
    return MappedReads(reads["latency_us"]["mean"], stats["controller"]["state_map_reads"] / reads["count"])


def _stats(options: Mapping[str, Any], workload: Mapping[str, Any], seed: int) -> dict[str, Any]:
    drive = ns.load("bare", {**DRIVE, **options, "simulation.seed": seed})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ns.TransientWarning)  # free blocks take all writes of the study
        return ns.run(drive, dict(workload)).stats
