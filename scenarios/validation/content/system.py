# SPDX-License-Identifier: Apache-2.0
"""Simulates whole drives to reproduce the execution times of Sha et al. (section V-B3 and Figure 13). We take their
"execution time" as the mean response time of all requests.

The drive is that of section V-A, with the bus of device.py. The number of senses of a read depends on the coding. The
mean sensing time, 25 µs, comes from the SSD model that the paper extends.

The paper gives neither request rates nor shares of reads. At light load, the gain over all requests is the gain of a
single page multiplied by the share of the total response time that these pages account for. Queueing increases the
gain.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

import nandscape as ns
from comparison.rows import Row
from content.device import PAGE_BYTES, PAGES, Assumptions, Device, Latency
from content.rows import PUBLISHED

DATA_BYTES = 4096
READ_US = [37.5, 12.5]  # an LSB page needs three senses, an MSB page needs one

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
    "ecc.t_codeword_us": 41.2,  # the decoding time of the code for whole pages in Table III
    "controller.mapping.unit_bytes": DATA_BYTES,
}


@dataclass(frozen=True)
class Execution:
    """The mean response times of writes, of reads, and of all requests of a workload. The paper does not state which of
    them is its "execution time"."""

    write_us: float
    read_us: float
    all_us: float

    def less_than(self, before: Execution) -> dict[str, float]:
        """Returns the reduction against `before` in percent, for each kind of request that occurs."""
        pairs = zip(("write", "read", "all"), astuple(self), astuple(before), strict=True)
        return {kind: 100 * (1 - now / then) for kind, now, then in pairs if then > 0}


def execution(options: Mapping[str, Any], workload: Mapping[str, Any]) -> Execution:
    """Simulates a workload on the drive with `options`, and returns its mean response times."""
    host = _stats(options, workload)["host"]
    return Execution(*(host[kind]["latency_us"]["mean"] for kind in ("write", "read", "all")))


def mapped_reads(options: Mapping[str, Any], requests: int) -> tuple[float, float]:
    """Simulates reads only. Returns their mean response time, and the share of reads that must also read the other page
    of the wordline.
    """
    stats = _stats(options, one_at_a_time(READS_ONLY, requests))
    reads = stats["host"]["read"]
    return reads["latency_us"]["mean"], stats["controller"]["state_map_reads"] / reads["count"]


def _stats(options: Mapping[str, Any], workload: Mapping[str, Any]) -> dict[str, Any]:
    drive = ns.load("bare", {**DRIVE, **options})
    with warnings.catch_warnings():
        # the free blocks can hold all writes of the run, so garbage collection does not matter
        warnings.simplefilter("ignore", ns.TransientWarning)
        return ns.run(drive, workload=dict(workload)).stats


FASTER: dict[str, Any] = {
    "controller.write_mode.by_content": True,
    "controller.content.step_rule": "page",
    "controller.content.page_spread": Assumptions().of_pages,
}
BOTH_PAGES = FASTER | {"controller.content.step_rule": "wordline"}
LIGHTER: dict[str, Any] = {"ecc.selection": "cdber", "ecc.content_spread": Assumptions().of_pages}
MAPPED = LIGHTER | {"ecc.state_mapping": "by_share"}
WRITES_ONLY = 0
HALF = 50
READS_ONLY = 100
RATES = (4_000, 12_000, 20_000, 28_000, 36_000)  # requests/s
PLANES = DRIVE["channel.count"] * DRIVE["nand.geometry.dies_per_chip"] * DRIVE["nand.geometry.planes_per_die"]


@dataclass(frozen=True)
class System:
    """Gains in percent. `writes` and `writes_of_both_pages` are the gains of writes at light load if the ISPP step is
    chosen for each page or for both pages of a wordline. `requests` is the gain of lighter codes over all requests,
    half of which are reads. `reads` is the share of the response times that these reads account for without lighter
    codes. `at_rates` are the gains of writes at each of RATES. `mapped_slower` is the percentage by which reads of
    mapped pages are slower. `mapped_two` is the share of these reads that also read the other page of the wordline."""

    writes: float
    writes_of_both_pages: float
    requests: float
    reads: float
    at_rates: tuple[float, ...]
    mapped_slower: float
    mapped_two: float


def system(requests: int) -> System:
    """Simulates all drives with `requests` requests each, and returns the gains."""
    alone, mixed = (one_at_a_time(percent, requests) for percent in (WRITES_ONLY, HALF))
    usual, whole = execution({}, alone), execution({}, mixed)
    unmapped_us, _ = mapped_reads(LIGHTER, requests)
    mapped_us, two = mapped_reads(MAPPED, requests)

    def gain_of_writes(options: Mapping[str, Any], workload: Mapping[str, Any], before: Execution) -> float:
        return execution(options, workload).less_than(before)["write"]

    return System(
        writes=gain_of_writes(FASTER, alone, usual),
        writes_of_both_pages=gain_of_writes(BOTH_PAGES, alone, usual),
        requests=execution(LIGHTER, mixed).less_than(whole)["all"],
        reads=whole.read_us / (whole.read_us + whole.write_us),
        at_rates=tuple(gain_of_writes(FASTER, load, execution({}, load)) for load in _loads(requests)),
        mapped_slower=100 * (mapped_us / unmapped_us - 1),
        mapped_two=two,
    )


def one_at_a_time(read_percent: float, requests: int) -> dict[str, Any]:
    return ns.synthetic(requests=requests, read_percent=read_percent, block_bytes=4096, queue_depth=1)


def _loads(requests: int) -> Iterator[dict[str, Any]]:
    """Yields workloads of writes with Poisson arrivals, one at each of RATES."""
    for rate in RATES:
        arrivals = {"pacing": "open", "arrival": "poisson", "rate_iops": rate, "queue_depth": 4096}
        yield ns.synthetic(requests=requests, read_percent=WRITES_ONLY, block_bytes=4096, **arrivals)


def rows(found: System, device: Device) -> list[Row]:
    """Returns the compared rows. `device` provides the gains of single pages with the same content profile."""
    write = device.write(device.states).less_than(device.traditional_write)
    rate = float(np.interp(PUBLISHED.paper("execution_writes"), found.at_rates, RATES))
    one_step = _one_step(device)
    return [
        PUBLISHED.row(
            "execution_writes",
            found.writes,
            expected=write,
            page=write,
            rate=rate,
            busy=100 * (rate * PUBLISHED.paper("program_us")[0] * 1e-6 / PLANES),
        ),
        PUBLISHED.row("execution_writes_with_queues", max(found.at_rates), rates=len(RATES), most=RATES[-1]),
        PUBLISHED.row("execution_reads", found.requests),
        PUBLISHED.row("execution_reads_closed_form", found.requests / (found.reads * _gain_of_reads(device))),
        PUBLISHED.row("execution_one_step", found.writes_of_both_pages, limits=(one_step - 1.5, one_step + 1.5)),
        PUBLISHED.row(
            "mapped_reads",
            found.mapped_slower,
            limits=(85 * found.mapped_two, 100 * found.mapped_two),
            two=100 * found.mapped_two,
        ),
    ]


def _one_step(device: Device) -> float:
    """Returns the expected gain if the second page of a wordline is programmed with the slower one of the two pages'
    steps.
    """
    states, table = device.states, device.speeds
    lsb, msb = (table.levels(page, states) for page in PAGES)
    us = [device.assumptions.transfer_us + float(table.program_us[step].mean()) for step in (lsb, np.minimum(lsb, msb))]
    return Latency(*us).less_than(device.traditional_write)


def _gain_of_reads(device: Device) -> float:
    """Returns the gain of a read that includes the sensing: the saved decoding time divided by the duration of the
    whole read.
    """
    saved = device.traditional_read.both - device.read(device.segments()).both
    sensed_us = float(np.mean(DRIVE["nand.timing.t_read_us"]))
    return 100 * saved / (device.traditional_read.both + sensed_us)
