#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does another simulator, MQSim, give the same drive the same latencies?

Runs the drive of tests/fidelity/mqsim at three queue depths and three mixes of reads and writes, in three families of
parameters. Compares mean latencies and throughput, and plots the differences.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import nandscape as ns
from comparison.command import Comparison, Run, command
from comparison.pictures import LINE, panels, shared_legend
from comparison.published import Published
from comparison.rows import Row
from nandscape.pictures.style import COLOURS

FOLDER = Path(__file__).parents[2] / "tests" / "fidelity" / "mqsim"
PUBLISHED = Published(__file__)


class Figures(NamedTuple):
    """Mean latencies in µs, which are 0 if there are no such requests, and the throughput in requests per second."""

    read: float
    write: float
    iops: float


class Case(NamedTuple):
    """A line of figures.csv (a simulated drive and load, with MQSim's results), and the number of requests of our
    run.
    """

    planes: int
    t_read_us: str
    queue_depth: int
    read_percent: int
    theirs: Figures
    requests: int

    @property
    def family(self) -> str:
        times = "three read times" if len(set(self.t_read_us.split())) > 1 else "one read time"
        return f"{times}, {'two planes' if self.planes == 2 else 'one plane'}"


def cases(quick: bool) -> list[Case]:
    lines = (FOLDER / "figures.csv").read_text(encoding="utf-8").splitlines()
    found = []
    for line in csv.DictReader(line for line in lines if not line.startswith("#")):
        # In a full run, the number of requests is the same as in the C++ test.
        requests = (20_000 if line["queue_depth"] == "1" else 100_000) * (1 if quick else 4)
        counts = [int(line[name]) for name in ("queue_depth", "read_percent")]
        theirs = Figures(*(float(line[name]) for name in ("mean_read_us", "mean_write_us", "iops")))
        found.append(Case(int(line["planes"]), line["t_read_us"], *counts, theirs, requests))
    return found


def simulate(case: Case) -> Figures:
    """Runs the case and returns the results of its steady state."""
    drive = {
        "nand.geometry.planes_per_die": case.planes,
        "nand.timing.t_read_us": [float(time) for time in case.t_read_us.split()],
        "host.workload.queue_depth": case.queue_depth,
        "host.workload.read_percent": case.read_percent,
        "host.workload.requests": case.requests,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ns.TransientWarning)  # free blocks can hold all writes of the run
        result = ns.run(ns.load(FOLDER / "device.yaml", drive))
    # Leave out the beginning, while the queue fills, and the end, while the queue drains.
    begin, end = 20 * case.queue_depth, case.requests - case.queue_depth
    ends = result.requests["start_ps"] + result.requests["latency_ps"]
    latency, kind = (result.requests[name][begin:end] for name in ("latency_ps", "kind"))
    read, write = (
        float(np.mean(of_kind)) * 1e-6 if (of_kind := latency[kind == number]).size else 0.0 for number in range(2)
    )
    return Figures(read, write, (end - begin) / (float(ends[end - 1] - ends[begin - 1]) * 1e-12))


def rows_of(case: Case, ours: Figures, quick: bool) -> list[Row]:
    """Returns rows that compare our results for the case with those of MQSim."""
    name = f"{case.family.replace(',', '').replace(' ', '_')}.depth_{case.queue_depth}.reads_{case.read_percent}"
    words = f"{case.family}; queue depth {case.queue_depth}, {case.read_percent} % reads"
    table = PUBLISHED.for_run(quick)
    return [
        table.row(f"{{case}}.{key}", getattr(ours, key), paper=theirs, case=name, words=words)
        for key, theirs in case.theirs._asdict().items()
        if theirs != 0
    ]


def draw_differences(done: Sequence[tuple[Case, Figures]]) -> Figure:
    """Draws the difference between the two simulators in each case, against the queue depth."""
    titles = ("mean read latency", "mean write latency", "throughput")
    figure, drawn = panels(1, 3, (11, 4), titles, sharey=True)
    for axes, key in zip(drawn, Figures._fields, strict=True):
        for number, family in enumerate(dict.fromkeys(case.family for case, _ in done)):
            pairs = [(case, getattr(ours, key), getattr(case.theirs, key)) for case, ours in done]
            points = [
                (1.1**number * case.queue_depth, 100 * (ours / theirs - 1))
                for case, ours, theirs in pairs
                if case.family == family and theirs != 0
            ]
            axes.plot(*zip(*points, strict=True), "o", color=COLOURS[number], markersize=5, label=family)
        axes.axhline(0, color=LINE, linewidth=0.8)
        axes.set(xscale="log", xlabel="queue depth")
    drawn[0].set_ylabel("ours over MQSim's, less 1, %")
    shared_legend(figure)
    return figure


def compare(run: Run) -> Comparison:
    done = run.outcomes(simulate, cases(run.quick), lambda case: f"{case.family}, queue depth {case.queue_depth}")
    rows = [row for case, ours in done for row in rows_of(case, ours, run.quick)]
    study = PUBLISHED.study(rows, "tests/fidelity/mqsim/device.yaml", {})
    return Comparison([study], pictures={"mqsim_differences.png": draw_differences(done)})


if __name__ == "__main__":
    command(__doc__, "a quarter of the requests", compare)
