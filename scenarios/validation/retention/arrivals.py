# SPDX-License-Identifier: Apache-2.0
"""The arrivals of writes and reads. The study prints the amounts of its traces, and no rates.

The rule, the same for all systems: a workload comes in bursts, and these are simulated. In those of hd1 writes keep the
channels of the baseline busy for BUSY of the time, which is 3.7 times its mean of Table 2. All other workloads come at
as many times theirs, but hd2 at the rate of hd1: both are written by the same program on the same machines. BUSY is the
one number that was chosen to fit, to the speedups of hd1 and hd2.

Writes are pages at random places, as a Poisson process. Those of MapReduce come 64 at a time, of consecutive addresses:
512 KB, the largest request that its Linux makes of a stream. Closed forms tell how little that number matters
(expected.py). READ_SHARE of the requests read a page at random, as a Poisson process. The share is assumed. So is
BURST_S, which plays a role where pauses do: what is collected in the background may wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retention.published import BUS_BYTES_PER_US, CHANNELS, HEAVY, PAGE_BYTES, PROGRAM_US, VOLUMES

BUSY = 0.73
READ_SHARE = VOLUMES["hd1"].read_share  # of all of them
BURST_S = 1.0
PAGES_AT_ONCE = VOLUMES["hd1"].request_bytes // PAGE_BYTES
WRITE_US = PROGRAM_US + PAGE_BYTES / BUS_BYTES_PER_US


def burst() -> float:
    """The rate of writes in bursts over the mean rate."""
    return BUSY * CHANNELS / WRITE_US * PAGE_BYTES / VOLUMES["hd1"].written_mb_per_s


def write_mb_per_s(workload: str) -> float:
    """In its bursts, in 1e6 bytes per second."""
    return burst() * VOLUMES["hd1" if workload in HEAVY else workload].written_mb_per_s


def busy(workload: str) -> float:
    """The share of the time for which writes keep the channels of the baseline busy in bursts."""
    return write_mb_per_s(workload) / PAGE_BYTES * WRITE_US / CHANNELS


def pages_at_once(workload: str) -> int:
    return VOLUMES[workload].request_bytes // PAGE_BYTES


def write_requests(
    path: Path, workload: str, writes: int, footprint_pages: int, seed: int, pauses: bool = False
) -> None:
    """A trace of so many writes of a page, and the reads that go with them. With pauses a burst lasts for BURST_S, and
    the pause after it until the mean rate is that of Table 2; without them it is one burst."""
    random = np.random.default_rng([seed, sum(workload.encode())])
    together = pages_at_once(workload)
    batches = max(writes // together, 1)
    batch_us = PAGE_BYTES * together / write_mb_per_s(workload)
    length_us = batches * batch_us
    at = _poisson(random, batches, length_us)
    first = random.integers(footprint_pages // together, size=batches) * together
    pages = (first[:, None] + np.arange(together)).ravel()
    requests = [(us, "write", page) for us, page in zip(np.repeat(at, together), pages, strict=True)]
    reads = round(batches * together * READ_SHARE / (1 - READ_SHARE))
    if reads:
        at = _poisson(random, reads, length_us)
        pages = random.integers(footprint_pages, size=reads)
        requests += [(us, "read", page) for us, page in zip(at, pages, strict=True)]
    with path.open("w", encoding="utf-8") as file:
        file.write("time_us,operation,offset_bytes,size_bytes\n")
        file.writelines(_lines(sorted(requests, key=lambda request: request[0]), _pause_us(workload) if pauses else 0))


def _lines(requests: list[tuple[float, str, int]], pause_us: float) -> Iterator[str]:
    for us, operation, page in requests:
        at = us + us // (1e6 * BURST_S) * pause_us
        yield f"{at:.3f},{operation},{page * PAGE_BYTES},{PAGE_BYTES}\n"


def _pause_us(workload: str) -> float:
    return 1e6 * BURST_S * (write_mb_per_s(workload) / VOLUMES[workload].written_mb_per_s - 1)


def _poisson(random: np.random.Generator, events: int, length_us: float) -> NDArray[np.float64]:
    """Times of a Poisson process that has so many events in so much time."""
    return np.sort(random.uniform(0, length_us, events))
