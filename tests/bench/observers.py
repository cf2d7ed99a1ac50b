# SPDX-License-Identifier: Apache-2.0
"""Measures what a timeline and a breakdown add to the processor time of a run. Runs with and without them alternate;
prints the median ratio of the pairs.

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
    """Builds the drive, runs the workload and returns the processor time of the run alone, in seconds."""
    simulation = ns.Simulation(config)
    begin = time.process_time()
    simulation.run()
    return time.process_time() - begin


def main() -> None:
    """Measures both on random page accesses, 70 % of them reads, on the preset `bare`.

    This preset spends the least processor time outside the flash models, so the overhead shows most clearly.
    """
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
