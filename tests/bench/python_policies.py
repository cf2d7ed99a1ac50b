# SPDX-License-Identifier: Apache-2.0
"""Compares the speed of policies in Python with that of C++ policies that make the same decisions.

Runs with the two policies alternate. Prints their processor times and the median ratio of the pairs.

python tests/bench/python_policies.py [PAIRS]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import nandscape as ns
import python_policies as ours

NEW = {"nand.condition.pe_cycles": 0, "nand.condition.retention_days": 0}
FRESH = {"simulation.cells": "statistical", "controller.precondition.occupancy": 1.0, **NEW}
AGED = {**FRESH, "nand.condition.pe_cycles": 2000, "nand.condition.retention_days": 365}
WORN_OUT = {
    "simulation.cells": "ideal",
    "controller.precondition.occupancy": 1.0,
    "controller.precondition.distribution": "steady_state",
}


def workload(read_percent: int, requests: int) -> dict[str, Any]:
    """A workload of random pages."""
    pages = ns.synthetic(read_percent=read_percent, block_bytes=16384, queue_depth=64, requests=requests)
    return {"host.workload": [pages], "simulation.request_log": False}


def seconds(config: ns.Config) -> float:
    """Builds the drive, runs the workload and returns the processor time of the run alone, in seconds."""
    simulation = ns.Simulation(config)
    begin = time.process_time()
    simulation.run()
    return time.process_time() - begin


def compare(what: str, config: ns.Config, named: dict[str, object], policy: ns.policies.Policy, pairs: int) -> None:
    """Prints the median seconds with each of the two policies, and the median ratio of the pairs."""
    named_config, python_config = config.override(named), config.override({policy.key: policy})
    times = [(seconds(named_config), seconds(python_config)) for _ in range(pairs)]
    by_name, by_object = (median(column) for column in zip(*times, strict=True))
    ratio = median(python / cpp for cpp, python in times)
    print(f"{what:44} {by_name:8.2f} s {by_object:8.2f} s   {ratio:6.2f} times the time", flush=True)


def main() -> None:
    """Compares all policies on the drive of the read-retry study."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    drive = ns.load("retry_tlc_512g")
    pipelined = {"controller.read_retry.pipelined": True}
    aged = drive.override({**AGED, **workload(100, 30_000)})
    compare("read recovery pipelined, aged, reads", aged, pipelined, ours.PipelinedRetry(), pairs)
    fresh = drive.override({**FRESH, **workload(100, 100_000)})
    compare("read recovery pipelined, fresh cells, reads", fresh, pipelined, ours.PipelinedRetry(), pairs)
    mixed = drive.override({**WORN_OUT, **workload(50, 100_000)})
    compare("scheduling out_of_order, 50/50", mixed, {ours.OutOfOrder.key: "out_of_order"}, ours.OutOfOrder(), pairs)
    writes = drive.override({**WORN_OUT, **workload(0, 100_000)})
    compare("victim selection greedy, writes", writes, {ours.Greedy.key: "greedy"}, ours.Greedy(), pairs)
    compare("write mode built_in, writes", writes, {}, ours.Normal(), pairs)
    compare("allocation by_address, writes", writes, {ours.ByAddress.key: "by_address"}, ours.ByAddress(), pairs)
    compare("allocation least_busy, writes", writes, {ours.LeastBusy.key: "least_busy"}, ours.LeastBusy(), pairs)
    # No C++ policy chooses planes for several pages at once, so both policies are in Python. The first chooses one
    # plane per call, the second 256.
    compare("allocation in turn, 1 and 256 at once", writes, {ours.InTurn.key: ours.InTurn()}, ours.InTurn(256), pairs)


if __name__ == "__main__":
    main()
