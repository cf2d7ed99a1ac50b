# SPDX-License-Identifier: Apache-2.0
"""Mean response times in closed form.

Each channel is modelled as a queue. Batches of X writes arrive, and lambda_w is the rate of writes. A write takes S_w,
the sum of the page's bus time and tPROG. Reads arrive at the rate lambda_r, take S_r and have priority. By Pollaczek
and Khinchine, for priorities without preemption and batches of a fixed size,

    W = (R / (1 - rho_r) + S_w (X - 1) / 2) / (1 - rho),   R = (lambda_w S_w^2 + lambda_r S_r^2) / 2,

where rho_r = lambda_r S_r and rho = lambda_w S_w + rho_r. The first term is the work ahead of a batch. The second term
is the work ahead of a write within its batch. A batch of consecutive pages has the same number of pages for each
channel. Reprogramming in the background has a lower priority than all requests, so it only adds to the operations in
progress.

The LDPC encoder is a queue of the same kind in front of the channels. The time of a page in the encoder is proportional
to its bytes. The closed form neglects that the encoder spreads the pages of a batch in time before they reach the
channels.
"""

from __future__ import annotations

from dataclasses import dataclass

from retention.analysis import reprogramming_bytes_per_s, value
from retention.arrivals import PAGES_AT_ONCE, READ_SHARE, pages_at_once, write_mb_per_s
from retention.drive import BASELINE, GUARANTEE_OF, RELAXED, UNLIMITED, program_us
from retention.published import (
    BUS_BYTES_PER_US,
    CHANNELS,
    ERASE_US,
    HEAVY,
    PAGE_BYTES,
    PAGES_PER_BLOCK,
    READ_US,
    VOLUMES,
)

TRANSFER_US = PAGE_BYTES / BUS_BYTES_PER_US
READ_PAGE_US = READ_US + TRANSFER_US


@dataclass(frozen=True)
class Queue:
    """The queue of one channel. `writes` and `reads` are rates in pages per µs. `at_once` is the number of pages of a
    batch.
    """

    write_us: float
    writes: float
    reads: float
    at_once: float
    background: float = 0.0  # share of the channel's time that background work occupies

    @property
    def wait_us(self) -> float:
        rho_r = self.reads * READ_PAGE_US
        rho = self.writes * self.write_us + rho_r
        if rho + self.background >= 1:
            return UNLIMITED
        under_way = (self.writes * self.write_us**2 + self.reads * READ_PAGE_US**2) / 2
        under_way += self.background * background_page_us() / 2
        return (under_way / (1 - rho_r) + self.write_us * (self.at_once - 1) / 2) / (1 - rho)

    @property
    def response_us(self) -> float:
        return self.write_us + self.wait_us


def channel(workload: str, system: str, *, at_once: int = 0, reprogramming: bool = False) -> Queue:
    """Returns the queue of a channel. `at_once` is the number of pages that arrive together; 0 selects the workload's
    own number.
    """
    pages = at_once or pages_at_once(workload)
    writes = write_mb_per_s(workload) / PAGE_BYTES / CHANNELS
    reads = writes * READ_SHARE / (1 - READ_SHARE)
    share = reprogramming_share(workload, system) if reprogramming else 0.0
    return Queue(program_us(system) + TRANSFER_US, writes, reads, max(pages / CHANNELS, 1), share)


def write_speedup(workload: str, system: str, at_once: int = 0) -> float:
    before, after = (channel(workload, name, at_once=at_once) for name in (BASELINE, system))
    return before.response_us / after.response_us


def queueing_speedup(workload: str, system: str) -> float:
    return channel(workload, BASELINE).wait_us / channel(workload, system).wait_us


def encoder_us(workload: str, mb_per_s: float) -> float:
    """Returns the mean time in µs from the arrival of a page at the LDPC encoder to the end of its encoding."""
    page_us = PAGE_BYTES / mb_per_s
    rho = write_mb_per_s(workload) / mb_per_s
    if rho >= 1:
        return UNLIMITED
    return page_us * (1 + (rho / 2 + (pages_at_once(workload) - 1) / 2) / (1 - rho))


def background_page_us() -> float:
    """Returns the time in µs for which a reprogrammed page occupies the channel: its read, its program at normal speed,
    and its share of an erase.
    """
    return READ_PAGE_US + TRANSFER_US + program_us(BASELINE) + ERASE_US / PAGES_PER_BLOCK


def reprogramming_share(workload: str, system: str) -> float:
    """Returns the share of the channels' time that reprogramming occupies, by equation 18. It is 0 in the baseline."""
    if system == BASELINE:
        return 0.0
    pages_per_us = reprogramming_mb_per_s(workload, system) / PAGE_BYTES
    return pages_per_us / CHANNELS * background_page_us()


def slower_by_reprogramming(workload: str, system: str) -> float:
    """Returns the mean response time of writes with reprogramming, divided by that without reprogramming."""
    plain, more = (channel(workload, system, reprogramming=on) for on in (False, True))
    return more.response_us / plain.response_us


def reprogramming_mb_per_s(workload: str, system: str) -> float:
    """Returns the rate of reprogramming by equation 18, in 1e6 bytes per second."""
    weeks = GUARANTEE_OF[system]
    return value(reprogramming_bytes_per_s(VOLUMES[workload], weeks), VOLUMES[workload]) * 1e-6


def other_batches(factor: float) -> float:
    """Returns the speedup of the heavy workload with RR-2week if `factor` times as many pages arrive together."""
    return write_speedup(HEAVY[0], RELAXED[2], int(PAGES_AT_ONCE * factor))
