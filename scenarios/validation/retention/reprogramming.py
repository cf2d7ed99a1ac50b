# SPDX-License-Identifier: Apache-2.0
"""The cost of reprogramming for the host's writes.

A drive of RR-2week is written, and lies without power until LEFT_S before its data must have been written again. Then
hd1 writes to it. What is left is spread over the time that is left, so that the tracker writes as much per second as
equation 18 has it for hd1. Beside it, hd1 writes to a drive that has nothing to write again.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nandscape as ns
from nandscape.errors import ConfigWarning, TransientWarning
from retention import drive
from retention.arrivals import write_requests
from retention.expected import reprogramming_mb_per_s
from retention.published import GUARANTEES, HEAVY, PAGE_BYTES, WEEK_S
from retention.runs import MOST_IN_FLIGHT
from retention.systems import RELAXED, write_mode

LEFT_S = 1000.0
WRITTEN_AT_ONCE = 4096
WORKLOAD, SYSTEM = HEAVY[0], RELAXED[2]
PERIOD_S = GUARANTEES[2] * WEEK_S


@dataclass(frozen=True)
class Reprogramming:
    mb_per_s: float  # written again, in 1e6 bytes per second
    slower: float  # response time of writes, over that with nothing to write again


def reprogramming(writes: int) -> Reprogramming:
    config = drive.serial(WORKLOAD, 1).override({**write_mode(SYSTEM), "controller.precondition.occupancy": 0})
    pages = round(reprogramming_mb_per_s(WORKLOAD, SYSTEM) * 1e6 * LEFT_S / PAGE_BYTES)
    with TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)
        warnings.simplefilter("ignore", TransientWarning)  # the drive collects no blocks
        folder = Path(name)
        requests = folder / "requests.csv"
        write_requests(requests, WORKLOAD, writes, pages, 1)
        workload = {"host.workload": [ns.trace(requests, queue_depth=MOST_IN_FLIGHT)]}
        aged = ns.Simulation.restore(_written_before(config, pages, folder), workload)
        written, again_us, seconds = _run(aged)
        fresh = ns.Simulation(config.override(workload))
        _, alone_us, _ = _run(fresh)
    return Reprogramming(written / seconds / 1e6, again_us / alone_us)


def _written_before(config: ns.Config, pages: int, folder: Path) -> Path:
    first, checkpoint = folder / "first.csv", folder / "drive"
    with first.open("w", encoding="utf-8") as file:
        file.write("time_us,operation,offset_bytes,size_bytes\n")
        # Elsewhere than hd1 writes, which would overwrite them.
        file.writelines(f"0,write,{page * PAGE_BYTES},{PAGE_BYTES}\n" for page in range(pages, 2 * pages))
    once = ns.trace(first, pacing="closed", queue_depth=WRITTEN_AT_ONCE)
    simulation = ns.Simulation(config.override({"host.workload": [once]}))
    simulation.run()
    simulation.shut_down()
    simulation.advance(f"{2 * PERIOD_S - LEFT_S - simulation.now_us * 1e-6}s", powered=False)
    simulation.power_on()
    simulation.checkpoint(checkpoint)
    return checkpoint


def _run(simulation: ns.Simulation) -> tuple[float, float, float]:
    """Bytes that were written again, the mean response time of writes, and the seconds that it took."""
    before, begin_us = _reprogrammed_bytes(simulation), simulation.now_us
    simulation.run()
    return (
        _reprogrammed_bytes(simulation) - before,
        simulation.stats()["host"]["write"]["latency_us"]["mean"],
        (simulation.now_us - begin_us) * 1e-6,
    )


def _reprogrammed_bytes(simulation: ns.Simulation) -> int:
    return simulation.stats("all")["controller"]["guarantees"]["reprogrammed_bytes"]
