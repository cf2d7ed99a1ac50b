# SPDX-License-Identifier: Apache-2.0
"""Every variant runs, and every parameter does something."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

import nandscape as ns
from nandscape import _core

SMALL = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.7,
    "controller.precondition.distribution": "steady_state",
    "host.workload.requests": 600,
    "host.workload.read_percent": 40,
    "host.workload.trim_percent": 3,
    "host.workload.block_bytes": 8192,
    "host.workload.queue_depth": 16,
}
WORN = {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 1500,
    "nand.condition.retention_days": 30,
    "nand.condition.block_reads": 1000,
    "nand.timing.program": "ispp",
}
CACHE = {
    "controller.cache.policy": "read_write",
    "controller.cache.capacity_bytes": 1 << 20,
    "controller.cache.prefetch_pages": 2,
}
# A parameter is looked at in these, one after the other, until one of them shows it.
SCENARIOS: dict[str, dict[str, Any]] = {
    "mixed": {},
    "cached": CACHE,
    "worn": WORN,
    "many features": {
        "controller.scheduler.policy": "read_first",
        "controller.scheduler.cache_program": True,
        "controller.scheduler.cache_read": True,
        "controller.power_loss.protection": "none",
        "controller.mapping.unit_bytes": 4096,
        "controller.firmware.read_cycles": 1000,
        "nand.timing.read": "per_page_type",
        "controller.precondition.ages": "spread",
        "host.workload.read_percent": 70,
    },
}
# What else has to be set for a parameter, or a group, to matter.
LDPC = {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096, "ecc.decoder": "table", "ecc.decode_time": "iterations"}
HOT = {"host.workload.pattern": "hot_cold", "host.workload.requests": 3000}
SENSED = {
    "nand.cells.sensing.precharge_median_us": 4,
    "nand.cells.sensing.discharge_median_us": 2,
    "nand.cells.sensing.residual_us": 1,
    "nand.cells.sensing.evaluation_median_us": 1,
    "nand.cells.sensing.precharge_cold": 0.1,
    "nand.cells.sensing.evaluation_cold": 0.1,
    "nand.condition.temperature_c": 5,
    "nand.timing.t_pre_us": 8,
}
FAILING = {
    "nand.cells.failures.program_failure": 0.001,
    "nand.cells.failures.erase_failure": 0.01,
    "nand.cells.failures.rated_cycles": 2000,
}
OPEN = {"host.workload.pacing": "open", "host.workload.rate_iops": 3000}
NEEDS: dict[str, dict[str, Any]] = {
    "channel.interface": {"channel.rate_mt_s": 400},
    "controller.cache": CACHE,
    "controller.dram": CACHE,
    "controller.streams": HOT | {"controller.streams.policy": "hot_cold", "controller.streams.window_writes": 64},
    "controller.streams.policy": HOT,
    "controller.wear_levelling": HOT
    | {"controller.wear_levelling.static_threshold": 1, "controller.wear_levelling.check_erases": 2},
    "controller.wear_levelling.free_block": HOT | {"controller.streams.policy": "hot_cold"},
    "controller.scrub": WORN | {"controller.scrub.period_hours": 0.0005},
    "controller.precondition.invalid_page_ratio": {"controller.precondition.distribution": "scattered"},
    "controller.precondition.ages": WORN
    | {"nand.condition.retention_days": 0.1, "controller.precondition.drive_writes_per_day": 0.01},
    "controller.precondition.order": WORN | {"controller.precondition.distribution": "scattered"},
    "controller.precondition.drive_writes_per_day": WORN
    | {
        "nand.condition.retention_days": 0.1,
        "controller.precondition.ages": "spread",
        "controller.precondition.drive_writes_per_day": 0.01,
    },
    "controller.scheduler.policy": {"host.workload.queue_depth": 64},
    "host.workload.arrival": OPEN,
    "host.workload.burst_on_ms": OPEN,
    "host.workload.burst_off_ms": OPEN,
    "host.workload.rate_iops": OPEN,
    "host.workload.footprint_start_bytes": {"host.workload.footprint_bytes": 1 << 20},
    "ecc.ldpc_parity_bytes": LDPC,
    "ecc.decode_time": LDPC,
    "ecc.clock_mhz": LDPC,
    "ecc.codeword_cycles": LDPC,
    "ecc.iteration_cycles": LDPC,
    "ecc.energy.iteration_nj": LDPC,
    "nand.cells.failures": WORN | FAILING,
    "nand.cells.sensing": WORN | SENSED,
    "nand.cells.wear": WORN | {"nand.cells.wear.tail_growth": 0.5, "nand.cells.wear.erased_shift_mv": 50},
    "nand.cells.retention": WORN
    | {
        "nand.cells.retention.loss_noise_mv": 20,
        "nand.cells.retention.wear_shift_mv": 20,
        "nand.cells.retention.tail_mv": 30,
        "nand.condition.storage_temperature_c": 40,
        "nand.cells.read_levels.tracking": False,
    },
    "nand.cells.retention.time_exponent": {"nand.cells.retention.law": "power"},
    "nand.cells.disturb": WORN
    | {
        "nand.cells.disturb.read_shift_mv": 20,
        "nand.cells.disturb.program_shift_mv": 10,
        "nand.cells.disturb.read_wear": 1,
    },
    "nand.condition.block_reads": WORN | {"nand.cells.disturb.read_shift_mv": 20},
    "nand.cells.telegraph_noise": WORN | {"nand.cells.telegraph_noise.lambda_mv": 20},
    "nand.cells.placement": WORN | {"nand.cells.placement.tail_mv": 60},
    "nand.cells.read_levels": WORN | {"nand.cells.read_levels.tracking": False},
}
# Parameters without an effect on the statistics of a run, and why.
WITHOUT_EFFECT: dict[str, str] = {
    "simulation.quantum_us": "results do not depend on how far the calendar runs ahead",
    "simulation.check_protocol": "it only looks on",
    "simulation.data": "the bytes are what differs",
    "simulation.request_log": "the log is no statistic",
    "controller.cache.backup": "of the bytes that a power cut leaves",
    "nand.cells.set": "tests/python/test_cells.py compares the sets",
    "channel.interface": "it bounds the rate; times are given by themselves",
    "ecc.table": "a file; tests/python/test_code_tables.py",
    "ecc.codec": "it needs a codeword and a decoder that fit; test_every_variant_runs",
    "ecc.scrambler": "of the stored bytes",
    "host.nvme.temperature_c": "in the SMART log",
    "host.nvme.io_queues": "the driver asks for as many as it has workloads",
    "host.driver.queue_entries": "as long as a queue is not full",
    "host.driver.memory_page_bytes": "of the addresses in lists of pages only",
    "nand.timing.t_rst_read_us": "the controller does not reset dies",
    "nand.timing.t_rst_program_us": "the controller does not reset dies",
    "nand.timing.t_rst_erase_us": "the controller does not reset dies",
    "nand.timing.t_feat_us": "the controller sets no features",
    "nand.timing.t_prog_slc_us": "the controller programs no SLC pages",
    "nand.timing.t_adjust_us": "the controller does not adjust voltages",
}
# Parameters whose effect no scenario here shows yet; they are tested where the part is, in tests/unit.
NOT_SHOWN: set[str] = {
    "controller.garbage_collection.copyback_limit",
    "controller.mapping.cache_bytes",
    "controller.mapping.entry_bytes",
    "controller.parity.stripe_dies",
    "controller.power_loss.hold_up_ms",
    "controller.refresh.policy",
    "controller.refresh.period_days",
    "controller.refresh.rber_limit",
    "controller.refresh.correctable_share",
    "controller.refresh.check_hours",
    "controller.scheduler.read_intensity_mb_s",
    "controller.scheduler.fairness_threshold",
    "host.nvme.queue_entries",
    "host.nvme.max_transfer_kib",
    "host.workload.kind",
    "host.workload.pacing",
    "controller.precondition.ages",
    "controller.precondition.drive_writes_per_day",
    "nand.cells.failures.factory_bad_fraction",
    "nand.cells.placement.verify_follows_step",
    "nand.cells.wear.erased_shift_exponent",
    "nand.timing.read",
    "nand.timing.program",
}


@cache
def parameters() -> list[Any]:
    return _core.list_parameters()


def statistics(overrides: dict[str, Any]) -> dict[str, Any]:
    stats = copy.deepcopy(ns.run(ns.load("default", SMALL | overrides)).stats)
    del stats["simulation"]["wall_s"]
    return stats


@cache
def unchanged(scenario: str, needs: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return statistics(SCENARIOS[scenario] | dict(needs))


def choice_of(row: Any) -> dict[str, Any]:
    """What selects the variant that the parameter belongs to."""
    if not row.variant:
        return {}
    group = row.path.rpartition(".")[0] + "."
    for other in parameters():
        if other.path.startswith(group) and other.type == "choice" and row.variant in other.range.split(" | "):
            return {other.path: row.variant}
    raise AssertionError(f"nothing selects {row.variant}")


def needs_of(row: Any) -> dict[str, Any]:
    if row.path in NEEDS:
        return NEEDS[row.path] | choice_of(row)
    needs: dict[str, Any] = {}
    for prefix, more in NEEDS.items():
        if row.path == prefix or row.path.startswith(prefix + "."):
            needs |= more
    return needs | choice_of(row)


def other_values(row: Any, config: ns.Config) -> list[Any]:
    in_list = row.path.startswith("host.workload.")
    now = None if in_list else config[row.path]
    if in_list:
        workload = config["host.workload"]
        now = (workload[0] if isinstance(workload, list) else workload)[row.path.rpartition(".")[2]]
    if row.type == "boolean":
        return [not now]
    if row.type == "choice":
        return [value for value in row.range.split(" | ") if value != now]
    if row.type == "list of reals":
        return [[1.07 * value for value in now]]
    tries = [now * 2, now / 2, now + 1, now * 10, 1, 0, now * 100, 16384]
    if row.type == "integer":
        tries = [int(value) for value in tries]
    return [value for value in dict.fromkeys(tries) if value != now]


def of_a_trace(row: Any) -> bool:
    """Traces are read in tests/unit/host/workloads."""
    formats = next(other.range for other in parameters() if other.path == "host.workload.format").split(" | ")
    return row.path.startswith("host.workload.") and (
        row.variant in formats or row.variant == "trace" or not row.range or ".block_mix." in row.path
    )


def matters(row: Any) -> bool:
    needs = needs_of(row)
    for scenario, overrides in SCENARIOS.items():
        values = other_values(row, ns.load("default", SMALL | overrides | needs))
        for value in values:
            try:
                changed = statistics(overrides | needs | {row.path: value})
            except ns.ConfigError:
                continue
            if changed != unchanged(scenario, tuple(needs.items())):
                return True
    return False


def group_of(path: str) -> str:
    return ".".join(path.split(".")[: 3 if path.startswith("nand.cells") else 2])


GROUPS = sorted({group_of(row.path) for row in parameters()})


@pytest.mark.parametrize("group", GROUPS)
def test_every_parameter_matters(group):
    rows = [
        row for row in parameters() if group_of(row.path) == group and row.path not in WITHOUT_EFFECT.keys() | NOT_SHOWN
    ]
    if group in ("nand.cells.read_levels", "nand.cells.sensing"):
        pytest.skip("the scenarios do not show these yet; tests/unit/nand does")
    without = "\n".join(row.path for row in rows if not of_a_trace(row) and not matters(row))
    assert without == ""


CHOICES = sorted({row.path for row in parameters() if row.type == "choice" and not of_a_trace(row)})
# What a variant cannot do without.
COMPANIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("ecc.codec", "ldpc"): LDPC,
    ("ecc.codec", "concatenated"): {"ecc.codeword_bytes": 4096, "ecc.decoder": "bit_true", "simulation.data": "stored"},
    ("ecc.decoder", "bit_true"): {"simulation.data": "stored"},
    ("nand.cells.read_levels.kind", "given"): {},
}


@pytest.mark.parametrize("path", CHOICES)
def test_every_variant_runs(path):
    row = next(row for row in parameters() if row.path == path)
    for value in row.range.split(" | "):
        if value == "trace":
            continue
        overrides = needs_of(row) | {path: value} | COMPANIONS.get((path, value), {})
        try:
            stats = statistics(overrides)
        except ns.ConfigError as error:
            refusal = str(error)
        else:
            assert stats["host"]["iops"] > 0, value
            assert stats["controller"]["write_amplification"] >= 0.9, value
            continue
        # It does not go with the rest of the configuration, and the reason is named.
        assert path.rpartition(".")[2] in refusal or value in refusal, value
