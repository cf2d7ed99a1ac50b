# SPDX-License-Identifier: Apache-2.0
"""The arrival times of writes and reads. The study prints the amounts of data in its traces, but no request rates.

We assume that each workload consists of bursts and pauses, and that the study simulates the bursts. In a burst of hd1,
writes keep the channels of the baseline busy for the share BUSY of the time. This is 3.7 times the mean rate of Table
2. The other workloads have the same ratio of burst rate to mean rate, except hd2, which has the burst rate of hd1,
since the same program writes both on the same machines. BUSY is the only fitted number; it is fitted to the speedups of
hd1 and hd2.

Writes arrive as a Poisson process. Each writes one page at a random address. MapReduce (hd1 and hd2) writes 64
consecutive pages at a time: 512 KB, the largest request that its Linux version makes of a stream of writes. By the
closed forms of expected.py, this size has little influence. The share READ_SHARE of the requests are reads of random
pages, which are also a Poisson process. This share is assumed, and so is BURST_S. The latter matters only in runs with
pauses, since background writes can wait for a pause.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retention.published import BUS_BYTES_PER_US, CHANNELS, HEAVY, PAGE_BYTES, PROGRAM_US, VOLUMES

BUSY = 0.73
READ_SHARE = VOLUMES["hd1"].read_share  # fraction of requests that are reads
BURST_S = 1.0
PAGES_AT_ONCE = VOLUMES["hd1"].request_bytes // PAGE_BYTES
WRITE_US = PROGRAM_US + PAGE_BYTES / BUS_BYTES_PER_US


def burst() -> float:
    """Returns the write rate in bursts divided by the mean write rate."""
    return BUSY * CHANNELS / WRITE_US * PAGE_BYTES / VOLUMES["hd1"].written_mb_per_s


def write_mb_per_s(workload: str) -> float:
    """Returns the write rate in bursts, in 1e6 bytes per second."""
    return burst() * VOLUMES["hd1" if workload in HEAVY else workload].written_mb_per_s


def busy(workload: str) -> float:
    """Returns the share of time for which writes keep the channels of the baseline busy in a burst."""
    return write_mb_per_s(workload) / PAGE_BYTES * WRITE_US / CHANNELS


def pages_at_once(workload: str) -> int:
    return VOLUMES[workload].request_bytes // PAGE_BYTES


def requests(
    workload: str, writes: int, footprint_pages: int, seed: int, pauses: bool = False
) -> dict[str, NDArray[Any]]:
    """Returns the columns for `ns.requests`: `writes` writes of one page each, and the reads between these writes.
    Times are rounded to nanoseconds and relative to the first request.

    If `pauses` is true, each burst lasts for BURST_S, and is followed by a pause whose length gives the mean rate of
    Table 2. Otherwise, all requests are in one burst.
    """
    random = np.random.default_rng([seed, sum(workload.encode())])
    together = pages_at_once(workload)
    batches = max(writes // together, 1)
    length_us = batches * PAGE_BYTES * together / write_mb_per_s(workload)
    written_us = np.repeat(_poisson(random, batches, length_us), together)
    first = random.integers(footprint_pages // together, size=batches) * together
    written = (first[:, None] + np.arange(together)).ravel()
    reads = round(len(written) * READ_SHARE / (1 - READ_SHARE))
    us = np.concatenate([written_us, _poisson(random, reads, length_us)])
    pages = np.concatenate([written, random.integers(footprint_pages, size=reads)])
    longer = write_mb_per_s(workload) / VOLUMES[workload].written_mb_per_s if pauses else 1
    time_us = (us + us // (1e6 * BURST_S) * (1e6 * BURST_S * (longer - 1))).round(3)
    order = np.argsort(us, kind="stable")
    return {
        "time_us": (time_us - time_us.min())[order],
        "operation": np.repeat(["write", "read"], [len(written), reads])[order],
        "offset_bytes": pages[order] * PAGE_BYTES,
    }


def _poisson(random: np.random.Generator, events: int, length_us: float) -> NDArray[np.float64]:
    """Returns the sorted times of `events` events of a Poisson process within `length_us`."""
    return np.sort(random.uniform(0, length_us, events))
