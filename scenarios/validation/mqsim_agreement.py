#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a drive have the latencies that another simulator, MQSim, gives the same drive?

Runs the drive of tests/fidelity/mqsim at three queue depths and three mixes of reads and writes, in three families of
parameters. Compares mean latencies and throughput.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

import nandscape as ns
from comparison.command import Comparison, Run, command
from comparison.rows import Row, Study, near

FOLDER = Path(__file__).parents[2] / "tests" / "fidelity" / "mqsim"


class Case(NamedTuple):
    """A line of figures.csv, and the number of requests of its run."""

    planes: int
    t_read_us: str
    queue_depth: int
    read_percent: int
    mean_read_us: float
    mean_write_us: float
    iops: float
    requests: int

    @property
    def family(self) -> str:
        times = "three read times" if len(set(self.t_read_us.split())) > 1 else "one read time"
        return f"{times}, {'two planes' if self.planes == 2 else 'one plane'}"


def cases(quick: bool) -> list[Case]:
    lines = (FOLDER / "figures.csv").read_text(encoding="utf-8").splitlines()
    found = []
    for line in csv.DictReader(line for line in lines if not line.startswith("#")):
        # As many as in the C++ test: the sampling error is then at most 0.6 %.
        requests = (20_000 if line["queue_depth"] == "1" else 100_000) * (1 if quick else 4)
        counts = [int(line[name]) for name in ("queue_depth", "read_percent")]
        figures = [float(line[name]) for name in ("mean_read_us", "mean_write_us", "iops")]
        found.append(Case(int(line["planes"]), line["t_read_us"], *counts, *figures, requests))
    return found


def simulate(case: Case) -> tuple[float, float, float]:
    """Mean latencies of reads and of writes in µs, and requests per second, all in the steady state."""
    drive = {
        "nand.geometry.planes_per_die": case.planes,
        "nand.timing.t_read_us": [float(time) for time in case.t_read_us.split()],
        "host.workload.queue_depth": case.queue_depth,
        "host.workload.read_percent": case.read_percent,
        "host.workload.requests": case.requests,
    }
    result = ns.run(ns.load(FOLDER / "device.yaml", drive))
    # Without both ends, at which the queue fills and drains.
    begin, end = 20 * case.queue_depth, case.requests - case.queue_depth
    ends = result.requests["start_ps"] + result.requests["latency_ps"]
    latency, kind = (result.requests[name][begin:end] for name in ("latency_ps", "kind"))
    means = [
        float(np.mean(of_kind)) * 1e-6 if (of_kind := latency[kind == number]).size else 0.0 for number in range(2)
    ]
    return means[0], means[1], (end - begin) / (float(ends[end - 1] - ends[begin - 1]) * 1e-12)


def rows_of(case: Case, ours: tuple[float, float, float], tolerance: float) -> list[Row]:
    """The figures that MQSim gives for the case."""
    theirs = (case.mean_read_us, case.mean_write_us, case.iops)
    name = f"{case.family.replace(',', '').replace(' ', '_')}.depth_{case.queue_depth}.reads_{case.read_percent}"
    words = f"{case.family}; queue depth {case.queue_depth}, {case.read_percent} % reads"
    what = (("read", "mean read latency", "µs"), ("write", "mean write latency", "µs"), ("iops", "throughput", "1/s"))
    return [
        near(f"{name}.{key}", f"{words}: {figure}", mine, other, "MQSim, commit 7ec40e3", unit=unit, relative=tolerance)
        for (key, figure, unit), mine, other in zip(what, ours, theirs, strict=True)
        if other != 0
    ]


def compare(run: Run) -> Comparison:
    # The sampling error of quick runs is 1.5 % in 95 of 100 in the worst case: writes among reads at queue depth 64.
    tolerance = 0.03 if run.quick else 0.01
    done = run.outcomes(simulate, cases(run.quick), lambda case: f"{case.family}, queue depth {case.queue_depth}")
    study = Study(
        "Beside MQSim",
        "Do two simulators agree where they model the same?",
        "tests/fidelity/mqsim: where the models differ by intent, MQSim's way is chosen or the part left out",
        "latencies and throughput of MQSim",
        [row for case, ours in done for row in rows_of(case, ours, tolerance)],
        {"preset": "tests/fidelity/mqsim/device.yaml", "overrides": {}},
    )
    return Comparison([study])


if __name__ == "__main__":
    command(__doc__, "a quarter of the requests", compare)
