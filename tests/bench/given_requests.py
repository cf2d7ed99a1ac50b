# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a workload whose requests come from Python, compared with the built-in synthetic workload.

The same requests are given as arrays, as a generator of batches, and as a generator of single requests. Runs with each
of these sources alternate with runs of the synthetic workload. Prints the median ratio of their times.

    python tests/bench/given_requests.py [--requests 200000] [--pairs 9]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import nandscape as ns
from nandscape.result import REQUEST_KINDS

READS = {"read_percent": 100, "block_bytes": 16384, "queue_depth": 64}


def columns_of(config: ns.Config) -> dict[str, Any]:
    """Returns the requests of the synthetic workload, taken from the request log of a run. The run has queue depth 1,
    so that the log is in the order of submission.
    """
    log = ns.run(config.override({"simulation.request_log": True, "host.workload.queue_depth": 1})).requests
    return {"operation": log["kind"], "offset_bytes": log["first_lba"] * 512, "size_bytes": log["sectors"] * 512}


def one_by_one(columns: dict[str, Any]) -> Callable[[], Iterator[Any]]:
    operations = [REQUEST_KINDS[code] for code in columns["operation"]]
    rows = list(zip(operations, columns["offset_bytes"].tolist(), columns["size_bytes"].tolist(), strict=True))
    return lambda: iter(rows)


def in_batches(columns: dict[str, Any], length: int = 1000) -> Callable[[], Iterator[Any]]:
    def batches() -> Iterator[Any]:
        for begin in range(0, len(columns["operation"]), length):
            yield {name: values[begin : begin + length] for name, values in columns.items()}

    return batches


def seconds(config: ns.Config) -> float:
    simulation = ns.Simulation(config)
    begin = time.perf_counter()
    simulation.run()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--pairs", type=int, default=9)
    options = parser.parse_args()
    synthetic = ns.synthetic(requests=options.requests, **READS)
    config = ns.load("bare", {"host.workload": [synthetic], "simulation.request_log": False})
    columns = columns_of(config)
    sources = {"arrays": columns, "batches": in_batches(columns), "one by one": one_by_one(columns)}
    for name, source in sources.items():
        given = config.override({"host.workload": [ns.requests(source, queue_depth=READS["queue_depth"])]})
        pairs = [(seconds(config), seconds(given)) for _ in range(options.pairs)]
        ratio = statistics.median(ours / theirs for theirs, ours in pairs)
        rate = options.requests / statistics.median(ours for _, ours in pairs)
        spread = np.percentile([ours / theirs for theirs, ours in pairs], [25, 75])
        quartiles = f"{spread[0]:.3f} to {spread[1]:.3f}"
        print(f"{name:10}  {ratio:5.3f} times a synthetic one ({quartiles}), {rate:,.0f} requests/s", flush=True)


if __name__ == "__main__":
    main()
