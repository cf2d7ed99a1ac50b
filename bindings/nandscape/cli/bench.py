# SPDX-License-Identifier: Apache-2.0
"""`nandscape bench`: measures the simulator's speed and memory on this machine."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median
from typing import Any

import nandscape
from nandscape import Error, data
from nandscape.cli.parsers import add_command
from nandscape.files import check_folders, replacing

PRECONDITIONED = {"controller.precondition.occupancy": 1.0, "simulation.cells": "ideal"}

# The drive starts in the state that it reaches after a long time of random writes and garbage collection. Pages of host
# memory are as large as flash pages, so that the drive fetches no PRP lists.
STEADY_STATE = {
    "controller.precondition.occupancy": 1.0,
    "controller.precondition.distribution": "steady_state",
    "host.driver.memory_page_bytes": 16384,
}

# 4 channels x 8 chips x 8 dies x 8 planes x 1888 blocks x 1792 pages of 16 KiB: 103 TiB.
LARGE_TOPOLOGY = {
    "channel.count": 4,
    "nand.geometry.chips_per_channel": 8,
    "nand.geometry.dies_per_chip": 8,
    "nand.geometry.planes_per_die": 8,
    "nand.geometry.blocks_per_plane": 1888,
    "nand.geometry.pages_per_block": 1792,
    "nand.geometry.page_bytes": 16384,
}


def add_commands(commands: Any) -> None:
    """Adds the subcommand `bench` with its arguments to the parser."""
    parser = add_command(
        commands,
        "bench",
        "measure the simulator's speed and memory on this machine",
        "nandscape bench --quick\nnandscape bench --json speed.json",
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE, or - for stdout")
    parser.add_argument("--quick", action="store_true", help="run a tenth of the requests, once")
    parser.set_defaults(command=bench)


def bench(options: argparse.Namespace) -> None:
    """Runs the measurements and prints each figure. Rates are per second of wall time inside the simulation loop, and
    each is the median of three processes."""
    check_folders(options.json)
    report = sys.stderr if options.json == "-" else sys.stdout
    figures: dict[str, float] = {}
    for name, value in _measurements(options.quick):
        figures[name] = value
        print(f"{name:36} {value:14,.3f}" if value < 100 else f"{name:36} {value:14,.0f}", file=report, flush=True)
    text = json.dumps(figures, indent=2) + "\n"
    if options.json == "-":
        sys.stdout.write(text)
    elif options.json:
        with replacing(options.json) as temporary:
            temporary.write_text(text, encoding="utf-8")


def _measurements(quick: bool) -> Any:
    requests = 100_000 if quick else 1_000_000
    repetitions = 1 if quick else 3

    reads = _repeated(repetitions, "retry_tlc_512g", PRECONDITIONED | _random_pages(100, requests))
    yield "random_read_pages_per_s", _rate(reads)
    yield "rss_mib", median(case["rss_mib"] for case in reads)
    mixed = _repeated(repetitions, "retry_tlc_512g", PRECONDITIONED | _random_pages(70, requests))
    yield "mixed_70_30_pages_per_s", _rate(mixed)
    # The cells are fresh, so that this measures the time to draw random bit errors and not the time of read-retries.
    statistical = PRECONDITIONED | {
        "simulation.cells": "statistical",
        "nand.condition.pe_cycles": 0,
        "nand.condition.retention_days": 0,
    }
    drawn = _repeated(repetitions, "retry_tlc_512g", statistical | _random_pages(100, requests))
    yield "random_read_statistical_pages_per_s", _rate(drawn)
    drawn = _repeated(repetitions, "retry_tlc_512g", statistical | _random_pages(70, requests))
    yield "mixed_70_30_statistical_pages_per_s", _rate(drawn)
    # Half a million writes, and the pages that collection moves for them, program more than the preset's 4.2 million
    # flash pages.
    writes = _repeated(repetitions, "bare", STEADY_STATE | _random_pages(0, requests // 2))
    yield "steady_state_write_pages_per_s", _rate(writes)
    yield "steady_state_write_amplification", median(case["write_amplification"] for case in writes)
    yield "steady_state_flash_pages_per_s", median(case["flash_pages"] / case["wall_s"] for case in writes)
    trace = {"host.workload": [nandscape.trace(data.bundled_trace())]}
    yield "trace_requests_per_s", _rate(_repeated(repetitions, "bare", trace))
    large = _repeated(repetitions, "bare", LARGE_TOPOLOGY, run=False)
    yield "topology_100tib_construct_s", median(case["construct_s"] for case in large)
    yield "topology_100tib_rss_mib", median(case["rss_mib"] for case in large)


def _random_pages(read_percent: int, requests: int) -> dict[str, Any]:
    workload = nandscape.synthetic(
        pattern="uniform", read_percent=read_percent, block_bytes=16384, queue_depth=64, requests=requests
    )
    return {"host.workload": [workload]}


def _rate(cases: list[dict[str, float]]) -> float:
    return median(case["requests"] / case["wall_s"] for case in cases)


def _repeated(repetitions: int, preset: str, overrides: dict[str, Any], run: bool = True) -> list[dict[str, float]]:
    case = json.dumps({"preset": preset, "overrides": overrides, "run": run})
    return [_measured(case) for _ in range(repetitions)]


def _measured(case: str) -> dict[str, float]:
    command = [sys.executable, "-m", "nandscape.cli.bench_case"]
    child = subprocess.run(command, input=case, capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise Error(f"a measurement failed: {child.stderr.strip().splitlines()[-1]}\nits configuration: {case}")
    return json.loads(child.stdout)
