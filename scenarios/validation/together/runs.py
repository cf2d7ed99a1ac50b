# SPDX-License-Identifier: Apache-2.0
"""Runs all combinations of the schemes, at both ages and under three workloads, in one sweep.

A workload has the same request rate in all combinations. At this rate, the dies of the aged drive are busy for the
share BUSY of the time if no scheme is on.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import nandscape as ns
from nandscape.errors import ConfigWarning, SaturationWarning
from nandscape.result import LATENCY_PARTS, REQUEST_KINDS
from nandscape.unknown import samples_needed
from together.drive import BASE, FOOTPRINT, SCHEMES, changes_of, with_history

# Three traces of MSR Cambridge: read-dominant, mixed and write-dominant.
WORKLOADS = ("hm_1", "prn_1", "hm_0")
BUSY = 0.35
PILOT_PER_S = 100.0
PILOT_REQUESTS = 1000

COMBINATIONS = ["".join(chosen) for n in range(len(SCHEMES) + 1) for chosen in combinations(SCHEMES, n)]


def of_workload(result: ns.Result, kind: str) -> np.ndarray:
    """Returns a mask that selects the workload's requests of this kind. The requests of the drive's history have a
    different workload number.
    """
    requests = result.requests
    return (requests["workload"] == 0) & (requests["kind"] == REQUEST_KINDS.index(kind))


def mean_us(result: ns.Result, kind: str, column: str = "latency") -> float:
    return float(result.requests[f"{column}_ps"][of_workload(result, kind)].mean() * 1e-6)


def read_p99_us(result: ns.Result) -> float:
    """Returns the 99th percentile of the read latency in µs, or NaN if there are too few reads for it (fewer than ten
    above it).
    """
    latencies = result.requests["latency_ps"][of_workload(result, "read")]
    return float(np.percentile(latencies, 99) * 1e-6) if latencies.size >= samples_needed("p99") else math.nan


def programs(result: ns.Result) -> float:
    """Returns the number of pages programmed per page written by the host, over the whole history of the drive."""
    return float(result.history["controller"]["write_amplification"])


def written_back(result: ns.Result) -> float:
    """Returns the percentage of pages that had to be written back, since they had too many errors after
    invalid-data-aware coding had adjusted them.
    """
    renewal = result.history["controller"]["renewal"]
    return 100 * renewal["written_back_pages"] / max(renewal["read_back_pages"], 1)


METRICS = {
    "read_us": partial(mean_us, kind="read"),
    "read_p99_us": read_p99_us,
    "write_us": partial(mean_us, kind="write"),
    "programs": programs,
    "written_back": written_back,
    **{f"read_{part}_us": partial(mean_us, kind="read", column=part) for part in LATENCY_PARTS},
}


def rates() -> dict[str, float]:
    """Returns the request rate of each workload, in requests per second. A pilot run at a low rate determines the load
    of the dies.
    """
    points = [_point(workload, "aged", "") for workload in WORKLOADS]
    pilot = _sweep(points, PILOT_REQUESTS, requests_per_s=PILOT_PER_S, metrics="utilisation.die", progress=False)
    return {
        workload: PILOT_PER_S * BUSY / busy for workload, busy in zip(WORKLOADS, pilot["utilisation.die"], strict=True)
    }


def run_all(ages: Sequence[str], requests: int, seeds: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    """Runs all combinations. Returns a table with all metrics, with a row for each case and seed, and the request rates
    of the workloads.
    """
    rate = rates()
    cases = [(workload, age, schemes) for workload in WORKLOADS for age in ages for schemes in COMBINATIONS]
    points = [_point(*case) | {"host.workload.requests_per_s": rate[case[0]]} for case in cases]
    table = _sweep(points, requests, seeds=seeds, metrics=METRICS, progress=True)
    labels = pd.DataFrame([case for case in cases for _ in seeds], columns=["workload", "age", "schemes"])
    return pd.concat([labels, table[["seed", *METRICS]].reset_index(drop=True)], axis=1), rate


def _sweep(points: list[dict[str, object]], requests: int, requests_per_s: float = 1, **options: Any) -> pd.DataFrame:
    """Runs a sweep on drives with their history. The points replace the workload and the options of the base
    configuration.
    """
    workload = ns.profile(WORKLOADS[0], requests=requests, requests_per_s=requests_per_s, footprint_fraction=FOOTPRINT)
    with warnings.catch_warnings():
        # Some combinations cannot serve this rate. This is visible in their results, so ignore the warning.
        warnings.simplefilter("ignore", SaturationWarning)
        # With retention relaxation alone, a key for content-dependent writes has no effect. This is intended.
        warnings.simplefilter("ignore", ConfigWarning)
        table = ns.sweep(ns.load("retry_tlc_512g", BASE), points, workload=workload, prepare=with_history, **options)
    for error in table["error"].dropna():
        raise RuntimeError(error)
    return table


def _point(workload: str, age: str, schemes: str) -> dict[str, object]:
    return {"host.workload.profile": workload, **changes_of(schemes, age)}
