# SPDX-License-Identifier: Apache-2.0
"""Measures how much reprogramming slows down the host's writes.

A drive of the system RR-2week is written. It then has no power until LEFT_S before its data must be reprogrammed. When
hd1 writes to this drive, the retention tracker spreads the reprogramming over the remaining time, at the rate that
equation 18 gives for hd1. For comparison, a drive that has nothing to reprogram serves the same writes.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import nandscape as ns
from comparison.traces import writes_of
from retention.arrivals import requests
from retention.drive import RELAXED, serial, write_mode
from retention.expected import reprogramming_mb_per_s
from retention.published import GUARANTEES, HEAVY, PAGE_BYTES, WEEK_S
from retention.runs import MOST_IN_FLIGHT

LEFT_S = 1000.0
WORKLOAD, SYSTEM = HEAVY[0], RELAXED[2]
PERIOD_S = GUARANTEES[2] * WEEK_S


class Reprogramming(NamedTuple):
    mb_per_s: float  # rate of reprogramming, in 1e6 bytes per second
    slower: float  # write response time, divided by that of a drive with nothing to reprogram


def reprogramming(writes: int) -> Reprogramming:
    config = serial(WORKLOAD, 1).override({**write_mode(SYSTEM), "controller.precondition.occupancy": 0})
    pages = round(reprogramming_mb_per_s(WORKLOAD, SYSTEM) * 1e6 * LEFT_S / PAGE_BYTES)
    with TemporaryDirectory() as name:
        columns = requests(WORKLOAD, writes, pages, 1)
        workload = {"host.workload": [ns.requests(columns, size_bytes=PAGE_BYTES, queue_depth=MOST_IN_FLIGHT)]}
        written, again_us, seconds = _run(ns.Simulation.restore(_written_before(config, pages, Path(name)), workload))
        _, alone_us, _ = _run(ns.Simulation(config.override(workload)))
    return Reprogramming(written / seconds / 1e6, again_us / alone_us)


def _written_before(config: ns.Config, pages: int, folder: Path) -> Path:
    # The first writes go to pages that hd1 does not overwrite, so all of them must be reprogrammed.
    once = writes_of(range(pages, 2 * pages), folder / "first.csv", PAGE_BYTES)
    simulation = ns.Simulation(config.override({"host.workload": [once]}))
    simulation.run()
    simulation.shut_down()
    simulation.advance(f"{2 * PERIOD_S - LEFT_S - simulation.now_us * 1e-6}s", powered=False)
    simulation.power_on()
    simulation.checkpoint(folder / "drive")
    return folder / "drive"


def _run(simulation: ns.Simulation) -> tuple[float, float, float]:
    """Runs the workload. Returns the number of reprogrammed bytes, the mean response time of writes in µs, and the
    simulated seconds of the run.
    """
    before, begin_us = _reprogrammed_bytes(simulation), simulation.now_us
    simulation.run()
    return (
        _reprogrammed_bytes(simulation) - before,
        simulation.stats()["host"]["write"]["latency_us"]["mean"],
        (simulation.now_us - begin_us) * 1e-6,
    )


def _reprogrammed_bytes(simulation: ns.Simulation) -> int:
    return simulation.stats("all")["controller"]["guarantees"]["reprogrammed_bytes"]
