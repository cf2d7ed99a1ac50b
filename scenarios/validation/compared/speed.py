# SPDX-License-Identifier: Apache-2.0
"""Measures the speed and the write amplification of each drive in one sweep.

Reads are measured on the whole drive, which has been written once: first on a fresh drive, then on a worn drive whose
data are three months old. Random writes are measured in the steady state of garbage collection. For these, the drive
has fewer and shorter blocks, so that a run collects many of them. The numbers of dies and planes and the share of spare
flash stay the same. To exclude the start of a run, the results for random writes are the difference between a run and
another run of twice the length.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import nandscape as ns
from compared.drives import QUARTER, Drive
from nandscape.errors import ConfigWarning

PAGES_OF_BLOCK = 24  # a multiple of the wordline size of every coding
BLOCKS_OF_PLANE = 400
RANDOM_BYTES, SEQUENTIAL_BYTES = 4096, 131072

METRICS = {
    "read_us": "host.read.latency_us.mean",
    "iops": "host.iops",
    "mib_s": "host.bandwidth_mib_s",
    "steps": "controller.read_retry.steps",
    "lost": "host.read.unrecovered",
    "pages": "controller.programmed_pages",
    "seconds": "simulation.simulated_s",
}


@dataclass(frozen=True)
class Speed:
    """The measured speeds of a drive. `aged_steps` is the mean number of retry steps of a page on the aged drive.
    `lost` is the number of requests that the aged drive could not read.
    """

    read_us: float
    read_iops: float
    read_mib_s: float
    write_mib_s: float
    steady_write_iops: float
    write_amplification: float
    aged_read_us: float
    aged_steps: float
    lost: int


def speed_of(drive: Drive, requests: int) -> Speed:
    """Measures a drive. `requests` is the number of small requests in a run; the numbers of large requests are
    fractions of it.
    """
    random_read = _workload(requests // 20, 100, queue_depth=1)
    sequential = {"block_bytes": SEQUENTIAL_BYTES, "pattern": "sequential"}
    steady = {
        "controller.precondition.distribution": "steady_state",
        "nand.geometry.pages_per_block": PAGES_OF_BLOCK,
        "nand.geometry.blocks_per_plane": BLOCKS_OF_PLANE,
    }
    # These are the first reads of data, at the default levels: a drive may know no better ones yet.
    aged = {"nand.condition.pe_cycles": drive.worn_cycles, "nand.condition.retention_days": QUARTER.days}
    aged |= {"controller.read_retry.start": "default_levels"}
    points = [
        random_read,
        _workload(requests, 100, queue_depth=128),
        _workload(requests // 10, 100, **sequential),
        _workload(requests // 10, 0, **sequential) | {"controller.precondition.occupancy": 0},
        random_read | aged,
        _workload(requests, 0) | steady,
        _workload(2 * requests, 0) | steady,
    ]
    with warnings.catch_warnings():
        # The cells are worn beyond the cycles at which their constants were measured. This is intended, so ignore the
        # warning.
        warnings.simplefilter("ignore", ConfigWarning)
        table = ns.sweep(drive.config, points, workload=ns.synthetic(), metrics=METRICS, progress=True)
    for error in table["error"].dropna():
        raise RuntimeError(f"{drive.preset}: {error}")
    fresh, deep, reads, writes, old, half, whole = table.to_dict("records")
    programmed_bytes = (whole["pages"] - half["pages"]) * drive.config["nand.geometry.page_bytes"]
    return Speed(
        read_us=fresh["read_us"],
        read_iops=deep["iops"],
        read_mib_s=reads["mib_s"],
        write_mib_s=writes["mib_s"],
        steady_write_iops=requests / (whole["seconds"] - half["seconds"]),
        write_amplification=programmed_bytes / (requests * RANDOM_BYTES),
        aged_read_us=old["read_us"],
        aged_steps=old["steps"],
        lost=int(old["lost"]),
    )


def _workload(requests: int, read_percent: int, **more: Any) -> dict[str, Any]:
    given = {"read_percent": read_percent, "block_bytes": RANDOM_BYTES, "queue_depth": 32, "requests": requests}
    return {f"host.workload.{key}": value for key, value in (given | more).items()}
