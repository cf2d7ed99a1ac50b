# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a timeline and of a breakdown: processor time of alternate runs, and the median ratio of pairs.

python tests/bench/observers.py [PAIRS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import nandscape as ns


def seconds(config: ns.Config) -> float:
    """Processor time of the run in seconds, without building the drive."""
    simulation = ns.Simulation(config)
    begin = time.process_time()
    simulation.run()
    return time.process_time() - begin


def main() -> None:
    """Accesses random pages, 70 % reads, on the preset `bare`, whose drive spends the least time outside the flash."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    pages = ns.synthetic(read_percent=70, block_bytes=16384, queue_depth=64, requests=60_000)
    plain = ns.load("bare", {"simulation.request_log": False, "host.workload": [pages]})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.perfetto-trace")
        for what, change in {
            "timeline": {"simulation.timeline.file": str(file)},
            "breakdown": {"simulation.breakdown": True},
        }.items():
            watched = plain.override(change)
            times = [(seconds(plain), seconds(watched)) for _ in range(pairs)]
            off, on = (median(column) for column in zip(*times, strict=True))
            ratio = median(watched / alone for alone, watched in times)
            print(f"{what:12} {off:8.2f} s {on:8.2f} s   {ratio:6.2f} times the time", flush=True)


if __name__ == "__main__":
    main()
