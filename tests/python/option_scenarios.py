# SPDX-License-Identifier: Apache-2.0
"""The settings and workloads for test_every_option.py, with which each parameter has an effect.

Every configuration starts from `BASE`. `NEEDS` adds settings for groups, variants and single parameters. They are
applied in this order, so that later settings override earlier ones. `VALUES` replaces the values to be tested, which
are otherwise derived from the current value. `OUTPUTS` names the function whose result is compared, if it is not `run`.
A parameter that belongs to a variant is named as in `nandscape params`: `host.workload.time_unit (fio)`.
"""

from __future__ import annotations

import atexit
import copy
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nandscape as ns
from option_files import OPERATION_WORDS, TRACE_FORMATS, half_of_trace, plugin, slower_table, trace, uniform_read_timing

Overrides = dict[str, Any]

# Each test process has its own folder for recordings.
RECORDINGS = Path(tempfile.mkdtemp(prefix="nandscape_recordings_"))
atexit.register(shutil.rmtree, RECORDINGS, ignore_errors=True)

BASE: Overrides = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.7,
    "controller.precondition.distribution": "steady_state",
    "host.workload": [
        {"requests": 600, "read_percent": 40, "trim_percent": 3, "block_bytes": 8192, "queue_depth": 16},
    ],
}

# --- kinds of devices and workloads

WORN = {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 1500,
    "nand.condition.retention_days": 30,
    "nand.condition.block_reads": 1000,
}
RETRIES = WORN | {"nand.cells.set": "tlc_3d_48"}
SMALL_PAGES = {
    "nand.geometry.page_bytes": 2048,
    "nand.geometry.spare_bytes": 256,
    "host.workload.0.block_bytes": 2048,
}
# Few bytes are transferred here, since transfers at the pins are slow: each byte is simulated separately.
AT_PINS = {
    "controller.scheduler.suspend": "none",
    "host.workload.0.block_bytes": 1024,
    "host.workload.0.requests": 10,
    "nand.geometry.page_bytes": 1024,
    "nand.geometry.spare_bytes": 160,
    "simulation.data": "stored",
}
CACHE = {
    "controller.cache.policy": "read_write",
    "controller.cache.capacity_bytes": 1 << 20,
    "controller.cache.prefetch_pages": 2,
}
COLD = {
    "nand.cells.sensing.precharge_cold": 0.05,
    "nand.cells.sensing.evaluation_cold": 0.05,
}
COOLING = {
    "nand.condition.temperature": "course",
    "nand.condition.course_s": [0, 0.005],
    "nand.condition.course_c": [60, 30],
}
ROOMY = {"controller.mapping.over_provisioning": 1.5}
HOST_BUFFER = ROOMY | SMALL_PAGES | {"controller.mapping.cache_bytes": 2048, "controller.mapping.memory": "host"}
SLC_CACHE = ROOMY | {
    "nand.geometry.blocks_per_plane": 32,
    "controller.slc_cache.static_percent": 4,
    "controller.slc_cache.fold_idle_ms": 0.01,
    "controller.precondition.occupancy": 0.5,
}
LDPC = WORN | {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096, "ecc.decoder": "table"}
STEPS = LDPC | {"ecc.decoder": "steps"}
SEGMENTS = {
    "nand.coding": "mlc_13",
    "nand.cells.set": "mlc_planar_15k",
    "nand.geometry.page_bytes": 4096,
    "nand.geometry.spare_bytes": 544,
    "host.workload.0.block_bytes": 4096,
    "channel.rate_mt_s": 200,
    "ecc.codeword_bytes": 4096,
    "ecc.correctable_bits": 55,
    "ecc.decode_time": "codewords",
    "ecc.t_codeword_us": 41.2,
    "ecc.selection": "cdber",
}
CONTENT_WRITES = {key: value for key, value in SEGMENTS.items() if key != "ecc.selection"} | {
    "controller.write_mode.by_content": True,
    "nand.timing.program": "ispp",
    "host.workload.0.read_percent": 0,
}
RELAXED_WRITES = {
    "controller.write_mode.kept_weeks": 10,
    "controller.write_mode.step_ratio": 1.86,
    "host.workload.0.read_percent": 0,
}
CELL_LIMITS = SEGMENTS | {"ecc.limits": "cells"}
SUBPAGES = {
    "controller.mapping.unit_bytes": 4096,
    "host.workload.0.block_bytes": 4096,
    "host.workload.0.queue_depth": 64,
}
SOFT = LDPC | {
    "controller.read_retry.policy": "soft",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.retention_days": 180,
}
# With these settings, pages fail at all steps of the retry table, and some of them even in soft reads with three
# sensing levels.
RECOVERY_FLOW = LDPC | {
    "controller.read_retry.policy": "recovery_flow",
    "nand.cells.set": "tlc_planar_cai",
    "nand.condition.pe_cycles": 3000,
    "nand.condition.retention_days": 365,
    "ecc.ldpc_parity_bytes": 256,
}
FULLPAGES = SOFT | {
    "controller.fullpages.allocation": "fpa",
    "controller.mapping.over_provisioning": 1.2,
    "controller.mapping.unit_bytes": 4096,
    "controller.precondition.distribution": "scattered",
    "controller.fullpages.precondition_percent": 50,
    "controller.precondition.invalid_page_ratio": 0,
    "controller.precondition.order": "sequential",
    "controller.subpages.reads": "srs",
    "host.workload.0.block_bytes": 16384,
    "host.workload.0.queue_depth": 256,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.first_layer": "by_block",
}
FEW = {"host.workload.0.requests": 60}
LARGE = {"host.workload.0.block_bytes": 1 << 18, "host.workload.0.requests": 100}
HOT = {"host.workload.0.pattern": "hot_cold", "host.workload.0.requests": 3000}
BY_SOURCE = HOT | {"ecc.selection": "by_source"}
BY_SOURCE_WORN = BY_SOURCE | WORN
BY_SOURCE_CODED = BY_SOURCE_WORN | {"ecc.decoder": "table"}
BY_SOURCE_ITERATING = BY_SOURCE_CODED | {"ecc.background.decode_time": "iterations"}
OPEN = {"host.workload.0.pacing": "open", "host.workload.0.rate_iops": 3000}
SECONDS = OPEN | {"host.workload.0.rate_iops": 50}  # the run of the workload lasts for 12 s
WRITTEN_LAST = WORN | {"controller.precondition.updated_bytes": 1 << 23}
GIVEN_LEVELS = {
    "nand.cells.read_levels.kind": "given",
    "nand.cells.read_levels.given_mv": [500, 1200, 1900, 2600, 3300, 4000, 4700],
}
TWO_STREAMS = {
    "host.workload": [
        {"requests": 1500, "read_percent": 100, "queue_depth": 48, "block_bytes": 4096, "name": "eager"},
        {"requests": 300, "read_percent": 50, "queue_depth": 4, "block_bytes": 4096, "name": "modest"},
    ]
}
WRITERS = {
    "host.workload": [
        {"requests": 1500, "read_percent": 0, "queue_depth": 48, "block_bytes": 4096, "name": "eager"},
        {"requests": 300, "read_percent": 0, "queue_depth": 4, "block_bytes": 4096, "name": "modest"},
    ]
}
CLASSES = {
    "host.nvme.arbitration": "weighted_round_robin",
    "host.nvme.command_slots": 2,
    "host.workload": [
        {"requests": 300, "queue_depth": 32, "block_bytes": 4096, "priority": priority, "name": priority}
        for priority in ("high", "medium", "low")
    ],
}
READS = {"host.workload": [{"requests": 20_000, "read_percent": 100, "queue_depth": 16}]}
STEADY = READS | {"simulation.warmup.steady": True}


def given(pages: int) -> Overrides:
    """Returns a workload of given requests, which writes each of `pages` pages once and then reads each of them
    once.
    """
    operations = ["write"] * pages + ["read"] * pages
    offsets = [16384 * (k % pages) for k in range(2 * pages)]
    return {"host.workload": [ns.requests(operation=operations, offset_bytes=offsets, size_bytes=16384)]}


# --- outputs to compare


def run(config: ns.Config) -> Any:
    """Runs the workloads and returns the statistics of the device."""
    return results(ns.run(config).stats)


def recordings(config: ns.Config) -> Any:
    """Runs the workloads and returns the contents of the waveform or timeline files that the run has written, by
    name.
    """
    for old in RECORDINGS.iterdir():
        old.unlink()
    run(config)
    return {file.name: file.read_bytes() for file in RECORDINGS.iterdir()}


def results(stats: dict[str, Any]) -> Any:
    """Returns the statistics without those of the simulation itself, such as its wall time."""
    kept = copy.deepcopy(stats)
    del kept["simulation"]
    return kept


def steadiness(config: ns.Config) -> Any:
    """Runs the workloads and returns the verdict on the measured window and the statistics of the window."""
    result = ns.run(config)
    return result.verdict, result.stats["window"]


def run_or_refusal(config: ns.Config) -> Any:
    try:
        return run(config)
    except ns.InputError as error:
        return str(error)


def warnings(config: ns.Config) -> Any:
    return config._core.warnings()


def request_log(config: ns.Config) -> Any:
    return len(ns.run(config).latencies("read"))


def breakdown(config: ns.Config) -> Any:
    return ns.run(config).stats["host"]["read"].get("breakdown_us")


def stored_bytes(config: ns.Config) -> Any:
    simulation = ns.Simulation(config)
    simulation.write(0, b"data" * 4096)
    return simulation.read(0, 16384)


def smart_log(config: ns.Config) -> Any:
    return ns.Simulation(config).smart_log()


def idle_drive(config: ns.Config) -> Any:
    """Returns what the drive says about its power states, its power over a second without commands, and the latency of
    the read that ends this second."""
    simulation = ns.Simulation(config)
    told = simulation.power_states()
    simulation.run_until("1s")
    simulation.read(0, 16384)
    return told, simulation.last_latency_us, simulation.stats()["power"]


def power_cut(config: ns.Config) -> Any:
    """Returns which pages hold their data after a power cut during writes."""
    simulation = ns.Simulation(config)
    pages = [bytes([k]) * 16384 for k in range(40)]
    writes = [simulation.start_write(32 * k, page) for k, page in enumerate(pages)]
    writes[len(writes) // 2].wait()
    simulation.power_cut()
    simulation.power_on()
    kept = [simulation.read(32 * k, 16384) == page for k, page in enumerate(pages)]
    return kept, results(simulation.stats())


def recovery(config: ns.Config) -> Any:
    """Returns the statistics after a power cut and a power-on, which include the cost of rebuilding the mapping."""
    simulation = ns.Simulation(config)
    simulation.write(0, bytes(16384), fua=True)
    simulation.power_cut()
    simulation.power_on()
    return results(simulation.stats())


def large_trim(config: ns.Config) -> Any:
    """Returns the duration of a trim of many pages."""
    return ns.Simulation(config).trim(0, 32 * 500)


def other_step(config: ns.Config) -> Any:
    """Returns the effect of an ISPP step other than that of the cell set. Only the class `Cells` can set the step
    directly.
    """
    cells = ns.Cells(config)
    return cells.program(step_mv=400).verify_mv.tolist(), cells.levels(step_mv=400).tolist()


def soft_spacing(config: ns.Config) -> Any:
    """Returns the distances between the senses of a soft read. Only the class `Cells` shows them."""
    return ns.Cells(config).soft_spacing_mv(page=1)


def shorter_discharge(config: ns.Config) -> Any:
    """Returns the number of errors with a shorter bitline discharge than in `nand.timing`. Only the class `Cells` can
    shorten it.
    """
    return ns.Cells(config).population(pe_cycles=1000).most_errors(t_disch_us=config["nand.timing.t_disch_us"] / 2)


# --- the tables
REFRESHES = WORN | SECONDS | {"nand.condition.retention_days": 10, "controller.refresh.check_hours": 0.001}
ADJUSTMENTS = REFRESHES | {"controller.refresh.policy": "ida", "controller.refresh.period_days": 9}

NEEDS: dict[str, Overrides] = {
    "(ascii)": trace("ascii"),
    "(blkparse)": trace("blkparse"),
    "(blktrace)": trace("blktrace"),
    "(flin)": TWO_STREAMS,
    "controller.scheduler.write_intensity_mb_s": WRITERS,
    "(onfi_pins)": AT_PINS,
    "(oracle_general)": trace("oracle_general", format="oracle_general"),
    "(profile)": {"host.workload": [{"kind": "profile", "requests": 600, "read_percent": 40, "queue_depth": 16}]},
    "(volume)": {"host.workload": [{"kind": "volume", "profile": "prn_0", "scale": 1e-4, "requests": 300}]},
    "(read_first)": {"host.workload.0.queue_depth": 64},
    "controller.write_mode.by_content": CONTENT_WRITES | {"controller.write_mode.by_content": False},
    "controller.write_mode.kept_weeks": RELAXED_WRITES | {"controller.write_mode.kept_weeks": 0},
    "controller.write_mode.step_ratio": RELAXED_WRITES,
    "(requests)": given(100),
    "(trace)": trace("csv"),
    "simulation.steady": STEADY,
    "simulation.warmup.steady": READS,
    "simulation.timeline.begin_us": {"simulation.timeline.file": str(RECORDINGS / "run.perfetto-trace")},
    "simulation.timeline.end_us": {"simulation.timeline.file": str(RECORDINGS / "run.perfetto-trace")},
    "simulation.waves": AT_PINS | {"simulation.blocks.die.kind": "onfi_pins"},
    "simulation.waves.begin_us": {"simulation.waves.file": str(RECORDINGS / "run.vcd")},
    "simulation.waves.end_us": {"simulation.waves.file": str(RECORDINGS / "run.vcd")},
    "channel.interface": {"channel.rate_mt_s": 400},
    "controller.content": CONTENT_WRITES,
    "controller.content.plugin_options": {"controller.content.plugin": plugin("content")},
    "controller.cache": CACHE,
    "controller.cache.backup": {
        "controller.power_loss.protection": "none",
        "simulation.data": "stored",
    },
    "controller.cache.replacement": {
        "host.workload.0.pattern": "zipf",
        "host.workload.0.read_percent": 90,
        "host.workload.0.requests": 3000,
    },
    "controller.dram": CACHE,
    "controller.firmware": trace("csv") | {"controller.firmware.completion_cycles": 50_000},
    "controller.power": {"controller.power.static_mw": 1000, "controller.firmware.read_cycles": 1000},
    "controller.power.window_ms": {"controller.power.sampled": True},
    "controller.power.throttle": {"controller.power.throttle.light_c": 20, "controller.power.window_ms": 0.1},
    "controller.power.throttle.heavy_c": {"controller.power.throttle.heavy_c": 25},
    "controller.power.throttle.heavy_percent": {"controller.power.throttle.heavy_c": 25},
    "controller.power.throttle.hysteresis_c": COOLING | {"controller.power.throttle.light_c": 40},
    "controller.garbage_collection.copyback_limit": HOT | {"controller.garbage_collection.copyback": True},
    "controller.mapping.cache_bytes": ROOMY,
    "controller.mapping.memory": ROOMY | {"controller.mapping.cache_bytes": 1 << 15},
    "controller.mapping.host_buffer_bytes": HOST_BUFFER,
    "host.driver.host_buffer_bytes": HOST_BUFFER,
    "controller.mapping.entry_bytes": ROOMY | SMALL_PAGES | {"controller.mapping.cache_bytes": 4096},
    "controller.fullpages.allocation": FULLPAGES,
    "controller.fullpages.borrowed_parity_bytes": FULLPAGES,
    "controller.fullpages.layer_groups": FULLPAGES,
    "controller.fullpages.wait_ms": FULLPAGES,
    "controller.mapping.unit_bytes": {"host.workload.0.block_bytes": 4096},
    "controller.mapping.write_coalescing_us": {"controller.mapping.unit_bytes": 4096},
    "controller.mapping.wordline_wait_us": CONTENT_WRITES | {"simulation.data": "stored"},
    "controller.mapping.layout": ROOMY,
    "controller.mapping.superblock_dies": ROOMY | {"controller.mapping.layout": "superpage"},
    "controller.mapping.superpage_wait_us": ROOMY | {"controller.mapping.layout": "superpage"},
    "controller.parity.stripe_dies": ROOMY,
    "controller.slc_cache": SLC_CACHE,
    "controller.slc_cache.dynamic_percent": SLC_CACHE
    | {
        "controller.slc_cache.static_percent": 0,
        "controller.slc_cache.fold_idle_ms": 0,
        "controller.slc_cache.dynamic_percent": 20,
    },
    "controller.slc_cache.fold_mark_percent": SLC_CACHE
    | {
        "controller.slc_cache.static_percent": 20,
        "controller.slc_cache.fold_idle_ms": 0,
        "controller.slc_cache.fold_mark_percent": 30,
    },
    "controller.slc_cache.fold_by": SLC_CACHE | {"controller.slc_cache.fold_mark_percent": 10},
    "controller.slc_cache.copyback_hours": SLC_CACHE
    | {
        "controller.slc_cache.fold_mark_percent": 10,
        "controller.slc_cache.fold_by": "copyback",
        "controller.slc_cache.copyback_hours": 0,
    },
    "nand.timing.t_prog_slc_us": SLC_CACHE,
    "controller.slc_cache.fold_rate_mb_s": SLC_CACHE | {"controller.slc_cache.fold_mark_percent": 10},
    "controller.power_loss": {"simulation.data": "stored"},
    "controller.precondition.ages": WORN,
    "controller.precondition.drive_writes_per_day": WORN | {"controller.precondition.ages": "spread"},
    "controller.fullpages.precondition_percent": FULLPAGES,
    "controller.precondition.invalid_page_ratio": {"controller.precondition.distribution": "scattered"},
    "controller.precondition.last_read_share": RETRIES | {"controller.read_retry.start": "last_of_block_and_layer"},
    "controller.precondition.order": {"controller.precondition.distribution": "scattered"},
    "controller.precondition.updated_age_days": WRITTEN_LAST,
    "controller.precondition.updated_bytes": WORN,
    "controller.precondition.updated_start_bytes": WRITTEN_LAST,
    "controller.read_retry": RETRIES,
    "(recovery_flow)": RECOVERY_FLOW,
    "controller.read_retry.keep_senses": SOFT,
    "controller.read_retry.keep_senses (recovery_flow)": RECOVERY_FLOW,
    "controller.read_retry.search_stride (recovery_flow)": RECOVERY_FLOW | {"controller.read_retry.hard_retries": 2},
    "controller.read_retry.most_sensing_levels": SOFT,
    "controller.read_retry.policy": LDPC,
    "controller.read_retry.step_order": {
        "controller.read_retry.start": "last_of_block_and_layer",
        "controller.precondition.last_read_share": 0.2,
    },
    "controller.read_retry.timing_table": {"controller.read_retry.adaptive": True},
    "controller.refresh": REFRESHES,
    "controller.refresh.check_hours": {"controller.refresh.policy": "period", "controller.refresh.period_days": 9},
    "(ida)": {"controller.refresh.period_days": 9, "controller.read_disturb.limit_reads": 1_000_000},
    "controller.scheduler.cache_program": {"host.workload.0.read_percent": 0},
    "controller.subpages.reads": LDPC | SUBPAGES,
    "controller.subpages.most_per_operation": LDPC | SUBPAGES | {"controller.subpages.reads": "soml"},
    "controller.scheduler.policy": {"host.workload.0.queue_depth": 64},
    "controller.scrub": WORN | {"controller.scrub.period_hours": 0.0005},
    "controller.streams": HOT | {"controller.streams.policy": "hot_cold"},
    "controller.streams.hot_streams (hot_cold)": {"controller.mapping.over_provisioning": 1.0},
    "controller.streams.policy": HOT,
    "controller.wear_levelling": HOT
    | {"controller.wear_levelling.static_threshold": 1, "controller.wear_levelling.check_erases": 2},
    "controller.wear_levelling.free_block": {"controller.streams.policy": "hot_cold", "host.workload.0.requests": 4000},
    "(cdber)": SEGMENTS,
    "ecc.background": BY_SOURCE,
    "ecc.background.clock_mhz": BY_SOURCE_ITERATING,
    "ecc.background.codec": BY_SOURCE_CODED,
    "ecc.background.codeword_cycles": BY_SOURCE_ITERATING,
    "ecc.background.correctable_bits": BY_SOURCE_WORN,
    "ecc.background.decode_fifo_pages": {"ecc.background.decode_mb_s": 10, "host.workload.0.queue_depth": 64},
    "ecc.background.decode_time": BY_SOURCE_CODED,
    "ecc.background.encode_fifo_pages": {"ecc.background.encode_mb_s": 10},
    "ecc.background.energy.iteration_nj": BY_SOURCE_CODED,
    "ecc.background.iteration_cycles": BY_SOURCE_ITERATING,
    "ecc.background.ldpc_parity_bytes": BY_SOURCE_CODED,
    "ecc.background.pool_engines": {
        "ecc.background.engines": "pool",
        "ecc.background.encode_mb_s": 10,
        "host.workload.0.queue_depth": 64,
    },
    # With this wear, pages need soft reads as soon as they are written, those that have been moved included.
    "ecc.background.soft_engines": BY_SOURCE_CODED
    | SOFT
    | {"nand.condition.pe_cycles": 15000, "nand.condition.retention_days": 0, "ecc.background.decode_mb_s": 20},
    "ecc.background.t_codeword_us": {"ecc.background.decode_time": "codewords"},
    "ecc.background.plugin": BY_SOURCE_WORN,
    "ecc.background.plugin_options": BY_SOURCE_WORN
    | {"ecc.background.plugin": plugin("repetition"), "ecc.background.codeword_bytes": 1024},
    "ecc.background.table": BY_SOURCE_CODED,
    "ecc.kept_days (cdber)": CELL_LIMITS,
    "ecc.kept_pe_cycles (cdber)": CELL_LIMITS,
    "ecc.page_failure (cdber)": CELL_LIMITS,
    "ecc.segments": SEGMENTS,
    "ecc.segments.correctable_bits": SEGMENTS
    | {
        "simulation.cells": "statistical",
        "nand.condition.pe_cycles": 15000,
        "nand.condition.retention_days": 365,
        "host.workload.0.read_percent": 90,
    },
    "ecc.selection": SEGMENTS,
    "ecc.t_codeword_us": {"ecc.decode_time": "codewords"},
    "ecc.clock_mhz": LDPC | {"ecc.decode_time": "iterations"},
    "ecc.codec": LDPC,
    "ecc.codeword_cycles": LDPC | {"ecc.decode_time": "iterations"},
    "ecc.correctable_bits": WORN,
    "ecc.crc_bits": WORN | {"ecc.correctable_bits": 8},
    "ecc.decode_time": LDPC,
    "ecc.decoder": WORN,
    "ecc.encode_fifo_pages": {"ecc.encode_mb_s": 20},
    "ecc.energy.iteration_nj": LDPC,
    "ecc.iteration_cycles": LDPC | {"ecc.decode_time": "iterations"},
    "ecc.ldpc_parity_bytes": LDPC,
    "ecc.pool_engines": {"ecc.engines": "pool", "ecc.decode_mb_s": 20, "host.workload.0.queue_depth": 64},
    "ecc.soft_engines": SOFT | {"ecc.decode_mb_s": 20, "host.workload.0.queue_depth": 64},
    "ecc.stop_at_failure": WORN | {"ecc.correctable_bits": 20, "ecc.decode_mb_s": 20},
    "ecc.plugin": WORN,
    "ecc.plugin_options": WORN | {"ecc.plugin": plugin("repetition")},
    "ecc.scrambler": WORN | SMALL_PAGES | {"simulation.cells": "per_cell", "simulation.data": "stored"},
    "ecc.parity_gain (steps)": FULLPAGES | STEPS,
    "ecc.step_error_rates (steps)": STEPS,
    "ecc.table": LDPC,
    "host.driver.high_weight": CLASSES,
    "host.driver.low_weight": CLASSES,
    "host.driver.medium_weight": CLASSES,
    "host.driver.memory_page_bytes": LARGE,
    "host.nvme.data_transfers": {"host.workload.0.requests": 1200},
    "host.nvme.max_transfer_kib": LARGE,
    "host.nvme.power_states": {
        "host.nvme.power_states": [
            {"max_mw": 5000},
            {
                "max_mw": 50,
                "operational": False,
                "entry_us": 100,
                "exit_us": 1000,
                "idle_mw": 20,
                "idle_before_ms": 50,
            },
        ],
    },
    "host.nvme.volatile_write_cache": CACHE,
    "host.workload.address_policy (trace)": trace("csv of a larger device"),
    "host.workload.arrival": OPEN,
    "host.workload.blank_operation (csv)": trace("csv with a blank operation"),
    "host.workload.block_mix": {"host.workload.0.block_mix": [{"block_bytes": 4096}, {"block_bytes": 16384}]},
    "host.workload.burst_off_ms": OPEN,
    "host.workload.burst_on_ms": OPEN,
    "host.workload.columns (csv)": trace(
        "csv without a header", format="csv", columns=["time_us", "op", "lba", "sectors"], address_policy="wrap"
    ),
    "host.workload.device_column (csv)": trace("csv", device="1"),
    "host.workload.footprint_start_bytes": {"host.workload.0.footprint_bytes": 1 << 20},
    "host.workload.format (trace)": trace("ascii"),
    "host.workload.name": TWO_STREAMS,
    "host.workload.pacing": trace("csv"),
    "host.workload.priority": CLASSES,
    "host.workload.rate_iops": OPEN,
    "host.workload.requests_per_s": {"host.workload.0.pacing": "open", "host.workload.0.requests_per_s": 3000},
    "host.workload.size_class_bytes": {"host.workload.0.size_class_percent": [30, 30, 20, 20]},
    "host.workload.wait_time (fio)": trace("fio with waits", format="fio", wait_time="since_start_ms"),
    "nand.cells": WORN,
    "nand.cells.disturb": {
        "nand.cells.disturb.read_shift_mv": 20,
        "nand.cells.disturb.program_shift_mv": 10,
        "nand.cells.disturb.read_wear": 1,
    },
    "nand.cells.failures": {
        "nand.cells.failures.program_failure": 0.001,
        "nand.cells.failures.erase_failure": 0.01,
        "nand.cells.failures.rated_cycles": 2000,
    },
    # The number of requests is small, since combining the noise with the distribution of the cells is slow for each
    # wordline.
    "nand.cells.interference": FEW,
    "nand.cells.ispp": {"nand.timing.program": "ispp"},
    "nand.cells.placement": {"nand.cells.placement.tail_mv": 60, "nand.timing.program": "ispp"},
    "nand.cells.read_levels.first_follows_step": GIVEN_LEVELS,
    "nand.cells.read_levels.given_at_kilocycles": GIVEN_LEVELS | {"nand.cells.read_levels.given_at_months": 1},
    "nand.cells.read_levels.given_at_months": GIVEN_LEVELS,
    "nand.cells.read_levels.given_mv": GIVEN_LEVELS,
    "nand.cells.read_levels.retry_step_mv": {"nand.cells.read_levels.tracking": False},
    "nand.cells.read_levels.retry_table_mv": RETRIES
    | {
        "nand.cells.read_levels.tracking": False,
        "nand.cells.read_levels.retry_steps": 2,
    },
    "nand.cells.retention": {
        "nand.cells.retention.wear_shift_mv": 20,
        "nand.cells.retention.tail_mv": 30,
        "nand.cells.retention.tail_wear": 0.5,
        "nand.condition.storage_temperature_c": 40,
        "nand.cells.read_levels.tracking": False,
    },
    "nand.cells.retention.loss_noise_exponent": {"nand.cells.retention.loss_noise_mv": 20, **FEW},
    "nand.cells.retention.time_exponent": {"nand.cells.retention.law": "power"},
    "nand.cells.sensing": {
        "nand.cells.sensing.precharge_cold": 0.05,
        "nand.cells.sensing.evaluation_cold": 0.05,
        "nand.condition.temperature_c": 20,
    },
    "nand.cells.telegraph_noise": {"nand.cells.telegraph_noise.lambda_mv": 20},
    "nand.cells.wear": {"nand.cells.wear.tail_growth": 0.5, "nand.cells.wear.erased_shift_mv": 1500},
    "nand.condition": WORN,
    "nand.condition.temperature": COLD,
    "(course)": COLD,
    "(self_heated)": COLD | {"controller.power.window_ms": 0.1},
    "nand.condition.block_reads": {"nand.cells.disturb.read_shift_mv": 20},
    "nand.timing.program": {"nand.timing.t_prog_us": 800},
    "nand.timing.program_unit": {"host.workload.0.read_percent": 0},
    "nand.timing.t_load_us": {"nand.timing.program_unit": "wordline", "host.workload.0.read_percent": 0},
    "nand.timing.program_passes": {"nand.timing.program_unit": "wordline", "host.workload.0.read_percent": 0},
    "nand.timing.t_prog_first_us": {
        "nand.timing.program_unit": "wordline",
        "nand.timing.program_passes": 2,
        "host.workload.0.read_percent": 0,
    },
    "nand.timing.t_adjust_us": ADJUSTMENTS,
    "nand.timing.t_feat_us": RETRIES | {"controller.read_retry.adaptive": True},
    "nand.timing.t_rst_read_us": RETRIES | {"controller.read_retry.pipelined": True},
    "nand.timing.read": {"nand.timing.t_read_us": [70, 110, 80]},
    "nand.timing.t_pcbsy_us": {"controller.scheduler.cache_program": True, "host.workload.0.read_percent": 0},
    "nand.timing.t_rcbsy_us": {
        "controller.scheduler.cache_read": True,
        "controller.scheduler.multi_plane": False,
        "host.workload.0.queue_depth": 64,
    },
    "channel.t_ccs_ns": {"nand.independent_plane_reads": True},
    "nand.geometry.first_layer": WORN | {"nand.cells.set": "tlc_3d_48"},
    "nand.timing.t_read_us": {"nand.timing.read": "per_page_type"},
    "simulation.blocks.die.poll_interval_us": {"simulation.blocks.die.ready": "status"},
}

VALUES: dict[str, list[Any]] = {
    "simulation.steady.figure": ["host.read.latency_us.mean", "nand.senses"],
    "simulation.steady.range": [0.001],
    "simulation.steady.slope": [0.001],
    "simulation.warmup.drive_writes": [0.02],
    "simulation.timeline.file": [str(RECORDINGS / "run.perfetto-trace")],
    "simulation.waves.file": [str(RECORDINGS / "run.vcd")],
    "controller.content.plugin": [plugin("content")],
    "controller.content.plugin_options": ["slow"],
    "controller.mapping.cache_bytes": [1 << 15],
    "controller.mapping.host_buffer_bytes": [4096],
    "host.driver.host_buffer_bytes": [0, 4096],
    "controller.power.cap_w": [1.7],
    "controller.power.throttle.light_c": [35],
    "controller.fullpages.borrowed_parity_bytes": [64],
    "controller.fullpages.layer_groups": [[3, 1, 0, 2]],
    "controller.mapping.unit_bytes": [4096, 8192],
    "controller.mapping.superblock_dies": [1, 2],
    "controller.parity.stripe_dies": [2, 4],
    "controller.precondition.updated_bytes": [1 << 23],
    "controller.precondition.updated_start_bytes": [1 << 23],
    "controller.read_retry.hard_retries (recovery_flow)": [2],
    "controller.read_retry.search_stride (recovery_flow)": [4],
    "controller.read_retry.soft_bits (recovery_flow)": [2],
    "controller.read_retry.timing_table": [uniform_read_timing(60)],
    "controller.subpages.most_per_operation": [1, 2],
    "controller.refresh.correctable_share (predicted_rber)": [0.1],
    "controller.refresh.rber_limit (predicted_rber)": [1e-4, 0.1],
    "ecc.background.ldpc_parity_bytes": [448, 256],
    "ecc.background.plugin": [plugin("repetition")],
    "ecc.background.plugin_options": ["63"],
    "ecc.background.table": [slower_table("ldpc_4096_512")],
    "ecc.segments.correctable_bits": [[3, 2, 1]],
    "ecc.weak_lsb (cdber)": [[0.3]],
    "ecc.weak_msb (cdber)": [[0.3]],
    "ecc.ldpc_parity_bytes": [448, 256],
    "ecc.plugin": [plugin("repetition")],
    "ecc.plugin_options": ["63"],
    "ecc.step_error_rates (steps)": [[0.001]],
    "ecc.table": [slower_table("ldpc_4096_512")],
    "host.driver.queue_entries": [4],
    "host.nvme.queue_entries": [4],
    "host.workload.alignment_bytes (synthetic)": [512],
    "host.workload.columns (csv)": [["time_us", "op", "sectors", "lba"]],
    "host.workload.duration_ms": [1],
    "host.workload.source (requests)": [given(50)["host.workload"][0]["source"]],
    "host.workload.device (trace)": ["1"],
    "host.workload.device_column (csv)": ["disk"],
    "host.workload.footprint_bytes (profile)": [1 << 24],
    "host.workload.footprint_fraction (synthetic)": [0.5],
    "host.workload.footprint_fraction (profile)": [0.5],
    "host.workload.format (trace)": ["disksim"],
    "host.workload.name": ["another"],
    "host.workload.offset_column (csv)": ["lba"],
    "host.workload.operation_column (csv)": ["op"],
    "host.workload.path (trace)": [half_of_trace("csv")],
    "host.workload.profile (profile)": ["hm_0"],
    "host.workload.size_class_bytes (profile)": [[4096, 12288, 16384]],
    "host.workload.size_class_percent (profile)": [[30, 30, 20, 20]],
    "host.workload.size_column (csv)": ["sectors"],
    "host.workload.time_column (csv)": ["time_ms"],
    "host.workload.profile (volume)": ["src1_2"],
    "host.workload.start_bytes (volume)": [1 << 16],
    "host.workload.updated_bytes (profile)": [1 << 23],
    "nand.cells.failures.factory_bad_fraction": [0.1],
    "nand.cells.fitted.block_reads": [[0, 10]],
    "nand.cells.fitted.pe_cycles": [[0, 10]],
    "nand.cells.fitted.retention_months": [[0, 0.1]],
    "nand.cells.fitted.temperature_c": [[85, 90]],
    "nand.cells.interference.diagonal": [0.01],
    "nand.cells.interference.vertical": [0.02],
    "nand.cells.read_levels.retry_table_mv": [
        [step * share for step in (200, 300) for share in (0.9, 0.91, 0.93, 0.95, 0.97, 0.98, 1)]
    ],
    "nand.cells.set": ["tlc_planar_cai"],
    "nand.condition.course_s (course)": [[0, 0.001]],
}

# The other value of a trace's words for read and write exchanges the two words.
for trace_format, (read, write) in OPERATION_WORDS.items():
    moved = {
        "read": [read, write],
        "write": [write, read],
        "flush": ["f", write],
        "trim": ["t", write],
        "write_zeroes": write,
        "ignored": [write],
    }
    NEEDS[f"({trace_format})"] = trace(trace_format)
    VALUES |= {f"host.workload.operations.{key} ({trace_format})": [words] for key, words in moved.items()}

OUTPUTS: dict[str, Callable[[ns.Config], Any]] = {
    "controller.cache.backup": power_cut,
    "controller.mapping.trim_entry_ns": large_trim,
    "controller.power_loss.capacitor_v": power_cut,
    "controller.power_loss.cut_off_v": power_cut,
    "controller.power_loss.hold_up_ms": power_cut,
    "controller.power_loss.hold_up_w": power_cut,
    "controller.power_loss.mapping_checkpoints": recovery,
    **{
        f"host.nvme.power_states.{key}": idle_drive
        for key in ("max_mw", "operational", "entry_us", "exit_us", "idle_mw", "idle_before_ms")
    },
    "host.nvme.temperature_rise_c": smart_log,
    "host.workload.address_policy (trace)": run_or_refusal,
    "host.workload.blank_operation (csv)": run_or_refusal,
    "nand.cells.fitted.block_reads": warnings,
    "nand.cells.fitted.pe_cycles": warnings,
    "nand.cells.fitted.retention_months": warnings,
    "nand.cells.fitted.temperature_c": warnings,
    "nand.cells.placement.verify_follows_step": other_step,
    "nand.cells.read_levels.first_follows_step": other_step,
    "nand.cells.read_levels.soft_spacing_mv": soft_spacing,
    "nand.cells.sensing.residual_time_us": shorter_discharge,
    "nand.cells.sensing.residual_us": shorter_discharge,
    "simulation.breakdown": breakdown,
    "simulation.data": stored_bytes,
    "simulation.request_log": request_log,
    "simulation.steady.figure": steadiness,
    "simulation.steady.range": steadiness,
    "simulation.steady.slope": steadiness,
    "simulation.timeline.begin_us": recordings,
    "simulation.timeline.end_us": recordings,
    "simulation.timeline.file": recordings,
    "simulation.waves.begin_us": recordings,
    "simulation.waves.end_us": recordings,
    "simulation.waves.file": recordings,
}

# The settings that a variant requires.
COMPANIONS: dict[tuple[str, str], Overrides] = {
    ("ecc.background.codec", "bch"): {"ecc.background.correctable_bits": 55, "ecc.background.codeword_bytes": 4096},
    ("ecc.background.codec", "concatenated"): {
        "ecc.background.correctable_bits": 24,
        "ecc.decoder": "bit_true",
        "host.workload.0.requests": 20,
        "nand.geometry.spare_bytes": 2304,
        "simulation.data": "stored",
    },
    ("ecc.codec", "bch"): {"ecc.codeword_bytes": 1024},
    ("ecc.codec", "concatenated"): {
        "ecc.correctable_bits": 24,
        "ecc.decoder": "bit_true",
        "host.workload.0.requests": 20,  # decoders that process single bits are slow
        "nand.geometry.spare_bytes": 2256,
        "simulation.data": "stored",
    },
    ("ecc.decoder", "bit_true"): {"host.workload.0.requests": 20, "simulation.data": "stored"},
    ("host.workload.address_policy", "error"): trace("csv"),
    ("host.workload.blank_operation", "error"): trace("csv"),
    ("host.workload.kind", "requests"): given(100),
    ("host.workload.kind", "trace"): trace("csv"),
    ("host.workload.kind", "volume"): {"host.workload.0.scale": 1e-3},
    ("host.workload.wait_time", "none"): trace("fio with waits", format="fio", pacing="closed"),
    **{("host.workload.format", name): trace(name, format=name) for name in TRACE_FORMATS},
    ("nand.cells.read_levels.kind", "given"): GIVEN_LEVELS,
    ("simulation.blocks.die.kind", "onfi_pins"): AT_PINS,
}

# The parameters whose other variants run no workload, each with the reason.
WITHOUT_WORKLOAD = {"simulation.blocks.host.kind": "the other host runs a guest: test_guest.py"}

# The parameters that have no effect on the results, each with the reason.
WITHOUT_EFFECT: dict[str, str] = {
    "simulation.blocks.watchdog_us": "no block here has processes of its own: see tests/protocol/foreign_blocks.cpp",
    "simulation.quantum_us": "results do not depend on how far the calendar runs ahead",
    "simulation.threads": "no result depends on the number of threads: tests/fidelity/repeatability.cpp",
    "simulation.check_protocol": "it only looks on",
    "channel.interface": "it bounds the rate; times are given by themselves",
    "host.nvme.io_queues": "the driver asks for as many as it has workloads, and fewer are an error",
    "nand.timing.t_rst_program_us": "the controller resets no die that programs; tests/unit/nand/die_reset.cpp",
    "nand.timing.t_rst_erase_us": "the controller resets no die that erases; tests/unit/nand/die_reset.cpp",
}
