# SPDX-License-Identifier: Apache-2.0
"""The runs and their outcomes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import nandscape as ns
from nandscape.errors import ConfigWarning, SaturationWarning, TransientWarning
from retention import drive
from retention.arrivals import write_mb_per_s, write_requests
from retention.drive import BASELINE, CONCATENATED, UNLIMITED, ldpc_encoder, write_mode
from retention.expected import reprogramming_mb_per_s
from retention.published import HEAVY, PAGE_BYTES, VOLUMES

MOST_IN_FLIGHT = 65535

DRIVES: Mapping[str, Callable[[str, int], ns.Config]] = {
    "serial": drive.serial,
    "independent": drive.independent,
    "collecting": drive.collecting,
    "cleaning": drive.collecting,  # with the writes of a run on `serial`
}


@dataclass(frozen=True)
class Case:
    workload: str
    system: str = BASELINE
    ldpc_mb_per_s: float = UNLIMITED
    drive: str = "serial"
    writes: int = 0
    seed: int = 1
    pauses: bool = False
    architecture: str = CONCATENATED


@dataclass(frozen=True)
class Outcome:
    write_us: float
    read_us: float
    all_us: float
    saturated: bool  # the load in bursts exceeds what the encoder or the drive can serve
    write_amplification: float


def simulate(case: Case) -> Outcome:
    config = DRIVES[case.drive](case.workload, case.seed)
    config = config.override({**write_mode(case.system), **ldpc_encoder(case.architecture, case.ldpc_mb_per_s)})
    with TemporaryDirectory() as folder:
        trace = Path(folder) / "requests.csv"
        write_requests(trace, case.workload, case.writes, drive.footprint_pages(config), case.seed, case.pauses)
        outcome = _outcome(config, [ns.trace(trace, queue_depth=MOST_IN_FLIGHT)])
    return replace(outcome, saturated=outcome.saturated or _encoded_mb_per_s(case, outcome) >= case.ldpc_mb_per_s)


def _encoded_mb_per_s(case: Case, outcome: Outcome) -> float:
    """The load of LDPC: in bursts if the host's pages wait for it, else on average."""
    if case.architecture == CONCATENATED:
        return write_mb_per_s(case.workload) * outcome.write_amplification
    collected = VOLUMES[case.workload].written_mb_per_s * (outcome.write_amplification - 1)
    return collected + reprogramming_mb_per_s(case.workload, case.architecture)


def idle_write_us(system: str) -> float:
    """The response time of one write at a time."""
    config = drive.serial(HEAVY[0], 1).override(write_mode(system))
    writes = ns.synthetic(requests=200, queue_depth=1, read_percent=0, block_bytes=PAGE_BYTES)
    return _outcome(config, [writes]).write_us


def _outcome(config: ns.Config, workload: list[dict]) -> Outcome:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SaturationWarning)  # the outcome shows it
        warnings.simplefilter("ignore", ConfigWarning)
        warnings.simplefilter("ignore", TransientWarning)  # the study's traces are short
        stats = ns.run(config, workload).stats
    host = stats["host"]
    return Outcome(
        write_us=host["write"]["latency_us"]["mean"],
        read_us=host["read"]["latency_us"]["mean"],
        all_us=host["all"]["latency_us"]["mean"],
        saturated=bool(host["saturated"]),
        write_amplification=stats["controller"]["write_amplification"],
    )
