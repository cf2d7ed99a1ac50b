# SPDX-License-Identifier: Apache-2.0
"""`nandscape bench`: measures the simulator's speed and memory on this machine."""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any

import nandscape
from nandscape import Error, data
from nandscape.cli.parsers import add_command
from nandscape.files import check_folders, replacing

RANDOM_PAGES = {
    "simulation.request_log": False,
    "host.workload.pattern": "uniform",
    "host.workload.read_percent": 100,
    "host.workload.block_bytes": 16384,
    "host.workload.queue_depth": 64,
}
MIXED = {"host.workload.read_percent": 70}
PRECONDITIONED = {"controller.precondition.occupancy": 1.0, "simulation.cells": "ideal"}

# The cells are fresh, so that this measures the time to draw random bit errors and not the time of read-retries.
FRESH_CELLS = PRECONDITIONED | {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 0,
    "nand.condition.retention_days": 0,
}

# The drive starts in the state that it reaches after a long time of random writes and garbage collection. Pages of host
# memory are as large as flash pages, so that the drive fetches no PRP lists.
STEADY_STATE = {
    "controller.precondition.occupancy": 1.0,
    "controller.precondition.distribution": "steady_state",
    "host.driver.memory_page_bytes": 16384,
    "host.workload.read_percent": 0,
}

# 64 channels x 64 dies. The planes have few blocks, so that a test of this drive's speed needs little memory.
MANY_DIES = {
    "channel.count": 64,
    "nand.geometry.chips_per_channel": 64,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.28,
    "host.driver.memory_page_bytes": 16384,
    "host.link.generation": 5,
    "host.link.lanes": 16,
    "host.workload.queue_depth": 1000,
}
PER_CELL = {"simulation.cells": "per_cell"}
TWO_THREADS = {"simulation.threads": 2}
BIT_TRUE = {"simulation.data": "stored", "simulation.cells": "statistical", "ecc.decoder": "bit_true"}
LDPC = {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096}

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
    """Runs the measurements and prints each figure. Rates are per second of processor time of the run, or with two
    threads per second of its duration, and each is the median of three processes."""
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


def _measurements(quick: bool) -> Iterator[tuple[str, float]]:
    requests = 100_000 if quick else 1_000_000
    repetitions = 1 if quick else 3

    def cases(preset: str, share: float, overrides: dict[str, Any], **measured: bool) -> list[dict[str, float]]:
        """Measures a case whose number of requests is this share of the requests of a fast case."""
        count = {"host.workload.requests": max(int(requests * share), 1000)}
        return _repeated(repetitions, preset, RANDOM_PAGES | overrides | count, **measured)

    reads = cases("retry_tlc_512g", 1, PRECONDITIONED)
    yield "random_read_pages_per_s", _rate(reads)
    yield "rss_mib", median(case["rss_mib"] for case in reads)
    yield "mixed_70_30_pages_per_s", _rate(cases("retry_tlc_512g", 1, PRECONDITIONED | MIXED))
    yield "random_read_statistical_pages_per_s", _rate(cases("retry_tlc_512g", 1, FRESH_CELLS))
    yield "mixed_70_30_statistical_pages_per_s", _rate(cases("retry_tlc_512g", 1, FRESH_CELLS | MIXED))
    # Half a million writes, and the pages that collection moves for them, program more than the preset's 4.2 million
    # flash pages.
    writes = cases("bare", 0.5, STEADY_STATE)
    yield "steady_state_write_pages_per_s", _rate(writes)
    yield "steady_state_write_amplification", median(case["write_amplification"] for case in writes)
    yield "steady_state_flash_pages_per_s", median(case["flash_pages"] / case["processor_s"] for case in writes)
    trace = {"host.workload": [nandscape.trace(data.bundled_trace())]}
    yield "trace_requests_per_s", _rate(_repeated(repetitions, "bare", trace))
    many = cases("bare", 0.5, MANY_DIES)
    yield "dies_4096_read_pages_per_s", _rate(many)
    yield "dies_4096_rss_mib", median(case["rss_mib"] for case in many)
    queued = _repeated(repetitions, "retry_tlc_512g", _many_queues(requests // 32))
    yield "queues_16_of_1000_read_pages_per_s", _rate(queued)
    yield "reads_of_1_mib_flash_pages_per_s", 64 * _rate(cases("bare", 0.01, {"host.workload.block_bytes": 1 << 20}))
    yield "stored_data_pages_per_s", _rate(cases("bare", 0.2, MIXED | {"simulation.data": "stored"}))
    yield "bit_true_bch_pages_per_s", _rate(cases("bare", 0.005, BIT_TRUE | {"ecc.codec": "bch"}))
    yield "bit_true_ldpc_pages_per_s", _rate(cases("bare", 0.005, BIT_TRUE | LDPC))
    yield "bit_true_ldpc_2_threads_pages_per_s", _rate(cases("bare", 0.005, BIT_TRUE | LDPC | TWO_THREADS), "run_s")
    yield "per_cell_pages_per_s", _rate(cases("bare", 0.001, PER_CELL))
    yield "per_cell_2_threads_pages_per_s", _rate(cases("bare", 0.001, PER_CELL | TWO_THREADS), "run_s")
    logged = cases("retry_tlc_512g", 1, PRECONDITIONED | {"simulation.request_log": True})
    yield "logged_read_pages_per_s", _rate(logged)
    large = _repeated(repetitions, "bare", LARGE_TOPOLOGY, run=False)
    yield "topology_100tib_construct_s", median(case["construct_s"] for case in large)
    yield "topology_100tib_rss_mib", median(case["rss_mib"] for case in large)
    used = cases("retry_tlc_512g", 0.5, PRECONDITIONED | MIXED, checkpoint=True)
    yield "checkpoint_s", median(case["checkpoint_s"] for case in used)
    yield "checkpoint_mib", median(case["checkpoint_mib"] for case in used)
    yield "restore_s", median(case["restore_s"] for case in used)
    yield "command_start_s", median(_start_s() for _ in range(5 * repetitions))


def _many_queues(requests: int) -> dict[str, Any]:
    """Returns the settings of 16 queues, each of which has 1000 of its `requests` requests in flight."""
    reads = nandscape.synthetic(
        pattern="uniform", read_percent=100, block_bytes=16384, queue_depth=1000, requests=requests
    )
    return PRECONDITIONED | {
        "simulation.request_log": False,
        "host.nvme.io_queues": 17,  # one more for single commands
        "host.nvme.command_slots": 16384,
        "host.workload": [reads] * 16,
    }


def _rate(cases: list[dict[str, float]], seconds: str = "processor_s") -> float:
    return median(case["requests"] / case[seconds] for case in cases)


def _repeated(
    repetitions: int, preset: str, overrides: dict[str, Any], run: bool = True, checkpoint: bool = False
) -> list[dict[str, float]]:
    case = json.dumps({"preset": preset, "overrides": overrides, "run": run, "checkpoint": checkpoint})
    return [_measured(case) for _ in range(repetitions)]


def _start_s() -> float:
    """Returns the processor time of a command that simulates one request. Almost all of it is spent before the run."""
    command = [sys.executable, "-m", "nandscape", "run", "bare", "--set", "host.workload.requests=1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _measured(case: str) -> dict[str, float]:
    command = [sys.executable, "-m", "nandscape.cli.bench_case"]
    child = subprocess.run(command, input=case, capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise Error(f"a measurement failed: {child.stderr.strip().splitlines()[-1]}\nits configuration: {case}")
    return json.loads(child.stdout)
