# SPDX-License-Identifier: Apache-2.0
"""The mean response time of a read in closed form.

The pages of a read lie on different dies, and each die is modelled as an M/G/1 queue. By Pollaczek and Khinchine, the
mean wait of a page is

    W = lambda E[S^2] / (2 (1 - rho)),   rho = lambda E[S],   S = tR + tDMA

A page does not wait with probability 1 - rho. Otherwise its wait is assumed to be exponentially distributed, which is
exact in heavy traffic. A retried page waits and is decoded twice. A read ends when its slowest page ends, and the
number of pages of a read is geometrically distributed. At light load, W vanishes and the other parts are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from ida.drive import DIES, PAGE_BYTES, Flash, configuration, tlc
from ida.runs import T_DMA_US, mean_read_bytes, reads_per_s
from ida.validity import validity

T_DECODE_US = 20
GRID_US = 1.0
TIMES = 1 << 15  # number of points of the time grid

Kind = tuple[float, float]  # the share of the pages that are of this kind, and their tR in µs


def baseline(flash: Flash) -> list[Kind]:
    """Returns the kinds of pages after a refresh by remapping. It moves all pages, so each is of a random type."""
    return [(1 / flash.bits, read_us) for read_us in flash.read_us]


def adjusted(workload: str, flash: Flash, error_rate: float) -> list[Kind]:
    """Returns the kinds of pages after a refresh by the coding. A page that stays in its wordline is read as if the
    wordline had only the pages that stay: the lowest of them has tR of an LSB page, and so on."""
    pages = validity(workload)
    kinds = []
    for (page, stays), share in pages.page_shares(flash.bits).items():
        rank = (stays & ((1 << page) - 1)).bit_count()
        kinds.append(((1 - error_rate) * share / pages.valid_pages(flash.bits), flash.read_us[rank]))
    moved = 1 - sum(share for share, _ in kinds)
    return kinds + [(moved * share, read_us) for share, read_us in baseline(flash)]


def busy(kinds: Sequence[Kind], workload: str, load: float, retried: float = 0) -> float:
    """Returns rho, the share of time for which a die is busy. The request rate is the rate at which, with the read
    times of Table II, the dies of the baseline are busy for the share `load` of the time.
    """
    return _page_rate(workload, load) * (1 + retried) * _mean(kinds, 1)


def response_us(kinds: Sequence[Kind], workload: str, load: float, retried: float = 0) -> float:
    """Returns the mean response time in µs, or infinity if the dies cannot serve the load."""
    rate = _page_rate(workload, load) * (1 + retried)
    rho = rate * _mean(kinds, 1)
    if rho >= 1:
        return np.inf
    wait = rate * _mean(kinds, 2) / (2 * (1 - rho))
    times = GRID_US * np.arange(TIMES)
    once = _distribution(kinds, times, rho, wait)
    density = np.diff(once, prepend=0)
    spectrum = np.fft.rfft(density, 2 * TIMES)
    late = round(T_DECODE_US / GRID_US)
    twice = np.cumsum(np.roll(np.fft.irfft(spectrum * spectrum), late)[:TIMES])
    page = (1 - retried) * once + retried * twice
    more = 1 - PAGE_BYTES / mean_read_bytes(workload)  # probability that the read has another page after this one
    slowest = (1 - more) * page / (1 - more * page)
    return float(GRID_US * np.sum(1 - slowest)) + beside_dies_us()


def gain(workload: str, flash: Flash, error_rate: float, load: float, retried: tuple[float, float] = (0, 0)) -> float:
    """Returns the reduction of the response time in percent. `retried` holds the shares of retried pages in the
    baseline and with the coding.
    """
    before = response_us(baseline(flash), workload, load, retried[0])
    return 100 * (1 - response_us(adjusted(workload, flash, error_rate), workload, load, retried[1]) / before)


def _page_rate(workload: str, load: float) -> float:
    """Returns the rate, in pages per µs, at which reads request pages from one die."""
    return reads_per_s(workload, load) * mean_read_bytes(workload) / PAGE_BYTES / DIES * 1e-6


def _mean(kinds: Sequence[Kind], power: int) -> float:
    return sum(share * (read_us + T_DMA_US) ** power for share, read_us in kinds)


def _distribution(kinds: Sequence[Kind], times: NDArray[np.float64], rho: float, wait: float) -> NDArray[np.float64]:
    """Returns the distribution function of the time for which a page waits for its die and occupies it."""
    total = np.zeros_like(times)
    for share, read_us in kinds:
        waited = times - read_us - T_DMA_US
        total += share * np.where(waited >= 0, 1 - rho * np.exp(-np.maximum(waited, 0) * rho / wait), 0)
    return total


@cache
def beside_dies_us() -> float:
    """Returns the time in µs of a one-page read outside the die: for decoding, commands, the link and the driver. It is
    measured on an idle drive.
    """
    drive = configuration(tlc(), 1).override({"controller.precondition.occupancy": 1})
    reads = ns.synthetic(requests=600, queue_depth=1, read_percent=100, block_bytes=PAGE_BYTES)
    latency = ns.run(drive, workload=[reads]).stats["host"]["read"]["latency_us"]["mean"]
    return latency - float(np.mean(tlc().read_us)) - T_DMA_US
